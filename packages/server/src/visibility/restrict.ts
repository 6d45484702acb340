// A record that cannot be written may still say that less is to be shown or permitted than the stored row does. That
// restriction takes effect at once, whatever else is wrong with the record. The next valid record of the row overwrites
// it.
import { controlCharacter, lengthOf } from '@commonhall/contract/text';
import type pg from 'pg';
import type { Table } from '../records/columns.ts';
import { isShown } from './states.ts';

/** gap G7: any other role is below MEMBER. */
const ranks = ['MEMBER', 'ADMIN', 'OWNER'];
const isWord = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && lengthOf(value) <= 100 && !controlCharacter.test(value);

type Statement = [text: string, ...values: unknown[]];
/** Statements that restrict the row whose key values are $1, $2. */
const statementsOf = (table: Table, record: Readonly<Record<string, unknown>>): Statement[] => {
  const its = table.key.map((column, n) => `${column} = $${n + 1}`).join(' and ');
  const next = `$${table.key.length + 1}`;
  const isHidden = !isShown(table.name, record);
  const found: Statement[] = [];
  if (table.name === 'users') {
    if (record.god_mode !== true) found.push([`update users set god_mode = false where ${its} and god_mode`]);
    const status = isWord(record.status) ? record.status : 'UNKNOWN';
    if (isHidden) found.push([`update users set status = ${next} where ${its} and is_public`, status]);
  } else if ('visibility' in table.columns && isHidden)
    found.push([`update ${table.name} set visibility = 'hidden' where ${its} and is_public`]);
  if (table.name === 'bounties' && record.submissions_visible !== true)
    found.push([`update bounties set submissions_visible = false where ${its} and submissions_visible`]);
  if (table.name === 'sponsor_members') {
    const role = isWord(record.role) ? record.role : '';
    const above = ranks.slice(ranks.indexOf(role) + 1);
    found.push([`update sponsor_members set role = ${next} where ${its} and role = any ($4)`, role, above]);
  }
  return found;
};

const run = async (client: pg.Client, statements: readonly Statement[], key: readonly string[]): Promise<boolean> => {
  let changed = 0;
  for (const [text, ...values] of statements) changed += (await client.query(text, [...key, ...values])).rowCount ?? 0;
  return changed > 0;
};

/** Restricts a row by a put, or a record of a load, that cannot be written. Returns whether a row has changed. */
export const restrictRow = (
  client: pg.Client,
  table: Table,
  key: readonly string[],
  record: Readonly<Record<string, unknown>>,
): Promise<boolean> => run(client, statementsOf(table, record), key);

const onDelete: Record<string, readonly string[]> = {
  users: [`update users set status = 'DELETED', god_mode = false where id = $1`],
  sponsors: [
    'delete from sponsor_members where sponsor_id = $1',
    `update bounties set visibility = 'hidden' where sponsor_id = $1`,
  ],
};
/** Restricts a row whose delete has to wait. Other tables' deletes never wait: a cascade deletes dependent rows. */
export const restrictDeleted = (client: pg.Client, table: Table, key: readonly string[]): Promise<boolean> =>
  run(
    client,
    (onDelete[table.name] ?? []).map((text): Statement => [text]),
    key,
  );
