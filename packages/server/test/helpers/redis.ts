// A private Redis on a free port, without persistence: it can be killed, frozen and started again. It is killed at the
// latest when the test exits.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { freePort } from '../../../../test/postgres.ts';

export interface PrivateRedis {
  url: string;
  start: () => Promise<void>;
  kill: () => Promise<void>;
  freeze: () => void;
  thaw: () => void;
  wipe: () => Promise<void>;
}

export const startRedis = async (): Promise<PrivateRedis> => {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let server: ChildProcess | undefined;
  const connect = () => createClient({ url, socket: { reconnectStrategy: false } });
  const withClient = async (use: (client: ReturnType<typeof connect>) => Promise<unknown>): Promise<void> => {
    const client = connect();
    client.on('error', () => {});
    await client.connect();
    try {
      await use(client);
    } finally {
      client.destroy();
    }
  };
  const start = async () => {
    const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    server = spawn('redis-server', flags, { stdio: 'ignore' });
    server.unref();
    for (let tries = 0; ; tries++) {
      try {
        await withClient((client) => client.ping());
        return;
      } catch (error) {
        if (tries === 600) throw error;
        await sleep(50);
      }
    }
  };
  await start();
  process.once('exit', () => server?.kill('SIGKILL'));
  return {
    url,
    start,
    kill: async () => {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    },
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
    wipe: () => withClient((client) => client.flushAll()),
  };
};
