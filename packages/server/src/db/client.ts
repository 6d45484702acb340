// One connection for one purpose, closed at its end: an operator's command, or a note of last uses.
import pg from 'pg';

export const withClient = async <T>(
  url: string,
  use: (client: pg.Client) => Promise<T>,
  bounds: Pick<pg.ClientConfig, 'connectionTimeoutMillis' | 'query_timeout'> = {},
): Promise<T> => {
  const client = new pg.Client({ connectionString: url, application_name: 'commonhall command', ...bounds });
  // A connection that breaks is reported by the query under way.
  client.on('error', () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
};
