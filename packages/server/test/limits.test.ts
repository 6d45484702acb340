// Rate limits (gap G8): which budget is charged, the costs, the response headers, and that no request is rejected
// because a counter is lost. Exact counts use unknown routes, which cost one unit on a machine of any speed.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { populate } from '../../../test/helpers/community.ts';
import { eventually } from '../../../test/helpers/process.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { makeKey } from '../src/http/auth.ts';
import { addressKey } from '../src/http/limits.ts';
import { startRedis } from './helpers/redis.ts';

const world = await createWorld();
const { tokens } = await populate(world);
const redis = await startRedis();

type Api = Awaited<ReturnType<typeof world.serve>>;
const limited = (perAddress: number, perToken: number, settings: Record<string, string> = {}) =>
  world.serve({ RATE_LIMIT_PER_ADDRESS: String(perAddress), RATE_LIMIT_PER_TOKEN: String(perToken), ...settings });
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const behindProxy = { TRUSTED_PROXIES: '127.0.0.0/8' };
const statuses = async (count: number, ask: () => Promise<Response>): Promise<Record<number, number>> => {
  const counts: Record<number, number> = {};
  for (let index = 0; index < count; index++) {
    const { status } = await ask();
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
};
/** The units that the address has left, after the unit that this request costs. */
const left = async (api: Api, init?: RequestInit): Promise<number> =>
  Number(/r=(\d+)/.exec((await api.get('/nowhere', init)).headers.get('ratelimit') ?? '')?.[1]);

test('a request over the limit of an address is 429 without a database query, and says when to retry', async () => {
  const api = await limited(5, 0);
  assert.deepEqual(await statuses(5, () => api.get('/nowhere')), { 404: 5 });
  const over = await api.get('/agents/helper');
  assert.equal(over.status, 429);
  assert.deepEqual(await over.json(), {
    success: false,
    error: `Too many requests: one address may use 5 units a minute; try again in ${over.headers.get('retry-after')} s. Larger pages, a filter, a range (\`from\`, \`to\`) and /counts need fewer`,
    code: 'RATE_LIMITED',
  });
  assert.match(over.headers.get('retry-after') ?? '', /^\d+$/);
  assert.match(over.headers.get('ratelimit') ?? '', /^"address";r=0;t=\d+$/);
  assert.equal(over.headers.get('ratelimit-policy'), '"address";q=5;w=60');
  const line = api.lines.find(({ requestId }) => requestId === over.headers.get('x-request-id'));
  assert.deepEqual([line?.databaseMs, line?.code], [0, 'RATE_LIMITED']);
  assert.equal((await api.get('/agents/helper/agent-registration.json')).status, 429);
});

test('every request costs a unit: 304, 400, 404, OPTIONS, the OpenAPI document, requests that the parser rejects', async () => {
  const raw = (api: Api, text: string) =>
    new Promise<string>((resolve) => {
      let answer = '';
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
      socket.on('data', (chunk) => {
        answer += chunk.toString();
      });
      socket.on('close', () => resolve(answer));
      socket.write(text);
    });
  const etag = (await (await world.serve()).get('/contests')).headers.get('etag') ?? '';
  const costly: Record<string, (api: Api) => Promise<unknown>> = {
    'a known ETag': (api) => api.get('/contests', { headers: { 'if-none-match': etag } }),
    'any ETag': (api) => api.get('/contests', { headers: { 'if-none-match': '*' } }),
    'a wrong parameter': (api) => api.get('/contests?page=0'),
    'an unknown route': (api) => api.get('/nowhere'),
    'a wrong method': (api) => fetch(`${api.url}/contests`, { method: 'POST' }),
    OPTIONS: (api) => api.get('/contests', { method: 'OPTIONS' }),
    'the OpenAPI document': (api) => fetch(`${api.url}/openapi.json`),
    'a malformed escape': (api) => fetch(`${api.url}/agents/%`),
    'what is not HTTP': (api) => raw(api, 'nonsense\r\n\r\n'),
    CONNECT: (api) => raw(api, 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n'),
    'a preflight with a body': (api) =>
      raw(
        api,
        'OPTIONS / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nOrigin: a\r\nAccess-Control-Request-Method: GET\r\nContent-Length: 1\r\n\r\nx',
      ),
    'an expectation': (api) => raw(api, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: x\r\n\r\n'),
  };
  for (const [what, ask] of Object.entries(costly)) {
    const api = await limited(1000, 0);
    const before = await left(api);
    for (let n = 0; n < 10; n++) await ask(api);
    const cost = before - (await left(api)) - 1;
    assert.ok(cost >= 10 && cost < 100, `${what}: ${cost}`); // more than 10 if the database is slow
  }
  const used = await limited(1, 0);
  await used.get('/nowhere');
  assert.match(await raw(used, 'nonsense\r\n\r\n'), /^HTTP\/1\.1 429 /);
});

test('/healthz and /readyz cost nothing, and write no log line', async () => {
  const api = await limited(1, 0);
  for (let n = 0; n < 10; n++)
    for (const path of ['/healthz', '/readyz']) assert.equal((await fetch(api.url + path)).status, 200);
  assert.equal(await left(api), 0);
  assert.equal((await api.get('/contests')).status, 429);
  assert.equal(api.lines.filter(({ operation }) => String(operation).endsWith('z')).length, 0);
});

test('a search costs 5 units, 20 with a word of fewer than three letters, and every 10 ms of database time costs one more', async () => {
  const api = await limited(1_000_000, 0);
  const costOf = async (path: string) => {
    const before = await left(api);
    const response = await api.get(path);
    assert.equal(response.status, 200);
    const cost = before - (await left(api)) - 1;
    const line = await eventually(() => {
      const found = api.lines.find(({ requestId }) => requestId === response.headers.get('x-request-id'));
      assert.ok(found);
      return found;
    });
    return { cost, databaseUnits: Math.floor(Number(line.databaseMs) / 10) };
  };
  for (const [path, units] of [
    ['/repositories?q=repo', 5],
    ['/collections?q=badge', 5],
    ['/repositories?q=re', 20],
    ['/repositories?q=repo%20a', 20],
    ['/repositories', 1],
  ] as const) {
    const { cost, databaseUnits } = await costOf(path);
    assert.equal(cost, units + databaseUnits, path);
  }
  const blocker = new pg.Client(world.ownerUrl);
  await blocker.connect();
  await blocker.query('begin; lock table contests');
  const slow = costOf('/contests');
  await sleep(300);
  await blocker.query('rollback');
  await blocker.end();
  const { cost, databaseUnits } = await slow;
  assert.ok(databaseUnits >= 20 && cost === 1 + databaseUnits, `${cost}`);
});

test('a search that costs more than the remaining budget is rejected before it runs', async () => {
  const api = await limited(20, 0);
  const refused = await api.get('/repositories?q=a');
  assert.equal(refused.status, 200);
  const again = await api.get('/repositories?q=a');
  assert.equal(again.status, 429);
  const line = api.lines.find(({ requestId }) => requestId === again.headers.get('x-request-id'));
  assert.equal(line?.databaseMs, 0);
});

test('RateLimit-Policy is on all responses, RateLimit only on those that no shared cache may store', async () => {
  const api = await limited(100, 100);
  const policies = '"address";q=100;w=60, "token";q=100;w=60';
  const stored = await api.get('/contests');
  assert.deepEqual(
    [stored.headers.get('ratelimit-policy'), stored.headers.get('ratelimit')],
    ['"address";q=100;w=60', null],
  );
  const missing = await api.get('/agents/nobody');
  assert.match(missing.headers.get('ratelimit') ?? '', /^"address";r=\d+;t=\d+$/);
  const wrong = await api.get('/contests?nonsense=1');
  assert.deepEqual([wrong.status, wrong.headers.get('ratelimit-policy')], [400, '"address";q=100;w=60']);
  const own = await api.get('/bounties/me', bearer(tokens.member));
  assert.equal(own.headers.get('ratelimit-policy'), policies);
  assert.match(own.headers.get('ratelimit') ?? '', /^"token";r=\d+;t=\d+$/);
  const launch = await api.get('/launches/product-1');
  assert.deepEqual([launch.headers.get('ratelimit-policy'), launch.headers.get('ratelimit')], [policies, null]);
  const launchOwn = await api.get('/launches/product-1', bearer(tokens.member));
  assert.match(launchOwn.headers.get('ratelimit') ?? '', /^"token";r=\d+;t=\d+$/);
  const off = await world.serve();
  assert.equal((await off.get('/agents/nobody')).headers.get('ratelimit-policy'), null);
});

test('a valid token has its own budget for operations that read credentials, and none for others', async () => {
  const api = await limited(3, 50);
  assert.equal((await api.get('/bounties/me', bearer(tokens.member))).status, 200);
  const { 200: passed = 0, 429: refused = 0 } = await statuses(60, () =>
    api.get('/bounties/me', bearer(tokens.member)),
  );
  assert.ok(passed <= 49 && passed > 3 && passed + refused === 60, `${passed}`);
  assert.equal(
    (await api.get('/bounties/me', bearer(tokens.god))).status,
    200,
    'the address was not charged for the token',
  );
  assert.deepEqual(await statuses(5, () => api.get('/nowhere', bearer(tokens.stranger))), { 404: 3, 429: 2 });
  const own = () => api.get('/launches/product-1', bearer(tokens.author));
  assert.equal((await own()).status, 429, 'a token not yet known to be valid is rejected with its used-up address');
  assert.equal((await api.get('/bounties/me', bearer(tokens.god))).status, 200, 'a token known to be valid is not');
});

test('a request of a known token is charged to the token; over its limit it is 429 whatever else is wrong', async () => {
  const api = await limited(1000, 30);
  const { headers } = bearer(tokens.member);
  await api.get('/bounties/me', { headers });
  const before = await left(api);
  assert.deepEqual(await statuses(5, () => api.get('/bounties/me?page=0', { headers })), { 400: 5 });
  for (let n = 0; n < 30; n++) await api.get('/bounties/me?page=0', { headers });
  const json = { ...headers, 'content-type': 'application/json' };
  const over: [path: string, init: RequestInit][] = [
    ['/bounties/me', {}],
    ['/bounties/me?page=0', {}],
    ['/bounties/me?nosuch=1', {}],
    ['/bounties/me', { method: 'OPTIONS' }],
    ['/mcp', { method: 'POST', body: '{', headers: json }],
  ];
  for (const [path, init] of over)
    assert.equal((await fetch(api.url + path, { headers, ...init })).status, 429, `${init.method} ${path}`);
  assert.equal(await left(api), before - 1);
});

test('a message to /mcp is charged by its length before it is parsed', async () => {
  const api = await limited(1000, 0);
  const body = '['.repeat(50_000);
  const post = () => fetch(`${api.url}/mcp`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  const before = await left(api);
  assert.equal((await post()).status, 400);
  assert.equal(before - (await left(api)) - 1, 49);
  assert.deepEqual(await statuses(30, post), { 400: 19, 429: 11 });
});

test('a preflight costs nothing, is answered from a constant also over the limit, and writes no log line', async () => {
  const api = await limited(2, 0);
  const preflight = (path: string) =>
    fetch(api.url + path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://site.example',
        'access-control-request-method': 'GET',
        authorization: `Bearer ${tokens.member}`,
      },
    });
  for (const path of ['/contests', '/bounties/me', '/nowhere', '/contests?page=0', '/mcp'])
    for (let n = 0; n < 5; n++) {
      const { status, headers } = await preflight(path);
      const allowed = path === '/mcp' ? null : 'GET, HEAD, OPTIONS';
      assert.deepEqual([status, headers.get('access-control-allow-methods')], [204, allowed], path);
    }
  assert.equal(api.lines.filter(({ msg }) => msg === 'request').length, 0);
  assert.deepEqual(await statuses(3, () => api.get('/contests', { method: 'OPTIONS' })), { 204: 2, 429: 1 });
  assert.equal((await preflight('/contests')).status, 204);
});

test('of the requests over a limit the first in each second is logged, the others as a count', async () => {
  const api = await limited(1, 0);
  const began = Date.now();
  assert.deepEqual(await statuses(301, () => api.get('/nowhere')), { 404: 1, 429: 300 });
  await api.stop();
  const seconds = Math.ceil((Date.now() - began) / 1000) + 1;
  const limitedLines = api.lines.filter(({ code }) => code === 'RATE_LIMITED');
  const own = limitedLines.filter(({ msg }) => msg === 'request');
  const counted = limitedLines.reduce((sum, { count }) => sum + Number(count ?? 0), 0);
  assert.equal(own.length + counted, 300);
  assert.ok(limitedLines.length <= 2 * seconds, `${limitedLines.length} lines in ${seconds} s`);
});

test('invalid tokens are charged to the address; a token that was valid before is not affected', async () => {
  const api = await limited(4, 1000);
  assert.equal((await api.get('/bounties/me', bearer(tokens.member))).status, 200);
  const guess = () => api.get('/bounties/me', bearer(makeKey('live')));
  const guesses = await statuses(10, guess);
  assert.ok((guesses[401] ?? 0) <= 4 && (guesses[429] ?? 0) >= 6, JSON.stringify(guesses));
  assert.equal((await api.get('/bounties/me', { headers: { authorization: 'nonsense' } })).status, 429);
  assert.deepEqual(await statuses(10, () => api.get('/bounties/me', bearer(tokens.member))), { 200: 10 });
});

test('concurrent guesses of tokens are charged before any of them is looked up', async () => {
  const api = await limited(10, 1000);
  const answers = await Promise.all(
    Array.from({ length: 50 }, async () => (await api.get('/bounties/me', bearer(makeKey('live')))).status),
  );
  assert.ok(answers.filter((status) => status === 401).length <= 10, answers.join());
});

test('X-Forwarded-For is trusted only from a proxy in TRUSTED_PROXIES', async () => {
  const open = await limited(2, 0);
  for (let index = 0; index < 2; index++) await open.get('/nowhere', from(`203.0.113.${index}`));
  assert.equal((await open.get('/nowhere', from('203.0.113.9'))).status, 429, 'the header is ignored');
  const behind = await limited(2, 0, behindProxy);
  for (let index = 0; index < 5; index++)
    assert.equal((await behind.get('/nowhere', from(`203.0.113.${index}`))).status, 404);
  for (let index = 0; index < 2; index++) await behind.get('/nowhere', from(`198.51.100.${index}, 203.0.113.77`));
  assert.equal(
    (await behind.get('/nowhere', from('198.51.100.9, 203.0.113.77'))).status,
    429,
    'only the last hop counts',
  );
  const elsewhere = await limited(2, 0, { TRUSTED_PROXIES: '10.0.0.0/8' });
  for (let index = 0; index < 2; index++) await elsewhere.get('/nowhere', from(`203.0.113.${index}`));
  assert.equal((await elsewhere.get('/nowhere', from('203.0.113.9'))).status, 429);
});

test('a network in RATE_LIMIT_NETWORKS is one caller with its own limit', async () => {
  const api = await limited(2, 0, {
    ...behindProxy,
    RATE_LIMIT_NETWORKS: '203.0.113.0/24=5, 2001:db8::/32=0, 198.51.100.7=4',
  });
  let n = 0;
  assert.deepEqual(await statuses(7, () => api.get('/nowhere', from(`203.0.113.${n++}`))), { 404: 5, 429: 2 });
  assert.deepEqual(await statuses(7, () => api.get('/nowhere', from(`2001:db8:${n++}::1`))), { 404: 7 });
  assert.deepEqual(await statuses(6, () => api.get('/nowhere', from('198.51.100.7'))), { 404: 4, 429: 2 });
  assert.deepEqual(await statuses(4, () => api.get('/nowhere', from('198.51.100.8'))), { 404: 2, 429: 2 });
  const over = await api.get('/nowhere', from('203.0.113.1'));
  assert.equal(over.headers.get('ratelimit-policy'), '"network";q=5;w=60');
});

test('an IPv6 address counts as its /64, a mapped IPv4 address as that address; all invalid addresses are one caller', () => {
  assert.equal(addressKey('203.0.113.1:4711'), addressKey('203.0.113.1'));
  assert.equal(addressKey('[2001:db8:1:2::1]:4711'), addressKey('2001:db8:1:2::1'));
  assert.equal(addressKey('2001:db8:1:2::1'), addressKey('2001:0DB8:1:2:ffff:ffff:ffff:ffff'));
  assert.notEqual(addressKey('2001:db8:1:2::1'), addressKey('2001:db8:1:3::1'));
  assert.equal(addressKey('::ffff:203.0.113.1'), addressKey('203.0.113.1'));
  assert.notEqual(addressKey('203.0.113.1'), addressKey('203.0.113.2'));
  assert.equal(addressKey('nonsense'), addressKey('unknown'));
});

test('a limit of 0 means no limit', async () => {
  const api = await limited(0, 0);
  assert.deepEqual(await statuses(50, () => api.get('/contests')), { 200: 50 });
  assert.deepEqual(await statuses(50, () => api.get('/bounties/me', bearer(tokens.member))), { 200: 50 });
});

const shared = (limit: number) => limited(limit, 0, { ...behindProxy, REDIS_URL: redis.url });
/** Waits until both servers are connected to Redis: a unit spent at one counts at the other. */
const connected = (servers: Api[], address: string) =>
  eventually(async () => {
    const [first = 0, second = 0] = [await left(servers[0]!, from(address)), await left(servers[1]!, from(address))];
    assert.ok(second < first);
  });

test('servers share their counts through Redis: each of three callers gets exactly its limit', async () => {
  const servers = [await shared(60), await shared(60)];
  await connected(servers, '192.0.2.200');
  // A Redis that needs longer than a tenth of a second is bypassed. On a busy machine that can happen: then try again.
  const asides = () => servers.flatMap(({ lines }) => lines).filter(({ msg }) => String(msg).includes('in memory'));
  for (let attempt = 1; ; attempt++) {
    const before = asides().length;
    const counts = await Promise.all(
      [1, 2, 3].map((n) => {
        let turn = 0;
        return statuses(90, () => servers[turn++ % 2]!.get('/nowhere', from(`192.0.2.${10 * attempt + n}`)));
      }),
    );
    if (asides().length > before && attempt < 10) continue;
    for (const count of counts) assert.deepEqual(count, { 404: 60, 429: 30 });
    return;
  }
});

test('a Redis that falls silent and comes back gives no caller a second budget', async () => {
  const servers = [await shared(100), await shared(100)];
  await connected(servers, '192.0.2.201');
  const ask = () => servers[0]!.get('/nowhere', from('192.0.2.9'));
  const passed = async (count: number) => (await statuses(count, ask))[404] ?? 0;
  let sum = await passed(50);
  redis.freeze();
  sum += await passed(30); // the server continues from the last known count
  redis.thaw();
  await eventually(async () => {
    await servers[0]!.get('/nowhere', from('192.0.2.8')); // a request of another caller tries Redis again
    assert.ok(servers[0]!.lines.some(({ msg }) => String(msg).includes('counted in Redis again')));
  });
  sum += await passed(50);
  assert.equal(sum, 100);
  const other = () => servers[1]!.get('/nowhere', from('192.0.2.9'));
  // On a busy machine the last counts reach Redis a moment later. By its own count alone it would allow a hundred.
  for (let tries = 0; tries < 5 && (await other()).status !== 429; tries++) await sleep(200);
  assert.equal((await other()).status, 429, 'the other server has the full count');
});

test('no request fails when Redis is killed, frozen or wiped; the log reports it, and sharing resumes', async () => {
  const servers = [await shared(1_000_000), await shared(1_000_000)];
  await connected(servers, '192.0.2.202');
  let isDone = false;
  const counts: Record<number, number> = {};
  const asking = (async () => {
    for (let turn = 0; !isDone; turn++) {
      const { status } = await servers[turn % 2]!.get('/nowhere', from('192.0.2.10'));
      counts[status] = (counts[status] ?? 0) + 1;
    }
  })();
  const logged = (text: string, times: number) =>
    eventually(() =>
      assert.ok(
        servers.every(({ lines }) => lines.filter(({ msg }) => String(msg).includes(text)).length >= times),
        text,
      ),
    );
  await redis.kill();
  await logged('counted in memory', 1);
  await redis.start();
  await logged('counted in Redis again', 1);
  redis.freeze();
  await logged('counted in memory', 2);
  redis.thaw();
  await logged('counted in Redis again', 2);
  await redis.wipe();
  isDone = true;
  await asking;
  assert.deepEqual(Object.keys(counts), ['404'], JSON.stringify(counts));
});

test('while Redis is unavailable each server enforces the limit with its own count', async () => {
  await redis.kill();
  const alone = await limited(5, 0, { REDIS_URL: redis.url });
  assert.deepEqual(await statuses(8, () => alone.get('/nowhere')), { 404: 5, 429: 3 });
  await redis.start();
});

test('Redis contains no token in plain text', async () => {
  const api = await limited(50, 50, { REDIS_URL: redis.url });
  const { createClient } = await import('@redis/client');
  const client = await createClient({ url: redis.url }).connect();
  const keys = await eventually(async () => {
    await api.get('/bounties/me', bearer(tokens.member));
    const found = await client.keys('commonhall:token:*');
    assert.ok(found.length > 0);
    return found;
  });
  client.destroy();
  assert.ok(!JSON.stringify(keys).includes('chk_'));
});
