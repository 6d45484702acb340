// schema.sql matches the migrations. PostgreSQL 18 prints it; older versions word some definitions differently.
// lanes: 15 18
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { listsMigration } from '../src/db/list-sql.ts';
import { lists } from '../src/db/lists.ts';
import { printSchema } from './helpers/print-schema.ts';
import { createWorld } from './helpers/world.ts';

const world = await createWorld();
const committed = readFileSync(new URL('../schema.sql', import.meta.url), 'utf8');

test('schema.sql matches the migrations (npm run refresh writes it)', async () => {
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

test('the migration of the lists matches their declarations (npm run refresh writes it)', () => {
  const printed = readFileSync(new URL('../migrations/0004_lists.sql', import.meta.url), 'utf8');
  assert.equal(printed, listsMigration(lists));
});

test('the schema reads the clock in one place only', () => {
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
