// Messages are gathered into batches, and no message waits for a later one to arrive.
// lanes: 15 18
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gather } from '../src/feed/gather.ts';
import type { Message } from '../src/feed/source.ts';

const message = (sequence: number, bytes = 10): Message => ({
  ...{ sequence, id: `${sequence}`, at: '', xid: null, body: Buffer.alloc(bytes) },
});
async function* silent(messages: readonly Message[], stopped: AbortSignal): AsyncGenerator<Message> {
  yield* messages;
  await sleep(60_000, undefined, { signal: stopped }).catch(() => {});
}
/** The size of the first batch of a source that falls silent after these messages. */
const firstBatch = async (messages: readonly Message[]): Promise<number> => {
  const stop = new AbortController();
  for await (const batch of gather(silent(messages, stop.signal), stop.signal)) {
    stop.abort();
    return batch.length;
  }
  return 0;
};

test('a message is passed on even if no other message follows', async () => {
  for (let round = 0; round < 20; round++) {
    // Each starts at a different time, so that timers fire at different offsets.
    const one = (n: number) => sleep(n).then(() => firstBatch([message(1)]));
    const batches = Promise.all(Array.from({ length: 200 }, (_, n) => one(n)));
    const late = sleep(20_000, 'late', { ref: false });
    assert.notEqual(await Promise.race([batches, late]), 'late');
  }
});

test('a batch is bounded in messages and in bytes', async () => {
  assert.equal(await firstBatch(Array.from({ length: 3000 }, (_, n) => message(n))), 1000);
  assert.equal(await firstBatch(Array.from({ length: 20 }, (_, n) => message(n, 3 * 1024 * 1024))), 3);
});

test('reading pauses while many messages wait, and goes on: a slow reader gets every one', {
  timeout: 60_000,
}, async () => {
  let [given, read, mostAhead] = [0, 0, 0];
  const many = async function* () {
    while (given < 9000) yield message(++given);
  };
  for await (const batch of gather(many(), new AbortController().signal)) {
    read += batch.length;
    await sleep(20); // the source could run ahead meanwhile
    mostAhead = Math.max(mostAhead, given - read);
  }
  assert.equal(read, 9000);
  assert.ok(mostAhead <= 4001, `${mostAhead} ahead`);
});

test('messages that were read before an error of the source are delivered before the error', async () => {
  const failing = async function* () {
    yield message(1);
    throw new Error('gone');
  };
  const seen: number[] = [];
  const read = async () => {
    for await (const batch of gather(failing(), new AbortController().signal))
      seen.push(...batch.map(({ sequence }) => sequence));
  };
  await assert.rejects(read(), /gone/);
  assert.deepEqual(seen, [1]);
});
