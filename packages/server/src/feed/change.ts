// Reads one change of the platform: bytes → a put of a whole record, a delete by key, a mark, or the problems it has.
import { printable } from '@commonhall/contract/printable';
import { isInstant } from '@commonhall/contract/text';
import type { Table } from '../records/columns.ts';
import { keyValuesOf } from '../records/keys.ts';
import { maxRecordBytes } from '../records/lines.ts';
import { problemText, quoted } from '../records/problems.ts';
import { recordCheck } from '../records/records.ts';
import { parseLoosely, parseStrictly } from '../records/strict-json.ts';
import { tables } from '../records/tables.ts';

type Value = Record<string, unknown>;
interface Row {
  table: Table;
  key: readonly string[];
  body: Buffer;
}
export type Put = Row & { op: 'put'; record: Value };
/** A problem outside the key does not prevent the delete; the change is also stored as rejected, with that problem. */
export type Delete = Row & { op: 'delete'; problem?: string };
export type Mark = { op: 'mark'; at: string };
/** A change that cannot be applied. Operation, table and key are set as far as they can be read. */
export interface InvalidChange {
  op: 'invalid';
  asked: 'put' | 'delete' | null;
  table: Table | null;
  key: readonly string[] | null;
  record: Value;
  reason: string;
  /** Rows or tables whose change may help; absent: nothing helps. */
  waitsFor?: readonly string[] | null;
  body: Buffer;
}
/** A message with nothing to apply: a mark, a change that the load contains, or a change of an erased person. */
export interface Skipped {
  op: 'skip';
  table: null;
  key: null;
  body: Buffer;
}
export type Change = Put | Delete | InvalidChange | Skipped;
export const skipped = (body: Buffer): Skipped => ({ op: 'skip', table: null, key: null, body });

/** The tables that the platform feeds. API keys are created by the operator. */
export const changeTables: readonly Table[] = tables.filter(({ name }) => name !== 'api_keys');

const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const readers = new Map(changeTables.map((table) => [table.name, { table, check: recordCheck(table) }]));

const keysOf = { put: ['op', 'table', 'record'], delete: ['op', 'table', 'key'], mark: ['op', 'at'] } as const;
type Op = keyof typeof keysOf;
const isOp = (op: unknown): op is Op => typeof op === 'string' && Object.hasOwn(keysOf, op);
const readerOf = (table: unknown) => (typeof table === 'string' ? readers.get(table) : undefined);
/** How far ahead the clock of the platform may be. A mark of the future would say that the data is fresh without limit. */
const mostAheadMs = 60_000;
/** A value in a message; `nothing` where it is absent. */
const shown = (value: unknown): string => (value === undefined ? 'nothing' : quoted(value));

const mostShown = 10;
/** Problems of keys that are not known: the first ones and a count, because a hostile change may have very many. */
const unknownKeys = (value: Value, known: readonly string[], problem: (name: string) => string): string[] => {
  const names = Object.keys(value).filter((name) => !known.includes(name));
  const shownFirst = names.slice(0, mostShown).map((name) => problem(name.slice(0, 60)));
  return names.length > mostShown ? [...shownFirst, `and ${names.length - mostShown} more`] : shownFirst;
};

/** Problems of the change outside its record or key. */
const frameProblems = (value: Value): string[] => {
  const { op } = value;
  if (!isOp(op)) return [`op: ${shown(op)} is not one of put, delete, mark`];
  const keys = keysOf[op];
  const problems = unknownKeys(value, keys, (name) => `${name}: is not part of a ${op}; it has ${keys.join(', ')}`);
  if (op === 'mark') {
    if (!isInstant(value.at))
      problems.push(`at: ${shown(value.at)} is not an instant; write it like 2026-11-02T00:00:00.000Z`);
    else if (Date.parse(value.at) > Date.now() + mostAheadMs)
      problems.push(`at: ${shown(value.at)} is more than a minute ahead of this machine's clock; compare the clocks`);
    return problems;
  }
  if (readerOf(value.table) === undefined)
    problems.push(`table: ${shown(value.table)} is not one of ${[...readers.keys()].join(', ')}`);
  const part = op === 'put' ? 'record' : 'key';
  if (!isObject(value[part])) problems.push(`${part}: ${shown(value[part])} is not an object`);
  return problems;
};

const deleteProblems = (table: Table, key: Value): string[] => [
  ...unknownKeys(
    key,
    table.key,
    (name) => `key.${name}: is not part of the key of ${table.name}; that is ${table.key.join(', ')}`,
  ),
  ...(keyValuesOf(table, key) === null
    ? [`key: must have ${table.key.join(', ')}, each a text of 1 to 100 characters (a role may be empty)`]
    : []),
];

/** A change that cannot be applied. Its reason can be stored and printed: names in it are the platform's text. */
export const invalidChange = (
  body: Buffer,
  problems: readonly string[],
  about: Partial<InvalidChange> = {},
): InvalidChange => ({
  op: 'invalid',
  asked: null,
  table: null,
  key: null,
  record: {},
  body,
  ...about,
  reason: printable(problems.join(' | ')),
});

const tooLong = 'the change is longer than 4 MiB; shorten it. Until a shorter one comes, the row is not shown';
/** Never throws, whatever the bytes are: a message that cannot be read must not stop those behind it. */
export const readChange = (body: Buffer): Exclude<Change, Skipped> | Mark => {
  const wrong = (problems: readonly string[], about?: Partial<InvalidChange>) => invalidChange(body, problems, about);
  const isTooLong = body.length > maxRecordBytes;
  const json = isTooLong ? { problem: tooLong } : parseStrictly(body);
  const problem =
    'reason' in json ? `character ${json.column}: ${json.reason}` : 'problem' in json ? json.problem : null;
  const problems = problem === null ? [] : [problem];
  // A malformed change may still name a row that must be hidden.
  const value = 'value' in json ? json.value : parseLoosely(body);
  if (!isObject(value))
    return wrong(
      problems.length > 0
        ? problems
        : [`${shown(value)} is not an object; write {"op": "put", "table": …, "record": …}`],
    );
  problems.push(...frameProblems(value));
  if (value.op === 'mark') return problems.length === 0 ? { op: 'mark', at: value.at as string } : wrong(problems);
  const reader = readerOf(value.table);
  const asked = value.op === 'put' || value.op === 'delete' ? value.op : null;
  const given = value[asked === 'put' ? 'record' : 'key'];
  if (reader === undefined || asked === null || !isObject(given)) return wrong(problems, { asked });
  const { table, check } = reader;
  const key = keyValuesOf(table, given);
  const record = isTooLong ? {} : given; // an empty record hides its row
  if (asked === 'delete') problems.push(...deleteProblems(table, given));
  else if (!isTooLong) problems.push(...check(given).map(problemText));
  if (key !== null && asked === 'delete')
    return { op: 'delete', table, key, body, ...(problems.length > 0 ? { problem: wrong(problems).reason } : {}) };
  if (key === null || problems.length > 0) return wrong(problems, { asked, table, key, record });
  return { op: 'put', table, key, record: given, body };
};
