// How many rows of a declared list have each value of a filter, and how many are in each day, week, month or year of its
// order. Read from what is counted, like totals: cells are combinations of filter values, and a bucket is a sum of blocks
// and of the rows at its ends. A list that is short, or not counted by combination, is counted from its rows.

import type { Sql } from '../sql.ts';
import { joinSql, plain, sql } from '../sql.ts';
import { blocksTable, totalsTable } from './generator.ts';
import type { ListRead } from './pages.ts';
import { boundsOf, facetOf, inRange, plainList, sqlOf, unfiltered } from './pages.ts';
import type { Conditions } from './totals.ts';
import { belowOf, shortRows } from './totals.ts';

/** How the bucket of each unit is written: 2026-01-05, 2026-W02, 2026-01, 2026. */
const forms = { day: 'YYYY-MM-DD', week: 'IYYY-"W"IW', month: 'YYYY-MM', year: 'YYYY' };
export type Unit = keyof typeof forms;
export const isUnit = (name: string): name is Unit => Object.hasOwn(forms, name);

/** The condition that blocks count the list, by facet too where it has filters. */
const hasBlocks = (read: ListRead): Sql =>
  sqlOf(read).ifList(read.list.facets === null ? sql`w.is_long` : sql`w.is_long and w.is_by_facet`);

/** Selects `facet` and `n`: how many rows have a sort value below this one. Nothing where the list has no blocks. */
const facetsBelow = (read: ListRead, value: Sql): Sql => {
  const { blocks, facets, lastBlocks, whole, rest } = belowOf({ ...read, ...unfiltered }, '<', value);
  const sums = whole.map(
    (condition) =>
      sql`select f.facet, f.rows as n from ${blocks} join ${facets} f on f.block = b.block where ${condition}`,
  );
  return sql`
    select x.facet, x.n
    from ${lastBlocks}
    cross join lateral (
      ${joinSql(sums, ' union all ')}
      union all
      select r.facet, 1 from (${rest(sql`${facetOf(read.list)} as facet`, true)}) r
    ) x`;
};

/** Selects the filter columns and `n`: how many rows of the list, in its range, have this combination. */
export const cells = (read: ListRead): Sql => {
  const { list, parent } = read;
  const { table, where } = sqlOf(read);
  const columns = list.facets?.columns ?? [];
  const [counted, rows] = [plainList(columns, 't'), plainList(columns, 'r')];
  const totals = sql`${plain(totalsTable(list))} t`;
  const isCell = sql`t.parent = ${parent ?? sql`''`} and t.facet <> 0`;
  const { from, to } = boundsOf(read);
  if (from === undefined && to === undefined) {
    const short = shortRows(list, parent, () => []);
    const all = sql`select ${counted}, t.rows as n from ${totals} where ${isCell}`;
    return short === null ? all : sql`${all} union all select ${rows}, 1 ${short}`;
  }
  const upTo =
    to === undefined ? sql`select t.facet, t.rows as n from ${totals} where ${isCell}` : facetsBelow(read, sql`${to}`);
  const before =
    from === undefined ? sql`` : sql`union all select x.facet, -x.n from (${facetsBelow(read, sql`${from}`)}) x`;
  return sql`
    select ${counted}, x.n
    from (select x.facet, sum(x.n) as n from (select * from (${upTo}) x ${before}) x group by x.facet) x
    join ${totals} on ${isCell} and t.facet = x.facet
    where ${hasBlocks(read)}
    union all
    select ${rows}, 1 from ${table} r where ${where([...inRange(read), sql`not ${hasBlocks(read)}`])}`;
};

export interface BucketParts {
  unit: Unit;
  /** More buckets are not counted. */
  most: number;
  /** The filters, as conditions on a row. */
  conditions: Conditions;
  /** The filter column by which every bucket is split; null: none. */
  by: string | null;
  /** Whether the blocks can count under these conditions. */
  isCounted?: Sql;
}
/** The bucket of a time, as a timestamp in UTC. */
const startOf = (unit: Unit, at: Sql): Sql => sql`date_trunc('${plain(unit)}', ${at} at time zone 'UTC')`;
/** Whether neither a filter nor a split needs the facets of blocks. */
const isPlain = (read: ListRead, by: string | null): boolean => by === null && read.fitting === null;

/**
 * Selects the blocks of the range `w`, each with the bucket in which it begins (`start`) and the one in which the next block
 * begins (`next_start`). `way` is how it is counted: 'whole' lies in one bucket; 'cut' lies in two, of which the first is
 * counted by its rows; any other, at an end of the range or over several buckets, is counted by all of its rows.
 */
const blocksInRange = (read: ListRead, unit: Unit): Sql => {
  const { block, parent, keys } = sqlOf(read);
  const { column } = read.list.sorts[read.sort]!;
  const names = [column, ...read.list.id];
  const order = names.map((name) => `b.${name}`).join(', ');
  const next = plain(`lead(b.${column}) over (order by ${order}) as next_${column}`);
  const [from, to] = [plain(`b.${column}`), plain(`b.next_${column}`)];
  const level = sql`b.parent = ${parent} and b.level = 0`;
  return sql`
    select b.*, case
      when ${from} >= w.low and ${to} < w.high and b.next_start = b.start then 'whole'
      when ${from} >= w.low and ${to} < w.high and b.next_start = b.start + ${plain(`interval '1 ${unit}'`)} then 'cut'
      else 'rows' end as way
    from (
      select b.*, ${startOf(unit, from)} as start, ${startOf(unit, to)} as next_start
      from (
        select b.*, ${next}
        from ${block} b
        where ${level} and ${from} < w.high and (${keys('b')}) >= (
          select ${keys('b')} from ${block} b where ${level} and ${from} < w.low
          order by ${plainList(names, 'b', ' desc')} limit 1
        )
      ) b
    ) b`;
};

/** Selects `start`, `part` and `n` of the `blocks`. */
const countedByBlocks = (read: ListRead, { unit, conditions, by }: BucketParts): Sql => {
  const { table, parent, keys, where } = sqlOf(read);
  const { column } = read.list.sorts[read.sort]!;
  const facets = plain(`${blocksTable(read.list, read.sort)}_facets`);
  const [isWhole, isCut] = [sql`b.way = 'whole'`, sql`b.way = 'cut'`];
  const inBlock = sql`(${keys('r')}) >= (${keys('b')})`;
  const counted = (facet: Sql, ofBlocks: Sql): Sql => sql`
    select b.start, x.facet, x.n from blocks b ${ofBlocks} where ${isWhole}
    union all
    select b.next_start, x.facet, x.n from blocks b ${ofBlocks} where ${isCut}
    union all
    select m.start, x.facet, m.sign * x.n
    from blocks b
    cross join lateral (
      select ${facet} as facet, count(*) as n from ${table} r
      where ${where([inBlock, sql`${plain(`r.${column}`)} < b.next_start at time zone 'UTC'`])}
      group by 1
    ) x
    cross join lateral (values (b.start, 1), (b.next_start, -1)) m (start, sign)
    where ${isCut}
    union all
    select ${startOf(unit, plain(`r.${column}`))}, ${facet}, count(*)
    from blocks b
    -- A block has exactly its number of rows from its key on.
    cross join lateral (select r.* from ${table} r where ${where([inBlock])} order by ${keys('r')} limit b.rows) r
    where ${joinSql([sql`b.way = 'rows'`, ...inRange(read)], ' and ')}
    group by 1, 2`;
  if (isPlain(read, by))
    return sql`
      select x.start, null::text as part, x.n
      from (${counted(sql`0`, sql`cross join lateral (select 0 as facet, b.rows as n) x`)}) x`;
  return sql`
    select x.start, ${by === null ? sql`null::text` : plain(`t.${by}`)} as part, x.n
    from (${counted(facetOf(read.list), sql`join (select f.block, f.facet, f.rows as n from ${facets} f) x on x.block = b.block`)}) x
    join ${plain(totalsTable(read.list))} t on t.parent = ${parent} and t.facet = x.facet and t.facet <> 0
    where ${joinSql([sql`true`, ...conditions('t')], ' and ')}`;
};

/**
 * Selects the buckets of the range, or of all rows, without gaps: `place`, `value` (its name), `count`; and `part`, if it is
 * split, in one row for each. At most one bucket more than there may be, and then nothing is counted.
 */
export const buckets = (read: ListRead, parts: BucketParts): Sql => {
  const { unit, most, conditions, by } = parts;
  const { table, keys, where, ifList } = sqlOf(read);
  const { isCounted = isPlain(read, by) ? ifList(sql`w.is_long`) : hasBlocks(read) } = parts;
  const { from, to } = boundsOf(read);
  const { column: name } = read.list.sorts[read.sort]!;
  const column = plain(`r.${name}`);
  const end = (order: Sql) => sql`(select ${column} from ${table} r where ${where([])} order by ${order} limit 1)`;
  const low = from === undefined ? end(keys('r')) : sql`${from}::timestamptz`;
  const last = end(plainList([name, ...read.list.id], 'r', ' desc'));
  const high = to === undefined ? sql`${last} + interval '1 ms'` : sql`${to}::timestamptz`;
  const step = plain(`interval '1 ${unit}'`);
  return sql`
    with span as materialized (select ${low} as low, ${high} as high),
    starts as materialized (
      select s.start, row_number() over (order by s.start) as place
      from span p
      cross join lateral (
        select generate_series(${startOf(unit, sql`p.low`)}, p.high at time zone 'UTC' - interval '1 ms', ${step}) as start
        limit ${most + 1}
      ) s
    ),
    way as materialized (
      select p.low, p.high, n.is_right and ${isCounted} as by_blocks, n.is_right and not ${isCounted} as by_rows
      from span p
      cross join (select count(*) <= ${most} as is_right from starts) n
    ),
    blocks as materialized (
      select b.* from way w cross join lateral (${blocksInRange(read, unit)}) b where w.by_blocks
    ),
    counted as (
      select x.start, x.part, sum(x.n) as n
      from (
        ${countedByBlocks(read, parts)}
        union all
        select ${startOf(unit, column)}, ${by === null ? sql`null::text` : plain(`r.${by}`)}, 1
        from way w
        cross join lateral (select * from ${table} r where ${where([...inRange(read), ...conditions('r'), sql`w.by_rows`])}) r
      ) x
      group by 1, 2
    )
    select s.place, to_char(s.start, '${plain(forms[unit])}') as value, c.part, coalesce(c.n, 0) as count
    from starts s
    left join counted c on c.start = s.start and c.n <> 0`;
};
