// Fair use of connections: no named caller holds more than half of them, and no request waits longer than promised.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createWorld } from '../../../test/helpers/world.ts';
import { openQueue } from '../src/db/connection/queue.ts';

interface Statement {
  who: string;
  name: string;
  askedAt: number;
}
/** Asks for a place as a pool does: runs, waits or is refused. */
const openPlaces = (places: number, most: number) => {
  const queue = openQueue<Statement>({ places, most, longestEstimateMs: 1000 });
  const order: string[] = [];
  let free = places;
  const run = ({ who, name }: Statement) => {
    free -= 1;
    queue.begin(who);
    order.push(name);
  };
  const ask = (who: string, name: string, askedAt = 0): 'runs' | 'waits' | 'refused' => {
    const statement = { who, name, askedAt };
    if (free > 0 && !queue.isAtHalf(who)) {
      run(statement);
      return 'runs';
    }
    if (queue.isHopeless(who)) return 'refused';
    queue.wait(statement, false);
    return 'waits';
  };
  const end = (who: string, ms = 1) => {
    free += 1;
    queue.end(who, ms);
    const next = queue.next();
    if (next !== undefined) run(next);
  };
  return { queue, order, ask, end };
};

test('one caller holds at most half of the places; others overtake it, and its own statements wait in order', () => {
  const { queue, order, ask, end } = openPlaces(4, 100);
  for (let n = 1; n <= 4; n++) ask('greedy', `greedy ${n}`);
  assert.deepEqual(order, ['greedy 1', 'greedy 2']);
  ask('modest', 'modest 1');
  ask('other', 'other 1');
  assert.deepEqual(order.slice(2), ['modest 1', 'other 1']);
  end('modest');
  assert.equal(order.length, 4, 'a caller that holds half of the places gets no more');
  end('greedy');
  assert.equal(order.at(-1), 'greedy 3');
  assert.equal(queue.waiting(), 1);
  end('greedy');
  assert.equal(order.at(-1), 'greedy 4');
});

test('a caller without a name may hold all places; the queue is bounded in length and waiting time', () => {
  const { queue, ask } = openPlaces(2, 1);
  assert.deepEqual([ask('', 'a'), ask('', 'b'), ask('', 'c', 5), ask('', 'd')], ['runs', 'runs', 'waits', 'refused']);
  assert.deepEqual(queue.expired(4), []);
  assert.deepEqual(
    queue.expired(5).map(({ name }) => name),
    ['c'],
  );
  assert.equal(queue.waiting(), 0);
});

test('a statement is refused when those before it would take too long', () => {
  const { ask, end } = openPlaces(2, 100);
  ask('', 'a');
  for (let n = 0; n < 100; n++) {
    ask('', 'b');
    end('', 800);
  }
  assert.equal(ask('', 'c'), 'runs');
  assert.deepEqual(
    [1, 2, 3, 4].map((n) => ask('', String(n))),
    ['waits', 'waits', 'waits', 'refused'],
  );
});

test('one caller cannot fill the queue alone', () => {
  const { ask } = openPlaces(2, 4);
  assert.deepEqual([ask('greedy', 'a'), ask('other', 'b')], ['runs', 'runs']);
  assert.deepEqual([ask('greedy', 'c'), ask('greedy', 'd'), ask('greedy', 'e')], ['waits', 'waits', 'refused']);
  assert.equal(ask('modest', 'f'), 'waits');
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
