// commonhall serve: opens the database and both ports, and stops in order: not ready first, then drain, then close.
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from '../app.ts';
import type { Config } from '../config.ts';
import { openDatabase } from '../db/pool.ts';
import { openMetrics } from '../http/metrics.ts';
import type { Log } from '../log.ts';

export interface Running {
  url: string;
  metricsUrl: string;
  /** Resolves when nothing of the server is left. */
  stop: () => Promise<void>;
}

const addressOf = (address: AddressInfo | string | null): string => {
  if (address === null || typeof address === 'string') throw new Error('the server is not listening on a port');
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
};

export const serve = async (config: Config, log: Log): Promise<Running> => {
  const database = openDatabase({
    url: config.DATABASE_URL,
    connections: config.DATABASE_CONNECTIONS,
    waitMs: config.DATABASE_WAIT_MS,
    queue: config.DATABASE_QUEUE,
    statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
    prepared: config.PREPARED_STATEMENTS,
    fixedNow: config.FIXED_NOW === '' ? null : config.FIXED_NOW,
  });
  const metrics = openMetrics(database.connections);
  let stopping = false;
  const app = buildApp({ config, database, log, metrics, stopping: () => stopping });
  try {
    await new Promise<void>((resolve, reject) => {
      metrics.server.once('error', reject).listen(config.METRICS_PORT, config.HOST, resolve);
    });
    await app.listen({ host: config.HOST, port: config.PORT });
  } catch (error) {
    metrics.server.close();
    await app.close();
    await database.close();
    throw error;
  }
  const url = addressOf(app.server.address());
  const metricsUrl = addressOf(metrics.server.address());
  if (config.KEY_PEPPER === '') log.warn('KEY_PEPPER is not set: no API key is accepted');
  if (config.FIXED_NOW !== '') log.warn({ now: config.FIXED_NOW }, 'FIXED_NOW is set: the clock stands still');
  log.info({ url, metricsUrl }, 'listening');

  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopping = true; // readyz says so; balancers send nothing new
    log.info({ drainMs: config.DRAIN_MS }, 'stopping');
    await sleep(config.DRAIN_MS);
    await app.close(); // no new connections; requests under way end first
    await database.close();
    await new Promise<void>((resolve) => {
      metrics.server.close(() => resolve());
      metrics.server.closeAllConnections();
    });
    log.info('stopped');
  };
  return {
    url,
    metricsUrl,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};
