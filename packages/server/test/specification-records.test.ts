// Random records of the types in section 2 of the specification, which are written out here and not taken from our
// schemas. Import loads each record, or rejects it in plain words for a reason in docs/gaps.md. SEED=… draws others.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { seed } from '../../../test/helpers/random.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { readConstraints } from '../src/records/constraints.ts';
import { reasonOf, recordCheck } from '../src/records/records.ts';
import { parseStrictly } from '../src/records/strict-json.ts';
import { tables } from '../src/records/tables.ts';
import { load, newFolder } from './helpers/dataset-files.ts';

const runs = 120;
const world = await createWorld();
const { add, owner } = world;

type Values<T = unknown> = fc.Arbitrary<T>;
/** Mostly usual values, so that many records have one odd value and some have none. */
const mostly = (usual: Values, odd: Values, times = 30): Values =>
  fc.oneof({ arbitrary: usual, weight: times }, { arbitrary: odd, weight: 1 });
const letters = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456789-');
const oddText = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.constantFrom(100, 101, 200, 201, 500, 501, 2048, 2049, 50_000, 50_001).map((length) => '☃'.repeat(length)),
  fc.constantFrom('', 'me', 'featured', '.', '..', 'a b', 'a/b', 'u\u0308', 'a\u0378', 'a\tb\r\n', 'a\u0007', '\ud800'),
  fc.constantFrom('a\u200bb', 'a\u0085', '\u0000', '\\N', `0x${'aB'.repeat(20)}`, '__proto__'),
);
const string = mostly(fc.string({ unit: letters, minLength: 8, maxLength: 14 }), oddText);
/** Keys that are used in paths: more values that are special there. */
const ton = `EQ${'A'.repeat(46)}`;
const key = mostly(string, fc.constantFrom('me', 'featured', ton, 'a b', '..', 'ü', 'u\u0308'), 15);
const integer = mostly(
  fc.integer({ min: 0, max: 90 }),
  fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constantFrom(-1, 100, 101, 2 ** 31, 2 ** 53)),
);
const number = mostly(
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const boolean = fc.boolean();
const years = {
  min: new Date('0001-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
};
const timestamp = mostly(
  fc.date(years).map((date) => date.toISOString()),
  fc.constantFrom(
    ...['2026-02-31T00:00:00.000Z', '2016-12-31T23:59:60.000Z', '0000-01-01T00:00:00.000Z', '2026-01-01T00:00:00Z'],
    ...['2026-01-01', '2026-01-01T00:00:00.000+02:00', '2026-01-01T24:00:00.000Z', '', 'tomorrow'],
  ),
  90,
);
const orNull = (values: Values): Values => fc.oneof(values, fc.constant(null));
const arrayOf = (values: Values): Values =>
  mostly(
    fc.array(values, { maxLength: 2 }),
    values.map((value) => Array(101).fill(value)),
  );
const word = (...seen: string[]): Values => fc.oneof({ arbitrary: fc.constantFrom(...seen), weight: 3 }, string);
const object = (keys: Record<string, Values>, ...optional: string[]): Values =>
  fc.oneof(
    { arbitrary: fc.record(keys), weight: 20 },
    fc.record(keys, { requiredKeys: Object.keys(keys).filter((key) => !optional.includes(key)) }),
  );
const anyObject = fc.dictionary(string as Values<string>, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
/** Keys of rows that exist before the import. */
const one = (name: string, rows: number): Values => fc.nat({ max: rows - 1 }).map((n) => `${name}-${n}`);
const [users, sponsors, bounties, submissions] = [one('u', 200), one('s', 5), one('b', 20), one('bs', 100)];
const [topics, launches, contests, entries] = [one('t', 30), one('l', 30), one('k', 30), one('e', 30)];
const addresses = one('c', 30);

// Specification 2.1
const avatar = object({ sm: string, lg: string });
const tag = object(
  { tag: word('DEVELOPER', 'BUILDER'), tier: word('SILVER', 'GOLD'), contestName: orNull(string) },
  'contestName',
);
const fieldValue = object({ label: string, type: word('url', 'repository'), value: string });
const link = object({ name: string, value: string });
const stamps = { created_at: timestamp, updated_at: timestamp };
const visibility = fc.constantFrom(null, null, 'public', 'hidden');
const names = arrayOf(string);

const specification: Record<string, Record<string, Values>> = {
  // 2.1 UserSummary
  users: {
    ...{ id: string, username: key, display_name: string, avatar: orNull(avatar), bio: orNull(string) },
    ...{ status: word('ACTIVATED', 'active'), tags: arrayOf(tag), god_mode: boolean },
  },
  // 2.2 and 2.3
  agents: {
    ...{ id: string, name: key, display_name: string, agent_id: orNull(string), bio: string, avatar },
    website_url: string,
    services: arrayOf(
      mostly(
        object({
          ...{ name: string, endpoint: string, description: string, version: string, capabilities: names },
          ...{
            mcpTools: names,
            mcpResources: names,
            mcpPrompts: names,
            skills: names,
            domains: names,
            a2aSkills: names,
          },
        }),
        object({ name: string, endpoint: string, version: string, mcpTools: names }, 'mcpTools'),
      ),
    ),
    ...{ active: boolean, x402_support: boolean, supported_trust: names },
    registrations: arrayOf(object({ agentId: integer, agentRegistry: string })),
    social_accounts: arrayOf(
      object({
        platform: string.map((text) => String(text).toUpperCase()),
        ...{ username: string, url: string, verified: boolean },
      }),
    ),
    ...{ version: string, category: string, tags: names, status: word('PUBLISHED'), visibility },
    ...{ last_seen_at: timestamp, owner_id: users, ...stamps, published_at: timestamp },
  },
  sponsors: { id: string, slug: key, name: string, logo: string, website: string },
  sponsor_members: { user_id: users, sponsor_id: sponsors, role: word('MEMBER', 'ADMIN', 'OWNER') },
  // 2.4
  bounties: {
    ...{ id: string, slug: key, title: string, short_description: string, details: string },
    ...{ category: word('CONTENT'), status: word('OPEN'), visibility },
    rewards: arrayOf(object({ place: integer, amount: number })),
    ...{ image_url: string, submission_start: timestamp, submission_end: timestamp, review_start: timestamp },
    ...{
      review_end: timestamp,
      published_at: mostly(timestamp, fc.constant(null), 9),
      completed_at: orNull(timestamp),
    },
    fields: arrayOf(object({ label: string, type: string, required: boolean })),
    ...{ sponsor_id: sponsors, submissions_visible: boolean, ...stamps },
  },
  // 2.5
  bounty_submissions: {
    ...{ id: string, bounty_id: bounties, user_id: users, title: string, description: string },
    ...{ field_values: arrayOf(fieldValue), additional_links: arrayOf(link), image_url: string },
    ...{
      status: word('PENDING', 'WINNER'),
      visibility,
      moderation_reason: orNull(string),
      prize_place: orNull(integer),
    },
    ...{ comment_count: integer, clap_count: integer, reward_wallet_address: key, ...stamps },
  },
  bounty_submission_makers: { submission_id: submissions, position: integer, user_id: users },
  // 2.7
  topics: { id: string, slug: key, name: string },
  launches: {
    ...{ id: string, slug: key, name: string, tagline: string, description: string, logo_url: string },
    ...{ cta_url: string, website_url: string, code_host_url: orNull(string), messenger_url: orNull(string) },
    ...{ mini_app_url: orNull(string), microblog_url: orNull(string), photo_social_url: orNull(string) },
    ...{ professional_network_url: orNull(string), video_site_url: orNull(string), video_url: orNull(string) },
    ...{ screenshot_urls: names, status: word('LIVE'), visibility, rating: integer, launch_week_rating: integer },
    launch_week: mostly(timestamp, fc.constant(null), 9),
    ...{ comment_count: integer, submitted_by_id: users, featured_at: orNull(timestamp) },
    published_at: mostly(timestamp, fc.constant(null), 9),
    ...stamps,
  },
  launch_topics: { launch_id: launches, position: integer, topic_id: topics },
  launch_makers: { launch_id: launches, position: integer, user_id: users },
  launch_claps: { launch_id: launches, user_id: users, claps: integer },
  // 2.8
  collections: {
    ...{
      address: key,
      name: string,
      description: string,
      image: string,
      type: word('SBT'),
      importance: word('HIGH'),
    },
    ...{
      is_sbt: boolean,
      category: word('achievement'),
      is_winner: boolean,
      source: fc.constantFrom('internal', 'external'),
    },
    ...{ status: orNull(word('DRAFT')), visibility, creator_address: key, next_item_index: integer },
    ...{ external_link: orNull(string), social_links: names, ...stamps, on_chain_created_at: timestamp },
  },
  // 2.9
  contests: {
    ...{ id: string, slug: key, title: string, short_description: string, details: string, rules: string },
    ...{ prize_pool: string, image_url: orNull(string), judge_user_ids: names, status: word('OPEN'), visibility },
    ...{ direct_link_enabled: boolean, fields: orNull(arrayOf(mostly(anyObject, fc.jsonValue({ maxDepth: 1 }), 9))) },
    ...{ tracks: arrayOf(anyObject), submission_start: timestamp, submission_end: timestamp, voting_start: timestamp },
    ...{ voting_end: timestamp, created_by_id: string, ...stamps },
  },
  collection_contests: { collection_address: addresses, contest_id: contests, role: string },
  collection_holders: { user_id: users, collection_address: addresses, acquired_at: timestamp },
  // 2.11
  repositories: {
    ...{ platform: word('github'), platform_id: string, owner: string, name: string, category: string },
    ...{ ecosystem: string, description: string, importance: word('HIGH'), status: word('REVIEWED') },
    ...{ contributors_count: integer, platform_created_at: timestamp, platform_updated_at: timestamp },
    ...{ platform_pushed_at: timestamp, ...stamps },
  },
  // 2.10
  contest_submissions: {
    ...{ id: string, contest_id: contests, user_id: users, title: string, description: string, track_ids: names },
    ...{ image_url: orNull(string), field_values: arrayOf(fieldValue), additional_links: arrayOf(link) },
    ...{ status: word('APPROVED', 'WINNER'), visibility, moderation_reason: orNull(string), clap_count: integer },
    ...{ comment_count: integer, prize_place: orNull(integer), repository_platform: orNull(fc.constant('github')) },
    ...{ repository_platform_id: orNull(fc.constant('r-0')), ...stamps },
  },
  contest_submission_supporters: {
    ...{ user_id: users, submission_id: entries, voting_tier: word('GOLD'), created_at: timestamp },
  },
  // 2.12
  timeline_items: {
    ...{ user_id: users, id: string, type: fc.constantFrom('COMMIT', 'PR', 'BADGE_RECEIVED', 'GIFT_RECEIVED') },
    ...{ date: timestamp, details: anyObject },
  },
  // 2.13
  score_tiers: {
    dimension: fc.constantFrom('developer', 'builder', 'contributor', 'messenger', 'identity'),
    ...{ silver: number, gold: number, platinum_score: number, platinum_percentile: number },
    metrics: arrayOf(object({ key: string, maxScore: number, description: string })),
  },
  api_keys: {
    ...{ id: string, user_id: users, name: string, created_at: timestamp, expires_at: orNull(timestamp) },
    hash: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex')),
  },
};

const parents = async (): Promise<void> => {
  const many = async (count: number, table: string, row: (n: number) => object): Promise<void> => {
    for (let n = 0; n < count; n++) await add(table, { ...row(n) });
  };
  await owner.query('begin');
  await many(200, 'users', (n) => ({ id: `u-${n}` }));
  await many(5, 'sponsors', (n) => ({ id: `s-${n}` }));
  await many(20, 'bounties', (n) => ({ id: `b-${n}`, sponsor_id: 's-0' }));
  await many(100, 'bounty_submissions', (n) => ({ id: `bs-${n}`, bounty_id: `b-${n % 20}`, user_id: `u-${n}` }));
  await many(30, 'topics', (n) => ({ id: `t-${n}` }));
  await many(30, 'launches', (n) => ({ id: `l-${n}`, submitted_by_id: 'u-0' }));
  await many(30, 'collections', (n) => ({ address: `c-${n}` }));
  await many(30, 'contests', (n) => ({ id: `k-${n}`, created_by_id: 'u-0' }));
  await many(1, 'repositories', () => ({ platform: 'github', platform_id: 'r-0' }));
  await many(30, 'contest_submissions', (n) => ({ id: `e-${n}`, contest_id: 'k-0', user_id: 'u-0' }));
  await owner.query('commit');
};

test('a record of the specified types is loaded, or rejected in plain words by a rule of docs/gaps.md', async (t) => {
  t.diagnostic(`SEED=${seed}`);
  assert.deepEqual(
    Object.keys(specification),
    tables.map(({ name }) => name),
  );
  await parents();
  const sections = [...readFileSync('docs/gaps.md', 'utf8').matchAll(/^## (G\d+) /gm)].map(([, section]) => section!);
  const constraints = [...(await readConstraints(owner)).keys()].map((key) => key.split('.')[1]!);
  const isOdd = (text: string): boolean =>
    /must match|Expected|violates|SQLSTATE|_text\b|_json\b|_limit\b/.test(text) ||
    constraints.some((name) => text.includes(name));

  const place = newFolder();
  mkdirSync(place);
  const problems = new Map<string, string>();
  const rules = new Set<string>();
  for (const [index, table] of tables.entries()) {
    const columns = specification[table.name]!;
    const drawn = fc.sample(fc.record(columns), { numRuns: runs, seed: seed + index });
    const check = recordCheck(table);
    const lines = drawn.map((record, line) => {
      const json = JSON.stringify(record);
      const parsed = parseStrictly(Buffer.from(json));
      if ('reason' in parsed) {
        rules.add('G18');
        problems.set(`${table.name}.ndjson:${line + 1}`, parsed.reason);
        return `${json}\n`;
      }
      const found = check(parsed.value);
      for (const { gap, text } of found) {
        assert.ok(sections.includes(gap), `${table.name} ${gap} ${text} ${json.slice(0, 3000)}`);
        rules.add(gap);
      }
      if (found.length > 0) problems.set(`${table.name}.ndjson:${line + 1}`, reasonOf(found));
      return `${json}\n`;
    });
    writeFileSync(join(place, `${table.name}.ndjson`), lines.join(''));
  }
  const { rejected, lines } = await load(world, place);

  // Only the database decides rules that depend on other rows.
  const byOthers = /of another row of|is in the file twice|at most 100/;
  const unexpected = rejected.filter((line) => {
    const [, label = '', line_ = ''] = /^rejected ([^:]+):(\d+)/.exec(line) ?? [];
    return isOdd(line) || (!problems.delete(`${label}:${line_}`) && !byOthers.test(line));
  });
  assert.deepEqual(
    unexpected.map((line) => line.slice(0, 500)),
    [],
  );
  assert.deepEqual([...problems], [], 'every record with a problem is rejected');
  const loaded = lines.flatMap((line) => {
    const [, table = '', count = ''] = /^(\w+)\.ndjson: \d+ records, (\d+) loaded/.exec(line) ?? [];
    return table === '' ? [] : [`${table} ${count}`];
  });
  t.diagnostic(`loaded of ${runs}: ${loaded.join(', ')}; rules: ${[...rules].sort().join(' ')}`);
  for (const each of loaded) assert.ok(Number(each.split(' ')[1]) >= (each.startsWith('score_tiers') ? 3 : 20), each);
  for (const rule of ['G10', 'G13', 'G15', 'G16', 'G18']) assert.ok(rules.has(rule), `no record violated ${rule}`);
});
