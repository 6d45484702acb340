// One connection of an operator's command, closed at its end.
import pg from 'pg';

export const withClient = async <T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, application_name: 'commonhall command' });
  // A connection that breaks is reported by the query under way.
  client.on('error', () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
};
