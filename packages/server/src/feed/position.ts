// The position: how far the stream has been applied. Also checks that a stream is the one that the position belongs to.
import type pg from 'pg';
import { parseSnapshot } from '../records/snapshot.ts';
import type { Message, Source } from './source.ts';

export interface Position {
  stream: string | null;
  streamCreatedAt: string | null;
  sequence: number;
  messageId: string | null;
  messageAt: string | null;
  loadSnapshot: string | null;
  isLoading: boolean;
}

export const readPosition = async (client: pg.Client): Promise<Position> => {
  const { rows } = await client.query<Omit<Position, 'sequence'> & { sequence: string }>(`
    select stream, stream_created_at as "streamCreatedAt", sequence, message_id as "messageId",
      message_at as "messageAt", load_snapshot as "loadSnapshot", is_loading as "isLoading"
    from feed`);
  const [row] = rows;
  if (row === undefined) throw new Error('the table feed has no row; run: commonhall migrate on a new database');
  return { ...row, sequence: Number(row.sequence) };
};

export interface Progress {
  last: Message;
  asOf: string | null;
  loadSnapshot: string | null;
  applied: number;
  setAside: number;
}
/** Runs in the transaction of the changes. Returns the new position, or null when another follower has moved the
 * position or taken the lease. */
export const writePosition = async (
  client: pg.Client,
  holder: string,
  from: Position,
  { last, asOf, loadSnapshot, applied, setAside }: Progress,
  stream: { name: string; createdAt: string },
): Promise<Position | null> => {
  const { rowCount } = await client.query({
    name: 'write position',
    text: `
      update feed set stream = $1, stream_created_at = $2, sequence = $3, message_id = $4, message_at = $5,
        as_of = greatest(as_of, $6), load_snapshot = $7, applied = applied + $8, set_aside = set_aside + $9
      where sequence = $10 and stream is not distinct from $11 and stream_created_at is not distinct from $12
        and exists (select from feed_lease where holder = $13)`,
    values: [
      ...[stream.name, stream.createdAt, last.sequence, last.id, last.at, asOf, loadSnapshot, applied, setAside],
      ...[from.sequence, from.stream, from.streamCreatedAt, holder],
    ],
  });
  if (rowCount === 0) return null;
  return {
    stream: stream.name,
    streamCreatedAt: stream.createdAt,
    sequence: last.sequence,
    messageId: last.id,
    messageAt: last.at,
    loadSnapshot,
    isLoading: false,
  };
};

/** The error for a stream that cannot be followed from the stored position: only a fresh load helps. */
export class StreamProblem extends Error {
  constructor(what: string) {
    super(
      `${what}. Changes may be missing: take a fresh load of the platform and run: commonhall import <folder> --prune (docs/operating.md, "When the stream was lost")`,
    );
  }
}

/** The sequence to read from. Throws when the stream is not the one of the position. */
export const startOf = async (
  position: Position,
  source: Source,
): Promise<{ from: number; name: string; createdAt: string }> => {
  const { name, createdAt, firstSequence, lastSequence } = await source.describe();
  const { stream, streamCreatedAt, sequence, messageId, messageAt, loadSnapshot } = position;
  if (position.isLoading) throw new Error('an import --prune was not finished; run the same command again');
  if (stream === null) {
    const first = lastSequence === 0 ? null : await source.messageAt(firstSequence);
    if (loadSnapshot === null) {
      if (firstSequence > 1)
        throw new StreamProblem(`the stream ${name} begins with message ${firstSequence}, and there was no load`);
    } else if (first === null) throw new Error(`the stream ${name} is empty; start the relay`);
    // The load must contain everything before the first message. It does if it contains the first message too.
    else if (first.xid === null || parseSnapshot(loadSnapshot)?.contains(first.xid) !== true)
      throw new StreamProblem(
        `the first message of the stream ${name} (${firstSequence}) came after the load was taken`,
      );
    return { from: Math.max(1, firstSequence), name, createdAt };
  }
  if (stream !== name) throw new StreamProblem(`the database follows the stream ${stream}, and FEED_STREAM is ${name}`);
  if (streamCreatedAt !== createdAt)
    throw new StreamProblem(
      `the stream ${name} was created at ${createdAt}, the one that was followed at ${streamCreatedAt}`,
    );
  if (lastSequence < sequence)
    throw new StreamProblem(
      `the stream ${name} ends with message ${lastSequence}, and message ${sequence} was applied already`,
    );
  const held = await source.messageAt(sequence);
  if (held === null)
    throw new StreamProblem(`the stream ${name} has discarded message ${sequence}, the last one that was applied`);
  if (held.id !== messageId || held.at !== messageAt)
    throw new StreamProblem(
      `message ${sequence} of the stream ${name} is not the one that was applied (another id or time)`,
    );
  return { from: sequence + 1, name, createdAt };
};
