// A line of NDJSON → a checked record → a line of COPY. Nothing is repaired: what does not fit is refused with a reason.
import { createHash } from 'node:crypto';
import { schemaCheck } from '@commonhall/contract/check';
import type { Table } from './columns.ts';
import { recordSchema } from './columns.ts';
import { parseStrictly } from './strict-json.ts';
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
  /** Where in the line, when it is a matter of bytes. */
  column?: number;
  key: string;
  reason: string;
}

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const copyText = (text: string): string => text.replace(/[\\\n\r\t]/g, (character) => escapes[character] ?? '');

export const recordReader = (table: Table): ((line: number, bytes: Buffer | null) => Parsed | Rejected) => {
  const problemOf = schemaCheck(recordSchema(table));
  const columns = Object.entries(table.columns);
  const copyOf = (record: Record<string, unknown>): string =>
    columns
      .map(([name, { kind, absentAs = null }]) => {
        const value = record[name] ?? absentAs;
        if (value === null) return '\\N';
        if (kind === 'json') return copyText(JSON.stringify(value));
        return kind === 'bytes' ? `\\\\x${String(value)}` : copyText(String(value));
      })
      .join('\t');

  const ruled = columns.flatMap(([name, { rule }]) => (rule === undefined ? [] : [{ name, rule }]));
  const ruleProblem = (record: Record<string, unknown>): string | null => {
    for (const { name, rule } of ruled) {
      const problem = rule(String(record[name]));
      if (problem !== null) return `${name} ${problem}`;
    }
    return null;
  };

  return (line, bytes) => {
    const refuse = (reason: string, key = '?'): Rejected => ({ line, key, reason });
    if (bytes === null) return refuse('the line is longer than 4 MiB');
    const json = parseStrictly(bytes);
    if ('reason' in json) return { line, key: '?', ...json };
    const { value } = json;
    const problem = problemOf(value) ?? ruleProblem(value as Record<string, unknown>);
    const record = value as Record<string, unknown>;
    const key = (problem === null ? table.key : []).map((name) => String(record[name])).join(' ');
    if (problem !== null) return refuse(problem, keyOf(table, value));
    const md5 = createHash('md5')
      .update(table.key.map((name) => String(record[name])).join('\0'))
      .digest('hex');
    return { line, key, keyHash: md5, copy: copyOf(record) };
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
