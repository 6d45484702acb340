// Fair use of connections: no named caller holds more than half of them, and no request waits longer than promised.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openSlots } from '../src/db/connection/slots.ts';
import { createWorld } from './helpers/world.ts';

const soon = () => sleep(5);

test('one caller holds at most half of the connections; others overtake it, and its own requests wait in order', async () => {
  const places = openSlots({ connections: 4, waitMs: 10_000, queue: 100 });
  const order: string[] = [];
  const leaves = new Map<string, () => void>();
  const take = (who: string, name: string) =>
    void places.take(who).then((leave) => {
      order.push(name);
      leaves.set(name, leave);
    });
  for (let n = 1; n <= 4; n++) take('greedy', `greedy ${n}`);
  await soon();
  assert.deepEqual(order, ['greedy 1', 'greedy 2']);
  take('modest', 'modest 1');
  take('other', 'other 1');
  await soon();
  assert.deepEqual(order.slice(2), ['modest 1', 'other 1']);
  leaves.get('modest 1')!();
  await soon();
  assert.equal(order.length, 4, 'a caller that holds half of the connections gets no more');
  leaves.get('greedy 1')!();
  await soon();
  assert.equal(order.at(-1), 'greedy 3');
  assert.equal(places.waiting(), 1);
  leaves.get('greedy 2')!();
  await soon();
  assert.equal(order.at(-1), 'greedy 4');
});

test('a caller without a name may hold all connections; the queue is bounded in length and waiting time', async () => {
  const places = openSlots({ connections: 2, waitMs: 50, queue: 1 });
  await places.take('');
  await places.take('');
  const waiting = assert.rejects(places.take(''), /no free database connection in time/);
  await assert.rejects(places.take(''), /too many requests wait/);
  await waiting;
});

test('one caller cannot fill the queue alone', async () => {
  const places = openSlots({ connections: 2, waitMs: 100, queue: 4 });
  await places.take('greedy');
  await places.take('other');
  const late = /no free database connection in time/;
  const waiting = [assert.rejects(places.take('greedy'), late), assert.rejects(places.take('greedy'), late)];
  await assert.rejects(places.take('greedy'), /too many requests wait/);
  waiting.push(assert.rejects(places.take('modest'), late));
  await Promise.all(waiting);
});

test('slow searches of one address leave half of the connections to other callers', async () => {
  const world = await createWorld();
  const api = await world.serve({
    RATE_LIMIT_PER_ADDRESS: '1000000',
    TRUSTED_PROXIES: '127.0.0.0/8',
    DATABASE_CONNECTIONS: '4',
    DATABASE_WAIT_MS: '20000',
    STATEMENT_TIMEOUT_MS: '60000',
  });
  const search = (address: string, path: string) => api.get(path, { headers: { 'x-forwarded-for': address } });
  const blocker = new pg.Client(world.ownerUrl);
  await blocker.connect();
  await blocker.query('begin; lock table repositories');
  const slow = Array.from({ length: 6 }, () => search('192.0.2.1', '/repositories?q=word'));
  await sleep(200);
  // A search in another table also needs a connection for searches, and gets one.
  const { status } = await search('192.0.2.2', '/collections?q=word');
  assert.equal(status, 200);
  await blocker.query('rollback');
  await blocker.end();
  assert.ok((await Promise.all(slow)).every((response) => response.status === 200));
});
