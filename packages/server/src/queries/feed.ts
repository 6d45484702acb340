// How far the platform's changes are applied: the newest mark for all callers, positions and counts for the operator.
import type { Database, Db } from '../db/connection/pool.ts';
import { sql } from '../db/sql.ts';

/** The time of the newest mark that was applied, or null. */
export const findAsOf = async (db: Db): Promise<string | null> => {
  const [row] = await db.query('point', sql`select iso(as_of) from feed`);
  return row?.[0] ?? null;
};

export interface FeedFacts {
  sequence: number;
  applied: number;
  /** Changes that could not be applied at once, since the database was made. */
  setAside: number;
  /** Of these, the changes that are stored now: those that a later change can make possible, and the others. */
  waiting: number;
  rejected: number;
  /** Since the newest mark; null without one. */
  lagSeconds: number | null;
}
export const readFeed = async (database: Database): Promise<FeedFacts> => {
  const [row] = await database.look(sql`
    select
      f.sequence::text,
      f.applied::text,
      f.set_aside::text,
      (select count(*) from rejected_changes where is_waiting)::text,
      (select count(*) from rejected_changes where not is_waiting)::text,
      case when f.as_of is not null then greatest(extract(epoch from api_now() - f.as_of), 0) end::text
    from feed f`);
  const [sequence, applied, setAside, waiting, rejected, lag] = row ?? [];
  return {
    sequence: Number(sequence),
    applied: Number(applied),
    setAside: Number(setAside),
    waiting: Number(waiting),
    rejected: Number(rejected),
    lagSeconds: lag === null || lag === undefined ? null : Number(lag),
  };
};
