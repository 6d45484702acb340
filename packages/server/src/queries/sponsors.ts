// What is read through a sponsor: its public bounties, and submissions as its members see them, wallets included.
import type { Page, PageParts, PageQuery } from '../db/page.ts';
import { readGuardedPage, readPage } from '../db/page.ts';
import type { Db } from '../db/pool.ts';
import { sql } from '../db/sql.ts';
import { bountyListKeys, submissionKeys } from './bounties.ts';
import type { Caller } from './users.ts';
import { contestUserSummary } from './users.ts';

export const sponsorBountiesParts = (sponsorId: string): PageParts => ({
  parent: sql`select s.id, s.bounty_count from sponsors s where s.id = ${sponsorId}`,
  total: sql`parent.bounty_count`,
  items: ({ window }) => sql`
    select row_to_json(i) as item
    from (
      select * from bounties b
      where b.sponsor_id = parent.id and b.is_public
      order by b.published_at desc, b.id desc
      ${window}
    ) b
    cross join lateral (select ${bountyListKeys}) i
    order by b.published_at desc, b.id desc`,
});
export const readSponsorBounties = (db: Db, sponsorId: string, query: PageQuery): Promise<Page | null> =>
  readPage(db, query, sponsorBountiesParts(sponsorId));

type Refusal = 'FORBIDDEN' | 'NOT_FOUND';

/** The order of the verdicts is gap G5's: the sponsor, then the caller's role whatever the bounty, then the bounty. */
export const sponsorBountySubmissionsParts = (sponsorId: string, bountyId: string, caller: Caller): PageParts => ({
  parent: sql`
    select b.id, b.all_submission_count, coalesce(m.is_member, false) as is_member
    from sponsors sp
    left join sponsor_members m on m.sponsor_id = sp.id and m.user_id = ${caller.userId}
    left join bounties b on b.id = ${bountyId} and b.sponsor_id = sp.id
    where sp.id = ${sponsorId}`,
  failure: sql`case when not parent.is_member then 'FORBIDDEN' when parent.id is null then 'NOT_FOUND' end`,
  total: sql`parent.all_submission_count`,
  items: ({ window }) => sql`
    select row_to_json(i) as item
    from (
      select * from bounty_submissions s
      where s.bounty_id = parent.id
      order by s.created_at desc, s.id desc
      ${window}
    ) s
    cross join lateral (
      select
        ${submissionKeys({
          status: sql`s.status`,
          moderationReason: sql`s.moderation_reason`,
          prizePlace: sql`s.prize_place`,
          summary: contestUserSummary,
        })},
        s.reward_wallet_address as "rewardWalletAddress"
    ) i
    order by s.created_at desc, s.id desc`,
});
export const readSponsorBountySubmissions = (
  db: Db,
  sponsorId: string,
  bountyId: string,
  caller: Caller,
  query: PageQuery,
): Promise<Page | Refusal | null> =>
  readGuardedPage<Refusal>(db, query, sponsorBountySubmissionsParts(sponsorId, bountyId, caller));
