// A line of NDJSON → a checked record → a line of COPY. Nothing is repaired: what does not fit is refused with a reason.
import { createHash } from 'node:crypto';
import { schemaCheck } from '@commonhall/contract/check';
import type { Table } from './columns.ts';
import { recordSchema } from './columns.ts';
import { tables } from './tables.ts';

/** A table of the record format by its name; throws with all names when there is none. */
export const tableNamed = (name: string): Table => {
  const found = tables.find((table) => table.name === name);
  if (found === undefined)
    throw new Error(`there is no table ${name}; there are: ${tables.map((table) => table.name).join(', ')}`);
  return found;
};

export interface Parsed {
  line: number;
  /** The values of the key, for people. */
  key: string;
  /** The key as MD5 in the form of a UUID. */
  keyHash: string;
  copy: string;
}
export interface Rejected {
  line: number;
  key: string;
  reason: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** JSON.parse rounds large integers and makes 1e400 infinite: both would be stored as something else in silence. */
const suspicious = /\d{16}|[eE][+-]?\d{2}/;
const unsafeNumber = (value: unknown): boolean => {
  if (typeof value === 'number')
    return Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(unsafeNumber);
};

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const copyText = (text: string): string => text.replace(/[\\\n\r\t]/g, (character) => escapes[character] ?? '');

export const recordReader = (table: Table): ((line: number, bytes: Buffer | null) => Parsed | Rejected) => {
  const problemOf = schemaCheck(recordSchema(table));
  const columns = Object.entries(table.columns);
  const copyOf = (record: Record<string, unknown>): string =>
    columns
      .map(([name, { kind }]) => {
        const value = record[name];
        if (value === null) return '\\N';
        if (kind === 'json') return copyText(JSON.stringify(value));
        return kind === 'bytes' ? `\\\\x${String(value)}` : copyText(String(value));
      })
      .join('\t');

  return (line, bytes) => {
    const refuse = (reason: string, key = '?'): Rejected => ({ line, key, reason });
    if (bytes === null) return refuse('the line is longer than 4 MiB');
    let text: string;
    try {
      text = utf8.decode(bytes);
    } catch {
      return refuse('the line is not UTF-8');
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
      if (suspicious.test(text) && unsafeNumber(value))
        return refuse('a number is not finite, or an integer beyond 2^53-1');
    } catch (error) {
      return refuse(`the line is not JSON: ${(error as Error).message.slice(0, 100)}`);
    }
    const problem = problemOf(value);
    const record = value as Record<string, unknown>;
    const key = (problem === null ? table.key : []).map((name) => String(record[name])).join(' ');
    if (problem !== null) return refuse(problem, keyOf(table, value));
    try {
      const md5 = createHash('md5')
        .update(table.key.map((name) => String(record[name])).join('\0'))
        .digest('hex');
      return { line, key, keyHash: md5, copy: copyOf(record) };
    } catch (error) {
      return refuse(`the record cannot be written: ${(error as Error).message}`, key); // nested too deep
    }
  };
};

/** The key of a record that does not fit, as far as it has one. */
const keyOf = (table: Table, value: unknown): string => {
  if (typeof value !== 'object' || value === null) return '?';
  const parts = table.key.map((name) => (value as Record<string, unknown>)[name]);
  return parts.every((part) => typeof part === 'string' || typeof part === 'number')
    ? parts.join(' ').slice(0, 200)
    : '?';
};
