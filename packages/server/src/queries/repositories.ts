// The catalogue of repositories.
import type { ParsedQueryOf } from '@commonhall/contract/operation';
import type { listRepositories } from '@commonhall/contract/repositories';
import type { Page, PageParts } from '../db/page.ts';
import { readRootPage } from '../db/page.ts';
import type { Db } from '../db/pool.ts';
import type { Sql } from '../db/sql.ts';
import { sql } from '../db/sql.ts';
import { contains, equals, where } from './filter.ts';

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

// gap G2: the primary key ends every order, running the same way.
const order = (column: Sql) => ({
  asc: sql`${column}, r.platform, r.platform_id`,
  desc: sql`${column} desc, r.platform desc, r.platform_id desc`,
});
const orders: Record<RepositoriesQuery['sortBy'], Record<RepositoriesQuery['sortOrder'], Sql>> = {
  createdAt: order(sql`r.created_at`),
  updatedAt: order(sql`r.updated_at`),
  name: order(sql`r.name`),
  owner: order(sql`r.owner`),
};

export const repositoriesParts = (query: RepositoriesQuery): PageParts => {
  const rows = sql`
    from repositories r
    ${where([
      contains(sql`r.search_name`, query.q),
      equals(sql`r.category`, query.category),
      equals(sql`r.ecosystem`, query.ecosystem),
      equals(sql`r.importance`, query.importance),
      equals(sql`r.platform`, query.platform),
      equals(sql`r.status`, query.status),
    ])}`;
  return {
    total: sql`(select count(*) ${rows})`,
    items: (window) => sql`
      select row_to_json(i) as item
      from (
        select ${repositoryKeys}
        ${rows}
        order by ${orders[query.sortBy][query.sortOrder]}
        ${window}
      ) i`,
  };
};
export const readRepositories = (db: Db, query: RepositoriesQuery): Promise<Page> =>
  readRootPage(db, query, repositoriesParts(query));
