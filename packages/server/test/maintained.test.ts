// Values that the database maintains by itself: counters and ranks under concurrent writers, TRUNCATE and COPY, badges
// whose collection changes at the same time. Also `verify`, which finds and repairs drift, as after a broken restore.
// lanes: 15 18
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { seeded } from '../../../test/helpers/random.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { textsTable } from '../src/db/lists/stored-json.ts';
import { verify } from '../src/db/schema/verify.ts';
import { agentProfiles } from '../src/queries/agents.ts';
import { userSummaries } from '../src/queries/users.ts';
import { blocksOf, totalsOf } from './helpers/lists.ts';

const world = await createWorld();
const { add, owner, ownerUrl } = world;
const connect = async () => {
  const client = new pg.Client(ownerUrl);
  await client.connect();
  return client;
};
const value = async <T>(text: string): Promise<T> =>
  Object.values((await owner.query<Record<string, T>>(text)).rows[0] ?? {})[0] as T;

await add('sponsors', { id: 's' });
for (let n = 0; n < 20; n++) await add('users', { id: `u${n}` });
for (let n = 0; n < 5; n++) {
  await add('collections', { address: `c${n}`, source: 'internal', status: 'ACTIVE' });
  await add('bounties', { id: `b${n}`, sponsor_id: 's' });
}
await add('contests', { id: 'k', created_by_id: 'u0' });
for (let n = 0; n < 5; n++) await add('agents', { id: `a${n}`, owner_id: 'u0' });
for (let n = 0; n < 5; n++) await add('contest_submissions', { id: `e${n}`, contest_id: 'k', user_id: 'u0' });

test('1,500 random statements of six concurrent writers leave every maintained value right, without a deadlock', async () => {
  let serial = 0;
  const statement = (writer: number, n: (below: number) => number): string => {
    // Each writer has its own users: writers contend for parent rows, never for each other's child rows.
    const user = () => `u${writer * 3 + n(3)}`;
    const id = `x${serial++}`;
    const words = ['PENDING', 'APPROVED', 'REJECTED', 'WINNER'];
    const live = ['LIVE', 'DRAFT'];
    const week = `'2026-01-05T00:00:00Z'::timestamptz + interval '7 days' * ${n(3)}`;
    const moves = [
      `insert into collection_holders select 'c' || g, '${user()}', now() from generate_series(${n(3)}, ${n(5)}) g on conflict do nothing`,
      `delete from collection_holders where user_id = '${user()}' and collection_address <> 'c${n(5)}'`,
      `update collection_holders set acquired_at = now() where user_id = '${user()}'`,
      `update collection_holders h set collection_address = 'c${n(5)}' where user_id = '${user()}' and not exists (select from collection_holders o where o.user_id = h.user_id and o.collection_address <> h.collection_address)`,
      `insert into bounty_submissions (id, bounty_id, user_id, title, description, status, created_at, updated_at) select '${id}-' || g, 'b' || g, '${user()}', 't', 'd', '${words[n(4)]}', now(), now() from generate_series(0, ${n(5)}) g`,
      `update bounty_submissions set status = '${words[n(4)]}' where user_id = '${user()}'`,
      `delete from bounty_submissions where user_id = '${user()}' and bounty_id = 'b${n(5)}'`,
      `insert into contest_submission_supporters select 'e' || g, '${user()}', 'GOLD', now() from generate_series(0, ${n(5)}) g on conflict do nothing`,
      `delete from contest_submission_supporters where user_id = '${user()}'`,
      `insert into launches (id, slug, name, tagline, description, status, launch_week, rating, launch_week_rating, submitted_by_id, published_at, created_at, updated_at) select '${id}-' || g, '${id}-' || g, 'n', 't', 'd', '${live[n(2)]}', ${week}, 0, ${n(10)}, 'u0', now(), now(), now() from generate_series(1, 4) g`,
      `update launches set launch_week_rating = ${n(10)}, status = '${live[n(2)]}' where id = (select id from launches order by md5(id || '${id}') limit 1)`,
      `update launches set launch_week = ${week} where id = (select id from launches order by md5(id || '${id}') limit 1)`,
      `delete from launches where id = (select id from launches order by md5(id || '${id}') limit 1)`,
      `insert into timeline_items (user_id, id, type, date, details) select '${user()}', '${id}-' || g, 'BADGE_RECEIVED', now(), jsonb_build_object('collectionAddress', 'c' || g, 'collectionName', 'x', 'image', 'i', 'itemIndex', 1) from generate_series(0, ${n(5)}) g`,
      `insert into timeline_items (user_id, id, type, date, details) select '${user()}', 'same-' || g, 'BADGE_RECEIVED', now(), jsonb_build_object('collectionAddress', 'c' || g, 'collectionName', 'x', 'image', 'i', 'itemIndex', 1) from generate_series(0, ${n(5)}) g on conflict (user_id, id) do update set date = excluded.date, details = excluded.details`,
      `update timeline_items set date = now() where user_id = '${user()}'`,
      `update bounty_submissions set title = 'new' where user_id = '${user()}'`,
      `update bounties set submissions_visible = not submissions_visible where id = 'b${n(5)}'`,
      `update bounties set visibility = ${['null', `'hidden'`][n(2)]} where id = 'b${n(5)}'`,
      `update users set bio = '${id}', tags = '[{"tag": "t", "tier": "${id}", "contestName": "c"}]' where id = '${user()}'`,
      `update agents set bio = '${id}', active = not active where id = 'a${n(5)}'`,
      `update collections set status = '${['DRAFT', 'ACTIVE'][n(2)]}' where address = 'c${n(5)}'`,
    ];
    return moves[n(moves.length)]!;
  };
  const failures: string[] = [];
  await Promise.all(
    [0, 1, 2, 3, 4, 5].map(async (writer) => {
      const client = await connect();
      const r = seeded(writer + 1);
      for (let n = 0; n < 250; n++) {
        const text = statement(writer, r);
        await client
          .query(text)
          .catch((error: Error & { code: string }) => failures.push(`${error.code} ${error.message}: ${text}`));
      }
      await client.end();
    }),
  );
  assert.deepEqual(failures, []);
  assert.deepEqual((await verify(ownerUrl, false)).drifts, []);
  assert.ok((await value<number>('select count(*)::int from lists.launch_week_ranks')) > 0);
});

test('COPY and TRUNCATE maintain the counters too', async () => {
  await owner.query('truncate collection_holders, contest_submission_supporters, bounty_submissions cascade');
  assert.equal(await value('select sum(holders)::int from lists.collection_sizes'), 0);
  for (const list of ['holders', 'submissions', 'public_submissions', 'supporters'])
    assert.equal(await value(`select count(*)::int from ${totalsOf(list)}`), 0, list);
  const copied = owner.query(copyFrom(`copy collection_holders (collection_address, user_id, acquired_at) from stdin`));
  const lines = Array.from({ length: 20 }, (_, n) => `c1\tu${n}\t2026-01-01T00:00:00Z\n`);
  await pipeline(Readable.from(lines), copied);
  const holders = () => value(`select holders::int from lists.collection_sizes where address = 'c1'`);
  assert.equal(await holders(), 20);
  await owner.query(`delete from users where id = 'u19'`);
  assert.equal(await holders(), 19);
  assert.equal(await value(`select count(*)::int from ${textsTable(userSummaries)} where id = 'u19'`), 0);
  await owner.query('truncate agents cascade');
  assert.equal(await value(`select count(*)::int from ${textsTable(agentProfiles)}`), 0);
  await owner.query('truncate launches cascade');
  assert.equal(await value('select count(*)::int from lists.launch_week_ranks'), 0);
});

test('maintained columns and the tables of the schema lists cannot be written directly', async () => {
  const badge = { user_id: 'u1', id: 'kept', type: 'BADGE_RECEIVED', details: { collectionAddress: 'c1' } };
  await assert.rejects(
    add('timeline_items', { ...badge, is_badge_public: false }),
    /is_badge_public is maintained by the data/,
  );
  await add('timeline_items', badge);
  await assert.rejects(
    owner.query(`update timeline_items set is_badge_public = not is_badge_public`),
    /is maintained by the da/,
  );
  await assert.rejects(
    owner.query(`update collection_holders set is_collection_public = not is_collection_public`),
    /is maintained by the/,
  );
  await add('bounty_submissions', { bounty_id: 'b1', user_id: 'u1' });
  await assert.rejects(
    owner.query(`update bounty_submissions set is_bounty_open = not is_bounty_open`),
    /is maintained by the/,
  );
  const { rows } = await owner.query<{ name: string }>(
    `select attrelid::regclass::text as name from pg_attribute where attname = 'is_taken_down' and attnum > 0`,
  );
  assert.equal(rows.length, 9);
  for (const name of ['collections', 'bounties'])
    await assert.rejects(
      owner.query(`update ${name} set is_taken_down = true`),
      /is_taken_down is maintained by the database/,
    );
  for (const name of [
    totalsOf('holders'),
    blocksOf('holders', 'acquired'),
    textsTable(userSummaries),
    'lists.launch_week_ranks',
  ])
    await assert.rejects(owner.query(`delete from ${name}`), /is maintained by the database/, name);
});

test('a statement that deletes rows and inserts one of them again, or writes a collection with its holders, leaves every value right', async () => {
  const columns = `name, description, type, importance, is_sbt, category, is_winner, source, status, next_item_index,
    created_at, updated_at`;
  for (const address of ['again-1', 'again-2']) await add('collections', { address });
  const { rowCount } = await owner.query(`
    with gone as (delete from collections where address in ('again-1', 'again-2') returning address, ${columns})
    insert into collections (address, ${columns}) select address, ${columns} from gone limit 1`);
  assert.equal(rowCount, 1);
  for (const id of ['again-1', 'again-2']) await add('users', { id });
  await owner.query(`
    with gone as (delete from users where id in ('again-1', 'again-2') returning id)
    insert into users (id, username, display_name, status) select id, id, 'again', 'active' from gone limit 1`);
  await owner.query(`
    with made as (
      insert into collections (address, ${columns}) select 'with-holders', ${columns} from collections where address ~ '^again'
      returning address
    )
    insert into collection_holders select made.address, u.id, now() from made, users u limit 3`);
  assert.equal(await value(`select holders::int from lists.collection_sizes where address = 'with-holders'`), 3);
  assert.deepEqual((await verify(ownerUrl, false)).drifts, []);
});

test('a takedown hides its row, whichever is written first, and no later write of the row undoes it', async () => {
  const shown = () => value<boolean>(`select is_public from collections where address = 'down'`);
  const write = () => add('collections', { address: 'down', visibility: 'public' });
  await write();
  await owner.query(`insert into takedowns values ('collections', '{down}', 'why', now())`);
  assert.equal(await shown(), false);
  await owner.query(`delete from collections where address = 'down'`);
  await write();
  assert.equal(await shown(), false);
  await owner.query(`update collections set visibility = 'public', name = 'other' where address = 'down'`);
  assert.equal(await shown(), false);
  await assert.rejects(
    owner.query(`insert into takedowns values ('users', '{u1}', null, now())`),
    /cannot be taken down/,
  );
  await assert.rejects(owner.query(`insert into takedowns values ('collections', '{a,b}', null, now())`), /one value/);
  await owner.query('delete from takedowns');
  assert.equal(await shown(), true);
  assert.deepEqual((await verify(ownerUrl, false)).drifts, []);
});

test('a takedown applies to every spelling of an address', async () => {
  const address = '0xAbCdEf0123456789aBcDeF0123456789AbCdEf01';
  await owner.query(`insert into takedowns values ('collections', array['${address.toLowerCase()}'], null, now())`);
  await add('collections', { address });
  const shown = () =>
    value<boolean>(`select is_public from collections where lower(address) = '${address.toLowerCase()}'`);
  assert.equal(await shown(), false);
  await owner.query(`delete from collections where address = '${address}'`);
  await add('collections', { address: address.toUpperCase().replace('0X', '0x') });
  assert.equal(await shown(), false);
  await owner.query(`delete from takedowns where table_name = 'collections'`);
  assert.equal(await shown(), true);
});

test('holders that are inserted in one statement with their collection are counted', async () => {
  await owner.query(`
    with c as (
      insert into collections (address, name, description, type, importance, is_sbt, category, is_winner, source,
        next_item_index, created_at, updated_at)
      values ('both', 'n', 'd', 't', 'i', true, 'k', false, 'external', 0, now(), now()) returning address
    )
    insert into collection_holders select address, 'u1', now() from c`);
  assert.equal(await value(`select holders::int from lists.collection_sizes where address = 'both'`), 1);
  assert.deepEqual((await verify(ownerUrl, false)).drifts, []);
});

test('a badge that is written while another transaction hides its collection ends up hidden', async () => {
  await owner.query(`update collections set status = 'ACTIVE'`);
  const badge = (id: string, address: string) =>
    `insert into timeline_items (user_id, id, type, date, details) values ('u1', '${id}', 'BADGE_RECEIVED', now(), '{"collectionAddress": "${address}", "collectionName": "x", "image": "i", "itemIndex": 1}')`;
  const shown = (id: string) => value<boolean>(`select is_public from timeline_items where id = '${id}'`);
  const [one, two] = [await connect(), await connect()];
  // The collection is hidden first, uncommitted: the insert of the badge waits and then sees that.
  await one.query('begin');
  await one.query(`update collections set status = 'DRAFT' where address = 'c0'`);
  const waiting = two.query(badge('w1', 'c0'));
  await one.query('commit');
  await waiting;
  assert.equal(await shown('w1'), false);
  // The badge is inserted first, uncommitted: the update of the collection waits and then hides the badge too.
  await two.query('begin');
  await two.query(badge('w2', 'c1'));
  const flip = one.query(`update collections set status = 'DRAFT' where address = 'c1'`);
  await two.query('commit');
  await flip;
  assert.equal(await shown('w2'), false);
  await Promise.all([one.end(), two.end()]);
});

test('verify finds every kind of drift that writes without triggers leave, and --repair repairs it', async () => {
  const launch = { submitted_by_id: 'u0' };
  await add('launches', launch);
  const { id: launchId } = await add('launches', launch);
  const { id: topicId } = await add('topics');
  await add('launch_topics', { launch_id: launchId, topic_id: topicId });
  await add('contest_submissions', { contest_id: 'k', user_id: 'u1', track_ids: ['one', 'one'] });
  await add('bounty_submissions', { bounty_id: 'b1', user_id: 'u1' });
  await add('contest_submission_supporters', { submission_id: 'e1', user_id: 'u1' });
  assert.deepEqual((await verify(ownerUrl, false)).drifts, []);
  await owner.query(`
    begin;
    set local session_replication_role = replica;
    update lists.collection_sizes set holders = 77 where address = 'c1';
    update ${totalsOf('holders')} set rows = 77 where parent = 'c1';
    update ${totalsOf('submissions')} set rows = 77 where parent = 'b1';
    update ${totalsOf('supporters')} set rows = 77 where parent = 'e1';
    update lists.launch_week_ranks set week_rank = 77;
    insert into lists.launch_week_ranks values ('gone', '2026-01-05T00:00:00Z', 1);
    update lists.launch_weeks set launches = 77;
    delete from lists.launch_topics;
    update ${textsTable(userSummaries)} set head = '{' where id = 'u1';
    update lists.submission_tracks set created_at = '2020-01-01T00:00:00Z';
    update timeline_items set is_badge_public = true where id = 'w1';
    update collection_holders set is_collection_public = not is_collection_public where collection_address = 'c1' and user_id = 'u1';
    update bounty_submissions set is_bounty_open = not is_bounty_open where bounty_id = 'b1';
    update bounties set is_taken_down = true where id = 'b4';
    commit`);
  const found = await verify(ownerUrl, false);
  assert.deepEqual(
    found.drifts.map(({ name, wrong }) => `${name} ${wrong}`),
    [
      'bounties.is_taken_down 1',
      'timeline_items.is_badge_public 1',
      'collection_holders.is_collection_public 1',
      'bounty_submissions.is_bounty_open 2',
      'lists.launch_week_ranks 3',
      'lists.collection_sizes 1',
      'lists.launch_weeks 1',
      'lists.launch_topics 1',
      'lists.submission_tracks 2',
      'holders.totals 1',
      'user_badges.totals 1',
      'holdings.totals 1',
      'timeline.totals 1',
      'submissions.totals 1',
      'user_submissions.totals 1',
      'bounties.totals 2',
      'sponsor_bounties.totals 1',
      'topic_launches.totals 1',
      'topic_week_launches.totals 1',
      'supporters.totals 1',
      'user_summaries.texts 1',
    ],
  );
  const afterwards = await verify(ownerUrl, true);
  assert.deepEqual(afterwards.drifts, []);
  assert.ok(afterwards.repaired.length >= 8, JSON.stringify(afterwards.repaired));
});

test('verify finds a generated column whose function has changed since the rows were written, and --repair repairs it', async () => {
  const original = await value<string>(`select pg_get_functiondef('search_form(text)'::regprocedure)`);
  await owner.query(
    `create or replace function search_form(value text) returns text language sql immutable return upper(value)`,
  );
  const { drifts } = await verify(ownerUrl, false);
  assert.deepEqual(
    drifts.map(({ name }) => name),
    ['bounties', 'collections', 'contests', 'launches', 'sponsors'].map((table) => `${table}.search_name`),
  );
  assert.deepEqual((await verify(ownerUrl, true)).drifts, []);
  assert.ok(/[A-Z]/.test(await value<string>('select search_name from collections limit 1')));
  await owner.query(original);
  assert.deepEqual((await verify(ownerUrl, true)).drifts, []);
});
