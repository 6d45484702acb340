// /: a page for people. /index.json: the same for programs. /llms.txt: a text for language models. Each path has one body,
// whatever the caller accepts: a cache that ignores Vary cannot mix them up.
import { llmsText } from '@commonhall/contract/llms';
import { info } from '@commonhall/contract/openapi-texts';
import { sitePaths } from '@commonhall/contract/site';
import { version } from '@commonhall/contract/version';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { cacheControl } from '../http/cache.ts';
import type { Body } from '../http/encoding.ts';
import { cachedBody } from '../http/encoding.ts';
import { jsonType } from '../http/headers.ts';
import { parseQuery } from '../http/query.ts';
import { getRoute, sendBody } from '../http/route.ts';
import { homePage, stylePolicy } from './home-page.ts';
import { htmlType, pageHeaders } from './page.ts';

const describe = (rootUrl: string, apiUrl: string, { COMMUNITY_NAME: name, EXPLORER }: Config): string => {
  const paths = Object.entries(sitePaths).filter(([key]) => EXPLORER || key !== 'explore');
  const links = Object.fromEntries(paths.map(([key, path]) => [key, rootUrl + path]));
  const data = { name, description: info.summary, version, links: { api: apiUrl, ...links } };
  return JSON.stringify({ success: true, data });
};

export const homeRoutes = (app: FastifyInstance): void => {
  const { config, rootUrl, apiUrl } = app.services;
  const fresh = cacheControl('public', false, config.MAX_AGE_SECONDS, null);
  // Built once, when the address is known.
  let page: Body | undefined;
  let index: Body | undefined;
  let llms: Body | undefined;

  getRoute(app, '/', { operation: 'home' }, async (request, reply) => {
    parseQuery({}, request.url);
    reply.header('cache-control', fresh);
    page ??= cachedBody(Buffer.from(homePage(rootUrl(), apiUrl(), config.COMMUNITY_NAME, config.EXPLORER)), htmlType);
    pageHeaders(reply, { 'style-src': stylePolicy, 'img-src': 'data:' });
    return sendBody(request, reply, page);
  });

  getRoute(app, sitePaths.index, { operation: 'home' }, async (request, reply) => {
    parseQuery({}, request.url);
    reply.header('cache-control', fresh);
    index ??= cachedBody(Buffer.from(describe(rootUrl(), apiUrl(), config)), jsonType);
    return sendBody(request, reply, index);
  });

  getRoute(app, sitePaths.llms, { operation: 'llms' }, async (request, reply) => {
    parseQuery({}, request.url);
    reply.header('cache-control', fresh);
    llms ??= cachedBody(Buffer.from(llmsText(rootUrl(), apiUrl(), config.COMMUNITY_NAME)), 'text/plain; charset=utf-8');
    return sendBody(request, reply, llms);
  });
};
