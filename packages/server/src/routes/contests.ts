// Routes of contests.
import { getContest, getContestSubmission, listContestSubmissions, listContests } from '@commonhall/contract/contests';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { findContest, findContestSubmission, readContestSubmissions, readContests } from '../queries/contests.ts';

export const contestRoutes = (app: FastifyInstance): void => {
  route(app, listContests, async ({ db, query }) => readContests(db, query));

  route(app, getContest, async ({ db, params }) => (await findContest(db, params.idOrSlug)) ?? notFound('Contest'));

  route(
    app,
    listContestSubmissions,
    async ({ db, params, query }) => (await readContestSubmissions(db, params.contestId, query)) ?? notFound('Contest'),
  );

  route(
    app,
    getContestSubmission,
    async ({ db, params }) =>
      (await findContestSubmission(db, params.contestId, params.submissionId)) ?? notFound('Contest submission'),
  );
};
