// /changes: all public records and then what changes, as NDJSON in the format that Commonhall itself loads.
import { changesQuery } from '@commonhall/contract/changes';
import { noticeHeaders } from '@commonhall/contract/notices';
import { changesPath, changesUrl } from '@commonhall/contract/url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GivenCursor } from '../changes/cursor.ts';
import { readCursor } from '../changes/cursor.ts';
import type { ChangesPage } from '../changes/pages.ts';
import { readChanges } from '../changes/pages.ts';
import { Unavailable } from '../gates.ts';
import { admit } from '../http/admission.ts';
import { cacheControl, etagOf } from '../http/cache.ts';
import { freshBody } from '../http/encoding.ts';
import { failure, invalid } from '../http/errors.ts';
import { linkHeader } from '../http/links.ts';
import { parseQuery } from '../http/query.ts';
import { dbOf, getRoute, sendBody } from '../http/route.ts';

const units = 5;
/** A cache in front turns any number of copies into one read a second. */
const freshSeconds = 1;

export const changesRoutes = (app: FastifyInstance): void => {
  const { config, limits, database } = app.services;

  /** Only the primary decides that a cursor is too old: a replica may not have its entry yet. Null: it cannot be asked. */
  const read = async (
    request: FastifyRequest,
    since: GivenCursor | null,
  ): Promise<ChangesPage | 'expired' | 'malformed' | null> => {
    const page = await readChanges(dbOf(app, request, true), since);
    if (page !== 'expired' || database.replicas().length === 0) return page;
    try {
      return await readChanges(dbOf(app, request, false), since);
    } catch (error) {
      if (error instanceof Unavailable) return null;
      throw error;
    }
  };
  const malformed = () => invalid('parameter `since` must be a cursor from the Link header of an earlier response');

  getRoute(
    app,
    config.BASE_PATH + changesPath,
    { operation: 'getChanges', needsDatabase: true, notices: noticeHeaders({ stability: 'experimental' }) },
    async (request, reply) => {
      const { since: given } = parseQuery(changesQuery, request.url).values as { since?: string };
      const since = given === undefined ? null : readCursor(given);
      if (given !== undefined && since === null) throw malformed();
      await admit(limits, request, units);
      const page = await read(request, since);
      const urlOf = (cursor: string | undefined) => changesUrl(app.services.apiUrl(), cursor);
      if (page === 'malformed') throw malformed();
      if (page === 'expired')
        throw failure(
          'CURSOR_EXPIRED',
          `This cursor is too old, or the database was restored; empty the copy and begin again: GET ${changesPath}`,
          { headers: { link: linkHeader({ first: urlOf(undefined) }) } },
        );
      const link = linkHeader({ next: urlOf(page?.next ?? given) });
      reply.header('link', link);
      if (page !== null && page.asOf !== null) reply.header('as-of', page.asOf);
      reply.header('cache-control', page === null ? 'no-store' : cacheControl('public', false, freshSeconds, null));
      const body = Buffer.from((page?.lines ?? []).map((line) => `${line}\n`).join(''));
      const etag = etagOf(Buffer.concat([body, Buffer.from(link)]));
      return sendBody(request, reply, {
        ...freshBody(body, config.COMPRESS_FROM_BYTES),
        etag,
        type: 'application/x-ndjson',
      });
    },
  );
};
