// What searched and filtered lists share: equality filters joined by AND, and search by parts of a name.
import type { Sql } from '../db/sql.ts';
import { joinSql, plain, sql } from '../db/sql.ts';

/** Column → the value asked for, or undefined. */
export type Filters = Record<string, string | boolean | undefined>;

/** `where` over the conditions that are given; the others do not apply. */
export const where = (conditions: readonly (Sql | undefined)[]): Sql => {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? sql`` : sql`where ${joinSql(given, ' and ')}`;
};

/** Equality of the columns of a row with the values that are given. */
export const equalities = (alias: string, filters: Filters): Sql[] =>
  Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [sql`${plain(`${alias}.${name}`)} = ${value}`],
  );

/** gap G1: each word as a part of the text, in any letter case; %, _ and \ are plain characters. */
export const contains = (column: Sql, q: string | undefined): Sql | undefined => {
  const words = q?.split(/\s+/).filter((word) => word !== '') ?? [];
  if (words.length === 0) return undefined;
  const conditions = words.map(
    (word) => sql`${column} like '%' || search_form(${word.replace(/[\\%_]/g, '\\$&')}) || '%'`,
  );
  return joinSql(conditions, ' and ');
};
