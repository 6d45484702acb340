// Measures the time from the platform's commit of a change to a response over HTTP, at 100 changes a second.
// Full run, on a quiet machine:
//   SOURCE=outbox RATE=500 SECONDS=600 TEST_LIMIT_MS=1200000 npm test -- packages/server/test/follow-lag.system.test.ts
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { drawMix } from '../../../test/helpers/mix.ts';
import { bodyOf, kinds } from '../../../test/helpers/platform.ts';
import { eventually } from '../../../test/helpers/process.ts';
import { seeded } from '../../../test/helpers/random.ts';
import { openOutboxStand, openStand } from '../../../test/helpers/stand.ts';

const seconds = Number(process.env.SECONDS ?? 10);
const isFull = process.env.SECONDS !== undefined;
const rate = Number(process.env.RATE ?? 100);
/** Transactions a second, each with several changes; one of those is the probe. */
const commits = 20;

const { hall, server, platform } = await (process.env.SOURCE === 'nats' ? openStand() : openOutboxStand());
const { commit } = platform;
const size = { users: 20_000, collections: 200, repositories: 20_000 };
/** Inserts the rows that the changes refer to. */
const fill = async () => {
  const client = new pg.Client(hall.url);
  await client.connect();
  const [moment, some] = [`'2026-01-05T00:00:00Z'`, (n: number) => `generate_series(1, ${n}) g`];
  for (const text of [
    `insert into users (id, username, display_name, status) select 'u' || g, 'u' || g, 'U', 'active' from ${some(size.users)}`,
    `insert into collections (address, name, description, type, importance, is_sbt, category, is_winner, source,
       next_item_index, created_at, updated_at)
     select 'c' || g, 'C', 'd', 'SBT', 'HIGH', true, 'k', false, 'external', 1, ${moment}, ${moment} from ${some(size.collections)}`,
    `insert into sponsors (id, slug, name) values ('s', 's', 'S')`,
    `insert into bounties (id, slug, title, short_description, details, category, status, published_at, sponsor_id,
       submissions_visible, created_at, updated_at)
     values ('b', 'b', 't', 's', 'd', 'c', 'OPEN', ${moment}, 's', true, ${moment}, ${moment})`,
    `insert into repositories (platform, platform_id, owner, name, status, contributors_count, created_at, updated_at)
     select case when g % 2 = 0 then 'github' else 'gitlab' end, 'r' || g, 'o', 'n', 'REVIEWED', 1, ${moment}, ${moment}
     from ${some(size.repositories)}`,
    'vacuum analyze',
  ])
    await client.query(text);
  await client.end();
};
const probe = (version: number): string => {
  const record = { ...kinds.contests!.make(1), id: 'probe', slug: 'probe', status: 'OPEN', title: `${version}` };
  return bodyOf({ op: 'put', table: 'contests', record: { ...record, submission_start: '2099-01-01T00:00:00.000Z' } });
};

test(`${rate} changes a second for ${seconds} s: the time from commit to response is bounded`, async (t) => {
  const random = seeded(Number(process.env.SEED ?? 1));
  await fill();
  const committedAt = new Map<number, number>();
  let version = 0;
  await commit([probe(version)]);
  await eventually(async () => assert.match(await (await fetch(`${server.url}/contests`)).text(), /"probe"/), 60_000);

  const lags: number[] = [];
  let [isDone, seen] = [false, 0];
  const read = async () => {
    while (!isDone || seen < version) {
      const response = await fetch(`${server.url}/contests?pageSize=1`);
      const { data } = (await response.json()) as { data?: { items: { title: string }[] } };
      const now = performance.now();
      const title = Number(data?.items[0]?.title);
      // Every version that has become visible since the last read.
      for (; seen < title; seen++) lags.push(now - committedAt.get(seen + 1)!);
      await sleep(2);
    }
  };
  const reading = read();
  const began = performance.now();
  let changes = 0;
  for (let n = 0; n < seconds * commits; n++) {
    const bodies = drawMix(random, rate / commits - 1, `n${n}`, size);
    version += 1;
    bodies.push(probe(version));
    // The commit is durable when the promise resolves, but the change may become visible shortly before.
    committedAt.set(version, performance.now());
    await commit(bodies);
    committedAt.set(version, performance.now());
    changes += bodies.length;
    await sleep(Math.max(0, began + ((n + 1) * 1000) / commits - performance.now()));
  }
  const took = (performance.now() - began) / 1000;
  isDone = true;
  await reading;
  lags.sort((a, b) => a - b);
  const quantile = (q: number) => lags[Math.floor(q * (lags.length - 1))]!;
  t.diagnostic(
    `${Math.round(changes / took)} changes a second, ${lags.length} probes; ms: p50 ${quantile(0.5).toFixed(0)}, p99 ${quantile(0.99).toFixed(0)}, longest ${quantile(1).toFixed(0)}`,
  );
  assert.equal(lags.length, version);
  // In parallel with other tests on a slow machine, only the order of magnitude can be checked.
  assert.ok(quantile(0.5) <= (isFull ? 150 : 3000), `p50 ${quantile(0.5)}`);
  assert.ok(quantile(0.99) <= (isFull ? 1000 : 15_000), `p99 ${quantile(0.99)}`);
});
