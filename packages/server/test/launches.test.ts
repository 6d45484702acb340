// Launches: all values, myClaps, featured order, and the week ranks that the database maintains.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
const { add, owner } = world;
const api = await world.serve();

const author = await add('users', { username: 'alice' });
const fan = await add('users', { username: 'fan' });
const fanKey = await world.keyFor(fan.id);
const topics = [await add('topics', { slug: 'b-topic' }), await add('topics', { slug: 'a-topic' })];

await add('launches', {
  id: 'l1',
  slug: 'first',
  submitted_by_id: author.id,
  code_host_url: 'https://code.example',
  screenshot_urls: ['https://i.example/1', 'https://i.example/2'],
  rating: 12,
  launch_week_rating: 5,
  comment_count: 3,
  featured_at: '2026-01-08T00:00:00Z',
});
for (const [index, topic] of topics.entries())
  await add('launch_topics', { launch_id: 'l1', topic_id: topic.id, position: index + 1 });
await add('launch_makers', { launch_id: 'l1', user_id: fan.id });
await add('launch_claps', { launch_id: 'l1', user_id: fan.id, claps: 9 });

const ranks = async () => {
  const { rows } = await owner.query<{ id: string; week_rank: number }>(
    'select l.id, r.week_rank from launches l join lists.launch_week_ranks r on r.launch_id = l.id order by l.launch_week, r.week_rank',
  );
  return rows.map(({ id, week_rank }) => `${id}:${week_rank}`).join(' ');
};

test('a launch has every value, with topics and makers in their order', async () => {
  const launch = await api.client.getLaunch({ slug: 'first' });
  assert.deepEqual(
    launch.topics.map(({ slug }) => slug),
    ['b-topic', 'a-topic'],
  );
  assert.deepEqual(
    launch.makers.map(({ username }) => username),
    ['fan'],
  );
  const {
    codeHostUrl,
    videoUrl,
    rating,
    launchWeekRating,
    commentCount,
    weekRank,
    launchWeek,
    featuredAt,
    screenshotUrls,
  } = launch;
  assert.deepEqual(
    { codeHostUrl, videoUrl, rating, launchWeekRating, commentCount, weekRank, launchWeek, featuredAt, screenshotUrls },
    {
      codeHostUrl: 'https://code.example',
      videoUrl: null,
      rating: 12,
      launchWeekRating: 5,
      commentCount: 3,
      weekRank: 1,
      launchWeek: '2026-01-05T00:00:00.000Z',
      featuredAt: '2026-01-08T00:00:00.000Z',
      screenshotUrls: ['https://i.example/1', 'https://i.example/2'],
    },
  );
});

test('myClaps is present for a caller with a credential and absent for an anonymous one', async () => {
  assert.equal('myClaps' in (await api.client.getLaunch({ slug: 'first' })), false);
  assert.equal((await api.as(fanKey).getLaunch({ slug: 'first' })).myClaps, 9);
  assert.equal((await api.as(await world.keyFor(author.id)).getLaunch({ slug: 'first' })).myClaps, 0);
});

test('an unpublished launch is 404 for its author too, and in no list', async () => {
  await add('launches', {
    slug: 'draft',
    submitted_by_id: author.id,
    status: 'DRAFT',
    featured_at: '2026-01-09T00:00:00Z',
  });
  await assert.rejects(api.as(await world.keyFor(author.id)).getLaunch({ slug: 'draft' }), { code: 'NOT_FOUND' });
  assert.equal((await api.client.listUserLaunches({ username: 'alice' })).total, 1);
  assert.deepEqual(
    (await api.client.listFeaturedLaunches()).map(({ slug }) => slug),
    ['first'],
  );
});

test('featured launches are sorted by featuring time, launches of a user by publication, both newest first', async () => {
  await add('launches', {
    id: 'l2',
    slug: 'second',
    submitted_by_id: author.id,
    featured_at: '2026-01-09T00:00:00Z',
    published_at: '2026-01-05T00:00:01Z',
  });
  assert.deepEqual(
    (await api.client.listFeaturedLaunches()).map(({ slug }) => slug),
    ['second', 'first'],
  );
  assert.deepEqual(
    (await api.client.listUserLaunches({ username: 'alice' })).items.map(({ slug }) => slug),
    ['second', 'first'],
  );
});

test('the week rank is by rating, publication and id after every insert, update, move, hiding and delete', async () => {
  assert.equal(await ranks(), 'l1:1 l2:2');
  await add('launches', {
    id: 'l0',
    submitted_by_id: author.id,
    launch_week_rating: 5,
    published_at: '2026-01-05T00:00:00Z',
  });
  assert.equal(await ranks(), 'l0:1 l1:2 l2:3', 'equal rating and publication: the id decides');
  await owner.query(`update launches set published_at = '2026-01-04T00:00:00Z' where id = 'l1'`);
  assert.equal(await ranks(), 'l1:1 l0:2 l2:3', 'equal rating: the earlier publication is first');
  await owner.query(`update launches set launch_week_rating = 6 where id = 'l2'`);
  assert.equal(await ranks(), 'l2:1 l1:2 l0:3');
  await owner.query(`update launches set launch_week = '2026-01-12T00:00:00Z' where id = 'l1'`);
  assert.equal(await ranks(), 'l2:1 l0:2 l1:1');
  await owner.query(`update launches set launch_week = '2026-01-05T00:00:00Z' where id = 'l1'`);
  await owner.query(`update launches set status = 'HIDDEN' where id = 'l2'`);
  assert.equal(await ranks(), 'l1:1 l0:2');
  await owner.query(`delete from launches where id = 'l1'`);
  assert.equal(await ranks(), 'l0:1');
  await owner.query(`update launches set status = 'LIVE' where id = 'l2'`);
  assert.equal(await ranks(), 'l2:1 l0:2');
  await owner.query(`update launches set id = 'l9' where id = 'l0'`);
  assert.equal(await ranks(), 'l2:1 l9:2');
});

test('a launch week may be any timestamp; launches with the same one are ranked together', async () => {
  const sunday = '2026-02-01T00:00:00Z';
  const elsewhere = '2026-01-31T21:00:00Z'; // midnight of the same Sunday in a time zone further east
  const rows = [
    { id: 'w1', launch_week: sunday, launch_week_rating: 1 },
    { id: 'w2', launch_week: sunday, launch_week_rating: 2 },
    { id: 'w3', launch_week: elsewhere, launch_week_rating: 0 },
  ];
  for (const row of rows) await add('launches', { ...row, slug: row.id, submitted_by_id: author.id });
  assert.match(await ranks(), / w3:1 w2:1 w1:2$/);
  const { launchWeek, weekRank } = await api.client.getLaunch({ slug: 'w3' });
  assert.deepEqual([launchWeek, weekRank], ['2026-01-31T21:00:00.000Z', 1]);
  await owner.query(`delete from launches where id like 'w_'`);
});

test('visibility shows or hides a launch in any status, but never shows one that is not published', async () => {
  const base = { submitted_by_id: author.id, launch_week: '2026-03-02T00:00:00Z' };
  await add('launches', { ...base, id: 'v1', slug: 'soft', status: 'SOFT', visibility: 'public' });
  await add('launches', { ...base, id: 'v2', slug: 'withheld', visibility: 'hidden', launch_week_rating: 9 });
  const never = { status: 'SOFT', visibility: 'public', published_at: null, launch_week_rating: 9 };
  await add('launches', { ...base, ...never, id: 'v3', slug: 'unpublished' });
  const shown = (await api.client.listUserLaunches({ username: 'alice' })).items.map(({ slug }) => slug);
  assert.ok(shown.includes('soft'));
  const soft = await api.client.getLaunch({ slug: 'soft' });
  assert.deepEqual([soft.status, soft.weekRank], ['SOFT', 1]);
  for (const slug of ['withheld', 'unpublished']) {
    assert.ok(!shown.includes(slug));
    await assert.rejects(api.client.getLaunch({ slug }), { code: 'NOT_FOUND' });
  }
  await owner.query(`delete from launches where id like 'v_'`);
});

test('a slug beyond ASCII is found by its escaped form; "Featured" is a slug and not the list', async () => {
  for (const slug of ['début-日本', 'Featured']) {
    await add('launches', { id: slug, slug, submitted_by_id: author.id });
    assert.equal((await api.client.getLaunch({ slug })).slug, slug);
  }
  const path = `/launches/${encodeURIComponent('début-日本')}`;
  assert.equal((await api.get(path)).status, 200);
  assert.equal((await api.get(`/launches/${encodeURIComponent('début-日本'.normalize('NFD'))}`)).status, 404);
  assert.ok(Array.isArray(await api.client.listFeaturedLaunches()));
  await owner.query(`delete from launches where id in ('début-日本', 'Featured')`);
});

test('only rows whose week rank changes are written', async () => {
  const versions = async () =>
    (await owner.query('select launch_id, xmin::text from lists.launch_week_ranks order by 1')).rows;
  const before = await versions();
  await owner.query('update launches set rating = rating + 1, launch_week_rating = launch_week_rating + 100');
  assert.deepEqual(await versions(), before);
});

test('a launch week lists its launches by rank, also after changes of rating, week, topic and status', async () => {
  const [week, other] = ['2027-01-04T00:00:00.000Z', '2027-01-11T00:00:00.000Z'];
  const { id: topicId } = await add('topics', { slug: 'week-topic' });
  const ratings = { w1: 5, w2: -3, w3: 9_007_199_254_740_991, w4: 5, w5: -9_007_199_254_740_991 };
  for (const [id, launch_week_rating] of Object.entries(ratings)) {
    await add('launches', { id, submitted_by_id: author.id, launch_week: week, launch_week_rating });
    if (id !== 'w2') await add('launch_topics', { launch_id: id, topic_id: topicId });
  }
  const ids = async (args: { launchWeek?: string; topic?: string }) =>
    (await api.client.listLaunches(args)).items.map(({ id, weekRank }) => `${id}:${weekRank}`).join(' ');
  const weeks = async () =>
    (await api.client.listLaunchWeeks()).items
      .filter(({ launchWeek }) => launchWeek >= week)
      .map(({ launchWeek, launchCount }) => `${launchWeek} ${launchCount}`);
  assert.equal(await ids({ launchWeek: week }), 'w3:1 w1:2 w4:3 w2:4 w5:5');
  assert.equal(await ids({ launchWeek: week, topic: 'week-topic' }), 'w3:1 w1:2 w4:3 w5:5');
  assert.equal(await ids({ topic: 'week-topic' }), 'w5:5 w4:3 w3:1 w1:2');
  assert.deepEqual(await weeks(), [`${week} 5`]);
  await owner.query(`
    update launches set launch_week_rating = 6 where id = 'w4';
    update launches set launch_week = '${other}' where id = 'w3';
    update launches set status = 'DRAFT' where id = 'w1';
    delete from launch_topics where launch_id = 'w5'`);
  assert.equal(await ids({ launchWeek: week }), 'w4:1 w2:2 w5:3');
  assert.equal(await ids({ launchWeek: week, topic: 'week-topic' }), 'w4:1');
  assert.equal(await ids({ topic: 'week-topic' }), 'w4:1 w3:1');
  assert.deepEqual(await weeks(), [`${other} 1`, `${week} 3`]);
  await owner.query(`delete from launches where id = 'w3'; delete from topics where slug = 'week-topic'`);
  assert.deepEqual(await weeks(), [`${week} 3`]);
  assert.equal(await ids({ topic: 'week-topic' }), '');
});

test('a launchWeek that is not in the format of the answers is 400', async () => {
  for (const text of [
    '2027-01-04',
    '2027-01-04T00:00:00Z',
    '2027-01-04T01:00:00.000+01:00',
    '2027-02-30T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    '10000-01-01T00:00:00.000Z',
    '1',
  ]) {
    const response = await api.get(`/launches?launchWeek=${encodeURIComponent(text)}`);
    assert.equal(response.status, 400, text);
    assert.match(await response.text(), /`launchWeek` must be an instant in the form 2026-01-31T00:00:00\.000Z/);
  }
});
