// One user, their activity timeline, and the score tiers (spec 2.12, 2.13).

import type { Static } from 'typebox';
import { Type } from 'typebox';
import { sliceOf } from './envelope.ts';
import { operation } from './operation.ts';
import {
  added,
  Finite,
  filterChoice,
  listOf,
  openObject,
  pathValue,
  range,
  record,
  resource,
  ShortText,
  says,
  slicing,
  sortOrder,
  Term,
  Timestamp,
  UserSummary,
} from './shared.ts';

export const timelineTypes = ['COMMIT', 'PR', 'BADGE_RECEIVED', 'GIFT_RECEIVED'] as const;

// gap G10: details are what the platform gave.
const repository = 'an object with platform, owner and name';
const asGiven = 'What the platform says about it, shown as given: every key may be missing, and others may come.';
const detailsOf = {
  COMMIT: openObject({ sha: 'a text', message: 'a text', url: 'a URL', repository }, asGiven),
  PR: openObject(
    {
      number: 'a number',
      title: 'a text',
      state: 'a word',
      url: 'a URL',
      mergedAt: 'an instant or null',
      repository,
    },
    asGiven,
  ),
  BADGE_RECEIVED: openObject(
    {
      collectionAddress: 'the address of a collection',
      collectionName: 'a text',
      image: 'a URL',
      itemIndex: 'a number',
    },
    asGiven,
  ),
  GIFT_RECEIVED: openObject(
    { giftId: 'a text', name: 'a text', image: 'a URL or null', from: 'a text or null' },
    asGiven,
  ),
};
const item = <const T extends (typeof timelineTypes)[number]>(type: T, meaning: string) =>
  record(
    {
      type: Type.Literal(type, {
        description: 'What kind of activity it is. There are no other kinds than these four.',
      }),
      date: says(Timestamp, 'When it happened.'),
      details: detailsOf[type],
    },
    meaning,
  );

export const TimelineItem = Type.Union(
  [
    item('COMMIT', 'A commit of the user.'),
    item('PR', 'A pull request of the user.'),
    item('BADGE_RECEIVED', 'A badge that the user received.'),
    item('GIFT_RECEIVED', 'A gift that the user received.'),
  ],
  { title: 'TimelineItem', description: 'Something that a user did or received; `type` says which of the four it is.' },
);
export type TimelineItem = Static<typeof TimelineItem>;

export const scoreDimensions = ['developer', 'builder', 'contributor', 'messenger', 'identity'] as const;

export const Metric = resource(
  'Metric',
  {
    key: says(Term, 'The name of the metric for programs.'),
    maxScore: says(Finite, 'The most points that the metric can give.'),
    description: says(ShortText, 'What is counted, for people.'),
  },
  'One thing that is counted in a scoring dimension.',
);
const ScoreDimension = resource(
  'ScoreDimension',
  {
    tiers: record(
      {
        silver: says(Finite, 'The lowest score of the tier SILVER.'),
        gold: says(Finite, 'The lowest score of the tier GOLD.'),
        platinum: record(
          {
            score: says(Finite, 'The lowest score of the tier PLATINUM.'),
            percentile: says(
              Finite,
              'The percentile of users at which the tier PLATINUM begins, as the platform gives it.',
            ),
          },
          'What the tier PLATINUM takes.',
        ),
      },
      'The thresholds of the three tiers.',
    ),
    metrics: says(listOf(Metric), 'What the score of this dimension is made of.'),
  },
  'The thresholds of one scoring dimension and what is counted.',
);

export const ScoreTiers = resource(
  'ScoreTiers',
  {
    developer: says(ScoreDimension, 'The dimension `developer`.'),
    builder: says(ScoreDimension, 'The dimension `builder`.'),
    contributor: says(ScoreDimension, 'The dimension `contributor`.'),
    messenger: says(ScoreDimension, 'The dimension `messenger`.'),
    identity: says(ScoreDimension, 'The dimension `identity`.'),
  },
  'The five scoring dimensions.',
);
export type ScoreTiers = Static<typeof ScoreTiers>;

export const getUser = operation('getUser', {
  tag: 'Users',
  summary: 'One user by their username',
  description: 'The public profile of the user. A user whose account is not active returns 404.',
  isAddition: true,
  cache: 'public',
  params: { username: pathValue('The username. Case-sensitive.') },
  query: {},
  data: UserSummary,
  failures: [],
  example: { username: 'ada' },
});

export const getUserTimeline = operation('getUserTimeline', {
  tag: 'Users',
  summary: "A user's activity, oldest first",
  description:
    'Commits, pull requests, badges and gifts in chronological order, by offset and count. A badge of a collection that is not public is left out. An unknown user and one whose account is not active return 404.',
  cache: 'public',
  params: { username: pathValue('The username of the user whose activity is read. Case-sensitive.') },
  query: {
    ...slicing,
    type: filterChoice(timelineTypes, 'Only items of this type; all types when left out.', 'type'),
    sortOrder: added(sortOrder('asc')),
    ...range('date'),
  },
  data: sliceOf(TimelineItem),
  failures: [],
  example: { username: 'ada', type: 'BADGE_RECEIVED', count: 2 },
  order: ['date', 'asc'],
});

export const getScoreTiers = operation('getScoreTiers', {
  tag: 'Users',
  summary: 'The thresholds and metrics of the five scoring dimensions',
  description:
    'The scores from which a user is SILVER, GOLD or PLATINUM in each dimension, and the metrics that make up the scores.',
  cache: 'public',
  params: {},
  query: {},
  data: ScoreTiers,
  failures: [],
  example: {},
});

export const userOperations = { getUser, getUserTimeline, getScoreTiers };
