// Totals and counted blocks are right after any mix of statements by concurrent writers (single statements that change
// blocks: blocks.system.test.ts). Every page of a long list equals the result of plain count and offset.
// lanes: 15 18
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { pick, random } from '../../../test/helpers/random.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { lists } from '../src/db/lists/declarations.ts';
import { verify } from '../src/db/schema/verify.ts';
import { totalsOf } from './helpers/lists.ts';
import { gift, operations, prepareWrites } from './helpers/writes.ts';

const world = await createWorld();
const { owner } = world;
const operationCount = Number(process.env.OPERATIONS ?? 1000);
/** Lists that have a sort order. */
const ordered = lists.filter(({ sorts }) => Object.keys(sorts).length > 0);
const right = async () => assert.deepEqual((await verify(world.ownerUrl, false)).drifts, []);

await prepareWrites(world);

test(`every total and every block is right after ${operationCount} random statements of four concurrent writers`, async (t) => {
  let refused = 0;
  let left = operationCount;
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      const writer = new pg.Client(world.ownerUrl);
      await writer.connect();
      while (left-- > 0)
        await writer.query(pick(operations)()).catch((error: { code?: string; message: string }) => {
          // Unique and foreign key violations are expected. A deadlock or any other error is a fault.
          if (!['23505', '23503'].includes(error.code ?? '')) throw new Error(error.message);
          refused += 1;
        });
      await writer.end();
    }),
  );
  const long = await Promise.all(
    ordered.map(async ({ name }) => {
      const { rows } = await owner.query<{ n: number }>(
        `select count(*)::integer as n from ${totalsOf(name)} where is_long`,
      );
      return `${name} ${rows[0]?.n}`;
    }),
  );
  t.diagnostic(`${refused} rejected; long lists: ${long.join(', ')}`);
  assert.ok(!long.includes('holders 0') && !long.includes('timeline 0'), 'some lists became long');
  await right();
});

test('every page of a long list equals count and offset: first, middle, last and past the end', async () => {
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

test('60 random ranges of long lists have the total and the rows of plain SQL', async () => {
  const api = await world.serve();
  const instant = () => new Date(Date.UTC(2026, 0, 4) + random(40 * 86_400) * 1000).toISOString();
  const lists: [path: string, rows: string, key: string, name: string][] = [
    ['/collections/c1/holders', `collection_holders where collection_address = 'c1'`, 'acquired_at', 'user_id'],
    ['/users/ada/timeline', `timeline_items where user_id = 'ada' and is_public`, 'date', 'id'],
    [
      '/users/ada/timeline?type=GIFT_RECEIVED',
      `timeline_items where user_id = 'ada' and is_public and type = 'GIFT_RECEIVED'`,
      'date',
      'id',
    ],
  ];
  for (let n = 0; n < 60; n++) {
    const [path, rows, key, name] = lists[n % lists.length]!;
    const [from = '', to = ''] = [instant(), instant()].sort();
    if (from === to) continue;
    const all = await owner.query<{ id: string; at: Date }>(
      `select ${name} as id, ${key} as at from ${rows} and ${key} >= $1 and ${key} < $2 order by ${key}, ${name}`,
      [from, to],
    );
    const url = `${path}${path.includes('?') ? '&' : '?'}from=${from}&to=${to}`;
    const begin = random(all.rows.length + 30);
    const isTimeline = path.includes('timeline');
    const at = isTimeline ? `offset=${begin}&count=30` : `page=${Math.floor(begin / 30) + 1}&pageSize=30`;
    const { data } = (await (await api.get(`${url}&${at}`)).json()) as {
      data: { total: number; items: { id: string; date: string }[] };
    };
    assert.equal(data.total, all.rows.length, url);
    const first = isTimeline ? begin : begin - (begin % 30);
    assert.deepEqual(
      data.items.map((one) => (isTimeline ? one.date : one.id)),
      all.rows.slice(first, first + 30).map((one) => (isTimeline ? one.at.toISOString() : one.id)),
      `${url}&${at}`,
    );
  }
});

test('every page of the long lists of launches, bounties and contest submissions equals offset', async () => {
  await owner.query(`
    insert into launches (id, slug, name, tagline, description, status, launch_week, rating, launch_week_rating, submitted_by_id,
      published_at, created_at, updated_at)
    select 'deep' || n, 'deep' || n, 'n', 't', 'd', 'LIVE', '2026-03-02T00:00:00Z', 0, hashint4(n) % 50, 'ada',
      '2026-02-01T00:00:00Z'::timestamptz + n % 90 * interval '1 s', now(), now()
    from generate_series(1, 1500) n;
    insert into launch_topics (launch_id, topic_id, position) select 'deep' || n, 't1', 1 from generate_series(1, 1400) n;
    insert into contest_submissions (id, contest_id, user_id, title, description, track_ids, status, created_at, updated_at)
    select 'deep' || n, 'k1', 'ada', 't', 'd', '["a"]', 'APPROVED', '2026-02-01T00:00:00Z'::timestamptz + n % 90 * interval '1 s', now()
    from generate_series(1, 1500) n;
    insert into bounties (id, slug, title, short_description, details, category, status, published_at, sponsor_id,
      submissions_visible, created_at, updated_at)
    select 'deep' || n, 'deep' || n, 't', 's', 'd', (array['a', 'b'])[1 + n % 2], 'OPEN',
      '2026-02-01T00:00:00Z'::timestamptz + n % 90 * interval '1 s', 's1', true, now(), now()
    from generate_series(1, 3000) n`);
  const api = await world.serve();
  const ranked = 'order by launch_week_rating desc, published_at, id';
  const newest = 'order by published_at desc, id desc';
  const [inWeek, inTopic] = [
    `launch_week = '2026-03-02'`,
    `id in (select launch_id from launch_topics where topic_id = 't1')`,
  ];
  const listed: Record<string, string> = {
    '/launches': `launches where is_public ${newest}`,
    '/launches?launchWeek=2026-03-02T00:00:00.000Z': `launches where is_public and ${inWeek} ${ranked}`,
    '/launches?topic=t1': `launches where is_public and ${inTopic} ${newest}`,
    '/launches?topic=t1&launchWeek=2026-03-02T00:00:00.000Z': `launches where is_public and ${inWeek} and ${inTopic} ${ranked}`,
    '/contests/k1/submissions': `contest_submissions where is_public and contest_id = 'k1' order by created_at desc, id desc`,
    '/contests/k1/submissions?trackId=a': `contest_submissions
      where is_public and contest_id = 'k1' and track_ids ? 'a' order by created_at desc, id desc`,
    '/bounties': `bounties where is_public ${newest}`,
    '/bounties?category=a': `bounties where is_public and category = 'a' ${newest}`,
    '/bounties?sponsorId=s1&category=b': `bounties where is_public and category = 'b' and sponsor_id = 's1' ${newest}`,
  };
  for (const [path, rows] of Object.entries(listed)) {
    const ids = (await owner.query<{ id: string }>(`set timezone = 'UTC'; select id from ${rows}`)) as unknown as [
      unknown,
      { rows: { id: string }[] },
    ];
    const all = ids[1].rows.map(({ id }) => id);
    assert.ok(all.length > 1000, `${path}: ${all.length}`);
    const pages = Math.ceil(all.length / 20);
    for (const page of [1, 2, 7, 8, Math.floor(pages / 3), Math.floor(pages / 2), pages - 1, pages, pages + 1]) {
      const response = await api.get(`${path}${path.includes('?') ? '&' : '?'}page=${page}`);
      const { data } = (await response.json()) as { data: { total: number; items: { id: string }[] } };
      assert.equal(data.total, all.length, path);
      assert.deepEqual(
        data.items.map(({ id }) => id),
        all.slice((page - 1) * 20, page * 20),
        `${path} page ${page}`,
      );
    }
  }
  await right();
});

test('after random writes, 60 random counts of long lists have the buckets of plain SQL, split and without gaps', async () => {
  const api = await world.serve();
  const forms = { day: 'YYYY-MM-DD', week: 'IYYY-"W"IW', month: 'YYYY-MM' };
  const counted: [path: string, rows: string, key: string, split: string][] = [
    ['/counts/users/ada/timeline', `timeline_items where user_id = 'ada' and is_public`, 'date', 'type'],
    ['/counts/bounties', 'bounties where is_public', 'published_at', 'category'],
    ['/counts/bounties?sponsorId=s1', `bounties where is_public and sponsor_id = 's1'`, 'published_at', 'status'],
    ['/counts/bounties?category=a', `bounties where is_public and category = 'a'`, 'published_at', 'status'],
  ];
  const instant = () => new Date(Date.UTC(2025, 11, 20) + random(90 * 86_400) * 1000).toISOString();
  for (let n = 0; n < 60; n++) {
    const [path, rows, key, split] = counted[n % counted.length]!;
    const unit = pick(['day', 'week', 'month'] as const);
    const [from = '', to = ''] = [instant(), instant()].sort();
    if (from === to) continue;
    const url = `${path}${path.includes('?') ? '&' : '?'}by=${unit}&split=${split}&from=${from}&to=${to}`;
    const { data } = (await (await api.get(url)).json()) as {
      data: { total: number; groups: { values: { value: string; count: number; split: object[] }[] }[] };
    };
    const { rows: expected } = await owner.query<{ value: string; count: number; split: object[] }>(
      `select to_char(s.start, '${forms[unit]}') as value, coalesce(sum(c.n), 0)::integer as count,
         coalesce(json_agg(json_build_object('value', c.part, 'count', c.n) order by c.n desc, c.part)
           filter (where c.n > 0), '[]') as split
       from generate_series(date_trunc('${unit}', $1::timestamptz at time zone 'UTC'),
         $2::timestamptz at time zone 'UTC' - interval '1 ms', interval '1 ${unit}') s (start)
       left join (
         select date_trunc('${unit}', ${key} at time zone 'UTC') as start, ${split}::text collate "C" as part, count(*)::integer as n
         from ${rows} and ${key} >= $1 and ${key} < $2 group by 1, 2
       ) c using (start)
       group by s.start order by s.start`,
      [from, to],
    );
    assert.deepEqual(data.groups[0]!.values, expected, url);
    assert.equal(
      data.total,
      expected.reduce((sum, { count }) => sum + count, 0),
      url,
    );
  }
});

test('writing one row takes no time proportional to the table, and writing many rows no quadratic time', async () => {
  await owner.query(`
    insert into contest_submissions (id, contest_id, user_id, title, description, track_ids, status, created_at, updated_at)
    select 'wide' || n, 'k2', 'ada', 't', 'd', '["a", "b"]', 'APPROVED', now(), now() from generate_series(1, 30000) n`);
  await owner.query('analyze contest_submissions');
  const timed = async (statement: string): Promise<number> => {
    const began = performance.now();
    await owner.query(statement);
    return performance.now() - began;
  };
  // A session caches the plans of its first writes, which are for one row.
  const one = [];
  for (let n = 0; n < 7; n++)
    one.push(await timed(`update contest_submissions set status = 'REJECTED' where id = 'wide${n + 1}'`));
  const whole = await timed(`update contest_submissions set comment_count = 1 where id like 'wide%'`);
  // One row of 30,000 should cost a tiny part of all; a scan for each row would cost a tenth.
  assert.ok(one.sort((a, b) => a - b)[3]! < whole / 20, `${one[3]} of ${whole} ms`);
  await owner.query(`update launches set rating = 1 where id = 'deep1'`);
  const kept = await timed(`update launches set comment_count = 1 where id like 'deep%'`);
  const fresh = new pg.Client(world.ownerUrl);
  await fresh.connect();
  const began = performance.now();
  await fresh.query(`update launches set comment_count = 2 where id like 'deep%'`);
  const planned = performance.now() - began;
  await fresh.end();
  assert.ok(kept < 5 * planned + 200, `${kept} ms with cached plans, ${planned} ms in a new session`);
  await owner.query(`delete from contest_submissions where id like 'wide%'`);
});

test('no table of a list, and no other maintained table, can be written directly', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where (n.nspname = 'lists' or n.nspname in (select name from installed)) and c.relkind = 'r'`,
  );
  assert.ok(rows.length > 2 * lists.length);
  for (const { name } of rows)
    for (const statement of [`delete from ${name}`, `truncate ${name}`, `insert into ${name} select * from ${name}`])
      await assert.rejects(owner.query(statement), /is maintained by the database/, statement);
});

test('lists are split into blocks only at commit, never during a statement', async () => {
  await assert.rejects(
    owner.query(`
      begin;
      set constraints all immediate;
      insert into timeline_items (user_id, id, type, date, details)
      select 'bob', 'i' || n, 'GIFT_RECEIVED', now(), ${gift} from generate_series(1, 2000) n;
      commit`),
    /lists are reorganised at commit/,
  );
  await owner.query('rollback');
  await right();
});
