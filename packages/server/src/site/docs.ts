// /docs: the documentation as pages, built from the repository's Markdown (release/docs.ts), with their style, search and
// pictures.
import { sitePaths } from '@commonhall/contract/site';
import type { FastifyInstance } from 'fastify';
import { cacheControl } from '../http/cache.ts';
import type { Body } from '../http/encoding.ts';
import { cachedBody } from '../http/encoding.ts';
import { failure, noSuchRoute } from '../http/errors.ts';
import { parseQuery } from '../http/query.ts';
import { getRoute, sendBody } from '../http/route.ts';
import { assetsFolder, readFiles } from './files.ts';
import { escapeHtml, htmlType, pageHeaders } from './page.ts';

/** The pages with examples for callers of any server. Those of other pages are for the machine they run on. */
const callersPages = ['calling'];
/** The address in the examples of the Markdown, and the path behind it. */
const example = /http:\/\/127\.0\.0\.1:8080(?=(\/[\w.]*)?)/g;

/** A page whose examples have the address of this server. */
const withAddress = (page: Body, { rootUrl, apiUrl }: FastifyInstance['services']): (() => Promise<Body>) => {
  let made: Promise<Body> | undefined;
  const isOfSite = (path = '') => Object.values<string>(sitePaths).includes(path);
  const make = async () => {
    const text = String(await page.bytes('identity'));
    const ours = text.replace(example, (_, path?: string) => escapeHtml((isOfSite(path) ? rootUrl : apiUrl)()));
    return cachedBody(Buffer.from(ours), page.type);
  };
  return () => (made ??= make());
};

export const docsRoutes = (app: FastifyInstance, folder = assetsFolder): void => {
  const files = readFiles(folder, 'docs');
  const pages = new Map(
    callersPages.flatMap((path) => {
      const page = files.get(path);
      return page === undefined ? [] : [[path, withAddress(page, app.services)] as const];
    }),
  );
  const cache = cacheControl('public', false, app.services.config.MAX_AGE_SECONDS, null);
  // `*` has no value on the path without a rest: the index.
  for (const url of [sitePaths.docs, `${sitePaths.docs}/*`])
    getRoute<{ '*'?: string }>(app, url, { operation: 'docs' }, async (request, reply) => {
      parseQuery({}, request.url);
      const path = request.params['*'] ?? '';
      const file = files.get(path);
      if (files.size === 0)
        throw failure(
          'NOT_FOUND',
          'The documentation was not built; run `npx node release/assets.ts` and start the server again',
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
      return sendBody(request, reply, (await pages.get(path)?.()) ?? file);
    });
};
