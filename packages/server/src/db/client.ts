// One connection for one purpose, closed at its end: an operator's command, or a note of last uses. What is wrong with the
// connection or the database is reported in one line, with what to do about it.
import pg from 'pg';
import { operatorProblem } from './failures.ts';

export const withClient = async <T>(
  url: string,
  use: (client: pg.Client) => Promise<T>,
  bounds: Pick<pg.ClientConfig, 'connectionTimeoutMillis' | 'query_timeout'> = {},
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
