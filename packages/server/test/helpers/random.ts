// Random numbers that can be drawn again: SEED=… npm test -- <file> runs what a failed run has drawn.

/** A small generator (mulberry32): whole numbers below what is asked for. */
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
