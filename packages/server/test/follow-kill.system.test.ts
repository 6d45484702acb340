// A platform commits changes while the relay, NATS, the follower and PostgreSQL are repeatedly killed (SIGKILL) or
// suspended (SIGSTOP). The final state equals the naive model, and a hidden row stays hidden until a change shows it.
// Full run:
//   CHANGES=100000 KILLS=200 TEST_LIMIT_MS=5400000 npm test -- packages/server/test/follow-kill.system.test.ts
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openPublisher } from '../../../test/helpers/feed.ts';
import { bodyOf, kinds, openPlatform } from '../../../test/helpers/platform.ts';
import { eventually } from '../../../test/helpers/process.ts';
import { seeded } from '../../../test/helpers/random.ts';
import { openStand } from '../../../test/helpers/stand.ts';
import { verify } from '../src/db/schema/verify.ts';
import { assertSameState } from './helpers/state.ts';

const wanted = { changes: Number(process.env.CHANGES ?? 1500), kills: Number(process.env.KILLS ?? 6) };
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const random = seeded(seed);
const stand = await openStand();
const { commit, hall, nats, server, writer, parts } = stand;

// Rows that are alternately shown and hidden: odd versions are shown, and the title is the version.
const watched = 10;
const versions = Array<number>(watched).fill(0);
const watchedChange = (n: number): string => {
  versions[n]! += 1;
  const version = versions[n]!;
  const record = {
    ...kinds.bounties!.make(n),
    id: `watch-${n}`,
    slug: `watch-${n}`,
    title: `${version}`,
    sponsor_id: 'watch',
  };
  if (version % 2 === 1) return bodyOf({ op: 'put', table: 'bounties', record: { ...record, status: 'OPEN' } });
  const way = random(3);
  if (way === 0) return bodyOf({ op: 'delete', table: 'bounties', key: { id: record.id } });
  return bodyOf({
    op: 'put',
    table: 'bounties',
    record: { ...record, status: 'DRAFT', ...(way === 1 ? { wrong: 1 } : {}) },
  });
};

/** Reads the watched rows over HTTP until it is stopped. `wrong` collects versions that must not be visible. */
const watch = (stopped: AbortSignal) => {
  const seen = Array.from({ length: watched }, () => ({ version: 0, isHidden: false }));
  const wrong: string[] = [];
  let [reads, shown] = [0, 0];
  const run = async () => {
    for (let n = 0; !stopped.aborted; n = (n + 1) % watched) {
      const response = await fetch(`${server.url}/bounties/watch-${n}`).catch(() => null);
      const row = seen[n]!;
      if (response?.status === 404) row.isHidden = true;
      else if (response?.status === 200) {
        const { data } = (await response.json()) as { data: { title: string } };
        const version = Number(data.title);
        if (version < row.version || (row.isHidden && version === row.version))
          wrong.push(`watch-${n}: version ${version} after ${row.version}${row.isHidden ? ', hidden since' : ''}`);
        Object.assign(row, { version, isHidden: false });
        shown += 1;
      } else await response?.arrayBuffer();
      reads += 1;
      await sleep(5);
    }
  };
  return { ended: run(), wrong, counts: () => ({ reads, shown }) };
};

const pause = async (child: ChildProcess) => {
  child.kill('SIGSTOP');
  await sleep(300 + random(4000));
  child.kill('SIGCONT');
};
const disturbances: Record<string, () => Promise<unknown>> = {
  'follower killed': stand.restartFollower,
  'relay killed': stand.restartRelay,
  'NATS killed': async () => {
    await nats.crash();
    await nats.restart();
  },
  'PostgreSQL killed': async () => {
    await hall.crash();
    await hall.restart();
  },
  'follower stopped': () => pause(parts.follower.child),
  'relay stopped': () => pause(stand.relay().child),
};

test(`${wanted.changes} changes, ${wanted.kills} kills: the final state equals the model`, async (t) => {
  t.diagnostic(`SEED=${seed}`);
  const began = Date.now();
  const platform = openPlatform(random);
  const stop = new AbortController();
  const reader = watch(stop.signal);
  await commit([
    bodyOf({ op: 'put', table: 'sponsors', record: { ...kinds.sponsors!.make(0), id: 'watch', slug: 'watch' } }),
  ]);

  let changes = 0;
  let isDone = false;
  const write = async () => {
    while (changes < wanted.changes || !isDone) {
      const bodies = platform.next().map(bodyOf);
      if (random(10) === 0) bodies.push(watchedChange(random(watched)));
      await commit(bodies);
      changes += bodies.length;
      if (changes % 50 < bodies.length) {
        const { rows } = await writer.query<{ n: string }>('select count(*) as n from outbox');
        // Spreads the changes over the kills, and bounds the backlog.
        if (Number(rows[0]!.n) > 3000 || changes > (wanted.changes * (Date.now() - began)) / (wanted.kills * 3000))
          await sleep(100);
      }
    }
  };
  const writing = write();
  const done: Record<string, number> = {};
  for (let n = 0; n < wanted.kills; n++) {
    await sleep(500 + random(2500));
    const names = Object.keys(disturbances);
    const name = names[n < names.length ? n : random(names.length)]!;
    done[name] = (done[name] ?? 0) + 1;
    await disturbances[name]!();
    assert.equal(parts.follower.child.exitCode, null, parts.follower.output());
  }
  isDone = true;
  await writing;

  // With the relay stopped nothing new arrives, and asOf in /status stands still.
  const publisher = await openPublisher(nats.url);
  await eventually(
    async () => assert.equal((await writer.query('select from outbox limit 1')).rowCount, 0, stand.relay().output()),
    300_000,
  );
  await stand.relay().kill();
  const last = await publisher.last();
  await publisher.close();
  const client = new pg.Client(hall.url);
  await client.connect();
  const position = async () => Number((await client.query('select sequence from feed')).rows[0].sequence);
  await eventually(async () => assert.equal(await position(), last, parts.follower.output().slice(-2000)), 300_000);
  const asOf = async () =>
    ((await (await fetch(`${server.url}/status`)).json()) as { data: { asOf: string } }).data.asOf;
  const before = await asOf();
  await sleep(2500);
  assert.equal(await asOf(), before);
  assert.ok(Date.parse(before) > began, before);

  stop.abort();
  await reader.ended;
  t.diagnostic(
    `${changes} changes in ${last} messages, ${Math.round((Date.now() - began) / 1000)} s; ${JSON.stringify(done)}; ${JSON.stringify(reader.counts())}; ${platform.rejected.size} left rejected`,
  );
  assert.deepEqual(reader.wrong, []);
  assert.ok(reader.counts().shown > 0);
  await assertSameState(client, platform);
  await client.end();
  assert.deepEqual((await verify(hall.url, false)).drifts, []);
});
