// Requests for a caller-dependent path in every disguise: other spellings of the path, of the credential and of headers
// that a cache or a framework may read. For tests that a cache shows nobody the response of another.
import { pick, random } from '../../../../test/helpers/random.ts';

export interface Mutation {
  path: (path: string) => string;
  /** The header lines that carry a credential; `other`: the token of another caller. */
  credential: (token: string, other: string) => string[];
  /** Header lines beside it, as names and values. */
  headers: string[];
}

const letter = (path: string): number => 1 + random(path.length - 1);
const encoded = (path: string, form: (code: string) => string): string => {
  const at = letter(path);
  return path.slice(0, at) + form(path.charCodeAt(at).toString(16)) + path.slice(at + 1);
};
/** Each is drawn once and then does the same to every path, so that all callers send the same URL. */
const paths: readonly ((path: string) => string)[] = [
  (path) => path,
  (path) => path.toUpperCase(),
  (path) => path.replace(/\/(\w)/, (_, first: string) => `/${first.toUpperCase()}`),
  (path) => encoded(path, (code) => `%${code}`),
  (path) => encoded(path, (code) => `%${code.toUpperCase()}`),
  (path) => encoded(path, (code) => `%25${code}`),
  (path) => path.replace(/e/g, '%65'),
  (path) => path.replaceAll('/', '%2F').replace('%2F', '/'),
  (path) => path.replace(/\/([^/]*)$/, '%2f$1'),
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => path.replace(/\/([^/]*)$/, '//$1'),
  (path) => path.replace(/\/([^/]*)$/, '/./$1'),
  (path) => path.replace(/\/([^/]*)$/, '/x/../$1'),
  (path) => path.replace(/\/([^/]*)$/, '/%2e%2e/$1'),
  (path) => `/agents/..${path}`,
  (path) => `/agents/%2e%2e${path}`,
  (path) => `/agents/..%2f${path.slice(1)}`,
  (path) => `${path}/../me`,
  (path) => `${path};a=b`,
  (path) => `${path}.json`,
  (path) => `${path}/style.css`,
  (path) => `${path}%00.css`,
  (path) => `${path}%0a`,
  (path) => `${path}%20`,
  (path) => `${path}%3fpage=1`,
  (path) => `${path}%zz`,
  (path) => `${path}\\`,
  (path) => `${path}?`,
  (path) => `${path}??`,
  (path) => `${path}?&`,
  (path) => `${path}?page=1`,
  (path) => `${path}?page=1&pageSize=20`,
  (path) => `${path}?pageSize=20&page=1`,
  (path) => `${path}?page=1&page=1`,
  (path) => `${path}?p%61ge=1`,
  (path) => `${path}?page=2&pageSize=1`,
  (path) => `${path}?_=${random(1000)}`,
  (path) => `${path}?/style.css`,
  (path) => `http://other.example.org${path}`,
];
const credentials: readonly Mutation['credential'][] = [
  (token) => ['Authorization', `Bearer ${token}`],
  (token) => ['authorization', `bearer ${token}`],
  (token) => ['AUTHORIZATION', `BEARER   ${token}  `],
  (token) => ['Authorization', `Bearer\t${token}`],
  (token) => ['Authorization', `Bearer ${token}, Bearer ${token}`],
  (token) => ['Authorization', token],
  (token) => ['Authorization', `Basic ${token}`],
  (token) => ['Authorization', '0', 'X-Api-Key', token],
  (token) => ['Authorization', '', 'Authorization', `Bearer ${token}`],
  (token) => ['Authorization', `Bearer ${token}`, 'Authorization', ''],
  (token, other) => ['Authorization', `Bearer ${token}`, 'authorization', `Bearer ${other}`],
  (token, other) => ['Authorization', `Bearer ${token}`, 'Cookie', `Authorization=Bearer ${other}`],
  (token) => ['Authorization', `Bearer ${token}`, 'Connection', 'keep-alive, Authorization'],
  (token) => ['Proxy-Authorization', `Bearer ${token}`],
  (token) => ['X-Forwarded-Authorization', `Bearer ${token}`],
  (token) => ['Cookie', `session=${token}; token=${token}`],
];
const others: readonly string[][] = [
  [],
  ['Accept-Encoding', 'gzip'],
  ['Accept-Encoding', 'gzip, deflate, br, zstd'],
  ['Accept-Encoding', 'GZIP;q=0.5, identity;q=0'],
  ['Accept-Encoding', 'gzip;q=0'],
  ['Accept-Encoding', '*'],
  ['Accept-Encoding', 'br'],
  ['X-Forwarded-For', '198.51.100.7'],
  ['X-Forwarded-Host', 'other.example.org', 'X-Forwarded-Proto', 'http', 'X-Forwarded-Port', '1'],
  ['Forwarded', 'for=198.51.100.7;host=other.example.org'],
  ['X-HTTP-Method-Override', 'PUT'],
  ['X-Original-URL', '/bounties/me'],
  ['X-Rewrite-URL', '/launches/product-1'],
  ['X-Accel-Redirect', '/bounties/me', 'X-Accel-Expires', '60'],
  ['Surrogate-Control', 'max-age=60', 'Surrogate-Capability', 'a="ESI/1.0"'],
  ['Cache-Control', 'no-cache', 'Pragma', 'no-cache'],
  ['Cache-Control', 'only-if-cached, max-stale=1000'],
  ['Cookie', 'a=b'],
  ['Accept', 'text/css'],
  ['Origin', 'https://other.example.org'],
  ['If-None-Match', '*'],
  ['If-None-Match', '"nothing"'],
  ['If-Modified-Since', 'Thu, 01 Jan 2099 00:00:00 GMT'],
  ['If-Range', '"nothing"'],
  ['Vary', 'Host', 'X-Request-Id', 'mine'],
];

/** The first have one disguise each, so that a few dozen cover every one of the path and of the credential. */
export const drawMutations = (count: number): Mutation[] => {
  const plain = { path: paths[0]!, credential: credentials[0]!, headers: [] };
  const single: Mutation[] = [
    ...paths.map((path) => ({ ...plain, path })),
    ...credentials.slice(1).map((credential) => ({ ...plain, credential })),
    ...others.slice(1).map((headers) => ({ ...plain, headers })),
  ];
  const drawn = Array.from({ length: Math.max(0, count - single.length) }, () => ({
    path: pick(paths),
    credential: pick(credentials),
    headers: [...pick(others), ...pick(others)],
  }));
  return [...single, ...drawn].slice(0, count);
};
