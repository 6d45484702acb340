// The arithmetic of rate limits: the cost of a request, and that no unit is lost in any order of spending, sharing and
// losing the shared counter.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Count } from '../src/http/budget.ts';
import { costOf, reconcile, spend, standingOf, windowMs } from '../src/http/budget.ts';

test('a request costs one unit, a search more, and each full 10 ms of database time one more', () => {
  const cases: [q: string | undefined, databaseMs: number, units: number][] = [
    [undefined, 0, 1],
    [undefined, 9.99, 1],
    [undefined, 10, 2],
    [undefined, 123, 13],
    ['abc', 0, 5],
    ['abc def', 25, 7],
    ['ab', 0, 20],
    ['abc d', 0, 20],
    ['  abc   def  ', 0, 5],
    ['äöü', 0, 5],
    ['𝒶𝒷', 0, 20],
    ['a-b-c', 0, 20],
    ['%%%', 0, 20],
    ['a1b', 0, 5],
  ];
  for (const [q, databaseMs, units] of cases) assert.equal(costOf(q, databaseMs), units, `${q} ${databaseMs}`);
});

test('a window begins with its first unit, counts the units spent, and is followed by an empty window', () => {
  const first = spend(undefined, 3, 1000);
  assert.deepEqual(standingOf(first, 10, 1000), { isOver: false, remaining: 7, resetMs: windowMs });
  const later = spend(first, 7, 1000 + windowMs - 1);
  assert.deepEqual(standingOf(later, 10, 1000 + windowMs - 1), { isOver: false, remaining: 0, resetMs: 1 });
  assert.equal(standingOf(spend(later, 1, 1000 + windowMs - 1), 10, 0).isOver, true);
  assert.equal(spend(later, 1, 1000 + windowMs).used, 1);
});

test('no unit that this server counted in a window is lost, even if the shared counter is wiped and comes back', () => {
  const event = fc.oneof(
    fc.record({ kind: fc.constant('spend' as const), units: fc.integer({ min: 1, max: 20 }) }),
    fc.record({ kind: fc.constant('share' as const), others: fc.integer({ min: 0, max: 50 }) }),
    fc.record({ kind: fc.constant('wipe' as const) }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      let count: Count = spend(undefined, 1, 0);
      let shared = 0;
      let mine = 1;
      for (const one of events) {
        if (one.kind === 'spend') {
          count = spend(count, one.units, 0);
          mine += one.units;
        } else if (one.kind === 'wipe') shared = 0;
        else {
          shared += count.owed + one.others;
          count = reconcile({ ...count, owed: 0 }, { used: shared, resetMs: windowMs }, 0);
          assert.ok(count.used >= shared);
        }
        assert.ok(count.used >= mine, `${count.used} of ${mine}`);
      }
    }),
  );
});

test('a server adopts a shared window that has started again', () => {
  const old = spend(undefined, 500, 0);
  const renewed = reconcile({ ...old, owed: 0 }, { used: 2, resetMs: windowMs }, windowMs / 2);
  assert.deepEqual([renewed.used, renewed.endsAt], [2, windowMs * 1.5]);
});
