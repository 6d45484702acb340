create index holders_by_acquired_47b9d448 on collection_holders (collection_address, acquired_at, user_id);
create schema holders;
set search_path = holders, public, pg_temp;
-- holders: rows of collection_holders by collection_address
create table totals as
select ''::text collate "C" as parent, 0::bigint as facet, 0::bigint as rows,
  false as is_long
from collection_holders
with no data;
alter table totals
  set (fillfactor = 70),
  alter rows set not null,
  alter is_long set not null, -- has blocks
  alter is_long set default false,
  add primary key (parent, facet);
create table by_acquired (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  acquired_at timestamptz not null default '-infinity',
  user_id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of a group: how many blocks it has at most; group_S() counts them again
  unique (parent, level, acquired_at, user_id)
) with (fillfactor = 70);
-- Counts all rows of the table. The blocks of long lists are made at commit.
create function recount() returns void
language plpgsql
set search_path = holders, public, pg_temp
as $$
begin
  delete from totals;
  delete from by_acquired;
  insert into totals as t (parent, facet, rows)
  select parent, coalesce(facet, 0), count(*)
  from (
    select collection_address::text as parent, 0::bigint as facet from collection_holders
  ) r
  group by parent, facet
  having count(*) <> 0;
end
$$;
-- At commit: makes the blocks of a list that has become long, removes those of one that is short again, and deletes
-- totals of 0.
create function resize() returns trigger
language plpgsql
set search_path = holders, public, pg_temp
as $$
declare
  whole totals;
  new_block integer;
begin
  perform lists.at_commit_only();
  update totals t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 256 else 512 end)
  returning * into whole;
  if found then
    delete from by_acquired b where b.parent = new.parent;
    if whole.is_long then
      insert into by_acquired (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into new_block;
      insert into by_acquired (parent, level, rows) values (new.parent, 0, 0) returning block into new_block;
      update by_acquired b set rows = whole.rows where b.block = new_block; -- an update, because it fires cut_acquired()
    end if;
  end if;
  delete from totals t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on totals deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 256 else 512 end))) execute function resize();
-- Divides the blocks of a parent into groups of 96 again, without the empty blocks; the first block always stays.
create function group_acquired(of_parent text) returns void
language plpgsql
set search_path = holders, public, pg_temp
as $$
begin
  delete from by_acquired b where b.parent = of_parent and (b.level = 1 or b.rows = 0 and (b.acquired_at, b.user_id) <> ('-infinity', ''));
  insert into by_acquired (parent, level, acquired_at, user_id, rows, blocks)
  select of_parent, 1, (array_agg(b.acquired_at order by b.place))[1], (array_agg(b.user_id order by b.place))[1], sum(b.rows), count(*)
  from (
    select b.*, row_number() over (order by b.acquired_at, b.user_id) - 1 as place
    from by_acquired b
    where b.parent = of_parent and b.level = 0
  ) b
  group by b.place / 96;
end
$$;
-- At commit: cuts a block that has become too large into blocks of 256 rows and a rest, and deletes one that is empty.
create function cut_acquired() returns trigger
language plpgsql
set search_path = holders, public, pg_temp
as $$
declare
  old_block by_acquired;
  pieces integer;
  blocks_in_group integer;
begin
  perform lists.at_commit_only();
  select * into old_block from by_acquired b where b.block = new.block;
  if old_block.rows > 512 then
    insert into by_acquired (parent, level, acquired_at, user_id, rows)
    select old_block.parent, 0, r.acquired_at, r.user_id, least(256, old_block.rows - r.place)
    from (
      select r.*, row_number() over (order by r.acquired_at, r.user_id) - 1 as place
      from (
        select acquired_at, user_id
        from collection_holders
        where collection_address = old_block.parent and (acquired_at, user_id) >= (old_block.acquired_at, old_block.user_id)
        order by acquired_at, user_id
        limit old_block.rows
      ) r
    ) r
    where r.place > 0 and r.place % 256 = 0;
    get diagnostics pieces = row_count;
    update by_acquired b set rows = 256 where b.block = old_block.block;
    update by_acquired u set blocks = u.blocks + pieces
    where u.block = (select x.block from (
        select * from by_acquired k
        where k.parent = old_block.parent and k.level = 1 and (k.acquired_at, k.user_id) <= (old_block.acquired_at, old_block.user_id)
        order by k.acquired_at desc, k.user_id desc
        limit 1
      ) x)
    returning u.blocks into blocks_in_group;
    if blocks_in_group > 192 then
      perform group_acquired(old_block.parent);
    end if;
  elsif old_block.rows = 0 and not exists (
    select from by_acquired u
    where u.parent = old_block.parent and u.level = 1 and (u.acquired_at, u.user_id) = (old_block.acquired_at, old_block.user_id)
  ) then
    -- The block before it takes over its range. The first block of a group stays, because the group begins there.
    delete from by_acquired b where b.block = old_block.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on by_acquired deferrable initially deferred for each row
  when (new.level = 0 and (new.rows > 512 or new.rows = 0)) execute function cut_acquired();
create function maintain_insert() returns trigger
language plpgsql
set search_path = holders, public, pg_temp
-- A session caches the plan of the first, perhaps small, statement: without these scans it is not bad for a large one.
-- No JIT: PostgreSQL 15 to 17 give a disabled scan a huge cost, which alone would cause compilation.
set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into totals as t (parent, facet, rows)
  select parent, coalesce(facet, 0), sum(n)
  from (
    select collection_address::text as parent, 0::bigint as facet, 1 as n
    from new_rows
  ) r
  group by parent, facet
  having sum(n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  if exists (
    select from totals t
    where t.facet = 0 and t.is_long and t.parent in (select collection_address::text from new_rows)
  ) then
  with changed_rows as materialized (
    select collection_address::text as parent, 0::bigint as facet, acquired_at, user_id, 1 as n
    from new_rows
  ),
  -- The blocks in the key range of the changed rows, numbered. Short lists have no blocks.
  blocks_in_range as materialized (
    select x.parent, b.block, b.acquired_at, b.user_id, row_number() over (partition by x.parent order by b.acquired_at, b.user_id) as place
    from (select parent, min(acquired_at) as low, max(acquired_at) as high from changed_rows group by parent) x
    cross join lateral (
        select * from by_acquired k
        where k.parent = x.parent and k.level = 0 and (k.acquired_at, k.user_id) <= (x.low, '')
        order by k.acquired_at desc, k.user_id desc
        limit 1
      ) start
    cross join lateral (
      select * from by_acquired b
      where b.parent = x.parent and b.level = 0 and b.acquired_at <= x.high and (b.acquired_at, b.user_id) >= (start.acquired_at, start.user_id)
      offset 0
    ) b
  ),
  -- Rows and blocks sorted together: each row belongs to the last block that begins at or before it.
  changes_by_place as materialized (
    select x.parent, x.facet, x.place, sum(x.n)::integer as n
    from (
      select x.parent, x.facet, x.n, max(x.place) over (
        partition by x.parent order by x.acquired_at, x.user_id, x.place rows unbounded preceding
      ) as place
      from (
        select r.parent, r.facet, r.n, r.acquired_at, r.user_id, null::bigint as place from changed_rows r
        where r.parent in (select b.parent from blocks_in_range b)
        union all
        select b.parent, null, null, b.acquired_at, b.user_id, b.place from blocks_in_range b
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
      cross join lateral (
        select * from by_acquired k
        where k.parent = b.parent and k.level = 1 and (k.acquired_at, k.user_id) <= (b.acquired_at, b.user_id)
        order by k.acquired_at desc, k.user_id desc
        limit 1
      ) u
      where (b.parent, b.place) in (select x.parent, x.place from changes_by_place x)
      offset 0
    ) b on b.parent = x.parent and b.place = x.place
  )
  update by_acquired b set rows = b.rows + x.n
  from (select unnest(array[block, upper]) as block, sum(n) as n from changed_blocks group by 1) x
  where b.block = x.block and x.n <> 0;
  end if;
  return null;
end
$$;
create trigger holders_insert after insert on collection_holders
  referencing new table as new_rows
  for each statement execute function maintain_insert();
create function maintain_update() returns trigger
language plpgsql
set search_path = holders, public, pg_temp
-- A session caches the plan of the first, perhaps small, statement: without these scans it is not bad for a large one.
-- No JIT: PostgreSQL 15 to 17 give a disabled scan a huge cost, which alone would cause compilation.
set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
    select parent, facet, acquired_at, user_id, sum(n) as n
    from (
    select collection_address::text as parent, 0::bigint as facet, acquired_at, user_id, 1 as n
    from new_rows
    union all
    select collection_address::text as parent, 0::bigint as facet, acquired_at, user_id, -1 as n
    from old_rows
    ) x
    group by parent, facet, acquired_at, user_id
    having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into totals as t (parent, facet, rows)
  select parent, coalesce(facet, 0), sum(n)
  from (
    select parent, facet, sum(n) as n
    from (
    select collection_address::text as parent, 0::bigint as facet, 1 as n
    from new_rows
    union all
    select collection_address::text as parent, 0::bigint as facet, -1 as n
    from old_rows
    ) x
    group by parent, facet
    having sum(n) <> 0
  ) r
  group by parent, facet
  having sum(n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  if exists (
    select from totals t
    where t.facet = 0 and t.is_long and t.parent in (select collection_address::text from old_rows union all select collection_address::text from new_rows)
  ) then
  with changed_rows as materialized (
    select parent, facet, acquired_at, user_id, sum(n) as n
    from (
    select collection_address::text as parent, 0::bigint as facet, acquired_at, user_id, 1 as n
    from new_rows
    union all
    select collection_address::text as parent, 0::bigint as facet, acquired_at, user_id, -1 as n
    from old_rows
    ) x
    group by parent, facet, acquired_at, user_id
    having sum(n) <> 0
  ),
  -- The blocks in the key range of the changed rows, numbered. Short lists have no blocks.
  blocks_in_range as materialized (
    select x.parent, b.block, b.acquired_at, b.user_id, row_number() over (partition by x.parent order by b.acquired_at, b.user_id) as place
    from (select parent, min(acquired_at) as low, max(acquired_at) as high from changed_rows group by parent) x
    cross join lateral (
        select * from by_acquired k
        where k.parent = x.parent and k.level = 0 and (k.acquired_at, k.user_id) <= (x.low, '')
        order by k.acquired_at desc, k.user_id desc
        limit 1
      ) start
    cross join lateral (
      select * from by_acquired b
      where b.parent = x.parent and b.level = 0 and b.acquired_at <= x.high and (b.acquired_at, b.user_id) >= (start.acquired_at, start.user_id)
      offset 0
    ) b
  ),
  -- Rows and blocks sorted together: each row belongs to the last block that begins at or before it.
  changes_by_place as materialized (
    select x.parent, x.facet, x.place, sum(x.n)::integer as n
    from (
      select x.parent, x.facet, x.n, max(x.place) over (
        partition by x.parent order by x.acquired_at, x.user_id, x.place rows unbounded preceding
      ) as place
      from (
        select r.parent, r.facet, r.n, r.acquired_at, r.user_id, null::bigint as place from changed_rows r
        where r.parent in (select b.parent from blocks_in_range b)
        union all
        select b.parent, null, null, b.acquired_at, b.user_id, b.place from blocks_in_range b
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
      cross join lateral (
        select * from by_acquired k
        where k.parent = b.parent and k.level = 1 and (k.acquired_at, k.user_id) <= (b.acquired_at, b.user_id)
        order by k.acquired_at desc, k.user_id desc
        limit 1
      ) u
      where (b.parent, b.place) in (select x.parent, x.place from changes_by_place x)
      offset 0
    ) b on b.parent = x.parent and b.place = x.place
  )
  update by_acquired b set rows = b.rows + x.n
  from (select unnest(array[block, upper]) as block, sum(n) as n from changed_blocks group by 1) x
  where b.block = x.block and x.n <> 0;
  end if;
  return null;
end
$$;
create trigger holders_update after update on collection_holders
  referencing old table as old_rows new table as new_rows
  for each statement execute function maintain_update();
create function maintain_delete() returns trigger
language plpgsql
set search_path = holders, public, pg_temp
-- A session caches the plan of the first, perhaps small, statement: without these scans it is not bad for a large one.
-- No JIT: PostgreSQL 15 to 17 give a disabled scan a huge cost, which alone would cause compilation.
set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into totals as t (parent, facet, rows)
  select parent, coalesce(facet, 0), sum(n)
  from (
    select collection_address::text as parent, 0::bigint as facet, -1 as n
    from old_rows
  ) r
  group by parent, facet
  having sum(n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  if exists (
    select from totals t
    where t.facet = 0 and t.is_long and t.parent in (select collection_address::text from old_rows)
  ) then
  with changed_rows as materialized (
    select collection_address::text as parent, 0::bigint as facet, acquired_at, user_id, -1 as n
    from old_rows
  ),
  -- The blocks in the key range of the changed rows, numbered. Short lists have no blocks.
  blocks_in_range as materialized (
    select x.parent, b.block, b.acquired_at, b.user_id, row_number() over (partition by x.parent order by b.acquired_at, b.user_id) as place
    from (select parent, min(acquired_at) as low, max(acquired_at) as high from changed_rows group by parent) x
    cross join lateral (
        select * from by_acquired k
        where k.parent = x.parent and k.level = 0 and (k.acquired_at, k.user_id) <= (x.low, '')
        order by k.acquired_at desc, k.user_id desc
        limit 1
      ) start
    cross join lateral (
      select * from by_acquired b
      where b.parent = x.parent and b.level = 0 and b.acquired_at <= x.high and (b.acquired_at, b.user_id) >= (start.acquired_at, start.user_id)
      offset 0
    ) b
  ),
  -- Rows and blocks sorted together: each row belongs to the last block that begins at or before it.
  changes_by_place as materialized (
    select x.parent, x.facet, x.place, sum(x.n)::integer as n
    from (
      select x.parent, x.facet, x.n, max(x.place) over (
        partition by x.parent order by x.acquired_at, x.user_id, x.place rows unbounded preceding
      ) as place
      from (
        select r.parent, r.facet, r.n, r.acquired_at, r.user_id, null::bigint as place from changed_rows r
        where r.parent in (select b.parent from blocks_in_range b)
        union all
        select b.parent, null, null, b.acquired_at, b.user_id, b.place from blocks_in_range b
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
      cross join lateral (
        select * from by_acquired k
        where k.parent = b.parent and k.level = 1 and (k.acquired_at, k.user_id) <= (b.acquired_at, b.user_id)
        order by k.acquired_at desc, k.user_id desc
        limit 1
      ) u
      where (b.parent, b.place) in (select x.parent, x.place from changes_by_place x)
      offset 0
    ) b on b.parent = x.parent and b.place = x.place
  )
  update by_acquired b set rows = b.rows + x.n
  from (select unnest(array[block, upper]) as block, sum(n) as n from changed_blocks group by 1) x
  where b.block = x.block and x.n <> 0;
  end if;
  return null;
end
$$;
create trigger holders_delete after delete on collection_holders
  referencing old table as old_rows
  for each statement execute function maintain_delete();
create function maintain_truncate() returns trigger
language plpgsql
set search_path = holders, public, pg_temp
as $$
begin
  perform recount();
  return null;
end
$$;
create trigger holders_truncate after truncate on collection_holders for each statement execute function maintain_truncate();
-- A row for everything that is wrong: commonhall verify reads these views.
create view wrong_totals as
select 1 as wrong from (select parent, facet, rows from totals where rows <> 0) t
full join (
  select parent, coalesce(facet, 0) as facet, count(*) as rows
  from (
    select collection_address::text as parent, 0::bigint as facet from collection_holders
  ) r
  group by parent, facet
  having count(*) > 0
) n using (parent, facet)
where t.rows is distinct from n.rows;
create view wrong_by_acquired as
  with every_row as materialized (
    select x.block, x.facet
    from (
      select x.facet, x.block is null as is_row, max(x.block) over (partition by x.parent, x.place) as block
      from (
        select x.*, count(x.block) over (partition by x.parent order by x.acquired_at, x.user_id, x.block nulls last) as place
        from (
          select b.parent, b.acquired_at, b.user_id, b.block, 0 as facet from by_acquired b where b.level = 0
          union all
          select t.parent, r.acquired_at, r.user_id, null, r.facet
          from (select collection_address::text as parent, 0::bigint as facet, acquired_at, user_id from collection_holders) r
          join totals t on t.parent = r.parent and t.facet = 0 and t.is_long
        ) x
      ) x
    ) x
    where x.is_row union all 
    select x.block, x.facet
    from (
      select x.facet, x.block is null as is_row, max(x.block) over (partition by x.parent, x.place) as block
      from (
        select x.*, count(x.block) over (partition by x.parent order by x.acquired_at, x.user_id, x.block nulls last) as place
        from (
          select b.parent, b.acquired_at, b.user_id, b.block, 0 as facet from by_acquired b where b.level = 1
          union all
          select t.parent, r.acquired_at, r.user_id, null, r.facet
          from (select collection_address::text as parent, 0::bigint as facet, acquired_at, user_id from collection_holders) r
          join totals t on t.parent = r.parent and t.facet = 0 and t.is_long
        ) x
      ) x
    ) x
    where x.is_row)
  select 1 as wrong from (select block, rows::bigint as rows from by_acquired where rows <> 0) b
  full join (select x.block, count(*) as rows from every_row x group by x.block) n using (block)
  where b.rows is distinct from n.rows
  union all
  select 1 from totals t
  where t.facet = 0 and (
    t.is_long <> (t.rows > case when t.is_long then 256 else 512 end)
    or t.is_long <> exists (select from by_acquired b where b.parent = t.parent and b.level = 1)
  );
