// Pipelined connections: statements are sent without waiting for earlier answers, which needs fewer wake-ups. Only for
// statements of bounded cost, because of head-of-line blocking. Each statement is a transaction of its own, so that a
// failure or a timeout does not affect its neighbours.
import type { Socket } from 'node:net';
import pg from 'pg';
import type { Sql } from '../sql.ts';
import { compile } from '../sql.ts';
import { isTransient, overloaded, unavailable } from './failures.ts';
import type { Row } from './statement.ts';
import { send } from './statement.ts';

export interface Pipeline {
  /** An urgent statement is not subject to the overload check and goes to the head of the queue. */
  query: (statement: Sql, timing: Timing, isUrgent?: boolean) => Promise<Row[]>;
  /** Whether a statement would be rejected now. */
  isFull: () => boolean;
  /** Whether every connection is held up. */
  isSilent: () => boolean;
  connections: () => { total: number; idle: number; waiting: number };
  /** Closes every connection: statements in flight fail at once. */
  cut: () => void;
  close: () => Promise<void>;
}

export interface PipelineOptions {
  config: pg.ClientConfig;
  connections: number;
  /** Most requests that may wait for a slot, and how long. */
  queue: number;
  waitMs: number;
  /** A connection that is silent for this long with statements in flight is dead. */
  silenceMs: number;
}

/** The time that a request has spent on the database, added up while it runs. */
export interface Timing {
  databaseMs: number;
  waitingMs: number;
}

/**
 * Most statements in flight on one connection. Enough that PostgreSQL always has a next one; few enough that few wait
 * behind a slow one, and that PostgreSQL soon runs out of work and yields the CPU when this process needs it.
 */
const depth = 12;
/** A connection whose first statement takes this long gets no further ones. */
const heldUpMs = 50;

/**
 * A request that would wait too long, estimated from recent statement times, is rejected at once. The limit is a
 * twentieth of the longest wait: a short queue loses nothing, because a free slot still finds a waiting statement.
 */
const isHopeless = (
  waiting: number,
  usualMs: number,
  places: number,
  { queue, waitMs }: { queue: number; waitMs: number },
): boolean => waiting >= queue || (waiting * usualMs) / places > waitMs / 20;

interface Job {
  /** Compiled when it is sent, so not for a request that is rejected. */
  statement: Sql;
  timing: Timing;
  askedAt: number;
  sentAt: number;
  resolve: (rows: Row[]) => void;
  reject: (error: unknown) => void;
}

interface Line {
  client: pg.Client | null;
  opening: Promise<pg.Client> | null;
  /** In the order in which PostgreSQL answers. */
  underWay: Job[];
  lastAnswer: number;
  watch: NodeJS.Timeout | undefined;
  isGathering: boolean;
}

/** The socket of a connection, which pg does not expose: to cut the connection, or to batch writes. */
export const streamOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

export const openPipeline = ({ config, connections, queue, waitMs, silenceMs }: PipelineOptions): Pipeline => {
  let isClosed = false;
  const lines = Array.from(
    { length: connections },
    (): Line => ({ client: null, opening: null, underWay: [], lastAnswer: 0, watch: undefined, isGathering: false }),
  );
  const waiting: Job[] = [];
  let usualMs = 0;

  /** The next statement opens a new connection. pg itself fails the statements in flight on the old one. */
  const drop = (line: Line, client: pg.Client) => {
    if (line.client === client) line.client = null;
    streamOf(client).destroy();
  };
  const open = async (line: Line): Promise<pg.Client> => {
    const client = new pg.Client({ ...config, pipeline: true });
    client.on('error', () => drop(line, client)); // reported through the statements in flight
    client.on('end', () => {
      if (line.client === client) line.client = null;
    });
    try {
      await client.connect();
    } catch (error) {
      streamOf(client).destroy();
      throw error;
    }
    line.client = client;
    return client;
  };

  /** Checks with a timer, while statements are in flight, that answers arrive. */
  const watch = (line: Line) => {
    line.watch ??= setTimeout(() => {
      line.watch = undefined;
      if (line.underWay.length === 0) return;
      const now = performance.now();
      // statement_timeout bounds the first statement. Those behind it and those in the queue may wait up to waitMs.
      const tooLong = now - line.lastAnswer >= waitMs ? line.underWay.slice(1) : [];
      while (waiting[0] !== undefined && now - waiting[0].askedAt >= waitMs) tooLong.push(waiting.shift()!);
      for (const job of tooLong) job.reject(unavailable('held up by other statements'));
      if (now - line.lastAnswer >= silenceMs && line.client !== null) drop(line, line.client);
      watch(line);
    }, waitMs / 4).unref();
  };

  /** Sends the statements of one turn of the event loop in one write: a system call costs as much as a statement. */
  const gather = (line: Line, client: pg.Client) => {
    if (line.isGathering) return;
    line.isGathering = true;
    const stream = streamOf(client);
    stream.cork();
    setImmediate(() => {
      line.isGathering = false;
      stream.uncork();
    });
  };

  const dispatch = (line: Line, job: Job) => {
    job.sentAt = performance.now();
    job.timing.waitingMs += job.sentAt - job.askedAt;
    if (line.underWay.push(job) === 1) line.lastAnswer = job.sentAt;
    watch(line);
    const transmit = (client: pg.Client) => {
      const { text, values } = compile(job.statement);
      gather(line, client);
      send(client, true, text, values, (error, rows) => settle(line, job, error, rows));
    };
    if (line.client !== null) {
      transmit(line.client);
      return;
    }
    line.opening ??= open(line).finally(() => {
      line.opening = null;
    });
    const transmitLate = (client: pg.Client) => {
      const now = performance.now();
      job.timing.waitingMs += now - job.sentAt; // the connection had to be opened first
      job.sentAt = now;
      transmit(client);
    };
    line.opening.then(transmitLate, (error: unknown) =>
      settle(line, job, unavailable('no database connection', error), []),
    );
  };

  const settle = (line: Line, job: Job, error: unknown, rows: Row[]) => {
    const place = line.underWay.indexOf(job); // the first, unless the connection is lost
    if (place === -1) return;
    line.underWay.splice(place, 1);
    const now = performance.now();
    usualMs += (now - job.sentAt - usualMs) / 20;
    // Until the previous answer arrived, PostgreSQL worked on other statements.
    const began = Math.max(job.sentAt, line.lastAnswer);
    job.timing.waitingMs += began - job.sentAt;
    job.timing.databaseMs += now - began;
    line.lastAnswer = now;
    if (error === null) job.resolve(rows);
    else job.reject(isTransient(error) ? unavailable('the database did not answer', error) : error);
    while (line.underWay.length < depth && waiting.length > 0) dispatch(line, waiting.shift()!);
  };

  const isHeldUp = ({ underWay, lastAnswer }: Line, now: number): boolean =>
    underWay.length > 0 && now - lastAnswer > heldUpMs;
  const lineWithPlace = (now: number): Line | undefined => {
    let best: Line | undefined;
    for (const line of lines) {
      const count = line.underWay.length;
      if (count >= depth || isHeldUp(line, now)) continue;
      if (best === undefined || count < best.underWay.length) best = line;
    }
    return best;
  };

  const isFull = (line: Line | undefined): boolean =>
    isClosed || (line === undefined && isHopeless(waiting.length, usualMs, connections * depth, { queue, waitMs }));

  return {
    query: (statement, timing, isUrgent = false) =>
      new Promise((resolve, reject) => {
        const askedAt = performance.now();
        const job = { statement, timing, askedAt, sentAt: 0, resolve, reject };
        const line = lineWithPlace(askedAt);
        if (isClosed || (!isUrgent && isFull(line))) reject(overloaded);
        else if (line !== undefined) dispatch(line, job);
        else if (isUrgent) waiting.unshift(job);
        else waiting.push(job);
      }),
    isFull: () => isFull(lineWithPlace(performance.now())),
    isSilent: () => {
      const now = performance.now();
      return lines.every((line) => isHeldUp(line, now));
    },
    connections: () => ({
      total: lines.filter(({ client }) => client !== null).length,
      idle: lines.filter(({ client, underWay }) => client !== null && underWay.length === 0).length,
      waiting: waiting.length,
    }),
    cut: () => {
      for (const line of lines) if (line.client !== null) drop(line, line.client);
    },
    close: async () => {
      isClosed = true;
      for (const line of lines) {
        const client = line.client ?? (await line.opening?.catch(() => null));
        await client?.end().catch(() => {}); // may hang on a silent connection: the shutdown has a time limit
      }
    },
  };
};
