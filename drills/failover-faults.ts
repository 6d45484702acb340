// What happens to the database servers in the failover drill, and how it is put right again.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../test/helpers/process.ts';
import type { startProxy } from '../test/helpers/proxy.ts';
import type { Nodes } from './failover-nodes.ts';
import { openSession } from './failover-watch.ts';

export interface Fault {
  /** Resolves when another server is the primary, where one has to be. */
  begin: () => Promise<void>;
  end: () => Promise<void>;
  /** Writes that an old primary has acknowledged. */
  acknowledged: number[];
}
export interface Scene {
  nodes: Nodes;
  /** Between one of the servers and the primary. */
  line: Awaited<ReturnType<typeof startProxy>>;
  /** How often this fault has happened before. */
  turn: number;
}

/** Unique over the whole drill, and never those of the other writer. */
let stamp = 0;
/** Writes to a server past HAProxy, as a client that still has its address. */
const startOldWriter = (url: string, acknowledged: number[]) => {
  let isOver = false;
  const write = async () => {
    const session = openSession(url);
    for (; !isOver; await sleep(20)) {
      stamp -= 1;
      const value = stamp;
      await session.query('insert into drill_stamps values ($1)', [value]).then(
        () => acknowledged.push(value),
        () => {},
      );
    }
    await session.close();
  };
  const writing = write();
  return async () => {
    isOver = true;
    await writing;
  };
};
/** Waits until a server says that it is a replica. */
const isReplica = async (nodes: Nodes, index: number) => {
  const session = openSession(nodes.directUrl(index));
  await eventually(async () => {
    const [row] = await session.query<{ is: boolean }>('select pg_is_in_recovery() as is');
    assert.equal(row?.is, true);
  }, 300_000);
  await session.close();
};
/** A fault of the primary, with a writer that stays with the old primary while `writes` says so. */
const ofPrimary =
  (
    hit: (node: Nodes['nodes'][number]) => unknown,
    repair: (node: Nodes['nodes'][number]) => unknown,
    writes: 'from the beginning' | 'when it is back' | 'never',
  ) =>
  ({ nodes }: Scene): Fault => {
    let index = -1;
    let stop = async () => {};
    const acknowledged: number[] = [];
    const begin = async () => {
      index = await nodes.leader();
      await hit(nodes.nodes[index]!);
      if (writes === 'from the beginning') stop = startOldWriter(nodes.directUrl(index), acknowledged);
      await nodes.hasSwitchedFrom(index);
    };
    const end = async () => {
      if (writes === 'when it is back') stop = startOldWriter(nodes.directUrl(index), acknowledged);
      await repair(nodes.nodes[index]!);
      await isReplica(nodes, index);
      await stop();
    };
    return { begin, end, acknowledged };
  };

export const faults: Record<string, (scene: Scene) => Fault> = {
  killed: ofPrimary(
    (node) => node.kill(),
    (node) => node.start(),
    'when it is back',
  ),
  frozen: ofPrimary(
    (node) => node.signalAll('SIGSTOP'),
    (node) => node.signalAll('SIGCONT'),
    'when it is back',
  ),
  // From etcd; its replicas still follow it.
  isolated: ofPrimary(
    (node) => node.cut(true, 'etcd'),
    (node) => node.cut(false, 'etcd'),
    'never',
  ),
  // Also from its replicas, which are late then: public reads go to the primary until it gives up, and fail until there is
  // a new one. A replica may not serve them, because it may lack a row that was hidden.
  cutOff: ofPrimary(
    (node) => node.cut(true, 'all'),
    (node) => node.cut(false, 'all'),
    'from the beginning',
  ),
  switched: ({ nodes }) => ({ begin: nodes.switchOver, end: async () => {}, acknowledged: [] }),
  // By hand, past Patroni, which makes it a replica again. It may keep WAL of a timeline that no primary has, which
  // Patroni 3.0 does not notice: it would never follow again, so it is built anew, as by patronictl reinit.
  promoted: ({ nodes, turn }) => {
    let index = -1;
    const begin = async () => {
      const leader = await nodes.leader();
      index = (leader + 1 + (turn % 2)) % nodes.nodes.length;
      const session = openSession(nodes.directUrl(index));
      await session.query('select pg_promote()');
      await session.close();
    };
    const end = async () => {
      await isReplica(nodes, index);
      await eventually(async () => {
        const url = `${nodes.nodes[index]!.restUrl}/reinitialize`;
        const response = await fetch(url, { method: 'POST', body: JSON.stringify({ force: true }) });
        assert.equal(response.status, 200, await response.text());
      });
    };
    return { begin, end, acknowledged: [] };
  },
  alone: ({ line }) => ({
    begin: () => line.set('silent'),
    end: async () => {
      await sleep(10_000);
      // A connection that has lost bytes stays silent until it is reset.
      await line.set('resetting');
      await line.set('none');
    },
    acknowledged: [],
  }),
};
