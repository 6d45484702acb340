// Builds the HTTP app from config, database and log: limits of the server, hooks, the error renderer, all routes.
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
  /** A reason not to be sent requests, or null. */
  problem: () => string | null;
  /** True once a stop was asked for: connections are closed after their response. */
  stopping: () => boolean;
}

/** What may be refused under overload; a preflight is not worth refusing. */
const needsDatabase = ({ method, routeOptions }: FastifyRequest): boolean =>
  method !== 'OPTIONS' && routeOptions.config?.needsDatabase === true;
/** Free of charge, so that nobody may fill the log with them. A change of readiness has its own line. */
const unlogged = ['healthz', 'readyz'];
const tooMuch = unavailable('The service is overloaded; try again', { isOverload: true });

export const buildApp = (parts: AppParts): FastifyInstance => {
  const { config, database, log, metrics, credentials, limits, onKeyUsed, problem, stopping } = parts;
  /** One log line a request, and the same as metrics. Never a path: it may name what is private. */
  const record = (requestId: string, headers: IncomingHttpHeaders, facts: Partial<RequestFacts>) => {
    const all = { operation: 'none', status: 0, code: '', ms: 0, databaseMs: 0, waitingMs: 0, bytes: 0, ...facts };
    metrics.observe(all);
    if (!log.isLevelEnabled('info') || unlogged.includes(all.operation)) return;
    const round = (ms: number) => Math.round(ms * 1000) / 1000;
    const times = { ms: round(all.ms), databaseMs: round(all.databaseMs), waitingMs: round(all.waitingMs) };
    log.info({ requestId, ...incomingFacts(headers), ...all, ...times }, 'request');
  };

  /** A response that no hook sees: it is charged and recorded all the same. */
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
    logger: false, // one line a request, written by us below
    genReqId: () => randomUUID(), // always our own (gap G19)
    bodyLimit: 1024,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: true,
    trustProxy: config.TRUSTED_PROXIES.length > 0 && [...config.TRUSTED_PROXIES],
    routerOptions: { maxParamLength: maxUrlBytes + 1 }, // longer ones never get here; shorter ones are checked by us
    serverFactory: (handle) => makeServer(handle, slowReaders),
    clientErrorHandler: (error, socket) => onClientError(error, socket, refused),
    // Before routing: a malformed escape in the path.
    frameworkErrors: (_error, { ip, raw }, reply) => {
      const respond = (failure: ApiFailure, id: string) => writeFailure(reply.raw, failure, id);
      void refused(ip, frameworkFailure(raw), respond, raw.headers);
    },
    // RFC 9112: a request may name the whole URL; the path alone is what is routed.
    rewriteUrl: ({ url = '/' }) => url.replace(/^https?:\/\/[^/?#]*/i, '') || '/',
  });
  // Every method that Node's parser knows reaches our hook, so that each gets 405 in the envelope.
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
  // The hooks call back: a promise for each of them would cost a tenth of a short answer.
  app.addHook('onRequest', (request, reply, done) => {
    request.timing = { databaseMs: 0, waitingMs: 0 };
    reply.headers(commonHeaders(request.id));
    const { readsTokens = false, isFree = false } = request.routeOptions.config ?? {};
    if (readsTokens) reply.header('vary', 'Authorization');
    const policy = isFree ? undefined : limits.policy(readsTokens);
    if (policy !== undefined) reply.header('ratelimit-policy', policy);
    const next = (refusal: ApiFailure | undefined) => {
      const failure = refusal ?? earlyFailure(request.raw);
      // Before anything is read: a request that is refused under overload must cost little.
      done(failure ?? (needsDatabase(request) && isFull(request) ? tooMuch : undefined));
    };
    if (isFree) next(undefined);
    else enter(limits, request, readsTokens, next);
  });

  // At the end and not at the beginning: a request under way when the stop came must not leave its connection open.
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
    // A fault is logged once, here, where operation and request are known. A request refused under overload has its line.
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

  // A process that lags behind says so at once, and is asked again later; whether it is alive it always tells.
  app.register(underPressure, {
    maxEventLoopDelay: config.MAX_EVENT_LOOP_DELAY_MS,
    sampleInterval: 500, // a single long pause in it is not overload
    pressureHandler: async (request) => {
      if (needsDatabase(request)) throw tooMuch;
    },
  });

  // OPTIONS stands beside every GET: no parameter check, no database.
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
