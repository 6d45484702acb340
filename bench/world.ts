// The data set of the benchmarks: sample data of the requested scale in its own PostgreSQL, created once and reused.
// COPY loads it without triggers and indexes, and the maintained values are then rebuilt: this takes minutes, not an
// hour.
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { demoNow, demoPictures } from '../packages/sample/src/cast.ts';
import type { ScaleName } from '../packages/sample/src/scales.ts';
import { scales } from '../packages/sample/src/scales.ts';
import { worldOf } from '../packages/sample/src/world.ts';
import { migrate } from '../packages/server/src/db/schema/migrate.ts';
import { rebuild } from '../packages/server/src/db/schema/verify.ts';
import { tables } from '../packages/server/src/records/tables.ts';
import type { PrivatePostgres } from '../test/postgres.ts';
import { startPostgres } from '../test/postgres.ts';

/** The folder of a data set, or of the peers, which is reused by later runs. */
export const worldFolder = (name: string): string =>
  join(process.env.BENCH_FOLDER ?? '/var/tmp/commonhall-bench', name);

const settings = {
  shared_buffers: '4GB',
  max_wal_size: '16GB',
  maintenance_work_mem: '1GB',
  track_io_timing: 'off',
};

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const field = (value: unknown): string => {
  if (value === null || value === undefined) return '\\N';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/[\\\n\r\t]/g, (letter) => escapes[letter]!);
};

const copyTable = async (
  client: pg.Client,
  name: string,
  columns: string[],
  rows: Iterable<Record<string, unknown>>,
) => {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i
     where i.indrelid = $1::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [name],
  );
  for (const index of indexes) await client.query(`drop index ${index.name}`);
  const stream = client.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`));
  let chunk = '';
  let count = 0;
  for (const row of rows) {
    count += 1;
    chunk += `${columns.map((column) => field(row[column])).join('\t')}\n`;
    if (chunk.length < 262_144) continue;
    if (!stream.write(chunk)) await once(stream, 'drain');
    chunk = '';
  }
  stream.end(chunk);
  await finished(stream);
  for (const index of indexes) await client.query(index.definition);
  return count;
};

const load = async (url: string, scale: ScaleName, say: (line: string) => void): Promise<void> => {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('set session_replication_role = replica'); // no triggers, no foreign keys: the rows are valid
  const world = worldOf({ seed: 42, scale: scales[scale], now: demoNow, pictures: demoPictures });
  for (const { name, columns } of tables) {
    const make = world[name];
    if (make === undefined) continue;
    if (name === 'score_tiers') await client.query('delete from score_tiers');
    say(`${name}: ${await copyTable(client, name, Object.keys(columns), make())} rows`);
  }
  await client.query('analyze'); // otherwise the rebuild below would be planned for empty tables
  await client.end();
  await rebuild(url);
};

/** Migrates the database, and loads the data set unless it exists. */
const fill = async (url: string, scale: ScaleName, marker: string, say: (line: string) => void): Promise<void> => {
  await migrate(url, say);
  if (!existsSync(marker)) {
    const began = Date.now();
    say(`loading the ${scale} data set, once …`);
    await load(url, scale, say);
    writeFileSync(marker, '');
    say(`loaded in ${Math.round((Date.now() - began) / 1000)} s`);
  }
  const client = new pg.Client(url);
  await client.connect();
  await client.query(
    `do $$ begin create role bench login in role commonhall_reader; exception when duplicate_object then null; end $$`,
  );
  await client.query('vacuum analyze');
  await client.end();
};

/** Opens the database with the data set. Creates it if it does not exist, and applies newer migrations. */
export const openWorld = async (scale: ScaleName, say: (line: string) => void): Promise<PrivatePostgres> => {
  const home = worldFolder(scale);
  mkdirSync(home, { recursive: true, mode: 0o755 });
  const postgres = await startPostgres(settings, join(home, 'postgres'));
  try {
    await fill(postgres.url, scale, join(home, 'ready'), say);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return postgres;
};
