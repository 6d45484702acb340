// Sponsors: their public bounties, and submissions as members of the sponsor see them.
import type { Static } from 'typebox';
import { BountyListItem, bountyColumns, Sponsor, submissionColumns, submissionKeys } from './bounties.ts';
import { pageOf } from './envelope.ts';
import { operation } from './operation.ts';
import {
  added,
  ContestUserSummary,
  listOf,
  orNull,
  Place,
  paging,
  pathValue,
  range,
  resource,
  ShortText,
  says,
  searchText,
  statusWord,
  Term,
} from './shared.ts';

export const SponsorBountySubmission = resource(
  'SponsorBountySubmission',
  {
    ...submissionKeys,
    status: statusWord(['PENDING', 'APPROVED', 'WINNER'], 'The state of the submission, as stored.'),
    moderationReason: says(orNull(ShortText), 'Why moderators decided as they did; null when they gave no reason.'),
    prizePlace: says(orNull(Place), 'The prize place, from 1, also before the bounty is completed; null without one.'),
    user: says(ContestUserSummary, 'The author of the submission.'),
    makers: says(listOf(ContestUserSummary), 'The users who made it together with the author; may be empty.'),
    rewardWalletAddress: says(
      orNull(Term),
      'The wallet to which a prize is paid; null when the author gave none. No other operation returns it.',
    ),
  },
  'A submission as members of the sponsor see it.',
);
export type SponsorBountySubmission = Static<typeof SponsorBountySubmission>;

export const listSponsors = operation('listSponsors', {
  tag: 'Sponsors',
  summary: 'Sponsors by name, all or those that are searched for',
  description: 'All sponsors, sorted by name in the order of code points.',
  isAddition: true,
  cache: 'public',
  params: {},
  query: { ...paging, q: added(searchText('A part of the name.', ['{name}'])) },
  data: pageOf(Sponsor),
  failures: [],
  example: { pageSize: 2 },
  columns: ['slug', 'name', 'website'],
  order: ['name', 'asc'],
});

export const getSponsor = operation('getSponsor', {
  tag: 'Sponsors',
  summary: 'One sponsor by its id or its slug',
  description: 'The value is looked up as an id first, then as a slug.',
  isAddition: true,
  cache: 'public',
  params: { idOrSlug: pathValue('The id or the slug of the sponsor.') },
  query: {},
  data: Sponsor,
  failures: [],
  example: { idOrSlug: 'acme' },
});

export const listSponsorBounties = operation('listSponsorBounties', {
  tag: 'Sponsors',
  summary: 'The public bounties of a sponsor, newest first',
  description:
    'The public bounties of one sponsor, sorted by `publishedAt`. An unknown sponsor returns 404, a sponsor without public bounties an empty page.',
  cache: 'public',
  params: { sponsorId: pathValue('The id or the slug of the sponsor. An id takes precedence.') },
  query: { ...paging, ...range('publishedAt') },
  data: pageOf(BountyListItem),
  failures: [],
  example: { sponsorId: 'sponsor-acme', pageSize: 2 },
  columns: bountyColumns,
  order: ['publishedAt', 'desc'],
});

export const listSponsorBountySubmissions = operation('listSponsorBountySubmissions', {
  tag: 'Sponsors',
  summary: "Every submission to a sponsor's bounty, for members of the sponsor",
  description:
    'The submissions in every state, newest first, with wallets and with the contests of tags. Requires a credential of a user with the role MEMBER, ADMIN or OWNER in the sponsor; otherwise the response is 403 `FORBIDDEN`.',
  cache: 'private',
  params: {
    sponsorId: pathValue('The id or the slug of the sponsor. An id takes precedence.'),
    bountyId: pathValue('The id of the bounty, not its slug.'),
  },
  query: paging,
  data: pageOf(SponsorBountySubmission),
  failures: ['UNAUTHORIZED', 'FORBIDDEN'],
  example: { sponsorId: 'sponsor-acme', bountyId: 'bounty-guide', pageSize: 2 },
  columns: submissionColumns,
  exampleCaller: 'member',
  order: ['createdAt', 'desc'],
});

export const sponsorOperations = { listSponsors, getSponsor, listSponsorBounties, listSponsorBountySubmissions };
