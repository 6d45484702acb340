// The initial load: writes all records of the platform, from one snapshot of its database, into a new folder.
//   node dump.ts <folder>
// manifest.json is written last. Its snapshot tells Commonhall which changes of the stream are already in the files.
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';

/** The tables that a platform loads (docs/loading-data.md). The view `commonhall_<table>` has the records of each. */
const tables = [
  'users',
  'agents',
  'sponsors',
  'sponsor_members',
  'bounties',
  'bounty_submissions',
  'bounty_submission_makers',
  'topics',
  'launches',
  'launch_topics',
  'launch_makers',
  'launch_claps',
  'collections',
  'contests',
  'collection_contests',
  'collection_holders',
  'repositories',
  'contest_submissions',
  'contest_submission_supporters',
  'timeline_items',
];

const lines = async function* (db: pg.Client, view: string, count: { rows: number }): AsyncGenerator<string> {
  await db.query(`declare records no scroll cursor for select to_jsonb(v)::text as line from ${view} v`);
  for (;;) {
    const { rows } = await db.query<{ line: string }>('fetch 1000 from records');
    if (rows.length === 0) break;
    count.rows += rows.length;
    yield rows.map(({ line }) => `${line}\n`).join('');
  }
  await db.query('close records');
};

const dump = async (db: pg.Client, folder: string): Promise<void> => {
  await db.query('begin isolation level repeatable read read only');
  const { rows } = await db.query<{ snapshot: string; views: string[] }>(`
    select pg_current_snapshot()::text as snapshot,
      array(select viewname::text from pg_views where viewname like 'commonhall\\_%') as views`);
  const { snapshot, views } = rows[0]!;
  const stray = views.filter((view) => !tables.includes(view.slice('commonhall_'.length)));
  if (stray.length > 0) throw new Error(`Commonhall has no table for these views: ${stray.join(', ')}`);
  const files: { file: string; table: string; rows: number }[] = [];
  for (const table of tables) {
    const file = `${table}.ndjson`;
    const count = { rows: 0 };
    const view = `commonhall_${table}`;
    const records = views.includes(view) ? lines(db, view, count) : [];
    await pipeline(Readable.from(records), createWriteStream(join(folder, file)));
    files.push({ file, table, ...count });
  }
  await db.query('commit');
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify({ snapshot, files }, null, 2)}\n`);
  console.log(`${folder}: ${files.reduce((sum, { rows: more }) => sum + more, 0)} records, snapshot ${snapshot}`);
};

const folder = process.argv[2];
if (folder === undefined) throw new Error('name a folder that does not exist yet');
mkdirSync(folder); // fails if it exists, so that two dumps never mix
const client = new pg.Client({ connectionString: process.env.PLATFORM_DATABASE_URL });
await client.connect();
try {
  await dump(client, folder);
} finally {
  await client.end();
}
