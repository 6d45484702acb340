// Migrations: plain SQL files, forward only, under a lock; and which of them this build knows. The first of them are the
// baseline, edited in place until the first release: a database made from another one is recognised by its hash.
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import { withClient } from './client.ts';
import { needsOperator } from './failures.ts';
import type { Database } from './pool.ts';
import { plain, sql } from './sql.ts';

const folder = fileURLToPath(new URL('../../migrations', import.meta.url));

const knownMigrations = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .sort();

const known = knownMigrations();
const lastOfBaseline = '0006_read';
const baseline = `baseline ${hash(
  'sha256',
  known
    .filter((name) => name <= lastOfBaseline)
    .map((name) => readFileSync(`${folder}/${name}.sql`, 'utf8'))
    .join(''),
).slice(0, 16)}`;
/** The hash stands in the comment of the table of migrations: a dump carries it. */
const storedBaseline = `obj_description('schema_migrations'::regclass)`;

/** Throws when the schema was made by a build whose baseline is another one: no migration leads from there to here. */
const refuseOtherBaseline = async (client: pg.Client): Promise<void> => {
  const { rows: found } = await client.query(`select from pg_class where oid = to_regclass('schema_migrations')`);
  if (found.length === 0) return;
  const { rows } = await client.query<{ stored: string | null; names: string[] }>(
    `select ${storedBaseline} as stored, array(select name from schema_migrations order by name collate "C") as names`,
  );
  const { stored = null, names = [] } = rows[0] ?? {};
  // Without a hash a run was stopped before it could write it.
  const isOurs = stored === null ? names.every((name) => known.includes(name)) : stored === baseline;
  if (!isOurs)
    throw new Error(
      'the database was made by an earlier build and cannot be upgraded in place: with that build run: commonhall export --all --out <folder>; then make a new database and with this build run: commonhall migrate, and: commonhall import <folder>',
    );
};

/** Applies what is missing; returns the names. Another runner at the same time waits its turn. */
export const migrate = (url: string, say: (line: string) => void): Promise<string[]> =>
  withClient(url, async (client) => {
    await refuseOtherBaseline(client);
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
    await client.query(`comment on table schema_migrations is '${baseline}'`);
    return done.map(({ name }) => name);
  });

/** A reason not to serve from this database, or null: its schema is not ours, or a score dimension is missing. */
export const schemaProblem = async (database: Database): Promise<string | null> => {
  const statement = sql`
    select
      ${plain(storedBaseline)},
      (select string_agg(m.name, ',' order by m.name collate "C") from schema_migrations m),
      (select count(*) from score_tiers)`;
  const [row] = await database.look(statement).catch((error: { code?: unknown }) => {
    if (error.code === '42P01') return []; // not even the table of migrations
    throw error;
  });
  const [stored, migrations, dimensions] = row ?? [];
  if (stored !== baseline || migrations !== known.join())
    return 'The database schema is not the one this server knows; run: commonhall migrate';
  return dimensions === '5' ? null : 'A score dimension is missing';
};

/**
 * Throws when the server cannot work until an operator acts: the login or a right is refused, or there is no schema. A
 * database that is away, or behind by a migration, is waited for instead: a failover or a deploy may be under way.
 */
export const refuseWrongDatabase = async (url: string, waitMs: number): Promise<void> => {
  const look = (client: pg.Client) => client.query('select from schema_migrations limit 1');
  try {
    await withClient(url, look, { connectionTimeoutMillis: waitMs, query_timeout: waitMs });
  } catch (error) {
    if (needsOperator((error as { cause?: unknown }).cause)) throw error;
  }
};
