// A user's activity timeline and the score tiers (spec 2.12, 2.13).

import type { Static } from 'typebox';
import { Type } from 'typebox';
import { sliceOf } from './envelope.ts';
import { operation } from './operation.ts';
import { choice, listOf, openObject, pathValue, record, ShortText, slicing, Term, Timestamp } from './shared.ts';

export const timelineTypes = ['COMMIT', 'PR', 'BADGE_RECEIVED', 'GIFT_RECEIVED'] as const;

// gap G10: details are what the platform gave.
const repository = 'an object with platform, owner and name';
const detailsOf = {
  COMMIT: openObject({ sha: 'a text', message: 'a text', url: 'a URL', repository }),
  PR: openObject({
    number: 'a number',
    title: 'a text',
    state: 'a word',
    url: 'a URL',
    mergedAt: 'an instant or null',
    repository,
  }),
  BADGE_RECEIVED: openObject({
    collectionAddress: 'the address of a collection',
    collectionName: 'a text',
    image: 'a URL',
    itemIndex: 'a number',
  }),
  GIFT_RECEIVED: openObject({ giftId: 'a text', name: 'a text', image: 'a URL or null', from: 'a text or null' }),
};
const item = <const T extends (typeof timelineTypes)[number]>(type: T) =>
  record({ type: Type.Literal(type), date: Timestamp, details: detailsOf[type] });

export const TimelineItem = Type.Union([item('COMMIT'), item('PR'), item('BADGE_RECEIVED'), item('GIFT_RECEIVED')]);
export type TimelineItem = Static<typeof TimelineItem>;

export const scoreDimensions = ['developer', 'builder', 'contributor', 'messenger', 'identity'] as const;

export const Metric = record({ key: Term, maxScore: Type.Number(), description: ShortText });
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
