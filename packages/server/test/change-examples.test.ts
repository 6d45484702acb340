// The examples of changes in docs/loading-data.md: a complete put for each table that changes can write, and a delete.
// They match the printed schema, and when they are applied in order no change is rejected.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createWorld } from '../../../test/helpers/world.ts';
import { printSchema } from '../src/commands/schema.ts';
import { changeTables } from '../src/feed/change.ts';
import { applyFile } from '../src/feed/file.ts';

interface Example {
  op: 'put' | 'delete';
  table: string;
  record?: Record<string, unknown>;
}
const text = readFileSync(new URL('../../../docs/loading-data.md', import.meta.url), 'utf8');
const changesIn = (part: string): Example[] =>
  [...part.matchAll(/```json\n(\{"op"[^`]+)```/g)].map(([, body]) => JSON.parse(body!) as Example);
const sections = new Map(
  text
    .split(/^## Tables$/m)[1]!
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.split('\n')[0]!, changesIn(section)]),
);
const puts = changeTables.flatMap(({ name }) => sections.get(name) ?? []);
const deletes = changesIn(/^## Changes$[\s\S]*?(?=^## )/m.exec(text)![0]).filter(({ op }) => op === 'delete');

const { owner } = await createWorld();
const linesOf = (examples: Example[]) =>
  Readable.from(examples.map((example) => Buffer.from(`${JSON.stringify(example)}\n`)));

test('every table that changes can write has one example, with every column that a platform writes', () => {
  assert.deepEqual(
    puts.map(({ op, table }) => [op, table]),
    changeTables.map(({ name }) => ['put', name]),
  );
  assert.deepEqual(sections.get('api_keys'), []);
  for (const [index, { name, columns }] of changeTables.entries())
    assert.deepEqual(
      Object.keys(puts[index]?.record ?? {}),
      Object.keys(columns).filter((column) => columns[column]?.absentAs === undefined),
      name,
    );
  assert.equal(deletes.length, 1);
});

test('every example matches the schema that `commonhall schema` prints', () => {
  const lines: string[] = [];
  printSchema(undefined, (line) => lines.push(line));
  const isInstant = (value: string) => !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value;
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': isInstant } });
  const validate = ajv.compile(JSON.parse(lines.join('\n')) as object);
  for (const example of [...puts, ...deletes])
    assert.ok(validate(example), `${example.table}: ${ajv.errorsText(validate.errors)}`);
});

test('applied in order, no example is rejected, every table gets a row, and the delete removes one', async () => {
  const { read, left } = await applyFile(owner, linesOf(puts));
  assert.deepEqual([read, left], [changeTables.length, []]);
  const rowsOf = async (table: string) =>
    (await owner.query(`select from ${table} ${table === 'score_tiers' ? 'where not is_sample' : ''}`)).rowCount;
  for (const { name } of changeTables) assert.equal(await rowsOf(name), 1, name);
  const { left: afterDelete } = await applyFile(owner, linesOf(deletes));
  assert.deepEqual(afterDelete, []);
  for (const { table } of deletes) assert.equal(await rowsOf(table), 0, table);
});
