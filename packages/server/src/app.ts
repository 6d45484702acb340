// Builds the HTTP app from config, database and log: server limits, hooks, the error handler, all routes.
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { METHODS } from 'node:http';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fastify } from 'fastify';
import type { Config } from './config.ts';
import type { Databases } from './db/replicas.ts';
import { enter, refuse, settle } from './http/admission.ts';
import type { Credentials } from './http/auth.ts';
import type { Refused } from './http/early-failures.ts';
import { earlyFailure, frameworkFailure, maxUrlBytes, onClientError, writeFailure } from './http/early-failures.ts';
import type { ApiFailure } from './http/errors.ts';
import { asFailure, failureBody, noSuchRoute, unavailable } from './http/errors.ts';
import { commonHeaders, jsonType, preflightHeaders } from './http/headers.ts';
import { healthRoutes } from './http/health.ts';
import { incomingFacts, traceOf } from './http/incoming.ts';
import type { Limits } from './http/limits.ts';
import { originOf } from './http/links.ts';
import { mcpRoutes } from './http/mcp.ts';
import type { Metrics, RequestFacts } from './http/metrics.ts';
import { makeServer } from './http/server.ts';
import { openSlowReaders } from './http/slow-readers.ts';
import type { Log } from './log.ts';
import { findCallerById, findCallerByKey } from './queries/users.ts';
import { agentRoutes } from './routes/agents.ts';
import { bountyRoutes } from './routes/bounties.ts';
import { collectionRoutes } from './routes/collections.ts';
import { contestRoutes } from './routes/contests.ts';
import { launchRoutes } from './routes/launches.ts';
import { repositoryRoutes } from './routes/repositories.ts';
import { sponsorRoutes } from './routes/sponsors.ts';
import { statusRoutes } from './routes/status.ts';
import { userRoutes } from './routes/users.ts';
import { docsRoutes } from './site/docs.ts';
import { homeRoutes } from './site/home.ts';
import { referenceRoutes } from './site/reference.ts';

export interface AppParts {
  config: Config;
  database: Databases;
  log: Log;
  metrics: Metrics;
  credentials: Credentials;
  limits: Limits;
  onKeyUsed: (keyId: string) => void;
  /** Why the server should not be sent requests, or null. */
  problem: () => string | null;
  /** True once a stop was requested: connections are closed after their response. */
  stopping: () => boolean;
}

/** Whether a request may be rejected under overload. A preflight is too cheap to reject. */
const needsDatabase = ({ method, routeOptions }: FastifyRequest): boolean =>
  method !== 'OPTIONS' && routeOptions.config?.needsDatabase === true;
/** Not rate limited, so logging them would let a caller fill the log. A change of readiness has its own line. */
const unlogged = ['healthz', 'readyz'];
const tooMuch = unavailable('The service is overloaded; try again', { isOverload: true });

export const buildApp = (parts: AppParts): FastifyInstance => {
  const { config, database, log, metrics, credentials, limits, onKeyUsed, problem, stopping } = parts;
  /** Writes one log line per request, and the same facts as metrics. Never a path: it may contain private names. */
  const record = (requestId: string, headers: IncomingHttpHeaders, facts: Partial<RequestFacts>) => {
    const all = { operation: 'none', status: 0, code: '', ms: 0, databaseMs: 0, waitingMs: 0, bytes: 0, ...facts };
    metrics.observe(all);
    if (!log.isLevelEnabled('info') || unlogged.includes(all.operation)) return;
    const round = (ms: number) => Math.round(ms * 1000) / 1000;
    const times = { ms: round(all.ms), databaseMs: round(all.databaseMs), waitingMs: round(all.waitingMs) };
    log.info({ requestId, ...incomingFacts(headers), ...all, ...times }, 'request');
  };

  /** Rejects a request that no hook sees. It still counts against the rate limit and is recorded. */
  const refused: Refused = async (address, failure, respond, headers = {}) => {
    const final = await refuse(limits, address ?? '', failure);
    const requestId = randomUUID();
    respond(final, requestId);
    record(requestId, headers, { status: final.status, code: final.code });
  };

  const slowReaders = openSlowReaders(
    {
      bytesPerSecond: config.SLOW_READER_BYTES_PER_SECOND,
      overMs: config.SLOW_READER_SECONDS * 1000,
      maxUnsentBytes: config.MAX_UNSENT_BYTES,
    },
    (closed) => {
      metrics.closed(closed.reason);
      log.warn(closed, 'connection closed');
    },
  );

  const app = fastify({
    logger: false, // `record` writes one line per request
    genReqId: () => randomUUID(), // always our own (gap G19)
    bodyLimit: 1024,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: true,
    trustProxy: config.TRUSTED_PROXIES.length > 0 && [...config.TRUSTED_PROXIES],
    routerOptions: { maxParamLength: maxUrlBytes + 1 }, // longer ones never get here; shorter ones have our own checks
    serverFactory: (handle) => makeServer(handle, slowReaders),
    clientErrorHandler: (error, socket) => onClientError(error, socket, refused),
    // Before routing: a malformed escape in the path.
    frameworkErrors: (_error, { ip, raw }, reply) => {
      const respond = (failure: ApiFailure, id: string) => writeFailure(reply.raw, failure, id);
      void refused(ip, frameworkFailure(raw), respond, raw.headers);
    },
    // RFC 9112: the request target may be an absolute URL; only its path is routed.
    rewriteUrl: ({ url = '/' }) => url.replace(/^https?:\/\/[^/?#]*/i, '') || '/',
  });
  // Every method that Node's parser knows must reach our hook, so that it gets a 405 in the envelope.
  for (const method of METHODS)
    if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method);
  app.removeAllContentTypeParsers();
  app.addHook('onClose', async () => slowReaders.stop());

  let origin = config.PUBLIC_URL;
  app.addHook('onListen', async () => {
    if (origin === '') origin = originOf(app.server.address());
  });
  const rootUrl = () => origin;
  const apiUrl = () => origin + config.BASE_PATH;
  app.decorate('services', {
    config,
    database,
    credentials,
    limits,
    onKeyUsed,
    slowReaders,
    rootUrl,
    apiUrl,
    findCallerByKey,
    findCallerById,
  });
  app.decorateRequest('timing');
  app.decorateRequest('admission', null);
  app.decorateRequest('failureCode', '');

  const isFull = ({ headers, routeOptions }: FastifyRequest): boolean =>
    routeOptions.config.readsTokens === true && headers.authorization !== undefined
      ? database.isFull()
      : database.isFullForPublic();
  // Hooks use callbacks: a promise for each of them would cost a tenth of a short response.
  app.addHook('onRequest', (request, reply, done) => {
    request.timing = { databaseMs: 0, waitingMs: 0 };
    reply.headers(commonHeaders(request.id));
    const { readsTokens = false, isFree = false } = request.routeOptions.config ?? {};
    if (readsTokens) reply.header('vary', 'Authorization');
    const policy = isFree ? undefined : limits.policy(readsTokens);
    if (policy !== undefined) reply.header('ratelimit-policy', policy);
    const next = (refusal: ApiFailure | undefined) => {
      const failure = refusal ?? earlyFailure(request.raw);
      // Before anything is read: rejecting a request under overload must be cheap.
      done(failure ?? (needsDatabase(request) && isFull(request) ? tooMuch : undefined));
    };
    if (isFree) next(undefined);
    else enter(limits, request, readsTokens, next);
  });

  // Checked at the end and not at the beginning: a request under way at the stop must not leave its connection open.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (stopping()) reply.header('connection', 'close');
    settle(limits, request, reply);
    done(null, payload);
  });

  app.addHook('onResponse', (request, reply, done) => {
    record(request.id, request.headers, {
      operation: request.routeOptions.config?.operation ?? 'none',
      status: reply.statusCode,
      code: request.failureCode,
      ms: reply.elapsedTime,
      ...request.timing,
      bytes: request.method === 'HEAD' ? 0 : Number(reply.getHeader('content-length') ?? 0),
    });
    done();
  });

  app.setErrorHandler((error, request, reply) => {
    const failure = asFailure(error);
    request.failureCode = failure.code;
    // A fault is logged once, here, where operation and request are known. A request rejected under overload
    // already has its request line.
    const isOverload = (failure.cause as { isOverload?: unknown } | undefined)?.isOverload === true;
    const operation = request.routeOptions.config?.operation ?? 'none';
    if (failure.status >= 500 && !isOverload && !unlogged.includes(operation)) {
      const facts = { requestId: request.id, ...traceOf(request.headers), operation };
      log.error({ ...facts, err: failure.cause ?? failure }, 'failure');
    }
    return reply
      .code(failure.status)
      .headers({ ...failure.headers, 'cache-control': 'no-store', 'content-type': jsonType })
      .send(failureBody(failure));
  });
  app.setNotFoundHandler(() => {
    throw noSuchRoute();
  });

  // When the event loop lags, requests that need the database get 503 at once. Health checks are always answered.
  app.register(underPressure, {
    maxEventLoopDelay: config.MAX_EVENT_LOOP_DELAY_MS,
    sampleInterval: 500, // long enough that a single pause is not overload
    pressureHandler: async (request) => {
      if (needsDatabase(request)) throw tooMuch;
    },
  });

  // Every GET route also gets an OPTIONS route, with no parameter check and no database access.
  app.addHook('onRoute', ({ method, url, config: routeConfig }) => {
    if (method !== 'GET') return;
    app.options(url, { config: routeConfig ?? {} }, async (_request, reply) =>
      reply.code(204).headers(preflightHeaders).send(),
    );
  });

  healthRoutes(app, problem);
  agentRoutes(app);
  bountyRoutes(app);
  sponsorRoutes(app);
  launchRoutes(app);
  collectionRoutes(app);
  contestRoutes(app);
  userRoutes(app);
  repositoryRoutes(app);
  statusRoutes(app);
  mcpRoutes(app);
  homeRoutes(app);
  docsRoutes(app);
  referenceRoutes(app);
  return app;
};
