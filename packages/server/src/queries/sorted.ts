// The two catalogues that can be filtered, searched and sorted: exact totals, and any page within a bound. A total comes
// from the facets, or is counted when there is a search. A page is read where it is cheapest: when few rows fit, these
// are fetched and sorted; else the sort's own index is walked, the filter and the search being answered by the index
// alone: from a counted block where there are such, else from the end that is nearer.
import type { PageParts, Place } from '../db/page.ts';
import type { Sql } from '../db/sql.ts';
import { joinSql, sql } from '../db/sql.ts';
import { contains, equals, where } from './filter.ts';

export interface Direction {
  forwards: Sql;
  backwards: Sql;
}

/** An order and its reverse, both ways. */
export const bothWays = (up: Sql, down: Sql): Record<'asc' | 'desc', Direction> => ({
  asc: { forwards: up, backwards: down },
  desc: { forwards: down, backwards: up },
});

export interface Catalogue {
  /** The table, as `r`. */
  table: Sql;
  /** The columns of its primary key, and that `r` and `k` have the same. */
  key: Sql;
  isSame: Sql;
  /** What makes a row public; undefined where all are. */
  isPublic: Sql | undefined;
  facets: Sql;
  /** The JSON of an item, from `r`. */
  keys: Sql;
}

type Filters = Record<string, string | boolean | undefined>;

export interface CatalogueQuery {
  /** Column → the value asked for, or undefined. */
  filters: Filters;
  q: string | undefined;
  order: Direction;
  blocks?: Blocks;
}

/** The counted blocks of a sort. */
export interface Blocks {
  isUp: boolean;
  /** Selects the keys of rows: `limit` of those that fit, upwards, after the first `begin`. */
  rows: (asked: { begin: Sql; limit: Sql; fits: Sql | undefined; counted: Sql; gate: Sql }) => Sql;
}

/** Rows that are rather walked than looked for by their block. */
const shortWalk = 16_384;
/** So many rows that fit a filter are rather fetched and sorted. */
const fewFitting = 8000;
/** So many matches of a search are remembered; more are counted and walked instead. */
const fewMatches = 20_000;

/** One of the branches has rows. */
const either = (branches: readonly Sql[]): Sql =>
  joinSql(
    branches.map((branch) => sql`(${branch})`),
    ' union all ',
  );

const column = (alias: string, name: string): Sql => ({ strings: [`${alias}.${name}`], values: [] });
const conditions = (alias: string, filters: Filters): Sql[] =>
  Object.entries(filters).flatMap(([name, value]) => equals(column(alias, name), value) ?? []);

export const catalogueParts = (
  { table, key, isSame, isPublic, facets, keys }: Catalogue,
  { filters, q, order, blocks }: CatalogueQuery,
): PageParts => {
  const filtered = conditions('r', filters);
  const hasFilter = filtered.length > 0;
  const search = contains(sql`r.search_name`, q);
  const all = where([isPublic, search, ...filtered]);
  const inFacets = sql`(select coalesce(sum(f.total), 0)::bigint from ${facets} f ${where(conditions('f', filters))})`;
  const everything = sql`(select coalesce(sum(f.total), 0)::bigint from ${facets} f)`;

  // total: exact; everything: without the filters; matches: the rows that a search has found, when they are few. Offset 0:
  // worked out once, not wherever it is mentioned.
  const parent =
    search === undefined
      ? sql`select ${inFacets} as total, ${everything} as everything offset 0`
      : sql`
          select
            case when m.found <= ${fewMatches} then m.found else (select count(*) from ${table} r ${all}) end as total,
            case when m.found <= ${fewMatches} then m.rows end as matches
          from (
            select count(*) as found, array_agg(s.ctid) as rows
            from (select r.ctid from ${table} r ${all} limit ${fewMatches + 1}) s
          ) m
          offset 0`;

  const fitting = sql`(select f.facet from ${facets} f ${where(conditions('f', filters))})`;
  const fits = hasFilter ? sql`(r.facet in ${fitting}) is true` : undefined;
  const walk = (gate: Sql, direction: Sql, window: Sql): Sql => sql`
    select ${key}
    from ${table} r
    ${where([isPublic, search, fits, gate])}
    order by ${direction}
    ${window}`;
  const fetched = (rows: Sql, gate: Sql, { window }: Place): Sql => sql`
    select ${key}
    from (
      select * from ${table} r ${where([isPublic, rows, gate])}
      offset 0 -- first the rows, then their order: a sort's index must not be walked for a few of them
    ) r
    order by ${order.forwards}
    ${window}`;

  /** From the end that is nearer. */
  const fromAnEnd = (place: Place): Sql => {
    const { limit, offset } = place;
    // Rows that a walk passes for one that it finds cost a tenth of a row that is fetched and sorted.
    const few =
      search !== undefined
        ? sql`parent.matches is not null`
        : sql`parent.total::float8 * parent.total * 10
            < (least(${offset}, parent.total - ${offset}) + ${limit})::float8 * parent.everything`;
    const found = search === undefined ? sql`r.facet in ${fitting}` : sql`r.ctid = any (parent.matches)`;
    const isMany = hasFilter || search !== undefined ? sql`not (${few})` : sql`true`;
    const isNear = sql`${offset} * 2 <= parent.total`;
    const backwards = sql`limit greatest(least(${limit}, parent.total - ${offset}), 0) offset greatest(parent.total - ${offset} - ${limit}, 0)`;
    return either([
      walk(sql`${isMany} and ${isNear}`, order.forwards, place.window),
      walk(sql`${isMany} and not (${isNear})`, order.backwards, backwards),
      ...(hasFilter || search !== undefined ? [fetched(found, few, place)] : []),
    ]);
  };

  /** From the block in which the page begins. What fits a filter is first looked for near the beginning. */
  const fromABlock = ({ isUp, rows }: Blocks, place: Place): Sql => {
    const { limit, offset } = place;
    if (!hasFilter && place.skipped < BigInt(shortWalk)) return walk(sql`true`, order.forwards, place.window);
    const wanted = sql`least(${limit}, parent.total - ${offset})`;
    const asked = {
      begin: isUp ? offset : sql`greatest(parent.total - ${offset} - ${limit}, 0)`,
      limit: wanted,
      fits,
      counted: hasFilter ? sql`in ${fitting}` : sql`= 0`,
    };
    if (!hasFilter) return rows({ ...asked, gate: sql`true` });
    const isNear = sql`(${offset} + ${limit}) * parent.everything <= parent.total * ${shortWalk}`;
    const isFew = sql`parent.total <= ${fewFitting}`;
    const isMissed = sql`not (select h.hit from hit h)`;
    return sql`
      with near as materialized (
        select ${key}
        from (
          select ${key}, r.facet from ${table} r ${where([isPublic, isNear])}
          order by ${order.forwards}
          limit ${2 * shortWalk}
        ) r
        ${where([fits])}
        ${place.window}
      ),
      hit as materialized (select count(*) = ${wanted} as hit from near)
      ${either([
        sql`select r.* from near r where (select h.hit from hit h)`,
        rows({ ...asked, gate: sql`${isMissed} and not (${isFew})` }),
        fetched(sql`r.facet in ${fitting}`, sql`${isMissed} and ${isFew}`, place),
      ])}`;
  };

  return {
    // A filter is one condition on the facets, which has one good plan; a search has not.
    ...(search !== undefined ? { kind: 'search' } : hasFilter ? { kind: 'list' } : {}),
    parent,
    total: sql`parent.total`,
    // Keys first: the JSON is made for the page alone, each row found by its key.
    items: (place) => sql`
      select row_to_json(i) as item
      from (
        select ${keys}
        from (${blocks === undefined || search !== undefined ? fromAnEnd(place) : fromABlock(blocks, place)}) k
        cross join lateral (select * from ${table} r where ${isSame} offset 0) r
        order by ${order.forwards}
      ) i`,
  };
};
