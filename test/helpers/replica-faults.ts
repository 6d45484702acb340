// Replicas are killed, frozen, delayed by a minute and promoted while servers have callers and a writer commits. No
// public read may fail or be older than promised, and a revoked key must be rejected at once. The test does it a few
// times, `npm run drill -- replica` often.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from '../../packages/server/src/commands/serve.ts';
import type { openCluster } from './cluster.ts';
import { eventually } from './process.ts';
import type { Stamped } from './stamps.ts';
import { watchStamps } from './stamps.ts';

type Cluster = Awaited<ReturnType<typeof openCluster>>;
type Server = Pick<Running, 'url' | 'metricsUrl'>;

const faults: Record<string, (cluster: Cluster, index: number) => { begin: () => unknown; end: () => unknown }> = {
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

const get = async (url: string, token?: string): Promise<{ status: number; body: string }> => {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers });
  return { status: response.status, body: await response.text() };
};

/** Waits until each server uses so many replicas. */
export const allUse = (servers: readonly Server[], count: number) =>
  eventually(async () => {
    for (const { metricsUrl } of servers) {
      const text = await (await fetch(`${metricsUrl}/metrics`)).text();
      assert.equal([...text.matchAll(/^commonhall_replica_in_use\{.*\} 1$/gm)].length, count);
    }
  }, 120_000);

/** Repeatedly creates a key, uses it, revokes it and uses it again. */
const watchRevoking = (cluster: Cluster, servers: readonly Server[], userId: string) => {
  const found = { revoked: 0, problems: [] as string[] };
  let isOver = false;
  const run = async () => {
    for (; !isOver; await sleep(50)) {
      const key = await cluster.keyFor(userId);
      const url = `${servers[found.revoked % servers.length]!.url}/bounties/me`;
      const before = await get(url, key);
      await cluster.owner.query('update api_keys set revoked_at = now() where user_id = $1 and revoked_at is null', [
        userId,
      ]);
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

export interface Scene {
  servers: readonly Server[];
  /** Each shows the stamp that `write` commits. */
  paths: readonly string[];
  write: (stamp: string) => Promise<unknown>;
  /** Whose keys are made and revoked. */
  userId: string;
  /** For each turn of each fault, the replicas that it happens to at once. */
  turns: readonly number[][];
  boundMs: number;
  readers: number;
  say: (line: string) => void;
}

export const sufferFaults = async (cluster: Cluster, scene: Scene): Promise<Stamped> => {
  const { servers, paths, write, boundMs } = scene;
  const read = (turn: number) =>
    get(servers[turn % servers.length]!.url + paths[Math.floor(turn / servers.length) % paths.length]!);
  await allUse(servers, 2);
  await write('stamp 0');
  await sleep(boundMs);
  for (const path of paths) assert.match((await get(servers[0]!.url + path)).body, /"stamp 0"/, path);
  const stamps = watchStamps(write, read, { readers: scene.readers, boundMs });
  const revoking = watchRevoking(cluster, servers, scene.userId);
  try {
    for (const [name, fault] of Object.entries(faults)) {
      const [began, reads] = [performance.now(), stamps.found.reads];
      for (const indexes of scene.turns) {
        const what = indexes.map((index) => fault(cluster, index));
        for (const { begin } of what) await begin();
        await allUse(servers, 2 - indexes.length);
        await stamps.allRead();
        await sleep(500);
        for (const { end } of what) await end();
        await allUse(servers, 2);
      }
      const seconds = Math.round((performance.now() - began) / 1000);
      scene.say(`${name} ${scene.turns.length} times: ${stamps.found.reads - reads} public reads in ${seconds} s`);
    }
  } finally {
    await stamps.stop();
    await revoking.stop();
  }
  const { reads, writes, longestMs, oldestMs, problems } = stamps.found;
  const { revoked, problems: others } = revoking.found;
  const ms = (value: number) => `${Math.round(value)} ms`;
  scene.say(
    `${reads} public reads beside ${writes} commits: ${problems.length} failed or too old; the oldest ${ms(oldestMs)} (promised ${boundMs}), the longest took ${ms(longestMs)}`,
  );
  scene.say(`${revoked} keys revoked: ${others.length} accepted after that, or rejected before`);
  assert.deepEqual([problems, others], [[], []]);
  assert.ok(reads > 100 && revoked > 10, `${reads} reads, ${revoked} keys`);
  return stamps.found;
};
