// Random worlds of users, sponsors, roles and states: what each caller gets is what a small model says, written from the
// rules and not from the queries. WORLDS says how many; a failure prints the smallest world that shows it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hashKey, makeKey } from '../src/http/auth.ts';
import { createWorld, pepper } from './helpers/world.ts';

const worldCount = Number(process.env.WORLDS ?? 60);
const world = await createWorld();
const { owner } = world;
const api = await world.serve();

const slots = [0, 1, 2, 3] as const;
const keys = slots.map(() => makeKey('live'));
const index = (count: number) => fc.nat({ max: count - 1 });
const worlds = fc.record({
  users: fc.tuple(
    ...slots.map(() =>
      fc.record({ status: fc.constantFrom('ACTIVATED', 'active', 'BANNED', 'PENDING'), god: fc.boolean() }),
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
  bounties: fc.array(
    fc.record({
      sponsor: index(2),
      status: fc.constantFrom('OPEN', 'REVIEW', 'COMPLETED', 'DRAFT', 'open', 'LIMBO'),
      visible: fc.boolean(),
      completed: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  submissions: fc.array(
    fc.record({
      bounty: index(4),
      user: index(4),
      status: fc.constantFrom('PENDING', 'APPROVED', 'WINNER', 'REJECTED', 'DELETED', 'pending'),
      hasPlace: fc.boolean(),
    }),
    { maxLength: 7 },
  ),
  launches: fc.array(
    fc.record({ user: index(4), status: fc.constantFrom('LIVE', 'DRAFT', 'live'), clapper: index(4) }),
    { maxLength: 3 },
  ),
  collections: fc.array(
    fc.record({
      source: fc.constantFrom('internal', 'external'),
      status: fc.constantFrom('DRAFT', 'ACTIVE', null),
      holder: index(4),
    }),
    { maxLength: 3 },
  ),
});
type Spec = typeof worlds extends fc.Arbitrary<infer W> ? W : never;

const clear = [
  'bounty_submissions',
  'bounties',
  'launches',
  'timeline_items',
  'collection_holders',
  'collections',
  'sponsors',
  'users',
]
  .map((table) => `delete from ${table}`)
  .join(';');

const build = async (spec: Spec): Promise<void> => {
  const { add } = world;
  await owner.query(clear);
  for (const [n, { status, god }] of spec.users.entries()) {
    await add('users', { id: `u${n}`, username: `u${n}`, status, god_mode: god });
    await add('api_keys', { user_id: `u${n}`, hash: hashKey(keys[n]!, pepper) });
  }
  for (const n of [0, 1]) await add('sponsors', { id: `s${n}`, slug: `s${n}` });
  for (const { sponsor, user, role } of spec.members)
    await add('sponsor_members', { sponsor_id: `s${sponsor}`, user_id: `u${user}`, role });
  for (const [n, { sponsor, status, visible, completed }] of spec.bounties.entries())
    await add('bounties', {
      id: `b${n}`,
      slug: `b${n}`,
      sponsor_id: `s${sponsor}`,
      status,
      submissions_visible: visible,
      completed_at: completed ? '2026-02-01T00:00:00Z' : null,
    });
  for (const [n, { bounty, user, status, hasPlace }] of spec.submissions.entries())
    await add('bounty_submissions', {
      id: `x${n}`,
      bounty_id: `b${bounty % spec.bounties.length}`,
      user_id: `u${user}`,
      status,
      prize_place: hasPlace ? n + 1 : null,
      reward_wallet_address: `wallet-${n}`,
      moderation_reason: `reason-${n}`,
    });
  for (const [n, { user, status, clapper }] of spec.launches.entries()) {
    const { id } = await add('launches', { slug: `l${n}`, submitted_by_id: `u${user}`, status });
    await add('launch_claps', { launch_id: id, user_id: `u${clapper}`, claps: n + 1 });
  }
  for (const [n, { source, status, holder }] of spec.collections.entries()) {
    await add('collections', { address: `c${n}`, source, status });
    await add('collection_holders', { collection_address: `c${n}`, user_id: `u${holder}` });
    await add('timeline_items', {
      user_id: `u${holder}`,
      type: 'BADGE_RECEIVED',
      details: { collectionAddress: `c${n}`, collectionName: `c${n}`, image: 'https://i.example', itemIndex: 1 },
    });
  }
};

/** What an answer must be: a status with a code, or the items by what tells them apart. */
type Expected = string | string[];

/** The model: the rules in the fewest words, for one caller (null: nobody). */
const expectedOf = (spec: Spec, caller: number | null): Record<string, Expected> => {
  const isActive = (n: number) => ['ACTIVATED', 'active'].includes(spec.users[n]!.status);
  const isCaller = caller !== null && isActive(caller);
  const bountyOf = (n: number) => n % spec.bounties.length;
  const isPublic = (n: number) => ['OPEN', 'REVIEW', 'COMPLETED'].includes(spec.bounties[n]!.status);
  const roleIn = (sponsor: number) =>
    spec.members.find((member) => member.sponsor === sponsor && member.user === caller)?.role;
  const isMember = (sponsor: number) => ['MEMBER', 'ADMIN', 'OWNER'].includes(roleIn(sponsor) ?? '');
  const submissionsOf = (bounty: number) =>
    spec.submissions.map((one, n) => ({ ...one, n })).filter((one) => bountyOf(one.bounty) === bounty);
  const isShown = ({ status }: { status: string }) => ['PENDING', 'APPROVED', 'WINNER'].includes(status);
  const announced = (bounty: number, { status }: { status: string }) =>
    status === 'WINNER' && !spec.bounties[bounty]!.completed ? 'APPROVED' : status;
  const place = (bounty: number, { hasPlace, n }: { hasPlace: boolean; n: number }) =>
    hasPlace && spec.bounties[bounty]!.completed ? n + 1 : null;
  const descending = (items: string[]) => items.sort().reverse();

  const expected: Record<string, Expected> = {};
  for (const n of spec.bounties.keys()) {
    const here = submissionsOf(n);
    const shown = here.filter(isShown);
    expected[`/bounties/b${n}`] = isPublic(n) ? [`b${n} ${shown.length}`] : '404 NOT_FOUND';
    expected[`/bounties/b${n}/submissions`] = !isPublic(n)
      ? '404 NOT_FOUND'
      : spec.bounties[n]!.visible
        ? descending(shown.map((one) => `x${one.n} ${announced(n, one)} ${place(n, one)} null undefined`))
        : '403 SUBMISSIONS_HIDDEN';
    expected[`/bounties/b${n}/winners`] = !isPublic(n)
      ? '404 NOT_FOUND'
      : spec.bounties[n]!.completed
        ? shown.filter(({ hasPlace }) => hasPlace).map((one) => `${one.n + 1} u${one.user}`)
        : [];
    const own = here.filter(({ user }) => user === caller);
    expected[`/bounties/b${n}/submissions/me`] = !isCaller
      ? '401 UNAUTHORIZED'
      : isPublic(n) || own.length > 0
        ? descending(own.map((one) => `x${one.n} ${announced(n, one)} ${place(n, one)} reason-${one.n} undefined`))
        : '404 NOT_FOUND';
    for (const sponsor of [0, 1])
      expected[`/sponsors/s${sponsor}/bounties/b${n}/submissions`] = !isCaller
        ? '401 UNAUTHORIZED'
        : !isMember(sponsor)
          ? '403 FORBIDDEN'
          : spec.bounties[n]!.sponsor !== sponsor
            ? '404 NOT_FOUND'
            : descending(
                here.map(
                  (one) => `x${one.n} ${one.status} ${one.hasPlace ? one.n + 1 : null} reason-${one.n} wallet-${one.n}`,
                ),
              );
  }
  const all = [...spec.bounties.keys()];
  const item = (n: number) => `b${n} ${submissionsOf(n).filter(isShown).length}`;
  for (const sponsor of [0, 1])
    expected[`/sponsors/s${sponsor}/bounties`] = descending(
      all.filter((n) => spec.bounties[n]!.sponsor === sponsor && isPublic(n)).map(item),
    );
  const mine = (n: number) => {
    const { sponsor } = spec.bounties[n]!;
    return spec.users[caller!]!.god || isMember(sponsor) || (roleIn(sponsor) !== undefined && isPublic(n));
  };
  expected['/bounties/me'] = isCaller ? descending(all.filter(mine).map(item)) : '401 UNAUTHORIZED';
  for (const [n, { status, clapper }] of spec.launches.entries()) {
    const claps = caller === null ? undefined : clapper === caller ? n + 1 : 0;
    expected[`/launches/l${n}`] =
      caller !== null && !isCaller ? '401 UNAUTHORIZED' : status === 'LIVE' ? [`l${n} ${claps}`] : '404 NOT_FOUND';
  }
  const isOpen = ({ source, status }: Spec['collections'][number]) =>
    source === 'external' || (status !== null && status !== 'DRAFT');
  for (const [n, one] of spec.collections.entries())
    expected[`/collections/c${n}/holders`] = isOpen(one) ? [`u${one.holder}`] : '404 NOT_FOUND';
  expected['/collections'] = descending(spec.collections.flatMap((one, n) => (isOpen(one) ? [`c${n}`] : [])));
  for (const n of slots) {
    const launches = spec.launches.flatMap(({ user, status }, l) => (user === n && status === 'LIVE' ? [`l${l}`] : []));
    const badges = spec.collections.flatMap((one, c) => (one.holder === n && isOpen(one) ? [`c${c}`] : []));
    expected[`/launches/user/u${n}`] = isActive(n) ? launches.sort() : '404 NOT_FOUND';
    expected[`/users/u${n}/timeline`] = isActive(n) ? badges.sort() : '404 NOT_FOUND';
  }
  return expected;
};

type Item = Record<string, unknown> & { user?: { id: string }; details?: { collectionName: string } };
/** An item by what tells it apart in the model. */
const nameOf = (path: string, item: Item): string => {
  if (path.endsWith('/winners')) return `${item.prizePlace} ${item.user?.id}`;
  if (/submissions/.test(path))
    return [item.id, item.status, item.prizePlace, item.moderationReason, item.rewardWalletAddress]
      .map((value) => String(value))
      .join(' ');
  if (path.endsWith('/timeline')) return String(item.details?.collectionName);
  if (/^\/launches\/l/.test(path)) return `${item.slug} ${item.myClaps}`;
  if (path.startsWith('/launches')) return String(item.slug);
  if (path.endsWith('/holders')) return String(item.id);
  if (path.startsWith('/collections')) return String(item.address);
  return `${item.id} ${item.submissionCount}`;
};
const ordered = (path: string) => !/^\/(launches\/user|users)/.test(path); // one moment for all: their ids are not ours

/** Wallets and reasons in a text, wherever they stand. */
const privateIn = (text: string): string[] => [...new Set(text.match(/(wallet|reason)-\d+/g))].sort();

const checkAnswer = async (path: string, caller: number | null, expected: Expected): Promise<void> => {
  const where = `${path} as ${caller === null ? 'nobody' : `u${caller}`}`;
  const headers: Record<string, string> = caller === null ? {} : { authorization: `Bearer ${keys[caller]}` };
  const response = await api.get(path, { headers });
  const text = await response.text();
  assert.deepEqual(privateIn(text), privateIn(String(expected)), where);
  const body = JSON.parse(text) as { code?: string; data?: unknown };
  if (response.status !== 200) {
    assert.equal(`${response.status} ${body.code}`, expected, where);
    return;
  }
  const data = body.data as Item[] | { items: Item[]; total: number } | Item;
  const items = (Array.isArray(data) ? data : 'items' in data ? data.items : [data]) as Item[];
  if (!Array.isArray(data) && 'items' in data) assert.equal(data.total, items.length, where);
  const names = items.map((item) => nameOf(path, item));
  assert.deepEqual(ordered(path) ? names : names.sort(), expected, where);
};

test(`${worldCount} random worlds: every caller gets what the model says, no more and no less`, async (t) => {
  let asked = 0;
  await fc.assert(
    fc.asyncProperty(worlds, async (spec) => {
      await build(spec);
      for (const caller of [null, ...slots]) {
        const expected = expectedOf(spec, caller);
        await Promise.all(Object.entries(expected).map(([path, answer]) => checkAnswer(path, caller, answer)));
        asked += Object.keys(expected).length;
      }
    }),
    { numRuns: worldCount, seed: 20_260_105, endOnFailure: false },
  );
  t.diagnostic(`${worldCount} worlds, ${asked} answers`);
});
