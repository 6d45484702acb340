// Routes of badge collections.
import { getCollection, listCollectionHolders, listCollections } from '@commonhall/contract/collections';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { findCollection, readCollections, readHolders } from '../queries/collections.ts';

export const collectionRoutes = (app: FastifyInstance): void => {
  route(app, listCollections, async ({ db, query }) => readCollections(db, query));

  route(
    app,
    getCollection,
    async ({ db, params }) => (await findCollection(db, params.address)) ?? notFound('Collection'),
  );

  route(
    app,
    listCollectionHolders,
    async ({ db, params, query }) => (await readHolders(db, params.address, query)) ?? notFound('Collection'),
  );
};
