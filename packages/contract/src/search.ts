// One search in every list that can be searched.

import type { Static, TSchema } from 'typebox';
import { Type } from 'typebox';
import { Agent } from './agents.ts';
import { BountyListItem, Sponsor } from './bounties.ts';
import { CollectionListItem } from './collections.ts';
import { Contest } from './contests.ts';
import { LaunchListItem } from './launches.ts';
import { operation } from './operation.ts';
import { Repository } from './repositories.ts';
import { Count, record, resource, says, searchText } from './shared.ts';

/** How many items of each list a search shows. */
export const firstMatches = 5;

const matches = <S extends TSchema>(items: S, what: string) =>
  record(
    {
      total: says(Count, `How many ${what} match. Exact.`),
      items: Type.Array(items, { maxItems: firstMatches, description: `The first ${firstMatches} of them.` }),
    },
    `The ${what} that match, in the order of their list.`,
  );
export const SearchResult = resource(
  'SearchResult',
  {
    agents: matches(Agent, 'agents'),
    bounties: matches(BountyListItem, 'bounties'),
    launches: matches(LaunchListItem, 'launches'),
    contests: matches(Contest, 'contests'),
    sponsors: matches(Sponsor, 'sponsors'),
    collections: matches(CollectionListItem, 'collections'),
    repositories: matches(Repository, 'repositories'),
  },
  'What a search found in each list.',
);
export type SearchResult = Static<typeof SearchResult>;

export const search = operation('search', {
  stability: 'experimental',
  tag: 'Search',
  summary: 'One search in every list that can be searched',
  description: `For each list the number of matches and the first ${firstMatches}, as the list itself returns them for the same \`q\`: read the others there. Needs \`q\`. It costs as much as a search in each of the lists. People are not searched: they are found by what they published.`,
  isAddition: true,
  cache: 'public',
  params: {},
  query: { q: { ...searchText('A part of a name or title, as in the lists.', []), 'x-required': true } },
  searches: Object.keys(SearchResult.properties).length,
  data: SearchResult,
  failures: [],
  example: { q: 'light' },
});

export const searchOperations = { search };
