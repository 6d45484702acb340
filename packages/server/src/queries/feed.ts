// How far the platform's changes are applied: the newest mark for all callers, positions and counts for the operator.
import type { Database, Db } from '../db/connection/database.ts';
import { numberOf } from '../db/read-one.ts';
import { sql } from '../db/sql.ts';

/** Seconds since the newest mark of `feed f`, never negative, even if the platform's clock is ahead; null without one. */
const lag = sql`round(greatest(extract(epoch from api_now() - f.as_of), case when f.as_of is not null then 0 end), 3)`;

/** The time of the newest mark that was applied, and its age. */
export const findFreshness = async (db: Db): Promise<{ asOf: string | null; lagSeconds: number | null }> => {
  const [row] = await db.query('point', sql`select iso(f.as_of), ${lag} from feed f`);
  return { asOf: row?.[0] ?? null, lagSeconds: numberOf(row?.[1]) };
};

export interface FeedFacts {
  sequence: number;
  applied: number;
  /** Changes that could not be applied at once, since the database was made. */
  setAside: number;
  /** Of these, the changes that are stored now: those that a later change can make possible, and the others. */
  waiting: number;
  rejected: number;
  /** Applied changes that the platform has lost since. */
  undone: number;
  /** Since the newest mark; null without one. */
  lagSeconds: number | null;
}
export const readFeed = async (database: Database): Promise<FeedFacts> => {
  const [row] = await database.urgentQuery(sql`
    select
      f.sequence::text,
      f.applied::text,
      f.set_aside::text,
      (select count(*) from rejected_changes where is_waiting)::text,
      (select count(*) from rejected_changes where not is_waiting)::text,
      f.undone::text,
      ${lag}::text
    from feed f`);
  const [sequence, applied, setAside, waiting, rejected, undone, lagSeconds] = row ?? [];
  return {
    sequence: Number(sequence),
    applied: Number(applied),
    setAside: Number(setAside),
    waiting: Number(waiting),
    rejected: Number(rejected),
    undone: Number(undone),
    lagSeconds: numberOf(lagSeconds),
  };
};
