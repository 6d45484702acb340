// Badge collections and their holders.
import type { listCollections } from '@commonhall/contract/collections';
import type { ParsedQueryOf } from '@commonhall/contract/operation';
import { canonicalAddress } from '../db/address.ts';
import type { Db } from '../db/connection/database.ts';
import type { List } from '../db/lists/declarations.ts';
import { collections, holders, sizedCollections, userBadges } from '../db/lists/declarations.ts';
import type { Range } from '../db/lists/pages.ts';
import { unfiltered } from '../db/lists/pages.ts';
import type { Page, PageParts, PageQuery } from '../db/page.ts';
import { itemOf, jsonArray, listParts, readPage, readRootPage, widened } from '../db/page.ts';
import type { JsonResult } from '../db/read-one.ts';
import { readOne } from '../db/read-one.ts';
import type { Sql } from '../db/sql.ts';
import { sql } from '../db/sql.ts';
import { searchableParts } from './filtered.ts';
import { contestUserText, publicUser } from './users.ts';

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
  (select z.holders from lists.collection_sizes z where z.address = r.address) as "holdersCount",
  iso(r.created_at) as "createdAt",
  iso(r.on_chain_created_at) as "onChainCreatedAt"`;

/** The list and order of each sort. gap G2: null comes last in both directions, so onChainCreatedAt has two orders. */
const orders: Record<CollectionsQuery['sortBy'], Record<CollectionsQuery['sortOrder'], [List, string]>> = {
  name: { asc: [collections, 'name'], desc: [collections, 'name'] },
  holdersCount: { asc: [sizedCollections, 'holders'], desc: [sizedCollections, 'holders'] },
  createdAt: { asc: [collections, 'created'], desc: [collections, 'created'] },
  onChainCreatedAt: { asc: [collections, 'chain_up'], desc: [collections, 'chain_down'] },
};

export const collectionsParts = ({ q, sortBy, sortOrder, ...query }: CollectionsQuery): PageParts => {
  const { type, importance, isSbt, category, source } = query;
  const [list, sort] = orders[sortBy][sortOrder];
  const parts = searchableParts({
    list,
    sort,
    isUp: sortOrder === 'asc',
    totals: collections,
    source: sql`(select c.*, c.ctid as place from collections c) r`,
    ...(list === sizedCollections && {
      ordered: sql`(
        select c.*, c.ctid as place, z.holders
        from lists.collection_sizes z join collections c on c.address = z.address
      ) r`,
    }),
    filters: { type, importance, is_sbt: isSbt, category, source },
    q,
    range: query,
  });
  const isNarrow = list === sizedCollections && q === undefined;
  return { ...(isNarrow ? widened(parts, 'collections', 'address', ['holders']) : parts), item: itemOf(listKeys) };
};
export const readCollections = (db: Db, query: CollectionsQuery): Promise<Page> =>
  readRootPage(db, query, collectionsParts(query));

/** gap G13: every spelling of an address finds the collection. */
const isAt = (address: string): Sql => sql`r.address_key = ${canonicalAddress(address)} and r.is_public`;

export const findCollection = (db: Db, address: string): Promise<JsonResult | null> =>
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
            order by t.submission_start desc, t.id desc, cc.role desc`)} as contests
      ) i
      where ${isAt(address)}`,
  );

export const holdersParts = (address: string, range: Range = {}): PageParts => ({
  parent: sql`select r.address from collections r where ${isAt(address)}`,
  ...listParts({ list: holders, sort: 'acquired', isUp: true, parent: sql`parent.address`, range, ...unfiltered }),
  item: sql`select ${contestUserText(sql`r.user_id`)} as item`,
});
export const readHolders = (db: Db, address: string, query: PageQuery & Range): Promise<Page | null> =>
  readPage(db, query, holdersParts(address, query));

export const userBadgesParts = (username: string, range: Range = {}): PageParts => ({
  parent: publicUser(username),
  ...listParts({ list: userBadges, sort: 'acquired', isUp: false, parent: sql`parent.id`, range, ...unfiltered }),
  item: sql`
    select i.item
    from (select c.*, r.acquired_at from collections c where c.address = r.collection_address offset 0) r
    cross join lateral (${itemOf(sql`${listKeys}, iso(r.acquired_at) as "acquiredAt"`)}) i`,
});
export const readUserBadges = (db: Db, username: string, query: PageQuery & Range): Promise<Page | null> =>
  readPage(db, query, userBadgesParts(username, query));
