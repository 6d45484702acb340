// One PostgreSQL server as three pools of connections: short statements, pages, searches. Which of them a statement
// goes to, and the settings of their sessions.
import type pg from 'pg';
import { Unavailable } from '../../gates.ts';
import type { Sql } from '../sql.ts';
import { isListGone } from './failures.ts';
import type { ConnectionCounts, Pool, Timing } from './pool.ts';
import { openPool } from './pool.ts';
import { sessionSettings } from './pooler.ts';
import type { Row } from './statement.ts';

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
}

/** Names the caller for whom a connection is taken; null: no particular caller. */
type Who = (() => string) | null;

/** The parts of a pool are here about all three; `isFull` and `isSilent` about the one of short statements, with which
 * nearly every request begins. */
export interface Database extends Omit<Pool, 'query'> {
  /** For a request of the caller `who`. A caller that has half of the connections of a pool waits for a free one. */
  forRequest: (timing: Timing, who: Who) => Db;
  /** Runs a short statement of the server itself, ahead of every request. */
  urgentQuery: (statement: Sql) => Promise<Row[]>;
  /** The longest that a statement may wait for a place, then for a connection, and run. */
  longestMs: number;
}

/** A connection that does not even report its statement_timeout is dead this long after it. */
const deadMarginMs = 500;
/** Two connections keep two cores busy; more only wake each other up. */
const pointConnections = 2;
/**
 * Enough that PostgreSQL always has a next statement; few enough that few wait behind a slow one, and that PostgreSQL
 * soon runs out of work and yields the CPU when this process needs it.
 */
const pointDepth = 12;

export const sumOf = (counts: readonly ConnectionCounts[]): ConnectionCounts =>
  counts.reduce((sum, { total, idle, waiting }) => ({
    total: sum.total + total,
    idle: sum.idle + idle,
    waiting: sum.waiting + waiting,
  }));

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

  const pool = (connections: number, depth: number, ...more: string[]): Pool =>
    openPool({
      config: config(...more),
      connections,
      depth,
      prepared: options.prepared,
      queue: options.queue,
      waitMs: options.waitMs,
      // A short queue loses nothing for short statements, because a free place still finds a waiting one.
      longestEstimateMs: depth === 1 ? options.waitMs : options.waitMs / 20,
      heldUpMs: depth === 1 ? 200 : 50,
      deadMs: options.statementTimeoutMs + deadMarginMs,
    });

  // The planning mode is a setting of the connection. A list by its parent has one good plan whatever the values;
  // planning it again would cost more than running it. A search has none: its generic plan reads everything.
  const generic = 'plan_cache_mode=force_generic_plan';
  const lists = pool(options.connections, 1, generic);
  // Half as many connections: a search keeps a core busy, and the server needs one too.
  const searches = pool(Math.ceil(options.connections / 2), 1, 'plan_cache_mode=force_custom_plan', 'work_mem=16MB');
  // Behind a pooler that does not support prepared statements nothing is pipelined either.
  const points = options.prepared ? pool(pointConnections, pointDepth, generic) : lists;
  const pools = [...new Set([points, lists, searches])];

  const query = async (kind: StatementKind, statement: Sql, timing: Timing, who: Who): Promise<Row[]> => {
    try {
      if (kind === 'point' && points !== lists) return await points.query(statement, timing);
      return await (kind === 'search' ? searches : lists).query(statement, timing, who?.());
    } catch (error) {
      throw isListGone(error)
        ? new Unavailable('connection', 'the schema is not the one this server needs', error)
        : error;
    }
  };

  return {
    forRequest: (timing, who) => ({ query: (kind, statement) => query(kind, statement, timing, who) }),
    urgentQuery: (statement) => points.query(statement, { databaseMs: 0, waitingMs: 0 }, '', true),
    longestMs: 2 * options.waitMs + options.statementTimeoutMs,
    isFull: points.isFull,
    isSilent: points.isSilent,
    connections: () => sumOf(pools.map(({ connections }) => connections())),
    disconnect: () => {
      for (const { disconnect } of pools) disconnect();
    },
    close: async () => {
      await Promise.all(pools.map(({ close }) => close()));
    },
  };
};
