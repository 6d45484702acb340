// Whether a record would be public by its own columns (gap G11): the same as is_public in the database, except for
// takedowns. A test compares the two.
import { activeStates, isActive } from '@commonhall/contract/shared';

/** A row in one of these states is public unless its visibility says otherwise. Case matters, except for users. Any
 * other state is private. */
export const publicStates = {
  users: activeStates,
  agents: ['PUBLISHED'],
  bounties: ['OPEN', 'REVIEW', 'COMPLETED'],
  bounty_submissions: ['PENDING', 'APPROVED', 'WINNER'],
  launches: ['LIVE'],
  contests: ['OPEN', 'VOTING', 'COMPLETED'],
  contest_submissions: ['APPROVED', 'WINNER'],
} as const;

/** Whether `visibility` can show a row in another state (spec 3.1). */
export const visibilityShows = (table: string): boolean => table !== 'contest_submissions';

/** A record whose state is missing, of a wrong type or unknown is not shown. */
export const isShown = (table: string, record: Readonly<Record<string, unknown>>): boolean => {
  const { status, source, published_at: publishedAt } = record;
  const visibility = record.visibility ?? null;
  if (table === 'users') return typeof status === 'string' && isActive(status);
  // spec 3.2, the only deny-list: internal and DRAFT is never shown. A missing status is not DRAFT.
  if (table === 'collections') {
    const isDraft = typeof (status ?? '') !== 'string' || /^draft$/i.test(String(status));
    return (
      (source === 'external' || (source === 'internal' && !isDraft)) && [null, 'public'].includes(visibility as null)
    );
  }
  const states = (publicStates as Record<string, readonly string[]>)[table];
  if (states === undefined) return true; // no state of its own
  const isPublicState = typeof status === 'string' && states.includes(status);
  if (!visibilityShows(table) && !isPublicState) return false;
  if (table === 'launches' && typeof publishedAt !== 'string') return false; // spec 3.3
  return visibility === 'public' || (visibility === null && isPublicState);
};
