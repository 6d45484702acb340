// /docs: the documentation as pages, built from the repository's Markdown (release/docs.ts), with their style, search and
// pictures.
import { sitePaths } from '@commonhall/contract/site';
import type { FastifyInstance } from 'fastify';
import { cacheControl } from '../http/cache.ts';
import { failure, noSuchRoute } from '../http/errors.ts';
import { parseQuery } from '../http/query.ts';
import { sendBody } from '../http/route.ts';
import { assetsFolder, readFiles } from './files.ts';
import { htmlType, pageHeaders } from './page.ts';

export const docsRoutes = (app: FastifyInstance, folder = assetsFolder): void => {
  const files = readFiles(folder, 'docs');
  const cache = cacheControl('public', false, app.services.config.MAX_AGE_SECONDS, null);
  const options = { config: { operation: 'docs' } };
  // `*` has no value on the path without a rest: the index.
  for (const path of [sitePaths.docs, `${sitePaths.docs}/*`])
    app.get<{ Params: { '*'?: string } }>(path, options, async (request, reply) => {
      parseQuery({}, request.url);
      const file = files.get(request.params['*'] ?? '');
      if (files.size === 0)
        throw failure(
          'NOT_FOUND',
          'The documentation was not built; run `node release/assets.ts` and start the server again',
        );
      if (file === undefined || request.params['*'] === '') throw noSuchRoute();
      if (file.type === htmlType)
        pageHeaders(reply, {
          'script-src': "'self'",
          'style-src': "'self'",
          'img-src': "'self' data:",
          'connect-src': "'self'",
        });
      reply.header('cache-control', cache);
      return sendBody(request, reply, file);
    });
};
