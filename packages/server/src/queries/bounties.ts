// Bounties, the public and the author's view of their submissions, winners, and the bounties of a caller's sponsors.
import type { listBounties } from '@commonhall/contract/bounties';
import type { ParsedQueryOf } from '@commonhall/contract/operation';
import type { Db } from '../db/connection/database.ts';
import {
  bounties,
  memberBounties,
  publicSubmissions,
  sponsorBounties,
  userSubmissions,
} from '../db/lists/declarations.ts';
import { totalsTable } from '../db/lists/generator.ts';
import type { Range } from '../db/lists/pages.ts';
import { unfiltered } from '../db/lists/pages.ts';
import { totalOf } from '../db/lists/totals.ts';
import type { Page, PageParts, PageQuery } from '../db/page.ts';
import { itemOf, jsonArray, listParts, readGuardedPage, readPage, readRootPage } from '../db/page.ts';
import type { JsonResult } from '../db/read-one.ts';
import { readOne } from '../db/read-one.ts';
import type { Sql } from '../db/sql.ts';
import { plain, sql } from '../db/sql.ts';
import { byIdOrSlug, contains, equalities } from './filter.ts';
import { filteredParts, filteredRead, searchParts } from './filtered.ts';
import type { Caller } from './users.ts';
import { publicUser, userSummary } from './users.ts';

/** The keys of a bounty in lists, from `bounties r`. */
export const bountyListKeys: Sql = sql`
  r.id,
  r.slug,
  r.title,
  r.short_description as "shortDescription",
  r.category,
  r.status,
  r.rewards,
  r.image_url as "imageUrl",
  iso(r.submission_start) as "submissionStart",
  iso(r.submission_end) as "submissionEnd",
  iso(r.review_start) as "reviewStart",
  iso(r.review_end) as "reviewEnd",
  iso(r.published_at) as "publishedAt",
  (
    select row_to_json(s)
    from (select sp.id, sp.slug, sp.name, sp.logo, sp.website from sponsors sp where sp.id = r.sponsor_id) s
  ) as sponsor,
  r.submissions_visible as "submissionsVisible",
  ${totalOf(publicSubmissions, sql`r.id`)} as "submissionCount",
  iso(r.created_at) as "createdAt"`;

type BountiesQuery = ParsedQueryOf<typeof listBounties>;

export const sponsorNamed = (idOrSlug: string): Sql => byIdOrSlug(sql`select * from sponsors`, idOrSlug);

/** Selects the sponsor as the parent of a list; one that is not known has no rows. */
export const sponsorOrNone = (idOrSlug: string): Sql =>
  sql`select coalesce((select s.id from (${sponsorNamed(idOrSlug)}) s), '') as id`;

/** All public bounties, or those of one sponsor. */
export const bountiesParts = ({ q, sponsorId, status, category, ...query }: BountiesQuery): PageParts => {
  const isUp = query.sortOrder === 'asc';
  const read = {
    list: sponsorId === undefined ? bounties : sponsorBounties,
    // gap G2: null comes last in both directions, so submissionEnd has two orders.
    sort: { publishedAt: 'published', submissionEnd: isUp ? 'end_up' : 'end_down' }[query.sortBy],
    isUp,
    filters: { status, category },
    range: query,
  };
  const item = itemOf(bountyListKeys);
  const search = contains(q);
  if (search !== undefined)
    return {
      ...searchParts(
        filteredRead({ ...read, parent: sponsorId === undefined ? null : sql`(${sponsorOrNone(sponsorId)})` }).read,
        {
          source: sql`(select b.*, b.ctid as place from bounties b) r`,
          search,
          filters: equalities('r', read.filters),
        },
      ),
      item,
    };
  if (sponsorId === undefined) return { ...filteredParts({ ...read, parent: null }), item };
  return { parent: sponsorOrNone(sponsorId), ...filteredParts({ ...read, parent: sql`parent.id` }), item };
};
export const readBounties = (db: Db, query: BountiesQuery): Promise<Page> =>
  readRootPage(db, query, bountiesParts(query));

export const findBounty = (db: Db, slug: string): Promise<JsonResult | null> =>
  readOne(
    db,
    sql`
      select row_to_json(i)::text as json
      from bounties r
      cross join lateral (
        select
          ${bountyListKeys},
          r.details,
          iso(r.completed_at) as "completedAt",
          r.fields,
          iso(r.updated_at) as "updatedAt"
      ) i
      where r.slug = ${slug} and r.is_public`,
  );

/** What differs between the views of a submission. */
interface SubmissionView {
  status: Sql;
  moderationReason: Sql;
  prizePlace: Sql;
  summary: (userId: Sql) => Sql;
}
/** The keys of a submission, from `bounty_submissions r`. */
export const submissionKeys = (view: SubmissionView): Sql => sql`
  r.id,
  r.title,
  r.description,
  r.field_values as "fieldValues",
  r.additional_links as "additionalLinks",
  r.image_url as "imageUrl",
  ${view.status} as status,
  ${view.moderationReason} as "moderationReason",
  ${view.prizePlace} as "prizePlace",
  r.comment_count as "commentCount",
  r.clap_count as "clapCount",
  ${view.summary(sql`r.user_id`)} as user,
  ${jsonArray(sql`
    select ${view.summary(sql`m.user_id`)} as item
    from bounty_submission_makers m
    where m.submission_id = r.id
    order by m.position`)} as makers,
  iso(r.created_at) as "createdAt",
  iso(r.updated_at) as "updatedAt"`;

// gap G12: until the bounty is completed, only the sponsor sees who won.
const unannounced = (isCompleted: Sql, moderationReason: Sql): SubmissionView => ({
  status: sql`case when not ${isCompleted} and r.status = 'WINNER' then 'APPROVED' else r.status end`,
  moderationReason,
  prizePlace: sql`case when ${isCompleted} then r.prize_place end`,
  summary: userSummary,
});

export const bountySubmissionsParts = (bountyId: string, range: Range = {}): PageParts => ({
  parent: sql`
    select b.id, b.is_completed, b.submissions_visible
    from bounties b
    where b.id = ${bountyId} and b.is_public`,
  failure: sql`case when not parent.submissions_visible then 'SUBMISSIONS_HIDDEN' end`, // spec 3.4
  ...listParts({ list: publicSubmissions, sort: 'created', isUp: false, parent: sql`parent.id`, range, ...unfiltered }),
  item: itemOf(submissionKeys(unannounced(sql`parent.is_completed`, sql`null::text`))),
});
export const readBountySubmissions = (
  db: Db,
  bountyId: string,
  query: PageQuery & Range,
): Promise<Page | 'SUBMISSIONS_HIDDEN' | null> =>
  readGuardedPage<'SUBMISSIONS_HIDDEN'>(db, query, bountySubmissionsParts(bountyId, query));

/** The submissions of a user that all callers may see. */
export const userSubmissionsParts = (username: string, range: Range = {}): PageParts => ({
  parent: publicUser(username),
  ...listParts({ list: userSubmissions, sort: 'created', isUp: false, parent: sql`parent.id`, range, ...unfiltered }),
  item: sql`
    select i.item
    from bounties b
    cross join lateral (${itemOf(sql`
      ${submissionKeys(unannounced(sql`b.is_completed`, sql`null::text`))},
      (select row_to_json(n) from (select b.id, b.slug, b.title) n) as bounty`)}) i
    where b.id = r.bounty_id`,
});
export const readUserSubmissions = (db: Db, username: string, query: PageQuery & Range): Promise<Page | null> =>
  readPage(db, query, userSubmissionsParts(username, query));

/**
 * The caller's own submissions in every state. A bounty that is not public exists only for callers with a submission to
 * it. That is looked up first and always, so that the response time does not reveal a hidden bounty.
 */
export const findMyBountySubmissions = (db: Db, bountyId: string, caller: Caller): Promise<JsonResult | null> =>
  readOne(
    db,
    sql`
      select case when b.id is not null and (b.is_public or o.count > 0) then ${jsonArray(sql`
        select i.item
        from bounty_submissions r
        cross join lateral (${itemOf(submissionKeys(unannounced(sql`b.is_completed`, sql`r.moderation_reason`)))}) i
        where r.bounty_id = b.id and r.user_id = ${caller.userId}
        order by r.created_at desc, r.id desc`)}::text end as json
      from (
        select count(*) from bounty_submissions s where s.bounty_id = ${bountyId} and s.user_id = ${caller.userId}
      ) o
      left join bounties b on b.id = ${bountyId}`,
  );

export const findBountyWinners = (db: Db, bountyId: string): Promise<JsonResult | null> =>
  readOne(
    db,
    sql`
      select ${jsonArray(sql`
        select i.item
        from bounty_submissions s
        cross join lateral (${itemOf(sql`s.prize_place as "prizePlace", ${userSummary(sql`s.user_id`)} as user`)}) i
        where s.bounty_id = b.id
          and s.is_public
          and s.prize_place is not null
          and b.is_completed
        order by s.prize_place, s.created_at, s.id`)}::text as json
      from bounties b
      where b.id = ${bountyId} and b.is_public`,
  );

// access: members see their sponsors' bounties in every state, a role below MEMBER the public ones, god_mode all.
export const myBountiesParts = (caller: Caller): PageParts => {
  const { from, total } = caller.godMode
    ? {
        from: sql`from bounties r`,
        total: sql`select sum(t.rows)::bigint from ${plain(totalsTable(memberBounties))} t where t.facet = 0`,
      }
    : {
        from: sql`
          from sponsor_members m
          join bounties r on r.sponsor_id = m.sponsor_id
          where m.user_id = ${caller.userId} and (m.is_member or r.is_public)`,
        total: sql`
          select sum(case
            when m.is_member then ${totalOf(memberBounties, sql`m.sponsor_id`)}
            else ${totalOf(sponsorBounties, sql`m.sponsor_id`)}
          end)::bigint
          from sponsor_members m
          where m.user_id = ${caller.userId}`,
      };
  return {
    kind: () => 'list', // no index has the order of several sponsors' bounties
    total: sql`coalesce((${total}), 0)`,
    rows: ({ limit, offset }) => sql`
      select r.* ${from} order by r.created_at desc, r.id desc limit ${limit}::bigint offset ${offset.toString()}::bigint`,
    order: sql`r.created_at desc, r.id desc`,
    item: itemOf(bountyListKeys),
  };
};
export const readMyBounties = (db: Db, caller: Caller, query: PageQuery): Promise<Page> =>
  readRootPage(db, query, myBountiesParts(caller));
