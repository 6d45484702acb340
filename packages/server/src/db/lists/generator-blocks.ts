// The SQL of one order S of a declared list: the counted blocks by_S, the counts of facets in them, and how triggers
// maintain both. generator.ts explains what blocks are. A group is a block of level 1. Aliases: r a row of the list's table
// or a changed one, b a block, u the group above it, k a block that is looked up, t a row of totals, f a count of a facet,
// n what is counted now, x a result in between.
import type { Key, List } from './declarations.ts';
import { lowest } from './declarations.ts';

export const comma = (parts: readonly string[], alias = ''): string => parts.map((part) => alias + part).join(', ');
export const when = (condition: boolean, text: string): string => (condition ? text : '');

/** The columns by which every row of a list is counted. */
export const sharedColumns = ({ parent, facets }: List): string[] => [
  `${parent ?? "''"}::text as parent`,
  `${facets?.number('') ?? '0::bigint'} as facet`,
];

/** What follows the name of the table in the statement that creates the index of an order. */
export const orderIndex = ({ parent, counted, id, carried }: List, { column }: Key): string => {
  const keys = [column, ...id];
  const included = carried.filter((each) => !keys.includes(each));
  return `(${comma([...(parent === null ? [] : [parent]), ...keys])})\
${when(included.length > 0, ` include (${comma(included)})`)}${when(counted !== null, ` where ${counted}`)}`;
};

/** The parts of a list's SQL that belong to one of its orders. */
export interface OrderSql {
  tables: string;
  /** cut_S() and group_S(), by which blocks stay of about one size. */
  functions: string;
  /** The statement that adds changed rows to their blocks, after the query that has them: `with changed_rows as …`. */
  add: string;
  /** Statements of resize(): after `whole.is_long` has changed, the blocks of a parent are made or removed. */
  rebuild: string;
  /** Selects a row for everything that is wrong in the blocks. */
  wrong: string;
}

export const orderSql = (list: List, sort: string, key: Key): OrderSql => {
  const { table, parent, facets, id, size, fan } = list;
  const hasFacets = facets !== null;
  const blocks = `by_${sort}`;
  const counts = `by_${sort}_facets`;
  const keys = [key.column, ...id];
  const typed = [key, ...id.map((column): Key => ({ column, type: 'text' }))];
  const first = comma(typed.map(({ type }) => lowest[type]));
  const keyOf = (alias: string) => comma(keys, `${alias}.`);
  const where = list.counted === null ? 'where' : `where ${list.counted} and`;
  /** The last block of a level that begins at or before a key; `of` has the parent. */
  const blockAt = (level: number, of: string, at: string) => `(
        select * from ${blocks} k
        where k.parent = ${of}.parent and k.level = ${level} and (${keyOf('k')}) <= (${at})
        order by ${keys.map((each) => `k.${each} desc`).join(', ')}
        limit 1
      )`;
  /** The rows of a block of level 0, in their order. */
  const rowsOf = (block: string, what: readonly string[]) => `(
        select ${comma(what)}
        from ${table}
        ${where}${when(parent !== null, ` ${parent} = ${block}.parent and`)} (${comma(keys)}) >= (${keyOf(block)})
        order by ${comma(keys)}
        limit ${block}.rows
      )`;

  const tables = `
create table ${blocks} (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
${typed.map(({ column, type }) => `  ${column} ${type}${when(type === 'text', ' collate "C"')} not null default ${lowest[type]},\n`).join('')}\
  rows integer not null,
  blocks integer not null default 0, -- of a group: how many blocks it has at most; group_S() counts them again
  unique (parent, level, ${comma(keys)})
) with (fillfactor = 70);${when(
    hasFacets,
    `
create table ${counts} (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  primary key (block, facet) include (rows)
) with (fillfactor = 70);`,
  )}`;

  const countFacetsOfGroups = `
  insert into ${counts} (block, facet, rows)
  select u.block, f.facet, sum(f.rows)
  from ${blocks} b
  cross join lateral ${blockAt(1, 'b', keyOf('b'))} u
  join ${counts} f on f.block = b.block
  where b.parent = of_parent and b.level = 0
  group by u.block, f.facet;`;
  const group = `
-- Divides the blocks of a parent into groups of ${fan} again, without the empty blocks; the first block always stays.
create function group_${sort}(of_parent text) returns void
language plpgsql
as $$
begin${when(
    hasFacets,
    `
  delete from ${counts} f using ${blocks} b
  where b.parent = of_parent and (b.level = 1 or b.rows = 0) and f.block = b.block;`,
  )}
  delete from ${blocks} b where b.parent = of_parent and (b.level = 1 or b.rows = 0 and (${keyOf('b')}) <> (${first}));
  insert into ${blocks} (parent, level, ${comma(keys)}, rows, blocks)
  select of_parent, 1, ${comma(keys.map((each) => `(array_agg(b.${each} order by b.place))[1]`))}, sum(b.rows), count(*)
  from (
    select b.*, row_number() over (order by ${keyOf('b')}) - 1 as place
    from ${blocks} b
    where b.parent = of_parent and b.level = 0
  ) b
  group by b.place / ${fan};${when(hasFacets, countFacetsOfGroups)}
end
$$;`;

  const countFacetsOfPieces = `
    delete from ${counts} f where f.block = old_block.block;
    insert into ${counts} (block, facet, rows)
    select b.block, r.facet, count(*)
    from (
      select * from ${blocks} b
      where b.parent = old_block.parent and b.level = 0 and (${keyOf('b')}) >= (${keyOf('old_block')})
      order by ${keyOf('b')}
      limit pieces + 1
    ) b
    cross join lateral ${rowsOf('b', [`${facets?.number('')} as facet`])} r
    where (select t.is_by_facet from totals t where t.parent = old_block.parent and t.facet = 0)
    group by b.block, r.facet;`;
  const cut = `
-- At commit: cuts a block that has become too large into blocks of ${size} rows and a rest, and deletes one that is empty.
create function cut_${sort}() returns trigger
language plpgsql
as $$
declare
  old_block ${blocks};
  pieces integer;
  blocks_in_group integer;
begin
  perform lists.at_commit_only();
  select * into old_block from ${blocks} b where b.block = new.block;
  if old_block.rows > ${2 * size} then
    insert into ${blocks} (parent, level, ${comma(keys)}, rows)
    select old_block.parent, 0, ${keyOf('r')}, least(${size}, old_block.rows - r.place)
    from (
      select r.*, row_number() over (order by ${keyOf('r')}) - 1 as place
      from ${rowsOf('old_block', keys)} r
    ) r
    where r.place > 0 and r.place % ${size} = 0;
    get diagnostics pieces = row_count;
    update ${blocks} b set rows = ${size} where b.block = old_block.block;${when(hasFacets, countFacetsOfPieces)}
    update ${blocks} u set blocks = u.blocks + pieces
    where u.block = (select x.block from ${blockAt(1, 'old_block', keyOf('old_block'))} x)
    returning u.blocks into blocks_in_group;
    if blocks_in_group > ${2 * fan} then
      perform group_${sort}(old_block.parent);
    end if;
  elsif old_block.rows = 0 and not exists (
    select from ${blocks} u
    where u.parent = old_block.parent and u.level = 1 and (${keyOf('u')}) = (${keyOf('old_block')})
  ) then
    -- The block before it takes over its range. The first block of a group stays, because the group begins there.
    delete from ${blocks} b where b.block = old_block.block;${when(
      hasFacets,
      `
    delete from ${counts} f where f.block = old_block.block;`,
    )}
  end if;
  return null;
end
$$;
create constraint trigger cut after update on ${blocks} deferrable initially deferred for each row
  when (new.level = 0 and (new.rows > ${2 * size} or new.rows = 0)) execute function cut_${sort}();`;

  const addToFacets = `,
  facets_added as (
    insert into ${counts} as f (block, facet, rows)
    select unnest(array[x.block, x.upper]), x.facet, sum(x.n)
    from changed_blocks x
    join totals t on t.parent = x.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(x.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )`;
  const add = `,
  -- The blocks in the key range of the changed rows, numbered. Short lists have no blocks.
  blocks_in_range as materialized (
    select x.parent, b.block, ${keyOf('b')}, row_number() over (partition by x.parent order by ${keyOf('b')}) as place
    from (select parent, min(${key.column}) as low, max(${key.column}) as high from changed_rows group by parent) x
    cross join lateral ${blockAt(0, 'x', comma(['x.low', ...id.map(() => "''")]))} start
    cross join lateral (
      select * from ${blocks} b
      where b.parent = x.parent and b.level = 0 and b.${key.column} <= x.high and (${keyOf('b')}) >= (${keyOf('start')})
      offset 0
    ) b
  ),
  -- Rows and blocks sorted together: each row belongs to the last block that begins at or before it.
  changes_by_place as materialized (
    select x.parent, x.facet, x.place, sum(x.n)::integer as n
    from (
      select x.parent, x.facet, x.n, max(x.place) over (
        partition by x.parent order by ${keyOf('x')}, x.place rows unbounded preceding
      ) as place
      from (
        select r.parent, r.facet, r.n, ${keyOf('r')}, null::bigint as place from changed_rows r
        where r.parent in (select b.parent from blocks_in_range b)
        union all
        select b.parent, null, null, ${keyOf('b')}, b.place from blocks_in_range b
      ) x
    ) x
    where x.n is not null
    group by x.parent, x.facet, x.place
    having sum(x.n) <> 0
  ),
  changed_blocks as materialized (
    select x.parent, x.facet, x.n, b.block, b.upper
    from changes_by_place x
    join (
      select b.parent, b.place, b.block, u.block as upper
      from blocks_in_range b
      cross join lateral ${blockAt(1, 'b', keyOf('b'))} u
      where (b.parent, b.place) in (select x.parent, x.place from changes_by_place x)
      offset 0
    ) b on b.parent = x.parent and b.place = x.place
  )${when(hasFacets, addToFacets)}
  update ${blocks} b set rows = b.rows + x.n
  from (select unnest(array[block, upper]) as block, sum(n) as n from changed_blocks group by 1) x
  where b.block = x.block and x.n <> 0;`;

  const rebuild = `${when(
    hasFacets,
    `
    delete from ${counts} f using ${blocks} b where b.parent = new.parent and f.block = b.block;`,
  )}
    delete from ${blocks} b where b.parent = new.parent;
    if whole.is_long then
      insert into ${blocks} (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into new_block;${when(
        hasFacets,
        `
      insert into ${counts} (block, facet, rows)
      select new_block, t.facet, t.rows from totals t where t.parent = new.parent and t.facet <> 0 and whole.is_by_facet;`,
      )}
      insert into ${blocks} (parent, level, rows) values (new.parent, 0, 0) returning block into new_block;
      update ${blocks} b set rows = whole.rows where b.block = new_block; -- an update, because it fires cut_${sort}()
    end if;`;

  /** Each row with its block, found by sorting all blocks of a level and all rows together. */
  const everyRow = (level: number) => `
    select x.block, x.facet
    from (
      select x.facet, x.block is null as is_row, max(x.block) over (partition by x.parent, x.place) as block
      from (
        select x.*, count(x.block) over (partition by x.parent order by ${keyOf('x')}, x.block nulls last) as place
        from (
          select b.parent, ${keyOf('b')}, b.block, 0 as facet from ${blocks} b where b.level = ${level}
          union all
          select t.parent, ${keyOf('r')}, null, r.facet
          from (select ${comma([...sharedColumns(list), ...keys])} from ${table}${when(list.counted !== null, ` where ${list.counted}`)}) r
          join totals t on t.parent = r.parent and t.facet = 0 and t.is_long
        ) x
      ) x
    ) x
    where x.is_row`;
  const wrongFacets = `
  union all
  select 1 from (select f.block, f.facet, f.rows::bigint as rows from ${counts} f where f.rows <> 0) f
  full join (
    select x.block, x.facet, count(*) as rows
    from every_row x
    join ${blocks} b on b.block = x.block
    join totals t on t.parent = b.parent and t.facet = 0 and t.is_by_facet
    group by x.block, x.facet
  ) n using (block, facet)
  where f.rows is distinct from n.rows`;
  const wrong = `
  with every_row as materialized (${everyRow(0)} union all ${everyRow(1)})
  select 1 as wrong from (select block, rows::bigint as rows from ${blocks} where rows <> 0) b
  full join (select x.block, count(*) as rows from every_row x group by x.block) n using (block)
  where b.rows is distinct from n.rows${when(hasFacets, wrongFacets)}
  union all
  select 1 from totals t
  where t.facet = 0 and (
    t.is_long <> (t.rows > case when t.is_long then ${size} else ${2 * size} end)
    or t.is_long <> exists (select from ${blocks} b where b.parent = t.parent and b.level = 1)
  )`;
  return { tables, functions: group + cut, add, rebuild, wrong };
};
