// A hidden row changes no public number: rows hidden by their status, by the platform's `visibility` or by a takedown
// are inserted, changed and deleted in the tables behind every count and total, and no public byte changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '@commonhall/contract';
import type { Operation } from '@commonhall/contract/operation';
import { urlOf } from '@commonhall/contract/url';
import { populate } from '../../../test/helpers/community.ts';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
const { add, owner } = world;
const { calls } = await populate(world);
const api = await world.serve();
await owner.query(`update feed set as_of = now() - interval '1 minute', sequence = 1, applied = 1`);

const publicOperations = Object.values<Operation>(operations).filter(
  ({ auth }) => auth === 'none' || auth === 'optional',
);
const paths = [
  ...publicOperations.map(({ id }) => urlOf('', id, calls[id].visible)),
  '/collections?q=collection',
  '/collections?source=internal',
  '/collections?type=SBT&sortBy=holdersCount',
  '/contests?displayStatus=completed',
  '/users/alice/timeline?type=BADGE_RECEIVED',
  '/status',
  ...publicOperations
    .filter(({ answer }) => answer === 'page')
    .map(({ id }) => urlOf('', id, { ...calls[id].visible, page: 900 })),
];
const everything = async () => {
  const bodies: [string, string][] = [];
  // Only the lag may differ between two reads.
  const sinceMark = /"lagSeconds":[\d.]+/;
  for (const path of paths) bodies.push([path, (await (await api.get(path)).text()).replace(sinceMark, '')]);
  return Object.fromEntries(bodies);
};

const { bountyId } = calls.listBountySubmissions.visible as { bountyId: string };
const { address } = calls.getCollection.visible as { address: string };
const { contestId, submissionId } = calls.getContestSubmission.visible as { contestId: string; submissionId: string };
const { sponsorId } = calls.listSponsorBounties.visible as { sponsorId: string };

type Row = Record<string, unknown>;
interface HiddenRow {
  /** The values of the row, apart from what hides it. */
  row: Row;
  /** Two statuses that hide it, the second one set by an update. null: only a takedown hides rows of this table. */
  states: [string, string] | null;
  change: string;
  children?: (key: string) => Promise<unknown>;
  /** The primary key; `before` has the values of all its columns but the last, which identifies the row. */
  key?: { columns: string[]; before: string[] };
}
const hiddenRows: Record<string, HiddenRow> = {
  agents: { row: { owner_id: 'user-1' }, states: ['HIDDEN', 'OTHER'], change: `bio = 'new'` },
  bounties: {
    row: { sponsor_id: sponsorId },
    states: ['DRAFT', 'ARCHIVED'],
    change: `title = 'new'`,
  },
  bounty_submissions: {
    row: { bounty_id: bountyId, user_id: 'user-2', prize_place: 1 },
    states: ['REJECTED', 'SPAM'],
    change: 'prize_place = 2',
  },
  launches: {
    row: { submitted_by_id: 'user-1', launch_week_rating: 999, featured_at: '2026-02-01T00:00:00Z' },
    states: ['DRAFT', 'HIDDEN'],
    change: 'launch_week_rating = 5000',
  },
  collections: {
    row: { source: 'internal', status: 'ACTIVE', name: 'Collection hidden' },
    states: ['DRAFT', 'Draft'],
    change: `name = 'Collection x'`,
    children: async (collectionAddress) => {
      await add('collection_holders', { collection_address: collectionAddress, user_id: 'user-2' });
      await add('timeline_items', { user_id: 'user-1', type: 'BADGE_RECEIVED', details: { collectionAddress } });
    },
    key: { columns: ['address'], before: [] },
  },
  contests: {
    row: { created_by_id: 'user-1' },
    states: ['DRAFT', 'open'],
    change: `title = 'new'`,
    children: async (id) => {
      await add('collection_contests', { collection_address: address, contest_id: id });
      await add('contest_submissions', { contest_id: id, user_id: 'user-1' });
    },
  },
  contest_submissions: {
    row: { contest_id: contestId, user_id: 'user-1' },
    states: ['PENDING', 'REJECTED'],
    change: `title = 'new'`,
    children: (id) => add('contest_submission_supporters', { submission_id: id, user_id: 'user-2' }),
  },
  repositories: {
    row: { platform: 'github' },
    states: null,
    change: `name = 'new', created_at = now()`,
    key: { columns: ['platform', 'platform_id'], before: ['github'] },
  },
  timeline_items: {
    row: { user_id: 'user-1' },
    states: null,
    change: `type = 'PR', date = now()`,
    key: { columns: ['user_id', 'id'], before: ['user-1'] },
  },
};

for (const [table, { row, states, change, children, key }] of Object.entries(hiddenRows))
  for (const way of states === null ? ['takedown'] : ['status', 'visibility', 'takedown'])
    test(`${table} hidden by ${way} change no public byte`, async () => {
      const [columns, own] = [key?.columns ?? ['id'], `hidden-by-${way}`];
      const values = [...(key?.before ?? []), own];
      const its = `where ${columns.map((column, index) => `${column} = $${index + 1}`).join(' and ')}`;
      const before = await everything();
      if (way === 'takedown')
        await owner.query('insert into takedowns (table_name, key, created_at) values ($1, $2, now())', [
          table,
          values,
        ]);
      const hiding = { status: { status: states?.[0] }, visibility: { visibility: 'hidden' } }[way] ?? {};
      await add(table, { ...row, [columns.at(-1) ?? 'id']: own, ...hiding });
      await children?.(own);
      assert.deepEqual(await everything(), before, 'after insert');
      const state = way === 'status' ? `, status = '${states?.[1]}'` : '';
      await owner.query(`update ${table} set ${change}${state} ${its}`, values);
      assert.deepEqual(await everything(), before, 'after update');
      await owner.query(`delete from ${table} ${its}`, values);
      assert.deepEqual(await everything(), before, 'after delete');
    });

test('public rows do change public bytes, so the tests above can fail', async () => {
  const before = await everything();
  const { id } = await add('bounty_submissions', { bounty_id: bountyId, user_id: 'user-2' });
  await add('contest_submission_supporters', { submission_id: submissionId, user_id: 'user-2' });
  const changed = Object.entries(await everything()).filter(([path, body]) => before[path] !== body);
  assert.ok(changed.length >= 4, `${changed.length} paths changed`);
  await owner.query('delete from bounty_submissions where id = $1', [id]);
  await owner.query('delete from contest_submission_supporters where user_id = $1', ['user-2']);
  assert.deepEqual(await everything(), before);
});

test('a change of a user’s status changes no list and no count, only that user’s own pages', async () => {
  const before = await everything();
  await owner.query(`update users set status = 'BANNED' where username = 'alice'`);
  const after = await everything();
  for (const [path, body] of Object.entries(after)) {
    if (path.includes('alice')) assert.match(body, /User not found/, path);
    else assert.equal(body.replaceAll('"BANNED"', '"ACTIVATED"'), before[path], path);
  }
  await owner.query(`update users set status = 'ACTIVATED' where username = 'alice'`);
});
