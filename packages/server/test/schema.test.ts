// schema.sql matches the migrations. PostgreSQL 18 prints it; older versions word some definitions differently.
// lanes: 15 18
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { golden } from '../../../test/helpers/golden.ts';
import { printSchema } from '../../../test/helpers/print-schema.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { lists } from '../src/db/lists/declarations.ts';

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

test('two lists and the versions of all are those that the declarations give (npm run refresh writes them)', () => {
  for (const { file, text } of golden) assert.equal(readFileSync(file, 'utf8'), text, file.pathname);
});

test('lists are leaves: no migration names one, and none creates a trigger on one', () => {
  const folder = new URL('../migrations/', import.meta.url);
  for (const { name } of lists)
    for (const file of readdirSync(folder).filter((each) => each.endsWith('.sql'))) {
      const text = readFileSync(new URL(file, folder), 'utf8');
      assert.doesNotMatch(text, new RegExp(`\\blists\\.${name}\\b|\\b${name}_[0-9a-f]{8}\\b`), `${file} ${name}`);
    }
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
