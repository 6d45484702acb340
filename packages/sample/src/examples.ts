// The example requests: one for each operation, with the key it needs.
import { cast, demoKeys } from './cast.ts';

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
