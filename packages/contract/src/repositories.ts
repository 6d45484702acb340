// The catalogue of code repositories (spec 2.11).
import type { Static } from 'typebox';
import { pageOf } from './envelope.ts';
import { operation } from './operation.ts';
import {
  Count,
  filterChoice,
  filterWord,
  Id,
  Name,
  orNull,
  paging,
  pathValue,
  range,
  resource,
  ShortText,
  says,
  searchText,
  sorting,
  statusWord,
  Term,
  Timestamp,
} from './shared.ts';

const statuses = ['ECOSYSTEM', 'NEED_REVIEW', 'REVIEWED', 'NEED_REVIEW_CONTEST'] as const;

export const Repository = resource(
  'Repository',
  {
    platform: says(Id, 'The platform that hosts the repository, for example github.'),
    platformId: says(Id, 'The id of the repository on its platform. Unique there. Opaque.'),
    owner: says(Name, 'The owner of the repository on its platform.'),
    name: says(Name, 'The name of the repository, without its owner.'),
    category: says(orNull(Term), 'What the repository is for, for example defi, nft, infra; null when not classified.'),
    ecosystem: says(orNull(Term), 'The ecosystem that the repository belongs to; null when not classified.'),
    description: says(orNull(ShortText), 'What the repository says about itself; null when there is nothing.'),
    status: statusWord(statuses, 'How the catalogue classifies the repository.'),
    contributorsCount: says(Count, 'How many people have contributed, as the platform counts.'),
    platformCreatedAt: says(orNull(Timestamp), 'When it was created on its platform; null when not known.'),
    platformUpdatedAt: says(orNull(Timestamp), 'When it was last changed on its platform; null when not known.'),
    platformPushedAt: says(orNull(Timestamp), 'When code was last pushed; null when not known.'),
    createdAt: says(Timestamp, 'When the repository entered the catalogue.'),
    updatedAt: says(Timestamp, 'When its entry in the catalogue last changed.'),
  },
  'A code repository of the catalogue. Platform and platformId together are its key.',
);
export type Repository = Static<typeof Repository>;

export const listRepositories = operation('listRepositories', {
  tag: 'Repositories',
  summary: 'Code repositories, searched, filtered and sorted',
  description:
    'All repositories of the catalogue, newest first unless sorted otherwise. Filters match exactly, are case-sensitive, and are combined with AND.',
  cache: 'public',
  params: {},
  query: {
    ...paging,
    q: searchText('A part of the name, of the owner, or of owner/name.', ['{owner}/{name}']),
    category: filterWord('The exact category, for example defi, nft, infra.', 'category'),
    ecosystem: filterWord('The exact ecosystem.', 'ecosystem'),
    importance: filterWord('The exact importance, for example high, medium, low. Items do not show it.', null),
    platform: filterWord('The exact platform, for example github.', 'platform'),
    status: filterChoice(statuses, 'How the repository is classified.', 'status'),
    ...sorting(['createdAt', 'updatedAt', 'name', 'owner'], 'createdAt'),
    ...range('createdAt', { sorts: ['createdAt', 'updatedAt'] }),
  },
  data: pageOf(Repository),
  failures: [],
  example: { q: 'lighthouse', pageSize: 2 },
  columns: ['platform', 'platformId', 'owner', 'name', 'category', 'contributorsCount'],
});

export const getRepository = operation('getRepository', {
  tag: 'Repositories',
  summary: 'One repository by its platform and its id there',
  description:
    'The same object as in the list. Owner and name do not identify a repository: they can change and are not unique.',
  isAddition: true,
  cache: 'public',
  params: {
    platform: pathValue('The platform, for example github.'),
    platformId: pathValue('The id of the repository on that platform.'),
  },
  query: {},
  data: Repository,
  failures: [],
  example: { platform: 'github', platformId: '1' },
});

export const repositoryOperations = { listRepositories, getRepository };
