// Contests and their submissions.
import type { listContestSubmissions, listContests } from '@commonhall/contract/contests';
import type { ParsedQueryOf } from '@commonhall/contract/operation';
import type { Db } from '../db/connection/database.ts';
import { contestSubmissions, contests, supporters, trackSubmissions } from '../db/lists/declarations.ts';
import type { ListRead, Window } from '../db/lists/pages.ts';
import { inRange, unfiltered } from '../db/lists/pages.ts';
import { countBelow, totalOf } from '../db/lists/totals.ts';
import type { Page, PageParts } from '../db/page.ts';
import { itemOf, jsonArray, listParts, readPage, readRootPage, skippingKind, widened } from '../db/page.ts';
import type { JsonResult } from '../db/read-one.ts';
import { readOne } from '../db/read-one.ts';
import type { Sql } from '../db/sql.ts';
import { joinSql, sql } from '../db/sql.ts';
import { byIdOrSlug, contains } from './filter.ts';
import { searchParts } from './filtered.ts';
import { repositoryKeys } from './repositories.ts';
import { userSummary } from './users.ts';

type ContestsQuery = ParsedQueryOf<typeof listContests>;

/** Of `contests r`. */
export const displayStatusOf = sql`case when r.voting_end > api_now() then 'active' else 'completed' end`;

/** The keys of a contest, from `contests r`. */
const contestKeys: Sql = sql`
  r.id,
  r.slug,
  r.title,
  r.short_description as "shortDescription",
  r.details,
  r.rules,
  r.prize_pool as "prizePool",
  r.image_url as "imageUrl",
  r.judge_user_ids as "judgeUserIds",
  r.status,
  r.direct_link_enabled as "directLinkEnabled",
  r.fields,
  r.tracks,
  iso(r.submission_start) as "submissionStart",
  iso(r.submission_end) as "submissionEnd",
  iso(r.voting_start) as "votingStart",
  iso(r.voting_end) as "votingEnd",
  r.created_by_id as "createdById",
  iso(r.created_at) as "createdAt",
  iso(r.updated_at) as "updatedAt",
  ${displayStatusOf} as "displayStatus"`;

/** At the next end of a voting some contest moves from active to completed. */
export const changesAt = sql`(select min(n.voting_end) from contests n where n.is_public and n.voting_end > api_now())`;

const all = { list: contests, isUp: false, parent: null, ...unfiltered };
/** How the contests in a range are read, those of one status as rows, and how many there are in any range. */
export const contestsRead = ({ displayStatus, ...range }: Pick<ContestsQuery, 'displayStatus' | 'from' | 'to'>) => {
  const read: ListRead = { ...all, sort: 'start', range };
  // Completed are contests whose voting has ended: those up to now in the order by the end of voting.
  const completed = countBelow({ ...all, sort: 'voting_end' }, '<=', sql`api_now()`);
  const isOfStatus = sql`r.voting_end ${displayStatus === 'completed' ? sql`<=` : sql`>`} api_now()`;
  return {
    read,
    isOfStatus,
    rows: sql`from contests r where ${joinSql([sql`r.is_public`, isOfStatus, ...inRange(read)], ' and ')}`,
    completed,
    whole: displayStatus === 'completed' ? completed : sql`${totalOf(contests, null)} - ${completed}`,
    hasRange: inRange(read).length > 0,
  };
};

const fewActive = 200;
export const contestsParts = (query: ContestsQuery): PageParts => {
  const { displayStatus } = query;
  const { read, rows: from, whole, hasRange, isOfStatus } = contestsRead(query);
  const search = contains(query.q);
  if (search !== undefined)
    return {
      changesAt,
      ...searchParts(read, {
        source: sql`(select c.*, c.ctid as place from contests c) r`,
        search,
        filters: displayStatus === undefined ? [] : [isOfStatus],
      }),
      item: itemOf(contestKeys),
    };
  const isCompleted = displayStatus === 'completed';
  const rows = ({ limit, offset }: Window) => sql`
    select r.*
    ${from}
    order by r.submission_start desc, r.id desc
    limit ${limit}::bigint offset ${offset.toString()}::bigint`;
  const filtered = {
    total: whole,
    rows,
    // Few contests are active at once, so the active ones are counted.
    near: (window: Window) => ({
      total: sql`(
        select case when count(*) <= ${fewActive} then ${isCompleted ? sql`${totalOf(contests, null)} - count(*)` : sql`count(*)`} end
        from (select from contests n where n.is_public and n.voting_end > api_now() limit ${fewActive + 1}) n
      )`,
      rows: rows(window),
      kind: skippingKind(window),
    }),
    kind: skippingKind,
  };
  // In a range they are counted when they are read: what has ended is not known for a part of the order. Sorted,
  // so that only this range of the order's index is read, which also has the end of voting.
  const filteredInRange = {
    total: sql`(select count(*) from (select ${from} order by r.submission_start, r.id offset 0) n)`,
    rows,
    near: () => null,
    kind: () => 'list' as const,
  };
  return {
    changesAt, // for every filter and page
    ...listParts(read),
    ...(displayStatus === undefined ? {} : hasRange ? filteredInRange : filtered),
    item: itemOf(contestKeys),
  };
};
export const readContests = (db: Db, query: ContestsQuery): Promise<Page> =>
  readRootPage(db, query, contestsParts(query));

const contestNamed = (idOrSlug: string): Sql => byIdOrSlug(sql`select * from contests where is_public`, idOrSlug);

export const findContest = (db: Db, idOrSlug: string): Promise<JsonResult | null> =>
  readOne(
    db,
    sql`
      select
        i.item::text as json,
        case when r.voting_end > api_now() then date_part('epoch', r.voting_end - api_now()) * 1000 end
      from (${contestNamed(idOrSlug)}) r
      cross join lateral (${itemOf(contestKeys)}) i`,
  );

/** Selects the JSON of a submission, from `contest_submissions r`. */
const submissionItem: Sql = sql`
  select row_to_json(i) as item
  from (select r.*) s
  cross join lateral (select ${totalOf(supporters, sql`s.id`)} as supporters offset 0) n
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
      coalesce(s.clap_count, n.supporters) as "clapCount", -- gap G10
      s.comment_count as "commentCount",
      (
        select row_to_json(p)
        from (
          select
            n.supporters as "totalCount",
            ${jsonArray(sql`
              select row_to_json(k) as item
              from (
                select * from contest_submission_supporters cs
                where cs.submission_id = s.id
                order by cs.tier_place, cs.created_at, cs.user_id
                limit 5
              ) cs
              cross join lateral (select * from users su where su.id = cs.user_id offset 0) su -- by key, never all users
              cross join lateral (
                select su.id as "userId", su.username, su.avatar, cs.voting_tier as "votingTier"
              ) k
              order by cs.tier_place, cs.created_at, cs.user_id`)} as items
        ) p
      ) as "supportersPreview",
      s.prize_place as "prizePlace",
      ${userSummary(sql`s.user_id`)} as user,
      (
        select k.item
        from repositories r
        cross join lateral (${itemOf(repositoryKeys)}) k
        where r.platform = s.repository_platform and r.platform_id = s.repository_platform_id and r.is_public
      ) as repository,
      iso(s.created_at) as "createdAt",
      iso(s.updated_at) as "updatedAt"
  ) i`;

export const findContestSubmission = (db: Db, idOrSlug: string, submissionId: string): Promise<JsonResult | null> =>
  readOne(
    db,
    sql`
      select i.item::text as json
      from (${contestNamed(idOrSlug)}) c
      join contest_submissions r on r.contest_id = c.id
      cross join lateral (${submissionItem}) i
      where r.id = ${submissionId} and r.is_public`,
  );

type SubmissionsQuery = ParsedQueryOf<typeof listContestSubmissions>;

export const contestSubmissionsParts = (idOrSlug: string, { trackId, ...range }: SubmissionsQuery): PageParts => {
  const order = { sort: 'created', isUp: false, range, ...unfiltered };
  const parent = contestNamed(idOrSlug);
  if (trackId === undefined)
    return {
      parent,
      ...listParts({ list: contestSubmissions, parent: sql`parent.id`, ...order }),
      item: submissionItem,
    };
  const track = sql`parent.id || E'\\x1f' || ${trackId}`;
  const parts = listParts({ list: trackSubmissions, parent: track, ...order });
  return { parent, ...widened(parts, 'contest_submissions'), item: submissionItem };
};
export const readContestSubmissions = (db: Db, idOrSlug: string, query: SubmissionsQuery): Promise<Page | null> =>
  readPage(db, query, contestSubmissionsParts(idOrSlug, query));
