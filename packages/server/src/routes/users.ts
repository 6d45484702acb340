// Routes of users: the timeline and the score tiers.
import { getScoreTiers, getUserTimeline } from '@commonhall/contract/users';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { findScoreTiers, readTimeline } from '../queries/users.ts';

export const userRoutes = (app: FastifyInstance): void => {
  route(
    app,
    getUserTimeline,
    async ({ db, params, query }) => (await readTimeline(db, params.username, query)) ?? notFound('User'),
  );

  route(app, getScoreTiers, async ({ db }) => findScoreTiers(db));
};
