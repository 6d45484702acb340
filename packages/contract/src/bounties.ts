// Bounties with their submissions and winners (spec 2.4 to 2.6). Sponsors' own views are in sponsors.ts.

import type { Static } from 'typebox';
import { pageOf } from './envelope.ts';
import { operation } from './operation.ts';
import {
  AdditionalLink,
  added,
  addedEach,
  Count,
  FieldDefinition,
  FieldValue,
  Finite,
  Flag,
  filterWord,
  Id,
  LongText,
  listOf,
  markdown,
  Name,
  openWord,
  orNull,
  Place,
  paging,
  pathValue,
  range,
  resource,
  SafeInteger,
  ShortText,
  Slug,
  says,
  searchText,
  sorting,
  statusWord,
  Timestamp,
  Url,
  UserSummary,
} from './shared.ts';

export const Sponsor = resource(
  'Sponsor',
  {
    id: says(Id, 'The id of the sponsor. Opaque.'),
    slug: says(Slug, 'The readable key of the sponsor in URLs. Case-sensitive.'),
    name: says(Name, 'The name of the sponsor.'),
    logo: says(orNull(Url), 'The URL of the logo; null when there is none.'),
    website: says(orNull(Url), 'The website; null when there is none.'),
  },
  'An organization that pays for bounties.',
);
export const Reward = resource(
  'Reward',
  {
    place: says(SafeInteger, 'The prize place, from 1.'),
    amount: says(Finite, 'What the place pays, in the unit that the platform uses.'),
  },
  'What a prize place pays.',
);

const listItem = {
  id: says(Id, 'The id of the bounty. Opaque.'),
  slug: says(Slug, 'The readable key of the bounty in URLs. Case-sensitive.'),
  title: says(Name, 'The title of the bounty.'),
  shortDescription: says(ShortText, 'What the bounty is about, in short.'),
  category: openWord(['CONTENT'], 'What kind of work is wanted.'),
  status: statusWord(['OPEN', 'REVIEW', 'COMPLETED'], 'The stage of the bounty.'),
  rewards: says(listOf(Reward), 'What the prize places pay.'),
  imageUrl: says(orNull(Url), 'The URL of the picture; null when there is none.'),
  submissionStart: says(orNull(Timestamp), 'From when submissions are taken; null when not set.'),
  submissionEnd: says(orNull(Timestamp), 'Until when submissions are taken; null when not set.'),
  reviewStart: says(orNull(Timestamp), 'When the review begins; null when not set.'),
  reviewEnd: says(orNull(Timestamp), 'When the review ends; null when not set.'),
  publishedAt: says(Timestamp, 'When the bounty was published.'),
  sponsor: says(Sponsor, 'The sponsor that pays for the bounty.'),
  submissionsVisible: says(Flag, 'Whether the public may read the submissions now; if not, their list is a 403.'),
  submissionCount: says(Count, 'How many public submissions there are, also while they are not visible.'),
  createdAt: says(Timestamp, 'When the bounty was created.'),
};
export const BountyListItem = resource('BountyListItem', listItem, 'A bounty in a list.');
export type BountyListItem = Static<typeof BountyListItem>;

export const MyBountyListItem = resource(
  'MyBountyListItem',
  {
    ...listItem,
    publishedAt: says(orNull(Timestamp), 'When the bounty was published; null while it is not.'),
  },
  'A bounty as members of its sponsor see it in a list: also one that is not public.',
);
export type MyBountyListItem = Static<typeof MyBountyListItem>;

export const Bounty = resource(
  'Bounty',
  {
    ...listItem,
    details: says(markdown(LongText), 'The full text for those who want to submit, in Markdown.'),
    completedAt: says(orNull(Timestamp), 'When the winners were decided; null while they are not, or when not given.'),
    fields: says(listOf(FieldDefinition), 'The fields that a submission must or may fill in.'),
    updatedAt: says(Timestamp, 'When the bounty last changed.'),
  },
  'A bounty with everything that is known about it.',
);
export type Bounty = Static<typeof Bounty>;

/** The keys of a submission in every view; the sponsor's view (sponsors.ts) overrides some and adds the wallet. */
export const submissionKeys = {
  id: says(Id, 'The id of the submission. Opaque.'),
  title: says(Name, 'The title of the submission.'),
  description: says(LongText, 'What the author says about the submission; may be empty.'),
  fieldValues: says(listOf(FieldValue), 'The fields of the bounty as the author filled them in.'),
  additionalLinks: says(listOf(AdditionalLink), 'Further links that the author gives; may be empty.'),
  imageUrl: says(orNull(Url), 'The URL of the picture; null when there is none.'),
  status: statusWord(
    ['PENDING', 'APPROVED', 'WINNER'],
    'The state of the submission. WINNER reads APPROVED until the bounty is completed.',
  ),
  moderationReason: says(
    orNull(ShortText),
    'Why moderators decided as they did. Only the author and members of the sponsor see it; null for all others.',
  ),
  prizePlace: says(orNull(Place), 'The prize place, from 1; null without a prize, and until the bounty is completed.'),
  commentCount: says(Count, 'How many comments the submission has.'),
  clapCount: says(Count, 'How many claps the submission has.'),
  user: says(UserSummary, 'The author of the submission.'),
  makers: says(listOf(UserSummary), 'The users who made it together with the author; may be empty.'),
  createdAt: says(Timestamp, 'When the submission was created.'),
  updatedAt: says(Timestamp, 'When the submission last changed.'),
};
export const BountySubmission = resource(
  'BountySubmission',
  submissionKeys,
  'A submission to a bounty, as the public and its author see it.',
);
export type BountySubmission = Static<typeof BountySubmission>;

export const BountyWinner = resource(
  'BountyWinner',
  {
    prizePlace: says(Place, 'The prize place, from 1. Two winners may share one.'),
    user: says(UserSummary, 'The author of the winning submission.'),
  },
  'Who won a prize, and which.',
);
export type BountyWinner = Static<typeof BountyWinner>;

/** What people look for in a list of bounties. */
export const bountyColumns = ['slug', 'title', 'status', 'rewards.amount', 'submissionEnd', 'sponsor.slug'];
export const submissionColumns = ['id', 'title', 'status', 'prizePlace', 'user.username', 'createdAt'];

export const listBounties = operation('listBounties', {
  tag: 'Bounties',
  summary: 'Public bounties, searched, filtered and sorted',
  description:
    'All public bounties, newest first unless sorted otherwise. Filters match exactly and are case-sensitive. Search and filters are combined with AND.',
  isAddition: true,
  cache: 'public',
  params: {},
  query: {
    ...paging,
    q: added(searchText('A part of the title.', ['{title}'])),
    sponsorId: filterWord('Only bounties of the sponsor with this id or slug; an id takes precedence.', 'sponsor.id'),
    status: filterWord('Only bounties of exactly this status, for example OPEN.', 'status'),
    category: filterWord('Only bounties of exactly this category, for example CONTENT.', 'category'),
    ...addedEach(
      sorting(['publishedAt', 'submissionEnd'], 'publishedAt', 'A null submissionEnd comes last in both directions.', [
        'submissionEnd',
      ]),
    ),
    ...range('publishedAt', { sorts: ['publishedAt', 'submissionEnd'] }),
  },
  data: pageOf(BountyListItem),
  failures: [],
  example: { status: 'OPEN', pageSize: 2 },
  columns: bountyColumns,
});

export const getBounty = operation('getBounty', {
  tag: 'Bounties',
  summary: 'One bounty by its slug',
  description:
    'The whole bounty with its sponsor and the fields of a submission. A bounty that is not public returns 404.',
  cache: 'public',
  params: { slug: pathValue('The slug of the bounty. Case-sensitive.') },
  query: {},
  data: Bounty,
  failures: [],
  example: { slug: 'write-the-guide' },
});

export const listBountySubmissions = operation('listBountySubmissions', {
  tag: 'Bounties',
  summary: 'The public submissions of a bounty, newest first',
  description:
    'A page of the public submissions. They can be read only while `submissionsVisible` of the bounty is true; otherwise the response is 403 `SUBMISSIONS_HIDDEN`. Prizes are shown once the bounty is completed.',
  cache: 'public',
  params: { bountyId: pathValue('The id of the bounty, not its slug.') },
  query: { ...paging, ...range('createdAt') },
  data: pageOf(BountySubmission),
  failures: ['SUBMISSIONS_HIDDEN'],
  example: { bountyId: 'bounty-guide', pageSize: 2 },
  columns: submissionColumns,
  order: ['createdAt', 'desc'],
});

export const listMyBountySubmissions = operation('listMyBountySubmissions', {
  tag: 'Bounties',
  summary: "The caller's own submissions to a bounty, newest first",
  description:
    'Returns a plain array of at most 100 submissions, without pages: in every state, with the moderation reason. Requires a credential.',
  cache: 'private',
  params: { bountyId: pathValue('The id of the bounty, not its slug.') },
  query: {},
  data: says(listOf(BountySubmission), "The caller's submissions, newest first."),
  failures: ['UNAUTHORIZED'],
  example: { bountyId: 'bounty-guide' },
  columns: submissionColumns,
  exampleCaller: 'stranger',
  order: ['createdAt', 'desc'],
});

export const listBountyWinners = operation('listBountyWinners', {
  tag: 'Bounties',
  summary: 'The winners of a bounty by prize place',
  description:
    'Returns a plain array of at most 100 winners, without pages and without the content of their submissions. It is empty until the bounty is completed.',
  cache: 'public',
  params: { bountyId: pathValue('The id of the bounty, not its slug.') },
  query: {},
  data: says(listOf(BountyWinner), 'The winners by prize place, and within one by the age of the submission.'),
  failures: [],
  example: { bountyId: 'bounty-guide' },
  columns: ['prizePlace', 'user.username', 'user.displayName'],
  order: ['prizePlace', 'asc'],
});

export const listMyBounties = operation('listMyBounties', {
  tag: 'Bounties',
  summary: "The bounties of the caller's sponsors, newest first",
  description:
    'The bounties of every sponsor that the caller is a member of, in every state, sorted by `createdAt`. A caller with the flag `god_mode` sees the bounties of all sponsors. Requires a credential.',
  cache: 'private',
  params: {},
  query: paging,
  data: pageOf(MyBountyListItem),
  failures: ['UNAUTHORIZED'],
  example: { pageSize: 2 },
  columns: bountyColumns,
  exampleCaller: 'god',
  order: ['createdAt', 'desc'],
});

export const bountyOperations = {
  listBounties,
  getBounty,
  listBountySubmissions,
  listMyBountySubmissions,
  listBountyWinners,
  listMyBounties,
};
