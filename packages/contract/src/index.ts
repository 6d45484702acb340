// The package's surface: every operation in the specification's order, and what servers and clients build on.
import { getAgent, getAgentMetadata } from './agents.ts';
import {
  getBounty,
  listBountySubmissions,
  listBountyWinners,
  listMyBounties,
  listMyBountySubmissions,
} from './bounties.ts';
import { getCollection, listCollectionHolders, listCollections } from './collections.ts';
import { getContestSubmission, listContests } from './contests.ts';
import { getLaunch, listFeaturedLaunches, listUserLaunches } from './launches.ts';
import type { Operation } from './operation.ts';
import { listRepositories } from './repositories.ts';
import { listSponsorBounties, listSponsorBountySubmissions } from './sponsors.ts';
import type { OperationId } from './table.ts';
import { getScoreTiers, getUserTimeline } from './users.ts';

export const operations = {
  getAgent,
  getAgentMetadata,
  getBounty,
  listBountySubmissions,
  listMyBountySubmissions,
  listBountyWinners,
  listMyBounties,
  listSponsorBounties,
  listSponsorBountySubmissions,
  getLaunch,
  listFeaturedLaunches,
  listUserLaunches,
  listCollections,
  getCollection,
  listCollectionHolders,
  listContests,
  getContestSubmission,
  getUserTimeline,
  getScoreTiers,
  listRepositories,
} satisfies Record<OperationId, Operation>;
export type Operations = typeof operations;
