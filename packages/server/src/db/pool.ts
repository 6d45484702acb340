// Connections to PostgreSQL and their bounds: waiting time, length of the queue, time of a statement. A database that
// is away, slow or silent becomes one kind of error, `unavailable`; the next request tries again by itself.
import type { Socket } from 'node:net';
import pg from 'pg';
import type { Sql } from './sql.ts';
import { compile } from './sql.ts';

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

/** What a request spent on the database, filled in as it goes. */
export interface Timing {
  databaseMs: number;
  waitingMs: number;
}

export interface Db {
  query: <Row>(statement: Sql) => Promise<Row[]>;
}

export interface Database {
  withTiming: (timing: Timing) => Db;
  connections: () => { total: number; idle: number; waiting: number };
  close: () => Promise<void>;
}

interface Unavailable extends Error {
  unavailable: true;
}
const unavailable = (message: string, cause?: unknown): Unavailable =>
  Object.assign(new Error(message, { cause }), { unavailable: true as const });

/** Not a fault to be looked into: one request too many, told apart so that it is not logged as one. */
const overloaded = (): Unavailable & { isOverload: true } =>
  Object.assign(unavailable('too many requests wait for a database connection'), { isOverload: true as const });

// PostgreSQL's classes for "not now": connection, rollback (a replica's conflict with recovery), resources, operator
// intervention (a cancelled statement too).
const transientClasses = ['08', '40', '53', '57'];
const isTransient = (error: unknown): boolean => {
  const code = (error as { code?: unknown }).code;
  if (error instanceof TypeError || error instanceof RangeError) return false; // ours
  if (typeof code !== 'string') return true; // pg's own "connection terminated", "timeout exceeded"
  return code.length === 5 ? transientClasses.includes(code.slice(0, 2)) : true; // ECONNREFUSED and its kin
};

// A connection that does not even report its statement_timeout is dead: cut it this much later.
const silenceMs = 500;

export const openDatabase = (options: DatabaseOptions): Database => {
  const settings = [
    `statement_timeout=${options.statementTimeoutMs}`,
    'default_transaction_read_only=on',
    'timezone=UTC',
    ...(options.fixedNow === null ? [] : [`commonhall.fixed_now=${options.fixedNow}`]),
  ];
  // Options in the URL would replace ours: they are joined instead, ours last.
  const given = URL.canParse(options.url) ? new URL(options.url).searchParams.get('options') : null;
  const url = given === null ? options.url : options.url.replace(/([?&])options=[^&]*/, '$1');
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections,
    connectionTimeoutMillis: options.waitMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'commonhall',
    options: [given ?? '', ...settings.map((setting) => `-c ${setting}`)].join(' ').trim(),
  });
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
  const cut = (client: pg.PoolClient) =>
    (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();

  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const name = `s${names.size}`;
    names.set(text, name);
    return name;
  };

  // Who would wait too long is told at once: the queue's length times what a statement took of late. A quarter
  // of the longest wait, since the guess is rough; a connection that becomes free still finds somebody waiting.
  let usualMs = 0;
  const isHopeless = (): boolean =>
    pool.idleCount === 0 &&
    pool.totalCount >= options.connections &&
    (pool.waitingCount >= options.queue || (pool.waitingCount * usualMs) / options.connections > options.waitMs / 4);

  const query = async <Row>(statement: Sql, timing: Timing): Promise<Row[]> => {
    if (isHopeless()) throw overloaded();
    const asked = performance.now();
    const client = await checkOut().catch((error: unknown) => {
      throw unavailable('no database connection', error);
    });
    const began = performance.now();
    timing.waitingMs += began - asked;
    let broken = false;
    const deadline = setTimeout(() => {
      generation++;
      cut(client);
    }, options.statementTimeoutMs + silenceMs);
    try {
      const { text, values } = compile(statement);
      const result = await client.query<Row & pg.QueryResultRow>(
        options.prepared ? { name: nameOf(text), text, values } : { text, values },
      );
      return result.rows;
    } catch (error) {
      if (!isTransient(error)) throw error;
      broken = (error as { code?: unknown }).code !== '57014'; // a timed-out statement leaves its connection whole
      throw unavailable('the database did not answer', error);
    } finally {
      clearTimeout(deadline);
      client.release(broken);
      const tookMs = performance.now() - began;
      usualMs += (tookMs - usualMs) / 20;
      timing.databaseMs += tookMs;
    }
  };

  return {
    withTiming: (timing) => ({ query: (statement) => query(statement, timing) }),
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
};
