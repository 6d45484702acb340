// The client: one typed method for each operation, and iterators over pages and items. At run time it needs only the
// contract's table, URLs and errors; everything else is types.
import type { OperationId } from '@commonhall/contract/table';
import { table } from '@commonhall/contract/table';
import type { AnyArgs } from '@commonhall/contract/url';
import { urlOf } from '@commonhall/contract/url';
import type { ChangesOptions, ChangesPage } from './changes.ts';
import { readChanges } from './changes.ts';
import type { SendOptions } from './send.ts';
import { dataOf, makeSend } from './send.ts';
import type { Args, Data } from './types.ts';

export type { OperationId } from '@commonhall/contract/table';
export type { Change, ChangesOptions, ChangesPage } from './changes.ts';
export { ApiError } from './errors.ts';
export type * from './types.ts';

export interface ClientOptions extends SendOptions {
  /** The URL of the API, with its base path: https://api.example.org/v1 */
  baseUrl: string;
  /** An API key; sent only to operations that accept one. */
  token?: string;
}
export interface CallOptions {
  signal?: AbortSignal;
  /** How long this call may take, with all its retries. */
  timeoutMs?: number;
}

type Tail<Id extends OperationId> =
  Partial<Args<Id>> extends Args<Id>
    ? [args?: Args<Id>, options?: CallOptions]
    : [args: Args<Id>, options?: CallOptions];

/** The operations that return a page of a list. */
export type ListId = {
  [Id in OperationId]: (typeof table)[Id]['answer'] extends 'page' | 'slice' ? Id : never;
}[OperationId];
export type Item<Id extends ListId> = Data<Id> extends { items: (infer Item)[] } ? Item : never;

export type Client = { [Id in OperationId]: (...tail: Tail<Id>) => Promise<Data<Id>> } & {
  /** All pages of a list, from the page in the arguments on. Prefetches one page while you read the current one. */
  pages: { [Id in ListId]: (...tail: Tail<Id>) => AsyncGenerator<Data<Id>, void, undefined> };
  /** All items of a list, page by page. */
  items: { [Id in ListId]: (...tail: Tail<Id>) => AsyncGenerator<Item<Id>, void, undefined> };
  /** All public records and then what changes, to keep a copy. Ends when nothing is new, unless it follows. */
  changes: (options?: ChangesOptions) => AsyncGenerator<ChangesPage, void, undefined>;
};

interface AnyPage {
  items: unknown[];
  hasMore: boolean;
  page?: number;
  offset?: number;
}

const following = (args: AnyArgs, { hasMore, page, offset = 0, items }: AnyPage): AnyArgs | null => {
  if (!hasMore || items.length === 0) return null;
  return page === undefined ? { ...args, offset: offset + items.length } : { ...args, page: page + 1 };
};

export const createClient = ({ baseUrl, token, ...sending }: ClientOptions): Client => {
  const send = makeSend(sending);
  const call = async (id: OperationId, args: AnyArgs = {}, options: CallOptions = {}): Promise<unknown> => {
    const isSecret = token !== undefined && table[id].auth !== 'none';
    return send(urlOf(baseUrl, id, args), isSecret ? { authorization: `Bearer ${token}` } : {}, dataOf, options);
  };

  async function* pages(id: ListId, args: AnyArgs = {}, options: CallOptions = {}): AsyncGenerator<AnyPage> {
    const stop = new AbortController();
    const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
    const request = (next: AnyArgs | null): Promise<AnyPage> | null => {
      if (next === null) return null;
      const page = call(id, next, { ...options, signal }) as Promise<AnyPage>;
      page.catch(() => {}); // no unhandled rejection: the error is thrown when the page is awaited
      return page;
    };
    try {
      for (let coming = request(args); coming !== null; ) {
        const page: AnyPage = await coming;
        coming = request(following(args, page));
        yield page;
      }
    } finally {
      stop.abort(); // the caller has stopped reading: cancel the prefetch
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
    changes: (options: ChangesOptions = {}) => readChanges(baseUrl, send, options),
  } as unknown as Client;
};
