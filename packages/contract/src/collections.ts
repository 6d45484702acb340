// Badge collections and their holders (spec 2.8).

import type { Static } from 'typebox';
import { Type } from 'typebox';
import { pageOf } from './envelope.ts';
import { operation } from './operation.ts';
import {
  Address,
  ContestUserSummary,
  Count,
  choice,
  Flag,
  filterChoice,
  filterFlag,
  filterWord,
  Id,
  LongText,
  listOf,
  Name,
  openWord,
  orNull,
  paging,
  pathValue,
  range,
  resource,
  SafeInteger,
  Slug,
  says,
  searchText,
  sorting,
  statusWord,
  Term,
  Timestamp,
  Url,
} from './shared.ts';

const listItem = {
  address: says(Address, 'The contract address on the blockchain, in the spelling that the platform gave.'),
  name: says(Name, 'The name of the collection. Not unique.'),
  description: says(LongText, 'What the badges are for; may be empty.'),
  image: says(orNull(Url), 'The URL of the picture; null when there is none.'),
  type: openWord(['SBT'], 'What kind of token a badge is.'),
  importance: openWord(['HIGH'], 'How much weight the platform gives to the collection.'),
  isSbt: says(Flag, 'Whether the badges are soulbound: they cannot be transferred.'),
  category: openWord(['achievement'], 'What the badges are given for.'),
  isWinner: says(Flag, 'Whether the badges are for winners.'),
  source: choice(
    ['internal', 'external'],
    'internal: made on the platform; external: made elsewhere. There are no other values.',
  ),
  creatorAddress: says(orNull(Term), 'The wallet that made the contract; null when not known.'),
  nextItemIndex: says(SafeInteger, 'The index that the next badge of the contract gets.'),
  externalLink: says(orNull(Url), 'A page about the collection elsewhere; null when there is none.'),
  socialLinks: says(listOf(Url), 'Its pages on social networks, as URLs; may be empty.'),
  holdersCount: says(Count, 'How many users hold at least one badge; a user with five badges counts once.'),
  createdAt: says(Timestamp, 'When the collection was added to the platform.'),
  onChainCreatedAt: says(orNull(Timestamp), 'When the contract was deployed on the blockchain; null when not known.'),
};
export const CollectionListItem = resource('CollectionListItem', listItem, 'A badge collection in a list.');
export type CollectionListItem = Static<typeof CollectionListItem>;

export const Collection = resource(
  'Collection',
  {
    ...listItem,
    updatedAt: says(Timestamp, 'When the collection last changed.'),
    contests: Type.Array(
      resource(
        'CollectionContest',
        {
          id: says(Id, 'The id of the contest. Opaque.'),
          slug: says(Slug, 'The readable key of the contest in URLs.'),
          title: says(Name, 'The title of the contest.'),
          role: says(Term, 'What the collection is in the contest: an open word, as the platform gives it.'),
          status: statusWord(['OPEN', 'VOTING', 'COMPLETED'], 'The stage of the contest.'),
        },
        'A contest that gives badges of the collection.',
      ),
      { description: 'The public contests that use the collection, newest first, once for each role; may be empty.' },
    ),
  },
  'A badge collection with its contests.',
);
export type Collection = Static<typeof Collection>;

export const listCollections = operation('listCollections', {
  tag: 'Collections',
  summary: 'Badge collections, searched, filtered and sorted',
  description:
    'All public collections, newest first unless sorted otherwise. Internal collections in the state DRAFT are never listed. Search and filters are combined with AND.',
  cache: 'public',
  params: {},
  query: {
    ...paging,
    q: searchText('A part of the name.', ['{name}']),
    type: filterWord('Only collections of exactly this type, for example SBT.', 'type'),
    importance: filterWord('Only collections of exactly this importance, for example HIGH.', 'importance'),
    isSbt: filterFlag('true: only soulbound collections (SBT); false: only others; left out: all.', 'isSbt'),
    category: filterWord('Only collections of exactly this category, for example achievement.', 'category'),
    source: filterChoice(['internal', 'external'], 'Only collections that come from here.', 'source'),
    ...sorting(
      ['name', 'holdersCount', 'createdAt', 'onChainCreatedAt'],
      'createdAt',
      'A null onChainCreatedAt comes last in both directions.',
    ),
    ...range('createdAt', { sorts: ['createdAt', 'onChainCreatedAt'] }),
  },
  data: pageOf(CollectionListItem),
  failures: [],
  example: { sortBy: 'holdersCount', pageSize: 2 },
  columns: ['address', 'name', 'type', 'holdersCount'],
});

export const getCollection = operation('getCollection', {
  tag: 'Collections',
  summary: 'One collection by its contract address',
  description:
    'The collection with its contests. Every spelling of a TON address finds the same collection; an EVM address is not case-sensitive.',
  cache: 'public',
  params: { address: pathValue('The contract address, in any of its spellings.') },
  query: {},
  data: Collection,
  failures: [],
  example: { address: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N' },
});

export const listCollectionHolders = operation('listCollectionHolders', {
  tag: 'Collections',
  summary: 'The users who hold a badge of the collection, oldest holding first',
  description:
    'Each user once, sorted by when they received the badge. New holders come at the end, so that deep pages do not shift.',
  cache: 'public',
  params: { address: pathValue('The contract address, in any of its spellings.') },
  query: { ...paging, ...range('acquiredAt') },
  data: pageOf(ContestUserSummary),
  failures: [],
  example: { address: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', page: 3, pageSize: 2 },
  columns: ['username', 'displayName', 'status'],
});

export const collectionOperations = { listCollections, getCollection, listCollectionHolders };
