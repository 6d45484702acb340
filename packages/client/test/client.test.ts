// Unit tests of the client: URLs, arguments, errors, retries, cache. The tests of packages/server use it with a real
// server.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { urlOf } from '@commonhall/contract/url';
import { ApiError, createClient } from '../src/client.ts';

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}
/** The server's response. An array: one per request, the last one repeated. Null: the server closes the connection. */
let answer: Answer | (Answer | null)[];
const seen: { url: string; authorization: string | undefined; etag: string | undefined }[] = [];
const server = createServer((request, response) => {
  const { authorization, 'if-none-match': etag } = request.headers;
  seen.push({ url: request.url ?? '', authorization, etag });
  const next = Array.isArray(answer) ? (answer.length > 1 ? answer.shift()! : answer[0]!) : answer;
  if (next === null) request.socket.destroy();
  else response.writeHead(next.status, next.headers).end(next.body);
}).listen(0, '127.0.0.1');
after(() => void server.close());
await new Promise((resolve) => server.once('listening', resolve));
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
const success = (data: unknown) => ({ status: 200, headers: {}, body: JSON.stringify({ success: true, data }) });
const failure = (status: number, code: string, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: JSON.stringify({ success: false, error: 'later', code }),
});

test('path parameters are encoded, query parameters are in contract order, absent ones are left out', () => {
  assert.equal(urlOf('http://a/v1/', 'getAgent', { name: 'a/b ü' }), 'http://a/v1/agents/a%2Fb%20%C3%BC');
  assert.equal(
    urlOf('http://a', 'listCollections', { sortBy: 'name', q: 'x&y', page: 2, type: undefined }),
    'http://a/collections?page=2&q=x%26y&sortBy=name',
  );
});

test('an unknown argument or a missing path parameter throws', () => {
  assert.throws(() => urlOf('http://a', 'getAgent', { name: 'x', nam: 'y' }), /getAgent has no argument nam/);
  assert.throws(() => urlOf('http://a', 'getAgent', { name: '' }), /getAgent needs the argument name/);
  for (const name of ['.', '..']) assert.throws(() => urlOf('http://a', 'getAgent', { name }), /name cannot be/);
});

test('the token is sent only to operations that accept one', async () => {
  const client = createClient({ baseUrl, token: 'secret' });
  answer = success([]);
  await client.listFeaturedLaunches();
  await client.listMyBountySubmissions({ bountyId: 'b' });
  assert.deepEqual(seen.slice(-2), [
    { url: '/v1/launches/featured', authorization: undefined, etag: undefined },
    { url: '/v1/bounties/b/submissions/me', authorization: 'Bearer secret', etag: undefined },
  ]);
});

test('a failure is an ApiError with status, code, request id, retry time and remedy', async () => {
  answer = failure(503, 'SERVICE_UNAVAILABLE', { 'x-request-id': 'r1', 'retry-after': '2' });
  await assert.rejects(createClient({ baseUrl, retries: 0 }).getScoreTiers(), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual(
      [error.status, error.code, error.message, error.requestId, error.retryAfterSeconds, error.remedy],
      [503, 'SERVICE_UNAVAILABLE', 'later', 'r1', 2, 'Try again after the time in Retry-After.'],
    );
    return true;
  });
  answer = failure(409, 'A_CODE_OF_LATER', { 'retry-after': new Date(Date.now() + 60_000).toUTCString() });
  await assert.rejects(createClient({ baseUrl }).getScoreTiers(), (error) => {
    assert.ok(error instanceof ApiError && error.remedy !== '');
    assert.ok(error.retryAfterSeconds! > 50 && error.retryAfterSeconds! <= 60, 'a date of a proxy');
    return true;
  });
});

test('429, 503, a 502 of a proxy and a broken connection are retried, not before Retry-After', async () => {
  for (const passing of [
    failure(429, 'RATE_LIMITED', { 'retry-after': '1' }),
    failure(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '1' }),
  ]) {
    answer = [passing, success('there')];
    const began = Date.now();
    assert.equal(await createClient({ baseUrl }).getScoreTiers(), 'there');
    assert.ok(Date.now() - began >= 1000, `${passing.status}: not before Retry-After`);
  }
  answer = [null, { status: 502, headers: {}, body: '<html>' }, null, success('there')];
  assert.equal(await createClient({ baseUrl }).getScoreTiers(), 'there');
});

test('the number of retries is limited, and permanent errors are not retried', async () => {
  const attempts = async (status: number, code: string, retries?: number): Promise<number> => {
    answer = failure(status, code);
    const before = seen.length;
    const client = createClient({ baseUrl, ...(retries === undefined ? {} : { retries }) });
    await assert.rejects(client.getScoreTiers(), { status, code });
    return seen.length - before;
  };
  assert.equal(await attempts(503, 'SERVICE_UNAVAILABLE'), 4);
  assert.equal(await attempts(503, 'SERVICE_UNAVAILABLE', 1), 2);
  for (const [status, code] of [
    [400, 'VALIDATION_ERROR'],
    [401, 'UNAUTHORIZED'],
    [404, 'NOT_FOUND'],
    [500, 'INTERNAL_ERROR'],
  ] as const)
    assert.equal(await attempts(status, code), 1, code);
});

test('a Retry-After beyond the time limit fails at once, a stalled response fails at the limit', async () => {
  answer = failure(429, 'RATE_LIMITED', { 'retry-after': '60' });
  const began = Date.now();
  await assert.rejects(createClient({ baseUrl }).getScoreTiers(), { code: 'RATE_LIMITED', retryAfterSeconds: 60 });
  assert.ok(Date.now() - began < 10_000);
  answer = { status: 200, headers: { 'content-length': '1000' }, body: '{' };
  const late = createClient({ baseUrl, timeoutMs: 300 }).getScoreTiers();
  await assert.rejects(late, { code: 'NO_ANSWER', message: /^No answer from http:.* within 300 ms$/ });
  await assert.rejects(createClient({ baseUrl }).getScoreTiers({}, { timeoutMs: 200 }), /within 200 ms/);
});

test('the cache revalidates by ETag, evicts the least recently used response, and has no private ones', async () => {
  const client = createClient({ baseUrl, cacheSize: 2, token: 'secret' });
  const etags = async (name: string, status: 200 | 304, headers: Record<string, string> = { etag: `"${name}"` }) => {
    answer = status === 304 ? { status, headers: {}, body: '' } : { ...success(name), headers };
    assert.equal(await client.getAgent({ name }), name);
    return seen.at(-1)!.etag;
  };
  assert.equal(await etags('a', 200), undefined);
  assert.equal(await etags('a', 304), '"a"');
  assert.equal(await etags('b', 200), undefined);
  assert.equal(await etags('a', 304), '"a"');
  assert.equal(await etags('c', 200), undefined); // evicts b
  assert.equal(await etags('b', 200), undefined);
  assert.equal(await etags('c', 304), '"c"');
  assert.equal(await etags('d', 200, { etag: '"d"', 'cache-control': 'private, no-store' }), undefined);
  assert.equal(await etags('d', 200), undefined);
  const plain = createClient({ baseUrl });
  answer = { ...success(1), headers: { etag: '"x"' } };
  for (let times = 0; times < 2; times++) await plain.getAgent({ name: 'x' });
  assert.equal(seen.at(-1)!.etag, undefined, 'nothing is cached by default');
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const page = (number: number, of: number) =>
  success({ items: [number], total: of, page: number, pageSize: 1, totalPages: of, hasMore: number < of });

test('pages and items prefetch exactly one page, and none after the reader has stopped', async () => {
  const client = createClient({ baseUrl });
  answer = [1, 2, 3, 4, 5].map((number) => page(number, 5));
  const before = seen.length;
  const read: unknown[] = [];
  for await (const item of client.items.listAgents({ pageSize: 1 })) {
    read.push(item);
    const ahead = Math.min(5, read.length + 1);
    for (let tries = 0; tries < 300 && seen.length - before < ahead; tries++) await pause(100);
    await pause(50); // time for a request too many
    assert.equal(seen.length - before, ahead, 'requests after this item');
  }
  assert.deepEqual(read, [1, 2, 3, 4, 5]);
  assert.deepEqual(
    seen.slice(before).map(({ url }) => url.split('?')[1]),
    ['pageSize=1', 'page=2&pageSize=1', 'page=3&pageSize=1', 'page=4&pageSize=1', 'page=5&pageSize=1'],
  );
  answer = [page(1, 9), page(2, 9), page(3, 9)];
  const stopped = seen.length;
  for await (const _ of client.pages.listAgents()) break;
  await pause(100);
  assert.ok(seen.length - stopped <= 2);
});

test('the error of a prefetched page is thrown only after the pages before it', async () => {
  answer = [page(1, 3), failure(500, 'INTERNAL_ERROR')];
  const read: unknown[] = [];
  const reading = async () => {
    for await (const item of createClient({ baseUrl }).items.listAgents()) {
      read.push(item);
      await pause(100); // the prefetch has failed by now
    }
  };
  await assert.rejects(reading(), { code: 'INTERNAL_ERROR' });
  assert.deepEqual(read, [1]);
});

test('a response that is not of the API, or none at all, is an ApiError NO_ANSWER', async () => {
  answer = { status: 502, headers: {}, body: '<html>' };
  await assert.rejects(createClient({ baseUrl, retries: 0 }).getScoreTiers(), { code: 'NO_ANSWER', status: 502 });
  answer = { status: 200, headers: {}, body: '{}' };
  await assert.rejects(createClient({ baseUrl }).getScoreTiers(), { code: 'NO_ANSWER', status: 200 });
  await assert.rejects(createClient({ baseUrl: 'http://127.0.0.1:1', retries: 0 }).getScoreTiers(), {
    code: 'NO_ANSWER',
    status: 0,
  });
});

test('an aborted call rejects with the reason of its signal', async () => {
  const reason = new Error('enough');
  const signal = AbortSignal.abort(reason);
  await assert.rejects(createClient({ baseUrl }).getScoreTiers({}, { signal }), reason);
  // Aborted while the body arrives: the server sends less than its content-length.
  answer = { status: 200, headers: { 'content-length': '1000' }, body: '{' };
  const later = new AbortController();
  setTimeout(() => later.abort(reason), 100);
  await assert.rejects(createClient({ baseUrl }).getScoreTiers({}, { signal: later.signal }), reason);
});

// What must not compile: `tsc` fails when one of these lines stops being an error.
const neverCalled = () => {
  const client = createClient({ baseUrl });
  // @ts-expect-error a misspelt path argument
  client.getAgent({ nam: 'x' });
  // @ts-expect-error a missing path argument
  client.getAgent();
  // @ts-expect-error an unknown query argument
  client.listCollections({ limit: 5 });
  // @ts-expect-error a value that the contract does not list
  client.listCollections({ sortBy: 'size' });
  // @ts-expect-error a misspelt operation
  client.getAgnt({ name: 'x' });
  // @ts-expect-error there are no pages of one agent
  client.pages.getAgent({ name: 'x' });
  // @ts-expect-error the result has no such key
  client.getAgent({ name: 'x' }).then((agent) => agent.nam);
  // An extensible enum accepts unknown values.
  client.getAgent({ name: 'x' }).then((agent) => agent.status === 'SOMETHING_NEW');
};

test('misspelt operations, arguments and keys do not compile', () => {
  assert.equal(typeof neverCalled, 'function');
});
