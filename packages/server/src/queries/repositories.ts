// The catalogue of repositories.
import type { ParsedQueryOf } from '@commonhall/contract/operation';
import type { listRepositories } from '@commonhall/contract/repositories';
import type { Db } from '../db/connection/database.ts';
import { repositories } from '../db/lists/declarations.ts';
import type { Page, PageParts } from '../db/page.ts';
import { itemOf, readRootPage } from '../db/page.ts';
import type { JsonResult } from '../db/read-one.ts';
import { readOne } from '../db/read-one.ts';
import type { Sql } from '../db/sql.ts';
import { sql } from '../db/sql.ts';
import { searchableParts } from './filtered.ts';

type RepositoriesQuery = ParsedQueryOf<typeof listRepositories>;

/** The keys of a repository, from `repositories r`. */
export const repositoryKeys: Sql = sql`
  r.platform,
  r.platform_id as "platformId",
  r.owner,
  r.name,
  r.category,
  r.ecosystem,
  r.description,
  r.status,
  r.contributors_count as "contributorsCount",
  iso(r.platform_created_at) as "platformCreatedAt",
  iso(r.platform_updated_at) as "platformUpdatedAt",
  iso(r.platform_pushed_at) as "platformPushedAt",
  iso(r.created_at) as "createdAt",
  iso(r.updated_at) as "updatedAt"`;

const sorts: Record<RepositoriesQuery['sortBy'], string> = {
  createdAt: 'created',
  updatedAt: 'updated',
  name: 'name',
  owner: 'owner',
};

export const repositoriesParts = ({ q, sortBy, sortOrder, ...query }: RepositoriesQuery): PageParts => {
  const { category, ecosystem, importance, platform, status } = query;
  const parts = searchableParts({
    list: repositories,
    sort: sorts[sortBy],
    isUp: sortOrder === 'asc',
    totals: repositories,
    source: sql`(select c.*, c.ctid as place from repositories c) r`,
    filters: { category, ecosystem, importance, platform, status },
    q,
    range: query,
  });
  return { ...parts, item: itemOf(repositoryKeys) };
};
export const readRepositories = (db: Db, query: RepositoriesQuery): Promise<Page> =>
  readRootPage(db, query, repositoriesParts(query));

export const findRepository = (db: Db, platform: string, platformId: string): Promise<JsonResult | null> =>
  readOne(
    db,
    sql`
      select i.item::text as json
      from repositories r
      cross join lateral (${itemOf(repositoryKeys)}) i
      where r.platform = ${platform} and r.platform_id = ${platformId} and r.is_public`,
  );
