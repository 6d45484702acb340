// A shared cache in front: Debian's Varnish with its built-in VCL, and with the lines that the docs print. Shows when a
// hidden row is gone from each.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { printedBlocks } from '../../../drills/printed.ts';
import { needPrograms } from '../../../test/debian.ts';
import { eventually } from '../../../test/helpers/process.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { freePort } from '../../../test/postgres.ts';

needPrograms({ varnishd: 'varnish', cc: 'gcc' });
const world = await createWorld();
const { id: owner_id } = await world.add('users');
const api = await world.serve();

/** Starts Varnish in front of the server; without VCL it has its built-in one. */
const startVarnish = async (vcl: string | null): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-varnish-'));
  const port = await freePort();
  const { host, port: backendPort } = new URL(api.url);
  const file = join(folder, 'default.vcl');
  const backend = `vcl 4.1;\nbackend default { .host = "127.0.0.1"; .port = "${backendPort}"; }\n`;
  writeFileSync(file, `${backend}${vcl ?? ''}`);
  const child = spawn(
    '/usr/sbin/varnishd',
    ['-F', '-n', folder, '-a', `127.0.0.1:${port}`, '-j', 'none', ...(vcl === null ? ['-b', host] : ['-f', file])],
    { stdio: 'ignore' },
  );
  after(async () => {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => assert.equal((await fetch(`${url}/healthz`)).status, 200));
  return url;
};

/** The statuses of a row that is hidden after it was cached: at once, after 3 s (its max-age is 1 s), and then again. */
const statusesAfterHide = async (cache: string): Promise<number[]> => {
  const { id, name } = await world.add('agents', { owner_id });
  const status = async () => (await fetch(`${cache}/agents/${name}`)).status;
  assert.deepEqual([await status(), await status()], [200, 200]);
  await world.owner.query(`update agents set visibility = 'hidden' where id = $1`, [id]);
  const statuses = [await status()];
  await sleep(3000);
  statuses.push(await status());
  await sleep(500);
  return [...statuses, await status()];
};

test('Varnish with the lines of the docs does not show a hidden row after max-age', async () => {
  const [vcl = ''] = printedBlocks('docs/operating.md', 'A cache in front', 'vcl');
  assert.deepEqual((await statusesAfterHide(await startVarnish(vcl))).slice(1), [404, 404]);
});

test('Varnish with its built-in VCL shows a hidden row once more in its grace time, as the docs say', async () => {
  assert.deepEqual((await statusesAfterHide(await startVarnish(null))).slice(1), [200, 404]);
});
