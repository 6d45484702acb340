// The parts of the alerts drill: a complete installation (test/helpers/stand.ts), more servers on its database, one of
// them with a replica, and Prometheus.
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { builders } from '../test/helpers/builders.ts';
import { serveProcess } from '../test/helpers/process.ts';
import { openStand } from '../test/helpers/stand.ts';
import { keyMaker, pepper } from '../test/helpers/world.ts';
import { freePort, startReplica } from '../test/postgres.ts';
import { startPrometheus } from './prometheus.ts';
import type { Place } from './runbook.ts';
import { openRunbook } from './runbook.ts';

/** A long request id, so that log lines are long. */
const headers = { 'x-request-id': 'x'.repeat(200) };
/** Requests a URL repeatedly until it is stopped, and ignores the responses. */
export const keepAsking = (url: string, atATime: number, restMs: number): (() => void) => {
  const stop = new AbortController();
  const ask = async () => {
    while (!stop.signal.aborted) {
      await fetch(url, { headers })
        .then((response) => response.arrayBuffer())
        .catch(() => {});
      await sleep(restMs);
    }
  };
  for (let n = 0; n < atATime; n++) void ask();
  return () => stop.abort();
};

export const openParts = async (folder: string, end: (stop: () => unknown) => void) => {
  const stand = await openStand(end);
  const databaseUrl = stand.hall.url;
  const serve = async (name: string, settings: Record<string, string>, output?: 'pipe'): Promise<Place> => {
    const logFile = join(folder, `${name}.log`);
    const server = await serveProcess(databaseUrl, settings, ['ignore', output ?? openSync(logFile, 'a'), 'ignore']);
    end(() => server.child.kill('SIGKILL'));
    return { server, databaseUrl, logFile };
  };
  const logged = await serve('logged', {});
  const unread = await serve('unread', {}, 'pipe');
  const fixed = { PORT: String(await freePort()), METRICS_PORT: String(await freePort()) };
  const mortal = await serve('mortal', fixed);
  const session = async (url = databaseUrl): Promise<pg.Client> => {
    const client = new pg.Client(url);
    client.on('error', () => {}); // the connection is terminated by a remedy, or when PostgreSQL stops
    await client.connect();
    end(() => client.end().catch(() => {}));
    return client;
  };
  const owner = await session();
  await owner.query(`alter system set wal_keep_size = '512MB'`); // for a replica that is down for a while
  await owner.query('select pg_reload_conf()');
  // A statement on the replica may delay the replay without limit, as on a replica for reports.
  const replica = await startReplica(stand.hall, { max_standby_streaming_delay: '-1', shared_buffers: '64MB' });
  end(replica.stop);
  const keys = { KEY_PEPPER: pepper, KEY_KINDS: 'test' };
  const replicated = await serve('replicated', { ...keys, REPLICA_URLS: replica.url });
  replicated.replicaUrl = replica.url;
  const main: Place = { server: stand.server, databaseUrl, logFile: logged.logFile };
  const targets = [main, logged, unread, mortal, replicated].map(({ server }) => new URL(server.metricsUrl).host);
  const prometheus = await startPrometheus(join(folder, 'prometheus'), targets);
  end(prometheus.stop);
  for (const { url } of [stand.server, replicated.server]) end(keepAsking(`${url}/users/scores/tiers`, 1, 200));
  const add = builders(owner);
  const key = await keyMaker(add)((await add('users', { username: 'caller' })).id);
  const serveAgain = async () => {
    mortal.server = (await serve('mortal', fixed)).server;
  };
  const places = { main, logged, unread, mortal, replicated };
  return { stand, ...places, replica, key, serveAgain, prometheus, session, ...openRunbook(prometheus) };
};
type Parts = Awaited<ReturnType<typeof openParts>>;
export type State = (parts: Parts, short: boolean) => Promise<void>;
