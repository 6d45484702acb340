// The key of a record: its values, and their MD5 in TypeScript and in SQL, which must agree.
import { createHash } from 'node:crypto';
import { controlCharacter, lengthOf } from '@commonhall/contract/text';
import type { Column, Table } from './columns.ts';

/** No text of a record contains it, because control characters are rejected. */
const separator = '\x1f';

/** U+FFFD stands for bytes that could not be read. Only some key columns may be empty, such as a role. */
const isKeyText = (text: string, { schema }: Column): boolean =>
  (text !== '' || !('minLength' in schema)) &&
  lengthOf(text) <= 100 &&
  text.isWellFormed() &&
  !controlCharacter.test(text) &&
  !text.includes('\ufffd');
/** The key values in a record, or in the key of a delete; null when one of them is not valid. */
export const keyValuesOf = (table: Table, record: Readonly<Record<string, unknown>>): string[] | null => {
  const isRight = (name: string): boolean => {
    const [value, column] = [record[name], table.columns[name]];
    return typeof value === 'string' && column !== undefined && isKeyText(value, column);
  };
  return table.key.every(isRight) ? table.key.map((name) => String(record[name])) : null;
};

/** The MD5 of the values of a key, in the table's order. */
export const keyHashOf = (values: readonly string[]): string =>
  createHash('md5').update(values.join(separator)).digest('hex');

/** SQL for the same hash, of a row `t`. */
export const keyHashSql = (table: Table): string =>
  `md5(array_to_string(array[${table.key.map((name) => `t.${name}`).join(', ')}]::text[], E'\\x1f'))::uuid`;
