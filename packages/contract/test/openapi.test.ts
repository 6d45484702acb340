// The committed document is what the contract's values say, and every operation in it declares what it can answer.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { commonFailures, errorStatus } from '../src/errors.ts';
import { operations } from '../src/index.ts';
import { openApiDocument } from '../src/openapi.ts';
import type { Operation } from '../src/operation.ts';
import { openApiText } from './helpers/openapi-text.ts';

test('openapi.json is what the contract says (npm run refresh writes it anew)', () => {
  const committed = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8');
  assert.equal(committed, openApiText());
});

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

test('an operation that reads credentials can answer 401, and no other can', () => {
  for (const operation of Object.values<Operation>(operations)) {
    assert.equal(operation.failures.includes('UNAUTHORIZED'), operation.auth !== 'none', operation.id);
    const classes = { none: 'public', optional: 'mixed', required: 'private', member: 'private' } as const;
    assert.equal(operation.cache, classes[operation.auth], operation.id);
  }
});

test('no schema of an answer allows a key that it does not name, but for timeline details and contest fields and tracks', () => {
  const open: string[] = [];
  const walk = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, additionalProperties } = node as { type?: unknown; additionalProperties?: unknown };
    if (type === 'object' && additionalProperties !== false) open.push(path);
    for (const [key, value] of Object.entries(node)) walk(value, `${path}/${key}`);
  };
  walk(openApiDocument('/').components.schemas, '');
  const isDetails = (path: string) => /^\/TimelineItem\/anyOf\/\d\/properties\/details(\/|$)/.test(path);
  assert.ok(open.some(isDetails));
  assert.deepEqual(
    open.filter((path) => !isDetails(path)),
    ['/Contest/properties/fields/anyOf/0/items', '/Contest/properties/tracks/items'],
  );
});
