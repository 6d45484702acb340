// schema.sql is what the migrations make. Printed by PostgreSQL 18; older ones word some definitions differently.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { listsMigration } from '../src/db/list-sql.ts';
import { lists } from '../src/db/lists.ts';
import { printSchema } from './helpers/print-schema.ts';
import { createWorld } from './helpers/world.ts';

const world = await createWorld();
const committed = readFileSync(new URL('../schema.sql', import.meta.url), 'utf8');

test('schema.sql is what the migrations make (npm run refresh prints it again)', async () => {
  const { rows } = await world.owner.query<{ major: number }>(
    `select current_setting('server_version_num')::int / 10000 as major`,
  );
  const printed = await printSchema(world.ownerUrl);
  const names = (text: string) =>
    [...text.matchAll(/^(create (?:table|domain) \w+|CREATE (?:UNIQUE )?INDEX \w+|CREATE TRIGGER \w+)/gm)].map(
      ([name]) => name,
    );
  if (rows[0]?.major === 18) assert.equal(printed, committed);
  else assert.deepEqual(names(printed), names(committed));
});

test('the migration of lists is what their declarations make (npm run refresh prints it again)', () => {
  const printed = readFileSync(new URL('../migrations/0004_lists.sql', import.meta.url), 'utf8');
  assert.equal(printed, listsMigration(lists));
});

test('every migration begins by bounding its wait for locks', () => {
  const folder = new URL('../migrations/', import.meta.url);
  const files = readdirSync(folder);
  assert.ok(files.length > 0);
  for (const file of files)
    assert.match(readFileSync(new URL(file, folder), 'utf8'), /^set local lock_timeout = '5s';$/m, file);
});

test('a migration after the baseline takes the writer lock first', () => {
  const folder = new URL('../migrations/', import.meta.url);
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.sql') && name > '0006_read.sql'))
    assert.match(readFileSync(new URL(file, folder), 'utf8'), /^select take_writer_lock\(\);$/m, file);
});

test('time is read in one place only', () => {
  const calls = [
    ...committed.matchAll(
      /\b(now|clock_timestamp|statement_timestamp|transaction_timestamp)\(\)|\bCURRENT_TIMESTAMP\b/gi,
    ),
  ].map(([call]) => call);
  assert.deepEqual(
    calls.filter((call) => call !== 'api_now()'),
    ['statement_timestamp()'],
  );
});
