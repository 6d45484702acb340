// What the database rejects from every writer: names (gap G13, G18), limits (G15), nulls and empty text (G16). Each
// rule is tested with values just inside and just outside its bounds.
// lanes: 15 18
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createWorld } from '../../../test/helpers/world.ts';
import { migrate } from '../src/db/schema/migrate.ts';

const world = await createWorld();
const { add, owner } = world;
await add('users', { id: 'u1' });
await add('sponsors', { id: 's1' });
await add('contests', { id: 'k1', created_by_id: 'u1' });
await add('bounties', { id: 'b1', sponsor_id: 's1' });

/** The columns that each table needs besides its defaults. */
const parents: Record<string, object> = {
  agents: { owner_id: 'u1' },
  bounties: { sponsor_id: 's1' },
  bounty_submissions: { bounty_id: 'b1', user_id: 'u1' },
  launches: { submitted_by_id: 'u1' },
  contests: { created_by_id: 'u1' },
  contest_submissions: { contest_id: 'k1', user_id: 'u1' },
  timeline_items: { user_id: 'u1' },
  sponsor_members: { sponsor_id: 's1', user_id: 'u1' },
};
const refused = (
  table: string,
  row: object,
  why: RegExp | object = /violates|out of range|invalid input|cannot extract/,
) => assert.rejects(add(table, { ...parents[table], ...row }), why, `${table} ${JSON.stringify(row).slice(0, 100)}`);
const accepted = (table: string, row: object) => add(table, { ...parents[table], ...row });

const slugs = {
  users: 'username',
  agents: 'name',
  bounties: 'slug',
  launches: 'slug',
  sponsors: 'slug',
  contests: 'slug',
  topics: 'slug',
};

test('a slug may have any letters in Unicode NFC, but no space, no URL delimiter and no invisible character', async () => {
  const right = [
    'A.ok-_9'.padEnd(100, 'x'),
    '-x',
    '.hidden',
    '...',
    'ünïcode',
    'начало',
    '日本語',
    '🚀',
    "it's~@:&=+$!",
  ];
  const wrong = [
    '',
    '.',
    '..',
    'a b',
    'a/b',
    'a?b',
    'a#b',
    'a%20',
    'a\\b',
    'x'.repeat(101),
    'a\n',
    'a\u007f',
    'a\u0085',
  ];
  const invisible = [
    '\u00a0',
    '\u00ad',
    '\u061c',
    '\u200b',
    '\u200d',
    '\u202e',
    '\u2028',
    '\u2066',
    '\u3000',
    '\ufeff',
  ];
  const beyond = ['\ue000', '\u{e0041}', '\u{f0000}', '\u{10fffd}'];
  for (const [table, column] of Object.entries(slugs)) {
    for (const slug of right) await accepted(table, { [column]: slug });
    for (const slug of [...wrong, 'u\u0308']) await refused(table, { [column]: slug });
  }
  for (const character of [...invisible, ...beyond]) await refused('topics', { slug: `a${character}b` });
});

test('only a slug that is a literal part of an API path is reserved, in exactly that spelling', async () => {
  await refused('bounties', { slug: 'me' }, /bounties_reserved_slug/);
  await refused('launches', { slug: 'featured' }, /launches_reserved_slug/);
  for (const slug of ['ME', 'Me', 'featured', 'user', 'submissions']) await accepted('bounties', { slug });
  for (const slug of ['Featured', 'FEATURED', 'me', 'user']) await accepted('launches', { slug });
  for (const name of ['me', 'featured', 'scores', 'metadata']) {
    await accepted('users', { username: name });
    await accepted('agents', { name });
  }
});

test('an id is any text of 1 to 100 characters without control characters', async () => {
  for (const id of ['a/b c?d#e%20\\', '\u202e', 'ü', 'x'.repeat(100)]) await accepted('users', { id });
  for (const id of ['', 'x'.repeat(101), 'a\u0007', 'a\t', 'a\u0085']) await refused('users', { id });
});

test('texts have length limits and may be empty, but a status may not', async () => {
  const limits: [table: string, column: string, limit: number][] = [
    ['users', 'display_name', 200],
    ['users', 'bio', 500],
    ['agents', 'bio', 50_000],
    ['agents', 'website_url', 2048],
    ['agents', 'version', 100],
    ['sponsors', 'name', 200],
    ['sponsors', 'logo', 2048],
    ['bounties', 'title', 200],
    ['bounties', 'short_description', 500],
    ['bounties', 'details', 50_000],
    ['bounties', 'category', 100],
    ['bounty_submissions', 'moderation_reason', 500],
    ['launches', 'tagline', 500],
    ['collections', 'name', 200],
    ['collections', 'type', 100],
    ['contests', 'rules', 50_000],
    ['contests', 'prize_pool', 500],
    ['contest_submissions', 'image_url', 2048],
    ['repositories', 'owner', 200],
    ['repositories', 'description', 500],
  ];
  for (const [table, column, limit] of limits) {
    await accepted(table, { [column]: '☃'.repeat(limit) });
    await accepted(table, { [column]: '' });
    await refused(table, { [column]: '☃'.repeat(limit + 1) });
  }
  for (const table of ['users', 'agents', 'bounties', 'bounty_submissions', 'launches', 'contests', 'repositories']) {
    await accepted(table, { status: '☃'.repeat(100), ...(table === 'bounties' ? { published_at: null } : {}) });
    for (const status of ['', '☃'.repeat(101), null]) await refused(table, { status });
  }
  await accepted('users', { display_name: 'tab\tnewline\nreturn\r' });
  for (const control of ['\u0007', '\u001b', '\u007f', '\u009f']) await refused('users', { display_name: control });
});

test('visibility is null, public or hidden in every table that has it', async () => {
  const said = [
    'agents',
    'bounties',
    'bounty_submissions',
    'launches',
    'collections',
    'contests',
    'contest_submissions',
  ];
  for (const table of said) {
    for (const visibility of [null, 'public', 'hidden']) await accepted(table, { visibility });
    for (const visibility of ['', 'PUBLIC', 'private']) await refused(table, { visibility });
  }
  const { rows } = await owner.query<{ table: string }>(
    `select table_name as table from information_schema.columns where table_schema = 'public' and column_name = 'visibility'`,
  );
  assert.deepEqual(rows.map(({ table }) => table).sort(), said.sort());
});

test('JSON columns must have exactly their shape, at most 100 elements, finite numbers and safe integers', async () => {
  const object = { any: { thing: [1.5, null, 'x'] } };
  const cases: [table: string, column: string, right: unknown[], wrong: unknown[]][] = [
    [
      'users',
      'avatar',
      [null, { sm: 'x', lg: 'y' }, { sm: '', lg: '' }],
      [{ sm: 'x' }, { sm: 'x', lg: null }, { sm: 'x', lg: 'y', xl: 'z' }, { sm: 'x', lg: 'x'.repeat(2049) }, 'x', []],
    ],
    [
      'users',
      'tags',
      [[{ tag: 'A', tier: 'B', contestName: null }], [{ tag: '', tier: '', contestName: '' }]],
      [[{ tag: 'A', tier: 'B' }], [{ tag: 'A', tier: 'B', contestName: 'x'.repeat(201) }], {}, [null], ['x'], null],
    ],
    ['agents', 'services', [[]], [[{ name: 'x' }], [{}]]],
    [
      'agents',
      'registrations',
      [[{ agentId: 1, agentRegistry: 'eip155:1:0x0' }], [{ agentId: -1, agentRegistry: 'not in that form' }]],
      [
        [{ agentId: 1.5, agentRegistry: 'a:b:c' }],
        [{ agentId: '1', agentRegistry: 'a:b:c' }],
        [{ agentId: 9007199254740992, agentRegistry: 'a:b:c' }],
      ],
    ],
    [
      'agents',
      'social_accounts',
      [[{ platform: 'X', username: '', url: '', verified: true }]],
      [[{ platform: 'small', username: 'x', url: 'y', verified: true }]],
    ],
    [
      'agents',
      'tags',
      [Array(100).fill('x'), ['', 'x'.repeat(200), 'tab\t', 'C:\\builds', '\\u0001']],
      [[1], Array(101).fill('x'), ['x'.repeat(201)], { 0: 'x' }, ['bell\u0007'], ['\u007f'], ['\u0085'], ['\\\b']],
    ],
    [
      'bounties',
      'rewards',
      [[{ place: 9007199254740991, amount: 0.1 }]],
      [[{ place: 1 }], [{ place: 1.5, amount: 1 }], [{ place: 1, amount: '1' }], [{ place: 2 ** 53, amount: 1 }]],
    ],
    [
      'bounties',
      'fields',
      [[{ label: '', type: 'url', required: true }]],
      [[{ label: 'x', type: 'url', required: 'yes' }]],
    ],
    ['contests', 'tracks', [[], [{}], [object, { id: 7 }]], [null, {}, 'x', ['x'], [[]], [null], Array(101).fill({})]],
    [
      'contests',
      'fields',
      [null, [], [{}], [object]],
      [{}, 'x', [1], [[object]], Array(101).fill({}), [{ x: 2 ** 53 }]],
    ],
    ['contests', 'judge_user_ids', [[], ['x'.repeat(100)]], [[''], ['x'.repeat(101)], [1]]],
    ['contest_submissions', 'track_ids', [[], ['any']], [[''], ['x'.repeat(101)], {}]],
    ['launches', 'screenshot_urls', [['']], [['x'.repeat(2049)], Array(101).fill('x')]],
  ];
  for (const [table, column, right, wrong] of cases) {
    for (const value of right) await accepted(table, { [column]: value });
    for (const value of wrong) await refused(table, { [column]: value });
  }
  await assert.rejects(
    owner.query(`update bounties set rewards = '[{"place": 1, "amount": 1e400}]'`),
    /violates check/,
  );
});

test('timeline details are any object; the type is one of four', async () => {
  const right = [{}, { sha: 1, deep: { any: [null, 0.5] } }, { giftId: null }, { collectionAddress: null }, { '': '' }];
  for (const type of ['COMMIT', 'PR', 'BADGE_RECEIVED', 'GIFT_RECEIVED'])
    for (const details of right) await accepted('timeline_items', { type, details });
  await accepted('timeline_items', { type: 'BADGE_RECEIVED', details: { collectionAddress: 'nowhere' } });
  for (const type of ['OTHER', 'commit', '', null]) await refused('timeline_items', { type });
  for (const details of [[], '"x"', null, { x: 2 ** 53 }, { x: 'bell\u0007' }, { x: 'x'.repeat(400_000) }])
    await refused('timeline_items', { details });
});

test('timestamps are finite, of the years 1 to 9999, in milliseconds; a launch week may be any of them', async () => {
  for (const moment of ['infinity', '-infinity', '10000-01-01T00:00:00Z', '0001-01-01 00:00:00 BC']) {
    await refused('agents', { created_at: moment });
    await refused('launches', { launch_week: moment });
  }
  const { rows } = await owner.query<{ t: string }>(`select iso('2026-01-01T00:00:00.0006Z'::instant) as t`);
  assert.equal(rows[0]?.t, '2026-01-01T00:00:00.001Z');
  for (const week of ['2026-01-05T00:00:00Z', '2026-01-04T00:00:00Z', '2026-01-03T21:00:00.001Z'])
    await accepted('launches', { launch_week: week });
});

test('a public bounty or launch has the timestamps that the contract promises', async () => {
  for (const column of ['submission_start', 'submission_end', 'review_start', 'review_end', 'completed_at'])
    for (const status of ['OPEN', 'DRAFT']) await accepted('bounties', { [column]: null, status });
  await refused('bounties', { published_at: null }, /bounties_public_moment/);
  await refused('bounties', { published_at: null, status: 'DRAFT', visibility: 'public' }, /bounties_public_moment/);
  await accepted('bounties', { published_at: null, status: 'DRAFT' });
  await accepted('bounties', { published_at: null, visibility: 'hidden' });
  for (const column of ['published_at', 'launch_week']) {
    await refused('launches', { [column]: null }, /launches_live_moments/);
    await accepted('launches', { [column]: null, status: 'DRAFT' });
  }
  const shown = { status: 'SOFT', visibility: 'public' };
  await refused('launches', { ...shown, launch_week: null }, /launches_public_week/);
  await accepted('launches', { ...shown, launch_week: null, published_at: null }); // accepted but not shown: spec 3.3
});

test('counts are not negative; only clap_count of a contest submission may be null', async () => {
  await accepted('contest_submissions', { clap_count: null });
  await accepted('contest_submissions', { clap_count: Number.MAX_SAFE_INTEGER });
  for (const clap_count of [-1, '9007199254740992']) await refused('contest_submissions', { clap_count });
  await refused('bounty_submissions', { clap_count: null });
  for (const column of ['clap_count', 'comment_count']) await refused('bounty_submissions', { [column]: -1 });
});

test('prize places are 1 to 100 and may be shared; a bounty has at most 100 public winners', async () => {
  for (const prize_place of [0, 101, -1]) await refused('bounty_submissions', { prize_place });
  const limit = { constraint: 'bounty_submissions_winner_limit' };
  const users = [await add('users'), await add('users')];
  const bounty = await accepted('bounties', {});
  const row = (n: number, prize_place: number | null) => ({
    bounty_id: bounty.id,
    user_id: users[n % 2]?.id,
    prize_place,
  });
  for (let n = 0; n < 100; n++) await accepted('bounty_submissions', row(n, n < 50 ? 1 : n));
  await refused('bounty_submissions', row(0, 100), limit);
  await accepted('bounty_submissions', { ...row(0, 100), status: 'REJECTED' });
  await accepted('bounty_submissions', { ...row(0, 100), visibility: 'hidden' });
  const { id } = await accepted('bounty_submissions', row(0, null));
  const win = () => owner.query('update bounty_submissions set prize_place = 2 where id = $1', [id]);
  await assert.rejects(win(), limit);
  await owner.query('update bounty_submissions set prize_place = 101 - prize_place where bounty_id = $1', [bounty.id]);
  await owner.query('update bounty_submissions set prize_place = null where bounty_id = $1 and prize_place = 2', [
    bounty.id,
  ]);
  await win();
});

test('at most 100 launches can be featured; the next one is rejected, hidden ones do not count', async () => {
  const featured = { featured_at: '2026-01-05T00:00:00Z' };
  for (let index = 0; index < 100; index++) await accepted('launches', featured);
  await refused('launches', featured, { constraint: 'launches_featured_limit' });
  await refused('launches', { ...featured, status: 'SOFT', visibility: 'public' }, /at most 100/);
  await accepted('launches', { ...featured, visibility: 'hidden' });
  const { id } = await accepted('launches', { ...featured, status: 'DRAFT' });
  await assert.rejects(owner.query(`update launches set status = 'LIVE' where id = $1`, [id]), {
    constraint: 'launches_featured_limit',
  });
  await owner.query('update launches set rating = rating + 1');
});

test('a user has at most 100 submissions to a bounty, in all states together, also with concurrent writers', async () => {
  await add('users', { id: 'u2' });
  await add('bounties', { id: 'b2', sponsor_id: 's1' });
  const row = { bounty_id: 'b2', user_id: 'u2', status: 'REJECTED' };
  for (let index = 0; index < 99; index++) await accepted('bounty_submissions', row);
  const [one, two] = [new pg.Client(world.ownerUrl), new pg.Client(world.ownerUrl)];
  await Promise.all([one.connect(), two.connect()]);
  const insert = (id: string) =>
    `insert into bounty_submissions (id, bounty_id, user_id, title, description, status, created_at, updated_at) values ('${id}', 'b2', 'u2', 't', 'd', 'REJECTED', now(), now())`;
  await one.query('begin');
  await one.query(insert('last'));
  const late = two.query(insert('late')).then(
    () => 'accepted',
    ({ constraint }: { constraint: string }) => constraint,
  );
  await one.query('commit');
  assert.equal(await late, 'bounty_submissions_user_limit');
  await Promise.all([one.end(), two.end()]);
});

test('a contest submission names a complete key of an existing repository, or none', async () => {
  await add('repositories', { platform: 'github', platform_id: 'r1' });
  await accepted('contest_submissions', { repository_platform: 'github', repository_platform_id: 'r1' });
  await refused('contest_submissions', { repository_platform: 'github' });
  await refused('contest_submissions', { repository_platform: 'github', repository_platform_id: 'nothing' });
});

test('a collection may have several roles in a contest, each once', async () => {
  await add('collections', { address: 'c1' });
  const row = { collection_address: 'c1', contest_id: 'k1' };
  for (const role of ['WINNER', 'PARTICIPANT', '']) await accepted('collection_contests', { ...row, role });
  await refused('collection_contests', { ...row, role: 'WINNER' }, /collection_contests_pkey/);
});

test('score tiers exist only for known dimensions, once each; is_sample is never null', async () => {
  const row = { silver: 1, gold: 2, platinum_score: 3, platinum_percentile: 99, metrics: [] };
  for (const statement of ['delete from score_tiers', 'truncate score_tiers'])
    await assert.rejects(owner.query(statement), { constraint: 'score_tiers_complete' }, statement);
  await owner.query(`delete from score_tiers where false`);
  await owner.query('alter table score_tiers disable trigger keep_score_tiers');
  await owner.query(`delete from score_tiers where dimension = 'identity'`);
  const made = await accepted('score_tiers', { ...row, dimension: 'identity' });
  assert.equal(made.is_sample, false);
  await refused('score_tiers', { ...row, dimension: 'other' });
  await refused('score_tiers', { ...row, dimension: 'identity' }, /score_tiers_pkey/);
  await assert.rejects(owner.query('update score_tiers set is_sample = null'), /violates not-null/);
});

test('the reader role can read every table except those of the operator, and can write none', async () => {
  await migrate(world.ownerUrl, () => {}); // a copy of a database does not have the rights of its original on itself
  const reader = new pg.Client(world.readerUrl);
  await reader.connect();
  const { rows } = await owner.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where (n.nspname in ('public', 'lists') or n.nspname in (select name from installed)) and c.relkind = 'r'`,
  );
  assert.ok(rows.length > 80);
  const operators = `takedowns import_checkpoints import_keys rejected_changes erasures turns writer_lock
    journal_lock`.split(/\s+/);
  for (const { name } of rows) {
    const select = reader.query(`select * from ${name} limit 1`);
    const isOperators = operators.includes(name);
    await (isOperators ? assert.rejects(select, /permission denied/, name) : select);
    await assert.rejects(reader.query(`delete from ${name}`), /permission denied/, name);
  }
  const others = [
    ...['create temporary table t (x integer)', 'create table t (x integer)', 'create schema s'],
    ...['select lo_create(0)', 'select lo_creat(-1)', `select lo_from_bytea(0, 'x')`, 'select lo_unlink(1)'],
    ...['select pg_advisory_lock(1)', 'select pg_try_advisory_xact_lock_shared(1, 1)'],
    `select pg_logical_emit_message(false, 'a', 'b')`,
    ...operators.map((name) => `lock table ${name} in access share mode`),
  ];
  for (const statement of others) {
    await assert.rejects(reader.query(`begin; ${statement}`), /permission denied/, statement);
    await reader.query('rollback');
  }
  await reader.end();
});

test('an integer inside JSON has no fraction, also not .0', async () => {
  const { id: owner_id } = await add('users');
  await accepted('agents', { owner_id, registrations: [{ agentId: 7, agentRegistry: 'x' }] });
  for (const agentId of ['7.0', '7.5', '7.00'])
    await assert.rejects(
      owner.query(`update agents set registrations = '[{"agentId": ${agentId}, "agentRegistry": "x"}]'`),
      { code: '23514' },
      agentId,
    );
});
