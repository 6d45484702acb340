// Shared by the generators of all tables: options, ids, time, and the random streams.
import { cast } from './cast.ts';
import type { Draw } from './random.ts';
import { drawsOf } from './random.ts';
import type { Scale } from './scales.ts';

export type Row = Record<string, unknown>;

export interface WorldOptions {
  seed: number;
  scale: Scale;
  /** The current time of the sample data. */
  now: string;
  /** The base URL of the pictures, without a trailing slash. */
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
  /** The random stream of a table's n-th record. */
  draws: (table: string) => (n: number) => Draw;
  /** The timestamp at an offset from now, in the record format. */
  at: (offsetMs: number) => string;
  /** An integer derived from the seed, so that lists of words start at another element for each seed. */
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

/** The n-th element; past the end it starts again from the first. */
export const nth = <T>(from: readonly T[], n: number): T => from[n % from.length] as T;

/** Some consecutive elements, from a random one on. */
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
