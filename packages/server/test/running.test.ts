// A running server: liveness and readiness, one log line a request, metrics, limits on the database, an orderly stop.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { eventually } from '../../../test/helpers/process.ts';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
const { owner } = world;

test('a server is alive and ready, but not ready with a schema that it cannot read or without a score dimension', async () => {
  const api = await world.serve({ BASE_PATH: '/v1' });
  const at = async (path: string) => (await fetch(api.url + path)).status;
  const becomes = (status: number) => eventually(async () => assert.equal(await at('/readyz'), status));
  assert.deepEqual([await at('/healthz'), await at('/readyz')], [200, 200]);
  // A migration of a later build does not matter here, unless it is marked as required.
  await owner.query(`insert into schema_migrations values ('9998_from_the_future', now(), false)`);
  await sleep(1500);
  assert.equal(await at('/readyz'), 200);
  await owner.query(`insert into schema_migrations values ('9999_from_the_future', now(), true)`);
  await becomes(503);
  const response = await fetch(`${api.url}/readyz`);
  assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '1']);
  assert.match(
    ((await response.json()) as { error: string }).error,
    /newer than this server can read \(it has 9999_from_the_future\)/,
  );
  assert.equal(await at('/healthz'), 200);
  await owner.query(`delete from schema_migrations where name like '999_%'`);
  await owner.query(`create table kept as select * from score_tiers where dimension = 'identity'`);
  await becomes(200);
  await owner.query('alter table score_tiers disable trigger keep_score_tiers');
  await owner.query(`delete from score_tiers where dimension = 'identity'`);
  await becomes(503);
  await owner.query('insert into score_tiers select * from kept');
  await owner.query('drop table kept');
  await becomes(200);
  const changes = api.lines.filter(({ msg }) => msg === 'ready' || msg === 'not ready').map(({ msg }) => msg);
  assert.deepEqual(changes, ['ready', 'not ready', 'ready', 'not ready', 'ready'], 'one line for each change');
  assert.deepEqual(
    api.lines.filter(({ level }) => Number(level) >= 50),
    [],
    'failed readiness checks log no error',
  );
  assert.ok(
    !api.lines.some(({ remedy }) => remedy !== undefined),
    'no remedy is logged: there is no pooler, and nothing is missing',
  );
});

test('every request has one log line with operation, status, code, times and bytes, and counts in the metrics', async () => {
  const api = await world.serve();
  const ok = await api.get('/contests');
  const missing = await api.get('/agents/nobody-secret');
  const unknown = await api.get('/nowhere');
  await eventually(() => assert.equal(api.lines.filter(({ msg }) => msg === 'request').length, 3));
  const lines = api.lines.filter(({ msg }) => msg === 'request');
  const lineOf = (response: Response) =>
    lines.find(({ requestId }) => requestId === response.headers.get('x-request-id'));
  const line = lineOf(ok);
  assert.deepEqual(
    [line?.operation, line?.status, line?.code, line?.bytes],
    ['listContests', 200, '', (await ok.arrayBuffer()).byteLength],
  );
  for (const name of ['ms', 'databaseMs', 'waitingMs']) assert.equal(typeof line?.[name], 'number', name);
  assert.ok(Number(line?.databaseMs) > 0);
  assert.deepEqual([lineOf(missing)?.operation, lineOf(missing)?.code], ['getAgent', 'NOT_FOUND']);
  assert.equal(lineOf(unknown)?.operation, 'none');
  assert.ok(!JSON.stringify(lines).includes('nobody-secret'), 'path values are not logged');
  const metrics = await (await fetch(`${api.metricsUrl}/metrics`)).text();
  assert.match(metrics, /commonhall_requests_total\{operation="listContests",status="200",code=""\} 1/);
  assert.match(metrics, /commonhall_requests_total\{operation="getAgent",status="404",code="NOT_FOUND"\} 1/);
  assert.match(metrics, /commonhall_database_seconds_count\{operation="listContests"\} 1/);
  // Buckets are cumulative.
  const below = [...metrics.matchAll(/request_seconds_bucket\{le="[^"]+",operation="listContests"\} (\d+)/g)].map(
    ([, count]) => Number(count),
  );
  assert.equal(below.length, 13);
  assert.deepEqual([below.at(-1), below.toSorted((x, y) => x - y)], [1, below]);
  assert.match(metrics, /commonhall_database_connections\{state="waiting"\} 0/);
  assert.equal((await fetch(`${api.url}/metrics`)).status, 404, 'not on the public port');
});

test('a fault is 500 without internal details, and is logged once with its cause', async () => {
  const api = await world.serve();
  await owner.query('alter table contests rename to contests_gone');
  const response = await api.get('/contests');
  await owner.query('alter table contests_gone rename to contests');
  assert.deepEqual(await response.json(), {
    success: false,
    error: 'Something went wrong on our side',
    code: 'INTERNAL_ERROR',
  });
  await eventually(() => assert.ok(api.lines.some(({ level }) => level === 50)));
  const faults = api.lines.filter(({ level }) => level === 50);
  assert.equal(faults.length, 1);
  assert.match(JSON.stringify(faults[0]), /relation \\"contests\\" does not exist/);
});

test('with CHECK_RESPONSES an answer that violates the contract is 500 and names the key, so a leaked key is noticed', async () => {
  const api = await world.serve();
  const lax = await world.serve({ CHECK_RESPONSES: 'false' });
  await owner.query('alter table score_tiers drop constraint score_tiers_metrics_check');
  await owner.query(
    `update score_tiers set metrics = '[{"key": "k", "maxScore": 1, "description": "d", "secret": 1}]' where dimension = 'builder'`,
  );
  const broken = await fetch(`${api.url}/users/scores/tiers`);
  assert.equal(broken.status, 500);
  assert.match(
    await broken.text(),
    /getScoreTiers breaks its contract: data\.builder\.metrics\[0\]\.secret is not in the/,
  );
  await assert.rejects(api.get('/users/scores/tiers'), /metrics\[0\]\.secret is not in the contract/);
  await assert.rejects(lax.get('/users/scores/tiers'), /additional properties/, 'the tests check every answer too');
  await owner.query(`update score_tiers set metrics = '[]' where dimension = 'builder'`);
  assert.equal((await api.get('/users/scores/tiers')).status, 200);
});

test('while the event loop is late, what needs the database is 503 at once, and health checks are answered', async () => {
  const late = await world.serve({ MAX_EVENT_LOOP_DELAY_MS: '50' });
  const statusOf = async (path: string) => (await late.get(path)).status;
  await eventually(async () => assert.equal(await statusOf('/contests'), 200));
  const blocking = setInterval(() => {
    for (const end = performance.now() + 200; performance.now() < end; );
  }, 1);
  try {
    await eventually(async () => assert.equal(await statusOf('/contests'), 503));
    assert.equal(await statusOf('/healthz'), 200);
    const refused = await late.get('/contests');
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1']);
    assert.ok(late.lines.some(({ status, gate }) => status === 503 && gate === 'event loop'));
  } finally {
    clearInterval(blocking);
  }
  await eventually(async () => assert.equal(await statusOf('/contests'), 200));
});

test('a statement that times out is 503, and its connection remains usable', async () => {
  const api = await world.serve({ STATEMENT_TIMEOUT_MS: '300', DATABASE_CONNECTIONS: '1' });
  const blocker = new pg.Client(world.ownerUrl);
  await blocker.connect();
  await blocker.query('begin; lock table contests');
  const began = Date.now();
  assert.equal((await api.get('/contests')).status, 503);
  assert.ok(Date.now() - began < 15_000);
  await blocker.query('rollback');
  assert.equal((await api.get('/contests')).status, 200);
  await blocker.end();
});

// A long page takes a whole connection; short statements share two pipelined ones.
for (const [path, heads] of [
  ['/contests?pageSize=100', 1],
  ['/contests', 2],
] as const)
  test(`${path}: the queue for a connection is bounded in time and length, and the rest gets 503 quickly`, async () => {
    const api = await world.serve({
      STATEMENT_TIMEOUT_MS: '60000',
      DATABASE_CONNECTIONS: '1',
      DATABASE_WAIT_MS: '8000',
      DATABASE_QUEUE: '2',
    });
    await api.get(path);
    const blocker = new pg.Client(world.ownerUrl);
    await blocker.connect();
    await blocker.query('begin; lock table contests');
    const began = Date.now();
    const answers: { status: number; ms: number }[] = [];
    const asked = Array.from({ length: 40 }, async () => {
      const { status } = await api.get(path);
      answers.push({ status, ms: Date.now() - began });
    });
    await eventually(() => assert.equal(answers.length, asked.length - heads));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [503]);
    assert.ok(answers[0]!.ms < 7000, 'requests beyond the queue are rejected at once');
    assert.ok(
      answers.every(({ ms }) => ms < 25_000),
      JSON.stringify(answers),
    );
    await blocker.query('rollback');
    await Promise.all(asked);
    assert.equal(answers.filter(({ status }) => status === 200).length, heads);
    assert.equal((await api.get(path)).status, 200);
    await blocker.end();
  });

test('the server connects with the read-only role and not as the owner', async () => {
  const api = await world.serve();
  await api.get('/contests');
  const { rows } = await owner.query<{ usename: string }>(
    `select usename from pg_stat_activity where application_name = 'commonhall' and datname = current_database()`,
  );
  assert.ok(rows.length > 0);
  for (const { usename } of rows) assert.notEqual(usename, 'postgres');
});

test('a server stops even if a connection is silent', async () => {
  const api = await world.serve({ DATABASE_WAIT_MS: '100', STATEMENT_TIMEOUT_MS: '100' });
  const silent = connect(Number(new URL(api.url).port), '127.0.0.1').on('error', () => {});
  await once(silent, 'connect');
  await api.get('/contests');
  const began = performance.now();
  await api.stop();
  assert.ok(performance.now() - began < 15_000);
  silent.destroy();
});

test('a stopping server is first not ready, then finishes running requests, then closes its ports', async () => {
  const api = await world.serve({ DRAIN_MS: '3000', STATEMENT_TIMEOUT_MS: '60000' });
  await api.get('/contests');
  const blocker = new pg.Client(world.ownerUrl);
  await blocker.connect();
  await blocker.query('begin; lock table contests');
  const underWay = api.get('/contests');
  await eventually(async () => {
    const { rows } = await owner.query(`select from pg_stat_activity where wait_event_type = 'Lock'`);
    assert.ok(rows.length > 0, 'the request is running');
  });
  const stopped = api.stop();
  const ready = await fetch(`${api.url}/readyz`);
  assert.equal(ready.status, 503);
  const during = await api.get('/repositories');
  assert.deepEqual([during.status, during.headers.get('connection')], [200, 'close']);
  await sleep(3100);
  await blocker.query('rollback');
  assert.equal((await underWay).status, 200);
  await stopped;
  await assert.rejects(fetch(`${api.url}/healthz`));
  await assert.rejects(fetch(`${api.metricsUrl}/metrics`));
  await blocker.end();
});
