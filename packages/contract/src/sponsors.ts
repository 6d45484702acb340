// What is read through a sponsor: its public bounties, and the submissions as its members see them.
import type { Static } from 'typebox';
import { BountyListItem, submissionKeys } from './bounties.ts';
import { pageOf } from './envelope.ts';
import { operation } from './operation.ts';
import { ContestUserSummary, listOf, orNull, paging, pathValue, record, Term } from './shared.ts';

export const SponsorBountySubmission = record({
  ...submissionKeys,
  user: ContestUserSummary,
  makers: listOf(ContestUserSummary),
  rewardWalletAddress: orNull(Term),
});
export type SponsorBountySubmission = Static<typeof SponsorBountySubmission>;

export const listSponsorBounties = operation('listSponsorBounties', {
  tag: 'Sponsors',
  summary: 'The public bounties of a sponsor, newest first',
  cache: 'public',
  params: { sponsorId: pathValue('The id of the sponsor.') },
  query: paging,
  data: pageOf(BountyListItem),
  failures: [],
});

export const listSponsorBountySubmissions = operation('listSponsorBountySubmissions', {
  tag: 'Sponsors',
  summary: "Every submission to a sponsor's bounty, for members of the sponsor",
  cache: 'private',
  params: { sponsorId: pathValue('The id of the sponsor.'), bountyId: pathValue('The id of the bounty.') },
  query: paging,
  data: pageOf(SponsorBountySubmission),
  failures: ['UNAUTHORIZED', 'FORBIDDEN'],
});
