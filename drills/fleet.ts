// Server processes behind HAProxy, with the actions of an operator: stop a server, start another in its place, wait
// until HAProxy sends it requests.
import assert from 'node:assert/strict';
import type { ServerProcess } from '../test/helpers/process.ts';
import { eventually, serveProcess } from '../test/helpers/process.ts';
import { freePort } from '../test/postgres.ts';
import type { Haproxy } from './haproxy.ts';
import { startHaproxy } from './haproxy.ts';

export interface Fleet {
  /** The URL of HAProxy. */
  url: string;
  count: number;
  haproxy: Haproxy;
  /** Stops a server gracefully and starts another on the same port. */
  replace: (index: number, main?: string) => Promise<void>;
  /** Waits until a server is ready and HAProxy sends it requests. */
  isServing: (index: number) => Promise<void>;
  /** The log lines of the servers, from level warn on. */
  warnings: () => string;
  stop: () => Promise<void>;
}

/** Starts `count` servers, all with `settings`, each on its own port. */
export const openFleet = async (
  count: number,
  databaseUrl: string,
  settings: Record<string, string>,
  main?: string,
): Promise<Fleet> => {
  const ports: number[] = [];
  for (let index = 0; index < count; index++) ports.push(await freePort());
  const haproxy = await startHaproxy(ports.map((port) => `127.0.0.1:${port}`));
  const servers: (ServerProcess | null)[] = ports.map(() => null);
  let warnings = '';
  const start = async (index: number, build?: string) => {
    const server = await serveProcess(
      databaseUrl,
      {
        LOG_LEVEL: 'warn',
        DRAIN_MS: '3000', // the default of the server; the helper sets 0
        MAX_EVENT_LOOP_DELAY_MS: '2000', // all parts share one busy machine, which must not count as overload
        PUBLIC_URL: haproxy.url,
        TRUSTED_PROXIES: '127.0.0.1',
        ...settings,
        PORT: String(ports[index]),
      },
      ['ignore', 'pipe', 'inherit'],
      build,
    );
    server.child.stdout?.on('data', (chunk: Buffer) => {
      warnings = (warnings + chunk.toString()).slice(-20_000);
    });
    servers[index] = server;
  };
  const end = async (index: number) => {
    const server = servers[index];
    servers[index] = null;
    if (server !== null && server !== undefined) assert.equal((await server.stop()).status, 0, 'a server stops with 0');
  };
  const isServing = async (index: number) => {
    await eventually(async () => {
      const answer = await fetch(`http://127.0.0.1:${ports[index]}/readyz`);
      assert.equal(answer.status, 200, await answer.text());
    }, 120_000);
    await haproxy.hasUp(index);
  };
  const fleet: Fleet = {
    url: haproxy.url,
    count,
    haproxy,
    replace: async (index, build = main) => {
      await end(index);
      await start(index, build);
    },
    isServing,
    warnings: () => warnings,
    stop: async () => {
      await Promise.all(ports.map((_, index) => end(index))).finally(haproxy.stop);
    },
  };
  try {
    await Promise.all(ports.map((_, index) => start(index, main)));
    await Promise.all(ports.map((_, index) => isServing(index)));
  } catch (error) {
    await fleet.stop();
    throw error;
  }
  return fleet;
};
