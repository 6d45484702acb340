// Routes of the explorer: a page for every operation at /explore and its path, the designed ones and the generic one; home,
// the index of operations, the search form, the stylesheet, robots.txt. Below /explore every answer is HTML, failures too.
import { operations } from '@commonhall/contract';
import type { Operation } from '@commonhall/contract/operation';
import { sitePaths } from '@commonhall/contract/site';
import type { OperationId } from '@commonhall/contract/table';
import { urlOf } from '@commonhall/contract/url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { cacheControl } from '../http/cache.ts';
import { cachedBody, freshBody } from '../http/encoding.ts';
import { invalid, noSuchRoute } from '../http/errors.ts';
import { parseQuery } from '../http/query.ts';
import { getRoute, routerPath, sendBody } from '../http/route.ts';
import { htmlType } from '../site/page.ts';
import { agentPages } from './agents.ts';
import { bountyPages } from './bounties.ts';
import type { AnyArgs, Calls } from './calls.ts';
import { openCalls } from './calls.ts';
import { collectionPages } from './collections.ts';
import { contestPages } from './contests.ts';
import { feedRoutes } from './feeds.ts';
import type { View } from './frame.ts';
import { framed } from './frame.ts';
import { genericView, lockedView } from './generic.ts';
import { homeView, operationsView, searchPages } from './home.ts';
import { launchPages } from './launches.ts';
import type { Designed } from './parts.ts';
import { pictures } from './pictures.ts';
import { repositoryPages } from './repositories.ts';
import { explorerHeaders, openSite, style, stylePath } from './site.ts';
import { userPages } from './users.ts';
import { msToMidnight } from './words.ts';

const designed: Partial<Record<OperationId, Designed>> = {
  ...launchPages,
  ...bountyPages,
  ...userPages,
  ...collectionPages,
  ...contestPages,
  ...repositoryPages,
  ...agentPages,
  ...searchPages,
} as Partial<Record<OperationId, Designed>>;

/** A form sends its empty fields too: the address without them, or null if there are none. */
const withoutEmpty = (url: string): string | null => {
  const [path = '', query = ''] = url.split('?', 2);
  const pairs = query.split('&');
  const given = pairs.filter((pair) => pair !== '' && !/^[^=]*=?$/.test(pair));
  if (query === '' || given.length === pairs.length) return null;
  return given.length === 0 ? path : `${path}?${given.join('&')}`;
};

/** The parameters that only the page has, and the address without them. */
const ownOf = (own: Designed['own'] = {}, url: string): { own: Record<string, string>; rest: string } => {
  const [path = '', query = ''] = url.split('?', 2);
  const found: Record<string, string> = {};
  const others = query.split('&').filter((pair) => {
    const [key = '', value = ''] = pair.split('=', 2);
    const form = Object.hasOwn(own, key) ? own[key] : undefined;
    if (form === undefined) return pair !== '';
    if (!form.test(value)) throw invalid(`parameter \`${key}\` of this page must be like ${form.source}`);
    found[key] = value;
    return false;
  });
  return { own: found, rest: others.length === 0 ? path : `${path}?${others.join('&')}` };
};

export const explorerRoutes = (app: FastifyInstance): void => {
  const { config } = app.services;
  if (!config.EXPLORER) return;
  const siteFor = openSite(app);
  const shown = pictures(config.EXPLORER_IMAGE_ORIGINS);
  const now = () => (config.FIXED_NOW === '' ? Date.now() : Date.parse(config.FIXED_NOW));

  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    calls: Calls,
    view: View,
  ): Promise<FastifyReply> => {
    const page = framed(await siteFor(request), view, calls.made);
    const changes = Math.min(calls.changesInMs() ?? Number.POSITIVE_INFINITY, msToMidnight(now()));
    reply.header('cache-control', cacheControl('public', false, config.MAX_AGE_SECONDS, changes - reply.elapsedTime));
    explorerHeaders(reply, config.EXPLORER_IMAGE_ORIGINS);
    return sendBody(request, reply, { ...freshBody(Buffer.from(page), config.COMPRESS_FROM_BYTES), type: htmlType });
  };
  const options = (id: string) => ({ operation: `explore ${id}`, needsDatabase: true });

  const operationPage = (operation: Operation): void => {
    const page = designed[operation.id];
    const link = (args: AnyArgs) => urlOf(sitePaths.explore, operation.id, args);
    const url = sitePaths.explore + routerPath(operation.path);
    getRoute<Record<string, string>>(app, url, options(operation.id), async (request, reply) => {
      // No row has such a name, and no call can be made with it: URL normalization removes dot segments.
      if (Object.values(request.params).some((value) => ['', '.', '..'].includes(value))) throw noSuchRoute();
      const clean = withoutEmpty(request.url);
      if (clean !== null) return reply.code(308).header('location', clean).send();
      const calls = openCalls(app, request);
      const { own, rest } = ownOf(page?.own, request.url);
      if (page?.empty !== undefined && !rest.includes('?')) return send(request, reply, calls, page.empty());
      const { values, given } = parseQuery(operation.query, rest);
      const args: AnyArgs = {
        ...request.params,
        ...Object.fromEntries(given.map((key) => [key, values[key] as string])),
      };
      if (operation.auth === 'required') {
        const made = { operation, args, path: urlOf('', operation.id, args) };
        calls.made.push(made);
        return send(request, reply, calls, lockedView(operation, made));
      }
      const data = await calls.call(operation.id, args as never);
      const view =
        page === undefined
          ? genericView({ operation, args, data, link })
          : await page.view({
              data: data as never,
              args: args as never,
              call: calls.call,
              pictures: shown,
              now: now(),
              own,
            });
      return send(request, reply, calls, view);
    });
  };
  for (const operation of Object.values<Operation>(operations)) operationPage(operation);

  getRoute(app, sitePaths.explore, options('home'), async (request, reply) => {
    parseQuery({}, request.url);
    const calls = openCalls(app, request);
    return send(request, reply, calls, await homeView(calls.call, shown, now(), config.COMMUNITY_NAME));
  });
  getRoute(app, `${sitePaths.explore}/operations`, options('operations'), async (request, reply) => {
    parseQuery({}, request.url);
    return send(request, reply, openCalls(app, request), operationsView());
  });

  feedRoutes(app);

  const css = cachedBody(style, 'text/css; charset=utf-8');
  getRoute(app, stylePath, { operation: 'explore style' }, async (request, reply) => {
    parseQuery({}, request.url);
    reply.header('cache-control', 'public, max-age=31536000, immutable');
    return sendBody(request, reply, css);
  });
  const robots = cachedBody(
    Buffer.from(`User-agent: *\nAllow: ${sitePaths.explore}\nDisallow: ${sitePaths.explore}/*?*q=\n`),
    'text/plain; charset=utf-8',
  );
  getRoute(app, '/robots.txt', { operation: 'robots' }, async (request, reply) => {
    parseQuery({}, request.url);
    reply.header('cache-control', cacheControl('public', false, config.MAX_AGE_SECONDS, null));
    return sendBody(request, reply, robots);
  });
};
