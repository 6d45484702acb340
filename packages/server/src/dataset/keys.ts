// The key of a record: its values, and their MD5 in TypeScript and in SQL, which must give the same.
import { createHash } from 'node:crypto';
import type { Column, Table } from './columns.ts';

/** No text of a record can have it: control characters are rejected. */
const separator = '\x1f';

/** U+FFFD stands for bytes that could not be read. Only some columns of keys may be empty, such as a role. */
const isKeyText = (text: string, { schema }: Column): boolean =>
  (text !== '' || !('minLength' in schema)) &&
  text.length <= 100 &&
  text.isWellFormed() &&
  !/[\0-\x1f\x7f-\x9f\ufffd]/.test(text);
/** The values of the key in a record or a key of its own, or null when one cannot be a key. */
export const keyValuesOf = (table: Table, record: Readonly<Record<string, unknown>>): string[] | null => {
  const isRight = (name: string): boolean => {
    const [value, column] = [record[name], table.columns[name]];
    return typeof value === 'string' && column !== undefined && isKeyText(value, column);
  };
  return table.key.every(isRight) ? table.key.map((name) => String(record[name])) : null;
};

/** Of the values of a key, in the table's order. */
export const keyHashOf = (values: readonly string[]): string =>
  createHash('md5').update(values.join(separator)).digest('hex');

/** SQL for the same, of a row `t`. */
export const keyHashSql = (table: Table): string =>
  `md5(array_to_string(array[${table.key.map((name) => `t.${name}`).join(', ')}]::text[], E'\\x1f'))::uuid`;
