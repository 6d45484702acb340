// The states of docs/alerts.md that need a replica: the replica is down or lags, and the primary is down while the
// replica serves.
import assert from 'node:assert/strict';
import { signalAll } from '../test/helpers/cluster.ts';
import { eventually } from '../test/helpers/process.ts';
import type { State } from './alerts-parts.ts';
import type { Place } from './runbook.ts';

const alert = 'CommonhallReplicaNotInUse';
const statusOf = async ({ server }: Place, path: string, key?: string): Promise<number> => {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const response = await fetch(server.url + path, { headers });
  await response.arrayBuffer();
  return response.status;
};

export const replicaAway: State = async (parts, short) => {
  const { replica, replicated, session, fires, remedy, ends } = parts;
  /** The alert fires, and callers notice nothing. */
  const firesUnnoticed = async (cause: RegExp) => {
    const found = await fires(alert, replicated, cause);
    assert.equal(await statusOf(replicated, '/users/scores/tiers'), 200);
    return found;
  };
  await replica.crash();
  await firesUnnoticed(/it does not answer[\s\S]*Connection refused/);
  await replica.restart();
  await ends(alert);

  const holder = await session(replica.url);
  await holder.query('begin; select count(*) from collections');
  const owner = await session();
  await owner.query('begin; lock table collections; commit');
  const found = await firesUnnoticed(/too far behind[\s\S]*\| relation[\s\S]*idle in transaction .*from collections/);
  await remedy(alert, replicated, { pid: /^ *(\d+) \| idle in transaction /m.exec(found)![1]! });
  await ends(alert);
  if (short) return;

  const pauser = await session(replica.url);
  await pauser.query('select pg_wal_replay_pause()');
  await firesUnnoticed(/too far behind[\s\S]*\| RecoveryPause/);
  await remedy(alert, replicated, {});
  await ends(alert);

  signalAll(replica, 'SIGSTOP');
  try {
    await firesUnnoticed(/timeout expired/);
  } finally {
    signalAll(replica, 'SIGCONT');
  }
  await ends(alert);
};

export const primaryAway: State = async ({ stand, main, replicated, key, fires, ends }) => {
  const privately = () => statusOf(replicated, '/bounties/me', key);
  const isFollowed = async () => {
    const { data } = (await (await fetch(`${replicated.server.url}/status`)).json()) as {
      data: { lagSeconds: number; primaryUnreachableSince: string | null };
    };
    assert.equal(data.primaryUnreachableSince, null);
    assert.ok(data.lagSeconds < 3, `${data.lagSeconds} s behind the platform`);
  };
  const isReplicated = async () =>
    assert.match(
      await (await fetch(`${replicated.server.metricsUrl}/metrics`)).text(),
      /^commonhall_replica_lag_seconds\{.*\} 0\.\d+$/m,
    );
  assert.equal(await privately(), 200);
  await eventually(isFollowed);
  await stand.hall.crash();
  const found = await fires(
    'CommonhallPrimaryUnreachable',
    replicated,
    /no response[\s\S]*"primaryUnreachableSince":"[\s\S]*commonhall_replica_in_use\{.*\} 1/,
  );
  assert.match(found, /commonhall_primary_unreachable_seconds [1-9]/);
  assert.equal(await statusOf(replicated, '/users/scores/tiers'), 200);
  assert.equal(await statusOf(replicated, '/readyz'), 200);
  assert.equal(await privately(), 503);
  assert.equal(await statusOf(main, '/users/scores/tiers'), 503, 'a server without replicas');
  await stand.hall.restart();
  const began = performance.now();
  await ends('CommonhallPrimaryUnreachable');
  await eventually(async () => assert.equal(await privately(), 200));
  await eventually(isFollowed);
  await eventually(isReplicated);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`calls with a key, the follower and the replica are back ${seconds} s after the primary`);
};
