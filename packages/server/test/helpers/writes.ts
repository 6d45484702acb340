// Random writes that change totals and blocks, each as one statement, for concurrent writers.
import type pg from 'pg';
import { pick, random } from '../../../../test/helpers/random.ts';
import type { World } from '../../../../test/helpers/world.ts';

const moment = () => new Date(Date.UTC(2026, 0, 5) + random(1_000_000) * 1000).toISOString();
export const gift = `'{"giftId": "g", "name": "n", "image": null, "from": null}'`;
const badge = (address: string) =>
  `'{"collectionAddress": "${address}", "collectionName": "n", "image": "https://i.example", "itemIndex": 1}'`;

/** Every kind of write that changes a total, as one statement. */
export const operations: (() => string)[] = [
  () =>
    `insert into collection_holders values ('${pick(['c1', 'c2', 'c3'])}', 'h${1 + random(6000)}', '${moment()}') on conflict do nothing`,
  () => `insert into collection_holders select '${pick(['c1', 'c2'])}', 'h' || n, '${moment()}'::timestamptz + n * interval '1 s'
    from generate_series(${random(5900)} + 1, ${random(5900)} + 100) n on conflict do nothing`,
  () => `delete from collection_holders where (collection_address, user_id) in
    (select collection_address, user_id from collection_holders where user_id = 'h${1 + random(6000)}')`,
  () => `delete from collection_holders where collection_address = '${pick(['c1', 'c2', 'c3'])}'
    and user_id in (select 'h' || n from generate_series(${random(6000)}, ${random(6000)} + 30) n)`,
  // An upsert fires the triggers of both UPDATE and INSERT, even when all its rows exist already.
  () => `insert into collection_holders select '${pick(['c1', 'c2'])}', 'h' || n, '${moment()}'::timestamptz + n * interval '1 s'
    from (values (${random(5900)})) v (first), generate_series(first + 1, first + 60) n
    on conflict (collection_address, user_id) do update set acquired_at = excluded.acquired_at`,
  () => `update collection_holders set acquired_at = '${moment()}' where user_id = 'h${1 + random(6000)}'`,
  () => `insert into timeline_items (user_id, id, type, date, details)
    select '${pick(['ada', 'bob'])}', gen_random_uuid(), 'GIFT_RECEIVED', '${moment()}'::timestamptz + n * interval '1 s', ${gift}
    from generate_series(1, ${1 + random(80)}) n`,
  () => `insert into timeline_items (user_id, id, type, date, details)
    values ('${pick(['ada', 'bob'])}', gen_random_uuid(), 'BADGE_RECEIVED', '${moment()}', ${badge(pick(['c1', 'c2', 'c3']))})`,
  () => `delete from timeline_items where (user_id, id) in
    (select user_id, id from timeline_items where user_id = '${pick(['ada', 'bob'])}' order by md5(id || ${random(1000)}) limit ${1 + random(30)})`,
  () => `update timeline_items set date = '${moment()}' where (user_id, id) in
    (select user_id, id from timeline_items where user_id = '${pick(['ada', 'bob'])}' limit ${random(5)})`,
  () =>
    `update collections set source = 'internal', status = '${pick(['DRAFT', 'ACTIVE'])}' where address = '${pick(['c2', 'c3'])}'`,
  () =>
    `update collections set category = 'k${random(3)}', importance = 'i${random(2)}' where address = '${pick(['c1', 'c2', 'c3'])}'`,
  () => `insert into bounties (id, slug, title, short_description, details, category, status, submission_start, submission_end,
      review_start, review_end, published_at, sponsor_id, submissions_visible, created_at, updated_at)
    select id, id, 't', 's', 'd', 'c', '${pick(['OPEN', 'DRAFT'])}', now(), now(), now(), now(), now(), '${pick(['s1', 's2'])}', true, now(), now()
    from (select gen_random_uuid()::text as id) i`,
  () => `update bounties set status = '${pick(['OPEN', 'DRAFT', 'COMPLETED'])}', sponsor_id = '${pick(['s1', 's2'])}'
    where id in (select id from bounties order by md5(id || ${random(1000)}) limit 2)`,
  () => `delete from bounties where id in (select id from bounties order by md5(id || ${random(1000)}) limit 1)`,
  () => `insert into repositories (platform, platform_id, owner, name, category, status, contributors_count, created_at, updated_at)
    values ('p${random(2)}', gen_random_uuid(), 'o', 'n', ${pick(['null', "'defi'", "'nft'"])}, 's${random(2)}', 1, now(), now())`,
  () => `insert into repositories (platform, platform_id, owner, name, category, status, contributors_count, created_at, updated_at)
    select 'p0', n, 'o', 'n', ${pick(['null', "'defi'"])}, 's0', 1, now(), now() from generate_series(1, ${1 + random(60)}) n
    on conflict (platform, platform_id) do update set updated_at = excluded.updated_at, category = excluded.category`,
  () => `update repositories set category = ${pick(['null', "'defi'"])}, status = 's${random(3)}'
    where platform_id in (select platform_id from repositories order by random() limit 3)`,
  () =>
    `delete from repositories where platform_id in (select platform_id from repositories order by random() limit 1)`,
  () => `insert into launches (id, slug, name, tagline, description, status, launch_week, rating, launch_week_rating, submitted_by_id, published_at, created_at, updated_at)
    select id, id, 'n', 't', 'd', '${pick(['LIVE', 'DRAFT'])}', '2026-01-05T00:00:00Z', 0, ${random(9)}, '${pick(['ada', 'bob'])}', now(), now(), now()
    from (select gen_random_uuid()::text as id) i`,
  () => `delete from launches where id in (select id from launches order by md5(id || ${random(1000)}) limit 1)`,
  () => `update launches set status = '${pick(['LIVE', 'DRAFT'])}', launch_week_rating = ${random(9) - 4},
      launch_week = '2026-01-05T00:00:00Z'::timestamptz + ${random(3)} * interval '7 days', published_at = '${moment()}'
    where id in (select id from launches order by md5(id || ${random(1000)}) limit 3)`,
  () => `insert into launch_topics (launch_id, topic_id, position)
    select id, '${pick(['t1', 't2'])}', ${1 + random(5)} from launches order by md5(id || ${random(1000)}) limit 4
    on conflict (topic_id, launch_id) do update set position = excluded.position`,
  () => `update launch_topics set topic_id = '${pick(['t1', 't2'])}'
    where (launch_id, topic_id) in (select launch_id, topic_id from launch_topics order by md5(launch_id || ${random(1000)}) limit 1)`,
  () => `delete from launch_topics
    where launch_id in (select launch_id from launch_topics order by md5(launch_id || ${random(1000)}) limit 1)`,
  () => `insert into contest_submissions (id, contest_id, user_id, title, description, track_ids, status, created_at, updated_at)
    select id, '${pick(['k1', 'k2'])}', '${pick(['ada', 'bob'])}', 't', 'd', '${pick(['[]', '["a"]', '["a", "b", "a"]'])}',
      '${pick(['APPROVED', 'PENDING'])}', '${moment()}', now()
    from (select gen_random_uuid()::text as id from generate_series(1, ${1 + random(30)})) i`,
  () => `update contest_submissions set status = '${pick(['APPROVED', 'WINNER', 'PENDING'])}',
      track_ids = '${pick(['[]', '["b"]', '["a", "b"]'])}', contest_id = '${pick(['k1', 'k2'])}'
    where id in (select id from contest_submissions order by md5(id || ${random(1000)}) limit 5)`,
  () => `delete from contest_submissions
    where id in (select id from contest_submissions order by md5(id || ${random(1000)}) limit 2)`,
  () => `insert into agents (id, name, display_name, bio, active, x402_support, category, status, owner_id, created_at, updated_at, published_at)
    select id, id, 'n', 'b', true, false, ${pick(['null', "'a'", "'b'"])}, '${pick(['PUBLISHED', 'DRAFT'])}', 'ada', '${moment()}', now(), now()
    from (select gen_random_uuid()::text as id) i`,
  () => `update agents set category = ${pick(['null', "'a'"])}, status = '${pick(['PUBLISHED', 'DRAFT'])}'
    where id in (select id from agents order by md5(id || ${random(1000)}) limit 2)`,
  () => `delete from agents where id in (select id from agents order by md5(id || ${random(1000)}) limit 1)`,
];

/** The rows that these writes need. */
export const prepareWrites = async ({ add, owner }: Pick<World, 'add'> & { owner: pg.Client }): Promise<void> => {
  for (const id of ['ada', 'bob']) await add('users', { id, username: id });
  for (const address of ['c1', 'c2', 'c3']) await add('collections', { address, name: address });
  for (const id of ['s1', 's2']) await add('sponsors', { id, slug: id });
  for (const id of ['t1', 't2']) await add('topics', { id, slug: id });
  for (const id of ['k1', 'k2']) await add('contests', { id, slug: id, created_by_id: 'ada' });
  await owner.query(`
    insert into users (id, username, display_name, status)
    select 'h' || n, 'h' || n, 'Holder', 'ACTIVATED' from generate_series(1, 6000) n`);
};
