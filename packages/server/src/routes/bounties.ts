// Routes of bounties.
import {
  getBounty,
  listBountySubmissions,
  listBountyWinners,
  listMyBounties,
  listMyBountySubmissions,
} from '@commonhall/contract/bounties';
import type { FastifyInstance } from 'fastify';
import { failure, notFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import {
  findBounty,
  findBountyWinners,
  findMyBountySubmissions,
  readBountySubmissions,
  readMyBounties,
} from '../queries/bounties.ts';

export const bountyRoutes = (app: FastifyInstance): void => {
  route(app, getBounty, async ({ db, params }) => (await findBounty(db, params.slug)) ?? notFound('Bounty'));

  route(app, listBountySubmissions, async ({ db, params, query }) => {
    const page = (await readBountySubmissions(db, params.bountyId, query)) ?? notFound('Bounty');
    if (page === 'SUBMISSIONS_HIDDEN') throw failure(page, 'This bounty does not show its submissions now');
    return page;
  });

  route(
    app,
    listMyBountySubmissions,
    async ({ db, params, caller }) =>
      (await findMyBountySubmissions(db, params.bountyId, caller)) ?? notFound('Bounty'),
  );

  route(
    app,
    listBountyWinners,
    async ({ db, params }) => (await findBountyWinners(db, params.bountyId)) ?? notFound('Bounty'),
  );

  route(app, listMyBounties, async ({ db, query, caller }) => readMyBounties(db, caller, query));
};
