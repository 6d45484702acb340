// route(): serves an operation of the contract: parameters, credential, envelope, pages, cache headers and links. The handler
// only loads and decides.
import { contractCheck } from '@commonhall/contract/check';
import { noticeHeaders } from '@commonhall/contract/notices';
import type { Operation, ParamsOf, ParsedQueryOf } from '@commonhall/contract/operation';
import type { OperationId } from '@commonhall/contract/table';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Db } from '../db/connection/database.ts';
import type { Timing } from '../db/connection/pool.ts';
import type { Databases } from '../db/connection/replicas.ts';
import type { Page } from '../db/page.ts';
import type { JsonResult } from '../db/read-one.ts';
import { Unavailable } from '../gates.ts';
import type { Caller } from '../queries/users.ts';
import type { Admission } from './admission.ts';
import { acceptToken, admit, readToken } from './admission.ts';
import type { Credentials } from './auth.ts';
import { authenticate } from './auth.ts';
import { costOf, groupUnits } from './budget.ts';
import { cacheControl, isMatch } from './cache.ts';
import type { Body } from './encoding.ts';
import { chooseEncoding, encodedEtag, freshBody } from './encoding.ts';
import type { ApiFailure } from './errors.ts';
import { contractBroken, unauthorized, unavailable } from './errors.ts';
import type { Limits } from './limits.ts';
import { addressKey } from './limits.ts';
import { listLinks } from './links.ts';
import type { ParsedQuery } from './query.ts';
import { checkParams, parseQuery } from './query.ts';
import type { SlowReaders } from './slow-readers.ts';

interface Services {
  config: Config;
  database: Databases;
  credentials: Credentials;
  limits: Limits;
  onKeyUsed: (keyId: string) => void;
  slowReaders: SlowReaders;
  /** The URL of the server, and that of the operations, with BASE_PATH: known once the server listens. */
  rootUrl: () => string;
  apiUrl: () => string;
  /** The operations that have a route, for pages. */
  served: Map<OperationId, Served>;
  findCallerByKey: (db: Db, hashes: Buffer[]) => Promise<Caller | null>;
  findCallerById: (db: Db, userId: string) => Promise<Caller | null>;
}

interface Served {
  operation: Operation;
  handler: AnyHandler;
  /** What is wrong with its data; null: it is not checked. */
  check: ((data: string) => string | null) | null;
}

declare module 'fastify' {
  interface FastifyInstance {
    services: Services;
  }
  interface FastifyRequest {
    timing: Timing;
    /** The failure that is answered, for the log line; null: none. */
    failure: ApiFailure | null;
    /** Whether the request has its log line. */
    isRecorded: boolean;
    /** What was charged, and what the caller has left; null: not limited. */
    admission: Admission | null;
  }
  interface FastifyContextConfig {
    operation?: string;
    readsTokens?: boolean;
    /** May be rejected under overload. */
    needsDatabase?: boolean;
    /** Not charged and not logged: whether the process is alive and ready. */
    isFree?: boolean;
    notices?: Record<string, string>;
  }
}

type CallerOf<O extends Operation> = O['auth'] extends 'none'
  ? undefined
  : O['auth'] extends 'optional'
    ? Caller | null
    : Caller;
type AnswerOf<O extends Operation> = O['answer'] extends 'page' | 'slice' ? Page : JsonResult;

interface Context<O extends Operation> {
  db: Db;
  params: ParamsOf<O>;
  query: ParsedQueryOf<O>;
  caller: CallerOf<O>;
  /** The prefix of every absolute URL in an answer. */
  apiUrl: string;
  /** Adds a header to the 200. */
  header: (name: string, value: string) => void;
}
export type Handler<O extends Operation> = (context: Context<O>) => Promise<AnswerOf<O>>;

/** The beginning of every success; the data and a brace follow. */
export const successStart = '{"success":true,"data":';

/** {name} of the contract → :name of the router. */
export const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

const dataOf = (operation: Operation, values: Record<string, unknown>, answer: Page | JsonResult): string => {
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

/** Smaller bodies fit into the send buffer of any connection. */
const largeBytes = 65_536;
/** Before a body is sent: closes connections that do not read, if it is large and the limit of unsent bytes is reached. */
export const makeRoomFor = ({ server, method }: FastifyRequest, bytes: number): void => {
  if (bytes >= largeBytes && method !== 'HEAD') server.services.slowReaders.makeRoom(bytes);
};

/** GET and HEAD. */
export const getRoute = <Params = unknown>(
  app: FastifyInstance,
  url: string,
  config: FastifyContextConfig,
  handler: (request: FastifyRequest<{ Params: Params }>, reply: FastifyReply) => Promise<FastifyReply>,
): void => void app.route<{ Params: Params }>({ method: ['GET', 'HEAD'], url, config, handler });

/** Adds a name to the Vary header. */
const addVary = (reply: FastifyReply, name: string): void =>
  void reply.header('vary', [reply.getHeader('vary') ?? [], name].flat().join(', '));

/** Sends a 200, or a 304 with the same headers when the caller has these bytes. Expects Cache-Control to be set. */
export const sendBody = (
  request: FastifyRequest,
  reply: FastifyReply,
  { type, etag, offered, bytes }: Body,
): FastifyReply | Promise<FastifyReply> => {
  // The length of a compressed body reveals something about its content: no compression with a credential (gap G19).
  const isPublic = String(reply.getHeader('cache-control')).startsWith('public');
  const encoding = isPublic ? chooseEncoding(request.headers['accept-encoding'], offered) : 'identity';
  if (isPublic) addVary(reply, 'Accept-Encoding');
  const tag = encodedEtag(etag, encoding);
  reply.header('etag', tag);
  if (isMatch(request.headers['if-none-match'], tag)) return reply.code(304).send();
  const send = (body: Buffer) => {
    makeRoomFor(request, body.length);
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.header('content-type', type).send(body);
  };
  const body = bytes(encoding);
  return body instanceof Promise ? body.then(send) : send(body);
};

/** The database for one request. With rate limits, an address gets at most half of the slow statements' connections. */
export const dbOf = (
  { services: { config, database } }: FastifyInstance,
  request: FastifyRequest,
  isPublic: boolean,
): Db => {
  const who = config.RATE_LIMIT_PER_ADDRESS > 0 ? () => addressKey(request.ip ?? '') : null;
  return (isPublic ? database.forPublic : database.forRequest)(request.timing, who);
};

/** The caller that the token of a request belongs to; null without a credential. */
const findCaller = async (app: FastifyInstance, request: FastifyRequest): Promise<Caller | null> => {
  const { limits, credentials, onKeyUsed, findCallerByKey, findCallerById } = app.services;
  const token = readToken(request);
  if (token === null) return null;
  if (typeof token !== 'string') throw token;
  const db = dbOf(app, request, false); // a replica would accept a revoked key for a while
  const caller = await authenticate(token, credentials, {
    byKey: (hashes) => findCallerByKey(db, hashes),
    byUser: (userId) => findCallerById(db, userId),
  });
  await acceptToken(limits, request, token);
  if (caller.keyId !== null) onKeyUsed(caller.keyId);
  return caller;
};

/** A search that takes too long says what would be faster. */
const searched = async <T>(q: string | undefined, answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    if (q === undefined || !(error instanceof Unavailable) || error.gate !== 'statement timeout') throw error;
    throw unavailable(
      'The search took too long, because too much matches: use longer words, a filter or a range',
      error,
    );
  }
};

/** What an operation answers: the data without the envelope. */
interface Answered {
  data: string;
  /** Milliseconds until the clock alone changes the data, from when it was read; null: it never does. */
  changesInMs: number | null;
  /** How many items a list has; undefined: it is none. */
  total: number | undefined;
}
type AnyHandler = (context: Context<Operation>) => Promise<Page | JsonResult>;
interface Asked extends Pick<Context<Operation>, 'params' | 'header'> {
  parsed: ParsedQuery;
  /** undefined: the operation reads no credential; null: none was sent. */
  caller: Caller | null | undefined;
}

/** Runs the handler of an operation, for a request or for a page. */
const run = async (
  app: FastifyInstance,
  request: FastifyRequest,
  { operation, handler, check }: Served,
  { parsed, params, caller, header }: Asked,
): Promise<Answered> => {
  const { q } = parsed.values as { q?: string };
  const context = {
    db: dbOf(app, request, caller === null || caller === undefined),
    params,
    query: parsed.values,
    caller,
    apiUrl: app.services.apiUrl(),
    header,
  };
  const answer = await searched(q, handler(context as unknown as Context<Operation>));
  const data = dataOf(operation, parsed.values, answer);
  const problem = check?.(data) ?? null;
  if (problem !== null) throw contractBroken(operation.id, problem);
  return { data, changesInMs: answer.changesInMs, total: 'total' in answer ? answer.total : undefined };
};

/** What an operation costs before it runs. */
const unitsOf = ({ searches = 1 }: Operation, { values }: ParsedQuery): number => {
  const { q, by } = values as { q?: string; by?: string };
  return Math.max(searches * costOf(q, 0), by === undefined ? 1 : groupUnits);
};

/** The answer of an operation for a page: the same checks, and never a credential. `spent`: the units of the page's calls. */
export const answerOf = async (
  app: FastifyInstance,
  request: FastifyRequest,
  { id, params, url }: { id: OperationId; params: Record<string, string>; url: string },
  spent: { units: number },
): Promise<Answered> => {
  const served = app.services.served.get(id);
  if (served === undefined) throw new Error(`${id} has no route`);
  const { operation } = served;
  checkParams(params);
  const parsed = parseQuery(operation.query, url);
  spent.units += unitsOf(operation, parsed);
  await admit(app.services.limits, request, spent.units);
  const caller = operation.auth === 'none' ? undefined : null;
  return run(app, request, served, { params, parsed, caller, header: () => {} });
};

export const route = <O extends Operation>(app: FastifyInstance, operation: O, handler: Handler<O>): void => {
  const { config, limits } = app.services;
  const check = config.CHECK_RESPONSES ? contractCheck(operation) : null;
  const served: Served = { operation, handler: handler as unknown as AnyHandler, check };
  app.services.served.set(operation.id, served);

  const callerOf = async (request: FastifyRequest): Promise<Caller | null | undefined> => {
    if (operation.auth === 'none') return undefined; // credentials are not even read: the same bytes for all (gap G6)
    const caller = await findCaller(app, request);
    if (caller === null && operation.auth !== 'optional')
      throw unauthorized('This operation needs a credential: Authorization: Bearer <token>');
    return caller;
  };

  const [readsTokens, notices] = [operation.auth !== 'none', noticeHeaders(operation)];
  const options = { operation: operation.id, readsTokens, needsDatabase: true, notices };
  const url = config.BASE_PATH + routerPath(operation.path);

  // The checks follow the order of gap G4. The address's limit, method and path are done; parameters, the token's
  // limit, credential and the handler follow.
  getRoute<Record<string, string>>(app, url, options, async (request, reply) => {
    const { params } = request;
    checkParams(params);
    const parsed = parseQuery(operation.query, request.url);
    if (request.admission !== null) await admit(limits, request, unitsOf(operation, parsed));
    const caller = await callerOf(request);
    const header = (name: string, value: string) => void reply.header(name, value);
    const answer = await run(app, request, served, { params, parsed, caller, header });
    // Time has passed while the database read and the answer was built.
    const changesInMs = answer.changesInMs === null ? null : answer.changesInMs - reply.elapsedTime;
    const hasCredential = caller !== null && caller !== undefined;
    reply.header('cache-control', cacheControl(operation.cache, hasCredential, config.MAX_AGE_SECONDS, changesInMs));
    if (answer.total !== undefined) {
      const links = listLinks(app.services.apiUrl(), operation, params, parsed, answer.total);
      if (links !== undefined) reply.header('link', links);
    }
    const body = Buffer.from(`${successStart}${answer.data}}`);
    return sendBody(request, reply, freshBody(body, config.COMPRESS_FROM_BYTES));
  });
};
