// The reports of import and `commonhall status`: exact numbers, and exactly one reason for every hidden row (gap G11).
// lanes: 15 18
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { populate } from '../../../test/helpers/community.ts';
import { pick, random } from '../../../test/helpers/random.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { status } from '../src/commands/status.ts';
import { readConfig } from '../src/config.ts';
import { tryTurn } from '../src/db/schema/turn.ts';
import { statusLines } from '../src/load/report.ts';
import { tables } from '../src/records/tables.ts';
import { visibilityReport } from '../src/visibility/reasons.ts';
import { publicStates } from '../src/visibility/states.ts';
import { suggestedWord } from '../src/visibility/suggestions.ts';
import { dump, fileOf, load } from './helpers/dataset-files.ts';

const world = await createWorld();
const { add, owner } = world;

const user = (id: string, more: object = {}) =>
  JSON.stringify({ id, username: id, display_name: id, status: 'active', tags: [], god_mode: false, ...more });
/** The numbers of a table in the printed report. */
const numbersOf = (lines: string[], table: string): string =>
  lines.findLast((line) => line.startsWith(`${table} `))?.replace(/ +/g, ' ') ?? '';
const report = async () => visibilityReport(owner, tables);
const statusText = async () => statusLines(await report());

test('publicStates has the same status words as is_public in the schema', async () => {
  const { rows } = await owner.query<{ table: string; definition: string }>(`
    select a.attrelid::regclass::text as table, pg_get_expr(d.adbin, d.adrelid) || case when pg_get_expr(d.adbin, d.adrelid) ~ 'is_submission_public'
        then (select prosrc || pg_get_function_sqlbody(oid) from pg_proc where proname = 'is_submission_public') else '' end as definition
    from pg_attribute a join pg_attrdef d on (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
    where a.attname = 'is_public' and a.attrelid::regclass::text <> 'lists.collection_sizes'`);
  const stated = rows.filter(({ definition, table }) => definition.includes('status') && table !== 'collections');
  assert.deepEqual(stated.map(({ table }) => table).sort(), Object.keys(publicStates).sort());
  for (const { table, definition } of stated) {
    const words: readonly string[] = publicStates[table as keyof typeof publicStates];
    const isLower = definition.includes('lower(');
    const found = [...definition.matchAll(/'([^']+)'/g)].map(([, word]) => word);
    assert.deepEqual(found, isLower ? words.map((word) => word.toLowerCase()) : words, table);
  }
});

test('the public status word for a word of another platform is suggested; for a word that means hidden, none is', () => {
  const cases: [word: string, table: keyof typeof publicStates, meant: string | undefined][] = [
    ['CLOSED', 'contests', 'COMPLETED'],
    ['ended', 'bounties', 'COMPLETED'],
    ['ACTIVE', 'bounties', 'OPEN'],
    ['ONGOING', 'agents', 'PUBLISHED'],
    ['PUBLISHED', 'launches', 'LIVE'],
    ['published', 'agents', 'PUBLISHED'],
    ['ACCEPTED', 'contest_submissions', 'APPROVED'],
    ['WON', 'bounty_submissions', 'WINNER'],
    ['SUBMITTED', 'bounty_submissions', 'PENDING'],
    ['pending', 'bounty_submissions', 'PENDING'],
    ['In review', 'bounties', 'REVIEW'],
    ['JUDGING', 'contests', 'VOTING'],
    ['COMPLETD', 'contests', 'COMPLETED'],
    ['PENDING', 'contest_submissions', undefined],
    ['SUBMITTED', 'contest_submissions', undefined],
    ['UNPUBLISHED', 'agents', undefined],
    ['INACTIVE', 'users', undefined],
    ['DEACTIVATED', 'users', undefined],
    ['DRAFT', 'contests', undefined],
    ['LIMBO', 'contests', undefined],
  ];
  for (const [word, table, meant] of cases)
    assert.equal(suggestedWord(word, publicStates[table]), meant, `${table} ${word}`);
});

test('the numbers of inserted, changed and unchanged rows are exact, also in a resumed import', async () => {
  const first = await load(world, fileOf('users.ndjson', [user('r1'), user('r2'), user('r3', { status: '' })]));
  assert.match(
    first.lines.at(-2) ?? '',
    /^table +read +inserted +changed +unchanged +deleted +rejected +public +hidden$/,
  );
  assert.equal(numbersOf(first.lines, 'users'), 'users 3 2 0 0 0 1 2 0');
  const lines = [user('r1'), user('r2', { bio: 'b' }), user('r3'), user('r4', { status: 'banned' })];
  const place = fileOf('users.ndjson', lines);
  const dry = await load(world, place, { dryRun: true });
  assert.equal(numbersOf(dry.lines, 'users'), 'users 4 2 1 1 0 0 3 1');
  // The state after a kill just before the end.
  await owner.query(
    `create function killed() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
     create trigger killed before delete on import_checkpoints for each statement execute function killed()`,
  );
  await assert.rejects(load(world, place), /killed/);
  await owner.query('drop function killed() cascade');
  const resumed = await load(world, place);
  assert.equal(numbersOf(resumed.lines, 'users'), 'users 4 2 1 1 0 0 3 1');
  assert.equal(numbersOf((await load(world, place)).lines, 'users'), 'users 4 0 0 4 0 0 3 1');
  // A table with only key columns has nothing to change; a private table has no number of public rows.
  await add('collections', { address: 'c' });
  await add('contests', { id: 'c', created_by_id: 'r1' });
  const keys = fileOf('collection_contests.ndjson', ['{"collection_address": "c", "contest_id": "c", "role": "R"}']);
  assert.equal(
    numbersOf((await load(world, keys)).lines, 'collection_contests'),
    'collection_contests 1 1 0 0 0 0 1 0',
  );
  assert.equal(
    numbersOf((await load(world, keys)).lines, 'collection_contests'),
    'collection_contests 1 0 0 1 0 0 1 0',
  );
  await add('sponsors', { id: 's' });
  const members = fileOf('sponsor_members.ndjson', ['{"user_id": "r1", "sponsor_id": "s", "role": "OWNER"}']);
  assert.equal(numbersOf((await load(world, members)).lines, 'sponsor_members'), 'sponsor_members 1 1 0 0 0 0 - -');
});

test('after a rejected record the same key can follow in the file; after a loaded record it cannot', async () => {
  const lines = [
    user('k1', { status: '' }), // does not match the schema
    user('k2', { username: 'r1' }), // the database rejects it
    user('k1'),
    user('k2'),
    user('k1', { bio: 'again' }),
  ];
  const { rejected } = await load(world, fileOf('users.ndjson', lines));
  assert.equal(rejected.length, 3);
  assert.match(rejected.at(-1) ?? '', /:5 k1: id: the key is in the file twice/);
  const { rowCount } = await owner.query(`select from users where id in ('k1', 'k2') and bio is null`);
  assert.equal(rowCount, 2);
});

test('every kind of hidden row has its reason, by a fixed priority', async () => {
  const at = '2026-01-05T00:00:00Z';
  for (const n of [1, 2, 3]) await add('contests', { id: `closed-${n}`, created_by_id: 'r1', status: 'CLOSED' });
  await add('contests', { created_by_id: 'r1', status: 'LIMBO' });
  await add('contests', { created_by_id: 'r1', status: 'DRAFT' });
  const { id: hiddenBounty } = await add('bounties', { sponsor_id: 's', status: 'DRAFT' });
  const { id: shyBounty } = await add('bounties', { sponsor_id: 's', submissions_visible: false });
  const { id: shy } = await add('bounty_submissions', { bounty_id: shyBounty, user_id: 'r1' });
  await add('bounty_submission_makers', { submission_id: shy, user_id: 'r2' });
  await add('bounty_submissions', { bounty_id: hiddenBounty, user_id: 'r1', status: 'LIMBO', visibility: 'public' });
  await add('agents', { owner_id: 'r1', visibility: 'hidden', status: 'DRAFT' });
  const registrations = [
    { agentId: 1, agentRegistry: 'abc' },
    { agentId: 2, agentRegistry: 'abc' },
  ];
  await add('agents', { owner_id: 'r1', registrations });
  const { id: taken } = await add('launches', { submitted_by_id: 'r1', visibility: 'hidden', status: 'DRAFT' });
  await owner.query(`insert into takedowns (table_name, key, created_at) values ('launches', $1, $2)`, [[taken], at]);
  await add('launch_makers', { launch_id: taken, user_id: 'r1' });
  await add('launches', { submitted_by_id: 'r1', status: 'DRAFT', published_at: null, launch_week: null });
  await add('collections', { address: 'drafted', source: 'internal', status: 'draft', visibility: 'public' });
  await add('collection_holders', { collection_address: 'drafted', user_id: 'r1' });
  const badge = (address: string) => ({ type: 'BADGE_RECEIVED', details: { collectionAddress: address } });
  await add('timeline_items', { user_id: 'r1', ...badge('drafted') });
  await add('timeline_items', { user_id: 'r1', ...badge('EQ-nowhere') });
  await add('timeline_items', { user_id: 'r4' });
  await add('contest_submissions', { contest_id: 'c', user_id: 'r1', status: 'ACCEPTED', visibility: 'public' });
  const { id: entry } = await add('contest_submissions', { contest_id: 'closed-1', user_id: 'r1' });
  await add('contest_submission_supporters', { submission_id: entry, user_id: 'r1' });
  const lines = await statusText();
  const words = lines.slice(lines.indexOf('hidden:')).map((line) => line.replace(/; (it is|for example) .*$/, ''));
  assert.ok(lines.some((line) => /3 contests: .*; for example closed-1$/.test(line)));
  assert.deepEqual(words, [
    'hidden:',
    '  1 users: status "banned" is not ACTIVATED or active (their pages and credentials are off; they stay visible where they are shown)',
    '  1 agents: visibility is "hidden"',
    '  1 bounties: status "DRAFT" is not one of OPEN, REVIEW, COMPLETED',
    '  1 bounty_submissions: their bounty is not public',
    '  1 bounty_submissions: submissions_visible of their bounty is false',
    '  1 bounty_submission_makers: their submission is not public',
    '  1 launches: taken down by the operator',
    '  1 launches: status "DRAFT" is not LIVE; a public launch needs published_at and launch_week, and published_at and launch_week are null',
    '  1 launch_makers: their launch is not public',
    '  1 collections: internal and DRAFT',
    '  3 contests: status "CLOSED" is not one of OPEN, VOTING, COMPLETED; did you mean COMPLETED? (write that, or set visibility to "public")',
    '  1 contests: status "DRAFT" is not one of OPEN, VOTING, COMPLETED',
    '  1 contests: status "LIMBO" is not one of OPEN, VOTING, COMPLETED (to show them, write one of these, or set visibility to "public")',
    '  1 collection_holders: their collection is not public',
    '  1 contest_submissions: status "ACCEPTED" is not one of APPROVED, WINNER; did you mean APPROVED? (write that)',
    '  1 contest_submissions: their contest is not public',
    '  1 contest_submission_supporters: their submission is not public',
    '  1 timeline_items: collection EQ-nowhere is not loaded',
    '  1 timeline_items: their collection is not public',
    '  1 timeline_items: the status of their user is not ACTIVATED or active',
    'notes:',
    '  1 agents: a registration "abc" does not have the form namespace:chainId:address; agent-registration.json leaves it out',
  ]);
  const printed: string[] = [];
  await status(readConfig({ DATABASE_URL: world.ownerUrl }), (line) => void printed.push(line));
  assert.deepEqual(printed.slice(printed.indexOf(lines[0]!)), lines, 'status prints the same');
  assert.match(printed[0] ?? '', /^writer lock/);
  // The role of a server may read everything that status needs.
  await status(readConfig({ DATABASE_URL: world.readerUrl }), () => {});
  const { out } = await dump(world, true);
  const loaded = await load(world, out);
  assert.deepEqual(loaded.lines.slice(loaded.lines.indexOf('hidden:')), lines.slice(lines.indexOf('hidden:')));
});

test('at most ten reasons of a table are listed, and the rest is counted', async () => {
  for (let n = 0; n < 33; n++) {
    await add('contests', { created_by_id: 'r1', status: `X${n}` });
    if (n < 10) await add('contests', { created_by_id: 'r1', status: `X${n}` });
  }
  const contests = (await statusText()).filter((line) => /^ +\d+ contests: /.test(line));
  assert.equal(contests.length, 10);
  assert.ok((await statusText()).includes('  contests: and 26 other reasons: 27 rows'));
});

test('in random data every hidden row counts under exactly one named reason', async () => {
  const random_ = await createWorld();
  await populate(random_);
  const states = ['OPEN', 'PUBLISHED', 'LIVE', 'APPROVED', 'PENDING', 'DRAFT', 'active', 'BANNED', 'X'];
  for (const { name, key } of tables) {
    const columns = tables.find((table) => table.name === name)!.columns;
    for (let round = 0; round < 12; round++) {
      const changes = [
        ...('status' in columns && name !== 'repositories' ? [`status = '${pick(states)}'`] : []),
        ...('visibility' in columns ? [`visibility = ${pick(['null', 'null', "'public'", "'hidden'"])}`] : []),
        ...('submissions_visible' in columns ? [`submissions_visible = ${pick(['true', 'false'])}`] : []),
        ...('published_at' in columns && name === 'launches' ? [`published_at = ${pick(['null', 'now()'])}`] : []),
        ...(name === 'collections' ? [`source = '${pick(['internal', 'external'])}'`] : []),
      ];
      const row = `(${key}) in (select ${key} from ${name} order by md5((${key})::text || '${random(1e6)}') limit 3)`;
      // A change that a check constraint rejects is skipped.
      if (changes.length > 0) await random_.owner.query(`update ${name} set ${changes} where ${row}`).catch(() => {});
    }
  }
  await random_.owner.query(`
    insert into takedowns (table_name, key, created_at)
    select 'repositories', array[platform, platform_id], now() from repositories limit 3`);
  const found = await visibilityReport(random_.owner, tables);
  assert.equal(found.length, tables.length);
  let hiddenRows = 0;
  for (const { table, rows, public: shown, hidden, reasons } of found) {
    const { publicRows } = tables.find(({ name }) => name === table)!;
    const isPublic = table === 'users' ? 't.is_public' : publicRows;
    const { rows: counted } = await random_.owner.query<{ all: number; shown: number }>(
      `select count(*)::integer as all, (count(*) filter (where ${isPublic ?? 'null'}))::integer as shown from ${table} t`,
    );
    assert.deepEqual([rows, shown ?? 0], [counted[0]?.all, counted[0]?.shown], table);
    if (hidden === null) assert.equal(publicRows, null);
    const named = reasons.first.reduce((sum, each) => sum + each.rows, 0);
    assert.equal(named + reasons.others.rows, hidden ?? 0, table);
    assert.deepEqual(
      reasons.first.filter(({ text }) => text.includes('unknown reason')),
      [],
      table,
    );
    hiddenRows += hidden ?? 0;
  }
  assert.ok(hiddenRows > 60, `${hiddenRows} hidden rows`);
});

test('an import that starts while a follower runs names the follower and its database session', async () => {
  const follower = new pg.Client({ connectionString: world.ownerUrl, application_name: 'commonhall follow' });
  await follower.connect();
  assert.equal(await tryTurn(follower, 'load'), true);
  const { rows } = await follower.query<{ pid: number }>('select pg_backend_pid() as pid');
  const expected = new RegExp(`^a follower is running \\(database session ${rows[0]?.pid}\\); stop it first$`);
  await assert.rejects(load(world, fileOf('users.ndjson', [user('r9')])), { message: expected });
  await follower.end();
});
