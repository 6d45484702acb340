// The SQL of a declared list. `commonhall migrate` runs it (install.ts), `npm run list <name>` prints it. A version of a
// list is a schema of its own with these tables, for every order S:
//   totals        rows per parent: facet 0 counts all of them, any other facet those with its filter values. Where a list
//                 has a parent, only its long ones have other facets: a short one is counted when it is read
//   by_S          counted blocks of long lists. Level 0: runs of rows; level 1, groups: runs of level 0 blocks. A block
//                 begins at its key and ends before the next block of its level
//   by_S_facets   rows per block and facet
//
// Example: a collection with 700 holders, in blocks of 256, 256 and 188 rows. A transaction inserts one holder:
//   1. When the statement ends, maintain_insert() runs once for all of its rows. `changed_rows` is one row with n = 1.
//   2. totals: (parent c1, facet 0) goes from 700 to 701 rows. The list is long; a short one has no blocks, and is done.
//   3. by_acquired: the row belongs to the last block that begins at or before it, which is found by its key. This block
//      and its group get one row more. No other row of the list is read.
//   4. At commit, if the block had 512 rows before, cut_acquired() cuts it. If its group has too many blocks then,
//      group_acquired() divides the groups again. If totals has crossed a limit, resize() makes or removes the blocks.
// A page is then found by adding up the rows of blocks (pages.ts). All of this runs under the writer lock, so no two
// transactions meet here. Statement triggers only add differences, in any order; blocks are cut, made and deleted at
// commit, after every trigger of every statement has added its part.

import { remembered } from '../sql.ts';
import type { List } from './declarations.ts';
import { hasFacetIndex, mostFacets } from './declarations.ts';
import { comma, orderIndex, orderSql, sharedColumns, when } from './generator-blocks.ts';
import type { Installable } from './installable.ts';
import { indexOf, versionOf } from './installable.ts';

/** The counted rows that a statement has changed: n is 1 for a row that was added, -1 for a row that was removed. */
const changedRows = (list: List, kind: string, columns: readonly string[]): string => {
  const rows = (from: string, n: number) => `
    select ${comma([...sharedColumns(list), ...columns])}, ${n} as n
    from ${from}${when(list.counted !== null, ` where ${list.counted}`)}`;
  if (kind === 'insert') return rows('new_rows', 1);
  if (kind === 'delete') return rows('old_rows', -1);
  const each = comma(['parent', 'facet', ...columns]);
  return `
    select ${each}, sum(n) as n
    from (${rows('new_rows', 1)}
    union all${rows('old_rows', -1)}
    ) x
    group by ${each}
    having sum(n) <> 0`;
};

/** The statements that create a version of a list, for a search path that begins with its schema. */
const listSql = (list: List, schema: string): string => {
  const { name, table, parent, facets, sorts, id, size } = list;
  const hasFacets = facets !== null;
  const filters = facets?.columns ?? [];
  const orders = Object.entries(sorts).map(([sort, key]) => ({ sort, ...orderSql(list, sort, key) }));
  const hasOrders = orders.length > 0;
  const inEveryOrder = (text: (sort: string) => string) => orders.map(({ sort }) => text(sort)).join('');
  const each = comma(['parent', 'facet', ...filters]);
  const groups = hasFacets ? `grouping sets ((${each}), (parent))` : each;
  /** Whether the facets of a parent are counted only while its list is long. */
  const isCountedIfLong = hasFacets && parent !== null;
  const isCounted = when(
    isCountedIfLong,
    `
    and (grouping(facet) = 1 or exists (select from totals t where t.parent = r.parent and t.facet = 0 and t.is_long))`,
  );
  const countedRows = `(
    select ${comma([...sharedColumns(list), ...filters])} from ${table}${when(list.counted !== null, ` where ${list.counted}`)}
  ) r`;
  /** Inserts totals of rows that have the parent, the facet and the filter columns. */
  const insertTotals = (from: string, sum: string) => `
  insert into totals as t (${each}, rows)
  select ${comma(['parent', 'coalesce(facet, 0)', ...filters, sum])}
  from ${from}
  group by ${groups}
  having ${sum} <> 0${isCounted}`;

  // The filter columns have the types of the table's columns.
  const tables = `
create table totals as
select ${comma([`''::text collate "C" as parent`, '0::bigint as facet', ...filters])}, 0::bigint as rows,
  false as is_long${when(hasFacets, ', true as is_by_facet')}
from ${table}
with no data;
alter table totals
  set (fillfactor = 70),
  alter rows set not null,
  alter is_long set not null, -- has blocks
  alter is_long set default false,${when(hasFacets, '\n  alter is_by_facet set not null, -- its blocks are counted by facet\n  alter is_by_facet set default true,')}
  add primary key (parent, facet)${when(filters.length > 0, `,\n  add unique nulls not distinct (${each})`)};${orders.map((order) => order.tables).join('')}`;

  /** Stops counting blocks by facet when there are too many combinations. Lists with a parent have few. */
  const limitFacets = when(
    hasFacets && parent === null,
    `
  update totals t set is_by_facet = false
  where t.facet = 0 and t.is_by_facet and (select count(*) from totals f where f.rows <> 0) > ${mostFacets};
  if found then${inEveryOrder((sort) => `\n    delete from by_${sort}_facets;`)}
  end if;`,
  );
  const countWhole = `
  insert into totals (parent, facet, rows) select parent, 0, count(*) from ${countedRows} group by parent`;
  const recount = `
-- Counts all rows of the table. The blocks of long lists are made at commit.
create function recount() returns void
language plpgsql
as $$
begin
  delete from totals;${inEveryOrder((sort) => `\n  delete from by_${sort};${when(hasFacets, `\n  delete from by_${sort}_facets;`)}`)}\
${isCountedIfLong ? countWhole : insertTotals(countedRows, 'count(*)')};${limitFacets}
end
$$;`;

  const isWrongSize = (row: string) =>
    `${row}.is_long <> (${row}.rows > case when ${row}.is_long then ${size} else ${2 * size} end)`;
  const changeFacets = `
    delete from totals t where t.parent = new.parent and t.facet <> 0;
    if whole.is_long then
      insert into totals (${each}, rows)
      select ${each}, count(*) from ${countedRows} where parent = new.parent group by ${each};
    end if;`;
  const changeSize = `
  update totals t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and ${isWrongSize('t')}
  returning * into whole;
  if found then${when(isCountedIfLong, changeFacets)}${orders.map(({ rebuild }) => rebuild).join('')}
  end if;`;
  const resize = `
-- At commit: makes the blocks of a list that has become long, removes those of one that is short again, and deletes
-- totals of 0.
create function resize() returns trigger
language plpgsql
as $$
declare
  whole totals;
  new_block integer;
begin
  perform lists.at_commit_only();${when(hasOrders, changeSize)}
  delete from totals t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on totals deferrable initially deferred for each row
  when (new.rows = 0${when(hasOrders, ` or (new.facet = 0 and ${isWrongSize('new')})`)}) execute function resize();`;

  const maintain = ['insert', 'update', 'delete'].map((kind) => {
    const changed = (columns: readonly string[]) => changedRows(list, kind, columns);
    const keys = [...new Set(Object.values(sorts).flatMap(({ column }) => [column, ...id]))];
    // Most updates change nothing that the list depends on.
    const stopEarly = `
  if not exists (${changed([...new Set([...filters, ...keys])])}
  ) then
    return null;
  end if;`;
    const changedParents = [...(kind === 'insert' ? [] : ['old_rows']), ...(kind === 'delete' ? [] : ['new_rows'])].map(
      (rows) => `select ${parent}::text from ${rows}`,
    );
    // Short lists have no blocks.
    const addToBlocks = `
  if exists (
    select from totals t
    where t.facet = 0 and t.is_long and t.parent ${parent === null ? "= ''" : `in (${changedParents.join(' union all ')})`}
  ) then${orders
    .map(({ add, sort }) => {
      const rows = changed([sorts[sort]!.column, ...id]);
      return `\n  with changed_rows as materialized (${rows}\n  )${add}`;
    })
    .join('')}
  end if;`;
    return `
create function maintain_${kind}() returns trigger
language plpgsql
-- A session caches the plan of the first, perhaps small, statement: without these scans it is not bad for a large one.
-- No JIT: PostgreSQL 15 to 17 give a disabled scan a huge cost, which alone would cause compilation.
set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin${when(kind === 'update', stopEarly)}${insertTotals(`(${changed(filters)}\n  ) r`, 'sum(n)')}
  on conflict (${each}) do update set rows = t.rows + excluded.rows;${when(kind !== 'delete', limitFacets)}${when(hasOrders, addToBlocks)}
  return null;
end
$$;
create trigger ${schema}_${kind} after ${kind} on ${table}
  referencing${when(kind !== 'insert', ' old table as old_rows')}${when(kind !== 'delete', ' new table as new_rows')}
  for each statement execute function maintain_${kind}();`;
  });
  const truncate = `
create function maintain_truncate() returns trigger
language plpgsql
as $$
begin
  perform recount();
  return null;
end
$$;
create trigger ${schema}_truncate after truncate on ${table} for each statement execute function maintain_truncate();`;

  const wrongWidth = `
union all
select 1 from totals t
cross join lateral (select count(*) as n from totals f where f.parent = t.parent and f.rows <> 0) f
where t.facet = 0
  and (not t.is_by_facet and f.n <= ${mostFacets / 2}${when(parent === null, ` or t.is_by_facet and f.n > ${mostFacets}`)})`;
  const wrong = `
-- A row for everything that is wrong: commonhall verify reads these views.
create view wrong_totals as
select 1 as wrong from (select parent, facet, rows from totals where rows <> 0) t
full join (
  select parent, coalesce(facet, 0) as facet, count(*) as rows
  from ${countedRows}
  group by ${groups}
  having count(*) > 0${isCounted}
) n using (parent, facet)
where t.rows is distinct from n.rows${when(hasFacets, wrongWidth)};
${orders.map((order) => `create view wrong_by_${order.sort} as${order.wrong};\n`).join('')}`;

  const all = [tables, recount, resize, ...orders.map(({ functions }) => functions), ...maintain, truncate, wrong];
  return `-- ${name}: rows of ${table}${when(parent !== null, ` by ${parent}`)}${all.join('')}`.replaceAll(
    'language plpgsql',
    `language plpgsql\nset search_path = ${schema}, public, pg_temp`,
  );
};

/** What `commonhall migrate` installs for a list. */
export const installableOf = remembered((list: List): Installable => {
  const { name, table, facets, counted, sorts } = list;
  const index = (what: string, on: string) => indexOf(`${name}_${what}`, table, on);
  return {
    name,
    table,
    indexes: [
      ...Object.entries(sorts).map(([sort, key]) => index(`by_${sort}`, orderIndex(list, key))),
      ...(hasFacetIndex(list)
        ? [index('facet', `((${facets?.number('')}))${when(counted !== null, ` where ${counted}`)}`)]
        : []),
    ],
    sql: (schema) => listSql(list, schema),
  };
});

/** The table of a list's totals, and the table of an order's blocks, in the version that this build reads. */
export const totalsTable = (list: List): string => `${versionOf(installableOf(list))}.totals`;
export const blocksTable = (list: List, sort: string): string => `${versionOf(installableOf(list))}.by_${sort}`;
