// What caches may do: Cache-Control by class, Vary on everything that reads a credential, ETag of the bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '@commonhall/contract';
import type { Operation } from '@commonhall/contract/operation';
import { urlOf } from '@commonhall/contract/url';
import { populate } from './helpers/community.ts';
import { createWorld } from './helpers/world.ts';

const world = await createWorld();
const { calls, tokens } = await populate(world);
const api = await world.serve();
const all = Object.values<Operation>(operations);
const ask = (operation: Operation, args: Record<string, string>, token?: string) =>
  api.get(urlOf('', operation.id, args), token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });

test('public answers may be kept for a second, private ones by nobody', async () => {
  for (const operation of all) {
    const { visible, token } = calls[operation.id];
    const { headers, status } = await ask(operation, visible, token);
    assert.equal(status, 200);
    assert.equal(
      headers.get('cache-control'),
      operation.cache === 'private' ? 'private, no-store' : 'public, max-age=1',
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

test('every answer of an operation that reads credentials says Vary: Authorization, and no other does', async () => {
  for (const operation of all) {
    const { visible, unknown, token } = calls[operation.id];
    const expected = operation.auth === 'none' ? null : 'Authorization';
    const answers = [
      await ask(operation, visible, token),
      await ask(operation, visible),
      await ask(operation, visible, 'nonsense'),
    ];
    if (unknown !== undefined) answers.push(await ask(operation, unknown, token));
    answers.push(await api.get(`${urlOf('', operation.id, visible)}?nonsense=1`));
    for (const response of answers)
      assert.equal(response.headers.get('vary'), expected, `${operation.id} ${response.status}`);
  }
});

test('the ETag follows the bytes: equal for equal bodies, other for a changed row', async () => {
  const path = urlOf('', 'getBounty', calls.getBounty.visible);
  const tag = async () => (await api.get(path)).headers.get('etag');
  const before = await tag();
  assert.equal(await tag(), before);
  await world.owner.query(`update bounties set title = title || '!' where slug = 'write-docs'`);
  assert.notEqual(await tag(), before);
});

test('MAX_AGE_SECONDS sets how long public answers stay fresh', async () => {
  const slow = await world.serve({ MAX_AGE_SECONDS: '30' });
  assert.equal((await slow.get('/collections')).headers.get('cache-control'), 'public, max-age=30');
});
