// Every paged list, declared once. From a declaration generator.ts generates totals, counted blocks, indexes, triggers and
// checks, which `commonhall migrate` installs, and pages.ts reads pages.

/** A column that rows are ordered by, and its type. */
export interface Key {
  column: string;
  type: 'timestamptz' | 'text' | 'bigint';
  /** The column has an infinite value where the order shows null, which is then last. */
  isNullLast?: true;
}
/** A list with more combinations of filter values than this does not count its blocks by facet. */
export const mostFacets = 2000;
/** An SQL literal that sorts before every other value of its type. */
export const lowest = { timestamptz: "'-infinity'", text: "''", bigint: '-9223372036854775808' };
export interface List {
  name: string;
  table: string;
  /** The text column, never null, that divides the rows into one list per value; null: all rows are one list. */
  parent: string | null;
  /** A boolean column: whether a row belongs to the list; null: every row does. */
  counted: string | null;
  /** The filter columns, and SQL for the number of their combination with a row prefix like `r.`; null: no filters. */
  facets: { columns: readonly string[]; number: (row: string) => string } | null;
  /** The column of each sort order, never null. A list without orders has only a total. */
  sorts: Readonly<Record<string, Key>>;
  /** The tie-breaker of every order, of type text: together with the parent it identifies a row. */
  id: readonly string[];
  /** Included columns of an order's index, so that it alone answers filters and searches; filter columns are added. */
  carried: readonly string[];
  /** Rows per block, and blocks per group. A list gets blocks above twice this number of rows, and loses them at it. */
  size: number;
  fan: number;
}

/** Whether the table has an index of the facet. Lists with a parent need none: they are short, or have few combinations of
 * filter values in each block. */
export const hasFacetIndex = ({ parent, facets }: List): boolean => parent === null && facets !== null;

/** The number of the combination is stored in the column `facet`, which is cheaper than computing it. */
const stored = (row: string): string => `${row}facet`;
/** Filters by these columns; the number of their combination is computed. */
const by = (...columns: string[]) => ({
  columns,
  number: (row: string) => `facet_of(${columns.map((column) => row + column).join(', ')})`,
});

/** Every declared list, in the order of this file. */
export const lists: List[] = [];
const list = (name: string, table: string, parent: string | null, parts: Partial<List>): List => {
  const usual = { counted: null, facets: null, sorts: {}, id: ['id'], size: 256, fan: 96 };
  const { facets = null, carried = [] } = parts;
  const filters = facets === null ? [] : facets.number === stored ? ['facet'] : facets.columns;
  const made = { name, table, parent, ...usual, ...parts, carried: [...new Set([...filters, ...carried])] };
  lists.push(made);
  return made;
};
const instant = (column: string): Key => ({ column, type: 'timestamptz' });
const nullLast = (column: string): Key => ({ ...instant(column), isNullLast: true });
const text = (column: string): Key => ({ column, type: 'text' });
/** Catalogues have thousands of combinations of filter values per block: in small blocks nearly one for each row. */
const largeBlocks = { size: 4096, fan: 32 };

export const agents = list('agents', 'agents', null, {
  counted: 'is_public',
  facets: { columns: ['category'], number: stored },
  sorts: { created: instant('created_at'), name: text('name') },
  carried: ['search_name'],
  ...largeBlocks,
});
/** The agents of a user. */
export const userAgents = list('user_agents', 'agents', 'owner_id', {
  counted: 'is_public',
  sorts: { created: instant('created_at') },
});
export const sponsors = list('sponsors', 'sponsors', null, {
  sorts: { name: text('name') },
  carried: ['search_name'],
});
export const holders = list('holders', 'collection_holders', 'collection_address', {
  sorts: { acquired: instant('acquired_at') },
  id: ['user_id'],
});
/** The badges of a user: public collections that they hold. */
export const userBadges = list('user_badges', 'collection_holders', 'user_id', {
  counted: 'is_collection_public',
  sorts: { acquired: instant('acquired_at') },
  id: ['collection_address'],
});
/** How many there are of all users. */
export const holdings = list('holdings', 'collection_holders', null, {
  counted: 'is_collection_public',
  id: ['collection_address', 'user_id'],
});
export const timeline = list('timeline', 'timeline_items', 'user_id', {
  counted: 'is_public',
  facets: by('type'),
  sorts: { date: instant('date') },
});
export const submissions = list('submissions', 'bounty_submissions', 'bounty_id', {
  sorts: { created: instant('created_at') },
});
export const publicSubmissions = list('public_submissions', 'bounty_submissions', 'bounty_id', {
  counted: 'is_public',
  sorts: { created: instant('created_at') },
});
/** The submissions of a user that all callers may see. */
export const userSubmissions = list('user_submissions', 'bounty_submissions', 'user_id', {
  counted: 'is_in_profile',
  sorts: { created: instant('created_at') },
});
const bountyFilters = { columns: ['status', 'category'], number: stored };
const bountyOrders = { published: instant('published_at'), end_up: nullLast('end_up'), end_down: nullLast('end_down') };
export const bounties = list('bounties', 'bounties', null, {
  counted: 'is_public',
  facets: bountyFilters,
  sorts: bountyOrders,
  carried: ['search_name'],
});
export const sponsorBounties = list('sponsor_bounties', 'bounties', 'sponsor_id', {
  counted: 'is_public',
  facets: bountyFilters,
  sorts: bountyOrders,
});
export const memberBounties = list('member_bounties', 'bounties', 'sponsor_id', {});
export const userLaunches = list('user_launches', 'launches', 'submitted_by_id', {
  counted: 'is_public',
  sorts: { published: instant('published_at') },
});
export const launches = list('launches', 'launches', null, {
  counted: 'is_public',
  sorts: { published: instant('published_at') },
});
export const weekLaunches = list('week_launches', 'launches', 'week', {
  counted: 'is_public',
  sorts: { rank: text('week_order') },
});
export const launchWeeks = list('weeks', 'lists.launch_weeks', null, { sorts: { week: text('week') }, id: [] });
export const topicLaunches = list('topic_launches', 'lists.launch_topics', 'topic_id', {
  sorts: { published: instant('published_at') },
});
export const topicWeekLaunches = list('topic_week_launches', 'lists.launch_topics', 'topic_week', {
  sorts: { rank: text('week_order') },
});
export const contests = list('contests', 'contests', null, {
  counted: 'is_public',
  sorts: { start: instant('submission_start'), voting_end: instant('voting_end') },
  carried: ['voting_end', 'search_name'],
});
export const contestSubmissions = list('contest_submissions', 'contest_submissions', 'contest_id', {
  counted: 'is_public',
  sorts: { created: instant('created_at') },
});
export const trackSubmissions = list('track_submissions', 'lists.submission_tracks', 'track', {
  sorts: { created: instant('created_at') },
});
export const collections = list('collections', 'collections', null, {
  counted: 'is_public',
  facets: { columns: ['type', 'importance', 'is_sbt', 'category', 'source'], number: stored },
  sorts: {
    name: text('name'),
    created: instant('created_at'),
    chain_up: nullLast('chain_up'),
    chain_down: nullLast('chain_down'),
  },
  id: ['address'],
  carried: ['search_name'],
  ...largeBlocks,
});
/** The same collections by their number of holders, which is stored in a narrow table of its own. */
export const sizedCollections = list('sized_collections', 'lists.collection_sizes', null, {
  counted: 'is_public',
  facets: { columns: [], number: stored },
  sorts: { holders: { column: 'holders', type: 'bigint' } },
  id: ['address'],
  ...largeBlocks,
});
export const repositories = list('repositories', 'repositories', null, {
  counted: 'is_public',
  facets: { columns: ['category', 'ecosystem', 'importance', 'platform', 'status'], number: stored },
  sorts: {
    created: instant('created_at'),
    updated: instant('updated_at'),
    name: text('name'),
    owner: text('owner'),
  },
  id: ['platform', 'platform_id'],
  carried: ['search_name'],
  ...largeBlocks,
});
export const supporters = list('supporters', 'contest_submission_supporters', 'submission_id', {});
