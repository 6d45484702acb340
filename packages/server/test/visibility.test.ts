// Which rows are public (gap G11), by their status, the platform's `visibility`, and the operator's takedowns, which no
// load writes or undoes.
// lanes: 15 18
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { populate } from '../../../test/helpers/community.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { dump, fileOf, load, readNdjson } from './helpers/dataset-files.ts';

const world = await createWorld();
const { add, owner } = world;
const { calls } = await populate(world);
const api = await world.serve();

const { bountyId } = calls.listBountySubmissions.visible as { bountyId: string };
const { contestId } = calls.getContestSubmission.visible as { contestId: string };
const { sponsorId } = calls.listSponsorBounties.visible as { sponsorId: string };
const parents: Record<string, object> = {
  agents: { owner_id: 'user-1' },
  bounties: { sponsor_id: sponsorId },
  bounty_submissions: { bounty_id: bountyId, user_id: 'user-2' },
  launches: { submitted_by_id: 'user-1' },
  contests: { created_by_id: 'user-1' },
  contest_submissions: { contest_id: contestId, user_id: 'user-1' },
  timeline_items: { user_id: 'user-1' },
};
/** Whether a row is public when its visibility is null, `public` or `hidden`. */
const shownAs = async (table: string, row: object): Promise<string> => {
  const shown: unknown[] = [];
  for (const visibility of [null, 'public', 'hidden'])
    shown.push((await add(table, { ...parents[table], ...row, visibility })).is_public);
  return shown.map((each) => (each === true ? 'yes' : 'no')).join(' ');
};

test('a row is private unless its status is on the list; visibility overrides the status', async () => {
  const states: Record<string, [shown: string[], hidden: string[]]> = {
    agents: [['PUBLISHED'], ['DRAFT', 'published', 'LIMBO']],
    bounties: [
      ['OPEN', 'REVIEW', 'COMPLETED'],
      ['DRAFT', 'open'],
    ],
    bounty_submissions: [
      ['PENDING', 'APPROVED', 'WINNER'],
      ['REJECTED', 'SPAM'],
    ],
    launches: [['LIVE'], ['DRAFT', 'live', 'SCHEDULED']],
    contests: [
      ['OPEN', 'VOTING', 'COMPLETED'],
      ['DRAFT', 'LIMBO'],
    ],
  };
  for (const [table, [shown, hidden]] of Object.entries(states)) {
    for (const status of shown) assert.equal(await shownAs(table, { status }), 'yes yes no', `${table} ${status}`);
    for (const status of hidden) assert.equal(await shownAs(table, { status }), 'no yes no', `${table} ${status}`);
  }
});

test('visibility never shows a row that the specification hides', async () => {
  for (const status of ['APPROVED', 'WINNER'])
    assert.equal(await shownAs('contest_submissions', { status }), 'yes yes no', status);
  for (const status of ['PENDING', 'REJECTED', 'approved']) // spec 3.1
    assert.equal(await shownAs('contest_submissions', { status }), 'no no no', status);
  for (const status of ['ACTIVE', 'LIMBO', 'DRAFTED', null])
    assert.equal(await shownAs('collections', { source: 'internal', status }), 'yes yes no', `${status}`);
  for (const status of ['DRAFT', 'draft', 'Draft']) {
    assert.equal(await shownAs('collections', { source: 'internal', status }), 'no no no', status); // spec 3.2
    assert.equal(await shownAs('collections', { source: 'external', status }), 'yes yes no', status);
  }
  for (const status of ['SCHEDULED', 'DRAFT']) // spec 3.3
    assert.equal(await shownAs('launches', { status, published_at: null }), 'no no no', status);
});

test('a row with an unknown status and visibility public is in its lists and at its own path', async () => {
  const word = { status: 'LIMBO', visibility: 'public' };
  await add('agents', { ...parents.agents, ...word, name: 'limbo' });
  assert.equal((await api.client.getAgent({ name: 'limbo' })).status, 'LIMBO');
  const bounty = await add('bounties', { ...parents.bounties, ...word, slug: 'limbo' });
  assert.equal((await api.client.getBounty({ slug: 'limbo' })).status, 'LIMBO');
  const { items } = await api.client.listSponsorBounties({ sponsorId, pageSize: 100 });
  assert.ok(items.some(({ id }) => id === bounty.id));
  await add('bounty_submissions', { bounty_id: bounty.id, user_id: 'user-2', ...word });
  assert.equal((await api.client.listBountySubmissions({ bountyId: bounty.id })).total, 1);
  const contest = await add('contests', { ...parents.contests, ...word });
  const submissionId = (await add('contest_submissions', { contest_id: contest.id, user_id: 'user-1' })).id;
  assert.equal((await api.client.getContestSubmission({ contestId: contest.id, submissionId })).id, submissionId);
});

interface Kept {
  table: string;
  /** SQL for the values of its primary key. */
  key: string;
}
const { rows: tables } = await owner.query<Kept>(`
  select attrelid::regclass::text as table, array_to_string(key_columns(attrelid::regclass), ', ') as key
  from pg_attribute where attname = 'is_taken_down' and attnum > 0 order by 1`);
const takeDown = (table: string, key: string[]) =>
  owner.query(`insert into takedowns (table_name, key, reason, created_at) values ($1, $2, 'a court said so', now())`, [
    table,
    key,
  ]);
const giveBack = (table: string, key: string[]) =>
  owner.query('delete from takedowns where table_name = $1 and key = $2', [table, key]);
const isPublic = async ({ table, key: columns }: Kept, key: string[]): Promise<unknown> =>
  (await owner.query(`select is_public from ${table} where array[${columns}]::text[] = $1`, [key])).rows[0]?.is_public;

test('a takedown hides a row of every resource, whichever is written first, and overrides visibility', async () => {
  const names = [
    'agents',
    'bounties',
    'bounty_submissions',
    'collections',
    'contest_submissions',
    'contests',
    'launches',
  ];
  assert.deepEqual(tables.map(({ table }) => table).sort(), [...names, 'repositories', 'timeline_items']);
  const own: Record<string, object> = {
    collections: { address: 'down' },
    repositories: { platform: 'p', platform_id: 'down' },
  };
  for (const kept of tables) {
    const { table } = kept;
    const key = { repositories: ['p', 'down'], timeline_items: ['user-1', 'down'] }[table] ?? ['down'];
    const row = { ...parents[table], ...(own[table] ?? { id: 'down' }) };
    await add(table, { ...row, ...(names.includes(table) ? { visibility: 'public' } : {}) });
    assert.equal(await isPublic(kept, key), true, table);
    await takeDown(table, key);
    assert.equal(await isPublic(kept, key), false, `${table}: the row first`);
    await owner.query(`delete from ${table} where array[${kept.key}]::text[] = $1`, [key]);
    await add(table, row);
    assert.equal(await isPublic(kept, key), false, `${table}: the takedown first`);
    await giveBack(table, key);
    assert.equal(await isPublic(kept, key), true, `${table}: the takedown withdrawn`);
  }
});

test('a takedown applies to a key: to whichever row has the key, also after the key of a row or a takedown changes', async () => {
  const agents = tables.find(({ table }) => table === 'agents')!;
  const rename = (from: string, to: string) => owner.query('update agents set id = $2 where id = $1', [from, to]);
  await takeDown('agents', ['renamed']);
  await rename('down', 'renamed');
  assert.equal(await isPublic(agents, ['renamed']), false);
  await owner.query(`update takedowns set key = '{down}' where key = '{renamed}'`);
  assert.equal(await isPublic(agents, ['renamed']), true);
  await rename('renamed', 'down');
  assert.equal(await isPublic(agents, ['down']), false);
  await assert.rejects(owner.query('truncate takedowns'), { code: '428C9' });
  await giveBack('agents', ['down']);
  assert.equal(await isPublic(agents, ['down']), true);
});

test('is_taken_down cannot be written directly; a takedown needs a table that has it, and a complete key', async () => {
  for (const { table, key } of tables) {
    const change = owner.query(`update ${table} set is_taken_down = true where array[${key}]::text[] @> '{down}'`);
    await assert.rejects(change, /is_taken_down is maintained by the database/, table);
  }
  await assert.rejects(add('agents', { ...parents.agents, is_taken_down: true }), /maintained by the database/);
  await add('agents', { ...parents.agents, is_taken_down: false });
  for (const table of ['users', 'sponsors', 'api_keys', 'nothing', 'lists.collection_sizes'])
    await assert.rejects(takeDown(table, ['x']), { code: '23514' }, table);
  for (const key of [[], ['p'], ['p', 'down', 'x']])
    await assert.rejects(takeDown('repositories', key), { code: '23514' }, `${key}`);
  await takeDown('repositories', ['p', 'not there yet']);
  await giveBack('repositories', ['p', 'not there yet']);
});

test('loads neither write nor undo a takedown, not even when the row is deleted and loaded again', async () => {
  const contest = await add('contests', { ...parents.contests, id: 'z-contest' });
  for (const name of ['z-down', 'z-up']) {
    await add('repositories', { platform: 'github', platform_id: name });
    const entry = { id: name, contest_id: contest.id, user_id: 'user-1', repository_platform: 'github' };
    await add('contest_submissions', { ...entry, repository_platform_id: name });
  }
  const { out: everything } = await dump(world, true);
  const down = new Map<string, string[]>();
  for (const { table, key } of tables) {
    const { rows } = await owner.query<{ key: string[] }>(
      `select array[${key}]::text[] as key from ${table} where is_public order by (${key}) limit 1`,
    );
    down.set(table, rows[0]?.key ?? []);
  }
  down.set('repositories', ['github', 'z-down']);
  // Tables that others refer to come last.
  const order = ['timeline_items', 'contest_submissions', 'repositories', 'contests', 'collections', 'launches'];
  for (const table of [...order, 'bounty_submissions', 'bounties', 'agents']) {
    const kept = tables.find((each) => each.table === table)!;
    await takeDown(table, down.get(table) ?? []);
    assert.equal(await isPublic(kept, down.get(table) ?? []), false, table);
    if (table === 'repositories') await owner.query('delete from contest_submissions');
    await owner.query(`delete from ${table} where array[${kept.key}]::text[] = $1`, [down.get(table)]);
  }
  for (const _ of [1, 2]) assert.deepEqual((await load(world, everything)).rejected, []);
  for (const kept of tables) assert.equal(await isPublic(kept, down.get(kept.table) ?? []), false, kept.table);
  const agents = readNdjson(join(everything, 'agents.ndjson.gz'));
  assert.ok(agents.length > 1 && agents.every((record) => !('is_taken_down' in record || 'is_public' in record)));
  const forged = fileOf('agents.ndjson', [JSON.stringify({ ...agents[0], is_taken_down: false })]);
  assert.match((await load(world, forged)).rejected.join(), /is_taken_down/);
  await assert.rejects(load(world, forged, { table: 'takedowns' }), /there is no table takedowns/);

  const { out: open } = await dump(world, false);
  for (const { table, key } of tables) {
    const columns = key.split(', ');
    const exported = readNdjson(join(open, `${table}.ndjson.gz`));
    const taken = (row: Record<string, unknown>) => columns.every((name, n) => row[name] === down.get(table)?.[n]);
    assert.ok(
      exported.length > 0 && !exported.some(taken),
      `${table}: the public export has rows, but none that is taken down`,
    );
  }
  const entries = readNdjson(join(open, 'contest_submissions.ndjson.gz'));
  const named = entries.filter(({ id }) => id === 'z-down' || id === 'z-up');
  assert.deepEqual(
    named.map((entry) => [entry.id, entry.repository_platform, entry.repository_platform_id]),
    [
      ['z-down', null, null],
      ['z-up', 'github', 'z-up'],
    ],
  );
  for (const [table, key] of down) await giveBack(table, key);
});

test('the answer for a row that is taken down equals that for a row that never existed', async () => {
  const addresses = {
    agents: ['getAgent', 'name'],
    bounties: ['getBounty', 'slug'],
    launches: ['getLaunch', 'slug'],
  } as const;
  const body = async (path: string) => (await api.get(path)).text();
  for (const [table, [id, column]] of Object.entries(addresses)) {
    const value = Object.values(calls[id].visible as Record<string, string>)[0] ?? '';
    const { rows } = await owner.query<{ id: string }>(`select id from ${table} where ${column} = $1`, [value]);
    const before = await body(`/${table}/${value}`);
    await takeDown(table, [rows[0]?.id ?? '']);
    assert.equal(await body(`/${table}/${value}`), await body(`/${table}/never-was`), table);
    await giveBack(table, [rows[0]?.id ?? '']);
    assert.equal(await body(`/${table}/${value}`), before, table);
  }
});
