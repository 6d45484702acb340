// A hidden row changes no public number: hidden rows of every resource but users are inserted, changed and deleted
// beneath every count and total, and not one public byte changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { urlOf } from '@commonhall/client';
import { operations } from '@commonhall/contract';
import type { Operation } from '@commonhall/contract/operation';
import { populate } from './helpers/community.ts';
import { createWorld } from './helpers/world.ts';

const world = await createWorld();
const { add, owner } = world;
const { calls } = await populate(world);
const api = await world.serve();

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
  ...publicOperations
    .filter(({ answer }) => answer === 'page')
    .map(({ id }) => urlOf('', id, { ...calls[id].visible, page: 900 })),
];
const everything = async () => {
  const bodies: [string, string][] = [];
  for (const path of paths) bodies.push([path, await (await api.get(path)).text()]);
  return Object.fromEntries(bodies);
};

const { bountyId } = calls.listBountySubmissions.visible as { bountyId: string };
const { address } = calls.getCollection.visible as { address: string };
const { contestId, submissionId } = calls.getContestSubmission.visible as { contestId: string; submissionId: string };
const { sponsorId } = calls.listSponsorBounties.visible as { sponsorId: string };

/** Each inserts a hidden row and answers how to change and delete it. */
const hiddenRows: Record<string, () => Promise<[change: string, remove: string]>> = {
  agents: async () => {
    const { id } = await add('agents', { owner_id: 'user-1', status: 'HIDDEN' });
    return [
      `update agents set bio = 'new', status = 'OTHER' where id = '${id}'`,
      `delete from agents where id = '${id}'`,
    ];
  },
  bounties: async () => {
    const { id } = await add('bounties', { sponsor_id: sponsorId, status: 'DRAFT' });
    return [
      `update bounties set title = 'new', status = 'ARCHIVED' where id = '${id}'`,
      `delete from bounties where id = '${id}'`,
    ];
  },
  bounty_submissions: async () => {
    const { id } = await add('bounty_submissions', {
      bounty_id: bountyId,
      user_id: 'user-2',
      status: 'REJECTED',
      prize_place: 1,
    });
    return [
      `update bounty_submissions set status = 'SPAM', prize_place = 2 where id = '${id}'`,
      `delete from bounty_submissions where id = '${id}'`,
    ];
  },
  launches: async () => {
    const row = {
      submitted_by_id: 'user-1',
      status: 'DRAFT',
      launch_week_rating: 999,
      featured_at: '2026-02-01T00:00:00Z',
    };
    const { id } = await add('launches', row);
    return [
      `update launches set launch_week_rating = 5000, status = 'HIDDEN' where id = '${id}'`,
      `delete from launches where id = '${id}'`,
    ];
  },
  collections: async () => {
    const row = await add('collections', { source: 'internal', status: 'DRAFT', name: 'Collection draft' });
    const key = (row as unknown as { address: string }).address;
    await add('collection_holders', { collection_address: key, user_id: 'user-2' });
    const details = { collectionAddress: key, collectionName: 'Draft', image: 'https://i.example', itemIndex: 1 };
    await add('timeline_items', { user_id: 'user-1', type: 'BADGE_RECEIVED', details });
    return [
      `update collections set name = 'Collection x', status = null where address = '${key}'`,
      `delete from collections where address = '${key}'`,
    ];
  },
  contests: async () => {
    const { id } = await add('contests', { created_by_id: 'user-1', status: 'DRAFT' });
    await add('collection_contests', { collection_address: address, contest_id: id });
    await add('contest_submissions', { contest_id: id, user_id: 'user-1' });
    return [
      `update contests set title = 'new', status = 'open' where id = '${id}'`,
      `delete from contests where id = '${id}'`,
    ];
  },
  contest_submissions: async () => {
    const { id } = await add('contest_submissions', { contest_id: contestId, user_id: 'user-1', status: 'PENDING' });
    await add('contest_submission_supporters', { submission_id: id, user_id: 'user-2' });
    return [
      `update contest_submissions set status = 'REJECTED' where id = '${id}'`,
      `delete from contest_submissions where id = '${id}'`,
    ];
  },
};

for (const [table, insert] of Object.entries(hiddenRows))
  test(`hidden ${table} change no public byte`, async () => {
    const before = await everything();
    const [change, remove] = await insert();
    assert.deepEqual(await everything(), before, 'after insert');
    await owner.query(change);
    assert.deepEqual(await everything(), before, 'after update');
    await owner.query(remove);
    assert.deepEqual(await everything(), before, 'after delete');
  });

test('the same rows made public do change public bytes: the test can fail', async () => {
  const before = await everything();
  const { id } = await add('bounty_submissions', { bounty_id: bountyId, user_id: 'user-2' });
  await add('contest_submission_supporters', { submission_id: submissionId, user_id: 'user-2' });
  const changed = Object.entries(await everything()).filter(([path, body]) => before[path] !== body);
  assert.ok(changed.length >= 4, `${changed.length} paths changed`);
  await owner.query('delete from bounty_submissions where id = $1', [id]);
  await owner.query('delete from contest_submission_supporters where user_id = $1', ['user-2']);
  assert.deepEqual(await everything(), before);
});

test('a change of a user status changes no list and no count but that user’s own pages', async () => {
  const before = await everything();
  await owner.query(`update users set status = 'BANNED' where username = 'alice'`);
  const after = await everything();
  for (const [path, body] of Object.entries(after)) {
    if (path.includes('alice')) assert.match(body, /User not found/, path);
    else assert.equal(body.replaceAll('"BANNED"', '"ACTIVATED"'), before[path], path);
  }
  await owner.query(`update users set status = 'ACTIVATED' where username = 'alice'`);
});
