// The only pagination: one statement reads the parent's verdict, the exact total and the items of one window from one
// snapshot. Past the end nothing is read but the total (gap G3).
import type { Db, StatementKind } from './pool.ts';
import type { Sql } from './sql.ts';
import { sql } from './sql.ts';

export type PageQuery = { page: number; pageSize: number } | { offset: number; count: number };

/** Which rows of a list a page has. */
export interface Place {
  limit: Sql;
  offset: Sql;
  /** The rows before it. */
  skipped: bigint;
  /** Both, as they stand after `order by`. */
  window: Sql;
  /** Stands among the conditions: skips to the block in which the page begins. */
  onwards: Sql;
}

export interface PageParts {
  /** Selects the parent as one row, or none when it is absent or not public. The other parts see it as `parent`. */
  parent?: Sql;
  /** An expression: the name of a failure, or null. */
  failure?: Sql;
  /** An expression: the exact number of rows. */
  total: Sql;
  /** Selects one column `item` of JSON, in order. */
  items: (place: Place) => Sql;
  /** How the statement is planned and sent; unless said here `point`, or `list` when many rows are skipped or read. */
  kind?: StatementKind;
  /** The list's name in list_blocks, and the two columns it is ordered by, upwards: any page then costs the same. */
  blocks?: { list: Sql; at: Sql; id: Sql };
  /** An expression: the next moment at which the clock alone changes the answer, or null. */
  changesAt?: Sql;
}

export interface Page {
  total: number;
  /** The items as JSON, joined by commas. */
  items: string;
  itemCount: number;
  /** Milliseconds until the clock alone changes the answer; null when it never does. */
  changesInMs: number | null;
}
export interface Found {
  json: string;
  changesInMs: number | null;
}

// (page - 1) * pageSize can exceed what a number holds exactly, never what a bigint does (gap G3).
const windowOf = (query: PageQuery): { limit: number; offset: bigint } =>
  'page' in query
    ? { limit: query.pageSize, offset: (BigInt(query.page) - 1n) * BigInt(query.pageSize) }
    : { limit: query.count, offset: BigInt(query.offset) };

const noParent = sql`select 1`;

/** Milliseconds from now to a moment. */
export const msUntil = (moment: Sql): Sql => sql`date_part('epoch', ${moment} - api_now()) * 1000`;

export const numberOf = (text: string | null | undefined): number | null =>
  typeof text === 'string' ? Number(text) : null;

/** Lists up to this length have no blocks: skipping so many rows costs little. */
const shortList = 1024;
/** A page of the default size. A hundred long texts are 10 MB, for which others must not wait. */
const shortPage = 20;

/** The block of one level in which a row is, by its place in the list, and how many rows are before that block. */
const blockOf = (list: Sql, level: number, place: Sql, from: Sql): Sql => sql`
  select s.first_at, s.first_id, s.before
  from (
    select b.first_at, b.first_id, sum(b.rows) over (order by b.first_at, b.first_id rows unbounded preceding) - b.rows as before
    from list_blocks b
    where b.list = ${list} and b.level = ${level}::smallint ${from}
    order by b.first_at, b.first_id
    ${level === 0 ? sql`limit 130` : sql``} -- a block of the level above has at most 129 of these
  ) s
  where s.before <= ${place}
  order by s.first_at desc, s.first_id desc
  limit 1`;

const itemsAlone = (parts: PageParts, query: PageQuery): Sql => {
  const asked = windowOf(query);
  const limit = sql`${asked.limit}::bigint`;
  const offset = sql`${asked.offset.toString()}::bigint`;
  if (parts.blocks === undefined || asked.offset < BigInt(shortList))
    return parts.items({
      limit,
      offset,
      skipped: asked.offset,
      window: sql`limit ${limit} offset ${offset}`,
      onwards: sql``,
    });
  const { list, at, id } = parts.blocks;
  const inner = blockOf(
    list,
    0,
    sql`${offset} - outer_block.before`,
    sql`and (b.first_at, b.first_id) >= (outer_block.first_at, outer_block.first_id)`,
  );
  const skip = sql`start.skip`;
  return sql`
    select i.item
    from (
      select inner_block.first_at, inner_block.first_id, ${offset} - outer_block.before - inner_block.before as skip
      from (${blockOf(list, 1, offset, sql``)}) outer_block
      cross join lateral (${inner}) inner_block
    ) start
    cross join lateral (
      ${parts.items({
        limit,
        offset: skip,
        skipped: asked.offset,
        window: sql`limit ${limit} offset ${skip}`,
        onwards: sql`and (${at}, ${id}) >= (start.first_at, start.first_id)`,
      })}
    ) i`;
};

/** The part that reads the items, alone: what the tests explain. */
export const itemsStatement = (parts: PageParts, query: PageQuery): Sql =>
  sql`select i.item from (${parts.parent ?? noParent}) parent cross join lateral (${itemsAlone(parts, query)}) i`;

/** The one statement of a page. */
export const pageStatement = (query: PageQuery, parts: PageParts): Sql => {
  const { offset } = windowOf(query);
  return sql`
    select
      f.failure,
      t.total,
      i.items,
      i.item_count,
      ${parts.changesAt === undefined ? sql`null::float8` : msUntil(parts.changesAt)} as changes_in_ms
    from (${parts.parent ?? noParent}) parent
    cross join lateral (select ${parts.failure ?? sql`null::text`} as failure) f
    cross join lateral (select case when f.failure is null then ${parts.total} end as total) t
    left join lateral (
      select string_agg(w.item::text, ',') as items, count(*)::integer as item_count
      from (${itemsAlone(parts, query)}) w
      where ${offset.toString()}::bigint < t.total -- inside: past the end nothing is even looked for
    ) i on true`;
};

/** A page, the name of a failure, or null when there is no public parent. */
export const readGuardedPage = async <F extends string>(
  db: Db,
  query: PageQuery,
  parts: PageParts,
): Promise<Page | F | null> => {
  const { limit, offset } = windowOf(query);
  const isShort = limit <= shortPage && (parts.blocks !== undefined || offset < BigInt(shortList));
  const kind = parts.kind ?? (isShort ? 'point' : 'list');
  const [row] = await db.query(kind, pageStatement(query, parts));
  if (row === undefined) return null;
  const [failure, total, items, itemCount, changesInMs] = row;
  if (typeof failure === 'string') return failure as F;
  return { total: Number(total), items: items ?? '', itemCount: Number(itemCount), changesInMs: numberOf(changesInMs) };
};

/** A page, or null when there is no public parent. */
export const readPage = (db: Db, query: PageQuery, parts: Omit<PageParts, 'failure'>): Promise<Page | null> =>
  readGuardedPage<never>(db, query, parts);

/** A page of a list that has no parent. */
export const readRootPage = async (
  db: Db,
  query: PageQuery,
  parts: Omit<PageParts, 'parent' | 'failure'>,
): Promise<Page> => always(await readPage(db, query, parts));

/** For statements that have one row whatever the data. */
export const always = <T>(value: T | null): T => {
  if (value === null) throw new Error('a statement that always has a row had none');
  return value;
};

/** One JSON document and, where the clock changes it, the milliseconds until then; or null. */
export const readOne = async (db: Db, statement: Sql): Promise<Found | null> => {
  const [row] = await db.query('point', statement);
  const [json, changesInMs] = row ?? [];
  return typeof json === 'string' ? { json, changesInMs: numberOf(changesInMs) } : null;
};

/** A JSON array of what `select` yields in its column `item`. */
export const jsonArray = (select: Sql): Sql =>
  sql`(select coalesce('[' || string_agg(w.item::text, ',') || ']', '[]')::json from (${select}) w)`;
