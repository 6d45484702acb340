// Reads one change of the platform: bytes → a put of a whole record, a delete by key, a mark, or the problems it has.
import { schemaFits } from '@commonhall/contract/check';
import { Timestamp } from '@commonhall/contract/shared';
import type { Table } from '../dataset/columns.ts';
import { keyValuesOf } from '../dataset/keys.ts';
import { problemText } from '../dataset/problems.ts';
import { recordCheck } from '../dataset/records.ts';
import { instantProblem } from '../dataset/rules.ts';
import { parseLoosely, parseStrictly } from '../dataset/strict-json.ts';
import { tables } from '../dataset/tables.ts';

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
export interface Wrong {
  op: 'wrong';
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
export interface Nothing {
  op: 'nothing';
  table: null;
  key: null;
  body: Buffer;
}
export type Change = Put | Delete | Wrong | Nothing;
export const nothing = (body: Buffer): Nothing => ({ op: 'nothing', table: null, key: null, body });

/** The tables that the platform feeds. API keys are created by the operator. */
export const changeTables: readonly Table[] = tables.filter(({ name }) => name !== 'api_keys');

const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isInstant = schemaFits(Timestamp);

const readers = new Map(changeTables.map((table) => [table.name, { table, check: recordCheck(table) }]));

const keysOf = { put: ['op', 'table', 'record'], delete: ['op', 'table', 'key'], mark: ['op', 'at'] } as const;
type Op = keyof typeof keysOf;
const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? 'nothing';

/** Problems of the change outside its record or key. */
const frameProblems = (value: Value): string[] => {
  const op = value.op as Op;
  if (!Object.hasOwn(keysOf, String(op))) return [`op: ${shown(value.op)} is not one of put, delete, mark`];
  const problems: string[] = [];
  for (const name of Object.keys(value))
    if (!keysOf[op].includes(name as never))
      problems.push(`${name.slice(0, 60)}: is not part of a ${op}; it has ${keysOf[op].join(', ')}`);
  if (op === 'mark') {
    if (!isInstant(value.at) || instantProblem(value.at, () => '') !== null)
      problems.push(`at: ${shown(value.at)} is not an instant; write it like 2026-11-02T00:00:00.000Z`);
    return problems;
  }
  if (!readers.has(String(value.table)))
    problems.push(`table: ${shown(value.table)} is not one of ${[...readers.keys()].join(', ')}`);
  const part = op === 'put' ? 'record' : 'key';
  if (!isObject(value[part])) problems.push(`${part}: ${shown(value[part])} is not an object`);
  return problems;
};

const deleteProblems = (table: Table, key: Value): string[] => [
  ...Object.keys(key)
    .filter((name) => !table.key.includes(name))
    .map(
      (name) => `key.${name.slice(0, 60)}: is not part of the key of ${table.name}; that is ${table.key.join(', ')}`,
    ),
  ...(keyValuesOf(table, key) === null
    ? [`key: must have ${table.key.join(', ')}, each a text of 1 to 100 characters (a role may be empty)`]
    : []),
];

export const readChange = (body: Buffer): Exclude<Change, Nothing> | Mark => {
  const wrong = (problems: readonly string[], about: Partial<Wrong> = {}): Wrong => ({
    op: 'wrong',
    asked: null,
    table: null,
    key: null,
    record: {},
    reason: problems.join(' | '),
    body,
    ...about,
  });
  const json = parseStrictly(body);
  const problems = 'reason' in json ? [`character ${json.column}: ${json.reason}`] : [];
  // A malformed change may still name a row that must be hidden.
  const value = 'reason' in json ? parseLoosely(body) : json.value;
  if (!isObject(value))
    return wrong(
      problems.length > 0
        ? problems
        : [`${shown(value)} is not an object; write {"op": "put", "table": …, "record": …}`],
    );
  problems.push(...frameProblems(value));
  if (value.op === 'mark') return problems.length === 0 ? { op: 'mark', at: value.at as string } : wrong(problems);
  const reader = readers.get(String(value.table));
  const asked = value.op === 'put' || value.op === 'delete' ? value.op : null;
  const given = value[asked === 'put' ? 'record' : 'key'];
  if (reader === undefined || asked === null || !isObject(given)) return wrong(problems, { asked });
  const { table, check } = reader;
  const key = keyValuesOf(table, given);
  problems.push(...(asked === 'put' ? check(given).map(problemText) : deleteProblems(table, given)));
  if (key !== null && asked === 'delete')
    return { op: 'delete', table, key, body, ...(problems.length > 0 ? { problem: problems.join(' | ') } : {}) };
  if (key === null || problems.length > 0) return wrong(problems, { asked, table, key, record: given });
  return { op: 'put', table, key, record: given, body };
};
