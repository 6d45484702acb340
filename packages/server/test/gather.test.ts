// Messages are put together into batches, and none waits for another one to come.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gather } from '../src/apply/gather.ts';
import type { Message } from '../src/apply/source.ts';

const message = (sequence: number, bytes = 10): Message => ({
  ...{ sequence, id: `${sequence}`, at: '', xid: null, body: Buffer.alloc(bytes) },
});
async function* silent(messages: readonly Message[], stopped: AbortSignal): AsyncGenerator<Message> {
  yield* messages;
  await sleep(60_000, undefined, { signal: stopped }).catch(() => {});
}
/** The first batch of a source that has nothing more to say. */
const firstBatch = async (messages: readonly Message[]): Promise<number> => {
  const stop = new AbortController();
  for await (const batch of gather(silent(messages, stop.signal), stop.signal)) {
    stop.abort();
    return batch.length;
  }
  return 0;
};

test('a message that is the last one for a while is handed on', async () => {
  for (let round = 0; round < 20; round++) {
    // Each at a moment of its own, so that the clocks stand differently.
    const one = (n: number) => sleep(n).then(() => firstBatch([message(1)]));
    const batches = Promise.all(Array.from({ length: 200 }, (_, n) => one(n)));
    const late = sleep(20_000, 'late', { ref: false });
    assert.notEqual(await Promise.race([batches, late]), 'late');
  }
});

test('a batch is bounded in number and in size', async () => {
  assert.equal(await firstBatch(Array.from({ length: 3000 }, (_, n) => message(n))), 1000);
  assert.equal(await firstBatch(Array.from({ length: 20 }, (_, n) => message(n, 3 * 1024 * 1024))), 3);
});

test('an error of the source comes after what was read before it', async () => {
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
