// The pure arithmetic of rate limits (gap G8): what a request costs, and what a budget has left. limits.ts stores and
// shares the counts.
import { searchWords } from '@commonhall/contract/search-words';

export const windowMs = 60_000;
const searchUnits = 5;
/** A word without three letters or digits in a row is in no trigram index: such a search reads the whole catalogue. */
const shortWordUnits = 20;
const indexed = /[\p{L}\p{N}]{3}/u;
const msOfAUnit = 10;
/** A request of groups, before the time is known that it takes. */
export const groupUnits = 5;

/** The units of a request: one, more for a search, and one more for each 10 ms that the database worked for it. */
export const costOf = (q: string | undefined, databaseMs: number): number => {
  const words = searchWords(q ?? '');
  const search = words.some((word) => !indexed.test(word)) ? shortWordUnits : searchUnits;
  return (q === undefined ? 1 : search) + Math.floor(databaseMs / msOfAUnit);
};

/** What was used of a budget in the window that ends at `endsAt`. */
export interface Count {
  used: number;
  /** The part of `used` that is not reported to the shared counter yet. */
  owed: number;
  endsAt: number;
}

/** A count after some more units; after a window has ended a new one begins. */
export const spend = (count: Count | undefined, units: number, now: number): Count =>
  count === undefined || count.endsAt <= now
    ? { used: units, owed: units, endsAt: now + windowMs }
    : { used: count.used + units, owed: count.owed + units, endsAt: count.endsAt };

/** Clock skew and delays are less than this; a shared window that ends later by more is a new one. */
const slackMs = 2000;

/**
 * A count after the shared counter has answered. In the same window the larger of both is right: the shared one may
 * have lost what was counted while it was down, and this one does not know what other servers counted.
 */
export const reconcile = (count: Count, shared: { used: number; resetMs: number }, now: number): Count => {
  const endsAt = now + shared.resetMs;
  const used = shared.used + count.owed;
  return endsAt > count.endsAt + slackMs
    ? { ...count, used, endsAt }
    : { ...count, used: Math.max(count.used, used), endsAt };
};

/** What a budget has left, and for how long that holds. */
export interface Standing {
  isOver: boolean;
  remaining: number;
  resetMs: number;
}
export const standingOf = ({ used, endsAt }: Count, limit: number, now: number): Standing => ({
  isOver: used > limit,
  remaining: Math.max(0, limit - used),
  resetMs: Math.max(0, endsAt - now),
});
