// The route of the search in all lists.
import { search } from '@commonhall/contract/search';
import type { FastifyInstance } from 'fastify';
import { route } from '../http/route.ts';
import { readSearch } from '../queries/search.ts';

export const searchRoutes = (app: FastifyInstance): void => {
  route(app, search, async ({ db, query, apiUrl }) => readSearch(db, query.q ?? '', apiUrl));
};
