// Query plans with 40,000 repositories (REPOSITORIES=1000000 for a million) and half as many collections, holders and
// timeline items: page 1 of every list, with every sort, every single filter and every search of three letters, needs
// no sequential scan of a large table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAgents } from '@commonhall/contract/agents';
import { listCollections } from '@commonhall/contract/collections';
import { listRepositories } from '@commonhall/contract/repositories';
import { createWorld } from '../../../test/helpers/world.ts';
import type { PageParts, PageQuery } from '../src/db/page.ts';
import { pageStatement, windowOf } from '../src/db/page.ts';
import { rebuild } from '../src/db/schema/verify.ts';
import { compile } from '../src/db/sql.ts';
import { agentsParts, userAgentsParts } from '../src/queries/agents.ts';
import {
  bountiesParts,
  bountySubmissionsParts,
  myBountiesParts,
  userSubmissionsParts,
} from '../src/queries/bounties.ts';
import { collectionsParts, holdersParts, userBadgesParts } from '../src/queries/collections.ts';
import { contestSubmissionsParts, contestsParts } from '../src/queries/contests.ts';
import { launchesParts, launchWeeksParts, userLaunchesParts } from '../src/queries/launches.ts';
import { repositoriesParts } from '../src/queries/repositories.ts';
import { sponsorBountiesParts, sponsorBountySubmissionsParts, sponsorsParts } from '../src/queries/sponsors.ts';
import { timelineParts } from '../src/queries/users.ts';

const world = await createWorld();
const { owner } = world;

const repositories = Number(process.env.REPOSITORIES ?? 40_000);
const half = Math.min(100_000, repositories / 2);
const moment = `'2026-01-05T00:00:00Z'::timestamptz + g * interval '1 minute'`;
const word = (...words: string[]) => `(array['${words.join("','")}'])[1 + g % ${words.length}]`;
const generate = [
  `insert into users (id, username, display_name, status)
   select 'u' || g, 'u' || g, 'User', 'active' from generate_series(1, ${half}) g`,
  // As wide as real ones: a narrow table would be scanned for a search.
  `insert into agents (id, name, display_name, bio, active, x402_support, category, status, owner_id, created_at, updated_at, published_at)
   select 'a' || g, 'agent-' || md5(g::text), 'Agent ' || g, repeat('b', 400), true, false, ${word('research', 'code', 'support')},
     ${word('PUBLISHED', 'PUBLISHED', 'DRAFT')}, 'u' || g, ${moment}, ${moment}, ${moment}
   from generate_series(1, ${half / 2}) g`,
  `insert into repositories (platform, platform_id, owner, name, category, ecosystem, importance, status, contributors_count, created_at, updated_at)
   select ${word('github', 'gitlab')}, g, 'owner' || g % 5000, md5(g::text), ${word('defi', 'nft', 'infra')}, ${word('one', 'two', 'three')},
     ${word('high', 'medium', 'low')}, ${word('ECOSYSTEM', 'NEED_REVIEW', 'REVIEWED', 'NEED_REVIEW_CONTEST')}, 1, ${moment}, ${moment}
   from generate_series(1, ${repositories}) g`,
  // Values that few rows have: those rows are found by their facet.
  `insert into repositories (platform, platform_id, owner, name, category, ecosystem, importance, status, contributors_count, created_at, updated_at)
   select 'github', 'rare' || g, 'owner', md5(g::text), 'rare', 'e' || g % 5, 'i' || g % 3, ${word('ECOSYSTEM', 'REVIEWED')}, 1, ${moment}, ${moment}
   from generate_series(1, 90) g`,
  `insert into collections (address, name, description, type, importance, is_sbt, category, is_winner, source, status, next_item_index, created_at, updated_at, on_chain_created_at)
   select 'c' || g, md5(g::text), 'd', ${word('SBT', 'NFT')}, ${word('HIGH', 'LOW')}, g % 2 = 0, ${word('achievement', 'event', 'gift')}, false,
     ${word('internal', 'external')}, ${word('DRAFT', 'ACTIVE', 'ACTIVE')}, 1, ${moment}, ${moment}, case when g % 3 > 0 then ${moment} end
   from generate_series(1, ${half}) g`,
  `insert into collection_holders select 'c2', 'u' || g, ${moment} from generate_series(1, ${half}) g`,
  // Most collections have one holder, so the planner expects every list to be short.
  `insert into collection_holders select 'c' || g, 'u1', ${moment} from generate_series(3, ${half}) g`,
  `insert into timeline_items (user_id, id, type, date, details)
   select case when g % 2 = 0 then 'u1' else 'u' || g end, 't' || g, 'GIFT_RECEIVED', ${moment}, '{"giftId": "g", "name": "n", "image": null, "from": null}'
   from generate_series(1, ${half}) g`,
  `insert into sponsors (id, slug, name) select 's' || g, 's' || g, 'Sponsor ' || g from generate_series(1, 10000) g`,
  `insert into sponsor_members (sponsor_id, user_id, role) values ('s1', 'u1', 'OWNER'), ('s2', 'u1', 'MEMBER')`,
  `insert into bounties (id, slug, title, short_description, details, category, status, submission_start, submission_end, review_start, review_end,
     published_at, sponsor_id, submissions_visible, created_at, updated_at)
   select 'b' || g, 'b' || g, 't', 's', 'd', ${word('CONTENT', 'CODE', 'DESIGN')}, ${word('OPEN', 'DRAFT')}, ${moment}, ${moment}, ${moment}, ${moment},
     ${moment}, 's' || 1 + g % 100, true, ${moment}, ${moment}
   from generate_series(1, 20000) g`,
  `insert into bounty_submissions (id, bounty_id, user_id, title, description, status, created_at, updated_at)
   select 'x' || g, 'b' || 1 + 2 * (g % 10), 'u' || g, 't', 'd', ${word('PENDING', 'REJECTED')}, ${moment}, ${moment}
   from generate_series(1, ${half / 2}) g`,
  `insert into launches (id, slug, name, tagline, description, status, launch_week, rating, launch_week_rating, submitted_by_id, published_at, created_at, updated_at)
   select 'l' || g, 'l' || g, 'n', 't', 'd', 'LIVE', '2026-01-05T00:00:00Z'::timestamptz + g % 100 * interval '7 days', 0, g, 'u' || 1 + g % 50, ${moment}, ${moment}, ${moment}
   from generate_series(1, 20000) g`,
  `insert into launches (id, slug, name, tagline, description, status, launch_week, rating, launch_week_rating, submitted_by_id, published_at, created_at, updated_at)
   select 'w' || g, 'w' || g, 'n', 't', 'd', 'LIVE', '2036-01-05T00:00:00Z'::timestamptz + g * interval '1 hour', 0, g, 'u1', ${moment}, ${moment}, ${moment}
   from generate_series(1, 10000) g`,
  `insert into topics (id, slug, name) select 't' || g, 'topic-' || g, 'Topic' from generate_series(1, 5000) g`,
  `insert into launch_topics (launch_id, topic_id, position)
   select 'l' || g, t, 1 + (t = 't1')::int from generate_series(1, 20000) g cross join lateral unnest(array['t1', 't' || 2 + g % 4000]) t`,
  `insert into contests (id, slug, title, short_description, details, rules, prize_pool, status, direct_link_enabled, submission_start, submission_end,
     voting_start, voting_end, created_by_id, created_at, updated_at)
   select 'k' || g, 'k' || g, 't', 's', 'd', 'r', 'p', 'OPEN', true, ${moment}, ${moment}, ${moment}, ${moment}, 'u1', ${moment}, ${moment}
   from generate_series(1, 20000) g`,
  `insert into contest_submissions (id, contest_id, user_id, title, description, track_ids, status, created_at, updated_at)
   select 'e' || g, 'k' || 1 + case when g % 2 = 0 then 0 else g % 5000 end, 'u' || g, 't', 'd', ${word('["one"]', '["one", "two"]', '[]')}::jsonb,
     ${word('APPROVED', 'WINNER', 'PENDING')}, ${moment}, ${moment}
   from generate_series(1, 40000) g`,
];

interface Plan {
  'Node Type': string;
  Schema?: string;
  'Relation Name'?: string;
  /** 0: the branch was not executed. Absent without analyze. */
  'Actual Loops'?: number;
  'Actual Rows'?: number;
  Plans?: Plan[];
}
const sequentialScans = (plan: Plan): string[] => {
  if (plan['Actual Loops'] === 0) return [];
  return [
    ...(plan['Node Type'].includes('Seq Scan') ? [`${plan.Schema}.${plan['Relation Name']}`] : []),
    ...(plan.Plans ?? []).flatMap(sequentialScans),
  ];
};
/** A sequential scan of a table with fewer rows is fine. */
const smallTable = 3000;
const large = async (plan: Plan): Promise<string[]> => {
  const { rows } = await owner.query<{ name: string }>(
    `select relnamespace::regnamespace || '.' || relname as name from pg_class where relkind = 'r' and reltuples >= $1`,
    [smallTable],
  );
  const names = new Set(rows.map(({ name }) => name));
  return sequentialScans(plan).filter((table) => names.has(table));
};

/** The statements that can read the page. */
const statementsOf = (parts: PageParts, query: PageQuery): ReturnType<typeof compile>[] => {
  const window = windowOf(query);
  const near = parts.near?.(window) ?? null;
  return [...(near === null ? [] : [pageStatement(window, parts, near)]), pageStatement(window, parts)].map(compile);
};

/** Checks both plans that a prepared statement can get: the custom and the generic plan. */
const explain = async (parts: PageParts, query: PageQuery): Promise<void> => {
  type Explained = { 'QUERY PLAN': [{ Plan: Plan }] };
  for (const { text, values } of statementsOf(parts, query)) {
    const custom = await owner.query<Explained>(`explain (verbose, format json) ${text}`, values);
    const generic = await owner.query<Explained>(`explain (verbose, format json, generic_plan) ${text}`);
    for (const [mode, { rows }] of Object.entries({ custom, generic })) {
      const { Plan: plan } = rows[0]!['QUERY PLAN'][0];
      assert.deepEqual(await large(plan), [], `${mode}: ${text} ${JSON.stringify(values)}`);
    }
  }
};

/** The statement of a catalogue has several branches: checks only those that are executed. */
const explainTaken = async (parts: PageParts, query: PageQuery): Promise<void> => {
  for (const { text, values } of statementsOf(parts, query)) {
    const { rows } = await owner.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, verbose, format json) ${text}`,
      values,
    );
    assert.deepEqual(await large(rows[0]!['QUERY PLAN'][0].Plan), [], `${text} ${JSON.stringify(values)}`);
  }
};

test('the large tables can be loaded without triggers and their totals and blocks rebuilt', async () => {
  await owner.query('set session_replication_role = replica');
  for (const statement of generate) await owner.query(statement);
  await owner.query('reset session_replication_role; analyze');
  await rebuild(world.ownerUrl);
  await owner.query('vacuum analyze');
  const { rows } = await owner.query<{ n: string }>('select count(*) as n from repositories');
  assert.equal(Number(rows[0]?.n), repositories + 90);
});

const page = { page: 1, pageSize: 20 };
type Sort = { sortBy: never; sortOrder: 'asc' | 'desc' };
const sortsOf = (query: { sortBy: unknown }): Sort[] =>
  (query.sortBy as { enum: string[] }).enum.flatMap((sortBy) =>
    (['asc', 'desc'] as const).map((sortOrder) => ({ sortBy: sortBy as never, sortOrder })),
  );
const nothing = (query: object): object => Object.fromEntries(Object.keys(query).map((name) => [name, undefined]));

for (const sort of sortsOf(listRepositories.query))
  test(`repositories by ${sort.sortBy} ${sort.sortOrder} need no sequential scan, unfiltered, with each filter and searched`, async () => {
    const base = { ...nothing(listRepositories.query), ...page, ...sort } as unknown as Parameters<
      typeof repositoriesParts
    >[0];
    const filters = [
      {},
      { category: 'nft' },
      { category: 'none' },
      { category: 'rare' },
      { category: 'rare', platform: 'github' },
      { ecosystem: 'two' },
      { importance: 'low' },
      { platform: 'gitlab' },
      { status: 'REVIEWED' as const },
      { q: 'abc' },
      { q: 'owner77' },
      { q: 'owner77/abcdef' },
    ];
    for (const filter of filters) await explainTaken(repositoriesParts({ ...base, ...filter }), page);
  });

for (const sort of sortsOf(listCollections.query))
  test(`collections by ${sort.sortBy} ${sort.sortOrder} need no sequential scan, unfiltered, with each filter and searched`, async () => {
    const base = { ...nothing(listCollections.query), ...page, ...sort } as unknown as Parameters<
      typeof collectionsParts
    >[0];
    const filters = [
      {},
      { type: 'NFT' },
      { type: 'none' },
      { importance: 'LOW' },
      { isSbt: true },
      { isSbt: false },
      { category: 'gift' },
      { source: 'internal' as const },
      { q: 'abc' },
      { q: 'abcdef' },
    ];
    for (const filter of filters) await explainTaken(collectionsParts({ ...base, ...filter }), page);
  });

for (const sort of sortsOf(listAgents.query))
  test(`agents by ${sort.sortBy} ${sort.sortOrder} need no sequential scan, unfiltered, with each filter and searched`, async () => {
    const base = { ...nothing(listAgents.query), ...page, ...sort } as unknown as Parameters<typeof agentsParts>[0];
    const filters = [{}, { category: 'code' }, { category: 'none' }, { q: 'abc' }, { q: 'agent 4711' }, { q: 'zq' }];
    for (const filter of filters) await explainTaken(agentsParts({ ...base, ...filter }, ''), page);
  });

/** No range, both bounds, and each of them. */
const [from, to] = ['2026-01-03T00:00:00.000Z', '2026-01-20T00:00:00.000Z'];
const ranges = [
  { from: undefined, to: undefined },
  { from, to },
  { from, to: undefined },
  { from: undefined, to },
];
const timelineOf = (query: Partial<Parameters<typeof timelineParts>[1]>) =>
  timelineParts('u1', { offset: 0, count: 20, type: undefined, sortOrder: 'asc', ...ranges[0]!, ...query });

for (const range of ranges) {
  const inRange = `in the range ${range.from ?? ''} to ${range.to ?? ''}`;
  test(`bounties, launches, weeks, sponsors and contest submissions need no sequential scan, with each filter, on any page, ${inRange}`, async () => {
    const launchWeek = '2026-01-05T00:00:00.000Z';
    const sort = { sortBy: 'publishedAt', sortOrder: 'desc' } as const;
    const no = { q: undefined, sponsorId: undefined, status: undefined, category: undefined, ...sort, ...range };
    const byEnd = { ...no, sortBy: 'submissionEnd' } as const;
    const [all, whole] = [
      { q: undefined, launchWeek: undefined, ...range },
      { q: undefined, ...ranges[0]! },
    ];
    const ways = [
      bountiesParts({ ...page, ...no }),
      bountiesParts({ ...page, ...no, status: 'OPEN' }),
      bountiesParts({ ...page, ...no, status: 'OPEN', category: 'CODE' }),
      bountiesParts({ ...page, ...no, sponsorId: 's1' }),
      bountiesParts({ ...page, ...no, sponsorId: 's1', category: 'CODE' }),
      bountiesParts({ ...page, ...no, q: 'abc' }),
      bountiesParts({ ...page, ...no, q: 'abc', sponsorId: 's1', category: 'CODE' }),
      bountiesParts({ ...page, ...byEnd }),
      bountiesParts({ ...page, ...byEnd, sortOrder: 'asc', status: 'OPEN' }),
      bountiesParts({ ...page, ...byEnd, sponsorId: 's1' }),
      launchesParts({ ...page, ...all, topic: undefined }),
      launchesParts({ ...page, ...all, topic: undefined, q: 'abc' }),
      launchesParts({ ...page, ...all, topic: 'topic-1', q: 'abc' }),
      launchesParts({ ...page, ...whole, launchWeek, topic: undefined }),
      launchesParts({ ...page, ...all, topic: 'topic-1' }),
      launchesParts({ ...page, ...whole, launchWeek, topic: 'topic-1' }),
      launchesParts({ ...page, ...whole, launchWeek, topic: 'topic-none' }),
      launchWeeksParts({ ...page, ...range, sortOrder: 'desc' }),
      sponsorsParts({ ...page, q: undefined }),
      sponsorsParts({ ...page, q: 'abc' }),
      contestSubmissionsParts('k1', { ...page, ...range, trackId: undefined }),
      contestSubmissionsParts('k1', { ...page, ...range, trackId: 'two' }),
    ];
    for (const parts of ways)
      for (const at of [1, 3, 40, 400, Number.MAX_SAFE_INTEGER]) await explainTaken(parts, { ...page, page: at });
  });

  test(`every other list needs no sequential scan, ${inRange}`, async () => {
    const caller = { userId: 'u1', godMode: false, keyId: null };
    await explain(holdersParts('c2', range), page);
    for (const type of [undefined, 'COMMIT'] as const)
      for (const sortOrder of ['asc', 'desc'] as const)
        await explain(timelineOf({ ...range, type, sortOrder }), { offset: 0, count: 20 });
    await explain(sponsorBountiesParts('s1', range), page);
    await explain(myBountiesParts(caller), page);
    await explain(myBountiesParts({ ...caller, godMode: true }), page);
    await explain(bountySubmissionsParts('b1', range), page);
    await explain(sponsorBountySubmissionsParts('s1', 'b1', caller), page);
    await explain(userLaunchesParts('u1', range), page);
    for (const displayStatus of [undefined, 'active', 'completed'] as const)
      for (const q of [undefined, 'abc']) await explain(contestsParts({ ...page, ...range, displayStatus, q }), page);
    await explain(userBadgesParts('u1', range), page);
    await explain(userAgentsParts('u1', '', range), page);
    await explain(userSubmissionsParts('u1', range), page);
  });
}

/** The number of rows that all scans of a plan returned. */
const rowsRead = (plan: Plan): number =>
  (plan['Relation Name'] === undefined ? 0 : (plan['Actual Rows'] ?? 0) * (plan['Actual Loops'] ?? 0)) +
  (plan.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), 0);

/** The number of rows that the generic plan reads for a page. */
const readBy = async (query: PageQuery, parts: PageParts): Promise<number> => {
  const { text, values } = compile(pageStatement(windowOf(query), parts));
  const literals = values.map((value) => `'${String(value)}'`).join(', ');
  await owner.query('set plan_cache_mode = force_generic_plan');
  await owner.query(`prepare one as ${text}`);
  const { rows } = await owner.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, format json) execute one (${literals})`,
  );
  await owner.query('deallocate one');
  await owner.query('reset plan_cache_mode');
  return rowsRead(rows[0]!['QUERY PLAN'][0].Plan);
};

test('the highest possible page reads only the total, and a page in the middle reads some blocks', async () => {
  const caller = { userId: 'u1', godMode: false, keyId: null };
  const far = { page: Number.MAX_SAFE_INTEGER, pageSize: 20 };
  const lists = {
    holders: holdersParts('c2'),
    'sponsor bounties': sponsorBountiesParts('s1'),
    'bounty submissions': bountySubmissionsParts('b1'),
    "the sponsor's view": sponsorBountySubmissionsParts('s1', 'b1', caller),
    'user launches': userLaunchesParts('u1'),
    timeline: timelineOf({}),
  };
  for (const [what, parts] of Object.entries(lists)) {
    const read = await readBy(far, parts);
    assert.ok(read < 10, `${what}: ${read} rows`);
  }
  // Blocks of the upper level, the blocks within one of them, up to two blocks of rows, and the page with its users.
  for (const [what, parts] of Object.entries({ holders: lists.holders, timeline: lists.timeline })) {
    const read = await readBy({ page: 1300, pageSize: 20 }, parts);
    assert.ok(read < 1200, `${what}: ${read} rows`);
  }
});
