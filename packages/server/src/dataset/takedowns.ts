// The operator's own takedowns (gap G11): hide a row whether it is loaded or not, and show it again. The triggers of the
// table `takedowns` update the hidden row; no load writes to that table.
import type pg from 'pg';
import { journal } from '../db/journal.ts';
import type { Table } from './columns.ts';
import { tables } from './tables.ts';
import { reasonOfRow } from './visibility.ts';

/** SQL for the title of a row `t`, for the tables whose rows can be taken down. */
const titles: Readonly<Record<string, string>> = {
  agents: 't.display_name',
  bounties: 't.title',
  bounty_submissions: 't.title',
  launches: 't.name',
  collections: 't.name',
  contests: 't.title',
  repositories: `t.owner || '/' || t.name`,
  contest_submissions: 't.title',
  timeline_items: `t.type || ' of ' || iso(t.date)`,
};

const named = ({ name, key }: Table): string => `${name} ${key.map((column) => `<${column}>`).join(' ')}`;

/** The table of a takedown. Throws when its rows cannot be hidden, or when the key has another number of values. */
export const takedownTable = (name: string, key: readonly string[]): Table => {
  const allowed = tables.filter((table) => titles[table.name] !== undefined);
  const table = allowed.find((each) => each.name === name);
  if (table === undefined)
    throw new Error(`rows of ${name} cannot be hidden; those of these tables can: ${allowed.map(named).join(', ')}`);
  if (table.key.length !== key.length)
    throw new Error(`a key of ${name} has ${table.key.length} values, and ${key.length} were given: ${named(table)}`);
  return table;
};

interface Row {
  title: string;
  /** Why it is not public, or null. */
  reason: string | null;
}
/** The row that a stored key names; for a collection that is the canonical form of its address. */
const rowOf = async (client: pg.Client, table: Table, key: readonly string[]): Promise<Row | null> => {
  const columns = table.name === 'collections' ? ['address_key'] : table.key;
  const where = columns.map((column, index) => `t.${column} = $${index + 1}`).join(' and ');
  const { rows } = await client.query<{ title: string }>(
    `select ${titles[table.name]} as title from ${table.name} t where ${where}`,
    [...key],
  );
  if (rows[0] === undefined) return null;
  return { title: rows[0].title, reason: await reasonOfRow(client, table, where, key) };
};

/** SQL for the stored form of the key of a takedown, from the table $1 and the key $2. */
export const storedKey = `array(
  select case when $1 = 'collections' then coalesce(canonical_address(k), k) else k end
  from unnest($2::text[]) with ordinality u (k, place) order by place)`;

/** Writes a takedown, made at `at` or now. Without a reason the previous one stays. Returns the stored key. */
export const putTakedown = async (
  client: pg.Client,
  name: string,
  key: readonly string[],
  reason: string | null,
  at: string | null,
): Promise<string[]> => {
  const { rows } = await client.query<{ key: string[] }>(
    `insert into takedowns as d (table_name, key, reason, created_at) values ($1, $2, $3, coalesce($4, now()))
     on conflict (table_name, key) do update set reason = coalesce(excluded.reason, d.reason)
     returning key`,
    [name, key, reason, at],
  );
  return rows[0]!.key;
};

/** Deletes a takedown and returns its stored key; null when there was none. */
export const dropTakedown = async (
  client: pg.Client,
  name: string,
  key: readonly string[],
): Promise<string[] | null> => {
  const { rows } = await client.query<{ key: string[] }>(
    `delete from takedowns where table_name = $1 and key = ${storedKey} returning key`,
    [name, key],
  );
  return rows[0]?.key ?? null;
};

/** Hides a row and returns the message for the operator. */
export const hideRow = async (
  client: pg.Client,
  name: string,
  key: readonly string[],
  reason: string | null,
  journalPath: string,
): Promise<string> => {
  const table = takedownTable(name, key);
  await client.query('begin; select take_writer_lock()');
  const stored = await putTakedown(client, name, key, reason, null);
  const row = await rowOf(client, table, stored);
  await journal(client, journalPath, { act: 'hide', table: name, key: stored, reason });
  await client.query('commit');
  const what = `${name} ${key.join(' ')}`;
  return row === null
    ? `there is no ${what} yet; it will be hidden when it is loaded`
    : `hidden: ${what} (${row.title})${reason === null ? '' : `; reason: ${reason}`}`;
};

/** Removes a takedown and returns the message for the operator. */
export const unhideRow = async (
  client: pg.Client,
  name: string,
  key: readonly string[],
  journalPath: string,
): Promise<string> => {
  const table = takedownTable(name, key);
  const what = `${name} ${key.join(' ')}`;
  await client.query('begin; select take_writer_lock()');
  const stored = await dropTakedown(client, name, key);
  if (stored === null) {
    await client.query('rollback');
    throw new Error(`${what} is not hidden by a takedown`);
  }
  const row = await rowOf(client, table, stored);
  await journal(client, journalPath, { act: 'unhide', table: name, key: stored });
  await client.query('commit');
  if (row === null) return `no longer hidden: ${what}, which is not loaded`;
  const state = row.reason === null ? 'it is public' : `it is still not public: ${row.reason}`;
  return `no longer hidden: ${what} (${row.title}); ${state}`;
};
