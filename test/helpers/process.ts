// `commonhall serve` as a separate process, as an operator starts it. The test chooses its standard output. The process
// is killed when the test exits.
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../postgres.ts';

const mainFile = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url));

export interface ServerProcess {
  url: string;
  metricsUrl: string;
  child: ChildProcess;
  /** Sends SIGTERM; resolves with the exit status and how long that took. */
  stop: () => Promise<{ status: number | null; ms: number }>;
}

/** The environment of programs that tests start: no setting of the machine reaches them. */
const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, COMMONHALL_TEST_BUNDLES } = process.env;
export const bareEnv = { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, COMMONHALL_TEST_BUNDLES };

/** Settings for tests that are not about time limits: a slow or busy machine must not count as overload. */
export const patient = { MAX_EVENT_LOOP_DELAY_MS: '0', DATABASE_WAIT_MS: '10000', STATEMENT_TIMEOUT_MS: '30000' };

/** Repeats the check until it does not throw. After the time limit its last error is thrown. */
export const eventually = async <T>(check: () => Promise<T> | T, withinMs = 90_000): Promise<T> => {
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
      ...bareEnv,
      DATABASE_URL: databaseUrl,
      PORT: port,
      METRICS_PORT: metricsPort,
      RATE_LIMIT_PER_ADDRESS: '0',
      DRAIN_MS: '0',
      ...settings,
    },
    stdio,
    detached: true, // its own session, as a service has: Linux schedules CPU time by session
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`serve exited with status ${child.exitCode}`);
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
