// commonhall why: every reason for which a row is not public, in words that say what to do.
// lanes: 15 18
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { kinds } from '../../../test/helpers/platform.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { hide } from '../src/commands/hide.ts';
import { status } from '../src/commands/status.ts';
import { why } from '../src/commands/why.ts';
import { readConfig } from '../src/config.ts';
import { applyFile } from '../src/feed/file.ts';
import { eraseUser } from '../src/operator/erase.ts';

const world = await createWorld();
const { add, owner } = world;
const config = readConfig({ DATABASE_URL: world.ownerUrl });
const apply = (...changes: object[]) =>
  applyFile(owner, Readable.from(changes.map((change) => Buffer.from(`${JSON.stringify(change)}\n`))));
const said = async (table: string, ...words: string[]): Promise<[isKnown: boolean, lines: string[]]> => {
  const lines: string[] = [];
  const isKnown = await why(config, table, words, (line) => void lines.push(line));
  return [isKnown, lines];
};
const record = { ...kinds.bounties!.make(1), id: 'b1', slug: 'map-the-harbour', status: 'OPEN', sponsor_id: 's1' };

await add('users', { id: 'u1', username: 'ada', display_name: 'Ada' });
await add('sponsors', { id: 's1', slug: 'harbour', name: 'Harbour' });
await apply({ op: 'put', table: 'bounties', record });
await add('bounty_submissions', { id: 'w1', bounty_id: 'b1', user_id: 'u1', title: 'A map' });
const label = 'bounties b1 (B 1; slug map-the-harbour)';

test('a public row is public, by its id and by its slug', async () => {
  assert.deepEqual(await said('bounties', 'map-the-harbour'), [true, [`${label}: public`]]);
  assert.deepEqual(await said('bounties', 'b1'), [true, [`${label}: public`]]);
  assert.deepEqual(await said('sponsors', 'harbour'), [true, ['sponsors s1 (Harbour; slug harbour): public']]);
});

test('status, takedown and a parent that is not public are named, all that hold', async () => {
  await owner.query(`update bounties set status = 'DRAFT' where id = 'b1'`);
  await hide(
    config,
    'bounties',
    ['map-the-harbour'],
    { reason: 'a complaint', isNotLoaded: false, isKey: false },
    () => {},
  );
  const [, lines] = await said('bounty_submissions', 'w1');
  assert.deepEqual(lines.slice(0, 5), [
    'bounty_submissions w1 (A map): not public',
    '  their bounty is not public',
    `  ${label}: not public`,
    '    taken down by the operator',
    '    status "DRAFT" is not one of OPEN, REVIEW, COMPLETED',
  ]);
  assert.match(lines[5] ?? '', /^ {4}takedown of 20\S+Z: a complaint$/);
  await owner.query(`update bounties set status = 'OPEN' where id = 'b1'; delete from takedowns`);
});

test('a row that is hidden because its change was rejected says so, here and in status; a valid change ends it', async () => {
  await apply({ op: 'put', table: 'bounties', record: { ...record, status: 'DRAFT', title: 5 } });
  const [, lines] = await said('bounties', 'map-the-harbour');
  assert.deepEqual(lines.slice(0, 2), [
    `${label}: not public`,
    '  their last change was rejected; see: commonhall rejected',
  ]);
  assert.match(
    lines[2] ?? '',
    /^ {2}its change of 20\S+Z was rejected: title: 5 is not a text; .*; see: commonhall rejected show \d+$/,
  );
  assert.equal(lines.length, 3);
  const printed: string[] = [];
  await status(config, (line) => void printed.push(line));
  assert.match(printed.join('\n'), /their last change was rejected/);
  assert.doesNotMatch(printed.join('\n'), /visibility is "hidden"/);
  await apply({ op: 'put', table: 'bounties', record: { ...record, visibility: 'hidden' } });
  assert.deepEqual((await said('bounties', 'b1'))[1], [`${label}: not public`, '  visibility is "hidden"']);
  await apply({ op: 'put', table: 'bounties', record });
  await apply({ op: 'put', table: 'users', record: { id: 'u1', username: 'ada', status: 'GONE' } });
  assert.deepEqual((await said('users', 'ada'))[1].slice(0, 2), [
    'users u1 (Ada; username ada): not public',
    '  their last change was rejected; see: commonhall rejected',
  ]);
});

test('a row that is not loaded: its change waits, its takedown waits, its user was erased, or nothing is known', async () => {
  await apply({
    op: 'put',
    table: 'bounties',
    record: { ...record, id: 'b2', slug: 'later', sponsor_id: 'nobody' },
  });
  const [isWaiting, lines] = await said('bounties', 'b2');
  assert.ok(isWaiting);
  assert.equal(lines[0], 'bounties b2: not loaded');
  assert.match(lines[1] ?? '', /^ {2}its change of 20\S+Z waits: sponsor_id: there is no sponsors row/);
  await hide(config, 'launches', ['l9'], { reason: null, isNotLoaded: true, isKey: false }, () => {});
  const [, taken] = await said('launches', 'l9');
  assert.deepEqual([taken[0], /^ {2}takedown of 20\S+Z$/.test(taken[1] ?? '')], ['launches l9: not loaded', true]);
  await owner.query('begin; select take_writer_lock()');
  await eraseUser(owner, 'person-x');
  await owner.query('commit');
  const erased = '  user person-x has been erased; to allow them again: commonhall erase allow person-x';
  assert.deepEqual(await said('users', 'person-x'), [true, ['users person-x: not loaded', erased]]);
  assert.deepEqual(await said('timeline_items', 'person-x', 'i1'), [
    true,
    ['timeline_items person-x i1: not loaded', erased],
  ]);
  assert.deepEqual(await said('bounties', 'nowhere'), [false, ['bounties nowhere: not loaded']]);
});

test('a private table and an unknown one are said to be so', async () => {
  await add('sponsor_members', { sponsor_id: 's1', user_id: 'u1' });
  assert.deepEqual(await said('sponsor_members', 'ada', 'harbour'), [
    true,
    ['sponsor_members u1 s1: not public', '  rows of sponsor_members are never public'],
  ]);
  await assert.rejects(said('bounty', 'b1'), { message: /^there is no table bounty; there are: users, / });
});

test('the collection of a badge is named, and a hidden repository is not: it hides nothing', async () => {
  await add('collections', { address: 'c-draft', name: 'Drafts', source: 'internal', status: 'DRAFT' });
  await owner.query(`update users set status = 'active' where id = 'u1'`);
  const badge = { type: 'BADGE_RECEIVED', details: JSON.stringify({ collectionAddress: 'c-draft' }) };
  await add('timeline_items', { user_id: 'u1', id: 'badge', ...badge });
  assert.deepEqual((await said('timeline_items', 'ada', 'badge'))[1].slice(1), [
    '  their collection is not public',
    '  collections c-draft (Drafts): not public',
    '    internal and DRAFT',
  ]);
  await add('repositories', { platform: 'github', platform_id: '9' });
  await hide(config, 'repositories', ['github', '9'], { reason: null, isNotLoaded: false, isKey: false }, () => {});
  await add('contests', { id: 'k1', created_by_id: 'u1' });
  const repository = { repository_platform: 'github', repository_platform_id: '9' };
  await add('contest_submissions', { id: 'e1', contest_id: 'k1', user_id: 'u1', status: 'PENDING', ...repository });
  assert.equal((await said('contest_submissions', 'e1'))[1].length, 2);
});

test('with PUBLIC_URL the address of the page is named, which answers as the API does', async () => {
  const lines: string[] = [];
  const known = readConfig({ DATABASE_URL: world.ownerUrl, PUBLIC_URL: 'https://hall.example' });
  for (const [table, ...words] of [
    ['users', 'ada'],
    ['sponsors', 'harbour'],
    ['bounty_submissions', 'w1'],
  ] as const)
    await why(known, table, words, (line) => void lines.push(line));
  assert.deepEqual(
    lines.filter((line) => line.includes('its page')),
    ['users/ada', 'sponsors/harbour'].map((path) => `  its page: https://hall.example/explore/${path}`),
  );
});
