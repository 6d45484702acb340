// Where changes come from: an ordered log that keeps its messages. The follower knows nothing else of it, so that
// another engine is one more file beside nats-source.ts.

export interface Message {
  /** The place in the stream: one more than that of the message before. */
  sequence: number;
  /** The publisher's own id of the message. */
  id: string;
  /** When the stream stored it, as text. */
  at: string;
  /** The platform's transaction that wrote it, or null when the message does not say. */
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
  /** Messages from a sequence on. Ends with an error when the connection, or the stream, may not be the same any more. */
  read: (from: number) => AsyncIterable<Message>;
  close: () => Promise<void>;
}
