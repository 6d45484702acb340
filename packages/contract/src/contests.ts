// Contests and their submissions (spec 2.9, 2.10).

import type { Static } from 'typebox';
import { Type } from 'typebox';
import { pageOf } from './envelope.ts';
import { operation } from './operation.ts';
import { Repository } from './repositories.ts';
import {
  AdditionalLink,
  Avatar,
  added,
  Count,
  choice,
  FieldValue,
  Flag,
  filterChoice,
  filterWord,
  Id,
  LongText,
  listOf,
  markdown,
  Name,
  openObject,
  openWord,
  orNull,
  Place,
  paging,
  pathValue,
  range,
  resource,
  ShortText,
  Slug,
  says,
  searchText,
  statusWord,
  Timestamp,
  Url,
  UserSummary,
} from './shared.ts';

const Field = openObject(
  { label: 'a text', type: 'a word', required: 'true or false' },
  'A field that a submission fills in, shown as the platform gave it.',
);
const Track = openObject(
  { id: 'a text', name: 'a text', description: 'a text or null', prizePool: 'a text or null' },
  'A track, shown as the platform gave it; `trackIds` of a submission name the ids.',
);
export const [ContestFields, ContestTracks] = [listOf(Field), listOf(Track)];

export const Contest = resource(
  'Contest',
  {
    id: says(Id, 'The id of the contest. Opaque.'),
    slug: says(Slug, 'The readable key of the contest in URLs. Case-sensitive.'),
    title: says(Name, 'The title of the contest.'),
    shortDescription: says(ShortText, 'What the contest is about, in short.'),
    details: says(markdown(LongText), 'The full text for those who want to take part, in Markdown.'),
    rules: says(LongText, 'The rules; may be empty.'),
    prizePool: says(ShortText, 'What can be won, as text for people.'),
    imageUrl: says(orNull(Url), 'The URL of the picture; null when there is none.'),
    judgeUserIds: says(listOf(Id), 'The ids of the users who judge; may be empty.'),
    status: statusWord(['OPEN', 'VOTING', 'COMPLETED'], 'The stage of the contest, as the platform gives it.'),
    directLinkEnabled: says(Flag, 'Whether submissions may be opened by a direct link, as the platform gives it.'),
    fields: says(orNull(ContestFields), 'The fields that a submission fills in; null when the platform gives none.'),
    tracks: says(ContestTracks, 'The tracks that submissions belong to; may be empty.'),
    submissionStart: says(Timestamp, 'From when submissions are taken.'),
    submissionEnd: says(Timestamp, 'Until when submissions are taken.'),
    votingStart: says(Timestamp, 'When the voting begins.'),
    votingEnd: says(Timestamp, 'When the voting ends.'),
    createdById: says(Id, 'The id of the user who made the contest.'),
    createdAt: says(Timestamp, 'When the contest was created.'),
    updatedAt: says(Timestamp, 'When the contest last changed.'),
    displayStatus: choice(
      ['active', 'completed'],
      'completed once votingEnd has passed, active before. The passing of time alone can change it. There are no other values.',
    ),
  },
  'A contest.',
);
export type Contest = Static<typeof Contest>;

const Supporter = resource(
  'Supporter',
  {
    userId: says(Id, 'The id of the user.'),
    username: says(Slug, 'The unique name of the user in URLs.'),
    avatar: says(orNull(Avatar), 'The picture of the user; null when there is none.'),
    votingTier: openWord(['PLATINUM', 'GOLD', 'SILVER'], 'The tier of the user at the time of the vote.'),
  },
  'A user who supports the submission.',
);

export const ContestSubmission = resource(
  'ContestSubmission',
  {
    id: says(Id, 'The id of the submission. Opaque.'),
    contestId: says(Id, 'The id of the contest.'),
    userId: says(Id, 'The id of the author, the same as user.id.'),
    title: says(Name, 'The title of the submission.'),
    description: says(LongText, 'What the author says about the submission; may be empty.'),
    trackIds: says(listOf(Id), 'The ids of the tracks of the contest that it belongs to; may be empty.'),
    imageUrl: says(orNull(Url), 'The URL of the picture; null when there is none.'),
    fieldValues: says(listOf(FieldValue), 'The fields of the contest as the author filled them in.'),
    additionalLinks: says(listOf(AdditionalLink), 'Further links that the author gives; may be empty.'),
    status: statusWord(['APPROVED', 'WINNER'], 'The state of the submission. Only these two are public.'),
    moderationReason: says(orNull(ShortText), 'Always null: what moderators decided is not public.'),
    clapCount: says(Count, 'How many claps the submission has; the number of supporters when the platform gives none.'),
    commentCount: says(Count, 'How many comments the submission has.'),
    supportersPreview: resource(
      'SupportersPreview',
      {
        totalCount: says(Count, 'How many users support the submission.'),
        items: Type.Array(Supporter, {
          maxItems: 5,
          description: 'The first 5 of them: by voting tier, PLATINUM first, then by time.',
        }),
      },
      'The number of supporters, and the first of them.',
    ),
    prizePlace: says(orNull(Place), 'The prize place, from 1; null without a prize.'),
    user: says(UserSummary, 'The author of the submission.'),
    repository: says(orNull(Repository), 'The code of the submission in the catalogue; null when there is none.'),
    createdAt: says(Timestamp, 'When the submission was created.'),
    updatedAt: says(Timestamp, 'When the submission last changed.'),
  },
  'A submission to a contest.',
);
export type ContestSubmission = Static<typeof ContestSubmission>;

export const listContests = operation('listContests', {
  tag: 'Contests',
  summary: 'Contests, newest submission start first',
  description: 'All public contests, sorted by `submissionStart`.',
  cache: 'public',
  params: {},
  query: {
    ...paging,
    q: added(searchText('A part of the title.', ['{title}'])),
    displayStatus: filterChoice(
      ['active', 'completed'],
      'active: the voting has not ended; completed: it has; left out: both.',
      'displayStatus',
    ),
    ...range('submissionStart'),
  },
  data: pageOf(Contest),
  failures: [],
  example: { displayStatus: 'active', pageSize: 2 },
  columns: ['slug', 'title', 'displayStatus', 'prizePool', 'submissionEnd'],
  order: ['submissionStart', 'desc'],
});

export const getContest = operation('getContest', {
  tag: 'Contests',
  summary: 'One contest by its id or its slug',
  description: 'The value is looked up as an id first, then as a slug. A contest that is not public returns 404.',
  isAddition: true,
  cache: 'public',
  params: { idOrSlug: pathValue('The id or the slug of the contest.') },
  query: {},
  data: Contest,
  failures: [],
  example: { idOrSlug: 'contest-spring' },
});

export const listContestSubmissions = operation('listContestSubmissions', {
  tag: 'Contests',
  summary: 'The approved and winning submissions to a contest, newest first',
  description:
    'The public submissions of one contest, sorted by `createdAt`. Submissions in other states are neither listed nor counted.',
  isAddition: true,
  cache: 'public',
  params: { contestId: pathValue('The id or the slug of the contest. An id takes precedence.') },
  query: {
    ...paging,
    trackId: filterWord('Only submissions of the track with this id.', 'trackIds[]'),
    ...range('createdAt'),
  },
  data: pageOf(ContestSubmission),
  failures: [],
  example: { contestId: 'contest-spring', pageSize: 2 },
  columns: ['id', 'title', 'status', 'prizePlace', 'clapCount', 'user.username'],
  order: ['createdAt', 'desc'],
});

export const getContestSubmission = operation('getContestSubmission', {
  tag: 'Contests',
  summary: 'One approved or winning contest submission',
  description:
    'The submission with its author, its repository and a preview of its supporters. A submission in any other state than APPROVED or WINNER returns 404.',
  cache: 'public',
  params: {
    contestId: pathValue('The id or the slug of the contest. An id takes precedence.'),
    submissionId: pathValue('The id of the submission.'),
  },
  query: {},
  data: ContestSubmission,
  failures: [],
  example: { contestId: 'contest-spring', submissionId: 'entry-lighthouse' },
});

export const contestOperations = { listContests, getContest, listContestSubmissions, getContestSubmission };
