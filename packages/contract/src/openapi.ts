// The OpenAPI 3.1 document: a pure function of the contract and of the committed examples, which are real responses.
// `npm ci` writes the result to openapi.json. Texts, responses and schemas are in
// openapi-texts.ts, openapi-responses.ts and openapi-schemas.ts.
import committedExamples from '@commonhall/contract/examples.json' with { type: 'json' };
import type { TSchema } from 'typebox';
import { agentName, RegistrationFile, registrationFilePath } from './agents.ts';
import { operations } from './index.ts';
import { noticeKeys } from './notices.ts';
import type { Examples } from './openapi-responses.ts';
import { failureComponents, headers, responsesOf } from './openapi-responses.ts';
import { componentSchemas, envelopeOf, printed, statusEnvelope } from './openapi-schemas.ts';
import { bearer, info, tags } from './openapi-texts.ts';
import type { Operation } from './operation.ts';
import { statusPath } from './status.ts';
import { version } from './version.ts';

const parameter =
  (place: 'path' | 'query', example: Operation['example']) =>
  ([name, schema]: [string, TSchema]) => {
    const {
      description,
      'x-addition': isAddition,
      'x-required': isRequired = false,
      ...rest
    } = schema as TSchema & {
      description?: string;
      'x-addition'?: true;
      'x-required'?: true;
    };
    return {
      name,
      in: place,
      required: place === 'path' || isRequired,
      ...(isAddition === undefined ? {} : { 'x-addition': isAddition }),
      ...(description === undefined ? {} : { description }),
      schema: printed(rest),
      ...(example[name] === undefined ? {} : { example: example[name] }),
    };
  };

const security = { none: [], optional: [{}, { bearer: [] }], required: [{ bearer: [] }] };
const successMeaning = {
  one: 'Success: the object.',
  array: 'Success: the whole list, without pages.',
  page: 'Success: one page of the list.',
  slice: 'Success: a part of the list.',
};

const get = (operation: Operation, examples: Examples) => ({
  operationId: operation.id,
  tags: [operation.tag],
  summary: operation.summary,
  description: operation.description,
  security: security[operation.auth],
  'x-cache': operation.cache,
  'x-addition': operation.isAddition ?? false,
  ...noticeKeys(operation),
  parameters: [
    ...Object.entries(operation.params).map(parameter('path', operation.example)),
    ...Object.entries(operation.query).map(parameter('query', operation.example)),
  ],
  responses: responsesOf({
    schema: envelopeOf(operation),
    example: examples.operations[operation.id],
    description: successMeaning[operation.answer],
    hasLink: operation.answer === 'page' || operation.answer === 'slice' || operation.tag === 'Agents',
    readsTokens: operation.auth !== 'none',
    failures: operation.failures,
  }),
});

/** A path that is not in the table of operations: public, without failures of its own. */
const plainGet = (id: string, schema: unknown, examples: Examples) => ({
  operationId: id,
  security: [],
  'x-cache': 'public',
  'x-addition': true,
  responses: responsesOf({
    schema,
    example: examples.operations[id],
    description: successMeaning.one,
    hasLink: false,
    readsTokens: false,
    failures: [],
  }),
});

const registrationFile = (examples: Examples) => ({
  get: {
    ...plainGet('getRegistrationFile', printed(RegistrationFile), examples),
    tags: ['Agents'],
    summary: 'The registration file of one agent, bare',
    description: 'The document that ERC-8004 wants at an agent URI: no envelope, nulls left out.',
    parameters: [parameter('path', operations.getAgent.example)(['name', agentName])],
  },
});

const status = (serverUrl: string, examples: Examples) => ({
  servers: [
    { url: serverUrl.replace(/^(\w+:\/\/[^/]*).*$/, '$1'), description: 'At the root, without the base path.' },
  ],
  get: {
    ...plainGet('getStatus', statusEnvelope, examples),
    tags: ['Status'],
    summary: 'How old the data is',
    description:
      'The platform keeps its own database, and its changes arrive here within about a second. This operation says how far that has come.',
    parameters: [],
  },
});

export const openApiDocument = (
  serverUrl: string,
  examples: Examples = committedExamples,
  title: string = info.title,
) => ({
  openapi: '3.1.0',
  info: { ...info, title, version },
  servers: [{ url: serverUrl }],
  security: [],
  tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  paths: {
    ...Object.fromEntries(
      Object.values<Operation>(operations).map((operation) => [operation.path, { get: get(operation, examples) }]),
    ),
    [registrationFilePath]: registrationFile(examples),
    [statusPath]: status(serverUrl, examples),
  },
  components: {
    securitySchemes: { bearer },
    headers,
    responses: failureComponents(examples),
    schemas: componentSchemas(),
  },
});
