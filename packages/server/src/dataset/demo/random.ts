// Randomness that is the same on every machine: each record draws from a stream named by seed, table and number, so no
// record depends on how many were made before it.
import { createHash } from 'node:crypto';

export interface Draw {
  /** 0 to 1, without 1. */
  unit: () => number;
  /** A whole number from 0, below `n`. */
  below: (n: number) => number;
  pick: <T>(from: readonly T[]) => T;
  chance: (probability: number) => boolean;
  /** Like `below`, but small numbers far more often: popularity as communities have it. */
  popular: (n: number) => number;
}

/** mulberry32: small, fast and good enough for data that only has to look alive. */
const mulberry = (seed: number) => {
  let state = seed | 0;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
};

const drawFrom = (unit: () => number): Draw => {
  const below = (n: number) => Math.floor(unit() * n);
  return {
    unit,
    below,
    pick: (from) => from[below(from.length)] as (typeof from)[number],
    chance: (probability) => unit() < probability,
    popular: (n) => Math.min(n - 1, Math.floor(n * unit() ** 3)),
  };
};

/** The streams of one table: draws(n) is that of its n-th record. */
export const drawsOf = (seed: number, table: string): ((n: number) => Draw) => {
  const base = createHash('sha256').update(`${seed} ${table}`).digest().readUInt32LE();
  return (n) => drawFrom(mulberry(base ^ Math.imul(n + 1, 0x9e3779b1)));
};
