// Routes of users: one user, the timeline, badges, agents and submissions, and the score tiers.
import {
  getScoreTiers,
  getUser,
  getUserTimeline,
  listUserAgents,
  listUserBadges,
  listUserSubmissions,
} from '@commonhall/contract/users';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { readUserAgents } from '../queries/agents.ts';
import { readUserSubmissions } from '../queries/bounties.ts';
import { readUserBadges } from '../queries/collections.ts';
import { findScoreTiers, findUser, readTimeline } from '../queries/users.ts';

export const userRoutes = (app: FastifyInstance): void => {
  route(app, getUser, async ({ db, params }) => (await findUser(db, params.username)) ?? notFound('User'));

  route(
    app,
    getUserTimeline,
    async ({ db, params, query }) => (await readTimeline(db, params.username, query)) ?? notFound('User'),
  );

  route(
    app,
    listUserBadges,
    async ({ db, params, query }) => (await readUserBadges(db, params.username, query)) ?? notFound('User'),
  );

  route(
    app,
    listUserAgents,
    async ({ db, params, query, apiUrl }) =>
      (await readUserAgents(db, params.username, query, apiUrl)) ?? notFound('User'),
  );

  route(
    app,
    listUserSubmissions,
    async ({ db, params, query }) => (await readUserSubmissions(db, params.username, query)) ?? notFound('User'),
  );

  route(app, getScoreTiers, async ({ db }) => findScoreTiers(db));
};
