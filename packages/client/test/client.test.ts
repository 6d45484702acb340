// The client alone: URLs, arguments and failures. Against a real server it is used by every test of packages/server.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { ApiError, createClient, urlOf } from '../src/client.ts';

let answer: { status: number; headers: Record<string, string>; body: string };
const seen: { url: string; authorization: string | undefined }[] = [];
const server = createServer((request, response) => {
  seen.push({ url: request.url ?? '', authorization: request.headers.authorization });
  response.writeHead(answer.status, answer.headers).end(answer.body);
}).listen(0, '127.0.0.1');
after(() => void server.close());
await new Promise((resolve) => server.once('listening', resolve));
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
const success = (data: unknown) => ({ status: 200, headers: {}, body: JSON.stringify({ success: true, data }) });

test('path values are encoded, query values come in contract order, absent ones are left out', () => {
  assert.equal(urlOf('http://a/v1/', 'getAgent', { name: 'a/b ü' }), 'http://a/v1/agents/a%2Fb%20%C3%BC');
  assert.equal(
    urlOf('http://a', 'listCollections', { sortBy: 'name', q: 'x&y', page: 2, type: undefined }),
    'http://a/collections?page=2&q=x%26y&sortBy=name',
  );
});

test('an argument that the operation lacks, or a missing path value, is an error and not dropped', () => {
  assert.throws(() => urlOf('http://a', 'getAgent', { name: 'x', nam: 'y' }), /getAgent has no argument nam/);
  assert.throws(() => urlOf('http://a', 'getAgent', { name: '' }), /getAgent needs the argument name/);
  for (const name of ['.', '..']) assert.throws(() => urlOf('http://a', 'getAgent', { name }), /name cannot be/);
});

test('the token goes only to operations that read one', async () => {
  const client = createClient({ baseUrl, token: 'secret' });
  answer = success([]);
  await client.listFeaturedLaunches();
  await client.listMyBountySubmissions({ bountyId: 'b' });
  assert.deepEqual(seen.slice(-2), [
    { url: '/v1/launches/featured', authorization: undefined },
    { url: '/v1/bounties/b/submissions/me', authorization: 'Bearer secret' },
  ]);
});

test('a failure is an ApiError with status, code, request id and retry time', async () => {
  answer = {
    status: 503,
    headers: { 'x-request-id': 'r1', 'retry-after': '2' },
    body: JSON.stringify({ success: false, error: 'later', code: 'SERVICE_UNAVAILABLE' }),
  };
  await assert.rejects(createClient({ baseUrl }).getScoreTiers(), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual(
      [error.status, error.code, error.message, error.requestId, error.retryAfterSeconds],
      [503, 'SERVICE_UNAVAILABLE', 'later', 'r1', 2],
    );
    return true;
  });
});

test('an answer that is not of the API, or none at all, is an ApiError NO_ANSWER', async () => {
  answer = { status: 502, headers: {}, body: '<html>' };
  await assert.rejects(createClient({ baseUrl }).getScoreTiers(), { code: 'NO_ANSWER', status: 502 });
  answer = { status: 200, headers: {}, body: '{}' };
  await assert.rejects(createClient({ baseUrl }).getScoreTiers(), { code: 'NO_ANSWER', status: 200 });
  await assert.rejects(createClient({ baseUrl: 'http://127.0.0.1:1' }).getScoreTiers(), {
    code: 'NO_ANSWER',
    status: 0,
  });
});

test('an aborted call rejects with the reason of its signal', async () => {
  const reason = new Error('enough');
  const signal = AbortSignal.abort(reason);
  await assert.rejects(createClient({ baseUrl }).getScoreTiers({}, { signal }), reason);
  // While the body arrives: the server promises more than it sends.
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
  // @ts-expect-error the answer has no such key
  client.getAgent({ name: 'x' }).then((agent) => agent.nam);
  // An open word accepts unknown values and completes known ones.
  client.getAgent({ name: 'x' }).then((agent) => agent.status === 'SOMETHING_NEW');
};

test('misspelt operations, arguments and keys do not compile', () => {
  assert.equal(typeof neverCalled, 'function');
});
