// Hostile connections: pipelined bursts, responses that are never read or read slowly. None of them delays other
// callers, and the memory that they use is bounded.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { eventually } from '../../../test/helpers/process.ts';
import { random } from '../../../test/helpers/random.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { mostUnanswered, onePerConnection } from '../src/http/pipelining.ts';
import { withDeadline } from '../src/http/server.ts';

const world = await createWorld();
const { owner } = world;
// Makes a page of contests about 10 MB, which is more than the socket buffers of the system hold.
const author = await world.add('users');
await owner.query(
  `insert into contests (id, slug, title, short_description, details, rules, prize_pool, judge_user_ids, status,
     direct_link_enabled, submission_start, submission_end, voting_start, voting_end, created_by_id, created_at, updated_at)
   select 'c' || n, 'c' || n, 't', 's', repeat('x', 50000), repeat('y', 50000), 'p', '[]', 'OPEN', false,
     now(), now() + interval '1 day', now() + interval '2 days', now() + interval '3 days', $1, now(), now()
   from generate_series(1, 100) n`,
  [author.id],
);
const request = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const portOf = (url: string) => Number(new URL(url).port);
const open = async (port: number, localAddress = '127.0.0.1'): Promise<Socket> => {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
};

const nobody = () => assert.fail('no connection sends too many requests');
/** once() would reject when the connection is reset. */
const closing = (socket: Socket) => new Promise<void>((resolve) => socket.on('close', () => resolve()));

/** A server whose handler answers after a moment; what it handled, and the most at one time. */
const startSlow = async (answer: (url: string) => string) => {
  const handled: string[] = [];
  let underWay = 0;
  let most = 0;
  const listener = onePerConnection(({ url = '' }, response) => {
    handled.push(url);
    underWay += 1;
    most = Math.max(most, underWay);
    response.once('close', () => {
      underWay -= 1;
    });
    if (random(10) < 3) response.end(answer(url));
    else setTimeout(() => response.end(answer(url)), random(3));
  }, nobody);
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  return { port: (server.address() as AddressInfo).port, handled, most: () => most };
};

test('pipelined requests: each one that is handled is answered, in order and one at a time; the last response announces the end', async () => {
  const { port, handled, most } = await startSlow((url) => `<${url}>`);
  for (const whole of [true, false, false, false]) {
    handled.length = 0;
    const socket = await open(port);
    const closed = closing(socket);
    socket.setNoDelay(true);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    const sent = Array.from({ length: 20 }, (_, n) => request(`/${n}`, n === 19 ? 'Connection: close\r\n' : '')).join(
      '',
    );
    for (let at = 0; at < sent.length && !socket.destroyed; ) {
      const length = whole ? sent.length : 1 + random(60);
      socket.write(sent.slice(at, at + length));
      at += length;
      if (!whole) await new Promise(setImmediate);
    }
    await closed;
    const answered = [...text.matchAll(/<(\/\d+)>/g)].map(([, url]) => url);
    assert.deepEqual(answered, handled);
    assert.deepEqual(
      handled,
      Array.from({ length: handled.length }, (_, n) => `/${n}`),
    );
    assert.ok(handled.length < 20 || !whole, 'a whole burst is not handled');
    const ends = text
      .split('HTTP/1.1')
      .slice(1)
      .map((response) => /connection: close/i.test(response));
    if (handled.length < 20) assert.deepEqual(ends.indexOf(true), handled.length - 1);
    assert.equal(most(), 1);
  }
});

test('a request that arrives after the headers of the response before it is handled after that response', async () => {
  const { port, handled } = await startSlow((url) => (url === '/large' ? 'x'.repeat(20_000_000) : 'small'));
  const socket = await open(port);
  let bytes = 0;
  let end = '';
  socket.on('data', (chunk) => {
    bytes += chunk.length;
    end = (end + chunk.toString('latin1')).slice(-300);
  });
  socket.pause();
  socket.write(request('/large'));
  await eventually(() => assert.deepEqual(handled, ['/large']));
  await sleep(100);
  socket.write(request('/second'));
  await sleep(100);
  assert.deepEqual(handled, ['/large']);
  socket.resume();
  await eventually(() => assert.match(end, /HTTP\/1\.1 200 [\s\S]*small$/));
  assert.ok(bytes > 20_000_000);
  assert.doesNotMatch(end, /connection: close/i);
  socket.destroy();
});

test('requests that are pipelined after a waiting request are not begun', async () => {
  const api = await world.serve();
  const blocker = new pg.Client(world.ownerUrl);
  await blocker.connect();
  await blocker.query('begin; lock table repositories');
  const socket = await open(portOf(api.url));
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  socket.write(request('/repositories') + request('/nowhere').repeat(mostUnanswered));
  await sleep(500);
  const requests = () => api.lines.filter(({ msg }) => msg === 'request');
  assert.equal(requests().length, 0);
  await blocker.query('rollback');
  await blocker.end();
  await closing(socket);
  assert.deepEqual(
    requests().map(({ operation }) => operation),
    ['listRepositories'],
  );
  assert.match(text, /^HTTP\/1\.1 200 /);
  assert.match(text, /\r\nconnection: close\r\n/i);
});

test('a connection that pipelines far more requests is closed, with a log line', async () => {
  const api = await world.serve();
  const socket = await open(portOf(api.url));
  socket.resume();
  socket.write(request('/repositories').repeat(mostUnanswered + 2));
  await closing(socket);
  const closed = api.lines.filter(({ reason }) => reason === 'too many pipelined requests');
  assert.equal(closed.length, 1);
});

test('connections that are closed for free requests are charged, and logged once a second and caller', async () => {
  const api = await world.serve({ RATE_LIMIT_PER_ADDRESS: '1000' });
  const free = 'OPTIONS / HTTP/1.1\r\nHost: a\r\nOrigin: x\r\nAccess-Control-Request-Method: GET\r\n\r\n';
  const began = Date.now();
  for (let n = 0; n < 50; n++) {
    const socket = await open(portOf(api.url));
    socket.resume();
    socket.write(free.repeat(mostUnanswered + 5));
    await closing(socket);
  }
  const { headers } = await fetch(`${api.url}/nope`);
  assert.match(headers.get('ratelimit') ?? '', /r=949;/);
  await api.stop();
  const lines = api.lines.filter(({ msg }) => /closed$/.test(String(msg)));
  const counted = lines.reduce((sum, { count }) => sum + Number(count ?? 1), 0);
  assert.equal(counted, 50);
  assert.ok(lines.length <= 2 * (2 + (Date.now() - began) / 1000), `${lines.length} lines`);
});

test('a request whose caller closes the connection before the response is logged and counted, with status 499', async () => {
  const api = await world.serve();
  const blocker = new pg.Client(world.ownerUrl);
  await blocker.connect();
  await blocker.query('begin; lock table repositories');
  const socket = await open(portOf(api.url));
  socket.write(request('/repositories?q=closed'));
  await sleep(200);
  socket.resetAndDestroy();
  await eventually(() =>
    assert.ok(api.lines.some(({ operation, status }) => operation === 'listRepositories' && status === 499)),
  );
  await blocker.query('rollback');
  await blocker.end();
  assert.equal(api.lines.filter(({ msg }) => msg === 'request').length, 1);
  const metrics = await (await fetch(`${api.metricsUrl}/metrics`)).text();
  assert.match(metrics, /commonhall_requests_total\{operation="listRepositories",status="499",.*\} 1/);
});

test('a request that no handler answers is ended at its deadline', async () => {
  const late: string[] = [];
  const listener = withDeadline(
    ({ url }, response) => {
      if (url === '/answered') response.end();
    },
    (response) => {
      late.push(response.req.url ?? '');
      response.writeHead(503, { connection: 'close' }).end();
    },
    2000,
  );
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  const socket = await open((server.address() as AddressInfo).port);
  socket.resume();
  const began = performance.now();
  socket.write(request('/answered') + request('/never'));
  await closing(socket);
  assert.ok(performance.now() - began > 900);
  assert.deepEqual(late, ['/never']);
});

test('invalid bytes are answered and charged once, and the server closes the connection even if the client does not', async () => {
  const api = await world.serve({ RATE_LIMIT_PER_ADDRESS: '100' });
  const socket = connect({ port: portOf(api.url), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  socket.write('no HTTP\r\n\r\n');
  const more = setInterval(() => socket.write('no HTTP\r\n\r\n'), 100);
  await closing(socket); // reset by the server; this side never ends its half
  clearInterval(more);
  assert.equal(text.match(/HTTP\/1.1 400/g)?.length, 1);
  const { headers } = await fetch(`${api.url}/nope`);
  assert.match(headers.get('ratelimit') ?? '', /r=98;/);
});

test('a connection that does not read is closed, with a log line that says why; one that reads slowly is not', async () => {
  const api = await world.serve({ SLOW_READER_SECONDS: '1', CHECK_RESPONSES: 'false' });
  const silent = await open(portOf(api.url));
  silent.pause();
  silent.write(request('/contests?pageSize=100'));
  const closed = () => api.lines.filter(({ reason }) => reason === 'slow reader');
  await eventually(() => assert.equal(closed().length, 1));
  assert.equal(closed()[0]?.address, '127.0.0.1');
  assert.ok(Number(closed()[0]?.unsentBytes) > 0);
  const reader = await open(portOf(api.url));
  let [bytes, status] = [0, ''];
  reader.on('data', (chunk) => {
    status ||= chunk.toString('latin1').slice(0, 12);
    bytes += chunk.length;
    reader.pause();
    setTimeout(() => reader.resume(), 5);
  });
  reader.write(request('/contests?pageSize=100', 'Connection: close\r\n'));
  await once(reader, 'close');
  assert.ok(bytes > 10_000_000, `${status}: ${bytes} bytes`);
  assert.equal(closed().length, 1);
  const metrics = await (await fetch(`${api.metricsUrl}/metrics`)).text();
  assert.match(metrics, /commonhall_connections_closed_total\{reason="slow reader"\} 1/);
});

test('at the limit of unsent bytes the largest connection of the address with the most unsent bytes is closed', async () => {
  const api = await world.serve({ MAX_UNSENT_BYTES: '40000000', CHECK_RESPONSES: 'false' });
  const modest = await open(portOf(api.url), '127.0.0.2');
  modest.pause();
  modest.write(request('/contests?pageSize=100'));
  await sleep(200);
  for (let n = 0; n < 8; n++) {
    const greedy = await open(portOf(api.url), '127.0.0.3');
    greedy.pause();
    greedy.write(request('/contests?pageSize=100'));
  }
  const closed = async () => {
    const metrics = await (await fetch(`${api.metricsUrl}/metrics`)).text();
    return Number(/commonhall_connections_closed_total\{reason="too much unsent"\} (\d+)/.exec(metrics)?.[1]);
  };
  await eventually(async () => assert.ok((await closed()) >= 4));
  const lines = api.lines.filter(({ reason }) => reason === 'too much unsent');
  assert.deepEqual([...new Set(lines.map(({ address }) => address))], ['127.0.0.3']);
  let bytes = 0;
  modest.on('data', (chunk) => {
    bytes += chunk.length;
  });
  modest.resume();
  await eventually(() => assert.ok(bytes > 10_000_000, 'the other address gets its whole response'));
  modest.destroy();
});
