// The examples of the document are what a server with the sample data returns.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeExamples } from '../../../test/examples.ts';

test('examples.json has the responses of the server for the sample data (npm run refresh writes it)', async () => {
  const committed: unknown = JSON.parse(readFileSync(new URL('../examples.json', import.meta.url), 'utf8'));
  assert.deepEqual(await makeExamples(), committed);
});
