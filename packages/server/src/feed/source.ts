// The interface to the source of changes: an ordered log that keeps its messages. The follower depends on nothing else,
// so another engine is one more file beside nats-source.ts.

export interface Message {
  /** The position in the stream: one more than that of the previous message. */
  sequence: number;
  /** The publisher's own id of the message. */
  id: string;
  /** When the stream stored it, as text. */
  at: string;
  /** The platform's transaction that wrote it, or null when the message does not name it. */
  xid: bigint | null;
  body: Buffer;
}
interface StreamState {
  name: string;
  createdAt: string;
  firstSequence: number;
  /** 0: nothing was ever stored. */
  lastSequence: number;
}
export interface Source {
  describe: () => Promise<StreamState>;
  messageAt: (sequence: number) => Promise<Message | null>;
  /** Messages from a sequence on. Throws when the connection is lost, or when the stream may have been replaced. */
  read: (from: number) => AsyncIterable<Message>;
  close: () => Promise<void>;
}
