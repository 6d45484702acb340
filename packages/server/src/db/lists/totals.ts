// How many rows a declared list has: all, those that match filters, or those up to a value of its order. Read from what is
// counted, at a cost that does not grow with the list.

import type { Sql } from '../sql.ts';
import { joinSql, plain, sql } from '../sql.ts';
import type { List } from './declarations.ts';
import { lowest } from './declarations.ts';
import { blocksTable } from './generator.ts';
import { namesOf, plainList } from './pages.ts';

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

/** An expression: how many rows of a list without a parent have a sort value up to this one. */
export const countUpTo = (list: List, sort: string, value: Sql): Sql => {
  const { column, type } = list.sorts[sort]!;
  const keys = [column, ...list.id];
  const block = plain(blocksTable(list, sort));
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
    where ${namesOf(list).counted ?? sql`true`} and ${plain(`r.${column}`)} <= ${value} ${from})`;
  return sql`coalesce((
    select ${before(1, plain([lowest[type], ...list.id.map(() => "''")].join(', ')), upper)} + ${before(0, upper, lower)}
      + ${rows(sql`and (${plainList(keys, 'r')}) >= (${lower})`)}
    from (${last(1)}) u
    cross join lateral (${last(0)}) l
  ), ${rows(sql``)})::bigint`;
};
