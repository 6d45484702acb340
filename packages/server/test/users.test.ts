// Users: the timeline with its badges, and the score tiers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
const { add, owner } = world;
const api = await world.serve();

const user = await add('users', { username: 'alice' });
await add('users', { username: 'exile', status: 'BANNED' });
await add('collections', { address: 'open', source: 'internal', status: 'ACTIVE' });
await add('collections', { address: 'draft', source: 'internal', status: 'DRAFT' });
const repository = { platform: 'github', owner: 'o', name: 'r' };
const badge = (address: string) => ({
  collectionAddress: address,
  collectionName: 'Badge',
  image: 'https://i.example',
  itemIndex: 3,
});
const items = [
  ['i1', 'COMMIT', '2026-01-03', { sha: 'abc', message: 'Fix "it"', url: 'https://g.example', repository, extra: [1] }],
  [
    'i2',
    'PR',
    '2026-01-01',
    {
      number: 5,
      title: 'T',
      state: 'merged',
      url: 'https://g.example',
      mergedAt: '2026-01-01T00:00:00.000Z',
      repository,
    },
  ],
  ['i3', 'BADGE_RECEIVED', '2026-01-02', badge('open')],
  ['i4', 'BADGE_RECEIVED', '2026-01-02', badge('draft')],
  ['i5', 'GIFT_RECEIVED', '2026-01-02', { giftId: 'g', name: 'Gift', image: null, from: 'bob' }],
] as const;
for (const [id, type, day, details] of items)
  await add('timeline_items', { user_id: user.id, id, type, date: `${day}T00:00:00Z`, details });

const read = async (query: object = {}) => {
  const { items: shown, ...rest } = await api.client.getUserTimeline({ username: 'alice', ...query });
  return { types: shown.map(({ type }) => type).join(' '), ...rest };
};

test('items are sorted oldest first, equal dates by id; badges of drafts are in neither items nor total', async () => {
  assert.deepEqual(await read(), {
    types: 'PR BADGE_RECEIVED GIFT_RECEIVED COMMIT',
    total: 4,
    offset: 0,
    count: 20,
    hasMore: false,
  });
  const { items: shown } = await api.client.getUserTimeline({ username: 'alice', type: 'COMMIT' });
  assert.deepEqual(shown, [{ type: 'COMMIT', date: '2026-01-03T00:00:00.000Z', details: items[0][3] }]);
});

test('offset and count are as requested; hasMore says whether items follow', async () => {
  assert.deepEqual(await read({ offset: 1, count: 2 }), {
    types: 'BADGE_RECEIVED GIFT_RECEIVED',
    total: 4,
    offset: 1,
    count: 2,
    hasMore: true,
  });
  assert.deepEqual(await read({ offset: 2, count: 2 }), {
    types: 'GIFT_RECEIVED COMMIT',
    total: 4,
    offset: 2,
    count: 2,
    hasMore: false,
  });
  assert.deepEqual(await read({ offset: 4, count: 2 }), { types: '', total: 4, offset: 4, count: 2, hasMore: false });
  assert.deepEqual(await read({ type: 'BADGE_RECEIVED' }), {
    types: 'BADGE_RECEIVED',
    total: 1,
    offset: 0,
    count: 20,
    hasMore: false,
  });
});

test('a change of a collection shows or hides its badges in the same transaction', async () => {
  await owner.query(`update collections set status = 'ACTIVE' where address = 'draft'`);
  assert.equal((await read()).total, 5);
  await owner.query(`update collections set status = 'DRAFT' where address = 'draft'`);
  assert.equal((await read()).total, 4);
  await owner.query(`delete from collections where address = 'open'`);
  assert.equal((await read()).total, 3);
});

test('no writer can set whether an item is public: a badge follows its collection, and every other item is shown', async () => {
  await add('collections', { address: 'late', source: 'internal', status: 'DRAFT' });
  const before = (await read()).total;
  const late = { user_id: user.id, id: 'i9', type: 'BADGE_RECEIVED', details: badge('late') };
  await assert.rejects(
    add('timeline_items', { ...late, is_public: true }),
    /non-DEFAULT value into column "is_public"/,
  );
  await assert.rejects(add('timeline_items', { ...late, is_badge_public: false }), /maintained by the database/);
  await add('timeline_items', { ...late, is_badge_public: true });
  await add('timeline_items', { user_id: user.id, id: 'i8' });
  assert.equal((await read()).total, before + 1);
  await assert.rejects(
    owner.query(`update timeline_items set is_badge_public = true where id = 'i9'`),
    /is_badge_public is maintained by the database/,
  );
  const gift = JSON.stringify({ giftId: 'g' });
  await owner.query(`update timeline_items set type = 'GIFT_RECEIVED', details = $1 where id = 'i9'`, [gift]);
  assert.equal((await read()).total, before + 2);
});

test('a badge without a collection is shown; a badge of an unknown collection is hidden until it is loaded', async () => {
  const evm = '0xAbCdEf0123456789aBcDeF0123456789AbCdEf01';
  const before = (await read({ type: 'BADGE_RECEIVED' })).total;
  const receive = (id: string, details: object) =>
    add('timeline_items', { user_id: user.id, id, type: 'BADGE_RECEIVED', details });
  await receive('n1', {});
  await receive('n2', { name: 'of no collection' });
  assert.equal((await read({ type: 'BADGE_RECEIVED' })).total, before + 2);
  await receive('n3', badge(evm.toUpperCase()));
  await receive('n4', badge(evm.toLowerCase()));
  assert.equal((await read({ type: 'BADGE_RECEIVED' })).total, before + 2);
  await add('collections', { address: evm });
  assert.equal((await read({ type: 'BADGE_RECEIVED' })).total, before + 4, 'in any spelling of the address');
  await owner.query(`update collections set visibility = 'hidden' where address = $1`, [evm]);
  assert.equal((await read({ type: 'BADGE_RECEIVED' })).total, before + 2);
  await owner.query(`delete from timeline_items where id in ('n1', 'n2', 'n3', 'n4')`);
});

test('details are returned unchanged, with any keys', async () => {
  const given = { nested: { list: [1, 0.5, null, 'ü'] }, '': '', __proto__x: true };
  await add('timeline_items', { user_id: user.id, id: 'o1', type: 'PR', date: '2026-12-01T00:00:00Z', details: given });
  const { items: shown } = await api.client.getUserTimeline({ username: 'alice', type: 'PR' });
  assert.deepEqual(shown.at(-1)?.details, given);
  await owner.query(`delete from timeline_items where id = 'o1'`);
});

test('a user is found by a name beyond ASCII, and is public with an active status in any case', async () => {
  for (const [username, status] of [
    ['Žofie', 'ACTIVE'],
    ['наташа', 'Activated'],
    ['me', 'active'],
  ] as const) {
    await add('users', { username, status });
    assert.equal((await api.client.getUserTimeline({ username })).total, 0, username);
  }
});

test('an unknown, hidden or differently spelt user is 404', async () => {
  for (const username of ['nobody', 'exile', 'Alice'])
    await assert.rejects(api.client.getUserTimeline({ username }), {
      code: 'NOT_FOUND',
      message: 'User not found; give the username, not the id',
    });
});

test('the score tiers have the five dimensions in order', async () => {
  const tiers = await api.client.getScoreTiers();
  assert.deepEqual(Object.keys(tiers), ['developer', 'builder', 'contributor', 'messenger', 'identity']);
  assert.deepEqual(tiers.identity.tiers, { silver: 20, gold: 60, platinum: { score: 100, percentile: 95 } });
  assert.deepEqual(
    tiers.identity.metrics.map(({ key }) => key),
    ['connectedAccounts', 'badges'],
  );
});

test('the score tiers are samples until the platform writes its own', async () => {
  const samples = async () =>
    (await owner.query<{ n: number }>('select count(*)::integer as n from score_tiers where is_sample')).rows[0]?.n;
  assert.equal(await samples(), 5);
  await owner.query(`update score_tiers set silver = 7, is_sample = false where dimension = 'identity'`);
  assert.equal(await samples(), 4);
  assert.equal((await api.client.getScoreTiers()).identity.tiers.silver, 7);
});
