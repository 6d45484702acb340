// A platform commits changes while every part on the way is repeatedly killed (SIGKILL) or suspended (SIGSTOP), with the
// outbox as the source, with NATS, and with three servers of NATS, of which the leader is disturbed. The final state
// equals the naive model, no change is applied twice, and a hidden row stays hidden until a change shows it. Full run:
//   SOURCE=outbox CHANGES=100000 KILLS=200 TEST_LIMIT_MS=5400000 npm test -- packages/server/test/follow-kill.system.test.ts
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openPublisher } from '../../../test/helpers/feed.ts';
import { bodyOf, kinds, openPlatform } from '../../../test/helpers/platform.ts';
import { eventually } from '../../../test/helpers/process.ts';
import { seeded } from '../../../test/helpers/random.ts';
import type { SourceName } from '../../../test/helpers/stand.ts';
import { openClusterStand, openOutboxStand, openStand, sources } from '../../../test/helpers/stand.ts';
import type { PrivatePostgres } from '../../../test/postgres.ts';
import { verify } from '../src/db/schema/verify.ts';
import { assertSameState } from './helpers/state.ts';

const wanted = {
  changes: Number(process.env.CHANGES ?? 1500),
  kills: process.env.KILLS === undefined ? undefined : Number(process.env.KILLS),
};
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const random = seeded(seed);
// Rows that are alternately shown and hidden: odd versions are shown, and the title is the version.
const watched = 10;
const watchedChange = (versions: number[], n: number): string => {
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
const watch = (url: string, stopped: AbortSignal) => {
  const seen = Array.from({ length: watched }, () => ({ version: 0, isHidden: false }));
  const wrong: string[] = [];
  let [reads, shown] = [0, 0];
  const run = async () => {
    for (let n = 0; !stopped.aborted; n = (n + 1) % watched) {
      const response = await fetch(`${url}/bounties/watch-${n}`).catch(() => null);
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

const pause = async (stop: (signal: NodeJS.Signals) => void) => {
  stop('SIGSTOP');
  await sleep(300 + random(4000));
  stop('SIGCONT');
};
const crash = async (part: { crash: () => Promise<void>; restart: () => Promise<void> }) => {
  await part.crash();
  await part.restart();
};
const suspend = (postgres: PrivatePostgres) => {
  const pids = postgres.processes();
  return pause((signal) => {
    for (const pid of pids)
      try {
        process.kill(pid, signal);
      } catch {
        // A process of the server may have ended.
      }
  });
};

type Stand = Awaited<ReturnType<typeof openOutboxStand>>;
const disturbHall = ({ hall, parts, restartFollower }: Stand) => ({
  'follower killed': restartFollower,
  'follower stopped': () => pause((signal) => parts.follower.child.kill(signal)),
  'PostgreSQL killed': () => crash(hall),
});
/** Waits until everything is published, stops the relay, and returns the number of the last message. */
const lastPublished = async (
  { platform, relay }: Pick<Awaited<ReturnType<typeof openStand>>, 'platform' | 'relay'>,
  last: () => Promise<number>,
): Promise<number> => {
  await eventually(async () => assert.ok(await platform.isEmpty(), relay.program().output()), 300_000);
  await relay.program().kill();
  return eventually(last, 60_000);
};

/** The parts on the way from a platform to a caller, what can happen to them, and how the way is cut at the end. */
const stands = {
  outbox: async () => {
    const stand = await openOutboxStand();
    const { platform } = stand;
    return {
      ...stand,
      disturbances: {
        "the platform's PostgreSQL killed": () => crash(platform.postgres),
        "the platform's PostgreSQL stopped": () => suspend(platform.postgres),
        'PostgreSQL stopped': () => suspend(stand.hall),
        ...disturbHall(stand),
      },
      /** The number of the last change, when everything is on its way. */
      last: async () => platform.rows(),
      cut: () => platform.postgres.crash(),
    };
  },
  nats: async () => {
    const stand = await openStand();
    const { nats, relay } = stand;
    return {
      ...stand,
      disturbances: {
        'relay killed': relay.restart,
        'relay stopped': () => pause((signal) => relay.program().child.kill(signal)),
        'NATS killed': () => crash(nats),
        ...disturbHall(stand),
      },
      last: async () => {
        const publisher = await openPublisher(nats.url);
        const last = await lastPublished(stand, publisher.last);
        await publisher.close();
        return last;
      },
      cut: async () => {},
    };
  },
  cluster: async () => {
    const stand = await openClusterStand();
    return {
      ...stand,
      disturbances: {
        'leader killed': stand.nats.killLeader,
        'leader stopped': async () => pause(await stand.nats.signalLeader()),
      },
      last: () => lastPublished(stand, stand.nats.last),
      cut: async () => {},
    };
  },
};

const run = async (name: SourceName, t: TestContext) => {
  t.diagnostic(`SEED=${seed}`);
  const stand = await stands[name]();
  const { hall, server, parts, platform: source } = stand;
  const disturbances: Record<string, () => Promise<unknown>> = stand.disturbances;
  const names = Object.keys(disturbances);
  const kills = wanted.kills ?? names.length;
  const began = Date.now();
  const platform = openPlatform(random);
  const stop = new AbortController();
  const reader = watch(server.url, stop.signal);
  const versions = Array<number>(watched).fill(0);
  await source.commit([
    bodyOf({ op: 'put', table: 'sponsors', record: { ...kinds.sponsors!.make(0), id: 'watch', slug: 'watch' } }),
  ]);

  let isDone = false;
  const write = async () => {
    while (source.rows() < wanted.changes || !isDone) {
      const bodies = platform.next().map(bodyOf);
      if (random(10) === 0) bodies.push(watchedChange(versions, random(watched)));
      await source.commit(bodies);
      const changes = source.rows();
      // Spreads the changes over the kills, and bounds the backlog.
      if (changes % 50 < bodies.length && changes > (wanted.changes * (Date.now() - began)) / (kills * 3000))
        await sleep(100);
    }
  };
  const writing = write();
  const done: Record<string, number> = {};
  for (let n = 0; n < kills; n++) {
    await sleep(500 + random(2500));
    const disturbance = names[n < names.length ? n : random(names.length)]!;
    done[disturbance] = (done[disturbance] ?? 0) + 1;
    await disturbances[disturbance]!();
    assert.equal(parts.follower.child.exitCode, null, parts.follower.output());
  }
  isDone = true;
  await writing;

  const last = await stand.last();
  const client = new pg.Client(hall.url);
  await client.connect();
  // Every message has its own number: none is applied twice, and none is left out.
  const position = async () => Number((await client.query('select sequence from feed')).rows[0].sequence);
  await eventually(async () => assert.equal(await position(), last, parts.follower.output().slice(-2000)), 300_000);
  // A change that waited for a row of the last batch may be tried again only with the next one.
  const waiting = async () => (await client.query('select from rejected_changes where is_waiting')).rowCount;
  await eventually(async () => assert.equal(await waiting(), 0), 120_000);
  // When nothing new arrives, asOf in /status stands still.
  await stand.cut();
  const asOf = async () =>
    ((await (await fetch(`${server.url}/status`)).json()) as { data: { asOf: string } }).data.asOf;
  await sleep(500);
  const before = await asOf();
  await sleep(2500);
  assert.equal(await asOf(), before);
  assert.ok(Date.parse(before) > began, before);

  stop.abort();
  await reader.ended;
  t.diagnostic(
    `${source.rows()} changes, ${Math.round((Date.now() - began) / 1000)} s; ${JSON.stringify(done)}; ${JSON.stringify(reader.counts())}; ${platform.rejected.size} left rejected`,
  );
  assert.deepEqual(reader.wrong, []);
  assert.ok(reader.counts().shown > 0);
  await assertSameState(client, platform);
  assert.equal((await client.query('select undone::integer from feed')).rows[0].undone, 0);
  await client.end();
  assert.deepEqual((await verify(hall.url, false)).drifts, []);
};

// At the same time: most of it is waiting.
describe('while every part is killed and stopped, the final state equals the model', { concurrency: true }, () => {
  for (const name of sources) test(name, (t) => run(name, t));
});
