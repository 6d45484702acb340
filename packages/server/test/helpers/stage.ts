// The stage of the access table: the callers, and for every operation one thing in each state. What is private carries a
// canary, so that its appearance anywhere else is seen.
import type { OperationId } from '@commonhall/contract/table';
import type { World } from './world.ts';

type Args = Record<string, string>;
export interface Stage {
  /** How to ask an operation for the thing in a state, and the text by which that thing is known in an answer. */
  ask: (id: OperationId, state: string) => { args: Args; marker: string };
  /** What must not be in this caller's answer. */
  secretsFor: (id: OperationId, caller: string) => string[];
}

/** Canaries, and who may see each: `operation caller`. */
const canaries: Record<string, string[]> = {
  'canary-agent': [],
  'canary-draft-bounty': ['listMyBounties M', 'listMyBounties G'],
  'canary-limbo-bounty': ['listMyBounties M', 'listMyBounties G'],
  'canary-rival-bounty': ['listMyBounties X', 'listMyBounties G'],
  'canary-rejected': ['listMyBountySubmissions O', 'listSponsorBountySubmissions M'],
  'canary-unseen': ['listMyBountySubmissions O', 'listSponsorBountySubmissions M'],
  'canary-launch': [],
  'canary-collection': [],
  'canary-contest': [],
  'canary-entry': [],
  'canary-badge': [],
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

  const agent = (name: string, row: Args = {}) =>
    add('agents', { name, owner_id: 'olga', display_name: `the ${name}`, ...row });
  await agent('agent-public');
  await agent('agent-unpublished', { status: 'DRAFT', display_name: 'canary-agent' });
  await agent('agent-hidden', { status: 'LIMBO', display_name: 'canary-agent' });
  await agent('agent-foreign', { owner_id: 'dora' });
  await gone('agents', { name: 'agent-deleted', owner_id: 'olga' });

  await add('sponsors', { id: 'acme', slug: 'acme' });
  await add('sponsors', { id: 'rival', slug: 'rival' });
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
  await submission('b-unpublished', 'canary-unseen');
  await submission('b-hidden', 'canary-unseen', { status: 'WINNER', prize_place: 1 });
  await submission('b-foreign', 'the work of another', { user_id: 'hank' });

  const launch = (slug: string, row: Record<string, unknown> = {}) =>
    add('launches', {
      slug,
      name: `the ${slug}`,
      submitted_by_id: 'olga',
      featured_at: '2026-02-01T00:00:00Z',
      ...row,
    });
  await launch('l-public');
  await launch('l-unpublished', { status: 'DRAFT', name: 'canary-launch' });
  await launch('l-hidden', { status: 'REMOVED', name: 'canary-launch' });
  await launch('l-plain', { featured_at: null });
  await launch('l-foreign', { submitted_by_id: 'dora' });
  await launch('l-other', { submitted_by_id: 'hank' });
  await gone('launches', { slug: 'l-deleted', submitted_by_id: 'olga' });

  const collection = async (address: string, row: Record<string, unknown>) => {
    await add('collections', { address, name: `the ${address}`, ...row });
    await add('collection_holders', { collection_address: address, user_id: 'hank' });
  };
  await collection('c-public', { source: 'internal', status: 'ACTIVE' });
  await collection('c-unpublished', { source: 'internal', status: 'DRAFT', name: 'canary-collection' });
  await collection('c-hidden', { source: 'internal', status: null, name: 'canary-collection' });
  await collection('c-foreign', { source: 'external', status: 'DRAFT' });
  await collection('c-unknown', { source: 'internal', status: 'LIMBO' });
  await gone('collections', { address: 'c-deleted' }, 'address');

  const contest = (id: string, row: Args = {}) =>
    add('contests', { id, slug: id, title: `the ${id}`, created_by_id: 'olga', ...row });
  await contest('t-public');
  await contest('t-unpublished', { status: 'DRAFT', title: 'canary-contest' });
  await contest('t-hidden', { status: 'LIMBO', title: 'canary-contest' });
  await contest('t-foreign', { created_by_id: 'dora' });
  await gone('contests', { id: 't-deleted', slug: 't-deleted', created_by_id: 'olga' });
  const entry = (id: string, contestId: string, row: Args = {}) =>
    add('contest_submissions', {
      id,
      contest_id: contestId,
      user_id: 'olga',
      title: `the ${id}`,
      moderation_reason: 'canary-reason',
      ...row,
    });
  await entry('e-public', 't-public');
  await entry('e-hidden', 't-public', { status: 'PENDING', title: 'canary-entry' });
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
  await add('timeline_items', {
    user_id: 'olga',
    type: 'BADGE_RECEIVED',
    details: {
      collectionAddress: 'c-unpublished',
      collectionName: 'canary-badge',
      image: 'https://i.example',
      itemIndex: 1,
    },
  });

  const repository = (name: string, row: Args = {}) => add('repositories', { name, platform_id: name, ...row });
  await repository('r-public');
  await repository('r-unpublished', { status: 'LIMBO' });
  await repository('r-hidden', { importance: 'low' });
  await repository('r-foreign', { platform: 'elsewhere' });
  await repository('r-deleted');
  await owner.query(`delete from repositories where name = 'r-deleted'`);

  const all = { pageSize: '100' };
  const item = (value: string) => `"${value}"`;
  const ask: Record<OperationId, (state: string) => { args: Args; marker: string }> = {
    getAgent: (state) => ({ args: { name: `agent-${state}` }, marker: item(`agent-${state}`) }),
    getAgentMetadata: (state) => ({ args: { name: `agent-${state}` }, marker: item(`the agent-${state}`) }),
    getBounty: (state) => ({ args: { slug: `b-${state}` }, marker: item(`b-${state}`) }),
    listBountySubmissions: (state) => ({
      args: { bountyId: state === 'foreign' ? 'b-public' : `b-${state}` },
      marker: state === 'foreign' ? 'canary-rejected' : 'the work',
    }),
    listMyBountySubmissions: (state) => ({
      args: { bountyId: `b-${state}` },
      marker: state === 'public' ? 'the work' : state === 'foreign' ? 'the work of another' : 'canary-unseen',
    }),
    listBountyWinners: (state) => ({
      args: { bountyId: state === 'foreign' ? 'b-public' : `b-${state}` },
      marker: state === 'foreign' ? '"prizePlace":2' : '"prizePlace":1',
    }),
    listMyBounties: (state) => ({
      args: all,
      marker: item({ foreign: 'b-rival-draft', unknown: 'b-limbo' }[state] ?? `b-${state}`),
    }),
    listSponsorBounties: (state) => ({
      args: { ...all, sponsorId: state === 'unknown' ? 'nobody' : 'acme' },
      marker: item(`b-${state}`),
    }),
    listSponsorBountySubmissions: (state) => ({
      args: { sponsorId: state === 'unknown' ? 'nobody' : 'acme', bountyId: `b-${state}` },
      marker: state === 'public' ? 'the work' : 'canary-unseen',
    }),
    getLaunch: (state) => ({ args: { slug: `l-${state}` }, marker: item(`l-${state}`) }),
    listFeaturedLaunches: (state) => ({
      args: {},
      marker: item({ hidden: 'l-plain', unknown: 'l-hidden' }[state] ?? `l-${state}`),
    }),
    listUserLaunches: (state) => ({
      args: { ...all, username: { hidden: 'dora', unknown: 'nobody' }[state] ?? 'olga' },
      marker: item(state === 'foreign' ? 'l-other' : `l-${state}`),
    }),
    listCollections: (state) => ({ args: all, marker: item(`c-${state}`) }),
    getCollection: (state) => ({
      args: { address: state === 'unknown' ? 'c-nothing' : `c-${state}` },
      marker: item(`c-${state}`),
    }),
    listCollectionHolders: (state) => ({
      args: { ...all, address: state === 'unknown' ? 'c-nothing' : `c-${state}` },
      marker: item('hank'),
    }),
    listContests: (state) => ({ args: all, marker: item(state === 'unknown' ? 't-hidden' : `t-${state}`) }),
    getContestSubmission: (state) => ({
      args: {
        contestId: { unpublished: 't-unpublished', foreign: 't-foreign' }[state] ?? 't-public',
        submissionId: state === 'foreign' ? 'e-public' : `e-${state}`,
      },
      marker: item(`e-${state}`),
    }),
    getUserTimeline: (state) => ({
      args: { username: { hidden: 'dora', unknown: 'nobody' }[state] ?? 'olga', count: '100' },
      marker: item(
        { unpublished: 'canary-badge', deleted: 'the gift that went', foreign: 'the gift of another' }[state] ??
          'the gift',
      ),
    }),
    getScoreTiers: () => ({ args: {}, marker: '"identity"' }),
    listRepositories: (state) => ({
      args: state === 'unknown' ? { ...all, category: 'nothing' } : all,
      marker: item(state === 'unknown' ? 'r-public' : `r-${state}`),
    }),
  };
  return {
    ask: (id, state) => ask[id](state),
    secretsFor: (id, caller) =>
      Object.entries(canaries)
        .filter(([, seenBy]) => !seenBy.includes(`${id} ${caller}`))
        .map(([canary]) => canary),
  };
};
