// Three callers, two servers, one Redis: each gets its limit and no more. And the same while Redis is killed, frozen and
// wiped: nobody is refused for that. MINUTE=1 does it for a minute at the limit that is the default.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis } from './helpers/redis.ts';
import type { Api } from './helpers/world.ts';
import { createWorld } from './helpers/world.ts';

const isLong = process.env.MINUTE === '1';
const limit = isLong ? 600 : 60;
const windowMs = isLong ? 59_000 : 6000;
const world = await createWorld();
const tokens: string[] = [];
for (const id of ['alice', 'bob', 'carol']) {
  await world.add('users', { id, username: id });
  tokens.push(await world.keyFor(id));
}
const redis = await startRedis();
const serveBoth = () =>
  Promise.all(
    [0, 1].map(() =>
      world.serve({ RATE_LIMIT_PER_TOKEN: String(limit), REDIS_URL: redis.url, CHECK_RESPONSES: 'false' }),
    ),
  );

/** One caller at twice the limit, on both servers in turn: how often each status came. */
const callFor = async (servers: Api[], token: string, ms: number): Promise<Record<number, number>> => {
  const counts: Record<number, number> = {};
  const began = performance.now();
  const gapMs = windowMs / (2 * limit);
  for (let index = 0; performance.now() - began < ms; index++) {
    const { status } = await servers[index % 2]!.get('/bounties/me', { headers: { authorization: `Bearer ${token}` } });
    counts[status] = (counts[status] ?? 0) + 1;
    await sleep(Math.max(0, (index + 1) * gapMs - (performance.now() - began)));
  }
  return counts;
};

test('three callers: each is let through as often as its limit says, within 2 %', async (t) => {
  const servers = await serveBoth();
  await sleep(300);
  const counts = await Promise.all(tokens.map((token) => callFor(servers, token, windowMs)));
  t.diagnostic(JSON.stringify(counts));
  for (const { 200: passed = 0, 429: refused = 0, ...others } of counts) {
    assert.ok(Math.abs(passed - limit) <= 0.02 * limit, `${passed}`);
    assert.ok(refused > 0);
    assert.deepEqual(others, {});
  }
});

test('Redis killed, frozen and wiped: neither a fault nor a false 401', async (t) => {
  const servers = await serveBoth();
  const asking = Promise.all(tokens.map((token) => callFor(servers, token, isLong ? 30_000 : 10_000)));
  for (let round = 0; round < (isLong ? 3 : 1); round++) {
    await sleep(2000);
    await redis.kill();
    await sleep(1500);
    await redis.start();
    await sleep(1500);
    redis.freeze();
    await sleep(1500);
    redis.thaw();
    await sleep(1500);
    await redis.wipe();
  }
  const counts = await asking;
  t.diagnostic(JSON.stringify(counts));
  for (const count of counts) for (const status of Object.keys(count)) assert.match(status, /^(200|429)$/);
});
