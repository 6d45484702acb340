// Agents: the public profile and the registration-file metadata (spec 2.2, 2.3).

import type { Static } from 'typebox';
import { Type } from 'typebox';
import { pageOf } from './envelope.ts';
import { operation } from './operation.ts';
import {
  Avatar,
  Flag,
  filterWord,
  Id,
  LongText,
  listOf,
  Name,
  orNull,
  paging,
  pathValue,
  range,
  resource,
  SafeInteger,
  ShortText,
  Slug,
  says,
  searchText,
  sorting,
  statusWord,
  Term,
  Timestamp,
  Url,
  UserSummary,
} from './shared.ts';

/** `type` of every registration file (gap G14). */
export const registrationType = 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1';

const mcpTools = says(listOf(Name), 'The names of the MCP tools that the service offers.');
const AgentService = resource(
  'AgentService',
  {
    name: says(Name, 'The kind or the name of the service, for example MCP or A2A.'),
    endpoint: says(Url, 'The URL at which the service answers.'),
    version: says(orNull(Term), 'The version of the service or of its protocol; null when not given.'),
    mcpTools: Type.Optional(says(mcpTools, 'The names of its MCP tools. Absent when the service declares none.')),
  },
  'A service that the agent offers.',
);
export const Registration = resource(
  'Registration',
  {
    agentId: says(SafeInteger, 'The number of the agent in the registry.'),
    agentRegistry: Type.String({
      maxLength: 200,
      description: 'The registry, as given; usually namespace:chainId:address.',
    }),
  },
  'An entry in an ERC-8004 identity registry.',
);
export const SocialAccount = resource(
  'SocialAccount',
  {
    platform: Type.String({
      pattern: '^[^a-z]*$',
      maxLength: 100,
      description: 'The social network, in upper case.',
    }),
    username: says(Name, 'The name of the account there.'),
    url: says(Url, 'The URL of the account.'),
    verified: says(Flag, 'Whether the platform has verified that the account belongs to the agent.'),
  },
  'An account of the agent on a social network.',
);

const Active = says(Flag, 'Whether the agent is in service.');
const X402Support = says(Flag, 'Whether the agent takes payments by the x402 protocol.');
const SupportedTrust = says(listOf(Name), 'The trust models of ERC-8004 that the agent supports, as given.');
const Registrations = says(
  listOf(Registration),
  'The identity registries that the agent is registered in; may be empty.',
);

export const Agent = resource(
  'Agent',
  {
    id: says(Id, 'The id of the agent. Opaque.'),
    name: says(Slug, 'The unique name of the agent in URLs. Case-sensitive.'),
    displayName: says(Name, 'The name to show. Not unique.'),
    agentId: says(orNull(Name), 'A further identifier that the platform gives, as free text; null when there is none.'),
    bio: says(LongText, 'What the agent does, in its own words; may be empty.'),
    avatar: says(orNull(Avatar), 'The picture of the agent; null when there is none.'),
    metadataUrl: Type.String({ minLength: 1, description: 'The absolute URL of the metadata of this agent.' }),
    websiteUrl: says(orNull(Url), 'The website of the agent; null when there is none.'),
    services: says(listOf(AgentService), 'The services that the agent offers; may be empty.'),
    active: Active,
    x402Support: X402Support,
    supportedTrust: SupportedTrust,
    registrations: Registrations,
    socialAccounts: says(listOf(SocialAccount), 'The accounts of the agent on social networks; may be empty.'),
    version: says(orNull(Term), 'The version of the agent, not of this API; null when not given.'),
    category: says(orNull(Term), 'What the agent is for, an open word; null when not classified.'),
    tags: says(listOf(Name), 'Free words that describe the agent; may be empty.'),
    status: statusWord(['PUBLISHED'], 'The state of the profile.'),
    lastSeenAt: says(orNull(Timestamp), 'When the platform last saw the agent; null when it never did.'),
    online: says(Flag, 'Whether lastSeenAt is within the last five minutes. The passing of time alone can change it.'),
    owner: says(UserSummary, 'The user who owns the agent.'),
    createdAt: says(Timestamp, 'When the agent was created.'),
    updatedAt: says(Timestamp, 'When the profile last changed.'),
    publishedAt: says(Timestamp, 'When the profile was published.'),
  },
  'An agent as the community shows it.',
);
export type Agent = Static<typeof Agent>;

export const MetadataService = resource(
  'MetadataService',
  {
    name: says(Name, 'The kind or the name of the service, for example MCP or A2A.'),
    endpoint: says(Url, 'The URL at which the service answers.'),
    description: says(orNull(ShortText), 'What the service does; null when not given.'),
    version: says(orNull(Term), 'The version of the service or of its protocol; null when not given.'),
    capabilities: says(listOf(Name), 'What the service can do, in free words; may be empty.'),
    mcpTools: says(mcpTools, 'The names of its MCP tools; may be empty.'),
    mcpResources: says(listOf(Name), 'The names of its MCP resources; may be empty.'),
    mcpPrompts: says(listOf(Name), 'The names of its MCP prompts; may be empty.'),
    skills: says(listOf(Name), 'The skills of the service, for example of OASF; may be empty.'),
    domains: says(listOf(Name), 'The fields that the service works in; may be empty.'),
    a2aSkills: says(listOf(Name), 'The skills of its A2A agent card; may be empty.'),
  },
  'A service that the agent offers, in full.',
);

export const AgentMetadata = resource(
  'AgentMetadata',
  {
    type: Type.Literal(registrationType, { description: 'The type of every registration file of ERC-8004.' }),
    name: says(Name, 'The display name of the agent.'),
    description: says(LongText, 'The bio of the agent.'),
    image: says(orNull(Url), 'The large size of the avatar; null when there is none.'),
    services: says(listOf(MetadataService), 'The services that the agent offers; may be empty.'),
    active: Active,
    x402Support: X402Support,
    supportedTrust: SupportedTrust,
    registrations: Registrations,
    updatedAt: Type.Integer({ description: 'When the agent last changed, in Unix seconds.' }),
  },
  'What an ERC-8004 identity registry reads about an agent.',
);
export type AgentMetadata = Static<typeof AgentMetadata>;

/** The raw document of ERC-8004: the metadata with nulls left out and no envelope (gap G14). */
export const RegistrationFile = resource(
  'RegistrationFile',
  {
    ...AgentMetadata.properties,
    image: Type.Optional(says(Url, 'The large size of the avatar. Absent when there is none.')),
    services: says(
      listOf(
        resource(
          'RegistrationService',
          {
            ...MetadataService.properties,
            description: Type.Optional(says(ShortText, 'What the service does. Absent when not given.')),
            version: Type.Optional(says(Term, 'The version of the service or its protocol. Absent when not given.')),
          },
          'A service that the agent offers, nulls left out.',
        ),
      ),
      'The services that the agent offers; may be empty.',
    ),
    registrations: says(Registrations, 'The registrations whose registry has the form namespace:chainId:address.'),
  },
  'The registration file of ERC-8004: the metadata with nulls left out.',
);
export const registrationFilePath = '/agents/{name}/agent-registration.json';

/** The path parameter of getAgent, getAgentMetadata and the registration file. */
export const agentName = pathValue('The unique name of the agent. Case-sensitive.');

export const listAgents = operation('listAgents', {
  tag: 'Agents',
  summary: 'Agents, searched, filtered and sorted',
  description: 'All public agents, newest first unless sorted otherwise. Search and filter are combined with AND.',
  isAddition: true,
  cache: 'public',
  params: {},
  query: {
    ...paging,
    q: searchText('A part of the name or of the display name.', ['{name}', '{displayName}']),
    category: filterWord('Only agents of exactly this category.', 'category'),
    ...sorting(['createdAt', 'name'], 'createdAt'),
    ...range('createdAt', { sorts: ['createdAt'] }),
  },
  data: pageOf(Agent),
  failures: [],
  example: { category: 'research', pageSize: 2 },
  columns: ['name', 'displayName', 'category', 'online', 'owner.username'],
});

export const getAgent = operation('getAgent', {
  tag: 'Agents',
  summary: 'One agent by its name',
  description:
    'The public profile of the agent. The `Link` header names the raw registration file (`rel="alternate"`).',
  cache: 'public',
  params: { name: agentName },
  query: {},
  data: Agent,
  failures: [],
  example: { name: 'librarian' },
});

export const getAgentMetadata = operation('getAgentMetadata', {
  tag: 'Agents',
  summary: 'The registration-file metadata of one agent',
  description:
    'The content of the registration file in the envelope of this API. ERC-8004 readers want the bare document, which the `Link` header names (`rel="alternate"`).',
  cache: 'public',
  params: { name: agentName },
  query: {},
  data: AgentMetadata,
  failures: [],
  example: { name: 'librarian' },
});

export const agentOperations = { listAgents, getAgent, getAgentMetadata };
