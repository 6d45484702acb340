// A small community with everything in it: each list has 23 public rows whose sort keys tie, and each resource has a
// hidden twin. `calls` says how to ask each operation for something visible, hidden and unknown.
import type { OperationId } from '@commonhall/contract/table';
import type { World } from './world.ts';

export const listSize = 23;

type Args = Record<string, string>;
export interface Call {
  visible: Args;
  /** Names something that is there but not public; absent where the operation has nothing to hide by its path. */
  hidden?: Args;
  /** Names nothing; absent where the operation has no 404. */
  unknown?: Args;
  token?: string;
}
export interface Community {
  calls: Record<OperationId, Call>;
  tokens: { member: string; author: string; stranger: string; god: string; low: string; exile: string };
}

const many = Array.from({ length: listSize }, (_, index) => index);

export const populate = async ({ add, owner, keyFor }: World): Promise<Community> => {
  const author = await add('users', {
    username: 'alice',
    avatar: { sm: 'https://img.example/s.png', lg: 'https://img.example/l.png' },
    bio: 'Builds things',
    tags: [
      { tag: 'DEVELOPER', tier: 'GOLD', contestName: 'Spring' },
      { tag: 'DEVELOPER', tier: 'GOLD', contestName: null },
      { tag: 'BUILDER', tier: 'SILVER', contestName: 'Autumn' },
    ],
  });
  const member = await add('users', { username: 'carol' });
  const stranger = await add('users', { username: 'mallory' });
  const god = await add('users', { username: 'gus', god_mode: true });
  const low = await add('users', { username: 'lou' });
  const exile = await add('users', { username: 'exile', status: 'BANNED' });

  const service = {
    name: 'MCP',
    endpoint: 'https://agent.example/mcp',
    description: 'Tools',
    version: '1',
    capabilities: ['read'],
    mcpTools: ['search'],
    mcpResources: [],
    mcpPrompts: [],
    skills: [],
    domains: [],
    a2aSkills: [],
  };
  const agent = {
    owner_id: author.id,
    services: [service, { ...service, name: 'A2A', mcpTools: [], description: null, version: null }],
    supported_trust: ['reputation'],
    registrations: [{ agentId: 7, agentRegistry: 'eip155:1:0x0000000000000000000000000000000000000001' }],
    social_accounts: [{ platform: 'MICROBLOG', username: 'bot', url: 'https://m.example/bot', verified: true }],
    tags: ['useful'],
    last_seen_at: '2026-01-05T00:00:00Z',
  };
  await add('agents', { ...agent, name: 'helper' });
  await add('agents', { ...agent, name: 'draft-agent', status: 'DRAFT' });

  const sponsor = await add('sponsors', { slug: 'acme', logo: 'https://acme.example/logo.png' });
  const rival = await add('sponsors', { slug: 'rival' });
  await add('sponsor_members', { sponsor_id: sponsor.id, user_id: member.id });
  await add('sponsor_members', { sponsor_id: sponsor.id, user_id: low.id, role: 'GUEST' });

  const bounty = await add('bounties', {
    sponsor_id: sponsor.id,
    slug: 'write-docs',
    rewards: [{ place: 1, amount: 100.5 }],
    fields: [{ label: 'Link', type: 'url', required: true }],
    status: 'COMPLETED',
    completed_at: '2026-02-01T00:00:00Z',
  });
  const draftBounty = await add('bounties', {
    sponsor_id: sponsor.id,
    slug: 'draft-bounty',
    status: 'DRAFT',
    published_at: null,
    submission_start: null,
  });
  const rivalBounty = await add('bounties', { sponsor_id: rival.id });
  for (const _ of many.slice(1)) await add('bounties', { sponsor_id: sponsor.id });
  for (const index of many) {
    const submission = await add('bounty_submissions', {
      bounty_id: bounty.id,
      user_id: author.id,
      status: index < 3 ? 'WINNER' : 'PENDING',
      prize_place: index < 3 ? index + 1 : null,
      field_values: [{ label: 'Link', type: 'url', value: 'https://work.example' }],
      additional_links: [{ name: 'Code', value: 'https://code.example' }],
      reward_wallet_address: 'wallet-of-alice',
      moderation_reason: 'Well done',
    });
    await add('bounty_submission_makers', { submission_id: submission.id, user_id: member.id });
  }
  await add('bounty_submissions', { bounty_id: bounty.id, user_id: low.id, status: 'REJECTED' });
  await add('bounty_submissions', { bounty_id: draftBounty.id, user_id: low.id });

  const topic = await add('topics', { slug: 'tools' });
  for (const index of many) {
    const launch = await add('launches', {
      submitted_by_id: author.id,
      slug: `product-${index}`,
      featured_at: '2026-01-06T00:00:00Z',
      screenshot_urls: ['https://img.example/1.png'],
      video_url: 'https://video.example/1',
    });
    await add('launch_topics', { launch_id: launch.id, topic_id: topic.id });
    await add('launch_makers', { launch_id: launch.id, user_id: member.id });
    await add('launch_claps', { launch_id: launch.id, user_id: stranger.id, claps: 3 });
  }
  await add('launches', {
    submitted_by_id: author.id,
    slug: 'draft-launch',
    status: 'DRAFT',
    launch_week: null,
    published_at: null,
  });

  const contest = await add('contests', {
    created_by_id: member.id,
    judge_user_ids: [member.id],
    fields: [{ label: 'Repository', type: 'repository', required: false }],
    tracks: [{ id: 'track-1', name: 'Main', description: null, prizePool: null }],
  });
  for (const _ of many.slice(1)) await add('contests', { created_by_id: member.id });
  const draftContest = await add('contests', { created_by_id: member.id, status: 'DRAFT' });

  const collection = await add('collections', { social_links: ['https://social.example'] });
  const address = (collection as unknown as { address: string }).address;
  for (const index of many.slice(1))
    await add('collections', { on_chain_created_at: index % 2 === 0 ? null : '2026-01-01T00:00:00Z' });
  const draft = (await add('collections', { source: 'internal', status: 'DRAFT' })) as unknown as { address: string };
  await add('collection_contests', { collection_address: address, contest_id: contest.id });
  await add('collection_contests', { collection_address: address, contest_id: draftContest.id });
  for (const _ of many) {
    const holder = await add('users');
    await add('collection_holders', { collection_address: address, user_id: holder.id });
  }
  await add('collection_holders', { collection_address: draft.address, user_id: author.id });

  for (const _ of many) await add('repositories', { category: 'infra' });
  const { rows } = await owner.query<{ platform: string; platform_id: string }>(
    'select platform, platform_id from repositories limit 1',
  );
  const entry = await add('contest_submissions', {
    contest_id: contest.id,
    user_id: author.id,
    track_ids: ['track-1'],
    repository_platform: rows[0]?.platform,
    repository_platform_id: rows[0]?.platform_id,
    moderation_reason: 'Looks good',
  });
  await add('contest_submission_supporters', { submission_id: entry.id, user_id: stranger.id });
  const hiddenEntry = await add('contest_submissions', {
    contest_id: contest.id,
    user_id: author.id,
    status: 'PENDING',
  });

  for (const _ of many) await add('timeline_items', { user_id: author.id });
  await add('timeline_items', {
    user_id: author.id,
    type: 'BADGE_RECEIVED',
    details: { collectionAddress: draft.address, collectionName: 'Draft', image: 'https://i.example', itemIndex: 1 },
  });

  const tokens = {
    member: await keyFor(member.id),
    author: await keyFor(author.id),
    stranger: await keyFor(stranger.id),
    god: await keyFor(god.id),
    low: await keyFor(low.id),
    exile: await keyFor(exile.id),
  };
  return {
    tokens,
    calls: {
      getAgent: { visible: { name: 'helper' }, hidden: { name: 'draft-agent' }, unknown: { name: 'nobody' } },
      getAgentMetadata: { visible: { name: 'helper' }, hidden: { name: 'draft-agent' }, unknown: { name: 'nobody' } },
      getBounty: { visible: { slug: 'write-docs' }, hidden: { slug: 'draft-bounty' }, unknown: { slug: 'nothing' } },
      listBountySubmissions: {
        visible: { bountyId: bounty.id },
        hidden: { bountyId: draftBounty.id },
        unknown: { bountyId: 'nothing' },
      },
      listMyBountySubmissions: {
        visible: { bountyId: bounty.id },
        hidden: { bountyId: draftBounty.id },
        unknown: { bountyId: 'nothing' },
        token: tokens.author,
      },
      listBountyWinners: {
        visible: { bountyId: bounty.id },
        hidden: { bountyId: draftBounty.id },
        unknown: { bountyId: 'nothing' },
      },
      listMyBounties: { visible: {}, token: tokens.member },
      listSponsorBounties: { visible: { sponsorId: sponsor.id }, unknown: { sponsorId: 'nobody' } },
      listSponsorBountySubmissions: {
        visible: { sponsorId: sponsor.id, bountyId: bounty.id },
        hidden: { sponsorId: sponsor.id, bountyId: rivalBounty.id },
        unknown: { sponsorId: sponsor.id, bountyId: 'nothing' },
        token: tokens.member,
      },
      getLaunch: { visible: { slug: 'product-1' }, hidden: { slug: 'draft-launch' }, unknown: { slug: 'nothing' } },
      listFeaturedLaunches: { visible: {} },
      listUserLaunches: {
        visible: { username: 'alice' },
        hidden: { username: 'exile' },
        unknown: { username: 'nobody' },
      },
      listCollections: { visible: {} },
      getCollection: { visible: { address }, hidden: { address: draft.address }, unknown: { address: 'nothing' } },
      listCollectionHolders: {
        visible: { address },
        hidden: { address: draft.address },
        unknown: { address: 'nothing' },
      },
      listContests: { visible: {} },
      getContestSubmission: {
        visible: { contestId: contest.id, submissionId: entry.id },
        hidden: { contestId: contest.id, submissionId: hiddenEntry.id },
        unknown: { contestId: contest.id, submissionId: 'nothing' },
      },
      getUserTimeline: {
        visible: { username: 'alice' },
        hidden: { username: 'exile' },
        unknown: { username: 'nobody' },
      },
      getScoreTiers: { visible: {} },
      listRepositories: { visible: {} },
    },
  };
};
