// The only pagination code. One statement reads the check of the parent, the exact total and the items of one page from
// one snapshot. Past the end only the total is read (gap G3).

import type { Db, StatementKind } from './connection/database.ts';
import type { Row } from './connection/statement.ts';
import type { ListRead, Window } from './lists/pages.ts';
import { nearRows, orderOf, pageRows } from './lists/pages.ts';
import { rangeTotal, totalOf } from './lists/totals.ts';
import { shortPage, shortSkip } from './lists/ways.ts';
import { expectRow, numberOf } from './read-one.ts';
import type { Sql } from './sql.ts';
import { plain, sql } from './sql.ts';

export type PageQuery = { page: number; pageSize: number } | { offset: number; count: number };

export interface PageParts {
  /** Selects the parent as one row; no row when it is absent or not public. The other parts see it as `parent`. */
  parent?: Sql;
  /** An expression: the name of a failure, or null. */
  failure?: Sql;
  /** An expression: how many rows come before those of a range, counted upwards. The other parts see `start.before`. */
  before?: Sql;
  /** An expression: the exact number of rows. */
  total: Sql;
  /** Selects the rows of the page, unordered. */
  rows: (window: Window) => Sql;
  /** A cheaper statement, tried first; null: none. If it gives too few rows or no total, the full statement runs. */
  near?: (window: Window) => Near | null;
  /** The order of the rows `r`. */
  order: Sql;
  /** Selects the JSON of an item as `item`, over its row `r`. */
  item: Sql;
  /** How the statement is planned and sent. */
  kind: (window: Window) => StatementKind;
  /** An expression: the next time at which the clock alone changes the answer, or null. */
  changesAt?: Sql;
  /** The same for one item, over its row `r`. */
  itemChangesAt?: Sql;
}

interface Near {
  total: Sql;
  rows: Sql;
  kind: StatementKind;
}

export interface Page {
  total: number;
  /** The items as JSON, joined by commas. */
  items: string;
  itemCount: number;
  /** Milliseconds until the clock alone changes the answer; null when it never does. */
  changesInMs: number | null;
}
/** The parts that follow from a declared list. `whole`: how many rows it has under the filter, in any range. */
export const listParts = (
  read: ListRead,
  whole: Sql = totalOf(read.list, read.parent),
): Pick<PageParts, 'before' | 'total' | 'rows' | 'near' | 'order' | 'kind'> => {
  const { before, total } = rangeTotal(read, whole);
  return {
    ...(before === undefined ? {} : { before }),
    total,
    rows: (window) => pageRows(read, window, total === whole ? sql`t.total` : whole),
    near: (window) => {
      const rows = nearRows(read, window);
      return rows && { total, rows, kind: shortKind(window) };
    },
    order: orderOf(read),
    kind: (window) => (read.fitting === null ? shortKind(window) : 'list'),
  };
};

/** The same parts for a list over a narrow table: the rows of the wide table are joined by the key that both have. */
export const widened = <P extends Pick<PageParts, 'rows' | 'near'>>(
  parts: P,
  table: string,
  key = 'id',
  more: readonly string[] = [],
): P => {
  const columns = plain(['t.*', ...more.map((column) => `k.${column}`)].join(', '));
  const widen = (rows: Sql): Sql => sql`
    select ${columns}
    from (${rows}) k
    cross join lateral (select * from ${plain(table)} t where ${plain(`t.${key} = k.${key}`)} offset 0) t`;
  return {
    ...parts,
    rows: (window) => widen(parts.rows(window)),
    near: (window) => {
      const near = parts.near?.(window) ?? null;
      return near && { ...near, rows: widen(near.rows) };
    },
  };
};

const shortKind = ({ limit }: Window): StatementKind => (limit <= shortPage ? 'point' : 'list');
/** For lists that skip rows one by one. */
export const skippingKind = (window: Window): StatementKind => (window.offset < shortSkip ? shortKind(window) : 'list');

// A bigint, because (page - 1) * pageSize can exceed the safe integers of a number (gap G3).
export const windowOf = (query: PageQuery): Window =>
  'page' in query
    ? { limit: query.pageSize, offset: (BigInt(query.page) - 1n) * BigInt(query.pageSize) }
    : { limit: query.count, offset: BigInt(query.offset) };

/** Milliseconds from now to a time. */
export const msUntil = (moment: Sql): Sql => sql`date_part('epoch', ${moment} - api_now()) * 1000`;

/** Joins what parts see as `start`. */
export const startOf = ({ before }: Pick<PageParts, 'before'>): Sql =>
  before === undefined ? sql`` : sql`cross join lateral (select ${before} as before offset 0) start`;

/** The single statement that reads a page. */
export const pageStatement = (
  window: Window,
  parts: PageParts,
  { total, rows }: Omit<Near, 'kind'> = { total: parts.total, rows: parts.rows(window) },
): Sql => {
  const changesAt = parts.itemChangesAt === undefined ? parts.changesAt : sql`i.changes_at`;
  return sql`
  select
    f.failure,
    t.total,
    i.items,
    i.item_count,
    ${changesAt === undefined ? sql`null::float8` : msUntil(changesAt)} as changes_in_ms
  from (${parts.parent ?? sql`select 1`}) parent
  cross join lateral (select ${parts.failure ?? sql`null::text`} as failure) f
  ${startOf(parts)}
  -- Offset 0 is an optimization fence: the total is computed once, not at each reference.
  cross join lateral (select case when f.failure is null then ${total} end as total offset 0) t
  left join lateral (
    select
      string_agg(w.item::text, ',') as items,
      count(*)::integer as item_count
      ${parts.itemChangesAt === undefined ? sql`` : sql`, min(w.changes_at) as changes_at`}
    from (
      select i.item ${parts.itemChangesAt === undefined ? sql`` : sql`, ${parts.itemChangesAt} as changes_at`}
      from (${rows}) r
      cross join lateral (${parts.item}) i
      order by ${parts.order}
    ) w
    where ${window.offset.toString()}::bigint < t.total -- in here, so that past the end no row is searched for
  ) i on true`;
};

/** A page, the name of a failure, or null when there is no public parent. */
export const readGuardedPage = async <F extends string>(
  db: Db,
  query: PageQuery,
  parts: PageParts,
): Promise<Page | F | null> => {
  const window = windowOf(query);
  const near = parts.near?.(window) ?? null;
  if (near !== null) {
    const page = pageOf<F>(await db.query(near.kind, pageStatement(window, parts, near)));
    if (page === null || typeof page === 'string') return page;
    if (page.itemCount === Math.max(0, Math.min(window.limit, page.total - Number(window.offset)))) return page;
  }
  return pageOf<F>(await db.query(parts.kind(window), pageStatement(window, parts)));
};
const pageOf = <F extends string>([row]: Row[]): Page | F | null => {
  if (row === undefined) return null;
  const [failure, total, items, itemCount, changesInMs] = row;
  if (typeof failure === 'string') return failure as F;
  return {
    total: Number(total ?? Number.NaN),
    items: items ?? '',
    itemCount: Number(itemCount),
    changesInMs: numberOf(changesInMs),
  };
};

/** A page, or null when there is no public parent. */
export const readPage = (db: Db, query: PageQuery, parts: Omit<PageParts, 'failure'>): Promise<Page | null> =>
  readGuardedPage<never>(db, query, parts);

/** A page of a list that has no parent. */
export const readRootPage = async (db: Db, query: PageQuery, parts: Omit<PageParts, 'failure'>): Promise<Page> =>
  expectRow(await readPage(db, query, parts));

/** A JSON array of what `select` yields in its column `item`. */
export const jsonArray = (select: Sql): Sql =>
  sql`(select coalesce('[' || string_agg(w.item::text, ',') || ']', '[]')::json from (${select}) w)`;

/** Selects a select list as the JSON object `item`. Join it laterally: a scalar subquery would cost more per row. */
export const itemOf = (keys: Sql): Sql => sql`select row_to_json(i) as item from (select ${keys}) i`;
