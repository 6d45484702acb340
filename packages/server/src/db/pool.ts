// Connections to PostgreSQL and their bounds: waiting time, length of the queue, time of a statement. After a failure
// the next request tries again by itself.
import pg from 'pg';
import { isTimeout, isTransient, unavailable } from './failures.ts';
import type { Timing } from './pipeline.ts';
import { openPipeline, streamOf } from './pipeline.ts';
import { openPlaces } from './places.ts';
import { sessionSettings } from './pooler.ts';
import type { Sql } from './sql.ts';
import { compile } from './sql.ts';
import type { Row } from './statement.ts';
import { send } from './statement.ts';

export interface DatabaseOptions {
  url: string;
  connections: number;
  /** Longest wait for a free connection. */
  waitMs: number;
  /** Most requests that may wait for one. */
  queue: number;
  statementTimeoutMs: number;
  /** Named statements are planned once for a connection; some poolers cannot hold them. */
  prepared: boolean;
  /** Pins api_now(). */
  fixedNow: string | null;
}

/** point: short, whatever the values; list: a page that skips or reads many rows, or is filtered; search: as it says. */
export type StatementKind = 'point' | 'list' | 'search';

export interface Db {
  query: (kind: StatementKind, statement: Sql) => Promise<Row[]>;
  /** The clock of what is worked out here and not by PostgreSQL, in milliseconds; pinned like api_now(). */
  now: () => number;
}

/** Names the caller for whom a connection is taken; null: nobody in particular. */
type Who = (() => string) | null;

export interface Database {
  /** `who` asks for it, or null: one who has half of the connections of a kind waits for the others. */
  forRequest: (timing: Timing, who: Who) => Db;
  /** A short statement of the server's own, ahead of every request. */
  look: (statement: Sql) => Promise<Row[]>;
  /** The longest that a statement may wait for its turn, then for a connection, and run. */
  longestMs: number;
  /** Whether a short statement would be refused now; nearly every request begins with one. */
  isFull: () => boolean;
  /** Whether short statements have waited for a while and none is answered. */
  isSilent: () => boolean;
  connections: () => { total: number; idle: number; waiting: number };
  /** Closes every connection: what is under way fails at once, and the next statement opens a new one. */
  cut: () => void;
  close: () => Promise<void>;
}

// A connection that does not even report its statement_timeout is dead: cut it this much later.
const silenceMs = 500;
/** While others wait for a connection, a pool without an answer for so long is silent. */
const quietMs = 200;
/** Two keep two cores busy; more only wake each other up. */
const pointConnections = 2;

/** A pool of connections, one statement at a time on each. */
const openPool = (config: pg.PoolConfig, options: DatabaseOptions) => {
  const pool = new pg.Pool({ ...config, max: options.connections, idleTimeoutMillis: 60_000 });
  pool.on('error', () => {}); // an idle connection died; the pool has dropped it

  // When one connection falls silent its idle siblings are suspect: those of an older generation are dropped unused.
  let generation = 0;
  const born = new WeakMap<pg.PoolClient, number>();
  pool.on('connect', (client) => {
    born.set(client, generation);
    client.on('error', () => {}); // reported through the query that was under way
  });

  const checkOut = async (): Promise<pg.PoolClient> => {
    for (;;) {
      const client = await pool.connect();
      if (born.get(client) === generation) return client;
      cut(client);
      client.release(true);
    }
  };
  const cut = (client: pg.PoolClient) => streamOf(client).destroy();

  let lastAnswer = 0;
  const underWay = new Set<pg.PoolClient>();
  const cutAll = () => {
    generation++;
    for (const client of underWay) cut(client);
  };

  const places = openPlaces(options);
  const query = async (statement: Sql, timing: Timing, who: Who): Promise<Row[]> => {
    const asked = performance.now();
    const leave = await places.take(who?.() ?? '');
    const client = await checkOut().catch((error: unknown) => {
      leave();
      throw unavailable('no database connection', error);
    });
    const began = performance.now();
    timing.waitingMs += began - asked;
    let broken = false;
    underWay.add(client);
    const deadline = setTimeout(() => {
      generation++;
      cut(client);
    }, options.statementTimeoutMs + silenceMs);
    try {
      const { text, values } = compile(statement);
      return await new Promise<Row[]>((resolve, reject) => {
        send(client, options.prepared, text, values, (error, rows) => (error === null ? resolve(rows) : reject(error)));
      });
    } catch (error) {
      if (!isTransient(error)) throw error;
      broken = !isTimeout(error);
      throw unavailable('the database did not answer', error);
    } finally {
      clearTimeout(deadline);
      underWay.delete(client);
      lastAnswer = performance.now();
      client.release(broken);
      leave();
      timing.databaseMs += performance.now() - began;
    }
  };
  const isSilent = () => places.waiting() > 0 && performance.now() - lastAnswer > quietMs;
  return { pool, query, cut: cutAll, isSilent, waiting: places.waiting };
};

export const openDatabase = (options: DatabaseOptions): Database => {
  const settings = Object.entries(sessionSettings(options)).map(([name, value]) => `${name}=${value}`);
  // Options in the URL would replace ours: they are joined instead, ours last.
  const given = URL.canParse(options.url) ? new URL(options.url).searchParams.get('options') : null;
  const url = given === null ? options.url : options.url.replace(/([?&])options=[^&]*/, '$1');
  const config = (...more: string[]): pg.ClientConfig => ({
    connectionString: url,
    connectionTimeoutMillis: options.waitMs,
    keepAlive: true,
    application_name: 'commonhall',
    options: [given ?? '', ...[...settings, ...more].map((setting) => `-c ${setting}`)].join(' ').trim(),
  });

  // How a statement is planned is a matter of the connection. A list by its parent has one good plan whatever the values;
  // planning it anew would cost more than running it. A search has not: the plan for any value reads everything.
  const lists = openPool(config('plan_cache_mode=force_generic_plan'), options);
  // Half as many: a search keeps a core busy, and the server needs one too.
  const few = { ...options, connections: Math.ceil(options.connections / 2) };
  const searches = openPool(config('plan_cache_mode=force_custom_plan', 'work_mem=16MB'), few);
  const points = options.prepared
    ? openPipeline({
        config: config('plan_cache_mode=force_generic_plan'),
        connections: pointConnections,
        queue: options.queue,
        waitMs: options.waitMs,
        silenceMs: options.statementTimeoutMs + silenceMs,
      })
    : null;

  const query = (kind: StatementKind, statement: Sql, timing: Timing, who: Who): Promise<Row[]> => {
    if (kind === 'point' && points !== null) return points.query(statement, timing);
    return (kind === 'search' ? searches : lists).query(statement, timing, who);
  };

  const fixed = options.fixedNow === null ? null : Date.parse(options.fixedNow);
  const now = () => fixed ?? Date.now();

  return {
    forRequest: (timing, who) => ({ query: (kind, statement) => query(kind, statement, timing, who), now }),
    look: (statement) => {
      const timing = { databaseMs: 0, waitingMs: 0 };
      return points?.query(statement, timing, true) ?? lists.query(statement, timing, null);
    },
    longestMs: 2 * options.waitMs + options.statementTimeoutMs,
    isFull: () => points?.isFull() === true,
    isSilent: (points ?? lists).isSilent,
    connections: () => {
      const point = points?.connections() ?? { total: 0, idle: 0, waiting: 0 };
      const sum = (of: (pool: pg.Pool) => number) => of(lists.pool) + of(searches.pool);
      return {
        total: point.total + sum(({ totalCount }) => totalCount),
        idle: point.idle + sum(({ idleCount }) => idleCount),
        waiting: point.waiting + lists.waiting() + searches.waiting(),
      };
    },
    cut: () => {
      for (const part of [lists, searches, points]) part?.cut();
    },
    close: async () => {
      await Promise.all([lists.pool.end(), searches.pool.end(), points?.close()]);
    },
  };
};
