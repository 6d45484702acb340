// A large collection that is shown again: its holders and badges follow in steps, and nothing is shown that is hidden.
// HOLDERS=50000 shows how long one step holds the writer lock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from '../../../test/helpers/world.ts';
import { verify } from '../src/db/schema/verify.ts';
import { takeSteps, takesSteps } from '../src/operator/steps.ts';

const world = await createWorld();
const { owner, add } = world;
const holders = Number(process.env.HOLDERS ?? 5500);
const badges = Math.ceil(holders / 3);
const { address } = await add('collections');
await owner.query(
  `insert into users (id, username, display_name, status, tags) select 'h' || n, 'holder-' || n, 'H', 'ACTIVATED', '[]'
   from generate_series(1, ${holders}) n`,
);
await owner.query(
  `insert into collection_holders (user_id, collection_address, acquired_at) select 'h' || n, $1, now() from generate_series(1, ${holders}) n`,
  [address],
);
await owner.query(
  `insert into timeline_items (user_id, id, type, date, details)
   select 'h' || n, 'i' || n, 'BADGE_RECEIVED', now(), jsonb_build_object('collectionAddress', $1::text, 'collectionName', 'c', 'image', null, 'itemIndex', 1)
   from generate_series(1, ${badges}) n`,
  [address],
);
const { get } = await world.serve();

const show = (visibility: string) => owner.query(`update collections set visibility = ${visibility}`);
const number = async (sql: string): Promise<number> =>
  Number((await owner.query<{ n: string }>(`select count(*) as n from ${sql}`)).rows[0]?.n);
const shown = async (): Promise<[number, number]> => [
  await number('collection_holders where is_collection_public'),
  await number('timeline_items where is_badge_public'),
];
const isRight = async () => assert.deepEqual((await verify(world.ownerUrl, false)).drifts, []);
const totalOf = async (path: string): Promise<number> =>
  ((await (await get(path)).json()) as { data: { total: number } }).data.total;
const all: [number, number] = [holders, badges];

test('other SQL shows and hides everything in its transaction', async () => {
  await show(`'hidden'`);
  assert.deepEqual(await shown(), [0, 0]);
  await show('null');
  assert.deepEqual(await shown(), all);
  assert.equal(await number('lists.collections_in_steps'), 0);
});

test('a session of our own shows them in steps; its holders are all listed at once, and nothing counts as wrong', async (t) => {
  await owner.query(takesSteps);
  await show(`'hidden'`);
  assert.deepEqual(await shown(), [0, 0], 'hiding is never in steps');
  const began = performance.now();
  await show('null');
  const times = [performance.now() - began];
  assert.deepEqual(await shown(), [0, 0]);
  assert.equal(await totalOf(`/collections/${address}/holders`), holders);
  assert.equal(await totalOf('/users/holder-1/badges'), 0);
  let steps = 0;
  await takeSteps(owner, () => ++steps > 2);
  const [some] = await shown();
  assert.ok(some > 0 && some < holders, String(some));
  await isRight();
  let last = performance.now();
  await takeSteps(owner, () => {
    times.push(performance.now() - last);
    last = performance.now();
    return false;
  });
  t.diagnostic(`${holders} holders: ${times.length} transactions, the longest ${Math.round(Math.max(...times))} ms`);
  assert.deepEqual(await shown(), all);
  assert.equal(await totalOf('/users/holder-1/badges'), 1);
  assert.equal(await number('lists.collections_in_steps'), 0);
  await isRight();
});

test('a collection that is hidden again, or deleted, between two steps stays hidden', async () => {
  await show(`'hidden'`);
  await show('null');
  let steps = 0;
  await takeSteps(owner, () => ++steps > 2);
  await show(`'hidden'`);
  await takeSteps(owner);
  assert.deepEqual(await shown(), [0, 0]);
  await isRight();
  await show('null');
  await owner.query('delete from collections');
  await takeSteps(owner);
  assert.deepEqual(await shown(), [0, 0]);
  assert.equal(await number('lists.collections_in_steps'), 0);
  await isRight();
});
