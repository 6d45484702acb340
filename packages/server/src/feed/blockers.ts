// Why a change cannot be applied: the reason as text, and the name of the row that blocks it. The change is retried
// when that row changes (batch.ts), and once a minute (follow.ts).
import type pg from 'pg';
import type { Constraint } from '../records/constraints.ts';
import { tableNamed } from '../records/records.ts';
import type { Refusal } from '../records/refusals.ts';
import { databaseProblem, missingParent, notUnique } from '../records/refusals.ts';
import { findTaken } from '../records/taken.ts';
import type { Change, Delete, InvalidChange, Put } from './change.ts';
import { waitingAmong } from './rejected.ts';
import type { Relations } from './relations.ts';
import { cascadeName, parentsOf, rowName } from './relations.ts';
import { rowOf } from './segments.ts';

/** The key of a row with these values, other than the row with the key `but`. */
const rowWith = async (
  client: pg.Client,
  name: string,
  columns: readonly string[],
  values: readonly unknown[],
  but: readonly string[],
): Promise<string[] | null> => {
  const key = `array[${tableNamed(name).key.join(', ')}]::text[]`;
  const same = columns.map((column, n) => `${column} = $${n + 2}`).join(' and ');
  const { rows } = await client.query<{ key: string[] }>(
    `select ${key} as key from ${name} where ${same} and ${key} <> $1 limit 1`,
    [but, ...values],
  );
  return rows[0]?.key ?? null;
};

const blockerOf = async (client: pg.Client, change: Put | Delete, found: Constraint): Promise<string[] | null> => {
  const { kind, table, columns } = found;
  const names = (key: string[] | null) => (key === null ? null : [rowName(table, key), cascadeName(table)]);
  if (kind === 'unique' && change.op === 'put') {
    if (!columns.every((column) => column in change.table.columns)) return null;
    const values = columns.map((column) => change.record[column]);
    return names(await rowWith(client, table, columns, values, change.key));
  }
  if (kind === 'foreign' && change.op === 'delete' && table !== change.table.name) {
    const values = found.target.columns.map((column) => change.key[change.table.key.indexOf(column)]);
    return names(await rowWith(client, table, columns, values, []));
  }
  return null;
};

/** Why the database has rejected a change, and what the change waits for. */
export const refusalOf = async (
  client: pg.Client,
  relations: Relations,
  change: Put | Delete,
  error: unknown,
): Promise<Refusal> => {
  const { constraints } = relations;
  const { reason, waitsFor } = databaseProblem(
    error,
    change.table,
    change.op === 'put' ? change.record : {},
    constraints,
  );
  const { table = '', constraint = '' } = error as Partial<pg.DatabaseError>;
  const found = constraints.get(`${table}.${constraint}`);
  const blocker = found === undefined ? null : await blockerOf(client, change, found);
  const helps = blocker ?? waitsFor;
  // Deleting a parent must also drop this change: dropChildren finds it by the names of its parents.
  const parents = change.op === 'put' ? parentsOf(change, relations).map(({ name }) => name) : [];
  return { reason, waitsFor: helps === null ? null : [...new Set([...helps, ...parents])] };
};

/** Returns the changes. A put whose parent is neither in the database nor among the puts becomes an invalid change. */
const setOrphansAside = async (client: pg.Client, relations: Relations, part: readonly Change[]): Promise<Change[]> => {
  const puts = part.filter((change) => change.op === 'put');
  const here = new Set(puts.map(rowOf));
  const asked = puts.flatMap((put) => parentsOf(put, relations)).filter(({ name }) => !here.has(name));
  const missing = new Set<string>();
  for (const [parent, rows] of Map.groupBy(asked, ({ table }) => table)) {
    const columns = tableNamed(parent).key;
    const keys = new Map(rows.map(({ name, key }) => [name, key]));
    const { rows: found } = await client.query<{ key: string[] }>(
      `select array[${columns.map((name) => `k.${name}`).join(', ')}]::text[] as key
       from json_populate_recordset(null::${parent}, $1) k
       where not exists (select from ${parent} t where ${columns.map((name) => `t.${name} = k.${name}`).join(' and ')})`,
      [JSON.stringify([...keys.values()].map((key) => Object.fromEntries(columns.map((name, n) => [name, key[n]]))))],
    );
    for (const { key } of found) missing.add(rowName(parent, key));
  }
  if (missing.size === 0) return [...part];
  return part.map((change): Change => {
    if (change.op !== 'put') return change;
    const parents = parentsOf(change, relations);
    const first = parents.find(({ name }) => missing.has(name));
    if (first === undefined) return change;
    const { reason } = missingParent(change.record, first.reference);
    const waitsFor = parents.map(({ name }) => name);
    return { ...change, op: 'invalid', asked: 'put', reason, waitsFor } satisfies InvalidChange;
  });
};

/** Returns the changes. A put whose unique value another row has becomes an invalid change, unless a change of that row may
 * free the value: one of these, or one that waits (chain.ts). */
const setTakenAside = async (client: pg.Client, relations: Relations, part: readonly Change[]): Promise<Change[]> => {
  if (part.some(({ op }) => op === 'delete')) return [...part];
  const wrong = new Map<Change, InvalidChange>();
  const puts = part.filter((change) => change.op === 'put');
  for (const [table, changes] of Map.groupBy(puts, (put) => put.table)) {
    const records = changes.map(({ record }) => record);
    const taken = await findTaken(client, table, records, relations.constraints);
    const waiting = await waitingAmong(
      client,
      taken.map(({ holder }) => ({ table, key: holder })),
    );
    for (const { index, constraint, holder } of taken) {
      const change = changes[index]!;
      const name = rowName(table.name, holder);
      if (waiting.has(name)) continue;
      const parents = parentsOf(change, relations).map((parent) => parent.name);
      const waitsFor = [...new Set([name, cascadeName(table.name), ...parents])];
      const reason = notUnique(table, change.record, constraint.columns);
      wrong.set(change, { ...change, op: 'invalid', asked: 'put', reason, waitsFor });
    }
  }
  return part.map((change) => wrong.get(change) ?? change);
};

/** Returns the changes. Those that the database is sure to reject become invalid changes, in bulk. */
export const setSureAside = async (
  client: pg.Client,
  relations: Relations,
  part: readonly Change[],
): Promise<Change[]> => setTakenAside(client, relations, await setOrphansAside(client, relations, part));
