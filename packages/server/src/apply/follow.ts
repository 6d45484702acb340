// The follower: reads the stream on from the position, applies it in batches, and writes the new position in the same
// transaction. Whatever is interrupted begins again from the position; only a stream that is not the same any more stops it.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { closeClient, cutClient, openClient } from '../db/client.ts';
import { refuseWrongSchema } from '../db/schema.ts';
import { takeTurn } from '../db/turn.ts';
import { openApplier, readShape } from './batch.ts';
import type { Change } from './change.ts';
import { nothing, readChange } from './change.ts';
import { gather } from './gather.ts';
import type { Lease } from './lease.ts';
import { sessionName, takeLease } from './lease.ts';
import { isStreamProblem, readPosition, startOf, streamProblem, writePosition } from './position.ts';
import { waitingSince } from './rejected.ts';
import { parseSnapshot } from './snapshot.ts';
import type { Message, Source } from './source.ts';

export interface FollowOptions {
  url: string;
  openSource: () => Promise<Source>;
  log: { info: (facts: object, text: string) => void; warn: (facts: object, text: string) => void };
  signal: AbortSignal;
}

/** The writer lock is held about this long: then the batch ends, however far it has come. */
const holdMs = 700;
const againMs = 1000;
/** Waiting changes are tried again by themselves now and then: something else may have helped. */
const sweepMs = 60_000;
const sweepMost = 200;

/** A session that is stopped in the middle of a transaction lets go of the writer lock. */
const bounds = { connectionTimeoutMillis: 5000, lock_timeout: 30_000, idle_in_transaction_session_timeout: 5000 };

/** Follows while the lease is held. Returns when it is lost or a stop was asked for. */
const work = async (
  client: pg.Client,
  source: Source,
  holder: string,
  stopped: AbortSignal,
  log: FollowOptions['log'],
): Promise<void> => {
  const shape = await readShape(client);
  let position = await readPosition(client);
  const { from, ...stream } = await startOf(position, source);
  log.info({ holder, stream: stream.name, from }, 'following');
  let expected = from;
  let sweptAt = 0;

  /** Applies messages, or the first part of them; returns how many. Zero: another follower works. */
  const applyBatch = async (messages: readonly Message[]): Promise<number> => {
    await client.query('begin; select take_writer_lock()');
    const applier = await openApplier(client, shape);
    const deadline = Date.now() + holdMs;
    if (Date.now() - sweptAt > sweepMs) {
      sweptAt = Date.now();
      await applier.retry(await waitingSince(client, new Date(sweptAt), sweepMost), deadline);
    }
    let snapshot = position.loadSnapshot === null ? null : parseSnapshot(position.loadSnapshot);
    const marks = new Map<number, { at: string; endsLoad: boolean }>();
    const changes = messages.map(({ body, xid }, index): Change => {
      if (snapshot !== null && xid !== null && snapshot.contains(xid)) return nothing(body);
      const change = readChange(body);
      if (change.op !== 'mark') return change;
      const endsLoad = snapshot !== null && xid !== null && snapshot.isBefore(xid);
      if (endsLoad) snapshot = null;
      marks.set(index, { at: change.at, endsLoad });
      return nothing(body);
    });
    const done = await applier.apply(changes, deadline);
    const passed = [...marks].filter(([index]) => index < done).map(([, mark]) => mark);
    const { applied, rejected } = applier.tally;
    const next = await writePosition(
      client,
      holder,
      position,
      {
        last: messages[done - 1] as Message,
        asOf: passed.at(-1)?.at ?? null,
        loadSnapshot: passed.some(({ endsLoad }) => endsLoad) ? null : position.loadSnapshot,
        applied,
        rejected,
      },
      stream,
    );
    await client.query(next === null ? 'rollback' : 'commit');
    if (next === null) return 0;
    position = next;
    return done;
  };

  for await (const messages of gather(source.read(from), stopped)) {
    for (const { sequence } of messages) {
      if (sequence !== expected)
        throw streamProblem(`message ${expected} of the stream ${stream.name} is missing: ${sequence} follows`);
      expected += 1;
    }
    for (let done = 0; done < messages.length; ) {
      if (stopped.aborted) return;
      const count = await applyBatch(messages.slice(done));
      if (count === 0) return;
      done += count;
    }
  }
};

/** Runs until the signal, or until the stream cannot be followed further. */
export const follow = async ({ url, openSource, log, signal }: FollowOptions): Promise<void> => {
  const holder = randomUUID();
  while (!signal.aborted) {
    let lease: Lease | undefined;
    let client: pg.Client | undefined;
    let source: Source | undefined;
    try {
      lease = await takeLease(url, holder, signal, () => log.info({ holder }, 'another follower works; waiting'));
      const session = await openClient(url, sessionName(holder), bounds, () => {}); // reported by the statement under way
      client = session;
      // A statement may be waiting for a server that does not answer.
      lease.lost.addEventListener('abort', () => cutClient(session));
      await takeTurn(client);
      await refuseWrongSchema(client);
      source = await openSource();
      await work(client, source, holder, AbortSignal.any([signal, lease.lost]), log);
      if (!signal.aborted) log.warn({ holder }, 'the lease was lost: another follower works');
    } catch (error) {
      if (isStreamProblem(error)) throw error;
      if (!signal.aborted) log.warn({ holder, reason: (error as Error).message }, 'interrupted; trying again');
    } finally {
      await Promise.race([source?.close(), sleep(againMs)]).catch(() => {});
      if (client !== undefined) await closeClient(client);
      await lease?.release();
    }
    await sleep(againMs, undefined, { signal }).catch(() => {});
  }
};
