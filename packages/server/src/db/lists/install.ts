// Makes the installed lists and stored JSON of a database those that this build declares. `commonhall migrate` builds a
// missing version beside the one that servers of the build before read; a run of the build after this drops that one. A
// version is a schema (installable.ts) and a row in the table `installed`.
import { hash } from 'node:crypto';
import { version } from '@commonhall/contract/version';
import type pg from 'pg';
import { changeLog } from '../../changes/log.ts';
import { crashPoint } from '../../crash-points.ts';
import { agentProfiles } from '../../queries/agents.ts';
import { userSummaries } from '../../queries/users.ts';
import { lists } from './declarations.ts';
import { installableOf } from './generator.ts';
import type { Installable, TableIndex } from './installable.ts';
import { fullNameOf, versionOf } from './installable.ts';
import { installableOf as storedInstallable } from './stored-json.ts';

export const storedJson = [userSummaries, agentProfiles];
/** Everything that this build installs. */
export const installables: readonly Installable[] = [
  ...lists.map(installableOf),
  ...storedJson.map(storedInstallable),
  changeLog,
];
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
    declared_at timestamptz, -- when all versions of that build were there; null: not yet
    is_retired boolean not null default false -- no server may read it: it is not complete yet, or about to be dropped
  );`;

/** What `migrate` gives to the steps below. */
export interface Tools {
  client: pg.Client;
  say: (line: string) => void;
  /** Runs a transaction under the writer lock, again when a lock is not available. */
  asWriter: (what: string, act: () => Promise<void>, locks: 'of readers' | 'of writers') => Promise<void>;
  /** Runs statements one by one outside a transaction, all of them again when a lock is not available. */
  outside: (what: string, statements: readonly string[]) => Promise<void>;
  /** Waits until servers have noticed what was committed before. */
  untilNoticed: () => Promise<void>;
  /** Attaches the writer lock to new tables, and grants rights on them. */
  attach: () => Promise<void>;
}

const missing = async (client: pg.Client): Promise<Installable[]> => {
  const { rows } = await client.query<{ name: string }>(
    'select name from installed where not is_retired and to_regnamespace(name) is not null',
  );
  return installables.filter((one) => !rows.some(({ name }) => name === versionOf(one)));
};

/** Builds an index of a table that has rows before its list, so that writers do not wait for it. */
const buildIndex = async ({ client, outside }: Tools, index: TableIndex): Promise<void> => {
  const { name, table, on } = index;
  const { rows } = await client.query<{ isFilled: boolean; isValid: boolean | null }>(
    `select pg_relation_size($1) > 0 as "isFilled",
       (select indisvalid from pg_index where indexrelid = to_regclass($2)) as "isValid"`,
    [table, fullNameOf(index)],
  );
  const { isFilled = false, isValid = null } = rows[0] ?? {};
  if (isValid === true) return;
  // A build that was interrupted leaves an invalid index behind.
  const statements = [`drop index concurrently if exists ${fullNameOf(index)}`];
  if (isFilled) statements.push(`create index concurrently ${name} on ${table} ${on}`);
  await outside(name, statements);
};

/** Creates and fills a version, in the current transaction. */
const create = async ({ client, attach }: Tools, name: string, { indexes, sql }: Installable): Promise<void> => {
  await client.query(`
    create schema ${name};
    ${indexes.map((index) => `create index if not exists ${index.name} on ${index.table} ${index.on};\n`).join('')}
    set local search_path = ${name}, public, pg_temp;
    ${sql(name)}`);
  await client.query('select recount()');
  crashPoint('lists: version filled');
  await client.query('set local search_path = public, pg_temp');
  await client.query('update installed set is_retired = false where name = $1', [name]);
  await attach();
};

/**
 * Builds the declared versions that are missing, each in a transaction of its own. A version is in the registry before
 * its indexes are built: if this build is given up, a run of another one drops them.
 */
export const buildMissing = async (tools: Tools): Promise<string[]> => {
  const { client, asWriter } = tools;
  // What a later build was about to drop is maintained until it is dropped.
  await client.query(
    `update installed set is_retired = false
     where is_retired and name = any ($1) and to_regnamespace(name) is not null`,
    [versions],
  );
  const built: string[] = [];
  for (const one of await missing(client)) {
    const name = versionOf(one);
    await client.query(
      `insert into installed (name, indexes, declared_by, is_retired) values ($1, $2, $3, true)
       on conflict (name) do update set is_retired = true`,
      [name, one.indexes.map(fullNameOf), build],
    );
    crashPoint('lists: version registered');
    try {
      for (const index of one.indexes) await buildIndex(tools, index);
      crashPoint('lists: index built');
      await asWriter(name, () => create(tools, name, one), 'of writers');
    } catch (error) {
      throw new Error(
        `the list ${name} could not be built (${(error as Error).message}). Correct the cause and run again: commonhall migrate`,
        { cause: error },
      );
    }
    crashPoint('lists: version built');
    built.push(name);
  }
  return built;
};

/** The build that was complete last before this one. */
const otherBuild = async (client: pg.Client): Promise<string | null> => {
  const { rows } = await client.query<{ build: string }>(
    `select declared_by as build from installed
     where declared_by <> $1 and declared_at is not null and not is_retired
     order by declared_at desc limit 1`,
    [build],
  );
  return rows[0]?.build ?? null;
};
/** The versions that neither this build has nor the other one that is kept. */
const unread = async (client: pg.Client, kept: string | null): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select name from installed
     where name <> all ($1) and (is_retired or $2::text is null or declared_by not in ($2, $3)) order by 1`,
    [versions, kept, build],
  );
  return rows.map(({ name }) => name);
};

/** Records that all versions of this build are there. Returns the other build whose versions are kept. */
export const declareInstalled = async (client: pg.Client): Promise<string | null> => {
  const other = await otherBuild(client);
  await client.query('update installed set declared_by = $1, declared_at = now() where name = any ($2)', [
    build,
    versions,
  ]);
  return other;
};

/** Drops a version and its indexes that no other version uses. Its triggers depend on its functions. */
const drop = ({ client, asWriter }: Tools, name: string): Promise<void> =>
  asWriter(
    name,
    async () => {
      const { rows } = await client.query<{ index: string }>(
        `with gone as (delete from installed where name = $1 returning indexes)
         select unnest(indexes) as index from gone
         except
         select unnest(indexes) from installed where name <> $1`,
        [name],
      );
      await client.query(`drop schema if exists ${name} cascade`);
      for (const { index } of rows) await client.query(`drop index if exists ${index}`);
      crashPoint('lists: version dropped');
    },
    'of readers',
  );

/** Drops the versions that neither this build nor the kept one reads. Servers that read them stop being ready first. */
export const dropUnread = async (tools: Tools, kept: string | null): Promise<string[]> => {
  const { client, say, untilNoticed } = tools;
  const names = await unread(client, kept);
  if (names.length === 0) return names;
  await untilNoticed(); // servers of this build are ready first
  await client.query('update installed set is_retired = true where name = any ($1)', [names]);
  crashPoint('lists: versions retired');
  say('dropping lists that only older builds read; first waiting until their servers are no longer ready');
  await untilNoticed();
  for (const name of names) {
    await drop(tools, name);
    crashPoint('lists: versions unread');
  }
  return names;
};

export interface InstallPlan {
  build: { name: string; table: string; rows: number; indexes: string[] }[];
  drop: string[];
}
/** What a run would build and drop, with about how many rows it would count. */
export const planInstall = async (client: pg.Client, keepsOther: boolean): Promise<InstallPlan> => {
  const plan: InstallPlan = { build: [], drop: await unread(client, keepsOther ? await otherBuild(client) : null) };
  for (const one of await missing(client)) {
    const { rows: found } = await client.query<{ rows: number; missing: string[] }>(
      `select
         -- A table that was never analysed: by its size.
         coalesce((
           select case when c.reltuples < 0 then pg_relation_size(c.oid) / 200 else c.reltuples end
           from pg_class c where c.oid = to_regclass($1)
         ), 0)::float8 as rows,
         array(
           select n from unnest($2::text[]) n
           where not exists (select from pg_index i where i.indexrelid = to_regclass(n) and i.indisvalid)
         ) as missing`,
      [one.table, one.indexes.map(fullNameOf)],
    );
    const { rows = 0, missing: indexes = [] } = found[0] ?? {};
    plan.build.push({ name: versionOf(one), table: one.table, rows, indexes });
  }
  return plan;
};
