// API keys: which credentials are accepted and which are rejected, and that public operations read none. JWTs are in
// tokens.test.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '@commonhall/contract';
import type { Operation } from '@commonhall/contract/operation';
import { urlOf } from '@commonhall/contract/url';
import { populate } from '../../../test/helpers/community.ts';
import { createWorld, pepper } from '../../../test/helpers/world.ts';
import { hashKey, keyKind, makeKey } from '../src/http/auth.ts';

const world = await createWorld();
const { calls, tokens } = await populate(world);
const api = await world.serve();
const all = Object.values<Operation>(operations);
const reading = all.filter(({ auth }) => auth !== 'none');

const ask = (operation: Operation, authorization?: string) =>
  api.get(
    urlOf('', operation.id, calls[operation.id].visible),
    authorization === undefined ? {} : { headers: { authorization } },
  );

test('a key has its prefix, 160 random bits and a checksum that catches a typing error', () => {
  const key = makeKey('live');
  assert.match(key, /^chk_live_[0-9A-Za-z]{33}$/);
  assert.deepEqual([keyKind(key), keyKind(makeKey('test'))], ['live', 'test']);
  assert.equal(new Set(Array.from({ length: 1000 }, () => makeKey('live'))).size, 1000);
  for (let index = 9; index < key.length; index++) {
    const slip = key.slice(0, index) + (key[index] === 'x' ? 'y' : 'x') + key.slice(index + 1);
    assert.equal(keyKind(slip), null, `a wrong character at ${index}`);
  }
  for (const other of [key.replace('live', 'test'), key.toUpperCase(), `${key} `, key.slice(0, -1), `${key}0`, ''])
    assert.equal(keyKind(other), null);
});

test('an operation that needs a credential returns 401 with WWW-Authenticate without one', async () => {
  for (const operation of reading) {
    const response = await ask(operation);
    assert.equal(response.status, operation.auth === 'optional' ? 200 : 401, operation.id);
    if (response.status === 401) assert.equal(response.headers.get('www-authenticate'), 'Bearer');
  }
});

test('a malformed, unknown or revoked credential, or one of a deactivated user, gets 401 wherever credentials are read', async () => {
  const revoked = await world.keyFor('user-1');
  assert.equal((await ask(operations.getLaunch, `Bearer ${revoked}`)).status, 200);
  await world.owner.query('update api_keys set revoked_at = now() where hash = $1', [hashKey(revoked, pepper)]);
  const unpeppered = makeKey('test');
  await world.add('api_keys', { user_id: 'user-1', hash: hashKey(unpeppered, 'another pepper') });
  const bad = [
    '',
    'Bearer',
    'Bearer ',
    'Basic YTpi',
    tokens.member,
    `Bearer ${tokens.member} x`,
    'Bearer nonsense',
    `Bearer ${makeKey('live')}`,
  ];
  bad.push(
    `Bearer ${tokens.exile}`,
    `Bearer ${revoked}`,
    `Bearer ${unpeppered}`,
    `Bearer ${tokens.member}, Bearer ${tokens.god}`,
    `Bearer ${'x'.repeat(5000)}`,
  );
  for (const operation of reading)
    for (const authorization of bad) {
      const response = await ask(operation, authorization);
      assert.equal(response.status, 401, `${operation.id} ${authorization.slice(0, 40)}`);
      assert.equal(response.headers.get('www-authenticate'), 'Bearer');
    }
});

test('public operations do not read credentials: every caller gets the same bytes and headers', async () => {
  const varying = ['date', 'x-request-id', 'connection', 'keep-alive'];
  for (const operation of all.filter(({ auth }) => auth === 'none')) {
    const answers = await Promise.all(
      [undefined, 'nonsense', `Bearer ${makeKey('live')}`, `Bearer ${tokens.god}`, `Bearer ${tokens.exile}`].map(
        async (authorization) => {
          const response = await ask(operation, authorization);
          return JSON.stringify([
            response.status,
            [...response.headers].filter(([name]) => !varying.includes(name)),
            await response.text(),
          ]);
        },
      ),
    );
    assert.equal(new Set(answers).size, 1, operation.id);
  }
});

test('a key in the query or in another header is not a credential', async () => {
  assert.equal((await api.get(`/bounties/me?token=${tokens.member}`)).status, 400);
  assert.equal(
    (await api.get('/bounties/me', { headers: { 'x-api-key': tokens.member, cookie: `token=${tokens.member}` } }))
      .status,
    401,
  );
});

test('a request with two credentials is rejected; neither is ignored', async () => {
  const headers = new Headers({ authorization: `Bearer ${tokens.member}` });
  assert.equal((await api.get('/bounties/me', { headers })).status, 200);
  const { request } = await import('node:http');
  const status = await new Promise((resolve, reject) => {
    const lines = ['Host', 'x', 'Authorization', `Bearer ${tokens.member}`, 'Authorization', `Bearer ${tokens.god}`];
    request(`${api.url}/bounties/me`, { headers: lines }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
  assert.equal(status, 401);
});

test('a bad parameter is reported before a bad credential, without a database query', async () => {
  const response = await api.get('/bounties/me?page=0', { headers: { authorization: `Bearer ${makeKey('live')}` } });
  assert.equal(response.status, 400);
  const line = api.lines.find(({ requestId }) => requestId === response.headers.get('x-request-id'));
  assert.equal(line?.databaseMs, 0);
});

test('without KEY_PEPPER no key is accepted, and the log says so', async () => {
  const closed = await world.serve({ KEY_PEPPER: '' });
  assert.equal(
    (await closed.get('/bounties/me', { headers: { authorization: `Bearer ${tokens.member}` } })).status,
    401,
  );
  assert.ok(closed.lines.some(({ msg }) => String(msg).includes('KEY_PEPPER is not set')));
});

test('wallets, moderation reasons and keys are only in the answers meant for them, and in no log line', async () => {
  for (const token of [tokens.member, tokens.author, tokens.stranger, tokens.god])
    for (const operation of all) {
      const text = await (await ask(operation, `Bearer ${token}`)).text();
      const isSponsorView = operation.id === 'listSponsorBountySubmissions' && token === tokens.member;
      const isOwnView = operation.id === 'listMyBountySubmissions' && token === tokens.author;
      assert.equal(text.includes('wallet-of-alice'), isSponsorView, operation.id);
      assert.equal(text.includes('rewardWalletAddress'), isSponsorView, operation.id);
      assert.equal(text.includes('Well done'), isSponsorView || isOwnView, operation.id);
    }
  const log = JSON.stringify(api.lines);
  for (const secret of [...Object.values(tokens), 'wallet-of-alice', 'Well done', 'write-docs'])
    assert.ok(!log.includes(secret), secret);
});
