// Every code block of the docs that can run, and what runs it. A block under a heading that is not in this table fails the
// test, so that no block is added without a decision.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const of = (name: string) => `packages/server/test/${name}{,.system}.test.ts`;
const drill = (name: string) => `drills/${name}.ts`;

/** By file and heading: the test or drill that runs the block or the commands in it, or why nothing does. */
const runners: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'README.md': {
    'Try it': 'packages/cli/test/quick-start.long.test.ts',
    'Call it': 'packages/cli/test/quick-start.long.test.ts',
    'Connect your platform': of('docs-commands'),
  },
  'CONTRIBUTING.md': {
    Contributing: 'not run: the tests themselves, with other numbers',
  },
  'docs/alerts.md': { '*': drill('alerts') },
  'docs/calling.md': {
    '*': of('docs-commands'),
    'The OpenAPI document': 'packages/contract/test/generators.system.test.ts',
    'Tools for AI agents': 'packages/cli/test/quick-start.long.test.ts',
  },
  'docs/changes.md': { '*': of('docs-commands') },
  'docs/demo.md': { 'The demo': of('demo'), 'The sample community as files': 'packages/sample/test/main.test.ts' },
  'docs/loading-data.md': {
    Import: of('records'),
    'A folder as the complete data': of('prune'),
    'In a file': of('apply'),
    Export: of('dataset'),
  },
  'docs/operating.md': {
    'The package': drill('systemd'),
    'The database': of('start-up'),
    'As an image': drill('image'),
    'As a service': drill('systemd'),
    'TLS by nginx': of('nginx'),
    'API keys': of('cli'),
    'Hiding rows': of('hide'),
    'Erasing a person': of('erase'),
    'Following the platform': of('follow'),
    'Rejected changes': of('apply'),
    Metrics: of('docs-commands'),
    Traces: 'not run: packages that are no part of the project',
    'Back up': drill('restore'),
    'The journal': drill('restore'),
    Restore: drill('restore'),
    'Without pgBackRest': of('restore'),
    'A database of an earlier build': 'not run: needs an earlier build',
    Replicas: drill('replica'),
    Mirrors: of('mirror'),
    Poolers: drill('pooler'),
  },
  'examples/platform/README.md': {
    'Trying it': of('docs-commands'),
    'With a log in between': of('relay'),
  },
  'packages/cli/README.md': { '*': 'packages/cli/test/packages.system.test.ts' },
  'packages/client/README.md': { '*': 'packages/cli/test/packages.system.test.ts' },
  'packages/contract/README.md': { '*': 'packages/cli/test/packages.system.test.ts' },
  'packages/server/README.md': { '*': 'packages/cli/test/packages.system.test.ts' },
};

const isRunnable = (language: string, text: string): boolean =>
  ['sh', 'ts', 'js', 'sql'].includes(language) || (language === '' && /^(\$ )?(curl|commonhall|npx) /m.test(text));

/** The headings of a page that have a block to run. */
const headingsWithBlocks = (markdown: string): string[] => {
  const found = new Set<string>();
  let heading = '';
  for (const [, title, language, text] of markdown.matchAll(/^#{1,6} (.*)$|^ *```(\w*)\n([\s\S]*?)^ *```$/gm)) {
    if (title !== undefined) heading = title;
    else if (isRunnable(language!, text!)) found.add(heading);
  }
  return [...found];
};

test('every code block that can run is run by a test or a drill, or the table says why not', () => {
  const files = globSync(['*.md', 'docs/**/*.md', 'examples/*/*.md', 'packages/*/README.md'], { cwd: root });
  let blocks = 0;
  for (const file of files)
    for (const heading of headingsWithBlocks(readFileSync(root + file, 'utf8'))) {
      const runner = runners[file]?.[heading] ?? runners[file]?.['*'];
      assert.ok(runner !== undefined, `${file}, "${heading}" has a block that nothing runs`);
      assert.ok(
        runner.startsWith('not run: ') || globSync(runner, { cwd: root }).length === 1,
        `${file}, "${heading}": ${runner}`,
      );
      blocks += 1;
    }
  assert.ok(blocks > 40, String(blocks));
});

test('the table names no heading that has no block', () => {
  for (const [file, own] of Object.entries(runners)) {
    const headings = headingsWithBlocks(readFileSync(root + file, 'utf8'));
    for (const heading of Object.keys(own))
      assert.ok(heading === '*' || headings.includes(heading), `${file} ${heading}`);
  }
});
