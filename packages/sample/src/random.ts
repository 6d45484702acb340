// Random numbers that are the same on every machine. Each record has a stream of its own, derived from seed, table and
// number, so that no record depends on how many were made before it.
import { createHash } from 'node:crypto';

export interface Draw {
  /** From 0 (inclusive) to 1 (exclusive). */
  unit: () => number;
  /** An integer from 0 (inclusive) to `n` (exclusive). */
  below: (n: number) => number;
  pick: <T>(from: readonly T[]) => T;
  chance: (probability: number) => boolean;
  /** Like `below`, but small numbers are far more frequent, to model popularity. */
  popular: (n: number) => number;
}

/** mulberry32: small, fast and good enough for sample data. */
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

/** The random streams of one table, by the number of the record. */
export const drawsOf = (seed: number, table: string): ((n: number) => Draw) => {
  const base = createHash('sha256').update(`${seed} ${table}`).digest().readUInt32LE();
  return (n) => drawFrom(mulberry(base ^ Math.imul(n + 1, 0x9e3779b1)));
};

export interface Ring {
  /** The k-th value. Each integer from 0 to below the size occurs exactly once. */
  at: (k: number) => number;
  /** The k of a value: the inverse of `at`. */
  indexOf: (value: number) => number;
}

/** The extended Euclidean algorithm: the greatest common divisor, and the inverse of `a` modulo the size. */
const euclid = (a: number, size: number): { divisor: number; inverse: number } => {
  let [rest, next, x, nextX] = [a, size, 1, 0];
  while (next !== 0) {
    const times = Math.floor(rest / next);
    [rest, next] = [next, rest - times * next];
    [x, nextX] = [nextX, x - times * nextX];
  }
  return { divisor: rest, inverse: ((x % size) + size) % size };
};

/**
 * An invertible permutation of the integers below `size`: steps of a stride that is coprime to the size. `anchor` fixes
 * the value at one k. Sizes up to 90 million keep all products below 2^53.
 */
export const ringOf = (draw: Draw, size: number, anchor?: { value: number; k: number }): Ring => {
  let stride = 1 + draw.below(size - 1);
  while (euclid(stride, size).divisor !== 1) stride += 1;
  const { inverse } = euclid(stride, size);
  const drawn = draw.below(size);
  const start = anchor === undefined ? drawn : (anchor.value + size - ((anchor.k * stride) % size)) % size;
  return {
    at: (k) => (start + k * stride) % size,
    indexOf: (value) => (((value - start + size) % size) * inverse) % size,
  };
};
