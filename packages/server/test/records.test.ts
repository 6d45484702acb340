// The record format at the limit of each rule: which records are accepted, and which nearly valid ones are rejected.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { populate } from '../../../test/helpers/community.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { tables } from '../src/records/tables.ts';
import { dump, fileOf, linesOf, load, newFolder, readNdjson } from './helpers/dataset-files.ts';

const world = await createWorld();
const { add, owner } = world;
await populate(world);

test('records just within each rule are loaded, and those just outside are rejected', async () => {
  const moments = { submission_start: null, submission_end: null, review_start: null, review_end: null };
  const edges: Record<string, [right: object[], wrong: object[]]> = {
    users: [
      [{ display_name: '', avatar: { sm: '', lg: '' } }, { username: 'Žofie' }, { username: 'me' }, { status: 'x' }],
      [{ avatar: { sm: '' } }, { username: 'a\u00a0b' }, { username: 'u\u0308' }, { status: '' }, { visibility: null }],
    ],
    agents: [
      [{ visibility: 'hidden' }, { visibility: null }, { name: '日本' }, { bio: '', category: '' }],
      [{ visibility: 'HIDDEN' }, { is_taken_down: false }, { name: '' }, { name: 'a\u0378' }],
    ],
    bounties: [
      [{ slug: 'Me' }, moments, { published_at: null, status: 'DRAFT' }, { published_at: null, visibility: 'hidden' }],
      [{ slug: 'me' }, { published_at: null, status: 'OPEN', visibility: null }, { created_at: null }],
    ],
    bounty_submissions: [
      [{ prize_place: 1 }, { prize_place: 100 }, { visibility: 'public' }, { title: '' }],
      [{ prize_place: 101 }, { visibility: '' }, { clap_count: null }],
    ],
    launches: [
      [{ slug: 'me' }, { slug: 'FEATURED' }, { launch_week: '2026-01-03T21:30:00.000Z' }],
      [{ slug: 'featured' }, { launch_week: '2026-01-03' }, { status: 'LIVE', launch_week: null }],
    ],
    collections: [
      [
        { source: 'internal', status: null },
        { source: 'internal', status: 'draft', visibility: 'public' },
      ],
      [{ source: 'other' }, { visibility: 'draft' }, { holders_count: 1 }],
    ],
    contests: [
      [{ fields: null, tracks: [{ any: { thing: 1 } }] }, { fields: [{}] }, { visibility: 'public' }],
      [{ tracks: null }, { tracks: ['x'] }, { fields: {} }],
    ],
    contest_submissions: [
      [{ clap_count: null }, { clap_count: 0 }],
      [{ clap_count: -1 }, { comment_count: null }],
    ],
    repositories: [[{ owner: '', category: '' }], [{ status: '' }, { visibility: 'public' }]],
    timeline_items: [
      [{ details: {} }, { type: 'BADGE_RECEIVED', details: { collectionAddress: 'nowhere' } }],
      [{ details: null }, { type: 'badge', details: {} }, { is_badge_public: true }],
    ],
  };
  const { out } = await dump(world, true);
  const place = newFolder();
  mkdirSync(place);
  for (const [table, [right, wrong]] of Object.entries(edges)) {
    const { columns, key } = tables.find(({ name }) => name === table)!;
    const [base] = readNdjson(join(out, `${table}.ndjson.gz`));
    const named = [...key.slice(-1), 'slug', 'username', 'name'].filter((column) => column in columns);
    const records = [...right, ...wrong].map((change, n) => ({
      ...base,
      ...Object.fromEntries(named.map((column) => [column, `edge-${n}`])),
      ...change,
    }));
    writeFileSync(join(place, `${table}.ndjson`), records.map((each) => `${JSON.stringify(each)}\n`).join(''));
  }
  const { rejected } = await load(world, place);
  for (const [table, [right, wrong]] of Object.entries(edges)) {
    const its = rejected.filter((line) => line.startsWith(`rejected ${table}.ndjson:`));
    const expected = wrong.map((_, n) => right.length + n + 1);
    assert.deepEqual(linesOf(its), expected, its.join('\n'));
  }
});

test('at most 100 winners of a bounty are loaded, even if they share places; the next one is rejected', async () => {
  const { id: sponsorId } = await add('sponsors');
  const { id } = await add('bounties', { sponsor_id: sponsorId, status: 'COMPLETED' });
  const users = [await add('users'), await add('users')];
  const winner = (n: number) => ({
    id: `winner-${n}`,
    bounty_id: id,
    user_id: users[n % 2]?.id,
    title: 't',
    description: 'd',
    field_values: [],
    additional_links: [],
    status: 'WINNER',
    prize_place: n < 100 ? Math.floor(n / 2) + 1 : 100,
    comment_count: 0,
    clap_count: 0,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  });
  const lines = Array.from({ length: 101 }, (_, n) => JSON.stringify(winner(n)));
  const { rejected } = await load(world, fileOf('bounty_submissions.ndjson', lines));
  assert.equal(rejected.length, 1);
  assert.match(rejected[0] ?? '', /at most 100 winners/);
});

test('a table that has only key columns is loaded, and a second load changes nothing', async () => {
  const { address } = await add('collections');
  const { id } = await add('contests', { created_by_id: 'user-1' });
  const record = (role: string) => JSON.stringify({ collection_address: address, contest_id: id, role });
  const place = fileOf('collection_contests.ndjson', [record('JUDGE'), record('HOST'), record('JUDGE')]);
  for (const _ of [1, 2]) {
    const { rejected } = await load(world, place);
    assert.match(rejected.join(), /^rejected [^:]+:3 .*is in the file twice; keep one of the two records$/);
  }
  const { rows } = await owner.query('select role from collection_contests where contest_id = $1', [id]);
  assert.equal(rows.length, 2);
});

test('score tiers are samples until records of the platform are loaded, even if those are equal', async () => {
  const samples = async () => (await owner.query('select from score_tiers where is_sample')).rowCount;
  assert.equal(await samples(), 5);
  const { out } = await dump(world, true);
  const records = readNdjson(join(out, 'score_tiers.ndjson.gz'));
  assert.equal((await load(world, out)).complete, true);
  assert.equal(await samples(), 5, 'an export of everything preserves is_sample');
  const own = records.map(({ is_sample, ...record }) => JSON.stringify(record));
  assert.equal((await load(world, fileOf('score_tiers.ndjson', own.slice(1)))).complete, true);
  assert.equal(await samples(), 1);
  const strange = JSON.stringify({ ...records[0], is_sample: null });
  assert.equal((await load(world, fileOf('score_tiers.ndjson', [strange]))).complete, false);
});

test('import names what it does not read, and what is not NDJSON; empty lines and a byte order mark are skipped', async () => {
  const topic = (n: number) => JSON.stringify({ id: `line-${n}`, slug: `line-${n}`, name: 'T' });
  const mark = '\ufeff';
  const fine = fileOf('topics.ndjson', [`${mark}${topic(1)}`, '', ' \t\r', topic(2), '']);
  writeFileSync(join(fine, 'agents.csv'), 'id,name');
  writeFileSync(join(fine, 'topics.parquet'), '');
  const { lines, rejected, complete } = await load(world, fine);
  assert.deepEqual([complete, rejected], [true, []]);
  assert.equal(
    lines[0],
    'not read: agents.csv; only *.ndjson and *.ndjson.gz are read: one record, as JSON, in each line',
  );
  assert.ok(lines.some((line) => line.startsWith('topics.ndjson: 2 records, 0 rejected')));
  const array = fileOf('topics.ndjson', ['[', `${topic(3)},`, ']', `[${topic(4)}]`, '{', `${topic(5)}${mark}`, mark]);
  const reasons = (await load(world, array)).rejected.map((line) => line.replace(/^rejected topics\.ndjson:/, ''));
  const anArray = "an array is not a record; write each record, {…}, in a line of its own: jq -c '.[]' does that";
  assert.deepEqual(reasons.slice(0, 1), [`1:3 ?: ${anArray}`]);
  assert.match(reasons[1]!, /^2:\d+ \S+: nothing more was expected/);
  assert.equal(reasons[2], `3:1 ?: ${anArray}`);
  assert.match(reasons[3]!, /^4 \?: .* is not an object; write one record/);
  assert.match(reasons[4]!, /^5:\d \?: the record does not end in this line; write it in one line/);
  assert.match(reasons[6]!, /^7:1 \?: there is a byte order mark, U\+FEFF; remove it/);
  const folder = newFolder();
  mkdirSync(folder);
  writeFileSync(join(folder, 'agents.csv'), 'id');
  await assert.rejects(load(world, folder), /there is no \*\.ndjson or .*; not read: agents\.csv; only/);
  await assert.rejects(
    load(world, join(folder, 'agents.csv')),
    /^Error: not read: agents\.csv; only .*--table <table>$/,
  );
});

test('the advice on a status names visibility only where it helps', async () => {
  const advice = async (table: string, record: object) =>
    (await load(world, fileOf(`${table}.ndjson`, [JSON.stringify(record)]))).rejected.join();
  assert.doesNotMatch(await advice('users', { id: 'x', status: 'ENABLED' }), /visibility/);
  assert.doesNotMatch(await advice('contest_submissions', { id: 'x', status: 'ACCEPTED' }), /visibility/);
  assert.match(await advice('agents', { id: 'x', status: 'LISTED' }), /or set visibility to "public"/);
});
