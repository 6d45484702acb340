// Bounties, the public and the author's view of their submissions, winners, and the bounties of a caller's sponsors.
import type { Found, Page, PageParts, PageQuery } from '../db/page.ts';
import { jsonArray, readGuardedPage, readOne, readRootPage } from '../db/page.ts';
import type { Db } from '../db/pool.ts';
import type { Sql } from '../db/sql.ts';
import { sql } from '../db/sql.ts';
import type { Caller } from './users.ts';
import { userSummary } from './users.ts';

/** The keys of a bounty in lists, from `bounties b`. */
export const bountyListKeys: Sql = sql`
  b.id,
  b.slug,
  b.title,
  b.short_description as "shortDescription",
  b.category,
  b.status,
  b.rewards,
  b.image_url as "imageUrl",
  iso(b.submission_start) as "submissionStart",
  iso(b.submission_end) as "submissionEnd",
  iso(b.review_start) as "reviewStart",
  iso(b.review_end) as "reviewEnd",
  iso(b.published_at) as "publishedAt",
  (
    select row_to_json(s)
    from (select sp.id, sp.slug, sp.name, sp.logo, sp.website from sponsors sp where sp.id = b.sponsor_id) s
  ) as sponsor,
  b.submissions_visible as "submissionsVisible",
  b.submission_count as "submissionCount",
  iso(b.created_at) as "createdAt"`;

export const findBounty = (db: Db, slug: string): Promise<Found | null> =>
  readOne(
    db,
    sql`
      select row_to_json(i)::text as json
      from bounties b
      cross join lateral (
        select
          ${bountyListKeys},
          b.details,
          iso(b.completed_at) as "completedAt",
          b.fields,
          iso(b.updated_at) as "updatedAt"
      ) i
      where b.slug = ${slug} and b.is_public`,
  );

/** What differs between the views of a submission. */
interface SubmissionView {
  status: Sql;
  moderationReason: Sql;
  prizePlace: Sql;
  summary: (userId: Sql) => Sql;
}
/** The keys of a submission, from `bounty_submissions s`. */
export const submissionKeys = (view: SubmissionView): Sql => sql`
  s.id,
  s.title,
  s.description,
  s.field_values as "fieldValues",
  s.additional_links as "additionalLinks",
  s.image_url as "imageUrl",
  ${view.status} as status,
  ${view.moderationReason} as "moderationReason",
  ${view.prizePlace} as "prizePlace",
  s.comment_count as "commentCount",
  s.clap_count as "clapCount",
  ${view.summary(sql`s.user_id`)} as user,
  ${jsonArray(sql`
    select ${view.summary(sql`m.user_id`)} as item
    from bounty_submission_makers m
    where m.submission_id = s.id
    order by m.position`)} as makers,
  iso(s.created_at) as "createdAt",
  iso(s.updated_at) as "updatedAt"`;

// gap G12: until the platform has set completedAt nobody but the sponsor sees who won.
const unannounced = (completedAt: Sql, moderationReason: Sql): SubmissionView => ({
  status: sql`case when ${completedAt} is null and s.status = 'WINNER' then 'APPROVED' else s.status end`,
  moderationReason,
  prizePlace: sql`case when ${completedAt} is not null then s.prize_place end`,
  summary: userSummary,
});

export const bountySubmissionsParts = (bountyId: string): PageParts => ({
  parent: sql`
    select b.id, b.completed_at, b.submission_count, b.submissions_visible
    from bounties b
    where b.id = ${bountyId} and b.is_public`,
  failure: sql`case when not parent.submissions_visible then 'SUBMISSIONS_HIDDEN' end`, // spec 3.4
  total: sql`parent.submission_count`,
  items: ({ window }) => sql`
    select row_to_json(i) as item
    from (
      select * from bounty_submissions s
      where s.bounty_id = parent.id and s.is_public
      order by s.created_at desc, s.id desc
      ${window}
    ) s
    cross join lateral (select ${submissionKeys(unannounced(sql`parent.completed_at`, sql`null::text`))}) i
    order by s.created_at desc, s.id desc`,
});
export const readBountySubmissions = (
  db: Db,
  bountyId: string,
  query: PageQuery,
): Promise<Page | 'SUBMISSIONS_HIDDEN' | null> =>
  readGuardedPage<'SUBMISSIONS_HIDDEN'>(db, query, bountySubmissionsParts(bountyId));

/**
 * The caller's own submissions in every state; a bounty that is not public is there for who has one in it. Whether the
 * caller has one is looked up first and always: the time must not tell a hidden bounty from none.
 */
export const findMyBountySubmissions = (db: Db, bountyId: string, caller: Caller): Promise<Found | null> =>
  readOne(
    db,
    sql`
      select case when b.id is not null and (b.is_public or o.count > 0) then ${jsonArray(sql`
        select row_to_json(i) as item
        from bounty_submissions s
        cross join lateral (select ${submissionKeys(unannounced(sql`b.completed_at`, sql`s.moderation_reason`))}) i
        where s.bounty_id = b.id and s.user_id = ${caller.userId}
        order by s.created_at desc, s.id desc`)}::text end as json
      from (
        select count(*) from bounty_submissions s where s.bounty_id = ${bountyId} and s.user_id = ${caller.userId}
      ) o
      left join bounties b on b.id = ${bountyId}`,
  );

export const findBountyWinners = (db: Db, bountyId: string): Promise<Found | null> =>
  readOne(
    db,
    sql`
      select ${jsonArray(sql`
        select row_to_json(i) as item
        from bounty_submissions s
            cross join lateral (select s.prize_place as "prizePlace", ${userSummary(sql`s.user_id`)} as user) i
        where s.bounty_id = b.id
          and s.is_public
          and s.prize_place is not null
          and b.completed_at is not null
        order by s.prize_place`)}::text as json
      from bounties b
      where b.id = ${bountyId} and b.is_public`,
  );

// access: members see their sponsors' bounties in every state, a role below MEMBER the public ones, god_mode all.
export const myBountiesParts = (caller: Caller): PageParts => {
  const { rows, total } = caller.godMode
    ? { rows: sql`from bounties b`, total: sql`select sum(p.all_bounty_count) from sponsors p` }
    : {
        rows: sql`
          from sponsor_members m
          join bounties b on b.sponsor_id = m.sponsor_id
          where m.user_id = ${caller.userId} and (m.is_member or b.is_public)`,
        total: sql`
          select sum(case when m.is_member then p.all_bounty_count else p.bounty_count end)
          from sponsor_members m
          join sponsors p on p.id = m.sponsor_id
          where m.user_id = ${caller.userId}`,
      };
  return {
    kind: 'list', // no index has the order of several sponsors' bounties
    total: sql`coalesce((${total}), 0)`,
    items: ({ window }) => sql`
      select row_to_json(i) as item
      from (select b.* ${rows} order by b.created_at desc, b.id desc ${window}) b
      cross join lateral (select ${bountyListKeys}) i
      order by b.created_at desc, b.id desc`,
  };
};
export const readMyBounties = (db: Db, caller: Caller, query: PageQuery): Promise<Page> =>
  readRootPage(db, query, myBountiesParts(caller));
