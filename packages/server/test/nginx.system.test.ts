// deploy/nginx: a real nginx with TLS in front of two real servers. Answers pass unchanged, callers cannot forge their
// address, and no GET fails when a server dies or freezes.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { SecureVersion } from 'node:tls';
import { connect as connectTls } from 'node:tls';
import { operations } from '@commonhall/contract';
import { errorStatus, validationStatuses } from '@commonhall/contract/errors';
import type { Operation } from '@commonhall/contract/operation';
import { urlOf } from '@commonhall/contract/url';
import { checkedFetch } from '../../../test/helpers/checked-fetch.ts';
import { populate } from '../../../test/helpers/community.ts';
import { eventually, serveProcess } from '../../../test/helpers/process.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { behindProxy } from './helpers/behind-proxy.ts';
import { startNginx } from './helpers/nginx.ts';

const world = await createWorld();
const { calls } = await populate(world);
const serve = (more = {}) => serveProcess(world.readerUrl, { ...behindProxy, ...more });
const servers = [await serve(), await serve()] as const;
const [one, two] = [new URL(servers[0].url), new URL(servers[1].url)];
const nginx = await startNginx([one, two], [['proxy_read_timeout 12s;', 'proxy_read_timeout 2s;']]);
after(async () => {
  for (const { child } of servers) child.kill('SIGKILL');
  await nginx.stop();
});
const checked = checkedFetch('');

interface Raw {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}
interface Asked {
  method?: string;
  headers?: Record<string, string>;
  localAddress?: string;
  body?: string;
}
/** Returns the bytes as they are sent; fetch would decode them. */
const ask = (url: string, { body = '', ...options }: Asked = {}): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const start = url.startsWith('https:') ? httpsRequest : httpRequest;
    const request = start(url, { agent: false, servername: 'api.example.org', ...options }, async (response) => {
      const chunks = (await response.toArray()) as Buffer[];
      const headers = response.headers as Record<string, string>;
      resolve({ status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks) });
    });
    request.once('error', reject).end(body);
  });
/** Headers that nginx may change. */
const own = ['date', 'connection', 'keep-alive', 'server', 'x-request-id', 'strict-transport-security'];
const comparable = ({ status, headers, body }: Raw) => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name))),
  body: hash('sha256', body),
});
const compare = async (path: string, asked: Asked, status: number): Promise<Raw> => {
  const [direct, through] = [await ask(servers[0].url + path, asked), await ask(nginx.url + path, asked)];
  assert.equal(direct.status, status, path);
  assert.deepEqual(comparable(through), comparable(direct), path);
  assert.equal(through.headers['strict-transport-security'], 'max-age=63072000');
  assert.match(through.headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/);
  return through;
};

for (const { id } of Object.values<Operation>(operations))
  test(`${id}: nginx returns the bytes and headers of the server, also for HEAD, 304, gzip, 404 and 400`, async () => {
    const { visible, unknown, token } = calls[id];
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const path = urlOf('', id, visible);
    const { etag } = (await compare(path, { headers }, 200)).headers;
    await compare(path, { headers, method: 'HEAD' }, 200);
    await compare(path, { headers: { ...headers, 'accept-encoding': 'gzip' } }, 200);
    if (etag !== undefined) await compare(path, { headers: { ...headers, 'if-none-match': etag } }, 304);
    if (unknown !== undefined) await compare(urlOf('', id, unknown), { headers }, 404);
    await compare(`${path}${path.includes('?') ? '&' : '?'}nosuch=1`, { headers }, 400);
  });

test('other answers pass unchanged too: the site, compressed files, 405, preflights, tools', async () => {
  nginx.reload();
  for (const path of ['/', '/llms.txt', '/docs/reference', '/healthz', '/readyz']) await compare(path, {}, 200);
  const packed = { headers: { 'accept-encoding': 'gzip' } };
  assert.equal((await compare('/openapi.json', packed, 200)).headers['content-encoding'], 'gzip');
  assert.equal((await compare('/openapi.json', {}, 200)).headers['content-encoding'], undefined);
  for (const method of ['POST', 'PUT', 'DELETE', 'PROPFIND']) await compare('/agents', { method }, 405);
  await compare('/agents', { method: 'OPTIONS' }, 204);
  await compare('/a%2Fb//c/../d', {}, 404);
  await compare('/agents?q=a%2Fb%20%C3%A4+b&page=1', {}, 200);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'getScoreTiers', arguments: {} } };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = JSON.stringify(call).padEnd(60_000);
  assert.match((await compare('/mcp', { method: 'POST', headers, body }, 200)).body.toString(), /"result"/);
});

test('/metrics is not reachable through nginx: it is the API’s 404', async () => {
  assert.equal((await fetch(`${servers[0].metricsUrl}/metrics`)).status, 200);
  assert.equal((await checked(`${nginx.url}/metrics`)).status, 404);
});

test('nginx speaks HTTP/2 and HTTP/1.1, only TLS 1.2 and 1.3, and redirects plain HTTP to https', async () => {
  const session = connectHttp2(nginx.url);
  const stream = session.request({ ':path': '/users/scores/tiers' });
  const [answer] = (await new Promise<unknown[]>((resolve, reject) => {
    session.once('error', reject);
    stream.once('response', (...given) => resolve(given));
  })) as [Record<string, unknown>];
  const body = Buffer.concat((await stream.toArray()) as Buffer[]);
  session.close();
  assert.equal(answer[':status'], 200);
  assert.deepEqual(body, (await ask(`${servers[0].url}/users/scores/tiers`)).body);

  const handshake = (version: SecureVersion) =>
    new Promise<string | null>((resolve, reject) => {
      const ciphers = 'DEFAULT:@SECLEVEL=0'; // otherwise the client would refuse old versions
      const socket = connectTls({
        ...{ host: '127.0.0.1', port: nginx.port, minVersion: version, maxVersion: version, ciphers },
      });
      socket.once('error', reject).once('secureConnect', () => {
        resolve(socket.getProtocol());
        socket.destroy();
      });
    });
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) assert.equal(await handshake(version), version);
  for (const version of ['TLSv1', 'TLSv1.1'] as const) await assert.rejects(handshake(version), /alert/);

  const moved = await ask(`${nginx.plainUrl}/agents?page=2`);
  assert.deepEqual([moved.status, moved.headers.location], [308, 'https://api.example.org/agents?page=2']);
});

test('oversized requests get the servers’ own errors, and beyond the limits of nginx it returns the same errors', async () => {
  const long = (length: number) => `/${'x'.repeat(length - 1)}`;
  const large = (length: number) => ({ headers: { 'x-large': 'x'.repeat(length) } });
  await compare(long(9000), {}, 414);
  await compare('/agents', large(40_000), 431);
  const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const cases: [path: string, asked: Asked, status: number][] = [
    [long(70_000), {}, 414],
    ['/agents', large(70_000), 431],
    ['/mcp', { ...post, body: ' '.repeat(65_537) }, 413],
    ['/agents', { method: 'TRACE' }, 405],
    ['/agents/%zz', {}, 400],
    ['/commonhall-failure', {}, 404],
    [nginx.url.replace('https:', 'http:'), {}, 400],
    ['/agents', { headers: { host: 'a b' } }, 400],
  ];
  for (const [path, asked, status] of cases) {
    const { headers, body, ...answer } = await ask(new URL(path, nginx.url).href, asked);
    const where = `${path.slice(0, 20)} ${body}`;
    assert.equal(answer.status, status, where);
    const { code, error, ...rest } = JSON.parse(String(body)) as { code: keyof typeof errorStatus; error: string };
    assert.deepEqual(rest, { success: false }, where);
    const texts: Record<number, string> = validationStatuses;
    if (texts[status] === undefined) assert.equal(errorStatus[code], status, where);
    else assert.deepEqual([code, error], ['VALIDATION_ERROR', texts[status]], where);
    assert.equal(headers.allow, status === 405 ? 'GET, HEAD, OPTIONS' : undefined);
    const direct = (await ask(`${servers[0].url}/nowhere`)).headers;
    for (const name of ['content-type', 'cache-control', 'access-control-allow-origin', 'x-content-type-options'])
      assert.equal(headers[name], direct[name], `${where} ${name}`);
    assert.match(headers['x-request-id'] ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.equal(headers['strict-transport-security'], 'max-age=63072000');
    // An operator can find the log line by the request id.
    await eventually(() =>
      assert.ok(nginx.read('commonhall.log').includes(`"requestId":"${headers['x-request-id']}"`)),
    );
  }
});

test('the rate limit applies to the real address; a forged X-Forwarded-For is ignored', async () => {
  const limited = await serve({ RATE_LIMIT_PER_ADDRESS: '5' });
  const url = new URL(limited.url);
  const behind = await startNginx([url, url]);
  try {
    const get = (asked: Asked) => ask(`${behind.url}/nowhere`, asked);
    const forged = (n: number) => ({
      headers: { 'x-forwarded-for': `203.0.113.${n}`, forwarded: `for=203.0.113.${n}` },
    });
    for (let n = 0; n < 5; n++) assert.equal((await get(forged(n))).status, 404);
    const over = await get(forged(99));
    assert.equal(over.status, 429);
    assert.match(over.headers['retry-after'] ?? '', /^\d+$/);
    assert.equal((await get({ localAddress: '127.0.0.2' })).status, 404, 'another address has its own budget');
  } finally {
    await behind.stop();
    await limited.stop();
  }
});

test('the caller’s request id reaches the server’s log, and the server’s request id reaches the caller', async () => {
  const logging = await serveProcess(world.readerUrl, behindProxy, ['ignore', 'pipe', 'inherit']);
  let log = '';
  logging.child.stdout!.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const url = new URL(logging.url);
  const behind = await startNginx([url, url]);
  try {
    const { headers } = await ask(`${behind.url}/agents`, { headers: { 'x-request-id': 'of-the-caller' } });
    await eventually(() =>
      assert.match(log, new RegExp(`"requestId":"${headers['x-request-id']}","incomingId":"of-the-caller"`)),
    );
    assert.equal(behind.read('access.log'), '', 'paths and addresses are not logged');
  } finally {
    await behind.stop();
    await logging.stop();
  }
});

test('a GET whose connection breaks is sent to the other server; a POST is not sent twice', async () => {
  const seen: (string | undefined)[] = [];
  const broken = createServer(({ method, socket }) => {
    seen.push(method);
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(broken, 'listening');
  const url = new URL(`http://127.0.0.1:${(broken.address() as AddressInfo).port}`);
  const before = await startNginx([url, url]);
  try {
    assert.equal((await ask(`${before.url}/mcp`, { method: 'POST', body: '{}' })).status, 503);
    assert.equal((await ask(`${before.url}/agents`)).status, 503);
    assert.deepEqual(seen, ['POST', 'GET', 'GET']);
  } finally {
    await before.stop();
    broken.close();
  }
});

/** Starts callers that send requests until they are stopped. Returns a function that stops them and counts outcomes. */
const load = () => {
  let isOver = false;
  const counts = new Map<string, number>();
  const callers = [...Array(8).keys()].map(async (n) => {
    const list = Object.values<Operation>(operations).filter(({ auth }) => auth === 'none');
    for (let turn = n; !isOver; turn++) {
      const { id } = list[turn % list.length]!;
      const outcome = await checked(nginx.url + urlOf('', id, calls[id].visible)).then(
        (response) => response.text().then((text) => (response.status === 200 ? '200' : text)),
        (error: Error) => `${error.message} ${error.cause}`,
      );
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(callers);
    return Object.fromEntries(counts);
  };
};
const answered = async (): Promise<number> => (await checked(`${nginx.url}/users/scores/tiers`)).status;
const assertUnavailable = async () => {
  const response = await checked(`${nginx.url}/users/scores/tiers`);
  assert.equal(response.status, 503);
  assert.equal(response.headers.get('retry-after'), '1');
};

test('tool calls of one address that time out, or have no body, fail no GET of another address', async () => {
  await world.owner.query('begin; lock table repositories');
  const params = { name: 'listRepositories', arguments: { q: 'slow' } }; // a search has a connection to itself
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const asked = { method: 'POST', headers, localAddress: '127.0.0.2' };
  const calling: Promise<Raw>[] = [];
  const timer = setInterval(() => {
    calling.push(ask(`${nginx.url}/mcp`, { ...asked, body: JSON.stringify(call) }));
    calling.push(ask(`${nginx.url}/mcp`, asked));
  }, 150);
  const statuses = new Map<number, number>();
  for (const end = Date.now() + 6000; Date.now() < end; ) {
    const { status } = await ask(`${nginx.url}/users/scores/tiers`);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  clearInterval(timer);
  await world.owner.query('rollback');
  const called = Map.groupBy(await Promise.all(calling), ({ status }) => status);
  assert.ok((called.get(503)?.length ?? 0) > 10, 'tool calls have timed out');
  assert.deepEqual([...statuses.keys()], [200]);
});

test('no GET fails when one server freezes; when both are frozen the answer is 503 with Retry-After', async () => {
  servers[0].child.kill('SIGSTOP');
  const stop = load();
  await new Promise((resolve) => setTimeout(resolve, 4500));
  const counts = await stop();
  assert.deepEqual(Object.keys(counts), ['200'], JSON.stringify(counts));
  servers[1].child.kill('SIGSTOP');
  await assertUnavailable();
  for (const { child } of servers) child.kill('SIGCONT');
  await eventually(async () => assert.equal(await answered(), 200));
});

test('no GET fails when one server is killed under load; when both are gone the answer is 503 with Retry-After', async (t) => {
  const stop = load();
  await new Promise((resolve) => setTimeout(resolve, 700));
  servers[0].child.kill('SIGKILL');
  await new Promise((resolve) => setTimeout(resolve, 2500));
  const counts = await stop();
  assert.deepEqual(Object.keys(counts), ['200'], JSON.stringify(counts));
  assert.ok(counts['200']! > 20, JSON.stringify(counts));
  t.diagnostic(`${counts['200']} requests, none failed`);
  servers[1].child.kill('SIGKILL');
  await eventually(assertUnavailable);
});
