// The operations as plain data: id, path, query parameters, credential, kind of result. Imports nothing, so that the
// client can contain it. Schemas, texts, examples and failures are in the files of the resources.

export const table = {
  listAgents: {
    path: '/agents',
    query: ['page', 'pageSize', 'q', 'category', 'sortBy', 'sortOrder', 'from', 'to'],
    auth: 'none',
    answer: 'page',
  },
  getAgent: { path: '/agents/{name}', query: [], auth: 'none', answer: 'one' },
  getAgentMetadata: { path: '/agents/{name}/metadata', query: [], auth: 'none', answer: 'one' },
  listBounties: {
    path: '/bounties',
    query: ['page', 'pageSize', 'q', 'sponsorId', 'status', 'category', 'sortBy', 'sortOrder', 'from', 'to'],
    auth: 'none',
    answer: 'page',
  },
  getBounty: { path: '/bounties/{slug}', query: [], auth: 'none', answer: 'one' },
  listBountySubmissions: {
    path: '/bounties/{bountyId}/submissions',
    query: ['page', 'pageSize', 'from', 'to'],
    auth: 'none',
    answer: 'page',
  },
  listMyBountySubmissions: {
    path: '/bounties/{bountyId}/submissions/me',
    query: [],
    auth: 'required',
    answer: 'array',
  },
  listBountyWinners: { path: '/bounties/{bountyId}/winners', query: [], auth: 'none', answer: 'array' },
  listMyBounties: { path: '/bounties/me', query: ['page', 'pageSize'], auth: 'required', answer: 'page' },
  listSponsors: { path: '/sponsors', query: ['page', 'pageSize', 'q'], auth: 'none', answer: 'page' },
  getSponsor: { path: '/sponsors/{idOrSlug}', query: [], auth: 'none', answer: 'one' },
  listSponsorBounties: {
    path: '/sponsors/{sponsorId}/bounties',
    query: ['page', 'pageSize', 'from', 'to'],
    auth: 'none',
    answer: 'page',
  },
  listSponsorBountySubmissions: {
    path: '/sponsors/{sponsorId}/bounties/{bountyId}/submissions',
    query: ['page', 'pageSize'],
    auth: 'required',
    answer: 'page',
  },
  listLaunches: {
    path: '/launches',
    query: ['page', 'pageSize', 'q', 'launchWeek', 'topic', 'from', 'to'],
    auth: 'none',
    answer: 'page',
  },
  getLaunch: { path: '/launches/{slug}', query: [], auth: 'optional', answer: 'one' },
  listFeaturedLaunches: { path: '/launches/featured', query: [], auth: 'none', answer: 'array' },
  listUserLaunches: {
    path: '/launches/user/{username}',
    query: ['page', 'pageSize', 'from', 'to'],
    auth: 'none',
    answer: 'page',
  },
  listLaunchWeeks: {
    path: '/launch-weeks',
    query: ['page', 'pageSize', 'sortOrder', 'from', 'to'],
    auth: 'none',
    answer: 'page',
  },
  listCollections: {
    path: '/collections',
    query: [
      'page',
      'pageSize',
      'q',
      'type',
      'importance',
      'isSbt',
      'category',
      'source',
      'sortBy',
      'sortOrder',
      'from',
      'to',
    ],
    auth: 'none',
    answer: 'page',
  },
  getCollection: { path: '/collections/{address}', query: [], auth: 'none', answer: 'one' },
  listCollectionHolders: {
    path: '/collections/{address}/holders',
    query: ['page', 'pageSize', 'from', 'to'],
    auth: 'none',
    answer: 'page',
  },
  listContests: {
    path: '/contests',
    query: ['page', 'pageSize', 'q', 'displayStatus', 'from', 'to'],
    auth: 'none',
    answer: 'page',
  },
  getContest: { path: '/contests/{idOrSlug}', query: [], auth: 'none', answer: 'one' },
  listContestSubmissions: {
    path: '/contests/{contestId}/submissions',
    query: ['page', 'pageSize', 'trackId', 'from', 'to'],
    auth: 'none',
    answer: 'page',
  },
  getContestSubmission: {
    path: '/contests/{contestId}/submissions/{submissionId}',
    query: [],
    auth: 'none',
    answer: 'one',
  },
  getUser: { path: '/users/{username}', query: [], auth: 'none', answer: 'one' },
  getUserTimeline: {
    path: '/users/{username}/timeline',
    query: ['offset', 'count', 'type', 'sortOrder', 'from', 'to'],
    auth: 'none',
    answer: 'slice',
  },
  listUserBadges: {
    path: '/users/{username}/badges',
    query: ['page', 'pageSize', 'from', 'to'],
    auth: 'none',
    answer: 'page',
  },
  listUserAgents: {
    path: '/users/{username}/agents',
    query: ['page', 'pageSize', 'from', 'to'],
    auth: 'none',
    answer: 'page',
  },
  listUserSubmissions: {
    path: '/users/{username}/submissions',
    query: ['page', 'pageSize', 'from', 'to'],
    auth: 'none',
    answer: 'page',
  },
  getScoreTiers: { path: '/users/scores/tiers', query: [], auth: 'none', answer: 'one' },
  listRepositories: {
    path: '/repositories',
    query: [
      'page',
      'pageSize',
      'q',
      'category',
      'ecosystem',
      'importance',
      'platform',
      'status',
      'sortBy',
      'sortOrder',
      'from',
      'to',
    ],
    auth: 'none',
    answer: 'page',
  },
  getRepository: { path: '/repositories/{platform}/{platformId}', query: [], auth: 'none', answer: 'one' },
  search: { path: '/search', query: ['q'], auth: 'none', answer: 'one' },
  getCounts: { path: '/counts', query: [], auth: 'none', answer: 'one' },
  countAgents: {
    path: '/counts/agents',
    query: ['category', 'from', 'to', 'by', 'split'],
    auth: 'none',
    answer: 'one',
  },
  countBounties: {
    path: '/counts/bounties',
    query: ['sponsorId', 'status', 'category', 'from', 'to', 'by', 'split'],
    auth: 'none',
    answer: 'one',
  },
  countLaunches: {
    path: '/counts/launches',
    query: ['launchWeek', 'topic', 'from', 'to', 'by'],
    auth: 'none',
    answer: 'one',
  },
  countCollections: {
    path: '/counts/collections',
    query: ['type', 'importance', 'isSbt', 'category', 'source', 'from', 'to', 'by', 'split'],
    auth: 'none',
    answer: 'one',
  },
  countContests: {
    path: '/counts/contests',
    query: ['displayStatus', 'from', 'to', 'by'],
    auth: 'none',
    answer: 'one',
  },
  countRepositories: {
    path: '/counts/repositories',
    query: ['category', 'ecosystem', 'importance', 'platform', 'status', 'from', 'to', 'by', 'split'],
    auth: 'none',
    answer: 'one',
  },
  countUserTimeline: {
    path: '/counts/users/{username}/timeline',
    query: ['type', 'from', 'to', 'by', 'split'],
    auth: 'none',
    answer: 'one',
  },
} as const satisfies Record<string, Row>;

interface Row {
  path: string;
  query: readonly string[];
  /** none: credentials are not read; optional: read if sent; required: 401 without one. The SQL query checks roles. */
  auth: 'none' | 'optional' | 'required';
  /** one: an object; array: a plain array; page: numbered pages; slice: offset and count. */
  answer: 'one' | 'array' | 'page' | 'slice';
}

export type OperationId = keyof typeof table;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
export type PathName<Id extends OperationId> = NamesIn<(typeof table)[Id]['path']>;
export type QueryName<Id extends OperationId> = (typeof table)[Id]['query'][number];
