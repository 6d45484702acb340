// Every operation's calls and rows of the access table.
import type { OperationId } from '@commonhall/contract/table';
import type { Access } from '../../../../test/helpers/access.ts';
import { agentAccess } from './agents.ts';
import { bountyAccess } from './bounties.ts';
import { collectionAccess } from './collections.ts';
import { contestAccess } from './contests.ts';
import { countAccess } from './counts.ts';
import { launchAccess } from './launches.ts';
import { repositoryAccess } from './repositories.ts';
import { searchAccess } from './search.ts';
import { sponsorAccess } from './sponsors.ts';
import { userAccess } from './users.ts';

export const access: Record<OperationId, Access> = {
  ...agentAccess,
  ...bountyAccess,
  ...collectionAccess,
  ...contestAccess,
  ...launchAccess,
  ...repositoryAccess,
  ...sponsorAccess,
  ...userAccess,
  ...searchAccess,
  ...countAccess,
};
