// Migrations: plain SQL files, forward only, under a lock; and which of them this build knows.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import { withClient } from './client.ts';
import { isOperatorsToMend } from './failures.ts';
import type { Database } from './pool.ts';
import { sql } from './sql.ts';

const folder = fileURLToPath(new URL('../../migrations', import.meta.url));

const knownMigrations = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort();

/** Applies what is missing; returns the names. Another runner at the same time waits its turn. */
export const migrate = (url: string, say: (line: string) => void): Promise<string[]> =>
  withClient(url, async (client) => {
    const quiet = () => {};
    const done = await runner({
      dbClient: client,
      dir: folder,
      migrationsTable: 'schema_migrations',
      direction: 'up',
      advisoryLockMode: 'wait',
      checkOrder: true,
      logger: { debug: quiet, info: quiet, warn: say, error: say },
    });
    return done.map(({ name }) => name);
  });

const known = knownMigrations().join();

/** A reason not to serve from this database, or null: its schema is not ours, or a score dimension is missing. */
export const schemaProblem = async (database: Database): Promise<string | null> => {
  const statement = sql`
    select
      (select string_agg(m.name, ',' order by m.name collate "C") from schema_migrations m),
      (select count(*) from score_tiers)`;
  const [row] = await database.look(statement).catch((error: { code?: unknown }) => {
    if (error.code === '42P01') return []; // not even the table of migrations
    throw error;
  });
  const [migrations, dimensions] = row ?? [];
  if (migrations !== known) return 'The database schema is not the one this server knows; run: commonhall migrate';
  return dimensions === '5' ? null : 'A score dimension is missing';
};

/**
 * Throws when starting is in vain until an operator acts: the login or a right is refused, or there is no schema. A
 * database that is away, or behind by a migration, is waited for instead: a failover or a deploy may be under way.
 */
export const refuseWrongDatabase = async (url: string, waitMs: number): Promise<void> => {
  const look = (client: pg.Client) => client.query('select from schema_migrations limit 1');
  try {
    await withClient(url, look, { connectionTimeoutMillis: waitMs, query_timeout: waitMs });
  } catch (error) {
    if (isOperatorsToMend((error as { cause?: unknown }).cause)) throw error;
  }
};
