// npm run drill -- replica: the faults of replicas (test/helpers/replica-faults.ts) ten times each, on
// two servers over the sample data. Then measures the CPU per request of each part with 0, 1 and 2 replicas.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { examples } from '../demo/examples.ts';
import { loadSample } from '../demo/load.ts';
import { demoNow } from '../packages/sample/src/cast.ts';
import { readProcess } from '../test/descendants.ts';
import { openCluster } from '../test/helpers/cluster.ts';
import { serveProcess } from '../test/helpers/process.ts';
import { allUse, sufferFaults } from '../test/helpers/replica-faults.ts';
import { pepper } from '../test/helpers/world.ts';
import type { PrivatePostgres } from '../test/postgres.ts';
import { startLoad } from './load.ts';

type Cluster = Awaited<ReturnType<typeof openCluster>>;
const boundMs = 1000;

const serveOver = (cluster: Cluster, replicas: readonly PrivatePostgres[]) => {
  const asReader = ({ url }: PrivatePostgres) => url.replace('postgres@', 'reader@');
  return serveProcess(cluster.readerUrl, {
    ...{ KEY_PEPPER: pepper, KEY_KINDS: 'test', RATE_LIMIT_PER_TOKEN: '0', FIXED_NOW: demoNow },
    ...(replicas.length === 0 ? {} : { REPLICA_URLS: replicas.map(asReader).join(',') }),
    MAX_REPLICA_LAG_MS: String(boundMs),
    MAX_EVENT_LOOP_DELAY_MS: '0', // the drill itself keeps both cores busy
    LOG_LEVEL: 'error',
  });
};

const failures = async (cluster: Cluster, times: number): Promise<void> => {
  const servers = [await serveOver(cluster, cluster.replicas), await serveOver(cluster, cluster.replicas)];
  try {
    await sufferFaults(cluster, {
      servers,
      paths: ['/users/ada', '/contests', '/contests?pageSize=1', '/launches/user/ada'],
      write: (stamp) =>
        cluster.owner.query(
          `with u as (update users set bio = $1 where username = 'ada'),
             c as (update contests set short_description = $1 where is_public)
           update launches set tagline = $1 where submitted_by_id = (select id from users where username = 'ada')`,
          [stamp],
        ),
      userId: (await cluster.add('users', { username: 'drill' })).id,
      turns: Array.from({ length: times }, (_, turn) => [[0], [1], [0, 1]][turn % 3]!),
      boundMs,
      readers: 12,
      say: console.log,
    });
  } finally {
    for (const server of servers) await server.stop();
  }
};

const ticksOf = (pid: number): number => {
  const { ticks, childTicks } = readProcess(pid)!;
  return ticks + childTicks;
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
