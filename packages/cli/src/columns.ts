// The columns of a table on the terminal: those of --columns, or those that the operation names. A dot leads into
// an object, and into each element of an array: `sponsor.slug`, `rewards.amount`.
import { nearest } from '@commonhall/contract/nearest';
import { printable } from '@commonhall/contract/printable';
import { UsageError } from './failures.ts';

/** What other commands take as an argument. It is never cut: it would have to be looked up again. */
export const isKey = (column: string): boolean =>
  /(^|\.)(id|slug|username|address|platformId)$|(Id|Address)$/.test(column);

type Row = Record<string, unknown>;
const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a column in a row; undefined when the row has no such key. */
export const valueAt = (row: unknown, column: string): unknown => {
  if (isObject(row) && Object.hasOwn(row, column)) return row[column];
  const [first = '', ...rest] = column.split('.');
  const value = isObject(row) && Object.hasOwn(row, first) ? row[first] : undefined;
  if (rest.length === 0 || value === undefined) return undefined;
  if (value === null) return null;
  const inner = rest.join('.');
  return Array.isArray(value) ? value.map((one) => valueAt(one, inner)) : valueAt(value, inner);
};

/** The columns of --columns. Throws when no row has one of them. */
export const askedColumns = (text: string, rows: readonly Row[]): string[] => {
  const asked = text.split(',').map((name) => name.trim());
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  /** An empty array does not say whether its elements would have the key. */
  const isUnknown = (value: unknown): boolean =>
    value === undefined || (Array.isArray(value) && value.length > 0 && value.every(isUnknown));
  const unknown = asked.find((name) => rows.length > 0 && rows.every((row) => isUnknown(valueAt(row, name))));
  if (unknown === undefined) return asked;
  const near = nearest(unknown, keys);
  throw new UsageError(
    `There is no column ${printable(unknown)}${near === undefined ? '.' : `; did you mean ${near}?`} There are: ${keys.join(', ')}`,
  );
};
