// HTTP caching: Cache-Control by class, Vary by credential and encoding, and an ETag for each encoding of a body.
import assert from 'node:assert/strict';
import { get as httpGet } from 'node:http';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { operations } from '@commonhall/contract';
import type { Operation } from '@commonhall/contract/operation';
import { urlOf } from '@commonhall/contract/url';
import { populate } from '../../../test/helpers/community.ts';
import { eventually } from '../../../test/helpers/process.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import type { Encoding } from '../src/http/encoding.ts';
import { chooseEncoding } from '../src/http/encoding.ts';

const world = await createWorld();
const { calls, tokens } = await populate(world);
const api = await world.serve();
const all = Object.values<Operation>(operations);
const ask = (operation: Operation, args: Record<string, string>, token?: string) =>
  api.get(urlOf('', operation.id, args), token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });

test('caches may store public answers for a second, and private answers not at all', async () => {
  for (const operation of all) {
    const { visible, token } = calls[operation.id];
    const { headers, status } = await ask(operation, visible, token);
    assert.equal(status, 200);
    assert.equal(
      headers.get('cache-control'),
      operation.cache === 'private' ? 'private, no-store' : 'public, max-age=1, must-revalidate',
      operation.id,
    );
  }
  const launch = calls.getLaunch.visible;
  assert.equal(
    (await ask(operations.getLaunch, launch, tokens.stranger)).headers.get('cache-control'),
    'private, no-store',
  );
  assert.equal((await ask(operations.getLaunch, launch, 'nonsense')).headers.get('cache-control'), 'no-store');
});

test('Vary: Authorization is on every answer of an operation that reads credentials, Accept-Encoding on every public one', async () => {
  for (const operation of all) {
    const { visible, unknown, token } = calls[operation.id];
    const answers = [
      await ask(operation, visible, token),
      await ask(operation, visible),
      await ask(operation, visible, 'nonsense'),
    ];
    if (unknown !== undefined) answers.push(await ask(operation, unknown, token));
    answers.push(await api.get(`${urlOf('', operation.id, visible)}?nonsense=1`));
    for (const { headers, status } of answers) {
      const isPublic = headers.get('cache-control')?.startsWith('public') === true;
      const expected = [
        ...(operation.auth === 'none' ? [] : ['Authorization']),
        ...(isPublic ? ['Accept-Encoding'] : []),
      ];
      assert.equal(headers.get('vary') ?? '', expected.join(', '), `${operation.id} ${status}`);
      assert.ok(!isPublic || status === 200);
    }
  }
});

test('the ETag is the same for equal bodies and differs after a row has changed', async () => {
  const path = urlOf('', 'getBounty', calls.getBounty.visible);
  const tag = async () => (await api.get(path)).headers.get('etag');
  const before = await tag();
  assert.equal(await tag(), before);
  await world.owner.query(`update bounties set title = title || '!' where slug = 'write-docs'`);
  assert.notEqual(await tag(), before);
});

test('MAX_AGE_SECONDS sets how long public answers stay fresh', async () => {
  const slow = await world.serve({ MAX_AGE_SECONDS: '30' });
  assert.equal((await slow.get('/collections')).headers.get('cache-control'), 'public, max-age=30, must-revalidate');
});

interface Raw {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}
/** The bytes as they are sent; fetch would decode them. */
const raw = (server: { url: string }, path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<Raw>((resolve, reject) => {
    httpGet(server.url + path, { headers, method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    }).on('error', reject);
  });
const decoders = { gzip: gunzipSync, br: brotliDecompressSync, identity: (body: Buffer) => body };
const small = await world.serve({ COMPRESS_FROM_BYTES: '1' });

/** Calls of all operations whose answers any cache may store, or calls whose answers no cache may store. */
const pathsOf = (isPublic: boolean): { path: string; token: string | undefined }[] =>
  all.flatMap<{ path: string; token: string | undefined }>((operation) => {
    const { visible, token } = calls[operation.id];
    const path = urlOf('', operation.id, visible);
    if (isPublic) return operation.cache === 'private' ? [] : [{ path, token: undefined }];
    return operation.cache === 'public' ? [] : [{ path, token: token ?? tokens.stranger }];
  });

test('every encoding decodes to the same body and has its own ETag, which gives 304 for that encoding only', async () => {
  const paths = pathsOf(true).map(({ path }) => path);
  for (const path of [...paths, '/status', '/openapi.json']) {
    const offered: Encoding[] = path === '/openapi.json' ? ['identity', 'gzip', 'br'] : ['identity', 'gzip'];
    if (path === '/status') offered.pop(); // its body contains ages, which change between requests
    const answers = new Map<Encoding, Raw>();
    for (const encoding of offered) answers.set(encoding, await raw(small, path, { 'accept-encoding': encoding }));
    const plain = answers.get('identity')!;
    const tags = [...answers.values()].map(({ headers }) => headers.etag!);
    assert.equal(new Set(tags).size, offered.length, path);
    for (const [encoding, { status, headers, body }] of answers) {
      const where = `${path} ${encoding}`;
      assert.equal(status, 200, where);
      assert.equal(headers['content-encoding'], encoding === 'identity' ? undefined : encoding, where);
      assert.equal(Number(headers['content-length']), body.length, where);
      assert.ok(decoders[encoding](body).equals(plain.body), where);
      assert.ok(String(headers.vary).endsWith('Accept-Encoding'), where);
      for (const etag of tags) {
        const again = await raw(small, path, { 'accept-encoding': encoding, 'if-none-match': String(etag) });
        assert.equal(again.status, etag === headers.etag ? 304 : 200, `${where} ${etag}`);
        assert.deepEqual([again.headers.etag, again.headers.vary], [headers.etag, headers.vary], where);
      }
      const head = await raw(small, path, { 'accept-encoding': encoding }, 'HEAD');
      for (const name of ['etag', 'vary', 'content-encoding', 'content-length', 'content-type'])
        assert.equal(head.headers[name], headers[name], `${where} ${name}`);
      const known = { 'accept-encoding': encoding, 'if-none-match': String(headers.etag) };
      for (const method of ['GET', 'HEAD']) {
        const same = await raw(small, path, known, method);
        // RFC 9110, 8.6: the length of the 200, or none.
        assert.deepEqual([same.status, same.headers['content-length']], [304, undefined], `${where} ${method}`);
      }
    }
  }
});

test('an answer that depends on a credential is never compressed', async () => {
  const paths = pathsOf(false);
  assert.ok(paths.length >= 4);
  for (const { path, token } of paths) {
    const headers = { 'accept-encoding': 'gzip, br', authorization: `Bearer ${token}` };
    const answer = await raw(small, path, headers);
    assert.deepEqual(
      [answer.status, answer.headers['content-encoding'], answer.headers.vary],
      [200, undefined, 'Authorization'],
      path,
    );
    assert.match(String(answer.headers.etag), /^"[\w-]{22}"$/);
    JSON.parse(answer.body.toString());
  }
});

test('bodies of at least COMPRESS_FROM_BYTES are compressed; 0 switches compression off', async () => {
  const path = urlOf('', 'listRepositories', { pageSize: 20 });
  const { body } = await raw(api, path);
  const encodingWith = async (from: number) => {
    const server = await world.serve({ COMPRESS_FROM_BYTES: String(from) });
    const answer = await raw(server, path, { 'accept-encoding': 'gzip' });
    assert.equal(answer.headers.vary, 'Accept-Encoding');
    return answer.headers['content-encoding'];
  };
  assert.equal(await encodingWith(body.length), 'gzip');
  assert.equal(await encodingWith(body.length + 1), undefined);
  assert.equal(await encodingWith(0), undefined);
});

test('the log line counts the bytes that were sent', async () => {
  const path = urlOf('', 'listRepositories', {});
  const { headers, body } = await raw(small, path, { 'accept-encoding': 'gzip' });
  await eventually(() => {
    const line = small.lines.find(({ requestId }) => requestId === headers['x-request-id']);
    assert.equal(line?.bytes, body.length);
  });
});

test('the encoding follows Accept-Encoding and its weights; without a usable encoding the body is plain', () => {
  const cases: [header: string | undefined, encoding: Encoding][] = [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0, identity', 'identity'],
    ['gzip;q=0.2, identity;q=0.5', 'identity'],
    ['gzip;q=0.5', 'gzip'],
    ['gzip ; q=0.5 , identity ; q=0.5', 'gzip'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['identity;q=0, *;q=0', 'identity'],
    ['deflate, zstd', 'identity'],
    ['gzip;q=nonsense', 'identity'],
    ['gzip;q=', 'identity'],
    ['gzip;q=2', 'identity'],
    [';;,,', 'identity'],
  ];
  for (const [header, encoding] of cases) assert.equal(chooseEncoding(header, ['br', 'gzip']), encoding, header);
  assert.equal(chooseEncoding('br, gzip', ['gzip']), 'gzip');
  assert.equal(chooseEncoding('br, gzip', []), 'identity');
});

test('of a long list in a header only the first names are read', async () => {
  const commas = ','.repeat(20_000);
  const answer = (headers: Record<string, string>) => fetch(`${api.url}/openapi.json`, { headers });
  const plain = await answer({ 'accept-encoding': `${commas}gzip` });
  assert.equal(plain.headers.get('content-encoding'), null);
  const tag = plain.headers.get('etag') ?? '';
  assert.equal((await answer({ 'accept-encoding': 'identity', 'if-none-match': `${tag}${commas}` })).status, 304);
  assert.equal((await answer({ 'accept-encoding': 'identity', 'if-none-match': `${commas}${tag}` })).status, 200);
});
