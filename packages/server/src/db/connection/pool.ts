// Connections of one kind and the statements on them. A pool of depth 1 runs one statement at a time on a connection. A
// deeper one is pipelined: statements are sent without waiting for earlier answers, which needs fewer wake-ups; only
// for statements of bounded cost, because of head-of-line blocking. Each statement is a transaction of its own, so that
// a failure or a timeout does not affect its neighbours. After a failure the next statement opens a new connection.
import type { Socket } from 'node:net';
import pg from 'pg';
import { Unavailable } from '../../gates.ts';
import type { Sql } from '../sql.ts';
import { compile } from '../sql.ts';
import { isTransient, overloaded, unavailableFor } from './failures.ts';
import type { Queue } from './queue.ts';
import { openQueue } from './queue.ts';
import type { Row } from './statement.ts';
import { send } from './statement.ts';

export interface PoolOptions {
  config: pg.ClientConfig;
  connections: number;
  /** Most statements in flight on one connection. */
  depth: number;
  /** Whether statements are prepared: planned once for a connection. Some poolers do not support that. */
  prepared: boolean;
  /** Most statements that may wait for a place. */
  queue: number;
  /** Longest wait for a place, for a new connection, or behind another statement. */
  waitMs: number;
  longestEstimateMs: number;
  /** A connection whose first statement takes this long gets no further ones. */
  heldUpMs: number;
  /** A connection that has not answered for this long is dead. */
  deadMs: number;
}

/** The time that a request has spent on the database, added up while it runs. */
export interface Timing {
  databaseMs: number;
  waitingMs: number;
}

/** Connections, and statements that wait for one. */
export interface ConnectionCounts {
  total: number;
  idle: number;
  waiting: number;
}

export interface Pool {
  /** An urgent statement is never refused for overload and goes to the head of the queue. */
  query: (statement: Sql, timing: Timing, who?: string, isUrgent?: boolean) => Promise<Row[]>;
  /** Whether a statement would be refused now. */
  isFull: () => boolean;
  /** Whether every connection is held up. */
  isSilent: () => boolean;
  connections: () => ConnectionCounts;
  /** Closes every connection: statements in flight fail at once. */
  disconnect: () => void;
  close: () => Promise<void>;
}

/** An idle connection of a pool that is not pipelined is closed after this time. */
const idleMs = 60_000;
/** A connection that could not be opened is the last choice for this time. */
const asideMs = 1000;
/** How often every wait is checked, at the least. */
const watchMs = 250;

interface Job {
  /** Compiled when it is sent, so not for a request that is refused. */
  statement: Sql;
  timing: Timing;
  who: string;
  askedAt: number;
  sentAt: number;
  resolve: (rows: Row[]) => void;
  reject: (error: unknown) => void;
}

interface Connection {
  client: pg.Client | null;
  opening: Promise<pg.Client> | null;
  /** While it is opened. */
  newClient: pg.Client | null;
  /** In the order in which PostgreSQL answers. */
  underWay: Job[];
  lastAnswer: number;
  failedAt: number;
  isCorked: boolean;
}

/** The socket of a connection, which pg does not expose: to cut the connection, or to batch writes. */
export const streamOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** Closes a connection at once. The next statement opens a new one; pg itself fails the statements in flight. */
const drop = (connection: Connection, client: pg.Client) => {
  if (connection.client === client) connection.client = null;
  streamOf(client).destroy();
};
/** Closes connections at once, also those that are being opened: a server that is frozen never answers. */
const disconnect = (connections: readonly Connection[]) => {
  for (const connection of connections)
    for (const client of [connection.client, connection.newClient]) if (client !== null) drop(connection, client);
};

const open = async (connection: Connection, config: pg.ClientConfig): Promise<pg.Client> => {
  const client = new pg.Client({ ...config, pipeline: true });
  client.on('error', () => drop(connection, client)); // reported through the statements in flight
  client.on('end', () => {
    if (connection.client === client) connection.client = null;
  });
  connection.newClient = client;
  try {
    await client.connect();
  } catch (error) {
    streamOf(client).destroy();
    throw error;
  } finally {
    connection.newClient = null;
  }
  connection.client = client;
  return client;
};

/** Sends the statements of one turn of the event loop in one write: a system call costs as much as a statement. */
const cork = (connection: Connection, client: pg.Client) => {
  if (connection.isCorked) return;
  connection.isCorked = true;
  const stream = streamOf(client);
  stream.cork();
  setImmediate(() => {
    connection.isCorked = false;
    stream.uncork();
  });
};

/** A pool and what is under way in it. */
interface State {
  options: PoolOptions;
  connections: Connection[];
  queue: Queue<Job>;
}

const transmit = (state: State, connection: Connection, client: pg.Client, job: Job) => {
  try {
    const { text, values } = compile(job.statement);
    cork(connection, client);
    send(client, state.options.prepared, text, values, (error, rows) => settle(state, connection, job, error, rows));
  } catch (error) {
    settle(state, connection, job, error, []);
  }
};

const run = (state: State, connection: Connection, job: Job) => {
  job.sentAt = performance.now();
  job.timing.waitingMs += job.sentAt - job.askedAt;
  state.queue.begin(job.who);
  if (connection.underWay.push(job) === 1) connection.lastAnswer = job.sentAt;
  if (connection.client !== null) {
    transmit(state, connection, connection.client, job);
    return;
  }
  connection.opening ??= open(connection, state.options.config).finally(() => {
    connection.opening = null;
  });
  const noteOpened = () => {
    const now = performance.now();
    job.timing.waitingMs += now - job.sentAt;
    job.sentAt = now;
    if (connection.underWay[0] === job) connection.lastAnswer = now;
  };
  connection.opening.then(
    (client) => {
      noteOpened();
      transmit(state, connection, client, job);
    },
    (error: unknown) => {
      noteOpened();
      connection.failedAt = job.sentAt;
      settle(state, connection, job, new Unavailable('connection', 'no database connection', error), []);
    },
  );
};

const settle = (state: State, connection: Connection, job: Job, error: unknown, rows: Row[]) => {
  const { queue, options } = state;
  const place = connection.underWay.indexOf(job); // the first, unless the connection is lost
  if (place === -1) return;
  connection.underWay.splice(place, 1);
  const now = performance.now();
  queue.end(job.who, now - job.sentAt);
  // Until the previous answer arrived, PostgreSQL worked on other statements.
  const began = Math.max(job.sentAt, connection.lastAnswer);
  job.timing.waitingMs += began - job.sentAt;
  job.timing.databaseMs += now - began;
  connection.lastAnswer = now;
  if (error === null) job.resolve(rows);
  else job.reject(error instanceof Unavailable || !isTransient(error) ? error : unavailableFor(error));
  const isLost = (error as { severity?: unknown } | null)?.severity === 'FATAL';
  if (isLost && connection.client !== null) drop(connection, connection.client);
  while (connection.underWay.length < options.depth) {
    const next = queue.next();
    if (next === undefined) return;
    run(state, connection, next);
  }
};

/** Bounds every wait. statement_timeout bounds the first statement of a connection; those behind it wait up to waitMs. */
const watch = ({ options: { depth, waitMs, deadMs }, connections, queue }: State) => {
  const now = performance.now();
  for (const job of queue.expired(now - waitMs))
    job.reject(new Unavailable('wait', 'no free database connection in time'));
  for (const connection of connections) {
    const { client, underWay, lastAnswer } = connection;
    const silentMs = now - lastAnswer;
    if (underWay.length === 0) {
      if (client === null || depth > 1 || silentMs < idleMs) continue;
      connection.client = null;
      client.end().catch(() => {});
    } else if (silentMs >= deadMs && client !== null) {
      // The idle ones are suspect, too.
      disconnect(connections.filter((other) => other === connection || other.underWay.length === 0));
    } else if (silentMs >= waitMs)
      for (const job of underWay.slice(1)) job.reject(new Unavailable('wait', 'held up by other statements'));
  }
};

const isHeldUp = ({ underWay, lastAnswer }: Connection, now: number, { heldUpMs }: PoolOptions): boolean =>
  underWay.length > 0 && now - lastAnswer > heldUpMs;

/** The connection with the fewest statements; an open one before one that is not, and before one that failed just now. */
const withPlace = ({ options, connections }: State, now: number): Connection | undefined => {
  const { depth } = options;
  let best: Connection | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const connection of connections) {
    const { client, underWay, failedAt } = connection;
    if (underWay.length >= depth || isHeldUp(connection, now, options)) continue;
    const isAside = client === null && now - failedAt < asideMs;
    const rank = underWay.length + (client === null ? 0.5 : 0) + (isAside ? depth : 0);
    if (rank < least) [best, least] = [connection, rank];
  }
  return best;
};

export const openPool = (options: PoolOptions): Pool => {
  const connections = Array.from(
    { length: options.connections },
    (): Connection => ({
      ...{ client: null, opening: null, newClient: null, underWay: [], isCorked: false },
      ...{ lastAnswer: 0, failedAt: Number.NEGATIVE_INFINITY },
    }),
  );
  const places = connections.length * options.depth;
  const queue = openQueue<Job>({ places, most: options.queue, longestEstimateMs: options.longestEstimateMs });
  const state: State = { options, connections, queue };
  const watching = setInterval(watch, Math.min(watchMs, options.waitMs / 4), state).unref();
  let isClosed = false;

  return {
    query: (statement, timing, who = '', isUrgent = false) =>
      new Promise((resolve, reject) => {
        const askedAt = performance.now();
        const job = { statement, timing, who, askedAt, sentAt: 0, resolve, reject };
        const connection = queue.isAtHalf(who) ? undefined : withPlace(state, askedAt);
        if (isClosed) reject(overloaded);
        else if (connection !== undefined) run(state, connection, job);
        else if (!isUrgent && queue.isHopeless(who)) reject(overloaded);
        else queue.wait(job, isUrgent);
      }),
    isFull: () => isClosed || (withPlace(state, performance.now()) === undefined && queue.isHopeless('')),
    isSilent: () => {
      const now = performance.now();
      return connections.every((connection) => isHeldUp(connection, now, options));
    },
    connections: () => {
      const open = connections.filter(({ client }) => client !== null);
      const idle = open.filter(({ underWay }) => underWay.length === 0).length;
      return { total: open.length, idle, waiting: queue.waiting() };
    },
    disconnect: () => disconnect(connections),
    close: async () => {
      isClosed = true;
      const end = async ({ client, opening }: Connection) => {
        const last = client ?? (await opening?.catch(() => null));
        await last?.end().catch(() => {}); // a silent connection is closed when it counts as dead
      };
      await Promise.all(connections.map(end));
      clearInterval(watching);
    },
  };
};
