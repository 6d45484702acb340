// The tables of docs/specification.md that are generated from the contract: fields of each resource, and operations.
import { operations } from '@commonhall/contract';
import { openApiDocument } from '@commonhall/contract/openapi';
import { resources } from '@commonhall/contract/openapi-schemas';
import type { Operation } from '@commonhall/contract/operation';

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: string[];
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
}
const { schemas } = openApiDocument('').components as unknown as { schemas: Record<string, Schema> };

/** The resources of each section. */
const sections: Readonly<Record<string, readonly string[]>> = {
  'shared types': [
    ...['Avatar', 'UserSummary', 'UserTag', 'ContestUserTag', 'FieldValue'],
    ...['AdditionalLink', 'Reward', 'Sponsor'],
  ],
  agent: ['Agent', 'AgentService', 'Registration', 'SocialAccount'],
  'agent metadata': ['AgentMetadata', 'MetadataService'],
  bounty: ['Bounty', 'FieldDefinition'],
  'bounty submission': ['BountySubmission'],
  'bounty winner': ['BountyWinner'],
  launch: ['LaunchListItem', 'Topic'],
  'launch detail': ['Launch'],
  collection: ['Collection', 'CollectionContest'],
  contest: ['Contest'],
  'contest submission': ['ContestSubmission', 'SupportersPreview', 'Supporter'],
  repository: ['Repository'],
  'score tiers': ['ScoreDimension', 'Metric'],
  additions: [
    'LaunchWeek',
    'UserBadge',
    'UserSubmission',
    'SearchResult',
    'CommunityCounts',
    'Counts',
    'CountGroup',
    'CountedValue',
    'Status',
  ],
};
/** Resources that differ from another resource only by the fields that the text of their section names. */
const variants = [
  ...['BountyListItem', 'MyBountyListItem', 'SponsorBountySubmission', 'ContestUserSummary', 'CollectionListItem'],
  ...['TimelineItem', 'ScoreTiers', 'RegistrationFile', 'RegistrationService', 'Failure'],
];
/** Resources that the specification does not describe yet. */
export const missingResources = (): string[] => {
  const described = new Set([...Object.values(sections).flat(), ...variants]);
  return Object.keys(resources).filter((name) => !described.has(name));
};

const typeOf = (schema: Schema): string => {
  if (schema.$ref !== undefined) return schema.$ref.replace(/.*\//, '');
  if (Array.isArray(schema.type)) {
    const [type = '', ...others] = schema.type;
    const values = schema.enum?.filter((value) => value !== null);
    return [typeOf({ ...schema, type, ...(values === undefined ? {} : { enum: values }) }), ...others].join(' or ');
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  if (schema.format === 'date-time') return 'timestamp';
  return schema.enum === undefined ? (schema.type ?? 'any') : schema.enum.map((value) => `\`${value}\``).join(', ');
};

const fieldRows = (name: string, without: Schema = {}): string => {
  const { properties = {}, required = [] } = schemas[name]!;
  return Object.entries(properties)
    .filter(([field]) => without.properties?.[field] === undefined)
    .map(([field, schema]) => {
      const meaning = schema.description ?? schemas[typeOf(schema)]?.description ?? '';
      return `| \`${field}\` | ${typeOf(schema)}${required.includes(field) ? '' : ', may be absent'} | ${meaning} |\n`;
    })
    .join('');
};

const head = '| field | type | meaning |\n|---|---|---|\n';
const resourceTable = (name: string): string =>
  name === 'Launch'
    ? `${head}${fieldRows(name, schemas.LaunchListItem)}`
    : `**${name}**: ${schemas[name]!.description}\n\n${head}${fieldRows(name)}`;

const answers = { one: '{}', array: 'array of {}', page: 'page of {}', slice: 'part of the list of {}' };
const answerOf = ({ answer, data }: Operation): string => {
  const { title, items, properties } = data as { title?: string; items?: object; properties?: { items?: Schema } };
  const inner = (items ?? properties?.items?.items ?? {}) as { title?: string };
  return answers[answer].replace('{}', title ?? inner.title ?? 'TimelineItem');
};
const all = Object.values<Operation>(operations);
const parametersOf = ({ query }: Operation): string => {
  const named = (isAddition: boolean) =>
    Object.keys(query)
      .filter((name) => 'x-addition' in query[name]! === isAddition)
      .map((name) => `\`${name}\``)
      .join(', ');
  return [named(false), ...(named(true) === '' ? [] : [`added: ${named(true)}`])].join('; ');
};
const operationRow = (operation: Operation, first: string): string =>
  `| ${first}\`${operation.id}\` | \`${operation.path}\` | ${parametersOf(operation)} | ${operation.auth} | ${answerOf(operation)} | ${operation.summary} |\n`;

export const specificationTables = (): { mark: string; text: string }[] => [
  ...Object.entries(sections).map(([mark, names]) => ({ mark, text: `\n${names.map(resourceTable).join('\n')}\n` })),
  {
    mark: 'specified operations',
    text: `| # | operation | path | parameters | credential | \`data\` | |\n|---|---|---|---|---|---|---|\n${all
      .filter(({ isAddition }) => isAddition !== true)
      .map((operation, index) => operationRow(operation, `${index + 1} | `))
      .join('')}`,
  },
  {
    mark: 'added operations',
    text: `| operation | path | parameters | credential | \`data\` | |\n|---|---|---|---|---|---|\n${all
      .filter(({ isAddition }) => isAddition === true)
      .map((operation) => operationRow(operation, ''))
      .join('')}`,
  },
];
