// The examples of the document fit their schemas, and none is missing. examples.system.test.ts compares them with a
// server.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApiDocument } from '../src/openapi.ts';
import type { Examples } from '../src/openapi-responses.ts';

const examples = JSON.parse(readFileSync(new URL('../examples.json', import.meta.url), 'utf8')) as Examples;

interface Response {
  content?: { 'application/json': { schema: object; example?: unknown } };
}
interface Get {
  operationId: string;
  parameters: { name: string; in: string; schema: object; example?: unknown }[];
  responses: Record<string, Response>;
}
const document = openApiDocument('/') as unknown as {
  paths: Record<string, { get: Get }>;
  components: { responses: Record<string, Response> };
};
const gets = Object.values(document.paths).map(({ get }) => get);

const isInstant = (text: string) => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': isInstant, int64: true } });
ajv.addSchema(document, 'openapi');
/** Makes the references of a schema point into the document. */
const within = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')) as object;
const problemOf = (schema: object, value: unknown): string | null => {
  const validate = ajv.compile(within(schema));
  return validate(value) ? null : ajv.errorsText(validate.errors);
};
const problemOfExample = ({ content }: Response): string | null => {
  const media = content?.['application/json'];
  return media === undefined || media.example === undefined ? 'no example' : problemOf(media.schema, media.example);
};

test('every operation has an example of its success that fits its schema', () => {
  const problems = gets.map(({ operationId, responses }) => [operationId, problemOfExample(responses[200]!)]);
  assert.deepEqual(
    problems.filter(([, problem]) => problem !== null),
    [],
  );
  assert.deepEqual(Object.keys(examples.operations).sort(), gets.map(({ operationId }) => operationId).sort());
});

test('every failure has an example that fits its schema and has the code of its name', () => {
  const { responses } = document.components;
  for (const [name, response] of Object.entries(responses)) {
    assert.equal(problemOfExample(response), null, name);
    const { code } = response.content!['application/json'].example as { code: string };
    assert.equal(code, name.replace(/_\d+$/, ''));
  }
  assert.deepEqual(Object.keys(examples.failures).sort(), Object.keys(responses).sort());
});

test('an example that does not fit its schema is detected', () => {
  const { schema, example } = document.components.responses.NOT_FOUND!.content!['application/json'];
  assert.match(problemOf(schema, { ...(example as object), code: 'OTHER' }) ?? '', /allowed values/);
});

test('every parameter in a path has an example, and each example of a parameter fits its schema', () => {
  let checked = 0;
  for (const { operationId, parameters } of gets)
    for (const { name, in: place, schema, example } of parameters) {
      assert.ok(example !== undefined || place === 'query', `${operationId} ${name}`);
      if (example === undefined) continue;
      checked += 1;
      assert.equal(problemOf(schema, example), null, `${operationId} ${name}`);
    }
  assert.ok(checked > 30, `${checked} examples`);
});

test('no example has a credential or an address of this machine', () => {
  assert.doesNotMatch(JSON.stringify(examples), /chk_(live|test)_\w|eyJ[\w-]{20}|127\.0\.0\.1|localhost/);
});
