// The rows of one page of a declared list (lists.ts), at a cost that does not grow with the page: found by its counted
// blocks, near the beginning by walking. Which way is a pure choice; whether a list is long enough for blocks, and how many
// rows fit a filter, is known only when the statement runs, so those ways stand in it together, each behind its condition.
import type { List } from './lists.ts';
import { lowest } from './lists.ts';
import type { Sql } from './sql.ts';
import { joinSql, plain, sql } from './sql.ts';

const plainList = (names: readonly string[], alias: string, direction = ''): Sql =>
  plain(names.map((name) => `${alias}.${name}${direction}`).join(', '));

/** A list read without a filter. */
export const unfiltered = { fitting: null, fits: undefined, hasFacetIndex: false } as const;

export interface ListRead {
  list: List;
  sort: string;
  isUp: boolean;
  /** The key of the parent; null where the list has none. */
  parent: Sql | null;
  /** Selects the facets that fit the filter; null: no filter. */
  fitting: Sql | null;
  /** That a row `r` fits the filter, answered by the index of the order; undefined: no filter. */
  fits: Sql | undefined;
  /** Whether rows can be found by their facet, through an index. */
  hasFacetIndex: boolean;
}

/** Which rows a page has. */
export interface Window {
  limit: number;
  offset: bigint;
  /** An expression: the exact number of rows of the list, under the filter. */
  total: Sql;
}

/** Up to this offset rows are skipped one by one; further on the page is found by blocks. */
const shortWalk = 128n;
/** Up to this many matches of a filter are fetched and sorted; more are found by blocks. */
const fewFitting = 2000;
/** How many rows are read from the beginning of the order when a filtered page is expected to be among them. */
const nearWalk = 4096;

export type Strategy = 'walk' | 'blocks' | 'filtered';
/** How a page is found: a short way from the beginning, by counted blocks, or under a filter by what fits best. */
export const strategyOf = (hasFilter: boolean, offset: bigint): Strategy =>
  hasFilter ? 'filtered' : offset < shortWalk ? 'walk' : 'blocks';

/** The pieces of SQL that all ways share. */
const sqlOf = ({ list, sort, parent: ofParent, isUp }: ListRead) => {
  const keys = [list.sorts[sort]!.column, ...list.id];
  const parent = ofParent ?? sql`''`;
  const conditions = [
    ...(list.parent === null ? [] : [sql`${plain(`r.${list.parent}`)} = ${parent}`]),
    ...(list.counted === 'true' ? [] : [plain(`r.${list.counted}`)]),
  ];
  return {
    table: plain(list.table),
    block: plain(`lists.${list.name}_${sort}`),
    parent,
    keys: (alias: string): Sql => plainList(keys, alias),
    order: plainList(keys, 'r', isUp ? '' : ' desc'),
    where: (more: readonly (Sql | undefined)[]): Sql => {
      const all = [...conditions, ...more.filter((one) => one !== undefined)];
      return all.length === 0 ? sql`true` : joinSql(all, ' and ');
    },
  };
};

/**
 * Rows by their keys `k`, in no order. By the whole key of the order, whose index finds a row whatever the planner thinks
 * of the length of a list.
 */
const rowsBy = (read: ListRead, found: Sql): Sql => {
  const { table, keys, where } = sqlOf(read);
  return sql`
    select r.*
    from (${found}) k
    cross join lateral (select * from ${table} r where ${where([sql`(${keys('r')}) = (${keys('k')})`])} offset 0) r`;
};

/** The place at which the rows are counted from the beginning, upwards, and how many there are. */
const countedUpwards = (isUp: boolean, { limit, offset, total }: Window) => {
  const [all, from] = [sql`${limit}::bigint`, sql`${offset.toString()}::bigint`];
  return {
    begin: isUp ? from : sql`greatest(${total} - ${from} - ${all}, 0)`,
    wanted: sql`least(${all}, ${total} - ${from})`,
  };
};

/** From the block in which the page begins; a short list has none and is walked from its beginning. */
const byBlocks = (read: ListRead, window: Window): Sql => {
  const { table, block, parent, keys, where } = sqlOf(read);
  const { begin, wanted } = countedUpwards(read.isUp, window);
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
      ${blockAt(0, sql`${begin} - u.before`, sql`and (${keys('b')}) >= (${keys('u')})`, plain(`limit ${2 * read.list.fan + 1}`))}
    ) b on true
    cross join lateral (
      select ${keys('r')}
      from ${table} r
      where ${where([sql`(${keys('r')}) >= (${start})`])}
      order by ${keys('r')}
      limit ${wanted} offset ${begin} - coalesce(u.before + b.before, 0)
    ) w`;
};

/** From the blocks that have rows of the page under a filter: each is walked for these alone. */
const byFacets = (read: ListRead, window: Window, gate: Sql): Sql => {
  const { table, block, parent, keys, where } = sqlOf(read);
  const { begin, wanted } = countedUpwards(read.isUp, window);
  const counted = (from: Sql): Sql => sql`
    select ${keys('b')}, b.next, f.rows
    from ${from} b
    cross join lateral (
      select sum(f.rows) as rows
      from ${plain(`lists.${read.list.name}_${read.sort}_facets`)} f
      where f.block = b.block and f.facet in (${read.fitting ?? sql``})
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
      from ${block} b
      where b.parent = ${parent} and b.level = 0 and (${keys('b')}) >= (${keys('u')})
        and (n.block is null or (${keys('b')}) < (${keys('n')}))
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

/** Under a filter: a short list is walked, few rows are fetched, a page that should be near is looked for there first. */
const filtered = (read: ListRead, window: Window): Sql => {
  const { table, parent, keys, order, where } = sqlOf(read);
  const { total } = window;
  const [limit, offset] = [sql`${window.limit}::bigint`, sql`${window.offset.toString()}::bigint`];
  const whole = plain(`lists.${read.list.name}`);
  const isShort = sql`h.has_blocks is false`;
  const isFew = read.hasFacetIndex ? sql`(${total} <= ${fewFitting} or h.has_blocks is null)` : sql`false`;
  const isNear = sql`(${offset} + ${limit}) * h.everything <= ${total} * ${nearWalk / 4}`;
  const walk = (gate: Sql, most: Sql): Sql => sql`
    select ${keys('r')}
    from (
      select r.* from ${table} r where ${where([gate])} order by ${order} ${most}
    ) r
    where ${read.fits ?? sql`true`}
    limit ${limit} offset ${offset}`;
  const fetched = (gate: Sql): Sql => sql`
    select ${keys('r')}
    from (
      select * from ${table} r where ${where([sql`r.facet in (${read.fitting ?? sql``})`, gate])}
      offset 0 -- first the rows, then their order: an order's index must not be walked for a few of them
    ) r
    order by ${order}
    limit ${limit} offset ${offset}`;
  return sql`
    with h as materialized (
      select t.rows as everything, case when not t.is_long then false when t.is_by_facet then true end as has_blocks
      from ${whole} t
      where t.parent = ${parent} and t.facet = 0
    ),
    near as materialized (
      ${walk(
        sql`(select (${isShort} or ${isNear}) and not ${isFew} from h)`,
        sql`limit (select case when not (${isShort}) then ${plain(String(nearWalk))} end from h)`,
      )}
    ),
    hit as materialized (
      select (select ${isShort} and not ${isFew} from h) or (select count(*) from near) = least(${limit}, ${total} - ${offset}) as hit
    )
    select n.* from near n where (select hit from hit)
    union all
    (${byFacets(read, window, sql`(select not hit from hit) and (select not ${isFew} from h)`)})
    ${read.hasFacetIndex ? sql`union all (${fetched(sql`(select not hit from hit) and (select ${isFew} from h)`)})` : sql``}`;
};

/** Selects the rows of the page, `r.*`, in no order. */
export const pageRows = (read: ListRead, window: Window): Sql => {
  const { table, order, where } = sqlOf(read);
  switch (strategyOf(read.fitting !== null, window.offset)) {
    case 'walk':
      return sql`
        select r.* from ${table} r where ${where([])} order by ${order}
        limit ${window.limit}::bigint offset ${window.offset.toString()}::bigint`;
    case 'blocks':
      return rowsBy(read, byBlocks(read, window));
    case 'filtered':
      return rowsBy(read, filtered(read, window));
  }
};

/** The order of a page. */
export const orderOf = (read: ListRead): Sql => sqlOf(read).order;

/** An expression: how many rows a list has, or of these how many fit conditions on the facet's row `t`. */
export const totalOf = ({ name }: List, parent: Sql | null, conditions: readonly Sql[] = []): Sql => {
  const rows = sql`from ${plain(`lists.${name}`)} t where t.parent = ${parent ?? sql`''`}`;
  return conditions.length === 0
    ? sql`coalesce((select t.rows ${rows} and t.facet = 0), 0)`
    : sql`coalesce((select sum(t.rows)::bigint ${rows} and t.facet <> 0 and ${joinSql(conditions, ' and ')}), 0)`;
};

/** An expression: how many rows of a list without a parent have a sort value up to this one. */
export const countUpTo = (list: List, sort: string, value: Sql): Sql => {
  const { column, type } = list.sorts[sort]!;
  const keys = [column, ...list.id];
  const block = plain(`lists.${list.name}_${sort}`);
  const of = plain(`b.${column}`);
  const last = (level: number) => sql`
    select b.* from ${block} b
    where b.parent = '' and b.level = ${plain(String(level))} and ${of} <= ${value}
    order by ${plainList(keys, 'b', ' desc')}
    limit 1`;
  const [upper, lower] = [plainList(keys, 'u'), plainList(keys, 'l')];
  const before = (level: number, from: Sql, to: Sql) => sql`
    coalesce((select sum(b.rows) from ${block} b where b.parent = '' and b.level = ${plain(String(level))}
      and (${plainList(keys, 'b')}) >= (${from}) and (${plainList(keys, 'b')}) < (${to})), 0)`;
  const rows = (from: Sql) => sql`
    (select count(*) from ${plain(list.table)} r
    where ${plain(`r.${list.counted}`)} and ${plain(`r.${column}`)} <= ${value} ${from})`;
  return sql`coalesce((
    select ${before(1, plain([lowest[type], ...list.id.map(() => "''")].join(', ')), upper)} + ${before(0, upper, lower)}
      + ${rows(sql`and (${plainList(keys, 'r')}) >= (${lower})`)}
    from (${last(1)}) u
    cross join lateral (${last(0)}) l
  ), ${rows(sql``)})::bigint`;
};
