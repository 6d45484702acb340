// Sends one statement over a connection. pg's own query asks PostgreSQL for column names and types each time and
// converts every value. Callers here know both, so a row stays as it is on the wire: texts in the order of the select
// list. Also decides which statements a connection keeps prepared.
import { hash } from 'node:crypto';
import pg from 'pg';

export type Row = readonly (string | null)[];
export type Value = string | number | boolean | null;
type Done = (error: unknown, rows: Row[]) => void;

/** What pg's connection offers to a query. */
interface Wire {
  parse: (statement: { name: string; text: string }) => void;
  bind: (portal: { statement: string; values: Value[]; valueMapper: (value: Value) => string | null }) => void;
  execute: () => void;
  sync: () => void;
  close: (what: { type: 'S'; name: string }) => void;
  /** pg's own record of what PostgreSQL has confirmed: name to text. */
  parsedStatements: Record<string, string | undefined>;
}

const asText = (value: Value): string | null => (value === null ? null : String(value));

/** Most prepared statements per connection: there are hundreds of filter combinations, with plans of up to 0.4 MB. */
const mostPrepared = 64;

/** The prepared statements of a connection, by name, and how often each was used recently. */
export interface PreparedStatements {
  uses: Map<string, number>;
  evictions: number;
}
/**
 * Counts a use. Returns whether the statement must be prepared first, and which one is evicted for it: the least used,
 * so that a series of rare statements cannot evict the common ones. Counts are halved now and then, so that old uses
 * weigh less.
 */
export const noteUse = (
  prepared: PreparedStatements,
  name: string,
  most = mostPrepared,
): { isNew: boolean; evicted: string | null } => {
  const { uses } = prepared;
  const count = uses.get(name);
  uses.set(name, (count ?? 0) + 1);
  if (count !== undefined || uses.size <= most) return { isNew: count === undefined, evicted: null };
  let evicted = '';
  let least = Number.POSITIVE_INFINITY;
  for (const [other, times] of uses)
    if (other !== name && times < least) {
      evicted = other;
      least = times;
    }
  uses.delete(evicted);
  prepared.evictions += 1;
  if (prepared.evictions % most === 0) for (const [other, times] of uses) uses.set(other, times / 2);
  return { isNew: true, evicted };
};

const preparedOn = new WeakMap<Wire, PreparedStatements>();
const preparedBy = (wire: Wire): PreparedStatements => {
  let prepared = preparedOn.get(wire);
  if (prepared === undefined) {
    prepared = { uses: new Map(), evictions: 0 };
    preparedOn.set(wire, prepared);
  }
  return prepared;
};

/** Counts a use on a connection, and closes the evicted statement. Returns whether this one must be prepared first. */
const notePrepared = (wire: Wire, name: string): boolean => {
  const { isNew, evicted } = noteUse(preparedBy(wire), name);
  if (evicted !== null) {
    wire.close({ type: 'S', name: evicted });
    delete wire.parsedStatements[evicted];
  }
  return isNew;
};

const names = new Map<string, string>();
/** The keys are texts of several kilobytes. */
const mostNames = 500;
/** A hash of the text: behind a transaction pooler the same name means the same statement for every process. */
export const statementName = (text: string): string => {
  let name = names.get(text);
  if (name === undefined) {
    if (names.size >= mostNames) names.clear();
    name = `c_${hash('sha256', text, 'base64url').slice(0, 22)}`;
    names.set(text, name);
  }
  return name;
};

/** An empty name means that the statement is not kept prepared. */
class Statement extends pg.Query {
  readonly name: string;
  readonly text: string;
  readonly values: Value[];
  readonly callback: Done;
  readonly client: pg.ClientBase;
  readonly found: Row[] = [];
  wire: Wire | undefined;

  constructor(client: pg.ClientBase, name: string, text: string, values: Value[], callback: Done) {
    super(text, values);
    this.client = client;
    this.name = name;
    this.text = text;
    this.values = values;
    this.callback = callback;
  }

  prepare(wire: Wire): void {
    const { name, text, values } = this;
    this.wire = wire;
    if (name === '' || notePrepared(wire, name)) wire.parse({ name, text });
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
    const { client, name, text, values, wire } = this;
    const code = (error as { code?: unknown }).code;
    // 26000: no such statement; 42P05: it exists already. A pooler switched the server connection, or the statement
    // before this one failed to prepare it. Nothing was executed, so the statement is sent once more, without a name.
    const isMissing = code === '26000';
    const isThere = code === '42P05';
    if (wire !== undefined && name !== '') {
      // A statement that failed while it ran stays prepared; one that PostgreSQL never confirmed is prepared again.
      if (isThere) notePrepared(wire, name);
      else if (isMissing || wire.parsedStatements[name] === undefined) preparedBy(wire).uses.delete(name);
    }
    if (name !== '' && (isMissing || isThere)) client.query(new Statement(client, '', text, values, this.callback));
    else this.callback(error, []);
  }
}

/** Sends a statement and calls `done` once. */
export const send = (client: pg.ClientBase, isNamed: boolean, text: string, values: Value[], done: Done): void => {
  client.query(new Statement(client, isNamed ? statementName(text) : '', text, values, done));
};
