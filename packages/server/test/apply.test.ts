// Applying changes: one by one or in batches of any size, the result equals a naive model. A change that cannot be
// applied waits or is rejected with its reason. If it would hide its row, it does so at once.
// lanes: 15 18
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Change } from '../../../test/helpers/platform.ts';
import { bodyOf, kinds, openPlatform } from '../../../test/helpers/platform.ts';
import { seeded } from '../../../test/helpers/random.ts';
import type { World } from '../../../test/helpers/world.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { openApplier } from '../src/feed/batch.ts';
import { readChange } from '../src/feed/change.ts';
import { applyFile } from '../src/feed/file.ts';
import { readBodies } from '../src/feed/rejected.ts';
import { readRelations } from '../src/feed/relations.ts';
import { assertSameState } from './helpers/state.ts';

const world = await createWorld();
const { owner } = world;

const applyAll = async ({ owner: client }: World, changes: (Change | string)[]) => {
  const relations = await readRelations(client);
  await client.query('begin; select take_writer_lock()');
  const applier = await openApplier(client, relations);
  const read = changes.map((change) => readChange(Buffer.from(typeof change === 'string' ? change : bodyOf(change))));
  const done = await applier.apply(
    read.filter((change) => change.op !== 'mark'),
    Number.POSITIVE_INFINITY,
  );
  await client.query('commit');
  assert.equal(done, changes.length);
  return applier.tally;
};
const kept = async () =>
  (
    await owner.query<{ row: string; reason: string; is_waiting: boolean }>(
      `select table_name || ' ' || array_to_string(key, ' ') as row, reason, is_waiting from rejected_changes order by 1`,
    )
  ).rows;
const make = (table: string, n: number, more: Record<string, unknown> = {}): Change => ({
  op: 'put',
  table,
  record: {
    ...kinds[table]!.make(n),
    ...('states' in kinds[table]! ? { status: kinds[table]!.states![0][0] } : {}),
    ...more,
  },
});
const gone = (table: string, key: Record<string, unknown>): Change => ({ op: 'delete', table, key });

test('batches of any size lead to the state of the naive model, also with slug swaps and children before parents', async (t) => {
  const seed = Number(process.env.SEED ?? 11);
  t.diagnostic(`SEED=${seed}`);
  const count = Number(process.env.BATCHED ?? 300);
  for (const size of [1, 7, 100, 1000]) {
    const own = await createWorld();
    const random = seeded(seed + size);
    const platform = openPlatform(random);
    const changes: Change[] = [];
    while (changes.length < (size === 1 ? count / 3 : count)) changes.push(...platform.next());
    // A batch may end in the middle of a transaction of the platform.
    for (let done = 0; done < changes.length; done += size) await applyAll(own, changes.slice(done, done + size));
    await assertSameState(own.owner, platform);
  }
});

test('a delete drops a change that began to wait in the same batch, and not one that comes after it', async () => {
  const own = await createWorld();
  const rows = async () => (await own.owner.query<{ key: string }>('select key[1] as key from rejected_changes')).rows;
  const maker = (user: string) =>
    make('bounty_submission_makers', 1, { user_id: user, submission_id: 'w1', position: 1 });
  await applyAll(own, [
    make('bounty_submissions', 1, { bounty_id: 'b1', user_id: 'u1' }),
    make('bounties', 1, { sponsor_id: 's1' }),
  ]);
  const batch = [make('sponsors', 1), make('users', 1), make('users', 2), maker('u1'), gone('bounties', { id: 'b1' })];
  await applyAll(own, [...batch, maker('u2'), gone('sponsors', { id: 's1' })]);
  assert.deepEqual(await rows(), [{ key: 'u2' }]);
});

test('a child waits for its parent, a row until its slug is free, a delete until no row refers to it', async () => {
  await applyAll(world, [
    make('agents', 1, { owner_id: 'u1' }),
    make('users', 2),
    make('users', 3, { username: 'user-2' }),
  ]);
  assert.deepEqual(
    (await kept()).map(({ row, is_waiting }) => [row, is_waiting]),
    [
      ['agents a1', true],
      ['users u3', true],
    ],
  );
  assert.match((await kept())[0]!.reason, /^owner_id: there is no users row with the id "u1"; load users first$/);
  assert.match((await kept())[1]!.reason, /^username: "user-2" is the username of another row of users/);
  await applyAll(world, [make('users', 1), make('users', 2, { username: 'moved' })]);
  assert.deepEqual(await kept(), []);
  await applyAll(world, [gone('users', { id: 'u1' })]);
  assert.deepEqual(
    (await kept()).map(({ row, reason }) => `${row}: ${reason}`),
    ['users u1: agents still refer to it; delete or change those rows first'],
  );
  const { rows } = await owner.query(`select status, god_mode, is_public from users where id = 'u1'`);
  assert.deepEqual(rows, [{ status: 'DELETED', god_mode: false, is_public: false }]);
  await applyAll(world, [gone('agents', { id: 'a1' })]);
  assert.deepEqual(await kept(), []);
  assert.equal((await owner.query(`select from users where id = 'u1'`)).rowCount, 0);
});

test('a later change of the same row replaces one that could not be applied', async () => {
  await applyAll(world, [make('agents', 5, { owner_id: 'nobody' })]);
  await applyAll(world, [make('agents', 5, { owner_id: 'nobody', bio: 5 })]);
  const [only, ...others] = await kept();
  assert.deepEqual([only!.row, only!.is_waiting, others.length], ['agents a5', false, 0]);
  assert.match(only!.reason, /^bio: 5 is not a text/);
  await applyAll(world, [gone('agents', { id: 'a5' })]);
  assert.deepEqual(await kept(), []);
});

test('a change that hides a row or reduces permissions does so at once, even if the rest of it is invalid', async () => {
  const nonsense = { nonsense: 1 };
  await applyAll(world, [
    make('users', 10, { god_mode: true }),
    make('users', 11),
    make('sponsors', 10),
    make('sponsor_members', 10, { user_id: 'u10', sponsor_id: 's10', role: 'OWNER' }),
    make('sponsor_members', 10, { user_id: 'u11', sponsor_id: 's10', role: 'MEMBER' }),
    make('bounties', 10, { sponsor_id: 's10', submissions_visible: true }),
    make('bounties', 11, { sponsor_id: 's10', submissions_visible: true }),
    make('launches', 10, { submitted_by_id: 'u10' }),
    make('contests', 10),
    make('collections', 10),
  ]);
  await applyAll(world, [
    make('users', 10, { ...nonsense, status: 'BANNED' }),
    make('sponsor_members', 10, { ...nonsense, user_id: 'u10', sponsor_id: 's10', role: 'MEMBER' }),
    make('sponsor_members', 10, { ...nonsense, user_id: 'u11', sponsor_id: 's10', role: 'OWNER' }),
    make('bounties', 10, { ...nonsense, submissions_visible: false }),
    make('bounties', 11, { ...nonsense, status: 'DRAFT' }),
    make('launches', 10, { submitted_by_id: 'nobody', visibility: 'hidden' }),
    make('contests', 10, { status: 7 }),
    { ...gone('collections', { address: 'c10' }) },
    `{"op": "delete", "table": "topics", "key": {"id": "t10"}, "more": 1}`,
  ]);
  const one = async (text: string) => (await owner.query(text)).rows[0];
  assert.deepEqual(await one(`select status, god_mode, username from users where id = 'u10'`), {
    status: 'BANNED',
    god_mode: false,
    username: 'user-10',
  });
  assert.deepEqual(
    (await owner.query(`select user_id, role from sponsor_members where sponsor_id = 's10' order by 1`)).rows,
    [
      { user_id: 'u10', role: 'MEMBER' },
      { user_id: 'u11', role: 'MEMBER' }, // an invalid change grants nothing
    ],
  );
  assert.deepEqual(await one(`select is_public, submissions_visible from bounties where id = 'b10'`), {
    is_public: true,
    submissions_visible: false,
  });
  for (const [table, id] of [
    ['bounties', 'b11'],
    ['launches', 'l10'],
    ['contests', 'k10'],
  ])
    assert.deepEqual(await one(`select is_public from ${table} where id = '${id}'`), { is_public: false }, table);
  assert.equal(await one(`select from collections where address = 'c10'`), undefined);
  // The next valid change of the row shows it again.
  await applyAll(world, [make('bounties', 11, { sponsor_id: 's10' }), make('contests', 10)]);
  assert.deepEqual(await one(`select is_public from bounties where id = 'b11'`), { is_public: true });
  assert.deepEqual(await one(`select is_public from contests where id = 'k10'`), { is_public: true });
  // A sponsor whose delete still waits shows no bounties and grants no permissions.
  await applyAll(world, [gone('sponsors', { id: 's10' })]);
  assert.deepEqual(await one(`select count(*)::integer as n from bounties where sponsor_id = 's10' and is_public`), {
    n: 0,
  });
  assert.deepEqual(await one(`select count(*)::integer as n from sponsor_members where sponsor_id = 's10'`), { n: 0 });
  await owner.query('delete from rejected_changes');
});

test('of several invalid changes of a row only the last is stored, and each of them can hide the row', async () => {
  const [good, wrong] = [make('contests', 30), { nonsense: 1 }];
  await applyAll(world, [good]);
  await applyAll(world, [make('contests', 30, { ...wrong, status: 'DRAFT' }), make('contests', 30, wrong)]);
  const shown = async () =>
    (await owner.query(`select is_public from contests where id = 'k30'`)).rows[0].is_public as boolean;
  assert.deepEqual([await shown(), (await kept()).map(({ row }) => row)], [false, ['contests k30']]);
  await applyAll(world, [make('contests', 30, { ...wrong, status: 'DRAFT' }), good]);
  assert.deepEqual([await shown(), await kept()], [true, []]);
  await applyAll(world, [good, make('contests', 30, { ...wrong, status: 'DRAFT' })]);
  assert.deepEqual([await shown(), (await kept()).length], [false, 1]);
  await owner.query('delete from rejected_changes');
});

test('a change with invalid characters still hides its row, is replaced by the next change, and a retry does not duplicate it', async () => {
  await applyAll(world, [make('contests', 31), make('users', 31)]);
  const unsound = bodyOf(make('contests', 31, { status: 'DRAFT', title: 'a' })).replace('"a"', '"a\\u0085"');
  await applyAll(world, [unsound, bodyOf(make('users', 31, { status: 'BANNED', bio: 'b' })).replace('"b"', '"\\b"')]);
  for (const text of [`contests where id = 'k31'`, `users where id = 'u31'`])
    assert.deepEqual((await owner.query(`select is_public from ${text}`)).rows, [{ is_public: false }], text);
  await applyAll(world, ['{"op": 1']);
  const ids = async () =>
    (await owner.query<{ id: string }>('select id from rejected_changes order by id')).rows.map(({ id }) => id);
  const before = await ids();
  assert.equal(before.length, 3);
  await owner.query('begin; select take_writer_lock()');
  const applier = await openApplier(owner, await readRelations(owner));
  await applier.retry(await readBodies(owner, before), Number.POSITIVE_INFINITY);
  await owner.query('commit');
  assert.deepEqual(await ids(), before);
  await applyAll(world, [make('contests', 31), make('users', 31)]);
  assert.equal((await ids()).length, 1);
  await owner.query('delete from rejected_changes');
});

test('a row whose key has an empty role can be put and deleted; an empty id is rejected', async () => {
  const key = { collection_address: 'c37', contest_id: 'k37', role: '' };
  await applyAll(world, [
    make('collections', 37),
    make('contests', 37),
    { op: 'put', table: 'collection_contests', record: key },
  ]);
  const count = async () => (await owner.query(`select from collection_contests where contest_id = 'k37'`)).rowCount;
  assert.deepEqual([await count(), await kept()], [1, []]);
  await applyAll(world, [gone('collection_contests', key)]);
  assert.equal(await count(), 0);
  await applyAll(world, [gone('collection_contests', { ...key, contest_id: '' })]);
  assert.match((await kept())[0]!.reason, /^key: must have collection_address, contest_id, role, each a text of 1 to/);
  await owner.query('delete from rejected_changes');
});

test('an invalid change takes effect after an earlier waiting change of its row, even when its batch also ends the wait', async () => {
  await applyAll(world, [make('bounties', 38, { sponsor_id: 's38' })]);
  const wrong = make('bounties', 38, { sponsor_id: 's38', status: 'DRAFT', nonsense: 1 });
  await applyAll(world, [make('sponsors', 38), wrong]);
  const { rows } = await owner.query(`select visibility, is_public from bounties where id = 'b38'`);
  assert.deepEqual(rows, [{ visibility: 'hidden', is_public: false }]);
  assert.deepEqual(
    (await kept()).map(({ row }) => row),
    ['bounties b38'],
  );
  await owner.query('delete from rejected_changes');
});

test('no put undoes a takedown, not even after a delete', async () => {
  await applyAll(world, [make('contests', 35)]);
  await owner.query(`insert into takedowns (table_name, key, created_at) values ('contests', '{k35}', now())`);
  for (const changes of [
    [make('contests', 35, { title: 'new', visibility: 'public' })],
    [gone('contests', { id: 'k35' }), make('contests', 35)],
  ]) {
    await applyAll(world, changes);
    assert.deepEqual((await owner.query(`select is_public from contests where id = 'k35'`)).rows, [
      { is_public: false },
    ]);
  }
});

test('all changes that wait for a row are applied with it, and an invalid delete still deletes, in order', async () => {
  const items = Array.from({ length: 1200 }, (_, n) => make('timeline_items', n, { user_id: 'u40' }));
  await applyAll(world, items);
  assert.equal((await kept()).length, 1200);
  await applyAll(world, [make('users', 40)]);
  assert.deepEqual(await kept(), []);
  assert.equal((await owner.query(`select from timeline_items where user_id = 'u40'`)).rowCount, 1200);
  const launch = make('launches', 40, { submitted_by_id: 'u40' });
  const clap = make('launch_claps', 40, { launch_id: 'l40', user_id: 'u40' });
  await applyAll(world, [launch, clap]);
  await applyAll(world, [`{"op": "delete", "table": "launches", "key": {"id": "l40"}, "more": 1}`, launch]);
  assert.equal((await owner.query(`select from launch_claps where launch_id = 'l40'`)).rowCount, 0);
  assert.deepEqual(await kept(), []);
});

test('a change that waits for two rows is applied when the second one arrives', async () => {
  await applyAll(world, [make('collection_holders', 60, { user_id: 'u61', collection_address: 'c61' })]);
  await applyAll(world, [make('users', 61)]);
  assert.match((await kept())[0]!.reason, /there is no collections row with the address "c61"/);
  await applyAll(world, [make('collections', 61)]);
  assert.deepEqual(await kept(), []);
});

test('a swap of slugs is applied even if one of the rows also waits for its parent', async () => {
  await applyAll(world, [
    make('sponsors', 50),
    make('bounties', 50, { sponsor_id: 's50' }),
    make('bounties', 51, { sponsor_id: 's50' }),
  ]);
  await applyAll(world, [make('bounties', 51, { sponsor_id: 's50', slug: 'bounty-50' })]);
  await applyAll(world, [make('bounties', 50, { sponsor_id: 's51', slug: 'bounty-51' })]);
  assert.equal((await kept()).length, 2);
  await applyAll(world, [make('sponsors', 51)]);
  assert.deepEqual(await kept(), []);
  const { rows } = await owner.query(
    `select id, slug, sponsor_id from bounties where id in ('b50', 'b51') order by id`,
  );
  assert.deepEqual(rows, [
    { id: 'b50', slug: 'bounty-51', sponsor_id: 's51' },
    { id: 'b51', slug: 'bounty-50', sponsor_id: 's50' },
  ]);
});

test('of changes whose row cannot be identified, the newest thousand are stored', async () => {
  await applyAll(
    world,
    Array.from({ length: 1010 }, (_, n) => `{"op": ${n}}`),
  );
  const { rows } = await owner.query(
    "select count(*)::integer as n, min(convert_from(body, 'UTF8')) as first from rejected_changes where key is null",
  );
  assert.equal(rows[0].n, 1000);
  await owner.query('delete from rejected_changes');
});

test('malformed changes are stored with the reason', async () => {
  const bad: [string, RegExp][] = [
    ['{"op": "put"', /^character 13: /],
    ['7', /^7 is not an object/],
    ['{"op": "upsert", "table": "users", "record": {}}', /^op: "upsert" is not one of put, delete, mark/],
    ['{"op": "put", "table": "people", "record": {}}', /^table: "people" is not one of users, agents/],
    ['{"op": "put", "table": "api_keys", "record": {}}', /^table: "api_keys" is not one of/],
    ['{"op": "put", "table": "users", "record": []}', /^record: \[\] is not an object/],
    [
      '{"op": "delete", "table": "users", "key": {"username": "x"}}',
      /^key\.username: is not part of the key of users; that is id \| key: must have id/,
    ],
    ['{"op": "mark", "at": "now"}', /^at: "now" is not an instant/],
    [
      '{"op": "put", "table": "topics", "record": {"id": "t1", "slug": "a b", "nam": "x"}}',
      /nam: .*did you mean name\?.* \| slug: "a b"/,
    ],
  ];
  await applyAll(
    world,
    bad.map(([text]) => text),
  );
  const reasons = (await owner.query<{ reason: string }>('select reason from rejected_changes order by id')).rows;
  for (const [index, [text, reason]] of bad.entries()) assert.match(reasons[index]!.reason, reason, text);
  await owner.query('delete from rejected_changes');
});

test('a file is applied as a whole or not at all', async () => {
  const lines = (changes: (Change | string)[]) =>
    Readable.from([
      Buffer.from(changes.map((change) => `${typeof change === 'string' ? change : bodyOf(change)}\n`).join('')),
    ]);
  await assert.rejects(
    applyFile(owner, lines([make('topics', 50), '{"op": "mark", "at": "2026-01-01T00:00:00.000Z"}'])),
    /line 2 is a mark/,
  );
  await owner.query('rollback');
  assert.equal((await owner.query(`select from topics where id = 't50'`)).rowCount, 0);
  const { read, tally, left } = await applyFile(
    owner,
    lines([
      make('agents', 60, { owner_id: 'u60' }),
      make('users', 60),
      make('topics', 50),
      make('topics', 50),
      gone('topics', { id: 't50' }),
      '{}',
    ]),
  );
  assert.deepEqual([read, left.length], [6, 1]);
  assert.deepEqual(Object.fromEntries([...tally.tables].map(([{ name }, counts]) => [name, counts])), {
    users: { inserted: 1, changed: 0, unchanged: 0, deleted: 0 },
    topics: { inserted: 1, changed: 0, unchanged: 0, deleted: 1 },
    agents: { inserted: 1, changed: 0, unchanged: 0, deleted: 0 },
  });
});

test('the delete of a score dimension is rejected with its reason, and the others of its batch are applied', async () => {
  const before = (await owner.query('select * from score_tiers order by 1')).rows;
  await applyAll(world, [gone('score_tiers', { dimension: 'identity' }), make('topics', 900)]);
  assert.deepEqual((await owner.query('select * from score_tiers order by 1')).rows, before);
  const [rejected] = (await kept()).filter(({ row }) => row === 'score_tiers identity');
  assert.match(rejected?.reason ?? '', /^a score dimension cannot be deleted, .*; put a record with other values$/);
  assert.equal((await owner.query(`select from topics where id = 't900'`)).rowCount, 1);
  await owner.query(`delete from rejected_changes where table_name = 'score_tiers'`);
});
