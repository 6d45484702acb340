// npm run drill -- failover: the primary of three database servers under Patroni is killed, frozen, cut off and switched,
// and a replica is promoted, while callers read from two servers, a writer writes and a follower applies changes.
// FAULTS=killed,frozen TIMES=3 choose what happens and how often; SYNC=off shows what is lost without synchronous
// replication.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { loadSample } from '../demo/load.ts';
import { demoNow, demoPepper, demoPictures } from '../packages/sample/src/cast.ts';
import { hide } from '../packages/server/src/commands/hide.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { startFollower } from '../test/helpers/feed.ts';
import { openOutbox } from '../test/helpers/outbox.ts';
import { eventually, serveProcess } from '../test/helpers/process.ts';
import { startProxy } from '../test/helpers/proxy.ts';
import { allUse } from '../test/helpers/replica-faults.ts';
import type { Fault } from './failover-faults.ts';
import { faults } from './failover-faults.ts';
import type { Nodes } from './failover-nodes.ts';
import { names, openNodes } from './failover-nodes.ts';
import type { Session, Watch } from './failover-watch.ts';
import { openSession, watchFailover } from './failover-watch.ts';
import { withEnds } from './programs.ts';

const [maxLagMs, maxWithoutPrimaryMs, backWithinS, longMs] = [1000, 60_000, 25, 300_000];
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

const prepare = async (nodes: Nodes): Promise<void> => {
  const root = new pg.Client(nodes.primaryUrl().replace(/\/commonhall$/, '/postgres'));
  await eventually(() => root.connect());
  await root.query('create database commonhall');
  await root.end();
  await loadSample(nodes.primaryUrl(), { scale: 'small', pictures: demoPictures }, () => {});
  const owner = openSession(nodes.primaryUrl());
  await owner.query(`alter role demo password '${nodes.password}'`);
  await owner.query('create table drill_stamps (n bigint primary key)');
  // One to hide in each fault.
  await owner.query(`insert into agents
      (id, owner_id, name, display_name, bio, active, x402_support, status, created_at, updated_at, published_at)
    select 'drill-' || n, (select id from users where username = 'ada'), 'drill-' || n, 'Drill', 'b', true, false, 'PUBLISHED', now(), now(), now()
    from generate_series(1, 1000) n`);
  await owner.close();
};

/** Hides an agent, and returns for how long a server still showed them. */
const hideOne = async (primaryUrl: string, name: string, servers: readonly string[]): Promise<number> => {
  const how = { isKey: false, isNotLoaded: false, reason: null };
  const config = readConfig({ DATABASE_URL: primaryUrl });
  await eventually(() => hide(config, 'agents', [name], how, () => {}), longMs);
  const hiddenAt = performance.now();
  let lastSeen = hiddenAt;
  for (; performance.now() < lastSeen + 3000; await sleep(20))
    for (const server of servers) {
      const at = performance.now();
      const { status } = await fetch(`${server}/agents/${name}`);
      if (status === 200) lastSeen = at;
    }
  return lastSeen - hiddenAt;
};

/** How many of the acknowledged stamps the database does not have. */
const lostOf = async (owner: Session, acknowledged: readonly number[]): Promise<number> => {
  const rows = await eventually(() => owner.query<{ n: string }>('select n from drill_stamps'));
  const kept = new Set(rows.map(({ n }) => Number(n)));
  return acknowledged.filter((value) => !kept.has(value)).length;
};

interface Turn {
  name: string;
  began: number;
  fault: Fault;
  hiddenMs: number;
  lost: number;
}
/** Prints the figures of a fault, and returns what must not be. */
const report = ({ name, began, fault, hiddenMs, lost }: Turn, watch: Watch, isSynchronous: boolean): string[] => {
  const found = watch.since(began);
  const privateBack = Math.max(...found.privateBack);
  console.log(
    [
      `${name}: public ${found.failed} of ${found.reads} failed, longest gap ${seconds(found.longestGapMs)}, longest read ${seconds(found.longestReadMs)}`,
      `private back after ${privateBack.toFixed(1)} s (${found.privateFailed} were 503), follower after ${found.feedBack.toFixed(1)} s`,
      `oldest public answer ${seconds(found.oldestMs)}, without the primary ${seconds(found.oldestWithoutPrimaryMs)}`,
      `a hidden row was gone after ${seconds(hiddenMs)}; ${fault.acknowledged.length} writes acknowledged by the old primary; ${lost} commits lost`,
    ].join('\n  '),
  );
  const wrong: [boolean, string][] = [
    [found.failed > 0 && name !== 'cutOff', 'public reads failed'],
    [!(privateBack <= backWithinS), 'private reads were not back in time'],
    [isSynchronous && found.feedBack > backWithinS, 'the follower was not back in time'],
    [found.oldestMs > maxLagMs, 'an answer was too old'],
    [
      Math.max(found.oldestWithoutPrimaryMs, hiddenMs) > maxWithoutPrimaryMs,
      'an answer without the primary was too old',
    ],
    [isSynchronous && fault.acknowledged.length > 0, 'the old primary acknowledged writes'],
    [isSynchronous && lost > 0, 'commits were lost'],
  ];
  return wrong.flatMap(([is, what]) => (is ? [`${name}: ${what}`] : []));
};

export const drillFailover = ({ short }: { short: boolean }): Promise<void> =>
  withEnds(async (end) => {
    const isSynchronous = process.env.SYNC !== 'off';
    const wanted = (process.env.FAULTS ?? Object.keys(faults).join(',')).split(',');
    for (const name of wanted)
      assert.ok(Object.hasOwn(faults, name), `FAULTS: ${name} is none of ${Object.keys(faults)}`);
    const times = Number(process.env.TIMES ?? (short ? 1 : 3));
    const nodes = await openNodes(isSynchronous);
    end(nodes.stop);
    await nodes.isWhole();
    await prepare(nodes);
    const primaryUrl = nodes.primaryUrl();
    const line = await startProxy(nodes.primaryUrl('demo'));
    end(line.close);
    const settings = {
      ...{
        KEY_PEPPER: demoPepper,
        KEY_KINDS: 'test',
        RATE_LIMIT_PER_TOKEN: '0',
        FIXED_NOW: demoNow,
        LOG_LEVEL: 'fatal',
      },
      REPLICA_URLS: names.map((_, index) => nodes.directUrl(index, 'demo')).join(','),
      MAX_REPLICA_LAG_MS: String(maxLagMs),
      MAX_WITHOUT_PRIMARY_MS: String(maxWithoutPrimaryMs),
      MAX_EVENT_LOOP_DELAY_MS: '0', // the drill itself keeps the machine busy
    };
    const servers = [await serveProcess(nodes.primaryUrl('demo'), settings), await serveProcess(line.url, settings)];
    for (const server of servers) end(server.stop);
    const platform = await openOutbox();
    end(platform.stop);
    const follower = startFollower(primaryUrl, platform.feedUrl);
    end(follower.kill);
    await allUse(servers, 2);
    await assert.rejects(
      hide(
        readConfig({ DATABASE_URL: nodes.replicaUrl() }),
        'agents',
        ['drill-1'],
        { isKey: false, isNotLoaded: false, reason: null },
        () => {},
      ),
      /DATABASE_URL leads to a server that accepts no writes/,
    );
    const urls = servers.map(({ url }) => url);
    const watch = watchFailover({ servers: urls, primaryUrl, platform, readers: short ? 4 : 8 });
    const owner = openSession(primaryUrl);
    end(owner.close);
    const isWell = async (from: number) => {
      await allUse(servers, 2);
      await eventually(() => assert.ok(watch.isWell(from, isSynchronous), follower.output().slice(-2000)), longMs);
    };
    const wrong: string[] = [];
    let hidden = 0;
    try {
      for (const name of wanted)
        for (let turn = 0; turn < times; turn++) {
          await isWell(performance.now());
          const fault = faults[name]!({ nodes, line, turn });
          const began = performance.now();
          await fault.begin();
          hidden += 1;
          const hiding = hideOne(primaryUrl, `drill-${hidden}`, urls);
          // What is put right again too early would be measured as the cure.
          if (name !== 'alone') await eventually(() => assert.ok(watch.isWell(began, isSynchronous)), longMs);
          await fault.end();
          const hiddenMs = await hiding;
          await nodes.isWhole();
          await isWell(performance.now());
          const acknowledged = [...watch.acknowledged, ...fault.acknowledged];
          wrong.push(
            ...report({ name, began, fault, hiddenMs, lost: await lostOf(owner, acknowledged) }, watch, isSynchronous),
          );
        }
    } finally {
      await watch.stop();
      for (const problem of watch.problems) console.log(problem);
    }
    if (isSynchronous) {
      await eventually(async () => assert.ok(await platform.isEmpty()), longMs);
      const [feed] = await owner.query<{ applied: number }>('select applied::integer from feed');
      const topics = await owner.query<{ name: string }>(`select name from topics where name like 'change %'`);
      const last = Array.from({ length: Math.min(20, watch.changes()) }, (_, n) => `change ${watch.changes() - n}`);
      console.log(`feed: ${watch.changes()} changes committed by the platform, ${feed?.applied} applied`);
      assert.deepEqual(topics.map((topic) => topic.name).toSorted(), last.toSorted(), 'the newest changes are there');
      assert.equal(feed?.applied, watch.changes(), 'no change is lost or applied twice');
    }
    assert.deepEqual(wrong, []);
  });
