// One search in every list that can be searched: the first page of each.
import { listAgents } from '@commonhall/contract/agents';
import { listBounties } from '@commonhall/contract/bounties';
import { listCollections } from '@commonhall/contract/collections';
import { listContests } from '@commonhall/contract/contests';
import { listLaunches } from '@commonhall/contract/launches';
import type { Operation, ParsedQueryOf } from '@commonhall/contract/operation';
import { listRepositories } from '@commonhall/contract/repositories';
import type { SearchResult } from '@commonhall/contract/search';
import { firstMatches } from '@commonhall/contract/search';
import { listSponsors } from '@commonhall/contract/sponsors';
import type { Db } from '../db/connection/database.ts';
import type { Page } from '../db/page.ts';
import type { JsonResult } from '../db/read-one.ts';
import { readAgents } from './agents.ts';
import { readBounties } from './bounties.ts';
import { readCollections } from './collections.ts';
import { readContests } from './contests.ts';
import { readLaunches } from './launches.ts';
import { readRepositories } from './repositories.ts';
import { readSponsors } from './sponsors.ts';

/** What a list is asked for: `q`, and otherwise its defaults. */
const asked = <O extends Operation>(operation: O, q: string): ParsedQueryOf<O> => {
  const defaults = Object.entries(operation.query).map(([name, schema]) => [
    name,
    (schema as { default?: unknown }).default,
  ]);
  return { ...Object.fromEntries(defaults), q, pageSize: firstMatches } as ParsedQueryOf<O>;
};

/** One list after the other, so that a search takes one connection. Each list is of its own snapshot. */
export const readSearch = async (db: Db, q: string, apiUrl: string): Promise<JsonResult> => {
  const reads: Record<keyof SearchResult, () => Promise<Page>> = {
    agents: () => readAgents(db, asked(listAgents, q), apiUrl),
    bounties: () => readBounties(db, asked(listBounties, q)),
    launches: () => readLaunches(db, asked(listLaunches, q)),
    contests: () => readContests(db, asked(listContests, q)),
    sponsors: () => readSponsors(db, asked(listSponsors, q)),
    collections: () => readCollections(db, asked(listCollections, q)),
    repositories: () => readRepositories(db, asked(listRepositories, q)),
  };
  const found: string[] = [];
  let changesInMs: number | null = null;
  for (const [name, read] of Object.entries(reads)) {
    const page = await read();
    found.push(`"${name}":{"total":${page.total},"items":[${page.items}]}`);
    if (page.changesInMs !== null) changesInMs = Math.min(page.changesInMs, changesInMs ?? page.changesInMs);
  }
  return { json: `{${found.join()}}`, changesInMs };
};
