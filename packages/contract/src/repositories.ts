// The catalogue of code repositories (spec 2.11).
import type { Static } from 'typebox';
import { pageOf } from './envelope.ts';
import { operation } from './operation.ts';
import {
  Count,
  choice,
  filterWord,
  Id,
  Name,
  orNull,
  paging,
  record,
  ShortText,
  searchText,
  sorting,
  statusWord,
  Term,
  Timestamp,
} from './shared.ts';

const statuses = ['ECOSYSTEM', 'NEED_REVIEW', 'REVIEWED', 'NEED_REVIEW_CONTEST'] as const;

export const Repository = record({
  platform: Id,
  platformId: Id,
  owner: Name,
  name: Name,
  category: orNull(Term),
  ecosystem: orNull(Term),
  description: orNull(ShortText),
  status: statusWord(statuses),
  contributorsCount: Count,
  platformCreatedAt: orNull(Timestamp),
  platformUpdatedAt: orNull(Timestamp),
  platformPushedAt: orNull(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Repository = Static<typeof Repository>;

export const listRepositories = operation('listRepositories', {
  tag: 'Repositories',
  summary: 'Code repositories, searched, filtered and sorted',
  cache: 'public',
  params: {},
  query: {
    ...paging,
    q: searchText('A part of the name, of the owner, or of owner/name.'),
    category: filterWord('Exact category, for example defi, nft, infra.'),
    ecosystem: filterWord('Exact ecosystem.'),
    importance: filterWord('Exact importance, for example high, medium, low.'),
    platform: filterWord('Exact platform.'),
    status: choice(statuses),
    ...sorting(['createdAt', 'updatedAt', 'name', 'owner'], 'createdAt'),
  },
  data: pageOf(Repository),
  failures: [],
});
