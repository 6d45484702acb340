// Single connections, each for one purpose: an operator's command, the record of key use, the follower, a probe.
// Commands report a problem with the connection or the database in one line with the remedy. For commands that write,
// the wait for a lock and the idle time in a transaction are bounded.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { operatorProblem, ReplicaProblem } from './failures.ts';
import { streamOf } from './pool.ts';

/** Timeouts of our own writers: how long they wait for the writer lock, and how long they may hold it while idle. */
export const writerBounds = { lock_timeout: 30_000, idle_in_transaction_session_timeout: 60_000 };
const closeMs = 1000;
type Bound = 'connectionTimeoutMillis' | 'query_timeout' | keyof typeof writerBounds;

/** A connection that stays open. `onLost` is called when it breaks while it is idle. */
export const openClient = async (
  url: string,
  name: string,
  bounds: Pick<pg.ClientConfig, Bound>,
  onLost: (error: Error) => void,
): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, application_name: name, keepAlive: true, ...bounds });
  client.on('error', onLost);
  await client.connect();
  return client;
};

/**
 * Throws unless the session is on a primary. A session of a primary never becomes one of a replica: a primary that is
 * demoted restarts.
 */
const requirePrimary = async (client: pg.Client, url: string, setting?: string): Promise<void> => {
  const { rows } = await client.query<{ no: boolean }>('select pg_is_in_recovery() as no');
  if (rows[0]?.no !== false) throw new ReplicaProblem(url, setting);
};

/** openClient for a writer: only on a primary, where the address leads to one of several servers. */
export const openWriter = async (
  url: string,
  name: string,
  bounds: Pick<pg.ClientConfig, Bound>,
  onLost: (error: Error) => void,
  setting?: string,
): Promise<pg.Client> => {
  const client = await openClient(url, name, bounds, onLost);
  try {
    await requirePrimary(client, url, setting);
  } catch (error) {
    await closeClient(client);
    throw error;
  }
  return client;
};

/** Cuts a connection off: pending statements fail at once. */
export const cutClient = (client: pg.Client): void => {
  streamOf(client).destroy();
};
/** Closes a connection cleanly, or cuts it off when that takes long: the server may not answer. */
export const closeClient = async (client: pg.Client): Promise<void> => {
  await Promise.race([client.end().catch(() => {}), sleep(closeMs, undefined, { ref: false })]);
  cutClient(client);
};

export const withClient = async <T>(
  url: string,
  use: (client: pg.Client) => Promise<T>,
  bounds: Pick<pg.ClientConfig, Bound> = {},
  setting = 'DATABASE_URL',
): Promise<T> => {
  const client = new pg.Client({ connectionString: url, application_name: 'commonhall command', ...bounds });
  // A connection that breaks is reported by the query under way.
  client.on('error', () => {});
  try {
    await client.connect();
    return await use(client);
  } catch (error) {
    throw operatorProblem(error, url, setting);
  } finally {
    await client.end().catch(() => {});
  }
};

/** withClient for a command that writes: only on a primary. */
export const withWriter = <T>(
  url: string,
  use: (client: pg.Client) => Promise<T>,
  bounds: Pick<pg.ClientConfig, Bound> = writerBounds,
  setting?: string,
): Promise<T> => {
  const onPrimary = async (client: pg.Client) => {
    await requirePrimary(client, url, setting);
    return use(client);
  };
  return withClient(url, onPrimary, bounds, setting);
};

/** Begins a transaction that waits for the writer lock and holds it to its end. */
export const beginWriting = 'begin; select take_writer_lock()';
/** Does work in such a transaction. A dry run rolls back what it did. */
export const inWriterTransaction = async <T>(
  client: pg.Client,
  work: () => Promise<T>,
  isDryRun = false,
): Promise<T> => {
  await client.query(beginWriting);
  try {
    const result = await work();
    await client.query(isDryRun ? 'rollback' : 'commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {}); // the connection may be lost
    throw error;
  }
};
