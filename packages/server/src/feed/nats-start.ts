// Where a stream of NATS is read from. Throws when it is not the one that the position belongs to.
import { parseSnapshot } from '../records/snapshot.ts';
import type { Position } from './position.ts';
import type { Message, Origin } from './source.ts';
import { StreamProblem } from './source.ts';

export interface Stream {
  describe: () => Promise<StreamState>;
  messageAt: (sequence: number) => Promise<Message | null>;
}
interface StreamState extends Origin {
  firstSequence: number;
  /** 0: nothing was ever stored. */
  lastSequence: number;
}

/** The sequence to read from. Throws when the stream is not the one of the position. */
export const startOf = async (position: Position, source: Stream): Promise<Origin & { from: number }> => {
  const { name, createdAt, firstSequence, lastSequence } = await source.describe();
  const { stream, streamCreatedAt, sequence, messageId, messageAt, loadSnapshot } = position;
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
