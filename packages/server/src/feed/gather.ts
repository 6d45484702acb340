// Gathers messages into batches: those that arrive within a short time, up to a number and a size.
import type { Message } from './source.ts';

const withinMs = 40;
const mostMessages = 1000;
const mostBytes = 8 * 1024 * 1024;
/** Backpressure: reading pauses when this many messages, or bytes, wait while a batch is applied. */
const mostAhead = 4000;
const mostBytesAhead = 32 * 1024 * 1024;

/** Yields batches until the signal aborts. An error of the source is thrown after all messages read before it. */
export async function* gather(source: AsyncIterable<Message>, signal: AbortSignal): AsyncGenerator<Message[]> {
  const queue: Message[] = [];
  let bytesAhead = 0;
  const isFull = () => queue.length >= mostAhead || bytesAhead >= mostBytesAhead;
  let failure: unknown;
  let isOver = false;
  let wake = (): void => {};
  const change = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  let resume = (): void => {};
  const pump = async () => {
    for await (const message of source) {
      if (signal.aborted) return;
      queue.push(message);
      bytesAhead += message.body.length;
      wake();
      if (isFull())
        await new Promise<void>((resolve) => {
          resume = resolve;
        });
    }
  };
  const stop = () => wake();
  signal.addEventListener('abort', stop);
  void pump()
    .catch((error: unknown) => {
      failure = error;
    })
    .finally(() => {
      isOver = true;
      wake();
    });
  try {
    for (;;) {
      while (queue.length === 0 && !isOver && !signal.aborted) await change();
      if (signal.aborted || queue.length === 0) break;
      // Wait for messages that are already on their way.
      if (queue.length < mostMessages && !isOver) {
        // A flag and not the clock: a timer can fire slightly early.
        let isTime = false;
        const timer = setTimeout(() => {
          isTime = true;
          wake();
        }, withinMs);
        while (!isTime && queue.length < mostMessages && !isOver && !signal.aborted) await change();
        clearTimeout(timer);
      }
      let [count, bytes] = [0, 0];
      while (count < queue.length && count < mostMessages && (count === 0 || bytes < mostBytes))
        bytes += queue[count++]?.body.length ?? 0;
      bytesAhead -= bytes;
      yield queue.splice(0, count);
      if (!isFull()) resume();
    }
    if (failure !== undefined && !signal.aborted) throw failure;
  } finally {
    signal.removeEventListener('abort', stop);
    isOver = true;
    resume();
  }
}
