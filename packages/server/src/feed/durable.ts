// A change that the source counts as applied must survive a crash of PostgreSQL.
import type pg from 'pg';
import { FollowerProblem } from './source.ts';

const ofSession = 'synchronous_commit';
/** The settings that are off, and without which a crash may lose what was committed. Every role may read them. */
export const settingsOff = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    'select name from pg_settings where name = any ($1) and setting = $2 order by name',
    [['fsync', 'full_page_writes', ofSession], 'off'],
  );
  return rows.map(({ name }) => name);
};

/** Throws when the database could lose what it has committed. A setting of the session itself is corrected. */
export const requireDurable = async (client: pg.Client): Promise<void> => {
  const off = await settingsOff(client);
  const ofServer = off.filter((name) => name !== ofSession).map((name) => `${name} = on`);
  if (ofServer.length > 0)
    throw new FollowerProblem(
      `the database could lose changes that are applied, without a sign of it: set ${ofServer.join(' and ')} in postgresql.conf, and reload it`,
    );
  if (off.includes(ofSession)) await client.query(`set ${ofSession} = on`);
};
