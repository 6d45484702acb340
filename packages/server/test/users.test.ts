// Users: the timeline with its badges, and the score tiers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from './helpers/world.ts';

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

test('items come oldest first, equal dates by id; badges of drafts are in neither items nor total', async () => {
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

test('offset and count are what was asked for; hasMore says whether items follow', async () => {
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

test('a change of the collection flips its badges in the same transaction', async () => {
  await owner.query(`update collections set status = 'ACTIVE' where address = 'draft'`);
  assert.equal((await read()).total, 5);
  await owner.query(`update collections set status = 'DRAFT' where address = 'draft'`);
  assert.equal((await read()).total, 4);
  await owner.query(`delete from collections where address = 'open'`);
  assert.equal((await read()).total, 3);
});

test('whatever a writer says: a badge has the visibility of its collection, every other item is public', async () => {
  await add('collections', { address: 'late', source: 'internal', status: 'DRAFT' });
  const before = (await read()).total;
  await add('timeline_items', { user_id: user.id, id: 'i8', is_public: false });
  await add('timeline_items', {
    user_id: user.id,
    id: 'i9',
    type: 'BADGE_RECEIVED',
    details: badge('late'),
    is_public: true,
  });
  assert.equal((await read()).total, before + 1);
  const gift = JSON.stringify({ giftId: 'g', name: 'Gift', image: null, from: null });
  await owner.query(`update timeline_items set type = 'GIFT_RECEIVED', details = $1 where id = 'i9'`, [gift]);
  assert.equal((await read()).total, before + 2);
});

test('an unknown, hidden or differently spelt user is 404', async () => {
  for (const username of ['nobody', 'exile', 'Alice'])
    await assert.rejects(api.client.getUserTimeline({ username }), { code: 'NOT_FOUND', message: 'User not found' });
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
