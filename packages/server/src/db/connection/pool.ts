// Connections to PostgreSQL and their bounds: waiting time, queue length, statement timeout. After a failure the next
// request simply tries again.
import pg from 'pg';
import type { Sql } from '../sql.ts';
import { compile } from '../sql.ts';
import { isListGone, isTimeout, isTransient, unavailable } from './failures.ts';
import type { Timing } from './pipeline.ts';
import { openPipeline, streamOf } from './pipeline.ts';
import { sessionSettings } from './pooler.ts';
import { openSlots } from './slots.ts';
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
  /** Whether statements are prepared: planned once for a connection. Some poolers do not support that. */
  prepared: boolean;
  /** Pins api_now(). */
  fixedNow: string | null;
}

/** point: short, whatever the values; list: a page that skips or reads many rows, or is filtered; search: by text. */
export type StatementKind = 'point' | 'list' | 'search';

export interface Db {
  query: (kind: StatementKind, statement: Sql) => Promise<Row[]>;
  /** The clock for what this process computes itself, in milliseconds; pinned like api_now(). */
  now: () => number;
}

/** Names the caller for whom a connection is taken; null: no particular caller. */
type Who = (() => string) | null;

export interface Database {
  /** For a request of the caller `who`. A caller that has half of the connections of a pool waits for a free one. */
  forRequest: (timing: Timing, who: Who) => Db;
  /** Runs a short statement of the server itself, ahead of every request. */
  look: (statement: Sql) => Promise<Row[]>;
  /** The longest that a statement may wait for a slot, then for a connection, and run. */
  longestMs: number;
  /** Whether a short statement would be rejected now; nearly every request begins with one. */
  isFull: () => boolean;
  /** Whether short statements have waited for a while without an answer. */
  isSilent: () => boolean;
  connections: () => { total: number; idle: number; waiting: number };
  /** Closes every connection: statements in flight fail at once, and the next statement opens a new connection. */
  cut: () => void;
  close: () => Promise<void>;
}

// A connection that does not even report its statement_timeout is dead: it is cut this long after the timeout.
const silenceMs = 500;
/** A pool is silent when statements wait for a connection and no answer has come for this long. */
const quietMs = 200;
/** Two connections keep two cores busy; more only wake each other up. */
const pointConnections = 2;

/** A pool of connections, one statement at a time on each. */
const openPool = (config: pg.PoolConfig, options: DatabaseOptions) => {
  const pool = new pg.Pool({ ...config, max: options.connections, idleTimeoutMillis: 60_000 });
  pool.on('error', () => {}); // an idle connection died; the pool has dropped it

  // When one connection falls silent, its idle siblings are suspect: those of an older generation are dropped unused.
  let generation = 0;
  const born = new WeakMap<pg.PoolClient, number>();
  pool.on('connect', (client) => {
    born.set(client, generation);
    client.on('error', () => {}); // reported through the query in flight
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

  const places = openSlots(options);
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
  settings.push('search_path=public'); // the role of the server can change its own default
  // Options in the URL would replace ours, so both are joined, ours last.
  const given = URL.canParse(options.url) ? new URL(options.url).searchParams.get('options') : null;
  const url = given === null ? options.url : options.url.replace(/([?&])options=[^&]*/, '$1');
  const config = (...more: string[]): pg.ClientConfig => ({
    connectionString: url,
    connectionTimeoutMillis: options.waitMs,
    keepAlive: true,
    application_name: 'commonhall',
    options: [given ?? '', ...[...settings, ...more].map((setting) => `-c ${setting}`)].join(' ').trim(),
  });

  // The planning mode is a setting of the connection. A list by its parent has one good plan whatever the values;
  // planning it again would cost more than running it. A search has none: its generic plan reads everything.
  const lists = openPool(config('plan_cache_mode=force_generic_plan'), options);
  // Half as many connections: a search keeps a core busy, and the server needs one too.
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

  const query = async (kind: StatementKind, statement: Sql, timing: Timing, who: Who): Promise<Row[]> => {
    try {
      if (kind === 'point' && points !== null) return await points.query(statement, timing);
      return await (kind === 'search' ? searches : lists).query(statement, timing, who);
    } catch (error) {
      throw isListGone(error) ? unavailable('the schema is not the one this server needs', error) : error;
    }
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
