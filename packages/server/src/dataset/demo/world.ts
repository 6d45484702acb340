// A believable community from one number. Each table is a generator of records in the record format; ids follow from
// the number of the record, so that tables refer to each other without remembering anything.
import { cast } from './cast.ts';
import { makePeople } from './people.ts';
import type { Scale } from './scales.ts';
import { makeThings } from './things.ts';
import { wordsOf } from './words.ts';

export type Row = Record<string, unknown>;

export interface WorldOptions {
  seed: number;
  scale: Scale;
  /** The moment at which the world stands still. */
  now: string;
}

interface Ids {
  user: (n: number) => string;
  username: (n: number) => string;
  sponsor: (n: number) => string;
  bounty: (n: number) => string;
  submission: (n: number) => string;
  launch: (n: number) => string;
  collection: (n: number) => string;
  contest: (n: number) => string;
  entry: (n: number) => string;
}
const ids: Ids = {
  user: (n) => (n < cast.users.length ? `user-${cast.users[n]}` : `user-${n}`),
  username: (n) => cast.users[n] ?? `member${n}`,
  sponsor: (n) => (n === 0 ? cast.sponsor.id : `sponsor-${n}`),
  bounty: (n) => (n === 0 ? cast.bounty.id : `bounty-${n}`),
  submission: (n) => `submission-${n}`,
  launch: (n) => `launch-${n}`,
  collection: (n) => (n === 0 ? cast.collection : `0x${n.toString(16).padStart(40, '0')}`),
  contest: (n) => (n === 0 ? cast.contest : `contest-${n}`),
  entry: (n) => (n === 0 ? cast.entry : `entry-${n}`),
};

/** Every table of the world, by name, as a function that makes its records anew. */
export const worldOf = (options: WorldOptions): Record<string, () => Iterable<Row>> => {
  const parts = { ...options, ids, words: wordsOf(options.seed), nowMs: Date.parse(options.now) };
  return { ...makePeople(parts), ...makeThings(parts) };
};

export type Parts = WorldOptions & { ids: Ids; words: ReturnType<typeof wordsOf>; nowMs: number };
