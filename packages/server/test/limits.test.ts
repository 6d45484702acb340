// Rate limits (gap G8): who is counted, what it costs, what the answers say, and that a counter that is gone never
// refuses anybody.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeKey } from '../src/http/auth.ts';
import { addressKey } from '../src/http/limits.ts';
import { populate } from './helpers/community.ts';
import { startRedis } from './helpers/redis.ts';
import { createWorld } from './helpers/world.ts';

const world = await createWorld();
const { tokens } = await populate(world);
const redis = await startRedis();

type Api = Awaited<ReturnType<typeof world.serve>>;
const limited = (perAddress: number, perToken: number, settings: Record<string, string> = {}) =>
  world.serve({ RATE_LIMIT_PER_ADDRESS: String(perAddress), RATE_LIMIT_PER_TOKEN: String(perToken), ...settings });
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const statuses = async (count: number, ask: () => Promise<Response>): Promise<Record<number, number>> => {
  const counts: Record<number, number> = {};
  for (let index = 0; index < count; index++) {
    const { status } = await ask();
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
};

test('one request too many from an address is 429 before any read, and says when to come back', async () => {
  const api = await limited(5, 0);
  assert.deepEqual(await statuses(5, () => api.get('/contests')), { 200: 5 });
  const over = await api.get('/agents/helper');
  assert.equal(over.status, 429);
  assert.deepEqual(await over.json(), {
    success: false,
    error: `Too many requests: 5 a minute are allowed for one address; try again in ${over.headers.get('retry-after')} s`,
    code: 'RATE_LIMITED',
  });
  assert.match(over.headers.get('retry-after') ?? '', /^(60|5\d)$/);
  assert.match(over.headers.get('ratelimit') ?? '', /^"address";r=0;t=(60|5\d)$/);
  assert.equal(over.headers.get('ratelimit-policy'), '"address";q=5;w=60');
  const line = api.lines.find(({ requestId }) => requestId === over.headers.get('x-request-id'));
  assert.deepEqual([line?.databaseMs, line?.code], [0, 'RATE_LIMITED']);
  assert.equal((await api.get('/agents/helper/agent-registration.json')).status, 429);
  assert.equal((await fetch(`${api.url}/healthz`)).status, 200, 'health is not counted');
});

test('RateLimit-Policy is on all answers, RateLimit only where no shared cache may store', async () => {
  const api = await limited(100, 100);
  const policies = '"address";q=100;w=60, "token";q=100;w=60';
  const stored = await api.get('/contests');
  assert.deepEqual(
    [stored.headers.get('ratelimit-policy'), stored.headers.get('ratelimit')],
    ['"address";q=100;w=60', null],
  );
  const missing = await api.get('/agents/nobody');
  assert.match(missing.headers.get('ratelimit') ?? '', /^"address";r=98;t=60$/);
  const wrong = await api.get('/contests?nonsense=1');
  assert.deepEqual([wrong.status, wrong.headers.get('ratelimit-policy')], [400, '"address";q=100;w=60']);
  const own = await api.get('/bounties/me', bearer(tokens.member));
  assert.deepEqual(
    [own.headers.get('ratelimit-policy'), own.headers.get('ratelimit')],
    [policies, '"token";r=99;t=60'],
  );
  const launch = await api.get('/launches/product-1');
  assert.deepEqual([launch.headers.get('ratelimit-policy'), launch.headers.get('ratelimit')], [policies, null]);
  const launchOwn = await api.get('/launches/product-1', bearer(tokens.member));
  assert.equal(launchOwn.headers.get('ratelimit'), '"token";r=98;t=60');
  const off = await world.serve();
  assert.equal((await off.get('/agents/nobody')).headers.get('ratelimit-policy'), null);
});

test('a 304, a wrong parameter and OPTIONS are free', async () => {
  const api = await limited(3, 0);
  const etag = (await api.get('/contests')).headers.get('etag') ?? '';
  const conditional = () => api.get('/contests', { headers: { 'if-none-match': etag } });
  assert.deepEqual(await statuses(10, conditional), { 304: 10 });
  assert.deepEqual(await statuses(10, () => api.get('/contests?page=0')), { 400: 10 });
  assert.deepEqual(await statuses(10, () => api.get('/contests', { method: 'OPTIONS' })), { 204: 10 });
  assert.deepEqual(await statuses(4, () => api.get('/contests')), { 200: 2, 429: 2 });
});

test('a token has its own count where it is read, and none where it is not', async () => {
  const api = await limited(3, 5);
  assert.deepEqual(await statuses(7, () => api.get('/bounties/me', bearer(tokens.member))), { 200: 5, 429: 2 });
  assert.deepEqual(await statuses(7, () => api.get('/bounties/me', bearer(tokens.god))), { 200: 5, 429: 2 });
  assert.deepEqual(await statuses(5, () => api.get('/contests', bearer(tokens.stranger))), { 200: 3, 429: 2 });
  const own = () => api.get('/launches/product-1', bearer(tokens.author));
  assert.equal((await own()).status, 429, 'a token that is not known to be good cannot leave a used-up address');
});

test('tokens that fail count against the address; one that was good goes on', async () => {
  const api = await limited(4, 100);
  assert.equal((await api.get('/bounties/me', bearer(tokens.member))).status, 200);
  const guess = () => api.get('/bounties/me', bearer(makeKey('live')));
  assert.deepEqual(await statuses(10, guess), { 401: 4, 429: 6 });
  assert.equal((await api.get('/bounties/me', { headers: { authorization: 'nonsense' } })).status, 429);
  assert.deepEqual(await statuses(10, () => api.get('/bounties/me', bearer(tokens.member))), { 200: 10 });
});

test('the address is the one that a named proxy tells, and nobody else', async () => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const open = await limited(2, 0);
  for (let index = 0; index < 2; index++) await open.get('/contests', from(`203.0.113.${index}`));
  assert.equal((await open.get('/contests', from('203.0.113.9'))).status, 429, 'not believed');
  const behind = await limited(2, 0, { TRUSTED_PROXIES: '127.0.0.0/8' });
  for (let index = 0; index < 5; index++)
    assert.equal((await behind.get('/contests', from(`203.0.113.${index}`))).status, 200);
  for (let index = 0; index < 2; index++) await behind.get('/contests', from(`198.51.100.${index}, 203.0.113.77`));
  assert.equal(
    (await behind.get('/contests', from('198.51.100.9, 203.0.113.77'))).status,
    429,
    'only the last hop counts',
  );
  const elsewhere = await limited(2, 0, { TRUSTED_PROXIES: '10.0.0.0/8' });
  for (let index = 0; index < 2; index++) await elsewhere.get('/contests', from(`203.0.113.${index}`));
  assert.equal((await elsewhere.get('/contests', from('203.0.113.9'))).status, 429);
});

test('an IPv6 address is its /64; a mapped IPv4 address is that address; nonsense is one caller', () => {
  assert.equal(addressKey('203.0.113.1:4711'), addressKey('203.0.113.1'));
  assert.equal(addressKey('[2001:db8:1:2::1]:4711'), addressKey('2001:db8:1:2::1'));
  assert.equal(addressKey('2001:db8:1:2::1'), addressKey('2001:0DB8:1:2:ffff:ffff:ffff:ffff'));
  assert.notEqual(addressKey('2001:db8:1:2::1'), addressKey('2001:db8:1:3::1'));
  assert.equal(addressKey('::ffff:203.0.113.1'), addressKey('203.0.113.1'));
  assert.notEqual(addressKey('203.0.113.1'), addressKey('203.0.113.2'));
  assert.equal(addressKey('nonsense'), addressKey('unknown'));
});

test('a limit of 0 is none', async () => {
  const api = await limited(0, 0);
  assert.deepEqual(await statuses(50, () => api.get('/contests')), { 200: 50 });
  assert.deepEqual(await statuses(50, () => api.get('/bounties/me', bearer(tokens.member))), { 200: 50 });
});

/** Asks both servers in turn until the moment comes; answers how often each status came. */
const askBoth = async (servers: Api[], token: string, ms: number, pauseMs: number) => {
  const counts: Record<number, number> = {};
  const until = performance.now() + ms;
  for (let index = 0; performance.now() < until; index++) {
    const { status } = await servers[index % servers.length]!.get('/bounties/me', bearer(token));
    counts[status] = (counts[status] ?? 0) + 1;
    await sleep(pauseMs);
  }
  return counts;
};

test('servers share their counts through Redis: three identities, each exactly its limit', async () => {
  const servers = [await limited(0, 60, { REDIS_URL: redis.url }), await limited(0, 60, { REDIS_URL: redis.url })];
  await servers[0]!.get('/contests');
  await sleep(200); // both are connected
  const three = [tokens.member, tokens.god, tokens.author];
  const counts = await Promise.all(three.map((token) => askBoth(servers, token, 4000, 10)));
  for (const count of counts) assert.equal(count[200], 60, JSON.stringify(count));
});

test('Redis killed, frozen or wiped: no request fails for it, the log says so, and sharing comes back', async () => {
  const servers = [await limited(0, 1000, { REDIS_URL: redis.url }), await limited(0, 1000, { REDIS_URL: redis.url })];
  const asking = askBoth(servers, tokens.stranger, 7000, 5);
  await sleep(500);
  await redis.kill();
  await sleep(1000);
  await redis.start();
  await sleep(1500);
  redis.freeze();
  await sleep(1000);
  redis.thaw();
  await sleep(1500);
  await redis.wipe();
  const counts = await asking;
  assert.deepEqual(Object.keys(counts), ['200'], JSON.stringify(counts));
  const told = servers.flatMap(({ lines }) => lines.map(({ msg }) => String(msg)));
  assert.ok(told.some((text) => text.includes('counted in memory')));
  assert.ok(told.some((text) => text.includes('counted in Redis again')));
});

test('while Redis is away the limit still holds, counted by each server', async () => {
  await redis.kill();
  const alone = await limited(5, 0, { REDIS_URL: redis.url });
  assert.deepEqual(await statuses(8, () => alone.get('/contests')), { 200: 5, 429: 3 });
  await redis.start();
});

test('neither token nor address stands in Redis in the clear', async () => {
  const api = await limited(50, 50, { REDIS_URL: redis.url });
  await sleep(200);
  await api.get('/bounties/me', bearer(tokens.member));
  const { createClient } = await import('@redis/client');
  const client = await createClient({ url: redis.url }).connect();
  const keys = await client.keys('*');
  client.destroy();
  assert.ok(keys.length > 0);
  assert.ok(!JSON.stringify(keys).includes('chk_'));
});
