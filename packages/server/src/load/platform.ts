// Writes a load from the platform's own database: the rows of its views commonhall_<table>, from one snapshot, as a
// folder for `import --prune`. The manifest is written last; its snapshot tells the follower which changes are in the
// files already.
import { createWriteStream, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { prunedTables } from './manifest.ts';

const viewOf = (name: string): string => `commonhall_${name}`;

async function* linesOf(client: pg.Client, view: string, count: { rows: number }): AsyncGenerator<string> {
  await client.query(`declare records no scroll cursor for select to_jsonb(v)::text as line from ${view} v`);
  for (;;) {
    const { rows } = await client.query<{ line: string }>('fetch 1000 from records');
    if (rows.length === 0) break;
    count.rows += rows.length;
    yield rows.map(({ line }) => `${line}\n`).join('');
  }
  await client.query('close records');
}

/** Returns the number of records. The folder must not exist, so that two loads never mix. Its files may be private. */
export const writeLoad = async (client: pg.Client, folder: string): Promise<number> => {
  if (existsSync(folder)) throw new Error(`${folder} exists already; name a new folder`);
  mkdirSync(folder, { mode: 0o700 });
  try {
    return await writeFiles(client, folder);
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
};

const writeFiles = async (client: pg.Client, folder: string): Promise<number> => {
  await client.query('begin isolation level repeatable read read only');
  const { rows } = await client.query<{ snapshot: string; views: string[]; isStandby: boolean }>(`
    select pg_current_snapshot()::text as snapshot, pg_is_in_recovery() as "isStandby",
      array(select c.relname::text from pg_class c where c.relkind = 'v' and c.relname like 'commonhall\\_%'
        and pg_table_is_visible(c.oid)) as views`);
  const { snapshot = '', views = [], isStandby = false } = rows[0] ?? {};
  // Its snapshot does not name the transactions in progress.
  if (isStandby) throw new Error('PLATFORM_DATABASE_URL is a standby: load from the primary');
  const known = prunedTables.map(({ name }) => viewOf(name));
  const unknown = views.filter((view) => !known.includes(view));
  if (unknown.length > 0) throw new Error(`Commonhall has no table for these views: ${unknown.join(', ')}`);
  if (views.length === 0)
    throw new Error('the platform has no views commonhall_<table>; to make them: commonhall outbox <table>…');
  await client.query(
    `do $$ begin if to_regproc('check_outbox') is not null and has_function_privilege('check_outbox()', 'execute') then perform check_outbox(); end if; end $$`,
  );
  const files: { file: string; table: string; rows: number }[] = [];
  for (const { name: table } of prunedTables) {
    const file = `${table}.ndjson`;
    const count = { rows: 0 };
    const records = views.includes(viewOf(table)) ? linesOf(client, viewOf(table), count) : [];
    await pipeline(Readable.from(records), createWriteStream(join(folder, file), { mode: 0o600 }));
    files.push({ file, table, ...count });
  }
  await client.query('commit');
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify({ snapshot, files }, null, 2)}\n`, { mode: 0o600 });
  return files.reduce((sum, { rows: more }) => sum + more, 0);
};
