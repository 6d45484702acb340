// A user's activity timeline and the score tiers (spec 2.12, 2.13).

import type { Static, TProperties } from 'typebox';
import { Type } from 'typebox';
import { sliceOf } from './envelope.ts';
import { operation } from './operation.ts';
import {
  Address,
  choice,
  Id,
  LongText,
  listOf,
  Name,
  openWord,
  orNull,
  pathValue,
  record,
  SafeInteger,
  ShortText,
  slicing,
  Timestamp,
  Title,
  Url,
} from './shared.ts';

export const timelineTypes = ['COMMIT', 'PR', 'BADGE_RECEIVED', 'GIFT_RECEIVED'] as const;

// Details are open objects: these keys are always there, the platform may send more (gap G10).
const details = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: true });
const repository = details({ platform: Name, owner: Name, name: Name });
const detailsOf = {
  COMMIT: details({ sha: Name, message: LongText, url: Url, repository }),
  PR: details({
    number: SafeInteger,
    title: Title,
    state: openWord(['open', 'closed', 'merged']),
    url: Url,
    mergedAt: orNull(Timestamp),
    repository,
  }),
  BADGE_RECEIVED: details({ collectionAddress: Address, collectionName: Name, image: Url, itemIndex: SafeInteger }),
  GIFT_RECEIVED: details({ giftId: Id, name: Name, image: orNull(Url), from: orNull(Name) }),
};
/** The details of an item of any type. */
export const TimelineDetails = Type.Union(Object.values(detailsOf));
const item = <const T extends (typeof timelineTypes)[number]>(type: T) =>
  record({ type: Type.Literal(type), date: Timestamp, details: detailsOf[type] });

export const TimelineItem = Type.Union([item('COMMIT'), item('PR'), item('BADGE_RECEIVED'), item('GIFT_RECEIVED')]);
export type TimelineItem = Static<typeof TimelineItem>;

export const scoreDimensions = ['developer', 'builder', 'contributor', 'messenger', 'identity'] as const;

export const Metric = record({ key: Name, maxScore: Type.Number(), description: ShortText });
const ScoreDimension = record({
  tiers: record({
    silver: Type.Number(),
    gold: Type.Number(),
    platinum: record({ score: Type.Number(), percentile: Type.Number() }),
  }),
  metrics: listOf(Metric),
});

export const ScoreTiers = record({
  developer: ScoreDimension,
  builder: ScoreDimension,
  contributor: ScoreDimension,
  messenger: ScoreDimension,
  identity: ScoreDimension,
});
export type ScoreTiers = Static<typeof ScoreTiers>;

export const getUserTimeline = operation('getUserTimeline', {
  tag: 'Users',
  summary: "A user's activity, oldest first",
  cache: 'public',
  params: { username: pathValue('The user whose activity is read.') },
  query: { ...slicing, type: choice(timelineTypes) },
  data: sliceOf(TimelineItem),
  failures: [],
});

export const getScoreTiers = operation('getScoreTiers', {
  tag: 'Users',
  summary: 'The thresholds and metrics of the five scoring dimensions',
  cache: 'public',
  params: {},
  query: {},
  data: ScoreTiers,
  failures: [],
});
