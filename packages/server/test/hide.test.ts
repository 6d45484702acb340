// commonhall hide and unhide: the operator's takedowns, which only unhide undoes (gap G11).
// lanes: 15 18
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { populate } from '../../../test/helpers/community.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { hide, unhide } from '../src/commands/hide.ts';
import { readConfig } from '../src/config.ts';
import { tables } from '../src/records/tables.ts';
import { dump, load, readNdjson } from './helpers/dataset-files.ts';

const world = await createWorld();
const { add, owner } = world;
await populate(world);
const config = readConfig({ DATABASE_URL: world.ownerUrl });
const said = async (run: (print: (line: string) => void) => Promise<void>): Promise<string> => {
  const lines: string[] = [];
  await run((line) => void lines.push(line));
  return lines.join('\n');
};
const hidden = (table: string, words: string[], reason: string | null = null, isNotLoaded = false, isKey = false) =>
  said((print) => hide(config, table, words, { reason, isNotLoaded, isKey }, print));
const shown = (table: string, words: string[], isKey = false) =>
  said((print) => unhide(config, table, words, isKey, print));

const { rows: kept } = await owner.query<{ table: string; key: string[] }>(`
  select attrelid::regclass::text as table, key_columns(attrelid::regclass) as key
  from pg_attribute where attname = 'is_taken_down' and attnum > 0`);

test('hide accepts every table with takedowns, with the key columns in order, and no other table', async () => {
  assert.equal(kept.length, 9);
  for (const { table, key } of kept) {
    const { key: ours } = tables.find(({ name }) => name === table)!;
    if (table !== 'collections') assert.deepEqual(ours, key, table);
    const { rows } = await owner.query<{ key: string[] }>(
      `select array[${ours}]::text[] as key from ${table} where ${table === 'bounty_submissions' ? 'is_in_profile' : 'is_public'} limit 1`,
    );
    const { key: values } = rows[0]!;
    assert.match(await hidden(table, values), new RegExp(`^hidden: ${table} .* \\(.+\\)$`), table);
    const { rows: after } = await owner.query(`select is_public from ${table} where array[${ours}]::text[] = $1`, [
      values,
    ]);
    assert.deepEqual(after, [{ is_public: false }], table);
    assert.match(await shown(table, values), /^no longer hidden: .*; it is public$/, table);
  }
  await assert.rejects(hidden('users', ['user-1']), {
    message:
      /^rows of users cannot be hidden; those of these tables can: agents <id or name>, .*collections <address>, .*repositories <platform> <platform_id>, or repositories <owner\/name>, .*timeline_items <user_id> <id>$/,
  });
  await assert.rejects(hidden('agents', ['a', 'b']), {
    message: 'a row of agents is not named by 2 words, but so: agents <id or name>',
  });
  await assert.rejects(shown('launches', ['launch-x']), { message: /^launches launch-x is not hidden by a takedown/ });
});

test('a row can be hidden before it is loaded; unhide says why a row is still not public', async () => {
  await assert.rejects(hidden('agents', ['later'], 'a court said so'), {
    message: /^no row of agents is named later; nothing was done\. .*: agents <id> --not-loaded$/,
  });
  assert.equal(
    await hidden('agents', ['later'], 'a court said so', true),
    'agents later is not loaded; it will be hidden when it is; reason: a court said so',
  );
  const reasons = async () => (await owner.query(`select reason from takedowns where key = '{later}'`)).rows;
  assert.deepEqual(await reasons(), [{ reason: 'a court said so' }]);
  const { is_public } = await add('agents', { id: 'later', name: 'late', owner_id: 'user-1', status: 'DRAFT' });
  assert.equal(is_public, false);
  const label = `agents later (${await titleOf('later')}; name late)`;
  assert.equal(await hidden('agents', ['later'], 'again'), `hidden: ${label}; reason: again`);
  await assert.rejects(hidden('agents', ['late'], null, true), {
    message: `late is the name of ${label}, which is loaded; leave out --not-loaded, or add --key if it is the key of another row`,
  });
  await hidden('agents', ['later'], null, true);
  assert.deepEqual(await reasons(), [{ reason: 'again' }], 'hiding again without a reason keeps the last reason');
  assert.match(await shown('agents', ['later']), /it is still not public: status "DRAFT" is not PUBLISHED$/);
  await hidden('agents', ['never'], null, true);
  assert.equal(await shown('agents', ['never']), 'no longer hidden: agents never, which is not loaded');
});
const titleOf = async (id: string) =>
  (await owner.query<{ t: string }>('select display_name as t from agents where id = $1', [id])).rows[0]?.t;

test('every spelling of an address names the same collection', async () => {
  const address = '0x52908400098527886e0f7030069857d2e4169ee7';
  await add('collections', { address });
  const spelt = address.toUpperCase().replace('0X', '0x');
  for (const [one, other] of [
    [spelt, address],
    [address, spelt],
  ] as const) {
    assert.match(await hidden('collections', [one]), /^hidden: collections 0x5290/);
    assert.match(await shown('collections', [other]), /it is public$/);
  }
});

test('a row is named by its id, slug, name, address or owner/name; a user in a key by the username', async () => {
  await add('users', { id: 'u-77', username: 'grace' });
  await add('timeline_items', { user_id: 'u-77', id: 'i-1' });
  await add('sponsors', { id: 'sponsor-77' });
  await add('bounties', { id: 'b-77', slug: 'map-the-harbour', sponsor_id: 'sponsor-77', title: 'Map the harbour' });
  await add('repositories', { platform: 'github', platform_id: '77', owner: 'harbour', name: 'maps' });
  const named: [table: string, words: string[], label: string][] = [
    ['bounties', ['map-the-harbour'], 'bounties b-77 (Map the harbour; slug map-the-harbour)'],
    ['bounties', ['b-77'], 'bounties b-77 (Map the harbour; slug map-the-harbour)'],
    ['repositories', ['harbour/maps'], 'repositories github 77 (harbour/maps)'],
    ['timeline_items', ['grace', 'i-1'], 'timeline_items u-77 i-1 ('],
    ['timeline_items', ['u-77', 'i-1'], 'timeline_items u-77 i-1 ('],
  ];
  const downs = async (table: string) => (await owner.query(`select from ${table} where is_taken_down`)).rows.length;
  for (const [table, words, label] of named) {
    const before = await downs(table);
    assert.ok((await hidden(table, words)).startsWith(`hidden: ${label}`), words.join(' '));
    assert.equal(await downs(table), before + 1, words.join(' '));
    assert.ok((await shown(table, words)).startsWith(`no longer hidden: ${label}`), words.join(' '));
  }
});

test('words that name two rows change nothing and list both', async () => {
  await add('contests', { id: 'twin', slug: 'twin-one', created_by_id: 'user-1', title: 'One' });
  await add('contests', { id: 'k-78', slug: 'twin', created_by_id: 'user-1', title: 'Two' });
  const both =
    /^twin names more than one; nothing was done\. .*\n {2}contests k-78 \(Two; slug twin\)\n {2}contests twin \(One; slug twin-one\)$/;
  await assert.rejects(hidden('contests', ['twin']), { message: both });
  await assert.rejects(hidden('contests', ['twin'], null, true), { message: both });
  assert.equal((await owner.query('select from contests where is_taken_down')).rowCount, 0);
  for (const id of ['twin', 'k-78'])
    await owner.query(`insert into takedowns (table_name, key, created_at) values ('contests', array[$1], now())`, [
      id,
    ]);
  await assert.rejects(shown('contests', ['twin']), { message: both });
  assert.equal((await owner.query('select from contests where is_taken_down')).rowCount, 2);
  assert.match(await shown('contests', ['twin'], true), /^no longer hidden: contests twin \(One/);
  assert.match(await hidden('contests', ['twin'], null, false, true), /^hidden: contests twin \(One; slug twin-one\)$/);
  await shown('contests', ['twin-one']);
  assert.match(await shown('contests', ['twin']), /^no longer hidden: contests k-78 /, 'only one of them is hidden');
});

test('the key of a row that comes later has ids, not names; --key takes the name of another row as a key', async () => {
  await assert.rejects(hidden('timeline_items', ['grace', 'later'], null, true), {
    message: /^grace is the name of users u-77 \(.*\); nothing was done\. Give the user_id: u-77$/,
  });
  await hidden('timeline_items', ['u-77', 'later'], null, true);
  await add('timeline_items', { user_id: 'u-77', id: 'later' });
  const { rows: later } = await owner.query(`select is_public from timeline_items where id = 'later'`);
  assert.deepEqual(later, [{ is_public: false }]);
  await hidden('bounties', ['map-the-harbour'], null, true, true);
  const { rows } = await owner.query(`select key from takedowns where table_name = 'bounties'`);
  assert.deepEqual(rows, [{ key: ['map-the-harbour'] }]);
  await owner.query(`delete from takedowns where table_name = 'bounties'`);
});

test('no import, pruning or other write undoes a takedown', async () => {
  const { out } = await dump(world, true);
  const [record] = readNdjson(join(out, 'launches.ndjson.gz')).filter(({ status }) => status === 'LIVE');
  const id = String(record?.id);
  const isPublic = async () =>
    (await owner.query<{ is_public: boolean }>('select is_public from launches where id = $1', [id])).rows[0]
      ?.is_public;
  assert.equal(await isPublic(), true);
  await hidden('launches', [id], 'spam');
  await owner.query('delete from launches where id = $1', [id]);
  await load(world, out);
  assert.equal(await isPublic(), false, 'deleted and loaded again');
  await load(world, out, { prune: true });
  assert.equal(await isPublic(), false, 'pruned');
  await owner.query(`update launches set status = 'LIVE', visibility = 'public', name = 'new' where id = $1`, [id]);
  assert.equal(await isPublic(), false, 'written by SQL');
  assert.match(await shown('launches', [id]), /it is public$/);
  assert.equal(await isPublic(), true);
});
