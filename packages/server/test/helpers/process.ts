// `commonhall serve` as a process of its own, as an operator starts it: with any standard output, and killed at the end.
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../../test/postgres.ts';

const mainFile = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface ServerProcess {
  url: string;
  metricsUrl: string;
  child: ChildProcess;
  /** Sends SIGTERM; resolves with the exit status and how long that took. */
  stop: () => Promise<{ status: number | null; ms: number }>;
}

/** Resolves when the check does not throw any more; after the time its last error is thrown. */
export const eventually = async <T>(check: () => Promise<T> | T, withinMs = 30_000): Promise<T> => {
  for (const deadline = Date.now() + withinMs; ; await sleep(20))
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
};

export const serveProcess = async (
  databaseUrl: string,
  settings: Record<string, string> = {},
  stdio: StdioOptions = ['ignore', 'ignore', 'inherit'],
  main = mainFile,
): Promise<ServerProcess> => {
  const { PORT: port = String(await freePort()), METRICS_PORT: metricsPort = String(await freePort()) } = settings;
  const child = spawn(process.execPath, [main, 'serve'], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      PORT: port,
      METRICS_PORT: metricsPort,
      RATE_LIMIT_PER_ADDRESS: '0',
      DRAIN_MS: '0',
      ...settings,
    },
    stdio,
    detached: true, // a session of its own, as a service has: Linux shares the processor out by sessions
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}`);
    await fetch(`${url}/healthz`);
  });
  return {
    url,
    metricsUrl: `http://127.0.0.1:${metricsPort}`,
    child,
    stop: async () => {
      const began = performance.now();
      const ended = once(child, 'exit') as Promise<[number | null]>;
      child.kill('SIGTERM');
      const [status] = await ended;
      return { status, ms: performance.now() - began };
    },
  };
};
