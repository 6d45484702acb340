// Routes of users: one user, the timeline and the score tiers.
import { getScoreTiers, getUser, getUserTimeline } from '@commonhall/contract/users';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { findScoreTiers, findUser, readTimeline } from '../queries/users.ts';

export const userRoutes = (app: FastifyInstance): void => {
  route(app, getUser, async ({ db, params }) => (await findUser(db, params.username)) ?? notFound('User'));

  route(
    app,
    getUserTimeline,
    async ({ db, params, query }) => (await readTimeline(db, params.username, query)) ?? notFound('User'),
  );

  route(app, getScoreTiers, async ({ db }) => findScoreTiers(db));
};
