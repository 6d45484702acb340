// Applies one part of the changes in a transaction that holds the writer lock: all of it or none, in bulk where that
// gives the same result. A wrong change of the part is set aside with its reason.
import type pg from 'pg';
import type { readErased } from '../operator/people.ts';
import type { Table } from '../records/columns.ts';
import type { Merged } from '../records/merge.ts';
import type { Refusal } from '../records/refusals.ts';
import { attempt } from '../records/refusals.ts';
import { restrictDeleted, restrictRow } from '../visibility/restrict.ts';
import { refusalOf } from './blockers.ts';
import type { Change, Delete, InvalidChange, Put } from './change.ts';
import { dropChildren, forgetRejected, storeRejected } from './rejected.ts';
import type { Relations } from './relations.ts';
import { cascadeName, rowName } from './relations.ts';
import { rowOf, segmentOf } from './segments.ts';
import { deleteStatement, putStatement } from './statements.ts';
import type { TableTally, Tally } from './tally.ts';
import { sumOf } from './tally.ts';

/** What the parts of one transaction share. */
export interface Work {
  client: pg.Client;
  relations: Relations;
  tally: Tally;
  withoutErased: Awaited<ReturnType<typeof readErased>>;
  /** Whether the deadline passed before all waiting changes were retried. */
  isUnfinished: boolean;
  /** Whether changes are set aside in the database. */
  someRejected: boolean;
  /** Names of changed rows and tables, for which changes may wait. */
  touched: Set<string>;
}

export const setAside = async (
  work: Work,
  change: Exclude<Change, { op: 'skip' }>,
  refusal: Refusal,
): Promise<void> => {
  work.tally.setAside += 1;
  work.someRejected = true;
  await storeRejected(work.client, change, refusal);
  const { table, key } = change;
  if (table === null || key === null) return;
  const isPut = change.op === 'put' || (change.op === 'invalid' && change.asked === 'put');
  const hasChanged =
    change.op === 'delete'
      ? await restrictDeleted(work.client, table, key)
      : isPut && (await restrictRow(work.client, table, key, change.record));
  if (hasChanged) work.touched.add(table.name);
};

const write = async (work: Work, valid: readonly (Put | Delete)[]): Promise<Map<Table, TableTally>> => {
  const { leafDeletes, puts, deletes } = segmentOf(valid, work.relations);
  const written = new Map<Table, TableTally>();
  const note = (table: Table, counts: Partial<TableTally>) => written.set(table, sumOf(written.get(table), counts));
  const remove = async (groups: Map<Table, Delete[]>) => {
    for (const [table, rows] of groups)
      note(table, { deleted: (await work.client.query(deleteStatement(table, rows))).rowCount ?? 0 });
  };
  await remove(leafDeletes);
  for (const [table, rows] of puts) {
    const { inserted = 0, changed = 0 } = (await work.client.query<Merged>(putStatement(table, rows))).rows[0] ?? {};
    note(table, { inserted, changed, unchanged: rows.length - inserted - changed });
  }
  await remove(deletes);
  // Checked here, while the savepoint can still undo it; deferred again, because later parts may move values again.
  const { uniques } = work.relations;
  if (puts.size > 0)
    await work.client.query(`set constraints ${uniques} immediate; set constraints ${uniques} deferred`);
  return written;
};

const noteTouched = (work: Work, valid: readonly (Put | Delete)[]): void => {
  for (const change of valid) {
    const { name } = change.table;
    work.touched.add(name).add(rowOf(change));
    if (change.op === 'delete')
      for (const below of work.relations.goesWith.get(name) ?? []) work.touched.add(below).add(cascadeName(below));
  }
};

/** Sets aside the wrong changes of an applied part, except those that a later good change of the row replaces. */
const setAsideWrong = async (work: Work, part: readonly Change[]): Promise<void> => {
  const replaced = new Set<string>();
  const wrong: (InvalidChange | Delete)[] = [];
  for (const change of part.toReversed()) {
    if (change.op === 'skip') continue;
    const { table, key } = change;
    const row = table === null || key === null ? null : rowOf({ table, key });
    const isWrong = change.op === 'invalid' || (change.op === 'delete' && change.problem !== undefined);
    if (isWrong && (row === null || !replaced.has(row))) wrong.unshift(change);
    else if (isWrong) work.tally.setAside += 1;
    if (change.op !== 'invalid' && row !== null) replaced.add(row);
  }
  for (const change of wrong)
    await setAside(
      work,
      change,
      change.op === 'invalid'
        ? { reason: change.reason, waitsFor: change.waitsFor ?? null }
        : { reason: change.problem ?? '', waitsFor: null },
    );
};

/** Drops changes that wait for a deleted row: a cascade would have deleted their rows, so they must not come back. */
const dropBelow = async (work: Work, valid: readonly (Put | Delete)[]): Promise<void> => {
  let gone = valid.flatMap(({ op, table, key }) => (op === 'delete' ? [{ table: table.name, key }] : []));
  while (gone.length > 0) {
    const next: { table: string; key: string[] }[] = [];
    for (const { table, key } of gone)
      if ((work.relations.cascades.get(table)?.length ?? 0) > 0)
        next.push(...(await dropChildren(work.client, rowName(table, key), work.relations.cascades.get(table) ?? [])));
    gone = next;
  }
};

/** Applies all of a part or none of it. For a single change the returned refusal has the reason. */
export const attemptPart = async (work: Work, part: readonly Change[]): Promise<'applied' | Refusal> => {
  const valid = part.filter((change) => change.op === 'put' || change.op === 'delete');
  const outcome = await attempt(work.client, async () => {
    if (work.someRejected) await forgetRejected(work.client, part);
    const written = await write(work, valid);
    if (work.someRejected) await dropBelow(work, valid);
    return written;
  });
  if ('error' in outcome) {
    const [only] = valid;
    return only === undefined || part.length > 1
      ? { reason: '', waitsFor: null }
      : refusalOf(work.client, work.relations, only, outcome.error);
  }
  for (const [table, counts] of outcome.written)
    work.tally.tables.set(table, sumOf(work.tally.tables.get(table), counts));
  work.tally.applied += valid.length;
  noteTouched(work, valid);
  await setAsideWrong(work, part);
  return 'applied';
};
