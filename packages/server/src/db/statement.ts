// One statement on its way through a connection. pg's own query asks PostgreSQL for the names and types of the columns
// each time and turns every value into a type; who asks here knows both, so a row stays what it is on the wire: texts in
// the order of the select list.
import pg from 'pg';

export type Row = readonly (string | null)[];
export type Value = string | number | boolean | null;

/** What pg's connection offers to a query. */
interface Wire {
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  parse: (statement: { name: string; text: string }) => void;
  bind: (portal: { statement: string; values: Value[]; valueMapper: (value: Value) => string | null }) => void;
  execute: () => void;
  sync: () => void;
}

const asText = (value: Value): string | null => (value === null ? null : String(value));

/** The name is empty where statements are not kept. */
class Statement extends pg.Query {
  readonly name: string;
  readonly text: string;
  readonly values: Value[];
  readonly callback: (error: unknown, rows: Row[]) => void;
  readonly found: Row[] = [];

  constructor(name: string, text: string, values: Value[], callback: Statement['callback']) {
    super(text, values);
    this.name = name;
    this.text = text;
    this.values = values;
    this.callback = callback;
  }

  prepare(wire: Wire): void {
    const { name, text, values } = this;
    if (name === '' || (wire.parsedStatements[name] ?? wire.submittedNamedStatements[name]) === undefined) {
      wire.parse({ name, text });
      if (name !== '') wire.submittedNamedStatements[name] = text;
    }
    wire.bind({ statement: name, values, valueMapper: asText });
    wire.execute();
    wire.sync();
  }
  handleDataRow({ fields }: { fields: Row }): void {
    this.found.push(fields);
  }
  handleCommandComplete(): void {}
  handleReadyForQuery(): void {
    this.callback(null, this.found);
  }
  handleError(error: unknown): void {
    this.callback(error, []);
  }
}

/** Sends a statement, and calls back once. */
export const send = (
  client: pg.ClientBase,
  name: string,
  text: string,
  values: Value[],
  done: Statement['callback'],
): void => {
  client.query(new Statement(name, text, values, done));
};
