// Totals and counted blocks: right after any mix of statements by several writers at once, after COPY and TRUNCATE, and
// every page of a long list is what a plain count and offset would give.
import assert from 'node:assert/strict';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { verify } from '../src/db/verify.ts';
import { createWorld } from './helpers/world.ts';

const world = await createWorld();
const { owner, add } = world;
const operationCount = Number(process.env.OPERATIONS ?? 10_000);
const right = async () => assert.deepEqual((await verify(world.ownerUrl, false)).drifts, []);

for (const id of ['ada', 'bob']) await add('users', { id, username: id });
for (const address of ['c1', 'c2', 'c3']) await add('collections', { address, name: address });
for (const id of ['s1', 's2']) await add('sponsors', { id, slug: id });
await owner.query(`
  insert into users (id, username, display_name, status)
  select 'h' || n, 'h' || n, 'Holder', 'ACTIVATED' from generate_series(1, 6000) n`);

const random = (n: number) => Math.floor(Math.random() * n);
const pick = <T>(values: readonly T[]): T => values[random(values.length)]!;
const moment = () => new Date(Date.UTC(2026, 0, 5) + random(1_000_000) * 1000).toISOString();
const gift = `'{"giftId": "g", "name": "n", "image": null, "from": null}'`;
const badge = (address: string) =>
  `'{"collectionAddress": "${address}", "collectionName": "n", "image": "https://i.example", "itemIndex": 1}'`;

/** Every kind of write that moves a total, as one statement. */
const operations: (() => string)[] = [
  () =>
    `insert into collection_holders values ('${pick(['c1', 'c2', 'c3'])}', 'h${1 + random(6000)}', '${moment()}') on conflict do nothing`,
  () => `insert into collection_holders select '${pick(['c1', 'c2'])}', 'h' || n, '${moment()}'::timestamptz + n * interval '1 s'
    from generate_series(${random(5900)} + 1, ${random(5900)} + 100) n on conflict do nothing`,
  () => `delete from collection_holders where (collection_address, user_id) in
    (select collection_address, user_id from collection_holders where user_id = 'h${1 + random(6000)}')`,
  () => `delete from collection_holders where collection_address = '${pick(['c1', 'c2', 'c3'])}'
    and user_id in (select 'h' || n from generate_series(${random(6000)}, ${random(6000)} + 30) n)`,
  // An upsert fires the triggers of UPDATE and INSERT one after the other, when all its rows are there already.
  () => `insert into collection_holders select '${pick(['c1', 'c2'])}', 'h' || n, '${moment()}'::timestamptz + n * interval '1 s'
    from (values (${random(5900)})) v (first), generate_series(first + 1, first + 60) n
    on conflict (collection_address, user_id) do update set acquired_at = excluded.acquired_at`,
  () => `update collection_holders set acquired_at = '${moment()}' where user_id = 'h${1 + random(6000)}'`,
  () => `insert into timeline_items (user_id, id, type, date, details)
    select '${pick(['ada', 'bob'])}', gen_random_uuid(), 'GIFT_RECEIVED', '${moment()}'::timestamptz + n * interval '1 s', ${gift}
    from generate_series(1, ${1 + random(40)}) n`,
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
];

test(`every total and every block is right after ${operationCount} random statements by four writers at once`, async (t) => {
  let refused = 0;
  let left = operationCount;
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      const writer = new pg.Client(world.ownerUrl);
      await writer.connect();
      while (left-- > 0)
        await writer.query(pick(operations)()).catch((error: { code?: string; message: string }) => {
          // Two statements that met: PostgreSQL ends one of them whole. Anything else is a fault.
          if (!['40P01', '40001', '23505', '23503'].includes(error.code ?? '')) throw new Error(error.message);
          refused += 1;
        });
      await writer.end();
    }),
  );
  const { rows } = await owner.query<{ list: string; n: string }>(
    'select list, count(*) as n from list_blocks where level = 0 group by 1 order by 1',
  );
  t.diagnostic(`${refused} refused; blocks: ${rows.map(({ list, n }) => `${list} ${n}`).join(', ')}`);
  assert.ok(rows.length > 0, 'some lists became long');
  await right();
});

test('every page of a long list is what count and offset give, first, middle, last and past the end', async () => {
  await owner.query(`
    insert into collection_holders select 'c1', 'h' || n, '2026-02-01T00:00:00Z'::timestamptz + n % 100 * interval '1 s'
    from generate_series(1, 3000) n on conflict do nothing;
    insert into timeline_items (user_id, id, type, date, details)
    select 'ada', 'x' || n, 'GIFT_RECEIVED', '2026-02-01T00:00:00Z'::timestamptz + n % 100 * interval '1 s', ${gift}
    from generate_series(1, 3000) n`);
  const api = await world.serve();
  const holders = await owner.query<{ user_id: string }>(
    `select user_id from collection_holders where collection_address = 'c1' order by acquired_at, user_id`,
  );
  const all = holders.rows.map(({ user_id }) => user_id);
  assert.ok(all.length > 1100, `${all.length}`);
  for (const pageSize of [7, 20, 100])
    for (let page = 1; page <= Math.ceil(all.length / pageSize) + 1; page += pageSize === 100 ? 1 : 13) {
      const got = await api.client.listCollectionHolders({ address: 'c1', page, pageSize });
      assert.equal(got.total, all.length);
      assert.deepEqual(
        got.items.map(({ id }) => id),
        all.slice((page - 1) * pageSize, page * pageSize),
        `page ${page}`,
      );
    }
  for (const type of [undefined, 'GIFT_RECEIVED'] as const) {
    const items = await owner.query<{ date: Date }>(
      `select date from timeline_items where user_id = 'ada' and is_public and ($1::text is null or type = $1) order by date, id`,
      [type ?? null],
    );
    const dates = items.rows.map(({ date }) => date.toISOString());
    assert.ok(dates.length > 1100, `${dates.length}`);
    for (const offset of [0, 1000, 1023, 1024, 1025, 1500, dates.length - 3, dates.length, dates.length + 5]) {
      const got = await api.client.getUserTimeline({ username: 'ada', offset, count: 50, ...(type && { type }) });
      assert.equal(got.total, dates.length);
      assert.deepEqual(
        got.items.map(({ date }) => date),
        dates.slice(offset, offset + 50),
        `offset ${offset}`,
      );
    }
  }
});

test('an upsert that makes a list long, or its blocks large, is counted once', async () => {
  await add('collections', { address: 'c4', name: 'c4' });
  const upsert = (from: number, to: number) =>
    owner.query(`
      insert into collection_holders select 'c4', 'h' || n, '2026-03-01T00:00:00Z'::timestamptz + n * interval '1 s'
      from generate_series(${from}, ${to}) n
      on conflict (collection_address, user_id) do update set acquired_at = excluded.acquired_at + interval '1 day'`);
  for (const [from, to] of [
    [1, 900],
    [800, 1500],
    [1400, 3000],
    [1, 6000],
  ] as const) {
    await upsert(from, to);
    await right();
  }
  await owner.query(`
    with gone as (delete from collection_holders where collection_address = 'c4' and user_id like 'h%1' returning user_id)
    insert into collection_holders select 'c3', user_id, now() from gone on conflict do nothing`);
  await right();
});

test('any page of a long catalogue is what offset gives, in every order and under every filter', async () => {
  const writers = await Promise.all(
    [0, 1].map(async () => {
      const writer = new pg.Client(world.ownerUrl);
      await writer.connect();
      return writer;
    }),
  );
  // Two at once, so that one finds the other counting when it wants to cut; later writes move rows between the blocks.
  const insert = (from: number) => `
    insert into repositories (platform, platform_id, owner, name, category, status, contributors_count, created_at, updated_at)
    select 'p' || n % 2, 'long-' || n, 'o' || n % 9, 'n' || md5(n::text), (array['defi', 'nft', null])[1 + n % 3],
      (array['REVIEWED', 'ECOSYSTEM'])[1 + n % 2],
      1, '2026-01-01T00:00:00Z'::timestamptz + n / 7 * interval '1 s', '2026-01-01T00:00:00Z'
    from generate_series(${from}, ${from} + 6999) n`;
  await Promise.all(
    writers.map(async (writer, which) => {
      for (let batch = which; batch < 10; batch += 2) await writer.query(insert(batch * 7000));
      await writer.query(
        `update repositories set updated_at = created_at, category = 'rare' where platform_id like 'long-%${which}00'`,
      );
      await writer.query(`delete from repositories where platform_id like 'long-%${which}7'`);
      await writer.query(
        `${insert(34_000 + which * 36_000)} on conflict (platform, platform_id) do update set updated_at = now(), name = 'n'`,
      );
      await writer.end();
    }),
  );
  await right();
  const { rows } = await owner.query<{ sort: string; n: number }>(
    'select sort, count(*)::integer as n from repository_blocks group by 1',
  );
  assert.ok(
    rows.every(({ n }) => n >= 2),
    JSON.stringify(rows),
  );
  const api = await world.serve();
  const columns = { createdAt: 'created_at', updatedAt: 'updated_at', name: 'name', owner: 'owner' };
  for (const sortBy of ['createdAt', 'updatedAt', 'name', 'owner'] as const)
    for (const sortOrder of ['asc', 'desc'] as const)
      for (const filter of [
        {},
        { category: 'nft' },
        { category: 'rare' },
        { platform: 'p1', status: 'ECOSYSTEM' } as const,
      ]) {
        const conditions = Object.entries(filter).map(([name, value]) => `and ${name} = '${value}'`);
        const all = await owner.query<{ id: string }>(`
          select platform_id as id from repositories where true ${conditions.join(' ')}
          order by ${columns[sortBy]} ${sortOrder}, platform ${sortOrder}, platform_id ${sortOrder}`);
        const last = Math.ceil(all.rows.length / 100);
        for (const page of new Set([1, Math.ceil(last / 3), Math.ceil(last / 2), 1 + random(last), last, last + 1])) {
          const got = await api.client.listRepositories({ ...filter, sortBy, sortOrder, page, pageSize: 100 });
          assert.equal(got.total, all.rows.length);
          assert.deepEqual(
            got.items.map(({ platformId }) => platformId),
            all.rows.slice((page - 1) * 100, page * 100).map(({ id }) => id),
            `${sortBy} ${sortOrder} ${JSON.stringify(filter)} page ${page}`,
          );
        }
      }
});

test('COPY, a rollback, a delete of a parent and TRUNCATE leave totals and blocks right', async () => {
  await owner.query(`delete from collection_holders where collection_address = 'c3'`);
  const lines = Array.from(
    { length: 3000 },
    (_, n) => `c3\th${n + 1}\t2025-01-01T00:00:${String(n % 60).padStart(2, '0')}Z\n`,
  );
  await pipeline(lines, owner.query(copyFrom('copy collection_holders from stdin')));
  await right();
  await owner.query(`begin; delete from collection_holders; delete from timeline_items; rollback`);
  await right();
  await owner.query(`delete from collections where address = 'c3'`);
  await right();
  await owner.query('truncate collection_holders, timeline_items');
  await right();
  const { rows } = await owner.query<{ n: number }>('select count(*)::integer as n from list_blocks');
  assert.equal(rows[0]?.n, 0);
});

test('what the database keeps cannot be written by hand', async () => {
  await add('bounties', { sponsor_id: 's1' });
  for (const statement of [
    'update sponsors set bounty_count = 7',
    'update bounties set all_submission_count = 7',
    'delete from user_totals',
    'update collection_facets set total = 7',
    'truncate repository_facets',
    'delete from list_blocks',
    'delete from repository_blocks',
    'delete from repository_block_rows',
  ])
    await assert.rejects(owner.query(statement), /is kept by the database/, statement);
});
