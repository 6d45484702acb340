// Routes of bounties.
import {
  getBounty,
  listBounties,
  listBountySubmissions,
  listBountyWinners,
  listMyBounties,
  listMyBountySubmissions,
} from '@commonhall/contract/bounties';
import type { FastifyInstance } from 'fastify';
import { bountyIdNotFound, failure, notFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import {
  findBounty,
  findBountyWinners,
  findMyBountySubmissions,
  readBounties,
  readBountySubmissions,
  readMyBounties,
} from '../queries/bounties.ts';

export const bountyRoutes = (app: FastifyInstance): void => {
  route(app, listBounties, async ({ db, query }) => readBounties(db, query));

  route(app, getBounty, async ({ db, params }) => (await findBounty(db, params.slug)) ?? notFound('Bounty'));

  route(app, listBountySubmissions, async ({ db, params, query }) => {
    const page = (await readBountySubmissions(db, params.bountyId, query)) ?? bountyIdNotFound();
    if (page === 'SUBMISSIONS_HIDDEN') throw failure(page, 'This bounty does not show its submissions now');
    return page;
  });

  route(
    app,
    listMyBountySubmissions,
    async ({ db, params, caller }) =>
      (await findMyBountySubmissions(db, params.bountyId, caller)) ?? bountyIdNotFound(),
  );

  route(
    app,
    listBountyWinners,
    async ({ db, params }) => (await findBountyWinners(db, params.bountyId)) ?? bountyIdNotFound(),
  );

  route(app, listMyBounties, async ({ db, query, caller }) => readMyBounties(db, caller, query));
};
