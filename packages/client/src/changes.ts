// The feed of public changes: all public records, then what changes, page by page.
import { changesUrl } from '@commonhall/contract/url';
import { ApiError } from './errors.ts';
import type { makeSend, Read } from './send.ts';
import { dataOf, sleep } from './send.ts';

/** Apply them in order. A delete takes what is below the row with it; its key may have some columns of the key only, or
 * the column that names the row above: it means every row with these values. */
export type Change =
  | { op: 'put'; table: string; record: Record<string, unknown> }
  | { op: 'delete'; table: string; key: Record<string, string> }
  /** Remove the person whose id has this SHA-256, and everything of them. */
  | { op: 'erase'; sha256: string };

export interface ChangesPage {
  changes: Change[];
  /** Store it together with the changes; `since` continues from here. */
  cursor: string;
}
export interface ChangesOptions {
  /** The cursor of an earlier page; without it, all public records come first. Too old is `CURSOR_EXPIRED`: empty the copy
   * and begin again without it. */
  since?: string | undefined;
  /** Waits for more at the end, and asks once a second. */
  follow?: boolean;
  signal?: AbortSignal;
  /** How long one request may take, with all its retries. */
  timeoutMs?: number;
}

const pollMs = 1000;

const readPage: Read<ChangesPage> = (text, response) => {
  const cursor = /[?&]since=([\w-]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  if (response.status !== 200 && response.status !== 304) dataOf(text, response); // throws
  if (cursor === undefined)
    throw new ApiError(response.status, 'NO_ANSWER', 'The answer has no link to the next page', response.headers);
  return {
    changes: text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Change),
    cursor,
  };
};

export async function* readChanges(
  baseUrl: string,
  send: ReturnType<typeof makeSend>,
  { since, follow = false, signal = new AbortController().signal, timeoutMs }: ChangesOptions,
): AsyncGenerator<ChangesPage, void, undefined> {
  for (let cursor = since; ; ) {
    const page = await send(changesUrl(baseUrl, cursor), {}, readPage, { signal, timeoutMs });
    if (page.cursor !== cursor) yield page;
    else if (!follow) return;
    else await sleep(pollMs, signal);
    cursor = page.cursor;
  }
}
