// Routes read through a sponsor.
import { listSponsorBounties, listSponsorBountySubmissions } from '@commonhall/contract/sponsors';
import type { FastifyInstance } from 'fastify';
import { failure, notFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { readSponsorBounties, readSponsorBountySubmissions } from '../queries/sponsors.ts';

export const sponsorRoutes = (app: FastifyInstance): void => {
  route(
    app,
    listSponsorBounties,
    async ({ db, params, query }) => (await readSponsorBounties(db, params.sponsorId, query)) ?? notFound('Sponsor'),
  );

  route(app, listSponsorBountySubmissions, async ({ db, params, query, caller }) => {
    const page =
      (await readSponsorBountySubmissions(db, params.sponsorId, params.bountyId, caller, query)) ?? notFound('Sponsor');
    if (page === 'FORBIDDEN') throw failure(page, 'The role MEMBER or above in this sponsor is needed');
    return page === 'NOT_FOUND' ? notFound('Bounty') : page;
  });
};
