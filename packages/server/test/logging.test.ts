// A log that cannot be written stops nobody: a full disk and a reader who never reads cost lines, which are counted, and
// neither responses nor an orderly stop.
import assert from 'node:assert/strict';
import { openSync } from 'node:fs';
import { test } from 'node:test';
import type { ServerProcess } from './helpers/process.ts';
import { eventually, serveProcess } from './helpers/process.ts';
import { createWorld } from './helpers/world.ts';

const world = await createWorld();
const settings = { DATABASE_WAIT_MS: '200', STATEMENT_TIMEOUT_MS: '200' };

/** More lines than the output keeps: each is about 250 bytes. */
const fill = async ({ url }: ServerProcess): Promise<void> => {
  const incomingId = 'x'.repeat(200);
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let n = 0; n < 150; n++) {
        const answer = await fetch(`${url}/nowhere`, { headers: { 'x-request-id': incomingId } });
        assert.equal(answer.status, 404);
        await answer.arrayBuffer();
      }
    }),
  );
};
const droppedAt = async ({ metricsUrl }: ServerProcess): Promise<number> => {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  return Number(/^commonhall_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
};

test('standard output on a full disk: every request is answered, lines are counted, a stop is in time', async () => {
  const server = await serveProcess(world.readerUrl, settings, ['ignore', openSync('/dev/full', 'w'), 'inherit']);
  for (let round = 0; (await droppedAt(server)) === 0 && round < 5; round++) await fill(server);
  assert.ok((await droppedAt(server)) > 0);
  const { status, ms } = await server.stop();
  assert.equal(status, 0);
  assert.ok(ms < 15_000, `${ms} ms`);
});

test('standard output that nobody reads: the buffer is bounded, and a stop is in time', async () => {
  const server = await serveProcess(world.readerUrl, settings, ['ignore', 'pipe', 'inherit']);
  for (let round = 0; (await droppedAt(server)) === 0 && round < 5; round++) await fill(server);
  assert.ok((await droppedAt(server)) > 0);
  const { status, ms } = await server.stop();
  assert.equal(status, 0);
  assert.ok(ms < 15_000, `${ms} ms`);
});

test('when the output takes lines again one of them says how many are missing', async () => {
  const server = await serveProcess(world.readerUrl, settings, ['ignore', 'pipe', 'inherit']);
  for (let round = 0; (await droppedAt(server)) === 0 && round < 5; round++) await fill(server);
  const dropped = await droppedAt(server);
  let text = '';
  server.child.stdout!.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await eventually(() => assert.match(text, /"dropped":/));
  const lines = text.split('\n').filter((line) => line.includes('"dropped":'));
  assert.equal(
    lines.reduce((sum, line) => sum + (JSON.parse(line) as { dropped: number }).dropped, 0),
    dropped,
  );
  await server.stop();
});

test('what was logged before a stop has left when the process ends', async () => {
  const server = await serveProcess(world.readerUrl, settings, ['ignore', 'pipe', 'inherit']);
  let text = '';
  server.child.stdout!.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await fetch(`${server.url}/nowhere`);
  await server.stop();
  await eventually(() => assert.match(text, /"msg":"stopped"/));
  assert.match(text, /"status":404/);
});
