// Full-size attacks on a server process: bursts, conditional requests, costly searches, floods, slow readers, unusual
// filters. Another caller must not notice them. The times are meaningful only on a quiet machine.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../../../test/helpers/process.ts';
import { serveProcess } from '../../../test/helpers/process.ts';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
const { owner } = world;
const author = await world.add('users');
await world.add('agents', { name: 'helper', owner_id: author.id });
await owner.query(
  `insert into contests (id, slug, title, short_description, details, rules, prize_pool, judge_user_ids, status,
     direct_link_enabled, submission_start, submission_end, voting_start, voting_end, created_by_id, created_at, updated_at)
   select 'c' || n, 'c' || n, 't', 's', repeat('x', 49000), repeat('y', 49000), 'p', '[]', 'OPEN', false,
     now(), now() + interval '1 day', now() + interval '2 days', now() + interval '3 days', $1, now(), now()
   from generate_series(1, 100) n`,
  [author.id],
);
const words = ['harbour', 'lighthouse', 'napkin', 'petal', 'quartz', 'ribbon', 'sunrise', 'tundra'];
await owner.query(
  `insert into repositories (platform, platform_id, owner, name, category, ecosystem, importance, status,
     contributors_count, created_at, updated_at)
   select 'github', n::text, 'owner-' || n % 1000, ($1::text[])[1 + n % 8] || '-' || n, 'c' || n % 7, 'e' || n % 5,
     'i' || n % 3, 'REVIEWED', 1, now() - n * interval '1 s', now() - (n::bigint * 7919 % 400000) * interval '1 s'
   from generate_series(1, 400000) n`,
  [words],
);
await owner.query('vacuum analyze repositories');

const limits = { RATE_LIMIT_PER_ADDRESS: '600' };
const servers: ServerProcess[] = [];
const start = async (settings: Record<string, string> = limits): Promise<ServerProcess> => {
  const server = await serveProcess(world.readerUrl, settings);
  servers.push(server);
  return server;
};
after(async () => {
  for (const server of servers) if (server.child.exitCode === null) await server.stop();
});
const rssOf = ({ child }: ServerProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;

const request = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const open = async ({ url }: ServerProcess, localAddress = '127.0.0.1'): Promise<Socket> => {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
};

interface Answer {
  status: number;
  ms: number;
}
const askFrom = (agent: Agent, url: string): Promise<Answer> =>
  new Promise((resolve) => {
    const began = performance.now();
    get(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - began }));
    }).on('error', () => resolve({ status: 0, ms: performance.now() - began }));
  });
const quantile = (values: number[], at: number): number =>
  values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * at))] ?? Number.NaN;

/** A caller that sends requests until it is stopped, from several addresses so that rate limits do not affect it. */
const anotherCaller = ({ url }: ServerProcess, paths = ['/healthz', '/agents/helper'], pauseMs = 20) => {
  const agents = Array.from({ length: 10 }, (_, n) => new Agent({ keepAlive: true, localAddress: `127.0.1.${n + 1}` }));
  const answers: Answer[] = [];
  let isDone = false;
  const asking = (async () => {
    for (let turn = 0; !isDone; turn++) {
      const path = paths[turn % paths.length]!;
      answers.push(await askFrom(agents[turn % agents.length]!, url + path));
      await sleep(pauseMs);
    }
  })();
  return async () => {
    isDone = true;
    await asking;
    for (const agent of agents) agent.destroy();
    const ms = answers.map((answer) => answer.ms);
    const failed = answers.filter(({ status }) => status !== 200).length;
    return {
      asked: answers.length,
      failed,
      p50: quantile(ms, 0.5),
      p99: quantile(ms, 0.99),
      longest: Math.max(...ms),
      text: `another caller: ${answers.length} requests, ${failed} not 200, p50 ${quantile(ms, 0.5).toFixed(1)} ms, p99 ${quantile(ms, 0.99).toFixed(1)} ms, longest ${Math.max(...ms).toFixed(0)} ms`,
    };
  };
};
type Seen = Awaited<ReturnType<ReturnType<typeof anotherCaller>>>;
const isUnharmed = ({ failed, p99, text }: Seen): void => {
  assert.equal(failed, 0, text);
  assert.ok(p99 <= 250, text);
};

for (const [path, settings] of [
  ['/openapi.json', { RATE_LIMIT_PER_ADDRESS: '0' }],
  ['/nope', { RATE_LIMIT_PER_ADDRESS: '0' }],
  ['/contests', limits],
] as const)
  test(`another caller is not affected by 20 connections that each send 700 × ${path} at once and never read`, async (t) => {
    const server = await start(settings);
    const stop = anotherCaller(server);
    await sleep(1000);
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open(server)));
    for (const socket of sockets) {
      socket.pause();
      socket.write(request(path).repeat(700));
    }
    await sleep(8000);
    const seen = await stop();
    for (const socket of sockets) socket.destroy();
    t.diagnostic(seen.text);
    await server.stop();
    isUnharmed(seen);
  });

test('20 connections that each send 2 MB of requests and never read cost at most 100 MB of memory', async (t) => {
  const server = await start({ RATE_LIMIT_PER_ADDRESS: '0' });
  const stop = anotherCaller(server);
  await sleep(1000);
  const before = rssOf(server);
  const sockets = await Promise.all(Array.from({ length: 20 }, () => open(server)));
  for (const socket of sockets) {
    socket.pause();
    socket.write(request('/openapi.json').repeat(50_000));
  }
  let most = 0;
  for (let second = 0; second < 10; second++) {
    await sleep(1000);
    most = Math.max(most, rssOf(server));
  }
  const seen = await stop();
  for (const socket of sockets) socket.destroy();
  t.diagnostic(`memory from ${before.toFixed(0)} to at most ${most.toFixed(0)} MB; ${seen.text}`);
  await server.stop();
  isUnharmed(seen);
  assert.ok(most - before <= 100, `${most - before} MB more`);
});

for (const [what, path, more] of [
  ['conditional requests', '/contests?pageSize=1', 'If-None-Match: *\r\n'],
  ['unknown routes', '/nope', ''],
  ['wrong parameters', '/contests?page=0', ''],
  ['the OpenAPI document', '/openapi.json', 'If-None-Match: *\r\n'],
  ['/readyz', '/readyz', ''],
] as const)
  test(`another caller is not affected while one address floods with ${what} for 10 s`, async (t) => {
    const server = await start();
    const stop = anotherCaller(server);
    await sleep(1000);
    const counts: Record<string, number> = {};
    let isDone = false;
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open(server)));
    for (const socket of sockets) {
      socket.on('data', (chunk: Buffer) => {
        for (const [, status] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)) {
          counts[status!] = (counts[status!] ?? 0) + 1;
          if (!isDone) socket.write(request(path, more));
        }
      });
      socket.write(request(path, more));
    }
    await sleep(10_000);
    isDone = true;
    const seen = await stop();
    for (const socket of sockets) socket.destroy();
    t.diagnostic(`${JSON.stringify(counts)}; ${seen.text}`);
    await server.stop();
    isUnharmed(seen);
    const passed = Object.entries(counts).reduce((sum, [status, count]) => sum + (status === '429' ? 0 : count), 0);
    if (path !== '/readyz') assert.ok(passed <= 600, `${passed} passed`);
  });

test('other callers are not affected while one address searches for one letter ten times a second for 30 s', async (t) => {
  const server = await start();
  const stop = anotherCaller(server);
  const others = anotherCaller(
    server,
    words.map((word) => `/repositories?q=${word}-1234`),
    150,
  );
  await sleep(1000);
  const agent = new Agent({ keepAlive: true, maxSockets: 100, localAddress: '127.0.2.1' });
  const attack: Promise<Answer>[] = [];
  for (let n = 0; n < 300; n++) {
    attack.push(askFrom(agent, `${server.url}/repositories?q=a`));
    await sleep(100);
  }
  const counts: Record<string, number> = {};
  for (const { status } of await Promise.all(attack)) counts[status] = (counts[status] ?? 0) + 1;
  const [seen, searches] = [await stop(), await others()];
  agent.destroy();
  t.diagnostic(`the attacker: ${JSON.stringify(counts)}; ${seen.text}`);
  t.diagnostic(`searches of others: ${searches.text}`);
  await server.stop();
  isUnharmed(seen);
  assert.ok(searches.failed <= searches.asked * 0.01, searches.text);
});

test('unsent bytes stay bounded when 94 connections, each from its own address, read 256 bytes of a 10 MB page every 4 s', async (t) => {
  const server = await start();
  const stop = anotherCaller(server);
  await sleep(1000);
  const before = rssOf(server);
  const sockets: Socket[] = [];
  for (let n = 0; n < 94; n++) {
    const socket = connect({
      port: Number(new URL(server.url).port),
      host: '127.0.0.1',
      localAddress: `127.0.3.${n + 1}`,
    });
    socket.on('error', () => {});
    await once(socket, 'connect');
    sockets.push(socket);
    socket.pause();
    socket.write(request('/contests?pageSize=100'));
    await sleep(20);
  }
  const reading = setInterval(() => {
    for (const socket of sockets) socket.read(256);
  }, 4000);
  let mostMemory = 0;
  const figures: string[] = [];
  const metric = async (name: string) => {
    const text = await (await fetch(`${server.metricsUrl}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
  };
  let [unsent, mostUnsent] = [0, 0];
  for (let second = 1; second <= 70; second++) {
    await sleep(1000);
    unsent = (await metric('commonhall_unsent_bytes')) / 2 ** 20;
    mostUnsent = Math.max(mostUnsent, unsent);
    mostMemory = Math.max(mostMemory, rssOf(server));
    if (second % 10 === 0) figures.push(`${second} s: ${rssOf(server).toFixed(0)} MB, ${unsent.toFixed(0)} MB unsent`);
  }
  clearInterval(reading);
  const closed = await Promise.all(
    ['slow reader', 'too much unsent'].map((reason) =>
      metric(`commonhall_connections_closed_total\\{reason="${reason}"\\}`),
    ),
  );
  const seen = await stop();
  for (const socket of sockets) socket.destroy();
  t.diagnostic(`memory from ${before.toFixed(0)}, at most ${mostMemory.toFixed(0)} MB; ${figures.join('; ')}`);
  t.diagnostic(`closed: ${closed[0]} too slow, ${closed[1]} at the limit of unsent bytes; ${seen.text}`);
  await server.stop();
  isUnharmed(seen);
  assert.ok(mostUnsent <= 129, `${mostUnsent} MB`);
  assert.equal(unsent, 0, 'at the end no bytes are unsent');
});

test('200 unusual combinations of filters after a start do not slow down common lists', async (t) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const medianOf = async ({ url }: ServerProcess) => {
    const times: number[] = [];
    for (let n = 0; n < 60; n++)
      times.push((await askFrom(agent, `${url}/repositories?category=c1&sortBy=name&page=${1 + (n % 3)}`)).ms);
    return quantile(times, 0.5);
  };
  const alone = await medianOf(await start({ RATE_LIMIT_PER_ADDRESS: '0' }));
  const fresh = await start({ RATE_LIMIT_PER_ADDRESS: '0' });
  const filters = ['category=c1', 'ecosystem=e1', 'importance=i1', 'platform=github', 'status=REVIEWED'];
  for (let n = 0; n < 200; n++) {
    const sort = ['createdAt', 'updatedAt', 'name', 'owner'][n % 4];
    const query = [...filters.filter((_, bit) => (n >> bit) & 1), `sortBy=${sort}`, `page=${n & 32 ? 2000 : 1}`];
    await askFrom(agent, `${fresh.url}/repositories?${query.join('&')}&sortOrder=${n & 64 ? 'asc' : 'desc'}`);
  }
  const afterwards = await medianOf(fresh);
  agent.destroy();
  t.diagnostic(`a common list: ${alone.toFixed(1)} ms alone, ${afterwards.toFixed(1)} ms after unusual filters`);
  assert.ok(afterwards < 2 * alone, `${afterwards} ms`);
});
