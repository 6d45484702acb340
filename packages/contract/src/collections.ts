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
  filterWord,
  Id,
  LongText,
  listOf,
  Name,
  openWord,
  orNull,
  paging,
  pathValue,
  record,
  SafeInteger,
  Slug,
  searchText,
  sorting,
  statusWord,
  Term,
  Timestamp,
  Url,
} from './shared.ts';

const listItem = {
  address: Address,
  name: Name,
  description: LongText,
  image: orNull(Url),
  type: openWord(['SBT']),
  importance: openWord(['HIGH']),
  isSbt: Type.Boolean(),
  category: openWord(['achievement']),
  isWinner: Type.Boolean(),
  source: choice(['internal', 'external']),
  creatorAddress: orNull(Term),
  nextItemIndex: SafeInteger,
  externalLink: orNull(Url),
  socialLinks: listOf(Url),
  holdersCount: Count,
  createdAt: Timestamp,
  onChainCreatedAt: orNull(Timestamp),
};
export const CollectionListItem = record(listItem);
export type CollectionListItem = Static<typeof CollectionListItem>;

export const Collection = record({
  ...listItem,
  updatedAt: Timestamp,
  contests: Type.Array(
    record({ id: Id, slug: Slug, title: Name, role: Term, status: statusWord(['OPEN', 'VOTING', 'COMPLETED']) }),
  ),
});
export type Collection = Static<typeof Collection>;

export const listCollections = operation('listCollections', {
  tag: 'Collections',
  summary: 'Badge collections, searched, filtered and sorted',
  cache: 'public',
  params: {},
  query: {
    ...paging,
    q: searchText('A part of the name.'),
    type: filterWord('Exact collection type.'),
    importance: filterWord('Exact importance.'),
    isSbt: Type.Boolean({ description: 'true: only SBT collections; false: only others.' }),
    category: filterWord('Exact category.'),
    source: choice(['internal', 'external']),
    ...sorting(['name', 'holdersCount', 'createdAt', 'onChainCreatedAt'], 'createdAt'),
  },
  data: pageOf(CollectionListItem),
  failures: [],
});

export const getCollection = operation('getCollection', {
  tag: 'Collections',
  summary: 'One collection by its contract address',
  description: 'Every spelling of a TON address and any letter case of an EVM address find the same collection.',
  cache: 'public',
  params: { address: pathValue('The contract address in any of its spellings.') },
  query: {},
  data: Collection,
  failures: [],
});

export const listCollectionHolders = operation('listCollectionHolders', {
  tag: 'Collections',
  summary: 'The users who hold a badge of the collection, oldest holding first',
  cache: 'public',
  params: { address: pathValue('The contract address in any of its spellings.') },
  query: paging,
  data: pageOf(ContestUserSummary),
  failures: [],
});
