// Widely used generators make clients from the unchanged openapi.json. The generators, and the older compiler that they
// need, are in generators/ with a lock file of their own, which only this test installs.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { needPrograms } from '../../../test/debian.ts';
import { operations } from '../src/index.ts';

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'commonhall-generators-'));
const ids = [...Object.keys(operations), 'getRegistrationFile', 'getStatus'].sort();

/** Runs a command of an installed package; if it fails, the error contains its output. */
const runPackage = async (entry: string, ...args: string[]): Promise<void> => {
  await run(process.execPath, [join('node_modules', entry), ...args], { cwd: folder }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${entry}: ${error.stdout}${error.stderr}`.slice(0, 5000));
    },
  );
};

/** Compiles sources of the folder with --strict. */
const compile = (...sources: string[]): Promise<void> =>
  runPackage(
    'typescript/bin/tsc',
    ...['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'],
    ...['--module', 'esnext', '--moduleResolution', 'bundler', ...sources],
  );

before(
  async () => {
    cpSync(join(here, 'generators'), folder, { recursive: true });
    cpSync(join(here, '../openapi.json'), join(folder, 'openapi.json'));
    // This Node first in PATH: the npm of another Node may resolve other versions.
    const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };
    await run('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder, env });
  },
  { timeout: 300_000 },
);
after(() => rmSync(folder, { recursive: true, force: true }));

test('openapi-typescript makes types that compile and have every operation', { timeout: 180_000 }, async () => {
  await runPackage('openapi-typescript/bin/cli.js', 'openapi.json', '--output', 'types.ts');
  const [, made = ''] = readFileSync(join(folder, 'types.ts'), 'utf8').split('export interface operations {');
  assert.deepEqual([...made.matchAll(/^ {4}(\w+): \{$/gm)].map(([, id]) => id!).sort(), ids);
  writeFileSync(
    join(folder, 'use-types.ts'),
    `import type { components, operations } from './types';
    type Answer = operations['getBounty']['responses'][200]['content']['application/json'];
    export const title = (answer: Answer): string => answer.data.title;
    export const logo = ({ logo }: components['schemas']['Sponsor']): string | null => logo;
    export const path: operations['getBounty']['parameters']['path'] = { slug: 'write-the-guide' };
    // @ts-expect-error a key that the contract does not have
    export const wrong = (answer: Answer): unknown => answer.data.titel;`,
  );
  await compile('use-types.ts', 'types.ts');
});

test('@hey-api/openapi-ts makes a client that compiles and has every operation', { timeout: 180_000 }, async () => {
  await runPackage('@hey-api/openapi-ts/bin/run.js', '--input', 'openapi.json', '--output', 'client', '--no-log-file');
  const made = readFileSync(join(folder, 'client/sdk.gen.ts'), 'utf8');
  assert.deepEqual([...made.matchAll(/^export const (\w+) = </gm)].map(([, id]) => id!).sort(), ids);
  writeFileSync(
    join(folder, 'use-client.ts'),
    `import { getBounty, listCollections } from './client';
    export const title = async (): Promise<string | undefined> => {
      const { data, error } = await getBounty({ path: { slug: 'write-the-guide' } });
      return data?.data.title ?? error?.code;
    };
    export const total = async (): Promise<number | undefined> =>
      (await listCollections({ query: { pageSize: 5, sortBy: 'holdersCount' } })).data?.data.total;
    // @ts-expect-error a parameter that the contract does not have
    export const wrong = () => listCollections({ query: { limit: 5 } });`,
  );
  await compile('use-client.ts', 'client/index.ts');
});

test('quicktype makes Python classes that read every example', { timeout: 180_000 }, async () => {
  needPrograms({ '/usr/bin/python3': 'python3', '/usr/lib/python3/dist-packages/dateutil': 'python3-dateutil' });
  const from = ['--src-lang', 'schema', 'openapi.json#/components/schemas/'];
  await runPackage('quicktype/dist/index.js', '--lang', 'python', '--python-version', '3.7', '-o', 'hall.py', ...from);
  const { paths } = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')) as {
    paths: Record<string, { get: { responses: { 200: { content: { 'application/json': Media } } } } }>;
  };
  interface Media {
    schema: { $ref?: string };
    example: object;
  }
  const examples = Object.values(paths).flatMap(({ get }) => {
    const { schema, example } = get.responses[200].content['application/json'];
    const name = schema.$ref
      ?.replace(/.*\//, '')
      .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
      .toLowerCase();
    return name === undefined ? [] : [{ name, example }];
  });
  assert.equal(examples.length, ids.length);
  writeFileSync(join(folder, 'examples.json'), JSON.stringify(examples));
  writeFileSync(
    join(folder, 'use.py'),
    `import json, hall
for one in json.load(open('examples.json')):
    read = getattr(hall, one['name'] + '_from_dict')(one['example'])
    assert one['name'] == 'registration_file' or read.success and read.data is not None, one['name']
print(getattr(hall, 'agent_page_envelope_from_dict')(json.load(open('examples.json'))[0]['example']).data.items[0].name)
`,
  );
  const { stdout } = await run('/usr/bin/python3', ['use.py'], { cwd: folder });
  assert.match(stdout, /^[a-z-]+\n$/);
});
