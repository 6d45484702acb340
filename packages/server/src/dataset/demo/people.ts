// The people of the demo world: users, their agents, sponsors with members, timelines, and the score tiers.
import { cast } from './cast.ts';
import { drawsOf } from './random.ts';
import { collectionName, isoAt } from './things.ts';
import type { Parts, Row } from './world.ts';

const dayMs = 86_400_000;

export const makePeople = (parts: Parts): Record<string, () => Iterable<Row>> => {
  const { seed, scale, ids, words, nowMs } = parts;
  const at = isoAt(nowMs);

  function* users(): Iterable<Row> {
    const draws = drawsOf(seed, 'users');
    const tiers = ['SILVER', 'GOLD', 'PLATINUM'];
    for (let n = 0; n < scale.users; n++) {
      const draw = draws(n);
      const username = ids.username(n);
      const first = draw.pick(words.firstNames);
      const isCast = n < cast.users.length;
      const picture = `https://img.commonhall.example/u/${username}`;
      const contest = draw.chance(0.5) ? 'Spring Build' : null;
      yield {
        id: ids.user(n),
        username,
        display_name: isCast
          ? username[0]?.toUpperCase() + username.slice(1)
          : `${first} ${draw.pick(words.lastNames)}`.slice(0, 100),
        avatar: draw.chance(0.6) || n === 0 ? { sm: `${picture}-64.png`, lg: `${picture}-512.png` } : null,
        bio: draw.chance(0.5) || n === 0 ? draw.pick(words.sentences) : null,
        status:
          username === 'exile'
            ? 'BANNED'
            : draw.chance(0.02) && !isCast
              ? 'DEACTIVATED'
              : draw.chance(0.7)
                ? 'ACTIVATED'
                : 'active',
        tags:
          draw.chance(0.4) || n === 0
            ? [
                { tag: 'DEVELOPER', tier: draw.pick(tiers), contestName: null },
                { tag: 'BUILDER', tier: draw.pick(tiers), contestName: contest },
              ]
            : [],
        god_mode: username === 'alan',
      };
    }
  }

  function* agents(): Iterable<Row> {
    const draws = drawsOf(seed, 'agents');
    for (let n = 0; n < scale.agents; n++) {
      const draw = draws(n);
      const name = n === 0 ? cast.agent : `${draw.pick(words.adjectives)}-${draw.pick(words.nouns)}-${n}`;
      const created = 900 - draw.below(800);
      const host = `https://${name}.agents.example`;
      yield {
        id: `agent-${n}`,
        name,
        display_name: n === 0 ? 'Librarian' : `${draw.pick(words.adjectives)} ${draw.pick(words.nouns)}`,
        agent_id: draw.chance(0.5) || n === 0 ? String(n + 1) : null,
        bio: draw.pick(words.paragraphs),
        avatar: draw.chance(0.7) || n === 0 ? { sm: `${host}/64.png`, lg: `${host}/512.png` } : null,
        website_url: draw.chance(0.6) ? host : null,
        services: [
          {
            name: 'MCP',
            endpoint: `${host}/mcp`,
            description: draw.pick(words.sentences),
            version: '2026-07-28',
            capabilities: ['tools'],
            mcpTools: [`${draw.pick(words.verbs)}_${draw.pick(words.nouns)}`, 'search'],
            mcpResources: [],
            mcpPrompts: [],
            skills: [],
            domains: [draw.pick(words.nouns)],
            a2aSkills: [],
          },
        ].slice(0, n === 0 || draw.chance(0.8) ? 1 : 0),
        active: draw.chance(0.9),
        x402_support: draw.chance(0.3),
        supported_trust: draw.chance(0.5) ? ['reputation'] : [],
        registrations:
          draw.chance(0.5) || n === 0 ? [{ agentId: n + 1, agentRegistry: `eip155:1:0x${'8004'.repeat(10)}` }] : [],
        social_accounts: draw.chance(0.5)
          ? [
              {
                platform: 'MICROBLOG',
                username: name,
                url: `https://micro.example/${name}`,
                verified: draw.chance(0.5),
              },
            ]
          : [],
        version: draw.chance(0.7) ? `1.${draw.below(20)}.0` : null,
        category: draw.chance(0.8) ? draw.pick(['research', 'trading', 'support', 'code']) : null,
        tags: [draw.pick(words.nouns), draw.pick(words.adjectives)],
        status: n === 0 || draw.chance(0.85) ? 'PUBLISHED' : draw.pick(['DRAFT', 'HIDDEN']),
        // On both sides of the five minutes that decide `online`.
        last_seen_at: n === 0 ? at(-60_000) : draw.chance(0.8) ? at(-draw.below(600_000)) : null,
        owner_id: ids.user(n === 0 ? 0 : draw.popular(scale.users)),
        created_at: at(-created * dayMs),
        updated_at: at(-draw.below(created) * dayMs),
        published_at: at(-(created - 1) * dayMs),
      };
    }
  }

  function* sponsors(): Iterable<Row> {
    const draws = drawsOf(seed, 'sponsors');
    for (let n = 0; n < scale.sponsors; n++) {
      const draw = draws(n);
      const slug = n === 0 ? cast.sponsor.slug : `sponsor-${n}`;
      yield {
        id: ids.sponsor(n),
        slug,
        name: n === 0 ? 'Acme' : draw.pick(words.companies).slice(0, 100),
        logo: draw.chance(0.8) ? `https://img.commonhall.example/s/${slug}.png` : null,
        website: draw.chance(0.8) ? `https://${slug}.example` : null,
      };
    }
  }

  function* members(): Iterable<Row> {
    const draws = drawsOf(seed, 'sponsor_members');
    yield { user_id: ids.user(1), sponsor_id: ids.sponsor(0), role: 'MEMBER' };
    for (let n = 1; n < scale.sponsors; n++) {
      const draw = draws(n);
      const first = cast.users.length + draw.below(scale.users - cast.users.length - 4);
      const roles = ['OWNER', 'ADMIN', 'MEMBER', 'GUEST'];
      for (const [index, role] of roles.entries())
        yield { user_id: ids.user(first + index), sponsor_id: ids.sponsor(n), role };
    }
  }

  function* timeline(): Iterable<Row> {
    const draws = drawsOf(seed, 'timeline_items');
    for (let n = 0; n < scale.timeline; n++) {
      const draw = draws(n);
      const user = n < scale.longestTimeline ? 0 : 1 + draw.below(scale.users - 1);
      const type = draw.pick(['COMMIT', 'COMMIT', 'COMMIT', 'PR', 'BADGE_RECEIVED', 'GIFT_RECEIVED'] as const);
      const repository = {
        platform: 'github',
        owner: draw.pick(words.lastNames),
        name: `${draw.pick(words.nouns)}-${draw.pick(words.nouns)}`,
      };
      const collection = draw.popular(scale.collections);
      const merged = draw.chance(0.7);
      const date = at(-draw.below(1000 * dayMs));
      const details = {
        COMMIT: () => ({
          sha: (draw.below(2 ** 31) * 2 ** 20 + n).toString(16).padStart(40, '0'),
          message: `${draw.pick(words.verbs)} the ${draw.pick(words.nouns)}`,
          url: `https://code.example/c/${n}`,
          repository,
        }),
        PR: () => ({
          number: 1 + draw.below(5000),
          title: `${draw.pick(words.verbs)} ${draw.pick(words.adjectives)} ${draw.pick(words.nouns)}`,
          state: merged ? 'merged' : 'open',
          url: `https://code.example/p/${n}`,
          mergedAt: merged ? date : null,
          repository,
        }),
        BADGE_RECEIVED: () => ({
          collectionAddress: ids.collection(collection),
          collectionName: collectionName(parts, collection),
          image: `https://img.commonhall.example/c/${collection}.png`,
          itemIndex: n,
        }),
        GIFT_RECEIVED: () => ({
          giftId: `gift-${n}`,
          name: draw.pick(words.nouns),
          image: null,
          from: draw.chance(0.5) ? draw.pick(words.firstNames) : null,
        }),
      };
      yield { user_id: ids.user(user), id: `item-${n}`, type, date, details: details[type]() };
    }
  }

  return { users, agents, sponsors, sponsor_members: members, timeline_items: timeline };
};
