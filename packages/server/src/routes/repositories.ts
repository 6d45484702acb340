// Routes of the repository catalogue.
import { getRepository, listRepositories } from '@commonhall/contract/repositories';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { findRepository, readRepositories } from '../queries/repositories.ts';

export const repositoryRoutes = (app: FastifyInstance): void => {
  route(app, listRepositories, async ({ db, query }) => readRepositories(db, query));

  route(
    app,
    getRepository,
    async ({ db, params }) => (await findRepository(db, params.platform, params.platformId)) ?? notFound('Repository'),
  );
};
