// A writer that commits ascending numbers, and readers that check that responses are as fresh as promised.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from './process.ts';

export interface Stamped {
  reads: number;
  writes: number;
  longestMs: number;
  /** The largest age of a response: how long before its request the first value missing in it was committed. */
  oldestMs: number;
  problems: string[];
}
interface Commit {
  value: number;
  at: number;
}

/** A response shows the value as `stamp <value>`; it must include all commits older than `boundMs` at its request. */
export const watchStamps = (
  write: (stamp: string) => Promise<unknown>,
  read: (turn: number) => Promise<{ status: number; body: string }>,
  { readers, boundMs }: { readers: number; boundMs: number },
) => {
  const found: Stamped = { reads: 0, writes: 0, longestMs: 0, oldestMs: 0, problems: [] };
  let commits: Commit[] = [];
  const readsBy = Array.from({ length: readers }, () => 0);
  let isOver = false;
  const note = (problem: string) => {
    if (found.problems.length < 20) found.problems.push(`${new Date().toISOString()} ${problem}`);
  };
  const count = async () => {
    for (let value = 1; !isOver; value++, await sleep(20)) {
      await write(`stamp ${value}`);
      found.writes = value;
      commits = [...commits.slice(-2000), { value, at: performance.now() }];
    }
  };
  const look = async (first: number) => {
    for (let turn = first; !isOver; turn++, await sleep(5)) {
      const asked = performance.now();
      const { status, body } = await read(turn).catch((error: unknown) => ({ status: 0, body: String(error) }));
      found.reads += 1;
      readsBy[first]! += 1;
      found.longestMs = Math.max(found.longestMs, performance.now() - asked);
      const shown = Number(/"stamp (\d+)"/.exec(body)?.[1] ?? 0);
      // The first commit that the response does not include.
      const missing = commits.find(({ value }) => value > shown);
      const age = missing === undefined ? 0 : asked - missing.at;
      found.oldestMs = Math.max(found.oldestMs, age);
      if (status !== 200) note(`${status} ${body}`);
      else if (age > boundMs)
        note(
          `the response shows ${shown}, but ${missing?.value} was committed ${Math.round(age)} ms before the request`,
        );
    }
  };
  const work = [count(), ...Array.from({ length: readers }, (_, reader) => look(reader))];
  return {
    found,
    /** Waits until every reader has had another response: none waits for a server that does not answer. */
    allRead: async (): Promise<void> => {
      const before = [...readsBy];
      await eventually(() => assert.ok(readsBy.every((count, reader) => count > before[reader]! + 1)));
    },
    stop: async (): Promise<Stamped> => {
      isOver = true;
      await Promise.all(work);
      return found;
    },
  };
};
