// What searched and filtered lists share: equality filters joined by AND, and search by a part of a name.
import type { Sql } from '../db/sql.ts';
import { joinSql, sql } from '../db/sql.ts';

/** `where` over the conditions that are given; the others do not apply. */
export const where = (conditions: readonly (Sql | undefined)[]): Sql => {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? sql`` : sql`where ${joinSql(given, ' and ')}`;
};

export const equals = (column: Sql, value: string | boolean | undefined): Sql | undefined =>
  value === undefined ? undefined : sql`${column} = ${value}`;

/** gap G1: a substring in any letter case; %, _ and \ are plain characters. */
export const contains = (column: Sql, q: string | undefined): Sql | undefined =>
  q === undefined ? undefined : sql`${column} like '%' || search_form(${q.replace(/[\\%_]/g, '\\$&')}) || '%'`;
