// `import --prune` treats a folder as complete: it deletes all other rows, and stops if that looks like a mistake.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { populate } from '../../../test/helpers/community.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { tables } from '../src/records/tables.ts';
import { dump, fileOf, load, newFolder, readNdjson } from './helpers/dataset-files.ts';

const world = await createWorld();
const { add, owner } = world;
await populate(world);
await add('users', { id: 'ü😀', username: 'odd-key' });
await add('timeline_items', { user_id: 'ü😀', id: 'a b' });

type Records = Record<string, Record<string, unknown>[]>;
/** All records of the database, by table. */
const recordsNow = async (): Promise<Records> => {
  const { out } = await dump(world, true);
  return Object.fromEntries(tables.map(({ name }) => [name, readNdjson(join(out, `${name}.ndjson.gz`))]));
};
interface More {
  manifest?: object;
  /** Additional lines of a table's file, which may be invalid. */
  extra?: Record<string, string[]>;
  /** Changes the entry of a table in the manifest. */
  entry?: (table: string) => object | null;
}
/** A folder with these records and a matching manifest. */
const folderOf = (records: Records, { manifest = {}, extra = {}, entry = () => ({}) }: More = {}): string => {
  const place = newFolder();
  mkdirSync(place);
  const files = Object.entries(records).flatMap(([table, rows]) => {
    const lines = [...rows.map((row) => JSON.stringify(row)), ...(extra[table] ?? [])];
    writeFileSync(join(place, `${table}.ndjson`), lines.map((line) => `${line}\n`).join(''));
    const more = entry(table);
    return more === null ? [] : [{ file: `${table}.ndjson`, table, rows: lines.length, ...more }];
  });
  writeFileSync(join(place, 'manifest.json'), JSON.stringify({ files, ...manifest }));
  return place;
};
const prune = (place: string, more: Parameters<typeof load>[2] = {}) => load(world, place, { prune: true, ...more });
const numbersOf = (lines: string[], table: string): string =>
  lines.findLast((line) => line.startsWith(`${table} `))?.replace(/ +/g, ' ') ?? '';
const deletedOf = (lines: string[], table: string): string | undefined => numbersOf(lines, table).split(' ')[5];
const without = (records: Records, table: string, gone: (row: Record<string, unknown>) => boolean): Records => ({
  ...records,
  [table]: records[table]!.filter((row) => !gone(row)),
});
const countOf = async (table: string, where = 'true') =>
  (await owner.query(`select from ${table} where ${where}`)).rowCount;

const first = await recordsNow();

test('the manifest in docs/loading-data.md is complete', () => {
  const text = readFileSync(new URL('../../../docs/loading-data.md', import.meta.url), 'utf8');
  const { snapshot, files } = JSON.parse(/```json\n([^`]+)```/.exec(text)![1]!) as {
    snapshot: string;
    files: { table: string }[];
  };
  assert.match(snapshot, /^\d+:\d+:[\d,]*$/);
  assert.deepEqual(
    files.map(({ table }) => table),
    tables.map(({ name }) => name).filter((name) => !['api_keys', 'score_tiers'].includes(name)),
  );
});

test('a line over 4 MiB hides its row until a good line comes; one whose key cannot be read prunes nothing', async () => {
  const [agent] = first.agents!.filter(({ status }) => status === 'PUBLISHED');
  const isPublic = async () =>
    (await owner.query<{ is_public: boolean }>('select is_public from agents where id = $1', [agent!.id])).rows[0]!
      .is_public;
  const long = (record: object, bytes: number) =>
    JSON.stringify({ padding: 'x'.repeat(bytes), nested: { id: 'another' }, ...record });
  assert.equal(await isPublic(), true);
  const [key, none] = [{ id: agent!.id }, { id: 5 }];
  const hidden = await load(world, fileOf('agents.ndjson', [long(key, 5 * 1024 * 1024)]));
  assert.equal(hidden.complete, false);
  assert.match(hidden.lines[0]!, /agents\.ndjson:1 .*: the line is longer than 4 MiB; .* the row is not shown$/);
  assert.equal(await isPublic(), false);
  assert.equal((await load(world, fileOf('agents.ndjson', [JSON.stringify(agent)]))).complete, true);
  assert.equal(await isPublic(), true);
  const others = without(first, 'agents', ({ id }) => id === agent!.id);
  for (const line of [long(none, 5 * 1024 * 1024), long(key, 33 * 1024 * 1024)]) {
    await assert.rejects(
      prune(folderOf(others, { extra: { agents: [line] } })),
      /nothing was pruned:\n.*the key cannot/,
    );
    assert.equal(await isPublic(), true, 'the row is in no readable line, and was not deleted');
  }
  const { complete } = await prune(folderOf(others, { extra: { agents: [long(key, 5 * 1024 * 1024)] } }));
  assert.equal(complete, false);
  assert.equal(await countOf('agents', `id = '${String(agent!.id)}' and not is_public`), 1, 'hidden, not deleted');
  await load(world, fileOf('agents.ndjson', [JSON.stringify(agent)]));
});

test('importing an export of everything into its own database prunes nothing', async () => {
  const { out } = await dump(world, true);
  const { complete, lines } = await prune(out);
  assert.equal(complete, true);
  for (const { name } of tables) assert.equal(deletedOf(lines, name), '0', name);
  assert.deepEqual(await recordsNow(), first);
});

test('rows that are not in the files are deleted in every table, children first; keys and score tiers stay', async () => {
  const { id: user } = await add('users');
  const { id: agent } = await add('agents', { owner_id: user });
  const { id: sponsor } = await add('sponsors');
  await add('sponsor_members', { sponsor_id: sponsor, user_id: user });
  const { id: bounty } = await add('bounties', { sponsor_id: sponsor });
  const { id: submission } = await add('bounty_submissions', { bounty_id: bounty, user_id: user });
  await add('bounty_submission_makers', { submission_id: submission, user_id: user });
  const { id: topic } = await add('topics');
  const { id: launch } = await add('launches', { submitted_by_id: user });
  await add('launch_topics', { launch_id: launch, topic_id: topic });
  await add('launch_makers', { launch_id: launch, user_id: user });
  await add('launch_claps', { launch_id: launch, user_id: user });
  const { address } = await add('collections');
  const { id: contest } = await add('contests', { created_by_id: user });
  await add('collection_contests', { collection_address: address, contest_id: contest });
  await add('collection_holders', { collection_address: address, user_id: user });
  await add('repositories', { platform: 'p', platform_id: 'pruned' });
  const repository = { repository_platform: 'p', repository_platform_id: 'pruned' };
  const { id: entry } = await add('contest_submissions', { contest_id: contest, user_id: user, ...repository });
  await add('contest_submission_supporters', { submission_id: entry, user_id: user });
  await add('timeline_items', { user_id: user });
  await add('api_keys', { user_id: user, hash: Buffer.alloc(32, 7) });
  assert.ok(agent);
  const { api_keys: _keys, score_tiers: _tiers, ...rest } = first;
  const place = folderOf(rest);

  const dry = await prune(place, { dryRun: true });
  const pruned = tables.map(({ name }) => name).filter((name) => !['api_keys', 'score_tiers'].includes(name));
  for (const name of pruned) assert.equal(deletedOf(dry.lines, name), '1', name);
  assert.equal(dry.lines.at(-1), 'dry run: nothing was kept');
  assert.equal(await countOf('users', `id = '${user}'`), 1);

  const { complete, lines } = await prune(place);
  assert.equal(complete, true);
  for (const name of pruned) assert.equal(deletedOf(lines, name), '1', name);
  assert.equal(numbersOf(lines, 'api_keys'), 'api_keys 0 0 0 0 1 0 - -', 'a key is deleted with its user');
  assert.ok(lines.includes('1 api_keys are deleted with their users'));
  assert.deepEqual(await recordsNow(), first);
});

test('all problems of a manifest are reported at once, before anything is loaded', async () => {
  const strange = { ...first, users: [{ ...first.users![0], id: 'never-loaded', username: 'never-loaded' }] };
  const place = folderOf(strange, {
    manifest: { snapshot: '20:10:' },
    entry: (table) => {
      if (table === 'topics') return null;
      if (table === 'agents') return { file: '../agents.ndjson' };
      if (table === 'sponsors') return { file: 'nowhere.ndjson' };
      if (table === 'launches') return { rows: -1 };
      if (table === 'contests') return { table: 'events' };
      return table === 'bounties' ? { table: 'users' } : {};
    },
  });
  await assert.rejects(prune(place), (error: Error) => {
    for (const text of [
      '../agents.ndjson: file must be the name of a *.ndjson or *.ndjson.gz in the folder',
      'nowhere.ndjson: there is no such file',
      'launches.ndjson: rows must be the number of its records',
      'contests.ndjson: there is no table events',
      'bounties.ndjson: the table users is listed a second time',
      'the table topics is not listed; if it has no rows, list an empty file with "rows": 0',
      'the table bounties is not listed',
      'topics.ndjson is in the folder, and not listed',
      'snapshot must be pg_current_snapshot() of the platform',
    ])
      assert.ok(error.message.includes(text), text);
    return true;
  });
  assert.equal(await countOf('users', `id = 'never-loaded'`), 0);
  const empty = newFolder();
  mkdirSync(empty);
  await assert.rejects(prune(empty), /there is no .*manifest\.json; --prune needs it: \{ "snapshot"/);
  writeFileSync(join(empty, 'manifest.json'), '[]');
  await assert.rejects(prune(empty), /must be an object with a list of files/);
  await assert.rejects(prune(join(empty, 'manifest.json')), /--prune needs a folder/);
  await assert.rejects(prune(place, { table: 'users' }), /without --table/);
  await assert.rejects(load(world, place, { confirm: ['users=1'] }), /--confirm needs --prune/);
  await assert.rejects(prune(place, { confirm: ['users'] }), /users=1234, not users/);
  await assert.rejects(prune(place, { confirm: ['people=1'] }), /there is no table people/);
});

test('the row of a rejected line is not pruned; a line without a key or a wrong number of lines stops the pruning', async () => {
  await add('topics', { id: 'kept', slug: 'kept' });
  await add('topics', { id: 'refused', slug: 'refused' });
  await add('topics', { id: 'gone', slug: 'gone' });
  const lines = ['{"id": "kept", "slug": "a b", "name": "n"}', '{"id": "refused", "slug": "tools", "name": "n"}'];
  const whole = folderOf(first, { extra: { topics: [...lines, '{"slug": "x"}'] } });
  // The second run resumes the first, which has read the line already.
  for (const _ of [1, 2])
    await assert.rejects(prune(whole), /nothing was pruned:\n {2}topics\.ndjson:5: the key cannot/);
  await assert.rejects(
    prune(folderOf(first, { entry: (table) => (table === 'topics' ? { rows: 7 } : {}) })),
    /topics\.ndjson has 2 records, and manifest\.json says 7/,
  );
  assert.equal(await countOf('topics'), 5);
  const { rejected, complete, lines: report } = await prune(folderOf(first, { extra: { topics: lines } }));
  assert.deepEqual([complete, rejected.length, deletedOf(report, 'topics')], [false, 2, '1']);
  assert.equal(await countOf('topics', `id in ('kept', 'refused')`), 2);
  await owner.query(`delete from topics where id in ('kept', 'refused')`);
});

test('with --strict nothing is loaded and nothing deleted when a record is rejected', async () => {
  await add('topics', { id: 'gone', slug: 'gone' });
  const bad = folderOf(first, { extra: { users: ['{"id": "x"}'] } });
  const { complete, lines } = await prune(bad, { strict: true });
  assert.deepEqual([complete, lines.at(-1)], [false, 'nothing was kept, because a record was rejected']);
  assert.equal(await countOf('topics', `id = 'gone'`), 1);
  assert.equal((await prune(folderOf(first), { strict: true })).complete, true);
  assert.equal(await countOf('topics', `id = 'gone'`), 0);
});

test('more than a tenth of a table and more than 100 rows are deleted only if the exact number is confirmed', async () => {
  await owner.query(`
    insert into users (id, username, display_name, status) select 'many-' || n, 'many-' || n, 'n', 'active' from generate_series(1, 150) n;
    insert into repositories (platform, platform_id, owner, name, status, contributors_count, created_at, updated_at)
    select 'many', n, 'o', 'n', 's', 1, now(), now() from generate_series(1, 101) n;
    insert into timeline_items (user_id, id, type, date, details)
    select 'many-1', n, 'GIFT_RECEIVED', now(), '{}' from generate_series(1, 200) n`);
  const inFiles = await recordsNow();
  // The items stay in the files, but their user does not.
  const records = without(
    without(inFiles, 'users', ({ id }) => String(id).startsWith('many-')),
    'repositories',
    ({ platform }) => platform === 'many',
  );
  const place = folderOf(records);
  const users = inFiles.users!.length;
  const refusal = [
    'more than a tenth of a table would be deleted:',
    `  users: 150 of ${users} rows; to confirm: --confirm users=150`,
    `  repositories: 101 of ${inFiles.repositories!.length} rows; to confirm: --confirm repositories=101`,
    `  timeline_items: 200 of ${inFiles.timeline_items!.length} rows; to confirm: --confirm timeline_items=200`,
  ].join('\n');
  await assert.rejects(prune(place), { message: `${refusal}\nnothing was pruned` });
  const dry = await prune(place, { dryRun: true });
  assert.equal(dry.complete, false);
  assert.ok(dry.lines.includes('200 timeline_items are deleted with their users'));
  for (const line of refusal.split('\n')) assert.ok(dry.lines.includes(line), line);
  const confirm = ['users=150', 'timeline_items=200'];
  await assert.rejects(prune(place, { confirm: [...confirm, 'repositories=100'] }), {
    message: /deleted:\n {2}repositories: 101 of \d+ rows; to confirm: --confirm repositories=101\nnothing was pruned$/,
  });
  assert.equal(await countOf('users'), users);
  const { complete, lines } = await prune(place, { confirm: [...confirm, 'repositories=101'] });
  assert.deepEqual([complete, deletedOf(lines, 'users'), deletedOf(lines, 'timeline_items')], [true, '150', '200']);
  assert.equal(await countOf('users'), first.users!.length);
  // 100 rows need no confirmation, even if they are most of the table.
  await owner.query(
    `insert into topics (id, slug, name) select 'many-' || n, 'many-' || n, 'n' from generate_series(1, 100) n`,
  );
  assert.equal(deletedOf((await prune(folderOf(first))).lines, 'topics'), '100');
});

test('a record that refers to a pruned row by a foreign key without cascade stops the pruning', async () => {
  const { id } = await add('users', { id: 'owner-gone' });
  for (const n of [1, 2, 3, 4]) await add('agents', { id: `left-${n}`, owner_id: id });
  const { id: sponsor } = await add('sponsors', { id: 'sponsor-gone' });
  await add('bounties', { id: 'left', sponsor_id: sponsor });
  const records = without(await recordsNow(), 'users', (row) => row.id === id);
  await assert.rejects(prune(folderOf(without(records, 'sponsors', (row) => row.id === sponsor))), {
    message: [
      'nothing was pruned; add the missing records to the files, or leave out those that refer to them:',
      '  4 agents refer by owner_id to users that are in no file (left-1, left-2, left-3, …)',
      '  1 bounties refer by sponsor_id to sponsors that are in no file (left)',
    ].join('\n'),
  });
  assert.equal(await countOf('users', `id = '${id}'`), 1);
  assert.equal((await prune(folderOf(first))).complete, true);
  assert.deepEqual(await recordsNow(), first);
});

test('a reference that becomes null is reported', async () => {
  await add('repositories', { platform: 'p', platform_id: 'gone' });
  const repository = { repository_platform: 'p', repository_platform_id: 'gone' };
  const { contest_id } = first.contest_submissions![0]!;
  await add('contest_submissions', { id: 'e', contest_id, user_id: 'ü😀', ...repository });
  const records = without(await recordsNow(), 'repositories', (row) => row.platform === 'p');
  const { lines } = await prune(folderOf(records));
  assert.ok(
    lines.includes(
      '1 contest_submissions refer by repository_platform and repository_platform_id to repositories that are in no file (e); the reference becomes null',
    ),
  );
  assert.equal(await countOf('contest_submissions', `id = 'e' and repository_platform is null`), 1);
  await owner.query(`delete from contest_submissions where id = 'e'`);
});

test('with a snapshot the follower starts again; without one a followed stream stops the import', async () => {
  await owner.query(`
    update feed set stream = 'changes', stream_created_at = 't', sequence = 9, message_id = 'm', message_at = 't', applied = 5;
    insert into outbox_rows values (9, 90, sha256('a row'));
    insert into rejected_changes (table_name, key, body, reason, received_at, tried_at)
    values ('users', '{u}', 'x', 'r', now(), now())`);
  const strange = { ...first, topics: [...first.topics!, { id: 'early', slug: 'early', name: 'n' }] };
  await assert.rejects(
    prune(folderOf(strange)),
    /a stream is followed \(changes\): the manifest must have the snapshot of the platform's database/,
  );
  assert.equal(await countOf('topics', `id = 'early'`), 0, 'nothing was loaded');
  for (const snapshot of ['', '1:2', '10:20:25', '10:20:15,12', '0:5:', 'a:b:', 7])
    await assert.rejects(prune(folderOf(first, { manifest: { snapshot } })), /snapshot must be/, String(snapshot));
  const feed = async () => (await owner.query('select * from feed')).rows[0] as Record<string, unknown>;
  const before = await feed();
  await prune(folderOf(first, { manifest: { snapshot: '10:20:' } }), { dryRun: true });
  assert.deepEqual(await feed(), before);
  await prune(folderOf(first, { manifest: { snapshot: '10:20:10,14' } }));
  const { stream, stream_created_at, sequence, message_id, message_at, load_snapshot, applied } = await feed();
  assert.deepEqual(
    [stream, stream_created_at, sequence, message_id, message_at, load_snapshot, applied],
    [null, null, '0', null, null, '10:20:10,14', '5'],
  );
  await owner.query('select $1::pg_snapshot', [load_snapshot]);
  assert.equal(await countOf('rejected_changes'), 0);
  assert.equal(await countOf('outbox_rows'), 0);
});

test('while a stream is followed, tables of the stream can only be loaded with a snapshot; a rejected record still hides its row', async () => {
  const feed = async (text: string) => owner.query(`update feed set ${text}`);
  await feed(`load_snapshot = null, stream = 'COMMONHALL'`);
  await assert.rejects(
    load(world, fileOf('topics.ndjson', [])),
    /a stream is followed \(COMMONHALL\), and these records could be older: topics.ndjson/,
  );
  assert.equal((await load(world, fileOf('score_tiers.ndjson', []))).complete, true);
  await feed(`stream = null`);
  const { address } = await add('collections', { source: 'external' });
  const record = {
    ...(await owner.query('select row_to_json(c) as c from collections c where address = $1', [address])).rows[0].c,
  };
  const { rejected } = await load(
    world,
    fileOf('collections.ndjson', [JSON.stringify({ ...record, visibility: 'hidden' })]),
  );
  assert.equal(rejected.length, 1, rejected.join());
  const { rows } = await owner.query('select is_public from collections where address = $1', [address]);
  assert.deepEqual(
    rows,
    [{ is_public: false }],
    'the record was rejected because of its maintained columns, but still hides the row',
  );
  await owner.query('delete from collections where address = $1', [address]);
});

test('a pruning that is killed deletes nothing, and running it again resumes it', async () => {
  await add('topics', { id: 'gone', slug: 'gone' });
  const records = { ...first, topics: [...first.topics!, { id: 'new', slug: 'new', name: 'n' }] };
  const place = folderOf(records, { manifest: { snapshot: '10:20:' } });
  await owner.query(`
    create function killed() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
    create trigger killed before delete on import_checkpoints for each statement execute function killed()`);
  for (const _ of [1, 2]) await assert.rejects(prune(place), /killed/);
  assert.equal(await countOf('topics', `id in ('gone', 'new')`), 2);
  assert.equal(await countOf('feed', 'is_loading'), 1, 'no follower starts');
  await owner.query('drop function killed() cascade');
  const { lines } = await prune(place);
  // The second and third run load nothing again, but report the numbers of the whole file.
  const topics = first.topics!.length;
  assert.equal(numbersOf(lines, 'topics'), `topics ${topics + 1} 1 0 ${topics} 1 0 ${topics + 1} 0`);
  assert.equal(await countOf('topics', `id = 'gone'`), 0);
  assert.equal(await countOf('import_keys'), 0);
});
