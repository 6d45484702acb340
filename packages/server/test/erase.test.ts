// Erasing a person: all their rows and mentions are removed, and no write restores them until the operator allows it.
// lanes: 15 18
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { kinds } from '../../../test/helpers/platform.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { applyFile } from '../src/feed/file.ts';
import { allowUser, eraseUser } from '../src/operator/erase.ts';
import { ownerColumn } from '../src/operator/people.ts';
import { fileOf, load } from './helpers/dataset-files.ts';

const world = await createWorld();
const { owner, add } = world;

const put = (table: string, record: object) => JSON.stringify({ op: 'put', table, record });
const apply = (...lines: string[]) => applyFile(owner, Readable.from([Buffer.from(`${lines.join('\n')}\n`)]));
const erase = async (id: string) => {
  await owner.query('begin; select take_writer_lock()');
  const gone = await eraseUser(owner, id);
  await owner.query('commit');
  return Object.fromEntries(gone);
};
/** The tables that have a row with the id in any column. */
const mentions = async (id: string): Promise<string[]> => {
  const { rows } = await owner.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace in ('public'::regnamespace, 'lists'::regnamespace) and relkind = 'r'`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const place = (
      await owner.query(`select from pg_class where relname = $1 and relnamespace = 'public'::regnamespace`, [name])
    ).rowCount
      ? name
      : `lists.${name}`;
    const body = name === 'rejected_changes' ? `convert_from(body, 'UTF8')` : `t::text`;
    const { rowCount } = await owner.query(`select from ${place} t where ${body} like $1`, [`%${id}%`]);
    if ((rowCount ?? 0) > 0) found.push(place);
  }
  return found;
};
const user = (id: string) => ({ ...kinds.users!.make(1), id, username: id, status: 'active' });

test('the columns that name the owner of a row are exactly the foreign keys to users', async () => {
  const { rows } = await owner.query<{ table: string; column: string }>(`
    select c.conrelid::regclass::text as table, a.attname as column
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'users'::regclass`);
  const { users, ...others } = ownerColumn;
  assert.equal(users, 'id');
  assert.deepEqual(
    Object.fromEntries(rows.map(({ table, column }) => [table, column]).sort()),
    Object.fromEntries(Object.entries(others).sort()),
  );
});

test('erasing a person removes all their rows and every mention of them', async () => {
  await apply(put('users', user('person-x')), put('users', user('other')));
  await add('sponsors', { id: 'acme', slug: 'acme' });
  await add('bounties', { id: 'b1', sponsor_id: 'acme' });
  await add('agents', { owner_id: 'person-x' });
  await add('sponsor_members', { sponsor_id: 'acme', user_id: 'person-x' });
  await add('bounty_submissions', { id: 'w1', bounty_id: 'b1', user_id: 'person-x' });
  await add('bounty_submissions', { id: 'w2', bounty_id: 'b1', user_id: 'other' });
  await add('bounty_submission_makers', { submission_id: 'w2', user_id: 'person-x' });
  await add('launches', { submitted_by_id: 'person-x' });
  await add('launches', { id: 'l2', submitted_by_id: 'other' });
  await add('launch_makers', { launch_id: 'l2', user_id: 'person-x' });
  await add('launch_claps', { launch_id: 'l2', user_id: 'person-x' });
  await add('collections', { address: 'c1' });
  await add('collection_holders', { collection_address: 'c1', user_id: 'person-x' });
  await add('contests', { id: 'k1', created_by_id: 'person-x', judge_user_ids: JSON.stringify(['other', 'person-x']) });
  await add('contest_submissions', { id: 'e1', contest_id: 'k1', user_id: 'person-x' });
  await add('contest_submissions', { id: 'e2', contest_id: 'k1', user_id: 'other' });
  await add('contest_submission_supporters', { submission_id: 'e2', user_id: 'person-x' });
  await add('timeline_items', { user_id: 'person-x', id: 'i1' });
  await owner.query(
    `insert into takedowns (table_name, key, created_at) values ('timeline_items', '{person-x,i1}', now())`,
  );
  await world.keyFor('person-x');
  await apply(
    put('launches', { nonsense: 'person-x' }),
    put('agents', { id: 'a9', owner_id: 'person-x' }),
    '{"person-x',
  );
  assert.ok((await mentions('person-x')).length > 12);
  const gone = await erase('person-x');
  assert.deepEqual(gone, {
    ...{ users: 1, agents: 1, sponsor_members: 1, bounty_submissions: 1, bounty_submission_makers: 1, launches: 1 },
    ...{ launch_makers: 1, launch_claps: 1, collection_holders: 1, contest_submissions: 1, api_keys: 1 },
    ...{
      contest_submission_supporters: 1,
      timeline_items: 1,
      takedowns: 1,
      'mentions in contests': 1,
      'rejected changes': 3,
    },
  });
  assert.deepEqual(await mentions('person-x'), []);
  const { rows } = await owner.query('select created_by_id, judge_user_ids from contests');
  assert.deepEqual(rows, [{ created_by_id: 'erased', judge_user_ids: ['other'] }]);
});

test('no change, import or SQL statement brings an erased person back until the operator allows it', async () => {
  const contest = {
    ...kinds.contests!.make(1),
    id: 'k1',
    status: 'OPEN',
    created_by_id: 'person-x',
    judge_user_ids: ['person-x', 'other'],
  };
  const agent = { ...kinds.agents!.make(1), owner_id: 'person-x', status: 'PUBLISHED' };
  const { tally } = await apply(put('users', user('person-x')), put('agents', agent), put('contests', contest));
  assert.deepEqual([tally.erased, tally.setAside], [3, 0]);
  assert.deepEqual(await mentions('person-x'), []);
  for (const [table, record] of [
    ['users', user('person-x')],
    ['agents', agent],
  ] as const) {
    const { rejected } = await load(world, fileOf(`${table}.ndjson`, [JSON.stringify(record)]));
    assert.match(rejected.join(), /belongs to a user who has been erased/);
  }
  assert.deepEqual((await load(world, fileOf('contests.ndjson', [JSON.stringify(contest)]))).rejected, []);
  assert.deepEqual(await mentions('person-x'), []);
  await assert.rejects(add('users', { id: 'person-x' }), { constraint: 'users_erased' });
  assert.equal(await allowUser(owner, 'person-x'), true);
  assert.equal(await allowUser(owner, 'person-x'), false);
  await apply(put('users', user('person-x')), put('agents', agent));
  assert.equal((await owner.query(`select from agents where owner_id = 'person-x'`)).rowCount, 1);
});

test('a person can be erased before any row of theirs exists', async () => {
  assert.deepEqual(await erase('unseen'), {});
  const { tally } = await apply(put('users', user('unseen')));
  assert.equal(tally.erased, 1);
  assert.equal((await owner.query(`select from users where id = 'unseen'`)).rowCount, 0);
});
