// Problems of a record that only the database can find, in plain words: a value that another row has, a missing row, a
// row that others refer to, a limit. Read from the fields of the error and the constraints, never from the error message.
import type pg from 'pg';
import type { Table } from './columns.ts';
import type { Constraints, ForeignKey } from './constraints.ts';
import { quoted } from './problems.ts';
import { tables } from './tables.ts';

export interface Refusal {
  reason: string;
  /**
   * What must change before a retry can succeed: `users u1` a row (key values joined by U+001F), `users` any row of a
   * table. null: nothing would help.
   */
  waitsFor: readonly string[] | null;
}
type Values = Readonly<Record<string, unknown>>;

const and = (words: readonly string[]): string => words.join(' and ');

export const notUnique = (table: Table, record: Values, columns: readonly string[]): string => {
  // The only column that is derived from another (gap G13).
  if (columns.includes('address_key'))
    return `address: ${quoted(record.address)} is the address of another row of ${table.name}, in this or another spelling; change one of the two`;
  const named = (name: string): string =>
    table.columns[name]?.isUnquoted === true ? 'the value' : quoted(record[name] ?? null);
  const verb = columns.length === 1 ? 'is' : 'are';
  return `${columns.join(', ')}: ${and(columns.map(named))} ${verb} the ${and(columns)} of another row of ${table.name}; change one of the two`;
};

export const missingParent = (record: Values, { columns, target }: ForeignKey): Refusal => {
  const { table: parent, columns: keys } = target;
  const valueAt = (key: string): string => String(record[columns[keys.indexOf(key)] ?? '']);
  const inOrder = tables.find(({ name }) => name === parent)?.key ?? keys;
  const named = and(keys.map((key) => `the ${key} ${quoted(valueAt(key))}`));
  return {
    reason: `${columns.join(', ')}: there is no ${parent} row with ${named}; load ${parent} first`,
    waitsFor: [`${parent} ${inOrder.map(valueAt).join('\x1f')}`],
  };
};

/** Errors that our own triggers raise: the limits of gap G15, erased users, score tiers. */
const ours: Record<string, (record: Values) => Refusal> = {
  launches_featured_limit: () => ({
    reason:
      'featured_at: at most 100 launches can be featured, and 100 are; set featured_at of another one to null first',
    waitsFor: ['launches'],
  }),
  bounty_submissions_winner_limit: ({ bounty_id: bounty }) => ({
    reason: `prize_place: a bounty can have at most 100 winners, and ${quoted(bounty)} has them; set prize_place of another one to null first`,
    waitsFor: ['bounty_submissions'],
  }),
  bounty_submissions_user_limit: ({ bounty_id: bounty, user_id: user }) => ({
    reason: `user_id: a user can have at most 100 submissions to one bounty, and ${quoted(user)} has them to ${quoted(bounty)}; delete another one first`,
    waitsFor: ['bounty_submissions'],
  }),
  users_erased: ({ id }) => ({
    reason: `the user has been erased; to allow them again: commonhall erase allow ${/^[\w.-]+$/.test(String(id)) ? String(id) : quoted(id)}`,
    waitsFor: null,
  }),
  score_tiers_complete: () => ({
    reason: 'a score dimension cannot be deleted, because a response has all of them; put a record with other values',
    waitsFor: null,
  }),
};

/** Whether an error is about the data (classes 22, 23, 54: values, constraints, sizes), and not about the database. */
export const isDataError = (error: unknown): boolean =>
  /^(22|23|54)/.test(String((error as { code?: unknown } | null)?.code ?? ''));

/** Writes all of a part or none of it: an error that is about its data undoes the part and is returned. */
export const attempt = async <T>(
  client: pg.Client,
  write: () => Promise<T>,
): Promise<{ written: T } | { error: unknown }> => {
  await client.query('savepoint part');
  try {
    const written = await write();
    await client.query('release savepoint part');
    return { written };
  } catch (error) {
    if (!isDataError(error)) throw error;
    await client.query('rollback to savepoint part');
    return { error };
  }
};

/** Why the database has rejected a record or its deletion. */
export const databaseProblem = (error: unknown, table: Table, record: Values, constraints: Constraints): Refusal => {
  const { code = '', constraint = '', table: at = '', column } = error as Partial<pg.DatabaseError>;
  const known = ours[constraint];
  if (known !== undefined) return known(record);
  const found = constraints.get(`${at}.${constraint}`);
  if (found?.kind === 'unique') return { reason: notUnique(table, record, found.columns), waitsFor: [found.table] };
  if (found?.kind === 'foreign')
    return found.table === table.name
      ? missingParent(record, found)
      : { reason: `${found.table} still refer to it; delete or change those rows first`, waitsFor: [found.table] };
  const remedy = `compare the record with: commonhall schema ${table.name}`;
  const columns = (found?.columns ?? (column === undefined ? [] : [column])).join(', ');
  return columns === ''
    ? { reason: `the database does not accept the record (SQLSTATE ${code}); ${remedy}`, waitsFor: null }
    : { reason: `${columns}: the database does not accept this (SQLSTATE ${code}); ${remedy}`, waitsFor: null };
};
