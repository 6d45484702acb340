// npm run drill -- alerts: brings about the states that docs/alerts.md describes, on a whole stand under Prometheus. Each alert
// must fire, the commands of its section must show the cause, and after the remedy it must end.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Change } from '../packages/server/test/helpers/platform.ts';
import { bodyOf, kinds } from '../packages/server/test/helpers/platform.ts';
import { eventually, serveProcess } from '../packages/server/test/helpers/process.ts';
import { openStand } from '../packages/server/test/helpers/stand.ts';
import { needPrograms } from '../test/debian.ts';
import { freePort } from '../test/postgres.ts';
import { startPrometheus } from './prometheus.ts';
import type { Place } from './runbook.ts';
import { openRunbook } from './runbook.ts';

/** Queries of the dashboard about replicas, which this stand does not have. */
const ofReplicas = /replica|primary|public_reads/;

const put = (table: string, record: object): string => bodyOf({ op: 'put', table, record } as Change);

/** Makes log lines long. */
const headers = { 'x-request-id': 'x'.repeat(200) };
/** Asks for a URL again and again until it is stopped; what comes back does not matter. */
const keepAsking = (url: string, atATime: number, restMs: number): (() => void) => {
  const stop = new AbortController();
  const ask = async () => {
    while (!stop.signal.aborted) {
      await fetch(url, { headers })
        .then((response) => response.arrayBuffer())
        .catch(() => {});
      await sleep(restMs);
    }
  };
  for (let n = 0; n < atATime; n++) void ask();
  return () => stop.abort();
};

/** Servers on the stand's database, with their logs, under Prometheus. */
const openParts = async (folder: string, stops: (() => unknown)[]) => {
  const stand = await openStand((stop) => stops.push(stop));
  const databaseUrl = stand.hall.url;
  const serve = async (name: string, settings: Record<string, string>, output?: 'pipe'): Promise<Place> => {
    const logFile = join(folder, `${name}.log`);
    const server = await serveProcess(databaseUrl, settings, ['ignore', output ?? openSync(logFile, 'a'), 'ignore']);
    stops.push(() => server.child.kill('SIGKILL'));
    return { server, databaseUrl, logFile };
  };
  const fixed = { PORT: String(await freePort()), METRICS_PORT: String(await freePort()) };
  const logged = await serve('logged', {});
  const unread = await serve('unread', {}, 'pipe');
  const mortal = await serve('mortal', fixed);
  const main: Place = { server: stand.server, databaseUrl, logFile: logged.logFile };
  const targets = [main, logged, unread, mortal].map(({ server }) => new URL(server.metricsUrl).host);
  const prometheus = await startPrometheus(join(folder, 'prometheus'), targets);
  stops.push(prometheus.stop);
  stops.push(keepAsking(`${stand.server.url}/users/scores/tiers`, 1, 200));
  const session = async (): Promise<pg.Client> => {
    const client = new pg.Client(databaseUrl);
    client.on('error', () => {}); // ended by a remedy, or with PostgreSQL
    await client.connect();
    stops.push(() => client.end().catch(() => {}));
    return client;
  };
  const serveAgain = async () => {
    mortal.server = (await serve('mortal', fixed)).server;
  };
  return { stand, main, logged, unread, mortal, serveAgain, prometheus, session, ...openRunbook(prometheus) };
};
type Parts = Awaited<ReturnType<typeof openParts>>;
type State = (parts: Parts, short: boolean) => Promise<void>;

const changesRejected: State = async ({ stand, main, fires, remedy, ends }, short) => {
  const topic = kinds.topics!.make(1);
  const { name, ...unnamed } = topic;
  const sponsor = kinds.sponsors!.make(1);
  const user: Record<string, unknown> = { ...kinds.users!.make(1), status: 'ACTIVATED' };
  await stand.commit([
    put('topics', unnamed),
    put('topics', { ...unnamed, id: 'unwanted' }),
    put('sponsors', sponsor),
    put('sponsor_members', { sponsor_id: sponsor.id, user_id: user.id, role: 'MEMBER' }),
  ]);
  const found = await fires('CommonhallChangesRejected', main, /topics t1 .* rejected: name: is missing/);
  const [, id = ''] = /^(\d+) {2}topics unwanted /m.exec(found)!;
  await remedy('CommonhallChangesRejected', main, { id });
  if (!short) await fires('CommonhallChangesWaiting', main, /waiting: user_id: there is no users row with the id "u1"/);
  await stand.commit([put('topics', topic), put('users', user)]);
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
  await stand.relay().kill();
  await fires('CommonhallFeedStopped', main, /writer lock: free[\s\S]*a follower works/);
  await stand.restartRelay();
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
    // As many as there are connections: none is refused at once, which would count as a quick answer.
    const stopAskingSlowly = keepAsking(url, 4, 10);
    await fires('CommonhallSlow', logged, /idle in transaction .*lock table contests/);
    stopAskingSlowly();
  }
  const stopAsking = keepAsking(url, 20, 10);
  await Promise.all([
    fires('CommonhallOverload', logged, /"operation":"listContests"/),
    fires('CommonhallErrors', logged, /status="503"[\s\S]*"status":"ready"/),
  ]);
  await prometheus.dashboardHasData(ofReplicas); // that of failures too
  const pid = /\| \{(\d+)\}/.exec(await look('CommonhallSlow', logged))![1]!;
  await remedy('CommonhallSlow', logged, { pid });
  await ends('CommonhallOverload', 'CommonhallSlow', 'CommonhallErrors');
  stopAsking();
};

/** Eight callers on four connections, of statements that take a quarter of a second because of a writer. */
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
  await fires(
    'CommonhallConnectionsClosed',
    logged,
    /120 "reason":"too many pipelined requests","address":"127.0.0.1"/,
  );
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

/** As a quota of the processor does. */
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

const serverKilled: State = async ({ mortal, serveAgain, fires, ends }, short) => {
  const kill = async () => {
    const ended = once(mortal.server.child, 'exit');
    mortal.server.child.kill('SIGKILL');
    await ended;
  };
  await kill();
  await fires('CommonhallServerDown', mortal, /Failed to connect/);
  await serveAgain();
  await ends('CommonhallServerDown');
  if (short) return;
  let isCrashing = true;
  const crash = async () => {
    while (isCrashing) {
      await kill();
      await serveAgain();
      await sleep(1000); // until it was scraped
    }
  };
  const crashed = crash();
  await fires('CommonhallServerRestarts', mortal, /"msg":"listening"/);
  isCrashing = false;
  await crashed;
  await ends('CommonhallServerRestarts');
};

const databaseAway: State = async ({ stand, main, logged, fires, ends }) => {
  const stopAsking = keepAsking(`${logged.server.url}/users/scores/tiers`, 1, 50);
  await stand.hall.crash();
  await fires('CommonhallNoServerReady', main, /The database does not answer[\s\S]*no response/);
  await Promise.all([
    fires('CommonhallServerNotReady', logged, /The database does not answer[\s\S]*"msg":"not ready"/),
    fires('CommonhallErrors', logged, /"code":"SERVICE_UNAVAILABLE"/),
  ]);
  await stand.hall.restart();
  await ends('CommonhallNoServerReady', 'CommonhallServerNotReady', 'CommonhallErrors');
  stopAsking();
};

export const drillAlerts = async ({ short }: { short: boolean }): Promise<void> => {
  needPrograms({ prometheus: 'prometheus', psql: 'postgresql-client', curl: 'curl', ss: 'iproute2' });
  process.setMaxListeners(0); // each part ends with the process
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-alerts-'));
  const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const parts = await openParts(folder, stops);
    // Nothing has failed yet, and garbage is collected sooner or later.
    await parts.prometheus.dashboardHasData(new RegExp(`${ofReplicas.source}|status=~"5|gc_duration`));
    await parts.allEnd();
    console.log('all is well: no alert fires, and the dashboard has data');
    const inTurn = async (...states: State[]) => {
      for (const state of states) await state(parts, short);
    };
    await Promise.all([
      inTurn(changesRejected, feedStopped),
      inTurn(tableLocked, ...(short ? [] : [tooFewConnections, schemaChangedByHand])),
      inTurn(serverKilled),
      ...(short ? [] : [inTurn(tooManyAtOnce), inTurn(logUnread, throttled)]),
    ]);
    await inTurn(databaseAway);
    await parts.allEnd();
    console.log(`${parts.fired.size} alerts fired and ended in ${Math.round((performance.now() - began) / 1000)} s`);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
};
