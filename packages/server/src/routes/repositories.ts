// Routes of the repository catalogue.
import { listRepositories } from '@commonhall/contract/repositories';
import type { FastifyInstance } from 'fastify';
import { route } from '../http/route.ts';
import { readRepositories } from '../queries/repositories.ts';

export const repositoryRoutes = (app: FastifyInstance): void => {
  route(app, listRepositories, async ({ db, query }) => readRepositories(db, query));
};
