// Three NATS servers with JetStream on this machine, and the stream COMMONHALL with three replicas.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StreamAPI } from '@nats-io/jetstream';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, nanos } from '@nats-io/transport-node';
import { freePort } from '../postgres.ts';
import { eventually } from './process.ts';

interface Server {
  name: string;
  port: number;
  child: ChildProcess;
}

export const startNatsCluster = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-nats-cluster-'));
  const places: { name: string; port: number; route: number }[] = [];
  for (const name of ['a', 'b', 'c']) places.push({ name, port: await freePort(), route: await freePort() });
  const start = ({ name, port, route }: (typeof places)[number]): Server => {
    const file = join(folder, `${name}.conf`);
    const routes = places.map((each) => `"nats://127.0.0.1:${each.route}"`).join(', ');
    writeFileSync(
      file,
      `server_name: ${name}
       listen: "127.0.0.1:${port}"
       jetstream { store_dir: "${join(folder, name)}" }
       cluster { name: commonhall, listen: "127.0.0.1:${route}", routes: [${routes}] }`,
    );
    return { name, port, child: spawn('nats-server', ['-c', file], { stdio: 'ignore' }) };
  };
  const servers = places.map(start);
  process.once('exit', () => {
    for (const { child } of servers) child.kill('SIGKILL');
  });
  const url = `nats://${places.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
  const withStreams = async <T>(use: (streams: StreamAPI) => Promise<T>): Promise<T> => {
    const nats = await connect({ servers: places.map(({ port }) => `127.0.0.1:${port}`), reconnect: false });
    try {
      return await use((await jetstreamManager(nats)).streams);
    } finally {
      await nats.close();
    }
  };
  await eventually(
    () =>
      withStreams((streams) =>
        streams.add({
          name: 'COMMONHALL',
          subjects: ['commonhall.changes'],
          num_replicas: 3,
          duplicate_window: nanos(100_000),
        }),
      ),
    60_000,
  );
  /** The index of the server that leads the stream now. */
  const leader = () =>
    eventually(async () => {
      const { cluster } = await withStreams((streams) => streams.info('COMMONHALL'));
      const index = servers.findIndex(({ name }) => name === cluster?.leader);
      if (index === -1) throw new Error('the stream has no leader');
      return index;
    }, 60_000);
  return {
    url,
    last: async () => (await withStreams((streams) => streams.info('COMMONHALL'))).state.last_seq,
    killLeader: async () => {
      const index = await leader();
      const { child } = servers[index]!;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      servers[index] = start(places[index]!);
    },
    signalLeader: async () => {
      const { child } = servers[await leader()]!;
      return (signal: NodeJS.Signals) => child.kill(signal);
    },
    stop: async () => {
      for (const { child } of servers) {
        child.kill('SIGCONT');
        child.kill('SIGKILL');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
