// Three database servers under Patroni with etcd, and HAProxy in front, from Debian's packages and deploy/patroni. Every
// path between a server and etcd or its peers leads through a proxy, so that a server can be cut off from them.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needPrograms, run } from '../test/debian.ts';
import { childrenOf } from '../test/descendants.ts';
import type { Replacement } from '../test/helpers/deploy-files.ts';
import { deployFile } from '../test/helpers/deploy-files.ts';
import { eventually } from '../test/helpers/process.ts';
import { startProxy } from '../test/helpers/proxy.ts';
import { freePort } from '../test/postgres.ts';
import { findBinaries } from './cluster.ts';
import type { Program } from './programs.ts';
import { startProgram } from './programs.ts';

export const names = ['one', 'two', 'three'] as const;
const addresses = ['10.0.0.21', '10.0.0.22', '10.0.0.23'];
const longMs = 300_000;

interface Member {
  name: string;
  role: string;
  state: string;
}

/** Ends a process that may have ended already. */
const signal = (pid: number, name: NodeJS.Signals) => {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
};

const startEtcd = async (folder: string) => {
  const [client, peer] = [await freePort(), await freePort()];
  const [url, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
  const clients = ['--listen-client-urls', url, '--advertise-client-urls', url];
  const peers = ['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl];
  const all = [...clients, ...peers, '--initial-cluster', `default=${peerUrl}`, '--data-dir', join(folder, 'etcd')];
  const program = await startProgram('etcd', all, async () => assert.ok((await fetch(`${url}/health`)).ok));
  return { url, stop: program.stop };
};

const openNode = async (folder: string, index: number, etcdUrl: string, password: string, isSynchronous: boolean) => {
  const name = names[index]!;
  const [port, rest] = [await freePort(), await freePort()];
  const restUrl = `http://127.0.0.1:${rest}`;
  const proxies = [await startProxy(etcdUrl), await startProxy(`http://127.0.0.1:${port}`), await startProxy(restUrl)];
  const [etcd, peer, peerRest] = proxies.map(({ url }) => `127.0.0.1:${new URL(url).port}`) as [string, string, string];
  const data = join(folder, name, 'data');
  const config = join(folder, name, 'patroni.yml');
  const strict = ['synchronous_mode: true', 'synchronous_mode_strict: true'];
  const changes: Replacement[] = [
    ['name: one', `name: ${name}`],
    ['connect_address: 10.0.0.21:8008', `connect_address: ${peerRest}`],
    ['connect_address: 10.0.0.21:5432', `connect_address: ${peer}`],
    ['10.0.0.21:8008', `127.0.0.1:${rest}`],
    ['10.0.0.21:5432', `127.0.0.1:${port}`],
    // Patroni would otherwise connect to the address that etcd itself reports, around the proxy.
    ['hosts: 10.0.0.31:2379,10.0.0.32:2379,10.0.0.33:2379', `hosts: ${etcd}\n  use_proxies: true`],
    ['/var/lib/postgresql/15/commonhall', data],
    ['/usr/lib/postgresql/15/bin', findBinaries()],
    ['/var/lib/postgresql/commonhall.pgpass', join(folder, name, 'pgpass')],
    ['/var/run/postgresql', join(folder, name)],
    ['change me', password],
    ['10.0.0.0/24', '127.0.0.1/32'],
    ['mode: automatic', 'mode: off'], // one machine has one watchdog
    ...(isSynchronous ? [] : strict.map((line): Replacement => [`    ${line}\n`, ''])),
  ];
  mkdirSync(join(folder, name));
  writeFileSync(config, deployFile('patroni/patroni.yml', changes), { mode: 0o600 });
  run('chown', ['-R', 'postgres:', join(folder, name)]);
  let patroni: Program | null = null;
  const start = async () => {
    const as = ['--reuid=postgres', '--regid=postgres', '--init-groups', 'patroni', config];
    patroni = await startProgram('setpriv', as, async () => assert.ok((await fetch(`${restUrl}/liveness`)).ok));
  };
  /** PostgreSQL does not end with Patroni. */
  const processes = (): number[] => {
    try {
      const postmaster = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      const command = readFileSync(`/proc/${postmaster}/cmdline`, 'utf8');
      return command.includes(data) ? [postmaster, ...childrenOf(postmaster)] : [];
    } catch {
      return [];
    }
  };
  const signalAll = (what: NodeJS.Signals) => {
    for (const pid of [...(patroni === null ? [] : [patroni.pid]), ...processes()]) signal(pid, what);
  };
  return {
    ...{ name, port, rest, restUrl, start, signalAll },
    log: () => patroni?.log() ?? '',
    /** kill -9 of Patroni and of PostgreSQL. */
    kill: async () => {
      signalAll('SIGKILL');
      await patroni?.stop();
      patroni = null;
    },
    /** From etcd, or from its peers too, which then get no changes from it. */
    cut: async (isCut: boolean, from: 'etcd' | 'all') => {
      for (const proxy of from === 'etcd' ? proxies.slice(0, 1) : proxies) {
        // A connection that has lost bytes stays silent until it is reset.
        if (!isCut) await proxy.set('resetting');
        await proxy.set(isCut ? 'silent' : 'none');
      }
    },
    close: () => Promise.all(proxies.map(({ close }) => close())),
  };
};

/** HAProxy with deploy/patroni/haproxy.cfg. */
const startHaproxy = async (folder: string, nodes: readonly { port: number; rest: number }[]) => {
  const [primary, replica] = [await freePort(), await freePort()];
  const checks = nodes.map(
    ({ port, rest }, index): Replacement => [`${addresses[index]}:5432`, `127.0.0.1:${port} port ${rest}`],
  );
  const text = deployFile('patroni/haproxy.cfg', [
    ['127.0.0.1:5000\n', `127.0.0.1:${primary}\n`],
    ['127.0.0.1:5001\n', `127.0.0.1:${replica}\n`],
    ...checks,
  ]);
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, text);
  assert.equal(run('sh', ['-c', 'haproxy -c -f "$1" 2>&1', 'sh', file]), 'Configuration file is valid');
  const program = await startProgram('haproxy', ['-db', '-f', file], async () => {});
  return { primary, replica, stop: program.stop };
};

export const openNodes = async (isSynchronous: boolean) => {
  const python = join('/usr/lib/python3/dist-packages', 'etcd/__init__.py');
  needPrograms({
    patroni: 'patroni',
    etcd: 'etcd-server',
    haproxy: 'haproxy',
    setpriv: 'util-linux',
    [python]: 'python3-etcd',
  });
  assert.equal(process.getuid?.(), 0, 'only root can start PostgreSQL as another user');
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-failover-'));
  run('chmod', ['755', folder]);
  const password = randomBytes(16).toString('hex');
  const etcd = await startEtcd(folder);
  const nodes: Awaited<ReturnType<typeof openNode>>[] = [];
  for (const index of names.keys()) nodes.push(await openNode(folder, index, etcd.url, password, isSynchronous));
  process.once('exit', () => {
    for (const node of nodes) node.signalAll('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  for (const node of nodes) await node.start();
  const haproxy = await startHaproxy(folder, nodes);

  const members = async (): Promise<Member[]> => {
    const asked = nodes.map(async ({ restUrl }) => {
      const response = await fetch(`${restUrl}/cluster`, { signal: AbortSignal.timeout(2000) });
      return ((await response.json()) as { members: Member[] }).members;
    });
    return Promise.any(asked);
  };
  /** The node that Patroni itself calls the primary: it has the key in etcd. */
  const leader = async (): Promise<number> => {
    const asked = nodes.map(async ({ restUrl }, index) => {
      const response = await fetch(`${restUrl}/primary`, { signal: AbortSignal.timeout(2000) });
      if (response.status !== 200) throw new Error(`${names[index]} is no primary`);
      return index;
    });
    return Promise.any(asked);
  };
  const url = (port: number, user = 'postgres') => `postgres://${user}:${password}@127.0.0.1:${port}/commonhall`;
  const nodesAre = async () => {
    const all = await members();
    const roles = all.map(({ role }) => role).toSorted();
    const wanted = ['leader', 'replica', isSynchronous ? 'sync_standby' : 'replica'];
    assert.deepEqual(roles, wanted, JSON.stringify(all));
    assert.ok(
      all.every(({ state }) => ['running', 'streaming'].includes(state)),
      JSON.stringify(all),
    );
  };
  return {
    ...{ nodes, password, leader },
    /** One address for the primary, and one for any replica. */
    primaryUrl: (user?: string) => url(haproxy.primary, user),
    replicaUrl: (user?: string) => url(haproxy.replica, user),
    directUrl: (index: number, user?: string) => url(nodes[index]!.port, user),
    /** One primary, and two replicas that follow it. */
    isWhole: () => eventually(nodesAre, longMs),
    /** Waits for another primary than this one. */
    hasSwitchedFrom: (index: number) =>
      eventually(async () => assert.notEqual(await leader(), index, 'no other primary yet'), longMs),
    switchOver: async () => {
      const from = await leader();
      const response = await fetch(`${nodes[from]!.restUrl}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: names[from] }),
      });
      assert.equal(response.status, 200, await response.text());
    },
    stop: async () => {
      await haproxy.stop();
      for (const node of nodes) {
        node.signalAll('SIGCONT');
        await node.kill();
        await node.close();
      }
      await etcd.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
export type Nodes = Awaited<ReturnType<typeof openNodes>>;
