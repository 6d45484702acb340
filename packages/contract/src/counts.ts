// Counts beside the lists: how many rows a list has under its filters and range, in groups by the values of a filter or by
// day, week, month or year.

import type { Static } from 'typebox';
import { Type } from 'typebox';
import { listAgents } from './agents.ts';
import { listBounties } from './bounties.ts';
import { listCollections } from './collections.ts';
import { listContests } from './contests.ts';
import { listLaunches } from './launches.ts';
import { operation } from './operation.ts';
import { listRepositories } from './repositories.ts';
import { Count, optional, orNull, pathValue, range, record, resource, says } from './shared.ts';
import { getUserTimeline } from './users.ts';

/** The most values and the most buckets of a group. */
export const mostValues = 1000;
export const mostBuckets = 3700;
const number = (value: number): string => value.toLocaleString('en');

const value = says(
  orNull(Type.String()),
  'A value as the filter takes it, null for rows that have none; or a bucket: 2026-01-05, 2026-W02, 2026-01 or 2026, in UTC.',
);
const Part = record({ value, count: says(Count, 'How many rows have it.') }, 'A value and its number of rows.');
const CountedValue = resource(
  'CountedValue',
  {
    value,
    count: says(Count, 'How many rows have it. Exact.'),
    split: optional(
      Type.Array(Part, {
        description: 'The rows of the bucket by the values of the parameter `split`, the most frequent first.',
      }),
    ),
  },
  'A value of a group and its number of rows.',
);
const CountGroup = resource(
  'CountGroup',
  {
    by: Type.String({ description: 'The name of the group, as it was asked for.' }),
    values: Type.Array(CountedValue, {
      maxItems: mostBuckets,
      description: 'The values by count and then by name; buckets in the order of time, without gaps.',
    }),
  },
  'One of the groups that were asked for.',
);
export const Counts = resource(
  'Counts',
  {
    total: says(Count, 'How many rows the list has under all filters, in the range. Exact.'),
    groups: Type.Array(CountGroup, { description: 'The groups of the parameter `by`, in its order.' }),
  },
  'A total and its groups, of one snapshot.',
);
export type Counts = Static<typeof Counts>;

const many = (what: string) => says(Count, `How many ${what} there are.`);
export const CommunityCounts = resource(
  'CommunityCounts',
  {
    agents: many('public agents'),
    sponsors: many('sponsors'),
    bounties: many('public bounties'),
    bountiesByStatus: Type.Array(Part, { description: 'The public bounties by status, the most frequent first.' }),
    launches: many('public launches'),
    launchWeeks: many('launch weeks'),
    contests: many('public contests'),
    collections: many('public collections'),
    holdings: says(Count, 'The holders of all public collections in sum: a user counts once for each collection.'),
    repositories: many('repositories'),
  },
  'The numbers of the community, of one snapshot.',
);
export type CommunityCounts = Static<typeof CommunityCounts>;

/** The buckets of time. */
const units = ['day', 'week', 'month', 'year'] as const;

/** The groups of a list: `names` are its filters. */
const groups = (names: readonly string[]) => {
  const all = [...names, ...units];
  const any = `(${all.join('|')})`;
  return {
    by: Type.Unsafe<string>({
      type: 'string',
      pattern: `^${any}(,${any})*$`,
      'x-names': all,
      'x-units': [...units],
      description: `The groups to count, separated by commas: ${all.join(', ')}. At most one of them is a bucket of time. A group counts under all filters but its own.`,
    }),
  };
};
const splits = <const N extends string>(names: readonly N[]) => ({
  split: Type.Unsafe<N>(
    Type.Enum([...names] as string[], {
      'x-needs-unit': [...units],
      description: 'Also counts each bucket of time by the values of this filter.',
    }),
  ),
});

const texts = (what: string, key: string) => ({
  tag: 'Counts',
  summary: `How many ${what} there are, in groups`,
  description: `The filters of the list, and \`from\` and \`to\` for \`${key}\`. The total obeys all of them. Weeks begin on Monday, and all buckets are in UTC. A group has at most ${number(mostValues)} values, and ${number(mostBuckets)} buckets; more is 400.`,
  isAddition: true as const,
  cache: 'public' as const,
  data: Counts,
  failures: [],
});

export const getCounts = operation('getCounts', {
  tag: 'Counts',
  summary: 'The numbers of the community in one answer',
  description: 'How many public rows of each kind there are. Each number is the total of its list.',
  isAddition: true,
  cache: 'public',
  params: {},
  query: {},
  data: CommunityCounts,
  failures: [],
  example: {},
});

const { category: agentCategory } = listAgents.query;
export const countAgents = operation('countAgents', {
  ...texts('public agents', 'createdAt'),
  params: {},
  query: { category: agentCategory, ...range('createdAt'), ...groups(['category']), ...splits(['category']) },
  example: { by: 'category' },
});

const { sponsorId, status: bountyStatus, category: bountyCategory } = listBounties.query;
export const countBounties = operation('countBounties', {
  ...texts('public bounties', 'publishedAt'),
  params: {},
  query: {
    sponsorId,
    status: bountyStatus,
    category: bountyCategory,
    ...range('publishedAt'),
    ...groups(['sponsorId', 'status', 'category']),
    ...splits(['status', 'category']),
  },
  example: { by: 'status,category' },
});

const { launchWeek, topic } = listLaunches.query;
export const countLaunches = operation('countLaunches', {
  ...texts('public launches', 'publishedAt'),
  params: {},
  query: { launchWeek, topic, ...range('publishedAt', { not: 'launchWeek' }), ...groups(['launchWeek', 'topic']) },
  example: { by: 'topic' },
});

const { type: collectionType, importance, isSbt, category: collectionCategory, source } = listCollections.query;
const collectionFilters = ['type', 'importance', 'isSbt', 'category', 'source'] as const;
export const countCollections = operation('countCollections', {
  ...texts('public collections', 'createdAt'),
  params: {},
  query: {
    type: collectionType,
    importance,
    isSbt,
    category: collectionCategory,
    source,
    ...range('createdAt'),
    ...groups(collectionFilters),
    ...splits(collectionFilters),
  },
  example: { by: 'type,isSbt' },
});

const { displayStatus } = listContests.query;
export const countContests = operation('countContests', {
  ...texts('public contests', 'submissionStart'),
  params: {},
  query: { displayStatus, ...range('submissionStart'), ...groups(['displayStatus']) },
  example: { by: 'displayStatus' },
});

const { category, ecosystem, importance: repositoryImportance, platform, status } = listRepositories.query;
const repositoryFilters = ['category', 'ecosystem', 'importance', 'platform', 'status'] as const;
export const countRepositories = operation('countRepositories', {
  ...texts('repositories', 'createdAt'),
  params: {},
  query: {
    category,
    ecosystem,
    importance: repositoryImportance,
    platform,
    status,
    ...range('createdAt'),
    ...groups(repositoryFilters),
    ...splits(repositoryFilters),
  },
  example: { by: 'category,status' },
});

export const countUserTimeline = operation('countUserTimeline', {
  ...texts('items the timeline of a user has', 'date'),
  summary: "How many items a user's timeline has, in groups",
  params: { username: pathValue('The username of the user whose activity is counted. Case-sensitive.') },
  query: { type: getUserTimeline.query.type, ...range('date'), ...groups(['type']), ...splits(['type']) },
  example: { username: 'ada', by: 'month', split: 'type' },
});

export const countOperations = {
  getCounts,
  countAgents,
  countBounties,
  countLaunches,
  countCollections,
  countContests,
  countRepositories,
  countUserTimeline,
};
