// npm run drill -- alerts: causes the states that docs/alerts.md describes, in a complete installation with Prometheus.
// Each alert must fire, the commands of its section must show the cause, and after the remedy the alert must end.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { needPrograms } from '../test/debian.ts';
import type { Change } from '../test/helpers/platform.ts';
import { bodyOf, kinds } from '../test/helpers/platform.ts';
import { eventually } from '../test/helpers/process.ts';
import { readAlerts } from '../test/helpers/promql.ts';
import type { State } from './alerts-parts.ts';
import { keepAsking, openParts } from './alerts-parts.ts';
import { primaryAway, replicaAway } from './alerts-replicas.ts';
import { withEnds } from './programs.ts';
import type { Place } from './runbook.ts';

const put = (table: string, record: object): string => bodyOf({ op: 'put', table, record } as Change);

const changesRejected: State = async ({ stand, main, fires, remedy, ends }, short) => {
  const topic = kinds.topics!.make(1);
  const { name, ...unnamed } = topic;
  const sponsor = kinds.sponsors!.make(1);
  const user: Record<string, unknown> = { ...kinds.users!.make(1), status: 'ACTIVATED' };
  await stand.platform.commit([
    put('topics', unnamed),
    put('topics', { ...unnamed, id: 'unwanted' }),
    put('sponsors', sponsor),
    put('sponsor_members', { sponsor_id: sponsor.id, user_id: user.id, role: 'MEMBER' }),
  ]);
  const found = await fires('CommonhallChangesRejected', main, /topics t1 .* rejected: name: is missing/);
  const [, id = ''] = /^(\d+) {2}topics unwanted /m.exec(found)!;
  await remedy('CommonhallChangesRejected', main, { number: id });
  if (!short) await fires('CommonhallChangesWaiting', main, /waiting: user_id: there is no users row with the id "u1"/);
  await stand.platform.commit([put('topics', topic), put('users', user)]);
  await ends('CommonhallChangesRejected', 'CommonhallChangesWaiting');
};

const feedStopped: State = async ({ stand, main, session, fires, remedy, ends }, short) => {
  await stand.parts.follower.kill();
  await fires('CommonhallFeedStopped', main, /no follower works/);
  if (!short) await fires('CommonhallFeedBehind', main, /"lagSeconds":\d\d/);
  await stand.restartFollower();
  await ends('CommonhallFeedStopped', 'CommonhallFeedBehind');
  if (short) return;
  const holder = await session();
  await holder.query('begin; select take_writer_lock()');
  const found = await fires('CommonhallFeedStopped', main, /writer lock: held for \d+ s/);
  await remedy('CommonhallFeedStopped', main, { pid: /by process (\d+)/.exec(found)![1]! });
  await ends('CommonhallFeedStopped', 'CommonhallFeedBehind');
  await stand.relay.program().kill();
  await fires('CommonhallFeedStopped', main, /writer lock: free[\s\S]*a follower works/);
  await stand.relay.restart();
  await ends('CommonhallFeedStopped', 'CommonhallFeedBehind');
  await stand.nats.crash();
  await fires('CommonhallFeedStopped', main, /writer lock: free/);
  assert.match(stand.parts.follower.output(), /interrupted; trying again/);
  await stand.nats.restart();
  await ends('CommonhallFeedStopped', 'CommonhallFeedBehind');
};

const tableLocked: State = async ({ logged, session, prometheus, fires, look, remedy, ends }, short) => {
  const url = `${logged.server.url}/contests?pageSize=100`;
  const holder = await session();
  await holder.query('begin; lock table contests');
  if (!short) {
    // As many requests as connections: none is rejected at once, which would count as a fast response.
    const stopAskingSlowly = keepAsking(url, 4, 10);
    await fires('CommonhallSlow', logged, /idle in transaction .*lock table contests/);
    stopAskingSlowly();
  }
  const stopAsking = keepAsking(url, 20, 10);
  await Promise.all([
    fires('CommonhallOverload', logged, /"operation":"listContests"/),
    fires('CommonhallErrors', logged, /status="503"[\s\S]*"status":"ready"/),
  ]);
  await prometheus.dashboardHasData(); // the panels of failures too
  const pid = /\| \{(\d+)\}/.exec(await look('CommonhallSlow', logged))![1]!;
  await remedy('CommonhallSlow', logged, { pid });
  await ends('CommonhallOverload', 'CommonhallSlow', 'CommonhallErrors');
  stopAsking();
};

/** Eight callers share four connections, and a writer makes their statements take a quarter of a second. */
const tooFewConnections: State = async ({ logged, session, fires, ends }) => {
  const stopAsking = keepAsking(`${logged.server.url}/contests?pageSize=100`, 8, 10);
  const writer = await session();
  let isWriting = true;
  const write = async () => {
    while (isWriting) {
      await writer.query('begin; lock table contests; select pg_sleep(0.25); commit');
      await sleep(10);
    }
  };
  const written = write();
  await fires(
    'CommonhallDatabaseQueue',
    logged,
    /wait_seconds_sum\{operation="listContests"\} \d[\s\S]*lock table contests/,
  );
  isWriting = false;
  await written;
  await ends('CommonhallDatabaseQueue');
  stopAsking();
};

const schemaChangedByHand: State = async ({ logged, session, fires, ends }) => {
  const owner = await session();
  const statusOf = async () => (await fetch(`${logged.server.url}/repositories`)).status;
  await owner.query('alter table repositories rename to repositories_gone');
  assert.equal(await statusOf(), 500);
  await fires('CommonhallFault', logged, /relation \\"repositories\\" does not exist/);
  await owner.query('alter table repositories_gone rename to repositories');
  assert.equal(await statusOf(), 200);
  await ends('CommonhallFault');
};

const tooManyAtOnce: State = async ({ logged, fires, ends }) => {
  const port = Number(new URL(logged.server.url).port);
  const requests = 'GET /users/scores/tiers HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(200);
  const flood = async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.resume().write(requests);
    await once(socket, 'close');
  };
  await Promise.all(Array.from({ length: 120 }, flood));
  // One line a second for a caller: the metric counts all.
  const reason = /[1-9] "reason":"too many pipelined requests","address":"127.0.0.1"/;
  await fires('CommonhallConnectionsClosed', logged, reason);
  await ends('CommonhallConnectionsClosed');
};

const logUnread: State = async ({ unread, fires, ends }) => {
  const stopAsking = keepAsking(`${unread.server.url}/nowhere`, 20, 0);
  await fires('CommonhallLogLinesDropped', unread, /dropped_total [1-9]/);
  stopAsking();
  let text = '';
  unread.server.child.stdout!.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await eventually(() => assert.match(text, /"dropped":/));
  await ends('CommonhallLogLinesDropped');
};

/** Stops the process most of the time, like a CPU quota. */
const throttled: State = async ({ unread: { server }, unread, fires, ends }) => {
  let isThrottled = true;
  const throttle = async () => {
    while (isThrottled) {
      server.child.kill('SIGSTOP');
      await sleep(300);
      server.child.kill('SIGCONT');
      await sleep(100);
    }
  };
  void throttle();
  await fires('CommonhallEventLoopLag', unread, /process_cpu_seconds_total/);
  isThrottled = false;
  await ends('CommonhallEventLoopLag');
};

const kill = async ({ server: { child } }: Place) => {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
};

const serverKilled: State = async ({ mortal, serveAgain, fires, ends }) => {
  await kill(mortal);
  await fires('CommonhallServerDown', mortal, /Failed to connect/);
  await serveAgain();
  await ends('CommonhallServerDown');
};

const serverCrashing: State = async ({ mortal, serveAgain, fires, ends }) => {
  let isCrashing = true;
  const crash = async () => {
    while (isCrashing) {
      await kill(mortal);
      await serveAgain();
      await sleep(1000); // until Prometheus has scraped it
    }
  };
  const crashed = crash();
  await fires('CommonhallServerRestarts', mortal, /"msg":"listening"/);
  isCrashing = false;
  await crashed;
  await ends('CommonhallServerRestarts');
};

/** The primary and the replica are down: with the replica alone a server would be ready. */
const databaseAway: State = async ({ stand, main, logged, replica, fires, ends }) => {
  const stopAsking = keepAsking(`${logged.server.url}/users/scores/tiers`, 1, 50);
  await Promise.all([stand.hall.crash(), replica.crash()]);
  await fires('CommonhallNoServerReady', main, /The database does not answer[\s\S]*no response/);
  await Promise.all([
    fires('CommonhallServerNotReady', logged, /The database does not answer[\s\S]*"msg":"not ready"/),
    fires('CommonhallErrors', logged, /"code":"SERVICE_UNAVAILABLE"/),
  ]);
  await Promise.all([stand.hall.restart(), replica.restart()]);
  await ends('CommonhallNoServerReady', 'CommonhallServerNotReady', 'CommonhallErrors');
  stopAsking();
};

export const drillAlerts = async ({ short }: { short: boolean }): Promise<void> => {
  needPrograms({ prometheus: 'prometheus', psql: 'postgresql-client', curl: 'curl', ss: 'iproute2' });
  process.setMaxListeners(0); // each part has an exit listener
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-alerts-'));
  await withEnds(async (end) => {
    end(() => rmSync(folder, { recursive: true, force: true }));
    const parts = await openParts(folder, end);
    // No data yet for failed requests, and perhaps none for garbage collection.
    await parts.prometheus.dashboardHasData(/status=~"5|gc_duration/);
    await parts.allEnd();
    console.log('all is well: no alert fires, and the dashboard has data');
    const inTurn = async (...states: State[]) => {
      for (const state of states) await state(parts, short);
    };
    await Promise.all([
      inTurn(changesRejected, feedStopped),
      inTurn(tableLocked, ...(short ? [] : [tooFewConnections, schemaChangedByHand])),
      inTurn(serverKilled),
      inTurn(replicaAway),
      ...(short ? [] : [inTurn(tooManyAtOnce), inTurn(logUnread, throttled)]),
    ]);
    if (!short) await inTurn(serverCrashing); // not in parallel: 30 minutes are 30 s here, and three starts must fit in
    await parts.allEnd();
    await inTurn(primaryAway);
    await parts.allEnd();
    await inTurn(databaseAway);
    await parts.allEnd();
    const all = readAlerts().map(({ name }) => name);
    if (!short) assert.deepEqual([...parts.fired].sort(), all.sort());
    console.log(
      `${parts.fired.size} of ${all.length} alerts fired and ended in ${Math.round((performance.now() - began) / 1000)} s`,
    );
  });
};
