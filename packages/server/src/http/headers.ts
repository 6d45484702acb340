// What every answer carries, whoever writes it: a handler, the framework or the parser.

export const jsonType = 'application/json; charset=utf-8';

export const commonHeaders = (requestId: string): Record<string, string> => ({
  'x-request-id': requestId,
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Link, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, Deprecation, Sunset',
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
