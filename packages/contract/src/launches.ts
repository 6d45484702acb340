// Product launches: one by its slug, the featured ones, and those of a user (spec 2.7).

import type { Static } from 'typebox';
import { Type } from 'typebox';
import { pageOf } from './envelope.ts';
import { operation } from './operation.ts';
import {
  Count,
  Id,
  LongText,
  listOf,
  Name,
  orNull,
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

const Topic = record({ id: Id, slug: Slug, name: Name });

const listItem = {
  id: Id,
  slug: Slug,
  name: Name,
  tagline: ShortText,
  topics: listOf(Topic),
  logoUrl: orNull(Url),
  ctaUrl: orNull(Url),
  status: statusWord(['LIVE']),
  launchWeek: Type.String({
    ...Timestamp,
    description: 'The launch week: launches with the same instant are of one week.',
  }),
  weekRank: Type.Integer({ minimum: 1, description: 'Place by launchWeekRating within the launch week.' }),
  rating: SafeInteger,
  launchWeekRating: SafeInteger,
  commentCount: Count,
  submittedBy: UserSummary,
  publishedAt: Timestamp,
  createdAt: Timestamp,
};
export const LaunchListItem = record(listItem);
export type LaunchListItem = Static<typeof LaunchListItem>;

export const Launch = record({
  ...listItem,
  description: LongText,
  websiteUrl: orNull(Url),
  codeHostUrl: orNull(Url),
  messengerUrl: orNull(Url),
  miniAppUrl: orNull(Url),
  microblogUrl: orNull(Url),
  photoSocialUrl: orNull(Url),
  professionalNetworkUrl: orNull(Url),
  videoSiteUrl: orNull(Url),
  videoUrl: orNull(Url),
  screenshotUrls: listOf(Url),
  makers: listOf(UserSummary),
  featuredAt: orNull(Timestamp),
  updatedAt: Timestamp,
  myClaps: Type.Optional(Type.Integer({ ...Count, description: 'Only for an authenticated caller: their own claps.' })),
});
export type Launch = Static<typeof Launch>;

export const getLaunch = operation('getLaunch', {
  tag: 'Launches',
  summary: 'One launch by its slug',
  description: 'With a credential the answer also carries myClaps.',
  cache: 'mixed',
  params: { slug: pathValue('The slug of the launch.') },
  query: {},
  data: Launch,
  failures: ['UNAUTHORIZED'],
});

export const listFeaturedLaunches = operation('listFeaturedLaunches', {
  tag: 'Launches',
  summary: 'The launches the editors feature, newest first',
  cache: 'public',
  params: {},
  query: {},
  data: listOf(LaunchListItem),
  failures: [],
});

export const listUserLaunches = operation('listUserLaunches', {
  tag: 'Launches',
  summary: 'The public launches of a user, newest first',
  cache: 'public',
  params: { username: pathValue('The author of the launches.') },
  query: paging,
  data: pageOf(LaunchListItem),
  failures: [],
});
