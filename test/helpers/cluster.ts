// A migrated primary with streaming replicas, for one test. Replicas can be killed, frozen, delayed and promoted.
import { rmSync } from 'node:fs';
import pg from 'pg';
import { migrate } from '../../packages/server/src/db/schema/migrate.ts';
import type { PrivatePostgres } from '../postgres.ts';
import { startPostgres, startReplica } from '../postgres.ts';
import { builders } from './builders.ts';
import { keyMaker } from './world.ts';

/** synchronous_commit is PostgreSQL's default; the servers of other tests switch it off. */
const settings = { synchronous_commit: 'on', wal_keep_size: '512MB', shared_buffers: '64MB' };

const ask = async (url: string, text: string): Promise<void> => {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(text).finally(() => client.end());
};
/** Sends a signal to every process of a server. */
export const signalAll = (server: PrivatePostgres, name: NodeJS.Signals) => {
  for (const pid of server.processes())
    try {
      process.kill(pid, name);
    } catch {
      // The process has ended in the meantime.
    }
};

export const openCluster = async (count: number, more: Record<string, string> = {}) => {
  const primary = await startPostgres({ ...settings, ...more });
  await migrate(primary.url, () => {});
  await ask(primary.url, 'create role reader login in role commonhall_reader');
  const owner = new pg.Client(primary.url);
  owner.on('error', () => {}); // tests kill the primary
  await owner.connect();
  const replicas: PrivatePostgres[] = [];
  const addReplica = async () => {
    replicas.push(await startReplica(primary, settings));
  };
  for (let each = 0; each < count; each++) await addReplica();
  const add = builders(owner);
  const asReader = ({ url }: PrivatePostgres) => url.replace('postgres@', 'reader@');
  return {
    ...{ primary, replicas, addReplica, owner, add, keyFor: keyMaker(add) },
    readerUrl: asReader(primary),
    replicaUrls: () => replicas.map(asReader).join(','),
    /** Suspends every process of a server; `thaw` resumes them. */
    freeze: (server: PrivatePostgres) => signalAll(server, 'SIGSTOP'),
    thaw: (server: PrivatePostgres) => signalAll(server, 'SIGCONT'),
    /** Pauses or resumes the replay of WAL on a replica. */
    replay: ({ url }: PrivatePostgres, isOn: boolean) =>
      ask(url, `select pg_wal_replay_${isOn ? 'resume' : 'pause'}()`),
    delay: async ({ url }: PrivatePostgres, seconds: number) => {
      await ask(url, `alter system set recovery_min_apply_delay = '${seconds}s'`);
      await ask(url, 'select pg_reload_conf()');
    },
    promote: ({ url }: PrivatePostgres) => ask(url, 'select pg_promote()'),
    /** Starts a new replica at the address of one that has been promoted. */
    replace: async (index: number) => {
      const { url, stop } = replicas[index]!;
      await stop();
      replicas[index] = await startReplica(primary, { ...settings, port: new URL(url).port });
    },
    stop: async () => {
      await owner.end().catch(() => {});
      for (const server of [...replicas, primary]) {
        signalAll(server, 'SIGCONT');
        await server.stop();
        rmSync(server.data, { recursive: true, force: true });
      }
    },
  };
};
