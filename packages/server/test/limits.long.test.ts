// Rate limits with two servers and one Redis: each of three callers gets exactly its limit, and no request fails while
// Redis is killed, frozen and wiped. MINUTE=1 runs for a minute at the default limit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../../../test/helpers/world.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { startRedis } from './helpers/redis.ts';

const isLong = process.env.MINUTE === '1';
const limit = isLong ? 600 : 60;
const windowMs = isLong ? 59_000 : 6000;
const world = await createWorld();
/** Each test has its own callers, so that their budgets are unused when it begins. */
const callers = (network: string) => [1, 2, 3].map((n) => `${network}.${n}`);
const redis = await startRedis();
const serveBoth = () =>
  Promise.all(
    [0, 1].map(() =>
      world.serve({
        RATE_LIMIT_PER_ADDRESS: String(limit),
        REDIS_URL: redis.url,
        TRUSTED_PROXIES: '127.0.0.0/8',
        CHECK_RESPONSES: 'false',
      }),
    ),
  );

/** Calls at twice the limit, alternating between both servers, and counts the statuses. */
const callFor = async (servers: Api[], address: string, ms: number): Promise<Record<number, number>> => {
  const counts: Record<number, number> = {};
  const began = performance.now();
  const gapMs = windowMs / (2 * limit);
  for (let index = 0; performance.now() - began < ms; index++) {
    // An unknown route costs one unit, however slow the database is.
    const { status } = await servers[index % 2]!.get('/nowhere', { headers: { 'x-forwarded-for': address } });
    counts[status] = (counts[status] ?? 0) + 1;
    await sleep(Math.max(0, (index + 1) * gapMs - (performance.now() - began)));
  }
  return counts;
};

test('each of three callers gets as many responses as its limit allows, within 2 %', async (t) => {
  const servers = await serveBoth();
  await sleep(300);
  const counts = await Promise.all(callers('192.0.2').map((address) => callFor(servers, address, windowMs)));
  t.diagnostic(JSON.stringify(counts));
  for (const { 404: passed = 0, 429: refused = 0, ...others } of counts) {
    assert.ok(Math.abs(passed - limit) <= 0.02 * limit, `${passed}`);
    assert.ok(refused > 0);
    assert.deepEqual(others, {});
  }
});

test('no request fails while Redis is killed, frozen and wiped', async (t) => {
  const servers = await serveBoth();
  const asking = Promise.all(
    callers('198.51.100').map((address) => callFor(servers, address, isLong ? 30_000 : 10_000)),
  );
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
  for (const count of counts) for (const status of Object.keys(count)) assert.match(status, /^(404|429)$/);
});
