// What caches may do with an answer: ETag of its bytes, 304, and Cache-Control by the operation's class.
import { hash } from 'node:crypto';
import type { CacheClass } from '@commonhall/contract/operation';

/** Strong: a hash of the bytes, never of a time. 128 bits are plenty. */
export const etagOf = (body: Buffer): string => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;

/** The tags of If-None-Match that are compared; a caller could send thousands. */
const mostTags = 100;
/** If-None-Match compares weakly (RFC 9110, 13.1.2). */
export const isMatch = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' ||
    ifNoneMatch.split(',', mostTags).some((tag) => tag.trim().replace(/^W\//, '') === etag));

export const cacheControl = (
  cache: CacheClass,
  hasCredential: boolean,
  maxAgeSeconds: number,
  changesInMs: number | null,
): string => {
  if (cache === 'private' || (cache === 'mixed' && hasCredential)) return 'private, no-store';
  // Never fresh past the time at which the clock alone changes the body (gap G10).
  const fresh =
    changesInMs === null ? maxAgeSeconds : Math.min(maxAgeSeconds, Math.max(0, Math.floor(changesInMs / 1000)));
  // must-revalidate: a cache may not show a stale response either, since the row may have been hidden meanwhile.
  return `public, max-age=${fresh}, must-revalidate`;
};
