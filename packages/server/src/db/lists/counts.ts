// How many rows of a declared list have each value of a filter, and how many are in each day, week, month or year of its
// order. Read from what is counted, like totals: cells are combinations of filter values, and a bucket is the difference
// of two ranks. A list that is short, or not counted by combination, is counted from its rows.

import type { Sql } from '../sql.ts';
import { joinSql, plain, sql } from '../sql.ts';
import { totalsTable } from './generator.ts';
import type { ListRead } from './pages.ts';
import { boundsOf, facetOf, inRange, plainList, sqlOf, unfiltered } from './pages.ts';
import type { Conditions } from './totals.ts';
import { belowOf, blocksBelow, shortRows } from './totals.ts';

/** How the bucket of each unit is written: 2026-01-05, 2026-W02, 2026-01, 2026. */
const forms = { day: 'YYYY-MM-DD', week: 'IYYY-"W"IW', month: 'YYYY-MM', year: 'YYYY' };
export type Unit = keyof typeof forms;
export const isUnit = (name: string): name is Unit => Object.hasOwn(forms, name);
/** More buckets are not counted. */
export const mostBuckets = 3700;

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

/** The rows `r` of the list in its range, if blocks do not count it. */
const directRows = (read: ListRead, isCounted: Sql, conditions: readonly Sql[]): Sql => {
  const { table, where } = sqlOf(read);
  return sql`from ${table} r where ${where([...inRange(read), ...conditions, sql`not ${isCounted}`])}`;
};

/** Selects the filter columns and `n`: how many rows of the list, in its range, have this combination. */
export const cells = (read: ListRead): Sql => {
  const { list, parent } = read;
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
    select ${rows}, 1 ${directRows(read, hasBlocks(read), [])}`;
};

export interface BucketParts {
  unit: Unit;
  /** The filters, as conditions on a row. */
  conditions: Conditions;
  /** The filter column by which every bucket is split; null: none. */
  by: string | null;
  /** Whether the blocks can count under these conditions. */
  isCounted?: Sql;
}
/**
 * Selects the buckets of the range, or of all rows, without gaps: `place`, `value` (its name), `count`; and `part`, if it is
 * split, in one row for each. At most one bucket more than there may be.
 */
export const buckets = (read: ListRead, parts: BucketParts): Sql => {
  const { unit, conditions, by, isCounted = hasBlocks(read) } = parts;
  const { table, keys, where } = sqlOf(read);
  const { from, to } = boundsOf(read);
  const column = plain(`r.${read.list.sorts[read.sort]!.column}`);
  const end = (order: Sql) => sql`(select ${column} from ${table} r where ${where([])} order by ${order} limit 1)`;
  const low = from === undefined ? end(keys('r')) : sql`${from}::timestamptz`;
  const last = end(plainList([read.list.sorts[read.sort]!.column, ...read.list.id], 'r', ' desc'));
  const high = to === undefined ? sql`${last} + interval '1 ms'` : sql`${to}::timestamptz`;
  const step = plain(`interval '1 ${unit}'`);
  const part = by === null ? sql`null::text` : plain(`r.${by}`);
  /** Selects `part` and `n`: how many rows are below a time. */
  const below = (value: Sql): Sql =>
    by === null
      ? sql`select null::text as part, ${blocksBelow(read, '<', value)} as n`
      : sql`
        select ${plain(`t.${by}`)} as part, sum(x.n) as n
        from (${facetsBelow(read, value)}) x
        join ${plain(totalsTable(read.list))} t on t.parent = ${read.parent ?? sql`''`} and t.facet = x.facet and t.facet <> 0
        where ${joinSql([sql`true`, ...conditions('t')], ' and ')}
        group by 1`;
  return sql`
    with span as materialized (select ${low} as low, ${high} as high, ${isCounted} as has_blocks),
    starts as materialized (
      select s.start, row_number() over (order by s.start) as place, least((s.start + ${step}) at time zone 'UTC', p.high) as finish
      from span p
      cross join lateral (
        select generate_series(date_trunc('${plain(unit)}', p.low at time zone 'UTC'), p.high at time zone 'UTC' - interval '1 ms', ${step}) as start
        limit ${mostBuckets + 1}
      ) s
    ),
    edges as (
      select s.place, s.finish as at from starts s cross join span p where p.has_blocks
      union all
      select 0, p.low from span p where p.has_blocks
    ),
    sums as materialized (
      select e.place, x.part, x.n from edges e cross join lateral (${below(sql`e.at`)}) x
    ),
    counted as (
      -- A sum never falls, so a part that is missing at an edge is missing before it too.
      select d.place, d.part, d.n
      from (
        select s.place, s.part, s.n - coalesce(lag(s.n) over (partition by s.part order by s.place), 0) as n from sums s
      ) d
      where d.place > 0
      union all
      select s.place, r.part, r.n
      from starts s
      join (
        select date_trunc('${plain(unit)}', ${column} at time zone 'UTC') as start, ${part} as part, count(*) as n
        ${directRows(read, isCounted, conditions('r'))}
        group by 1, 2
      ) r on r.start = s.start
    )
    select s.place, to_char(s.start, '${plain(forms[unit])}') as value, c.part, coalesce(c.n, 0) as count
    from starts s
    left join counted c on c.place = s.place and c.n <> 0`;
};
