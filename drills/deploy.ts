// npm run drill -- deploy: repeated rolling deploys of servers behind HAProxy, by builds with and without a migration,
// while callers send requests and a writer changes rows. No request may fail.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { loadSample, sampleSettings } from '../demo/load.ts';
import { demoPictures } from '../packages/sample/src/cast.ts';
import { run } from '../test/debian.ts';
import type { Build } from '../test/helpers/later-build.ts';
import { laterBuild, planted, startMigrate } from '../test/helpers/later-build.ts';
import { startPostgres } from '../test/postgres.ts';
import type { Call } from './calls.ts';
import { callsOf, learn } from './calls.ts';
import type { Fleet } from './fleet.ts';
import { openFleet } from './fleet.ts';
import { checkFront } from './front.ts';
import { loadLine, startLoad } from './load.ts';
import { withEnds } from './programs.ts';

/** Calls for the rows that the writer changes all the time. */
const writer: Call[] = [
  { path: '/users/drill-writer', key: { name: 'username', value: 'drill-writer' } },
  { path: '/users/drill-writer/timeline' },
];

/** Adds the writer, and enough users for a backfill of several batches. */
const addUsers = async (url: string): Promise<void> => {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`
    insert into users (id, username, display_name, status)
    select 'drill-' || n, 'drill-' || n, 'Drill', 'active' from generate_series(1, 5000) n
    union all select 'drill-writer', 'drill-writer', 'Drill', 'active'`);
  await client.end();
};

/** Writes in short transactions until it is stopped. */
const startWriter = (url: string) => {
  let isOver = false;
  const figures = { writes: 0, longestMs: 0 };
  const write = async () => {
    const client = new pg.Client(url);
    await client.connect();
    for (; !isOver; figures.writes++) {
      const began = performance.now();
      await client.query('begin; select take_writer_lock()');
      await client.query(
        `insert into timeline_items (user_id, id, type, date, details)
         values ('drill-writer', $1, 'COMMIT', now(), '{"sha": "abc", "message": "m"}')`,
        [`written-${figures.writes}`],
      );
      await client.query(`update users set bio = $1 where id = 'drill-writer'`, [`Wrote ${figures.writes} times.`]);
      await client.query('commit');
      figures.longestMs = Math.max(figures.longestMs, performance.now() - began);
      await sleep(20);
    }
    await client.end();
  };
  const done = write();
  done.catch(() => {}); // stop reports the error
  return {
    figures,
    stop: async () => {
      isOver = true;
      await done;
    },
  };
};

const migrate = async ({ main }: Build, url: string): Promise<void> => {
  assert.deepEqual(await once(startMigrate(main, url), 'exit'), [0, null], 'commonhall migrate');
};

/**
 * Follows docs/operating.md: the migration, then one server after the other. If the migration excludes older servers,
 * one server of the new build is started first, so that callers have it when the older ones stop serving.
 */
const deploy = async (fleet: Fleet, build: Build, url: string, isMarking: boolean, hasMigration: boolean) => {
  if (hasMigration && !isMarking) await migrate(build, url);
  for (let index = 0; index < fleet.count; index++) {
    await fleet.replace(index, build.main);
    if (hasMigration && isMarking && index === 0) await migrate(build, url);
    await fleet.isServing(index);
  }
};

export const drillDeploy = ({ short }: { short: boolean }): Promise<void> =>
  withEnds(async (end) => {
    await checkFront();
    console.log('HAProxy: forged addresses, broken connections and its own errors are handled correctly');
    const builds: Build[] = [];
    end(async () => {
      for (const { remove } of builds) remove();
    });
    const postgres = await startPostgres();
    end(postgres.stop);
    await loadSample(postgres.url, { scale: 'small', pictures: demoPictures }, () => {});
    await addUsers(postgres.url);
    const { DATABASE_URL: readerUrl = '', DRAIN_MS: _, ...settings } = sampleSettings(postgres.url);
    const fleet = short
      ? await openFleet(2, readerUrl, { ...settings, DRAIN_MS: '2000' })
      : await openFleet(3, readerUrl, settings);
    end(fleet.stop);
    const calls = await callsOf(postgres.url, short ? 20 : 100);
    await learn(fleet.url, calls);
    const load = startLoad(fleet.url, [...calls, ...writer], { keepAlive: 16, fresh: 8, pauseMs: short ? 150 : 50 });
    end(load.stop);
    const writing = startWriter(postgres.url);
    end(writing.stop);

    // The number of planted migrations in each build: every sixth build adds one, or with --short one build adds all.
    const deploys = short ? [0, 5, 5] : Array.from({ length: 30 }, (_, n) => Math.floor((n + 3) / 6));
    const seconds: number[] = [];
    let applied = 0;
    for (const [n, count] of deploys.entries()) {
      const hasMigration = count > applied;
      if (builds.length === 0 || hasMigration) builds.push(laterBuild(count));
      const [before, known] = [load.failed(), load.problems().length];
      const began = performance.now();
      await deploy(fleet, builds.at(-1)!, postgres.url, count === planted.length, hasMigration);
      seconds.push((performance.now() - began) / 1000);
      applied = count;
      const what = hasMigration ? `with ${planted[count - 1]![0]}` : 'without a migration';
      console.log(`deploy ${n + 1} ${what}: ${seconds.at(-1)!.toFixed(1)} s, ${load.failed() - before} failed`);
      for (const problem of load.problems().slice(known)) console.log(problem);
    }
    await load.stop();
    await writing.stop();
    const counts = await fleet.haproxy.servers();
    const retried = counts.reduce((sum, { retries, redispatches }) => sum + retries + redispatches, 0);
    const mean = seconds.reduce((sum, one) => sum + one, 0) / seconds.length;
    console.log(`${deploys.length} deploys of ${fleet.count} servers, ${mean.toFixed(1)} s each: ${loadLine(load)}`);
    console.log(`HAProxy retried ${retried} of them`);
    const { writes, longestMs } = writing.figures;
    console.log(`${writes} writes, the longest waited ${Math.round(longestMs)} ms`);
    console.log(run(process.execPath, [builds.at(-1)!.main, 'verify'], { DATABASE_URL: postgres.url }));
    assert.deepEqual(load.problems(), [], `${fleet.haproxy.log()}\n${fleet.warnings()}`);
    assert.equal(retried, 0, 'a stopping server gets nothing new before it closes');
    assert.equal(applied, planted.length);
  });
