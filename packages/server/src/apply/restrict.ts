// A change that cannot be applied may still say that less is to be shown or permitted than what is stored. That part
// takes effect at once, whatever else is wrong with the change. The next change of the row that can be applied
// overwrites it.
import type pg from 'pg';
import { isShown } from '../dataset/states.ts';
import type { Change } from './change.ts';
import { keyCondition } from './statements.ts';

/** gap G7: anything else is below MEMBER. */
const ranks = ['MEMBER', 'ADMIN', 'OWNER'];
const isWord = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 100 && !/[\0-\x1f\x7f-\x9f]/.test(value);
const isActive = (status: unknown): boolean => isWord(status) && ['activated', 'active'].includes(status.toLowerCase());

/** For a delete that has to wait. Rows of other tables never wait: what depends on them goes with them. */
const onDelete: Record<string, readonly string[]> = {
  users: [`update users set status = 'DELETED', god_mode = false where id = $1`],
  sponsors: [
    'delete from sponsor_members where sponsor_id = $1',
    `update bounties set visibility = 'hidden' where sponsor_id = $1`,
  ],
};

type Statement = [text: string, values: unknown[]];
const onPut = (change: Change): Statement[] => {
  if (change.op === 'delete' || change.table === null || change.key === null) return [];
  const { table, key, record } = change;
  const values = [...key];
  const its = keyCondition(table, 1);
  const found: Statement[] = [];
  if ('visibility' in table.columns && !isShown(table.name, record))
    found.push([`update ${table.name} set visibility = 'hidden' where ${its} and is_public`, values]);
  if (table.name === 'bounties' && record.submissions_visible !== true)
    found.push([`update bounties set submissions_visible = false where ${its} and submissions_visible`, values]);
  if (table.name === 'users') {
    if (record.god_mode !== true) found.push([`update users set god_mode = false where ${its} and god_mode`, values]);
    if (!isActive(record.status))
      found.push([
        `update users set status = $2 where ${its} and is_public`,
        [...values, isWord(record.status) ? record.status : 'UNKNOWN'],
      ]);
  }
  if (table.name === 'sponsor_members') {
    const above = ranks.slice(ranks.indexOf(String(record.role)) + 1);
    const role = isWord(record.role) ? record.role : '';
    found.push([`update sponsor_members set role = $3 where ${its} and role = any ($4)`, [...values, role, above]]);
  }
  return found;
};

export const restrict = async (client: pg.Client, change: Change): Promise<void> => {
  const asked = change.op === 'wrong' ? change.asked : change.op;
  const statements =
    asked === 'delete'
      ? (onDelete[change.table?.name ?? ''] ?? []).map((text): Statement => [text, [...(change.key ?? [])]])
      : asked === 'put'
        ? onPut(change)
        : [];
  if (change.key !== null) for (const [text, values] of statements) await client.query(text, values);
};
