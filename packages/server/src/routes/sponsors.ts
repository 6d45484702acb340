// Routes of sponsors, their bounties, and the submissions to these as members see them.
import {
  getSponsor,
  listSponsorBounties,
  listSponsorBountySubmissions,
  listSponsors,
} from '@commonhall/contract/sponsors';
import type { FastifyInstance } from 'fastify';
import { bountyIdNotFound, failure, notFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { findSponsor, readSponsorBounties, readSponsorBountySubmissions, readSponsors } from '../queries/sponsors.ts';

export const sponsorRoutes = (app: FastifyInstance): void => {
  route(app, listSponsors, async ({ db, query }) => readSponsors(db, query));

  route(app, getSponsor, async ({ db, params }) => (await findSponsor(db, params.idOrSlug)) ?? notFound('Sponsor'));

  route(
    app,
    listSponsorBounties,
    async ({ db, params, query }) => (await readSponsorBounties(db, params.sponsorId, query)) ?? notFound('Sponsor'),
  );

  route(app, listSponsorBountySubmissions, async ({ db, params, query, caller }) => {
    const page =
      (await readSponsorBountySubmissions(db, params.sponsorId, params.bountyId, caller, query)) ?? notFound('Sponsor');
    if (page === 'FORBIDDEN') throw failure(page, 'The role MEMBER or above in this sponsor is needed');
    return page === 'NOT_FOUND' ? bountyIdNotFound() : page;
  });
};
