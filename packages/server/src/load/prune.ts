// Prune: deletes the rows whose key is in none of the files. Counts all tables first and stops when that looks like
// a mistake. The caller has a transaction and the writer lock; the doomed rows of each table are in a temporary table.
import type pg from 'pg';
import type { Table } from '../records/columns.ts';
import type { ForeignKey } from '../records/constraints.ts';
import { foreignKeys, readConstraints } from '../records/constraints.ts';
import { keyHashSql } from '../records/keys.ts';
import { tables } from '../records/tables.ts';
import { prunedTables } from './manifest.ts';

export interface PruneOptions {
  /** How many rows of a table the operator expects to be deleted. */
  confirmed: ReadonlyMap<string, number>;
  /** The snapshot of the platform's database at which the files were written; null: no stream is followed. */
  snapshot: string | null;
  print: (line: string) => void;
}
export interface Pruned {
  /** Deleted rows by table, including those deleted by cascade. */
  deleted: ReadonlyMap<string, number>;
  /** Deletions that must be confirmed first. If there are any, nothing was deleted. */
  refusals: readonly string[];
}

/** Only deletions above both limits need confirmation: a number of rows, and a part of the table. */
const [freeRows, freePart] = [100, 0.1];

const sameKey = ({ key }: Table, a: string, b: string): string =>
  key.map((column) => `${a}.${column} = ${b}.${column}`).join(' and ');

/** SQL: the rows `t` of a table that refer to a doomed row and are not doomed themselves. */
const orphans = (table: Table, { columns, target }: ForeignKey): string => `
  ${table.name} t
  join doomed_${target.table} p on ${columns.map((column, n) => `t.${column} = p.${target.columns[n]}`).join(' and ')}
  where not exists (select from doomed_${table.name} d where ${sameKey(table, 'd', 't')})`;

/** Finds the doomed rows of one table, after those of its parents. Returns how many a cascade deletes, by parent. */
const findDoomed = async (
  client: pg.Client,
  table: Table,
  cascades: readonly ForeignKey[],
): Promise<[string, number][]> => {
  const { name, key } = table;
  const columns = key.map((column) => `t.${column}`).join(', ');
  const isInNoFile = `not exists (
    select from import_keys k where k.table_name = '${name}' and k.key = ${keyHashSql(table)})`;
  await client.query(`
    create temp table doomed_${name} on commit drop as
    select ${columns} from ${name} t where ${prunedTables.includes(table) ? isInNoFile : 'false'}`);
  const withOthers: [string, number][] = [];
  for (const reference of cascades) {
    const { rowCount } = await client.query(
      `insert into doomed_${name} (${key.join(', ')}) select distinct ${columns} from ${orphans(table, reference)}`,
    );
    withOthers.push([reference.target.table, rowCount ?? 0]);
  }
  await client.query(`analyze doomed_${name}`);
  return withOthers.filter(([, rows]) => rows > 0);
};

/** A message about the rows that stay and refer to a doomed row; null when there are none. */
const leftBehind = async (client: pg.Client, table: Table, reference: ForeignKey): Promise<string | null> => {
  const { rows } = await client.query<{ n: number; some: string[] }>(`
    select count(*)::float8 as n, (array_agg(k.key order by k.key))[1:3] as some
    from (
      select array_to_string(array[${table.key.map((column) => `t.${column}`).join(', ')}]::text[], ' ') as key
      from ${orphans(table, reference)}
    ) k`);
  const { n = 0, some = [] } = rows[0] ?? {};
  if (n === 0) return null;
  const which = `${n} ${table.name} refer by ${reference.columns.join(' and ')} to ${reference.target.table} that are in no file`;
  return `${which} (${some.join(', ')}${n > some.length ? ', …' : ''})`;
};

const sizeOf = async (client: pg.Client, name: string): Promise<number> => {
  const { rows } = await client.query<{ n: number }>(`select count(*)::float8 as n from ${name}`);
  return rows[0]?.n ?? 0;
};

/** Resets the position: the follower starts again at the beginning of its stream and skips what the load contains. */
const restartFeed = async (client: pg.Client, snapshot: string): Promise<void> => {
  await client.query(
    `update feed
     set stream = null, stream_created_at = null, sequence = 0, message_id = null, message_at = null, load_snapshot = $1,
       as_of = null, undone = 0, is_loading = false`,
    [snapshot],
  );
  await client.query('delete from outbox_rows');
  await client.query('delete from rejected_changes');
};

export const prune = async (client: pg.Client, { confirmed, snapshot, print }: PruneOptions): Promise<Pruned> => {
  const references = foreignKeys(await readConstraints(client));
  const deleted = new Map<string, number>();
  const stuck: string[] = [];
  const refusals: string[] = [];
  await client.query('analyze import_keys');
  // Load order: what a table refers to comes before it.
  for (const table of tables) {
    const { name } = table;
    const own = (kind: ForeignKey['target']['onDelete']) =>
      references.filter((key) => key.table === name && key.target.onDelete === kind);
    for (const [parent, rows] of await findDoomed(client, table, own('c')))
      print(`${rows} ${name} are deleted with their ${parent}`);
    for (const reference of own('a')) stuck.push((await leftBehind(client, table, reference)) ?? '');
    for (const reference of own('n')) {
      const text = await leftBehind(client, table, reference);
      if (text !== null) print(`${text}; the reference becomes null`);
    }
    const rows = await sizeOf(client, `doomed_${name}`);
    deleted.set(name, rows);
    if (rows <= freeRows || confirmed.get(name) === rows) continue;
    const size = await sizeOf(client, name);
    if (rows > size * freePart)
      refusals.push(`${name}: ${rows} of ${size} rows; to confirm: --confirm ${name}=${rows}`);
  }
  const problems = stuck.filter((text) => text !== '');
  if (problems.length > 0)
    throw new Error(
      [
        'nothing was pruned; add the missing records to the files, or leave out those that refer to them:',
        ...problems.map((text) => `  ${text}`),
      ].join('\n'),
    );
  if (refusals.length > 0) return { deleted, refusals };
  for (const table of tables.toReversed()) {
    if (deleted.get(table.name) === 0) continue;
    await client.query(`delete from ${table.name} t using doomed_${table.name} d where ${sameKey(table, 't', 'd')}`);
  }
  if (snapshot !== null) await restartFeed(client, snapshot);
  return { deleted, refusals };
};
