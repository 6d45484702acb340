// A shared cache in front: Debian's Varnish with its built-in VCL, and with deploy/varnish. Shows when a hidden row is gone
// from each. caches.long.test.ts has the rest.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Varnish } from '../../../test/helpers/varnish.ts';
import { startBuiltInVarnish, startVarnish } from '../../../test/helpers/varnish.ts';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
const { id: owner_id } = await world.add('users');
const api = await world.serve();

const urlOf = async (started: Promise<Varnish>): Promise<string> => {
  const { url, stop } = await started;
  after(stop);
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

test('Varnish with deploy/varnish does not show a hidden row after max-age', async () => {
  assert.deepEqual((await statusesAfterHide(await urlOf(startVarnish(api.url)))).slice(1), [404, 404]);
});

test('Varnish with its built-in VCL shows a hidden row once more in its grace time, as the docs say', async () => {
  assert.deepEqual((await statusesAfterHide(await urlOf(startBuiltInVarnish(api.url)))).slice(1), [200, 404]);
});
