// The packages of a release: built, checked, installed from their tarballs in an empty folder, compiled and run there.
// packages.long.test.ts does the same on older versions of Node and TypeScript.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { operations } from '@commonhall/contract';
import { version } from '@commonhall/contract/version';
import { published } from '../../../release/packages.ts';
import { eventually, patient, serveProcess } from '../../../test/helpers/process.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { compileWith, emptyProject, npm, releaseDryRun, root, runNode, uses } from './helpers/installed.ts';

const world = await createWorld();
const api = await world.serve();
let out: string;
let project: string;
before(
  async () => {
    out = await releaseDryRun();
    project = await emptyProject(out);
  },
  { timeout: 300_000 },
);

test('a release has tarballs, their checksums and a bill of materials with all dependencies', () => {
  const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
  assert.deepEqual(
    sums.map((line) => line.split('  ')[1]),
    [...published.map((name) => `commonhall-${name}-${version}.tgz`), 'sbom.cdx.json'],
  );
  const { components } = JSON.parse(readFileSync(join(out, 'sbom.cdx.json'), 'utf8')) as {
    components: { name: string }[];
  };
  const names = components.map(({ name }) => name);
  for (const name of ['client', 'contract', 'cli', 'typebox', 'commander', 'zod'])
    assert.ok(
      names.some((one) => one.endsWith(name)),
      `${name} in ${names}`,
    );
});

test('publint and attw find nothing', { timeout: 180_000 }, async () => {
  for (const name of published)
    await assert.doesNotReject(
      runNode(root, join(root, 'node_modules/publint/src/cli.js'), join(out, name), '--strict'),
    );
  for (const name of ['contract', 'client'])
    await assert.doesNotReject(
      runNode(
        root,
        join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js'),
        join(out, `commonhall-${name}-${version}.tgz`),
        ...['--profile', 'esm-only', '--format', 'ascii'],
      ),
    );
});

test('the client has no dependencies, is under 6 kB compressed, and its generated types equal those of the contract', {
  timeout: 180_000,
}, async () => {
  const manifest = JSON.parse(readFileSync(join(out, 'client/package.json'), 'utf8')) as { dependencies: object };
  assert.deepEqual(manifest.dependencies, {});
  const { build } = await import('esbuild');
  const bundle = await build({
    stdin: { contents: `export * from '@commonhall/client'`, resolveDir: project },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  const bytes = gzipSync(bundle.outputFiles[0]!.contents, { level: 9 }).length;
  assert.ok(bytes < 6000, `${bytes} bytes`);

  const file = join(project, 'same.ts');
  const contract = join(root, 'packages/contract/src');
  const client = join(root, 'packages/client/src');
  writeFileSync(
    file,
    `import type { OperationId } from '${contract}/table.ts';
    import type * as live from '${client}/types.ts';
    import type * as written from '@commonhall/client';
    type Flat<T> = T extends object ? { [K in keyof T]: Flat<T[K]> } : T;
    type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
    export const sameData: { [Id in OperationId]: Same<Flat<live.Data<Id>>, Flat<written.Data<Id>>> } = {
      ${Object.keys(operations)
        .map((id) => `${id}: true,`)
        .join('\n')}
    };
    export const sameArgs: { [Id in OperationId]: Same<Flat<live.Args<Id>>, Flat<written.Args<Id>>> } = {
      ${Object.keys(operations)
        .map((id) => `${id}: true,`)
        .join('\n')}
    };
    // @ts-expect-error the comparison notices a difference
    export const different: Same<Flat<live.Data<'getAgent'>>, Flat<written.Data<'getUser'>>> = true;`,
  );
  await compileWith(
    join(root, 'node_modules/typescript'),
    project,
    'same.ts',
    '--allowImportingTsExtensions',
    '--skipLibCheck',
  );
});

test('installed in an empty folder, the types compile strictly, and client, command line and MCP tools work', {
  timeout: 180_000,
}, async () => {
  await compileWith(join(root, 'node_modules/typescript'), project, 'use.ts');
  assert.equal(await uses(project, process.execPath, api.url), 'all good');
});

test('the server, installed as the systemd unit describes, is at the path of ExecStart and serves data and reference', {
  timeout: 300_000,
}, async () => {
  const unit = readFileSync(join(root, 'deploy/systemd/commonhall.service'), 'utf8');
  const [, place, program] = /^ExecStart=(\/opt\/commonhall)(\S+) serve$/m.exec(unit)!;
  assert.match(unit, new RegExp(`npm install --global --prefix ${place} @commonhall/server`));
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-global-'));
  const tarballs = ['contract', 'server'].map((name) => join(out, `commonhall-${name}-${version}.tgz`));
  await npm(
    folder,
    'install',
    '--global',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    ...tarballs,
  );
  const main = join(folder, program!);
  assert.equal((await runNode(folder, main, '--version')).trim(), version);
  const server = await serveProcess(world.readerUrl, patient, undefined, main);
  try {
    await eventually(async () => assert.equal((await fetch(`${server.url}/readyz`)).status, 200));
    assert.deepEqual(
      await (await fetch(`${server.url}/users/scores/tiers`)).json(),
      await (await fetch(`${api.url}/users/scores/tiers`)).json(),
    );
    assert.equal((await fetch(`${server.url}/docs/reference`)).status, 200);
  } finally {
    assert.equal((await server.stop()).status, 0);
  }
});
