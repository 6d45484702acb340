// Random data sets of users, sponsors, roles and states: each caller gets what a small model predicts, which is written
// from the rules and not from the queries. WORLDS sets how many; a failure prints the smallest data set that shows it.
// lanes: 15 18
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { table } from '@commonhall/contract/table';
import fc from 'fast-check';
import { createWorld, pepper } from '../../../test/helpers/world.ts';
import { hashKey, makeKey } from '../src/http/auth.ts';

const worldCount = Number(process.env.WORLDS ?? 10);
const world = await createWorld();
const { owner, add } = world;
const api = await world.serve();

const slots = [0, 1, 2, 3] as const;
const keys = slots.map(() => makeKey('live'));
const index = (count: number) => fc.nat({ max: count - 1 });
/** Mostly null: otherwise too few rows would be visible. */
const word = fc.constantFrom(null, null, null, 'public', 'hidden');
/** No takedown, one before the row, one after it, or one that was withdrawn. */
const takedown = fc.constantFrom(null, null, null, null, 'before', 'after', 'undone');
/** What can hide or show a row of a resource besides its status. */
const words = { visibility: word, takedown };
const name = fc.array(fc.constantFrom('Alpha', 'beta', 'GAMMA', 'al%a', 'x_y'), { minLength: 1, maxLength: 3 });

const worlds = fc.record({
  users: fc.tuple(
    ...slots.map(() =>
      fc.record({
        status: fc.constantFrom('ACTIVATED', 'active', 'Active', 'activated', 'BANNED', 'PENDING', 'inactive'),
        god: fc.boolean(),
      }),
    ),
  ),
  members: fc.uniqueArray(
    fc.record({
      sponsor: index(2),
      user: index(4),
      role: fc.constantFrom('MEMBER', 'ADMIN', 'OWNER', 'GUEST', 'member', 'VIEWER'),
    }),
    { maxLength: 6, selector: ({ sponsor, user }) => `${sponsor} ${user}` },
  ),
  agents: fc.array(
    fc.record({
      status: fc.constantFrom('PUBLISHED', 'DRAFT', 'published'),
      name,
      category: fc.constantFrom('a', 'b', null),
      ...words,
    }),
    { maxLength: 3 },
  ),
  bounties: fc.array(
    fc.record({
      sponsor: index(2),
      status: fc.constantFrom('OPEN', 'REVIEW', 'COMPLETED', 'DRAFT', 'open', 'LIMBO'),
      visible: fc.boolean(),
      completedAt: fc.boolean(),
      category: fc.constantFrom('a', 'b'),
      ...words,
    }),
    { minLength: 1, maxLength: 4 },
  ),
  submissions: fc.array(
    fc.record({
      bounty: index(4),
      user: index(4),
      status: fc.constantFrom('PENDING', 'APPROVED', 'WINNER', 'REJECTED', 'DELETED', 'pending'),
      place: fc.constantFrom(null, 1, 2, 3),
      day: fc.integer({ min: 1, max: 3 }),
      ...words,
    }),
    { maxLength: 7 },
  ),
  launches: fc.array(
    fc.record({
      user: index(4),
      status: fc.constantFrom('LIVE', 'DRAFT', 'live'),
      isPublished: fc.boolean(),
      isFeatured: fc.boolean(),
      rating: index(3),
      clapper: index(4),
      week: index(2),
      topics: fc.uniqueArray(index(2), { maxLength: 2 }),
      ...words,
    }),
    { maxLength: 5 },
  ),
  collections: fc.array(
    fc.record({
      source: fc.constantFrom('internal', 'external'),
      status: fc.constantFrom('DRAFT', 'draft', 'ACTIVE', null),
      name,
      category: fc.constantFrom('a', 'b'),
      holders: fc.uniqueArray(index(4), { maxLength: 4 }),
      contest: fc.option(index(3)),
      ...words,
    }),
    { maxLength: 4 },
  ),
  contests: fc.array(
    fc.record({
      status: fc.constantFrom('OPEN', 'VOTING', 'COMPLETED', 'DRAFT', 'open'),
      isOver: fc.boolean(),
      ...words,
    }),
    { minLength: 1, maxLength: 3 },
  ),
  entries: fc.array(
    fc.record({
      contest: index(3),
      status: fc.constantFrom('APPROVED', 'WINNER', 'PENDING', 'approved'),
      claps: fc.option(index(9)),
      supporters: fc.uniqueArray(
        fc.record({ user: index(4), tier: fc.constantFrom('PLATINUM', 'GOLD', 'SILVER', 'BRONZE') }),
        { maxLength: 4, selector: ({ user }) => user },
      ),
      repository: fc.option(index(3)),
      tracks: fc.uniqueArray(index(2), { maxLength: 2 }),
      ...words,
    }),
    { maxLength: 4 },
  ),
  repositories: fc.array(
    fc.record({
      platform: fc.constantFrom('p', 'p', 'q'),
      name,
      status: fc.constantFrom('REVIEWED', 'LIMBO'),
      ecosystem: fc.constantFrom('a', 'b', null),
      category: fc.constantFrom('a', 'b', null),
      takedown,
    }),
    { minLength: 1, maxLength: 3 },
  ),
  /** Timeline items of a collection, of one that is never loaded (9), or of none. */
  items: fc.array(
    fc.record({
      user: index(4),
      type: fc.constantFrom('BADGE_RECEIVED', 'BADGE_RECEIVED', 'GIFT_RECEIVED'),
      collection: fc.constantFrom(0, 1, 2, 3, 9, null),
      isEarly: fc.boolean(),
      takedown,
    }),
    { maxLength: 6 },
  ),
});
type Spec = typeof worlds extends fc.Arbitrary<infer W> ? W : never;
type Word = string | null;

const weekNames = ['2026-01-05T00:00:00.000Z', '2026-01-12T00:00:00.000Z'] as const;

const clear = [
  'takedowns',
  'agents',
  'bounty_submissions',
  'bounties',
  'launches',
  'topics',
  'timeline_items',
  'collection_holders',
  'collections',
  'contest_submissions',
  'contests',
  'repositories',
  'sponsors',
  'users',
]
  .map((table) => `delete from ${table}`)
  .join(';');

/** Adds a row and its takedown, in the given order. */
const put = async (table: string, key: string[], taken: Word, row: Record<string, unknown>): Promise<void> => {
  const takeDown = () =>
    owner.query('insert into takedowns (table_name, key, created_at) values ($1, $2, now())', [table, key]);
  if (taken === 'before') await takeDown();
  await add(table, row);
  if (taken === 'after' || taken === 'undone') await takeDown();
  if (taken === 'undone') await owner.query('delete from takedowns where table_name = $1 and key = $2', [table, key]);
};

const build = async (spec: Spec): Promise<void> => {
  await owner.query(clear);
  for (const [n, { status, god }] of spec.users.entries()) {
    await add('users', { id: `u${n}`, username: `u${n}`, status, god_mode: god });
    await add('api_keys', { user_id: `u${n}`, hash: hashKey(keys[n]!, pepper) });
  }
  // The slug of one sponsor may be the id of another.
  for (const n of [0, 1]) await add('sponsors', { id: `s${n}`, slug: n === 0 ? 's1' : 'slug-s1', name: `S ${n}` });
  for (const n of [0, 1]) await add('topics', { id: `id-p${n}`, slug: `p${n}` });
  for (const { sponsor, user, role } of spec.members)
    await add('sponsor_members', { sponsor_id: `s${sponsor}`, user_id: `u${user}`, role });
  for (const [n, { takedown: taken, name: display, ...row }] of spec.agents.entries())
    await put('agents', [`a${n}`], taken, {
      ...row,
      id: `a${n}`,
      name: `a${n}`,
      display_name: display.join(' '),
      owner_id: 'u0',
    });
  for (const [n, { sponsor, visible, completedAt, takedown: taken, ...row }] of spec.bounties.entries())
    await put('bounties', [`b${n}`], taken, {
      ...row,
      id: `b${n}`,
      slug: `b${n}`,
      sponsor_id: `s${sponsor}`,
      submissions_visible: visible,
      completed_at: completedAt ? '2026-02-01T00:00:00Z' : null,
    });
  for (const [n, one] of spec.submissions.entries())
    await put('bounty_submissions', [`x${n}`], one.takedown, {
      id: `x${n}`,
      bounty_id: `b${one.bounty % spec.bounties.length}`,
      user_id: `u${one.user}`,
      status: one.status,
      visibility: one.visibility,
      prize_place: one.place,
      reward_wallet_address: `wallet-${n}`,
      moderation_reason: `reason-${n}`,
      created_at: `2026-01-0${one.day}T00:00:00Z`,
    });
  for (const [n, one] of spec.launches.entries()) {
    await put('launches', [`l${n}`], one.takedown, {
      id: `l${n}`,
      slug: `l${n}`,
      submitted_by_id: `u${one.user}`,
      status: one.status,
      visibility: one.visibility,
      launch_week: weekNames[one.week],
      launch_week_rating: one.rating,
      featured_at: one.isFeatured ? '2026-02-01T00:00:00Z' : null,
      ...(one.isPublished || one.status === 'LIVE' ? {} : { published_at: null }),
    });
    for (const [place, topic] of one.topics.entries())
      await add('launch_topics', { launch_id: `l${n}`, topic_id: `id-p${topic}`, position: place + 1 });
    await add('launch_claps', { launch_id: `l${n}`, user_id: `u${one.clapper}`, claps: n + 1 });
  }
  for (const [n, { status, isOver, visibility, takedown: taken }] of spec.contests.entries())
    await put('contests', [`t${n}`], taken, {
      id: `t${n}`,
      slug: n === 0 ? 't1' : `slug-t${n}`,
      created_by_id: 'u0',
      status,
      visibility,
      voting_end: isOver ? '2026-01-06T00:00:00Z' : '2999-01-01T00:00:00Z',
    });
  for (const [n, { takedown: taken, ...row }] of spec.repositories.entries())
    await put('repositories', [row.platform, `r${n}`], taken, {
      ...row,
      platform_id: `r${n}`,
      owner: 'Owner',
      name: row.name.join(' '),
    });
  for (const [n, one] of spec.entries.entries()) {
    const repository = one.repository === null ? null : one.repository % spec.repositories.length;
    await put('contest_submissions', [`e${n}`], one.takedown, {
      id: `e${n}`,
      contest_id: `t${one.contest % spec.contests.length}`,
      user_id: 'u0',
      status: one.status,
      visibility: one.visibility,
      clap_count: one.claps,
      track_ids: one.tracks.map((track) => `k${track}`),
      repository_platform: repository === null ? null : spec.repositories[repository]!.platform,
      repository_platform_id: repository === null ? null : `r${repository}`,
    });
    for (const { user, tier } of one.supporters)
      await add('contest_submission_supporters', { submission_id: `e${n}`, user_id: `u${user}`, voting_tier: tier });
  }
  const addItems = async (isEarly: boolean) => {
    for (const [n, one] of spec.items.entries())
      if (one.isEarly === isEarly)
        await put('timeline_items', [`u${one.user}`, `i${n}`], one.takedown, {
          user_id: `u${one.user}`,
          id: `i${n}`,
          type: one.type,
          details: {
            collectionName: `i${n}`,
            ...(one.collection === null ? {} : { collectionAddress: `c${one.collection}` }),
          },
        });
  };
  await addItems(true); // before the collections that they name
  for (const [n, one] of spec.collections.entries()) {
    await put('collections', [`c${n}`], one.takedown, {
      address: `c${n}`,
      name: one.name.join(' '),
      source: one.source,
      status: one.status,
      category: one.category,
      visibility: one.visibility,
    });
    for (const user of one.holders)
      await add('collection_holders', { collection_address: `c${n}`, user_id: `u${user}` });
    if (one.contest !== null)
      await add('collection_contests', {
        collection_address: `c${n}`,
        contest_id: `t${one.contest % spec.contests.length}`,
      });
  }
  await addItems(false);
};

/** An expected answer: a status with a code, or the items, each by a text that identifies it. */
type Expected = string | string[];

const isDown = (taken: Word) => taken === 'before' || taken === 'after';
/** A takedown decides first, then visibility, then the status. */
const isOpen = ({ visibility, takedown: taken }: { visibility: Word; takedown: Word }, byStatus: boolean): boolean =>
  !isDown(taken) && (visibility === null ? byStatus : visibility === 'public');
const descending = (items: string[]) => items.sort().reverse();
const searches = ['al', 'AL bet', 'gamma  ALPHA', '%', '_ x', 'owner/alpha'];

/** Which rows are public, with the values that depend on it for all callers. */
const stateOf = (spec: Spec) => {
  const named = <T>(rows: T[], letter: string) => rows.map((row, n) => ({ ...row, n, id: `${letter}${n}` }));
  const submissions = named(spec.submissions, 'x').map((one) => ({
    ...one,
    bounty: one.bounty % spec.bounties.length,
    isPublic: isOpen(one, ['PENDING', 'APPROVED', 'WINNER'].includes(one.status)),
  }));
  const launches = named(spec.launches, 'l').map((one) => ({
    ...one,
    isPublic: (one.isPublished || one.status === 'LIVE') && isOpen(one, one.status === 'LIVE'),
  }));
  const ranking = launches.filter(({ isPublic }) => isPublic).sort((a, b) => b.rating - a.rating || a.n - b.n);
  const rankOf = (one: (typeof launches)[number]) =>
    ranking.filter(({ week }) => week === one.week).findIndex(({ n }) => n === one.n) + 1;
  const isDraft = ({ source, status }: Spec['collections'][number]) =>
    source === 'internal' && status?.toUpperCase() === 'DRAFT';
  const collections = named(spec.collections, 'c').map((one) => ({
    ...one,
    isPublic: !isDraft(one) && isOpen(one, true),
  }));
  const badgeShows = (collection: number | null) => collection === null || collections[collection]?.isPublic === true;
  return {
    isActive: (n: number) => ['activated', 'active'].includes(spec.users[n]!.status.toLowerCase()),
    agents: named(spec.agents, 'a').map((one) => ({ ...one, isPublic: isOpen(one, one.status === 'PUBLISHED') })),
    bounties: named(spec.bounties, 'b').map((one) => {
      const here = submissions.filter(({ bounty }) => bounty === one.n);
      return {
        ...one,
        isPublic: isOpen(one, ['OPEN', 'REVIEW', 'COMPLETED'].includes(one.status)),
        isCompleted: one.completedAt || one.status === 'COMPLETED',
        submissions: here.sort((a, b) => b.day - a.day || b.n - a.n),
        item: `${one.id} ${here.filter(({ isPublic }) => isPublic).length}`,
      };
    }),
    launches: launches.map((one) => ({ ...one, rank: rankOf(one) })),
    collections,
    contests: named(spec.contests, 't').map((one) => ({
      ...one,
      isPublic: isOpen(one, ['OPEN', 'VOTING', 'COMPLETED'].includes(one.status)),
    })),
    repositories: named(spec.repositories, 'r').map((one) => ({ ...one, isPublic: !isDown(one.takedown) })),
    entries: named(spec.entries, 'e').map((one) => ({
      ...one,
      isPublic: ['APPROVED', 'WINNER'].includes(one.status) && isOpen(one, true),
    })),
    items: named(spec.items, 'i').map((one) => ({
      ...one,
      isPublic: !isDown(one.takedown) && (one.type !== 'BADGE_RECEIVED' || badgeShows(one.collection)),
    })),
  };
};
type State = ReturnType<typeof stateOf>;
const shown = <T extends { isPublic: boolean }>(rows: T[]): T[] => rows.filter(({ isPublic }) => isPublic);
const ids = (rows: { id: string }[]): string[] => rows.map(({ id }) => id);
const matches = (text: string, q: string) =>
  q.split(/\s+/).every((part) => text.toLowerCase().includes(part.toLowerCase()));

/** A submission as all callers see it (gap G12). */
const publicView = (
  one: Pick<State['bounties'][number]['submissions'][number], 'id' | 'status' | 'place'>,
  isCompleted: boolean,
) => {
  const status = one.status === 'WINNER' && !isCompleted ? 'APPROVED' : one.status;
  return `${one.id} ${status} ${isCompleted ? one.place : null} null undefined`;
};

/** The model of the public operations, which read no credential. */
const everybodySees = (state: State): Record<string, Expected> => {
  const expected: Record<string, Expected> = {};
  const { bounties, collections, contests, repositories } = state;
  const directory = shown(state.agents).reverse();
  expected['/agents'] = ids(directory);
  expected['/agents?sortBy=name&sortOrder=asc'] = ids(directory.toReversed());
  expected['/agents?category=a'] = ids(directory.filter(({ category }) => category === 'a'));
  for (const q of searches)
    expected[`/agents?q=${encodeURIComponent(q)}`] = ids(
      directory.filter((one) =>
        q.split(/\s+/).every((part) => [one.id, one.name.join(' ')].some((text) => matches(text, part))),
      ),
    );
  for (const { id, isPublic } of state.agents)
    for (const path of [`/agents/${id}`, `/agents/${id}/metadata`])
      expected[path] = isPublic ? [path.endsWith('a') ? 'metadata' : id] : '404 NOT_FOUND';
  for (const { id, isPublic, isCompleted, visible, item, submissions } of bounties) {
    const open = shown(submissions);
    expected[`/bounties/${id}`] = isPublic ? [item] : '404 NOT_FOUND';
    const views = open.map((one) => publicView(one, isCompleted));
    expected[`/bounties/${id}/submissions`] = !isPublic ? '404 NOT_FOUND' : visible ? views : '403 SUBMISSIONS_HIDDEN';
    const winners = open.flatMap((one) => (one.place === null ? [] : [{ ...one, place: one.place }]));
    winners.sort((a, b) => a.place - b.place || a.day - b.day || a.n - b.n);
    expected[`/bounties/${id}/winners`] = !isPublic
      ? '404 NOT_FOUND'
      : isCompleted
        ? winners.map(({ place, user }) => `${place} u${user}`)
        : [];
  }
  const itemsOf = (fits: (one: State['bounties'][number]) => boolean) =>
    descending(shown(bounties).flatMap((one) => (fits(one) ? [one.item] : [])));
  expected['/bounties'] = itemsOf(() => true);
  expected['/bounties?category=a'] = itemsOf(({ category }) => category === 'a');
  expected['/bounties?status=OPEN&category=b'] = itemsOf(
    ({ status, category }) => status === 'OPEN' && category === 'b',
  );
  expected['/bounties?sponsorId=s9'] = [];
  expected['/sponsors'] = ['s0', 's1'];
  // The slug of the first is the id of the second; an id takes precedence.
  Object.assign(expected, { '/sponsors/s0': ['s0'], '/sponsors/s1': ['s1'], '/sponsors/slug-s1': ['s1'] });
  for (const sponsor of [0, 1]) {
    expected[`/sponsors/s${sponsor}/bounties`] = itemsOf((one) => one.sponsor === sponsor);
    expected[`/bounties?sponsorId=s${sponsor}`] = itemsOf((one) => one.sponsor === sponsor);
    expected[`/bounties?sponsorId=s${sponsor}&status=OPEN`] = itemsOf(
      (one) => one.sponsor === sponsor && one.status === 'OPEN',
    );
  }
  const inLists = (launches: State['launches']) => descending(launches.map(({ id, rank }) => `${id} ${rank}`));
  const launches = shown(state.launches);
  expected['/launches'] = inLists(launches);
  expected['/launches?topic=p9'] = [];
  expected['/launch-weeks'] = weekNames.toReversed().flatMap((week) => {
    const { length } = launches.filter((one) => weekNames[one.week] === week);
    return length === 0 ? [] : [`${week} ${length}`];
  });
  const byRank = (rows: State['launches']) =>
    rows.toSorted((a, b) => a.rank - b.rank).map(({ id, rank }) => `${id} ${rank}`);
  for (const n of [0, 1] as const) {
    const ofWeek = launches.filter(({ week }) => week === n);
    expected[`/launches?launchWeek=${weekNames[n]}`] = byRank(ofWeek);
    expected[`/launches?topic=p${n}`] = inLists(launches.filter(({ topics }) => topics.includes(n)));
    for (const topic of [0, 1])
      expected[`/launches?launchWeek=${weekNames[n]}&topic=p${topic}`] = byRank(
        ofWeek.filter(({ topics }) => topics.includes(topic)),
      );
  }
  expected['/launches/featured'] = inLists(shown(state.launches).filter(({ isFeatured }) => isFeatured));
  for (const { id, n, isPublic, holders, contest } of collections) {
    const linked = contest === null ? undefined : contests[contest % contests.length];
    const contestIds = linked?.isPublic ? [linked.id] : [];
    expected[`/collections/c${n}`] = isPublic ? [`${id} ${holders.length} ${contestIds}`] : '404 NOT_FOUND';
    expected[`/collections/c${n}/holders`] = isPublic ? holders.map((user) => `u${user}`).sort() : '404 NOT_FOUND';
  }
  const catalogue = shown(collections).reverse();
  expected['/collections'] = ids(catalogue);
  expected['/collections?category=a'] = ids(catalogue.filter(({ category }) => category === 'a'));
  expected['/collections?source=internal&sortOrder=asc'] = ids(
    shown(collections).filter(({ source }) => source === 'internal'),
  );
  const bySize = catalogue.toSorted((a, b) => b.holders.length - a.holders.length || b.n - a.n);
  expected['/collections?sortBy=holdersCount'] = ids(bySize);
  expected['/collections?sortBy=holdersCount&category=b'] = ids(bySize.filter(({ category }) => category === 'b'));
  for (const { id, platform, isPublic } of repositories)
    for (const asked of ['p', 'q'])
      expected[`/repositories/${asked}/${id}`] = isPublic && asked === platform ? [id] : '404 NOT_FOUND';
  const code = shown(repositories).sort((a, b) => b.platform.localeCompare(a.platform) || b.n - a.n);
  expected['/repositories'] = ids(code);
  expected['/repositories?status=REVIEWED'] = ids(code.filter(({ status }) => status === 'REVIEWED'));
  expected['/repositories?platform=p&category=a'] = ids(
    code.filter(({ platform, category }) => platform === 'p' && category === 'a'),
  );
  expected['/repositories?ecosystem=b'] = ids(code.filter(({ ecosystem }) => ecosystem === 'b'));
  for (const q of searches) {
    const asked = encodeURIComponent(q);
    // Titles of bounties and launches are those of the builders; sponsors are S 0 and S 1.
    expected[`/search?q=${asked}`] = [
      `agents ${expected[`/agents?q=${asked}`]!.length}`,
      'bounties 0',
      'launches 0',
      'contests 0',
      'sponsors 0',
      `collections ${catalogue.filter((one) => matches(one.name.join(' '), q)).length}`,
      `repositories ${code.filter((one) => matches(`Owner/${one.name.join(' ')}`, q)).length}`,
    ];
    const found = catalogue.filter((one) => matches(one.name.join(' '), q));
    expected[`/collections?q=${asked}`] = ids(found);
    expected[`/collections?q=${asked}&sortBy=holdersCount`] = ids(bySize.filter((one) => found.includes(one)));
    expected[`/repositories?q=${asked}`] = ids(code.filter((one) => matches(`Owner/${one.name.join(' ')}`, q)));
  }
  /** A contest submission as a text that identifies it. */
  const viewOf = (one: State['entries'][number]): string => {
    const named = one.repository === null ? undefined : repositories[one.repository % repositories.length];
    const tiers = ['PLATINUM', 'GOLD', 'SILVER', 'BRONZE'];
    const supporters = one.supporters.toSorted(
      (a, b) => tiers.indexOf(a.tier) - tiers.indexOf(b.tier) || a.user - b.user,
    );
    const users = supporters.map(({ user }) => `u${user}`);
    return `${one.id} ${one.claps ?? users.length} ${users.length} ${users} ${named?.isPublic ? named.id : null}`;
  };
  const open = shown(contests).reverse();
  expected['/contests'] = ids(open);
  expected['/contests?displayStatus=completed'] = ids(open.filter(({ isOver }) => isOver));
  expected['/contests?displayStatus=active'] = ids(open.filter(({ isOver }) => !isOver));
  for (const { id, n, isPublic } of contests) {
    // The slug of the first is the id of the second; an id takes precedence if its row is public.
    const named =
      n === 1 ? [contests[1], contests[0]].find((one) => one?.isPublic) : isPublic ? contests[n] : undefined;
    expected[`/contests/${id}`] = named === undefined ? '404 NOT_FOUND' : [named.id];
    if (n > 0) expected[`/contests/slug-t${n}`] = isPublic ? [id] : '404 NOT_FOUND';
    const own = shown(state.entries)
      .filter(({ contest }) => contest % contests.length === n)
      .reverse();
    const list = (rows: State['entries']): Expected => (isPublic ? rows.map(viewOf) : '404 NOT_FOUND');
    expected[`/contests/${id}/submissions`] = list(own);
    for (const track of [0, 1, 9])
      expected[`/contests/${id}/submissions?trackId=k${track}`] = list(
        own.filter(({ tracks }) => tracks.includes(track)),
      );
  }
  for (const one of state.entries) {
    const own = contests[one.contest % contests.length]!;
    for (const contest of contests)
      expected[`/contests/${contest.id}/submissions/${one.id}`] =
        one.isPublic && own.isPublic && contest.id === own.id ? [viewOf(one)] : '404 NOT_FOUND';
  }
  for (const n of slots) {
    const items = shown(state.items).filter(({ user }) => user === n);
    const timeline = `/users/u${n}/timeline`;
    const hidden = '404 NOT_FOUND';
    expected[`/users/u${n}`] = state.isActive(n) ? [`u${n}`] : hidden;
    expected[`/launches/user/u${n}`] = state.isActive(n)
      ? inLists(shown(state.launches).filter(({ user }) => user === n))
      : hidden;
    const badges = shown(collections).filter(({ holders }) => holders.includes(n));
    const sent = shown(bounties).flatMap(({ visible, isCompleted, submissions }) =>
      visible
        ? shown(submissions)
            .filter(({ user }) => user === n)
            .map((one) => ({ ...one, view: publicView(one, isCompleted) }))
        : [],
    );
    sent.sort((a, b) => b.day - a.day || b.n - a.n);
    expected[`/users/u${n}/badges`] = state.isActive(n) ? ids(badges).reverse() : hidden;
    expected[`/users/u${n}/agents`] = state.isActive(n) ? ids(n === 0 ? directory : []) : hidden;
    expected[`/users/u${n}/submissions`] = state.isActive(n) ? sent.map(({ view }) => view) : hidden;
    expected[timeline] = state.isActive(n) ? ids(items) : hidden;
    for (const type of ['BADGE_RECEIVED', 'GIFT_RECEIVED'])
      expected[`${timeline}?type=${type}`] = state.isActive(n) ? ids(items.filter((one) => one.type === type)) : hidden;
  }
  return expected;
};

/** The model of ranges: the same lists, cut by the key that the builders or the data set give the rows. */
const rangesOf = (state: State): Record<string, Expected> => {
  const expected: Record<string, Expected> = {};
  const [second, third] = ['2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'];
  for (const { id, isPublic, isCompleted, visible, submissions } of state.bounties) {
    const views = shown(submissions)
      .filter(({ day }) => day === 2)
      .map((one) => publicView(one, isCompleted));
    expected[`/bounties/${id}/submissions?from=${second}&to=${third}`] = !isPublic
      ? '404 NOT_FOUND'
      : visible
        ? views
        : '403 SUBMISSIONS_HIDDEN';
  }
  const weeks = weekNames.map((week, n) => ({ week, launches: shown(state.launches).filter((one) => one.week === n) }));
  for (const [sortOrder, rows] of [
    ['asc', weeks],
    ['desc', weeks.toReversed()],
  ] as const) {
    const named = rows.flatMap(({ week, launches }) => (launches.length === 0 ? [] : [`${week} ${launches.length}`]));
    expected[`/launch-weeks?sortOrder=${sortOrder}`] = named;
    expected[`/launch-weeks?sortOrder=${sortOrder}&to=${weekNames[1]}`] = named.filter((one) =>
      one.startsWith(weekNames[0]),
    );
    expected[`/launch-weeks?sortOrder=${sortOrder}&from=${weekNames[1]}`] = named.filter((one) =>
      one.startsWith(weekNames[1]),
    );
  }
  return expected;
};

/** The values of a group by count and then by name, null last; and the group as the model writes it. */
const tally = (values: (string | boolean | null)[]): [string | boolean | null, number][] => {
  const counts = new Map<string | boolean | null, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(
    ([a, n], [b, m]) => m - n || Number(a === null) - Number(b === null) || (String(a) < String(b) ? -1 : 1),
  );
};
const grouped = (by: string, values: (string | boolean | null)[]): string => {
  const sorted = tally(values);
  return `${by} ${sorted.map(([value, count]) => `${value}=${count}`).join(' ')}`.trimEnd();
};
/** The model of counts: an answer is its total and its groups. */
const countsOf = (state: State): Record<string, Expected> => {
  const [agents, bounties, collections] = [shown(state.agents), shown(state.bounties), shown(state.collections)];
  const [launches, contests, repositories] = [shown(state.launches), shown(state.contests), shown(state.repositories)];
  const expected: Record<string, Expected> = {
    '/counts': [
      JSON.stringify({
        agents: agents.length,
        sponsors: 2,
        bounties: bounties.length,
        bountiesByStatus: tally(bounties.map(({ status }) => status)).map(([value, count]) => ({ value, count })),
        launches: launches.length,
        launchWeeks: new Set(launches.map(({ week }) => week)).size,
        contests: contests.length,
        collections: collections.length,
        holdings: collections.reduce((sum, { holders }) => sum + holders.length, 0),
        repositories: repositories.length,
      }),
    ],
    '/counts/bounties?by=sponsorId': [
      `${bounties.length}`,
      grouped(
        'sponsorId',
        bounties.map(({ sponsor }) => `s${sponsor}`),
      ),
    ],
    '/counts/agents?by=category': [
      `${agents.length}`,
      grouped(
        'category',
        agents.map(({ category }) => category),
      ),
    ],
    '/counts/bounties?category=a&by=status,category': [
      `${bounties.filter(({ category }) => category === 'a').length}`,
      grouped(
        'status',
        bounties.filter(({ category }) => category === 'a').map(({ status }) => status),
      ),
      grouped(
        'category',
        bounties.map(({ category }) => category),
      ),
    ],
    '/counts/launches?by=topic,launchWeek': [
      `${launches.length}`,
      grouped(
        'topic',
        launches.flatMap(({ topics }) => topics.map((topic) => `p${topic}`)),
      ),
      grouped(
        'launchWeek',
        launches.map(({ week }) => weekNames[week]!),
      ),
    ],
    '/counts/collections?by=source,category': [
      `${collections.length}`,
      grouped(
        'source',
        collections.map(({ source }) => source),
      ),
      grouped(
        'category',
        collections.map(({ category }) => category),
      ),
    ],
    '/counts/contests?by=displayStatus': [
      `${contests.length}`,
      grouped(
        'displayStatus',
        contests.map(({ isOver }) => (isOver ? 'completed' : 'active')),
      ),
    ],
    '/counts/repositories?platform=p&by=category,platform': [
      `${repositories.filter(({ platform }) => platform === 'p').length}`,
      grouped(
        'category',
        repositories.filter(({ platform }) => platform === 'p').map(({ category }) => category),
      ),
      grouped(
        'platform',
        repositories.map(({ platform }) => platform),
      ),
    ],
  };
  for (const n of slots) {
    const items = shown(state.items).filter(({ user }) => user === n);
    expected[`/counts/users/u${n}/timeline?by=type`] = state.isActive(n)
      ? [
          `${items.length}`,
          grouped(
            'type',
            items.map(({ type }) => type),
          ),
        ]
      : '404 NOT_FOUND';
  }
  return expected;
};

/** The model of the operations that read a credential, for one caller (null: anonymous). */
const callerSees = (spec: Spec, state: State, caller: number | null): Record<string, Expected> => {
  const isCaller = caller !== null && state.isActive(caller);
  const roleIn = (sponsor: number) =>
    spec.members.find((member) => member.sponsor === sponsor && member.user === caller)?.role;
  const isMember = (sponsor: number) => ['MEMBER', 'ADMIN', 'OWNER'].includes(roleIn(sponsor) ?? '');
  const expected: Record<string, Expected> = {};
  for (const { id, isPublic, isCompleted, sponsor: ownSponsor, submissions } of state.bounties) {
    const own = submissions.filter(({ user }) => user === caller);
    const views = own.map((one) => {
      const status = one.status === 'WINNER' && !isCompleted ? 'APPROVED' : one.status;
      return `${one.id} ${status} ${isCompleted ? one.place : null} reason-${one.n} undefined`;
    });
    expected[`/bounties/${id}/submissions/me`] = !isCaller
      ? '401 UNAUTHORIZED'
      : isPublic || own.length > 0
        ? views
        : '404 NOT_FOUND';
    for (const sponsor of [0, 1])
      expected[`/sponsors/s${sponsor}/bounties/${id}/submissions`] = !isCaller
        ? '401 UNAUTHORIZED'
        : !isMember(sponsor)
          ? '403 FORBIDDEN'
          : ownSponsor !== sponsor
            ? '404 NOT_FOUND'
            : submissions.map((one) => `${one.id} ${one.status} ${one.place} reason-${one.n} wallet-${one.n}`);
  }
  const isMine = ({ sponsor, isPublic }: State['bounties'][number]) =>
    spec.users[caller!]!.god || isMember(sponsor) || (roleIn(sponsor) !== undefined && isPublic);
  expected['/bounties/me'] = isCaller
    ? descending(state.bounties.filter(isMine).map(({ item }) => item))
    : '401 UNAUTHORIZED';
  for (const { id, n, isPublic, rank, clapper } of state.launches) {
    const claps = caller === null ? undefined : clapper === caller ? n + 1 : 0;
    expected[`/launches/${id}`] =
      caller !== null && !isCaller ? '401 UNAUTHORIZED' : isPublic ? [`${id} ${rank} ${claps}`] : '404 NOT_FOUND';
  }
  return expected;
};

interface Item extends Record<string, unknown> {
  user?: { id: string };
  details?: { collectionName: string };
  contests?: { id: string }[];
  repository?: { platformId: string } | null;
  supportersPreview?: { totalCount: number; items: { userId: string }[] };
}
/** An item as the text that identifies it in the model. */
const nameOf = (path: string, item: Item): string => {
  if (path.startsWith('/agents')) return path.endsWith('/metadata') ? 'metadata' : String(item.id);
  if (path.endsWith('/winners')) return `${item.prizePlace} ${item.user?.id}`;
  if (/^\/contests\/.*\/submissions/.test(path)) {
    const { totalCount, items = [] } = item.supportersPreview ?? {};
    const users = items.map(({ userId }) => userId);
    return `${item.id} ${item.clapCount} ${totalCount} ${users} ${item.repository?.platformId ?? null}`;
  }
  if (/submissions/.test(path))
    return [item.id, item.status, item.prizePlace, item.moderationReason, item.rewardWalletAddress]
      .map((value) => String(value))
      .join(' ');
  if (/\/(badges|agents)$/.test(path)) return String(item.address ?? item.id);
  if (/\/timeline/.test(path)) return String(item.details?.collectionName);
  if (/^\/launches\/l/.test(path)) return `${item.id} ${item.weekRank} ${item.myClaps}`;
  if (path.startsWith('/launches')) return `${item.id} ${item.weekRank}`;
  if (path.startsWith('/launch-weeks')) return `${item.launchWeek} ${item.launchCount}`;
  if (path.endsWith('/holders') || /^\/(contests|users|sponsors(\/[^/]*)?$)/.test(path)) return String(item.id);
  if (path.startsWith('/collections/'))
    return `${item.address} ${item.holdersCount} ${item.contests?.map(({ id }) => id)}`;
  if (path.startsWith('/collections')) return String(item.address);
  if (path.startsWith('/repositories')) return String(item.platformId);
  return `${item.id} ${item.submissionCount}`;
};

/** Wallets and moderation reasons anywhere in a text. */
const privateIn = (text: string): string[] => [...new Set(text.match(/(wallet|reason)-\d+/g))].sort();

const checkAnswer = async (path: string, caller: number | null, expected: Expected): Promise<void> => {
  const where = `${path} as ${caller === null ? 'anonymous' : `u${caller}`}`;
  const headers: Record<string, string> = caller === null ? {} : { authorization: `Bearer ${keys[caller]}` };
  const response = await api.get(path, { headers });
  const text = await response.text();
  assert.deepEqual(privateIn(text), privateIn(String(expected)), where);
  const body = JSON.parse(text) as { code?: string; data?: unknown };
  if (response.status !== 200) {
    assert.equal(`${response.status} ${body.code}`, expected, where);
    return;
  }
  if (path.startsWith('/search')) {
    const found = Object.entries(body.data as Record<string, { total: number; items: unknown[] }>);
    for (const [, { total, items }] of found) assert.equal(items.length, Math.min(total, 5), where);
    assert.deepEqual(
      found.map(([name, { total }]) => `${name} ${total}`),
      expected,
      where,
    );
    return;
  }
  if (path === '/counts') {
    assert.deepEqual([JSON.stringify(body.data)], expected, where);
    return;
  }
  if (path.startsWith('/counts')) {
    const { total, groups } = body.data as {
      total: number;
      groups: { by: string; values: { value: Word; count: number }[] }[];
    };
    const texts = groups.map(({ by, values }) =>
      `${by} ${values.map(({ value, count }) => `${value}=${count}`).join(' ')}`.trimEnd(),
    );
    assert.deepEqual([String(total), ...texts], expected, where);
    return;
  }
  const data = body.data as Item[] | { items: Item[]; total: number } | Item;
  const items = (Array.isArray(data) ? data : 'items' in data ? data.items : [data]) as Item[];
  if (!Array.isArray(data) && 'items' in data) assert.equal(data.total, items.length, where);
  assert.deepEqual(
    items.map((item) => nameOf(path, item)),
    expected,
    where,
  );
};

test(`in ${worldCount} random data sets every caller gets exactly what the model predicts`, async (t) => {
  let [asked, built] = [0, 0];
  const askedPaths = new Set<string>();
  await fc.assert(
    fc.asyncProperty(worlds, async (spec) => {
      await build(spec);
      const state = stateOf(spec);
      // Answers that are the same for all callers are requested anonymously and by one caller.
      built += 1;
      const one = slots[built % slots.length];
      for (const caller of [null, ...slots]) {
        const isAsked = caller === null || caller === one;
        const expected = {
          ...(isAsked ? { ...everybodySees(state), ...rangesOf(state), ...countsOf(state) } : {}),
          ...callerSees(spec, state, caller),
        };
        const paths = Object.entries(expected);
        while (paths.length > 0)
          await Promise.all(paths.splice(0, 16).map(([path, answer]) => checkAnswer(path, caller, answer)));
        asked += Object.keys(expected).length;
        for (const path of Object.keys(expected)) askedPaths.add(path.replace(/\?.*/, ''));
      }
    }),
    { numRuns: worldCount, seed: 20_260_105, endOnFailure: false },
  );
  t.diagnostic(`${worldCount} data sets, ${asked} answers`);
  const unasked = Object.entries(table).filter(([, { path }]) => {
    const form = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
    return ![...askedPaths].some((one) => form.test(one));
  });
  // The score tiers are the same in every data set.
  assert.deepEqual(
    unasked.map(([id]) => id),
    ['getScoreTiers'],
  );
});
