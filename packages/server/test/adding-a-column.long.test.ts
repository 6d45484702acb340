// Follows the guide in CONTRIBUTING.md: adds a column in a copy of the repository, changes only the files that the guide
// names, and runs the tests there that would notice a forgotten one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Changes } from './helpers/guide.ts';
import { changedCopy, filesOf } from './helpers/guide.ts';

/** Adds the licence of a repository. */
const changes: Changes = {
  'packages/server/migrations/0002_tables.sql': [['ecosystem term_text, description', 'license term_text, ']],
  'packages/server/src/records/tables.ts': [['    ecosystem: maybe(term),', '    license: maybe(term),\n']],
  'packages/contract/src/repositories.ts': [
    [
      '    ecosystem: says(',
      "    license: says(orNull(Term), 'The licence of the repository; null when not known.'),\n",
    ],
  ],
  'packages/server/src/queries/repositories.ts': [['  r.ecosystem,', '  r.license,\n']],
  'test/helpers/platform.ts': [['ecosystem: null, description: null', 'license: null, ']],
  'packages/server/test/repositories.test.ts': [
    ['    ecosystem: null,\n    description: null,', '    license: null,\n'],
  ],
  'docs/fields.md': [['| ecosystem | `repositories', '| license | `repositories.license` | yes | given | all |\n']],
  'docs/loading-data.md': [['"ecosystem": null, "description": "Tide', '"license": "MIT", ']],
  'CHANGELOG.md': [['- The twenty operations', '- Repositories have a `license`.\n']],
};

test('the guide names exactly the files that a new column needs', () => {
  assert.deepEqual(filesOf('Adding a column', 'repositories').sort(), Object.keys(changes).sort());
});

test('a column added by the guide compiles, is written into the documents by refresh, and passes the tests', (t) => {
  const { run } = changedCopy(changes, (line) => t.diagnostic(line));
  run('refresh', ['test/refresh.ts']);
  run('types', ['node_modules/typescript/bin/tsc']);
  const names = ['every-operation', 'repositories', 'docs', 'change-examples', 'dataset', 'records', 'apply', 'schema'];
  run('tests', [
    'test/run.ts',
    ...names.map((name) => `packages/server/test/${name}.test.ts`),
    ...['openapi', 'examples'].map((name) => `packages/contract/test/${name}.test.ts`),
  ]);
});

test('a key that the query lacks is named: refresh rejects the example, and the first failing test says it, in few lines', () => {
  const { 'packages/server/src/queries/repositories.ts': _, ...others } = changes;
  const { failing } = changedCopy(others, () => {});
  assert.match(
    failing(['test/refresh.ts']),
    /breaks its contract: data\.items\[0\]\.(repository\.)?license is missing/,
  );
  const said = failing(['test/run.ts', 'packages/server/test/every-operation.test.ts'], {
    TEST_NAMES: 'listRepositories',
  });
  const [, first = ''] = said.split(/^✖ /m);
  assert.match(first, /listRepositories breaks its contract: data\.items\[0\]\.license is missing/);
  assert.ok(said.split('\n').length < 150, said);
});
