// Compares random pages, ranges and counts with page 1, for every list, in lists of two lengths and the longest ones: one request at a
// time, with the database time from the server's log. The rows are generated here and loaded without triggers; then
// totals and blocks are rebuilt.
import pg from 'pg';
import { serve } from '../packages/server/src/commands/serve.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { migrate } from '../packages/server/src/db/schema/migrate.ts';
import { rebuild } from '../packages/server/src/db/schema/verify.ts';
import { openLog } from '../packages/server/src/log.ts';
import { startPostgres } from '../test/postgres.ts';
import type { Result } from './jobs.ts';

const moment = `'2020-01-05T00:00:00Z'::timestamptz + g * interval '1 minute'`;
/** One of two or four words. */
const word = (...words: string[]) => `(array['${words.join("','")}'])[1 + (hashint4(g) & ${words.length - 1})]`;

/** Statements that create the rows: `long` in the long lists, 10,000 in the short ones, three times `long` holders. */
const rowsOf = (long: number): string[] => [
  `insert into users (id, username, display_name, status)
   select 'u' || g, 'u' || g, 'User ' || g, 'active' from generate_series(1, ${3 * long}) g`,
  `insert into collections (address, name, description, type, importance, is_sbt, category, is_winner, source, status,
     next_item_index, created_at, updated_at, on_chain_created_at)
   select 'c' || g, md5(g::text), 'd', ${word('SBT', 'NFT')}, ${word('HIGH', 'LOW')}, g % 3 = 0,
     ${word('achievement', 'event', 'gift', 'other')}, false, ${word('internal', 'external')}, 'ACTIVE', 1, ${moment}, ${moment},
     case when g % 3 > 0 then ${moment} end
   from generate_series(1, ${long}) g`,
  `insert into collection_holders select 'c1', 'u' || g, ${moment} from generate_series(1, ${3 * long}) g`,
  `insert into collection_holders select 'c2', 'u' || g, ${moment} from generate_series(1, ${long}) g`,
  `insert into collection_holders select 'c3', 'u' || g, ${moment} from generate_series(1, 10000) g`,
  `insert into collection_holders select 'c' || g, 'u' || g % 1000 + 1, ${moment} from generate_series(4, ${long}) g`,
  ...[
    ['u1', long],
    ['u2', 10_000],
  ].map(
    ([user, n]) => `insert into timeline_items (user_id, id, type, date, details)
   select '${user}', 't' || g, ${word('COMMIT', 'PR', 'GIFT_RECEIVED', 'GIFT_RECEIVED')}, ${moment}, '{"sha": "abc", "message": "m"}'
   from generate_series(1, ${n}) g`,
  ),
  `insert into agents (id, name, display_name, bio, active, x402_support, category, status, owner_id, created_at, updated_at,
     published_at)
   select 'a' || g, 'agent-' || md5(g::text), 'Agent ' || g, 'b', true, false, ${word('research', 'code', 'support', 'trading')},
     ${word('PUBLISHED', 'PUBLISHED', 'PUBLISHED', 'DRAFT')}, 'u1', ${moment}, ${moment}, ${moment}
   from generate_series(1, ${long / 10}) g`,
  `insert into sponsors (id, slug, name) values ('s1', 's1', 'Long'), ('s2', 's2', 'Short')`,
  `insert into sponsors (id, slug, name) select 'z' || g, 'z' || g, md5(g::text) from generate_series(1, ${long / 10}) g`,
  `insert into bounties (id, slug, title, short_description, details, category, status, published_at, sponsor_id,
     submissions_visible, created_at, updated_at)
   select 'b' || g, 'b' || g, 't', 's', 'd', ${word('CONTENT', 'CODE')}, ${word('OPEN', 'REVIEW', 'COMPLETED', 'DRAFT')}, ${moment},
     case when g <= 10000 then 's2' else 's1' end, true, ${moment}, ${moment}
   from generate_series(1, ${long + 10_000}) g`,
  `update bounties set status = 'OPEN' where id in ('b1', 'b2')`,
  `insert into bounty_submissions (id, bounty_id, user_id, title, description, status, created_at, updated_at)
   select 'x' || g, case when g <= 10000 then 'b2' else 'b1' end, 'u' || g, 't', 'd', ${word('PENDING', 'REJECTED')}, ${moment}, ${moment}
   from generate_series(1, ${long + 10_000}) g`,
  `insert into launches (id, slug, name, tagline, description, status, launch_week, rating, launch_week_rating,
     submitted_by_id, published_at, created_at, updated_at)
   select 'l' || g, 'l' || g, 'n', 't', 'd', 'LIVE', '2020-01-05T00:00:00Z'::timestamptz + g / 1000 * interval '7 days', 0, g,
     case when g <= 10000 then 'u2' else 'u1' end, ${moment}, ${moment}, ${moment}
   from generate_series(1, ${long + 10_000}) g`,
  // One long week, and many short ones.
  `insert into launches (id, slug, name, tagline, description, status, launch_week, rating, launch_week_rating,
     submitted_by_id, published_at, created_at, updated_at)
   select 'm' || g, 'm' || g, 'n', 't', 'd', 'LIVE',
     case when g % 2 = 0 then '2019-01-06T00:00:00Z' else '1990-01-05T00:00:00Z'::timestamptz + g * interval '1 hour' end, 0,
     hashint4(g), 'u3', ${moment}, ${moment}, ${moment}
   from generate_series(1, ${long / 5}) g`,
  `insert into topics (id, slug, name) values ('t1', 'long', 'Long'), ('t2', 'short', 'Short')`,
  `insert into launch_topics (launch_id, topic_id, position)
   select id, 't1', 1 from launches where hashtext(id) & 1 = 0 union all
   select id, 't2', 2 from launches where hashtext(id) & 63 = 0`,
  `insert into contests (id, slug, title, short_description, details, rules, prize_pool, status, direct_link_enabled,
     submission_start, submission_end, voting_start, voting_end, created_by_id, created_at, updated_at)
   select 'k' || g, 'k' || g, 't', 's', 'd', 'r', 'p', 'OPEN', true, ${moment}, ${moment}, ${moment}, ${moment} + interval '1 day',
     'u1', ${moment}, ${moment}
   from generate_series(1, ${long}) g`,
  `insert into contest_submissions (id, contest_id, user_id, title, description, track_ids, status, created_at, updated_at)
   select 'e' || g, 'k1', 'u' || g, 't', 'd', ${word('["one"]', '["one", "two"]')}::jsonb, ${word('APPROVED', 'WINNER', 'PENDING', 'APPROVED')},
     ${moment}, ${moment}
   from generate_series(1, ${long / 10}) g`,
  `insert into repositories (platform, platform_id, owner, name, category, ecosystem, importance, status,
     contributors_count, created_at, updated_at)
   select ${word('github', 'gitlab')}, 'r' || g, 'owner' || g % 5000, md5(g::text), ${word('defi', 'nft', 'infra', 'games')},
     ${word('one', 'two')}, ${word('high', 'low')}, ${word('ECOSYSTEM', 'NEED_REVIEW', 'REVIEWED', 'NEED_REVIEW_CONTEST')},
     1, ${moment}, ${moment} + hashint4(g) * interval '1 ms'
   from generate_series(1, ${long}) g`,
];

const fill = async (url: string, long: number, say: (line: string) => void): Promise<void> => {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  await client.query('set session_replication_role = replica'); // no triggers, no foreign keys: the rows are valid
  for (const statement of rowsOf(long)) {
    say(statement.slice(12, 40).trim());
    await client.query(statement);
  }
  await client.query('analyze');
  say('counting …');
  await rebuild(url);
  await client.query('vacuum analyze');
  await client.end();
};

interface Probe {
  /** Probes with the same name are reported together: their samples, and the worst of their ratios. */
  what: string;
  /** Ends with ? or &: without this character it is page 1, and `page=` or `offset=` can be appended. */
  path: string;
  isTimeline?: boolean;
  /** Instead of a random page: page 1 of a random range of the order, whose first and last instants are these. */
  span?: readonly [number, number];
  /** Instead of a random page: this request of counts. */
  counts?: string;
}
const sorts = {
  repositories: ['createdAt', 'updatedAt', 'name', 'owner'],
  collections: ['name', 'holdersCount', 'createdAt', 'onChainCreatedAt'],
};
const filters = {
  repositories: ['category=nft', 'platform=gitlab&status=REVIEWED', 'category=defi&ecosystem=one&importance=high'],
  collections: ['type=NFT', 'isSbt=true', 'category=gift&source=external&importance=LOW'],
};
const start = Date.UTC(2020, 0, 5);
/** The instants of `rows` generated rows. */
const spanOf = (rows: number) => [start, start + rows * 60_000] as const;
const day = 86_400_000;
const isoAt = (ms: number): string => new Date(ms).toISOString();
const probes = (long: number): Probe[] => [
  { what: 'range of holders, three times long', path: '/collections/c1/holders?', span: spanOf(3 * long) },
  { what: 'range of a timeline, long', path: '/users/u1/timeline?', isTimeline: true, span: spanOf(long) },
  {
    what: 'range of a timeline by type, long',
    path: '/users/u1/timeline?type=COMMIT&',
    isTimeline: true,
    span: spanOf(long),
  },
  { what: 'range of repositories', path: '/repositories?', span: spanOf(long) },
  { what: 'range of repositories, filtered', path: '/repositories?category=nft&', span: spanOf(long) },
  {
    what: 'counts: a timeline by 366 days',
    path: '/users/u1/timeline?',
    isTimeline: true,
    counts: `/counts/users/u1/timeline?by=day&from=${isoAt(start)}&to=${isoAt(start + 366 * day)}`,
  },
  {
    what: 'counts: a timeline by 366 days and type',
    path: '/users/u1/timeline?',
    isTimeline: true,
    counts: `/counts/users/u1/timeline?by=day&split=type&from=${isoAt(start)}&to=${isoAt(start + 366 * day)}`,
  },
  {
    what: 'counts: repositories by every filter',
    path: '/repositories?',
    counts: '/counts/repositories?by=category,ecosystem,importance,platform,status',
  },
  {
    what: 'counts: repositories by every filter, in a range',
    path: '/repositories?',
    counts: `/counts/repositories?by=category,ecosystem,importance,platform,status&from=${isoAt(start + 30 * day)}`,
  },
  { what: 'holders, 10k', path: '/collections/c3/holders?' },
  { what: 'holders, long', path: '/collections/c2/holders?' },
  { what: 'holders, three times long', path: '/collections/c1/holders?' },
  { what: 'timeline, 10k', path: '/users/u2/timeline?', isTimeline: true },
  { what: 'timeline, long', path: '/users/u1/timeline?', isTimeline: true },
  { what: 'timeline by type, 10k', path: '/users/u2/timeline?type=COMMIT&', isTimeline: true },
  { what: 'timeline by type, long', path: '/users/u1/timeline?type=COMMIT&', isTimeline: true },
  { what: 'submissions, 10k', path: '/bounties/b2/submissions?' },
  { what: 'submissions, long', path: '/bounties/b1/submissions?' },
  { what: 'sponsor bounties, 10k', path: '/sponsors/s2/bounties?' },
  { what: 'sponsor bounties, long', path: '/sponsors/s1/bounties?' },
  { what: 'user launches, 10k', path: '/launches/user/u2?' },
  { what: 'user launches, long', path: '/launches/user/u1?' },
  { what: 'contests, long', path: '/contests?' },
  { what: 'agents', path: '/agents?' },
  { what: 'agents by name', path: '/agents?sortBy=name&sortOrder=asc&' },
  { what: 'agents, filtered', path: '/agents?category=code&' },
  { what: 'agents by name, filtered', path: '/agents?sortBy=name&sortOrder=asc&category=code&' },
  { what: 'bounties', path: '/bounties?' },
  { what: 'bounties, filtered', path: '/bounties?status=OPEN&' },
  { what: 'bounties, filtered twice', path: '/bounties?status=REVIEW&category=CODE&' },
  { what: 'bounties of a sponsor, filtered', path: '/bounties?sponsorId=s1&status=OPEN&' },
  { what: 'launches', path: '/launches?' },
  { what: 'launches of a long week', path: '/launches?launchWeek=2019-01-06T00:00:00.000Z&' },
  { what: 'launches of a topic', path: '/launches?topic=long&' },
  { what: 'launches of a short topic', path: '/launches?topic=short&' },
  { what: 'launches of a topic in a week', path: '/launches?launchWeek=2019-01-06T00:00:00.000Z&topic=long&' },
  { what: 'launch weeks', path: '/launch-weeks?' },
  { what: 'sponsors', path: '/sponsors?' },
  { what: 'contest submissions', path: '/contests/k1/submissions?' },
  { what: 'contest submissions of a track', path: '/contests/k1/submissions?trackId=two&' },
  ...(['repositories', 'collections'] as const).flatMap((list) =>
    sorts[list].flatMap((sort) =>
      ['asc', 'desc'].flatMap((order) => {
        const sorted = `/${list}?sortBy=${sort}&sortOrder=${order}&`;
        return [
          { what: `${list}, each sort`, path: sorted },
          ...filters[list].map((filter) => ({
            what: `${list}, each sort, filtered`,
            path: `${sorted}${filter}&`,
          })),
        ];
      }),
    ),
  ),
];

/** What is compared with page 1. */
const askedOf = ({ span, counts }: Probe): string =>
  counts !== undefined ? 'count' : span !== undefined ? 'random range' : 'random page';

const rounds = 3;
const requests = 40;
const at = (values: number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;

/** Runs the probes whose name matches `only`. */
export const pages = async (long: number, only: RegExp, say: (line: string) => void): Promise<Result> => {
  const postgres = await startPostgres({ shared_buffers: '4GB', max_wal_size: '16GB', maintenance_work_mem: '1GB' });
  try {
    await migrate(postgres.url, say);
    await fill(postgres.url, long, say);
    let databaseMs = 0;
    const settings = {
      RATE_LIMIT_PER_ADDRESS: '0',
      PORT: '0',
      METRICS_PORT: '0',
      DATABASE_URL: postgres.url,
      DRAIN_MS: '0',
    };
    const config = readConfig({ ...settings, KEY_PEPPER: 'only for measuring, 0123456789abcdef' });
    const log = openLog('info', {
      write: (line: string) => {
        databaseMs = (JSON.parse(line) as { databaseMs?: number }).databaseMs ?? databaseMs;
      },
    });
    const server = await serve(config, log);
    const ask = async (path: string): Promise<{ ms: number; databaseMs: number; total: number }> => {
      const began = performance.now();
      const answer = await fetch(server.url + path);
      const body = await answer.text();
      const ms = performance.now() - began;
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${body}`);
      return { ms, databaseMs, total: (JSON.parse(body) as { data: { total: number } }).data.total };
    };
    const asked = probes(long).filter(({ what }) => only.test(what));
    const all = asked.map((probe) => ({
      ...probe,
      first: { ms: [] as number[], db: [] as number[] },
      random: { ms: [] as number[], db: [] as number[] },
    }));
    for (let round = 0; round <= rounds; round++) {
      say(`round ${round} of ${rounds}`); // round 0 only warms up
      for (const { path, isTimeline, span, counts, first, random } of all) {
        const { total } = await ask(path.slice(0, -1));
        const other = (): string => {
          if (counts !== undefined) return counts;
          if (span !== undefined) {
            const [from = 0, to = 0] = [0, 0]
              .map(() => span[0] + Math.random() * (span[1] - span[0]))
              .sort((a, b) => a - b);
            return `${path}from=${isoAt(from)}&to=${isoAt(to + 1)}`;
          }
          const begin = Math.floor(Math.random() * total);
          return `${path}${isTimeline ? `offset=${begin}` : `page=${Math.floor(begin / 20) + 1}`}`;
        };
        for (let n = 0; n < requests; n++) {
          const one = await ask(path.slice(0, -1));
          const any = await ask(other());
          if (round === 0) continue;
          first.ms.push(one.ms);
          first.db.push(one.databaseMs);
          random.ms.push(any.ms);
          random.db.push(any.databaseMs);
        }
      }
    }
    await server.stop();
    const rows: Result['rows'] = [];
    const ratios: Result['ratios'] = {};
    for (const what of new Set(all.map((probe) => probe.what))) {
      const same = all.filter((probe) => probe.what === what);
      for (const which of ['first', 'random'] as const) {
        const [ms, db] = [same.flatMap((probe) => probe[which].ms), same.flatMap((probe) => probe[which].db)];
        rows.push({
          what: `${what}, ${which === 'first' ? 'page 1' : askedOf(same[0]!)}`,
          perSecond: 1000 / at(ms, 0.5),
          p50Ms: at(ms, 0.5),
          p99Ms: at(ms, 0.99),
          serverMicros: 0,
          databaseMicros: at(db, 0.5) * 1000,
        });
      }
      const worst = Math.max(...same.map(({ first, random }) => at(random.ms, 0.5) / at(first.ms, 0.5)));
      ratios[`${what}: ${askedOf(same[0]!)} / page 1, p50, the worst`] = Math.round(worst * 100) / 100;
      ratios[`${what}: database ms of a ${askedOf(same[0]!)}, p95, the worst`] = Math.max(
        ...same.map(({ random }) => at(random.db, 0.95)),
      );
    }
    return { rows, ratios };
  } finally {
    await postgres.stop();
  }
};
