// Builds the HTTP app from config, database and log: server limits, hooks, the error handler, all routes.
import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fastify } from 'fastify';
import type { Config } from './config.ts';
import type { Databases } from './db/connection/replicas.ts';
import { explorerRoutes } from './explore/routes.ts';
import { explorerHeaders, failurePage, isExplorer } from './explore/site.ts';
import type { Gate } from './gates.ts';
import { Overloaded } from './gates.ts';
import { enter, settle } from './http/admission.ts';
import type { Credentials } from './http/auth.ts';
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
import type { EventLoop } from './http/event-loop.ts';
import { watchEventLoop } from './http/event-loop.ts';
import { commonHeaders, jsonType } from './http/headers.ts';
import { healthRoutes } from './http/health.ts';
import { traceOf } from './http/incoming.ts';
import type { Limits } from './http/limits.ts';
import { originOf } from './http/links.ts';
import { mcpRoutes } from './http/mcp.ts';
import type { Metrics } from './http/metrics.ts';
import type { Recording } from './http/recording.ts';
import { isUnlogged, openRecording } from './http/recording.ts';
import { makeServer } from './http/server.ts';
import type { SlowReaders } from './http/slow-readers.ts';
import { openSlowReaders } from './http/slow-readers.ts';
import type { Log } from './log.ts';
import { findCallerById, findCallerByKey } from './queries/users.ts';
import { agentRoutes } from './routes/agents.ts';
import { bountyRoutes } from './routes/bounties.ts';
import { changesRoutes } from './routes/changes.ts';
import { collectionRoutes } from './routes/collections.ts';
import { contestRoutes } from './routes/contests.ts';
import { countRoutes } from './routes/counts.ts';
import { launchRoutes } from './routes/launches.ts';
import { repositoryRoutes } from './routes/repositories.ts';
import { searchRoutes } from './routes/search.ts';
import { sponsorRoutes } from './routes/sponsors.ts';
import { statusRoutes } from './routes/status.ts';
import { userRoutes } from './routes/users.ts';
import { docsRoutes } from './site/docs.ts';
import { homeRoutes } from './site/home.ts';
import { htmlType } from './site/page.ts';
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
/** The status in log and metrics when the caller closes the connection before the response is sent; as nginx has it. */
const callerClosed = 499;
const refusedAt = (gate: Gate): ApiFailure =>
  unavailable('The service is overloaded; try again', new Overloaded(gate, 'refused before it was begun'));
const atArrival = refusedAt('arrival');
const atEventLoop = refusedAt('event loop');

/** The framework without routes: the bounds of requests, and what is rejected before a hook sees it. */
const openFramework = ({ config, log, metrics }: AppParts, recording: Recording, slowReaders: SlowReaders) => {
  const app = fastify({
    logger: false, // recording.ts writes one line per request
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
          metrics.refused('deadline');
          log.error({ requestId, gate: 'deadline' }, 'a request had no response in time');
          writeFailure(response, unavailable('The response took too long; try again'), requestId, {
            connection: 'close',
          });
        },
        onConnect: (request, socket) => onConnect(request, socket, recording.refused),
      }),
    clientErrorHandler: (error, socket) => onClientError(error, socket, recording.refused),
    // Before routing: a malformed escape in the path.
    frameworkErrors: (_error, { ip, raw }, reply) => {
      const respond = (failure: ApiFailure, id: string) => writeFailure(reply.raw, failure, id);
      void recording.refused(ip, frameworkFailure(raw), respond, raw.headers);
    },
    // RFC 9112: the request target may be an absolute URL; only its path is routed.
    rewriteUrl: ({ url = '/' }) => url.replace(/^https?:\/\/[^/?#]*/i, '') || '/',
  });
  // Every method that Node's parser knows must reach our hook, so that it gets a 405 in the envelope.
  for (const method of METHODS)
    if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method);
  app.addHttpMethod('OPTIONS', { overrideExisting: true }); // no body: none is ever read
  app.removeAllContentTypeParsers();
  return app;
};

/** What happens to every request before its handler, and to every response. */
const addHooks = (
  app: FastifyInstance,
  { database, limits, stopping }: AppParts,
  recording: Recording,
  eventLoop: EventLoop,
): void => {
  const isFull = ({ headers, routeOptions }: FastifyRequest): boolean =>
    routeOptions.config.readsTokens === true && headers.authorization !== undefined
      ? database.isFull()
      : database.isFullForPublic();
  /** Before anything is read: rejecting a request under overload must be cheap. Health checks are always answered. */
  const overload = (request: FastifyRequest): ApiFailure | undefined => {
    if (!needsDatabase(request)) return undefined;
    if (isFull(request)) return atArrival;
    return eventLoop.isLate() ? atEventLoop : undefined;
  };
  // Hooks use callbacks: a promise for each of them would cost a tenth of a short response.
  app.addHook('onRequest', (request, reply, done) => {
    request.timing = { databaseMs: 0, waitingMs: 0 };
    reply.headers(commonHeaders(request.id));
    // The framework calls onResponse, which comes first, only for a response that was sent.
    reply.raw.once('close', () => recording.response(request, reply, callerClosed, 0));
    // Also over the limit, and for any path: a browser cannot show its page a 429 or a 404 of a preflight.
    if (isPreflight(request.raw)) {
      reply.code(204).headers(optionsHeaders(request.raw)).send();
      return;
    }
    const { readsTokens = false, isFree = false, notices } = request.routeOptions.config ?? {};
    if (notices !== undefined) reply.headers(notices);
    if (readsTokens) reply.header('vary', 'Authorization');
    const policy = isFree ? undefined : limits.policy(readsTokens);
    if (policy !== undefined) reply.header('ratelimit-policy', policy);
    const next = (refusal: ApiFailure | undefined) => done(refusal ?? earlyFailure(request.raw) ?? overload(request));
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
    recording.response(request, reply, reply.statusCode, bytes);
    done();
  });

  // Every route also gets an OPTIONS route, with no parameter check and no database access.
  app.addHook('onRoute', ({ method, url, config: routeConfig }) => {
    if (method === 'OPTIONS') return;
    app.options(url, { config: routeConfig ?? {} }, async ({ raw }, reply) =>
      reply.code(204).headers(optionsHeaders(raw)).send(),
    );
  });
};

const addErrorHandlers = (app: FastifyInstance, { config, log }: Pick<AppParts, 'config' | 'log'>): void => {
  app.setErrorHandler((error, request, reply) => {
    const failure = asFailure(error);
    request.failure = failure;
    // A fault is logged once, here, where operation and request are known. A request rejected under overload
    // already has its request line.
    const operation = request.routeOptions.config?.operation ?? 'none';
    if (failure.status >= 500 && !(failure.cause instanceof Overloaded) && !isUnlogged(request)) {
      const facts = { requestId: request.id, ...traceOf(request.headers), operation };
      log.error({ ...facts, err: failure.cause ?? failure }, 'failure');
    }
    const isPage = config.EXPLORER && isExplorer(request.url);
    if (isPage) explorerHeaders(reply, config.EXPLORER_IMAGE_ORIGINS);
    return reply
      .code(failure.status)
      .headers({ ...failure.headers, 'cache-control': 'no-store', 'content-type': isPage ? htmlType : jsonType })
      .send(isPage ? failurePage(app, failure) : failureBody(failure));
  });
  app.setNotFoundHandler(() => {
    throw noSuchRoute();
  });
};

const routes = [
  agentRoutes,
  bountyRoutes,
  sponsorRoutes,
  launchRoutes,
  collectionRoutes,
  contestRoutes,
  userRoutes,
  repositoryRoutes,
  searchRoutes,
  countRoutes,
  statusRoutes,
  changesRoutes,
  mcpRoutes,
  explorerRoutes,
  homeRoutes,
  docsRoutes,
  referenceRoutes,
];

export const buildApp = (parts: AppParts): FastifyInstance => {
  const { config, database, log, metrics, credentials, limits, onKeyUsed, problem } = parts;
  const recording = openRecording(log, metrics, limits);
  const slowReaders = openSlowReaders(
    {
      bytesPerSecond: config.SLOW_READER_BYTES_PER_SECOND,
      overMs: config.SLOW_READER_SECONDS * 1000,
      maxUnsentBytes: config.MAX_UNSENT_BYTES,
    },
    recording.closed,
  );
  metrics.readUnsentBytes(slowReaders.unsentBytes);

  const eventLoop = watchEventLoop(config.MAX_EVENT_LOOP_DELAY_MS);

  const app = openFramework(parts, recording, slowReaders);
  app.addHook('onClose', async () => {
    for (const part of [slowReaders, recording, eventLoop]) part.stop();
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
    served: new Map(),
    findCallerByKey,
    findCallerById,
  });
  app.decorateRequest('timing');
  app.decorateRequest('admission', null);
  app.decorateRequest('failure', null);
  app.decorateRequest('isRecorded', false);

  addHooks(app, parts, recording, eventLoop);
  addErrorHandlers(app, parts);

  healthRoutes(app, problem);
  for (const addRoutes of routes) addRoutes(app);
  return app;
};
