// The comparison of two versions of the OpenAPI document detects each kind of break for callers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { breaksOf } from './helpers/breaks.ts';

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Document;

interface Schema {
  type?: string | string[];
  description?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  default?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
}
interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: Schema;
  example?: unknown;
}
interface Get {
  operationId: string;
  description: string;
  security: object[];
  parameters: Parameter[];
  responses: Record<string, { headers: Record<string, object>; content?: Record<string, { schema: Schema }> }>;
}
interface Document {
  [key: string]: unknown;
  paths: Record<string, { get: Get }>;
  components: {
    schemas: Record<string, Schema>;
    securitySchemes: Record<string, Record<string, string>>;
    responses: Record<string, { description: string }>;
  };
}

const current = read('../openapi.json');
const collections = (document: Document): Get => document.paths['/collections']!.get;
const parameter = (document: Document, name: string): Parameter =>
  collections(document).parameters.find((given) => given.name === name)!;
const bounty = (document: Document): Required<Pick<Schema, 'properties' | 'required'>> =>
  document.components.schemas.Bounty as never;
const answer = (document: Document): Schema => document.components.schemas.CollectionListItemPageEnvelope!;
const sources = (document: Document): string[] =>
  document.components.schemas.CollectionListItem!.properties!.source!.enum!;

const breaks: [what: string, said: RegExp, change: (document: Document) => void][] = [
  ['an operation that is gone', /\/collections is gone/, (made) => delete made.paths['/collections']],
  ['another operationId', /operationId/, (made) => (collections(made).operationId = 'getCollections')],
  [
    'a parameter that is gone',
    /query q is gone/,
    (made) => (collections(made).parameters = collections(made).parameters.filter(({ name }) => name !== 'q')),
  ],
  [
    'a new required parameter',
    /query token is new and required/,
    (made) => collections(made).parameters.push({ name: 'token', in: 'query', required: true, schema: {} }),
  ],
  ['a parameter that becomes required', /query q is required/, (made) => (parameter(made, 'q').required = true)],
  ['another default', /pageSize has another default/, (made) => (parameter(made, 'pageSize').schema.default = 10)],
  ['a lower maximum of a parameter', /pageSize: maximum/, (made) => (parameter(made, 'pageSize').schema.maximum = 50)],
  ['a higher minimum of a parameter', /page: minimum/, (made) => (parameter(made, 'page').schema.minimum = 2)],
  ['a shorter parameter', /q: maxLength/, (made) => (parameter(made, 'q').schema.maxLength = 100)],
  ['a pattern for a parameter', /q: pattern/, (made) => (parameter(made, 'q').schema.pattern = '^a')],
  ['another type of a parameter', /isSbt: type boolean/, (made) => (parameter(made, 'isSbt').schema.type = 'string')],
  ['a value of a parameter that is gone', /source: external/, (made) => parameter(made, 'source').schema.enum!.pop()],
  [
    'a list of values where any value was allowed',
    /type: any value/,
    (made) => (parameter(made, 'type').schema.enum = ['SBT']),
  ],
  [
    'a credential that becomes required',
    /needs a credential/,
    (made) => (collections(made).security = [{ bearer: [] }]),
  ],
  [
    'a credential that is not accepted',
    /does not take bearer/,
    (made) => (made.paths['/launches/{slug}']!.get.security = [{}]),
  ],
  [
    'another kind of credential',
    /bearer is another kind/,
    (made) => (made.components.securitySchemes.bearer = { type: 'apiKey', in: 'query', name: 'key' }),
  ],
  [
    'another status of success',
    /success 202 is new\n.*success 200 is gone/,
    ({ paths }) => {
      const { responses } = paths['/collections']!.get;
      responses[202] = responses[200]!;
      delete responses[200];
    },
  ],
  ['one more status of success', /success 206 is new/, (made) => (collections(made).responses[206] = { headers: {} })],
  [
    'another media type',
    /application\/json is gone/,
    (made) => {
      const { content } = collections(made).responses[200]!;
      content!['text/csv'] = content!['application/json']!;
      delete content!['application/json'];
    },
  ],
  ['a header that is gone', /header ETag is gone/, (made) => delete collections(made).responses[200]!.headers.ETag],
  ['a property that is gone', /data\.title is gone/, (made) => delete bounty(made).properties.title],
  [
    'a property that may be absent',
    /data\.title may be absent/,
    (made) => bounty(made).required.splice(bounty(made).required.indexOf('title'), 1),
  ],
  [
    'a property that may be null',
    /data\.title: type null/,
    ({ components: { schemas } }) => {
      const { properties } = schemas.Bounty as { properties: Record<string, Schema> };
      properties.title = { anyOf: [properties.title!, { type: 'null' }] };
    },
  ],
  [
    'a property of another type',
    /data\.title: type integer/,
    (made) => (bounty(made).properties.title!.type = 'integer'),
  ],
  ['a property of any type', /data\.title: type any/, (made) => delete bounty(made).properties.title!.type],
  ['a longer text', /data\.title: maxLength/, (made) => (bounty(made).properties.title!.maxLength = 1000)],
  ['a format that is gone', /createdAt: pattern/, (made) => delete bounty(made).properties.createdAt!.pattern],
  ['a new value of a closed list', /source: imported/, (made) => sources(made).push('imported')],
  [
    'a further shape of a success',
    /200/,
    (made) => (answer(made).properties!.data = { anyOf: [answer(made).properties!.data!, { type: 'string' }] }),
  ],
  [
    'a further kind of timeline item',
    /type: GIFT_SENT is not/,
    ({ components: { schemas } }) => {
      const kinds = schemas.TimelineItem!.anyOf!;
      const kind = structuredClone(kinds.at(-1)!) as { properties: { type: { const: string } } };
      kind.properties.type.const = 'GIFT_SENT';
      kinds.push(kind as unknown as Schema);
    },
  ],
];
for (const [what, said, change] of breaks)
  test(`${what} is a break`, () => {
    const made = structuredClone(current);
    change(made);
    assert.notDeepEqual(made, current);
    assert.match(breaksOf(current, made).join('\n'), said);
  });

const harmless: [what: string, change: (document: Document) => void][] = [
  ['a new operation', (made) => (made.paths['/badges'] = structuredClone(made.paths['/collections']!))],
  [
    'a new optional parameter',
    (made) => collections(made).parameters.push({ name: 'tag', in: 'query', required: false, schema: {} }),
  ],
  ['a new value of a parameter', (made) => parameter(made, 'source').schema.enum!.push('imported')],
  ['a wider limit of a parameter', (made) => (parameter(made, 'pageSize').schema.maximum = 1000)],
  ['a parameter without a limit', (made) => delete parameter(made, 'q').schema.maxLength],
  ['a credential that becomes optional', (made) => (collections(made).security = [{}, { bearer: [] }])],
  [
    'a new property',
    (made) => {
      bounty(made).properties.currency = { type: 'string' };
      bounty(made).required.push('currency');
    },
  ],
  [
    'a property that becomes non-null',
    ({ components: { schemas } }) => {
      const { properties } = schemas.Bounty as { properties: Record<string, Schema> };
      properties.imageUrl!.type = 'string';
    },
  ],
  ['a shorter text', (made) => (bounty(made).properties.title!.maxLength = 10)],
  ['a value of a closed list that is gone', (made) => sources(made).pop()],
  ['a new header', (made) => (collections(made).responses[200]!.headers.Age = {})],
  ['a new status of a failure', (made) => (collections(made).responses[410] = { headers: {} })],
  [
    'other texts and examples',
    (made) => {
      collections(made).description = 'Other words.';
      bounty(made).properties.title!.description = 'Other words.';
      parameter(made, 'pageSize').example = 7;
      made.components.responses.NOT_FOUND!.description = 'Other words.';
    },
  ],
];
for (const [what, change] of harmless)
  test(`${what} is no break`, () => {
    const made = structuredClone(current);
    change(made);
    assert.notDeepEqual(made, current);
    assert.deepEqual(breaksOf(current, made), []);
  });

test('a required parameter that becomes optional is no break', () => {
  const before = structuredClone(current);
  parameter(before, 'q').required = true;
  assert.deepEqual(breaksOf(before, current), []);
});
