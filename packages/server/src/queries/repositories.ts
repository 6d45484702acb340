// The catalogue of repositories.
import type { ParsedQueryOf } from '@commonhall/contract/operation';
import type { listRepositories } from '@commonhall/contract/repositories';
import type { Page, PageParts } from '../db/page.ts';
import { always, readPage } from '../db/page.ts';
import type { Db } from '../db/pool.ts';
import type { Sql } from '../db/sql.ts';
import { sql } from '../db/sql.ts';
import { where } from './filter.ts';
import type { Blocks } from './sorted.ts';
import { bothWays, catalogueParts } from './sorted.ts';

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

const sorts: Record<RepositoriesQuery['sortBy'], { sort: string; column: Sql; first: Sql }> = {
  createdAt: { sort: 'created_at', column: sql`r.created_at`, first: sql`first_at` },
  updatedAt: { sort: 'updated_at', column: sql`r.updated_at`, first: sql`first_at` },
  name: { sort: 'name', column: sql`r.name`, first: sql`first_text` },
  owner: { sort: 'owner', column: sql`r.owner`, first: sql`first_text` },
};
// gap G2: the primary key ends every order, running the same way.
const order = (column: Sql) =>
  bothWays(sql`${column}, r.platform, r.platform_id`, sql`${column} desc, r.platform desc, r.platform_id desc`);

const blocksOf = (sortBy: RepositoriesQuery['sortBy'], isUp: boolean): Blocks => {
  const { sort, column, first } = sorts[sortBy];
  const start = sql`${first}, first_platform, first_id`;
  return {
    isUp,
    // Each block that has rows of the page is walked for these alone: what lies between them is not.
    rows: ({ begin, limit, fits, counted, gate }) => sql`
      select w.*
      from (
        select
          ${start},
          greatest(${begin} - s.before, 0) as skip,
          least(${begin} + ${limit} - s.before, s.rows) - greatest(${begin} - s.before, 0) as wanted
        from (
          select ${start}, n.rows, (sum(n.rows) over (order by ${start} rows unbounded preceding) - n.rows)::bigint as before
          from (
            select c.block, sum(c.rows) as rows
            from repository_block_rows c
            where c.sort = ${sort} and c.facet ${counted} and ${gate}
            group by c.block
          ) n
          join repository_blocks b on b.block = n.block
        ) s
        where s.before < ${begin} + ${limit} and s.before + s.rows > ${begin}
      ) s
      cross join lateral (
        select r.platform, r.platform_id
        from repositories r
        ${where([fits, sql`(${column}, r.platform, r.platform_id) >= (${start})`])}
        order by ${column}, r.platform, r.platform_id
        limit s.wanted offset s.skip
      ) w`,
  };
};

export const repositoriesParts = ({ q, sortBy, sortOrder, ...query }: RepositoriesQuery): PageParts => {
  const { category, ecosystem, importance, platform, status } = query;
  return catalogueParts(
    {
      table: sql`repositories`,
      key: sql`r.platform, r.platform_id`,
      isSame: sql`r.platform = k.platform and r.platform_id = k.platform_id`,
      isPublic: undefined,
      facets: sql`repository_facets`,
      keys: repositoryKeys,
    },
    {
      filters: { category, ecosystem, importance, platform, status },
      q,
      order: order(sorts[sortBy].column)[sortOrder],
      blocks: blocksOf(sortBy, sortOrder === 'asc'),
    },
  );
};
export const readRepositories = async (db: Db, query: RepositoriesQuery): Promise<Page> =>
  always(await readPage(db, query, repositoriesParts(query)));
