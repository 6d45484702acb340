// Applies changes in order, inside a transaction that holds the writer lock: in bulk where that gives the same result.
// When the database rejects a part, the part is bisected. A change that cannot be applied is set aside with its reason,
// and retried when the row that blocks it has changed.
import type pg from 'pg';
import { readErased } from '../operator/people.ts';
import type { Table } from '../records/columns.ts';
import type { Merged } from '../records/merge.ts';
import { isDataError } from '../records/refusals.ts';
import { restrictDeleted, restrictRow } from '../visibility/restrict.ts';
import { refusalOf, setSureAside } from './blockers.ts';
import { chainOf } from './chain.ts';
import type { Change, Delete, Put, Wrong } from './change.ts';
import { nothing, readChange } from './change.ts';
import type { Refusal, Waiting } from './rejected.ts';
import {
  dropChildren,
  forgetRejected,
  hasRejected,
  noteOrphans,
  storeRejected,
  waitingAmong,
  waitingFor,
} from './rejected.ts';
import { cut, rowOf, segmentOf } from './segments.ts';
import type { Shape } from './shape.ts';
import { cascadeName, rowName } from './shape.ts';
import { deleteStatement, putStatement } from './statements.ts';
import type { TableTally, Tally } from './tally.ts';
import { sumOf } from './tally.ts';

export interface Applier {
  /** Applies changes until the deadline, at least one part of them; returns how many are done. */
  apply: (changes: readonly Change[], deadline: number) => Promise<number>;
  /** Retries changes that were set aside. */
  retry: (waiting: readonly Waiting[], deadline: number) => Promise<void>;
  tally: Tally;
  /** Whether the deadline passed before all waiting changes were retried. */
  isUnfinished: () => boolean;
}

/** How many waiting changes are retried at a time. */
const retriesAtOnce = 500;
/** Up to this many changes it is cheaper to try them than to query for missing parents. */
const fewChanges = 4;

/** An applier for one transaction, which the client has begun and in which it holds the writer lock. */
export const openApplier = async (client: pg.Client, shape: Shape): Promise<Applier> => {
  const { cascades, catalogue, uniques, goesWith } = shape;
  const tally: Tally = { applied: 0, setAside: 0, erased: 0, tables: new Map() };
  const withoutErased = await readErased(client);
  let someRejected = await hasRejected(client);
  let isUnfinished = false;
  /** Names of changed rows and tables, for which changes may wait. */
  const touched = new Set<string>();
  await client.query(`set constraints ${uniques} deferred`);

  const setAside = async (change: Exclude<Change, { op: 'nothing' }>, refusal: Refusal): Promise<void> => {
    tally.setAside += 1;
    someRejected = true;
    await storeRejected(client, change, refusal);
    const { table, key } = change;
    if (table === null || key === null) return;
    const isPut = change.op === 'put' || (change.op === 'wrong' && change.asked === 'put');
    const hasChanged =
      change.op === 'delete'
        ? await restrictDeleted(client, table, key)
        : isPut && (await restrictRow(client, table, key, change.record));
    if (hasChanged) touched.add(table.name);
  };

  const write = async (valid: readonly (Put | Delete)[]): Promise<Map<Table, TableTally>> => {
    const { leafDeletes, puts, deletes } = segmentOf(valid);
    const written = new Map<Table, TableTally>();
    const note = (table: Table, counts: Partial<TableTally>) => written.set(table, sumOf(written.get(table), counts));
    const remove = async (groups: Map<Table, Delete[]>) => {
      for (const [table, rows] of groups)
        note(table, { deleted: (await client.query(deleteStatement(table, rows))).rowCount ?? 0 });
    };
    await remove(leafDeletes);
    for (const [table, rows] of puts) {
      const { inserted = 0, changed = 0 } = (await client.query<Merged>(putStatement(table, rows))).rows[0] ?? {};
      note(table, { inserted, changed, unchanged: rows.length - inserted - changed });
    }
    await remove(deletes);
    // Checked here, while the savepoint can still undo it; deferred again, because later parts may move values again.
    if (puts.size > 0) await client.query(`set constraints ${uniques} immediate; set constraints ${uniques} deferred`);
    return written;
  };

  const noteTouched = (valid: readonly (Put | Delete)[]): void => {
    for (const change of valid) {
      const { name } = change.table;
      touched.add(name).add(rowOf(change));
      if (change.op === 'delete')
        for (const below of goesWith.get(name) ?? []) touched.add(below).add(cascadeName(below));
    }
  };

  /** Sets aside the wrong changes of an applied part, except those that a later good change of the row replaces. */
  const setAsideWrong = async (part: readonly Change[]): Promise<void> => {
    const replaced = new Set<string>();
    const wrong: (Wrong | Delete)[] = [];
    for (const change of part.toReversed()) {
      if (change.op === 'nothing') continue;
      const { table, key } = change;
      const row = table === null || key === null ? null : rowOf({ table, key });
      const isWrong = change.op === 'wrong' || (change.op === 'delete' && change.problem !== undefined);
      if (isWrong && (row === null || !replaced.has(row))) wrong.unshift(change);
      else if (isWrong) tally.setAside += 1;
      if (change.op !== 'wrong' && row !== null) replaced.add(row);
    }
    for (const change of wrong)
      await setAside(
        change,
        change.op === 'wrong'
          ? { reason: change.reason, waitsFor: change.waitsFor ?? null }
          : { reason: change.problem ?? '', waitsFor: null },
      );
  };

  /** Drops changes that wait for a deleted row: a cascade would have deleted their rows, so they must not come back. */
  const dropBelow = async (valid: readonly (Put | Delete)[]): Promise<void> => {
    let gone = valid.flatMap(({ op, table, key }) => (op === 'delete' ? [{ table: table.name, key }] : []));
    while (gone.length > 0) {
      const next: { table: string; key: string[] }[] = [];
      for (const { table, key } of gone)
        if ((cascades.get(table)?.length ?? 0) > 0)
          next.push(...(await dropChildren(client, rowName(table, key), cascades.get(table) ?? [])));
      gone = next;
    }
  };

  /** Applies all of a part or none of it. For a single change the returned refusal has the reason. */
  const attempt = async (part: readonly Change[]): Promise<'applied' | Refusal> => {
    const valid = part.filter((change) => change.op === 'put' || change.op === 'delete');
    await client.query('savepoint part');
    try {
      if (someRejected) await forgetRejected(client, part);
      const written = await write(valid);
      if (someRejected) await dropBelow(valid);
      await client.query('release savepoint part');
      for (const [table, counts] of written) tally.tables.set(table, sumOf(tally.tables.get(table), counts));
    } catch (error) {
      if (!isDataError(error)) throw error;
      await client.query('rollback to savepoint part');
      const [only] = valid;
      return only === undefined || part.length > 1
        ? { reason: '', waitsFor: null }
        : refusalOf(client, shape, only, error);
    }
    tally.applied += valid.length;
    noteTouched(valid);
    await setAsideWrong(part);
    return 'applied';
  };

  /** Sets aside a change that cannot be applied alone, then tries it with those it exchanges unique values with. */
  const holdBack = async (change: Put | Delete, refusal: Refusal, isRetry: boolean): Promise<void> => {
    const reason = [refusal.reason, ...(change.op === 'delete' && change.problem ? [change.problem] : [])].join(' | ');
    if (isRetry) await storeRejected(client, change, { ...refusal, reason });
    else await setAside(change, { ...refusal, reason });
    if (change.op !== 'put') return;
    const chain = await chainOf(client, catalogue, change);
    if (chain.length > 1) await attempt(chain);
  };

  /** The first delete behind a change that has to wait, and that it may drop: that change must be stored before it. */
  const dropAfterWait = (part: readonly Change[]): number => {
    const waits = part.findIndex((change) => change.op === 'wrong' && (change.waitsFor ?? null) !== null);
    const drops = ({ op, table }: Change, n: number) =>
      op === 'delete' && n > waits && (cascades.get(table.name)?.length ?? 0) > 0;
    return waits === -1 ? -1 : part.findIndex(drops);
  };

  /** Applies a part by bisection. Returns how many of its changes are done: all, or those before the deadline. */
  const applyPart = async (
    part: readonly Change[],
    deadline: number,
    done: number,
    isRetry: boolean,
  ): Promise<number> => {
    if (done > 0 && Date.now() > deadline) return 0;
    const outcome = await attempt(part);
    if (outcome === 'applied') return part.length;
    const [only] = part;
    if (part.length === 1 && (only?.op === 'put' || only?.op === 'delete')) {
      await holdBack(only, outcome, isRetry);
      return 1;
    }
    const sorted = part.length > fewChanges ? await setSureAside(client, shape, part) : part;
    const dropsAt = dropAfterWait(sorted);
    if (dropsAt === -1 && sorted.some((change, n) => change !== part[n]) && (await attempt(sorted)) === 'applied')
      return part.length;
    const half = dropsAt === -1 ? Math.ceil(part.length / 2) : dropsAt;
    const first = await applyPart(part.slice(0, half), deadline, done, isRetry);
    return first < half ? first : first + (await applyPart(part.slice(half), deadline, done + first, isRetry));
  };

  /** A change without erased people; `nothing` when it belongs to an erased person. */
  const taken = (change: Change): Change => {
    if (change.op === 'delete' || change.op === 'nothing' || change.table === null) return change;
    const record = withoutErased(change.table, change.record);
    if (record === change.record) return change;
    tally.erased += 1;
    if (record === null) return nothing(change.body);
    // The body may be set aside, so it must not name them either.
    return { ...change, record, body: Buffer.from(JSON.stringify({ op: 'put', table: change.table.name, record })) };
  };

  const tryAgain = async (waiting: readonly Waiting[], deadline: number): Promise<void> => {
    const countedBefore = tally.setAside; // they were counted on arrival
    const entries: { id: string; change: Change }[] = [];
    for (const { id, body } of waiting) {
      const read = readChange(body);
      const change = read.op === 'mark' ? nothing(body) : taken(read);
      if (change.op === 'put' || (change.op === 'delete' && change.problem === undefined)) entries.push({ id, change });
      else if (change.op === 'nothing' && read.op !== 'mark') await forgetRejected(client, [read]);
      else if (change.op === 'wrong' && change.key !== null)
        await storeRejected(client, change, { reason: change.reason, waitsFor: null });
    }
    // Most of them still lack their parent or their value: those are sorted out in bulk.
    const sorted = await setSureAside(
      client,
      shape,
      entries.map(({ change }) => change),
    );
    await noteOrphans(
      client,
      entries.flatMap(({ id }, n) => {
        const change = sorted[n];
        return change?.op === 'wrong' ? [{ id, reason: change.reason, waits_for: change.waitsFor ?? null }] : [];
      }),
    );
    const ready = sorted.filter((change) => change.op !== 'wrong');
    for (const part of cut(ready, shape)) {
      if (Date.now() > deadline || (await applyPart(part, deadline, 0, true)) < part.length) isUnfinished = true;
    }
    tally.setAside = countedBefore;
  };
  /** Retries waiting changes until none waits for a row or table that has changed. */
  const release = async (deadline: number): Promise<void> => {
    while (someRejected && touched.size > 0) {
      const names = [...touched];
      touched.clear();
      const tried: string[] = [];
      for (;;) {
        const waiting = await waitingFor(client, names, tried, retriesAtOnce);
        if (waiting.length === 0) break;
        tried.push(...waiting.map(({ id }) => id));
        await tryAgain(waiting, deadline);
        isUnfinished ||= Date.now() > deadline;
        if (isUnfinished) return;
      }
    }
  };

  /** Cuts a part before each wrong change that replaces a waiting one: the changes before it may unblock that one. */
  const cutAtWaiting = async (part: readonly Change[]): Promise<(readonly Change[])[]> => {
    const wrong = part.filter((change) => change.op === 'wrong' && change.key !== null);
    if (!someRejected || wrong.length === 0) return [part];
    const waiting = await waitingAmong(client, wrong);
    const isFirst = (change: Change, n: number) =>
      n > 0 &&
      change.op === 'wrong' &&
      change.key !== null &&
      waiting.has(rowName(change.table?.name ?? '', change.key));
    const starts = [0, ...part.flatMap((change, n) => (isFirst(change, n) ? [n] : []))];
    return starts.map((start, n) => part.slice(start, starts[n + 1]));
  };

  return {
    tally,
    isUnfinished: () => isUnfinished,
    apply: async (changes, deadline) => {
      let done = 0;
      for (const whole of cut(changes.map(taken), shape))
        for (const part of await cutAtWaiting(whole)) {
          const count = await applyPart(part, deadline, done, false);
          done += count;
          await release(deadline);
          if (count < part.length) return done;
        }
      return done;
    },
    retry: async (waiting, deadline) => {
      await tryAgain(waiting, deadline);
      await release(deadline);
    },
  };
};
