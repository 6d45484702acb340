// /docs/reference: the OpenAPI document to read and to try, shown by Scalar's bundle from our own files.
import { info } from '@commonhall/contract/openapi-texts';
import { sitePaths } from '@commonhall/contract/site';
import type { FastifyInstance } from 'fastify';
import { cacheControl } from '../http/cache.ts';
import { cachedBody } from '../http/encoding.ts';
import { failure, noSuchRoute } from '../http/errors.ts';
import { parseQuery } from '../http/query.ts';
import { getRoute, sendBody } from '../http/route.ts';
import { assetsFolder, readFiles } from './files.ts';
import { escapeHtml, htmlType, pageHeaders, pageOf } from './page.ts';

const notBuilt = () =>
  failure('NOT_FOUND', 'The reference page was not built; run `npx node release/assets.ts` and start the server again');

/** A way back above the bundle's page, which makes room for it; and two corrections of its style. */
const style = `:root { --scalar-custom-header-height: 2.5rem; }
.site { display: flex; gap: 1.25rem; align-items: center; height: 2.5rem; padding: 0 1.25rem; position: sticky; top: 0;
  z-index: 10; background: var(--scalar-background-1); border-bottom: 1px solid var(--scalar-border-color);
  font: 0.875rem system-ui, sans-serif; }
.site a { color: var(--scalar-color-2); text-underline-offset: 0.2em; }
/* An operation gets the focus when its address is opened, not by the keyboard. */
.section[tabindex='-1']:focus { outline: none; }
/* The last statuses were under the button that copies. */
.response-card .scalar-card-header-title { margin-right: 1rem; }
.response-card .tab-list .tab { font-size: 0.75rem; }
`;

const pageText = (scripts: Iterable<string>): string =>
  pageOf({
    title: `${info.title} API reference`,
    head: `<meta name="description" content="Every operation, parameter and value of the API, to read and to try.">
<style>${style}</style>`,
    body: `<nav class="site" aria-label="Site"><a href="..">${info.title}</a><a href="../docs">Documentation</a></nav>
<div id="reference"></div>
<noscript><p>The reference needs JavaScript. The same is in <a href="../openapi.json">openapi.json</a>.</p></noscript>
${[...scripts].map((name) => `<script src="reference/${escapeHtml(name)}" defer></script>`).join('\n')}`,
  });

export const referenceRoutes = (app: FastifyInstance, folder = assetsFolder): void => {
  const files = readFiles(folder, 'reference');
  const page = files.size === 0 ? null : cachedBody(Buffer.from(pageText(files.keys())), htmlType);
  const options = { operation: 'reference' };

  getRoute(app, sitePaths.reference, options, async (request, reply) => {
    parseQuery({}, request.url);
    if (page === null) throw notBuilt();
    pageHeaders(reply, {
      'script-src': "'self'",
      // The bundle gives a nonce to its first style sheet only; those of its theme and its editor, and style
      // attributes, come without one. Styles alone can load nothing here: no font, and images only from this server.
      'style-src': "'unsafe-inline'",
      'img-src': "'self' data:",
      // Requests that a reader tries go to the public address, which may differ from the one in the address bar.
      'connect-src': `'self' ${new URL(app.services.apiUrl()).origin}`,
    });
    reply.header('cache-control', cacheControl('public', false, app.services.config.MAX_AGE_SECONDS, null));
    return sendBody(request, reply, page);
  });

  getRoute<{ file: string }>(app, `${sitePaths.reference}/:file`, options, async (request, reply) => {
    parseQuery({}, request.url);
    const file = files.get(request.params.file);
    if (file === undefined) throw noSuchRoute();
    reply.header('cache-control', 'public, max-age=31536000, immutable');
    return sendBody(request, reply, file);
  });
};
