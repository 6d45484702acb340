// The cast: people and things with fixed names, in every scale and for every seed, so that the examples of the docs are
// real answers. They take the first numbers of their tables; the rest of the world is made around them.

export const cast = {
  users: ['ada', 'grace', 'alan', 'mallory', 'exile'],
  agent: 'librarian',
  sponsor: { id: 'sponsor-acme', slug: 'acme' },
  bounty: { id: 'bounty-guide', slug: 'write-the-guide' },
  launch: 'lighthouse',
  collection: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
  contest: 'contest-spring',
  entry: 'entry-lighthouse',
} as const;

/** API keys of the demo, the same on every machine: for trying, never for a real community. */
export const demoKeys = {
  stranger: { username: 'mallory', key: 'chk_test_0000000000000000000000000010HxBOr' },
  member: { username: 'grace', key: 'chk_test_0000000000000000000000000022lH6El' },
  god: { username: 'alan', key: 'chk_test_00000000000000000000000000348S7Ov' },
} as const;

/** What the demo's keys are hashed under. No secret. */
export const demoPepper = 'the pepper of the demo is no secret';

export interface Example {
  operation: string;
  path: string;
  token?: string;
}

/** One request for each operation that answers 200 in every demo world. */
export const examples: readonly Example[] = [
  { operation: 'getAgent', path: `/agents/${cast.agent}` },
  { operation: 'getAgentMetadata', path: `/agents/${cast.agent}/metadata` },
  { operation: 'getBounty', path: `/bounties/${cast.bounty.slug}` },
  { operation: 'listBountySubmissions', path: `/bounties/${cast.bounty.id}/submissions?pageSize=5` },
  {
    operation: 'listMyBountySubmissions',
    path: `/bounties/${cast.bounty.id}/submissions/me`,
    token: demoKeys.stranger.key,
  },
  { operation: 'listBountyWinners', path: `/bounties/${cast.bounty.id}/winners` },
  { operation: 'listMyBounties', path: '/bounties/me', token: demoKeys.god.key },
  { operation: 'listSponsorBounties', path: `/sponsors/${cast.sponsor.id}/bounties` },
  {
    operation: 'listSponsorBountySubmissions',
    path: `/sponsors/${cast.sponsor.id}/bounties/${cast.bounty.id}/submissions`,
    token: demoKeys.member.key,
  },
  { operation: 'getLaunch', path: `/launches/${cast.launch}`, token: demoKeys.stranger.key },
  { operation: 'listFeaturedLaunches', path: '/launches/featured' },
  { operation: 'listUserLaunches', path: '/launches/user/ada' },
  { operation: 'listCollections', path: '/collections?sortBy=holdersCount&pageSize=5' },
  { operation: 'getCollection', path: `/collections/${cast.collection}` },
  { operation: 'listCollectionHolders', path: `/collections/${cast.collection}/holders?page=3` },
  { operation: 'listContests', path: '/contests?displayStatus=active' },
  { operation: 'getContestSubmission', path: `/contests/${cast.contest}/submissions/${cast.entry}` },
  { operation: 'getUserTimeline', path: '/users/ada/timeline?type=BADGE_RECEIVED&count=5' },
  { operation: 'getScoreTiers', path: '/users/scores/tiers' },
  { operation: 'listRepositories', path: '/repositories?q=lighthouse' },
];
