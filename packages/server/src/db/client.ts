// One connection for one purpose, closed at its end: an operator's command, or a note of last uses. What is wrong with the
// connection or the database is reported in one line, with what to do about it. One that writes waits for others, and is
// waited for, only so long.
import pg from 'pg';
import { operatorProblem } from './failures.ts';

/** Bounds of whoever writes to the model: a writer that waits or idles for longer than this is in the way of others. */
export const writerBounds = { lock_timeout: 30_000, idle_in_transaction_session_timeout: 60_000 };
type Bound = 'connectionTimeoutMillis' | 'query_timeout' | keyof typeof writerBounds;

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
