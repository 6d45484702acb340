// The lag of a replica, computed from what both servers report. It is never underestimated.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ReplicaAnswer } from '../src/db/connection/lag.ts';
import { openLag } from '../src/db/connection/lag.ts';

const primary = { timeline: '00000001', system: 'a' };
const replica: ReplicaAnswer = { at: 0, isInRecovery: true, position: 0, timeline: '00000001', system: 'a' };

test('a replica is as fresh as the latest time whose position it has replayed', () => {
  const lag = openLag();
  const judge = lag.openReplica();
  assert.equal(judge({ ...replica, position: 5 }), null, 'nothing is known about the primary yet');
  for (const [at, position] of [
    [100, 10],
    [400, 20],
    [700, 20],
    [1000, 30],
  ] as const)
    lag.notePrimary({ ...primary, at, position });
  const fresh = [5, 10, 19, 20, 29, 30, 99].map((position) => judge({ ...replica, position }));
  assert.deepEqual(fresh, [null, 100, 100, 700, 700, 1000, 1000]);
  assert.equal(lag.knownAt(), 1000);
});

test('in any order of writes, replays and checks, a replica is never reported fresher than it is', () => {
  const step = fc.record({ ms: fc.nat(500), written: fc.nat(3), replayed: fc.nat(4), asked: fc.nat(2) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const lag = openLag();
      const judge = lag.openReplica();
      let [now, position, replayed] = [0, 0, 0];
      const commits: { at: number; position: number }[] = [];
      for (const { ms, written, replayed: more, asked } of steps) {
        now += ms;
        position += written;
        if (written > 0) commits.push({ at: now, position });
        replayed = Math.min(position, replayed + more);
        if (asked === 1) lag.notePrimary({ ...primary, at: now, position });
        if (asked !== 2) continue;
        const fresh = judge({ ...replica, at: now, position: replayed });
        if (typeof fresh !== 'number') continue;
        for (const commit of commits) if (commit.at < fresh) assert.ok(commit.position <= replayed);
      }
    }),
  );
});

test('a server of another cluster and a promoted replica are not accepted', () => {
  const lag = openLag();
  lag.notePrimary({ ...primary, at: 1, position: 10 });
  const judge = lag.openReplica();
  assert.match(String(judge({ ...replica, position: 10, system: 'b' })), /another cluster/);
  assert.match(String(judge({ ...replica, position: 10, isInRecovery: false })), /accepts writes/);
});

test('after a failover a replica counts only once it follows the new primary, even if its position is ahead', () => {
  const lag = openLag();
  const [stuck, follows] = [lag.openReplica(), lag.openReplica()];
  lag.notePrimary({ ...primary, at: 1, position: 100 });
  assert.equal(stuck({ ...replica, position: 100 }), 1);
  lag.notePrimary({ ...primary, timeline: '00000002', at: 2, position: 90 });
  assert.equal(stuck({ ...replica, position: 100 }), null, 'it has data that the new primary has lost');
  assert.equal(follows({ ...replica, position: 88 }), null);
  assert.equal(follows({ ...replica, position: 90 }), 2, 'its position has moved');
  assert.equal(stuck({ ...replica, position: 100 }), null);
  lag.notePrimary({ ...primary, timeline: '00000002', at: 3, position: 95 });
  assert.equal(stuck({ ...replica, position: 100 }), null);
  const restarted = lag.openReplica();
  assert.equal(
    restarted({ ...replica, timeline: '00000002', position: 95 }),
    3,
    'its last restart point is on the new timeline',
  );
});

test('a position of the old primary says nothing about a replica of the new one', () => {
  const lag = openLag();
  lag.notePrimary({ ...primary, at: 1, position: 100 });
  lag.notePrimary({ ...primary, timeline: '00000002', at: 2, position: 120 });
  const judge = lag.openReplica();
  assert.equal(judge({ ...replica, timeline: '00000002', position: 110 }), null);
  assert.equal(judge({ ...replica, timeline: '00000002', position: 120 }), 2);
});

test('the lag of a replica that is hours behind is still measured, less exactly', () => {
  const lag = openLag();
  const judge = lag.openReplica();
  const looks = 100_000;
  for (let look = 0; look < looks; look++) lag.notePrimary({ ...primary, at: look * 300, position: look });
  assert.equal(judge({ ...replica, position: looks - 1000 }), (looks - 1000) * 300);
  const early = Number(judge({ ...replica, position: looks / 10 }));
  assert.ok(early <= (looks / 10) * 300 && early >= 0, `${early}`);
});
