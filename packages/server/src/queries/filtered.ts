// Lists that can be filtered, and those that can also be searched and sorted (the ways to their pages: db/lists/ways.ts).
// The index of an order alone answers filter and search.

import type { List } from '../db/lists/declarations.ts';
import { totalsTable } from '../db/lists/generator.ts';
import type { ListRead, Range, Window } from '../db/lists/pages.ts';
import { facetOf, inRange, namesOf, orderOf, unfiltered } from '../db/lists/pages.ts';
import { shortRows, totalOf } from '../db/lists/totals.ts';
import { fewMatches } from '../db/lists/ways.ts';
import type { PageParts } from '../db/page.ts';
import { listParts } from '../db/page.ts';
import type { Sql } from '../db/sql.ts';
import { joinSql, plain, sql } from '../db/sql.ts';
import type { Filters } from './filter.ts';
import { contains, equalities, where } from './filter.ts';

export interface SearchableQuery {
  list: List;
  sort: string;
  isUp: boolean;
  /** The list that counts rows by the filter's columns. */
  totals: List;
  /** The rows as `r`, with `place`: the ctid or key by which matches of a search are fetched. */
  source: Sql;
  /** The same with the sort column, where that is in another table. */
  ordered?: Sql;
  filters: Filters;
  q: string | undefined;
  range: Range;
}
/** What a search reads. */
interface SearchedRows extends Pick<SearchableQuery, 'source' | 'ordered'> {
  /** Conditions on a row `r`: the search itself, and the filters. */
  search: Sql;
  filters: Sql[];
}

/** The matches of a search in the order of a list. */
export const searchParts = (read: ListRead, searched: SearchedRows): Omit<PageParts, 'item'> => {
  const { source, ordered = source, search, filters } = searched;
  const { parent, counted } = namesOf(read.list);
  const isPublic = counted ?? undefined;
  const isOfParent = parent === null ? undefined : sql`${parent} = ${read.parent ?? sql`''`}`;
  const bounds = [isOfParent, ...inRange(read)];
  const matching = sql`from ${source} ${where([isPublic, search, ...filters, ...bounds])}`;
  const fits = read.fits === undefined ? filters : [read.fits]; // the index of the order answers it
  const id = (alias: string) => plain(read.list.id.map((column) => `${alias}.${column}`).join(', '));
  const [forwards, backwards] = [orderOf(read), orderOf({ ...read, isUp: !read.isUp })];
  const rows = ({ limit, offset }: Window): Sql => {
    const [most, skipped] = [sql`${limit}::bigint`, sql`${offset.toString()}::bigint`];
    const left = sql`parent.total - ${skipped}`;
    const isNear = sql`${skipped} * 2 <= parent.total`;
    const walk = (gate: Sql, order: Sql, window: Sql): Sql => sql`(
      select ${id('r')}
      from ${ordered}
      ${where([isPublic, search, ...fits, ...bounds, sql`parent.matches is null`, gate])}
      order by ${order}
      ${window}
    )`;
    const remembered = sql`(
      select ${id('r')}
      from (select * from ${ordered} where r.place = any (parent.matches) offset 0) r
      order by ${forwards}
      limit ${most} offset ${skipped}
    )`;
    const back = sql`limit greatest(least(${most}, ${left}), 0) offset greatest(${left} - ${most}, 0)`;
    const ways = [
      walk(isNear, forwards, sql`limit ${most} offset ${skipped}`),
      walk(sql`not (${isNear})`, backwards, back),
      remembered,
    ];
    return sql`
      select r.*
      from (${joinSql(ways, ' union all ')}) k
      cross join lateral (select * from ${ordered} where (${id('r')}) = (${id('k')}) offset 0) r`;
  };
  return {
    kind: () => 'search',
    // Offset 0 is an optimization fence: the search runs once, not at each reference.
    parent: sql`
      select
        case when m.found <= ${fewMatches} then m.found else (select count(*) ${matching}) end as total,
        case when m.found <= ${fewMatches} then m.places end as matches
      from (
        select count(*) as found, array_agg(s.place) as places
        from (select r.place ${matching} limit ${fewMatches + 1}) s
      ) m
      offset 0`,
    total: sql`parent.total`,
    rows,
    order: forwards,
  };
};

/** How a list is read under filters by which its rows are counted. */
export const filteredRead = (
  { list, sort, isUp, parent, filters, range }: FilteredQuery,
  totals = list,
): { read: ListRead; total: Sql } => {
  const conditions = (alias: string) => equalities(alias, filters);
  const total = totalOf(totals, parent, conditions);
  const given = conditions('t');
  if (given.length === 0) return { read: { list, sort, isUp, parent, range, ...unfiltered }, total };
  const counted = sql`
    select t.facet from ${plain(totalsTable(totals))} t
    where t.parent = ${parent ?? sql`''`} and t.facet <> 0 and ${joinSql(given, ' and ')}`;
  const short = shortRows(totals, parent, conditions);
  const fitting = short === null ? counted : sql`${counted} union select ${facetOf(totals)} ${short}`;
  const fits = sql`(${facetOf(list)} in (${fitting})) is true`;
  return { read: { list, sort, isUp, parent, range, fitting, fits }, total };
};

export interface FilteredQuery {
  list: List;
  sort: string;
  isUp: boolean;
  /** The key of the parent; null where the list has none. */
  parent: Sql | null;
  filters: Filters;
  range: Range;
}
/** A list with filters and no search. */
export const filteredParts = (query: FilteredQuery): Omit<PageParts, 'item'> => {
  const { read, total } = filteredRead(query);
  return listParts(read, total);
};

export const searchableParts = (query: SearchableQuery): Omit<PageParts, 'item'> => {
  const { read, total } = filteredRead({ ...query, parent: null }, query.totals);
  const search = contains(query.q);
  if (search === undefined) return listParts(read, total);
  return searchParts(read, { ...query, search, filters: equalities('r', query.filters) });
};
