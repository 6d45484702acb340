// The client: one method for each operation, typed from the contract's values, and iterators over pages and items.
// Of the contract it carries only the plain table; everything else is types.
import type { Operations } from '@commonhall/contract';
import type { ErrorCode } from '@commonhall/contract/errors';
import type { DataOf, ParamsOf, QueryOf } from '@commonhall/contract/operation';
import type { OperationId } from '@commonhall/contract/table';
import { table } from '@commonhall/contract/table';

export interface ClientOptions {
  /** Where the API is, with its base path: https://api.example.org/v1 */
  baseUrl: string;
  /** An API key; sent only to the operations that read one. */
  token?: string;
  fetch?: typeof fetch;
}
export interface CallOptions {
  signal?: AbortSignal;
}

/** A failure of the API. `NO_ANSWER`: none at all (status 0), or one that is not Commonhall's. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'NO_ANSWER';
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  constructor(status: number, code: ErrorCode | 'NO_ANSWER', message: string, headers?: Headers, cause?: unknown) {
    super(message, { cause });
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.requestId = headers?.get('x-request-id') ?? null;
    const retryAfter = headers?.get('retry-after');
    this.retryAfterSeconds = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) : null;
  }
}

export type Args<Id extends OperationId> = ParamsOf<Operations[Id]> & QueryOf<Operations[Id]>;
export type Data<Id extends OperationId> = DataOf<Operations[Id]>;
type Tail<Id extends OperationId> =
  Partial<Args<Id>> extends Args<Id>
    ? [args?: Args<Id>, options?: CallOptions]
    : [args: Args<Id>, options?: CallOptions];

type ListId = { [Id in OperationId]: (typeof table)[Id]['answer'] extends 'page' | 'slice' ? Id : never }[OperationId];
type ItemOf<Id extends ListId> = Data<Id> extends { items: (infer Item)[] } ? Item : never;

export type Client = { [Id in OperationId]: (...tail: Tail<Id>) => Promise<Data<Id>> } & {
  /** Every page of a list, beginning where the arguments say. */
  pages: { [Id in ListId]: (...tail: Tail<Id>) => AsyncGenerator<Data<Id>, void, undefined> };
  /** Every item of a list. */
  items: { [Id in ListId]: (...tail: Tail<Id>) => AsyncGenerator<ItemOf<Id>, void, undefined> };
};

type AnyArgs = Record<string, string | number | boolean | undefined>;

/** The URL of a call. Throws on an argument that the operation does not have: nothing is dropped in silence. */
export const urlOf = (baseUrl: string, id: OperationId, args: AnyArgs): string => {
  const row: { path: string; query: readonly string[] } = table[id];
  const used = new Set<string>();
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = args[name];
    if (value === undefined || value === '') throw new TypeError(`${id} needs the argument ${name}`);
    // A URL loses these on its way, and another operation would be called.
    if (value === '.' || value === '..') throw new TypeError(`${id}: ${name} cannot be ${value}`);
    used.add(name);
    return encodeURIComponent(value);
  });
  const pairs = row.query.flatMap((name) => {
    used.add(name);
    const value = args[name];
    return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`];
  });
  const stranger = Object.keys(args).find((name) => !used.has(name));
  if (stranger !== undefined) throw new TypeError(`${id} has no argument ${stranger}`);
  return baseUrl.replace(/\/+$/, '') + path + (pairs.length === 0 ? '' : `?${pairs.join('&')}`);
};

const parse = (text: string, { status, headers }: Response): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ApiError(status, 'NO_ANSWER', 'The answer is not JSON', headers, cause);
  }
};

const readAnswer = async (response: Response): Promise<unknown> => {
  const body = parse(await response.text(), response);
  const envelope = body as { success?: unknown; data?: unknown; error?: unknown; code?: unknown } | null;
  if (envelope?.success === true) return envelope.data;
  if (envelope?.success === false)
    throw new ApiError(response.status, envelope.code as ErrorCode, String(envelope.error), response.headers);
  throw new ApiError(response.status, 'NO_ANSWER', 'The answer has no envelope', response.headers);
};

interface AnyPage {
  items: unknown[];
  hasMore: boolean;
  page?: number;
  offset?: number;
}

export const createClient = ({ baseUrl, token, fetch: send = fetch }: ClientOptions): Client => {
  const call = async (id: OperationId, args: AnyArgs = {}, { signal }: CallOptions = {}): Promise<unknown> => {
    const url = urlOf(baseUrl, id, args);
    const headers: Record<string, string> = {};
    if (token !== undefined && table[id].auth !== 'none') headers.authorization = `Bearer ${token}`;
    try {
      return await readAnswer(await send(url, { headers, ...(signal === undefined ? {} : { signal }) }));
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      if (cause instanceof ApiError) throw cause;
      throw new ApiError(0, 'NO_ANSWER', `No whole answer from ${new URL(url).origin}`, undefined, cause);
    }
  };

  async function* pages(id: ListId, args: AnyArgs = {}, options: CallOptions = {}): AsyncGenerator<AnyPage> {
    for (let next: AnyArgs | undefined = args; next !== undefined; ) {
      const page = (await call(id, next, options)) as AnyPage;
      yield page;
      if (!page.hasMore) next = undefined;
      else if (page.page !== undefined) next = { ...args, page: page.page + 1 };
      else next = { ...args, offset: (page.offset ?? 0) + page.items.length };
    }
  }
  async function* items(id: ListId, args?: AnyArgs, options?: CallOptions): AsyncGenerator<unknown> {
    for await (const page of pages(id, args, options)) yield* page.items;
  }

  const ids = Object.keys(table) as OperationId[];
  const lists = ids.filter((id): id is ListId => table[id].answer === 'page' || table[id].answer === 'slice');
  const each = <I extends OperationId>(names: readonly I[], make: (id: I) => unknown) =>
    Object.fromEntries(names.map((id) => [id, make(id)]));
  return {
    ...each(ids, (id) => (args?: AnyArgs, options?: CallOptions) => call(id, args, options)),
    pages: each(lists, (id) => (args?: AnyArgs, options?: CallOptions) => pages(id, args, options)),
    items: each(lists, (id) => (args?: AnyArgs, options?: CallOptions) => items(id, args, options)),
  } as unknown as Client;
};
