// Routes of launches.
import {
  getLaunch,
  listFeaturedLaunches,
  listLaunches,
  listLaunchWeeks,
  listUserLaunches,
} from '@commonhall/contract/launches';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import {
  findFeaturedLaunches,
  findLaunch,
  readLaunches,
  readLaunchWeeks,
  readUserLaunches,
} from '../queries/launches.ts';

export const launchRoutes = (app: FastifyInstance): void => {
  route(app, listLaunches, async ({ db, query }) => readLaunches(db, query));

  route(app, listLaunchWeeks, async ({ db, query }) => readLaunchWeeks(db, query));

  route(
    app,
    getLaunch,
    async ({ db, params, caller }) => (await findLaunch(db, params.slug, caller)) ?? notFound('Launch'),
  );

  route(app, listFeaturedLaunches, async ({ db }) => findFeaturedLaunches(db));

  route(
    app,
    listUserLaunches,
    async ({ db, params, query }) => (await readUserLaunches(db, params.username, query)) ?? notFound('User'),
  );
};
