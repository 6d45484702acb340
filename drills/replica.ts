// npm run drill -- replica: two replicas are killed, frozen, delayed by a minute and promoted, ten times each, while
// two servers have callers and a writer commits. No public read may fail or be staler than the limit, and a revoked key
// must be rejected at once. Then measures the CPU per request of each part with 0, 1 and 2 replicas.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { examples } from '../demo/examples.ts';
import { loadSample } from '../demo/load.ts';
import { demoNow, demoPepper } from '../packages/sample/src/cast.ts';
import { hashKey, makeKey } from '../packages/server/src/http/auth.ts';
import { openCluster } from '../packages/server/test/helpers/cluster.ts';
import type { ServerProcess } from '../packages/server/test/helpers/process.ts';
import { eventually, serveProcess } from '../packages/server/test/helpers/process.ts';
import { watchStamps } from '../packages/server/test/helpers/stamps.ts';
import type { PrivatePostgres } from '../test/postgres.ts';
import { startLoad } from './load.ts';

type Cluster = Awaited<ReturnType<typeof openCluster>>;
const boundMs = 1000;

const get = async (url: string, token?: string): Promise<{ status: number; body: string }> => {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers });
  return { status: response.status, body: await response.text() };
};
const inUse = async ({ metricsUrl }: ServerProcess): Promise<number> => {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  return [...text.matchAll(/^commonhall_replica_in_use\{.*\} 1$/gm)].length;
};
const allUse = (servers: readonly ServerProcess[], count: number) =>
  eventually(async () => {
    for (const server of servers) assert.equal(await inUse(server), count);
  }, 120_000);

const serveOver = (cluster: Cluster, replicas: readonly PrivatePostgres[]) => {
  const asReader = ({ url }: PrivatePostgres) => url.replace('postgres@', 'reader@');
  return serveProcess(cluster.readerUrl, {
    ...{ KEY_PEPPER: demoPepper, KEY_KINDS: 'test', RATE_LIMIT_PER_TOKEN: '0', FIXED_NOW: demoNow },
    ...(replicas.length === 0 ? {} : { REPLICA_URLS: replicas.map(asReader).join(',') }),
    MAX_REPLICA_LAG_MS: String(boundMs),
    MAX_EVENT_LOOP_DELAY_MS: '0', // the drill itself keeps both cores busy
    LOG_LEVEL: 'error',
  });
};

/** The failures of a replica, and how each one is repaired. */
const events: Record<string, (cluster: Cluster, index: number) => { begin: () => unknown; end: () => unknown }> = {
  killed: ({ replicas }, index) => ({
    begin: () => replicas[index]!.crash(),
    end: () => replicas[index]!.restart(),
  }),
  frozen: ({ replicas, freeze, thaw }, index) => ({
    begin: () => freeze(replicas[index]!),
    end: () => thaw(replicas[index]!),
  }),
  'a minute late': ({ replicas, delay }, index) => ({
    begin: () => delay(replicas[index]!, 60),
    end: () => delay(replicas[index]!, 0),
  }),
  promoted: (cluster, index) => ({
    begin: () => cluster.promote(cluster.replicas[index]!),
    end: () => cluster.replace(index),
  }),
};

/** Repeatedly creates a key, uses it, revokes it and uses it again. */
const watchRevoking = (cluster: Cluster, servers: readonly ServerProcess[]) => {
  const found = { revoked: 0, problems: [] as string[] };
  let isOver = false;
  const run = async () => {
    for (; !isOver; await sleep(50)) {
      const key = makeKey('test');
      const hash = hashKey(key, demoPepper);
      const id = `drill-${found.revoked}`;
      const url = `${servers[found.revoked % servers.length]!.url}/bounties/me`;
      await cluster.owner.query(
        `insert into api_keys (id, user_id, name, hash, created_at)
         select $1, u.id, 'drill', $2, now() from users u where u.username = 'ada'`,
        [id, hash],
      );
      const before = await get(url, key);
      await cluster.owner.query('update api_keys set revoked_at = now() where id = $1', [id]);
      const after = await get(url, key);
      found.revoked += 1;
      if (before.status !== 200 || after.status !== 401)
        found.problems.push(`valid ${before.status}, revoked ${after.status}: ${before.body.slice(0, 200)}`);
    }
  };
  const running = run();
  return {
    found,
    stop: async () => {
      isOver = true;
      await running;
    },
  };
};

const failures = async (cluster: Cluster, times: number): Promise<void> => {
  const servers = [await serveOver(cluster, cluster.replicas), await serveOver(cluster, cluster.replicas)];
  const paths = ['/users/ada', '/contests', '/contests?pageSize=1', '/launches/user/ada'];
  const write = (stamp: string) =>
    cluster.owner.query(
      `with u as (update users set bio = $1 where username = 'ada'),
         c as (update contests set short_description = $1 where is_public)
       update launches set tagline = $1 where submitted_by_id = (select id from users where username = 'ada')`,
      [stamp],
    );
  const read = (turn: number) => get(servers[turn % 2]!.url + paths[(turn >> 1) % paths.length]!);
  try {
    await allUse(servers, 2);
    await write('stamp 0');
    await sleep(boundMs);
    for (const path of paths) assert.match((await get(servers[0]!.url + path)).body, /"stamp 0"/, path);
    const stamps = watchStamps(write, read, { readers: 12, boundMs });
    const revoking = watchRevoking(cluster, servers);
    const began = performance.now();
    try {
      for (const [name, event] of Object.entries(events)) {
        const [start, reads] = [performance.now(), stamps.found.reads];
        for (let turn = 0; turn < times; turn++) {
          // The first replica, the second, both.
          const indexes = [[0], [1], [0, 1]][turn % 3]!;
          const what = indexes.map((index) => event(cluster, index));
          for (const { begin } of what) await begin();
          await allUse(servers, 2 - indexes.length);
          await sleep(500);
          for (const { end } of what) await end();
          await allUse(servers, 2);
        }
        const seconds = Math.round((performance.now() - start) / 1000);
        console.log(`${name} ${times} times: ${stamps.found.reads - reads} public reads in ${seconds} s`);
      }
    } finally {
      await stamps.stop();
      await revoking.stop();
    }
    const { reads, writes, longestMs, oldestMs, problems } = stamps.found;
    const { revoked, problems: others } = revoking.found;
    const ms = (value: number) => `${Math.round(value)} ms`;
    console.log(
      `${reads} public reads in ${Math.round((performance.now() - began) / 1000)} s beside ${writes} commits: ${problems.length} failed or too old; the oldest ${ms(oldestMs)} (promised ${boundMs}), the longest took ${ms(longestMs)}`,
    );
    console.log(`${revoked} keys revoked: ${others.length} accepted after that, or rejected before`);
    assert.deepEqual([problems, others], [[], []]);
  } finally {
    for (const server of servers) await server.stop();
  }
};

const ticksOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // User and system time, of the process and of its children that have exited.
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
};
/** CPU microseconds used by processes, such as those of a whole PostgreSQL; the kernel counts hundredths of a second. */
const cpuOf = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + ticksOf(pid), 0) * 10_000;

const costs = async (cluster: Cluster, count: number, seconds: number): Promise<void> => {
  const server = await serveOver(cluster, cluster.replicas.slice(0, count));
  try {
    if (count > 0) await allUse([server], count);
    const calls = examples.filter(({ token }) => token === undefined);
    const parts: [string, () => number][] = [
      ['server', () => cpuOf([server.child.pid!])],
      ['primary', () => cpuOf(cluster.primary.processes())],
      ...cluster.replicas
        .slice(0, count)
        .map(({ processes }, index): [string, () => number] => [`replica ${index + 1}`, () => cpuOf(processes())]),
    ];
    const load = startLoad(server.url, calls, { keepAlive: 16, fresh: 0, pauseMs: 0 });
    await sleep(5000); // connections are open, statements planned, code compiled
    const [asked, before] = [load.requests(), parts.map(([, cpu]) => cpu())];
    await sleep(seconds * 1000);
    const requests = load.requests() - asked;
    const spent = parts.map(([name, cpu], index) => `${name} ${Math.round((cpu() - before[index]!) / requests)}`);
    await load.stop();
    assert.deepEqual(load.problems(), []);
    console.log(`${count} replicas: ${spent.join(', ')} µs of CPU a request (${requests} requests in ${seconds} s)`);
  } finally {
    await server.stop();
  }
};

export const drillReplica = async ({ short }: { short: boolean }): Promise<void> => {
  const cluster = await openCluster(0);
  try {
    await loadSample(cluster.primary.url, { scale: 'small', pictures: 'https://pictures.example' }, () => {});
    for (let each = 0; each < 2; each++) await cluster.addReplica();
    await failures(cluster, short ? 1 : 10);
    if (short) return;
    await cluster.owner.query('vacuum (analyze)'); // the writer has left many dead rows
    for (const count of [0, 1, 2]) await costs(cluster, count, 15);
  } finally {
    await cluster.stop();
  }
};
