// Every operation declares all its responses in the OpenAPI document, and its parameters and names are those of the contract.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { contractCheck } from '../src/check.ts';
import { commonFailures, errorStatus } from '../src/errors.ts';
import { operations } from '../src/index.ts';
import { openApiDocument } from '../src/openapi.ts';
import { resources } from '../src/openapi-schemas.ts';
import type { Operation } from '../src/operation.ts';

test('every operation declares its common and its own failures', () => {
  const paths: Record<string, unknown> = openApiDocument('/').paths;
  for (const operation of Object.values<Operation>(operations)) {
    const { responses } = (paths[operation.path] as { get: { responses: Record<string, object> } }).get;
    const expected = [...commonFailures, ...operation.failures].map((code) => errorStatus[code]);
    assert.deepEqual(
      Object.keys(responses)
        .map(Number)
        .sort((a, b) => a - b),
      [...new Set([200, 304, ...expected, 414, 431])].sort((a, b) => a - b),
      operation.id,
    );
  }
});

test('exactly the operations that read credentials declare 401, and the cache class fits the credential', () => {
  for (const operation of Object.values<Operation>(operations)) {
    assert.equal(operation.failures.includes('UNAUTHORIZED'), operation.auth !== 'none', operation.id);
    const classes = { none: 'public', optional: 'mixed', required: 'private' } as const;
    assert.equal(operation.cache, classes[operation.auth], operation.id);
  }
});

test('responses are closed in the contract, except timeline details, contest fields and tracks, and open in the document', () => {
  const open: string[] = [];
  const walk = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, additionalProperties } = node as { type?: unknown; additionalProperties?: unknown };
    if (type === 'object' && additionalProperties !== false) open.push(path);
    for (const [key, value] of Object.entries(node)) walk(value, `${path}/${key}`);
  };
  for (const [name, schema] of Object.entries(resources)) walk(schema, name);
  const isDetails = (path: string) => /^TimelineItem\/anyOf\/\d\/properties\/details(\/|$)/.test(path);
  assert.ok(open.some(isDetails));
  const contest = ['fields/anyOf/0/items', 'tracks/items'].map((path) => `Contest/properties/${path}`);
  const isFound = (path: string) => path.startsWith('SearchResult/properties/contests/properties/items/items/');
  assert.deepEqual(
    open.filter((path) => !isDetails(path) && !isFound(path)),
    contest,
  );
  assert.doesNotMatch(JSON.stringify(openApiDocument('/').components), /"additionalProperties":false/);
});

test('an extra key in a response is refused by the contract, and allowed by the document', () => {
  const data = { id: 's', slug: 's', name: 'S', logo: null, website: null };
  const check = contractCheck(operations.getSponsor);
  assert.equal(check(JSON.stringify(data)), null);
  assert.equal(check(JSON.stringify({ ...data, secret: 1 })), 'data.secret is not in the contract');
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true, int64: true } });
  ajv.addSchema(openApiDocument('/'), 'openapi');
  const printed = ajv.compile({ $ref: 'openapi#/components/schemas/SponsorEnvelope' });
  assert.ok(printed({ success: true, data: { ...data, later: 1 } }));
  assert.ok(!printed({ success: true, data: { ...data, name: 1 } }));
});

test('the document is in the forms that generators understand', () => {
  const text = JSON.stringify(document);
  const { schemas } = openApiDocument('/').components as unknown as { schemas: Record<string, Node> };
  assert.deepEqual(schemas.AgentPageEnvelope?.required, ['success', 'data']);
  assert.match(text, /"#\/components\/schemas\/AgentPageEnvelope"/);
  const [page, bounty] = [schemas.AgentPage, schemas.Bounty].map(
    (schema) => schema?.properties as Record<string, Node>,
  );
  assert.equal(page?.total?.format, 'int64');
  assert.equal(page?.pageSize?.format, undefined);
  assert.deepEqual(bounty?.imageUrl?.type, ['string', 'null']);
  const walk = (node: unknown, path: string): void => {
    if (!isNode(node)) return;
    if (Array.isArray(node.enum)) assert.ok('type' in node, `${path} has no type`);
    for (const inner of Array.isArray(node.anyOf) ? (node.anyOf as Node[]) : [])
      if (inner.type === 'null')
        assert.ok(
          (node.anyOf as Node[]).some((one) => '$ref' in one || 'anyOf' in one),
          path,
        );
    for (const [key, value] of Object.entries(node)) {
      walk(value, `${path}/${key}`);
      if (Array.isArray(value)) value.forEach((one, n) => void walk(one, `${path}/${key}/${n}`));
    }
  };
  walk(document, '');
});

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const document = openApiDocument('/') as unknown as Node;
const nodesOf = (value: unknown): [string, Node][] =>
  isNode(value) ? Object.entries(value).filter((entry): entry is [string, Node] => isNode(entry[1])) : [];

/** Every node of the document that must have its own description, by path. A reference uses that of its target. */
const describable = (): Map<string, Node> => {
  const found = new Map<string, Node>();
  const schema = (node: unknown, path: string, isProperty: boolean): void => {
    if (!isNode(node) || '$ref' in node) return;
    if (isProperty || node.type === 'object') found.set(path, node);
    for (const [name, inner] of nodesOf(node.properties)) schema(inner, `${path}.${name}`, true);
    schema(node.items, `${path}[]`, false);
    for (const inner of Array.isArray(node.anyOf) ? node.anyOf : []) schema(inner, `${path}|`, false);
  };
  const response = (node: Node, path: string): void => {
    if ('$ref' in node) return;
    found.set(path, node);
    for (const [name, header] of nodesOf(node.headers)) if (!('$ref' in header)) found.set(`${path} ${name}`, header);
    for (const [type, media] of nodesOf(node.content)) schema(media.schema, `${path} ${type}`, true);
  };
  found.set('info', document.info as Node);
  for (const tag of document.tags as Node[]) found.set(`tag ${tag.name}`, tag);
  const components = document.components as Node;
  for (const [name, node] of nodesOf(components.securitySchemes)) found.set(`credential ${name}`, node);
  for (const [name, node] of nodesOf(components.headers)) found.set(`header ${name}`, node);
  for (const [name, node] of nodesOf(components.responses)) response(node, `response ${name}`);
  for (const [name, node] of nodesOf(components.schemas)) schema(node, name, true);
  for (const [path, { get }] of nodesOf(document.paths) as [string, { get: Node }][]) {
    found.set(path, get);
    for (const node of get.parameters as Node[]) found.set(`${path} ${node.name}`, node);
    for (const [status, node] of nodesOf(get.responses)) response(node, `${path} ${status}`);
  }
  return found;
};

test('every operation, parameter, property, object, header, response, tag and credential has a description', () => {
  const found = describable();
  assert.ok(found.size > 600, `${found.size} nodes checked`);
  const isBare = ({ description }: Node) => typeof description !== 'string' || description.trim().length < 10;
  assert.deepEqual(
    [...found].filter(([, node]) => isBare(node)).map(([path]) => path),
    [],
  );
});

test('every description ends with punctuation, and that of a property has at most 200 characters', () => {
  const [bad, long]: [string[], string[]] = [[], []];
  for (const [path, { description }] of describable()) {
    if (!/[.:`]$/.test(String(description))) bad.push(`${path}: ${description}`);
    if (/[.|\]]/.test(path.replace(/^.*json/, '')) && String(description).length > 200) long.push(path);
  }
  assert.deepEqual([bad, long], [[], []]);
});

test('every reference of the document has a target with a description', () => {
  const targets = [...new Set(JSON.stringify(document).match(/#\/components\/[\w/]+/g) ?? [])];
  assert.ok(targets.length > 40);
  for (const target of targets) {
    const [, ...keys] = target.split('/');
    const node = keys.reduce<unknown>((inner, key) => (isNode(inner) ? inner[key] : undefined), document);
    assert.ok(isNode(node) && typeof node.description === 'string', target);
  }
});
