// Headers of every response, from a handler, the framework or the parser; and request headers as they were sent.
import type { IncomingMessage } from 'node:http';

export const jsonType = 'application/json; charset=utf-8';

/** Every value of a header. Node joins repeated headers, or drops all but one. */
export const headerValues = ({ rawHeaders }: IncomingMessage, name: string): string[] => {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index]!;
    if (given.length === name.length && given.toLowerCase() === name) values.push(rawHeaders[index + 1]!);
  }
  return values;
};

export const commonHeaders = (requestId: string): Record<string, string> => ({
  'x-request-id': requestId,
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Link, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, Deprecation, Sunset, Commonhall-Stability',
  'x-content-type-options': 'nosniff',
  // Storing is opt-in: only a public 200 or 304 says otherwise.
  'cache-control': 'no-store',
});

/** `*` does not cover Authorization, so both are named. */
export const preflightHeaders: Record<string, string> = {
  allow: 'GET, HEAD, OPTIONS',
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'Authorization, If-None-Match',
  'access-control-max-age': '86400',
};
