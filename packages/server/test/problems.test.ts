// Messages about invalid records: the text for each kind of problem, and that all problems of a record are reported at
// once. The walker that finds problems finds one exactly when the compiled check fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaFits } from '@commonhall/contract/check';
import fc from 'fast-check';
import { seed } from '../../../test/helpers/random.ts';
import { recordSchema } from '../src/records/columns.ts';
import { keyHashOf } from '../src/records/keys.ts';
import type { JsonSchema } from '../src/records/problems.ts';
import { collector, findProblems, problemText } from '../src/records/problems.ts';
import { reasonOf, recordCheck, recordReader, tableNamed } from '../src/records/records.ts';
import { tables } from '../src/records/tables.ts';

const t0 = '2026-01-05T00:00:00.000Z';
const stamps = { created_at: t0, updated_at: t0 };
/** A valid record of each table that the examples change. */
const right: Record<string, Record<string, unknown>> = {
  users: { id: 'u1', username: 'ada', display_name: 'Ada', status: 'active', tags: [], god_mode: false },
  bounties: {
    ...stamps,
    ...{ id: 'b1', slug: 'b1', title: 't', short_description: 's', details: 'd', category: 'c', status: 'OPEN' },
    ...{ rewards: [], fields: [], sponsor_id: 's1', submissions_visible: true, published_at: t0 },
  },
  launches: {
    ...stamps,
    ...{ id: 'l1', slug: 'l1', name: 'n', tagline: 't', description: 'd', screenshot_urls: [], status: 'LIVE' },
    ...{ rating: 0, launch_week_rating: 0, comment_count: 0, submitted_by_id: 'u1', published_at: t0, launch_week: t0 },
  },
  launch_claps: { launch_id: 'l1', user_id: 'u1', claps: 1 },
  collections: {
    ...stamps,
    ...{ address: 'a1', name: 'n', description: 'd', type: 't', importance: 'i', is_sbt: true, category: 'c' },
    ...{ is_winner: false, source: 'external', next_item_index: 0, social_links: [] },
  },
  contest_submissions: {
    ...stamps,
    ...{ id: 'e1', contest_id: 'k1', user_id: 'u1', title: 't', description: 'd', track_ids: [], field_values: [] },
    ...{ additional_links: [], status: 'APPROVED', comment_count: 0 },
  },
  timeline_items: { user_id: 'u1', id: 'i1', type: 'COMMIT', date: t0, details: {} },
  api_keys: { id: 'k1', user_id: 'u1', name: 'n', hash: 'a'.repeat(64), created_at: t0 },
};
const agent = {
  ...stamps,
  ...{ id: 'a1', name: 'a1', display_name: 'n', bio: 'b', services: [], active: true, x402_support: false },
  ...{ supported_trust: [], registrations: [], social_accounts: [], tags: [], status: 's', owner_id: 'u1' },
  published_at: t0,
};
const problemsOf = (table: string, change: object): string[] =>
  recordCheck(tableNamed(table))({ ...(right[table] ?? agent), ...change }).map(problemText);

test('a valid record has no problem', () => {
  for (const table of [...Object.keys(right), 'agents']) assert.deepEqual(problemsOf(table, {}), [], table);
});

test('each problem says what was given, what is allowed and what to do', () => {
  const ton = `EQ${'A'.repeat(46)}`;
  const examples: [table: string, change: object, ...problems: string[]][] = [
    [
      'launches',
      { launch_week: 'tomorrow' },
      'launch_week: "tomorrow" is not an instant; write it like 2026-11-02T00:00:00.000Z or null',
    ],
    ['users', { created: 1 }, 'created: is not a column of users; leave it out'],
    [
      'users',
      { displayname: 'x' },
      'displayname: is not a column of users; did you mean display_name? Otherwise leave it out',
    ],
    [
      'launches',
      { rating: 1.5 },
      'rating: 1.5 is not a whole number; write a whole number from -9007199254740991 to 9007199254740991',
    ],
    ['users', { avatar: { sm: '' } }, 'avatar.lg: is missing; it is required'],
    ['users', { avatar: 'x' }, 'avatar: "x" is not an object; write an object with the keys sm and lg or null'],
    [
      'users',
      { tags: [{ tag: 't', tier: 5, contestName: null }] },
      'tags[0].tier: 5 is not a text; write a text of at most 100 characters',
    ],
    [
      'users',
      { tags: Array(101).fill({ tag: '', tier: '', contestName: null }) },
      'tags: has 101 elements; at most 100 are allowed; remove some',
    ],
    ['users', { status: '' }, 'status: is empty; write a text of 1 to 100 characters'],
    ['users', { status: 'a\tb' }, 'status: "a\\tb" has the control character U+0009; write it in one line, without it'],
    ['users', { god_mode: 'yes' }, 'god_mode: "yes" is not true or false; write true or false'],
    [
      'users',
      { display_name: 'é'.repeat(201) },
      `display_name: "${'é'.repeat(55)}…" has 201 characters; at most 200 are allowed; shorten it`,
    ],
    [
      'users',
      { username: 'a b' },
      'username: "a b" has the character U+0020; spaces, / ? # % \\ and invisible or unassigned characters are not allowed; replace it',
    ],
    ['users', { username: '..' }, 'username: ".." has a meaning of its own in a URL; choose another'],
    ['users', { username: 'u\u0308' }, 'username: "u\u0308" has letters in decomposed form; write it in Unicode NFC'],
    ['bounties', { slug: 'me' }, 'slug: "me" is reserved: /bounties/me is a path of the API; choose another'],
    [
      'launches',
      { slug: 'featured' },
      'slug: "featured" is reserved: /launches/featured is a path of the API; choose another',
    ],
    [
      'bounties',
      { published_at: null },
      'published_at: is missing, and the bounty would be public; write an instant, or set visibility to "hidden"',
    ],
    ['bounties', { visibility: 'HIDDEN' }, 'visibility: "HIDDEN" is not allowed; write "public" or "hidden" or null'],
    [
      'bounties',
      {
        rewards: [
          { place: 1, amount: 5 },
          { place: '1', amount: 5 },
        ],
      },
      'rewards[1].place: "1" is not a whole number; write a whole number from -9007199254740991 to 9007199254740991',
    ],
    [
      'launches',
      { published_at: null, launch_week: null },
      'published_at: is missing, and the status is LIVE; write an instant, or write another status',
      'launch_week: is missing, and the status is LIVE; write an instant, or write another status',
    ],
    [
      'launches',
      { status: 'SOON', visibility: 'public', launch_week: null },
      'launch_week: is missing, and the launch would be public; write an instant, or set visibility to null',
    ],
    ['launch_claps', { claps: 0 }, 'claps: 0 is too small; write a whole number from 1 to 2147483647'],
    ['launch_claps', { claps: 2 ** 31 }, 'claps: 2147483648 is too large; write a whole number from 1 to 2147483647'],
    [
      'collections',
      { address: ton },
      `address: "${ton}" is a TON address with a wrong checksum; copy the address again`,
    ],
    ['collections', { holders_count: 1 }, 'holders_count: is not a column of collections; leave it out'],
    [
      'contest_submissions',
      { repository_platform: 'github' },
      'repository_platform_id: is missing, and repository_platform is given; write both or neither',
    ],
    [
      'timeline_items',
      { date: '2026-02-31T00:00:00.000Z' },
      'date: "2026-02-31T00:00:00.000Z" is not an instant; write it like 2026-11-02T00:00:00.000Z',
    ],
    [
      'timeline_items',
      { date: '2016-12-31T23:59:60.000Z' },
      'date: "2016-12-31T23:59:60.000Z" is not an instant of the years 1 to 9999; write another',
    ],
    [
      'timeline_items',
      { date: '0000-01-01T00:00:00.000Z' },
      'date: "0000-01-01T00:00:00.000Z" is not an instant of the years 1 to 9999; write another',
    ],
    [
      'timeline_items',
      { details: { x: 'é'.repeat(200_000) } },
      'details: has 400009 bytes as JSON; at most 400000 are allowed; shorten it',
    ],
    [
      'agents',
      { social_accounts: [{ platform: 'GitHub', username: '', url: '', verified: true }] },
      'social_accounts[0].platform: "GitHub" has lower-case letters; write it in upper case',
    ],
    [
      'api_keys',
      { hash: 'chk_live_secret' },
      'hash: the value is not a hash; write 64 hexadecimal digits, 0 to 9 and a to f',
    ],
  ];
  for (const [table, change, ...expected] of examples)
    assert.deepEqual(problemsOf(table, change), expected, JSON.stringify(change).slice(0, 200));
  const { status, ...without } = right.users!;
  assert.deepEqual(recordCheck(tableNamed('users'))(without).map(problemText), ['status: is missing; it is required']);
  for (const value of [null, [], 'x', 5])
    assert.match(reasonOf(recordCheck(tableNamed('users'))(value)), /^\S+ is not an object; write one record/);
});

test('all problems of a record are in one line, after twenty the rest is only counted, and a valid key is returned', () => {
  const read = recordReader(tableNamed('users'));
  const rejected = (change: object) => {
    const parsed = read(3, Buffer.from(JSON.stringify({ ...right.users, ...change })));
    assert.ok('reason' in parsed);
    return parsed;
  };
  const two = rejected({ god_mode: 1, username: 'a/b', bio: 5 });
  assert.equal(two.reason.split(' | ').length, 3);
  assert.equal(two.keyHash, keyHashOf(['u1']));
  assert.equal(rejected({ id: '' }).keyHash, undefined);
  assert.equal(rejected({ id: 5 }).keyHash, undefined);
  const many = rejected({ tags: Array(100).fill({}) }).reason.split(' | ');
  assert.deepEqual([many.length, many.at(-1)], [21, 'and 280 more']);
  const strangers = rejected(Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`${n}\n`, n])));
  assert.match(strangers.reason, /and 99980 more$/);
  assert.ok(!strangers.reason.includes('\n') && strangers.reason.length < 2000);
});

/** Values that match a shape or nearly match it, and arbitrary values. */
const around = (shape: JsonSchema): fc.Arbitrary<unknown> => {
  const inside = (): fc.Arbitrary<unknown> => {
    if (shape.anyOf !== undefined) return fc.oneof(...shape.anyOf.map(around));
    if (shape.enum !== undefined) return fc.constantFrom(...shape.enum);
    if (shape.format === 'date-time')
      return fc.constantFrom(
        t0,
        '2026-02-31T00:00:00.000Z',
        '2024-02-29T23:59:60.000Z',
        '0000-01-01T00:00:00.000Z',
        '2026-01-01T24:00:00.000Z',
        '2026-13-01T00:00:00.000Z',
        '2026-01-01T00:00:60.000Z',
        '1900-02-29T00:00:00.000Z',
      );
    switch (shape.type) {
      case 'string':
        return fc.oneof(
          fc.constantFrom(
            '',
            'A',
            'a',
            'x'.repeat(shape.maxLength ?? 64),
            '🚀'.repeat(shape.maxLength ?? 64),
            'a'.repeat(64),
          ),
          { arbitrary: fc.constant('🚀'.repeat((shape.maxLength ?? 64) + 1)), weight: 1 },
          fc.string({ unit: 'binary' }),
        );
      case 'integer':
        return fc.constantFrom(
          shape.minimum,
          shape.maximum,
          1,
          1.5,
          (shape.minimum ?? 0) - 1,
          (shape.maximum ?? 0) + 1,
        );
      case 'number':
        return fc.double({ noNaN: true, noDefaultInfinity: true });
      case 'boolean':
        return fc.boolean();
      case 'array': {
        const item = around(shape.items ?? {});
        return fc.oneof(
          { arbitrary: fc.array(item, { maxLength: 2 }), weight: 9 },
          { arbitrary: item.map((each) => Array(101).fill(each)), weight: 1 },
        );
      }
      case 'object': {
        const required = Object.keys(shape.properties ?? {});
        const keys = Object.fromEntries(required.map((key) => [key, around(shape.properties?.[key] ?? {})]));
        return fc.oneof(
          { arbitrary: fc.record(keys), weight: 8 },
          { arbitrary: fc.record({ ...keys, more: fc.constant(1) }), weight: 1 },
          { arbitrary: fc.record(keys, { requiredKeys: [] }), weight: 1 },
        );
      }
      case 'null':
        return fc.constant(null);
      default:
        return fc.jsonValue();
    }
  };
  return fc.oneof({ arbitrary: inside(), weight: 30 }, { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 1 });
};

test('the walker finds a problem exactly when the compiled check fails', () => {
  const drawn = { right: 0, wrong: 0 };
  for (const table of tables) {
    const schema = recordSchema(table);
    const [fits, find] = [schemaFits(schema), findProblems(schema, table.name, new Set())];
    const compare = (value: unknown) => {
      const found = collector();
      find(found, value);
      const problems = found.all();
      const isRight = fits(value);
      drawn[isRight ? 'right' : 'wrong'] += 1;
      assert.equal(
        problems.length === 0,
        isRight,
        `${table.name} ${JSON.stringify(value)} ${JSON.stringify(problems)}`,
      );
    };
    // Compares both checks for each column separately, then for the whole record.
    for (const [name, { schema: inner }] of Object.entries(table.columns)) {
      const one = {
        type: 'object',
        properties: { [name]: inner as JsonSchema },
        required: [name],
        additionalProperties: false,
      };
      const [oneFits, findOne] = [schemaFits(one), findProblems(one, table.name, new Set())];
      fc.assert(
        fc.property(around(inner as JsonSchema), (value) => {
          const found = collector();
          findOne(found, { [name]: value });
          const isRight = oneFits({ [name]: value });
          drawn[isRight ? 'right' : 'wrong'] += 1;
          assert.equal(found.all().length === 0, isRight, JSON.stringify(found.all()));
        }),
        { seed, numRuns: 12 },
      );
    }
    fc.assert(fc.property(around(schema as JsonSchema), compare), { seed, numRuns: 40 });
  }
  assert.ok(drawn.right > 500 && drawn.wrong > 500, JSON.stringify(drawn));
});

test('the walker knows every keyword in the schemas of the records', () => {
  const known =
    'type anyOf enum properties required additionalProperties items maxItems minLength maxLength pattern format minimum maximum title description x-extensible-enum'.split(
      ' ',
    );
  const look = (shape: JsonSchema): void => {
    for (const keyword of Object.keys(shape)) assert.ok(known.includes(keyword), keyword);
    for (const inner of [...(shape.anyOf ?? []), ...Object.values(shape.properties ?? {}), shape.items ?? {}])
      if (inner !== undefined && Object.keys(inner).length > 0) look(inner);
    if (shape.anyOf !== undefined) assert.deepEqual([shape.anyOf.length, shape.anyOf[1]?.type], [2, 'null']);
  };
  for (const table of tables) look(recordSchema(table) as JsonSchema);
});
