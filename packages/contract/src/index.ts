// The package's main export: every operation, by resource. Servers and clients loop over these values.
import { agentOperations } from './agents.ts';
import { bountyOperations } from './bounties.ts';
import { collectionOperations } from './collections.ts';
import { contestOperations } from './contests.ts';
import { countOperations } from './counts.ts';
import { launchOperations } from './launches.ts';
import type { Operation } from './operation.ts';
import { repositoryOperations } from './repositories.ts';
import { searchOperations } from './search.ts';
import { sponsorOperations } from './sponsors.ts';
import type { OperationId } from './table.ts';
import { userOperations } from './users.ts';

export const operations = {
  ...agentOperations,
  ...bountyOperations,
  ...sponsorOperations,
  ...launchOperations,
  ...collectionOperations,
  ...contestOperations,
  ...userOperations,
  ...repositoryOperations,
  ...searchOperations,
  ...countOperations,
} satisfies Record<OperationId, Operation>;
export type Operations = typeof operations;
