// How many rows a declared list has: all, those that match filters, or those in a range of its order. Read from what is
// counted, at a cost that does not grow with the list.

import type { Sql } from '../sql.ts';
import { joinSql, plain, sql } from '../sql.ts';
import type { List } from './declarations.ts';
import { blocksTable } from './generator.ts';
import type { ListRead } from './pages.ts';
import { boundsOf, isFewOf, namesOf, plainList, rowsByFacet, sqlOf } from './pages.ts';

/** Conditions on the filter columns of a row with this alias. */
export type Conditions = (alias: string) => Sql[];

/** The rows `r` of a list that is short, and whose rows are therefore not counted by filter; null: all lists are. */
export const shortRows = (list: List, parent: Sql | null, conditions: Conditions): Sql | null => {
  const { table, whole, parent: column, counted } = namesOf(list);
  if (column === null) return null;
  const isLong = sql`exists (select from ${whole} w where w.parent = ${parent ?? sql``} and w.facet = 0 and w.is_long)`;
  const all = [sql`${column} = ${parent ?? sql``}`, ...(counted === null ? [] : [counted]), ...conditions('r')];
  return sql`from ${table} r where ${joinSql(all, ' and ')} and not ${isLong}`;
};

/** An expression: how many rows a list has, or how many of them match conditions on its filter columns. */
export const totalOf = (list: List, parent: Sql | null, conditions: Conditions = () => []): Sql => {
  const rows = sql`from ${namesOf(list).whole} t where t.parent = ${parent ?? sql`''`}`;
  const given = conditions('t');
  if (given.length === 0) return sql`coalesce((select t.rows ${rows} and t.facet = 0), 0)`;
  const counted = sql`coalesce((select sum(t.rows)::bigint ${rows} and t.facet <> 0 and ${joinSql(given, ' and ')}), 0)`;
  const short = shortRows(list, parent, conditions);
  return short === null ? counted : sql`${counted} + (select count(*) ${short})`;
};

/** The pieces of SQL for the rows below a sort value, or up to it. */
export const belowOf = (read: ListRead, compare: '<' | '<=', value: Sql) => {
  const { column, type } = read.list.sorts[read.sort]!;
  const { table, block, parent, keys, where } = sqlOf(read);
  const isBelow = (alias: string) => sql`${plain(`${alias}.${column} ${compare}`)} ${value}::${plain(type)}`;
  const last = (level: number) => sql`
    select b.* from ${block} b
    where b.parent = ${parent} and b.level = ${plain(String(level))} and ${isBelow('b')}
    order by ${plainList([column, ...read.list.id], 'b', ' desc')}
    limit 1`;
  const at = (level: number, more: Sql) => sql`b.parent = ${parent} and b.level = ${plain(String(level))} and ${more}`;
  const before = (alias: string, key: string) => sql`(${keys(alias)}) < (${keys(key)})`;
  const notBefore = (alias: string, key: string) => sql`(${keys(alias)}) >= (${keys(key)})`;
  // A block, and a list without blocks, has at most this many rows. With order and limit the index of the order is used.
  const most = plain(String(2 * read.list.size));
  return {
    isBelow,
    blocks: sql`${block} b`,
    facets: plain(`${blocksTable(read.list, read.sort)}_facets`),
    /** The last group and its last block that begin below the value, `u` and `l`; none: the list has no blocks. */
    lastBlocks: sql`(${last(1)}) u cross join lateral (${last(0)}) l`,
    /** Conditions on blocks `b`: the groups before the last one, and the blocks in it before the last one. */
    whole: [at(1, before('b', 'u')), at(0, sql`${notBefore('b', 'u')} and ${before('b', 'l')}`)] as const,
    /** Selects rows `r` of the last block, or of a list without blocks. */
    rest: (what: Sql, isInBlock: boolean) => sql`
      select ${what} from ${table} r
      where ${where([...(isInBlock ? [notBefore('r', 'l')] : []), isBelow('r'), read.fits])}
      order by ${keys('r')} limit ${most}`,
  };
};

/** An expression: how many rows of a list under its filter have a sort value below this one; null: it has no blocks. */
const blocksBelow = (read: ListRead, compare: '<' | '<=', value: Sql): Sql => {
  const { blocks, facets, lastBlocks, whole, rest } = belowOf(read, compare, value);
  const sum = (condition: Sql) =>
    read.fitting === null
      ? sql`coalesce((select sum(b.rows) from ${blocks} where ${condition}), 0)`
      : sql`coalesce((
          select sum(f.rows)
          from ${blocks}
          -- An optimization fence: looked up for each block, since the planner would read all of them.
          cross join lateral (
            select f.rows from ${facets} f where f.block = b.block and f.facet = any (array(${read.fitting})) offset 0
          ) f
          where ${condition}
        ), 0)`;
  return sql`(
    select (${sum(whole[0])} + ${sum(whole[1])} + (select count(*) from (${rest(sql``, true)}) n))::bigint
    from ${lastBlocks}
  )`;
};

/**
 * An expression: how many rows of a list under its filter have a sort value below this one, or up to it. Whole groups and
 * blocks are added up, and only the rows of one block are counted. A short list has no blocks, and is counted.
 * `matches`: how many rows it has under the filter.
 */
export const countBelow = (read: ListRead, compare: '<' | '<=', value: Sql, matches = sql`0`): Sql => {
  const { isBelow, rest } = belowOf(read, compare, value);
  const counted = sql`coalesce(${blocksBelow(read, compare, value)}, (select count(*) from (${rest(sql``, false)}) n))`;
  const isFew = read.fitting === null ? undefined : isFewOf(read, matches);
  if (isFew === undefined) return counted;
  return sql`case when ${isFew} then (select count(*) ${rowsByFacet(read, [isBelow('r')])}) else ${counted} end`;
};

/** Expressions: how many rows a list has in its range, and how many come before them; `whole`: how many in any range. */
export const rangeTotal = (read: ListRead, whole: Sql): { before?: Sql; total: Sql } => {
  const { from, to } = boundsOf(read);
  const upTo = to === undefined ? whole : countBelow(read, '<', sql`${to}`, whole);
  if (from === undefined) return { total: upTo };
  return { before: countBelow(read, '<', sql`${from}`, whole), total: sql`${upTo} - start.before` };
};
