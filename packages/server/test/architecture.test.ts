// Rules of the architecture: allowed imports, length of files, installed packages. The import check is itself tested.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { operations } from '@commonhall/contract';
import { guards } from '../../../test/guards.ts';
import { misplaced } from '../../../test/helpers/mutations.ts';
import { plants } from '../../../test/plants.ts';
import { crashPoints } from '../src/crash-points.ts';
import { relayPoints, relaySource } from './helpers/relay-points.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Source {
  path: string;
  text: string;
}
/** [file, what it may import, what it may import as types only]. The first row that matches a file applies. */
const table: [where: RegExp, values: RegExp, types?: RegExp][] = [
  [/^contract\/src\/table$/, /^$/],
  [/^contract\/src\/errors$/, /^$/],
  [/^contract\/src\/url$/, /^contract\/src\/table$/],
  [/^contract\/src\//, /^(contract\/src\/|typebox)/],
  [/^client\/src\//, /^(client\/src\/|contract\/src\/(table|url|errors)$)/, /^contract\/src\//],
  [
    /^cli\/src\/mcp$/,
    /^(contract\/src\/|@commonhall\/client$|@modelcontextprotocol\/server(\/stdio)?$|node:(stream|timers\/promises)$)/,
  ],
  [/^cli\/src\//, /^(cli\/src\/|contract\/src\/|(@commonhall\/client|commander)$|node:)/],
  [/^sample\/src\//, /^(sample\/src\/|node:)/],
  [/^server\/src\/config$/, /^(node:fs|contract\/src\/nearest|server\/src\/settings)$/],
  [/^server\/src\/settings$/, /^server\/src\/setting-values$/],
  [/^server\/src\/setting-values$/, /^node:net$/],
  [/^server\/src\/log$/, /^(pino|node:(fs|net|tty))$/],
  [/^server\/src\/gates$/, /^$/],
  [/^server\/src\/crash-points$/, /^node:fs$/],
  // It installs what queries declare.
  [
    /^server\/src\/db\/lists\/install$/,
    /^(server\/src\/(db\/|crash-points$|changes\/log$|queries\/(agents|users)$)|contract\/src\/version$|node:)/,
    /^pg$/,
  ],
  [/^server\/src\/db\//, /^(server\/src\/(db\/|crash-points$|gates$)|contract\/src\/version$|pg$|node:)/],
  [/^server\/src\/records\//, /^(server\/src\/(records|visibility|db)\/|contract\/src\/|node:)/, /^pg$/],
  [/^server\/src\/visibility\//, /^(server\/src\/(records|visibility|db)\/|contract\/src\/)/, /^pg$/],
  [
    /^server\/src\/operator\//,
    /^(server\/src\/((operator|records|visibility|feed|db)\/|crash-points$)|contract\/src\/|node:)/,
    /^pg$/,
  ],
  [
    /^server\/src\/load\//,
    /^(server\/src\/((load|records|visibility|operator|db|changes)\/|crash-points$)|contract\/src\/|pg-copy-streams$|hyparquet-writer$|node:)/,
    /^pg$/,
  ],
  [
    /^server\/src\/feed\//,
    /^(server\/src\/((feed|records|visibility|operator|db|changes)\/|crash-points$)|contract\/src\/|@nats-io\/|node:)/,
    /^pg$/,
  ],
  [/^server\/src\/changes\//, /^(server\/src\/(changes|records|operator|db)\/|contract\/src\/|node:)/],
  [/^server\/src\/queries\//, /^(server\/src\/(db|queries)\/|contract\/src\/)/],
  [
    /^server\/src\/http\//,
    /^(server\/src\/(http\/|gates$)|contract\/src\/|(fastify|prom-client|jose|@redis\/client|ipaddr\.js|@modelcontextprotocol\/server)$|node:)/,
    /^server\/src\/(config|log|db\/|queries\/)/,
  ],
  [/^server\/src\/routes\//, /^(server\/src\/((http|queries|changes)\/|gates$)|contract\/src\/)/, /^fastify$/],
  // Pages call operations: they import neither queries nor the database.
  [
    /^server\/src\/explore\//,
    /^(server\/src\/(explore|http|site)\/|contract\/src\/|markdown-it$|node:fs$)/,
    /^(fastify|typebox)$/,
  ],
  [/^server\/src\/site\//, /^(server\/src\/(site|http)\/|contract\/src\/|node:)/, /^(fastify|server\/src\/config)$/],
  [
    /^server\/src\/app$/,
    /^(server\/src\/((http|routes|explore|site|db|queries)\/|gates$)|fastify$|node:)/,
    /^server\/src\/(config|log)$/,
  ],
  [
    /^server\/src\/commands\//,
    /^(server\/src\/(app|feed\/|db\/|load\/|operator\/|records\/|visibility\/|http\/|queries\/feed$|commands\/import$|crash-points$|setting-values$)|contract\/src\/printable$|node:)/,
    /^server\/src\/(config|log)$/,
  ],
  [
    /^server\/src\/main$/,
    /^(server\/src\/(commands\/|config$|crash-points$|log$)|contract\/src\/(version|printable)$|commander$)/,
  ],
];

/** A specifier as a path below packages/ without its extension, or as the name of a package. */
const resolve = (from: string, specifier: string): string => {
  if (specifier === '@commonhall/contract') return 'contract/src/index';
  if (specifier.startsWith('@commonhall/contract/'))
    return `contract/src/${specifier.slice('@commonhall/contract/'.length)}`;
  if (!specifier.startsWith('.')) return specifier;
  return new URL(specifier, `file:///${from}`).pathname.slice(1).replace(/\.ts$/, '');
};

const violations = (sources: Source[]): string[] =>
  sources.flatMap(({ path, text }) => {
    const here = path.replace(/\.ts$/, '');
    const row = table.find(([where]) => where.test(here));
    if (row === undefined) return [`${path} matches no row of the table`];
    const [, values, types] = row;
    const problems = text.trimEnd().split('\n').length > 300 ? [`${path} has more than 300 lines`] : [];
    // Static, re-exporting, bare and dynamic imports.
    const imports = text.matchAll(
      /^\s*(?:import|export)\s+(type\s)?[^;'"]*?from\s+['"]([^'"]+)['"]|^\s*import\s+()['"]([^'"]+)['"]|()\bimport\(\s*['"]([^'"]+)['"]/gm,
    );
    for (const [, type, named, , bare, , dynamic] of imports) {
      const target = resolve(path, named ?? bare ?? dynamic ?? '');
      const allowed = values.test(target) || (type !== undefined && types?.test(target) === true);
      if (!allowed) problems.push(`${path} imports ${target}`);
    }
    return problems;
  });

const sources = globSync('packages/*/src/**/*.ts', { cwd: root }).map((file) => ({
  path: file.slice('packages/'.length),
  text: readFileSync(root + file, 'utf8'),
}));

test('the table allows every import, and no file is longer than 300 lines', () => {
  assert.ok(sources.length > 50, `${sources.length} files read`);
  assert.deepEqual(violations(sources), []);
});

test('the check finds imports that the table forbids, files in no row and files that are too long', () => {
  const planted: [path: string, text: string][] = [
    ['contract/src/table.ts', `import { x } from './errors.ts';`],
    ['contract/src/agents.ts', `import pg from 'pg';`],
    ['client/src/client.ts', `import { operations } from '@commonhall/contract';`],
    ['client/src/client.ts', `import x from 'typebox';`],
    ['sample/src/world.ts', `import { tables } from '../../server/src/records/tables.ts';`],
    ['sample/src/world.ts', `import { operations } from '@commonhall/contract';`],
    ['server/src/commands/import.ts', `import { worldOf } from '@commonhall/sample/world';`],
    ['server/src/config.ts', `import { x } from './log.ts';`],
    ['server/src/db/connection/pool.ts', `import { x } from '../../queries/users.ts';`],
    ['server/src/db/connection/pool.ts', `import type { x } from '../../http/errors.ts';`],
    ['server/src/load/import.ts', `import { x } from '../http/errors.ts';`],
    ['server/src/load/import.ts', `import pg from 'pg';`],
    ['server/src/queries/users.ts', `import { x } from '../http/errors.ts';`],
    ['server/src/queries/users.ts', `import {\n  x,\n} from 'pg';`],
    ['server/src/http/route.ts', `import { x } from '../db/pool.ts';`],
    ['server/src/http/route.ts', `import { x } from '../routes/users.ts';`],
    ['server/src/routes/users.ts', `import { x } from './agents.ts';`],
    ['server/src/routes/users.ts', `import { x } from '../db/pool.ts';`],
    ['server/src/explore/users.ts', `import { x } from '../queries/users.ts';`],
    ['server/src/explore/users.ts', `import type { x } from '../db/page.ts';`],
    ['server/src/site/home.ts', `import { x } from '../routes/users.ts';`],
    ['server/src/site/home.ts', `import { x } from '../queries/users.ts';`],
    ['server/src/commands/serve.ts', `import { x } from './key.ts';`],
    ['server/src/main.ts', `import { x } from './db/pool.ts';`],
    ['server/src/main.ts', `const x = await import('./app.ts');`],
    ['server/src/main.ts', `import './app.ts';`],
    ['server/src/main.ts', `export { x } from './app.ts';`],
    ['server/src/stray.ts', ''],
    ['server/src/http/route.ts', '//\n'.repeat(301)],
  ];
  for (const [path, text] of planted)
    assert.equal(violations([{ path, text }]).length, 1, `${path}: ${text.slice(0, 60)}`);
});

test('only config.ts and settings.ts read the environment, and only a main.ts exits the process', () => {
  for (const { path, text } of sources) {
    if (!/^(server\/src\/config|cli\/src\/settings)\.ts$/.test(path)) assert.ok(!/process\.env\b/.test(text), path);
    if (!/^(server|sample|cli)\/src\/main\.ts$/.test(path)) assert.ok(!/process\.exit/.test(text), path);
  }
});

test('every crash point is called once, by what commands that write do, and the text of every point of the relay is there', () => {
  const calls = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\bcrashPoint\(\s*([^)]*)\)/g)].map(([, name]) => ({ path, name: name?.replaceAll("'", '') })),
  );
  assert.deepEqual(calls.map(({ name }) => name).sort(), [...crashPoints].sort());
  for (const { path } of calls)
    assert.match(
      path,
      /^server\/src\/(feed|load|operator|commands|db\/schema)\/|^server\/src\/db\/lists\/install\.ts$/,
    );
  for (const [name, text] of Object.entries(relayPoints)) assert.equal(relaySource().split(text).length, 2, name);
});

test('client, command line and tools name no operation: they are loops over the contract', () => {
  const loops = sources.filter(({ path }) => /^(client|cli)\/|\/(mcp|tools|url|llms)\.ts$/.test(path));
  assert.ok(loops.length > 12, `${loops.length} files read`);
  const kebab = (id: string) => id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const named = new RegExp(
    `\\b(${Object.keys(operations)
      .flatMap((id) => [id, kebab(id)])
      .join('|')})\\b`,
  );
  // `search` is also a part of a URL.
  for (const { path, text } of loops)
    assert.doesNotMatch(text.replace(/^ *\/\/.*$|\burl\.search\b/gm, ''), named, path);
});

interface Lock {
  packages: Record<string, { dev?: boolean; devOptional?: boolean; link?: boolean; hasInstallScript?: boolean }>;
}
const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as Lock;
const installed = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
);

test('there are at most 110 production packages', (t) => {
  const production = installed.filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true);
  t.diagnostic(`${production.length} production packages`);
  assert.ok(production.length > 10 && production.length <= 110, `${production.length}`);
});

test('exactly the packages that package.json allows have install scripts', () => {
  const { allowScripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    allowScripts: Record<string, boolean>;
  };
  const withScripts = installed
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  assert.deepEqual([...new Set(withScripts)].sort(), Object.keys(allowScripts).sort());
});

test('every dependency has an exact version', () => {
  for (const file of ['package.json', ...globSync('packages/*/package.json', { cwd: root })]) {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(root + file, 'utf8')) as Record<
      string,
      Record<string, string>
    >;
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      if (!name.startsWith('@commonhall/')) assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, `${file} ${name}`);
  }
});

test('every text that guards.ts and plants.ts replace is where their lists say', () => {
  assert.ok(guards.length >= 25 && plants.length >= 60);
  const all = [...guards, ...plants];
  assert.deepEqual(
    all.map((one) => misplaced(one)).filter((problem) => problem !== null),
    [],
  );
  for (const { what, tests } of all)
    for (const name of tests)
      assert.equal(globSync(`${name}{,.system}.test.ts`, { cwd: import.meta.dirname }).length, 1, `${what}: ${name}`);
});
