// The rows of one page of a declared list (declarations.ts), at a cost that does not grow with the page number: the SQL of
// each way of ways.ts.

import type { Sql } from '../sql.ts';
import { joinSql, plain, remembered, sql } from '../sql.ts';
import type { List } from './declarations.ts';
import { hasFacetIndex, lowest } from './declarations.ts';
import { blocksTable, totalsTable } from './generator.ts';
import { fewFitting, nearWalk, wayOf } from './ways.ts';

export const plainList = (names: readonly string[], alias: string, direction = ''): Sql =>
  plain(names.map((name) => `${alias}.${name}${direction}`).join(', '));

/** Only rows whose sort value is at or after `from`, and before `to`. The sort value is an instant, or a text like one. */
export interface Range {
  from?: string | undefined;
  to?: string | undefined;
}
const hasRange = ({ from, to }: Range): boolean => from !== undefined || to !== undefined;

/** A list read without a filter. */
export const unfiltered = { fitting: null, fits: undefined } as const;

export interface ListRead {
  list: List;
  sort: string;
  isUp: boolean;
  /** The key of the parent; null where the list has none. */
  parent: Sql | null;
  /** Selects the facets that match the filter; null: no filter. */
  fitting: Sql | null;
  /** The condition that a row `r` matches the filter, answered by the index of the order; undefined: no filter. */
  fits: Sql | undefined;
  range?: Range;
}
/** The bounds of a list read. Where null is last in an order it is stored as infinite, and is in no range. */
export const boundsOf = ({ list, sort, range = {} }: ListRead): Range => {
  if (!hasRange(range) || list.sorts[sort]?.isNullLast !== true) return range;
  return { from: range.from ?? '0001-01-01T00:00:00.000Z', to: range.to ?? 'infinity' };
};
/** Conditions on the sort value of a row `r`. */
export const inRange = (read: ListRead): Sql[] => {
  const { from, to } = boundsOf(read);
  const { column, type } = read.list.sorts[read.sort]!;
  const value = plain(`r.${column}`);
  return [
    ...(from === undefined ? [] : [sql`${value} >= ${from}::${plain(type)}`]),
    ...(to === undefined ? [] : [sql`${value} < ${to}::${plain(type)}`]),
  ];
};

/** The rows of a page. */
export interface Window {
  limit: number;
  offset: bigint;
}
/** The exact number of rows of the list under the filter and in the range, as named in the statement of a page. */
const total = sql`t.total`;

/** SQL that depends on the declaration only, built once. */
export const namesOf = remembered((list: List) => ({
  table: plain(list.table),
  whole: plain(totalsTable(list)),
  parent: list.parent === null ? null : plain(`r.${list.parent}`),
  counted: list.counted === null ? null : plain(`r.${list.counted}`),
  orders: Object.fromEntries(
    Object.entries(list.sorts).map(([sort, { column }]) => {
      const keys = [column, ...list.id];
      const order = { up: plainList(keys, 'r'), down: plainList(keys, 'r', ' desc') };
      return [
        sort,
        { block: plain(blocksTable(list, sort)), keys: remembered((of: string) => plainList(keys, of)), order },
      ];
    }),
  ),
}));

/** The facet of a row `r`. */
export const facetOf = remembered(({ facets }: List) => plain(facets?.number('r.') ?? '0'));

/** The pieces of SQL that all ways share. */
export const sqlOf = (read: ListRead) => {
  const names = namesOf(read.list);
  const found = names.orders[read.sort];
  if (found === undefined) throw new Error(`the list ${read.list.name} has no order ${read.sort}`);
  const { block, keys, order } = found;
  const parent = read.parent ?? sql`''`;
  const conditions = [
    ...(names.parent === null ? [] : [sql`${names.parent} = ${parent}`]),
    ...(names.counted === null ? [] : [names.counted]),
  ];
  return {
    table: names.table,
    block,
    parent,
    keys,
    order: read.isUp ? order.up : order.down,
    /** A condition on `w`, the row with the total of the whole list. */
    ifList: (condition: Sql): Sql => sql`
      exists (select from ${names.whole} w where w.parent = ${parent} and w.facet = 0 and (${condition}))`,
    where: (more: readonly (Sql | undefined)[]): Sql => {
      const all = [...conditions, ...more.filter((one) => one !== undefined)];
      return all.length === 0 ? sql`true` : joinSql(all, ' and ');
    },
  };
};

/**
 * Rows by their keys `k`, unordered. They are joined by the whole key of the order, so that its index is used whatever
 * length of the list the planner estimates.
 */
const rowsBy = (read: ListRead, found: Sql): Sql => {
  const { table, keys, where } = sqlOf(read);
  return sql`
    select r.*
    from (${found}) k
    cross join lateral (select * from ${table} r where ${where([sql`(${keys('r')}) = (${keys('k')})`])} offset 0) r`;
};

/** The position of the page in the list under the filter, counted in ascending order, and its number of rows. */
const countedUpwards = (read: ListRead, { limit, offset }: Window) => {
  const [all, from] = [sql`${limit}::bigint`, sql`${offset.toString()}::bigint`];
  const begin = read.isUp ? from : sql`greatest(${total} - ${from} - ${all}, 0)`;
  return {
    begin: boundsOf(read).from === undefined ? begin : sql`(start.before + ${begin})`,
    wanted: sql`least(${all}, ${total} - ${from})`,
  };
};

/** The most level 0 blocks in a block of level 1. A limit, so that the planner does not read all blocks. */
const mostBlocks = ({ fan }: List): Sql => plain(String(2 * fan + 1));

/** Walks from the block in which the page begins. A short list has no blocks and is walked from its beginning. */
const byBlocks = (read: ListRead, window: Window): Sql => {
  const { table, block, parent, keys, where } = sqlOf(read);
  const { begin, wanted } = countedUpwards(read, window);
  const blockAt = (level: number, place: Sql, from: Sql, most: Sql): Sql => sql`
    select s.*
    from (
      select ${keys('b')}, sum(b.rows) over (order by ${keys('b')} rows unbounded preceding) - b.rows as before
      from ${block} b
      where b.parent = ${parent} and b.level = ${plain(String(level))} ${from}
      order by ${keys('b')}
      ${most}
    ) s
    where s.before <= ${place}
    order by s.before desc, ${plain(`${read.list.sorts[read.sort]!.column} desc`)}
    limit 1`;
  const { column, type } = read.list.sorts[read.sort]!;
  const start = plain(
    [`coalesce(b.${column}, ${lowest[type]})`, ...read.list.id.map((id) => `coalesce(b.${id}, '')`)].join(', '),
  );
  return sql`
    select w.*
    from (select) one
    left join lateral (${blockAt(1, begin, sql``, sql``)}) u on true
    left join lateral (
      ${blockAt(0, sql`${begin} - u.before`, sql`and (${keys('b')}) >= (${keys('u')})`, sql`limit ${mostBlocks(read.list)}`)}
    ) b on true
    cross join lateral (
      select ${keys('r')}
      from ${table} r
      where ${where([sql`(${keys('r')}) >= (${start})`])}
      order by ${keys('r')}
      limit ${wanted} offset ${begin} - coalesce(u.before + b.before, 0)
    ) w`;
};

/** Finds the blocks that have rows of the page under a filter, and walks each block for these rows only. */
const byFacets = (read: ListRead, window: Window, gate: Sql): Sql => {
  const { table, block, parent, keys, where } = sqlOf(read);
  const { begin, wanted } = countedUpwards(read, window);
  const counted = (from: Sql): Sql => sql`
    select ${keys('b')}, b.next, f.rows
    from ${from} b
    cross join lateral (
      select sum(f.rows) as rows
      from ${plain(`${blocksTable(read.list, read.sort)}_facets`)} f
      where f.block = b.block and f.facet = any (array(${read.fitting ?? sql``}))
    ) f
    where f.rows > 0`;
  const overlapping = (rows: Sql): Sql => sql`
    select s.* from (${rows}) s where s.before < ${begin} + ${wanted} and s.before + s.rows > ${begin}`;
  const upper = sql`
    select u.*, sum(u.rows) over (order by ${keys('u')} rows unbounded preceding) - u.rows as before
    from (${counted(sql`(
      select b.block, ${keys('b')}, lead(b.block) over (order by ${keys('b')}) as next
      from ${block} b
      where b.parent = ${parent} and b.level = 1 and ${gate}
    )`)}) u`;
  const lower = sql`
    select b.*, u.before + sum(b.rows) over (partition by u.before order by ${keys('b')} rows unbounded preceding) - b.rows as before
    from (${overlapping(upper)}) u
    left join ${block} n on n.block = u.next
    cross join lateral (${counted(sql`(
      select b.block, ${keys('b')}, 0 as next
      from (
        select * from ${block} b
        where b.parent = ${parent} and b.level = 0 and (${keys('b')}) >= (${keys('u')})
        order by ${keys('b')}
        limit ${mostBlocks(read.list)}
      ) b
      where n.block is null or (${keys('b')}) < (${keys('n')})
    )`)}) b`;
  return sql`
    select w.*
    from (${overlapping(lower)}) b
    cross join lateral (
      select ${keys('r')}
      from ${table} r
      where ${where([sql`(${keys('r')}) >= (${keys('b')})`, read.fits])}
      order by ${keys('r')}
      limit least(${begin} + ${wanted} - b.before, b.rows) - greatest(${begin} - b.before, 0)
      offset greatest(${begin} - b.before, 0)
    ) w`;
};

/** The condition that the matches of a filter are fetched by their facets; `whole`: how many there are. Undefined: never. */
export const isFewOf = (read: ListRead, whole: Sql): Sql | undefined =>
  hasFacetIndex(read.list) ? sqlOf(read).ifList(sql`${whole} <= ${fewFitting} or not w.is_by_facet`) : undefined;
/** Selects the matches of a filter by their facets, as `r`. */
export const rowsByFacet = (read: ListRead, conditions: readonly (Sql | undefined)[]): Sql => {
  const { table, where } = sqlOf(read);
  return sql`
      from (${read.fitting ?? sql``}) f
      -- Offset 0 is an optimization fence: the facet's index is used whatever number of rows the planner estimates.
      cross join lateral (
        select * from ${table} r where ${where([sql`${facetOf(read.list)} = f.facet`, ...conditions])} offset 0
      ) r`;
};

/** Under a filter: few matches are fetched by their facets, many are found by blocks. */
const filtered = (read: ListRead, window: Window, whole: Sql): Sql => {
  const { keys, order } = sqlOf(read);
  const isFew = isFewOf(read, whole);
  if (isFew === undefined) return byFacets(read, window, sql`true`);
  return sql`
    (${byFacets(read, window, sql`not ${isFew}`)})
    union all (
      select ${keys('r')}
      ${rowsByFacet(read, [isFew, ...inRange(read)])}
      order by ${order}
      limit ${window.limit}::bigint offset ${window.offset.toString()}::bigint
    )`;
};

/** Selects the rows of the page, `r.*`, unordered. `whole`: how many rows the list has under the filter, in any range. */
export const pageRows = (read: ListRead, window: Window, whole: Sql): Sql => {
  const { table, order, where } = sqlOf(read);
  switch (wayOf(read.fitting !== null, window.offset)) {
    case 'walk':
      return sql`
        select r.* from ${table} r where ${where(inRange(read))} order by ${order}
        limit ${window.limit}::bigint offset ${window.offset.toString()}::bigint`;
    case 'blocks':
      return rowsBy(read, byBlocks(read, window));
    case 'filtered':
      return rowsBy(read, filtered(read, window, whole));
  }
};

/**
 * The same for a filtered page that is probably near the beginning of its order. This statement takes a quarter of the
 * time of the general one. If it finds fewer rows than the page has, the rest is further on. Null: it cannot be near.
 */
export const nearRows = (read: ListRead, { limit, offset }: Window): Sql | null => {
  const most = nearWalk(read.list);
  if (read.fitting === null || offset >= most) return null;
  const { table, keys, order, where, ifList } = sqlOf(read);
  const end = sql`(${offset.toString()}::bigint + ${limit}::bigint)`;
  const isNear = ifList(sql`w.rows <= ${most} or ${end} * w.rows <= ${total} * ${most / 4}`);
  return rowsBy(
    read,
    sql`
      select ${keys('r')}
      from (select r.* from ${table} r where ${where([isNear, ...inRange(read)])} order by ${order} limit ${most}) r
      where ${read.fits ?? sql`true`}
      limit ${limit}::bigint offset ${offset.toString()}::bigint`,
  );
};

/** The order of a page. */
export const orderOf = (read: ListRead): Sql => sqlOf(read).order;
