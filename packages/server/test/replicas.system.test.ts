// Replicas: public reads go to replicas within the allowed lag, everything else goes to the primary. Failures of
// replicas or of the primary never cause an error of a public read or an answer that is older than promised.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@commonhall/contract';
import type { Operation } from '@commonhall/contract/operation';
import { urlOf } from '@commonhall/contract/url';
import pg from 'pg';
import { openCluster } from '../../../test/helpers/cluster.ts';
import { populate } from '../../../test/helpers/community.ts';
import type { Change } from '../../../test/helpers/later-build.ts';
import { laterBuild, startMigrate } from '../../../test/helpers/later-build.ts';
import { eventually, patient } from '../../../test/helpers/process.ts';
import { sufferFaults } from '../../../test/helpers/replica-faults.ts';
import { pepper } from '../../../test/helpers/world.ts';
import { nonceSql } from '../src/changes/cursor.ts';
import { serve } from '../src/commands/serve.ts';
import { readConfig } from '../src/config.ts';
import { migrate } from '../src/db/schema/migrate.ts';
import { openLog } from '../src/log.ts';

const cluster = await openCluster(2);
const { primary, owner, add, keyFor } = cluster;
const [one, two] = [cluster.replicas[0]!, cluster.replicas[1]!];
const stops: (() => Promise<void>)[] = [];
after(async () => {
  await Promise.all(stops.map((stop) => stop()));
  await cluster.stop();
});
const { calls, tokens } = await populate(cluster);
const everything = Object.values<Operation>(operations);

const start = async (settings: Record<string, string> = {}) => {
  const lines: { msg: string; reason?: string }[] = [];
  const config = readConfig({
    DATABASE_URL: cluster.readerUrl,
    REPLICA_URLS: cluster.replicaUrls(),
    PORT: '0',
    METRICS_PORT: '0',
    KEY_PEPPER: pepper,
    KEY_KINDS: 'test',
    RATE_LIMIT_PER_ADDRESS: '0',
    RATE_LIMIT_PER_TOKEN: '0',
    MAX_EVENT_LOOP_DELAY_MS: '0',
    DRAIN_MS: '0',
    ...settings,
  });
  const server = await serve(config, openLog('info', { write: (line) => lines.push(JSON.parse(line)) }));
  stops.push(server.stop);
  const get = async (path: string, token?: string): Promise<{ status: number; body: string; headers: Headers }> => {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(server.url + path, { headers });
    return { status: response.status, body: await response.text(), headers: response.headers };
  };
  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${server.metricsUrl}/metrics`)).text();
    const line = text.split('\n').find((each) => each.startsWith(`${name} `));
    return line === undefined ? Number.NaN : Number(line.split(' ')[1]);
  };
  const nameOf = (url: string) => new URL(url).host;
  return {
    ...{ ...server, get, metric, lines },
    readsOn: ({ url }: { url: string }) =>
      metric(`commonhall_public_reads_total{database="${url === primary.url ? 'primary' : nameOf(url)}"}`),
    inUse: async (wanted: (typeof one)[]) =>
      eventually(async () => {
        for (const replica of [one, two])
          assert.equal(
            await metric(`commonhall_replica_in_use{replica="${nameOf(replica.url)}"}`),
            wanted.includes(replica) ? 1 : 0,
            nameOf(replica.url),
          );
      }),
  };
};

const pathOf = ({ id }: Operation): string => urlOf('', id, calls[id].visible);
/** Writes a value on the primary that requests to the server then show. */
const write = (value: string) => owner.query(`update users set bio = $1 where username = 'carol'`, [value]);
const isSeen = ({ body }: { body: string }, value: string) => body.includes(`"bio":"${value}"`);

test('public reads go to both replicas; reads with credentials go to the primary', async () => {
  const api = await start({ MAX_REPLICA_LAG_MS: '60000' }); // on a busy machine a replica may be a second late
  await api.inUse([one, two]);
  const before = await api.readsOn(primary);
  const [first, second] = [await api.readsOn(one), await api.readsOn(two)];
  for (const operation of everything) {
    const { status } = await api.get(
      pathOf(operation),
      operation.auth === 'none' ? undefined : calls[operation.id].token,
    );
    assert.equal(status, 200, operation.id);
  }
  assert.equal((await api.get(pathOf(operations.getLaunch))).status, 200);
  assert.equal((await api.get('/status')).status, 200);
  assert.equal(await api.readsOn(primary), before, 'no public read on the primary');
  assert.ok((await api.readsOn(one)) > first && (await api.readsOn(two)) > second);
  const lag = await api.metric(`commonhall_replica_lag_seconds{replica="${new URL(one.url).host}"}`);
  assert.ok(lag >= 0 && lag < 60, `${lag}`);
});

test('a revoked key is rejected at once, and a caller with a key reads from the primary, however late the replicas are', async () => {
  const api = await start({ MAX_REPLICA_LAG_MS: '600000' });
  await api.inUse([one, two]);
  await Promise.all([one, two].map((replica) => cluster.replay(replica, false)));
  try {
    const { id } = await add('users', { username: 'revoked' });
    const key = await keyFor(id);
    const launch = pathOf(operations.getLaunch);
    assert.equal((await api.get(launch, key)).status, 200, 'a key that no replica has yet');
    await write('late');
    assert.ok(!isSeen(await api.get('/users/carol'), 'late'), 'the replicas are late');
    await owner.query('update api_keys set revoked_at = now() where user_id = $1', [id]);
    assert.equal((await api.get(launch, key)).status, 401);
    const { rows } = await owner.query(
      `update launches set tagline = 'as the primary has it' where slug = $1 returning id`,
      [(calls.getLaunch.visible as { slug: string }).slug],
    );
    assert.equal(rows.length, 1);
    assert.match((await api.get(launch, tokens.member)).body, /as the primary has it/);
    assert.doesNotMatch((await api.get(launch)).body, /as the primary has it/);
  } finally {
    await Promise.all([one, two].map((replica) => cluster.replay(replica, true)));
  }
});

test('a server that has become ready does not read from replicas that lack the data it became ready by', async () => {
  await owner.query('alter table score_tiers disable trigger keep_score_tiers');
  const [tier] = (await owner.query(`delete from score_tiers where dimension = 'identity' returning *`))
    .rows as object[];
  const api = await start({ MAX_REPLICA_LAG_MS: '600000' });
  const becomes = (status: number) => eventually(async () => assert.equal((await api.get('/readyz')).status, status));
  await becomes(503);
  await api.inUse([one, two]);
  await Promise.all([one, two].map((replica) => cluster.replay(replica, false)));
  try {
    await owner.query('insert into score_tiers select * from jsonb_populate_record(null::score_tiers, $1)', [
      JSON.stringify(tier),
    ]);
    await becomes(200);
    assert.match((await api.get('/users/scores/tiers')).body, /identity/i);
  } finally {
    await Promise.all([one, two].map((replica) => cluster.replay(replica, true)));
  }
  await api.inUse([one, two]);
});

test('a list that is dropped while a replica lags is 503 there at most for the moment until its servers notice, never 500', async () => {
  const changed: Change = ['src/db/lists/declarations.ts', "id: ['user_id'],", "id: ['user_id'],\n  size: 64,"];
  const builds = [laterBuild(0, [changed], '9.0.0'), laterBuild(0, [changed], '9.1.0')];
  const run = async (main: string) => assert.deepEqual(await once(startMigrate(main, primary.url), 'exit'), [0, null]);
  // A server of this build that knows nothing but the replica.
  const api = await start({ DATABASE_URL: cluster.replicaUrls().split(',')[0]!, REPLICA_URLS: '' });
  const becomes = (status: number) => eventually(async () => assert.equal((await api.get('/readyz')).status, status));
  const path = pathOf(operations.listCollectionHolders);
  const statuses = new Set<number>();
  let isOver = false;
  const asking = async () => {
    while (!isOver) statuses.add((await api.get(path)).status);
  };
  try {
    await becomes(200);
    await run(builds[0]!.main);
    await cluster.replay(one, false);
    await run(builds[1]!.main); // drops the list of this build
    assert.deepEqual([(await api.get('/readyz')).status, (await api.get(path)).status], [200, 200]);
    const asked = [asking(), asking(), asking()];
    await cluster.replay(one, true); // the mark and the drop arrive together
    await becomes(503);
    isOver = true;
    await Promise.all(asked);
    assert.deepEqual(
      [...statuses].filter((status) => status !== 200 && status !== 503),
      [],
    );
    assert.ok(statuses.has(503));
  } finally {
    isOver = true;
    for (const build of builds) build.remove();
    await migrate(primary.url, () => {});
  }
  await becomes(200);
});

test('replicas do not count as late while the primary is idle, even after a switch to a new WAL segment', async () => {
  const api = await start();
  await api.inUse([one, two]);
  const before = await api.readsOn(primary);
  for (let turn = 0; turn < 3; turn++) {
    await owner.query('select pg_switch_wal()');
    for (let look = 0; look < 20; look++, await sleep(50)) assert.equal((await api.get('/users/carol')).status, 200);
  }
  assert.equal(await api.readsOn(primary), before);
});

test('no public read fails or is older than promised when replicas are frozen, killed, late or promoted', async (t) => {
  // Not about overload: on a busy machine a statement may wait for more than a second. A read that waited for a frozen
  // replica would now wait for 30 s.
  const api = await start(patient);
  const { longestMs } = await sufferFaults(cluster, {
    servers: [api],
    paths: ['/users/carol'],
    write,
    userId: (await add('users', { username: 'revoker' })).id,
    turns: [[0], [0, 1]],
    boundMs: 1000,
    readers: 4,
    say: (line) => t.diagnostic(line),
  });
  assert.ok(longestMs < 10_000, `a read waited ${longestMs} ms for a frozen replica`);
  await eventually(() => assert.ok(api.lines.some(({ reason }) => reason?.includes('accepts writes') === true)));
});

test('a replica that can never be used is logged once, with the reason, and requests are still answered', async () => {
  const elsewhere = one.url.replace('postgres@', 'nobody@');
  const api = await start({ REPLICA_URLS: `${cluster.readerUrl},${elsewhere}` });
  const reasons = () => api.lines.filter(({ msg }) => msg === 'replica not in use').map(({ reason }) => reason);
  await eventually(() => assert.equal(reasons().length, 2));
  assert.ok(
    reasons().some((reason) => /accepts writes/.test(reason ?? '')),
    String(reasons()),
  );
  assert.ok(
    reasons().some((reason) => /role "nobody" does not exist/.test(reason ?? '')),
    String(reasons()),
  );
  assert.equal((await api.get('/users/carol')).status, 200);
  await sleep(500);
  assert.equal(reasons().length, 2);
});

test('a cursor that a replica does not have yet is looked up on the primary, which alone says that one is gone', async () => {
  const api = await start({ ...patient, MAX_REPLICA_LAG_MS: '60000' });
  await api.inUse([one, two]);
  const late = [one, two].map(({ url }) => new pg.Client(url));
  for (const each of late) await each.connect();
  for (const each of late) await each.query('select pg_wal_replay_pause()');
  await owner.query(`update sponsors set website = 'https://later.example.org'`);
  const { rows } = await owner.query<{ cursor: string }>(
    `select c.id || '-' || ${nonceSql} as cursor from lists.changes c order by c.id desc limit 1`,
  );
  const page = await api.get(`/changes?since=${rows[0]!.cursor}`);
  assert.deepEqual([page.status, page.body], [200, '']);
  assert.match(page.headers.get('cache-control') ?? '', /max-age=1/);
  assert.equal((await api.get('/changes?since=999999-00000000')).status, 410);
  for (const each of late) await each.query('select pg_wal_replay_resume()');
  for (const each of late) await each.end();
});

test('without the primary, replicas serve public reads for MAX_WITHOUT_PRIMARY_MS, and /status says since when', async () => {
  // On a busy machine a probe may be a second late.
  const limits = { ...patient, MAX_WITHOUT_PRIMARY_MS: '20000', MAX_REPLICA_LAG_MS: '5000' };
  const api = await start(limits);
  await api.inUse([one, two]);
  const paths = everything.filter(({ auth }) => auth === 'none' || auth === 'optional').map(pathOf);
  const answers = async () => Promise.all(paths.map(async (path) => (await api.get(path)).body));
  const before = await answers();
  const since = Date.now();
  await primary.crash();
  assert.deepEqual(await answers(), before, 'right after the crash');
  await eventually(async () => {
    const { data } = JSON.parse((await api.get('/status')).body) as {
      data: { primaryUnreachableSince: string | null };
    };
    const at = Date.parse(data.primaryUnreachableSince ?? '');
    assert.ok(at > since - 1000 && at < since + 5000, String(data.primaryUnreachableSince));
  });
  assert.ok((await api.metric('commonhall_primary_unreachable_seconds')) > 0);
  assert.equal((await api.get('/readyz')).status, 200);
  assert.deepEqual(await answers(), before);
  // Nobody can say whether this cursor is too old.
  const unknown = await api.get('/changes?since=999999-00000000');
  assert.deepEqual([unknown.status, unknown.body, unknown.headers.get('cache-control')], [200, '', 'no-store']);
  assert.match(unknown.headers.get('link') ?? '', /since=999999-00000000>; rel="next"/);
  const withKey = everything.filter(({ auth }) => auth !== 'none');
  const statuses = await Promise.all(withKey.map(async (each) => (await api.get(pathOf(each), tokens.member)).status));
  assert.deepEqual(new Set(statuses), new Set([503]));
  assert.ok(Date.now() - since < 20_000, 'this machine is too slow for the time limits of this test');
  await eventually(async () => assert.equal((await api.get('/readyz')).status, 503));
  assert.ok(Date.now() - since > 19_000);
  const ended = await Promise.all(paths.map(async (path) => (await api.get(path)).status)); // each waits for a server
  assert.deepEqual(new Set(ended), new Set([503]));

  const fresh = await start(limits);
  assert.equal((await fresh.get('/readyz')).status, 503, 'a server that has never reached the primary is not ready');
  await primary.restart();
  for (const server of [api, fresh]) {
    await eventually(async () => assert.equal((await server.get('/readyz')).status, 200));
    await server.inUse([one, two]);
    assert.match((await server.get('/status')).body, /"primaryUnreachableSince":null/);
  }
  assert.deepEqual(await answers(), before);
});
