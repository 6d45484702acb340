// User summaries in other objects, callers by credential, timelines and score tiers.
import type { ParsedQueryOf } from '@commonhall/contract/operation';
import type { getUserTimeline } from '@commonhall/contract/users';
import type { Db } from '../db/connection/database.ts';
import { timeline } from '../db/lists/declarations.ts';
import { unfiltered } from '../db/lists/pages.ts';
import type { StoredJson } from '../db/lists/stored-json.ts';
import { members, textsTable } from '../db/lists/stored-json.ts';
import { totalOf } from '../db/lists/totals.ts';
import type { Page, PageParts } from '../db/page.ts';
import { itemOf, listParts, readPage } from '../db/page.ts';
import type { JsonResult } from '../db/read-one.ts';
import { expectRow, readOne } from '../db/read-one.ts';
import type { Sql } from '../db/sql.ts';
import { plain, sql } from '../db/sql.ts';
import { equalities } from './filter.ts';

// gap G17: in views without contests a tag has no contestName, and is there once, at its first position.
const publicTags = `(
  select coalesce('[' || string_agg('{"tag":' || t.tag || ',"tier":' || t.tier || '}', ',' order by t.place) || ']', '[]')
  from (
    select (e.value -> 'tag')::text as tag, (e.value -> 'tier')::text as tier, min(e.place) as place
    from jsonb_array_elements(r.tags) with ordinality as e (value, place)
    group by 1, 2
  ) t
)`;
/** A user summary up to its tags, and the tags of both views. */
export const userSummaries: StoredJson = {
  name: 'user_summaries',
  table: 'users',
  id: 'id',
  texts: {
    head: `'{' || ${members('r.id, r.username, r.display_name as "displayName", r.avatar, r.bio, r.status')} || ',"tags":'`,
    public_tags: `${publicTags} || '}'`,
    contest_tags: `r.tags::text || '}'`,
  },
};
// Looked up by key for each row of a page: with a join the planner could read all users, since it does not know how
// small a page is.
const texts = plain(textsTable(userSummaries));
const summary = (userId: Sql, tags: Sql): Sql =>
  sql`(select u.head || u.${tags} from ${texts} u where u.id = ${userId})`;
/** UserSummary of a user by their id, as text. */
export const userText = (userId: Sql): Sql => summary(userId, sql`public_tags`);
/** The same as a value in a row. */
export const userSummary = (userId: Sql): Sql => sql`${userText(userId)}::json`;
/** UserSummary whose tags carry contestName: holders lists and the sponsor's view only. */
export const contestUserSummary = (userId: Sql): Sql => sql`${contestUserText(userId)}::json`;
/** The same as text, where it is the whole item. */
export const contestUserText = (userId: Sql): Sql => summary(userId, sql`contest_tags`);

export interface Caller {
  userId: string;
  godMode: boolean;
  /** The API key that the caller used; null with a JWT. */
  keyId: string | null;
}
const findCaller = async (db: Db, statement: Sql): Promise<Caller | null> => {
  const [row] = await db.query('point', statement);
  const [userId, godMode, keyId = null] = row ?? [];
  return typeof userId === 'string' ? { userId, godMode: godMode === 't', keyId } : null;
};
/** The user of an API key, by its hash under each pepper. Not for expired or revoked keys, or deactivated users. */
export const findCallerByKey = (db: Db, hashes: Buffer[]): Promise<Caller | null> => {
  const any = `{${hashes.map((hash) => `\\\\x${hash.toString('hex')}`).join(',')}}`;
  return findCaller(
    db,
    sql`
      select u.id, u.god_mode, k.id
      from api_keys k
      join users u on u.id = k.user_id
      where k.hash = any (${any}::bytea[])
        and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > api_now())
        and u.is_public`,
  );
};
/** The user that a JWT names. */
export const findCallerById = (db: Db, userId: string): Promise<Caller | null> =>
  findCaller(
    db,
    sql`
      select u.id, u.god_mode, null
      from users u
      where u.id = ${userId} and u.is_public`,
  );

export const findUser = (db: Db, username: string): Promise<JsonResult | null> =>
  readOne(db, sql`select ${userText(sql`p.id`)} as json from users p where p.username = ${username} and p.is_public`);

/** Selects a public user as the parent of a list. */
export const publicUser = (username: string): Sql =>
  sql`select u.id from users u where u.username = ${username} and u.is_public`;

type TimelineQuery = ParsedQueryOf<typeof getUserTimeline>;

export const timelineParts = (username: string, { type, sortOrder, ...range }: TimelineQuery): PageParts => {
  const list = { list: timeline, sort: 'date', isUp: sortOrder === 'asc', parent: sql`parent.id`, range };
  const filter = {
    fitting: sql`select facet_of(${type ?? null})`,
    fits: sql`r.type = ${type ?? null}`, // not the facet, as in filteredParts: a tenth faster on random pages
  };
  const total = totalOf(timeline, sql`parent.id`, (of) => equalities(of, { type }));
  return {
    parent: publicUser(username),
    ...listParts({ ...list, ...(type === undefined ? unfiltered : filter) }, total),
    item: itemOf(sql`r.type, iso(r.date) as date, r.details`),
  };
};
export const readTimeline = (db: Db, username: string, query: TimelineQuery): Promise<Page | null> =>
  readPage(db, query, timelineParts(username, query));

export const findScoreTiers = async (db: Db): Promise<JsonResult> =>
  expectRow(
    await readOne(
      db,
      sql`
      select '{' || string_agg(
        to_json(s.dimension)::text || ':' || row_to_json(d)::text,
        ',' order by array_position(array['developer', 'builder', 'contributor', 'messenger', 'identity'], s.dimension)
      ) || '}' as json
      from score_tiers s
      cross join lateral (
        select
          (
            select row_to_json(t)
            from (
              select
                s.silver,
                s.gold,
                (select row_to_json(p) from (select s.platinum_score as score, s.platinum_percentile as percentile) p) as platinum
            ) t
          ) as tiers,
          s.metrics
      ) d`,
    ),
  );
