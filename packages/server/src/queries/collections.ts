// Badge collections and their holders.
import type { listCollections } from '@commonhall/contract/collections';
import type { ParsedQueryOf } from '@commonhall/contract/operation';
import type { Found, Page, PageParts, PageQuery } from '../db/page.ts';
import { jsonArray, readOne, readPage, readRootPage } from '../db/page.ts';
import type { Db } from '../db/pool.ts';
import type { Sql } from '../db/sql.ts';
import { sql } from '../db/sql.ts';
import { contains, equals, where } from './filter.ts';
import { contestUserSummary } from './users.ts';

type CollectionsQuery = ParsedQueryOf<typeof listCollections>;

/** The keys of a collection in lists, from `collections c`. */
const listKeys: Sql = sql`
  c.address,
  c.name,
  c.description,
  c.image,
  c.type,
  c.importance,
  c.is_sbt as "isSbt",
  c.category,
  c.is_winner as "isWinner",
  c.source,
  c.creator_address as "creatorAddress",
  c.next_item_index as "nextItemIndex",
  c.external_link as "externalLink",
  c.social_links as "socialLinks",
  c.holders_count as "holdersCount",
  iso(c.created_at) as "createdAt",
  iso(c.on_chain_created_at) as "onChainCreatedAt"`;

// gap G2: the address ends every order, running the same way; only onChainCreatedAt can be null, and comes last then.
const orders: Record<CollectionsQuery['sortBy'], Record<CollectionsQuery['sortOrder'], Sql>> = {
  name: { asc: sql`c.name, c.address`, desc: sql`c.name desc, c.address desc` },
  holdersCount: { asc: sql`c.holders_count, c.address`, desc: sql`c.holders_count desc, c.address desc` },
  createdAt: { asc: sql`c.created_at, c.address`, desc: sql`c.created_at desc, c.address desc` },
  onChainCreatedAt: {
    asc: sql`c.on_chain_created_at asc nulls last, c.address`,
    desc: sql`c.on_chain_created_at desc nulls last, c.address desc`,
  },
};

export const collectionsParts = (query: CollectionsQuery): PageParts => {
  const rows = sql`
    from collections c
    ${where([
      sql`c.is_public`,
      contains(sql`c.search_name`, query.q),
      equals(sql`c.type`, query.type),
      equals(sql`c.importance`, query.importance),
      equals(sql`c.is_sbt`, query.isSbt),
      equals(sql`c.category`, query.category),
      equals(sql`c.source`, query.source),
    ])}`;
  return {
    total: sql`(select count(*) ${rows})`,
    items: (window) => sql`
      select row_to_json(i) as item
      from (
        select ${listKeys}
        ${rows}
        order by ${orders[query.sortBy][query.sortOrder]}
        ${window}
      ) i`,
  };
};
export const readCollections = (db: Db, query: CollectionsQuery): Promise<Page> =>
  readRootPage(db, query, collectionsParts(query));

/** gap G13: every spelling of an address finds the collection. */
const isAt = (address: string): Sql => sql`c.address_key = canonical_address(${address}) and c.is_public`;

export const findCollection = (db: Db, address: string): Promise<Found | null> =>
  readOne(
    db,
    sql`
      select row_to_json(i)::text as json
      from collections c
      cross join lateral (
        select
          ${listKeys},
          iso(c.updated_at) as "updatedAt",
          ${jsonArray(sql`
            select row_to_json(k) as item
            from collection_contests cc
            join contests t on t.id = cc.contest_id
            cross join lateral (select t.id, t.slug, t.title, cc.role, t.status) k
            where cc.collection_address = c.address and t.is_public
            order by t.submission_start desc, t.id desc`)} as contests
      ) i
      where ${isAt(address)}`,
  );

export const holdersParts = (address: string): PageParts => ({
  parent: sql`select c.address, c.holders_count from collections c where ${isAt(address)}`,
  total: sql`parent.holders_count`,
  blocks: { list: sql`'h:' || parent.address`, at: sql`h.acquired_at`, id: sql`h.user_id` },
  items: (window, onwards) => sql`
    select ${contestUserSummary(sql`h.user_id`)} as item
    from (
      select h.user_id, h.acquired_at
      from collection_holders h
      where h.collection_address = parent.address ${onwards}
      order by h.acquired_at, h.user_id
      ${window}
    ) h
    order by h.acquired_at, h.user_id`,
});
export const readHolders = (db: Db, address: string, query: PageQuery): Promise<Page | null> =>
  readPage(db, query, holdersParts(address));
