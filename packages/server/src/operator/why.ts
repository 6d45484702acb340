// Why a row is or is not public, in lines for the operator: its own columns, its takedown, a change of it that was
// rejected or waits, the rows above it, the erasure of its user, or that it is not loaded.
import type pg from 'pg';
import type { Table } from '../records/columns.ts';
import type { Constraints } from '../records/constraints.ts';
import { foreignKeys, readConstraints } from '../records/constraints.ts';
import { tables } from '../records/tables.ts';
import { reasonsOfRow } from '../visibility/reasons.ts';
import type { NamedRow } from './named.ts';
import { findNamed } from './named.ts';
import { hashOf, ownerColumn } from './people.ts';
import { storedKey } from './takedowns.ts';

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

/** What the operator and the feed have recorded about a key, whether its row is loaded or not. */
const recorded = async (client: pg.Client, { name }: Table, key: readonly string[]): Promise<string[]> => {
  const { rows: takedowns } = await client.query<{ at: string; reason: string | null }>(
    `select iso(created_at) as at, reason from takedowns where table_name = $1 and key = ${storedKey}`,
    [name, key],
  );
  const { rows: changes } = await client.query<{ id: string; at: string; reason: string; isWaiting: boolean }>(
    `select id, iso(received_at) as at, reason, is_waiting as "isWaiting"
     from rejected_changes where table_name = $1 and key = $2`,
    [name, key],
  );
  return [
    ...takedowns.map(({ at, reason }) => `takedown of ${at}${reason === null ? '' : `: ${reason}`}`),
    ...changes.map(
      ({ id, at, reason, isWaiting }) =>
        `its change of ${at} ${isWaiting ? 'waits' : 'was rejected'}: ${reason}; see: commonhall rejected show ${id}`,
    ),
  ];
};

/** The rows above a row that hide it: those that it refers to and that are not public themselves. */
const hiddenParents = async (
  client: pg.Client,
  constraints: Constraints,
  table: Table,
  key: readonly string[],
): Promise<string[]> => {
  const lines: string[] = [];
  for (const { columns, target } of foreignKeys(constraints).filter((each) => each.table === table.name)) {
    // The author of something does not hide it (gap G12); only a timeline is hidden with its user.
    if (target.table === 'users' && table.name !== 'timeline_items') continue;
    if (target.onDelete === 'n') continue; // a repository that is gone or hidden leaves the row as it is
    const parent = tables.find(({ name }) => name === target.table);
    if (parent === undefined) continue;
    const inOrder = parent.key.map((column) => columns[target.columns.indexOf(column)]);
    const { rows } = await client.query<{ key: (string | null)[] }>(
      `select array[${inOrder.map((column) => `t.${column}`).join(', ')}]::text[] as key from ${table.name} t
       where ${table.key.map((column, n) => `t.${column} = $${n + 1}`).join(' and ')}`,
      [...key],
    );
    const parentKey = rows[0]?.key.filter((value) => value !== null) ?? [];
    if (parentKey.length < parent.key.length) continue;
    const [row] = (await findNamed(client, parent, parentKey)).filter(({ isByKey }) => isByKey);
    if (row !== undefined && (await reasonsOfRow(client, parent, row.key))?.length !== 0)
      lines.push(...(await linesOf(client, constraints, parent, row)));
  }
  const collections = tables.find(({ name }) => name === 'collections');
  if (table.name === 'timeline_items' && collections !== undefined)
    for (const address of await collectionOf(client, key))
      for (const row of await findNamed(client, collections, [address]))
        lines.push(...(await linesOf(client, constraints, collections, row)));
  return lines;
};

/** The collection that a badge names: no foreign key, since it may be loaded later. */
const collectionOf = async (client: pg.Client, key: readonly string[]): Promise<string[]> => {
  const { rows } = await client.query<{ address: string }>(
    `select c.address from timeline_items t join collections c on c.address_key = t.collection_key
     where t.user_id = $1 and t.id = $2 and not c.is_public`,
    [...key],
  );
  return rows.map(({ address }) => address);
};

const linesOf = async (client: pg.Client, constraints: Constraints, table: Table, row: NamedRow): Promise<string[]> => {
  const reasons = (await reasonsOfRow(client, table, row.key)) ?? [];
  return [
    `${row.label}: ${reasons.length === 0 ? 'public' : 'not public'}`,
    ...indented([
      ...reasons,
      ...(await recorded(client, table, row.key)),
      ...(reasons.length === 0 ? [] : await hiddenParents(client, constraints, table, row.key)),
    ]),
  ];
};

const erasedLine = async (client: pg.Client, table: Table, key: readonly string[]): Promise<string[]> => {
  const id = key[table.key.indexOf(ownerColumn[table.name] ?? '')];
  if (id === undefined) return [];
  const { rows } = await client.query(`select from erasures where hash = decode($1, 'hex')`, [hashOf(id)]);
  return rows.length === 0 ? [] : [`user ${id} has been erased; to allow them again: commonhall erase allow ${id}`];
};

/** `isKnown`: whether there is such a row, or something is recorded about its key. `siteUrl`: where pages are; null: there
 * are none, or nobody knows. */
export const whyLines = async (
  client: pg.Client,
  table: Table,
  words: readonly string[],
  siteUrl: string | null,
): Promise<{ lines: string[]; isKnown: boolean }> => {
  const rows = await findNamed(client, table, words);
  const constraints = await readConstraints(client);
  const lines: string[] = [];
  for (const row of rows) {
    lines.push(...(await linesOf(client, constraints, table, row)));
    if (siteUrl !== null && row.page !== null) lines.push(`  its page: ${siteUrl}${row.page}`);
  }
  if (rows.length > 0) return { lines, isKnown: true };
  const known = [...(await erasedLine(client, table, words)), ...(await recorded(client, table, words))];
  return { lines: [`${table.name} ${words.join(' ')}: not loaded`, ...indented(known)], isKnown: known.length > 0 };
};
