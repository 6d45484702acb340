// The sizes of the sample data. `large` is the size that the system is designed for: see docs/scale.md.

export interface Scale {
  users: number;
  agents: number;
  sponsors: number;
  bounties: number;
  submissions: number;
  launches: number;
  /** More than twice the number of contests: each contest has two collections of its own. */
  collections: number;
  /** The holders of all collections, and below those of the most popular one. */
  holdings: number;
  largestCollection: number;
  contests: number;
  entries: number;
  supporters: number;
  repositories: number;
  timeline: number;
  /** The items of the longest timeline. */
  longestTimeline: number;
}

export const scales = {
  small: {
    users: 500,
    agents: 40,
    sponsors: 12,
    bounties: 60,
    submissions: 400,
    launches: 90,
    collections: 60,
    holdings: 2500,
    largestCollection: 450,
    contests: 12,
    entries: 80,
    supporters: 600,
    repositories: 300,
    timeline: 4000,
    longestTimeline: 500,
  },
  medium: {
    users: 100_000,
    agents: 4000,
    sponsors: 300,
    bounties: 4000,
    submissions: 40_000,
    launches: 8000,
    collections: 5000,
    holdings: 400_000,
    largestCollection: 100_000,
    contests: 200,
    entries: 5000,
    supporters: 50_000,
    repositories: 50_000,
    timeline: 1_000_000,
    longestTimeline: 100_000,
  },
  large: {
    users: 3_000_000,
    agents: 100_000,
    sponsors: 3000,
    bounties: 100_000,
    submissions: 1_000_000,
    launches: 200_000,
    collections: 100_000,
    holdings: 10_000_000,
    largestCollection: 3_000_000,
    contests: 1000,
    entries: 100_000,
    supporters: 1_000_000,
    repositories: 1_000_000,
    timeline: 10_000_000,
    longestTimeline: 1_000_000,
  },
} as const satisfies Record<string, Scale>;

export type ScaleName = keyof typeof scales;
