// Agents: the public profile and the registration-file metadata (spec 2.2, 2.3).

import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import {
  Avatar,
  Id,
  LongText,
  listOf,
  Name,
  orNull,
  pathValue,
  record,
  SafeInteger,
  ShortText,
  Slug,
  statusWord,
  Term,
  Timestamp,
  Url,
  UserSummary,
} from './shared.ts';

/** `type` of every registration file (gap G14). */
export const registrationType = 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1';

const AgentService = record({
  name: Name,
  endpoint: Url,
  version: orNull(Term),
  mcpTools: Type.Optional(listOf(Name)),
});
export const Registration = record({
  agentId: SafeInteger,
  agentRegistry: Type.String({ maxLength: 200, description: 'As given; usually namespace:chainId:address.' }),
});
export const SocialAccount = record({
  platform: Type.String({ pattern: '^[^a-z]*$', maxLength: 100, description: 'In upper case.' }),
  username: Name,
  url: Url,
  verified: Type.Boolean(),
});

export const Agent = record({
  id: Id,
  name: Slug,
  displayName: Name,
  agentId: orNull(Name),
  bio: LongText,
  avatar: orNull(Avatar),
  metadataUrl: Type.String({ minLength: 1, description: 'The address of the agent metadata operation.' }),
  websiteUrl: orNull(Url),
  services: listOf(AgentService),
  active: Type.Boolean(),
  x402Support: Type.Boolean(),
  supportedTrust: listOf(Name),
  registrations: listOf(Registration),
  socialAccounts: listOf(SocialAccount),
  version: orNull(Term),
  category: orNull(Term),
  tags: listOf(Name),
  status: statusWord(['PUBLISHED']),
  lastSeenAt: orNull(Timestamp),
  online: Type.Boolean({ description: 'Seen within the last five minutes.' }),
  owner: UserSummary,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  publishedAt: Timestamp,
});
export type Agent = Static<typeof Agent>;

export const MetadataService = record({
  name: Name,
  endpoint: Url,
  description: orNull(ShortText),
  version: orNull(Term),
  capabilities: listOf(Name),
  mcpTools: listOf(Name),
  mcpResources: listOf(Name),
  mcpPrompts: listOf(Name),
  skills: listOf(Name),
  domains: listOf(Name),
  a2aSkills: listOf(Name),
});

export const AgentMetadata = record({
  type: Type.Literal(registrationType),
  name: Name,
  description: LongText,
  image: orNull(Url),
  services: listOf(MetadataService),
  active: Type.Boolean(),
  x402Support: Type.Boolean(),
  supportedTrust: listOf(Name),
  registrations: listOf(Registration),
  updatedAt: Type.Integer({ description: 'Unix seconds.' }),
});
export type AgentMetadata = Static<typeof AgentMetadata>;

/** The raw document of ERC-8004: the metadata with nulls left out and no envelope (gap G14). */
export const RegistrationFile = record({
  ...AgentMetadata.properties,
  image: Type.Optional(Url),
  services: listOf(
    record({
      ...MetadataService.properties,
      description: Type.Optional(ShortText),
      version: Type.Optional(Term),
    }),
  ),
});
export const registrationFilePath = '/agents/{name}/agent-registration.json';

export const getAgent = operation('getAgent', {
  tag: 'Agents',
  summary: 'One agent by its name',
  description: 'The Link header names the raw registration file (rel="alternate").',
  cache: 'public',
  params: { name: pathValue('The unique name of the agent.') },
  query: {},
  data: Agent,
  failures: [],
});

export const getAgentMetadata = operation('getAgentMetadata', {
  tag: 'Agents',
  summary: 'The registration-file metadata of one agent',
  description: 'In the envelope; the bare document for ERC-8004 readers is linked (rel="alternate").',
  cache: 'public',
  params: { name: pathValue('The unique name of the agent.') },
  query: {},
  data: AgentMetadata,
  failures: [],
});
