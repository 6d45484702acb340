// Builds the HTTP app from config, database and log: limits of the server, hooks, the error renderer, all routes.
import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fastify } from 'fastify';
import type { Config } from './config.ts';
import { schemaProblem } from './db/migrate.ts';
import type { Database } from './db/pool.ts';
import type { Credentials } from './http/auth.ts';
import type { ApiFailure } from './http/errors.ts';
import { asFailure, failureBody, noSuchRoute, unavailable } from './http/errors.ts';
import { commonHeaders, jsonType, preflightHeaders } from './http/headers.ts';
import { healthRoutes } from './http/health.ts';
import type { Limits } from './http/limits.ts';
import { rateLimitField } from './http/limits.ts';
import type { Metrics, RequestFacts } from './http/metrics.ts';
import {
  earlyFailure,
  frameworkFailure,
  maxHeaderBytes,
  maxUrlBytes,
  onClientError,
  refuseExpectations,
  writeFailure,
} from './http/parser.ts';
import type { Log } from './log.ts';
import { findCallerById, findCallerByKey } from './queries/users.ts';
import { agentRoutes } from './routes/agents.ts';
import { bountyRoutes } from './routes/bounties.ts';
import { collectionRoutes } from './routes/collections.ts';
import { contestRoutes } from './routes/contests.ts';
import { launchRoutes } from './routes/launches.ts';
import { repositoryRoutes } from './routes/repositories.ts';
import { sponsorRoutes } from './routes/sponsors.ts';
import { userRoutes } from './routes/users.ts';

export interface AppParts {
  config: Config;
  database: Database;
  log: Log;
  metrics: Metrics;
  credentials: Credentials;
  limits: Limits;
  onKeyUsed: (keyId: string) => void;
  /** True once a stop was asked for: not ready, though still answering. */
  stopping: () => boolean;
}

/** How long a caller may take over a step. */
const patienceMs = 10_000;
/** A longer request id of a caller's own is not one. */
const incomingIdLength = 200;

/** What may be refused under overload; a preflight is not worth refusing. */
const needsDatabase = ({ method, routeOptions }: FastifyRequest): boolean =>
  method !== 'OPTIONS' && routeOptions.config?.limited !== undefined;
const tooMuch = unavailable('The service is overloaded; try again', { isOverload: true });

export const buildApp = (parts: AppParts): FastifyInstance => {
  const { config, database, log, metrics, credentials, limits, onKeyUsed, stopping } = parts;
  /** One log line a request, and the same as metrics. Never a path: it may name what is private. */
  const record = (requestId: string, incomingId: string | string[] | undefined, facts: Partial<RequestFacts>) => {
    const all = { operation: 'none', status: 0, code: '', ms: 0, databaseMs: 0, waitingMs: 0, bytes: 0, ...facts };
    metrics.observe(all);
    if (!log.isLevelEnabled('info')) return;
    const round = (ms: number) => Math.round(ms * 1000) / 1000;
    const times = { ms: round(all.ms), databaseMs: round(all.databaseMs), waitingMs: round(all.waitingMs) };
    const theirs = incomingId === undefined ? {} : { incomingId: String(incomingId).slice(0, incomingIdLength) };
    log.info({ requestId, ...theirs, ...all, ...times }, 'request');
  };

  const told = (requestId: string, { status, code }: ApiFailure, incomingId?: string | string[]) =>
    record(requestId, incomingId, { status, code });

  const app = fastify({
    logger: false, // one line a request, written by us below
    genReqId: () => randomUUID(), // always our own (gap G19)
    bodyLimit: 1024,
    requestTimeout: patienceMs,
    // A caller who does not read the answer must not keep it here: longer than any answer takes, and nothing moved.
    connectionTimeout: database.longestMs + patienceMs,
    keepAliveTimeout: 65_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: true,
    trustProxy: config.TRUSTED_PROXIES.length > 0 && [...config.TRUSTED_PROXIES],
    routerOptions: { maxParamLength: maxUrlBytes + 1 }, // longer ones never get here; shorter ones are checked by us
    http: {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: patienceMs,
      connectionsCheckingInterval: 1000,
      requireHostHeader: false, // our own 400 wears the envelope
    },
    clientErrorHandler: (error, socket) => onClientError(error, socket, told),
    // Before routing: a malformed escape in the path.
    frameworkErrors: (_error, request, reply) => {
      const failure = frameworkFailure(request.raw);
      writeFailure(reply.raw, failure, request.id);
      told(request.id, failure, request.headers['x-request-id']);
    },
    // RFC 9112: a request may name the whole URL; the path alone is what is routed.
    rewriteUrl: ({ url = '/' }) => url.replace(/^https?:\/\/[^/?#]*/i, '') || '/',
  });
  // Every method that Node's parser knows reaches our hook, so that each gets 405 in the envelope.
  for (const method of METHODS)
    if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method);
  app.removeAllContentTypeParsers();
  refuseExpectations(app.server, told);

  app.decorate('services', { config, database, credentials, limits, onKeyUsed, findCallerByKey, findCallerById });
  app.decorateRequest('timing');
  app.decorateRequest('budget', null);
  app.decorateRequest('failureCode', '');

  // The hooks call back: a promise for each of them would cost a tenth of a short answer.
  app.addHook('onRequest', (request, reply, done) => {
    request.timing = { databaseMs: 0, waitingMs: 0 };
    reply.headers(commonHeaders(request.id));
    const { limited } = request.routeOptions.config ?? {};
    if (limited?.readsTokens === true) reply.header('vary', 'Authorization');
    const policy = limited && limits.policy(limited.readsTokens);
    if (policy !== undefined) reply.header('ratelimit-policy', policy);
    const failure = earlyFailure(request.raw);
    // Before anything is read: whoever is refused under overload must cost little.
    done(failure ?? (needsDatabase(request) && database.isFull() ? tooMuch : undefined));
  });

  // At the end and not at the beginning: a request under way when the stop came must not leave its connection open.
  app.addHook('onSend', ({ budget }, reply, payload, done) => {
    if (stopping()) reply.header('connection', 'close');
    if (budget !== null) {
      // In a shared cache one caller's numbers would be told to others.
      const isShared = String(reply.getHeader('cache-control')).startsWith('public');
      if (!isShared) reply.header('ratelimit', rateLimitField(budget));
      if (reply.statusCode === 304) limits.refund(budget);
    }
    done(null, payload);
  });

  app.addHook('onResponse', (request, reply, done) => {
    record(request.id, request.headers['x-request-id'], {
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
    if (failure.status >= 500 && !isOverload)
      log.error(
        {
          requestId: request.id,
          operation: request.routeOptions.config?.operation ?? 'none',
          err: failure.cause ?? failure,
        },
        'failure',
      );
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

  // OPTIONS stands beside every GET: no parameter check, no limit, no database.
  app.addHook('onRoute', ({ method, url, config: routeConfig }) => {
    if (method !== 'GET') return;
    app.options(url, { config: routeConfig ?? {} }, async (_request, reply) =>
      reply.code(204).headers(preflightHeaders).send(),
    );
  });

  healthRoutes(app, { problem: schemaProblem, stopping });
  agentRoutes(app);
  bountyRoutes(app);
  sponsorRoutes(app);
  launchRoutes(app);
  collectionRoutes(app);
  contestRoutes(app);
  userRoutes(app);
  repositoryRoutes(app);
  return app;
};
