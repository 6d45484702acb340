// Sponsors: which bounties a caller sees, by role, and which error comes first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
const { add } = world;
const api = await world.serve();

const [acme, rival] = [await add('sponsors', { id: 'acme' }), await add('sponsors', { id: 'rival' })];
const user = async (role?: string, more: object = {}) => {
  const { id } = await add('users', { ...more });
  if (role !== undefined) await add('sponsor_members', { sponsor_id: acme.id, user_id: id, role });
  return api.as(await world.keyFor(id));
};
const callers = {
  MEMBER: await user('MEMBER'),
  ADMIN: await user('ADMIN'),
  OWNER: await user('OWNER'),
  GUEST: await user('GUEST'),
  member: await user('member'),
  stranger: await user(),
  god: await user(undefined, { god_mode: true }),
};
await add('bounties', {
  id: 'open',
  sponsor_id: acme.id,
  created_at: '2026-01-03T00:00:00Z',
  published_at: '2026-01-01T00:00:00Z',
});
await add('bounties', {
  id: 'review',
  sponsor_id: acme.id,
  status: 'REVIEW',
  created_at: '2026-01-02T00:00:00Z',
  published_at: '2026-01-02T00:00:00Z',
});
await add('bounties', {
  id: 'draft',
  sponsor_id: acme.id,
  status: 'DRAFT',
  created_at: '2026-01-04T00:00:00Z',
  published_at: null,
  review_end: null,
});
await add('bounties', { id: 'strange', sponsor_id: acme.id, status: 'open', created_at: '2026-01-01T00:00:00Z' });
await add('bounties', { id: 'theirs', sponsor_id: rival.id, created_at: '2026-01-05T00:00:00Z' });

const mine = async (who: keyof typeof callers) => (await callers[who].listMyBounties()).items.map(({ id }) => id);

test('the public list has only public bounties, newest publication first', async () => {
  const { items, total } = await api.client.listSponsorBounties({ sponsorId: 'acme' });
  assert.deepEqual([items.map(({ id }) => id), total], [['review', 'open'], 2]);
});

test('MEMBER, ADMIN and OWNER see every bounty of their sponsor, newest first', async () => {
  for (const who of ['MEMBER', 'ADMIN', 'OWNER'] as const)
    assert.deepEqual(await mine(who), ['draft', 'open', 'review', 'strange'], who);
  const { items } = await callers.MEMBER.listMyBounties();
  assert.deepEqual([items[0]?.publishedAt, items[0]?.reviewEnd], [null, null]);
});

test('any other role sees only public bounties, a stranger sees none, and god_mode sees all', async () => {
  for (const who of ['GUEST', 'member'] as const) assert.deepEqual(await mine(who), ['open', 'review'], who);
  assert.deepEqual(await mine('stranger'), []);
  assert.deepEqual(await mine('god'), ['theirs', 'draft', 'open', 'review', 'strange']);
});

test('submissions are 404 for an unknown sponsor, then 403 for a role too low, then 404 for a foreign or unknown bounty', async () => {
  const ask = (who: keyof typeof callers, sponsorId: string, bountyId: string) =>
    callers[who].listSponsorBountySubmissions({ sponsorId, bountyId }).then(
      () => 'OK',
      ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
    );
  assert.equal(await ask('MEMBER', 'acme', 'draft'), 'OK');
  for (const who of ['GUEST', 'member', 'stranger', 'god'] as const)
    for (const bounty of ['open', 'draft', 'theirs', 'nothing'])
      assert.match(await ask(who, 'acme', bounty), /^FORBIDDEN/, who);
  assert.match(await ask('MEMBER', 'rival', 'theirs'), /^FORBIDDEN/);
  assert.equal(
    await ask('MEMBER', 'acme', 'theirs'),
    'NOT_FOUND: Bounty not found; give its id, not its slug: GET /bounties shows both',
  );
  assert.equal(
    await ask('MEMBER', 'acme', 'nothing'),
    'NOT_FOUND: Bounty not found; give its id, not its slug: GET /bounties shows both',
  );
  for (const who of ['MEMBER', 'stranger', 'god'] as const)
    assert.equal(await ask(who, 'nobody', 'open'), 'NOT_FOUND: Sponsor not found');
});

test('the paths and the filter below a sponsor take its slug too; an id comes first, and the role is that in the sponsor found', async () => {
  // The slug of one sponsor is the id of another, of which the caller is no member.
  await add('sponsors', { id: 'tricky', slug: 'acme-slug' });
  await add('sponsors', { id: 'other', slug: 'tricky' });
  await add('bounties', { id: 'of-tricky', slug: 'of-tricky', sponsor_id: 'tricky' });
  await add('bounties', { id: 'of-other', slug: 'of-other', sponsor_id: 'other' });
  const { id: userId } = await add('users');
  await add('sponsor_members', { sponsor_id: 'other', user_id: userId, role: 'MEMBER' });
  const member = api.as(await world.keyFor(userId));
  const idsBelow = async (sponsorId: string) =>
    (await api.client.listSponsorBounties({ sponsorId })).items.map(({ id }) => id);
  const idsWith = async (sponsorId: string) => (await api.client.listBounties({ sponsorId })).items.map(({ id }) => id);
  for (const [given, found] of [
    ['tricky', ['of-tricky']],
    ['acme-slug', ['of-tricky']],
    ['other', ['of-other']],
  ] as const) {
    assert.deepEqual(await idsBelow(given), found, given);
    assert.deepEqual(await idsWith(given), found, given);
  }
  assert.deepEqual(await idsWith('nobody'), []);
  assert.equal((await api.client.listBounties({ sponsorId: 'nobody', status: 'OPEN' })).total, 0);
  const mine = (sponsorId: string, bountyId: string) => member.listSponsorBountySubmissions({ sponsorId, bountyId });
  await assert.rejects(
    mine('tricky', 'of-other'),
    { code: 'FORBIDDEN' },
    'the id of a sponsor, not the slug of one’s own',
  );
  assert.equal((await mine('other', 'of-other')).total, 0);
  await assert.rejects(mine('acme-slug', 'of-tricky'), { code: 'FORBIDDEN' });
});
