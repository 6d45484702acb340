// A random platform for tests: draws transactions of changes as a real platform writes them to its outbox. It maintains
// a naive model of the result: maps of records where the last put wins and a parent's delete removes its children.

type Row = Record<string, unknown>;
export interface Change {
  op: 'put' | 'delete';
  table: string;
  record?: Row;
  key?: Row;
  /** The record has an unknown column, so the change cannot be applied. Not a part of the format. */
  nonsense?: true;
}
interface Kind {
  key: string[];
  /** Columns that refer to a parent's key, and what a delete of the parent does: cascade, set null, or forbidden. */
  parents: { table: string; columns: string[]; onDelete: 'cascade' | 'null' | 'forbid' }[];
  /** A column that is unique in the table. */
  slug?: string;
  /** The parent's column within which `position` is unique. */
  place?: string;
  states?: [shown: string[], hidden: string[]];
  make: (n: number) => Row;
}

const at = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
const stamps = (n: number) => ({ created_at: at(n), updated_at: at(n) });
const parent = (table: string, onDelete: 'cascade' | 'null' | 'forbid', ...columns: string[]) => ({
  table,
  columns,
  onDelete,
});
const member = { parents: [parent('users', 'cascade', 'user_id')] };

/** In load order. */
export const kinds: Record<string, Kind> = {
  users: {
    key: ['id'],
    parents: [],
    slug: 'username',
    states: [['ACTIVATED', 'active'], ['BANNED']],
    make: (n) => ({
      id: `u${n}`,
      username: `user-${n}`,
      display_name: `U ${n}`,
      avatar: null,
      bio: null,
      tags: [],
      god_mode: n % 50 === 0,
    }),
  },
  agents: {
    key: ['id'],
    parents: [parent('users', 'forbid', 'owner_id')],
    slug: 'name',
    states: [['PUBLISHED'], ['DRAFT', 'LIMBO']],
    make: (n) => ({
      ...{
        id: `a${n}`,
        name: `agent-${n}`,
        display_name: `A ${n}`,
        agent_id: null,
        bio: 'b',
        avatar: null,
        website_url: null,
      },
      ...{
        services: [],
        active: true,
        x402_support: false,
        supported_trust: [],
        registrations: [],
        social_accounts: [],
      },
      ...{ version: null, category: null, tags: [], visibility: null, last_seen_at: null, published_at: at(n) },
      ...stamps(n),
    }),
  },
  sponsors: {
    key: ['id'],
    parents: [],
    slug: 'slug',
    make: (n) => ({ id: `s${n}`, slug: `sponsor-${n}`, name: `S ${n}`, logo: null, website: null }),
  },
  sponsor_members: {
    key: ['user_id', 'sponsor_id'],
    parents: [...member.parents, parent('sponsors', 'cascade', 'sponsor_id')],
    make: (n) => ({ role: ['MEMBER', 'OWNER', 'GUEST'][n % 3] }),
  },
  bounties: {
    key: ['id'],
    parents: [parent('sponsors', 'forbid', 'sponsor_id')],
    slug: 'slug',
    states: [
      ['OPEN', 'REVIEW'],
      ['DRAFT', 'ARCHIVED'],
    ],
    make: (n) => ({
      ...{
        id: `b${n}`,
        slug: `bounty-${n}`,
        title: `B ${n}`,
        short_description: 's',
        details: 'd',
        category: 'CONTENT',
      },
      ...{ visibility: null, rewards: [{ place: 1, amount: n }], image_url: null, submission_start: null },
      ...{ submission_end: null, review_start: null, review_end: null, published_at: at(n), completed_at: null },
      ...{ fields: [], submissions_visible: n % 5 > 0 },
      ...stamps(n),
    }),
  },
  bounty_submissions: {
    key: ['id'],
    parents: [parent('bounties', 'cascade', 'bounty_id'), parent('users', 'forbid', 'user_id')],
    states: [
      ['PENDING', 'APPROVED'],
      ['REJECTED', 'SPAM'],
    ],
    make: (n) => ({
      ...{ id: `w${n}`, title: `W ${n}`, description: 'd', field_values: [], additional_links: [], image_url: null },
      ...{ visibility: null, moderation_reason: null, prize_place: null, comment_count: n, clap_count: 0 },
      ...{ reward_wallet_address: null },
      ...stamps(n),
    }),
  },
  bounty_submission_makers: {
    key: ['user_id', 'submission_id'],
    parents: [...member.parents, parent('bounty_submissions', 'cascade', 'submission_id')],
    place: 'submission_id',
    make: () => ({}),
  },
  topics: {
    key: ['id'],
    parents: [],
    slug: 'slug',
    make: (n) => ({ id: `t${n}`, slug: `topic-${n}`, name: `T ${n}` }),
  },
  launches: {
    key: ['id'],
    parents: [parent('users', 'forbid', 'submitted_by_id')],
    slug: 'slug',
    states: [['LIVE'], ['DRAFT', 'LIMBO']],
    make: (n) => ({
      ...{
        id: `l${n}`,
        slug: `launch-${n}`,
        name: `L ${n}`,
        tagline: 't',
        description: 'd',
        logo_url: null,
        cta_url: null,
      },
      ...{ website_url: null, code_host_url: null, messenger_url: null, mini_app_url: null, microblog_url: null },
      ...{ photo_social_url: null, professional_network_url: null, video_site_url: null, video_url: null },
      ...{ screenshot_urls: [], visibility: null, launch_week: at(n - (n % 50)), rating: n, launch_week_rating: n % 7 },
      ...{ comment_count: 0, featured_at: null, published_at: at(n) },
      ...stamps(n),
    }),
  },
  launch_topics: {
    key: ['topic_id', 'launch_id'],
    parents: [parent('topics', 'cascade', 'topic_id'), parent('launches', 'cascade', 'launch_id')],
    place: 'launch_id',
    make: () => ({}),
  },
  launch_claps: {
    key: ['launch_id', 'user_id'],
    parents: [parent('launches', 'cascade', 'launch_id'), ...member.parents],
    make: (n) => ({ claps: (n % 9) + 1 }),
  },
  collections: {
    key: ['address'],
    parents: [],
    states: [['ACTIVE'], ['DRAFT', 'draft']],
    make: (n) => ({
      ...{
        address: `c${n}`,
        name: `C ${n}`,
        description: 'd',
        image: null,
        type: 'SBT',
        importance: 'HIGH',
        is_sbt: true,
      },
      ...{ category: `k${n % 4}`, is_winner: false, source: 'internal', visibility: null, creator_address: null },
      ...{ next_item_index: n, external_link: null, social_links: [], on_chain_created_at: null },
      ...stamps(n),
    }),
  },
  contests: {
    key: ['id'],
    parents: [],
    slug: 'slug',
    states: [
      ['OPEN', 'VOTING'],
      ['DRAFT', 'CLOSED'],
    ],
    make: (n) => ({
      ...{
        id: `k${n}`,
        slug: `contest-${n}`,
        title: `K ${n}`,
        short_description: 's',
        details: 'd',
        rules: 'r',
        prize_pool: 'p',
      },
      ...{
        image_url: null,
        judge_user_ids: [`u${n}`],
        visibility: null,
        direct_link_enabled: true,
        fields: null,
        tracks: [],
      },
      ...{
        submission_start: at(n),
        submission_end: at(n),
        voting_start: at(n),
        voting_end: at(n),
        created_by_id: 'u1',
      },
      ...stamps(n),
    }),
  },
  collection_contests: {
    key: ['collection_address', 'contest_id', 'role'],
    parents: [parent('collections', 'cascade', 'collection_address'), parent('contests', 'cascade', 'contest_id')],
    make: (n) => ({ role: ['JUDGE', 'WINNER'][n % 2] }),
  },
  collection_holders: {
    key: ['user_id', 'collection_address'],
    parents: [...member.parents, parent('collections', 'cascade', 'collection_address')],
    make: (n) => ({ acquired_at: at(n) }),
  },
  repositories: {
    key: ['platform', 'platform_id'],
    parents: [],
    make: (n) => ({
      ...{ platform: 'github', platform_id: `r${n}`, owner: `o${n % 20}`, name: `r${n}`, category: `k${n % 3}` },
      ...{ ecosystem: null, description: null, importance: null, status: 'REVIEWED', contributors_count: n },
      ...{ platform_created_at: null, platform_updated_at: null, platform_pushed_at: null },
      ...stamps(n),
    }),
  },
  contest_submissions: {
    key: ['id'],
    parents: [
      parent('contests', 'cascade', 'contest_id'),
      parent('users', 'forbid', 'user_id'),
      parent('repositories', 'null', 'repository_platform', 'repository_platform_id'),
    ],
    states: [
      ['APPROVED', 'WINNER'],
      ['PENDING', 'REJECTED'],
    ],
    make: (n) => ({
      ...{ id: `e${n}`, title: `E ${n}`, description: 'd', track_ids: [], image_url: null, field_values: [] },
      ...{ additional_links: [], visibility: null, moderation_reason: null, clap_count: null, comment_count: 0 },
      ...{ prize_place: null },
      ...stamps(n),
    }),
  },
  contest_submission_supporters: {
    key: ['user_id', 'submission_id'],
    parents: [...member.parents, parent('contest_submissions', 'cascade', 'submission_id')],
    make: (n) => ({ voting_tier: ['GOLD', 'SILVER'][n % 2], created_at: at(n) }),
  },
  timeline_items: {
    key: ['user_id', 'id'],
    parents: member.parents,
    make: (n) => ({
      id: `i${n}`,
      type: n % 3 === 0 ? 'BADGE_RECEIVED' : 'COMMIT',
      date: at(n),
      details: n % 3 === 0 ? { collectionAddress: `c${n % 40}` } : { sha: `x${n}` },
    }),
  },
};

const names = Object.keys(kinds);
/** How often each table is drawn: users less often than their activity. */
const weights = names.flatMap((name) =>
  Array<string>(['timeline_items', 'collection_holders', 'bounty_submissions'].includes(name) ? 4 : 2).fill(name),
);

export const openPlatform = (random: (below: number) => number) => {
  const model = new Map<string, Map<string, Row>>(names.map((name) => [name, new Map()]));
  /** Rows whose last change cannot be applied. */
  const rejected = new Set<string>();
  let serial = 0;
  const rowsOf = (table: string) => model.get(table)!;
  const keyOf = (table: string, row: Row): string => kinds[table]!.key.map((name) => String(row[name])).join(' ');
  const keyRecord = (table: string, row: Row): Row =>
    Object.fromEntries(kinds[table]!.key.map((name) => [name, row[name]]));
  const pickFrom = (table: string): Row | undefined => {
    const rows = rowsOf(table);
    if (rows.size === 0) return undefined;
    let skip = random(rows.size);
    for (const row of rows.values()) if (skip-- === 0) return row;
    return undefined;
  };
  const place = (table: string, row: Row): Row => {
    const column = kinds[table]!.place;
    if (column === undefined) return row;
    const taken = new Set(
      [...rowsOf(table).values()].filter((each) => each[column] === row[column]).map((each) => each.position),
    );
    for (let position = 1; position <= 100; position++) if (!taken.has(position)) return { ...row, position };
    return row;
  };
  const parentColumns = (table: string): Row | null => {
    const columns: Row = {};
    for (const { table: from, columns: own, onDelete } of kinds[table]!.parents) {
      const found = pickFrom(from);
      if (found === undefined && onDelete !== 'null') return null;
      own.forEach((name, index) => {
        columns[name] =
          found === undefined || (onDelete === 'null' && random(2) === 0 && index === 0)
            ? null
            : found[kinds[from]!.key[index]!];
      });
      if (own.some((name) => columns[name] === null)) for (const name of own) columns[name] = null;
    }
    return columns;
  };
  const state = (table: string, row: Row): Row => {
    const states = kinds[table]!.states;
    if (states === undefined) return row;
    const words = states[random(4) === 0 ? 1 : 0]!;
    return { ...row, status: words[random(words.length)] };
  };
  const put = (table: string, row: Row): Change => {
    rowsOf(table).set(keyOf(table, row), row);
    rejected.delete(`${table} ${keyOf(table, row)}`);
    return { op: 'put', table, record: row };
  };

  const insert = (): Change[] => {
    const table = weights[random(weights.length)]!;
    const parents = parentColumns(table);
    if (parents === null) return [put('users', state('users', kinds.users!.make(++serial)))];
    const row = place(table, state(table, { ...kinds[table]!.make(++serial), ...parents }));
    return rowsOf(table).has(keyOf(table, row)) ? [] : [put(table, row)];
  };
  const update = (): Change[] => {
    const table = names[random(names.length)]!;
    const row = pickFrom(table);
    if (row === undefined) return [];
    const { key, slug, parents } = kinds[table]!;
    const way = random(10);
    if (way < 2 && slug !== undefined) return [put(table, { ...row, [slug]: `renamed-${++serial}` })];
    if (way < 4 && slug !== undefined) {
      // Two rows swap their slugs in one transaction.
      const other = pickFrom(table)!;
      if (other === row) return [];
      return [put(table, { ...row, [slug]: other[slug] }), put(table, { ...other, [slug]: row[slug] })];
    }
    if (way < 6) {
      const moved = parents.filter(({ columns }) => columns.every((name) => !key.includes(name)));
      const fresh = parentColumns(table);
      if (moved.length > 0 && fresh !== null && kinds[table]!.place === undefined)
        return [put(table, { ...row, ...fresh })];
    }
    return [put(table, state(table, 'updated_at' in row ? { ...row, updated_at: at(++serial) } : row))];
  };
  /** A row and everything that depends on it, children first. */
  const remove = (table: string, row: Row, into: Change[] | null): void => {
    const id = keyOf(table, row);
    if (!rowsOf(table).has(id)) return;
    for (const [child, { parents }] of Object.entries(kinds))
      for (const { table: from, columns, onDelete } of parents) {
        if (from !== table) continue;
        const found = [...rowsOf(child).values()].filter((each) =>
          columns.every((name, index) => each[name] === row[kinds[table]!.key[index]!]),
        );
        for (const each of found)
          if (onDelete === 'null') put(child, { ...each, ...Object.fromEntries(columns.map((name) => [name, null])) });
          else if (onDelete === 'forbid') remove(child, each, into ?? []);
          else remove(child, each, null); // the database cascades: the platform writes no change
      }
    rowsOf(table).delete(id);
    if (into === null) return;
    rejected.delete(`${table} ${id}`);
    into.push({ op: 'delete', table, key: keyRecord(table, row) });
  };
  const del = (): Change[] => {
    const table = names[random(names.length)]!;
    const row = pickFrom(table);
    if (row === undefined || (table === 'users' && random(4) > 0) || (table === 'sponsors' && random(3) > 0)) return [];
    const changes: Change[] = [];
    remove(table, row, changes);
    // Some platforms write the parent's delete first.
    return random(2) === 0 ? changes.reverse() : changes;
  };
  /** Children before their parents, in one transaction. */
  const upsideDown = (): Change[] => {
    const user = put('users', state('users', kinds.users!.make(++serial)));
    const sponsor = put('sponsors', kinds.sponsors!.make(++serial));
    const ids = { user_id: user.record!.id, sponsor_id: sponsor.record!.id };
    const bounty = put(
      'bounties',
      state('bounties', { ...kinds.bounties!.make(++serial), sponsor_id: ids.sponsor_id }),
    );
    const work = { ...kinds.bounty_submissions!.make(++serial), bounty_id: bounty.record!.id, user_id: ids.user_id };
    return [put('bounty_submissions', state('bounty_submissions', work)), bounty, sponsor, user];
  };
  /** An invalid change that also hides its row: the row is hidden, the rest of the change is not applied. */
  const wrong = (): Change[] => {
    const [table, hidden] = [
      ['bounties', 'DRAFT'],
      ['launches', 'LIMBO'],
      ['contests', 'CLOSED'],
      ['collections', 'DRAFT'],
    ][random(4)] as [string, string];
    const row = pickFrom(table);
    const shown = kinds[table]!.states![0];
    if (row === undefined || !shown.includes(String(row.status)) || row.visibility !== null) return [];
    const change: Change = { op: 'put', table, record: { ...row, status: hidden, nonsense: 1 }, nonsense: true };
    rowsOf(table).set(keyOf(table, row), { ...row, visibility: 'hidden' });
    rejected.add(`${table} ${keyOf(table, row)}`);
    return [change];
  };

  return {
    model,
    rejected,
    /** The changes of the next transaction, at least one. */
    next: (): Change[] => {
      for (;;) {
        const way = random(100);
        const changes =
          serial < 30 || way < 40
            ? insert()
            : way < 80
              ? update()
              : way < 93
                ? del()
                : way < 97
                  ? upsideDown()
                  : wrong();
        if (changes.length > 0) return changes;
      }
    },
  };
};

/** A change as the platform writes it to the outbox. */
export const bodyOf = ({ op, table, record, key }: Change): string =>
  JSON.stringify(op === 'put' ? { op, table, record } : { op, table, key });
