// A private NATS server with JetStream, on a free port, in a folder that is removed at the end. It can be killed and
// restarted on the same port and folder. It is killed when the test process exits at the latest.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, nanos } from '@nats-io/transport-node';
import { freePort } from '../postgres.ts';
import { eventually } from './process.ts';

export interface PrivateNats {
  url: string;
  /** Ends the server and removes its folder. */
  stop: () => Promise<void>;
  /** Kills the server at once; its folder stays. */
  crash: () => Promise<void>;
  restart: () => Promise<void>;
}

/** Has the stream COMMONHALL with the subject commonhall.changes; windowMs is its deduplication window. */
export const startNats = async ({ windowMs = 120_000 }: { windowMs?: number } = {}): Promise<PrivateNats> => {
  const port = await freePort();
  const url = `nats://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-nats-'));
  writeFileSync(join(folder, 'nats.conf'), 'max_payload: 64MB\n');
  let server: ChildProcess | undefined;
  const openManager = async () => {
    const nats = await connect({ servers: url, reconnect: false });
    try {
      return { nats, streams: (await jetstreamManager(nats)).streams };
    } catch (error) {
      await nats.close();
      throw error;
    }
  };
  const start = async () => {
    const settings = ['-c', join(folder, 'nats.conf'), '-js', '-sd', folder, '-a', '127.0.0.1', '-p', String(port)];
    const child = spawn('nats-server', settings, { stdio: 'ignore' });
    server = child;
    const failed = once(child, 'error').then(([error]) => Promise.reject(error));
    const ready = eventually(async () => {
      const { nats } = await openManager();
      await nats.close();
    });
    await Promise.race([ready, failed]);
  };
  const end = async (signal: NodeJS.Signals) => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  process.once('exit', () => server?.kill('SIGKILL'));
  await start();
  const { nats, streams } = await openManager();
  await streams.add({ name: 'COMMONHALL', subjects: ['commonhall.changes'], duplicate_window: nanos(windowMs) });
  await nats.close();
  return {
    url,
    stop: async () => {
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
    crash: () => end('SIGKILL'),
    restart: start,
  };
};
