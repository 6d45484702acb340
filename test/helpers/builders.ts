// Inserts a row with the values that a test names and defaults for all other required columns.
import type pg from 'pg';

type Row = Record<string, unknown>;
const t0 = '2026-01-05T00:00:00.000Z'; // a Monday

/** The default values of each table; `n` makes names unique. */
const defaults: Record<string, (n: number) => Row> = {
  users: (n) => ({ id: `user-${n}`, username: `user-${n}`, display_name: `User ${n}`, status: 'ACTIVATED' }),
  agents: (n) => ({
    id: `agent-${n}`,
    name: `agent-${n}`,
    display_name: `Agent ${n}`,
    bio: 'An agent',
    active: true,
    x402_support: false,
    status: 'PUBLISHED',
    created_at: t0,
    updated_at: t0,
    published_at: t0,
  }),
  sponsors: (n) => ({ id: `sponsor-${n}`, slug: `sponsor-${n}`, name: `Sponsor ${n}` }),
  sponsor_members: () => ({ role: 'MEMBER' }),
  bounties: (n) => ({
    id: `bounty-${n}`,
    slug: `bounty-${n}`,
    title: `Bounty ${n}`,
    short_description: 'A bounty',
    details: 'All about it',
    category: 'CONTENT',
    status: 'OPEN',
    submission_start: t0,
    submission_end: t0,
    review_start: t0,
    review_end: t0,
    published_at: t0,
    submissions_visible: true,
    created_at: t0,
    updated_at: t0,
  }),
  bounty_submissions: (n) => ({
    id: `submission-${n}`,
    title: `Submission ${n}`,
    description: 'A submission',
    status: 'PENDING',
    created_at: t0,
    updated_at: t0,
  }),
  bounty_submission_makers: (n) => ({ position: (n % 100) + 1 }),
  topics: (n) => ({ id: `topic-${n}`, slug: `topic-${n}`, name: `Topic ${n}` }),
  launches: (n) => ({
    id: `launch-${n}`,
    slug: `launch-${n}`,
    name: `Launch ${n}`,
    tagline: 'A launch',
    description: 'All about it',
    status: 'LIVE',
    launch_week: t0,
    rating: 0,
    launch_week_rating: 0,
    published_at: t0,
    created_at: t0,
    updated_at: t0,
  }),
  launch_topics: (n) => ({ position: (n % 100) + 1 }),
  launch_makers: (n) => ({ position: (n % 100) + 1 }),
  launch_claps: () => ({ claps: 1 }),
  collections: (n) => ({
    address: `0x${n.toString(16).padStart(40, '0')}`,
    name: `Collection ${n}`,
    description: 'A collection',
    type: 'SBT',
    importance: 'HIGH',
    is_sbt: true,
    category: 'achievement',
    is_winner: false,
    source: 'external',
    next_item_index: 1,
    created_at: t0,
    updated_at: t0,
  }),
  collection_holders: () => ({ acquired_at: t0 }),
  collection_contests: () => ({ role: 'PARTICIPANT' }),
  contests: (n) => ({
    id: `contest-${n}`,
    slug: `contest-${n}`,
    title: `Contest ${n}`,
    short_description: 'A contest',
    details: '# All about it',
    rules: 'Be kind',
    prize_pool: '1000',
    status: 'OPEN',
    direct_link_enabled: true,
    submission_start: t0,
    submission_end: t0,
    voting_start: t0,
    voting_end: t0,
    created_at: t0,
    updated_at: t0,
  }),
  contest_submissions: (n) => ({
    id: `entry-${n}`,
    title: `Entry ${n}`,
    description: 'An entry',
    status: 'APPROVED',
    created_at: t0,
    updated_at: t0,
  }),
  contest_submission_supporters: () => ({ voting_tier: 'GOLD', created_at: t0 }),
  repositories: (n) => ({
    platform: 'github',
    platform_id: String(n),
    owner: 'owner',
    name: `repository-${n}`,
    status: 'REVIEWED',
    contributors_count: 1,
    created_at: t0,
    updated_at: t0,
  }),
  timeline_items: (n) => ({
    id: `item-${n}`,
    type: 'GIFT_RECEIVED',
    date: t0,
    details: { giftId: `gift-${n}`, name: 'A gift', image: null, from: null },
  }),
  api_keys: (n) => ({ id: `key-${n}`, name: 'a test', created_at: t0 }),
};

export type Add = (table: string, row?: Row) => Promise<Row & { id: string }>;

export const builders = (owner: pg.Client): Add => {
  let n = 0;
  return async (table, given = {}) => {
    n += 1;
    const row: Row = { ...defaults[table]?.(n), ...given };
    const columns = Object.keys(row);
    const values = Object.values(row).map((value) =>
      typeof value === 'object' && value !== null && !Buffer.isBuffer(value) ? JSON.stringify(value) : value,
    );
    const { rows } = await owner.query<Row & { id: string }>(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')}) returning *`,
      values,
    );
    return rows[0]!;
  };
};
