// Paths beside the operations, at the root whatever BASE_PATH is: /healthz, /readyz, /openapi.json.
import { openApiDocument } from '@commonhall/contract/openapi';
import type { FastifyInstance } from 'fastify';
import { cacheControl } from './cache.ts';
import type { Body } from './encoding.ts';
import { cachedBody } from './encoding.ts';
import { unavailable } from './errors.ts';
import { jsonType } from './headers.ts';
import { parseQuery } from './query.ts';
import { getRoute, sendBody } from './route.ts';

const ok = (data: object): string => JSON.stringify({ success: true, data });

/** `problem` returns a reason not to send requests here, or null. It is cached, so that callers cannot cause load. */
export const healthRoutes = (app: FastifyInstance, problem: () => string | null): void => {
  const { config } = app.services;

  // Alive: the process answers. The database does not count: restarting this process would not repair it.
  getRoute(app, '/healthz', { operation: 'healthz', isFree: true }, async (request, reply) => {
    parseQuery({}, request.url);
    return reply.header('content-type', jsonType).send(ok({ status: 'alive' }));
  });

  getRoute(app, '/readyz', { operation: 'readyz', isFree: true }, async (request, reply) => {
    parseQuery({}, request.url);
    const reason = problem();
    if (reason !== null) throw unavailable(reason);
    return reply.header('content-type', jsonType).send(ok({ status: 'ready' }));
  });

  // Built once, when the address is known: hashing and compressing 250 kB for each request would invite overload.
  let document: Body | undefined;
  getRoute(app, '/openapi.json', { operation: 'openapi' }, async (request, reply) => {
    parseQuery({}, request.url);
    document ??= cachedBody(
      Buffer.from(
        JSON.stringify(openApiDocument(app.services.apiUrl(), undefined, app.services.config.COMMUNITY_NAME)),
      ),
      jsonType,
    );
    reply.header('cache-control', cacheControl('public', false, config.MAX_AGE_SECONDS, null));
    return sendBody(request, reply, document);
  });
};
