// Hostile HTTP/1.1 requests, drawn from a seed: what a caller could send that no client would. Most are a valid request
// with one to three things wrong; the others are no HTTP at all, or break off.

export type Random = (below: number) => number;

export interface Hostile {
  kind: string;
  /** Written in this order; a number is a pause in milliseconds. */
  parts: (Buffer | number)[];
  method: string;
  /** False: by its headers it may end elsewhere than its bytes, so that a part of the next request is taken for its own. */
  isFramed: boolean;
  /** What the caller does after it: waits, closes its side, or resets the connection. */
  ending: 'wait' | 'half-close' | 'reset';
}

const operations =
  '/agents /agents/helper /agents/helper/agent-registration.json /bounties /bounties/me /bounties/x /launches /launches/x /collections /contests /users/x /users/x/timeline /repositories /counts /search?q=a /status /changes';
const pages =
  '/ /healthz /readyz /openapi.json /llms.txt /docs /docs/reference /robots.txt /mcp /explore /explore/operations /explore/search /explore/agents /explore/launches /explore/repositories /explore/users/x /explore/agents/helper';
const paths = `${operations} ${pages}`.split(' ');
// biome-ignore format: a list
const ids = [
  '%00', '%2e%2e', '..', '.', '%2F', '%2f..%2f', '%C0%AF', '%ED%A0%80', '%F5%80%80%80', '%', '%2', '%zz', '%FF%FE', '__proto__',
  'constructor', '%EF%BC%91', '%E2%80%AE', "'%20or%201=1--", '%22', '-1', '0', '9'.repeat(400), 'a'.repeat(101), '%F0%9F%92%A9',
  '%0d%0aX:%20y', '*', ':name', '{name}', '%25%30%30', 'me', 'featured', '%e2%82', 'a%2Fb', ';a=b', ',', '~', '%7f', '$where',
];
// biome-ignore format: a list
const parameters = [
  'page', 'pageSize', 'q', 'sortBy', 'sortOrder', 'from', 'to', 'category', 'since', 'cursor', 'by', 'tz', 'year', 'offset', 'count',
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__proto__[x]', 'page[]', 'a.b', '', '%5F_proto__', 'Page',
];
// biome-ignore format: a list
const values = [
  '', '1', '0', '-1', '1e9', '9'.repeat(30), '9007199254740993', '0x10', '1.5', 'NaN', 'null', '%00', 'a%00b', '%', '%zz', '%C3%28',
  '%ED%A0%80', '%E2%80%AE', 'a'.repeat(200), "'%20or%20''='", '%25', '%5C', '_', '%25%25', '2026-01-31T00:00:00.000Z',
  '2026-99-99T00:00:00.000Z', 'desc', 'asc', 'x', '+', '%20', '[]', '{}', '%F0%9F%92%A9', 'a,b,c', '1,1', 'true', '=', '%3D', '((((',
];
// biome-ignore format: a list
const methods = [
  'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY', 'get', 'GeT', 'GETT', 'G', '',
  'G\0T', 'PRI', 'SOURCE', 'M-SEARCH', '\x80GET', 'GET GET', 'X'.repeat(300),
];
// biome-ignore format: a list
const versions = [
  'HTTP/1.1', 'HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9', 'HTTP/1.11', 'HTTP/1', 'HTTP/1.', 'http/1.1', 'HTTPS/1.1', 'ICE/1.0', '',
  'HTTP/1.1 x', 'HTTP/-1.1', 'RTSP/1.0', 'HTTP/\x001.1',
];
// biome-ignore format: a list
const targets = [
  '*', 'http://x/agents', 'https://user:password@x/agents', 'http://', 'http:///agents', 'x:80', '//x/agents', '/\\agents',
  '/agents#x', '/agents%2Fhelper', '/%61gents', '/agents/', '//agents', '/agents//helper', '/./agents', '/../agents', '/agents/..',
  '/agents/\0', '/agents/\xff\xfe', '/agents/\xc3\xa4', '/a b', '', '?', '?page=1', '/?', '/agents?', '/agents??', '/agents?&&&', '/%',
  '/%00', 'agents', 'ftp://x/', 'file:///etc/passwd', '/explore/..%2f..%2fetc/passwd', '/docs/../../package.json', '/docs/%2e%2e/x',
  '/docs/decisions/%00', '/docs/__proto__', '/docs/constructor', '/mcp/', '/mcp?x', '/explore?__proto__', '/metrics',
];
// biome-ignore format: a list
const headers = [
  'Host: y', 'Host:', 'Host: a b', 'Host : x', ' Host: x', 'Content-Length: 0', 'Content-Length: 5', 'Content-Length: -1',
  'Content-Length: 5\r\nContent-Length: 6', 'Content-Length: 5\r\nContent-Length: 5', 'Content-Length: 5, 5', 'Content-Length: +5',
  'Content-Length: 0x5', 'Content-Length: 99999999999999999999', 'Content-Length: ', 'Content-Length: 5 5',
  'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked\r\nContent-Length: 5', 'Content-Length: 5\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked', 'Transfer-Encoding: chunked, gzip', 'Transfer-Encoding: identity', 'Transfer-Encoding: xchunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', 'Transfer-Encoding:\tchunked', 'Transfer-Encoding : chunked',
  'Transfer-Encoding: CHUNKED', 'Transfer-Encoding: "chunked"', 'Transfer_Encoding: chunked', 'X: a\r\n b', 'X: a\r\n\tb', 'X:\r\n', 'X', ':',
  ': y', 'X\0: y', 'X: \0', 'X: \x7f\x80\xff', 'X: a\rb', 'X: a\nb', '\tX: y', 'X: \x1b[2J', 'X(: y', '__proto__: x', 'constructor: x',
  '__proto__: x\r\n__proto__: y', 'Expect: 100-continue', 'Expect: 100-Continue', 'Expect: miracles', 'Expect:', 'Expect: 100-continue, x',
  'Upgrade: websocket', 'Upgrade: websocket\r\nConnection: Upgrade', 'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABk',
  'Connection: Upgrade', 'Connection: close', 'Connection: keep-alive', 'Connection: close, keep-alive', 'Connection: Content-Length, Host',
  'Connection: ,,,', 'Connection:', 'Keep-Alive: timeout=99999999', 'Proxy-Connection: close', 'TE: trailers', 'Trailer: Host',
  'Authorization:', 'Authorization: Bearer', 'Authorization: Bearer ', 'Authorization: bearer x', 'Authorization: Basic Og==',
  'Authorization: Bearer chk_test_x', 'Authorization: Bearer chk_live_\xff', 'Authorization: Bearer a.b.c',
  'Authorization: Bearer eyJhbGciOiJub25lIn0.e30.', 'Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.W10.AA', 'Authorization: Bearer x, Bearer y',
  'Authorization: Bearer x\r\nAuthorization: Bearer y', 'Authorization: Bearer __proto__', 'Range: bytes=0-0', 'Range: bytes=9-1', 'Range: x',
  'Range: bytes=0-0,0-0,0-0,0-0', 'If-Range: "x"', 'If-None-Match: *', 'If-None-Match: "', 'If-None-Match: W/', 'If-None-Match: ,,,,"',
  'If-Match: "x"', 'If-Modified-Since: x', 'If-Modified-Since: Thu, 99 Xxx 9999 99:99:99 GMT', 'If-Unmodified-Since: 0',
  'Accept-Encoding: gzip;q=x', 'Accept-Encoding: *;q=0', 'Accept-Encoding: gzip;q=0,identity;q=0', 'Accept-Encoding: ,', 'Accept: \xff',
  'Accept: text/html', 'Accept-Language: \0', 'Content-Type: application/json', 'Content-Type: application/json; charset=x', 'Content-Type: x',
  'Content-Encoding: gzip', 'X-Forwarded-For: 1.2.3.4', 'X-Forwarded-For: x', 'Forwarded: for=_x', 'X-Forwarded-Host: evil', 'X-Request-Id: \x07',
  'X-HTTP-Method-Override: DELETE', 'traceparent: 00-0-0-0', 'traceparent: 00-00000000000000000000000000000001-0000000000000001-01',
  'Origin: null', 'Origin: x', 'Origin: http://x\r\nAccess-Control-Request-Method: GET', 'Access-Control-Request-Method: x', 'Cookie: a',
  'Referer: \xff', 'User-Agent: ', 'Max-Forwards: 0', 'Mcp-Session-Id: x', 'MCP-Protocol-Version: x',
];
// biome-ignore format: a list
const bodies = [
  'hello', '{}', '[]', 'null', '{"jsonrpc":"2.0"}', '{"__proto__":{"x":1}}', '[[[[[[', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","arguments":{}}}', '\xff\xfe', '\0', '"',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"getAgent","arguments":{"name":"__proto__","constructor":1}}}',
  '{"jsonrpc":"2.0","id":{},"method":[]}', '['.repeat(5000), '{"a":'.repeat(3000), ' '.repeat(70_000), '1e999', '{"a":1,"a":2}',
];
/** The coding of a body: right, or wrong in a way that a parser may read differently from another one. */
const chunks = [
  (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  (body: string) => `${body.length.toString(16)};a="b"\r\n${body}\r\n0\r\nHost: y\r\n\r\n`,
  (body: string) => `0x${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  (body: string) => `${(body.length + 1).toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  (body: string) => `${body.length.toString(16)}\n${body}\n0\n\n`,
  (body: string) => `${body.length.toString(16)} \r\n${body}\r\n0\r\n\r\n`,
  (body: string) => `-1\r\n${body}\r\n0\r\n\r\n`,
  (body: string) => `ffffffffffffffffff\r\n${body}`,
  (body: string) => `${body.length.toString(16)}${';x'.repeat(9000)}\r\n${body}\r\n0\r\n\r\n`,
  (body: string) => `0\r\n${body}`,
  () => 'zz\r\n\r\n',
  () => '\r\n',
];
// biome-ignore format: a list
const noHttp = [
  'nonsense\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'GET /agents\r\n\r\n', '\0'.repeat(100),
  'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', '\xff'.repeat(50), '{"a":1}\r\n\r\n', 'SSH-2.0-x\r\n', ' GET /agents HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET  /agents HTTP/1.1\r\nHost: x\r\n\r\n', 'GET\t/agents\tHTTP/1.1\r\nHost: x\r\n\r\n', 'GET /agents HTTP/1.1\nHost: x\n\n', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /agents HTTP/1.1\rHost: x\r\r', 'A'.repeat(40_000), 'PROXY TCP4 1.2.3.4 1.2.3.4 1 2\r\n', 'GET /agents HTTP/1.1\r\n\r\n', '\r\n\r\nGET /\r\n',
];

/** A generator of hostile requests. */
export const hostileRequests = (random: Random): (() => Hostile) => {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const oneIn = (n: number): boolean => random(n) === 0;
  const noise = (): string => String.fromCharCode(120, ...Array.from({ length: 1 + random(60) }, () => random(256)));

  const query = (): string =>
    Array.from({ length: 1 + random(3) }, () => `${pick(parameters)}${oneIn(8) ? '' : '='}${pick(values)}`).join('&');
  const target = (): string => {
    if (oneIn(4)) return pick(targets);
    if (oneIn(30)) return `/${'x'.repeat(8100 + random(200))}`;
    const path = oneIn(3) ? `${pick(paths)}/${pick(ids)}` : pick(paths);
    return oneIn(2) ? path : `${path}${path.includes('?') ? '&' : '?'}${query()}`;
  };
  const wrongHeaders = (): string[] => {
    if (oneIn(2000)) return ['Content-Length: 4294967297']; // waits for the time limit of the server: ten seconds
    if (oneIn(25)) return [`X: ${'x'.repeat(pick([8000, 32_000, 33_000, 70_000]))}`];
    if (oneIn(25)) return Array.from({ length: pick([100, 998, 1001, 5000]) }, (_, n) => `X${n % 7}:`);
    if (oneIn(25)) return [`X: ${noise()}`];
    return Array.from({ length: random(4) }, () => pick(headers));
  };

  const request = (): Pick<Hostile, 'kind' | 'method' | 'isFramed'> & { text: string } => {
    if (oneIn(12)) return { kind: 'no HTTP', method: 'GET', isFramed: true, text: oneIn(3) ? noise() : pick(noHttp) };
    const method = oneIn(3) ? pick(methods) : 'GET';
    const more = wrongHeaders();
    let isFramed = !more.some((line) => /length|encoding/i.test(line));
    const withBody = oneIn(4);
    const isTool = withBody && oneIn(2);
    const line = `${isTool ? 'POST' : method} ${isTool ? '/mcp' : target()} ${oneIn(10) ? pick(versions) : 'HTTP/1.1'}`;
    let body = '';
    if (withBody) {
      body = pick(bodies);
      if (isTool) more.push('Content-Type: application/json');
      if (oneIn(2)) {
        body = pick(chunks)(body);
        more.push('Transfer-Encoding: chunked');
      } else {
        const wrongBy = pick([0, 0, 0, 1, -1, 50]);
        more.push(`Content-Length: ${body.length + wrongBy}`);
        isFramed &&= wrongBy === 0;
      }
    }
    const host = oneIn(12) ? [] : ['Host: x'];
    const end = oneIn(30) ? '\n' : '\r\n';
    const text = [line, ...host, ...more, '', ''].join(end) + body;
    const kind = withBody ? 'with a body' : more.length > 0 ? 'headers' : 'line';
    return { kind, method: isTool ? 'POST' : method, isFramed, text };
  };

  return () => {
    const { kind, method, isFramed, text } = request();
    const whole = Buffer.from(text, 'latin1');
    if (oneIn(12)) {
      const part = whole.subarray(0, random(whole.length));
      // Rarely waits for the time limit of the server: that takes ten seconds.
      return {
        kind: 'truncated',
        method,
        isFramed,
        parts: [part],
        ending: oneIn(600) ? 'wait' : pick(['half-close', 'reset']),
      };
    }
    const ending = oneIn(15) ? 'half-close' : oneIn(30) ? 'reset' : 'wait';
    if (!oneIn(15) || whole.length < 2) return { kind, method, isFramed, parts: [whole], ending };
    const parts: (Buffer | number)[] = [];
    const step = Math.max(1, Math.ceil(whole.length / (2 + random(8))));
    for (let from = 0; from < whole.length; from += step) parts.push(whole.subarray(from, from + step), random(4));
    return { kind: 'slow', method, isFramed, parts, ending };
  };
};
