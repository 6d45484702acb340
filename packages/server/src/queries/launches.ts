// Launches: one by its slug, the featured ones, those of a user.
import type { Found, Page, PageParts, PageQuery } from '../db/page.ts';
import { always, jsonArray, readOne, readPage } from '../db/page.ts';
import type { Db } from '../db/pool.ts';
import type { Sql } from '../db/sql.ts';
import { sql } from '../db/sql.ts';
import type { Caller } from './users.ts';
import { userSummary } from './users.ts';

/** The keys of a launch in lists, from `launches l`. */
const listKeys: Sql = sql`
  l.id,
  l.slug,
  l.name,
  l.tagline,
  ${jsonArray(sql`
    select row_to_json(i) as item
    from launch_topics lt
    join topics t on t.id = lt.topic_id
    cross join lateral (select t.id, t.slug, t.name) i
    where lt.launch_id = l.id
    order by lt.position`)} as topics,
  l.logo_url as "logoUrl",
  l.cta_url as "ctaUrl",
  l.status,
  iso(l.launch_week) as "launchWeek",
  (select r.week_rank from launch_week_ranks r where r.launch_id = l.id) as "weekRank",
  l.rating,
  l.launch_week_rating as "launchWeekRating",
  l.comment_count as "commentCount",
  ${userSummary(sql`l.submitted_by_id`)} as "submittedBy",
  iso(l.published_at) as "publishedAt",
  iso(l.created_at) as "createdAt"`;

export const findLaunch = (db: Db, slug: string, caller: Caller | null): Promise<Found | null> =>
  readOne(
    db,
    sql`
      select row_to_json(i)::text as json
      from launches l
      cross join lateral (
        select
          ${listKeys},
          l.description,
          l.website_url as "websiteUrl",
          l.code_host_url as "codeHostUrl",
          l.messenger_url as "messengerUrl",
          l.mini_app_url as "miniAppUrl",
          l.microblog_url as "microblogUrl",
          l.photo_social_url as "photoSocialUrl",
          l.professional_network_url as "professionalNetworkUrl",
          l.video_site_url as "videoSiteUrl",
          l.video_url as "videoUrl",
          l.screenshot_urls as "screenshotUrls",
          ${jsonArray(sql`
            select ${userSummary(sql`m.user_id`)} as item
            from launch_makers m
            where m.launch_id = l.id
            order by m.position`)} as makers,
          iso(l.featured_at) as "featuredAt",
          iso(l.updated_at) as "updatedAt"
          ${
            caller === null
              ? sql``
              : sql`, coalesce((
                  select c.claps from launch_claps c where c.launch_id = l.id and c.user_id = ${caller.userId}
                ), 0) as "myClaps"`
          }
      ) i
      where l.slug = ${slug} and l.is_public`,
  );

export const findFeaturedLaunches = async (db: Db): Promise<Found> =>
  always(
    await readOne(
      db,
      sql`
      select ${jsonArray(sql`
        select row_to_json(i) as item
        from launches l
        cross join lateral (select ${listKeys}) i
        where l.is_public and l.featured_at is not null
        order by l.featured_at desc, l.id desc`)}::text as json`,
    ),
  );

export const userLaunchesParts = (username: string): PageParts => ({
  parent: sql`select u.id from users u where u.username = ${username} and u.is_public`,
  total: sql`coalesce((select n.launches from user_totals n where n.user_id = parent.id), 0)`,
  items: ({ window }) => sql`
    select row_to_json(i) as item
    from (
      select * from launches l
      where l.submitted_by_id = parent.id and l.is_public
      order by l.published_at desc, l.id desc
      ${window}
    ) l
    cross join lateral (select ${listKeys}) i
    order by l.published_at desc, l.id desc`,
});
export const readUserLaunches = (db: Db, username: string, query: PageQuery): Promise<Page | null> =>
  readPage(db, query, userLaunchesParts(username));
