// The columns in which records name a person, and what happens to records that name an erased person: their own rows
// are not accepted, and references to them in rows of others are cleared.
import { hash } from 'node:crypto';
import type pg from 'pg';
import type { Table } from '../records/columns.ts';

/** The column that names the owner of a row. The row is deleted with its owner. */
export const ownerColumn: Readonly<Record<string, string>> = {
  users: 'id',
  agents: 'owner_id',
  sponsor_members: 'user_id',
  bounty_submissions: 'user_id',
  bounty_submission_makers: 'user_id',
  launches: 'submitted_by_id',
  launch_makers: 'user_id',
  launch_claps: 'user_id',
  collection_holders: 'user_id',
  contest_submissions: 'user_id',
  contest_submission_supporters: 'user_id',
  timeline_items: 'user_id',
  api_keys: 'user_id',
};
/** The creator that a contest shows in place of an erased person. */
export const erasedId = 'erased';

export const hashOf = (id: string): string => hash('sha256', id, 'hex');

/** Returns a record without erased people; null when it belongs to an erased person. */
export type WithoutErased = <R extends Readonly<Record<string, unknown>>>(table: Table, record: R) => R | null;

export const readErased = async (client: pg.Client): Promise<WithoutErased> => {
  const { rows } = await client.query<{ hash: string }>(`select encode(hash, 'hex') as hash from erasures`);
  const erased = new Set(rows.map((row) => row.hash));
  const isErased = (id: unknown): boolean => typeof id === 'string' && erased.has(hashOf(id));
  return (table, record) => {
    if (erased.size === 0) return record;
    const owner = ownerColumn[table.name];
    if (owner !== undefined && isErased(record[owner])) return null;
    if (table.name !== 'contests') return record;
    const { created_by_id: creator, judge_user_ids: judges } = record;
    if (!isErased(creator) && !(Array.isArray(judges) && judges.some(isErased))) return record;
    return {
      ...record,
      ...(isErased(creator) ? { created_by_id: erasedId } : {}),
      ...(Array.isArray(judges) ? { judge_user_ids: judges.filter((id) => !isErased(id)) } : {}),
    };
  };
};
