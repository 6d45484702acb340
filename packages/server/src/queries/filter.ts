// Shared by searched and filtered lists: equality filters joined by AND, and search by parts of a name.
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

/** gap G1: each word as a part of the text, in any case; %, _ and \ are plain characters. */
export const contains = (column: Sql, q: string | undefined): Sql | undefined => {
  const words = q?.split(/\s+/).filter((word) => word !== '') ?? [];
  if (words.length === 0) return undefined;
  const conditions = words.map(
    (word) => sql`${column} like '%' || search_form(${word.replace(/[\\%_]/g, '\\$&')}) || '%'`,
  );
  return joinSql(conditions, ' and ');
};
