// Agents: each has a purpose, from which its tools, category, tags and bio follow.
import { cast, librarian } from './cast.ts';
import type { Parts, Row } from './parts.ts';
import { dayMs, ids, nth } from './parts.ts';
import { avatarOf } from './pictures.ts';
import type { Purpose } from './text/agents.ts';
import { agentWords, purposes } from './text/agents.ts';
import { plain } from './text/names.ts';

const castPurpose: Purpose = {
  role: 'Librarian',
  category: 'research',
  tags: librarian.tags,
  tools: librarian.tools,
  service: librarian.service,
  bio: [librarian.bio],
};

export const makeAgents = (parts: Parts): Record<string, () => Iterable<Row>> => {
  const { scale, draws, at, shift } = parts;

  /** Combines words and purposes; no combination repeats before all have been used. */
  const named = (n: number): { purpose: Purpose; display: string; name: string } => {
    if (n === 0) return { purpose: castPurpose, display: librarian.name, name: cast.agent };
    const purpose = nth(purposes, n + shift);
    const display = `${nth(agentWords, n * 7 + Math.floor(n / agentWords.length) + shift)} ${purpose.role}`;
    const name = plain(display);
    return { purpose, display, name: n < agentWords.length ? name : `${name}-${n}` };
  };

  function* agents(): Iterable<Row> {
    const drawOf = draws('agents');
    for (let n = 0; n < scale.agents; n++) {
      const draw = drawOf(n);
      const { purpose, display, name } = named(n);
      const created = 900 - draw.below(800);
      const published = created - 1 - draw.below(20);
      const host = `https://${name}.agents.example`;
      const service = {
        name: 'MCP',
        endpoint: `${host}/mcp`,
        description: purpose.service,
        version: '2026-07-28',
        capabilities: ['tools'],
        mcpTools: [...purpose.tools],
        mcpResources: [],
        mcpPrompts: [],
        skills: [],
        domains: [purpose.tags[0] ?? purpose.category],
        a2aSkills: [],
      };
      const web = {
        ...service,
        name: 'A2A',
        endpoint: `${host}/a2a`,
        version: '1.0',
        capabilities: [],
        mcpTools: [],
        a2aSkills: purpose.tools.slice(0, 1),
      };
      const shown = n === 0 || draw.chance(0.8) ? (draw.chance(0.25) ? [service, web] : [service]) : [];
      yield {
        id: `agent-${n}`,
        name,
        display_name: display,
        agent_id: draw.chance(0.5) || n === 0 ? String(n + 1) : null,
        bio: draw.pick(purpose.bio),
        avatar: draw.chance(0.7) || n === 0 ? avatarOf(parts.pictures, 'agents', name) : null,
        website_url: draw.chance(0.6) || n === 0 ? host : null,
        services: shown,
        active: draw.chance(0.9) || n === 0,
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
        version: draw.chance(0.7) ? `${1 + draw.below(3)}.${draw.below(20)}.0` : null,
        category: draw.chance(0.8) || n === 0 ? purpose.category : null,
        tags: [...purpose.tags],
        status: n === 0 || draw.chance(0.85) ? 'PUBLISHED' : draw.pick(['DRAFT', 'HIDDEN']),
        // Some within and some beyond the five minutes that decide `online`.
        last_seen_at: n === 0 ? at(-60_000) : draw.chance(0.8) ? at(-draw.below(600_000)) : null,
        owner_id: ids.user(n === 0 ? 0 : draw.popular(scale.users)),
        created_at: at(-created * dayMs),
        updated_at: at(-draw.below(published) * dayMs),
        published_at: at(-published * dayMs),
      };
    }
  }

  return { agents };
};
