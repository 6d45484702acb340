// The key of a record as MD5, in TypeScript and in SQL: both must give the same.
import { createHash } from 'node:crypto';
import type { Table } from './columns.ts';

/** No text of a record can have it: control characters are rejected. */
const separator = '\x1f';

/** Of the values of a key, in the table's order. */
export const keyHashOf = (values: readonly string[]): string =>
  createHash('md5').update(values.join(separator)).digest('hex');

/** SQL for the same, of a row `t`. */
export const keyHashSql = (table: Table): string =>
  `md5(array_to_string(array[${table.key.map((name) => `t.${name}`).join(', ')}]::text[], E'\\x1f'))::uuid`;
