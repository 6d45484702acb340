// HTTP behaviour, also where no handler runs: requests that the parser or the framework rejects, CORS, base path,
// request ids.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { eventually } from '../../../test/helpers/process.ts';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
const api = await world.serve({ BASE_PATH: '/v1', PUBLIC_URL: 'https://api.example' });
const { port } = new URL(api.url);

/** Sends raw bytes and reads until the server closes the connection or is silent for `quietMs`. */
const raw = async (request: string, { quietMs = 10_000, keepAlive = false, halfClosed = false } = {}) => {
  const socket = connect(Number(port), '127.0.0.1');
  socket.setNoDelay(true);
  let text = '';
  socket.setTimeout(quietMs, () => socket.destroy());
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  // The first request asks to close the connection, so that the test need not wait for silence.
  socket.write(keepAlive ? request : request.replace('Host: x\r\n', 'Host: x\r\nConnection: close\r\n'), 'latin1');
  if (halfClosed) socket.end();
  await once(socket, 'close');
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const headers = new Map(
    lines.map((each) => [each.slice(0, each.indexOf(':')).toLowerCase(), each.slice(each.indexOf(':') + 2)]),
  );
  return { status: Number(line.split(' ')[1]), headers, body: rest.join('\r\n\r\n') };
};
const isEnveloped = (answer: Awaited<ReturnType<typeof raw>>, status: number, code = 'VALIDATION_ERROR') => {
  assert.equal(answer.status, status);
  const body = JSON.parse(answer.body) as object;
  assert.deepEqual(Object.keys(body), ['success', 'error', 'code']);
  assert.equal((body as { code: string }).code, code);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
};
const get = (path: string, headers = 'Host: x\r\n') => `GET ${path} HTTP/1.1\r\n${headers}\r\n`;

test('a request that is not valid HTTP is 400 in the envelope', async () => {
  isEnveloped(await raw('nonsense\r\n\r\n'), 400);
  isEnveloped(await raw('GET / HTTP/9.9\r\n\r\n'), 400);
  isEnveloped(await raw(get('/v1/contests', 'Host: x\r\nBad Header: y\r\n')), 400);
  isEnveloped(await raw(get('/v1/contests', 'Host: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n')), 400);
});

test('a missing Host header is 400 in the envelope; HTTP/1.0 needs none', async () => {
  isEnveloped(await raw(get('/v1/contests', 'Connection: close\r\n')), 400);
  assert.equal((await raw('GET /v1/contests HTTP/1.0\r\n\r\n')).status, 200);
});

test('two Host headers, an invalid one, and HTTP versions other than 1.1 and 1.0 are 400 (RFC 9112)', async () => {
  isEnveloped(await raw(get('/v1/contests', 'Host: x\r\nHost: x\r\n')), 400);
  isEnveloped(await raw(get('/v1/contests', 'Host: x\r\nhOST: y\r\n')), 400);
  for (const host of ['a b', 'a/b', 'user@host', 'x:port', '[::1', 'a,b/', '<x>', 'x%zz', 'x:1:2'])
    isEnveloped(await raw(get('/v1/contests', `Host: ${host}\r\nConnection: close\r\n`)), 400);
  for (const host of ['x', 'api.example:8080', '[::1]:80', '127.0.0.1', 'x:', 'a%20b', ''])
    assert.equal((await raw(get('/v1/contests', `Host: ${host}\r\nConnection: close\r\n`))).status, 200, host);
  isEnveloped(await raw('GET /v1/contests\r\nConnection: close\r\n\r\n'), 400);
  isEnveloped(await raw('GET /v1/contests HTTP/2.0\r\nHost: x\r\n\r\n'), 400);
  isEnveloped(await raw('GET /v1/contests HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n'), 400);
});

test('a client that has half-closed still gets its response', async () => {
  assert.equal((await raw(get('/v1/contests'), { keepAlive: true, halfClosed: true })).status, 200);
});

test('what follows a request before its response is not answered: the response announces that the connection is closed', async () => {
  const followers = [
    get('/v1/agents/%'),
    get('/v1/contests').repeat(3),
    'nonsense\r\n\r\n',
    'CONNECT a:1 HTTP/1.1\r\n\r\n',
  ];
  for (const follower of followers) {
    const answer = await raw(get('/v1/contests') + follower, { keepAlive: true });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('connection'), 'close');
    assert.doesNotMatch(answer.body, /HTTP\/1\.1/);
  }
});

test('a request whose body is not valid gets one response, and the connection is closed', async () => {
  const chunked = 'Host: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n';
  const typed = chunked.replace('application/json', 'text/plain');
  const notHttp = 'not-a-length\r\n';
  for (const [request, status, more = {}] of [
    [get('/v1/contests', chunked) + notHttp, 400],
    [get('/healthz', chunked) + notHttp, 400],
    [`POST /v1/contests HTTP/1.1\r\n${chunked}\r\n${notHttp}`, 405],
    [`POST /mcp HTTP/1.1\r\n${typed}\r\n${notHttp}`, 400],
    [`POST /mcp HTTP/1.1\r\n${chunked}\r\n${notHttp}`, 400],
    [`POST /mcp HTTP/1.1\r\n${chunked}\r\n2\r\n{}\r\n${notHttp}`, 400],
    // The rest never comes: the parser reports that at the end of the input.
    [get('/v1/contests', 'Host: x\r\nContent-Length: 9\r\n'), 400, { halfClosed: true }],
    [get('/v1/contests', 'Host: x\r\nContent-Length: 9\r\n'), 400, { quietMs: 60_000 }],
  ] as const) {
    const answer = await raw(request, { keepAlive: true, ...more });
    assert.deepEqual([answer.status, answer.body.match(/HTTP\/1\.1/g)], [status, null], request);
  }
});

test('an upgrade is not made: the response announces that the connection is closed, and what follows is not read', async () => {
  // Node drops the bytes that it has read behind such a request. The next ones would get the response of a request before.
  const upgrade = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
  for (const request of [
    get('/v1/contests', upgrade),
    get('/healthz', upgrade),
    get('/v1/contests', `${upgrade}Content-Length: 2\r\n`).concat('{}'),
    `POST /mcp HTTP/1.1\r\n${upgrade}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
  ])
    for (const follower of ['', get('/v1/agents/none'), get('/v1/agents/none').slice(0, 20)]) {
      const answer = await raw(request + follower, { keepAlive: true });
      assert.equal(answer.headers.get('connection'), 'close', request);
      assert.doesNotMatch(answer.body, /HTTP\/1\.1/);
    }
});

test('a long URL is 414, large headers are 431, a slow request is 408, an expectation is 417', async () => {
  isEnveloped(await raw(get(`/v1/agents/${'x'.repeat(9000)}`)), 414);
  isEnveloped(await raw(get(`/v1/contests?q=${'x'.repeat(20_000)}`)), 414);
  isEnveloped(await raw(get('/v1/contests', `Host: x\r\nX-Big: ${'x'.repeat(40_000)}\r\n`)), 431);
  isEnveloped(await raw(get('/v1/contests', 'Host: x\r\nExpect: miracles\r\n')), 417);
  isEnveloped(await raw('GET /v1/contests HTTP/1.1\r\nHost: x\r\n', { quietMs: 60_000 }), 408);
});

test('POST /mcp and OPTIONS without a length are answered at once, whatever Content-Type they have', async () => {
  const type = 'Host: x\r\nContent-Type: application/json\r\n';
  isEnveloped(await raw(`POST /mcp HTTP/1.1\r\n${type}\r\n`), 400);
  isEnveloped(await raw(`POST /mcp HTTP/1.0\r\n${type}\r\n`), 400);
  isEnveloped(await raw(`POST /mcp HTTP/1.1\r\n${type}Content-Length: 0\r\n\r\n`), 400);
  for (const path of ['/mcp', '/v1/contests', '/docs', '/healthz'])
    assert.equal((await raw(`OPTIONS ${path} HTTP/1.1\r\n${type}\r\n`)).status, 204, path);
  isEnveloped(await raw(`OPTIONS /nowhere HTTP/1.1\r\n${type}\r\n`), 404, 'NOT_FOUND');
  isEnveloped(await raw(`OPTIONS /mcp HTTP/1.1\r\n${type}Content-Length: 9\r\n\r\n`), 400);
});

test('CONNECT is 405 in the envelope with a log line, and the connection is closed', async () => {
  const answer = await raw('CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\nX-Request-Id: tunnel\r\n\r\n', {
    keepAlive: true,
  });
  isEnveloped(answer, 405, 'METHOD_NOT_ALLOWED');
  assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS');
  const line = api.lines.find(({ incomingId }) => incomingId === 'tunnel');
  assert.deepEqual([line?.status, line?.requestId], [405, answer.headers.get('x-request-id')]);
});

test('a request with a body is 400; Content-Length: 0 counts as no body', async () => {
  isEnveloped(await raw(get('/v1/contests', 'Host: x\r\nContent-Length: 2\r\n').concat('{}')), 400);
  isEnveloped(await raw(get('/v1/contests', 'Host: x\r\nTransfer-Encoding: chunked\r\n').concat('0\r\n\r\n')), 400);
  assert.equal((await raw(get('/v1/contests', 'Host: x\r\nContent-Length: 0\r\n'))).status, 200);
});

test('unescaped bytes, a fragment and malformed escapes are 400; the method is checked first', async () => {
  for (const path of ['/v1/agents/ü', '/v1/agents/a#b', '/v1/contests?page=1#x'])
    isEnveloped(await raw(get(path)), 400);
  for (const path of ['/v1/agents/%', '/v1/agents/%C0%AF', '/%']) isEnveloped(await raw(get(path)), 400);
  isEnveloped(await raw('POST /v1/agents/% HTTP/1.1\r\nHost: x\r\n\r\n'), 405, 'METHOD_NOT_ALLOWED');
});

test('every method that the parser knows is 405, on known and unknown paths', async () => {
  for (const method of ['POST', 'TRACE', 'LINK', 'M-SEARCH', 'QUERY', 'PURGE', 'LOCK', 'ACL'])
    for (const path of ['/v1/contests', '/nowhere', '/healthz']) {
      const answer = await raw(`${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      isEnveloped(answer, 405, 'METHOD_NOT_ALLOWED');
      assert.equal(answer.headers.get('allow'), 'GET, HEAD, OPTIONS');
    }
  isEnveloped(
    await raw('POST /v1/contests HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml\r\nContent-Length: 3\r\n\r\nabc'),
    405,
    'METHOD_NOT_ALLOWED',
  );
});

test('unknown routes are 404, also for OPTIONS; paths match exactly', async () => {
  for (const path of [
    '/nowhere',
    '/contests',
    '/v1',
    '/v1/',
    '/v1/launch-weeks/',
    '/v1//contests',
    '/V1/contests',
    '/v1/Contests',
    '/v1/agent',
  ])
    for (const method of ['GET', 'OPTIONS'])
      isEnveloped(await raw(`${method} ${path} HTTP/1.1\r\nHost: x\r\n\r\n`), 404, 'NOT_FOUND');
});

test('literal paths take precedence over parameterised ones, also when escaped', async () => {
  assert.equal((await raw(get('/v1/launches/featured'))).status, 200);
  assert.equal((await raw(get('/v1/launches/%66eatured'))).status, 200);
  isEnveloped(await raw(get('/v1/bounties/me')), 401, 'UNAUTHORIZED');
  isEnveloped(await raw(get('/v1/bounties/m%65')), 401, 'UNAUTHORIZED');
  assert.equal((await raw(get('/v1/users/scores/tiers'))).status, 200);
  isEnveloped(await raw(get('/v1/bounties/ME')), 404, 'NOT_FOUND');
});

test('a request may have an absolute URL in its first line, as to a proxy', async () => {
  assert.equal((await raw(get('http://anything.example/v1/contests?page=1'))).status, 200);
  assert.equal((await raw(get('http://anything.example'))).status, 200); // the path is /
  isEnveloped(await raw(get('http://anything.example/nowhere')), 404, 'NOT_FOUND');
});

test('absolute URLs come from PUBLIC_URL and never from Host or a forwarded header', async () => {
  const answer = await raw(
    get('/v1/contests', 'Host: evil.example\r\nX-Forwarded-Host: evil.example\r\nConnection: close\r\n'),
  );
  assert.equal(answer.headers.get('link'), '<https://api.example/v1/contests?page=1>; rel="first"');
});

test('the server makes every request id itself; an incoming one is only logged', async () => {
  const response = await api.get('/contests', { headers: { 'x-request-id': 'theirs' } });
  const id = response.headers.get('x-request-id');
  assert.notEqual(id, 'theirs');
  const lineOf = (wanted: string | null) => api.lines.find(({ requestId }) => requestId === wanted);
  await eventually(() => assert.equal(lineOf(id)?.incomingId, 'theirs'));
  const long = await api.get('/contests', { headers: { 'x-request-id': 'x'.repeat(10_000) } });
  await eventually(() => assert.equal(String(lineOf(long.headers.get('x-request-id'))?.incomingId).length, 200));
  const coded = await raw(get('/v1/contests', 'Host: x\r\nX-Request-Id: a\x9b2J\xfcb\tc\r\n'));
  await eventually(() => assert.equal(lineOf(coded.headers.get('x-request-id') ?? '')?.incomingId, 'a?2J?b?c'));
});

test('a Link header that is too long for proxies is left out', async () => {
  const names = ['category', 'ecosystem', 'platform', 'importance'];
  const query = (length: number) => names.map((name) => `${name}=${encodeURIComponent('ü'.repeat(length))}`).join('&');
  assert.match((await api.get(`/repositories?${query(10)}`)).headers.get('link') ?? '', /rel="first"/);
  const long = await api.get(`/repositories?page=2&${query(100)}`);
  assert.deepEqual([long.status, long.headers.get('link')], [200, null]);
});

test('a CORS preflight is answered with the allowed methods, the exposed headers and a max age', async () => {
  const response = await api.get('/bounties/me', {
    method: 'OPTIONS',
    headers: {
      origin: 'https://site.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    },
  });
  assert.equal(response.status, 204);
  assert.equal(response.headers.get('access-control-allow-methods'), 'GET, HEAD, OPTIONS');
  assert.equal(response.headers.get('access-control-max-age'), '86400');
  for (const name of ['ETag', 'Link', 'X-Request-Id', 'Retry-After'])
    assert.ok(response.headers.get('access-control-expose-headers')?.split(', ').includes(name), name);
});

test('a header named __proto__ is handled normally', async () => {
  const answer = await raw(get('/v1/contests', 'Host: x\r\n__proto__: y\r\nconstructor: z\r\nConnection: close\r\n'));
  assert.equal(answer.status, 200);
});

test('the OpenAPI document names the public URL', async () => {
  const response = await fetch(`${api.url}/openapi.json`);
  const document = (await response.json()) as { servers: unknown; openapi: string };
  assert.deepEqual([document.openapi, document.servers], ['3.1.0', [{ url: 'https://api.example/v1' }]]);
});

test('a search that takes too long says what would be faster', async () => {
  const slow = await world.serve({ STATEMENT_TIMEOUT_MS: '300' });
  await world.owner.query('begin; lock table agents');
  const texts = await Promise.all(
    ['/agents?q=helper', '/agents'].map(async (path) => {
      const response = await slow.get(path);
      assert.equal(response.status, 503, path);
      return ((await response.json()) as { error: string }).error;
    }),
  );
  await world.owner.query('rollback');
  assert.deepEqual(texts, [
    'The search took too long, because too much matches: use longer words, a filter or a range',
    'The service cannot answer now; try again',
  ]);
});
