// The text of the committed openapi.json.
import { openApiDocument } from '../../src/openapi.ts';
import type { Examples } from '../../src/openapi-responses.ts';

export const openApiText = (examples?: Examples): string =>
  `${JSON.stringify(openApiDocument('/', examples), null, 2)}\n`;
