// Routes of contests.
import { getContestSubmission, listContests } from '@commonhall/contract/contests';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { findContestSubmission, readContests } from '../queries/contests.ts';

export const contestRoutes = (app: FastifyInstance): void => {
  route(app, listContests, async ({ db, query }) => readContests(db, query));

  route(
    app,
    getContestSubmission,
    async ({ db, params }) =>
      (await findContestSubmission(db, params.contestId, params.submissionId)) ?? notFound('Contest submission'),
  );
};
