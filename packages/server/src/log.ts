// The logger, which writes JSON lines, and its output. The output never blocks and never fails the process: lines that
// it cannot take are buffered up to a limit, then dropped and counted. Node's fs.Utf8Stream (24.21) cannot replace it: a
// process whose log pipe is not read could not exit, and its periodic flush throws.
import { fstatSync, write, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { isatty, WriteStream } from 'node:tty';
import type { DestinationStream, Logger } from 'pino';
import { pino } from 'pino';

export type Log = Logger;

export interface Output extends DestinationStream {
  /** The number of lines dropped so far. */
  dropped: () => number;
  /** Resolves when every line is written, or after this time. */
  close: (withinMs: number) => Promise<void>;
}

// Lines are written together when they fill a page of memory, and at the latest after this time: one write per line
// would cost as much as a short response.
const gatherBytes = 4096;
const gatherMs = 100;
/** The lines of about 4,000 requests. */
const keptBytes = 1024 * 1024;
/** A write that failed, for example on a full disk, is retried after this time. */
const retryMs = 1000;

type Write = (chunk: Buffer, done: (error: unknown, written: number) => void) => void;

/**
 * Files are written by the thread pool. A pipe, socket or terminal must not be: its reader may never read, and a
 * blocked thread would keep the process from exiting. These are opened as non-blocking streams.
 */
const writerFor = (fd: number): Write => {
  const kind = fstatSync(fd);
  const isTerminal = isatty(fd);
  if (!isTerminal && !kind.isFIFO() && !kind.isSocket())
    return (chunk, done) => write(fd, chunk, (error, written) => done(error, written));
  const stream = isTerminal ? new WriteStream(fd) : new Socket({ fd, readable: false, writable: true });
  // Node makes terminals blocking.
  (stream as { _handle?: { setBlocking?: (isBlocking: boolean) => void } })._handle?.setBlocking?.(false);
  stream.on('error', () => {}); // each write reports its error
  stream.unref();
  return (chunk, done) => stream.write(chunk, (error) => done(error, error ? 0 : chunk.length));
};

const time = (): string => `,"time":"${new Date().toISOString()}"`;

export const openOutput = (fd: number): Output => {
  const writeTo = writerFor(fd);
  let lines: string[] = [];
  let bytes = 0;
  let underWay: Buffer | null = null;
  let total = 0;
  /** Lines dropped since the last report in the log. */
  let unreported = 0;
  let onIdle: (() => void) | null = null;

  const push = (line: string) => {
    lines.push(line);
    bytes += Buffer.byteLength(line);
  };
  const flush = () => {
    if (underWay !== null) return;
    if (unreported > 0) {
      push(
        `{"level":40${time()},"dropped":${unreported},"msg":"log lines were dropped: the output did not take them"}\n`,
      );
      unreported = 0;
    }
    if (lines.length === 0) {
      onIdle?.();
      return;
    }
    underWay = Buffer.from(lines.join(''));
    lines = [];
    bytes = 0;
    attempt(underWay);
  };
  const attempt = (chunk: Buffer) => {
    writeTo(chunk, (error, written) => {
      if (error) setTimeout(attempt, retryMs, chunk).unref();
      else if (written < chunk.length) attempt(chunk.subarray(written));
      else {
        underWay = null;
        if (unreported > 0 || bytes >= gatherBytes || onIdle !== null) flush();
      }
    });
  };
  setInterval(flush, gatherMs).unref();
  // On an unexpected exit the last lines are written, as far as that does not block.
  process.once('exit', () => {
    try {
      if (lines.length > 0) writeSync(fd, lines.join(''));
    } catch {
      // The process exits even when the output fails.
    }
  });

  return {
    write: (line) => {
      if (bytes + (underWay?.length ?? 0) + line.length > keptBytes) {
        total += 1;
        unreported += 1;
        return;
      }
      push(line);
      if (bytes >= gatherBytes) flush();
    },
    dropped: () => total,
    close: (withinMs) =>
      new Promise((resolve) => {
        onIdle = resolve;
        setTimeout(resolve, withinMs);
        flush();
      }),
  };
};

export const openLog = (level: string, output: DestinationStream): Log =>
  pino({ level, base: null, timestamp: time }, output);
