// Bounties: all values, when winners are announced, and the views of authors and sponsors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
const { add, owner } = world;
const api = await world.serve();

const sponsor = await add('sponsors', {
  id: 's1',
  slug: 'acme',
  name: 'Acme',
  logo: null,
  website: 'https://acme.example',
});
const author = await add('users', {
  id: 'u1',
  username: 'alice',
  display_name: 'Alice',
  tags: [
    { tag: 'DEVELOPER', tier: 'GOLD', contestName: 'Spring' },
    { tag: 'BUILDER', tier: 'SILVER', contestName: null },
    { tag: 'DEVELOPER', tier: 'GOLD', contestName: 'Autumn' },
  ],
});
const maker = await add('users', { id: 'u2', username: 'bob' });
const member = await add('users', { username: 'carol' });
await add('sponsor_members', { sponsor_id: sponsor.id, user_id: member.id, role: 'ADMIN' });
const [authorKey, memberKey] = [await world.keyFor(author.id), await world.keyFor(member.id)];
await add('bounties', {
  id: 'b1',
  slug: 'write',
  title: 'Write',
  rewards: [{ place: 1, amount: 10.25 }],
  fields: [{ label: 'Link', type: 'url', required: true }],
  image_url: 'https://i.example/1',
  sponsor_id: sponsor.id,
  published_at: '2026-01-02T03:04:05.678Z',
});
await add('bounty_submissions', {
  id: 'x1',
  bounty_id: 'b1',
  user_id: author.id,
  status: 'WINNER',
  prize_place: 1,
  moderation_reason: 'Well done',
  reward_wallet_address: 'wallet',
  field_values: [{ label: 'Link', type: 'url', value: 'https://w.example' }],
  additional_links: [{ name: 'Code', value: 'https://c.example' }],
  comment_count: 4,
  clap_count: 5,
  created_at: '2026-01-07T00:00:00Z',
});
await add('bounty_submission_makers', { submission_id: 'x1', user_id: maker.id, position: 1 });
await add('bounty_submission_makers', { submission_id: 'x1', user_id: author.id, position: 2 });
await add('bounty_submissions', {
  id: 'x2',
  bounty_id: 'b1',
  user_id: author.id,
  status: 'REJECTED',
  moderation_reason: 'No',
  prize_place: 1,
});
await add('bounty_submissions', {
  id: 'x3',
  bounty_id: 'b1',
  user_id: maker.id,
  status: 'PENDING',
  created_at: '2026-01-06T00:00:00Z',
});

const summary = (id: string, username: string, displayName: string, tags: object[] = []) => ({
  id,
  username,
  displayName,
  avatar: null,
  bio: null,
  status: 'ACTIVATED',
  tags,
});
const aliceTags = [
  { tag: 'DEVELOPER', tier: 'GOLD' },
  { tag: 'BUILDER', tier: 'SILVER' },
];
const complete = (at: string | null) => owner.query('update bounties set completed_at = $1 where id = $2', [at, 'b1']);

test('a bounty has every value; submissionCount counts public submissions only', async () => {
  const bounty = await api.client.getBounty({ slug: 'write' });
  const { sponsor: embedded, rewards, fields, publishedAt, completedAt, submissionCount, imageUrl } = bounty;
  assert.deepEqual(embedded, { id: 's1', slug: 'acme', name: 'Acme', logo: null, website: 'https://acme.example' });
  assert.deepEqual(rewards, [{ place: 1, amount: 10.25 }]);
  assert.deepEqual(fields, [{ label: 'Link', type: 'url', required: true }]);
  assert.deepEqual(
    [publishedAt, completedAt, submissionCount, imageUrl],
    ['2026-01-02T03:04:05.678Z', null, 2, 'https://i.example/1'],
  );
});

test('the list item has no details, completedAt, fields or updatedAt', async () => {
  const { items, total } = await api.client.listSponsorBounties({ sponsorId: 's1' });
  assert.equal(total, 1);
  for (const key of ['details', 'completedAt', 'fields', 'updatedAt']) assert.equal(key in items[0]!, false, key);
});

test('until completedAt is set, WINNER is shown as APPROVED, places are null and winners are []', async () => {
  const { items } = await api.client.listBountySubmissions({ bountyId: 'b1' });
  assert.deepEqual(
    items.map(({ id, status, prizePlace, moderationReason }) => [id, status, prizePlace, moderationReason]),
    [
      ['x1', 'APPROVED', null, null],
      ['x3', 'PENDING', null, null],
    ],
  );
  assert.deepEqual(await api.client.listBountyWinners({ bountyId: 'b1' }), []);
  const mine = await api.as(authorKey).listMyBountySubmissions({ bountyId: 'b1' });
  assert.deepEqual(
    mine.map(({ id, status, prizePlace, moderationReason }) => [id, status, prizePlace, moderationReason]),
    [
      ['x1', 'APPROVED', null, 'Well done'],
      ['x2', 'REJECTED', null, 'No'],
    ],
  );
});

test('once completedAt is set, the public view shows places and winners; a winner is the author, not a maker', async () => {
  await complete('2026-02-01T00:00:00Z');
  const { items, total } = await api.client.listBountySubmissions({ bountyId: 'b1' });
  assert.equal(total, 2);
  assert.deepEqual(items[0], {
    id: 'x1',
    title: items[0]?.title,
    description: 'A submission',
    fieldValues: [{ label: 'Link', type: 'url', value: 'https://w.example' }],
    additionalLinks: [{ name: 'Code', value: 'https://c.example' }],
    imageUrl: null,
    status: 'WINNER',
    moderationReason: null,
    prizePlace: 1,
    commentCount: 4,
    clapCount: 5,
    user: summary('u1', 'alice', 'Alice', aliceTags),
    makers: [summary('u2', 'bob', items[0]?.makers[0]?.displayName ?? ''), summary('u1', 'alice', 'Alice', aliceTags)],
    createdAt: '2026-01-07T00:00:00.000Z',
    updatedAt: '2026-01-05T00:00:00.000Z',
  });
  assert.deepEqual(await api.client.listBountyWinners({ bountyId: 'b1' }), [
    { prizePlace: 1, user: summary('u1', 'alice', 'Alice', aliceTags) },
  ]);
  await complete(null);
});

test('completed_at or the status COMPLETED completes a bounty; winners may share a place, the earlier submission first', async () => {
  await add('bounties', { id: 'b9', sponsor_id: (await add('sponsors')).id });
  const winner = (id: string, userId: string, place: number, day: string) =>
    add('bounty_submissions', {
      id,
      bounty_id: 'b9',
      user_id: userId,
      status: 'WINNER',
      prize_place: place,
      created_at: `2026-01-${day}T00:00:00Z`,
    });
  await winner('w1', author.id, 2, '01');
  await winner('w2', author.id, 1, '09');
  await winner('w3', maker.id, 1, '08');
  const shown = async () => {
    const winners = await api.client.listBountyWinners({ bountyId: 'b9' });
    const { items } = await api.client.listBountySubmissions({ bountyId: 'b9' });
    return [
      winners.map(({ prizePlace, user }) => `${prizePlace} ${user.username}`),
      items.map(({ status }) => status).join(' '),
    ];
  };
  const announced = [['1 bob', '1 alice', '2 alice'], 'WINNER WINNER WINNER'];
  const hidden = [[], 'APPROVED APPROVED APPROVED'];
  for (const [status, completedAt, expected] of [
    ['OPEN', null, hidden],
    ['COMPLETED', null, announced],
    ['REVIEW', '2026-02-01T00:00:00Z', announced],
    ['COMPLETED', '9999-01-01T00:00:00Z', announced],
    ['REVIEW', null, hidden],
  ] as const) {
    await owner.query(`update bounties set status = $1, completed_at = $2 where id = 'b9'`, [status, completedAt]);
    assert.deepEqual(await shown(), expected, `${status} ${completedAt}`);
  }
});

test('a public bounty may have no dates except its publication date', async () => {
  const none = { submission_start: null, submission_end: null, review_start: null, review_end: null };
  await add('bounties', { ...none, slug: 'Me', sponsor_id: (await add('sponsors')).id });
  const { submissionStart, submissionEnd, reviewStart, reviewEnd, publishedAt } = await api.client.getBounty({
    slug: 'Me',
  });
  assert.deepEqual([submissionStart, submissionEnd, reviewStart, reviewEnd], [null, null, null, null]);
  assert.equal(publishedAt, '2026-01-05T00:00:00.000Z');
});

test('the sponsor sees submissions in every state with their stored values, contest names and wallets', async () => {
  const { items, total } = await api.as(memberKey).listSponsorBountySubmissions({ sponsorId: 's1', bountyId: 'b1' });
  assert.equal(total, 3);
  const first = items.find(({ id }) => id === 'x1');
  assert.deepEqual(
    [first?.status, first?.prizePlace, first?.moderationReason, first?.rewardWalletAddress],
    ['WINNER', 1, 'Well done', 'wallet'],
  );
  assert.deepEqual(first?.user.tags, [
    { tag: 'DEVELOPER', tier: 'GOLD', contestName: 'Spring' },
    { tag: 'BUILDER', tier: 'SILVER', contestName: null },
    { tag: 'DEVELOPER', tier: 'GOLD', contestName: 'Autumn' },
  ]);
  assert.equal(items.find(({ id }) => id === 'x3')?.rewardWalletAddress, null);
});

test('the public list of hidden submissions is 403 for every caller; authors still see their own', async () => {
  await owner.query(`update bounties set submissions_visible = false where id = 'b1'`);
  await assert.rejects(api.client.listBountySubmissions({ bountyId: 'b1' }), {
    code: 'SUBMISSIONS_HIDDEN',
    status: 403,
  });
  assert.equal((await api.as(authorKey).listMyBountySubmissions({ bountyId: 'b1' })).length, 2);
  assert.equal((await api.client.getBounty({ slug: 'write' })).submissionCount, 2);
  await owner.query(`update bounties set submissions_visible = true where id = 'b1'`);
});

test('an author sees their submissions in a bounty that is not public; others get 404', async () => {
  await owner.query(`update bounties set status = 'DRAFT' where id = 'b1'`);
  assert.equal((await api.as(authorKey).listMyBountySubmissions({ bountyId: 'b1' })).length, 2);
  await assert.rejects(api.as(memberKey).listMyBountySubmissions({ bountyId: 'b1' }), { code: 'NOT_FOUND' });
  await owner.query(`update bounties set status = 'OPEN' where id = 'b1'`);
  assert.deepEqual(await api.as(memberKey).listMyBountySubmissions({ bountyId: 'b1' }), []);
});

test('a slug in place of an id gets 404 with a hint, with the same bytes as a hidden and an unknown bounty', async () => {
  const { id: sponsor_id } = await add('sponsors');
  await add('bounties', { id: 'hint-id', slug: 'hint-slug', sponsor_id });
  await add('bounties', { id: 'hint-hidden', slug: 'hint-hidden-slug', sponsor_id, status: 'DRAFT' });
  for (const what of ['submissions', 'winners']) {
    const answers = await Promise.all(
      ['hint-slug', 'hint-hidden-slug', 'hint-hidden', 'nothing'].map(async (id) =>
        (await api.get(`/bounties/${id}/${what}`)).text(),
      ),
    );
    assert.equal(new Set(answers).size, 1);
    assert.match(answers[0]!, /give its id, not its slug/);
  }
});

test('an id in place of a slug gets 404 with a hint, with the same bytes as a hidden and an unknown bounty', async () => {
  const answers = await Promise.all(
    ['hint-id', 'hint-hidden', 'hint-hidden-slug', 'nothing'].map(async (slug) =>
      (await api.get(`/bounties/${slug}`)).text(),
    ),
  );
  assert.equal(new Set(answers).size, 1);
  assert.match(answers[0]!, /"Bounty not found; give its slug, not its id: GET \/bounties shows both"/);
});
