// The interface to a source of changes. The follower depends on nothing else: another engine is one more file beside
// nats-source.ts, outbox-source.ts and mirror-source.ts.
import type pg from 'pg';
import type { Position } from './position.ts';

export interface Message {
  /** The place in the order of changes: one more than that of the previous message. A mark of the outbox has none of its own. */
  sequence: number;
  /** The publisher's own id of the message. */
  id: string;
  /** When the stream stored it, as text; empty where the source does not tell. */
  at: string;
  /** The platform's transaction that wrote it, or null when the message does not name it. */
  xid: bigint | null;
  /** Empty: nothing is applied, only the position moves. */
  body: Buffer;
  /** The row of the outbox that it was. */
  row?: OutboxRow;
}
export interface OutboxRow {
  id: string;
  /** SHA-256 of its content, in hexadecimal. */
  hash: string;
}
/** Where the follower and its source report what an operator should know. */
export interface FeedLog {
  info: (facts: object, text: string) => void;
  warn: (facts: object, text: string) => void;
}
/** What is followed: stored with the position, which belongs to nothing else. */
export interface Origin {
  name: string;
  createdAt: string;
}

export interface Source {
  /**
   * Compares the source with the position, and completes what an interrupted follower has left. Throws StreamProblem
   * when changes may be missing. Called once, before everything else.
   */
  begin: (position: Position, client: pg.Client) => Promise<Origin>;
  /** The messages after the position, in batches. Throws when the connection is lost. */
  batches: (signal: AbortSignal) => AsyncIterable<readonly Message[]>;
  /** Runs in the transaction that applies the messages. */
  remember: (client: pg.Client, messages: readonly Message[]) => Promise<void>;
  /** Runs when that transaction has committed. */
  release: (messages: readonly Message[]) => Promise<void>;
  close: () => Promise<void>;
}

/** An error that only the operator can help with: the follower stops. */
export class FollowerProblem extends Error {}

/** The error for a source that cannot be followed from the stored position: only a fresh load helps. */
export class StreamProblem extends FollowerProblem {
  constructor(what: string) {
    super(
      `${what}. Changes may be missing: make a fresh load: commonhall load <folder>, or import <folder> --prune (docs/operating.md, "When the stream was lost")`,
    );
  }
}
