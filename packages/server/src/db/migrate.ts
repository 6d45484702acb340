// Migrations: plain SQL files, forward only, under a lock; and which of them this build knows.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import type { Db } from './pool.ts';
import { sql } from './sql.ts';

const folder = fileURLToPath(new URL('../../migrations', import.meta.url));

const knownMigrations = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort();

/** Applies what is missing; returns the names. Another runner at the same time waits its turn. */
export const migrate = async (url: string, say: (line: string) => void): Promise<string[]> => {
  const quiet = () => {};
  const done = await runner({
    databaseUrl: url,
    dir: folder,
    migrationsTable: 'schema_migrations',
    direction: 'up',
    advisoryLockMode: 'wait',
    checkOrder: true,
    logger: { debug: quiet, info: quiet, warn: say, error: say },
  });
  return done.map(({ name }) => name);
};

/** A reason not to serve from this database, or null: its schema is not ours, or a score dimension is missing. */
export const schemaProblem = async (db: Db): Promise<string | null> => {
  const statement = sql`
    select
      (select string_agg(m.name, ',' order by m.name collate "C") from schema_migrations m),
      (select count(*) from score_tiers)`;
  const rows = await db.query('point', statement).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === '42P01') return []; // not even the table of migrations
    throw error;
  });
  const [migrations, dimensions] = rows[0] ?? [];
  if (migrations !== knownMigrations().join())
    return 'The database schema is not the one this server knows; run: commonhall migrate';
  return dimensions === '5' ? null : 'A score dimension is missing';
};
