// What all tables of a world share: options, ids, time, and the streams of randomness.
import { cast } from './cast.ts';
import type { Draw } from './random.ts';
import { drawsOf } from './random.ts';
import type { Scale } from './scales.ts';

export type Row = Record<string, unknown>;

export interface WorldOptions {
  seed: number;
  scale: Scale;
  /** The moment at which the world stands still. */
  now: string;
  /** Where pictures are served, without a slash at the end. */
  pictures: string;
}

export const dayMs = 86_400_000;

export const ids = {
  user: (n: number): string => (n < cast.users.length ? `user-${cast.users[n]}` : `user-${n}`),
  sponsor: (n: number): string => (n === 0 ? cast.sponsor.id : `sponsor-${n}`),
  bounty: (n: number): string => (n === 0 ? cast.bounty.id : `bounty-${n}`),
  submission: (n: number): string => `submission-${n}`,
  launch: (n: number): string => `launch-${n}`,
  collection: (n: number): string => (n === 0 ? cast.collection : `0x${n.toString(16).padStart(40, '0')}`),
  contest: (n: number): string => (n === 0 ? cast.contest : `contest-${n}`),
  entry: (n: number): string => (n === 0 ? cast.entry : `entry-${n}`),
};

export interface Parts extends WorldOptions {
  nowMs: number;
  /** The stream of randomness of a table's n-th record. */
  draws: (table: string) => (n: number) => Draw;
  /** A moment some milliseconds from now, as the record format writes it. */
  at: (offsetMs: number) => string;
  /** A whole number that follows from the seed, to begin lists elsewhere in each world. */
  shift: number;
}

export const partsOf = (options: WorldOptions): Parts => {
  const nowMs = Date.parse(options.now);
  const draws = (table: string) => drawsOf(options.seed, table);
  return {
    ...options,
    nowMs,
    draws,
    at: (offsetMs) => new Date(nowMs + Math.round(offsetMs)).toISOString(),
    shift: draws('shift')(0).below(10_000),
  };
};

/** The n-th element, and again from the start behind the last. */
export const nth = <T>(from: readonly T[], n: number): T => from[n % from.length] as T;

/** Some elements in a row, from a random one on. */
export const some = <T>(draw: Draw, from: readonly T[], count: number): T[] => {
  const first = draw.below(from.length);
  return Array.from({ length: Math.min(count, from.length) }, (_, k) => nth(from, first + k));
};

/** Hexadecimal digits, for addresses and hashes. */
export const hexOf = (draw: Draw, digits: number): string => {
  let text = '';
  while (text.length < digits)
    text += draw
      .below(2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return text.slice(0, digits);
};
