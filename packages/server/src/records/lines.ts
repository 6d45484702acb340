// Reads a stream of bytes line by line, in bounded memory: a line over the limit is only good for finding its key, and
// one far over it is skipped to its end.
// Also counts and hashes what has been read, so that a later run can recognize the same bytes.
import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';

/** The longest possible record: every long text at its limit, each character escaped. */
export const maxRecordBytes = 4 * 1024 * 1024;
/** A longer line is not kept in memory. */
const mostBytes = 32 * 1024 * 1024;

const byteOrderMark = Buffer.from('\ufeff');
/** Space, tab, newline, carriage return. */
const whiteSpace = [0x20, 0x09, 0x0a, 0x0d];

interface Line {
  number: number;
  /** Without a byte order mark at the beginning of the stream. null: far too long. */
  bytes: Buffer | null;
  isTooLong: boolean;
  /** Nothing but white space. */
  isEmpty: boolean;
  /** The offset of the end of this line in the file. */
  endOffset: number;
}

export interface LineReader {
  lines: AsyncGenerator<Line>;
  /** SHA-256 of everything up to the line that was yielded last. */
  digest: () => string;
}

export const readLines = (source: AsyncIterable<Buffer>): LineReader => {
  const hash: Hash = createHash('sha256');
  async function* lines(): AsyncGenerator<Line> {
    let number = 0;
    let endOffset = 0;
    let pending: Buffer[] = [];
    let pendingBytes = 0;
    const finish = (last: Buffer): Line => {
      hash.update(last);
      const length = pendingBytes + last.length;
      const whole = length <= mostBytes ? Buffer.concat([...pending, last]) : null;
      pending = [];
      pendingBytes = 0;
      number += 1;
      endOffset += length;
      const bytes = number === 1 && whole?.subarray(0, 3).equals(byteOrderMark) ? whole.subarray(3) : whole;
      const isEmpty = bytes?.every((byte) => whiteSpace.includes(byte)) ?? false;
      return { number, bytes, isTooLong: length > maxRecordBytes, isEmpty, endOffset };
    };
    for await (const chunk of source) {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        yield finish(chunk.subarray(start, end + 1));
        start = end + 1;
      }
      const rest = chunk.subarray(start);
      hash.update(rest);
      pendingBytes += rest.length;
      if (pendingBytes <= mostBytes) pending.push(rest);
      else pending = [];
    }
    if (pendingBytes > 0) yield finish(Buffer.alloc(0));
  }
  return { lines: lines(), digest: () => hash.copy().digest('hex') };
};
