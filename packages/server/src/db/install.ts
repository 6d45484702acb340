// Makes the installed lists of a database those that this build declares. `commonhall migrate` builds a missing version
// beside the one that servers of the build before read, and drops that one with the build after this. A version is a
// schema (installable.ts) and a row in the table `installed`.
import { hash } from 'node:crypto';
import { version } from '@commonhall/contract/version';
import type pg from 'pg';
import type { Installable, TableIndex } from './installable.ts';
import { fullNameOf, versionOf } from './installable.ts';
import { installableOf } from './list-sql.ts';
import { lists } from './lists.ts';

/** Everything that this build installs. */
const installables: readonly Installable[] = lists.map(installableOf);
/** The versions that its servers need. */
export const versions: readonly string[] = installables.map(versionOf);
/** Names the release and its versions, so that a development build with other lists is another build. */
const build = `${version} ${hash('sha256', versions.join()).slice(0, 8)}`;

/** The registry. Only what has a row here is ever dropped. */
export const installedTable = `
  create table if not exists installed (
    name text collate "C" primary key, -- of the version, and of its schema
    indexes text[] collate "C" not null, -- on the table that it counts; versions share them
    declared_by text collate "C" not null, -- the last build that has it
    declared_at timestamptz, -- when a run of that build ended; null: it has not ended yet
    is_retired boolean not null default false -- no server may read it: it is about to be dropped
  );`;

/** What `migrate` gives to the steps below. */
export interface Tools {
  client: pg.Client;
  say: (line: string) => void;
  /** Runs a transaction under the writer lock, again when a lock is not available. */
  asWriter: (what: string, act: () => Promise<void>) => Promise<void>;
  /** Runs a statement that takes long but delays no reader or writer, outside a transaction. */
  outside: (what: string, statement: string) => Promise<void>;
  /** Waits until servers have noticed what was committed before. */
  untilNoticed: () => Promise<void>;
  /** Attaches the writer lock to new tables, and grants rights on them. */
  attach: () => Promise<void>;
}

/** The versions that neither this build ($1, with the versions $2) has nor the other build whose run ended last. */
const unread = `
  name <> all ($2) and (is_retired or declared_by not in ($1, coalesce((
    select i.declared_by from installed i
    where i.declared_by <> $1 and i.declared_at is not null and not i.is_retired
    order by i.declared_at desc
    limit 1
  ), $1)))`;

/** Drops a version and its indexes that no other version uses. Its triggers depend on its functions. */
const drop = ({ client, asWriter }: Tools, name: string): Promise<void> =>
  asWriter(name, async () => {
    const { rows } = await client.query<{ index: string }>(
      `with gone as (delete from installed where name = $1 returning indexes)
       select unnest(indexes) as index from gone
       except
       select unnest(indexes) from installed where name <> $1`,
      [name],
    );
    await client.query(`drop schema if exists ${name} cascade`);
    for (const { index } of rows) await client.query(`drop index if exists ${index}`);
  });

/**
 * Drops the versions that only builds before the previous one read. Their servers stop being ready first. Comes before
 * the migrations, which may drop a column that only such a version uses.
 */
export const dropUnread = async (tools: Tools): Promise<string[]> => {
  const { client, asWriter, say, untilNoticed } = tools;
  const dropped: string[] = [];
  await asWriter('installed', async () => {
    // A version that this build needs again after a rollback is no longer retired.
    await client.query('update installed set is_retired = false where is_retired and name = any ($1)', [versions]);
    const { rows } = await client.query<{ name: string }>(
      `update installed set is_retired = true where ${unread} returning name`,
      [build, versions],
    );
    dropped.push(...rows.map(({ name }) => name).sort());
  });
  if (dropped.length === 0) return dropped;
  say(`lists that no current build reads are dropped; waiting, so that servers of older builds are not ready first`);
  await untilNoticed();
  for (const name of dropped) await drop(tools, name);
  return dropped;
};

const createIndex = ({ name, table, on }: TableIndex, how: string): string =>
  `create index ${how} ${name} on ${table} ${on}`;

/** Builds an index of a table that has rows, so that writers do not wait for it. */
const buildIndex = async ({ client, outside }: Tools, index: TableIndex): Promise<void> => {
  const { rows } = await client.query<{ isFilled: boolean; isValid: boolean | null }>(
    `select pg_relation_size($1) > 0 as "isFilled",
       (select indisvalid from pg_index where indexrelid = to_regclass($2)) as "isValid"`,
    [index.table, fullNameOf(index)],
  );
  const { isFilled = false, isValid = null } = rows[0] ?? {};
  // An interrupted build leaves an invalid index behind.
  if (isValid === false) await outside(index.name, `drop index concurrently if exists ${fullNameOf(index)}`);
  if (isFilled && isValid !== true) await outside(index.name, createIndex(index, 'concurrently'));
};

const missing = async (client: pg.Client): Promise<Installable[]> => {
  const { rows } = await client.query<{ name: string }>(
    'select name from installed where to_regnamespace(name) is not null',
  );
  return installables.filter((one) => !rows.some(({ name }) => name === versionOf(one)));
};

/** Builds the declared versions that are missing, each in a transaction of its own. */
export const buildMissing = async (tools: Tools): Promise<string[]> => {
  const { client, asWriter, attach } = tools;
  const built: string[] = [];
  for (const one of await missing(client)) {
    const name = versionOf(one);
    for (const index of one.indexes) await buildIndex(tools, index);
    await asWriter(name, async () => {
      await client.query(`
        create schema ${name};
        ${one.indexes.map((index) => `${createIndex(index, 'if not exists')};\n`).join('')}
        set local search_path = ${name}, public, pg_temp;
        ${one.sql(name)}`);
      await client.query(`select recount()`);
      await client.query('set local search_path = public, pg_temp');
      await client.query(
        `insert into installed (name, indexes, declared_by) values ($1, $2, $3)
         on conflict (name) do nothing -- its schema was dropped by hand`,
        [name, one.indexes.map(fullNameOf), build],
      );
      await attach();
    });
    built.push(name);
  }
  return built;
};

/** Records that a run of this build has ended: only then the versions of the build before the previous one may go. */
export const declareInstalled = async (client: pg.Client): Promise<void> => {
  await client.query('update installed set declared_by = $1, declared_at = now() where name = any ($2)', [
    build,
    versions,
  ]);
};

export interface InstallPlan {
  build: { name: string; table: string; rows: number; indexes: string[] }[];
  drop: string[];
}
/** What a run would build and drop, with about how many rows it would count. */
export const planInstall = async (client: pg.Client): Promise<InstallPlan> => {
  const plan: InstallPlan = { build: [], drop: [] };
  const { rows } = await client.query<{ name: string }>(`select name from installed where ${unread} order by 1`, [
    build,
    versions,
  ]);
  plan.drop = rows.map(({ name }) => name);
  for (const one of await missing(client)) {
    const { rows: found } = await client.query<{ rows: number; missing: string[] }>(
      `select
         coalesce((select greatest(c.reltuples, 0) from pg_class c where c.oid = to_regclass($1)), 0)::float8 as rows,
         array(select n from unnest($2::text[]) n where to_regclass(n) is null) as missing`,
      [one.table, one.indexes.map(fullNameOf)],
    );
    const { rows = 0, missing: indexes = [] } = found[0] ?? {};
    plan.build.push({ name: versionOf(one), table: one.table, rows, indexes });
  }
  return plan;
};
