// Sends one call: retries, the time limit, and the cache of responses with their ETags.
import type { ErrorCode } from '@commonhall/contract/errors';
import { ApiError } from './errors.ts';

export interface SendOptions {
  /** How long a call may take, with all its retries. Default 30,000 ms. */
  timeoutMs?: number;
  /** How often a call is retried after 429, 503, a broken connection, or 502 and 504 of a proxy. Default 3. */
  retries?: number;
  /** How many responses are cached; an unchanged one is not sent again (304). Default 0. */
  cacheSize?: number;
  /** Sends the requests. Default: the platform's fetch. */
  fetch?: typeof fetch;
}

interface CachedResponse {
  etag: string;
  text: string;
}

/** For error messages. In a browser the URL may be relative. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);
/** The longest delay that timers support. */
const longestMs = 2 ** 31 - 1;
/** Statuses worth a retry. 0: no response. 502 and 504 come from a proxy that could not reach the server. */
const passes = [0, 429, 502, 503, 504];
/** The first backoff without Retry-After; doubled with each attempt. */
const firstPauseMs = 250;

/** Retry-After if given, else exponential backoff. The jitter avoids a thundering herd. */
const pauseMs = ({ retryAfterSeconds }: ApiError, attempt: number): number => {
  const least = retryAfterSeconds === null ? firstPauseMs * 2 ** attempt * 0.5 : retryAfterSeconds * 1000;
  return least + Math.random() * firstPauseMs * 2 ** attempt * 0.5;
};

export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });

/** What a call makes of a response. */
export type Read<T> = (text: string, response: Response) => T;
/** The data of the envelope; throws the failure. */
export const dataOf: Read<unknown> = (text, { status, headers }) => {
  let envelope: { success?: unknown; data?: unknown; error?: unknown; code?: unknown } | null;
  try {
    envelope = JSON.parse(text);
  } catch (cause) {
    throw new ApiError(status, 'NO_ANSWER', 'The answer is not JSON', headers, cause);
  }
  if (envelope?.success === true) return envelope.data;
  if (envelope?.success === false)
    throw new ApiError(status, envelope.code as ErrorCode, String(envelope.error), headers);
  throw new ApiError(status, 'NO_ANSWER', 'The answer has no envelope', headers);
};

/** Returns a function that fetches a URL. */
export const makeSend = ({ timeoutMs = 30_000, retries = 3, cacheSize = 0, fetch: request = fetch }: SendOptions) => {
  const cache = new Map<string, CachedResponse>();

  const attempt = async <T>(
    url: string,
    headers: Record<string, string>,
    read: Read<T>,
    signal: AbortSignal,
  ): Promise<T> => {
    const known = cache.get(url);
    const asked = known === undefined ? headers : { ...headers, 'if-none-match': known.etag };
    let response: Response;
    let text: string;
    try {
      response = await request(url, { headers: asked, signal });
      text = await response.text();
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      throw new ApiError(0, 'NO_ANSWER', `No complete response from ${originOf(url)}`, undefined, cause);
    }
    const isSame = known !== undefined && response.status === 304;
    if (isSame) text = known.text;
    const data = read(text, response);
    const etag = isSame ? known.etag : response.headers.get('etag');
    const mayKeep = !/no-store/.test(response.headers.get('cache-control') ?? '');
    if (cacheSize > 0 && etag !== null && mayKeep) {
      // LRU by the insertion order of the map: the most recently used entry is last, the first one is evicted.
      cache.delete(url);
      cache.set(url, { etag, text });
      if (cache.size > cacheSize) cache.delete(cache.keys().next().value!);
    }
    return data;
  };

  return async <T>(
    url: string,
    headers: Record<string, string>,
    read: Read<T>,
    { signal, timeoutMs: limitMs = timeoutMs }: { signal?: AbortSignal | undefined; timeoutMs?: number | undefined },
  ): Promise<T> => {
    const timeout = AbortSignal.timeout(Math.min(limitMs, longestMs));
    const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    const deadline = Date.now() + limitMs;
    let last: unknown;
    try {
      for (let tries = 0; ; tries++)
        try {
          return await attempt(url, headers, read, either);
        } catch (error) {
          last = error;
          if (!(error instanceof ApiError) || !passes.includes(error.status) || tries >= retries) throw error;
          const ms = pauseMs(error, tries);
          if (Date.now() + ms > deadline) throw error; // the retry would come after the deadline
          await sleep(ms, either);
        }
    } catch (error) {
      if (error !== timeout.reason || signal?.aborted) throw error;
      const message = `No answer from ${originOf(url)} within ${limitMs} ms`;
      throw last instanceof ApiError ? last : new ApiError(0, 'NO_ANSWER', message, undefined, error);
    }
  };
};
