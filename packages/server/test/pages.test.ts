// Every page of every kind of list equals the result of plain SQL, for lists of any length: without blocks and with one
// or two levels of blocks, in every order and filter, with many equal sort keys and with empty names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
const { owner, add } = world;
const api = await world.serve({ CHECK_RESPONSES: 'false' });
await add('users', { id: 'ada', username: 'ada' });
await add('collections', { address: 'c', name: 'c' });
await owner.query(`
  insert into users (id, username, display_name, status)
  select 'h' || n, 'h' || n, 'Holder', 'ACTIVATED' from generate_series(1, 1100) n`);

/** The first and the last pages, one past the end, and some in between. */
const pagesOf = (total: number, pageSize: number): number[] => {
  const last = Math.ceil(total / pageSize);
  return [...new Set([1, 2, 3, Math.ceil(last / 3), Math.ceil(last / 2), last - 1, last, last + 1])].filter(
    (n) => n > 0,
  );
};
const idsOf = async (statement: string): Promise<string[]> =>
  (await owner.query<{ id: string }>(statement)).rows.map(({ id }) => id);

test('pages of holders and timelines of 130, 300, 600 and 1,100 rows equal plain SQL', async () => {
  for (const length of [130, 300, 600, 1100]) {
    await owner.query(`
      insert into collection_holders select 'c', 'h' || n, '2026-01-01T00:00:00Z'::timestamptz + n / 5 * interval '1 s'
      from generate_series(1, ${length}) n on conflict do nothing;
      insert into timeline_items (user_id, id, type, date, details)
      select 'ada', 't' || n, (array['COMMIT', 'PR', 'GIFT_RECEIVED'])[1 + n % 3],
        '2026-01-01T00:00:00Z'::timestamptz + n / 5 * interval '1 s', jsonb_build_object('n', n)
      from generate_series(1, ${length}) n on conflict do nothing`);
    const holders = await idsOf(`select user_id as id from collection_holders order by acquired_at, user_id`);
    for (const page of pagesOf(length, 30)) {
      const got = await api.client.listCollectionHolders({ address: 'c', page, pageSize: 30 });
      assert.equal(got.total, length);
      assert.deepEqual(
        got.items.map(({ id }) => id),
        holders.slice((page - 1) * 30, page * 30),
        `${length} holders, page ${page}`,
      );
    }
    for (const type of [undefined, 'PR'] as const) {
      const items = await idsOf(
        `select details ->> 'n' as id from timeline_items ${type ? `where type = '${type}'` : ''} order by date, id`,
      );
      for (const offset of [0, 100, 128, 129, 200, 256, 512, items.length - 7, items.length].filter((n) => n >= 0)) {
        const got = await api.client.getUserTimeline({ username: 'ada', offset, count: 30, ...(type && { type }) });
        assert.equal(got.total, items.length);
        assert.deepEqual(
          got.items.map(({ details }) => String(details.n)),
          items.slice(offset, offset + 30),
          `${length} items, ${type}, offset ${offset}`,
        );
      }
    }
  }
});

const columns = { createdAt: 'created_at', updatedAt: 'updated_at', name: 'name', owner: 'owner' } as const;
const filters = [
  {},
  { category: 'nft' },
  { category: 'late' },
  { platform: 'p1', ecosystem: 'one' },
  { category: 'none' },
];

for (const length of [130, 300, 5000, 8500, 12_000])
  test(`pages of a catalogue of ${length} rows equal plain SQL in every order and filter`, async () => {
    await owner.query(`
      insert into repositories (platform, platform_id, owner, name, category, ecosystem, status, contributors_count,
        created_at, updated_at)
      select 'p' || n % 2, 'r' || n, 'o' || n % 9, case when n % 10 = 0 then '' else md5((n / 3)::text) end,
        case when n > ${length - 100} then 'late' else (array['defi', 'nft'])[1 + n % 2] end, (array['one', 'two'])[1 + n % 2],
        'REVIEWED', 1, '2026-01-01T00:00:00Z'::timestamptz + n / 7 * interval '1 s', '2026-01-01T00:00:00Z'
      from generate_series(1, ${length}) n
      on conflict (platform, platform_id) do update set category = excluded.category`);
    for (const [sortBy, column] of Object.entries(columns) as [keyof typeof columns, string][])
      for (const sortOrder of ['asc', 'desc'] as const)
        for (const filter of filters) {
          const conditions = Object.entries(filter).map(([name, value]) => `and ${name} = '${value}'`);
          const all = await idsOf(`
            select platform_id as id from repositories where true ${conditions.join(' ')}
            order by ${column} ${sortOrder}, platform ${sortOrder}, platform_id ${sortOrder}`);
          for (const page of pagesOf(all.length, 50)) {
            const got = await api.client.listRepositories({ ...filter, sortBy, sortOrder, page, pageSize: 50 });
            assert.equal(got.total, all.length);
            assert.deepEqual(
              got.items.map(({ platformId }) => platformId),
              all.slice((page - 1) * 50, page * 50),
              `${sortBy} ${sortOrder} ${JSON.stringify(filter)} page ${page}`,
            );
          }
        }
  });
