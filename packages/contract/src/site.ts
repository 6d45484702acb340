// Paths that the server has besides the operations. They are at the root, not below the base path.
import { statusPath } from './status.ts';

export const sitePaths = {
  explore: '/explore',
  docs: '/docs',
  reference: '/docs/reference',
  openapi: '/openapi.json',
  index: '/index.json',
  llms: '/llms.txt',
  status: statusPath,
  mcp: '/mcp',
} as const;
