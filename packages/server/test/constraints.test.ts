// What the database refuses from every writer: names (gap G13, G18), limits (G15), nulls and empty strings (G16).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createWorld } from './helpers/world.ts';

const world = await createWorld();
const { add, owner } = world;
await add('users', { id: 'u1' });
await add('sponsors', { id: 's1' });
await add('contests', { id: 'k1', created_by_id: 'u1' });
await add('bounties', { id: 'b1', sponsor_id: 's1' });

/** What each table needs beside its defaults. */
const parents: Record<string, object> = {
  agents: { owner_id: 'u1' },
  bounties: { sponsor_id: 's1' },
  bounty_submissions: { bounty_id: 'b1', user_id: 'u1' },
  launches: { submitted_by_id: 'u1' },
  contests: { created_by_id: 'u1' },
  contest_submissions: { contest_id: 'k1', user_id: 'u1' },
  timeline_items: { user_id: 'u1' },
};
const refused = (table: string, row: object, why: RegExp | object = /violates|out of range|invalid input syntax/) =>
  assert.rejects(add(table, { ...parents[table], ...row }), why, `${table} ${JSON.stringify(row).slice(0, 100)}`);
const accepted = (table: string, row: object) => add(table, { ...parents[table], ...row });

test('reserved words are no slug or name in any letter case; a slug needs no escaping in a URL', async () => {
  const places = {
    users: 'username',
    agents: 'name',
    bounties: 'slug',
    launches: 'slug',
    sponsors: 'slug',
    contests: 'slug',
    topics: 'slug',
  };
  for (const [table, column] of Object.entries(places)) {
    for (const word of ['me', 'featured', 'user', 'scores', 'metadata', 'ME', 'Featured'])
      await refused(table, { [column]: word });
    for (const word of ['', '.hidden', '-x', 'a b', 'a/b', 'ü', 'a%20', 'x'.repeat(101), 'a\n'])
      await refused(table, { [column]: word });
    await accepted(table, { [column]: 'A.ok-_9'.padEnd(100, 'x') });
  }
});

test('texts have their limits and are never empty', async () => {
  const limits: [table: string, column: string, limit: number][] = [
    ['users', 'display_name', 100],
    ['users', 'bio', 500],
    ['users', 'status', 100],
    ['agents', 'bio', 50_000],
    ['agents', 'website_url', 2048],
    ['sponsors', 'name', 100],
    ['sponsors', 'logo', 2048],
    ['bounties', 'title', 200],
    ['bounties', 'short_description', 500],
    ['bounties', 'details', 50_000],
    ['bounty_submissions', 'reward_wallet_address', 100],
    ['launches', 'tagline', 500],
    ['collections', 'name', 100],
    ['contests', 'rules', 50_000],
    ['repositories', 'owner', 100],
    ['repositories', 'description', 500],
  ];
  for (const [table, column, limit] of limits) {
    await accepted(table, { [column]: '☃'.repeat(limit) });
    await refused(table, { [column]: '☃'.repeat(limit + 1) });
    await refused(table, { [column]: '' });
  }
  for (const id of ['', '.', '..', 'x'.repeat(101), 'a\u0007', 'a\u0085']) await refused('users', { id });
});

test('JSON columns have exactly their shape, at most 100 elements, finite numbers and safe integers', async () => {
  const wrong: [table: string, column: string, values: unknown[]][] = [
    ['users', 'avatar', [{ sm: 'x' }, { sm: 'x', lg: 'y', xl: 'z' }, { sm: 'x', lg: '' }, 'x', []]],
    ['users', 'tags', [[{ tag: 'A', tier: 'B' }], [{ tag: 'A', tier: 'B', contestName: '' }], {}, [null], ['x']]],
    ['agents', 'services', [[{ name: 'x' }], [{}]]],
    [
      'agents',
      'registrations',
      [
        [{ agentId: 1.5, agentRegistry: 'a:b:c' }],
        [{ agentId: 1, agentRegistry: 'abc' }],
        [{ agentId: 1, agentRegistry: 'a:b:c\nd' }],
        [{ agentId: '1', agentRegistry: 'a:b:c' }],
      ],
    ],
    ['agents', 'social_accounts', [[{ platform: 'small', username: 'x', url: 'y', verified: true }]]],
    ['agents', 'tags', [[''], [1], Array(101).fill('x'), ['x'.repeat(101)], { 0: 'x' }]],
    [
      'bounties',
      'rewards',
      [
        [{ place: 1 }],
        [{ place: 1.5, amount: 1 }],
        [{ place: 1, amount: '1' }],
        [{ place: 9007199254740992, amount: 1 }],
      ],
    ],
    ['bounties', 'fields', [[{ label: 'x', type: 'url', required: 'yes' }]]],
    ['contests', 'tracks', [[{ id: 'x', name: 'y', description: null }]]],
    ['contests', 'fields', [{}, 'x']],
    ['launches', 'screenshot_urls', [['x'.repeat(2049)], Array(101).fill('x')]],
  ];
  for (const [table, column, values] of wrong) for (const value of values) await refused(table, { [column]: value });
  await assert.rejects(
    owner.query(`update bounties set rewards = '[{"place": 1, "amount": 1e400}]'`),
    /violates check/,
  );
  await accepted('agents', { tags: Array(100).fill('x') });
  await accepted('bounties', { rewards: [{ place: 9007199254740991, amount: 0.1 }] });
});

test('timeline details have the keys of their type; the type is closed', async () => {
  await refused('timeline_items', { type: 'OTHER' });
  for (const type of ['COMMIT', 'PR', 'BADGE_RECEIVED']) await refused('timeline_items', { type });
  await refused('timeline_items', { details: { giftId: 'g', name: 'n', image: null } });
  await refused('timeline_items', { details: [] });
  const badge = { collectionAddress: 'nowhere', collectionName: 'x', image: 'https://i.example', itemIndex: 1 };
  await refused('timeline_items', { type: 'BADGE_RECEIVED', details: badge }, /foreign key/);
  const pr = { number: 1, title: 't', state: 'open', url: 'u', repository: { platform: 'p', owner: 'o', name: 'n' } };
  for (const mergedAt of ['2026-02-29T00:00:00.000Z', '0000-01-01T00:00:00.000Z', '2026-01-01', 5])
    await refused('timeline_items', { type: 'PR', details: { ...pr, mergedAt } });
  for (const mergedAt of ['2028-02-29T23:59:59.999Z', null])
    await accepted('timeline_items', { type: 'PR', details: { ...pr, mergedAt } });
});

test('instants are finite, of the years 1 to 9999, in milliseconds; a launch week is a Monday 00:00 UTC', async () => {
  for (const moment of ['infinity', '-infinity', '10000-01-01T00:00:00Z', '0001-01-01 00:00:00 BC'])
    await refused('agents', { created_at: moment });
  const { rows } = await owner.query<{ t: string }>(`select iso('2026-01-01T00:00:00.0006Z'::instant) as t`);
  assert.equal(rows[0]?.t, '2026-01-01T00:00:00.001Z');
  for (const week of ['2026-01-06T00:00:00Z', '2026-01-05T00:00:00.001Z', '2026-01-05T01:00:00Z'])
    await refused('launches', { launch_week: week });
  await accepted('launches', { launch_week: '2026-01-12T00:00:00Z' });
});

test('what is public has the moments that the contract promises', async () => {
  for (const column of ['submission_start', 'submission_end', 'review_start', 'review_end', 'published_at']) {
    await refused('bounties', { [column]: null }, /bounties_public_moments/);
    await accepted('bounties', { [column]: null, status: 'DRAFT' });
  }
  for (const column of ['published_at', 'launch_week']) {
    await refused('launches', { [column]: null }, /launches_live_moments/);
    await accepted('launches', { [column]: null, status: 'DRAFT' });
  }
});

test('prize places are 1 to 100, and one public winner has a place', async () => {
  for (const place of [0, 101, -1]) await refused('bounty_submissions', { prize_place: place });
  await accepted('bounty_submissions', { prize_place: 100 });
  await refused('bounty_submissions', { prize_place: 100 }, /bounty_winners/);
  await accepted('bounty_submissions', { prize_place: 99 });
  await owner.query('update bounty_submissions set prize_place = 199 - prize_place where prize_place is not null'); // exchanged
  await accepted('bounty_submissions', { prize_place: 100, status: 'REJECTED' });
});

test('at most 100 launches are featured; the next one is refused, hidden ones do not count', async () => {
  const featured = { featured_at: '2026-01-05T00:00:00Z' };
  for (let index = 0; index < 100; index++) await accepted('launches', featured);
  await refused('launches', featured, { constraint: 'launches_featured_limit' });
  const { id } = await accepted('launches', { ...featured, status: 'DRAFT' });
  await assert.rejects(owner.query(`update launches set status = 'LIVE' where id = $1`, [id]), {
    constraint: 'launches_featured_limit',
  });
  await owner.query('update launches set rating = rating + 1');
});

test('a user has at most 100 submissions to one bounty, in whatever state, also under concurrent writers', async () => {
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

test('a contest submission names a whole repository key or none', async () => {
  await refused('contest_submissions', { repository_platform: 'github' });
});

test('the reader can read every table and write none', async () => {
  const reader = new pg.Client(world.readerUrl);
  await reader.connect();
  const { rows } = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  assert.ok(rows.length > 20);
  for (const { name } of rows) {
    if (name.startsWith('import_')) continue; // the operator's own
    await reader.query(`select * from ${name} limit 1`);
    await assert.rejects(reader.query(`delete from ${name}`), /permission denied/, name);
  }
  await reader.end();
});
