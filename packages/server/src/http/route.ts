// route(): an operation of the contract and its handler become a path of the server. Adds parameters, credential,
// envelope, pages, cache headers and links; the handler only loads and decides.
import { contractCheck } from '@commonhall/contract/check';
import type { Operation, ParamsOf, ParsedQueryOf } from '@commonhall/contract/operation';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Found, Page } from '../db/page.ts';
import type { Timing } from '../db/pipeline.ts';
import type { Database, Db } from '../db/pool.ts';
import type { Caller } from '../queries/users.ts';
import type { Credentials } from './auth.ts';
import { authenticate, bearerToken } from './auth.ts';
import { cacheControl, etagOf, isMatch } from './cache.ts';
import type { ApiFailure } from './errors.ts';
import { unauthorized } from './errors.ts';
import { jsonType } from './headers.ts';
import type { Budget, Limits } from './limits.ts';
import { listLinks } from './links.ts';
import { checkParams, parseQuery } from './query.ts';

interface Services {
  config: Config;
  database: Database;
  credentials: Credentials;
  limits: Limits;
  onKeyUsed: (keyId: string) => void;
  findCallerByKey: (db: Db, hashes: Buffer[]) => Promise<Caller | null>;
  findCallerById: (db: Db, userId: string) => Promise<Caller | null>;
}

declare module 'fastify' {
  interface FastifyInstance {
    services: Services;
  }
  interface FastifyRequest {
    timing: Timing;
    /** The code of the failure, for the log line. */
    failureCode: string;
    /** What the rate limit has left for the caller; null: not limited. */
    budget: Budget | null;
  }
  interface FastifyContextConfig {
    operation?: string;
    /** Counted by the rate limit; whether the operation reads tokens. */
    limited?: { readsTokens: boolean };
  }
}

type CallerOf<O extends Operation> = O['auth'] extends 'none'
  ? undefined
  : O['auth'] extends 'optional'
    ? Caller | null
    : Caller;
type AnswerOf<O extends Operation> = O['answer'] extends 'page' | 'slice' ? Page : Found;

interface Context<O extends Operation> {
  db: Db;
  params: ParamsOf<O>;
  query: ParsedQueryOf<O>;
  caller: CallerOf<O>;
  /** What every absolute URL in an answer begins with. */
  apiUrl: string;
  /** Adds a header to the 200. */
  header: (name: string, value: string) => void;
}
export type Handler<O extends Operation> = (context: Context<O>) => Promise<AnswerOf<O>>;

/** {name} of the contract → :name of the router. */
export const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

const dataOf = (operation: Operation, values: Record<string, unknown>, answer: Page | Found): string => {
  if ('json' in answer) return answer.json;
  const { items, total, itemCount } = answer;
  if (operation.answer === 'page') {
    const { page, pageSize } = values as { page: number; pageSize: number };
    const totalPages = Math.ceil(total / pageSize);
    return `{"items":[${items}],"total":${total},"page":${page},"pageSize":${pageSize},"totalPages":${totalPages},"hasMore":${page < totalPages}}`;
  }
  const { offset, count } = values as { offset: number; count: number };
  const hasMore = itemCount > 0 && offset + itemCount < total;
  return `{"items":[${items}],"total":${total},"offset":${offset},"count":${count},"hasMore":${hasMore}}`;
};

/** Sends a 200, or a 304 with the same headers when the caller has these bytes. */
export const sendBody = (request: FastifyRequest, reply: FastifyReply, body: Buffer): FastifyReply => {
  const etag = etagOf(body);
  reply.header('etag', etag);
  if (isMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.header('content-type', jsonType).send(body);
};

/** Counts the request by its address: for what reads no credential. */
export const admit = async (app: FastifyInstance, request: FastifyRequest): Promise<void> => {
  request.budget = await app.services.limits.admit(request.ip, null);
};

const readToken = (request: FastifyRequest): string | null | ApiFailure => {
  try {
    return bearerToken(request.raw.headersDistinct.authorization);
  } catch (error) {
    return error as ApiFailure;
  }
};

/** Admits the request by its token, and finds the caller behind it; null without a credential. */
const admitCaller = async (app: FastifyInstance, request: FastifyRequest, db: Db): Promise<Caller | null> => {
  const { limits, credentials, onKeyUsed, findCallerByKey, findCallerById } = app.services;
  const token = readToken(request);
  if (typeof token !== 'string') {
    await admit(app, request);
    if (token === null) return null;
    throw token;
  }
  request.budget = await limits.admit(request.ip, token);
  try {
    const caller = await authenticate(token, credentials, {
      byKey: (hashes) => findCallerByKey(db, hashes),
      byUser: (userId) => findCallerById(db, userId),
    });
    await limits.judged(request.ip, token, true);
    if (caller.keyId !== null) onKeyUsed(caller.keyId);
    return caller;
  } catch (error) {
    await limits.judged(request.ip, token, false); // also when it could not be judged: else each is free
    throw error;
  }
};

export const route = <O extends Operation>(app: FastifyInstance, operation: O, handler: Handler<O>): void => {
  const { config, database } = app.services;
  const apiUrl = config.PUBLIC_URL + config.BASE_PATH;
  const check = config.CHECK_RESPONSES ? contractCheck(operation) : null;

  const callerOf = async (request: FastifyRequest, db: Db): Promise<Caller | null | undefined> => {
    if (operation.auth === 'none') {
      await admit(app, request);
      return undefined; // credentials are not even read: the same bytes for all (gap G6)
    }
    const caller = await admitCaller(app, request, db);
    if (caller === null && operation.auth !== 'optional')
      throw unauthorized('This operation needs a credential: Authorization: Bearer <token>');
    return caller;
  };

  const unasked = parseQuery(operation.query, '');
  const readsTokens = operation.auth !== 'none';
  const options = { config: { operation: operation.id, limited: { readsTokens } } };
  const url = config.BASE_PATH + routerPath(operation.path);

  // The order of the checks is gap G4's: method and path are behind us; parameters, limit, credential, then the handler.
  app.get<{ Params: Record<string, string> }>(url, options, async (request, reply) => {
    const { params } = request;
    checkParams(params);
    const parsed = request.url.includes('?') ? parseQuery(operation.query, request.url) : unasked;
    const db = database.withTiming(request.timing);
    const caller = await callerOf(request, db);
    const answer: Page | Found = await handler({
      db,
      params: params as ParamsOf<O>,
      query: parsed.values as ParsedQueryOf<O>,
      caller: caller as CallerOf<O>,
      apiUrl,
      header: (name, value) => void reply.header(name, value),
    });
    const data = dataOf(operation, parsed.values, answer);
    check?.(data);
    // The clock went on while the database read and we wrote.
    const changesInMs = answer.changesInMs === null ? null : answer.changesInMs - reply.elapsedTime;
    const hasCredential = caller !== null && caller !== undefined;
    reply.header('cache-control', cacheControl(operation.cache, hasCredential, config.MAX_AGE_SECONDS, changesInMs));
    const links = 'total' in answer ? listLinks(apiUrl, operation, params, parsed, answer.total) : undefined;
    if (links !== undefined) reply.header('link', links);
    return sendBody(request, reply, Buffer.from(`{"success":true,"data":${data}}`));
  });
};
