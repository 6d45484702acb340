// Sponsors, their public bounties, and submissions as their members see them, wallets included.
import type { ParsedQueryOf } from '@commonhall/contract/operation';
import type { listSponsors } from '@commonhall/contract/sponsors';
import type { Db } from '../db/connection/database.ts';
import { sponsorBounties, sponsors, submissions } from '../db/lists/declarations.ts';
import type { Range } from '../db/lists/pages.ts';
import { unfiltered } from '../db/lists/pages.ts';
import type { Page, PageParts, PageQuery } from '../db/page.ts';
import { itemOf, listParts, readGuardedPage, readPage, readRootPage } from '../db/page.ts';
import type { JsonResult } from '../db/read-one.ts';
import { readOne } from '../db/read-one.ts';
import type { Sql } from '../db/sql.ts';
import { sql } from '../db/sql.ts';
import { bountyListKeys, sponsorNamed, submissionKeys } from './bounties.ts';
import { searchableParts } from './filtered.ts';
import type { Caller } from './users.ts';
import { contestUserSummary } from './users.ts';

const sponsorKeys: Sql = sql`r.id, r.slug, r.name, r.logo, r.website`;

type SponsorsQuery = ParsedQueryOf<typeof listSponsors>;

export const sponsorsParts = ({ q }: SponsorsQuery): PageParts => ({
  ...searchableParts({
    list: sponsors,
    sort: 'name',
    isUp: true,
    totals: sponsors,
    source: sql`(select s.*, s.ctid as place from sponsors s) r`,
    filters: {},
    q,
    range: {},
  }),
  item: itemOf(sponsorKeys),
});
export const readSponsors = (db: Db, query: SponsorsQuery): Promise<Page> =>
  readRootPage(db, query, sponsorsParts(query));

export const findSponsor = (db: Db, idOrSlug: string): Promise<JsonResult | null> =>
  readOne(
    db,
    sql`
      select i.item::text as json
      from (${sponsorNamed(idOrSlug)}) r
      cross join lateral (${itemOf(sponsorKeys)}) i`,
  );

export const sponsorBountiesParts = (idOrSlug: string, range: Range = {}): PageParts => ({
  parent: sponsorNamed(idOrSlug),
  ...listParts({ list: sponsorBounties, sort: 'published', isUp: false, parent: sql`parent.id`, range, ...unfiltered }),
  item: itemOf(bountyListKeys),
});
export const readSponsorBounties = (db: Db, idOrSlug: string, query: PageQuery & Range): Promise<Page | null> =>
  readPage(db, query, sponsorBountiesParts(idOrSlug, query));

type SponsorFailure = 'FORBIDDEN' | 'NOT_FOUND';

/** The checks follow the order of gap G5: the sponsor, the caller's role whatever the bounty, then the bounty. */
export const sponsorBountySubmissionsParts = (idOrSlug: string, bountyId: string, caller: Caller): PageParts => ({
  parent: sql`
    select b.id, coalesce(m.is_member, false) as is_member
    from (${sponsorNamed(idOrSlug)}) sp
    left join sponsor_members m on m.sponsor_id = sp.id and m.user_id = ${caller.userId}
    left join bounties b on b.id = ${bountyId} and b.sponsor_id = sp.id`,
  failure: sql`case when not parent.is_member then 'FORBIDDEN' when parent.id is null then 'NOT_FOUND' end`,
  ...listParts({ list: submissions, sort: 'created', isUp: false, parent: sql`parent.id`, ...unfiltered }),
  item: itemOf(sql`
    ${submissionKeys({
      status: sql`r.status`,
      moderationReason: sql`r.moderation_reason`,
      prizePlace: sql`r.prize_place`,
      summary: contestUserSummary,
    })},
    r.reward_wallet_address as "rewardWalletAddress"`),
});
export const readSponsorBountySubmissions = (
  db: Db,
  idOrSlug: string,
  bountyId: string,
  caller: Caller,
  query: PageQuery,
): Promise<Page | SponsorFailure | null> =>
  readGuardedPage<SponsorFailure>(db, query, sponsorBountySubmissionsParts(idOrSlug, bountyId, caller));
