// The operator's own takedowns (gap G11): hide a row whether it is loaded or not, and show it again. The triggers of the
// table `takedowns` update the hidden row; no load writes to that table.
import type pg from 'pg';
import { crashPoint } from '../crash-points.ts';
import { inWriterTransaction } from '../db/connection/client.ts';
import type { Table } from '../records/columns.ts';
import { tables } from '../records/tables.ts';
import { reasonsOfRow } from '../visibility/reasons.ts';
import { journal } from './journal.ts';
import type { Meaning } from './named.ts';
import { findNamed, findOne, theOnly, usage } from './named.ts';

/** The tables whose rows can be taken down: those with a flag for it. A test compares the two. */
const takenDown = `agents bounties bounty_submissions launches collections contests repositories contest_submissions
  timeline_items`.split(/\s+/);

const takedownTable = (name: string): Table => {
  const allowed = tables.filter((table) => takenDown.includes(table.name));
  const table = allowed.find((each) => each.name === name);
  if (table === undefined)
    throw new Error(`rows of ${name} cannot be hidden; those of these tables can: ${allowed.map(usage).join(', ')}`);
  return table;
};

/** Throws when no takedown can have this table and key. */
export const checkTakedown = (name: string, key: readonly string[]): void => {
  const table = takedownTable(name);
  if (table.key.length !== key.length)
    throw new Error(`a key of ${name} has ${table.key.length} values, and ${key.length} were given: ${usage(table)}`);
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
  words: readonly string[],
  { reason, ...meaning }: Meaning & { reason: string | null },
  journalPath: string,
): Promise<string> => {
  const table = takedownTable(name);
  const row = await inWriterTransaction(client, async () => {
    const found = await findOne(client, table, words, meaning);
    const key = await putTakedown(client, name, found?.key ?? words, reason, null);
    crashPoint('hide: takedown written');
    await journal(client, journalPath, { act: 'hide', table: name, key, reason });
    return found;
  });
  const because = reason === null ? '' : `; reason: ${reason}`;
  return row === null
    ? `${name} ${words.join(' ')} is not loaded; it will be hidden when it is${because}`
    : `hidden: ${row.label}${because}`;
};

/** The takedowns of the rows that the words name, and of the key that they are, loaded or not. */
const takedownsNamed = async (client: pg.Client, table: Table, words: readonly string[], isKey: boolean) => {
  const rows = await findNamed(client, table, words, isKey);
  const notLoaded = { key: [...words], label: `${table.name} ${words.join(' ')}, which is not loaded` };
  const found = new Map<string, { key: string[]; label: string }>();
  for (const { key, label } of [...rows, notLoaded]) {
    const { rows: stored } = await client.query<{ key: string[] }>(
      `select key from takedowns where table_name = $1 and key = ${storedKey}`,
      [table.name, key],
    );
    for (const each of stored) if (!found.has(each.key.join('\x1f'))) found.set(each.key.join('\x1f'), { key, label });
  }
  return [...found.values()];
};

/** Removes a takedown and returns the message for the operator. */
export const unhideRow = async (
  client: pg.Client,
  name: string,
  words: readonly string[],
  isKey: boolean,
  journalPath: string,
): Promise<string> => {
  const table = takedownTable(name);
  const { label, reasons } = await inWriterTransaction(client, async () => {
    const found = theOnly(words, await takedownsNamed(client, table, words, isKey));
    const stored = found === null ? null : await dropTakedown(client, name, found.key);
    crashPoint('unhide: takedown deleted');
    if (found === null || stored === null)
      throw new Error(
        `${name} ${words.join(' ')} is not hidden by a takedown; see: commonhall why ${name} <key or name>`,
      );
    await journal(client, journalPath, { act: 'unhide', table: name, key: stored });
    return { label: found.label, reasons: await reasonsOfRow(client, table, found.key) };
  });
  if (reasons === null) return `no longer hidden: ${label}`;
  const state = reasons.length === 0 ? 'it is public' : `it is still not public: ${reasons.join('; ')}`;
  return `no longer hidden: ${label}; ${state}`;
};
