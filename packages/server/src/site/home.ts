// /: a page for browsers, and the same as JSON for programs. /llms.txt: a text for language models.
import { llmsText } from '@commonhall/contract/llms';
import { info } from '@commonhall/contract/openapi-texts';
import { sitePaths } from '@commonhall/contract/site';
import { version } from '@commonhall/contract/version';
import type { FastifyInstance } from 'fastify';
import { cacheControl } from '../http/cache.ts';
import type { Body } from '../http/encoding.ts';
import { cachedBody, weightsIn } from '../http/encoding.ts';
import { jsonType } from '../http/headers.ts';
import { parseQuery } from '../http/query.ts';
import { addVary, sendBody } from '../http/route.ts';
import { homePage, stylePolicy } from './home-page.ts';
import { htmlType, pageHeaders } from './page.ts';

/** Browsers name text/html; curl and most programs accept anything, and get JSON. */
export const prefersHtml = (accept: string | undefined): boolean => {
  const weights = weightsIn(accept ?? '');
  const html = weights.get('text/html') ?? weights.get('text/*') ?? 0;
  const json = weights.get('application/json') ?? weights.get('application/*') ?? weights.get('*/*') ?? 0;
  return html > 0 && html >= json;
};

const describe = (rootUrl: string, apiUrl: string): string => {
  const links = Object.fromEntries(Object.entries(sitePaths).map(([name, path]) => [name, rootUrl + path]));
  const data = { name: info.title, description: info.summary, version, links: { api: apiUrl, ...links } };
  return JSON.stringify({ success: true, data });
};

export const homeRoutes = (app: FastifyInstance): void => {
  const { config, rootUrl, apiUrl } = app.services;
  const fresh = cacheControl('public', false, config.MAX_AGE_SECONDS, null);
  // Built once, when the address is known.
  let page: Body | undefined;
  let description: Body | undefined;
  let llms: Body | undefined;

  app.get('/', { config: { operation: 'home' } }, async (request, reply) => {
    parseQuery({}, request.url);
    reply.header('cache-control', fresh);
    addVary(reply, 'Accept');
    if (!prefersHtml(request.headers.accept)) {
      description ??= cachedBody(Buffer.from(describe(rootUrl(), apiUrl())), jsonType);
      return sendBody(request, reply, description);
    }
    page ??= cachedBody(Buffer.from(homePage(rootUrl(), apiUrl())), htmlType);
    pageHeaders(reply, { 'style-src': stylePolicy, 'img-src': 'data:' });
    return sendBody(request, reply, page);
  });

  app.get(sitePaths.llms, { config: { operation: 'llms' } }, async (request, reply) => {
    parseQuery({}, request.url);
    reply.header('cache-control', fresh);
    llms ??= cachedBody(Buffer.from(llmsText(rootUrl(), apiUrl())), 'text/plain; charset=utf-8');
    return sendBody(request, reply, llms);
  });
};
