// Reproducible random numbers: SEED=… npm test -- <file> repeats the draws of a failed run.

/** A small generator (mulberry32): whole numbers from 0 to `below` - 1. */
export const seeded = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
};

export const seed = Number(process.env.SEED ?? 20_260_105);
/** A whole number below n, from the seed of this run. */
export const random = seeded(seed);
export const pick = <T>(values: readonly T[]): T => values[random(values.length)]!;
