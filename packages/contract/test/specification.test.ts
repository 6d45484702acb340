// Compares section 4.2 of the specification, row by row, with the contract's table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '../src/index.ts';
import type { DefaultedName, Operation } from '../src/operation.ts';
import { table } from '../src/table.ts';

// # | operation | path | query | auth, in the specification's order.
const rows = `
1  | getAgent                     | /agents/{name}                                        |                | none
2  | getAgentMetadata             | /agents/{name}/metadata                               |                | none
3  | getBounty                    | /bounties/{slug}                                      |                | none
4  | listBountySubmissions        | /bounties/{bountyId}/submissions                      | page, pageSize | none
5  | listMyBountySubmissions      | /bounties/{bountyId}/submissions/me                   |                | required
6  | listBountyWinners            | /bounties/{bountyId}/winners                          |                | none
7  | listMyBounties               | /bounties/me                                          | page, pageSize | required
8  | listSponsorBounties          | /sponsors/{sponsorId}/bounties                        | page, pageSize | none
9  | listSponsorBountySubmissions | /sponsors/{sponsorId}/bounties/{bountyId}/submissions | page, pageSize | required
10 | getLaunch                    | /launches/{slug}                                      |                | optional
11 | listFeaturedLaunches         | /launches/featured                                    |                | none
12 | listUserLaunches             | /launches/user/{username}                             | page, pageSize | none
13 | listCollections              | /collections | page, pageSize, q, type, importance, isSbt, category, source, sortBy, sortOrder | none
14 | getCollection                | /collections/{address}                                |                | none
15 | listCollectionHolders        | /collections/{address}/holders                        | page, pageSize | none
16 | listContests                 | /contests                                             | page, pageSize, displayStatus | none
17 | getContestSubmission         | /contests/{contestId}/submissions/{submissionId}      |                | none
18 | getUserTimeline              | /users/{username}/timeline                            | offset, count, type | none
19 | getScoreTiers                | /users/scores/tiers                                   |                | none
20 | listRepositories             | /repositories | page, pageSize, q, category, ecosystem, importance, platform, status, sortBy, sortOrder | none
`
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));

test('the table has the twenty operations of the specification, in its order, and marks every other as an addition', () => {
  const specified = Object.values<Operation>(operations).filter(({ isAddition }) => isAddition !== true);
  assert.equal(rows.length, 20);
  assert.deepEqual(
    specified.map(({ id }) => id),
    rows.map(([, id]) => id),
  );
  assert.deepEqual(Object.keys(operations), Object.keys(table));
});

for (const [number, id, path, query, auth] of rows)
  test(`row ${number}: ${id} has the path, parameters and credential of the specification`, () => {
    const operation: Operation = operations[id as keyof typeof operations];
    assert.equal(operation.path, path);
    assert.equal(operation.auth, auth);
    const specified = Object.entries(operation.query).filter(([, schema]) => !('x-addition' in schema));
    assert.deepEqual(
      specified.map(([name]) => name),
      query === '' ? [] : query!.split(', '),
    );
    assert.deepEqual(
      Object.keys(operation.params),
      [...path!.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    );
  });

test('limits, allowed values and defaults of query parameters are those of the specification and gap G2', () => {
  type Schema = { minimum?: number; maximum?: number; default?: unknown; enum?: string[] };
  const of = (id: keyof typeof operations, name: string) => (operations[id] as Operation).query[name] as Schema;
  const max = 9007199254740991;
  for (const operation of Object.values<Operation>(operations).filter(({ answer }) => answer === 'page')) {
    const { page, pageSize } = operation.query as Record<string, Schema>;
    assert.deepEqual([page?.minimum, page?.maximum, page?.default], [1, max, 1]);
    assert.deepEqual([pageSize?.minimum, pageSize?.maximum, pageSize?.default], [1, 100, 20]);
  }
  const [offset, count] = [of('getUserTimeline', 'offset'), of('getUserTimeline', 'count')];
  assert.deepEqual([offset.minimum, offset.maximum, offset.default], [0, max, 0]);
  assert.deepEqual([count.minimum, count.maximum, count.default], [1, 100, 20]);
  assert.deepEqual(of('getUserTimeline', 'type').enum, ['COMMIT', 'PR', 'BADGE_RECEIVED', 'GIFT_RECEIVED']);
  assert.deepEqual(of('listContests', 'displayStatus').enum, ['active', 'completed']);
  assert.deepEqual(of('listCollections', 'source').enum, ['internal', 'external']);
  assert.deepEqual(of('listCollections', 'sortBy').enum, ['name', 'holdersCount', 'createdAt', 'onChainCreatedAt']);
  assert.deepEqual(of('listRepositories', 'sortBy').enum, ['createdAt', 'updatedAt', 'name', 'owner']);
  assert.deepEqual(of('listRepositories', 'status').enum, [
    'ECOSYSTEM',
    'NEED_REVIEW',
    'REVIEWED',
    'NEED_REVIEW_CONTEST',
  ]);
  for (const id of ['listCollections', 'listRepositories'] as const) {
    assert.equal(of(id, 'sortBy').default, 'createdAt');
    assert.deepEqual([of(id, 'sortOrder').enum, of(id, 'sortOrder').default], [['asc', 'desc'], 'desc']);
  }
});

test('every list without sortBy declares its order, except the holders, which do not show it', () => {
  const silent = Object.values<Operation>(operations).filter(
    ({ answer, query, order }) => ['page', 'slice'].includes(answer) && !('sortBy' in query) && order === undefined,
  );
  assert.deepEqual(
    silent.map(({ id }) => id),
    ['listCollectionHolders'],
  );
});

test('exactly the query parameters of DefaultedName have a default', () => {
  const listed = { page: 1, pageSize: 1, offset: 1, count: 1, sortBy: 1, sortOrder: 1 } satisfies Record<
    DefaultedName,
    1
  >;
  for (const operation of Object.values<Operation>(operations))
    for (const [name, schema] of Object.entries(operation.query))
      assert.equal('default' in schema, name in listed, `${operation.id} ${name}`);
});
