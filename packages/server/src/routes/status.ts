// /status: how old the data is. At the root whatever BASE_PATH is, and not an operation of the contract.
import { statusPath } from '@commonhall/contract/status';
import { version } from '@commonhall/contract/version';
import type { FastifyInstance } from 'fastify';
import { cacheControl } from '../http/cache.ts';
import { freshBody } from '../http/encoding.ts';
import { parseQuery } from '../http/query.ts';
import { dbOf, getRoute, sendBody } from '../http/route.ts';
import { findFreshness } from '../queries/feed.ts';

/** Long enough to be cheap, short enough to be accurate. */
const freshSeconds = 1;

export const statusRoutes = (app: FastifyInstance): void => {
  getRoute(app, statusPath, { operation: 'getStatus', needsDatabase: true }, async (request, reply) => {
    parseQuery({}, request.url);
    const { asOf, lagSeconds } = await findFreshness(dbOf(app, request, true));
    const lostAt = app.services.database.primaryLostAt();
    const primaryUnreachableSince = lostAt === null ? null : new Date(lostAt).toISOString();
    reply.header('cache-control', cacheControl('public', false, freshSeconds, null));
    const data = { version, asOf, lagSeconds, primaryUnreachableSince };
    const body = Buffer.from(JSON.stringify({ success: true, data }));
    return sendBody(request, reply, freshBody(body, app.services.config.COMPRESS_FROM_BYTES));
  });
};
