// Shared by searched and filtered lists: equality filters joined by AND, and search by parts of a name.
import { searchWords } from '@commonhall/contract/search-words';
import type { Sql } from '../db/sql.ts';
import { joinSql, plain, sql } from '../db/sql.ts';

/** Column → the requested value, or undefined. */
export type Filters = Record<string, string | boolean | undefined>;

/** A `where` clause of the conditions that are defined. */
export const where = (conditions: readonly (Sql | undefined)[]): Sql => {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? sql`` : sql`where ${joinSql(given, ' and ')}`;
};

/** Equality of the columns of a row with the values that are defined. */
export const equalities = (alias: string, filters: Filters): Sql[] =>
  Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [sql`${plain(`${alias}.${name}`)} = ${value}`],
  );

/** The words of a search by which an index can be read; the others are compared with what these find. */
const indexedWords = 3;

/** gap G1: each word as a part of the text by which a row `r` is searched, in any case; %, _ and \ are plain characters.
 * The other words are one value: a statement for each number of words would be one more way to fill the memory. */
export const contains = (q: string | undefined): Sql | undefined => {
  const column = sql`r.search_name`;
  if (q === undefined) return undefined;
  const words = searchWords(q).map((word) => word.replace(/[\\%_]/g, '\\$&'));
  words.sort((a, b) => b.length - a.length); // the longest select best
  const others = words.splice(indexedWords);
  const conditions = words.map((word) => sql`${column} like '%' || search_form(${word}) || '%'`);
  if (others.length > 0) conditions.push(sql`${column} like all (search_patterns(${JSON.stringify(others)}::json))`);
  return joinSql(conditions, ' and ');
};

/** The row of `from` (with `id` and `slug`) that a caller names. An id comes first, so that a slug cannot hide it. */
export const byIdOrSlug = (from: Sql, idOrSlug: string): Sql => sql`
  select n.* from (${from}) n
  where n.id = ${idOrSlug} or n.slug = ${idOrSlug}
  order by n.id = ${idOrSlug} desc
  limit 1`;
