// The stage: the data set of the access table (test/access), with all callers and, for every operation, a row in each
// state. Private rows contain a canary text, which reveals them in any answer where they must not appear.
import type { OperationId } from '@commonhall/contract/table';
import { weeks } from '../../../../test/helpers/access.ts';
import type { World } from '../../../../test/helpers/world.ts';

type Args = Record<string, string>;
export interface Stage {
  /** Texts that must not be in this caller's answer. */
  secretsFor: (id: OperationId, caller: string) => string[];
}

/** Canaries, and for each the answers that may contain it, as `operation caller`. */
const canaries: Record<string, string[]> = {
  'canary-agent': [],
  'canary-draft-bounty': ['listMyBounties M', 'listMyBounties G'],
  'canary-limbo-bounty': ['listMyBounties M', 'listMyBounties G'],
  'canary-rival-bounty': ['listMyBounties X', 'listMyBounties G'],
  'canary-rejected': ['listMyBountySubmissions O', 'listSponsorBountySubmissions M'],
  'canary-withheld-work': ['listMyBountySubmissions O', 'listSponsorBountySubmissions M'],
  'canary-taken-work': ['listMyBountySubmissions O', 'listSponsorBountySubmissions M'],
  'canary-unseen': ['listMyBountySubmissions O', 'listSponsorBountySubmissions M'],
  'canary-launch': [],
  'canary-collection': [],
  'canary-contest': [],
  'canary-entry': [],
  'canary-badge': [],
  'canary-repository': [],
};

export const setStage = async ({ add, owner }: World): Promise<Stage> => {
  const tags = [{ tag: 'BUILDER', tier: 'GOLD', contestName: 'Spring' }];
  for (const id of ['ulla', 'olga', 'xena', 'lou', 'mia', 'eva', 'gus', 'dora', 'hank'])
    await add('users', {
      id,
      username: id,
      tags,
      god_mode: id === 'gus',
      status: id === 'dora' ? 'BANNED' : 'ACTIVATED',
    });
  const gone = async (table: string, row: Record<string, unknown>, key = 'id') => {
    const made = await add(table, row);
    await owner.query(`delete from ${table} where ${key} = $1`, [made[key]]);
    return String(made[key]);
  };
  await gone('users', { id: 'gone', username: 'gone' });
  const takeDown = (table: string, ...key: string[]) =>
    owner.query(`insert into takedowns (table_name, key, created_at) values ($1, $2, now())`, [table, key]);
  /** What hides or shows a row besides its status. An operator's takedown overrides the platform's `visibility`. */
  const [withheld, taken] = [{ visibility: 'hidden' }, { visibility: 'public' }];
  const vouched = { visibility: 'public', status: 'LIMBO' };

  const agent = (name: string, row: Args = {}) =>
    add('agents', { name, owner_id: 'olga', display_name: `the ${name}`, category: 'tools', ...row });
  await agent('agent-public');
  await agent('agent-unpublished', { status: 'DRAFT', display_name: 'canary-agent' });
  await agent('agent-hidden', { status: 'LIMBO', display_name: 'canary-agent' });
  await agent('agent-foreign', { owner_id: 'dora' });
  const agentCanary = { display_name: 'canary-agent' };
  await agent('agent-withheld', { ...agentCanary, ...withheld });
  await agent('agent-taken', { ...agentCanary, ...taken, id: 'agent-taken' });
  await takeDown('agents', 'agent-taken');
  await agent('agent-vouched', vouched);
  await gone('agents', { name: 'agent-deleted', owner_id: 'olga' });

  await add('sponsors', { id: 'acme', slug: 'acme' });
  await add('sponsors', { id: 'rival', slug: 'rival' });
  await gone('sponsors', { id: 's-deleted', slug: 's-deleted' });
  await add('sponsor_members', { sponsor_id: 'acme', user_id: 'mia' });
  await add('sponsor_members', { sponsor_id: 'acme', user_id: 'lou', role: 'GUEST' });
  await add('sponsor_members', { sponsor_id: 'rival', user_id: 'xena', role: 'OWNER' });
  await add('sponsor_members', { sponsor_id: 'acme', user_id: 'eva', role: 'ADMIN' });
  await owner.query(`delete from sponsor_members where user_id = 'eva'`);

  const bounty = (id: string, row: Record<string, unknown> = {}) =>
    add('bounties', { id, slug: id, title: `the ${id}`, sponsor_id: 'acme', ...row });
  await bounty('b-public', { status: 'COMPLETED', completed_at: '2026-02-01T00:00:00Z' });
  await bounty('b-unpublished', { status: 'DRAFT', title: 'canary-draft-bounty' });
  await bounty('b-limbo', { status: 'LIMBO', title: 'canary-limbo-bounty' });
  await bounty('b-hidden', { submissions_visible: false });
  await bounty('b-foreign', { sponsor_id: 'rival' });
  await bounty('b-rival-draft', { sponsor_id: 'rival', status: 'DRAFT', title: 'canary-rival-bounty' });
  await takeDown('bounties', 'b-taken'); // before the row exists, as when the row is deleted and loaded again
  await bounty('b-withheld', { ...withheld, title: 'canary-draft-bounty' });
  await bounty('b-taken', { ...taken, title: 'canary-draft-bounty' });
  await bounty('b-vouched', { ...vouched, completed_at: '2026-02-01T00:00:00Z' });
  await gone('bounties', { id: 'b-deleted', slug: 'b-deleted', sponsor_id: 'acme' });
  const submission = (bountyId: string, title: string, row: Record<string, unknown> = {}) =>
    add('bounty_submissions', {
      bounty_id: bountyId,
      user_id: 'olga',
      title,
      reward_wallet_address: 'canary-wallet',
      moderation_reason: 'canary-reason',
      ...row,
    });
  await submission('b-public', 'the work', { status: 'WINNER', prize_place: 1 });
  await submission('b-public', 'canary-rejected', { status: 'REJECTED', user_id: 'olga', prize_place: 2 });
  await submission('b-public', 'canary-withheld-work', { ...withheld, prize_place: 3 });
  await submission('b-public', 'canary-taken-work', { ...taken, prize_place: 4, id: 'x-taken' });
  await takeDown('bounty_submissions', 'x-taken');
  await submission('b-public', 'the vouched work', { ...vouched, prize_place: 5 });
  for (const bountyId of ['b-withheld', 'b-taken', 'b-unpublished']) await submission(bountyId, 'canary-unseen');
  await submission('b-vouched', 'the work', { status: 'WINNER', prize_place: 1 });
  await submission('b-hidden', 'canary-unseen', { status: 'WINNER', prize_place: 1 });
  await submission('b-foreign', 'the work of another', { user_id: 'hank' });

  // Hidden after their submissions were loaded.
  for (const [id, update] of [
    ['b-withheldLater', "visibility = 'hidden'"],
    ['b-takenLater', "visibility = 'public'"],
    ['b-hiddenLater', 'submissions_visible = false'],
  ] as const) {
    await bounty(id, id === 'b-hiddenLater' ? {} : { title: 'canary-draft-bounty' });
    await submission(id, 'canary-unseen');
    await owner.query(`update bounties set ${update} where id = '${id}'`);
  }
  await takeDown('bounties', 'b-takenLater');

  await add('topics', { id: 'games', slug: 'games' });
  const launch = async (slug: string, row: Record<string, unknown> = {}) => {
    const { id } = await add('launches', {
      slug,
      name: `the ${slug}`,
      submitted_by_id: 'olga',
      featured_at: '2026-02-01T00:00:00Z',
      ...row,
    });
    await add('launch_topics', { launch_id: id, topic_id: 'games' });
  };
  await launch('l-public', { launch_week_rating: 50 });
  const launchCanary = { name: 'canary-launch', launch_week_rating: 100 };
  await launch('l-withheld', { ...launchCanary, ...withheld });
  await launch('l-taken', { ...launchCanary, ...taken, id: 'l-taken' });
  await takeDown('launches', 'l-taken');
  await launch('l-overruled', { ...launchCanary, ...vouched, published_at: null });
  await launch('l-vouched', vouched);
  await launch('l-unpublished', { status: 'DRAFT', name: 'canary-launch' });
  await launch('l-hidden', { status: 'REMOVED', name: 'canary-launch' });
  await launch('l-plain', { featured_at: null });
  await launch('l-foreign', { submitted_by_id: 'dora' });
  await launch('l-other', { submitted_by_id: 'hank' });
  // Hidden launches with a week each: those weeks must be in no list.
  for (const [state, launch_week] of Object.entries(weeks)) {
    const row = { unpublished: { status: 'DRAFT' }, withheld, taken: { ...taken, id: 'l-week-taken' } }[state];
    await launch(`l-week-${state}`, { name: 'canary-launch', launch_week, ...row });
  }
  await takeDown('launches', 'l-week-taken');
  await gone('launches', { slug: 'l-deleted', submitted_by_id: 'olga' });

  const collection = async (address: string, row: Record<string, unknown>) => {
    await add('collections', { address, name: `the ${address}`, ...row });
    await add('collection_holders', { collection_address: address, user_id: 'hank' });
  };
  await collection('c-public', { source: 'internal', status: 'ACTIVE' });
  const draft = { source: 'internal', status: 'DRAFT', name: 'the canary-collection' };
  await collection('c-unpublished', draft);
  await collection('c-hidden', { ...draft, status: 'draft' });
  await collection('c-overruled', { ...draft, visibility: 'public' });
  await collection('c-withheld', { ...draft, ...withheld, status: 'ACTIVE' });
  await takeDown('collections', 'c-taken');
  await collection('c-taken', { ...draft, ...taken, source: 'external' });
  await collection('c-vouched', { ...vouched, source: 'internal' });
  await collection('c-wordless', { source: 'internal', status: null });
  await collection('c-foreign', { source: 'external', status: 'DRAFT' });
  await collection('c-unknown', { source: 'internal', status: 'LIMBO' });
  await collection('c-withheldLater', { ...draft, status: 'ACTIVE' });
  await owner.query(`update collections set visibility = 'hidden' where address = 'c-withheldLater'`);
  await collection('c-takenLater', { ...draft, status: 'ACTIVE' });
  await takeDown('collections', 'c-takenLater');
  await gone('collections', { address: 'c-deleted' }, 'address');

  const contest = (id: string, row: Args = {}) =>
    add('contests', { id, slug: id, title: `the ${id}`, created_by_id: 'olga', ...row });
  await contest('t-public');
  await contest('t-unpublished', { status: 'DRAFT', title: 'canary-contest' });
  await contest('t-hidden', { status: 'LIMBO', title: 'canary-contest' });
  await contest('t-withheld', { ...withheld, title: 'canary-contest' });
  await contest('t-taken', { ...taken, title: 'canary-contest' });
  await takeDown('contests', 't-taken');
  await contest('t-vouched', vouched);
  for (const contest_id of ['t-public', 't-withheld', 't-taken', 't-vouched'])
    await add('collection_contests', { collection_address: 'c-public', contest_id });
  await contest('t-foreign', { created_by_id: 'dora' });
  await gone('contests', { id: 't-deleted', slug: 't-deleted', created_by_id: 'olga' });
  const entry = (id: string, contestId: string, row: Args = {}) =>
    add('contest_submissions', {
      id,
      contest_id: contestId,
      user_id: 'olga',
      title: `the ${id}`,
      moderation_reason: 'canary-reason',
      track_ids: ['track'],
      ...row,
    });
  await entry('e-public', 't-public');
  await entry('e-hidden', 't-public', { status: 'PENDING', title: 'canary-entry' });
  await entry('e-withheld', 't-public', { ...withheld, title: 'canary-entry' });
  await entry('e-taken', 't-public', { ...taken, title: 'canary-entry' });
  await takeDown('contest_submissions', 'e-taken');
  await entry('e-overruled', 't-public', { visibility: 'public', status: 'PENDING', title: 'canary-entry' });
  await entry('e-vouched', 't-public', { visibility: 'public', status: 'WINNER' });
  for (const contestId of ['t-withheld', 't-taken'])
    await entry(`e-in-${contestId}`, contestId, { title: 'canary-entry' });
  await entry('e-in-t-vouched', 't-vouched');
  await entry('e-unpublished', 't-unpublished', { title: 'canary-entry' });
  await gone('contest_submissions', { id: 'e-deleted', contest_id: 't-public', user_id: 'olga' });

  const gift = (userId: string, name: string, row: Args = {}) =>
    add('timeline_items', { user_id: userId, details: { giftId: 'g', name, image: null, from: null }, ...row });
  await gift('olga', 'the gift');
  await gift('hank', 'the gift of another');
  await gift('dora', 'the gift of the banned');
  await gone('timeline_items', {
    id: 'item-deleted',
    user_id: 'olga',
    details: { giftId: 'g', name: 'the gift that went', image: null, from: null },
  });
  const badge = (collectionAddress: string | undefined, collectionName: string, id: string) =>
    add('timeline_items', {
      id,
      user_id: 'olga',
      type: 'BADGE_RECEIVED',
      details: { collectionAddress, collectionName, image: 'https://i.example', itemIndex: 1 },
    });
  for (const state of ['unpublished', 'withheld', 'taken', 'overruled', 'unloaded'])
    await badge(`c-${state}`, `canary-badge ${state}`, `badge-${state}`);
  await badge('c-public', 'canary-badge takenItem', 'badge-down');
  await takeDown('timeline_items', 'olga', 'badge-down');
  await badge('c-vouched', 'the badge vouched', 'badge-vouched');
  await badge(undefined, 'the badge nameless', 'badge-nameless');

  const repository = (name: string, row: Args = {}) =>
    add('repositories', { name, platform_id: name, category: 'tools', ...row });
  await repository('r-public');
  await repository('r-unpublished', { status: 'LIMBO' });
  await repository('r-hidden', { importance: 'low' });
  await repository('r-foreign', { platform: 'elsewhere' });
  await repository('r-taken', { description: 'canary-repository' });
  await takeDown('repositories', 'github', 'r-taken');
  await entry('e-takenItem', 't-public', { repository_platform: 'github', repository_platform_id: 'r-taken' });
  await repository('r-deleted');
  await owner.query(`delete from repositories where name = 'r-deleted'`);

  return {
    secretsFor: (id, caller) =>
      Object.entries(canaries)
        .filter(([, seenBy]) => !seenBy.includes(`${id} ${caller}`))
        .map(([canary]) => canary),
  };
};
