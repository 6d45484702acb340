// Totals and counted blocks are right after single statements that empty, fill, split or drop blocks: deletes, upserts,
// COPY, a rollback, TRUNCATE. In a data set of their own, because each is followed by a recount of everything.
// lanes: 15 18
import assert from 'node:assert/strict';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { from as copyFrom } from 'pg-copy-streams';
import { createWorld } from '../../../test/helpers/world.ts';
import { verify } from '../src/db/schema/verify.ts';
import { blocksOf, totalsOf } from './helpers/lists.ts';
import { prepareWrites } from './helpers/writes.ts';

const world = await createWorld();
const { owner, add } = world;
const right = async () => assert.deepEqual((await verify(world.ownerUrl, false)).drifts, []);

await prepareWrites(world);

test('rows of an upsert that makes a list long or its blocks large are counted once', async () => {
  await add('collections', { address: 'c4', name: 'c4' });
  const upsert = (from: number, to: number) =>
    owner.query(`
      insert into collection_holders select 'c4', 'h' || n, '2026-03-01T00:00:00Z'::timestamptz + n * interval '1 s'
      from generate_series(${from}, ${to}) n
      on conflict (collection_address, user_id) do update set acquired_at = excluded.acquired_at + interval '1 day'`);
  for (const [from, to] of [
    [1, 900],
    [800, 1500],
    [1400, 3000],
    [1, 6000],
  ] as const) {
    await upsert(from, to);
    await right();
  }
  await owner.query(`
    with gone as (delete from collection_holders where collection_address = 'c4' and user_id like 'h%1' returning user_id)
    insert into collection_holders select 'c3', user_id, now() from gone on conflict do nothing`);
  await right();
});

test('a list has blocks from 513 rows on, until it has 256 again', async () => {
  await add('collections', { address: 'c5', name: 'c5' });
  const isLongWith = async (count: number): Promise<unknown> => {
    await owner.query(
      `delete from collection_holders where collection_address = 'c5' and substr(user_id, 2)::integer > ${count}`,
    );
    await owner.query(`
      insert into collection_holders select 'c5', 'h' || n, '2026-03-01T00:00:00Z' from generate_series(1, ${count}) n
      on conflict do nothing`);
    await right();
    const { rows } = await owner.query(`select is_long from ${totalsOf('holders')} where parent = 'c5' and facet = 0`);
    return rows[0]?.is_long;
  };
  const found = [];
  for (const count of [512, 513, 257, 256]) found.push([count, await isLongWith(count)]);
  assert.deepEqual(found, [
    [512, false],
    [513, true],
    [257, true],
    [256, false],
  ]);
});

test('COPY, a rollback, a delete of a parent and TRUNCATE leave totals and blocks right', async () => {
  await owner.query(`delete from collection_holders where collection_address = 'c3'`);
  const lines = Array.from(
    { length: 3000 },
    (_, n) => `c3\th${n + 1}\t2025-01-01T00:00:${String(n % 60).padStart(2, '0')}Z\n`,
  );
  await pipeline(
    lines,
    owner.query(copyFrom('copy collection_holders (collection_address, user_id, acquired_at) from stdin')),
  );
  await right();
  await owner.query(`begin; delete from collection_holders; delete from timeline_items; rollback`);
  await right();
  await owner.query(`delete from collections where address = 'c3'`);
  await right();
  await owner.query('truncate collection_holders, timeline_items');
  await right();
  const { rows } = await owner.query<{ n: number }>(
    `select (select count(*) from ${blocksOf('holders', 'acquired')}) + (select count(*) from ${blocksOf('timeline', 'date')})
      + (select count(*) from ${blocksOf('timeline', 'date')}_facets) + (select count(*) from ${totalsOf('holders')}) as n`,
  );
  assert.equal(Number(rows[0]?.n), 0);
});

test('emptying the beginning of a group of blocks and filling it again leaves both levels right', async () => {
  await add('collections', { address: 'deep', name: 'deep' });
  await owner.query(`
    insert into users (id, username, display_name, status)
    select 'd' || n, 'd' || n, 'Holder', 'ACTIVATED' from generate_series(1, 60000) n;
    insert into collection_holders select 'deep', 'd' || n, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 s'
    from generate_series(1, 60000) n`);
  const { rows } = await owner.query<{ from: string }>(
    `select acquired_at::text as from from ${blocksOf('holders', 'acquired')} where parent = 'deep' and level = 1 order by 1 offset 1 limit 1`,
  );
  assert.equal(rows.length, 1, 'there are two groups');
  const range = `between '${rows[0]!.from}' and '${rows[0]!.from}'::timestamptz + interval '300 s'`;
  await owner.query(
    `create temp table gone as select * from collection_holders where collection_address = 'deep' and acquired_at ${range}`,
  );
  await owner.query(`delete from collection_holders where collection_address = 'deep' and acquired_at ${range}`);
  await right();
  await owner.query('insert into collection_holders select * from gone');
  await right();
  await owner.query(`delete from collections where address = 'deep'`);
});
