// The OpenAPI 3.1 document: a pure function of the contract's values. Committed as openapi.json, locked by a test.
import type { TSchema } from 'typebox';
import { Agent, AgentMetadata, RegistrationFile, registrationFilePath } from './agents.ts';
import { Bounty, BountyListItem, BountySubmission, BountyWinner, MyBountyListItem, Sponsor } from './bounties.ts';
import { Collection, CollectionListItem } from './collections.ts';
import { Contest, ContestSubmission } from './contests.ts';
import { Failure, successOf } from './envelope.ts';
import type { ErrorCode } from './errors.ts';
import { commonFailures, commonValidationStatuses, errorMeaning, errorStatus, validationStatuses } from './errors.ts';
import { operations } from './index.ts';
import { Launch, LaunchListItem } from './launches.ts';
import type { Operation } from './operation.ts';
import { Repository } from './repositories.ts';
import {
  AdditionalLink,
  Avatar,
  ContestUserSummary,
  FieldDefinition,
  FieldValue,
  pathValue,
  UserSummary,
} from './shared.ts';
import { SponsorBountySubmission } from './sponsors.ts';
import { Status, statusPath } from './status.ts';
import { ScoreTiers, TimelineItem } from './users.ts';
import { version } from './version.ts';

/** The resources of the specification, by the names they have in the document. */
export const resources = {
  Agent,
  AgentMetadata,
  RegistrationFile,
  Sponsor,
  Bounty,
  BountyListItem,
  MyBountyListItem,
  BountySubmission,
  SponsorBountySubmission,
  BountyWinner,
  Launch,
  LaunchListItem,
  Collection,
  CollectionListItem,
  Contest,
  ContestSubmission,
  Repository,
  TimelineItem,
  ScoreTiers,
  UserSummary,
  ContestUserSummary,
  Avatar,
  FieldDefinition,
  FieldValue,
  AdditionalLink,
  Failure,
} satisfies Record<string, TSchema>;

const names = new Map<unknown, string>(Object.entries(resources).map(([name, schema]) => [schema, name]));

/** A schema as plain JSON, with named resources inside it replaced by references. */
const plain = (schema: unknown, self: unknown = undefined): unknown => {
  const name = names.get(schema);
  if (name !== undefined && schema !== self) return { $ref: `#/components/schemas/${name}` };
  if (Array.isArray(schema)) return schema.map((element) => plain(element));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, plain(value)]));
};

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
const alwaysHeaders = { 'X-Request-Id': header('RequestId'), 'Cache-Control': header('CacheControl') };
const json = (schema: unknown) => ({ 'application/json': { schema } });

const failureResponse = (description: string, headers: object = {}) => ({
  description,
  headers: { ...alwaysHeaders, ...headers },
  content: json(plain(Failure)),
});
const extraHeaders: Partial<Record<ErrorCode, object>> = {
  UNAUTHORIZED: { 'WWW-Authenticate': header('WwwAuthenticate') },
  RATE_LIMITED: { 'Retry-After': header('RetryAfter') },
  SERVICE_UNAVAILABLE: { 'Retry-After': header('RetryAfter') },
};
/** One response for each code, and for each early status of VALIDATION_ERROR. */
const responses = Object.fromEntries([
  ...(Object.keys(errorStatus) as ErrorCode[]).map((code) => [
    code,
    failureResponse(`${code}: ${errorMeaning[code]}`, extraHeaders[code]),
  ]),
  ...commonValidationStatuses.map((status) => [
    `VALIDATION_ERROR_${status}`,
    failureResponse(`VALIDATION_ERROR: ${validationStatuses[status]}`),
  ]),
]);
const responseRef = (name: string) => ({ $ref: `#/components/responses/${name}` });

const failureResponses = (own: readonly ErrorCode[]): Record<string, object> =>
  Object.fromEntries([
    ...[...commonFailures, ...own].map((code) => [String(errorStatus[code]), responseRef(code)]),
    ...commonValidationStatuses.map((status) => [String(status), responseRef(`VALIDATION_ERROR_${status}`)]),
  ]);

const parameter =
  (place: 'path' | 'query') =>
  ([name, schema]: [string, TSchema]) => {
    const { description, ...rest } = schema as TSchema & { description?: string };
    return {
      name,
      in: place,
      required: place === 'path',
      ...(description === undefined ? {} : { description }),
      schema: plain(rest),
    };
  };

const security = { none: [], optional: [{}, { bearer: [] }], required: [{ bearer: [] }], member: [{ bearer: [] }] };

const get = (operation: Operation) => ({
  operationId: operation.id,
  tags: [operation.tag],
  summary: operation.summary,
  ...(operation.description === undefined ? {} : { description: operation.description }),
  security: security[operation.auth],
  'x-cache': operation.cache,
  parameters: [
    ...Object.entries(operation.params).map(parameter('path')),
    ...Object.entries(operation.query).map(parameter('query')),
  ],
  responses: {
    200: {
      description: 'Success.',
      headers: {
        ...alwaysHeaders,
        ETag: header('ETag'),
        ...(operation.answer === 'page' || operation.answer === 'slice' || operation.tag === 'Agents'
          ? { Link: header('Link') }
          : {}),
      },
      content: json(plain(successOf(operation.data))),
    },
    304: { description: 'The caller already has these bytes.', headers: { ...alwaysHeaders, ETag: header('ETag') } },
    ...failureResponses(operation.failures),
  },
});

const registrationFile = {
  get: {
    operationId: 'getRegistrationFile',
    tags: ['Agents'],
    summary: 'The registration file of one agent, bare',
    description: 'The document that ERC-8004 wants at an agent URI: no envelope, nulls left out.',
    security: [],
    'x-cache': 'public',
    parameters: [parameter('path')(['name', pathValue('The unique name of the agent.')])],
    responses: {
      200: {
        description: 'Success.',
        headers: { ...alwaysHeaders, ETag: header('ETag') },
        content: json(plain(RegistrationFile)),
      },
      304: { description: 'The caller already has these bytes.', headers: { ...alwaysHeaders, ETag: header('ETag') } },
      ...failureResponses([]),
    },
  },
};

const status = (serverUrl: string) => ({
  servers: [
    { url: serverUrl.replace(/^(\w+:\/\/[^/]*).*$/, '$1'), description: 'At the root, without the base path.' },
  ],
  get: {
    operationId: 'getStatus',
    tags: ['Status'],
    summary: 'How old the data is',
    security: [],
    'x-cache': 'public',
    parameters: [],
    responses: {
      200: {
        description: 'Success.',
        headers: { ...alwaysHeaders, ETag: header('ETag') },
        content: json(plain(successOf(Status))),
      },
      304: { description: 'The caller already has these bytes.', headers: { ...alwaysHeaders, ETag: header('ETag') } },
      ...failureResponses([]),
    },
  },
});

const tags = {
  Agents: 'Agents and their registration files.',
  Bounties: 'Bounties, their submissions and winners.',
  Sponsors: 'What is read through a sponsor.',
  Launches: 'Product launches.',
  Collections: 'Badge collections and their holders.',
  Contests: 'Contests and their submissions.',
  Users: 'Activity timelines and score tiers.',
  Repositories: 'The catalogue of code repositories.',
  Status: 'The service itself.',
};

const headers = {
  RequestId: { description: 'The id of this request in the logs of the service.', schema: { type: 'string' } },
  CacheControl: { description: 'Who may keep the answer and how long.', schema: { type: 'string' } },
  ETag: { description: 'Strong: a hash of the bytes of the body.', schema: { type: 'string' } },
  Link: {
    description: 'RFC 8288: first, prev, next, last of a list; alternate of an agent.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
  WwwAuthenticate: { description: 'Bearer.', schema: { type: 'string' } },
};

export const openApiDocument = (serverUrl: string) => ({
  openapi: '3.1.0',
  info: {
    title: 'Commonhall',
    version,
    summary: 'The public read API of a community of builders.',
    description:
      'Every answer is JSON in one envelope. Lists have exact totals and any page. Nothing is clamped or ignored: a wrong or unknown parameter is an error that names it.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: serverUrl }],
  security: [],
  tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  paths: {
    ...Object.fromEntries(
      Object.values<Operation>(operations).map((operation) => [operation.path, { get: get(operation) }]),
    ),
    [registrationFilePath]: registrationFile,
    [statusPath]: status(serverUrl),
  },
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'An API key of the operator, beginning with chk_.' },
    },
    headers,
    responses: Object.fromEntries(Object.entries(responses).filter(([name]) => name !== 'METHOD_NOT_ALLOWED')),
    schemas: Object.fromEntries(Object.entries(resources).map(([name, schema]) => [name, plain(schema, schema)])),
  },
});
