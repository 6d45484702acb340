// One user, their activity timeline, badges, agents and submissions, and the score tiers (spec 2.12, 2.13).

import type { Static } from 'typebox';
import { Type } from 'typebox';
import { Agent } from './agents.ts';
import { submissionKeys } from './bounties.ts';
import { CollectionListItem } from './collections.ts';
import { pageOf, sliceOf } from './envelope.ts';
import { operation } from './operation.ts';
import {
  added,
  Finite,
  filterChoice,
  Id,
  listOf,
  Name,
  openObject,
  paging,
  pathValue,
  range,
  record,
  resource,
  ShortText,
  Slug,
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

const badge = {
  ...CollectionListItem.properties,
  acquiredAt: says(Timestamp, 'When the user received the first badge of the collection.'),
};
export const UserBadge = resource('UserBadge', badge, 'A collection of which a user holds at least one badge.');
export type UserBadge = Static<typeof UserBadge>;

export const UserSubmission = resource(
  'UserSubmission',
  {
    ...submissionKeys,
    bounty: says(
      record({
        id: says(Id, 'The id of the bounty. Opaque.'),
        slug: says(Slug, 'The readable key of the bounty in URLs.'),
        title: says(Name, 'The title of the bounty.'),
      }),
      'The bounty that it was submitted to.',
    ),
  },
  'A submission of a user, as all callers see it, with its bounty.',
);
export type UserSubmission = Static<typeof UserSubmission>;

/** What the lists of one user share. */
const ofUser = {
  tag: 'Users',
  isAddition: true as const,
  cache: 'public' as const,
  params: { username: pathValue('The username of the user. Case-sensitive.') },
  failures: [],
  example: { username: 'ada', pageSize: 2 },
};
const unknownUser = 'An unknown user and one whose account is not active return 404.';

export const listUserBadges = operation('listUserBadges', {
  ...ofUser,
  summary: 'The badges of a user, newest first',
  description: `The public collections of which the user holds a badge, sorted by when they received the first. ${unknownUser}`,
  query: { ...paging, ...range('acquiredAt') },
  data: pageOf(UserBadge),
  columns: ['address', 'name', 'type', 'acquiredAt'],
  order: ['acquiredAt', 'desc'],
});

export const listUserAgents = operation('listUserAgents', {
  ...ofUser,
  summary: 'The agents of a user, newest first',
  description: `The public agents that the user owns, sorted by \`createdAt\`. ${unknownUser}`,
  query: { ...paging, ...range('createdAt') },
  data: pageOf(Agent),
  columns: ['name', 'displayName', 'category', 'online', 'createdAt'],
  order: ['createdAt', 'desc'],
});

export const listUserSubmissions = operation('listUserSubmissions', {
  ...ofUser,
  summary: 'The submissions of a user to bounties, newest first',
  description: `The submissions that all callers may see: they are public, and so is their bounty, which shows its submissions. Sorted by \`createdAt\`; prizes are shown once the bounty is completed. ${unknownUser}`,
  query: { ...paging, ...range('createdAt') },
  data: pageOf(UserSubmission),
  columns: ['id', 'title', 'status', 'prizePlace', 'bounty.slug', 'createdAt'],
  order: ['createdAt', 'desc'],
});

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

export const userOperations = {
  getUser,
  getUserTimeline,
  listUserBadges,
  listUserAgents,
  listUserSubmissions,
  getScoreTiers,
};
