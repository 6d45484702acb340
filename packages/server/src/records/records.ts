// A line of NDJSON → a checked record → a line of COPY. Nothing is repaired: an invalid record is rejected with
// all of its problems.
import { schemaFits } from '@commonhall/contract/check';
import { stateText } from '../visibility/hidden.ts';
import { publicStates, visibilityShows } from '../visibility/states.ts';
import { meansHidden } from '../visibility/suggestions.ts';
import type { Table } from './columns.ts';
import { recordSchema } from './columns.ts';
import { keyHashOf, keyValuesOf } from './keys.ts';
import type { Collector, Problem } from './problems.ts';
import { collector, findProblems, problemText, quoted } from './problems.ts';
import { parseLoosely, parseStrictly } from './strict-json.ts';
import { tables } from './tables.ts';
import { executableUrls } from './urls.ts';

/** A table of the record format by its name; throws with all names when there is none. */
export const tableNamed = (name: string): Table => {
  const found = tables.find((table) => table.name === name);
  if (found === undefined)
    throw new Error(`there is no table ${name}; there are: ${tables.map((table) => table.name).join(', ')}`);
  return found;
};

type Values = Readonly<Record<string, unknown>>;
export interface Parsed {
  line: number;
  /** The values of the key, for messages. */
  key: string;
  /** As in keys.ts. */
  keyHash: string;
  record: Values;
  copy: string;
}
export interface Rejected {
  line: number;
  /** Where in the line the problem is, when the bytes are malformed. */
  column?: number;
  key: string;
  /** As in Parsed; absent when the key cannot be read. */
  keyHash?: string | undefined;
  /** The record with its key: it may still say that less is to be shown (restrict.ts). */
  row?: { key: readonly string[]; record: Values } | undefined;
  reason: string;
}

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const copyText = (text: string): string => text.replace(/[\\\n\r\t]/g, (character) => escapes[character] ?? '');

/** Finds every problem of a value that parseStrictly has accepted. */
const parsedCheck = (table: Table): ((found: Collector, value: unknown) => void) => {
  const schema = recordSchema(table);
  const fits = schemaFits(schema);
  const columns = Object.entries(table.columns);
  const unquoted = new Set(columns.filter(([, { isUnquoted }]) => isUnquoted === true).map(([name]) => name));
  const find = findProblems(schema, table.name, unquoted);
  const executable = executableUrls(table);
  const ruled = columns.flatMap(([name, { rule }]) => (rule === undefined ? [] : [{ name, rule }]));
  return (found, value) => {
    if (!fits(value)) find(found, value);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const record = value as Values;
    for (const { name, rule } of ruled) {
      const given = record[name] ?? null;
      if (given === null || found.has(name)) continue;
      const wrong = rule(given, () => (unquoted.has(name) ? 'the value' : quoted(given)));
      if (wrong !== null) found.add(name, wrong.gap, () => wrong.text);
    }
    for (const { at, url } of executable(record))
      if (!found.has(at))
        found.add(
          at,
          'G20',
          () => `${quoted(url)} could run as a program in a browser; write an address, like https://…`,
        );
    for (const rule of table.rules)
      for (const { at, gap, text } of rule(record)) if (!found.has(at)) found.add(at, gap, () => text);
  };
};

/** All problems of a value as a record of the table; none: nothing in the record itself prevents loading it. */
export const recordCheck = (table: Table): ((value: unknown) => Problem[]) => {
  const check = parsedCheck(table);
  return (value) => {
    const found = collector();
    check(found, value);
    return found.all();
  };
};

/** A hint, not a reason to reject: the state of the record would hide it, and that is probably not intended. */
const stateHint = ({ name, columns }: Table, record: Values): Problem[] => {
  const words = (publicStates as Record<string, readonly string[]>)[name];
  const { status, visibility = null } = (record ?? {}) as { status?: unknown; visibility?: unknown };
  if (words === undefined || typeof status !== 'string' || visibility !== null || meansHidden(status)) return [];
  const visibilityHelps = 'visibility' in columns && visibilityShows(name);
  return isKnownState(name, words, status)
    ? []
    : [{ at: 'hidden', gap: 'G11', text: stateText(words, visibilityHelps)(status) }];
};
const isKnownState = (name: string, words: readonly string[], status: string): boolean =>
  words.includes(status) || (name === 'users' && words.some((word) => word.toLowerCase() === status.toLowerCase()));

/** Problems as one line. */
export const reasonOf = (problems: readonly Problem[]): string => problems.map(problemText).join(' | ');

/** A record as a line of COPY. */
export const copyLine = ({ columns }: Table, record: Values): string =>
  Object.entries(columns)
    .map(([name, { kind, absentAs = null }]) => {
      const value = record[name] ?? absentAs;
      if (value === null) return '\\N';
      if (kind === 'json') return copyText(JSON.stringify(value));
      return kind === 'bytes' ? `\\\\x${String(value)}` : copyText(String(value));
    })
    .join('\t');

/** A line over the limit is read for its key only. Its row is hidden: what the line says about it is not known. */
const tooLong = (table: Table, line: number, bytes: Buffer | null): Rejected => {
  const key = bytes === null ? undefined : rowOf(table, parseLoosely(bytes))?.key;
  if (key === undefined)
    return { line, key: '?', reason: 'the line is longer than 4 MiB, and its key cannot be read; shorten the record' };
  return {
    ...{ line, key: key.join(' '), keyHash: keyHashOf(key), row: { key, record: {} } },
    reason: 'the line is longer than 4 MiB; shorten the record. Until a shorter one is loaded, the row is not shown',
  };
};

/** The reason for a line of ordinary JSON, which is not NDJSON. */
const notOnOneLine = (bytes: Buffer): { reason: string } | undefined => {
  const text = bytes.subarray(0, 100).toString().trim();
  const isWhole = bytes.length <= 100;
  if (/^\[/.test(text) || (isWhole && /^\],?$/.test(text)))
    return { reason: "an array is not a record; write each record, {…}, in a line of its own: jq -c '.[]' does that" };
  return isWhole && text === '{'
    ? { reason: 'the record does not end in this line; write it in one line: jq -c . does that' }
    : undefined;
};

type Read = (line: number, bytes: Buffer | null, isTooLong?: boolean) => Parsed | Rejected;
export const recordReader = (table: Table): Read => {
  const check = parsedCheck(table);

  return (line, bytes, isTooLong = false) => {
    if (bytes === null || isTooLong) return tooLong(table, line, bytes);
    const unread = { line, key: '?' };
    const json = parseStrictly(bytes);
    if ('reason' in json) return { ...unread, ...json, ...notOnOneLine(bytes), row: rowOf(table, parseLoosely(bytes)) };
    const found = collector();
    check(found, json.value);
    const problems = found.all();
    const record = json.value as Values;
    const isReadable = !found.has('') && table.key.every((name) => !found.has(name));
    const keyValues = isReadable ? table.key.map((name) => String(record[name])) : null;
    const keyHash = keyValues === null ? undefined : keyHashOf(keyValues);
    if (keyValues === null || keyHash === undefined || problems.length > 0)
      return {
        ...{ line, key: keyOf(table, record), keyHash, reason: reasonOf([...problems, ...stateHint(table, record)]) },
        row: rowOf(table, json.value),
      };
    return { line, key: keyValues.join(' '), keyHash, record, copy: copyLine(table, record) };
  };
};

const rowOf = (table: Table, value: unknown): Rejected['row'] => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const key = keyValuesOf(table, value as Values);
  return key === null ? undefined : { key, record: value as Values };
};

/** The key of a rejected record, or ? when it has none. */
const keyOf = (table: Table, value: unknown): string => {
  if (typeof value !== 'object' || value === null) return '?';
  const parts = table.key.map((name) => (value as Record<string, unknown>)[name]);
  return parts.every((part) => typeof part === 'string' || typeof part === 'number')
    ? parts.join(' ').slice(0, 200)
    : '?';
};
