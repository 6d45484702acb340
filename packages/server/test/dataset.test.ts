// Import and export: every column is classified, invalid records are rejected, and no private data is exported. With a
// larger data set: DATASET_SCALE=medium npm test -- packages/server/test/dataset.test.ts
// lanes: 15 18
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { demoNow, demoPictures } from '@commonhall/sample/cast';
import { tableNames } from '@commonhall/sample/world';
import { writeWorld } from '@commonhall/sample/write';
import { assertSameTables, catchUp, openCopy, publicRows } from '../../../test/helpers/copy.ts';
import type { World } from '../../../test/helpers/world.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { tryTurn } from '../src/db/schema/turn.ts';
import { verify } from '../src/db/schema/verify.ts';
import { tables } from '../src/records/tables.ts';
import { dump, fileOf, linesOf, load, newFolder, readNdjson, readParquet } from './helpers/dataset-files.ts';

const world = await createWorld();
const other = await createWorld();

const counts = async ({ owner }: World): Promise<string> => {
  const { rows } = await owner.query<{ n: string }>(
    tables.map(({ name }) => `select '${name} ' || count(*) as n from ${name}`).join(' union all '),
  );
  return rows
    .map(({ n }) => n)
    .sort()
    .join(', ');
};

test('every column is either in the record format, with its nullability, or maintained by the database', async () => {
  const { rows } = await world.owner.query<{ table: string; column: string; nullable: boolean; kept: boolean }>(`
    select table_name as table, column_name as column, is_nullable = 'YES' as nullable, is_generated = 'ALWAYS' as kept
    from information_schema.columns where table_schema = 'public'`);
  const keptHere = (table: string, column: string) =>
    column === 'is_taken_down' || // maintained from takedowns
    [
      'timeline_items.is_badge_public',
      'collection_holders.is_collection_public',
      'bounty_submissions.is_bounty_open',
      'api_keys.last_used_on',
    ].includes(`${table}.${column}`);
  const operators =
    'schema_migrations installed turns takedowns import_checkpoints import_keys feed feed_lease outbox_rows rejected_changes erasures'.split(
      ' ',
    );
  for (const { table, column, nullable, kept } of rows) {
    if (operators.includes(table)) continue;
    const listed = tables.find(({ name }) => name === table)?.columns[column];
    const expected = !kept && !keptHere(table, column);
    assert.equal(
      listed !== undefined,
      expected,
      `${table}.${column} must be ${expected ? 'public or private' : 'left out'} in tables.ts`,
    );
    if (listed !== undefined) assert.equal(listed.nullable, nullable, `${table}.${column}`);
  }
  const names = rows.map(({ table, column }) => `${table}.${column}`);
  for (const { name, columns } of tables)
    for (const column of Object.keys(columns)) assert.ok(names.includes(`${name}.${column}`));
});

test('the sample data has every table of the record format in load order, except score tiers and API keys', () => {
  const others = tables.map(({ name }) => name).filter((name) => !['score_tiers', 'api_keys'].includes(name));
  assert.deepEqual(tableNames, others);
});

test('sample data has the same bytes each time and loads without rejections, and a second load changes nothing', async () => {
  const [one, two] = [newFolder(), newFolder()];
  const scale = process.env.DATASET_SCALE === 'medium' ? 'medium' : 'small';
  const options = { seed: 42, scale, now: demoNow, pictures: demoPictures, gzip: false } as const;
  await writeWorld(one, options, () => {});
  await writeWorld(two, options, () => {});
  for (const file of readdirSync(one))
    assert.deepEqual(readFileSync(join(one, file)), readFileSync(join(two, file)), file);
  const first = await load(world, one);
  assert.deepEqual([first.complete, first.rejected], [true, []]);
  const versions = async () =>
    (await world.owner.query('select id, xmin::text, ctid::text from users order by id')).rows;
  const [before, rows] = [await versions(), await counts(world)];
  assert.equal((await load(world, two)).complete, true);
  assert.deepEqual(await versions(), before);
  assert.equal(await counts(world), rows);
  const { rows: left } = await world.owner.query(
    'select 1 from import_checkpoints union all select 1 from import_keys',
  );
  assert.equal(left.length, 0, 'no checkpoint is left');
});

test('importing an export of everything reproduces the same data', async () => {
  await world.keyFor('user-ada');
  const from = await dump(world, true);
  assert.equal(from.manifest.audience, 'private');
  assert.match(from.manifest.wal, /^[0-9A-F]+\/[0-9A-F]+$/);
  assert.equal((await load(other, from.out)).complete, true);
  const to = await dump(other, true);
  assert.deepEqual(to.manifest.files, from.manifest.files);
  assert.equal(to.manifest.files.length, tables.length);
  assert.ok(
    to.manifest.files.every(({ rows }) => rows > 0),
    'every table had rows',
  );
  assert.deepEqual((await verify(other.ownerUrl, false)).drifts, []);
});

const user = (id: string, more: object = {}) =>
  JSON.stringify({
    id,
    username: id,
    display_name: id,
    avatar: null,
    bio: null,
    status: 'active',
    tags: [],
    god_mode: false,
    ...more,
  });

const hostileCount = Number(process.env.HOSTILE ?? 1000);

test('each of many hostile records is rejected with its line, none is partly applied, and valid records are loaded', async () => {
  const gift = (details: string) =>
    `{"user_id": "good", "id": "i", "type": "GIFT_RECEIVED", "date": "2026-01-01T00:00:00.000Z", "details": ${details}}`;
  const hostileUsers: ((n: number) => string | Buffer)[] = [
    (n) => user(`nul${n}`, { bio: 'a\u0000b' }),
    (n) => Buffer.concat([Buffer.from(`{"id": "utf${n}`), Buffer.from([0xff, 0xc0, 0xaf]), Buffer.from('"}')]),
    (n) => user(`type${n}`, { god_mode: 'yes' }),
    (n) => user(`array${n}`, { tags: {} }),
    () => user('good'),
    (n) =>
      user(`slug${n}`, { username: ['a/b', '..', 'u\u0308', 'a\u202eb', 'a\u{e000}', 'a\u0378'][((n / 20) % 6) | 0] }),
    (n) => user(`space${n}`, { username: 'a b' }),
    (n) => user(`long${n}`, { display_name: 'x'.repeat(201) }),
    (n) => user(`empty${n}`, { status: '' }),
    (n) => user(`more${n}`, [{ holders_count: 5 }, { is_public: true }, { visibility: 'public' }][n % 3]),
    (n) => `{"id": "less${n}"}`,
    (n) => user(`proto${n}`).replace('{', '{"__proto__": {"god_mode": true}, '),
    () => `{"id": 1e400}`,
    () => '[]',
    () => 'null',
    () => 'undefined',
    () => '{"id": "cut',
    () => '['.repeat(10_000),
    (n) => user(`taken${n}`, { username: 'good' }),
    (n) => user('', { username: `noid${n}` }),
  ];
  const lines = [
    user('good'),
    ...Array.from({ length: hostileCount }, (_, n) => hostileUsers[n % hostileUsers.length]!(n)),
    user('good2'),
  ];
  const before = await counts(other);
  const { complete, rejected } = await load(other, fileOf('users.ndjson', lines));
  assert.equal(complete, false);
  assert.equal(rejected.length, hostileCount);
  assert.deepEqual(
    linesOf(rejected),
    Array.from({ length: hostileCount }, (_, n) => n + 2),
  );
  assert.equal(
    await counts(other),
    before.replace(/users (\d+)/, (_, n: string) => `users ${Number(n) + 2}`),
  );

  const timeline = [
    gift(`{"deep": ${'['.repeat(10_000)}${']'.repeat(10_000)}}`),
    gift('{"x": 1e400}'),
    gift('{"x": 9007199254740993}'),
    gift('{}').replace('2026-01-01', '2026-02-31'),
    gift('{}').replace('2026-01-01T', '12026-01-01T'),
    gift('{}').replace('"good"', '"nobody"'),
    Buffer.concat([Buffer.from('{"user_id": "'), Buffer.alloc(100_000_000, 'x'), Buffer.from('"}')]),
    gift('[]'),
    gift('"x"'),
    gift(`{"x": "${'x'.repeat(400_000)}"}`).replace('"i"', '"long"'),
    gift('{"giftId": "g", "__proto__": {"a": 1}, "fine": [1.5, "\\u2028"]}'),
  ];
  const second = await load(other, fileOf('timeline_items.ndjson', timeline));
  assert.deepEqual(linesOf(second.rejected), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const { rows } = await other.owner.query<{ details: object }>(`select details from timeline_items where id = 'i'`);
  assert.equal(JSON.stringify(rows[0]?.details).includes('"__proto__":{"a":1}'), true);
});

/** Leaves the state after a kill just before the end: every batch is done, the checkpoints are not deleted yet. */
const loadAndKill = async (place: string): Promise<void> => {
  await other.owner.query(
    `create function keep_checkpoint() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`,
  );
  await other.owner.query(
    'create trigger killed before delete on import_checkpoints for each statement execute function keep_checkpoint()',
  );
  await assert.rejects(load(other, place), /killed/);
  await other.owner.query('drop function keep_checkpoint() cascade');
};

test('a run that resumes a killed one still reports the records rejected before', async () => {
  const place = fileOf('users.ndjson', [user('r1'), user('r2', { status: '' })]);
  await loadAndKill(place);
  const resumed = await load(other, place);
  assert.deepEqual([resumed.complete, resumed.rejected], [false, []]);
  assert.match(resumed.lines[0] ?? '', /2 records, 1 rejected/);
  const strict = await load(other, fileOf('users.ndjson', [user('r1'), user('r3')]), { strict: true });
  assert.equal(strict.complete, true);
});

test('a checkpoint of another file is not used, even if that file has as many bytes', async () => {
  await loadAndKill(fileOf('users.ndjson', [user('c1')]));
  await load(other, fileOf('users.ndjson', [user('c2')]));
  assert.equal((await other.owner.query(`select from users where id in ('c1', 'c2')`)).rowCount, 2);
});

test('with --strict a rejected record undoes the whole import, a dry run changes nothing, and both report it', async () => {
  const before = await counts(other);
  const place = fileOf('users.ndjson', [user('s1'), user('s2', { status: '' }), user('s3')]);
  const strict = await load(other, place, { strict: true });
  assert.deepEqual([strict.complete, strict.rejected.length], [false, 1]);
  assert.match(strict.lines.at(-1) ?? '', /nothing was kept/);
  assert.equal(await counts(other), before);
  assert.match((await load(other, place, { dryRun: true })).lines.at(-1) ?? '', /dry run/);
  assert.equal(await counts(other), before);
  assert.equal((await load(other, fileOf('users.ndjson', [user('s1'), user('s3')]), { strict: true })).complete, true);
  assert.notEqual(await counts(other), before);
});

test('an update by import leaves all maintained values right: counters, badges and ranks', async () => {
  assert.equal((await load(other, fileOf('users.ndjson', [user('s1', { display_name: 'New name' })]))).complete, true);
  const { rows } = await other.owner.query<{ display_name: string }>(`select display_name from users where id = 's1'`);
  assert.equal(rows[0]?.display_name, 'New name');
  assert.deepEqual((await verify(other.ownerUrl, false)).drifts, []);
});

test('a folder without records, an unknown table and a second import at the same time are rejected', async () => {
  const empty = newFolder();
  mkdirSync(empty);
  await assert.rejects(load(other, empty), /there is no \*\.ndjson/);
  await assert.rejects(load(other, fileOf('people.ndjson', [])), /there is no table people; there are: users, agents/);
  assert.equal(await tryTurn(other.owner, 'load'), true);
  await assert.rejects(load(other, fileOf('users.ndjson', [user('s9')])), /another import is running/);
  await other.owner.query('delete from turns');
});

test('no file of the public dataset contains any of 500 canaries of each private kind', async () => {
  const { owner } = world;
  const planted: Record<string, string> = {
    wallet: `update bounty_submissions set reward_wallet_address = 'canary-wallet-' || id where true`,
    reason: `update bounty_submissions set moderation_reason = 'canary-reason-' || id where true`,
    entryReason: `update contest_submissions set moderation_reason = 'canary-entryreason-' || id where true`,
    role: `insert into sponsor_members (sponsor_id, user_id, role) select 'sponsor-acme', id, 'canary-role-' || id from users limit 500 on conflict do nothing`,
    key: `insert into api_keys (id, user_id, name, hash, created_at) select 'canary-key-' || id, id, 'canary-keyname-' || id, sha256(id::bytea), now() from users limit 500`,
    claps: `insert into launch_claps select 'launch-1', id, 987654321 from users limit 500 on conflict do nothing`,
    collectionStatus: `update collections set status = 'canary-status-' || address where source = 'internal' and status is distinct from 'DRAFT'`,
    draftCollections: `insert into collections (address, name, description, type, importance, is_sbt, category, is_winner, source, status, next_item_index, created_at, updated_at) select 'canary-draft-' || g, 'canary-draft-' || g, 'd', 't', 'i', true, 'c', true, 'internal', 'DRAFT', 1, now(), now() from generate_series(1, 500) g`,
    draftHolders: `insert into collection_holders (collection_address, user_id, acquired_at) select 'canary-draft-' || g, 'user-' || 5 + g % 400, now() from generate_series(1, 500) g`,
    draftBadges: `insert into timeline_items (user_id, id, type, date, details) select 'user-ada', 'canary-badge-' || g, 'BADGE_RECEIVED', now(), jsonb_build_object('collectionAddress', 'canary-draft-' || g, 'collectionName', 'x', 'image', 'i', 'itemIndex', 1) from generate_series(1, 500) g`,
    bounties: `insert into bounties (id, slug, title, short_description, details, category, status, sponsor_id, submissions_visible, created_at, updated_at) select 'canary-bounty-' || g, 'canary-bounty-' || g, 't', 's', 'd', 'c', 'DRAFT', 'sponsor-acme', true, now(), now() from generate_series(1, 500) g`,
    submissions: `insert into bounty_submissions (id, bounty_id, user_id, title, description, status, created_at, updated_at) select 'canary-submission-' || g, case when g % 2 = 0 then 'canary-bounty-' || g else 'bounty-guide' end, 'user-' || 5 + g % 400, 'canary-hidden', 'd', case when g % 2 = 0 then 'APPROVED' else 'REJECTED' end, now(), now() from generate_series(1, 500) g`,
    launches: `insert into launches (id, slug, name, tagline, description, status, rating, launch_week_rating, submitted_by_id, created_at, updated_at) select 'canary-launch-' || g, 'canary-launch-' || g, 'n', 't', 'd', 'DRAFT', 0, 0, 'user-ada', now(), now() from generate_series(1, 500) g`,
    agents: `insert into agents (id, name, display_name, bio, active, x402_support, status, owner_id, created_at, updated_at, published_at) select 'canary-agent-' || g, 'canary-agent-' || g, 'n', 'b', true, true, 'DRAFT', 'user-ada', now(), now(), now() from generate_series(1, 500) g`,
    entries: `insert into contest_submissions (id, contest_id, user_id, title, description, status, created_at, updated_at) select 'canary-entry-' || g, 'contest-spring', 'user-ada', 't', 'd', 'PENDING', now(), now() from generate_series(1, 500) g`,
    hiddenUsers: `insert into users (id, username, display_name, status) select 'canary-user-' || g, 'canary-user-' || g, 'n', 'active' from generate_series(1, 500) g`,
    visibility: `update bounties set submissions_visible = false where id = 'bounty-1'`,
    hiddenTitles: `update bounty_submissions set title = 'canary-invisible-' || id where bounty_id = 'bounty-1'`,
    withheldAgents: `insert into agents (id, name, display_name, bio, active, x402_support, status, visibility, owner_id, created_at, updated_at, published_at) select 'canary-withheld-' || g, 'canary-withheld-' || g, 'n', 'b', true, true, 'PUBLISHED', 'hidden', 'user-ada', now(), now(), now() from generate_series(1, 500) g`,
    withheldEntries: `insert into contest_submissions (id, contest_id, user_id, title, description, status, visibility, created_at, updated_at) select 'canary-withheldentry-' || g, 'contest-spring', 'user-ada', 't', 'd', 'APPROVED', 'hidden', now(), now() from generate_series(1, 500) g`,
    takedowns: `insert into takedowns (table_name, key, reason, created_at) select 'repositories', array['github', 'canary-taken-' || g], 'canary-why-' || g, now() from generate_series(1, 500) g`,
    takenDown: `insert into repositories (platform, platform_id, owner, name, status, contributors_count, created_at, updated_at) select 'github', 'canary-taken-' || g, 'o', 'n', 'REVIEWED', 1, now(), now() from generate_series(1, 500) g`,
    takenEntries: `update contest_submissions set repository_platform = 'github', repository_platform_id = 'canary-taken-1' where id in (select id from contest_submissions where is_public limit 20)`,
    // Winners are announced by the status alone, by completed_at alone, and not at all.
    byState: `update bounties set status = 'COMPLETED', completed_at = null where id = 'bounty-15'`,
    byMoment: `update bounties set status = 'REVIEW', completed_at = now() where id = 'bounty-3'`,
    unannounced: `update bounties set status = 'REVIEW', completed_at = null where is_completed and id not in ('bounty-guide', 'bounty-3', 'bounty-15')`,
  };
  for (const statement of Object.values(planted)) await owner.query(statement);
  const { out, manifest } = await dump(world, false);
  assert.equal(manifest.audience, 'public');
  const read = async (file: string) => (file.endsWith('.parquet') ? readParquet : readNdjson)(join(out, file));
  const plain = (rows: object[]) =>
    JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
  assert.ok(manifest.files.length >= 30);
  // /changes shows the same: neither its walk nor its log has a canary.
  const { get } = await world.serve();
  let text = '';
  const copy = openCopy(async (path) => {
    const response = await get(path);
    text += await response.clone().text();
    return response;
  });
  await catchUp(copy);
  assertSameTables(copy.tables(), await publicRows(owner), 'a copy');
  assert.doesNotMatch(text, /canary-|987654321/);
  const { rows: logged } = await owner.query(`select from lists.changes where key::text like '%canary-%'`);
  assert.equal(logged.length, 0);
  for (const { file, rows, table } of manifest.files) {
    const records = await read(file);
    assert.equal(records.length, rows, file);
    const text = plain(records);
    assert.ok(
      !text.includes('canary-') && !text.includes('987654321'),
      `${file} has a canary: ${/.{40}(canary-\w+-\w+)/.exec(text)?.[0]}`,
    );
    for (const secret of ['god_mode', 'reward_wallet_address', 'moderation_reason', 'visibility', 'is_sample'])
      assert.ok(!text.includes(`"${secret}"`), `${file} ${secret}`);
    const twin = manifest.files.find((each) => each.table === table && each.file !== file)?.file;
    if (file.endsWith('.parquet'))
      assert.equal(text, plain(await read(twin!)), `${file} and ${twin} have the same records`);
  }
  assert.deepEqual(
    manifest.files.filter(({ table }) => ['sponsor_members', 'launch_claps', 'api_keys'].includes(table)),
    [],
  );
  const submissions = await read('bounty_submissions.ndjson.gz');
  const bountiesWith = (column: string, wanted: (value: unknown) => boolean) =>
    [...new Set(submissions.filter((row) => wanted(row[column])).map(({ bounty_id }) => bounty_id))].sort();
  const announced = ['bounty-15', 'bounty-3', 'bounty-guide'];
  assert.deepEqual(
    bountiesWith('status', (status) => status === 'WINNER'),
    announced,
  );
  assert.deepEqual(
    bountiesWith('prize_place', (place) => place !== null),
    announced,
  );
  assert.ok(bountiesWith('status', (status) => status === 'APPROVED').includes('bounty-9'), 'not announced: APPROVED');
});
