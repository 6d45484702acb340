// Agents: the profile, the metadata, the bare registration file, and how `online` depends on the time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
const { add } = world;
const now = '2026-03-02T12:00:00Z';
const api = await world.serve({
  FIXED_NOW: now,
  PUBLIC_URL: 'https://api.example',
  BASE_PATH: '/v1',
  MAX_AGE_SECONDS: '60',
});

const owner = await add('users', { id: 'u1', username: 'alice', display_name: 'Alice' });
const arrays = {
  capabilities: [],
  mcpTools: [],
  mcpResources: [],
  mcpPrompts: [],
  skills: [],
  domains: [],
  a2aSkills: [],
};
const services = [
  {
    name: 'MCP',
    endpoint: 'https://a.example/mcp',
    description: 'Tools',
    version: '1.0',
    ...arrays,
    mcpTools: ['find'],
  },
  { name: 'Web', endpoint: 'https://a.example', description: null, version: null, ...arrays },
];
await add('agents', {
  id: 'a1',
  name: 'helper',
  display_name: 'Helper "the" bot',
  agent_id: '7',
  bio: 'Helps\nwith ü',
  avatar: { sm: 'https://i.example/s', lg: 'https://i.example/l' },
  website_url: 'https://a.example',
  services,
  supported_trust: ['reputation'],
  registrations: [{ agentId: 7, agentRegistry: 'eip155:1:0xabc' }],
  social_accounts: [{ platform: 'MICROBLOG', username: 'bot', url: 'https://m.example/bot', verified: false }],
  version: '2',
  category: 'tools',
  tags: ['one', 'two'],
  last_seen_at: '2026-03-02T11:59:00.123Z',
  owner_id: owner.id,
  created_at: '2026-01-01T00:00:00.001Z',
  updated_at: '2026-01-02T00:00:00.999Z',
  published_at: '2026-01-03T00:00:00Z',
});
await add('agents', { name: 'bare', owner_id: owner.id });

test('a full agent has every value of its row', async () => {
  assert.deepEqual(await api.client.getAgent({ name: 'helper' }), {
    id: 'a1',
    name: 'helper',
    displayName: 'Helper "the" bot',
    agentId: '7',
    bio: 'Helps\nwith ü',
    avatar: { sm: 'https://i.example/s', lg: 'https://i.example/l' },
    metadataUrl: 'https://api.example/v1/agents/helper/metadata',
    websiteUrl: 'https://a.example',
    services: [
      { name: 'MCP', endpoint: 'https://a.example/mcp', version: '1.0', mcpTools: ['find'] },
      { name: 'Web', endpoint: 'https://a.example', version: null },
    ],
    active: true,
    x402Support: false,
    supportedTrust: ['reputation'],
    registrations: [{ agentId: 7, agentRegistry: 'eip155:1:0xabc' }],
    socialAccounts: [{ platform: 'MICROBLOG', username: 'bot', url: 'https://m.example/bot', verified: false }],
    version: '2',
    category: 'tools',
    tags: ['one', 'two'],
    status: 'PUBLISHED',
    lastSeenAt: '2026-03-02T11:59:00.123Z',
    online: true,
    owner: {
      id: 'u1',
      username: 'alice',
      displayName: 'Alice',
      avatar: null,
      bio: null,
      status: 'ACTIVATED',
      tags: [],
    },
    createdAt: '2026-01-01T00:00:00.001Z',
    updatedAt: '2026-01-02T00:00:00.999Z',
    publishedAt: '2026-01-03T00:00:00.000Z',
  });
});

test('an agent without optional values has null and [] instead', async () => {
  const agent = await api.client.getAgent({ name: 'bare' });
  const { agentId, avatar, websiteUrl, version, category, lastSeenAt, online, services: none } = agent;
  assert.deepEqual(
    { agentId, avatar, websiteUrl, version, category, lastSeenAt, online, none },
    {
      agentId: null,
      avatar: null,
      websiteUrl: null,
      version: null,
      category: null,
      lastSeenAt: null,
      online: false,
      none: [],
    },
  );
});

test('names of agents are case-sensitive', async () => {
  await assert.rejects(api.client.getAgent({ name: 'Helper' }), {
    code: 'NOT_FOUND',
    message: 'Agent not found; give its name, not its id: GET /agents shows both',
  });
});

test('the metadata has the registration type, updatedAt in Unix seconds and all fields of the services', async () => {
  assert.deepEqual(await api.client.getAgentMetadata({ name: 'helper' }), {
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    name: 'Helper "the" bot',
    description: 'Helps\nwith ü',
    image: 'https://i.example/l',
    services,
    active: true,
    x402Support: false,
    supportedTrust: ['reputation'],
    registrations: [{ agentId: 7, agentRegistry: 'eip155:1:0xabc' }],
    updatedAt: Date.parse('2026-01-02T00:00:00Z') / 1000,
  });
});

test('the registration file is the bare document without nulls, and both agent operations link to it', async () => {
  for (const path of ['/agents/helper', '/agents/helper/metadata']) {
    const link = (await api.get(path)).headers.get('link');
    assert.equal(link, '<https://api.example/v1/agents/helper/agent-registration.json>; rel="alternate"');
  }
  const response = await api.get('/agents/bare/agent-registration.json');
  assert.equal(response.headers.get('cache-control'), 'public, max-age=60, must-revalidate');
  const document = (await response.json()) as Record<string, unknown>;
  assert.deepEqual(Object.keys(document), [
    'type',
    'name',
    'description',
    'services',
    'active',
    'x402Support',
    'supportedTrust',
    'registrations',
    'updatedAt',
  ]);
  const full = (await (await api.get('/agents/helper/agent-registration.json')).json()) as { services: object[] };
  assert.equal('description' in full.services[1]!, false);
  for (const path of ['/agents/nobody/agent-registration.json', '/agents/%00/agent-registration.json'])
    assert.ok((await api.get(path)).status >= 400);
  assert.equal((await api.get('/agents/helper/agent-registration.json?x=1')).status, 400);
});

test('an agent is online for five minutes after it was last seen, and no answer stays fresh beyond that time', async () => {
  const at = async (lastSeenAt: string) => {
    await world.owner.query('update agents set last_seen_at = $1 where name = $2', [lastSeenAt, 'helper']);
    const response = await api.get('/agents/helper');
    const { data } = (await response.json()) as { data: { online: boolean } };
    return [data.online, response.headers.get('cache-control')];
  };
  assert.deepEqual(await at('2026-03-02T11:55:00.001Z'), [true, 'public, max-age=0, must-revalidate']);
  assert.deepEqual(await at('2026-03-02T11:55:12.900Z'), [true, 'public, max-age=12, must-revalidate']);
  assert.deepEqual(await at('2026-03-02T11:55:00.000Z'), [false, 'public, max-age=60, must-revalidate']);
  assert.deepEqual(await at('2026-03-02T12:00:00.000Z'), [true, 'public, max-age=60, must-revalidate']);
  assert.deepEqual(await at('2026-03-02T12:00:05.900Z'), [false, 'public, max-age=5, must-revalidate']);
});

test('an agent in a list equals the single agent, with an encoded metadata URL; the list is fresh until an agent goes offline', async () => {
  const owner = await world.add('users');
  const names = ['plain-agent', "it's-(a)*~name!", 'агент-☃', '助手'];
  for (const [index, name] of names.entries())
    await world.add('agents', {
      name,
      owner_id: owner.id,
      category: 'encoded',
      last_seen_at: index === 0 ? null : `2026-03-01T11:5${index}:00.000Z`,
    });
  const fixed = await world.serve({ FIXED_NOW: '2026-03-01T11:57:30.000Z', MAX_AGE_SECONDS: '600' });
  const { items } = await fixed.client.listAgents({ category: 'encoded' });
  assert.deepEqual(items.map(({ name }) => name).sort(), names.toSorted());
  for (const item of items) {
    assert.deepEqual(item, await fixed.client.getAgent({ name: item.name }));
    assert.equal((await fetch(item.metadataUrl)).status, 200, item.metadataUrl);
  }
  assert.deepEqual(
    items.filter(({ online }) => online).map(({ name }) => name),
    ['助手'],
  );
  // The last one was seen at 11:53 and is online until 11:58, 30 seconds from now.
  const response = await fixed.get('/agents?category=encoded');
  assert.match(response.headers.get('cache-control') ?? '', /^public, max-age=(2\d|30), must-revalidate$/);
});
