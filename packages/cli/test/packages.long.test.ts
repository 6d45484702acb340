// The installed packages on every supported version of Node and TypeScript. Downloads these versions, so it takes long.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createWorld } from '../../../test/helpers/world.ts';
import { compileWith, emptyProject, npm, releaseDryRun, root, runNode, uses } from './helpers/installed.ts';

const world = await createWorld();
const api = await world.serve();
const project = await emptyProject(await releaseDryRun());

/** Installs a package from the registry in a new folder. */
const install = async (what: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-with-'));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  await npm(folder, 'install', '--no-audit', '--no-fund', what);
  return join(folder, 'node_modules');
};

for (const major of [20, 22, 24])
  test(`client, contract, command line and tools under Node ${major}`, { timeout: 300_000 }, async (t) => {
    const modules = await install(`node@${major}`);
    // npm may not have run the install script of the package; it puts the platform's binary in place.
    await runNode(join(modules, 'node'), 'installArchSpecificPackage.js').catch(() => '');
    const node = join(modules, 'node/bin/node');
    const got = await uses(project, node, api.url);
    t.diagnostic(node);
    assert.equal(got, 'all good');
  });

for (const wanted of ['5.4', '5.9', '7.0'])
  test(`strict types under TypeScript ${wanted}`, { timeout: 300_000 }, async () => {
    const modules = wanted === '7.0' ? join(root, 'node_modules') : await install(`typescript@~${wanted}.0`);
    await assert.doesNotReject(compileWith(join(modules, 'typescript'), project, 'use.ts'));
  });
