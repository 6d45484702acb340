// Builds the HTTP app from config, database and log: server limits, hooks, the error handler, all routes.
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { METHODS } from 'node:http';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fastify } from 'fastify';
import type { Config } from './config.ts';
import type { Databases } from './db/connection/replicas.ts';
import { enter, refuse, settle } from './http/admission.ts';
import type { Credentials } from './http/auth.ts';
import type { Refused } from './http/early-failures.ts';
import {
  earlyFailure,
  frameworkFailure,
  isPreflight,
  maxUrlBytes,
  onClientError,
  onConnect,
  optionsHeaders,
  writeFailure,
} from './http/early-failures.ts';
import type { ApiFailure } from './http/errors.ts';
import { asFailure, failureBody, noSuchRoute, unavailable } from './http/errors.ts';
import { commonHeaders, jsonType } from './http/headers.ts';
import { healthRoutes } from './http/health.ts';
import { incomingFacts, traceOf } from './http/incoming.ts';
import type { Limits } from './http/limits.ts';
import { addressKey } from './http/limits.ts';
import { originOf } from './http/links.ts';
import { mcpRoutes } from './http/mcp.ts';
import type { Metrics, RequestFacts } from './http/metrics.ts';
import { onceASecond } from './http/once-a-second.ts';
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
const isUnlogged = ({ raw, routeOptions }: FastifyRequest): boolean =>
  routeOptions.config?.isFree === true || isPreflight(raw);
/** The status in log and metrics when the caller closes the connection before the response is sent; as nginx has it. */
const callerClosed = 499;
const tooMuch = unavailable('The service is overloaded; try again', { isOverload: true });

export const buildApp = (parts: AppParts): FastifyInstance => {
  const { config, database, log, metrics, credentials, limits, onKeyUsed, problem, stopping } = parts;
  const limited = onceASecond((count) =>
    log.info({ code: 'RATE_LIMITED', count }, 'more requests of one caller were over its limit'),
  );
  const closings = onceASecond((count) => log.warn({ count }, 'more connections of one caller were closed'));
  const isOverLimit = (failure: ApiFailure | null): failure is ApiFailure => failure?.code === 'RATE_LIMITED';
  /** Writes one log line per request, and the same facts as metrics. Never a path: it may contain private names. */
  const record = (
    requestId: string,
    headers: IncomingHttpHeaders,
    facts: Partial<RequestFacts>,
    failure: ApiFailure | null,
    isLogged = true,
  ) => {
    const none = { operation: 'none', status: 0, ms: 0, databaseMs: 0, waitingMs: 0, bytes: 0 };
    const all = { ...none, ...facts, code: failure?.code ?? '' };
    metrics.observe(all);
    if (!isLogged || !log.isLevelEnabled('info')) return;
    if (isOverLimit(failure) && !limited.takes((failure.cause as { account: string }).account)) return;
    const round = (ms: number) => Math.round(ms * 1000) / 1000;
    const times = { ms: round(all.ms), databaseMs: round(all.databaseMs), waitingMs: round(all.waitingMs) };
    log.info({ requestId, ...incomingFacts(headers), ...all, ...times }, 'request');
  };

  /** Rejects a request that no hook sees. It still counts against the rate limit and is recorded. */
  const refused: Refused = async (address, failure, respond, headers = {}) => {
    const final = await refuse(limits, address ?? '', failure);
    const requestId = randomUUID();
    respond(final, requestId);
    record(requestId, headers, { status: final.status }, final);
  };

  const slowReaders = openSlowReaders(
    {
      bytesPerSecond: config.SLOW_READER_BYTES_PER_SECOND,
      overMs: config.SLOW_READER_SECONDS * 1000,
      maxUnsentBytes: config.MAX_UNSENT_BYTES,
    },
    (closed) => {
      metrics.closed(closed.reason);
      const address = addressKey(closed.address);
      // Its requests may all have been free.
      const account = closed.reason === 'too many pipelined requests' ? limits.accountOf(address, null) : null;
      if (account !== null) void limits.charge(account, 1);
      if (closings.takes(`${closed.reason} ${address}`)) log.warn(closed, 'connection closed');
    },
  );

  const app = fastify({
    logger: false, // `record` writes one line per request
    genReqId: () => randomUUID(), // always our own (gap G19)
    bodyLimit: 1024,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false, // getRoute adds HEAD: the routes of the framework send Content-Length: 0 with a 304
    trustProxy: config.TRUSTED_PROXIES.length > 0 && [...config.TRUSTED_PROXIES],
    routerOptions: { maxParamLength: maxUrlBytes + 1 }, // longer ones never get here; shorter ones have our own checks
    serverFactory: (handle) =>
      makeServer(handle, slowReaders, {
        onLate: (response) => {
          const requestId = randomUUID();
          log.error({ requestId }, 'a request had no response in time');
          writeFailure(response, unavailable('The response took too long; try again'), requestId, {
            connection: 'close',
          });
        },
        onConnect: (request, socket) => onConnect(request, socket, refused),
      }),
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
  app.addHttpMethod('OPTIONS', { overrideExisting: true }); // no body: none is ever read
  app.removeAllContentTypeParsers();
  app.addHook('onClose', async () => {
    for (const part of [slowReaders, limited, closings]) part.stop();
  });

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
  app.decorateRequest('failure', null);
  app.decorateRequest('isRecorded', false);

  const recordResponse = (request: FastifyRequest, reply: FastifyReply, status: number, bytes: number) => {
    if (request.isRecorded) return;
    request.isRecorded = true;
    const operation = request.routeOptions.config?.operation ?? 'none';
    const facts = { operation, status, ms: reply.elapsedTime, ...request.timing, bytes };
    record(request.id, request.headers, facts, request.failure, !isUnlogged(request));
  };
  const isFull = ({ headers, routeOptions }: FastifyRequest): boolean =>
    routeOptions.config.readsTokens === true && headers.authorization !== undefined
      ? database.isFull()
      : database.isFullForPublic();
  // Hooks use callbacks: a promise for each of them would cost a tenth of a short response.
  app.addHook('onRequest', (request, reply, done) => {
    request.timing = { databaseMs: 0, waitingMs: 0 };
    reply.headers(commonHeaders(request.id));
    // The framework calls onResponse, which comes first, only for a response that was sent.
    reply.raw.once('close', () => recordResponse(request, reply, callerClosed, 0));
    // Also over the limit, and for any path: a browser cannot show its page a 429 or a 404 of a preflight.
    if (isPreflight(request.raw)) {
      reply.code(204).headers(optionsHeaders(request.raw)).send();
      return;
    }
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
    const bytes = request.method === 'HEAD' ? 0 : Number(reply.getHeader('content-length') ?? 0);
    recordResponse(request, reply, reply.statusCode, bytes);
    done();
  });

  app.setErrorHandler((error, request, reply) => {
    const failure = asFailure(error);
    request.failure = failure;
    // A fault is logged once, here, where operation and request are known. A request rejected under overload
    // already has its request line.
    const isOverload = (failure.cause as { isOverload?: unknown } | undefined)?.isOverload === true;
    const operation = request.routeOptions.config?.operation ?? 'none';
    if (failure.status >= 500 && !isOverload && !isUnlogged(request)) {
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

  // Every route also gets an OPTIONS route, with no parameter check and no database access.
  app.addHook('onRoute', ({ method, url, config: routeConfig }) => {
    if (method === 'OPTIONS') return;
    app.options(url, { config: routeConfig ?? {} }, async ({ raw }, reply) =>
      reply.code(204).headers(optionsHeaders(raw)).send(),
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
