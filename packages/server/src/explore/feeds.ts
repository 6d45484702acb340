// Atom feeds of the newest launches, bounties and contests (RFC 4287), for readers of feeds.
import { sitePaths } from '@commonhall/contract/site';
import type { FastifyInstance } from 'fastify';
import { cacheControl } from '../http/cache.ts';
import { freshBody } from '../http/encoding.ts';
import { parseQuery } from '../http/query.ts';
import { getRoute, sendBody } from '../http/route.ts';
import type { Calls } from './calls.ts';
import { openCalls } from './calls.ts';
import { feedPath } from './frame.ts';
import { html } from './html.ts';
import { linkTo } from './parts.ts';

interface Entry {
  id: string;
  title: string;
  summary: string;
  path: string;
  published: string;
  author: string;
}
const newest = 50;
const feeds: Readonly<Record<'launches' | 'bounties' | 'contests', (call: Calls['call']) => Promise<Entry[]>>> = {
  launches: async (call) =>
    (await call('listLaunches', { pageSize: newest })).items.map((one) => ({
      id: one.id,
      title: one.name,
      summary: one.tagline,
      path: linkTo('getLaunch', { slug: one.slug }),
      published: one.publishedAt,
      author: one.submittedBy.displayName,
    })),
  bounties: async (call) =>
    (await call('listBounties', { pageSize: newest })).items.map((one) => ({
      id: one.id,
      title: one.title,
      summary: one.shortDescription,
      path: linkTo('getBounty', { slug: one.slug }),
      published: one.publishedAt,
      author: one.sponsor.name,
    })),
  contests: async (call) =>
    (await call('listContests', { pageSize: newest })).items.map((one) => ({
      id: one.id,
      title: one.title,
      summary: one.shortDescription,
      path: linkTo('getContest', { idOrSlug: one.slug }),
      published: one.submissionStart,
      author: '',
    })),
};

export const feedRoutes = (app: FastifyInstance): void => {
  const { config, rootUrl } = app.services;
  for (const [noun, read] of Object.entries(feeds)) {
    const path = feedPath(noun as keyof typeof feeds);
    getRoute(app, path, { operation: `explore ${noun} feed`, needsDatabase: true }, async (request, reply) => {
      parseQuery({}, request.url);
      const calls = openCalls(app, request);
      const entries = await read(calls.call);
      const root = rootUrl();
      // By the id, which a new slug does not change.
      const idOf = (id: string) => `tag:${new URL(root).hostname},2026:${noun}/${encodeURIComponent(id)}`;
      const name = config.COMMUNITY_NAME;
      const updated =
        entries
          .map(({ published }) => published)
          .sort()
          .at(-1) ?? '1970-01-01T00:00:00.000Z';
      const feed = html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>${name}: ${noun}</title>
<id>${root}${path}</id>
<link rel="self" href="${root}${path}"/>
<link href="${root}${sitePaths.explore}/${noun}"/>
<updated>${updated}</updated>
<author><name>${name}</name></author>
${entries.map(
  (
    one,
  ) => html`<entry><title>${one.title}</title><id>${idOf(one.id)}</id><link href="${root}${one.path}"/><published>${one.published}</published><updated>${one.published}</updated>${one.author !== '' && html`<author><name>${one.author}</name></author>`}<summary>${one.summary}</summary></entry>
`,
)}</feed>
`;
      reply.header('cache-control', cacheControl('public', false, config.MAX_AGE_SECONDS, calls.changesInMs()));
      const body = freshBody(Buffer.from(feed.text), config.COMPRESS_FROM_BYTES);
      return sendBody(request, reply, { ...body, type: 'application/atom+xml; charset=utf-8' });
    });
  }
};
