// Launches: one by its slug, the featured ones, those of a user, of a week, of a topic; and the launch weeks.
import type { listLaunches, listLaunchWeeks } from '@commonhall/contract/launches';
import type { ParsedQueryOf } from '@commonhall/contract/operation';
import type { Db } from '../db/connection/database.ts';
import {
  launches,
  launchWeeks,
  topicLaunches,
  topicWeekLaunches,
  userLaunches,
  weekLaunches,
} from '../db/lists/declarations.ts';
import type { ListRead, Range } from '../db/lists/pages.ts';
import { unfiltered } from '../db/lists/pages.ts';
import type { Page, PageParts, PageQuery } from '../db/page.ts';
import { itemOf, jsonArray, listParts, readPage, readRootPage, widened } from '../db/page.ts';
import type { JsonResult } from '../db/read-one.ts';
import { expectRow, readOne } from '../db/read-one.ts';
import type { Sql } from '../db/sql.ts';
import { sql } from '../db/sql.ts';
import { contains } from './filter.ts';
import { searchParts } from './filtered.ts';
import type { Caller } from './users.ts';
import { publicUser, userSummary } from './users.ts';

/** The keys of a launch in lists, from `launches r`. */
const listKeys: Sql = sql`
  r.id,
  r.slug,
  r.name,
  r.tagline,
  ${jsonArray(sql`
    select row_to_json(i) as item
    from launch_topics lt
    join topics t on t.id = lt.topic_id
    cross join lateral (select t.id, t.slug, t.name) i
    where lt.launch_id = r.id
    order by lt.position`)} as topics,
  r.logo_url as "logoUrl",
  r.cta_url as "ctaUrl",
  r.status,
  iso(r.launch_week) as "launchWeek",
  (select w.week_rank from lists.launch_week_ranks w where w.launch_id = r.id) as "weekRank",
  r.rating,
  r.launch_week_rating as "launchWeekRating",
  r.comment_count as "commentCount",
  ${userSummary(sql`r.submitted_by_id`)} as "submittedBy",
  iso(r.published_at) as "publishedAt",
  iso(r.created_at) as "createdAt"`;

export const findLaunch = (db: Db, slug: string, caller: Caller | null): Promise<JsonResult | null> =>
  readOne(
    db,
    sql`
      select row_to_json(i)::text as json
      from launches r
      cross join lateral (
        select
          ${listKeys},
          r.description,
          r.website_url as "websiteUrl",
          r.code_host_url as "codeHostUrl",
          r.messenger_url as "messengerUrl",
          r.mini_app_url as "miniAppUrl",
          r.microblog_url as "microblogUrl",
          r.photo_social_url as "photoSocialUrl",
          r.professional_network_url as "professionalNetworkUrl",
          r.video_site_url as "videoSiteUrl",
          r.video_url as "videoUrl",
          r.screenshot_urls as "screenshotUrls",
          ${jsonArray(sql`
            select ${userSummary(sql`m.user_id`)} as item
            from launch_makers m
            where m.launch_id = r.id
            order by m.position`)} as makers,
          iso(r.featured_at) as "featuredAt",
          iso(r.updated_at) as "updatedAt"
          ${
            caller === null
              ? sql``
              : sql`, coalesce((
                  select c.claps from launch_claps c where c.launch_id = r.id and c.user_id = ${caller.userId}
                ), 0) as "myClaps"`
          }
      ) i
      where r.slug = ${slug} and r.is_public`,
  );

export const findFeaturedLaunches = async (db: Db): Promise<JsonResult> =>
  expectRow(
    await readOne(
      db,
      sql`
      select ${jsonArray(sql`
        select i.item
        from launches r
        cross join lateral (${itemOf(listKeys)}) i
        where r.is_public and r.featured_at is not null
        order by r.featured_at desc, r.id desc`)}::text as json`,
    ),
  );

export const userLaunchesParts = (username: string, range: Range = {}): PageParts => ({
  parent: publicUser(username),
  ...listParts({ list: userLaunches, sort: 'published', isUp: false, parent: sql`parent.id`, range, ...unfiltered }),
  item: itemOf(listKeys),
});
export const readUserLaunches = (db: Db, username: string, query: PageQuery & Range): Promise<Page | null> =>
  readPage(db, query, userLaunchesParts(username, query));

type LaunchesQuery = ParsedQueryOf<typeof listLaunches>;

/** The parent of the list of a topic in a week. */
export const topicInWeek = (topicId: Sql, week: Sql): Sql => sql`${topicId} || E'\\x1f' || ${week}`;
/** The list of all launches, of those of a week by rank, of a topic, or of a topic in a week, and what it has as `parent`. */
export const launchesRead = ({
  launchWeek,
  topic,
  ...range
}: Pick<LaunchesQuery, 'launchWeek' | 'topic' | 'from' | 'to'>): { parent?: Sql; read: ListRead } => {
  const isWeek = launchWeek !== undefined;
  const order = { sort: isWeek ? 'rank' : 'published', isUp: isWeek, range, ...unfiltered };
  if (topic === undefined)
    return { read: { list: isWeek ? weekLaunches : launches, parent: isWeek ? sql`${launchWeek}` : null, ...order } };
  const list = isWeek ? topicWeekLaunches : topicLaunches;
  const id = sql`parent.id`;
  return {
    // An unknown topic has no launches: an empty list.
    parent: sql`select (select t.id from topics t where t.slug = ${topic}) as id offset 0`,
    read: { list, parent: isWeek ? topicInWeek(id, sql`${launchWeek}`) : id, ...order },
  };
};
const hasTopic = (slug: string): Sql => sql`exists (
  select from launch_topics lt join topics t on t.id = lt.topic_id where lt.launch_id = r.id and t.slug = ${slug}
)`;
export const launchesParts = (query: LaunchesQuery): PageParts => {
  const item = itemOf(listKeys);
  const search = contains(query.q);
  if (search !== undefined) {
    const { read } = launchesRead({ ...query, topic: undefined });
    const filters = query.topic === undefined ? [] : [hasTopic(query.topic)];
    return {
      ...searchParts(read, { source: sql`(select l.*, l.ctid as place from launches l) r`, search, filters }),
      item,
    };
  }
  const { parent, read } = launchesRead(query);
  const parts = { ...listParts(read), item };
  return parent === undefined ? parts : { parent, ...widened(parts, 'launches') };
};
export const readLaunches = (db: Db, query: LaunchesQuery): Promise<Page> =>
  readRootPage(db, query, launchesParts(query));

type WeeksQuery = ParsedQueryOf<typeof listLaunchWeeks>;

export const launchWeeksParts = ({ sortOrder, ...range }: WeeksQuery): PageParts => ({
  ...listParts({ list: launchWeeks, sort: 'week', isUp: sortOrder === 'asc', parent: null, range, ...unfiltered }),
  item: itemOf(sql`r.week as "launchWeek", r.launches as "launchCount"`),
});
export const readLaunchWeeks = (db: Db, query: WeeksQuery): Promise<Page> =>
  readRootPage(db, query, launchWeeksParts(query));
