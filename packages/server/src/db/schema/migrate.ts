// Brings a database to this build, one run at a time: drops lists that no current build reads, runs the missing
// migrations, builds the missing lists and grants rights. Readers continue meanwhile: a step that cannot get a lock soon
// releases its locks and tries again. A step that was interrupted is run again by the next run.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { crashPoint } from '../../crash-points.ts';
import { withClient, withWriter } from '../connection/client.ts';
import { refuseTransactionPooler } from '../connection/pooler.ts';
import type { InstallPlan, Tools } from '../lists/install.ts';
import { buildMissing, declareInstalled, dropUnread, installedTable, planInstall } from '../lists/install.ts';
import type { Migration } from './migrations.ts';
import { baseline, migrations, storedBaseline } from './migrations.ts';
import { closeToPublic, createRoles, grantRights } from './rights.ts';
import { endTurn, tryTurn, turnsTable } from './turn.ts';

/** Readers of a table queue behind a migration that waits for its lock, so that wait is short. */
const lockMs = 500;
/** Readers do not queue behind these locks, and autovacuum gives way after a second (deadlock_timeout). */
const writersLockMs = 5000;
/** Waiting for writers, or for a concurrent index build, delays no reader. */
const patientMs = 30_000;
const tries = 60;
/** How often a run checks whether another one has ended. */
const turnMs = 200;
/** Servers check the schema once a second. */
const readyMs = 3000;

type Say = (line: string) => void;

/** Throws when the schema was made by a build with another baseline: no migration leads from there to here. Returns
 * whether a run has ended before, so that servers may be ready. */
const refuseOtherBaseline = async (client: pg.Client): Promise<boolean> => {
  const { rows: found } = await client.query(`select from pg_class where oid = to_regclass('schema_migrations')`);
  if (found.length === 0) return false;
  const { rows } = await client.query<{ stored: string | null; names: string[] }>(
    `select ${storedBaseline} as stored, array(select name::text from schema_migrations) as names`,
  );
  const { stored = null, names = [] } = rows[0] ?? {};
  // No hash: a run was interrupted before it could write one.
  const isOurs =
    stored === null ? names.every((name) => migrations.some((one) => one.name === name)) : stored === baseline;
  if (!isOurs)
    throw new Error(
      'the database was made by an earlier build and cannot be upgraded in place: with that build run: commonhall export --all --out <folder>; then make a new database and with this build run: commonhall migrate, and: commonhall import <folder>',
    );
  return stored !== null;
};

/** Retries while a lock is not available. */
const patiently = async (what: string, say: Say, run: () => Promise<void>): Promise<void> => {
  for (let attempt = 1; ; attempt++)
    try {
      await run();
      return;
    } catch (error) {
      const isLock = ['55P03', '40P01'].includes(String((error as { code?: unknown }).code));
      if (!isLock || attempt === tries) throw error;
      if (attempt % 10 === 1) say(`${what}: a lock is taken (${(error as Error).message}); trying again`);
      await sleep(lockMs * (0.5 + Math.random()));
    }
};

/** The tables that a run needs before its first migration. */
const firstTables = `
  create table if not exists schema_migrations (
    name text collate "C" primary key,
    applied_at timestamptz not null,
    is_required boolean not null default false -- a server that does not know it is not ready
  );
  ${installedTable}
  ${turnsTable}`;

/** Another run may create them at the same time. */
const createFirstTables = async (client: pg.Client): Promise<void> => {
  for (let attempt = 1; ; attempt++)
    try {
      await client.query(firstTables);
      return;
    } catch (error) {
      if (attempt === tries || !['23505', '42P07', '42710'].includes(String((error as { code?: unknown }).code)))
        throw error;
      await sleep(turnMs);
    }
};

/** Servers of this build wait for the migrations after a required one, which has stopped the servers of older builds:
 * meanwhile no server would be ready. */
const refuseGap = (missing: readonly Migration[]): void => {
  const stopping = missing.find(({ isRequired }) => isRequired);
  const behind = missing.find(({ name, isRequired }) => !isRequired && name > (stopping?.name ?? name));
  if (stopping !== undefined && behind !== undefined)
    throw new Error(
      `${stopping.name} stops servers of older builds, and servers of this build need ${behind.name}, which comes after it: no server would be ready in between, and nothing was changed. First upgrade to the release that has ${stopping.name} and not yet ${behind.name}`,
    );
};

const hasFunction = async (client: pg.Client, name: string): Promise<boolean> =>
  (await client.query(`select from pg_proc where oid = to_regproc($1)`, [`public.${name}`])).rows.length > 0;

/** A transaction that writers wait for and readers hardly notice. Commits, or rolls back. */
const asWriter = async (client: pg.Client, act: () => Promise<void>, locksMs = lockMs): Promise<void> => {
  await client.query(`begin; set local lock_timeout = ${patientMs}`);
  try {
    if (await hasFunction(client, 'take_writer_lock')) await client.query('select take_writer_lock()');
    await client.query(`set local lock_timeout = ${locksMs}`);
    await act();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {}); // the connection may be gone
    throw error;
  }
};

/** For new tables: servers that need them are ready from the commit on. */
const attach = async (client: pg.Client): Promise<void> => {
  if (await hasFunction(client, 'attach_writer_lock')) await client.query('select attach_writer_lock()');
  await grantRights(client);
};

const note = async (client: pg.Client, { name, isRequired }: Migration): Promise<void> => {
  await attach(client);
  await client.query('insert into schema_migrations values ($1, now(), $2)', [name, isRequired]);
  crashPoint('migrate: migration noted');
};

/** Runs statements that PostgreSQL does not allow in a transaction. All of them again after a failure: an index whose build
 * has failed is there, but invalid. */
const outside = async (client: pg.Client, what: string, say: Say, statements: readonly string[]): Promise<void> => {
  await client.query(`set lock_timeout = ${patientMs}`);
  await patiently(what, say, async () => {
    for (const statement of statements) {
      await client.query(statement);
      crashPoint('migrate: statement run outside');
    }
  });
};

/** Statements end with a semicolon at the end of a line. */
const statementsOf = ({ text }: Migration): string[] =>
  text.split(/;[ \t]*$/m).filter((part) => part.replace(/^--.*$/gm, '').trim() !== '');

const apply = async (client: pg.Client, migration: Migration, say: Say): Promise<void> => {
  const { name, text, isOutside, isRepeated } = migration;
  if (isOutside) {
    await outside(client, name, say, statementsOf(migration));
    await patiently(name, say, () => asWriter(client, () => note(client, migration)));
  } else if (isRepeated) {
    if (statementsOf(migration).length !== 1) throw new Error('a file that is repeated has exactly one statement');
    let changed = 0;
    for (let batch: number | null = null; batch !== 0; changed += batch ?? 0) {
      const began = Date.now();
      await patiently(name, say, () =>
        asWriter(client, async () => {
          batch = (await client.query(text)).rowCount ?? 0;
          crashPoint('migrate: batch changed');
          if (batch === 0) await note(client, migration);
        }),
      );
      // Leaves other writers as much time as the batch took.
      await sleep(batch === 0 ? 0 : Date.now() - began);
    }
    say(`${name}: ${changed} rows changed`);
  } else
    await patiently(name, say, () =>
      asWriter(client, async () => {
        await client.query(text);
        crashPoint('migrate: migration run');
        await note(client, migration);
      }),
    );
};

const applyAll = async (client: pg.Client, missing: readonly Migration[], say: Say): Promise<void> => {
  for (const migration of missing)
    try {
      if (migration.isRequired) {
        say(`${migration.name} stops servers of older builds: waiting, so that those of this build are ready first`);
        await sleep(readyMs);
      }
      await apply(client, migration, say);
      crashPoint('migrate: migration committed');
    } catch (error) {
      const left = migration.isOutside || migration.isRepeated ? 'what it has done so far stays' : 'it was rolled back';
      const reason = (error as Error).message;
      throw new Error(
        `${migration.name} failed (${left}): ${reason}. Correct the cause and run again: commonhall migrate`,
        { cause: error },
      );
    }
};

/** The migrations that a database lacks. Throws where this build must not change it. */
const missingIn = async (client: pg.Client, isInUse: boolean): Promise<Migration[]> => {
  const { rows } = await client.query<{ name: string; isRequired: boolean }>(
    'select name, is_required as "isRequired" from schema_migrations order by 1',
  );
  const unknown = rows.find(({ name, isRequired }) => isRequired && !migrations.some((one) => one.name === name));
  if (unknown !== undefined)
    throw new Error(
      `the database has ${unknown.name}, which servers must know and this build does not; use the build that applied it. Nothing was changed`,
    );
  const missing = migrations.filter(({ name }) => !rows.some((row) => row.name === name));
  const newest = migrations.findLast(({ name }) => rows.some((row) => row.name === name))?.name ?? '';
  const late = missing.find(({ name }) => name < newest);
  if (late !== undefined)
    throw new Error(`${late.name} comes before ${newest}, which is applied already: give it a higher number`);
  if (isInUse) refuseGap(missing);
  return missing;
};

/** The names of what a run has done. */
export interface Migrated {
  applied: string[];
  built: string[];
  dropped: string[];
}

export const migrate = (url: string, say: Say): Promise<Migrated> =>
  withWriter(
    url,
    async (client) => {
      await refuseTransactionPooler(client, url);
      await refuseOtherBaseline(client);
      await createRoles(client);
      await createFirstTables(client);
      crashPoint('migrate: first tables created');
      for (let isFirst = true; !(await tryTurn(client, 'migrate')); isFirst = false) {
        if (isFirst) say('another migrate is running; waiting for it');
        await sleep(turnMs);
      }
      const isInUse = await refuseOtherBaseline(client);
      const missing = await missingIn(client, isInUse);
      const tools: Tools = {
        client,
        say,
        asWriter: (what, act, locks) =>
          patiently(what, say, () => asWriter(client, act, locks === 'of readers' ? lockMs : writersLockMs)),
        outside: (what, statements) => outside(client, what, say, statements),
        untilNoticed: () => sleep(readyMs),
        attach: () => attach(client),
      };
      // Servers of this build are ready before any other stops being ready: the lists are built before others are dropped,
      // and before the migrations at the end that stop older servers.
      const last = missing.findLastIndex(({ isRequired }) => !isRequired) + 1;
      await applyAll(client, missing.slice(0, last), say);
      const built = await buildMissing(tools);
      await client.query('begin');
      await grantRights(client);
      const other = await declareInstalled(client);
      await client.query('commit');
      crashPoint('lists: build declared');
      // A migration at the end stops the servers of every other build, and may drop a column that only their lists use.
      const dropped = await dropUnread(tools, last < missing.length ? null : other);
      await applyAll(client, missing.slice(last), say);
      const left = await closeToPublic(client);
      if (left.length > 0)
        say(
          `this login may not revoke what every role may do by default; for the roles of servers too, as a superuser run in this database: ${left.join('; ')}`,
        );
      await client.query(`comment on table schema_migrations is '${baseline}'`);
      crashPoint('migrate: schema complete');
      await endTurn(client, 'migrate');
      return { applied: missing.map(({ name }) => name), built, dropped };
    },
    {},
  );

/** What a run would do. Changes nothing. */
export const planMigrate = (url: string): Promise<{ migrations: readonly Migration[] } & InstallPlan> =>
  withClient(url, async (client) => {
    await refuseTransactionPooler(client, url);
    const isInUse = await refuseOtherBaseline(client);
    const { rows } = await client.query(`select where to_regclass('installed') is null`);
    // Rolled back, so that a database that was never migrated has a plan too.
    if (rows.length > 0) await client.query(`begin; ${firstTables}`);
    const missing = await missingIn(client, isInUse);
    const plan = await planInstall(client, !missing.some(({ isRequired }) => isRequired));
    if (rows.length > 0) await client.query('rollback');
    return { migrations: missing, ...plan };
  });
