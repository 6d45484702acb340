// The text of the committed openapi.json.
import { openApiDocument } from '../../src/openapi.ts';

export const openApiText = (): string => `${JSON.stringify(openApiDocument('/'), null, 2)}\n`;
