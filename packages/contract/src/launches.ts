// Product launches: one by its slug, and lists: featured, by user, by week or by topic (spec 2.7).

import type { Static } from 'typebox';
import { Type } from 'typebox';
import { pageOf } from './envelope.ts';
import { operation } from './operation.ts';
import {
  added,
  Count,
  filterInstant,
  filterWord,
  Id,
  LongText,
  listOf,
  Name,
  orNull,
  paging,
  pathValue,
  range,
  resource,
  SafeInteger,
  ShortText,
  Slug,
  says,
  searchText,
  sortOrder,
  statusWord,
  Timestamp,
  Url,
  UserSummary,
} from './shared.ts';

const Topic = resource(
  'Topic',
  {
    id: says(Id, 'The id of the topic. Opaque.'),
    slug: says(Slug, 'The readable key of the topic, which the filter `topic` takes.'),
    name: says(Name, 'The name of the topic.'),
  },
  'A topic of launches.',
);

const listItem = {
  id: says(Id, 'The id of the launch. Opaque.'),
  slug: says(Slug, 'The readable key of the launch in URLs. Case-sensitive.'),
  name: says(Name, 'The name of the product.'),
  tagline: says(ShortText, 'The product in one line.'),
  topics: says(listOf(Topic), 'What the product is about, in the order of its author; may be empty.'),
  logoUrl: says(orNull(Url), 'The URL of the logo; null when there is none.'),
  ctaUrl: says(orNull(Url), 'Where the main button leads (call to action); null when there is none.'),
  status: statusWord(['LIVE'], 'The state of the launch.'),
  launchWeek: says(Timestamp, 'The launch week: launches with the same instant are of one week.'),
  weekRank: Type.Integer({
    minimum: 1,
    description: 'The place by launchWeekRating among the public launches of its week, from 1.',
  }),
  rating: says(SafeInteger, 'The rating of all time, as the platform gives it.'),
  launchWeekRating: says(SafeInteger, 'The rating within the launch week, as the platform gives it.'),
  commentCount: says(Count, 'How many comments the launch has.'),
  submittedBy: says(UserSummary, 'The user who submitted the launch.'),
  publishedAt: says(Timestamp, 'When the launch was published.'),
  createdAt: says(Timestamp, 'When the launch was created.'),
};
export const LaunchListItem = resource('LaunchListItem', listItem, 'A launch in a list.');
export type LaunchListItem = Static<typeof LaunchListItem>;

export const Launch = resource(
  'Launch',
  {
    ...listItem,
    description: says(LongText, 'What the product is and does; may be empty.'),
    websiteUrl: says(orNull(Url), 'The website of the product; null when there is none.'),
    codeHostUrl: says(orNull(Url), 'Its page on a code host; null when there is none.'),
    messengerUrl: says(orNull(Url), 'Its channel or chat on a messenger; null when there is none.'),
    miniAppUrl: says(orNull(Url), 'Its mini app inside a messenger; null when there is none.'),
    microblogUrl: says(orNull(Url), 'Its account on a microblog; null when there is none.'),
    photoSocialUrl: says(orNull(Url), 'Its account on a photo network; null when there is none.'),
    professionalNetworkUrl: says(orNull(Url), 'Its page on a professional network; null when there is none.'),
    videoSiteUrl: says(orNull(Url), 'Its channel on a video site; null when there is none.'),
    videoUrl: says(orNull(Url), 'A video about the product; null when there is none.'),
    screenshotUrls: says(listOf(Url), 'The URLs of screenshots; may be empty.'),
    makers: says(listOf(UserSummary), 'The users who made the product; may be empty.'),
    featuredAt: says(orNull(Timestamp), 'When editors featured the launch; null when they did not.'),
    updatedAt: says(Timestamp, 'When the launch last changed.'),
    myClaps: Type.Optional(
      says(Count, "The caller's own claps on the launch, 0 when there are none. Absent without a credential."),
    ),
  },
  'A launch with everything that is known about it.',
);
export type Launch = Static<typeof Launch>;

export const LaunchWeek = resource(
  'LaunchWeek',
  {
    launchWeek: says(Timestamp, 'The instant that the launches of this week share.'),
    launchCount: Type.Integer({
      ...Count,
      minimum: 1,
      description: 'How many public launches the week has, at least 1.',
    }),
  },
  'A launch week and its number of launches.',
);
export type LaunchWeek = Static<typeof LaunchWeek>;

/** What people look for in a list of launches. */
const launchColumns = ['slug', 'name', 'launchWeek', 'weekRank', 'rating', 'submittedBy.username'];

export const listLaunches = operation('listLaunches', {
  tag: 'Launches',
  summary: 'Public launches, newest first; those of one launch week by rank',
  description:
    'All public launches, sorted by `publishedAt`. With the filter `launchWeek` they are sorted by `weekRank`, also together with `topic`.',
  isAddition: true,
  cache: 'public',
  params: {},
  query: {
    ...paging,
    q: added(searchText('A part of the name or of the tagline.', ['{name}', '{tagline}'])),
    launchWeek: filterInstant(
      'Only launches of this week: the instant exactly as launches and launch weeks show it.',
      'launchWeek',
    ),
    topic: filterWord('Only launches with the topic of this slug.', 'topics[].slug'),
    ...range('publishedAt', { not: 'launchWeek' }),
  },
  data: pageOf(LaunchListItem),
  failures: [],
  example: { topic: 'developer-tools', pageSize: 2 },
  columns: launchColumns,
  order: ['publishedAt', 'desc'],
});

export const getLaunch = operation('getLaunch', {
  tag: 'Launches',
  summary: 'One launch by its slug',
  description:
    'The whole launch. A credential is optional: with a valid one the response also has `myClaps`, and an invalid one returns 401.',
  cache: 'mixed',
  params: { slug: pathValue('The slug of the launch. Case-sensitive.') },
  query: {},
  data: Launch,
  failures: ['UNAUTHORIZED'],
  example: { slug: 'lighthouse' },
  exampleCaller: 'stranger',
});

export const listFeaturedLaunches = operation('listFeaturedLaunches', {
  tag: 'Launches',
  summary: 'The launches that the editors feature, newest first',
  description:
    'Returns a plain array of at most 100 launches, without pages, sorted by `featuredAt`, which only the single launch shows.',
  cache: 'public',
  params: {},
  query: {},
  data: says(listOf(LaunchListItem), 'The featured launches, newest first.'),
  failures: [],
  example: {},
  columns: launchColumns,
});

export const listUserLaunches = operation('listUserLaunches', {
  tag: 'Launches',
  summary: 'The public launches of a user, newest first',
  description:
    'The launches that the user submitted, sorted by `publishedAt`. An unknown user and one whose account is not active return 404.',
  cache: 'public',
  params: { username: pathValue('The username of the author. Case-sensitive.') },
  query: { ...paging, ...range('publishedAt') },
  data: pageOf(LaunchListItem),
  failures: [],
  example: { username: 'ada', pageSize: 2 },
  columns: launchColumns,
  order: ['publishedAt', 'desc'],
});

export const listLaunchWeeks = operation('listLaunchWeeks', {
  tag: 'Launches',
  summary: 'The launch weeks that have public launches, newest first',
  description:
    'Each week with its number of public launches. Pass its `launchWeek` to the list of launches to read them.',
  isAddition: true,
  cache: 'public',
  params: {},
  query: { ...paging, sortOrder: added(sortOrder('desc')), ...range('launchWeek') },
  data: pageOf(LaunchWeek),
  failures: [],
  example: { pageSize: 3 },
  order: ['launchWeek', 'desc'],
});

export const launchOperations = { listLaunches, getLaunch, listFeaturedLaunches, listUserLaunches, listLaunchWeeks };
