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
  ShortText,
  Slug,
  Timestamp,
  Title,
  Url,
  UserSummary,
} from './shared.ts';

export const Track = record({ id: Id, name: Name, description: orNull(ShortText), prizePool: orNull(ShortText) });

export const Contest = record({
  id: Id,
  slug: Slug,
  title: Title,
  shortDescription: ShortText,
  details: Type.String({ ...LongText, description: 'Markdown.' }),
  rules: LongText,
  prizePool: ShortText,
  imageUrl: orNull(Url),
  judgeUserIds: listOf(Id),
  status: openWord(['OPEN', 'VOTING', 'COMPLETED']),
  directLinkEnabled: Type.Boolean(),
  fields: orNull(listOf(FieldDefinition)),
  tracks: listOf(Track),
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
  title: Title,
  description: LongText,
  trackIds: listOf(Id),
  imageUrl: orNull(Url),
  fieldValues: listOf(FieldValue),
  additionalLinks: listOf(AdditionalLink),
  status: openWord(['APPROVED', 'WINNER']),
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
