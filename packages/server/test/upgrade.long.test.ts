// An upgrade of the medium data set under load: no reader waits for more than a second.
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openWorld } from '../../../bench/world.ts';
import { verify } from '../src/db/schema/verify.ts';
import { upgradeUnderLoad } from './helpers/upgrade.ts';

test('while the medium data set is upgraded no request fails, and no reader waits for more than a second', async (t) => {
  process.env.BENCH_FOLDER = join(tmpdir(), 'commonhall-upgrade');
  const postgres = await openWorld('medium', () => {});
  try {
    const began = performance.now();
    const { problems, killed, longestMs, requests } = await upgradeUnderLoad(
      postgres.url,
      postgres.url.replace('postgres@', 'bench@'),
      ['/agents/librarian', '/users/ada/timeline', '/launches/user/ada', '/collections?pageSize=5', '/contests'],
      `update users set bio = 'written' where username in ('ada', 'bob')`,
    );
    const seconds = Math.round((performance.now() - began) / 1000);
    t.diagnostic(`${requests} requests in ${seconds} s, the longest ${Math.round(longestMs)} ms`);
    assert.deepEqual(problems, []);
    assert.equal(killed.length, 6);
    assert.ok(longestMs < 1000, `a reader waited ${longestMs} ms`);
    const { drifts, rights } = await verify(postgres.url, false);
    assert.deepEqual([drifts, rights], [[], []]);
  } finally {
    await postgres.stop();
  }
});
