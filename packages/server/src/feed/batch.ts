// Applies changes in order, inside a transaction that holds the writer lock. When the database rejects a part, the part
// is bisected (part.ts applies one). A change that cannot be applied is set aside with its reason, and retried when the
// row that blocks it has changed.
import type pg from 'pg';
import { readErased } from '../operator/people.ts';
import type { Refusal } from '../records/refusals.ts';
import { setSureAside } from './blockers.ts';
import { chainOf } from './chain.ts';
import type { Change, Delete, Put } from './change.ts';
import { readChange, skipped } from './change.ts';
import type { Work } from './part.ts';
import { attemptPart, setAside } from './part.ts';
import type { Waiting } from './rejected.ts';
import { forgetRejected, hasRejected, noteOrphans, storeRejected, waitingAmong, waitingFor } from './rejected.ts';
import type { Relations } from './relations.ts';
import { rowName } from './relations.ts';
import { partsOf } from './segments.ts';
import type { Tally } from './tally.ts';

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

/** Sets aside a change that cannot be applied alone, then tries it with those it exchanges unique values with. */
const holdBack = async (work: Work, change: Put | Delete, refusal: Refusal, isRetry: boolean): Promise<void> => {
  const reason = [refusal.reason, ...(change.op === 'delete' && change.problem ? [change.problem] : [])].join(' | ');
  if (isRetry) await storeRejected(work.client, change, { ...refusal, reason });
  else await setAside(work, change, { ...refusal, reason });
  if (change.op !== 'put') return;
  const chain = await chainOf(work.client, work.relations.constraints, change);
  if (chain.length > 1) await attemptPart(work, chain);
};

/** The first delete behind a change that has to wait, and that it may drop: that change must be stored before it. */
const dropAfterWait = (work: Work, part: readonly Change[]): number => {
  const waits = part.findIndex((change) => change.op === 'invalid' && (change.waitsFor ?? null) !== null);
  const drops = ({ op, table }: Change, n: number) =>
    op === 'delete' && n > waits && (work.relations.cascades.get(table.name)?.length ?? 0) > 0;
  return waits === -1 ? -1 : part.findIndex(drops);
};

/** Applies a part by bisection. Returns how many of its changes are done: all, or those before the deadline. */
const applyPart = async (
  work: Work,
  part: readonly Change[],
  deadline: number,
  done: number,
  isRetry: boolean,
): Promise<number> => {
  if (done > 0 && Date.now() > deadline) return 0;
  const outcome = await attemptPart(work, part);
  if (outcome === 'applied') return part.length;
  const [only] = part;
  if (part.length === 1 && (only?.op === 'put' || only?.op === 'delete')) {
    await holdBack(work, only, outcome, isRetry);
    return 1;
  }
  const sorted = part.length > fewChanges ? await setSureAside(work.client, work.relations, part) : part;
  const dropsAt = dropAfterWait(work, sorted);
  if (
    dropsAt === -1 &&
    sorted.some((change, n) => change !== part[n]) &&
    (await attemptPart(work, sorted)) === 'applied'
  )
    return part.length;
  const half = dropsAt === -1 ? Math.ceil(part.length / 2) : dropsAt;
  const first = await applyPart(work, part.slice(0, half), deadline, done, isRetry);
  return first < half ? first : first + (await applyPart(work, part.slice(half), deadline, done + first, isRetry));
};

/** A change without erased people; `nothing` when it belongs to an erased person. */
const withoutErasedPeople = (work: Work, change: Change): Change => {
  if (change.op === 'delete' || change.op === 'skip' || change.table === null) return change;
  const record = work.withoutErased(change.table, change.record);
  if (record === change.record) return change;
  work.tally.erased += 1;
  if (record === null) return skipped(change.body);
  // The body may be set aside, so it must not name them either.
  return { ...change, record, body: Buffer.from(JSON.stringify({ op: 'put', table: change.table.name, record })) };
};

const retryWaiting = async (work: Work, waiting: readonly Waiting[], deadline: number): Promise<void> => {
  const countedBefore = work.tally.setAside; // they were counted on arrival
  const entries: { id: string; change: Change }[] = [];
  for (const { id, body } of waiting) {
    const read = readChange(body);
    const change = read.op === 'mark' ? skipped(body) : withoutErasedPeople(work, read);
    if (change.op === 'put' || (change.op === 'delete' && change.problem === undefined)) entries.push({ id, change });
    else if (change.op === 'skip' && read.op !== 'mark') await forgetRejected(work.client, [read]);
    else if (change.op === 'invalid' && change.key !== null)
      await storeRejected(work.client, change, { reason: change.reason, waitsFor: null });
  }
  // Most of them still lack their parent or their value: those are sorted out in bulk.
  const sorted = await setSureAside(
    work.client,
    work.relations,
    entries.map(({ change }) => change),
  );
  await noteOrphans(
    work.client,
    entries.flatMap(({ id }, n) => {
      const change = sorted[n];
      return change?.op === 'invalid' ? [{ id, reason: change.reason, waits_for: change.waitsFor ?? null }] : [];
    }),
  );
  const ready = sorted.filter((change) => change.op !== 'invalid');
  for (const part of partsOf(ready, work.relations)) {
    if (Date.now() > deadline || (await applyPart(work, part, deadline, 0, true)) < part.length)
      work.isUnfinished = true;
  }
  work.tally.setAside = countedBefore;
};

/** Retries waiting changes until none waits for a row or table that has changed. */
const retryUnblocked = async (work: Work, deadline: number): Promise<void> => {
  while (work.someRejected && work.touched.size > 0) {
    const names = [...work.touched];
    work.touched.clear();
    const tried: string[] = [];
    for (;;) {
      const waiting = await waitingFor(work.client, names, tried, retriesAtOnce);
      if (waiting.length === 0) break;
      tried.push(...waiting.map(({ id }) => id));
      await retryWaiting(work, waiting, deadline);
      work.isUnfinished ||= Date.now() > deadline;
      if (work.isUnfinished) return;
    }
  }
};

/** Cuts a part before each wrong change that replaces a waiting one: the changes before it may unblock that one. */
const splitBeforeWaiting = async (work: Work, part: readonly Change[]): Promise<(readonly Change[])[]> => {
  const wrong = part.filter((change) => change.op === 'invalid' && change.key !== null);
  if (!work.someRejected || wrong.length === 0) return [part];
  const waiting = await waitingAmong(work.client, wrong);
  const isFirst = (change: Change, n: number) =>
    n > 0 &&
    change.op === 'invalid' &&
    change.key !== null &&
    waiting.has(rowName(change.table?.name ?? '', change.key));
  const starts = [0, ...part.flatMap((change, n) => (isFirst(change, n) ? [n] : []))];
  return starts.map((start, n) => part.slice(start, starts[n + 1]));
};

/** An applier for one transaction, which the client has begun and in which it holds the writer lock. */
export const openApplier = async (client: pg.Client, relations: Relations): Promise<Applier> => {
  const work: Work = {
    client,
    relations,
    tally: { applied: 0, setAside: 0, erased: 0, tables: new Map() },
    withoutErased: await readErased(client),
    someRejected: await hasRejected(client),
    isUnfinished: false,
    touched: new Set(),
  };
  await client.query(`set constraints ${relations.uniques} deferred`);
  return {
    tally: work.tally,
    isUnfinished: () => work.isUnfinished,
    apply: async (changes, deadline) => {
      let done = 0;
      for (const whole of partsOf(
        changes.map((change) => withoutErasedPeople(work, change)),
        relations,
      ))
        for (const part of await splitBeforeWaiting(work, whole)) {
          const count = await applyPart(work, part, deadline, done, false);
          done += count;
          await retryUnblocked(work, deadline);
          if (count < part.length) return done;
        }
      return done;
    },
    retry: async (waiting, deadline) => {
      await retryWaiting(work, waiting, deadline);
      await retryUnblocked(work, deadline);
    },
  };
};
