// What an operation announces is on each of its responses and in the document, and nothing is removed within a year.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '@commonhall/contract';
import { noticeHeaders, noticeKeys } from '@commonhall/contract/notices';
import { openApiDocument } from '@commonhall/contract/openapi';
import type { Operation } from '@commonhall/contract/operation';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
const { get } = await world.serve({ CHECK_RESPONSES: 'false' });

test('a response of what is experimental says so, also when it is a failure; others do not', async () => {
  for (const [path, status] of [
    ['/search?q=harbour', 200],
    ['/search', 400],
    ['/changes', 200],
    ['/changes?since=x', 400],
  ] as const) {
    const response = await get(path);
    assert.equal(response.status, status, path);
    assert.equal(response.headers.get('commonhall-stability'), 'experimental', path);
  }
  const { headers } = await get('/bounties');
  for (const name of ['commonhall-stability', 'deprecation', 'sunset']) assert.equal(headers.get(name), null, name);
  assert.match(headers.get('access-control-expose-headers') ?? '', /Deprecation, Sunset, Commonhall-Stability/);
});

test('a deprecated operation has Deprecation and Sunset in their forms, and says it in the document', () => {
  const deprecation = { announced: '2027-01-31', removed: '2028-01-31' };
  assert.deepEqual(noticeHeaders({ deprecation }), {
    deprecation: '@1801353600', // RFC 9745: a date as a number of structured fields
    sunset: 'Mon, 31 Jan 2028 00:00:00 GMT',
  });
  assert.deepEqual(noticeKeys({ deprecation }), { deprecated: true, 'x-sunset': '2028-01-31' });
});

test('nothing that is deprecated is removed within twelve months', () => {
  const isTooEarly = ({ deprecation }: Operation): boolean => {
    if (deprecation === undefined) return false;
    const earliest = new Date(`${deprecation.announced}T00:00:00Z`);
    earliest.setUTCFullYear(earliest.getUTCFullYear() + 1);
    return new Date(`${deprecation.removed}T00:00:00Z`) < earliest;
  };
  const early = Object.values<Operation>(operations).filter(isTooEarly);
  assert.deepEqual(
    early.map(({ id }) => id),
    [],
  );
});

test('the document marks exactly the experimental operations', () => {
  const { paths } = openApiDocument('http://127.0.0.1') as { paths: Record<string, { get: Record<string, unknown> }> };
  const marked = Object.entries(paths).flatMap(([path, { get: one }]) => ('x-stability' in one ? [path] : []));
  assert.deepEqual(marked, ['/search']);
});
