// Bounties with their submissions and winners (spec 2.4 to 2.6). Sponsors' own views are in sponsors.ts.

import type { Static } from 'typebox';
import { Type } from 'typebox';
import { pageOf } from './envelope.ts';
import { operation } from './operation.ts';
import {
  AdditionalLink,
  Count,
  FieldDefinition,
  FieldValue,
  Id,
  LongText,
  listOf,
  Name,
  openWord,
  orNull,
  Place,
  paging,
  pathValue,
  record,
  SafeInteger,
  ShortText,
  Slug,
  statusWord,
  Timestamp,
  Url,
  UserSummary,
} from './shared.ts';

export const Sponsor = record({ id: Id, slug: Slug, name: Name, logo: orNull(Url), website: orNull(Url) });
export const Reward = record({ place: SafeInteger, amount: Type.Number() });

const listItem = {
  id: Id,
  slug: Slug,
  title: Name,
  shortDescription: ShortText,
  category: openWord(['CONTENT']),
  status: statusWord(['OPEN', 'REVIEW', 'COMPLETED']),
  rewards: listOf(Reward),
  imageUrl: orNull(Url),
  submissionStart: orNull(Timestamp),
  submissionEnd: orNull(Timestamp),
  reviewStart: orNull(Timestamp),
  reviewEnd: orNull(Timestamp),
  publishedAt: Timestamp,
  sponsor: Sponsor,
  submissionsVisible: Type.Boolean(),
  submissionCount: Count,
  createdAt: Timestamp,
};
export const BountyListItem = record(listItem);
export type BountyListItem = Static<typeof BountyListItem>;

export const MyBountyListItem = record(
  { ...listItem, publishedAt: orNull(Timestamp) },
  'As in the public lists; an unpublished bounty may have no publishedAt.',
);
export type MyBountyListItem = Static<typeof MyBountyListItem>;

export const Bounty = record({
  ...listItem,
  details: LongText,
  completedAt: orNull(Timestamp),
  fields: listOf(FieldDefinition),
  updatedAt: Timestamp,
});
export type Bounty = Static<typeof Bounty>;

/** The keys of a submission in every view; the sponsor's view replaces the users and adds the wallet. */
export const submissionKeys = {
  id: Id,
  title: Name,
  description: LongText,
  fieldValues: listOf(FieldValue),
  additionalLinks: listOf(AdditionalLink),
  imageUrl: orNull(Url),
  status: statusWord(['PENDING', 'APPROVED', 'WINNER']),
  moderationReason: orNull(ShortText),
  prizePlace: orNull(Place),
  commentCount: Count,
  clapCount: Count,
  user: UserSummary,
  makers: listOf(UserSummary),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};
export const BountySubmission = record(submissionKeys);
export type BountySubmission = Static<typeof BountySubmission>;

export const BountyWinner = record({ prizePlace: Place, user: UserSummary });
export type BountyWinner = Static<typeof BountyWinner>;

export const getBounty = operation('getBounty', {
  tag: 'Bounties',
  summary: 'One bounty by its slug',
  cache: 'public',
  params: { slug: pathValue('The slug of the bounty.') },
  query: {},
  data: Bounty,
  failures: [],
});

export const listBountySubmissions = operation('listBountySubmissions', {
  tag: 'Bounties',
  summary: 'The public submissions of a bounty, newest first',
  description: 'Prizes are shown once the bounty is completed.',
  cache: 'public',
  params: { bountyId: pathValue('The id of the bounty.') },
  query: paging,
  data: pageOf(BountySubmission),
  failures: ['SUBMISSIONS_HIDDEN'],
});

export const listMyBountySubmissions = operation('listMyBountySubmissions', {
  tag: 'Bounties',
  summary: "The caller's own submissions to a bounty, newest first",
  cache: 'private',
  params: { bountyId: pathValue('The id of the bounty.') },
  query: {},
  data: listOf(BountySubmission),
  failures: ['UNAUTHORIZED'],
});

export const listBountyWinners = operation('listBountyWinners', {
  tag: 'Bounties',
  summary: 'The winners of a bounty by prize place',
  description: 'Empty until the bounty is completed.',
  cache: 'public',
  params: { bountyId: pathValue('The id of the bounty.') },
  query: {},
  data: listOf(BountyWinner),
  failures: [],
});

export const listMyBounties = operation('listMyBounties', {
  tag: 'Bounties',
  summary: "The bounties of the caller's sponsors, newest first",
  cache: 'private',
  params: {},
  query: paging,
  data: pageOf(MyBountyListItem),
  failures: ['UNAUTHORIZED'],
});
