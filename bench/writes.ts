// The write cost of maintaining totals and blocks: the same statements on the same tables, indexes and checks,
// alternately with all triggers and without; both with a publication for all tables. Also sixteen writers compared with
// one.
import pg from 'pg';
import { migrate } from '../packages/server/src/db/schema/migrate.ts';
import { startPostgres } from '../test/postgres.ts';
import type { Result } from './jobs.ts';

/** Rows per statement, and statements per sample. */
const size = 1000;
const statements = 5;
const rounds = 7;

const moment = `'2026-01-05T00:00:00Z'::timestamptz + g * interval '1 minute'`;
const word = (...words: string[]) => `(array['${words.join("','")}'])[1 + g % ${words.length}]`;
const repository = (first: string, last: string) => `
  insert into repositories (platform, platform_id, owner, name, category, ecosystem, importance, status,
    contributors_count, created_at, updated_at)
  select ${word('github', 'gitlab')}, 'r' || g, 'owner' || g % 5000, md5(g::text), ${word('defi', 'nft', 'infra', 'tools', 'games')},
    ${word('one', 'two', 'three')}, ${word('high', 'medium', 'low')}, ${word('ECOSYSTEM', 'NEED_REVIEW', 'REVIEWED')},
    1, ${moment}, ${moment}
  from generate_series(${first}, ${last}) g`;
const world = [
  `insert into users (id, username, display_name, status)
   select 'u' || g, 'u' || g, 'User', 'active' from generate_series(1, 200000) g`,
  `insert into collections (address, name, description, type, importance, is_sbt, category, is_winner, source, status,
     next_item_index, created_at, updated_at)
   select 'c' || g, md5(g::text), 'd', ${word('SBT', 'NFT')}, ${word('HIGH', 'LOW')}, g % 2 = 0,
     ${word('achievement', 'event', 'gift')}, false, 'internal', 'ACTIVE', 1, ${moment}, ${moment}
   from generate_series(1, 1001) g`,
  `insert into collection_holders select 'c1', 'u' || g, ${moment} from generate_series(1, 100000) g`,
  `insert into collection_holders select 'c' || 2 + g % 1000, 'u' || g, ${moment} from generate_series(1, 100000) g`,
  `insert into timeline_items (user_id, id, type, date, details)
   select 'u1', 't' || g, ${word('COMMIT', 'PR', 'GIFT_RECEIVED')}, ${moment}, '{"sha": "abc", "message": "m"}'
   from generate_series(1, 100000) g`,
  `insert into sponsors (id, slug, name) values ('s', 's', 'Sponsor')`,
  `insert into bounties (id, slug, title, short_description, details, category, status, published_at, sponsor_id,
     submissions_visible, created_at, updated_at)
   values ('b', 'b', 't', 's', 'd', 'c', 'OPEN', now(), 's', true, now(), now())`,
  `insert into bounty_submissions (id, bounty_id, user_id, title, description, status, created_at, updated_at)
   select 'x' || g, 'b', 'u' || g, 't', 'd', 'PENDING', ${moment}, ${moment} from generate_series(1, 100000) g`,
  repository('1', '200000'),
  `insert into launches (id, slug, name, tagline, description, status, launch_week, rating, launch_week_rating,
     submitted_by_id, published_at, created_at, updated_at)
   select 'l' || g, 'l' || g, 'n', 't', 'd', 'LIVE', '2026-01-05T00:00:00Z', 0, g, 'u' || g, ${moment}, now(), now()
   from generate_series(1, 10000) g`,
];

/** Statements with a thousand rows; n is different for each execution. */
const cases: Record<string, (n: number) => string> = {
  'holders, end of one list of 100k': (n) =>
    `insert into collection_holders select 'c1', 'u' || 100000 + ${n} * ${size} + g, '2027-01-01T00:00:00Z'::timestamptz + g * interval '1 s'
     from generate_series(1, ${size}) g`,
  'holders, anywhere in one list of 100k': (n) =>
    `insert into collection_holders select 'c1', 'u' || 150000 + ${n} * ${size} + g, '2026-01-05T00:00:00Z'::timestamptz
       + (hashint4(g + ${n * size}) & 65535) * interval '1 minute'
     from generate_series(1, ${size}) g`,
  'holders, over 1,000 collections': (n) =>
    `insert into collection_holders select 'c' || 2 + g % 1000, 'u' || 100000 + ${n} * ${size} + g, now()
     from generate_series(1, ${size}) g`,
  'timeline items, one list of 100k': (n) =>
    `insert into timeline_items (user_id, id, type, date, details)
     select 'u1', 'n${n}-' || g, ${word('COMMIT', 'PR', 'GIFT_RECEIVED')}, now() + g * interval '1 s', '{"sha": "abc", "message": "m"}'
     from generate_series(1, ${size}) g`,
  'submissions, one list of 100k': (n) =>
    `insert into bounty_submissions (id, bounty_id, user_id, title, description, status, created_at, updated_at)
     select 'n${n}-' || g, 'b', 'u' || 100000 + ${n * size} + g, 't', 'd', 'PENDING', now() + g * interval '1 s', now()
     from generate_series(1, ${size}) g`,
  'bounties, insert': (n) =>
    `insert into bounties (id, slug, title, short_description, details, category, status, published_at, submission_end, sponsor_id,
       submissions_visible, created_at, updated_at)
     select 'n${n}-' || g, 'n${n}-' || g, md5(g::text), 's', 'd', ${word('CONTENT', 'CODE', 'DESIGN')}, ${word('OPEN', 'REVIEW', 'COMPLETED')},
       ${moment}, case when g % 5 > 0 then ${moment} + interval '30 days' end, 's', true, now(), now()
     from generate_series(1, ${size}) g`,
  'repositories, updated_at': (n) =>
    `update repositories set updated_at = updated_at + interval '400 days'
     where (platform, platform_id) in (select ${word('github', 'gitlab')}, 'r' || g from generate_series(${n * size + 1}, ${(n + 1) * size}) g)`,
  'repositories, description': (n) =>
    `update repositories set description = 'x${n}'
     where (platform, platform_id) in (select ${word('github', 'gitlab')}, 'r' || g from generate_series(${n * size + 1}, ${(n + 1) * size}) g)`,
  'repositories, insert': (n) => repository(`${1_000_000 + n * size + 1}`, `${1_000_000 + (n + 1) * size}`),
  'ratings in a week of 10,000 launches': (n) =>
    `update launches set launch_week_rating = hashint4(substr(id, 2)::integer + ${n})
     where id in (select 'l' || g from generate_series(${(n % 10) * size + 1}, ${((n % 10) + 1) * size}) g)`,
};

export const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client(url);
  client.on('error', () => {}); // the running statement reports the error
  await client.connect();
  return client;
};
export const middle = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const nothing = { p50Ms: Number.NaN, p99Ms: Number.NaN, serverMicros: 0, databaseMicros: 0 };

/** Rows per second of single-row transactions by concurrent writers, over three seconds. */
const together = async (url: string, writers: number, tag: string): Promise<number> => {
  const endsAt = Date.now() + 3000;
  let rows = 0;
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const client = await connect(url);
      for (let n = 0; Date.now() < endsAt; n++) {
        await client.query(
          `insert into timeline_items (user_id, id, type, date, details)
           values ('u1', $1, 'COMMIT', now(), '{"sha": "abc", "message": "m"}')`,
          [`${tag}-${writers}-${writer}-${n}`],
        );
        rows += 1;
      }
      await client.end();
    }),
  );
  return rows / 3;
};

/** Parents whose rows follow them: a collection and a bounty with 50,000 rows each, hidden and shown again. */
const parents: Readonly<Record<string, readonly [fill: string[], update: (isHidden: boolean) => string]>> = {
  'a collection with 50,000 holders': [
    [
      `insert into collection_holders select 'c1001', 'u' || g, ${moment} from generate_series(1, 50000) g on conflict do nothing`,
    ],
    (isHidden) => `update collections set visibility = ${isHidden ? "'hidden'" : 'null'} where address = 'c1001'`,
  ],
  'a bounty with 50,000 submissions': [
    [
      `insert into bounties (id, slug, title, short_description, details, category, status, published_at, sponsor_id,
         submissions_visible, created_at, updated_at)
       values ('p', 'p', 't', 's', 'd', 'c', 'OPEN', now(), 's', true, now(), now())`,
      `insert into bounty_submissions (id, bounty_id, user_id, title, description, status, created_at, updated_at)
       select 'p' || g, 'p', 'u' || g, 't', 'd', 'PENDING', ${moment}, ${moment} from generate_series(1, 50000) g`,
    ],
    (isHidden) => `update bounties set submissions_visible = ${!isHidden} where id = 'p'`,
  ],
};
/** How long the writer lock is held to hide or show a parent, in milliseconds: the middle of six. */
const hidings = async (client: pg.Client): Promise<Result['ratios']> => {
  const found: Result['ratios'] = {};
  for (const [what, [fill, update]] of Object.entries(parents)) {
    for (const statement of fill) await client.query(statement);
    const times: number[] = [];
    for (const isHidden of [true, false, true, false, true, false]) {
      const began = performance.now();
      await client.query(update(isHidden));
      times.push(performance.now() - began);
    }
    found[`${what}: milliseconds to hide or to show it`] = Math.round(middle(times));
  }
  return found;
};

/** A database with all triggers (`maintained`) and a copy without any (`bare`), in one PostgreSQL. */
export const openPair = async (
  settings: Record<string, string>,
  more: readonly string[],
  say: (line: string) => void,
) => {
  const postgres = await startPostgres(settings);
  const at = (name: string) => postgres.url.replace(/\/postgres$/, `/${name}`);
  const admin = await connect(postgres.url);
  await admin.query('create database maintained');
  await migrate(at('maintained'), say);
  const filler = await connect(at('maintained'));
  for (const statement of [...world, ...more]) await filler.query(statement);
  await filler.query('vacuum analyze');
  await filler.end();
  await admin.query('create database bare template maintained');
  await admin.end();
  const bare = await connect(at('bare'));
  const { rows: triggers } = await bare.query<{ name: string; table: string }>(
    `select quote_ident(tgname) as name, tgrelid::regclass::text as table from pg_trigger where not tgisinternal`,
  );
  for (const { name, table } of triggers) await bare.query(`drop trigger ${name} on ${table}`);
  await bare.end();
  return { at, stop: postgres.stop };
};

export const writes = async (say: (line: string) => void): Promise<Result> => {
  const { at, stop } = await openPair({ wal_level: 'logical', shared_buffers: '1GB' }, [], say);
  try {
    const clients: Record<string, pg.Client> = {};
    for (const name of ['maintained', 'bare']) {
      const client = await connect(at(name));
      clients[name] = client;
      await client.query('create publication everything for all tables');
    }
    const rates: Record<string, Record<string, number[]>> = {};
    let n = 0;
    for (let round = 0; round < rounds; round++) {
      say(`round ${round + 1} of ${rounds}`);
      for (const [what, statement] of Object.entries(cases)) {
        rates[what] ??= { maintained: [], bare: [] };
        for (const mode of round % 2 === 0 ? ['maintained', 'bare'] : ['bare', 'maintained']) {
          const began = performance.now();
          for (let each = 0; each < statements; each++) await clients[mode]!.query(statement(n + each));
          rates[what][mode]!.push((size * statements * 1000) / (performance.now() - began));
        }
      }
      n += statements;
    }
    const rows: Result['rows'] = [];
    const ratios: Result['ratios'] = {};
    for (const [what, { maintained = [], bare = [] }] of Object.entries(rates)) {
      const [with_, without] = [middle(maintained), middle(bare)];
      rows.push({ what: `${what}, maintained`, perSecond: with_, ...nothing });
      rows.push({ what: `${what}, bare`, perSecond: without, ...nothing });
      ratios[`${what}: maintained / bare`] = Math.round((with_ / without) * 100) / 100;
    }
    const alone: number[] = [];
    const sixteen: number[] = [];
    for (let round = 0; round < 3; round++) {
      alone.push(await together(at('maintained'), 1, `w${round}`));
      sixteen.push(await together(at('maintained'), 16, `w${round}`));
    }
    rows.push({ what: 'single rows, one writer', perSecond: middle(alone), ...nothing });
    rows.push({ what: 'single rows, 16 writers', perSecond: middle(sixteen), ...nothing });
    ratios['16 writers / one'] = Math.round((middle(sixteen) / middle(alone)) * 100) / 100;
    Object.assign(ratios, await hidings(clients.maintained!));
    for (const client of Object.values(clients)) await client.end();
    return { rows, ratios };
  } finally {
    await stop();
  }
};
