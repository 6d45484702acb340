// The docs agree with the code: fields, settings, errors, gaps and the tests that enforce them, dependencies, links.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { operations } from '@commonhall/contract';
import { errorStatus } from '@commonhall/contract/errors';
import { resources } from '@commonhall/contract/openapi-schemas';
import type { Operation } from '@commonhall/contract/operation';
import { docsWithTables } from '../../../test/helpers/doc-tables.ts';
import { missingResources } from '../../../test/helpers/specification-tables.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { verify } from '../src/db/schema/verify.ts';
import { gates } from '../src/gates.ts';
import { tables as recordTables } from '../src/records/tables.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(root + path, 'utf8');
const world = await createWorld();

/** The rows of the table under each heading, with trimmed cells, without the header and the line below it. */
const tables = (text: string): Map<string, string[][]> =>
  new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const rows = section.split('\n').filter((line) => line.startsWith('|'));
        return [
          section.split('\n')[0]!.trim(),
          rows.slice(2).map((row) =>
            row
              .split('|')
              .slice(1, -1)
              .map((cell) => cell.trim()),
          ),
        ];
      }),
  );

type Schema = { properties?: Record<string, { anyOf?: { type?: string }[] }>; required?: string[]; anyOf?: Schema[] };
/** The resources that operations return, single or in lists. Parts of resources have no section of their own. */
const answered = new Set([
  'RegistrationFile',
  ...Object.values<Operation>(operations).flatMap(({ data }) => {
    const { title, items, properties } = data as { title?: string; items?: object; properties?: { items?: Schema } };
    const inner = items ?? (properties?.items as { items?: object } | undefined)?.items ?? {};
    return [title, (inner as { title?: string }).title].filter((name) => name !== undefined && name !== 'ScoreTiers');
  }),
]);

test('docs/fields.md has every field of every resource, with its nullability and its origin', () => {
  const documented = tables(read('docs/fields.md'));
  for (const [name, schema] of Object.entries<Schema>(resources as unknown as Record<string, Schema>)) {
    if (!answered.has(name)) continue;
    const rows = documented.get(name);
    assert.ok(rows, `${name} has no section`);
    const { properties = {}, required = [] } = schema.anyOf?.[0] ?? schema;
    assert.deepEqual(rows.map(([field]) => field).sort(), Object.keys(properties).sort(), name);
    for (const [field = '', , nullable, origin] of rows) {
      const allowsNull = properties[field]?.anyOf?.some(({ type }) => type === 'null') ?? false;
      assert.equal(nullable, required.includes(field) ? (allowsNull ? 'yes' : 'no') : 'absent', `${name}.${field}`);
      assert.ok(['given', 'maintained', 'computed'].includes(origin!), `${name}.${field}`);
    }
  }
  assert.ok(answered.size > 15, String([...answered]));
});

/** The names in docs/fields.md: columns of the schema public, tables of the schema lists, and tables of lists. */
const namesIn = (text: string): string[] => [...new Set([...text.matchAll(/`(\w+\.\w+)`/g)].map(([, name]) => name!))];
/** The tables that the database maintains, without those of blocks by facet: each belongs to the table of blocks. */
const maintainedTables = async (): Promise<string[]> => {
  const { rows } = await world.owner.query<{ name: string }>(`
    select regexp_replace(table_schema, '_[0-9a-f]{8}$', '') || '.' || table_name as name from information_schema.tables
    where (table_schema = 'lists' or table_schema in (select name from installed)) and table_type = 'BASE TABLE'
      and table_name not like '%\\_facets'`);
  return rows.map(({ name }) => name);
};

test('docs/fields.md names every column and maintained table, and no others; a field that is never null has a not-null column', async () => {
  const text = read('docs/fields.md');
  const { rows } = await world.owner.query<{ name: string; nullable: boolean }>(`
    select table_name || '.' || column_name as name, is_nullable = 'YES' as nullable
    from information_schema.columns where table_schema = 'public'`);
  const columns = new Map(rows.map((row) => [row.name, row]));
  assert.deepEqual(namesIn(text).sort(), [...columns.keys(), ...(await maintainedTables())].sort());
  // Enforced by a check constraint or by the query instead: timestamps of public rows, the place of a winner.
  const checked = /^(bounties\.published_at|launches\.(published_at|launch_week)|bounty_submissions\.prize_place)$/;
  for (const [resource, fields] of tables(text))
    for (const [field, column = '', nullable, origin] of fields) {
      const [, name] = /^`(\w+\.\w+)`$/.exec(column) ?? [];
      if (name === undefined || nullable !== 'no' || origin !== 'given' || checked.test(name)) continue;
      assert.equal(columns.get(name)?.nullable, false, `${resource}.${field}: ${name} may be null`);
    }
});

test('docs/fields.md marks as maintained exactly the values that verify recounts', async () => {
  const { rows } = await world.owner.query<{ name: string }>(`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public'
      and (is_generated = 'ALWAYS' or column_name in ('is_taken_down', 'is_badge_public', 'is_collection_public', 'is_bounty_open'))`);
  const expected = [...rows.map(({ name }) => name), ...(await maintainedTables())];
  const lines = read('docs/fields.md').match(/^\|.*\| maintained \|.*$/gm) ?? [];
  assert.deepEqual(namesIn(lines.join('\n')).sort(), expected.sort());
  assert.equal((await verify(world.ownerUrl, false)).checked, expected.length);
});

test('docs/loading-data.md lists every table and column of the record format, in load order', () => {
  const [, list = ''] = read('docs/loading-data.md').split(/^## Tables$/m);
  const sections = list.split(/^### /m).slice(1);
  const documented = sections.map((section) => [
    section.split('\n')[0],
    [...section.matchAll(/^\| (\w+) \| (\w+) \| (yes|no) \| (public|private) \|$/gm)].map(([, ...cells]) =>
      cells.join(' '),
    ),
  ]);
  const listed = recordTables.map(({ name, columns }) => [
    name,
    Object.entries(columns).map(
      ([column, { kind, nullable, audience }]) => `${column} ${kind} ${nullable ? 'yes' : 'no'} ${audience}`,
    ),
  ]);
  assert.deepEqual(documented, listed);
});

test('the generated tables in the docs match the code (npm run refresh writes them)', () => {
  for (const { file, is, should } of docsWithTables()) assert.equal(is, should, file);
});

test('docs/calling.md lists every error code with its status', () => {
  const rows = [...read('docs/calling.md').matchAll(/^\| `([A-Z_]+)` \| (\d{3}) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  assert.deepEqual(rows, Object.entries(errorStatus));
});

test('docs/gaps.md has the twenty-two gaps, each with tests that exist', () => {
  const entries = read('docs/gaps.md').split(/^## /m).slice(1);
  assert.deepEqual(
    entries.map((entry) => entry.split(' ')[0]),
    Array.from({ length: 24 }, (_, index) => `G${index + 1}`),
  );
  for (const entry of entries) {
    const held = [...(/^Tests: (.*)$/m.exec(entry)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, path]) => path!);
    assert.ok(held.length > 0, entry.slice(0, 40));
    for (const path of held) assert.ok(existsSync(root + path), `${entry.split('\n')[0]} names ${path}`);
  }
});

test('docs/specification.md describes every resource, and has every section and rule that code and docs cite', () => {
  assert.deepEqual(missingResources(), []);
  const text = read('docs/specification.md');
  const sections = new Set([...text.matchAll(/^(?:#{2,3} |- \*\*)(\d+(?:\.\d+)?)\b/gm)].map(([, number]) => number!));
  assert.ok(sections.size > 45, String(sections.size));
  const files = globSync(
    ['*.md', 'docs/**/*.md', '{packages,bench,demo,drills,examples,release,test}/**/*.{ts,sql,md}'],
    { cwd: root, exclude: (path) => path.includes('node_modules') },
  );
  const cited = files.flatMap((file) =>
    [...read(file).matchAll(/\bspec (\d+(?:\.\d+)?(?:(?:, | to | and )\d+\.\d+)*)/g)].flatMap(([, numbers]) =>
      numbers!.split(/, | to | and /).map((number) => ({ file, number })),
    ),
  );
  assert.ok(cited.length > 20, String(cited.length));
  for (const { file, number } of cited) assert.ok(sections.has(number), `${file} cites spec ${number}`);
});

test('every direct production dependency has its reason in docs/decisions', () => {
  const reasons = read('docs/decisions/0005-parts.md');
  for (const file of globSync('packages/*/package.json', { cwd: root })) {
    const { dependencies = {} } = JSON.parse(read(file)) as { dependencies?: Record<string, string> };
    for (const name of Object.keys(dependencies))
      if (!name.startsWith('@commonhall/')) assert.ok(reasons.includes(`\`${name}\``), `${name} of ${file}`);
  }
});

test('the pictures of README.md are those of release/screens.ts: PNG files of its size', () => {
  for (const page of ['home', 'person'])
    for (const scheme of ['light', 'dark']) {
      const name = `docs/explore-${page}-${scheme}.png`;
      assert.ok(read('README.md').includes(name), name);
      const bytes = readFileSync(root + name);
      assert.deepEqual(
        [bytes.toString('latin1', 1, 4), bytes.readUInt32BE(16), bytes.readUInt32BE(20)],
        ['PNG', 1280, 800],
      );
    }
});

test('links between the documents lead to existing files', () => {
  const files = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], { cwd: root });
  assert.ok(files.length > 8);
  for (const file of files)
    for (const [, target] of read(file).matchAll(/\]\((?!https?:|#)([^)#]+)/g))
      assert.ok(existsSync(new URL(target!, `file://${root}${file}`)), `${file} links to ${target}`);
});

test('docs/operating.md lists the gates of gates.ts, in their order', () => {
  const [, section = ''] = read('docs/operating.md').split('\n### Overload\n');
  const listed = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `([^`]+)` \|/gm)].map(([, gate]) => gate);
  assert.deepEqual(listed, Object.keys(gates));
});

test('ARCHITECTURE.md is at most 150 lines', () => {
  assert.ok(read('ARCHITECTURE.md').split('\n').length <= 150);
});
