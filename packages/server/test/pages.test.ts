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
/** Ranges of seconds after the first row: at rows and between them, with one bound, before all rows and behind them. */
const rangesOf = (seconds: number) =>
  [
    [0, seconds / 2],
    [seconds / 3, seconds - 1],
    [1, 2],
    [seconds / 2, null],
    [null, seconds / 3 + 0.5],
    [-9, 0],
    [seconds + 1, null],
  ].map(([from, to]) => ({ ...(from !== null && { from: at(from!) }), ...(to !== null && { to: at(to!) }) }));
const at = (second: number): string =>
  new Date(Date.UTC(2026, 0, 1) + Math.floor(second) * 1000 + (second % 1) * 1000).toISOString();
const inRange = (column: string, { from, to }: { from?: string; to?: string }): string =>
  `${from ? `and ${column} >= '${from}'` : ''} ${to ? `and ${column} < '${to}'` : ''}`;
const idsOf = async (statement: string): Promise<string[]> =>
  (await owner.query<{ id: string }>(statement)).rows.map(({ id }) => id);

/** Fills the holders of one collection and the timeline of one user, five rows a second. */
const fillTo = (length: number) =>
  owner.query(`
    insert into collection_holders select 'c', 'h' || n, '2026-01-01T00:00:00Z'::timestamptz + n / 5 * interval '1 s'
    from generate_series(1, ${length}) n on conflict do nothing;
    insert into timeline_items (user_id, id, type, date, details)
    select 'ada', 't' || n, (array['COMMIT', 'PR', 'GIFT_RECEIVED'])[1 + n % 3],
      '2026-01-01T00:00:00Z'::timestamptz + n / 5 * interval '1 s', jsonb_build_object('n', n)
    from generate_series(1, ${length}) n on conflict do nothing`);

test('pages of holders and timelines of 130, 300, 600 and 1,100 rows equal plain SQL', async () => {
  for (const length of [130, 300, 600, 1100]) {
    await fillTo(length);
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

test('a range of holders and timelines of 300, 600 and 1,100 rows equals plain SQL, on any page and in both directions', async () => {
  await owner.query('delete from collection_holders; delete from timeline_items');
  for (const length of [300, 600, 1100]) {
    await fillTo(length);
    for (const range of rangesOf(length / 5)) {
      const holders = await idsOf(
        `select user_id as id from collection_holders where true ${inRange('acquired_at', range)} order by acquired_at, user_id`,
      );
      for (const page of pagesOf(holders.length, 30)) {
        const got = await api.client.listCollectionHolders({ address: 'c', page, pageSize: 30, ...range });
        const what = `${length} holders, ${JSON.stringify(range)}, page ${page}`;
        assert.equal(got.total, holders.length, what);
        assert.deepEqual(
          got.items.map(({ id }) => id),
          holders.slice((page - 1) * 30, page * 30),
          what,
        );
      }
      for (const type of [undefined, 'PR'] as const)
        for (const sortOrder of ['asc', 'desc'] as const) {
          const items = await idsOf(`
            select details ->> 'n' as id from timeline_items
            where ${type ? `type = '${type}'` : 'true'} ${inRange('date', range)} order by date ${sortOrder}, id ${sortOrder}`);
          for (const offset of [0, 130, 200, items.length - 7, items.length].filter((n) => n >= 0)) {
            const asked = { username: 'ada', offset, count: 30, sortOrder, ...range, ...(type && { type }) };
            const got = await api.client.getUserTimeline(asked);
            const what = `${length} items, ${JSON.stringify(asked)}`;
            assert.equal(got.total, items.length, what);
            assert.deepEqual(
              got.items.map(({ details }) => String(details.n)),
              items.slice(offset, offset + 30),
              what,
            );
          }
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
    // A filter with many matches, one with few, one without; a search.
    for (const range of length === 300 || length === 12_000 ? rangesOf(length / 7) : [])
      for (const filter of [...filters, { q: 'a' }]) {
        const conditions = Object.entries(filter).map(([name, value]) =>
          name === 'q' ? `and (owner || '/' || name) like '%${value}%'` : `and ${name} = '${value}'`,
        );
        for (const sortOrder of ['asc', 'desc'] as const) {
          const all = await idsOf(`
            select platform_id as id from repositories where true ${conditions.join(' ')} ${inRange('created_at', range)}
            order by created_at ${sortOrder}, platform ${sortOrder}, platform_id ${sortOrder}`);
          for (const page of new Set([1, 4, Math.ceil(all.length / 100), Math.ceil(all.length / 50) + 1])) {
            if (page === 0) continue;
            const got = await api.client.listRepositories({ ...filter, ...range, sortOrder, page, pageSize: 50 });
            const what = `${sortOrder} ${JSON.stringify({ ...filter, ...range })} page ${page}`;
            assert.equal(got.total, all.length, what);
            assert.deepEqual(
              got.items.map(({ platformId }) => platformId),
              all.slice((page - 1) * 50, page * 50),
              what,
            );
          }
        }
      }
  });
