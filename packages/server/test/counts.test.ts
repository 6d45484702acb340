// Counts equal plain SQL: totals, values of filters and buckets of time, in any range and under any filter; for lists
// without blocks and with them, and when their filter values have too many combinations to be counted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
const { owner, add } = world;
const api = await world.serve({ CHECK_RESPONSES: 'true' });
await add('users', { id: 'ada', username: 'ada' });

type Value = string | null;
interface Group {
  by: string;
  values: { value: Value; count: number; split?: { value: Value; count: number }[] }[];
}
const counts = async (path: string): Promise<{ total: number; groups: Group[] }> => {
  const response = await api.get(`/counts/${path}`);
  const body = (await response.json()) as { data: { total: number; groups: Group[] }; error?: string };
  assert.equal(response.status, 200, `${path}: ${body.error}`);
  return body.data;
};
const refusal = async (path: string): Promise<string> => {
  const response = await api.get(`/counts/${path}`);
  assert.equal(response.status, 400, path);
  return ((await response.json()) as { error: string }).error;
};
const rowsOf = async <T extends object>(statement: string): Promise<T[]> =>
  ((await owner.query<T>(`set timezone = 'UTC'; ${statement}`)) as unknown as [unknown, { rows: T[] }])[1].rows;

/** The rows of a table under conditions, counted by plain SQL. */
interface Plain {
  path: string;
  from: string;
  key: string;
  /** Parameter → column. */
  filters: Record<string, string>;
}
const forms = { day: 'YYYY-MM-DD', week: 'IYYY-"W"IW', month: 'YYYY-MM', year: 'YYYY' };
const conditionsOf = ({ filters, key }: Plain, args: Record<string, string>): string[] =>
  Object.entries(args).map(([name, value]) =>
    name === 'from' ? `${key} >= '${value}'` : name === 'to' ? `${key} < '${value}'` : `${filters[name]} = '${value}'`,
  );
const check = async (plain: Plain, args: Record<string, string>): Promise<void> => {
  const query = (more: Record<string, string>) => `${plain.path}?${new URLSearchParams({ ...args, ...more })}`;
  const where = (given: Record<string, string>) => [`true`, ...conditionsOf(plain, given)].join(' and ');
  const what = JSON.stringify(args);
  const got = await counts(query({ by: Object.keys(plain.filters).join() }));
  const [all] = await rowsOf<{ n: number }>(`select count(*)::int as n from ${plain.from} and ${where(args)}`);
  assert.equal(got.total, all?.n, `${plain.path} ${what}`);
  for (const { by, values } of got.groups) {
    const { [by]: own, ...others } = args;
    const expected = await rowsOf<{ value: Value; count: number }>(`
      select ${plain.filters[by]} as value, count(*)::int as count from ${plain.from} and ${where(others)}
      group by 1 order by 2 desc, 1`);
    assert.deepEqual(values, expected, `${plain.path} ${what} by ${by}, own ${own}`);
  }
  for (const [unit, form] of Object.entries(forms)) {
    if (args.from === undefined && unit === 'day') continue;
    const [group] = (await counts(query({ by: unit }))).groups;
    const expected = await rowsOf<{ value: string; count: number }>(`
      select to_char(${plain.key}, '${form}') as value, count(*)::int as count from ${plain.from} and ${where(args)}
      group by 1 order by 1`);
    assert.deepEqual(
      group?.values.filter(({ count }) => count > 0),
      expected,
      `${plain.path} ${what} by ${unit}`,
    );
    const names = group?.values.map(({ value }) => String(value)) ?? [];
    assert.deepEqual(names, [...new Set(names)].sort(), 'in order, each once');
    if (args.from === undefined) assert.equal(names[0], expected[0]?.value, 'from the first row');
    if (args.to === undefined) assert.equal(names.at(-1), expected.at(-1)?.value, 'to the last row');
  }
  const [by = ''] = Object.keys(plain.filters);
  const [group] = (await counts(query({ by: 'month', split: by }))).groups;
  for (const { value, count, split = [] } of group?.values ?? []) {
    const expected = await rowsOf<{ value: Value; count: number }>(`
      select ${plain.filters[by]} as value, count(*)::int as count
      from ${plain.from} and ${where(args)} and to_char(${plain.key}, 'YYYY-MM') = '${value}'
      group by 1 order by 2 desc, 1`);
    assert.deepEqual(split, expected, `${plain.path} ${what} ${value} by ${by}`);
    assert.equal(
      count,
      split.reduce((sum, part) => sum + part.count, 0),
    );
  }
};

const ranges = [
  {},
  { from: '2026-01-10T00:00:00.000Z', to: '2026-02-11T12:00:00.000Z' },
  { from: '2026-02-01T00:00:00.000Z' },
  { to: '2026-01-20T00:00:00.500Z' },
  { from: '2025-01-01T00:00:00.000Z', to: '2025-03-01T00:00:00.000Z' },
];
const moment = `'2026-01-05T00:00:00Z'::timestamptz + n * 6007 * interval '1 s'`;

for (const length of [40, 700, 1500])
  test(`a timeline of ${length} items is counted by type and by time as by plain SQL`, async () => {
    await owner.query(`
      insert into timeline_items (user_id, id, type, date, details)
      select 'ada', 't' || n, (array['COMMIT', 'PR', 'GIFT_RECEIVED'])[1 + (n * n) % 3], ${moment}, '{}'
      from generate_series(1, ${length}) n on conflict do nothing`);
    const plain = {
      path: 'users/ada/timeline',
      from: `timeline_items where user_id = 'ada' and is_public`,
      key: 'date',
      filters: { type: 'type' },
    };
    for (const range of ranges) for (const filter of [{}, { type: 'PR' }]) await check(plain, { ...range, ...filter });
  });

for (const length of [300, 9000])
  test(`${length} repositories are counted by every filter and by time as by plain SQL`, async () => {
    await owner.query(`
      insert into repositories (platform, platform_id, owner, name, category, ecosystem, importance, status,
        contributors_count, created_at, updated_at)
      select 'p' || n % 2, 'r' || n, 'o', 'n', (array['defi', 'nft', null])[1 + n % 3], (array['one', 'two'])[1 + n % 2],
        (array['high', 'low'])[1 + (n / 7) % 2], (array['ECOSYSTEM', 'NEED_REVIEW', 'REVIEWED', 'NEED_REVIEW_CONTEST'])[1 + n % 4], 1, '2026-01-05T00:00:00Z'::timestamptz + n * 601 * interval '1 s', now()
      from generate_series(1, ${length}) n on conflict do nothing`);
    const filters = Object.fromEntries(
      ['category', 'ecosystem', 'importance', 'platform', 'status'].map((name) => [name, name]),
    );
    const plain = { path: 'repositories', from: 'repositories where is_public', key: 'created_at', filters };
    for (const range of ranges)
      for (const filter of [{}, { category: 'nft' }, { platform: 'p1', status: 'REVIEWED' }, { category: 'none' }])
        await check(plain, { ...range, ...filter });
  });

test('repositories with too many combinations of filter values are counted, and more than 1,000 values are 400', async () => {
  await owner.query(`
    insert into repositories (platform, platform_id, owner, name, category, ecosystem, importance, status,
      contributors_count, created_at, updated_at)
    select 'p', 'wide' || n, 'o', 'n', 'c' || n, 'one', 'high', 'ECOSYSTEM', 1, ${moment}, now() from generate_series(1, 2500) n`);
  const plain = {
    path: 'repositories',
    from: 'repositories where is_public',
    key: 'created_at',
    filters: { ecosystem: 'ecosystem', platform: 'platform' },
  };
  for (const range of ranges.slice(0, 3)) await check(plain, range as Record<string, string>);
  assert.match(await refusal('repositories?by=category'), /category has more than 1,000 values here; narrow it/);
  assert.equal((await counts('repositories?by=category&platform=p1')).groups[0]?.values.length, 3);
});

test('launches, contests and the bounties of a sponsor are counted as by plain SQL', async () => {
  await add('sponsors', { id: 's1', slug: 'harbour' });
  await add('topics', { id: 't1', slug: 'tools' });
  await add('topics', { id: 't2', slug: 'games' });
  await owner.query(`
    insert into launches (id, slug, name, tagline, description, status, launch_week, rating, launch_week_rating, submitted_by_id,
      published_at, created_at, updated_at)
    select 'l' || n, 'l' || n, 'n', 't', 'd', (array['LIVE', 'LIVE', 'DRAFT'])[1 + n % 3],
      '2026-01-05T00:00:00Z'::timestamptz + n % 4 * interval '7 days', 0, n % 9, 'ada', ${moment}, now(), now()
    from generate_series(1, 900) n;
    insert into launch_topics (launch_id, topic_id, position)
    select 'l' || n, 't1', 1 from generate_series(1, 900, 2) n union all select 'l' || n, 't2', 2 from generate_series(1, 900, 5) n;
    insert into bounties (id, slug, title, short_description, details, category, status, published_at, sponsor_id,
      submissions_visible, created_at, updated_at)
    select 'b' || n, 'b' || n, 't', 's', 'd', (array['a', 'b'])[1 + n % 2], (array['OPEN', 'REVIEW', 'DRAFT'])[1 + n % 3],
      ${moment}, 's1', true, now(), now()
    from generate_series(1, 900) n;
    insert into contests (id, slug, title, short_description, details, rules, prize_pool, status, direct_link_enabled,
      submission_start, submission_end, voting_start, voting_end, created_by_id, created_at, updated_at)
    select 'k' || n, 'k' || n, 't', 's', 'd', 'r', 'p', (array['OPEN', 'DRAFT'])[1 + (n % 5) / 4], true, ${moment}, ${moment}, ${moment},
      case when n % 3 = 0 then '2999-01-01T00:00:00Z' else ${moment} end, 'ada', now(), now()
    from generate_series(1, 700) n`);
  const ofSponsor = {
    from: `bounties where is_public and sponsor_id = 's1'`,
    key: 'published_at',
    filters: { status: 'status', category: 'category' },
  };
  const contests = {
    path: 'contests',
    from: `(select *, case when voting_end > now() then 'active' else 'completed' end as display_status from contests) c where is_public`,
    key: 'submission_start',
    filters: { displayStatus: 'display_status' },
  };
  for (const range of ranges) {
    for (const filter of [{}, { status: 'OPEN' }]) {
      await check({ ...ofSponsor, path: 'bounties' }, { ...range, ...filter });
      const path = `bounties?sponsorId=harbour&${new URLSearchParams({ by: 'status,category', ...range, ...filter } as Record<string, string>)}`;
      assert.deepEqual(await counts(path), await counts(path.replace('sponsorId=harbour&', '')));
    }
    for (const displayStatus of [undefined, 'active', 'completed']) {
      const args = { ...range, ...(displayStatus && { displayStatus }) };
      const where = [`true`, ...conditionsOf(contests, args)].join(' and ');
      const expected = await rowsOf<{ value: string; count: number }>(
        `select to_char(submission_start, 'YYYY-MM') as value, count(*)::int as count from ${contests.from} and ${where} group by 1 order by 1`,
      );
      const got = await counts(`contests?${new URLSearchParams({ ...args, by: 'displayStatus,month' })}`);
      assert.equal(
        got.total,
        expected.reduce((sum, { count }) => sum + count, 0),
        JSON.stringify(args),
      );
      assert.deepEqual(
        got.groups[1]?.values.filter(({ count }) => count > 0),
        expected,
        JSON.stringify(args),
      );
      const { displayStatus: _, ...others } = args as Record<string, string>;
      const byStatus = await rowsOf<{ value: string; count: number }>(
        `select display_status as value, count(*)::int as count from ${contests.from} and ${[`true`, ...conditionsOf(contests, others)].join(' and ')}
         group by 1 order by 2 desc, 1`,
      );
      assert.deepEqual(got.groups[0]?.values, byStatus, JSON.stringify(args));
    }
    for (const topic of [undefined, 'tools', 'none']) {
      const inTopic =
        topic === undefined
          ? 'true'
          : `id in (select launch_id from launch_topics l join topics t on t.id = l.topic_id where t.slug = '${topic}')`;
      const where = [
        `is_public and ${inTopic}`,
        ...conditionsOf({ ...ofSponsor, path: '' }, range as Record<string, string>),
      ].join(' and ');
      const got = await counts(
        `launches?${new URLSearchParams({ ...range, ...(topic && { topic }), by: 'topic,month' } as Record<string, string>)}`,
      );
      const months = await rowsOf<{ value: string; count: number }>(
        `select to_char(published_at, 'YYYY-MM') as value, count(*)::int as count from launches where ${where} group by 1 order by 1`,
      );
      assert.deepEqual(
        got.groups[1]?.values.filter(({ count }) => count > 0),
        months,
        topic,
      );
      assert.equal(
        got.total,
        months.reduce((sum, { count }) => sum + count, 0),
      );
      const topics = await rowsOf<{ value: string; count: number }>(`
        select t.slug as value, count(*)::int as count from launches r join launch_topics l on l.launch_id = r.id join topics t on t.id = l.topic_id
        where ${['is_public', ...conditionsOf({ ...ofSponsor, path: '' }, range as Record<string, string>)].join(' and ')} group by 1 order by 2 desc, 1`);
      assert.deepEqual(got.groups[0]?.values, topics, 'not under its own filter');
    }
  }
  const [week] = await rowsOf<{ week: string; n: number }>(
    `select week, count(*)::int as n from launches where is_public group by 1 order by 1 limit 1`,
  );
  const ofWeek = await counts(`launches?launchWeek=${week?.week}&by=topic,launchWeek`);
  assert.equal(ofWeek.total, week?.n);
  assert.equal(ofWeek.groups[1]?.values.length, 4);
});

test('the value of a flag is a text, as the filter takes it', async () => {
  for (const n of [1, 2, 3]) await add('collections', { address: `c${n}`, is_sbt: n > 1 });
  const { groups } = await counts('collections?by=isSbt');
  assert.deepEqual(groups[0]?.values, [
    { value: 'true', count: 2 },
    { value: 'false', count: 1 },
  ]);
  for (const { value, count } of groups[0]!.values)
    assert.equal((await counts(`collections?isSbt=${value}`)).total, count);
});

test('what cannot be counted is 400 and says why', async () => {
  assert.match(
    await refusal('agents?by=status'),
    /`by` must be one or more of category, day, week, month, year, separated by commas/,
  );
  assert.match(await refusal('agents?by=category,category'), /one is given twice/);
  assert.match(await refusal('agents?by=day,week'), /at most one of day, week, month, year/);
  assert.match(
    await refusal('agents?by=category&split=category'),
    /`split` splits buckets of time: give `by` one of day/,
  );
  assert.match(await refusal('launches?launchWeek=2026-01-05T00:00:00.000Z&by=day'), /sorted by rank/);
  assert.match(await refusal('launches?by=launchWeek&from=2026-01-05T00:00:00.000Z'), /not counted in a range/);
  assert.match(
    await refusal('agents?by=day&from=1990-01-01T00:00:00.000Z&to=2026-01-01T00:00:00.000Z'),
    /more than 3,700 buckets by day; give `from` and `to`, or a longer unit/,
  );
  assert.deepEqual(await counts('agents'), { total: 0, groups: [] });
  // Far apart: more days than may be counted, whichever bound or filter is given.
  const born = { x: '2010-01-01T00:00:00Z', y: '2026-01-01T00:00:00Z' };
  for (const [category, at] of Object.entries(born))
    await add('agents', { id: category, category, owner_id: 'ada', created_at: at });
  for (const args of ['', '&from=2010-06-01T00:00:00.000Z', '&category=y', '&category=y&to=2026-02-01T00:00:00.000Z'])
    assert.match(await refusal(`agents?by=day${args}`), /more than 3,700 buckets by day/, args);
  assert.equal((await counts('agents?by=year&category=y')).groups[0]?.values.length, 1);
  await owner.query('delete from agents');
  assert.deepEqual(await counts('agents?by=category,day'), {
    total: 0,
    groups: [
      { by: 'category', values: [] },
      { by: 'day', values: [] },
    ],
  });
  const empty = await counts('agents?by=month&from=2025-12-15T00:00:00.000Z&to=2026-02-01T00:00:00.000Z');
  assert.deepEqual(empty.groups[0]?.values, [
    { value: '2025-12', count: 0 },
    { value: '2026-01', count: 0 },
  ]);
});
