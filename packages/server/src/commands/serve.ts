// commonhall serve: opens the database and both ports, and stops in order: not ready first, then drain, then close.
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from '../app.ts';
import type { Config } from '../config.ts';
import { sessionSettings, settingsCheck } from '../db/connection/pooler.ts';
import type { ReplicaEvent } from '../db/connection/replica-watch.ts';
import type { Databases } from '../db/connection/replicas.ts';
import { openDatabases } from '../db/connection/replicas.ts';
import { refuseWrongDatabase, schemaProblem } from '../db/schema/readiness.ts';
import type { JwtVerifier } from '../http/jwt.ts';
import { openJwt } from '../http/jwt.ts';
import { openLimits } from '../http/limits.ts';
import { originOf } from '../http/links.ts';
import { openMetrics } from '../http/metrics.ts';
import type { Readiness } from '../http/readiness.ts';
import { watchReadiness } from '../http/readiness.ts';
import type { Log } from '../log.ts';
import { openKeyUse } from '../operator/key-use.ts';
import { readFeed } from '../queries/feed.ts';

export interface Running {
  url: string;
  metricsUrl: string;
  /** Resolves when everything is closed. */
  stop: () => Promise<void>;
}

const keyUseFlushMs = 5000;
/** The listen backlog. When it is full, the system drops new connections, and their callers retry a second later; in a
 * rush, callers should be rejected at once instead. The system's own limit (somaxconn) still applies. */
const backlog = 4096;
/** A stop waits this much longer than the longest response, for silent connections or a silent database. */
const marginMs = 1000;

const openJwtOf = (config: Config, log: Log): JwtVerifier | null =>
  config.JWT_ISSUER === ''
    ? null
    : openJwt(
        {
          issuer: config.JWT_ISSUER,
          audience: config.JWT_AUDIENCE,
          jwks: config.JWT_JWKS,
          algorithms: config.JWT_ALGORITHMS,
          clockToleranceSeconds: config.JWT_CLOCK_TOLERANCE_SECONDS,
          maxLifetimeSeconds: config.JWT_MAX_LIFETIME_SECONDS,
          cooldownSeconds: config.JWT_COOLDOWN_SECONDS,
          refreshSeconds: config.JWT_REFRESH_SECONDS,
        },
        (err) => log.warn({ err }, 'the keys of JWT_JWKS could not be read; the last good ones stay'),
      );

const openLimitsOf = (config: Config, log: Log) =>
  openLimits(
    {
      perAddress: config.RATE_LIMIT_PER_ADDRESS,
      perToken: config.RATE_LIMIT_PER_TOKEN,
      networks: config.RATE_LIMIT_NETWORKS,
      redisUrl: config.REDIS_URL,
    },
    (isShared, err) =>
      isShared
        ? log.info('rate limits are counted in Redis again')
        : log.warn({ err }, 'Redis does not answer: rate limits are counted in memory'),
  );

const logReplicas = (log: Log, event: ReplicaEvent): void => {
  if (event.what === 'primary') {
    if (event.isReachable) log.info('the primary answers again');
    else log.warn({ err: event.err }, 'the primary is unreachable; replicas go on serving public reads');
  } else if (event.isInUse) log.info({ replica: event.name }, 'replica in use');
  else log.warn({ replica: event.name, reason: event.reason }, 'replica not in use');
};

/** The database, and a check that reports settings of its sessions which a pooler has dropped. */
const openDatabasesOf = (config: Config, log: Log) => {
  const options = {
    url: config.DATABASE_URL,
    connections: config.DATABASE_CONNECTIONS,
    waitMs: config.DATABASE_WAIT_MS,
    queue: config.DATABASE_QUEUE,
    statementTimeoutMs: config.STATEMENT_TIMEOUT_MS,
    prepared: config.PREPARED_STATEMENTS,
    fixedNow: config.FIXED_NOW === '' ? null : config.FIXED_NOW,
  };
  const replicas = {
    urls: config.REPLICA_URLS,
    maxLagMs: config.MAX_REPLICA_LAG_MS,
    maxWithoutPrimaryMs: config.MAX_WITHOUT_PRIMARY_MS,
  };
  const database = openDatabases(options, replicas, (event) => logReplicas(log, event));
  const checkSettings = settingsCheck(database, sessionSettings(options), (remedy) =>
    log.warn(
      { remedy },
      'a pooler has dropped settings of the database sessions: give them to the role, then reconnect',
    ),
  );
  return { database, checkSettings };
};

/** Checks whether the schema is the one that this server needs, once a second. */
const watchSchema = (database: Databases, log: Log, onReady: () => void): Readiness => {
  const checkSchema = async (before: string | null): Promise<string | null> => {
    try {
      const problem = await schemaProblem(database);
      if (problem === null && before !== null) database.requireNow(); // replicas may lack the last migration
      return problem;
    } catch (error) {
      if (database.isServingAlone()) return before; // never at the start, when nothing is known about replicas
      throw error;
    }
  };
  return watchReadiness(checkSchema, (reason, err) => {
    if (reason === null) {
      log.info('ready');
      onReady();
    } else log.warn({ reason, err }, 'not ready');
  });
};

/** Closes the metrics' port and the connections to it. */
const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

const warnOfSettings = (config: Config, log: Log): void => {
  if (config.KEY_PEPPER === '') log.warn('KEY_PEPPER is not set: no API key is accepted');
  if (config.FIXED_NOW !== '') log.warn({ now: config.FIXED_NOW }, 'FIXED_NOW is set: the clock stands still');
};

export const serve = async (config: Config, log: Log, droppedLogLines = () => 0): Promise<Running> => {
  await refuseWrongDatabase(config.DATABASE_URL, config.DATABASE_WAIT_MS);
  const { database, checkSettings } = openDatabasesOf(config, log);
  const jwt = openJwtOf(config, log);
  const limits = await openLimitsOf(config, log);
  const keyUse = openKeyUse(config.KEYS_DATABASE_URL, keyUseFlushMs, (err) =>
    log.warn({ err }, 'the last use of keys could not be written; it is tried again'),
  );
  const credentials = {
    peppers: [config.KEY_PEPPER, config.KEY_PEPPER_PREVIOUS].filter((pepper) => pepper !== ''),
    kinds: config.KEY_KINDS,
    jwt,
  };
  const readiness = watchSchema(database, log, () => void checkSettings());
  let stopping = false;
  const problem = () => (stopping ? 'The server is stopping' : readiness.problem());
  const metrics = openMetrics({
    isReady: () => problem() === null,
    connections: database.connections,
    droppedLogLines,
    feed: () => readFeed(database),
    replicas: database,
  });
  const app = buildApp({
    config,
    database,
    log,
    metrics,
    credentials,
    limits,
    onKeyUsed: keyUse.note,
    problem,
    stopping: () => stopping,
  });
  const closeParts = async () => {
    readiness.close();
    jwt?.close();
    await limits.close();
    await keyUse.close();
    await database.close();
  };
  try {
    await new Promise<void>((resolve, reject) => {
      metrics.server.once('error', reject).listen(config.METRICS_PORT, config.METRICS_HOST, resolve);
    });
    await readiness.first;
    await app.listen({ host: config.HOST, port: config.PORT, backlog });
  } catch (error) {
    metrics.server.close();
    await app.close();
    await closeParts();
    throw error;
  }
  const url = originOf(app.server.address());
  const metricsUrl = originOf(metrics.server.address());
  warnOfSettings(config, log);
  log.info({ url, metricsUrl }, 'listening');

  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopping = true; // readyz fails, so load balancers send nothing new
    log.info({ drainMs: config.DRAIN_MS }, 'stopping');
    await sleep(config.DRAIN_MS);
    const longestMs = database.longestMs + marginMs;
    const deadline = setTimeout(() => app.server.closeAllConnections(), longestMs);
    await app.close(); // no new connections; requests under way end first
    clearTimeout(deadline);
    await Promise.race([closeParts(), sleep(longestMs, undefined, { ref: false })]);
    await closeServer(metrics.server);
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
