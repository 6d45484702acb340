// Contests and single contest submissions (spec 2.9, 2.10).

import type { Static } from 'typebox';
import { Type } from 'typebox';
import { pageOf } from './envelope.ts';
import { operation } from './operation.ts';
import { Repository } from './repositories.ts';
import {
  AdditionalLink,
  Avatar,
  Count,
  choice,
  FieldValue,
  Id,
  LongText,
  listOf,
  Name,
  openObject,
  openWord,
  orNull,
  Place,
  paging,
  pathValue,
  record,
  ShortText,
  Slug,
  statusWord,
  Timestamp,
  Url,
  UserSummary,
} from './shared.ts';

const Field = openObject({ label: 'a text', type: 'a word', required: 'true or false' }, 'As the platform gave it.');
const Track = openObject(
  { id: 'a text', name: 'a text', description: 'a text or null', prizePool: 'a text or null' },
  'As the platform gave it; trackIds of a submission name the ids.',
);
export const [ContestFields, ContestTracks] = [listOf(Field), listOf(Track)];

export const Contest = record({
  id: Id,
  slug: Slug,
  title: Name,
  shortDescription: ShortText,
  details: Type.String({ ...LongText, description: 'Markdown.' }),
  rules: LongText,
  prizePool: ShortText,
  imageUrl: orNull(Url),
  judgeUserIds: listOf(Id),
  status: statusWord(['OPEN', 'VOTING', 'COMPLETED']),
  directLinkEnabled: Type.Boolean(),
  fields: orNull(ContestFields),
  tracks: ContestTracks,
  submissionStart: Timestamp,
  submissionEnd: Timestamp,
  votingStart: Timestamp,
  votingEnd: Timestamp,
  createdById: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  displayStatus: choice(['active', 'completed']),
});
export type Contest = Static<typeof Contest>;

const Supporter = record({
  userId: Id,
  username: Slug,
  avatar: orNull(Avatar),
  votingTier: openWord(['PLATINUM', 'GOLD', 'SILVER']),
});

export const ContestSubmission = record({
  id: Id,
  contestId: Id,
  userId: Id,
  title: Name,
  description: LongText,
  trackIds: listOf(Id),
  imageUrl: orNull(Url),
  fieldValues: listOf(FieldValue),
  additionalLinks: listOf(AdditionalLink),
  status: statusWord(['APPROVED', 'WINNER']),
  moderationReason: orNull(ShortText),
  clapCount: Count,
  commentCount: Count,
  supportersPreview: record({ totalCount: Count, items: Type.Array(Supporter, { maxItems: 5 }) }),
  prizePlace: orNull(Place),
  user: UserSummary,
  repository: orNull(Repository),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type ContestSubmission = Static<typeof ContestSubmission>;

export const listContests = operation('listContests', {
  tag: 'Contests',
  summary: 'Contests, newest submission start first',
  cache: 'public',
  params: {},
  query: { ...paging, displayStatus: choice(['active', 'completed']) },
  data: pageOf(Contest),
  failures: [],
});

export const getContestSubmission = operation('getContestSubmission', {
  tag: 'Contests',
  summary: 'One approved or winning contest submission',
  cache: 'public',
  params: { contestId: pathValue('The id of the contest.'), submissionId: pathValue('The id of the submission.') },
  query: {},
  data: ContestSubmission,
  failures: [],
});
