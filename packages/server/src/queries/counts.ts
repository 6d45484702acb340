// Counts beside the lists: the total under filters and a range, and groups of it: by the values of a filter, or by day,
// week, month or year. Every noun says which list counts it; the statement is the same for all.
import type {
  countAgents,
  countBounties,
  countCollections,
  countContests,
  countLaunches,
  countRepositories,
  countUserTimeline,
} from '@commonhall/contract/counts';
import { mostBuckets, mostValues } from '@commonhall/contract/counts';
import type { ParsedQueryOf } from '@commonhall/contract/operation';
import type { Db } from '../db/connection/database.ts';
import type { BucketParts, Unit } from '../db/lists/counts.ts';
import { buckets, cells, isUnit } from '../db/lists/counts.ts';
import type { List } from '../db/lists/declarations.ts';
import {
  agents,
  bounties,
  collections,
  contests,
  holdings,
  launches,
  launchWeeks,
  repositories,
  sponsorBounties,
  sponsors,
  timeline,
  topicLaunches,
  topicWeekLaunches,
} from '../db/lists/declarations.ts';
import { totalsTable } from '../db/lists/generator.ts';
import type { ListRead, Range } from '../db/lists/pages.ts';
import { inRange, unfiltered } from '../db/lists/pages.ts';
import { rangeTotal, totalOf } from '../db/lists/totals.ts';
import { jsonArray, msUntil, startOf } from '../db/page.ts';
import type { JsonResult } from '../db/read-one.ts';
import { expectRow, numberOf, readOne } from '../db/read-one.ts';
import type { Sql } from '../db/sql.ts';
import { joinSql, plain, sql } from '../db/sql.ts';
import { sponsorOrNone } from './bounties.ts';
import { changesAt, contestsRead, displayStatusOf } from './contests.ts';
import type { Filters } from './filter.ts';
import { equalities } from './filter.ts';
import { filteredRead } from './filtered.ts';
import { launchesRead, topicInWeek } from './launches.ts';
import { publicUser } from './users.ts';

/** What is asked for: the names of groups, and a filter by which a bucket of time is split. */
interface Asked extends Range {
  by?: string | undefined;
  split?: string | undefined;
}
export interface Counted {
  /** As in PageParts: no row, no answer. */
  parent?: Sql;
  read: ListRead;
  /** Expressions, as in PageParts. */
  before?: Sql;
  total: Sql;
  /** Selects what the groups see as `cells`. */
  cells?: Sql;
  /** The groups that are not buckets: select `value` and `count`. */
  groups: Record<string, Sql>;
  bucket: Omit<BucketParts, 'unit' | 'most' | 'by'>;
  /** The column of each filter by which a bucket can be split. */
  columns?: Record<string, string>;
  /** An expression: the next time at which the clock alone changes the answer, or null. */
  changesAt?: Sql;
}

const json = (value: Sql): Sql => sql`coalesce(to_json(${value}::text)::text, 'null')`;
const counted = (value: Sql, count: Sql, more: Sql = sql``): Sql =>
  sql`'{"value":' || ${json(value)} || ',"count":' || ${count} ${more} || '}'`;
const listed = (item: Sql, order: Sql, condition = sql`true`): Sql =>
  sql`'[' || coalesce(string_agg(${item}, ',' order by ${order}) filter (where ${condition}), '') || ']'`;

/** An expression: the values of a group as JSON; null: there are too many. */
const valuesOf = (rows: Sql): Sql => sql`(
  select case when count(*) <= ${mostValues} then ${listed(counted(sql`v.value`, sql`v.count`), sql`v.count desc, v.value`)} end
  from (select v.value, v.count from (${rows}) v where v.count > 0 order by v.count desc, v.value limit ${mostValues + 1}) v
)`;

/** The same for buckets. Where the range has no bound, they begin or end with the first or last row that is counted. */
const bucketsOf = ({ read, bucket, columns = {} }: Counted, unit: Unit, { from, to, split }: Asked): Sql => {
  const by = split === undefined ? null : (columns[split] ?? null);
  const parts = by === null ? sql`` : sql`|| ',"split":' || b.parts`;
  const isShown = joinSql(
    [
      sql`true`,
      ...(from === undefined ? [sql`b.place >= b.first`] : []),
      ...(to === undefined ? [sql`b.place <= b.last`] : []),
    ],
    ' and ',
  );
  const part = listed(counted(sql`b.part`, sql`b.count`), sql`b.count desc, b.part`, sql`b.count > 0`);
  return sql`(
  select case when max(b.place) <= ${mostBuckets} or max(b.place) is null
    then ${listed(counted(sql`b.value`, sql`b.count`, parts), sql`b.place`, isShown)} end
  from (
    select b.*, min(b.place) filter (where b.count > 0) over () as first, max(b.place) filter (where b.count > 0) over () as last
    from (
      select b.place, b.value, sum(b.count) as count, ${part} as parts
      from (${buckets(read, { ...bucket, unit, most: mostBuckets, by })}) b
      group by b.place, b.value
    ) b
  ) b
)`;
};

/** The group that has too many values. */
export class TooMany {
  readonly by: string;
  readonly isBucket: boolean;
  constructor(by: string) {
    this.by = by;
    this.isBucket = isUnit(by);
  }
}

export const readCounts = async (db: Db, asked: Asked, noun: Counted): Promise<JsonResult | TooMany | null> => {
  const names = asked.by?.split(',') ?? [];
  const sorted = names.toSorted(); // one statement for every order of the same names
  const groups = sorted.map((name) => (isUnit(name) ? bucketsOf(noun, name, asked) : valuesOf(noun.groups[name]!)));
  const isGrouped = sorted.some((name) => !isUnit(name));
  // Only in a subquery can the cells depend on the parent.
  const all =
    groups.length === 0 ? sql`select '{}'::text[] as texts` : sql`select array[${joinSql(groups, ', ')}] as texts`;
  const withCells =
    isGrouped && noun.cells !== undefined ? sql`with cells as materialized (${noun.cells}) ${all}` : all;
  const [row] = await db.query(
    'list',
    sql`
      select t.total, ${noun.changesAt === undefined ? sql`null::float8` : msUntil(noun.changesAt)}, to_json(v.texts)::text
      from (${noun.parent ?? sql`select 1`}) parent
      ${startOf(noun)}
      cross join lateral (select ${noun.total} as total offset 0) t
      cross join lateral (${withCells}) v`,
  );
  if (row === undefined) return null;
  const [total, changesInMs, texts] = row;
  const values = JSON.parse(texts ?? '[]') as (string | null)[];
  const failed = values.indexOf(null);
  if (failed !== -1) return new TooMany(sorted[failed]!);
  const groupTexts = names.map((name) => `{"by":"${name}","values":${values[sorted.indexOf(name)]}}`);
  return { json: `{"total":${total},"groups":[${groupTexts.join()}]}`, changesInMs: numberOf(changesInMs) };
};

/** A list whose filters are counted by their combinations; `columns`: the column of each filter; `parent` selects `id`. */
const byCells = (
  list: List,
  sort: string,
  query: Range & Record<string, unknown>,
  columns: Record<string, string>,
  parent?: Sql,
): Counted => {
  const filters = Object.fromEntries(Object.entries(columns).map(([name, column]) => [column, query[name]])) as Filters;
  const key = parent === undefined ? null : sql`parent.id`;
  const { read, total } = filteredRead({ list, sort, isUp: true, parent: key, filters, range: query });
  const groups = Object.entries(columns).map(([name, column]): [string, Sql] => {
    const others = equalities('c', { ...filters, [column]: undefined });
    return [
      name,
      sql`
        select ${plain(`c.${column}`)} as value, sum(c.n) as count
        from cells c
        where ${joinSql([sql`true`, ...others], ' and ')}
        group by 1`,
    ];
  });
  return {
    ...(parent === undefined ? {} : { parent }),
    read,
    ...rangeTotal(read, total),
    cells: cells({ ...read, ...unfiltered }),
    groups: Object.fromEntries(groups),
    bucket: { conditions: (alias) => equalities(alias, filters) },
    columns,
  };
};
const same = (...names: string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, name]));

export const countedAgents = (query: ParsedQueryOf<typeof countAgents>): Counted =>
  byCells(agents, 'created', query, same('category'));
export const countedRepositories = (query: ParsedQueryOf<typeof countRepositories>): Counted =>
  byCells(repositories, 'created', query, same('category', 'ecosystem', 'importance', 'platform', 'status'));
export const countedCollections = (query: ParsedQueryOf<typeof countCollections>): Counted =>
  byCells(collections, 'created', query, { ...same('type', 'importance', 'category', 'source'), isSbt: 'is_sbt' });
export const countedTimeline = (username: string, query: ParsedQueryOf<typeof countUserTimeline>): Counted =>
  byCells(timeline, 'date', query, same('type'), publicUser(username));
export const countedBounties = ({ sponsorId, ...query }: ParsedQueryOf<typeof countBounties>): Counted => {
  const { status, category, from, to } = query;
  const own =
    sponsorId === undefined
      ? byCells(bounties, 'published', query, same('status', 'category'))
      : byCells(sponsorBounties, 'published', query, same('status', 'category'), sponsorOrNone(sponsorId));
  const ofSponsor = filteredRead({
    list: sponsorBounties,
    sort: 'published',
    isUp: true,
    parent: sql`p.id`,
    filters: { status, category },
    range: { from, to },
  });
  const each = rangeTotal(ofSponsor.read, ofSponsor.total);
  const bySponsor = sql`
    select p.id as value, n.count
    from sponsors p
    ${startOf(each)}
    cross join lateral (select ${each.total} as count offset 0) n`;
  return { ...own, groups: { ...own.groups, sponsorId: bySponsor } };
};

/** Launches have several topics, so each topic and each week is a list of its own. */
export const countedLaunches = (query: ParsedQueryOf<typeof countLaunches>): Counted => {
  const { launchWeek, topic, from, to } = query;
  const { read, ...parent } = launchesRead(query);
  const ofTopic = { ...read, list: topicLaunches, sort: 'published', parent: sql`p.id`, range: { from, to } };
  const each = rangeTotal(ofTopic, totalOf(topicLaunches, sql`p.id`));
  const inWeek = (topicId: Sql, week: Sql) => totalOf(topicWeekLaunches, topicInWeek(topicId, week));
  return {
    ...parent,
    read,
    ...rangeTotal(read, totalOf(read.list, read.parent)),
    groups: {
      topic: sql`
        select p.slug as value, n.count
        from topics p
        ${startOf(each)}
        cross join lateral (
          select ${launchWeek === undefined ? each.total : inWeek(sql`p.id`, sql`${launchWeek}`)} as count offset 0
        ) n`,
      launchWeek: sql`
        select w.week as value, ${topic === undefined ? sql`w.launches` : inWeek(sql`parent.id`, sql`w.week`)} as count
        from lists.launch_weeks w`,
    },
    bucket: { conditions: () => [] },
  };
};

export const countedContests = (query: ParsedQueryOf<typeof countContests>): Counted => {
  const { read, rows, isOfStatus, completed, whole, hasRange } = contestsRead(query);
  const isFiltered = query.displayStatus !== undefined;
  const all = totalOf(contests, null);
  return {
    read,
    ...(isFiltered ? { total: hasRange ? sql`(select count(*) ${rows})` : whole } : rangeTotal(read, all)),
    groups: {
      displayStatus: hasRange
        ? sql`
          select ${displayStatusOf} as value, count(*) as count
          from contests r where ${joinSql([sql`r.is_public`, ...inRange(read)], ' and ')} group by 1`
        : sql`
          select n.value, n.count from (select ${completed} as completed offset 0) c
          cross join lateral (values ('active', ${all} - c.completed), ('completed', c.completed)) n (value, count)`,
    },
    bucket: isFiltered ? { conditions: () => [isOfStatus], isCounted: sql`false` } : { conditions: () => [] },
    changesAt,
  };
};

/** The numbers of the community. */
export const findCounts = async (db: Db): Promise<JsonResult> =>
  expectRow(
    await readOne(
      db,
      sql`
      select row_to_json(c)::text
      from (
        select
          ${totalOf(agents, null)} as agents,
          ${totalOf(sponsors, null)} as sponsors,
          ${totalOf(bounties, null)} as bounties,
          ${jsonArray(sql`
            select row_to_json(s) as item
            from (
              select t.status as value, sum(t.rows)::bigint as count
              from ${plain(totalsTable(bounties))} t
              where t.facet <> 0
              group by t.status
              having sum(t.rows) > 0
            ) s
            order by s.count desc, s.value`)} as "bountiesByStatus",
          ${totalOf(launches, null)} as launches,
          ${totalOf(launchWeeks, null)} as "launchWeeks",
          ${totalOf(contests, null)} as contests,
          ${totalOf(collections, null)} as collections,
          ${totalOf(holdings, null)} as holdings,
          ${totalOf(repositories, null)} as repositories
      ) c`,
    ),
  );
