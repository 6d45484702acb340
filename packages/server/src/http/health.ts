// Outside the twenty, at the root whatever BASE_PATH says: /healthz, /readyz, /openapi.json.
import { openApiDocument } from '@commonhall/contract/openapi';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../db/pool.ts';
import { unavailable } from './errors.ts';
import { jsonType } from './headers.ts';
import { parseQuery } from './query.ts';
import { sendBody } from './route.ts';

export interface Health {
  /** A reason not to send requests here, or null. */
  problem: (db: Db) => Promise<string | null>;
  stopping: () => boolean;
}

/** A verdict holds so long, whoever asks: these questions are not limited, and must not become a load. */
const verdictMs = 1000;

const ok = (data: object): string => JSON.stringify({ success: true, data });

export const healthRoutes = (app: FastifyInstance, { problem, stopping }: Health): void => {
  const { config, database } = app.services;

  // Alive: the process answers. No look at the database: restarting this process would not mend that.
  app.get('/healthz', { config: { operation: 'healthz' } }, async (request, reply) => {
    parseQuery({}, request.url);
    return reply.header('content-type', jsonType).send(ok({ status: 'alive' }));
  });

  let last: { at: number; reason: Promise<string | null> } = { at: -verdictMs, reason: Promise.resolve(null) };
  const reasonNow = (db: Db): Promise<string | null> => {
    const { at, reason } = last;
    if (performance.now() - at < verdictMs) return reason;
    // A server with too much to do is still the right one to send requests to: without it the others have more.
    const asBefore = (error: { isOverload?: unknown }) => (error.isOverload === true ? reason : Promise.reject(error));
    last = { at: performance.now(), reason: problem(db).catch(asBefore) };
    return last.reason;
  };
  app.get('/readyz', { config: { operation: 'readyz' } }, async (request, reply) => {
    parseQuery({}, request.url);
    if (stopping()) throw unavailable('The server is stopping');
    const reason = await reasonNow(database.withTiming(request.timing));
    if (reason !== null) throw unavailable(reason);
    return reply.header('content-type', jsonType).send(ok({ status: 'ready' }));
  });

  const document = Buffer.from(JSON.stringify(openApiDocument(config.PUBLIC_URL + config.BASE_PATH)));
  app.get('/openapi.json', { config: { operation: 'openapi' } }, async (request, reply) => {
    parseQuery({}, request.url);
    reply.header('cache-control', `public, max-age=${config.MAX_AGE_SECONDS}`);
    return sendBody(request, reply, document);
  });
};
