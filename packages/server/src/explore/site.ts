// What the pages of one server share: names, addresses, which nouns have rows; the headers; and the page of a failure.
import { readFileSync } from 'node:fs';
import { sitePaths } from '@commonhall/contract/site';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { etagOf } from '../http/cache.ts';
import type { ApiFailure } from '../http/errors.ts';
import { answerOf } from '../http/route.ts';
import { pageHeaders } from '../site/page.ts';
import type { Data } from './calls.ts';
import type { Noun, Site } from './frame.ts';
import { framed, nouns } from './frame.ts';
import { html } from './html.ts';

export const style = readFileSync(new URL('../../explorer.css', import.meta.url));
export const stylePath = `${sitePaths.explore}/explorer-${etagOf(style).replaceAll('"', '')}.css`;

/** How long the numbers are kept that decide which nouns the bar shows. */
const keptMs = 60_000;

/** What a page of this server has around it. */
export const openSite = (app: FastifyInstance): ((request: FastifyRequest) => Promise<Site>) => {
  let kept: { shown: readonly Noun[]; until: number } | null = null;
  const shownNouns = async (request: FastifyRequest): Promise<readonly Noun[]> => {
    if (kept !== null && kept.until > Date.now()) return kept.shown;
    const { data } = await answerOf(app, request, { id: 'getCounts', params: {}, url: '' }, { units: 0 });
    const counts = JSON.parse(data) as Data<'getCounts'>;
    kept = { shown: (Object.keys(nouns) as Noun[]).filter((noun) => counts[noun] > 0), until: Date.now() + keptMs };
    return kept.shown;
  };
  return async (request) => siteOf(app, await shownNouns(request));
};
const siteOf = ({ services }: FastifyInstance, shown: readonly Noun[]): Site => {
  const { config, rootUrl, apiUrl } = services;
  return {
    community: { name: config.COMMUNITY_NAME, url: config.COMMUNITY_URL, logo: config.COMMUNITY_LOGO },
    rootUrl: rootUrl(),
    apiUrl: apiUrl(),
    style: stylePath,
    nouns: shown,
  };
};

/** A page loads its style and pictures of allowed origins, sends forms to this server, and runs no script. */
export const explorerHeaders = (reply: FastifyReply, imageOrigins: readonly string[]): void =>
  pageHeaders(reply, {
    'script-src': "'none'",
    'connect-src': "'self'", // for tools that read robots.txt through the page; no script can use it
    'style-src': "'self'",
    'img-src': ["'self'", 'data:', ...imageOrigins].join(' '),
    'form-action': "'self'",
  });

export const isExplorer = (url: string): boolean => new RegExp(`^${sitePaths.explore}(?=[/?]|$)`).test(url);

const titles: Readonly<Record<number, string>> = {
  400: 'That does not work',
  404: 'Nothing is here',
  405: 'That does not work',
  429: 'Too many requests',
  503: 'Not now',
};
/** A failure as a page in the same frame, without reading anything. */
export const failurePage = (app: FastifyInstance, { status, code, message }: ApiFailure): string => {
  const site = siteOf(app, Object.keys(nouns) as Noun[]);
  const title = titles[status] ?? 'Something went wrong';
  return framed(
    site,
    {
      title,
      description: title,
      lede: message,
      main: html`<div class="empty"><p><code>${status} ${code}</code></p>
        <p><a href="${sitePaths.explore}">To the beginning</a></p></div>`,
    },
    [],
  );
};
