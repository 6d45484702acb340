// Writes packages/contract/openapi.json from the contract and its examples. The file is built, not committed: by
// `npm ci`, before each test run, and by `npm run refresh`.
import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../packages/contract/src/openapi.ts';
import type { Examples } from '../packages/contract/src/openapi-responses.ts';

export const buildDocument = (examples?: Examples): void =>
  writeFileSync(
    new URL('../packages/contract/openapi.json', import.meta.url),
    `${JSON.stringify(openApiDocument('/', examples), null, 2)}\n`,
  );

if (process.argv[1] === import.meta.filename) buildDocument();
