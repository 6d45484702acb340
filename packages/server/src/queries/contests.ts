// Contests and single contest submissions.
import type { listContests } from '@commonhall/contract/contests';
import type { ParsedQueryOf } from '@commonhall/contract/operation';
import type { Found, Page, PageParts } from '../db/page.ts';
import { jsonArray, readOne, readRootPage } from '../db/page.ts';
import type { Db } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import { repositoryKeys } from './repositories.ts';
import { userSummary } from './users.ts';

type ContestsQuery = ParsedQueryOf<typeof listContests>;

export const contestsParts = ({ displayStatus }: ContestsQuery): PageParts => {
  const rows = sql`
    from contests c
    where c.is_public
    ${
      displayStatus === undefined
        ? sql``
        : displayStatus === 'active'
          ? sql`and c.voting_end > api_now()`
          : sql`and c.voting_end <= api_now()`
    }`;
  return {
    // Whatever the filter and the page: at the next end of a voting some contest moves from active to completed.
    changesAt: sql`(select min(n.voting_end) from contests n where n.is_public and n.voting_end > api_now())`,
    total: sql`(select count(*) ${rows})`,
    items: ({ window }) => sql`
      select row_to_json(i) as item
      from (
        select
          c.id,
          c.slug,
          c.title,
          c.short_description as "shortDescription",
          c.details,
          c.rules,
          c.prize_pool as "prizePool",
          c.image_url as "imageUrl",
          c.judge_user_ids as "judgeUserIds",
          c.status,
          c.direct_link_enabled as "directLinkEnabled",
          c.fields,
          c.tracks,
          iso(c.submission_start) as "submissionStart",
          iso(c.submission_end) as "submissionEnd",
          iso(c.voting_start) as "votingStart",
          iso(c.voting_end) as "votingEnd",
          c.created_by_id as "createdById",
          iso(c.created_at) as "createdAt",
          iso(c.updated_at) as "updatedAt",
          case when c.voting_end > api_now() then 'active' else 'completed' end as "displayStatus"
        ${rows}
        order by c.submission_start desc, c.id desc
        ${window}
      ) i`,
  };
};
export const readContests = (db: Db, query: ContestsQuery): Promise<Page> =>
  readRootPage(db, query, contestsParts(query));

export const findContestSubmission = (db: Db, contestId: string, submissionId: string): Promise<Found | null> =>
  readOne(
    db,
    sql`
      select row_to_json(i)::text as json
      from contest_submissions s
      join contests c on c.id = s.contest_id
      left join repositories r on r.platform = s.repository_platform and r.platform_id = s.repository_platform_id
      cross join lateral (
        select
          s.id,
          s.contest_id as "contestId",
          s.user_id as "userId",
          s.title,
          s.description,
          s.track_ids as "trackIds",
          s.image_url as "imageUrl",
          s.field_values as "fieldValues",
          s.additional_links as "additionalLinks",
          s.status,
          null::text as "moderationReason", -- gap G12: never in a public view
          s.clap_count as "clapCount",
          s.comment_count as "commentCount",
          (
            select row_to_json(p)
            from (
              select
                s.clap_count as "totalCount",
                ${jsonArray(sql`
                  select row_to_json(k) as item
                  from (
                    select * from contest_submission_supporters cs
                    where cs.submission_id = s.id
                    order by cs.tier_place, cs.created_at, cs.user_id
                    limit 5
                  ) cs
                  join users su on su.id = cs.user_id
                  cross join lateral (
                    select su.id as "userId", su.username, su.avatar, cs.voting_tier as "votingTier"
                  ) k
                  order by cs.tier_place, cs.created_at, cs.user_id`)} as items
            ) p
          ) as "supportersPreview",
          s.prize_place as "prizePlace",
          ${userSummary(sql`s.user_id`)} as user,
          case when r.platform is not null then (select row_to_json(k) from (select ${repositoryKeys}) k) end as repository,
          iso(s.created_at) as "createdAt",
          iso(s.updated_at) as "updatedAt"
      ) i
      where s.id = ${submissionId}
        and s.contest_id = ${contestId}
        and s.is_public
        and c.is_public`,
  );
