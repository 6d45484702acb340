// /changes: all public records, then each change of them. Whatever hides or shows a row, alone or together with others,
// a copy ends equal to the public rows, and a row that was never public is never named.
// lanes: 15 18
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSameTables, catchUp, openCopy, publicRows } from '../../../test/helpers/copy.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { publicVersion } from '../src/changes/below.ts';
import { nonceSql } from '../src/changes/cursor.ts';
import { eraseUser } from '../src/operator/erase.ts';
import { hashOf } from '../src/operator/people.ts';
import { dump, load } from './helpers/dataset-files.ts';

const world = await createWorld();
const { owner, add } = world;
const api = await world.serve();

const [alice, bob] = [await add('users', { id: 'alice' }), await add('users', { id: 'bob' })];
const sponsor = await add('sponsors');
const bounty = await add('bounties', { sponsor_id: sponsor.id });
const work = await add('bounty_submissions', { bounty_id: bounty.id, user_id: alice.id });
await add('bounty_submission_makers', { submission_id: work.id, user_id: bob.id });
const launch = await add('launches', { submitted_by_id: alice.id });
const topic = await add('topics');
await add('launch_topics', { launch_id: launch.id, topic_id: topic.id });
await add('launch_makers', { launch_id: launch.id, user_id: bob.id });
const collection = (await add('collections')) as unknown as { address: string };
const contest = await add('contests', { created_by_id: alice.id });
const other = await add('contests', { created_by_id: alice.id });
await add('collection_contests', { collection_address: collection.address, contest_id: contest.id });
await add('collection_holders', { collection_address: collection.address, user_id: bob.id });
const repository = (await add('repositories', { importance: 'HIGH' })) as unknown as { platform_id: string };
const entry = await add('contest_submissions', {
  contest_id: contest.id,
  user_id: alice.id,
  repository_platform: 'github',
  repository_platform_id: repository.platform_id,
});
await add('contest_submission_supporters', { submission_id: entry.id, user_id: bob.id });
await add('timeline_items', { user_id: alice.id, id: 'gift' });
await add('timeline_items', {
  user_id: alice.id,
  id: 'badge',
  type: 'BADGE_RECEIVED',
  details: { collectionAddress: collection.address },
});
await add('agents', { owner_id: alice.id });

const read = async (since: string | null) => {
  const response = await api.get(`/changes${since === null ? '' : `?since=${since}`}`);
  const text = await response.text();
  const next = /since=([\w-]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
  const lines = response.status === 200 ? text.split('\n').slice(0, -1) : [];
  return { response, text, lines, next };
};
/** The cursor after everything. */
const tip = async (): Promise<string> => {
  for (let since: string | null = null; ; ) {
    const { next } = await read(since);
    if (next === since) return next;
    since = next;
  }
};

const steady = openCopy(api.get);
/** A copy that follows each step, and one that sees only the end of several, equal the public rows. */
const assertRight = async (copy = steady) => {
  await catchUp(copy);
  assertSameTables(copy.tables(), await publicRows(owner), 'a copy');
};

const cases: [name: string, hide: string, show: string][] = [
  ['a bounty', `update bounties set status = 'DRAFT'`, `update bounties set status = 'OPEN'`],
  [
    'its submissions',
    'update bounties set submissions_visible = false',
    'update bounties set submissions_visible = true',
  ],
  [
    'one submission',
    `update bounty_submissions set status = 'SPAM'`,
    `update bounty_submissions set status = 'PENDING'`,
  ],
  ['a launch', `update launches set visibility = 'hidden'`, 'update launches set visibility = null'],
  ['a collection', `update collections set visibility = 'hidden'`, 'update collections set visibility = null'],
  ['a contest', `update contests set status = 'DRAFT'`, `update contests set status = 'OPEN'`],
  ['an entry', `update contest_submissions set status = 'PENDING'`, `update contest_submissions set status = 'WINNER'`],
  ['a user', `update users set status = 'BANNED'`, `update users set status = 'ACTIVE'`],
  ['an agent', `update agents set status = 'DRAFT'`, `update agents set status = 'PUBLISHED'`],
  [
    'a repository, by a takedown',
    `insert into takedowns select 'repositories', array[platform, platform_id], null, now() from repositories`,
    'delete from takedowns',
  ],
  [
    'a timeline item, by a takedown',
    `insert into takedowns select 'timeline_items', array[user_id, id], null, now() from timeline_items`,
    'delete from takedowns',
  ],
];
for (const [name, hide, show] of cases)
  test(`${name} goes and comes back, together with what depends on it`, async () => {
    const before = await tip();
    await assertRight();
    const rows = (tables = steady.tables()) => [...tables.values()].reduce((sum, { size }) => sum + size, 0);
    const all = rows();
    await owner.query(hide);
    await assertRight();
    if (name !== 'a repository, by a takedown') assert.ok(rows() < all);
    await owner.query(show);
    await assertRight();
    assert.equal(rows(), all);
    assert.ok((await read(before)).lines.length > 0);
  });

test('what was deleted while its parent was hidden is gone from a copy that saw neither', async () => {
  const items: [hide: string, change: string, show: string][] = [
    [
      `update contests set visibility = 'hidden'`,
      'delete from contest_submission_supporters',
      'update contests set visibility = null',
    ],
    [`update launches set visibility = 'hidden'`, 'delete from launch_topics', 'update launches set visibility = null'],
    [
      `update users set status = 'BANNED'`,
      `delete from timeline_items where id = 'gift'`,
      `update users set status = 'ACTIVE'`,
    ],
    [
      'update bounties set submissions_visible = false',
      'delete from bounty_submission_makers',
      'update bounties set submissions_visible = true',
    ],
  ];
  await assertRight();
  for (const statements of items) {
    for (const statement of statements) await owner.query(statement);
    await assertRight();
  }
  await add('contest_submission_supporters', { submission_id: entry.id, user_id: bob.id });
  // The same key again, with nothing below it.
  const { rows } = await owner.query('delete from launches returning *');
  await add('launches', { id: rows[0].id, submitted_by_id: alice.id });
  await assertRight();
});

test('a row that is hidden, deleted and inserted again has nothing of before below it; a deleted repository is named no more', async () => {
  const { id } = await add('bounties', { sponsor_id: sponsor.id });
  await add('bounty_submissions', { bounty_id: id, user_id: alice.id });
  const gone = (await add('repositories')) as unknown as { platform_id: string };
  const names = { repository_platform: 'github', repository_platform_id: gone.platform_id };
  const { id: named } = await add('contest_submissions', { contest_id: contest.id, user_id: alice.id, ...names });
  await assertRight();
  await owner.query(`update bounties set status = 'DRAFT' where id = $1`, [id]);
  await owner.query('delete from bounties where id = $1', [id]);
  await add('bounties', { id, sponsor_id: sponsor.id });
  await owner.query('delete from repositories where platform_id = $1', [gone.platform_id]);
  await assertRight();
  await owner.query('delete from contest_submissions where id = $1', [named]);
  await owner.query('delete from bounties where id = $1', [id]);
});

test('a row that moves takes what is below it along, whatever happens to its old parent', async () => {
  await assertRight();
  await owner.query(`update contest_submissions set contest_id = $1`, [other.id]);
  await owner.query(`update contests set status = 'DRAFT' where id = $1`, [contest.id]);
  await assertRight();
  await owner.query(`update contests set status = 'OPEN' where id = $1`, [contest.id]);
  await owner.query(`update contest_submissions set contest_id = $1`, [contest.id]);
  await owner.query(`update contests set status = 'DRAFT' where id = $1`, [other.id]);
  await assertRight();
  // It leaves a parent that was shown again before.
  await owner.query(`update contests set status = 'OPEN'`);
  await assertRight();
  await owner.query(`update contests set visibility = 'hidden' where id = $1`, [contest.id]);
  await owner.query(`update contests set visibility = null where id = $1`, [contest.id]);
  await owner.query(`update contest_submissions set contest_id = $1`, [other.id]);
  await assertRight();
  await owner.query(`update contest_submissions set contest_id = $1`, [contest.id]);
});

test('winners are announced when the bounty is completed, and a winner who is not announced yet leaves no trace', async () => {
  const before = await tip();
  await owner.query(
    `update bounty_submissions set status = 'WINNER', prize_place = 1, reward_wallet_address = 'w' where id = $1`,
    [work.id],
  );
  // PENDING and WINNER differ for all callers; APPROVED and WINNER do not.
  await owner.query(`update bounty_submissions set status = 'APPROVED', prize_place = null where id = $1`, [work.id]);
  const approved = await tip();
  await owner.query(
    `update bounty_submissions set status = 'WINNER', prize_place = 1, moderation_reason = 'r' where id = $1`,
    [work.id],
  );
  assert.equal(await tip(), approved, 'the cursor moves for public changes only');
  await owner.query('update bounties set completed_at = now() where id = $1', [bounty.id]);
  const { lines } = await read(approved);
  assert.ok(lines.some((line) => line.includes('"bounty_submissions"') && line.includes('"status":"WINNER"')));
  assert.notEqual(before, approved);
  await assertRight();
});

test('a row that is hidden before it comes is never named: by takedown, hidden collection or parent', async () => {
  await owner.query(
    `insert into takedowns values ('agents', '{secret-agent}', null, now()), ('timeline_items', '{alice,secret-item}', null, now())`,
  );
  const hidden = (await add('collections', { visibility: 'hidden' })) as unknown as { address: string };
  const draft = await add('bounties', { sponsor_id: sponsor.id, status: 'DRAFT' });
  const before = await tip();
  await add('agents', { id: 'secret-agent', owner_id: alice.id });
  await add('timeline_items', { user_id: alice.id, id: 'secret-item' });
  await add('timeline_items', {
    user_id: alice.id,
    id: 'secret-badge',
    type: 'BADGE_RECEIVED',
    details: { collectionAddress: hidden.address },
  });
  await add('collection_holders', { collection_address: hidden.address, user_id: bob.id });
  await add('bounty_submissions', { id: 'secret-work', bounty_id: draft.id, user_id: alice.id });
  await owner.query(`update agents set bio = 'changed' where id = 'secret-agent'`);
  await owner.query(`delete from timeline_items where id in ('secret-item', 'secret-badge')`);
  await owner.query('delete from bounties where id = $1', [draft.id]);
  assert.equal(await tip(), before);
});

test('people are in the feed while a public record names them, and an erased one is not named again', async () => {
  await add('users', { id: 'carol' });
  const before = await tip();
  await owner.query(`update users set bio = 'nobody shows me' where id = 'carol'`);
  assert.equal(await tip(), before);
  await add('collection_holders', { collection_address: collection.address, user_id: 'carol' });
  const { lines, next } = await read(before);
  assert.match(lines[0]!, /"table":"users","record":{"id":"carol"/);
  await assertRight();
  await owner.query('begin; select take_writer_lock()');
  await eraseUser(owner, 'carol');
  await owner.query('commit');
  assert.deepEqual((await read(next)).lines, [`{"op":"erase","sha256":"${hashOf('carol')}"}`]);
  assert.doesNotMatch((await read(before)).text, /carol/);
  await assertRight();
  const { rows } = await owner.query(`select from lists.changes where 'carol' = any (key)`);
  assert.equal(rows.length, 0);
});

test('a large parent comes back in pages, which a hide in the middle ends', async () => {
  await owner.query(
    `insert into users (id, username, display_name, status) select 'many-' || n, 'many-' || n, 'M', 'ACTIVE' from generate_series(1, 2500) n`,
  );
  await owner.query(
    `insert into collection_holders (collection_address, user_id, acquired_at) select $1, 'many-' || n, now() from generate_series(1, 2500) n`,
    [collection.address],
  );
  await assertRight();
  const flip = (to: string | null) => owner.query('update collections set visibility = $1', [to]);
  const before = await tip();
  await flip('hidden');
  await flip(null);
  await assertRight();
  const { rows } = await owner.query(`select from lists.changes where table_name = 'collection_holders' and id > $1`, [
    before.split('-')[0],
  ]);
  assert.equal(rows.length, 0, 'the holders are not logged one by one');
  const half = openCopy(api.get);
  await catchUp(half);
  await flip('hidden');
  await half.step();
  await flip(null);
  await half.step();
  assert.match(half.cursor() ?? '', /-b\d+-/, 'in the middle of the holders');
  await flip('hidden');
  await assertRight(half);
  await flip(null);
  await assertRight(half);
  await owner.query(`delete from users where id like 'many-%'`);
  await assertRight(half);
});

test('a page has at most 1,000 records and 4 MB', async () => {
  const before = await tip();
  const details = JSON.stringify({ text: 'x'.repeat(300_000) });
  await owner.query(
    `insert into timeline_items (user_id, id, type, date, details) select 'alice', 'wide-' || n, 'COMMIT', now(), $1 from generate_series(1, 30) n`,
    [details],
  );
  const { text, next } = await read(before);
  assert.ok(text.length < 4.2 * 1024 * 1024 && text.length > 3 * 1024 * 1024, `${text.length}`);
  assert.ok((await read(next)).text.length > 3 * 1024 * 1024);
  await assertRight(openCopy(api.get));
  await owner.query(`delete from timeline_items where id like 'wide-%'`);
  await owner.query(
    `insert into timeline_items (user_id, id, type, date, details) select 'alice', 'many-' || n, 'COMMIT', now(), '{}' from generate_series(1, 1500) n`,
  );
  const { next: since, response } = await read(before);
  assert.equal(response.headers.get('as-of'), null, 'there is more');
  assert.equal((await read(since)).lines.filter((line) => !line.includes('"table":"users"')).length <= 1000, true);
  await assertRight();
});

test('hidden rows neither shorten a page nor show in its cursor', async () => {
  await owner.query(`insert into agents (id, name, display_name, bio, active, x402_support, status, owner_id, created_at, updated_at, published_at)
    select k || n, k || n, 'n', 'b', true, true, case k when 'agent-x' then 'PUBLISHED' else 'DRAFT' end, 'alice', now(), now(), now()
    from generate_series(10000, 12500) n, unnest('{agent-x,hidden-x}'::text[]) k`);
  await owner.query(
    `update agents set id = 'agent-x' || substr(id, 8) || 'h', name = 'agent-x' || substr(id, 8) || 'h' where id like 'hidden-x%' and md5(id) < '8'`,
  );
  const sizes: number[] = [];
  for (let since: string | null = null; ; ) {
    const { lines, next } = await read(since);
    if (next === since) break;
    since = next;
    sizes.push(lines.filter((line) => !line.includes('"table":"users"')).length);
    const parts = next.split('-').map((text) => Buffer.from(text, 'base64url').toString('latin1'));
    assert.doesNotMatch(parts.join(), /agent-x|hidden/);
  }
  assert.deepEqual(sizes.slice(0, 2), [1000, 1000], String(sizes));
  await owner.query(`delete from agents where id like 'agent-x%' or id like 'hidden-x%'`);
  await assertRight();
  // More than one statement of a walk looks at. The triggers would find that nothing public changes.
  const quickly = (statement: string) =>
    owner.query(`begin; select take_writer_lock(); set local session_replication_role = replica; ${statement}; commit`);
  await quickly(`
    insert into agents (id, name, display_name, bio, active, x402_support, status, owner_id, created_at, updated_at, published_at)
    select 'hidden-' || n, 'hidden-' || n, 'n', 'b', true, true, 'DRAFT', 'alice', now(), now(), now() from generate_series(1, 20000) n`);
  await add('agents', { id: 'last', owner_id: alice.id });
  await assertRight(openCopy(api.get));
  await quickly(`delete from agents where id like 'hidden-%'`);
});

test('headers: a link, a second in caches, an ETag; a cursor that is wrong is 400, one that is gone 410', async () => {
  const cursor = await tip();
  const { response, text } = await read(cursor);
  assert.equal(text, '');
  assert.equal(response.headers.get('cache-control'), 'public, max-age=1, must-revalidate');
  assert.equal(response.headers.get('content-type'), 'application/x-ndjson');
  const again = await api.get(`/changes?since=${cursor}`, {
    headers: { 'if-none-match': response.headers.get('etag')! },
  });
  assert.equal(again.status, 304);
  const [id, nonce] = cursor.split('-') as [string, string];
  const place = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  for (const wrong of [
    'x',
    '',
    `${id}`,
    `${id}-zz`,
    `${id}-${nonce}-`,
    `${id}-${nonce}-a0-!`,
    `${id}-${nonce}-a0-AA`,
    `${id}-${nonce}-b0-${place(['2026-13-45T00:00:00.000Z', 'x'])}`,
    `${id}-${nonce}-a0-${'A'.repeat(60)}`,
    `${id}-${nonce}-a0-${place(['\0'])}`,
    `${id}-${nonce}-a0-${place(['a', 'b'])}`,
    `${id}-${nonce}-a0-${place([1])}`,
    '9'.repeat(5000),
  ])
    assert.equal((await api.get(`/changes?since=${encodeURIComponent(wrong)}`)).status, 400, wrong);
  assert.equal((await api.get('/changes?after=1')).status, 400);
  const { rows } = await owner.query<{ nonce: string }>(
    `select ${nonceSql.replace(publicVersion, 'other columns')} as nonce from lists.changes c where id = $1`,
    [id],
  );
  for (const gone of [`${id}-00000000`, `999999999-${nonce}`, `${id}-${rows[0]!.nonce}`]) {
    const expired = await read(gone);
    assert.equal(expired.response.status, 410, gone);
    assert.match(expired.text, /CURSOR_EXPIRED.*|begin again/);
    assert.match(expired.response.headers.get('link') ?? '', /\/changes>; rel="first"/);
  }
});

test('a load that changes little keeps cursors; a large one, TRUNCATE and age end them', async () => {
  const before = await tip();
  const { out } = await dump(world, true);
  await load(world, out, { prune: true });
  assert.equal((await read(before)).response.status, 200);
  const repair = (statement: string) => owner.query(`begin; set local commonhall.repair = 'on'; ${statement}; commit`);
  const oldest = async () => (await owner.query<{ id: string }>('select min(id) as id from lists.changes')).rows[0]!.id;
  const first = await oldest();
  await repair(`update lists.changes set at = now() - interval '8 days' where id <= ${first}`);
  const second = `(select min(id) from lists.changes where id > ${first})`;
  await repair(`update lists.changes set at = now() - interval '6 days' where id = ${second}`);
  const { rows } = await owner.query<{ id: string }>(`select ${second} as id`);
  await owner.query('select lists.trim_changes()');
  assert.equal(await oldest(), rows[0]!.id);
  await repair(`insert into lists.changes (table_name, key) select '', '{}' from generate_series(1, 100001)`);
  await owner.query('select lists.changes_after_load($1)', [before.split('-')[0]]);
  assert.equal((await read(before)).response.status, 410);
  const later = await tip();
  await owner.query('truncate timeline_items');
  assert.equal((await read(later)).response.status, 410);
  await assertRight();
  assert.equal(steady.restarts(), 1);
});

test('after a restore to an earlier time a cursor of the lost future is gone, also when its number comes again', async () => {
  const before = await tip();
  await owner.query(`update sponsors set website = 'https://lost.example.org'`);
  const lost = await tip();
  // What a restore leaves: the log and its sequence as they were.
  const id = Number(before.split('-')[0]);
  await owner.query(`begin; set local commonhall.repair = 'on'; delete from lists.changes where id > ${id};
    select setval(pg_get_serial_sequence('lists.changes', 'id'), ${id}); commit`);
  assert.equal((await read(lost)).response.status, 410);
  await owner.query(`update sponsors set website = 'https://other.example.org'`);
  assert.equal((await tip()).split('-')[0], lost.split('-')[0]);
  assert.equal((await read(lost)).response.status, 410);
  assert.match((await read(before)).text, /other\.example/);
});

test('an export names the cursor that continues after it', async () => {
  const { manifest } = (await dump(world, false)) as unknown as { manifest?: { changes: string } };
  const cursor = manifest?.changes ?? (await tip());
  assert.equal(cursor, await tip());
});
