// Repositories: search, filters and sorts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
const { add } = world;
const api = await world.serve();

const rows = [
  {
    platform: 'github',
    platform_id: '1',
    owner: 'Acme',
    name: 'wallet',
    category: 'defi',
    ecosystem: 'one',
    importance: 'high',
    status: 'ECOSYSTEM',
  },
  {
    platform: 'github',
    platform_id: '2',
    owner: 'acme',
    name: 'Walrus',
    category: 'nft',
    ecosystem: 'two',
    importance: 'low',
    status: 'REVIEWED',
  },
  {
    platform: 'gitlab',
    platform_id: '1',
    owner: 'zeta',
    name: 'acme_tools',
    status: 'SOMETHING',
    contributors_count: 9,
  },
];
for (const [index, row] of rows.entries())
  await add('repositories', {
    ...row,
    created_at: `2026-01-0${index + 1}T00:00:00Z`,
    updated_at: `2026-01-0${9 - index}T00:00:00Z`,
  });

const keys = async (query: Parameters<typeof api.client.listRepositories>[0]) => {
  const { items, total } = await api.client.listRepositories(query);
  assert.equal(total, items.length);
  return items.map(({ platform, platformId }) => `${platform}/${platformId}`);
};
const [one, two, three] = ['github/1', 'github/2', 'gitlab/1'];

test('a repository without optional values has null instead; importance is never shown', async () => {
  const [bare] = (await api.client.listRepositories({ platform: 'gitlab' })).items;
  assert.deepEqual(bare, {
    platform: 'gitlab',
    platformId: '1',
    owner: 'zeta',
    name: 'acme_tools',
    category: null,
    ecosystem: null,
    description: null,
    status: 'SOMETHING',
    contributorsCount: 9,
    platformCreatedAt: null,
    platformUpdatedAt: null,
    platformPushedAt: null,
    createdAt: '2026-01-03T00:00:00.000Z',
    updatedAt: '2026-01-07T00:00:00.000Z',
  });
});

test('search matches name, owner or owner/name in any case', async () => {
  assert.deepEqual(await keys({ q: 'ACME' }), [three, two, one]);
  assert.deepEqual(await keys({ q: 'wal' }), [two, one]);
  assert.deepEqual(await keys({ q: 'acme/wal' }), [two, one]);
  assert.deepEqual(await keys({ q: 'acme_' }), [three]);
  assert.deepEqual(await keys({ q: 'ta/ac' }), [three]);
  assert.deepEqual(await keys({ q: 'a' }), [three, two, one]);
});

test('filters match exactly and are joined by AND; a status outside the list is 400', async () => {
  assert.deepEqual(await keys({ category: 'defi' }), [one]);
  assert.deepEqual(await keys({ ecosystem: 'two' }), [two]);
  assert.deepEqual(await keys({ importance: 'high' }), [one]);
  assert.deepEqual(await keys({ platform: 'github' }), [two, one]);
  assert.deepEqual(await keys({ status: 'REVIEWED' }), [two]);
  assert.deepEqual(await keys({ platform: 'github', category: 'nft', q: 'wal' }), [two]);
  assert.deepEqual(await keys({ category: 'Defi' }), []);
  await assert.rejects(
    api.client.listRepositories({ status: 'SOMETHING' as 'REVIEWED' }),
    /one of ECOSYSTEM, NEED_REVIEW, REVIEWED/,
  );
});

test('lists sort by bytes in both directions, with the key as tie-breaker in the same direction', async () => {
  assert.deepEqual(await keys({ sortBy: 'createdAt', sortOrder: 'asc' }), [one, two, three]);
  assert.deepEqual(await keys({ sortBy: 'updatedAt', sortOrder: 'asc' }), [three, two, one]);
  assert.deepEqual(await keys({ sortBy: 'name', sortOrder: 'asc' }), [two, three, one]);
  assert.deepEqual(await keys({ sortBy: 'owner', sortOrder: 'asc' }), [one, two, three]);
  assert.deepEqual(await keys({ sortBy: 'owner' }), [three, two, one]);
});
