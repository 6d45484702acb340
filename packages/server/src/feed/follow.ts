// The follower: reads changes from the stored position on, applies them in batches, and writes the new position in the
// same transaction. After an interruption it starts again from the position. A message that cannot even be set aside in
// the usual way is found by halving its batch. It stops only for a problem that an operator has to solve.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { crashPoint } from '../crash-points.ts';
import { beginWriting, closeClient, cutClient, openWriter } from '../db/connection/client.ts';
import { isPoolerProblem, operatorProblem } from '../db/connection/failures.ts';
import { isServerGone } from '../db/connection/recovery.ts';
import { refuseWrongSchema } from '../db/schema/readiness.ts';
import { endTurn, takeLoadTurn } from '../db/schema/turn.ts';
import { takeSteps, takesSteps } from '../operator/steps.ts';
import { isDataError } from '../records/refusals.ts';
import { parseSnapshot } from '../records/snapshot.ts';
import { openApplier } from './batch.ts';
import type { Change, Delete, InvalidChange, Put } from './change.ts';
import { invalidChange, readChange, skipped } from './change.ts';
import { requireDurable } from './durable.ts';
import type { Lease } from './lease.ts';
import { sessionName, takeLease } from './lease.ts';
import { readPosition, writePosition } from './position.ts';
import { waitingSince } from './rejected.ts';
import { readRelations } from './relations.ts';
import type { FeedLog, Message, Source } from './source.ts';
import { FollowerProblem } from './source.ts';

export interface FollowOptions {
  url: string;
  openSource: () => Promise<Source>;
  log: FeedLog;
  signal: AbortSignal;
}

/** The writer lock is held for about this long. Then the batch ends, even if messages are left. */
const holdMs = 700;
const retryMs = 1000;
/** A failover may be over at any moment. */
const goneMs = 200;
/** Waiting changes are also retried at this interval, because something other than a change may have helped. */
const sweepMs = 60_000;
const sweepMost = 500;
/** How often old entries of the log of public changes are deleted. */
const trimMs = 10_000;

/** The idle timeout makes a process that is paused inside a transaction release the writer lock. */
const bounds = { connectionTimeoutMillis: 5000, lock_timeout: 30_000, idle_in_transaction_session_timeout: 5000 };

/** The database's clock, which also sets tried_at. */
const now = async (client: pg.Client): Promise<Date> =>
  (await client.query<{ now: Date }>('select now()::instant as now')).rows[0]?.now ?? new Date();

interface Item {
  message: Message;
  change: Change;
  mark?: { at: string; endsLoad: boolean };
}
/** Messages as changes. Changes that the load contains are skipped, until the first mark from after the load. */
const readItems = (messages: readonly Message[], loadSnapshot: string | null): Item[] => {
  let snapshot = loadSnapshot === null ? null : parseSnapshot(loadSnapshot);
  return messages.map((message): Item => {
    const { body, xid } = message;
    const isLoaded = snapshot !== null && xid !== null && snapshot.contains(xid);
    if (isLoaded || body.length === 0) return { message, change: skipped(body) };
    const change = readChange(body);
    if (change.op !== 'mark') return { message, change };
    const endsLoad = snapshot !== null && xid !== null && snapshot.isBefore(xid);
    if (endsLoad) snapshot = null;
    return { message, change: skipped(body), mark: { at: change.at, endsLoad } };
  });
};

/** An error that a message causes each time it is tried: a mistake in this program, or a value that PostgreSQL rejects
 * outside the savepoints of batch.ts. Any other error is about the database or the connection, and passes. */
const isCausedByMessage = (error: unknown): boolean =>
  isDataError(error) || [TypeError, RangeError, SyntaxError, ReferenceError].some((kind) => error instanceof kind);

/** A change to set aside after an error: with its row, so that the row is still hidden, or without. */
const setAsideAfter = (error: unknown, change: Put | Delete | InvalidChange, keepsRow: boolean): InvalidChange => {
  const { table, key } = change;
  const record = change.op === 'delete' ? {} : change.record; // an empty record hides the row
  const reason = `the change could not be applied: ${(error as Error).message.slice(0, 200)}`;
  return invalidChange(change.body, [reason], keepsRow ? { asked: 'put', table, key, record } : {});
};

/** Follows while the lease is held. Returns when it is lost or a stop was requested. */
const work = async (
  client: pg.Client,
  source: Source,
  holder: string,
  stopped: AbortSignal,
  log: FeedLog,
): Promise<void> => {
  await client.query(takesSteps);
  const relations = await readRelations(client);
  let position = await readPosition(client);
  if (position.isLoading) throw new Error('an import --prune was not finished; run the same command again');
  const origin = await source.begin(position, client);
  crashPoint('follow: source begun');
  log.info({ holder, stream: origin.name, after: position.sequence }, 'following');
  let trimAt = 0;
  /** Waiting changes last tried before this are retried: at the start, every minute, and after an unfinished batch. */
  let triedBefore = await now(client);

  /** Applies the messages, or the first of them. Returns how many; zero: another follower is active. */
  const applyBatch = async (items: readonly Item[], retries: boolean): Promise<number> => {
    await client.query(beginWriting);
    crashPoint('follow: batch begun');
    const applier = await openApplier(client, relations);
    const deadline = Date.now() + holdMs;
    const began = await now(client);
    if (began.getTime() - triedBefore.getTime() > sweepMs) triedBefore = began;
    const waiting = retries ? await waitingSince(client, triedBefore, sweepMost) : [];
    if (waiting.length > 0) await applier.retry(waiting, Date.now() + holdMs / 2);
    const done = await applier.apply(
      items.map(({ change }) => change),
      deadline,
    );
    crashPoint('follow: batch applied');
    if (applier.isUnfinished()) triedBefore = began;
    const marks = items.slice(0, done).flatMap(({ mark }) => (mark === undefined ? [] : [mark]));
    const { applied, setAside } = applier.tally;
    const messages = items.slice(0, done).map(({ message }) => message);
    const last = messages.at(-1) as Message;
    const asOf = marks.at(-1)?.at ?? null;
    const loadSnapshot = marks.some(({ endsLoad }) => endsLoad) ? null : position.loadSnapshot;
    if (Date.now() >= trimAt) {
      trimAt = Date.now() + trimMs;
      await client.query('select lists.trim_changes()');
    }
    const progress = { last, asOf, loadSnapshot, applied, setAside };
    const next = await writePosition(client, holder, position, progress, origin);
    crashPoint('follow: position written');
    if (next !== null) await source.remember(client, messages);
    crashPoint('follow: rows remembered');
    await client.query(next === null ? 'rollback' : 'commit');
    crashPoint('follow: batch committed');
    if (next === null) return 0;
    position = next;
    return done;
  };

  /** Like applyBatch. If a message stops its batch, the batch is halved until that message is alone and set aside. */
  const applySome = async (items: readonly Item[], retries: boolean, timesSetAside = 0): Promise<number> => {
    try {
      return await applyBatch(items, retries);
    } catch (error) {
      if (!isCausedByMessage(error)) throw error;
      await client.query('rollback');
      crashPoint('follow: failed batch rolled back');
      const [first] = items;
      const { stack } = error as Error; // without the fields of a database error, which show values of rows
      log.warn({ holder, from: first?.message.sequence, messages: items.length, stack }, 'a batch failed');
      if (retries) return applySome(items, false); // a change that waits may be the cause
      if (items.length > 1 || first === undefined) return applySome(items.slice(0, Math.ceil(items.length / 2)), false);
      const { message, change } = first;
      if (change.op === 'skip' || timesSetAside === 2) throw error;
      const wrong = setAsideAfter(error, change, timesSetAside === 0);
      return applySome([{ message, change: wrong }], false, timesSetAside + 1);
    }
  };

  for await (const messages of source.batches(stopped)) {
    const items = readItems(messages, position.loadSnapshot);
    for (let [done, most] = [0, items.length]; done < items.length; ) {
      if (stopped.aborted) return;
      const offered = items.slice(done, done + most);
      const count = await applySome(offered, true);
      if (count === 0) return;
      await takeSteps(client, () => stopped.aborted);
      await source.release(offered.slice(0, count).map(({ message }) => message));
      crashPoint('follow: release sent');
      done += count;
      // A batch with many wrong changes is bisected: where only a part was done in time, most of a large one is rolled back.
      most = count < offered.length ? Math.max(10, 2 * count) : 4 * most;
    }
  }
};

/** Runs until the signal aborts, or until the stream cannot be followed further. */
export const follow = async ({ url, openSource, log, signal }: FollowOptions): Promise<void> => {
  const holder = randomUUID();
  while (!signal.aborted) {
    let lease: Lease | undefined;
    let client: pg.Client | undefined;
    let source: Source | undefined;
    let pauseMs = retryMs;
    try {
      lease = await takeLease(url, holder, signal, () => log.info({ holder }, 'another follower works; waiting'));
      crashPoint('follow: lease taken');
      const session = await openWriter(url, sessionName(holder), bounds, () => {}); // reported by the statement under way
      client = session;
      // A statement may be waiting for a server that does not answer.
      lease.lost.addEventListener('abort', () => cutClient(session));
      await takeLoadTurn(client, url);
      await refuseWrongSchema(client);
      await requireDurable(client);
      source = await openSource();
      await work(client, source, holder, AbortSignal.any([signal, lease.lost]), log);
      if (!signal.aborted) log.warn({ holder }, 'the lease may be lost; starting again');
    } catch (error) {
      if (error instanceof FollowerProblem) throw error;
      if (isPoolerProblem(error)) throw operatorProblem(error, url);
      if (isServerGone(error)) pauseMs = goneMs;
      if (!signal.aborted) log.warn({ holder, reason: (error as Error).message }, 'interrupted; trying again');
    } finally {
      await Promise.race([source?.close(), sleep(retryMs)]).catch(() => {});
      if (client !== undefined) {
        await Promise.race([endTurn(client, 'load'), sleep(retryMs)]);
        await closeClient(client);
      }
      await lease?.release();
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
};
