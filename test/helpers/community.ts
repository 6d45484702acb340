// Sample data for every operation: each list has 23 public rows with equal sort keys and different filter values, and
// each resource has a hidden twin. `calls` has arguments for a visible, a hidden and an unknown row (test/access).
import type { OperationId } from '@commonhall/contract/table';
import { access } from '../../packages/server/test/access/all.ts';
import type { Call } from './access.ts';
import type { World } from './world.ts';

export const listSize = 23;

export interface Community {
  calls: Record<OperationId, Call & { token?: string }>;
  tokens: { member: string; author: string; stranger: string; god: string; low: string; exile: string };
}

const many = Array.from({ length: listSize }, (_, index) => index);

export const populate = async ({ add, owner, keyFor }: Pick<World, 'add' | 'owner' | 'keyFor'>): Promise<Community> => {
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
  for (const index of many.slice(1))
    await add('agents', { owner_id: author.id, category: [null, 'research', 'code'][index % 3] });
  await add('agents', { ...agent, name: 'draft-agent', status: 'DRAFT' });

  const sponsor = await add('sponsors', { id: 'acme-id', slug: 'acme', logo: 'https://acme.example/logo.png' });
  const rival = await add('sponsors', { slug: 'rival' });
  for (const _ of many.slice(2)) await add('sponsors', { name: 'Many have this name' });
  await add('sponsor_members', { sponsor_id: sponsor.id, user_id: member.id });
  await add('sponsor_members', { sponsor_id: sponsor.id, user_id: low.id, role: 'GUEST' });

  const bounty = await add('bounties', {
    id: 'write-docs-id',
    sponsor_id: sponsor.id,
    slug: 'write-docs',
    rewards: [{ place: 1, amount: 100.5 }],
    fields: [{ label: 'Link', type: 'url', required: true }],
    status: 'COMPLETED',
    completed_at: '2026-02-01T00:00:00Z',
  });
  const draftBounty = await add('bounties', {
    id: 'draft-bounty-id',
    sponsor_id: sponsor.id,
    slug: 'draft-bounty',
    status: 'DRAFT',
    published_at: null,
    submission_start: null,
  });
  await add('bounties', { id: 'rival-bounty', sponsor_id: rival.id });
  for (const index of many.slice(1))
    await add('bounties', {
      sponsor_id: sponsor.id,
      status: ['OPEN', 'REVIEW'][index % 2],
      category: ['CONTENT', 'CODE', 'DESIGN'][index % 3],
      submission_end: index % 4 === 0 ? null : `2026-03-0${1 + (index % 7)}T00:00:00Z`,
    });
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
  // Launches in a week each; every other one has a second topic.
  const games = await add('topics', { slug: 'games' });
  for (const index of many.slice(1)) {
    const week = new Date(Date.UTC(2025, 0, 6 + 7 * index)).toISOString();
    const launch = await add('launches', { submitted_by_id: member.id, launch_week: week });
    if (index % 2 === 0) await add('launch_topics', { launch_id: launch.id, topic_id: games.id, position: 1 });
    await add('launch_topics', { launch_id: launch.id, topic_id: topic.id, position: 2 });
  }
  await add('launches', {
    submitted_by_id: author.id,
    slug: 'draft-launch',
    status: 'DRAFT',
    launch_week: null,
    published_at: null,
  });

  const contest = await add('contests', {
    id: 'contest-id',
    created_by_id: member.id,
    judge_user_ids: [member.id],
    fields: [{ label: 'Repository', type: 'repository', required: false }],
    tracks: [{ id: 'track-1', name: 'Main', description: null, prizePool: null }],
  });
  for (const index of many.slice(1))
    await add('contests', {
      created_by_id: member.id,
      voting_end: index % 2 === 0 ? '2999-01-01T00:00:00Z' : '2026-01-06T00:00:00Z',
    });
  const draftContest = await add('contests', { id: 'draft-contest', created_by_id: member.id, status: 'DRAFT' });

  const collection = await add('collections', { address: 'the-collection', social_links: ['https://social.example'] });
  const address = (collection as unknown as { address: string }).address;
  await add('collection_holders', { collection_address: address, user_id: author.id });
  for (const index of many.slice(1)) {
    const made = await add('collections', {
      type: ['SBT', 'NFT'][index % 2],
      importance: ['HIGH', 'LOW'][index % 3 === 0 ? 1 : 0],
      is_sbt: index % 2 === 0,
      category: ['achievement', 'event'][index % 5 === 0 ? 1 : 0],
      source: ['external', 'internal'][index % 4 === 0 ? 1 : 0],
      on_chain_created_at: index % 2 === 0 ? null : '2026-01-01T00:00:00Z',
    });
    await add('collection_holders', {
      collection_address: (made as unknown as { address: string }).address,
      user_id: author.id,
    });
  }
  const draft = (await add('collections', {
    address: 'draft-collection',
    source: 'internal',
    status: 'DRAFT',
  })) as unknown as { address: string };
  await add('collection_contests', { collection_address: address, contest_id: contest.id });
  await add('collection_contests', { collection_address: address, contest_id: draftContest.id });
  for (const _ of many) {
    const holder = await add('users');
    await add('collection_holders', { collection_address: address, user_id: holder.id });
  }
  await add('collection_holders', { collection_address: draft.address, user_id: author.id });

  const repository = { platform: 'github', platform_id: 'the-first' };
  await add('repositories', { ...repository, category: 'infra' });
  for (const index of many.slice(1))
    await add('repositories', {
      category: ['infra', 'defi'][index % 2],
      ecosystem: ['one', 'two', null][index % 3],
      status: ['REVIEWED', 'ECOSYSTEM'][index % 5 === 0 ? 1 : 0],
    });
  for (const _ of many.slice(0, 5)) await add('repositories', { platform: 'gitlab' });
  await add('repositories', { platform_id: 'taken-down' });
  await owner.query(
    `insert into takedowns (table_name, key, created_at) values ('repositories', '{github,taken-down}', now())`,
  );
  const entry = await add('contest_submissions', {
    id: 'entry-id',
    contest_id: contest.id,
    user_id: author.id,
    track_ids: ['track-1'],
    repository_platform: repository.platform,
    repository_platform_id: repository.platform_id,
    moderation_reason: 'Looks good',
  });
  await add('contest_submission_supporters', { submission_id: entry.id, user_id: stranger.id });
  for (const index of many.slice(1))
    await add('contest_submissions', {
      contest_id: contest.id,
      user_id: author.id,
      track_ids: [['track-1'], ['track-1', 'track-2'], []][index % 3],
    });
  await add('contest_submissions', {
    id: 'hidden-entry',
    contest_id: contest.id,
    user_id: author.id,
    status: 'PENDING',
  });

  for (const index of many)
    await add('timeline_items', {
      user_id: author.id,
      ...(index % 3 === 0 ? { type: 'COMMIT', details: { message: `Commit ${index}` } } : {}),
    });
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
  const calls = Object.fromEntries(
    Object.entries(access).map(([id, { call }]) => [
      id,
      { ...call, ...(call.as === undefined ? {} : { token: tokens[call.as] }) },
    ]),
  ) as Community['calls'];
  return { tokens, calls };
};
