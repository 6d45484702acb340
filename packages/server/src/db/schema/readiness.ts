// Whether a server can work with its database: the migrations that it needs are applied, its lists are installed, and no
// migration that it does not know is marked as required.
import type pg from 'pg';
import { withClient } from '../connection/client.ts';
import type { Database } from '../connection/database.ts';
import { needsOperator } from '../connection/failures.ts';
import { versions } from '../lists/install.ts';
import { plain, sql } from '../sql.ts';
import { baseline, migrations, storedBaseline } from './migrations.ts';

/** The state of the schema: the stored baseline, and the names of all and of required migrations and of installed lists. */
const stored = `
  ${storedBaseline},
  (select string_agg(m.name, ',') from schema_migrations m),
  (select string_agg(m.name, ',') from schema_migrations m where m.is_required),
  (select string_agg(i.name, ',') from installed i where not i.is_retired)`;
const problemOf = (found: readonly (string | null | undefined)[]): string | null => {
  const [hash, applied, required, installed] = found;
  const has = new Set(applied?.split(','));
  const isInstalled = new Set(installed?.split(','));
  // A required migration only stops older servers: those that know it are ready without it, before the older ones stop.
  const missing = migrations.find(({ name, isRequired }) => !isRequired && !has.has(name));
  if (hash !== baseline || missing !== undefined)
    return 'The database schema is not the one this server needs; run: commonhall migrate';
  const unknown = required?.split(',').find((name) => !migrations.some((one) => one.name === name));
  if (unknown !== undefined)
    return `The database schema is newer than this server can read (it has ${unknown}); start the build that made it`;
  if (!versions.every((name) => isInstalled.has(name)))
    return 'The database does not have the lists this server reads; run: commonhall migrate, unless a later build is in use';
  return null;
};

/** A reason not to serve from this database, or null. Unknown migrations of a later build count only when required. */
export const schemaProblem = async (database: Database): Promise<string | null> => {
  const [row] = await database
    .urgentQuery(sql`select ${plain(stored)}, (select count(*) from score_tiers)`)
    .catch((error: { code?: unknown }) => {
      if (error.code === '42P01' || error.code === '42703') return []; // no schema_migrations, or that of another build
      throw error;
    });
  return problemOf(row ?? []) ?? (row?.[4] === '5' ? null : 'A score dimension is missing');
};

/** Throws when a writer of this build must not write, for the same reasons. */
export const refuseWrongSchema = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<(string | null)[]>({ text: `select ${stored}`, rowMode: 'array' });
  const problem = problemOf(rows[0] ?? []);
  if (problem !== null) throw new Error(problem);
};

/**
 * Throws when the server cannot work until an operator acts: the login is refused, a privilege or the schema is
 * missing. The server waits for a database that is down or lacks a migration: a failover or a deploy may be under way.
 */
export const refuseWrongDatabase = async (url: string, waitMs: number): Promise<void> => {
  const probe = (client: pg.Client) => client.query('select from schema_migrations limit 1');
  try {
    await withClient(url, probe, { connectionTimeoutMillis: waitMs, query_timeout: waitMs });
  } catch (error) {
    if (needsOperator((error as { cause?: unknown }).cause)) throw error;
  }
};
