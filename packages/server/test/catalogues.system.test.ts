// Long catalogues: any page in every order and with every filter equals plain SQL, also with more combinations of filter
// values than are counted in blocks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { random } from '../../../test/helpers/random.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { repositories } from '../src/db/lists/declarations.ts';
import { wayOf } from '../src/db/lists/ways.ts';
import { verify } from '../src/db/schema/verify.ts';
import { blocksOf, totalsOf } from './helpers/lists.ts';

const world = await createWorld();
const { owner } = world;
const right = async () => assert.deepEqual((await verify(world.ownerUrl, false)).drifts, []);

test('filters are counted in blocks again when few combinations of values are left', async () => {
  const paint = (category: string) =>
    owner.query(`update repositories set category = ${category} where platform = 'wide'`);
  await owner.query(`
    insert into repositories (platform, platform_id, owner, name, status, contributors_count, created_at, updated_at)
    select 'wide', n, 'o', 'n', 's', 1, now(), now() from generate_series(1, 600) n`);
  for (let round = 0; round < 5; round++) await paint(`'k${round}-' || platform_id`);
  const { rows } = await owner.query(`select is_by_facet from ${totalsOf('repositories')} where facet = 0`);
  assert.deepEqual(rows, [{ is_by_facet: true }], 'combinations that no row has any more do not count');
  await owner.query(`delete from repositories where platform = 'wide'`);
  await right();
});

test('a page near the beginning is reached by walking, a later one by blocks, and a filtered one by the filtered strategy', () => {
  assert.deepEqual(
    (
      [
        [false, 0n],
        [false, 127n],
        [false, 128n],
        [false, 2n ** 60n],
        [true, 0n],
        [true, 10n ** 6n],
      ] as const
    ).map(([hasFilter, offset]) => wayOf(hasFilter, offset)),
    ['walk', 'walk', 'blocks', 'blocks', 'filtered', 'filtered'],
  );
});

test('any page of a long catalogue equals offset, in every order and with every filter', async () => {
  const writers = await Promise.all(
    [0, 1].map(async () => {
      const writer = new pg.Client(world.ownerUrl);
      await writer.connect();
      return writer;
    }),
  );
  // Two writers, so that one may count while the other wants to split blocks; later writes move rows between blocks.
  const insert = (from: number) => `
    insert into repositories (platform, platform_id, owner, name, category, status, contributors_count, created_at, updated_at)
    select 'p' || n % 2, 'long-' || n, 'o' || n % 9, 'n' || md5(n::text), (array['defi', 'nft', null])[1 + n % 3],
      (array['REVIEWED', 'ECOSYSTEM'])[1 + n % 2],
      1, '2026-01-01T00:00:00Z'::timestamptz + n / 7 * interval '1 s', '2026-01-01T00:00:00Z'
    from generate_series(${from}, ${from} + 3999) n`;
  await Promise.all(
    writers.map(async (writer, which) => {
      for (let batch = which; batch < 10; batch += 2) await writer.query(insert(batch * 4000));
      await writer.query(
        `update repositories set updated_at = created_at, category = 'rare' where platform_id like 'long-%${which}00'`,
      );
      await writer.query(`delete from repositories where platform_id like 'long-%${which}7'`);
      await writer.query(
        `${insert(20_000 + which * 20_000)} on conflict (platform, platform_id) do update set updated_at = now(), name = 'n'`,
      );
      await writer.end();
    }),
  );
  await right();
  for (const sort of Object.keys(repositories.sorts)) {
    const { rows } = await owner.query<{ n: number }>(
      `select count(*)::integer as n from ${blocksOf('repositories', sort)} where level = 0`,
    );
    assert.ok((rows[0]?.n ?? 0) >= 2, sort);
  }
  const api = await world.serve();
  const columns = { createdAt: 'created_at', updatedAt: 'updated_at', name: 'name', owner: 'owner' };
  for (const sortBy of ['createdAt', 'updatedAt', 'name', 'owner'] as const)
    for (const sortOrder of ['asc', 'desc'] as const)
      for (const filter of [
        {},
        { category: 'nft' },
        { category: 'rare' },
        { platform: 'p1', status: 'ECOSYSTEM' } as const,
      ]) {
        const conditions = Object.entries(filter).map(([name, value]) => `and ${name} = '${value}'`);
        const all = await owner.query<{ id: string }>(`
          select platform_id as id from repositories where true ${conditions.join(' ')}
          order by ${columns[sortBy]} ${sortOrder}, platform ${sortOrder}, platform_id ${sortOrder}`);
        const last = Math.ceil(all.rows.length / 100);
        for (const page of new Set([1, Math.ceil(last / 3), Math.ceil(last / 2), 1 + random(last), last, last + 1])) {
          const got = await api.client.listRepositories({ ...filter, sortBy, sortOrder, page, pageSize: 100 });
          assert.equal(got.total, all.rows.length);
          assert.deepEqual(
            got.items.map(({ platformId }) => platformId),
            all.rows.slice((page - 1) * 100, page * 100).map(({ id }) => id),
            `${sortBy} ${sortOrder} ${JSON.stringify(filter)} page ${page}`,
          );
        }
      }
});

test('totals and pages stay right with more combinations of filter values than are counted in blocks', async () => {
  await owner.query(`
    insert into repositories (platform, platform_id, owner, name, category, status, contributors_count, created_at, updated_at)
    select 'many', 'many-' || n, 'o', 'n', 'k' || n % 2500, 'REVIEWED', 1,
      '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 s', '2026-01-01T00:00:00Z'
    from generate_series(1, 20000) n`);
  const { rows } = await owner.query(`select is_long, is_by_facet from ${totalsOf('repositories')} where facet = 0`);
  assert.deepEqual(rows, [{ is_long: true, is_by_facet: false }]);
  await owner.query(`update repositories set category = 'k0' where platform_id like 'many-%1'`);
  await right();
  const api = await world.serve();
  const all = await owner.query<{ id: string }>(
    `select platform_id as id from repositories where platform = 'many' and category = 'k0' order by created_at, platform_id`,
  );
  for (const page of [1, 11, 21, 22]) {
    const filter = { platform: 'many', category: 'k0', sortBy: 'createdAt', sortOrder: 'asc' } as const;
    const got = await api.client.listRepositories({ ...filter, page, pageSize: 100 });
    assert.equal(got.total, all.rows.length);
    assert.deepEqual(
      got.items.map(({ platformId }) => platformId),
      all.rows.slice((page - 1) * 100, page * 100).map(({ id }) => id),
      `page ${page}`,
    );
  }
});
