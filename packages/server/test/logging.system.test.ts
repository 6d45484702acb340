// A log that cannot be written blocks nothing: with a full disk or a pipe that is never read, lines are dropped and
// counted, but responses and an orderly stop go on. Also: only a valid trace of a caller is logged.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { test } from 'node:test';
import type { ServerProcess } from '../../../test/helpers/process.ts';
import { eventually, serveProcess } from '../../../test/helpers/process.ts';
import type { Api } from '../../../test/helpers/world.ts';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
const settings = { DATABASE_WAIT_MS: '200', STATEMENT_TIMEOUT_MS: '200' };

/** Causes more lines than the output buffers; each is about 250 bytes. */
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

test('with standard output on a full disk every request is answered, dropped lines are counted, and a stop is in time', async () => {
  const server = await serveProcess(world.readerUrl, settings, ['ignore', openSync('/dev/full', 'w'), 'inherit']);
  for (let round = 0; (await droppedAt(server)) === 0 && round < 5; round++) await fill(server);
  assert.ok((await droppedAt(server)) > 0);
  const { status, ms } = await server.stop();
  assert.equal(status, 0);
  assert.ok(ms < 15_000, `${ms} ms`);
});

test('with standard output that is never read the buffer is bounded, and a stop is in time', async () => {
  const server = await serveProcess(world.readerUrl, settings, ['ignore', 'pipe', 'inherit']);
  for (let round = 0; (await droppedAt(server)) === 0 && round < 5; round++) await fill(server);
  assert.ok((await droppedAt(server)) > 0);
  const { status, ms } = await server.stop();
  assert.equal(status, 0);
  assert.ok(ms < 15_000, `${ms} ms`);
});

test('when the output accepts lines again, a line says how many were dropped', async () => {
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

test('all lines logged before a stop are written when the process exits', async () => {
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

/** The log line of a request with this path and these headers; an array is a header that is sent several times. */
const lineFor = async (api: Api, path: string, headers: Record<string, string | string[]>) => {
  const asked = request(api.url + path, { headers, agent: false });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  const id = response.headers['x-request-id'];
  return eventually(() => {
    const line = api.lines.find(({ msg, requestId }) => msg === 'request' && requestId === id);
    assert.ok(line);
    return { line, status: response.statusCode };
  });
};

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${parentId}-01`;

test('the trace of a caller is in the log line of its request, with any status, and in the line of a failure', async () => {
  const api = await world.serve();
  for (const [path, status] of [
    ['/contests', 200],
    ['/nowhere', 404],
    ['/contests/%ff', 400], // before routing
  ] as const) {
    const found = await lineFor(api, path, { traceparent });
    assert.deepEqual([found.status, found.line.traceId, found.line.parentId], [status, traceId, parentId]);
  }
  await world.owner.query('alter table contests rename to contests_gone');
  const fault = await lineFor(api, '/contests', { TraceParent: traceparent });
  await world.owner.query('alter table contests_gone rename to contests');
  assert.equal(fault.status, 500);
  const { traceId: ofFault, parentId: parent } = api.lines.find(({ msg }) => msg === 'failure') ?? {};
  assert.deepEqual([ofFault, parent], [traceId, parentId]);
  const absent = await lineFor(api, '/contests', {});
  assert.deepEqual(['traceId' in absent.line, 'parentId' in absent.line], [false, false]);
});

test('a tool call has the trace in the log lines of both requests', async () => {
  const api = await world.serve();
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'listContests', arguments: {} } };
  const response = await fetch(`${api.url}/mcp`, {
    method: 'POST',
    headers: { traceparent, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(call),
  });
  assert.equal(response.status, 200, await response.text());
  await eventually(() =>
    assert.deepEqual(
      api.lines
        .filter((line) => line.traceId === traceId)
        .map(({ operation }) => operation)
        .sort(),
      ['listContests', 'mcp'],
    ),
  );
});

test('the known parts of a later traceparent version are read; a malformed or repeated header is never logged', async () => {
  const api = await world.serve();
  for (const later of [`cc-${traceId}-${parentId}-01`, `cc-${traceId}-${parentId}-01-what-comes-canary-later`]) {
    const { line } = await lineFor(api, '/contests', { traceparent: later });
    assert.deepEqual([line.traceId, line.parentId], [traceId, parentId], later);
  }
  const hostile: (string | string[])[] = [
    '',
    '-',
    'canary-1',
    traceparent.slice(0, -1),
    `${traceparent}1`,
    `${traceparent}-canary-2`, // version 00 ends with the flags
    `${traceparent}.canary-3`,
    `cc-${traceId}-${parentId}-01.canary-4`,
    `cc-${traceId}-${parentId}-0`,
    traceparent.toUpperCase(),
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${traceId}-${parentId.toUpperCase()}-01`,
    `ff-${traceId}-${parentId}-01`,
    `0-${traceId}-${parentId}-01`,
    `000-${traceId}-${parentId}-01`,
    `.0-${traceId}-${parentId}-01`,
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.slice(1)}-${parentId}-01`,
    `00-${traceId}0-${parentId}-01`,
    `00-${traceId}-${parentId}0-01`,
    `00-${traceId.slice(1)}.-${parentId}-01`,
    `00-${traceId}-${parentId}-.0`,
    `00_${traceId}_${parentId}_01`,
    `{"canary-5":"${traceparent}"}`,
    '\xff[31mcanary-6',
    'canary-7'.repeat(2000),
    [traceparent, traceparent],
    [traceparent, 'canary-8'],
    [traceparent, ''],
  ];
  for (const value of hostile) {
    const { line, status } = await lineFor(api, '/contests', { traceparent: value });
    assert.equal(status, 200, String(value));
    assert.deepEqual(['traceId' in line, 'parentId' in line], [false, false], String(value));
  }
  assert.ok(!JSON.stringify(api.lines).includes('canary'));
});
