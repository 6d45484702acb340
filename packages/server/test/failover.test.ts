// A failover as servers and writers see it: no database server can be reached for a moment, connections are reset, an
// address leads to a replica. `npm run drill -- failover` has the whole of it, with Patroni.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openCluster } from '../../../test/helpers/cluster.ts';
import { startFollower } from '../../../test/helpers/feed.ts';
import { openOutbox } from '../../../test/helpers/outbox.ts';
import { eventually } from '../../../test/helpers/process.ts';
import type { Fault } from '../../../test/helpers/proxy.ts';
import { startProxy } from '../../../test/helpers/proxy.ts';
import { createWorld, pepper } from '../../../test/helpers/world.ts';
import { freePort } from '../../../test/postgres.ts';
import { apply } from '../src/commands/apply.ts';
import { allowErased, erase } from '../src/commands/erase.ts';
import { hide, unhide } from '../src/commands/hide.ts';
import { importData } from '../src/commands/import.ts';
import { replay } from '../src/commands/journal.ts';
import { createKey, revoke } from '../src/commands/key.ts';
import { load } from '../src/commands/load.ts';
import { migrate } from '../src/commands/migrate.ts';
import { dropRejected, retryRejected } from '../src/commands/rejected.ts';
import { verify } from '../src/commands/verify.ts';
import { readConfig } from '../src/config.ts';
import { isServerGone } from '../src/db/connection/recovery.ts';
import { openKeyUse } from '../src/operator/key-use.ts';
import { fileOf } from './helpers/dataset-files.ts';

const world = await createWorld();
const cluster = await openCluster(1);
after(cluster.stop);
const { id: userId } = await world.add('users', { username: 'carol' });
const key = await world.keyFor(userId);
const [publicPath, privatePath] = ['/users/carol', '/bounties/me'];
const withKey = { headers: { authorization: `Bearer ${key}` } };
const openProxy = async (url: string) => {
  const proxy = await startProxy(url);
  after(() => proxy.close());
  return proxy;
};

for (const fault of ['refusing', 'resetting'] satisfies Fault[])
  test(`${fault}: reads that find no database server wait for it, also private ones, and are answered`, async () => {
    const proxy = await openProxy(world.readerUrl);
    const api = await world.serve({ DATABASE_URL: proxy.url });
    // On a busy machine the database may be back too late for reads that wait two seconds: then once more.
    await eventually(async () => {
      await proxy.set(fault);
      let answered = 0;
      const asked = [publicPath, '/contests', privatePath].map(async (path) => {
        const { status } = await api.get(path, path === privatePath ? withKey : {});
        answered += 1;
        return status;
      });
      await sleep(300);
      const early = answered;
      await proxy.set('none');
      assert.deepEqual([early, await Promise.all(asked)], [0, [200, 200, 200]]);
    });
  });

test('a read whose connection is lost while it runs is repeated', async () => {
  const api = await world.serve();
  // The view does not change within a transaction.
  const watcher = new pg.Client(world.ownerUrl);
  await watcher.connect();
  const blocked = async () => {
    const { rows } = await watcher.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    assert.equal(rows.length, 1);
    return rows[0]!.pid;
  };
  await eventually(async () => {
    await world.owner.query('begin; lock table contests');
    const asked = api.get('/contests');
    const first = await eventually(blocked);
    await watcher.query('select pg_terminate_backend($1)', [first]);
    const again = eventually(async () => assert.notEqual(await blocked(), first), 5000);
    const isRepeated = await again.then(
      () => true,
      () => false,
    );
    await world.owner.query('rollback');
    assert.deepEqual([isRepeated, (await asked).status], [true, 200]);
  });
  await watcher.end();
});

test('reads that wait for a database server are bounded in number, private ones apart, and in time', async () => {
  const proxy = await openProxy(world.readerUrl);
  const api = await world.serve({ DATABASE_URL: proxy.url, DATABASE_QUEUE: '2', DATABASE_WAIT_MS: '1000' });
  assert.equal((await api.get(publicPath)).status, 200);
  await proxy.set('refusing');
  for (const init of [{}, withKey]) {
    api.lines.length = 0;
    const began = performance.now();
    const path = init === withKey ? privatePath : publicPath;
    const responses = await Promise.all(Array.from({ length: 8 }, () => api.get(path, init)));
    assert.ok(performance.now() - began >= 1900, 'the ones that wait do so for two seconds');
    for (const { status, headers } of responses)
      assert.deepEqual([status, headers.get('retry-after')], [503, '1'], path);
    const gates = api.lines.filter(({ msg }) => msg === 'request').map(({ gate }) => gate);
    assert.deepEqual(gates.toSorted(), ['connection', 'connection', ...Array.from({ length: 6 }, () => 'queue')]);
  }
});

test('which errors mean that a server goes away or is no primary', async () => {
  const errorOf = async (act: () => Promise<unknown>): Promise<unknown> =>
    act().then(
      () => assert.fail('no error'),
      (error: unknown) => error,
    );
  const other = new pg.Client(world.ownerUrl);
  other.on('error', () => {});
  await other.connect();
  const ask = (text: string) => errorOf(() => other.query(text));
  const timeout = await ask(`set statement_timeout = 20; select pg_sleep(9)`);
  assert.deepEqual([isServerGone(timeout), isServerGone(await ask('select nonsense'))], [false, false]);
  assert.equal(isServerGone(await ask('begin read only; create table t ()')), true);
  assert.equal(isServerGone(await ask('rollback; select pg_terminate_backend(pg_backend_pid())')), true);
  assert.equal(isServerGone(await ask('select 1')), true);
  const refused = new pg.Client(`postgres://x@127.0.0.1:${await freePort()}/x`);
  assert.equal(isServerGone(await errorOf(() => refused.connect())), true);
  const nobody = new pg.Client(world.ownerUrl.replace(/\/\/\w+@/, '//nobody@'));
  assert.equal(isServerGone(await errorOf(() => nobody.connect())), false);
  assert.deepEqual([isServerGone(new TypeError('x')), isServerGone(null)], [false, false]);
});

test('with replicas, public reads wait while no server can be reached; without the primary, private ones wait and are 503', async () => {
  await cluster.add('users', { username: 'carol' });
  const [primary, replica] = [await openProxy(cluster.readerUrl), await openProxy(cluster.replicaUrls())];
  const api = await world.serve({ DATABASE_URL: primary.url, REPLICA_URLS: replica.url, MAX_REPLICA_LAG_MS: '60000' });
  const reads = async () => {
    const text = await (await fetch(`${api.metricsUrl}/metrics`)).text();
    return text.match(/^commonhall_replica_in_use\{.*\} 1$/gm)?.length;
  };
  await eventually(async () => assert.equal(await reads(), 1));
  await eventually(async () => {
    for (const proxy of [primary, replica]) await proxy.set('refusing');
    const asked = [1, 2, 3].map(() => api.get(publicPath));
    await sleep(300);
    await replica.set('none');
    assert.deepEqual(
      (await Promise.all(asked)).map(({ status }) => status),
      [200, 200, 200],
    );
  });
  await eventually(async () => assert.equal((await api.get(publicPath)).status, 200));
  const began = performance.now();
  const { status, headers } = await api.get(privatePath, withKey);
  assert.deepEqual([status, headers.get('retry-after')], [503, '1']);
  assert.ok(performance.now() - began >= 1900, 'it waited for the primary');
});

test('with a replica behind DATABASE_URL nothing is written: every command names the setting and the remedy', async (t) => {
  const replica = cluster.replicas[0]!.url;
  const folder = fileOf('users.ndjson', []);
  const config = readConfig({
    DATABASE_URL: replica,
    PLATFORM_DATABASE_URL: replica,
    KEY_PEPPER: pepper,
    JOURNAL_FILE: `${folder}/journal`,
  });
  const print = () => {};
  const none = { isKey: false, isNotLoaded: false, reason: null };
  const flags = { dryRun: true, strict: false };
  const commands: Record<string, () => Promise<unknown>> = {
    apply: () => apply(config, `${folder}/none`, print),
    hide: () => hide(config, 'users', ['nobody'], none, print),
    unhide: () => unhide(config, 'users', ['nobody'], false, print),
    erase: () => erase(config, 'nobody', { ...none, isDryRun: false }, print),
    'erase --allow': () => allowErased(config, 'nobody', print),
    'key create': () =>
      createKey(config, 'nobody', { name: 'n', kind: 'test', isKey: false, expiresInDays: null }, print),
    'key revoke': () => revoke(config, 'nobody', print),
    'import --dry-run': () => importData(config, folder, flags, print),
    load: () => load(config, folder, [], print),
    'rejected retry': () => retryRejected(config, ['1'], print),
    'rejected drop': () => dropRejected(config, ['1'], print),
    'verify --repair': () => verify(config, true, print),
    'journal replay': () => replay(config, false, print),
    migrate: () => migrate(config, print),
  };
  const saying = (setting: string) =>
    new RegExp(`^${setting} leads to a server that accepts no writes.*${new URL(replica).host}.*set ${setting} to`);
  for (const [name, command] of Object.entries(commands))
    await t.test(name, () => assert.rejects(command(), { message: saying('DATABASE_URL') }));
  const problems: Error[] = [];
  const use = openKeyUse(replica, 60_000, (error) => problems.push(error as Error));
  use.note('k');
  await use.close();
  assert.match(problems[0]?.message ?? '', saying('KEYS_DATABASE_URL'));

  // The follower waits: soon the address may lead to the primary.
  const platform = await openOutbox();
  after(platform.stop);
  const follower = startFollower(replica, platform.feedUrl);
  after(follower.kill);
  await eventually(() => assert.match(follower.output(), /DATABASE_URL leads to a server that accepts no writes/));
  assert.equal(follower.child.exitCode, null);
  await cluster.promote(cluster.replicas[0]!);
  await eventually(() => assert.match(follower.output(), /"msg":"following"/));
});
