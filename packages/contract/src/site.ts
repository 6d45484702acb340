// What the server has beside the operations, at the root whatever the base path is. Pages and texts link to it from here.
import { statusPath } from './status.ts';

export const sitePaths = {
  docs: '/docs',
  reference: '/docs/reference',
  openapi: '/openapi.json',
  llms: '/llms.txt',
  status: statusPath,
  mcp: '/mcp',
} as const;
