// A few connections over which short statements go out without waiting for each other's answers: fewer wake-ups for
// the same work. Only for statements whose cost is bounded: one that is slow holds up those behind it. Each statement
// is a transaction of its own, so that one that fails or runs out of time does nothing to its neighbours.
import type { Socket } from 'node:net';
import pg from 'pg';
import { isTransient, overloaded, unavailable } from './failures.ts';
import type { Row, Value } from './statement.ts';
import { send } from './statement.ts';

export interface Pipeline {
  query: (name: string, text: string, values: Value[]) => Promise<Row[]>;
  connections: () => { total: number; waiting: number };
  close: () => Promise<void>;
}

export interface PipelineOptions {
  config: pg.ClientConfig;
  connections: number;
  /** Most statements under way on one connection. */
  depth: number;
  /** A connection that is silent for so long, with statements under way, is dead. */
  silenceMs: number;
}

interface Line {
  client: pg.Client | null;
  opening: Promise<pg.Client> | null;
  underWay: number;
  lastAnswer: number;
  watch: NodeJS.Timeout | undefined;
  isGathering: boolean;
}

/** The socket of a connection, which pg does not give out: to cut it, or to gather what is written. */
export const streamOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

export const openPipeline = ({ config, connections, depth, silenceMs }: PipelineOptions): Pipeline => {
  let isClosed = false;
  const lines = Array.from(
    { length: connections },
    (): Line => ({ client: null, opening: null, underWay: 0, lastAnswer: 0, watch: undefined, isGathering: false }),
  );

  /** The next statement opens a new connection. What is under way on the old one is failed by pg itself. */
  const drop = (line: Line, client: pg.Client) => {
    if (line.client === client) line.client = null;
    streamOf(client).destroy();
  };

  const open = async (line: Line): Promise<pg.Client> => {
    const client = new pg.Client({ ...config, pipeline: true });
    client.on('error', () => drop(line, client)); // reported through the statements under way
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
  const clientOf = (line: Line): pg.Client | Promise<pg.Client> => {
    if (line.client !== null) return line.client;
    line.opening ??= open(line).finally(() => {
      line.opening = null;
    });
    return line.opening;
  };

  /** While statements are under way somebody looks whether answers come. */
  const watch = (line: Line) => {
    line.watch ??= setTimeout(() => {
      line.watch = undefined;
      if (line.underWay === 0) return;
      if (line.client !== null && performance.now() - line.lastAnswer >= silenceMs) drop(line, line.client);
      else watch(line);
    }, silenceMs).unref();
  };

  /** What is asked for in one turn of the event loop leaves in one write: a system call costs as much as a statement. */
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

  const query = async (name: string, text: string, values: Value[], tries = 0): Promise<Row[]> => {
    const line = lines.reduce((best, one) => (one.underWay < best.underWay ? one : best));
    if (line.underWay >= depth || isClosed) throw overloaded;
    line.underWay += 1;
    try {
      const client = await clientOf(line);
      if (line.underWay === 1) line.lastAnswer = performance.now();
      watch(line);
      gather(line, client);
      return await send(client, name, text, values);
    } catch (error) {
      // The first to use a statement on a connection also makes it. Did that fail, then those sent behind it find none.
      if ((error as { code?: unknown }).code === '26000' && tries < 3) return query(name, text, values, tries + 1);
      if (!isTransient(error)) throw error;
      throw unavailable('the database did not answer', error);
    } finally {
      line.underWay -= 1;
      line.lastAnswer = performance.now();
    }
  };

  return {
    query,
    connections: () => ({
      total: lines.filter(({ client }) => client !== null).length,
      waiting: lines.reduce((sum, { underWay }) => sum + underWay, 0),
    }),
    close: async () => {
      isClosed = true;
      for (const line of lines) {
        clearTimeout(line.watch);
        await line.client?.end().catch(() => {});
      }
    },
  };
};
