// A copy of the public records that follows /changes by the rules of docs/changes.md, in maps. And what it must equal:
// the public rows, read with one statement for each table.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import type pg from 'pg';
import { below, fed, fedTable } from '../../packages/server/src/changes/below.ts';
import { ownerColumn } from '../../packages/server/src/operator/people.ts';
import { selectList } from '../../packages/server/src/records/shown.ts';

type Row = Record<string, unknown>;
interface Line {
  op: 'put' | 'delete' | 'erase';
  table: string;
  record: Row;
  key: Row;
  sha256: string;
}
const keyText = (table: string, row: Row): string => JSON.stringify(fedTable(table).key.map((name) => row[name]));

export type Tables = Map<string, Map<string, Row>>;
const emptyTables = (): Tables => new Map(fed.map(({ name }) => [name, new Map()]));

/** The public rows of a database. */
export const publicRows = async (client: pg.Client): Promise<Tables> => {
  const tables = emptyTables();
  for (const table of fed) {
    const { rows } = await client.query<{ record: Row }>(
      `select row_to_json(r) as record from (select ${selectList(table, false)} from ${table.name} t where ${table.publicRows}) r`,
    );
    for (const { record } of rows) tables.get(table.name)!.set(keyText(table.name, record), record);
  }
  return tables;
};

/** `get`: of a path below the API. `from`: rows and a cursor to begin with. */
export const openCopy = (
  get: (path: string) => Promise<Response>,
  from: { tables: Tables; cursor: string | null } = { tables: emptyTables(), cursor: null },
) => {
  let { tables, cursor } = from;
  let restarts = 0;
  /** Every key that a line has named. */
  const named = new Set<string>();
  const rowsOf = (table: string) => tables.get(table)!;

  const remove = (table: string, where: Row): void => {
    const whole = keyText(table, where);
    const one = rowsOf(table).get(whole);
    for (const [text, row] of one === undefined ? rowsOf(table) : [[whole, one] as const]) {
      if (!Object.entries(where).every(([name, value]) => row[name] === value)) continue;
      rowsOf(table).delete(text);
      for (const child of below[table] ?? []) remove(child.table, { [child.column]: row[fedTable(table).key[0]!] });
    }
  };
  const apply = ({ op, table, record, key, sha256 }: Line): void => {
    if (op === 'put') rowsOf(table).set(keyText(table, record), record);
    else if (op === 'delete') remove(table, key);
    else
      for (const [name, column] of Object.entries(ownerColumn))
        if (tables.has(name))
          for (const row of [...rowsOf(name).values()])
            if (hash('sha256', String(row[column])) === sha256) remove(name, { [column]: row[column] });
    if (op === 'put') named.add(`${table} ${keyText(table, record)}`);
    if (op === 'delete' && fedTable(table).key.every((name) => name in key))
      named.add(`${table} ${keyText(table, key)}`);
  };
  /** A user whom no record names is not public. */
  const sweep = (): void => {
    const shown = new Set(
      Object.entries(ownerColumn).flatMap(([table, column]) =>
        table === 'users' ? [] : [...(tables.get(table)?.values() ?? [])].map((row) => row[column]),
      ),
    );
    for (const [text, row] of rowsOf('users')) if (!shown.has(row.id)) rowsOf('users').delete(text);
  };

  return {
    tables: () => tables,
    named,
    cursor: () => cursor,
    restarts: () => restarts,
    /** One page. Returns whether there may be more. */
    step: async (): Promise<boolean> => {
      const response = await get(`/changes${cursor === null ? '' : `?since=${cursor}`}`);
      const text = await response.text();
      if (response.status === 410) {
        assert.match(text, /"code":"CURSOR_EXPIRED"/);
        [tables, cursor, restarts] = [emptyTables(), null, restarts + 1];
        return true;
      }
      assert.equal(response.status, 200, text);
      const next: string | undefined = /[?&]since=([\w-]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
      assert.ok(next !== undefined, 'every page has a link to the next');
      for (const line of text.split('\n').slice(0, -1)) apply(JSON.parse(line) as Line);
      sweep();
      const isMoved = next !== cursor;
      cursor = next;
      return isMoved;
    },
  };
};
export type Copy = ReturnType<typeof openCopy>;

/** Reads until nothing is new. */
export const catchUp = async (copy: Copy): Promise<void> => {
  for (let pages = 0; await copy.step(); pages++) assert.ok(pages < 10_000, 'it never ends');
};

export const assertSameTables = (found: Tables, expected: Tables, what: string): void => {
  for (const { name } of fed) {
    const [have, want] = [found.get(name)!, expected.get(name)!];
    const ids = new Set([...have.keys(), ...want.keys()]);
    const wrong = [...ids].filter((id) => JSON.stringify(have.get(id)) !== JSON.stringify(want.get(id)));
    assert.deepEqual(
      wrong.slice(0, 3).map((id) => ({ id, have: have.get(id), want: want.get(id) })),
      [],
      `${what}: ${wrong.length} wrong rows of ${name}`,
    );
  }
};
