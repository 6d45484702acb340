// The two catalogues that can be filtered, searched and sorted: exact totals, and any page within a bound. A total comes
// from the facets, or is counted when there is a search. A page is read where it is cheapest: when few rows fit, these
// are fetched and sorted; else the sort's own index is walked from the end that is nearer, the filter and the search
// being answered by the index alone.
import type { PageParts } from '../db/page.ts';
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
}

/** So many matches of a search are remembered; more are counted and walked instead. */
const fewMatches = 20_000;

const column = (alias: string, name: string): Sql => ({ strings: [`${alias}.${name}`], values: [] });
const conditions = (alias: string, filters: Filters): Sql[] =>
  Object.entries(filters).flatMap(([name, value]) => equals(column(alias, name), value) ?? []);

export const catalogueParts = (
  { table, key, isSame, isPublic, facets, keys }: Catalogue,
  { filters, q, order }: CatalogueQuery,
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

  return {
    kind: 'search',
    parent,
    total: sql`parent.total`,
    items: ({ limit, offset }) => {
      // Rows that a walk passes for one that it finds cost a tenth of a row that is fetched and sorted.
      const few =
        search !== undefined
          ? sql`parent.matches is not null`
          : sql`parent.total::float8 * parent.total * 10
              < (least(${offset}, parent.total - ${offset}) + ${limit})::float8 * parent.everything`;
      const fetched = sql`
        select ${key}
        from (
          select * from ${table} r
          ${where(search === undefined ? [isPublic, ...filtered, few] : [sql`r.ctid = any (parent.matches)`, few])}
          offset 0 -- first the rows, then their order: a sort's index must not be walked for a few of them
        ) r
        order by ${order.forwards}
        limit ${limit} offset ${offset}`;
      const fitting = sql`(r.facet in (select f.facet from ${facets} f ${where(conditions('f', filters))})) is true`;
      const walk = (gate: Sql, direction: Sql, window: Sql): Sql => sql`
        select ${key}
        from ${table} r
        ${where([isPublic, search, hasFilter ? fitting : undefined, gate])}
        order by ${direction}
        ${window}`;
      const isMany = hasFilter || search !== undefined ? sql`not (${few})` : sql`true`;
      const isNear = sql`${offset} * 2 <= parent.total`;
      const branches = [
        walk(sql`${isMany} and ${isNear}`, order.forwards, sql`limit ${limit} offset ${offset}`),
        walk(
          sql`${isMany} and not (${isNear})`,
          order.backwards,
          sql`limit greatest(least(${limit}, parent.total - ${offset}), 0) offset greatest(parent.total - ${offset} - ${limit}, 0)`,
        ),
        ...(hasFilter || search !== undefined ? [fetched] : []),
      ];
      // One of the branches has rows. They are keys: the JSON is made for the page alone, each row found by its key.
      return sql`
        select row_to_json(i) as item
        from (
          select ${keys}
          from (${joinSql(
            branches.map((branch) => sql`(${branch})`),
            ' union all ',
          )}) k
          cross join lateral (select * from ${table} r where ${isSame} offset 0) r
          order by ${order.forwards}
        ) i`;
    },
  };
};
