// Contests: the display status at a given time, and single submissions with supporters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
const { add, owner } = world;
const now = '2026-03-02T12:00:00Z';
const api = await world.serve({ FIXED_NOW: now, MAX_AGE_SECONDS: '60' });

const user = await add('users', { id: 'u0' });
const contest = (id: string, more: object = {}) => add('contests', { id, created_by_id: user.id, ...more });
await contest('past', { voting_end: '2026-03-02T12:00:00Z', submission_start: '2026-01-01T00:00:00Z', fields: null });
await contest('soon', {
  voting_end: '2026-03-02T12:00:07.900Z',
  submission_start: '2026-01-02T00:00:00Z',
  fields: [],
  tracks: [{ id: 't1', name: 'Main', description: null, prizePool: '10' }],
  judge_user_ids: ['u0', 'gone'],
});
await contest('later', {
  voting_end: '2027-01-01T00:00:00Z',
  submission_start: '2026-01-03T00:00:00Z',
  status: 'VOTING',
});
await contest('hidden', { voting_end: '2026-03-02T12:00:01Z', status: 'DRAFT' });

const list = async (query: Parameters<typeof api.client.listContests>[0]) => {
  const { items, total } = await api.client.listContests(query);
  return [items.map(({ id, displayStatus }) => `${id} ${displayStatus}`), total];
};

test('a contest is completed once its voting has ended, also in the filter and its totals', async () => {
  assert.deepEqual(await list({}), [['later active', 'soon active', 'past completed'], 3]);
  assert.deepEqual(await list({ displayStatus: 'active' }), [['later active', 'soon active'], 2]);
  assert.deepEqual(await list({ displayStatus: 'completed' }), [['past completed'], 1]);
  await assert.rejects(api.client.listContests({ displayStatus: 'OPEN' as 'active' }), { code: 'VALIDATION_ERROR' });
});

test('totals are exact with many active contests and count no hidden ones, in short and long lists', async () => {
  const fill = (prefix: string, count: number, votingEnd: string) =>
    owner.query(
      `insert into contests (id, slug, title, short_description, details, rules, prize_pool, status, direct_link_enabled,
         submission_start, submission_end, voting_start, voting_end, created_by_id, created_at, updated_at)
       select id, id, 't', 's', 'd', 'r', 'p', case when n % 3 = 0 then 'DRAFT' else 'OPEN' end, true,
         $3::timestamptz, $3, $3, $3::timestamptz + n * interval '1 minute', 'u0', $3, $3
       from generate_series(1, $2::int) n cross join lateral (select $1 || n as id) i`,
      [prefix, count, votingEnd],
    );
  const totals = async () => {
    const of = async (displayStatus?: 'active' | 'completed') => {
      const { total, items } = await api.client.listContests({
        ...(displayStatus && { displayStatus }),
        pageSize: 100,
      });
      assert.equal(items.length, Math.min(100, total));
      return total;
    };
    return [await of(), await of('active'), await of('completed')];
  };
  await fill('many-', 330, '2026-04-01T00:00:00Z');
  assert.deepEqual(await totals(), [223, 222, 1]);
  await fill('old-', 600, '2025-01-01T00:00:00Z');
  assert.deepEqual(await totals(), [623, 222, 401]);
  await owner.query(`delete from contests where id like 'many-%' or id like 'old-%'`);
});

test('the list is never fresh beyond the next end of a voting', async () => {
  for (const query of ['', '?displayStatus=completed', '?page=99'])
    assert.equal(
      (await api.get(`/contests${query}`)).headers.get('cache-control'),
      'public, max-age=7, must-revalidate',
      query,
    );
});

test('a contest has its tracks, judges and fields; fields may be null', async () => {
  const { items } = await api.client.listContests();
  const [, soon, past] = items;
  assert.deepEqual(soon?.tracks, [{ id: 't1', name: 'Main', description: null, prizePool: '10' }]);
  assert.deepEqual(soon?.judgeUserIds, ['u0', 'gone']);
  assert.deepEqual([soon?.fields, past?.fields], [[], null]);
});

const tiers = ['SILVER', 'GOLD', 'BRONZE', 'PLATINUM', 'GOLD', 'SILVER', 'NEW'];

test('a submission has user, repository, clapCount and the first five supporters by tier, time and id', async () => {
  await add('repositories', { platform: 'github', platform_id: '1', owner: 'o', name: 'r' });
  await add('contest_submissions', {
    id: 'e1',
    contest_id: 'soon',
    user_id: user.id,
    status: 'WINNER',
    prize_place: 2,
    track_ids: ['t1'],
    moderation_reason: 'secret',
    repository_platform: 'github',
    repository_platform_id: '1',
  });
  for (const [index, tier] of tiers.entries()) {
    const supporter = await add('users', { id: `v${index}` });
    await add('contest_submission_supporters', {
      submission_id: 'e1',
      user_id: supporter.id,
      voting_tier: tier,
      created_at: `2026-01-0${7 - index}T00:00:00Z`,
    });
  }
  const entry = await api.client.getContestSubmission({ contestId: 'soon', submissionId: 'e1' });
  assert.deepEqual(
    entry.supportersPreview.items.map(({ userId, votingTier }) => `${userId} ${votingTier}`),
    ['v3 PLATINUM', 'v4 GOLD', 'v1 GOLD', 'v5 SILVER', 'v0 SILVER'],
  );
  assert.deepEqual([entry.supportersPreview.totalCount, entry.clapCount], [7, 7]);
  assert.deepEqual([entry.user.id, entry.userId, entry.repository?.name, entry.prizePlace], ['u0', 'u0', 'r', 2]);
  assert.equal(entry.moderationReason, null);
});

test('clapCount is the stored value, or the number of supporters if that is null', async () => {
  const counts = async () => {
    const entry = await api.client.getContestSubmission({ contestId: 'soon', submissionId: 'e1' });
    return [entry.clapCount, entry.supportersPreview.totalCount];
  };
  for (const [given, shown] of [
    [12, 12],
    [0, 0],
    [null, 7],
  ]) {
    await owner.query(`update contest_submissions set clap_count = $1 where id = 'e1'`, [given]);
    assert.deepEqual(await counts(), [shown, 7]);
  }
});

test('fields and tracks are returned unchanged, with any keys', async () => {
  const given = [{ any: { thing: [1, null] } }, {}, { id: 't', more: true }];
  await contest('open-shape', { submission_start: '2026-04-01T00:00:00Z', fields: given, tracks: given });
  const [first] = (await api.client.listContests()).items;
  assert.deepEqual([first?.id, first?.fields, first?.tracks], ['open-shape', given, given]);
  await owner.query(`delete from contests where id = 'open-shape'`);
});

test('a repository that was taken down is shown as null', async () => {
  const repository = async () =>
    (await api.client.getContestSubmission({ contestId: 'soon', submissionId: 'e1' })).repository?.name;
  await owner.query(`insert into takedowns (table_name, key, created_at) values ('repositories', '{github,1}', now())`);
  assert.equal(await repository(), undefined);
  await owner.query('delete from takedowns');
  assert.equal(await repository(), 'r');
});

test('a missing repository is null; the wrong contest, an unknown status or a hidden contest is 404', async () => {
  await add('contest_submissions', { id: 'e2', contest_id: 'soon', user_id: user.id });
  assert.equal((await api.client.getContestSubmission({ contestId: 'soon', submissionId: 'e2' })).repository, null);
  const missing = (contestId: string, submissionId: string) =>
    assert.rejects(api.client.getContestSubmission({ contestId, submissionId }), {
      message: 'Contest submission not found',
      status: 404,
    });
  await missing('past', 'e2');
  await owner.query(`update contest_submissions set status = 'approved' where id = 'e2'`);
  await missing('soon', 'e2');
  await owner.query(`update contests set status = 'DRAFT' where id = 'soon'`);
  await missing('soon', 'e1');
});

test('a contest is looked up by id first and then by slug, and is fresh until its voting ends', async () => {
  const contest = { created_by_id: 'someone', voting_end: '2026-06-01T00:00:40.000Z' };
  await add('contests', { ...contest, id: 'one', slug: 'two' });
  await add('contests', { ...contest, id: 'two', slug: 'three' });
  const fixed = await world.serve({ FIXED_NOW: '2026-06-01T00:00:00.000Z', MAX_AGE_SECONDS: '600' });
  const idOf = async (idOrSlug: string) => (await fixed.client.getContest({ idOrSlug })).id;
  assert.deepEqual([await idOf('one'), await idOf('two'), await idOf('three')], ['one', 'two', 'two']);
  assert.match(
    (await fixed.get('/contests/two')).headers.get('cache-control') ?? '',
    /^public, max-age=(3\d|40), must-revalidate$/,
  );
  await owner.query(`update contests set status = 'DRAFT' where id = 'two'`);
  assert.equal(await idOf('two'), 'one');
  assert.equal((await fixed.get('/contests/three')).status, 404);
});

test('a submission in the list equals the single submission; a track that it names twice counts once', async () => {
  const { id: contestId } = await add('contests', { created_by_id: 'someone' });
  const { id: userId } = await add('users');
  await add('contest_submissions', { id: 'twice', contest_id: contestId, user_id: userId, track_ids: ['a', 'a', 'b'] });
  const { items, total } = await api.client.listContestSubmissions({ contestId, trackId: 'a' });
  assert.equal(total, 1);
  assert.deepEqual(items, [await api.client.getContestSubmission({ contestId, submissionId: 'twice' })]);
  await owner.query(`update contest_submissions set track_ids = '["b"]' where id = 'twice'`);
  assert.equal((await api.client.listContestSubmissions({ contestId, trackId: 'a' })).total, 0);
});

test('the paths below a contest take its slug too; an id comes first, and a contest that is not public is none', async () => {
  const { id: user_id } = await add('users');
  await add('contests', { id: 'slug-one', slug: 'by-slug', created_by_id: user_id });
  await add('contests', { id: 'second-one', slug: 'slug-one', created_by_id: user_id });
  await add('contests', { id: 'hidden-one', slug: 'hidden-slug', created_by_id: user_id, status: 'DRAFT' });
  for (const contest_id of ['slug-one', 'second-one', 'hidden-one'])
    await add('contest_submissions', { id: `of-${contest_id}`, contest_id, user_id });
  const below = async (contestId: string) =>
    (await api.client.listContestSubmissions({ contestId })).items.map(({ id }) => id);
  assert.deepEqual(await below('by-slug'), ['of-slug-one']);
  assert.deepEqual(await below('slug-one'), ['of-slug-one']);
  assert.deepEqual(await below('second-one'), ['of-second-one']);
  const one = await api.client.getContestSubmission({ contestId: 'by-slug', submissionId: 'of-slug-one' });
  assert.equal(one.contestId, 'slug-one');
  await assert.rejects(api.client.getContestSubmission({ contestId: 'slug-one', submissionId: 'of-second-one' }), {
    code: 'NOT_FOUND',
  });
  for (const contestId of ['hidden-one', 'hidden-slug', 'nothing']) {
    await assert.rejects(below(contestId), { code: 'NOT_FOUND', message: 'Contest not found' });
    await assert.rejects(api.client.getContestSubmission({ contestId, submissionId: 'of-hidden-one' }), {
      code: 'NOT_FOUND',
    });
  }
});
