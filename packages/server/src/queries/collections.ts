// Badge collections and their holders.
import type { listCollections } from '@commonhall/contract/collections';
import type { ParsedQueryOf } from '@commonhall/contract/operation';
import type { Found, Page, PageParts, PageQuery } from '../db/page.ts';
import { always, jsonArray, readOne, readPage } from '../db/page.ts';
import type { Db } from '../db/pool.ts';
import type { Sql } from '../db/sql.ts';
import { sql } from '../db/sql.ts';
import type { Direction } from './sorted.ts';
import { bothWays, catalogueParts } from './sorted.ts';
import { contestUserText } from './users.ts';

type CollectionsQuery = ParsedQueryOf<typeof listCollections>;

/** The keys of a collection in lists, from `collections r`. */
const listKeys: Sql = sql`
  r.address,
  r.name,
  r.description,
  r.image,
  r.type,
  r.importance,
  r.is_sbt as "isSbt",
  r.category,
  r.is_winner as "isWinner",
  r.source,
  r.creator_address as "creatorAddress",
  r.next_item_index as "nextItemIndex",
  r.external_link as "externalLink",
  r.social_links as "socialLinks",
  r.holders_count as "holdersCount",
  iso(r.created_at) as "createdAt",
  iso(r.on_chain_created_at) as "onChainCreatedAt"`;

// gap G2: the address ends every order, running the same way; only onChainCreatedAt can be null, and comes last then.
const order = (column: Sql) => bothWays(sql`${column}, r.address`, sql`${column} desc, r.address desc`);
const orders: Record<CollectionsQuery['sortBy'], Record<CollectionsQuery['sortOrder'], Direction>> = {
  name: order(sql`r.name`),
  holdersCount: order(sql`r.holders_count`),
  createdAt: order(sql`r.created_at`),
  onChainCreatedAt: {
    asc: {
      forwards: sql`r.on_chain_created_at asc nulls last, r.address`,
      backwards: sql`r.on_chain_created_at desc nulls first, r.address desc`,
    },
    desc: {
      forwards: sql`r.on_chain_created_at desc nulls last, r.address desc`,
      backwards: sql`r.on_chain_created_at asc nulls first, r.address`,
    },
  },
};

export const collectionsParts = ({
  q,
  sortBy,
  sortOrder,
  type,
  importance,
  isSbt,
  category,
  source,
}: CollectionsQuery) =>
  catalogueParts(
    {
      table: sql`collections`,
      key: sql`r.address`,
      isSame: sql`r.address = k.address`,
      isPublic: sql`r.is_public`,
      facets: sql`collection_facets`,
      keys: listKeys,
    },
    { filters: { type, importance, is_sbt: isSbt, category, source }, q, order: orders[sortBy][sortOrder] },
  );
export const readCollections = async (db: Db, query: CollectionsQuery): Promise<Page> =>
  always(await readPage(db, query, collectionsParts(query)));

/** gap G13: every spelling of an address finds the collection. */
const isAt = (address: string): Sql => sql`r.address_key = canonical_address(${address}) and r.is_public`;

export const findCollection = (db: Db, address: string): Promise<Found | null> =>
  readOne(
    db,
    sql`
      select row_to_json(i)::text as json
      from collections r
      cross join lateral (
        select
          ${listKeys},
          iso(r.updated_at) as "updatedAt",
          ${jsonArray(sql`
            select row_to_json(k) as item
            from collection_contests cc
            join contests t on t.id = cc.contest_id
            cross join lateral (select t.id, t.slug, t.title, cc.role, t.status) k
            where cc.collection_address = r.address and t.is_public
            order by t.submission_start desc, t.id desc`)} as contests
      ) i
      where ${isAt(address)}`,
  );

export const holdersParts = (address: string): PageParts => ({
  parent: sql`select r.address, r.holders_count from collections r where ${isAt(address)}`,
  total: sql`parent.holders_count`,
  blocks: { list: sql`'h:' || parent.address`, at: sql`h.acquired_at`, id: sql`h.user_id` },
  items: ({ window, onwards }) => sql`
    select ${contestUserText(sql`h.user_id`)} as item
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
