// Rejections that only the database can decide, in plain words, and the rows that another try has to wait for.
// lanes: 15 18
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createWorld } from '../../../test/helpers/world.ts';
import { readConstraints } from '../src/records/constraints.ts';
import { recordReader, tableNamed } from '../src/records/records.ts';
import { databaseProblem } from '../src/records/refusals.ts';
import { isShown, publicStates } from '../src/visibility/states.ts';
import { fileOf, load } from './helpers/dataset-files.ts';

const world = await createWorld();
const { add, owner } = world;
await add('users', { id: 'u1', username: 'ada' });
await add('users', { id: 'u2', username: 'eva' });
await add('sponsors', { id: 's1' });
await add('bounties', { id: 'b1', slug: 'guide', sponsor_id: 's1' });
await add('contests', { id: 'k1', created_by_id: 'u1' });
await add('launches', { id: 'l1', submitted_by_id: 'u1' });
await add('agents', { id: 'a1', owner_id: 'u2' });
const catalogue = await readConstraints(owner);

/** The problem that a failing write is translated to. */
const refusal = async (table: string, record: Record<string, unknown>, write?: string) => {
  await owner.query('begin');
  try {
    await (write === undefined ? add(table, record) : owner.query(write));
  } catch (error) {
    return databaseProblem(error, tableNamed(table), record, catalogue);
  } finally {
    await owner.query('rollback');
  }
  throw new Error('the write was accepted');
};

test('a unique value that another row has is named, and the record waits for a change of that table', async () => {
  assert.deepEqual(await refusal('bounties', { slug: 'guide', sponsor_id: 's1' }), {
    reason: 'slug: "guide" is the slug of another row of bounties; change one of the two',
    waitsFor: ['bounties'],
  });
  await add('launch_makers', { launch_id: 'l1', user_id: 'u1', position: 1 });
  assert.deepEqual(await refusal('launch_makers', { launch_id: 'l1', user_id: 'u2', position: 1 }), {
    reason:
      'launch_id, position: "l1" and 1 are the launch_id and position of another row of launch_makers; change one of the two',
    waitsFor: ['launch_makers'],
  });
  const address = `0x${'ab'.repeat(20)}`;
  await add('collections', { address });
  assert.deepEqual(await refusal('collections', { address: address.replaceAll('a', 'A') }), {
    reason: `address: "${address.replaceAll('a', 'A')}" is the address of another row of collections, in this or another spelling; change one of the two`,
    waitsFor: ['collections'],
  });
  const hash = Buffer.alloc(32, 1);
  await add('api_keys', { user_id: 'u1', hash });
  const { reason } = await refusal('api_keys', { user_id: 'u1', hash });
  assert.equal(reason, 'hash: the value is the hash of another row of api_keys; change one of the two');
});

test('a missing parent row is named by its key, and the record waits for that row', async () => {
  assert.deepEqual(await refusal('agents', { owner_id: 'u9' }), {
    reason: 'owner_id: there is no users row with the id "u9"; load users first',
    waitsFor: ['users u9'],
  });
  const entry = { contest_id: 'k1', user_id: 'u1', repository_platform: 'github', repository_platform_id: '5' };
  assert.deepEqual(await refusal('contest_submissions', entry), {
    reason:
      'repository_platform, repository_platform_id: there is no repositories row with the platform "github" and the platform_id "5"; load repositories first',
    waitsFor: ['repositories github\x1f5'],
  });
});

test('the tables that still refer to a row are named when it is deleted, and the delete waits for them', async () => {
  assert.deepEqual(await refusal('users', { id: 'u2' }, `delete from users where id = 'u2'`), {
    reason: 'agents still refer to it; delete or change those rows first',
    waitsFor: ['agents'],
  });
  assert.deepEqual((await refusal('sponsors', { id: 's1' }, `delete from sponsors where id = 's1'`)).waitsFor, [
    'bounties',
  ]);
});

test('exceeded limits of lists without pages and erased users are described', async () => {
  const featured = { submitted_by_id: 'u1', featured_at: '2026-01-05T00:00:00.000Z' };
  for (let n = 0; n < 100; n++) await add('launches', featured);
  const full = await refusal('launches', featured);
  assert.match(
    full.reason,
    /^featured_at: at most 100 launches can be featured, and 100 are; set featured_at of another/,
  );
  assert.deepEqual(full.waitsFor, ['launches']);

  const submission = { bounty_id: 'b1', user_id: 'u1' };
  for (let n = 0; n < 100; n++) await add('bounty_submissions', { ...submission, prize_place: 1 });
  const winners = await refusal('bounty_submissions', { bounty_id: 'b1', user_id: 'u2', prize_place: 2 });
  assert.match(winners.reason, /^prize_place: a bounty can have at most 100 winners, and "b1" has them; /);
  const more = await refusal('bounty_submissions', submission);
  assert.match(
    more.reason,
    /^user_id: a user can have at most 100 submissions to one bounty, and "u1" has them to "b1"; /,
  );
  assert.deepEqual([winners.waitsFor, more.waitsFor], [['bounty_submissions'], ['bounty_submissions']]);

  const hash = createHash('sha256').update('gone').digest();
  await owner.query('insert into erasures (hash, erased_at) values ($1, now())', [hash]);
  assert.deepEqual(await refusal('users', { id: 'gone' }), {
    reason: 'the user has been erased; to allow them again: commonhall erase allow gone',
    waitsFor: null,
  });
});

test('any other rejection is a sentence without the name of a constraint', async () => {
  const wrong: [table: string, record: Record<string, unknown>][] = [
    ['users', { status: '' }],
    ['users', { display_name: null }],
    ['bounties', { sponsor_id: 's1', published_at: null }],
    ['bounties', { sponsor_id: 's1', slug: 'me' }],
    ['launch_claps', { launch_id: 'l1', user_id: 'u1', claps: 2 ** 40 }],
    ['contest_submissions', { contest_id: 'k1', user_id: 'u1', repository_platform: 'github' }],
  ];
  const names = [...catalogue.keys()].map((key) => key.split('.')[1]!);
  assert.ok(names.length > 60);
  for (const [table, record] of wrong) {
    const { reason, waitsFor } = await refusal(table, record);
    assert.match(
      reason,
      /the database does not accept .* \(SQLSTATE [0-9A-Z]{5}\); compare the record with: commonhall schema /,
    );
    assert.ok(!names.some((name) => reason.includes(name)) && !/_check|_text/.test(reason), reason);
    assert.equal(waitsFor, null);
  }
});

test('import prints the same texts, one line for each record, as in the examples of docs/loading-data.md', async () => {
  const t0 = '2026-01-05T00:00:00.000Z';
  const stamps = { created_at: t0, updated_at: t0, published_at: t0 };
  const user = { id: 'u3', username: 'ada', display_name: 'A', status: 'active', tags: [], god_mode: false };
  const { display_name, ...without } = user;
  const agent = {
    ...{ ...stamps, id: 'a1', name: 'a1', display_name: 'A', bio: '', services: [], active: true, x402_support: true },
    ...{ supported_trust: [], registrations: [], social_accounts: [], tags: [], status: 'PUBLISHED', owner_id: 'u9' },
  };
  const launch = {
    ...{
      ...stamps,
      id: 'l1',
      slug: 'l1',
      name: 'L',
      tagline: '',
      description: '',
      screenshot_urls: [],
      status: 'LIVE',
    },
    ...{ launch_week: 'tomorrow', rating: 1.5, launch_week_rating: 0, comment_count: 0, submitted_by_id: 'u1' },
  };
  const rejectedOf = async (table: string, records: object[]) =>
    (
      await load(
        world,
        fileOf(
          `${table}.ndjson`,
          records.map((record) => JSON.stringify(record)),
        ),
      )
    ).rejected;
  const rejected = [
    ...(await rejectedOf('users', [user, { ...without, id: 'u4', username: 'a b' }])),
    ...(await rejectedOf('agents', [agent])),
    ...(await rejectedOf('launches', [...Array(2).fill({ ...launch, id: '' }), launch])),
  ];
  assert.ok(
    rejected.includes(
      'rejected users.ndjson:1 u3: username: "ada" is the username of another row of users; change one of the two',
    ),
  );
  const examples = readFileSync('docs/loading-data.md', 'utf8').match(/^rejected \w+\.ndjson:.*$/gm) ?? [];
  assert.equal(examples.length, 3);
  for (const example of examples) assert.ok(rejected.includes(example), `${example}\n${rejected.join('\n')}`);
});

test('Node and SQL compute the same hash of a key', async () => {
  const read = recordReader(tableNamed('collection_contests'));
  const parsed = read(1, Buffer.from('{"collection_address": "ä", "contest_id": "k1", "role": ""}'));
  assert.ok('keyHash' in parsed);
  const { rows } = await owner.query<{ md5: string }>(`select md5(array_to_string($1::text[], E'\\x1f'))`, [
    ['ä', 'k1', ''],
  ]);
  assert.equal(parsed.keyHash, rows[0]?.md5);
});

test('isShown of a record equals is_public of its row in the database', async () => {
  const states = [
    ...new Set(Object.values(publicStates).flat()),
    'DRAFT',
    'draft',
    'Draft',
    'live',
    'Active',
    'ACTIVATED',
    'X',
  ];
  const t0 = '2026-01-05T00:00:00.000Z';
  const parents: Record<string, object> = {
    users: {},
    agents: { owner_id: 'u1' },
    bounties: { sponsor_id: 's1' },
    bounty_submissions: { bounty_id: 'b1', user_id: 'u2' },
    launches: { submitted_by_id: 'u1' },
    contests: { created_by_id: 'u1' },
    contest_submissions: { contest_id: 'k1', user_id: 'u1' },
    collections: {},
    repositories: {},
    sponsors: {},
  };
  const compared = { shown: 0, hidden: 0 };
  for (const [table, parent] of Object.entries(parents)) {
    const { columns } = tableNamed(table);
    const choices: Record<string, unknown[]> = {
      status: table === 'collections' ? [null, ...states] : states,
      visibility: [null, 'public', 'hidden'],
      ...(table === 'launches' ? { published_at: [null, t0] } : {}),
      source: ['internal', 'external'],
    };
    const names = Object.keys(choices).filter((name) => name in columns);
    let records: Record<string, unknown>[] = [{}];
    for (const name of names)
      records = records.flatMap((record) => choices[name]!.map((value) => ({ ...record, [name]: value })));
    for (const record of records) {
      await owner.query('begin');
      const row = await add(table, { ...parent, ...record }).catch(() => null);
      await owner.query('rollback');
      if (row === null) {
        assert.ok(table === 'launches' && record.published_at === null, `${table} ${JSON.stringify(record)}`);
        continue;
      }
      compared[isShown(table, record) ? 'shown' : 'hidden'] += 1;
      const inDatabase = row.is_public ?? true; // a sponsor has no such column: all are public
      assert.equal(isShown(table, record), inDatabase, `${table} ${JSON.stringify(record)}`);
    }
  }
  assert.ok(compared.shown > 50 && compared.hidden > 100, JSON.stringify(compared));
  for (const table of Object.keys(publicStates))
    for (const record of [
      {},
      { status: null },
      { status: 5 },
      { status: ['OPEN'] },
      { status: 'OPEN', visibility: 'no' },
    ])
      assert.equal(isShown(table, record), false, `${table} ${JSON.stringify(record)}`);
  for (const record of [
    {},
    { source: 'other' },
    { source: 'internal', status: 5 },
    { source: 'external', visibility: 1 },
  ])
    assert.equal(isShown('collections', record), false, JSON.stringify(record));
});
