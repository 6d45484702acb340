// A pool of connections to a real PostgreSQL: what its statements get when connections cannot be opened or are lost.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { createWorld } from '../../../test/helpers/world.ts';
import type { PoolOptions, Timing } from '../src/db/connection/pool.ts';
import { openPool } from '../src/db/connection/pool.ts';
import { plain, sql } from '../src/db/sql.ts';
import { Unavailable } from '../src/gates.ts';

const world = await createWorld();
const usual = {
  ...{ connections: 2, depth: 1, prepared: true, queue: 10, waitMs: 1000 },
  ...{ longestEstimateMs: 1000, heldUpMs: 200, deadMs: 5000 },
};
const pool = (options: Partial<PoolOptions> = {}, connectionString = world.ownerUrl) =>
  openPool({ ...usual, ...options, config: { connectionString, connectionTimeoutMillis: 1000 } });
const timing = (): Timing => ({ databaseMs: 0, waitingMs: 0 });
const gateOf = async (query: Promise<unknown>): Promise<string> => {
  const error: unknown = await query.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof Unavailable ? error.gate : `no gate: ${String(error)}`;
};

for (const depth of [1, 12])
  test(`depth ${depth}: a refused login is unavailable, whatever its code, and not charged as database time`, async () => {
    const url = new URL(world.ownerUrl);
    url.pathname = '/no-such-database';
    const none = pool({ depth }, url.href);
    const spent = timing();
    assert.equal(await gateOf(none.query(sql`select 1`, spent)), 'connection');
    assert.ok(spent.databaseMs < spent.waitingMs, JSON.stringify(spent));
    assert.deepEqual(none.connections(), { total: 0, idle: 0, waiting: 0 });
    await none.close();
  });

for (const depth of [1, 12])
  test(`depth ${depth}: when a connection is ended, its statements fail and the waiting one gets a new connection`, async () => {
    const one = pool({ depth, connections: 1 });
    const ended = one.query(sql`select pg_terminate_backend(pg_backend_pid()), pg_sleep(1)`, timing());
    const behind = one.query(sql`select 2`, timing());
    assert.equal(await gateOf(ended), 'connection');
    // Pipelined, it was on the same connection.
    if (depth === 1) assert.deepEqual(await behind, [['2']]);
    else assert.equal(await gateOf(behind), 'connection');
    assert.deepEqual(await one.query(sql`select 3`, timing()), [['3']]);
    await one.close();
  });

test('a statement that waits too long, or runs too long, says which gate refused it; a mistake in it is no gate', async () => {
  const one = pool({ connections: 1, waitMs: 200 });
  const slow = one.query(sql`select pg_sleep(1)`, timing());
  assert.equal(await gateOf(one.query(sql`select 1`, timing())), 'wait');
  await slow;
  await one.query(sql`set statement_timeout = 50`, timing());
  assert.equal(await gateOf(one.query(sql`select pg_sleep(1)`, timing())), 'statement timeout');
  await assert.rejects(one.query(sql`select ${plain('no_such_column')}`, timing()), /no_such_column/);
  assert.deepEqual(await one.query(sql`select 4`, timing()), [['4']]);
  await one.close();
});

test('a connection that does not answer is closed when it is dead, and its statement fails', async () => {
  const one = pool({ connections: 1, deadMs: 300 });
  const began = performance.now();
  assert.equal(await gateOf(one.query(sql`select pg_sleep(20)`, timing())), 'connection');
  assert.ok(performance.now() - began < 10_000);
  assert.deepEqual(await one.query(sql`select 5`, timing()), [['5']]);
  await one.close();
});

test('disconnect also ends connections that are being opened, at once', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `postgres://x@127.0.0.1:${(silent.address() as AddressInfo).port}/x`;
  const frozen = openPool({ ...usual, config: { connectionString: url, connectionTimeoutMillis: 60_000 } });
  const gate = gateOf(frozen.query(sql`select 1`, timing()));
  await once(silent, 'connection');
  const began = performance.now();
  frozen.disconnect();
  assert.equal(await gate, 'connection');
  assert.ok(performance.now() - began < 10_000);
  await frozen.close();
  silent.close();
});
