create index timeline_by_date_9f4fc048 on timeline_items (user_id, date, id) include (type) where is_public;
create schema timeline;
set search_path = timeline, public, pg_temp;
-- timeline: rows of timeline_items by user_id
create table totals as
select ''::text collate "C" as parent, 0::bigint as facet, type, 0::bigint as rows,
  false as is_long, true as is_by_facet
from timeline_items
with no data;
alter table totals
  set (fillfactor = 70),
  alter rows set not null,
  alter is_long set not null, -- has blocks
  alter is_long set default false,
  alter is_by_facet set not null, -- its blocks are counted by facet
  alter is_by_facet set default true,
  add primary key (parent, facet),
  add unique nulls not distinct (parent, facet, type);
create table by_date (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  date timestamptz not null default '-infinity',
  id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of a group: how many blocks it has at most; group_S() counts them again
  unique (parent, level, date, id)
) with (fillfactor = 70);
create table by_date_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  primary key (block, facet) include (rows)
) with (fillfactor = 70);
-- Counts all rows of the table. The blocks of long lists are made at commit.
create function recount() returns void
language plpgsql
set search_path = timeline, public, pg_temp
as $$
begin
  delete from totals;
  delete from by_date;
  delete from by_date_facets;
  insert into totals (parent, facet, rows) select parent, 0, count(*) from (
    select user_id::text as parent, facet_of(type) as facet, type from timeline_items where is_public
  ) r group by parent;
end
$$;
-- At commit: makes the blocks of a list that has become long, removes those of one that is short again, and deletes
-- totals of 0.
create function resize() returns trigger
language plpgsql
set search_path = timeline, public, pg_temp
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
    delete from totals t where t.parent = new.parent and t.facet <> 0;
    if whole.is_long then
      insert into totals (parent, facet, type, rows)
      select parent, facet, type, count(*) from (
    select user_id::text as parent, facet_of(type) as facet, type from timeline_items where is_public
  ) r where parent = new.parent group by parent, facet, type;
    end if;
    delete from by_date_facets f using by_date b where b.parent = new.parent and f.block = b.block;
    delete from by_date b where b.parent = new.parent;
    if whole.is_long then
      insert into by_date (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into new_block;
      insert into by_date_facets (block, facet, rows)
      select new_block, t.facet, t.rows from totals t where t.parent = new.parent and t.facet <> 0 and whole.is_by_facet;
      insert into by_date (parent, level, rows) values (new.parent, 0, 0) returning block into new_block;
      update by_date b set rows = whole.rows where b.block = new_block; -- an update, because it fires cut_date()
    end if;
  end if;
  delete from totals t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on totals deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 256 else 512 end))) execute function resize();
-- Divides the blocks of a parent into groups of 96 again, without the empty blocks; the first block always stays.
create function group_date(of_parent text) returns void
language plpgsql
set search_path = timeline, public, pg_temp
as $$
begin
  delete from by_date_facets f using by_date b
  where b.parent = of_parent and (b.level = 1 or b.rows = 0) and f.block = b.block;
  delete from by_date b where b.parent = of_parent and (b.level = 1 or b.rows = 0 and (b.date, b.id) <> ('-infinity', ''));
  insert into by_date (parent, level, date, id, rows, blocks)
  select of_parent, 1, (array_agg(b.date order by b.place))[1], (array_agg(b.id order by b.place))[1], sum(b.rows), count(*)
  from (
    select b.*, row_number() over (order by b.date, b.id) - 1 as place
    from by_date b
    where b.parent = of_parent and b.level = 0
  ) b
  group by b.place / 96;
  insert into by_date_facets (block, facet, rows)
  select u.block, f.facet, sum(f.rows)
  from by_date b
  cross join lateral (
        select * from by_date k
        where k.parent = b.parent and k.level = 1 and (k.date, k.id) <= (b.date, b.id)
        order by k.date desc, k.id desc
        limit 1
      ) u
  join by_date_facets f on f.block = b.block
  where b.parent = of_parent and b.level = 0
  group by u.block, f.facet;
end
$$;
-- At commit: cuts a block that has become too large into blocks of 256 rows and a rest, and deletes one that is empty.
create function cut_date() returns trigger
language plpgsql
set search_path = timeline, public, pg_temp
as $$
declare
  old_block by_date;
  pieces integer;
  blocks_in_group integer;
begin
  perform lists.at_commit_only();
  select * into old_block from by_date b where b.block = new.block;
  if old_block.rows > 512 then
    insert into by_date (parent, level, date, id, rows)
    select old_block.parent, 0, r.date, r.id, least(256, old_block.rows - r.place)
    from (
      select r.*, row_number() over (order by r.date, r.id) - 1 as place
      from (
        select date, id
        from timeline_items
        where is_public and user_id = old_block.parent and (date, id) >= (old_block.date, old_block.id)
        order by date, id
        limit old_block.rows
      ) r
    ) r
    where r.place > 0 and r.place % 256 = 0;
    get diagnostics pieces = row_count;
    update by_date b set rows = 256 where b.block = old_block.block;
    delete from by_date_facets f where f.block = old_block.block;
    insert into by_date_facets (block, facet, rows)
    select b.block, r.facet, count(*)
    from (
      select * from by_date b
      where b.parent = old_block.parent and b.level = 0 and (b.date, b.id) >= (old_block.date, old_block.id)
      order by b.date, b.id
      limit pieces + 1
    ) b
    cross join lateral (
        select facet_of(type) as facet
        from timeline_items
        where is_public and user_id = b.parent and (date, id) >= (b.date, b.id)
        order by date, id
        limit b.rows
      ) r
    where (select t.is_by_facet from totals t where t.parent = old_block.parent and t.facet = 0)
    group by b.block, r.facet;
    update by_date u set blocks = u.blocks + pieces
    where u.block = (select x.block from (
        select * from by_date k
        where k.parent = old_block.parent and k.level = 1 and (k.date, k.id) <= (old_block.date, old_block.id)
        order by k.date desc, k.id desc
        limit 1
      ) x)
    returning u.blocks into blocks_in_group;
    if blocks_in_group > 192 then
      perform group_date(old_block.parent);
    end if;
  elsif old_block.rows = 0 and not exists (
    select from by_date u
    where u.parent = old_block.parent and u.level = 1 and (u.date, u.id) = (old_block.date, old_block.id)
  ) then
    -- The block before it takes over its range. The first block of a group stays, because the group begins there.
    delete from by_date b where b.block = old_block.block;
    delete from by_date_facets f where f.block = old_block.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on by_date deferrable initially deferred for each row
  when (new.level = 0 and (new.rows > 512 or new.rows = 0)) execute function cut_date();
create function maintain_insert() returns trigger
language plpgsql
set search_path = timeline, public, pg_temp
-- A session caches the plan of the first, perhaps small, statement: without these scans it is not bad for a large one.
-- No JIT: PostgreSQL 15 to 17 give a disabled scan a huge cost, which alone would cause compilation.
set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into totals as t (parent, facet, type, rows)
  select parent, coalesce(facet, 0), type, sum(n)
  from (
    select user_id::text as parent, facet_of(type) as facet, type, 1 as n
    from new_rows where is_public
  ) r
  group by grouping sets ((parent, facet, type), (parent))
  having sum(n) <> 0
    and (grouping(facet) = 1 or exists (select from totals t where t.parent = r.parent and t.facet = 0 and t.is_long))
  on conflict (parent, facet, type) do update set rows = t.rows + excluded.rows;
  if exists (
    select from totals t
    where t.facet = 0 and t.is_long and t.parent in (select user_id::text from new_rows)
  ) then
  with changed_rows as materialized (
    select user_id::text as parent, facet_of(type) as facet, date, id, 1 as n
    from new_rows where is_public
  ),
  -- The blocks in the key range of the changed rows, numbered. Short lists have no blocks.
  blocks_in_range as materialized (
    select x.parent, b.block, b.date, b.id, row_number() over (partition by x.parent order by b.date, b.id) as place
    from (select parent, min(date) as low, max(date) as high from changed_rows group by parent) x
    cross join lateral (
        select * from by_date k
        where k.parent = x.parent and k.level = 0 and (k.date, k.id) <= (x.low, '')
        order by k.date desc, k.id desc
        limit 1
      ) start
    cross join lateral (
      select * from by_date b
      where b.parent = x.parent and b.level = 0 and b.date <= x.high and (b.date, b.id) >= (start.date, start.id)
      offset 0
    ) b
  ),
  -- Rows and blocks sorted together: each row belongs to the last block that begins at or before it.
  changes_by_place as materialized (
    select x.parent, x.facet, x.place, sum(x.n)::integer as n
    from (
      select x.parent, x.facet, x.n, max(x.place) over (
        partition by x.parent order by x.date, x.id, x.place rows unbounded preceding
      ) as place
      from (
        select r.parent, r.facet, r.n, r.date, r.id, null::bigint as place from changed_rows r
        where r.parent in (select b.parent from blocks_in_range b)
        union all
        select b.parent, null, null, b.date, b.id, b.place from blocks_in_range b
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
        select * from by_date k
        where k.parent = b.parent and k.level = 1 and (k.date, k.id) <= (b.date, b.id)
        order by k.date desc, k.id desc
        limit 1
      ) u
      where (b.parent, b.place) in (select x.parent, x.place from changes_by_place x)
      offset 0
    ) b on b.parent = x.parent and b.place = x.place
  ),
  facets_added as (
    insert into by_date_facets as f (block, facet, rows)
    select unnest(array[x.block, x.upper]), x.facet, sum(x.n)
    from changed_blocks x
    join totals t on t.parent = x.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(x.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update by_date b set rows = b.rows + x.n
  from (select unnest(array[block, upper]) as block, sum(n) as n from changed_blocks group by 1) x
  where b.block = x.block and x.n <> 0;
  end if;
  return null;
end
$$;
create trigger timeline_insert after insert on timeline_items
  referencing new table as new_rows
  for each statement execute function maintain_insert();
create function maintain_update() returns trigger
language plpgsql
set search_path = timeline, public, pg_temp
-- A session caches the plan of the first, perhaps small, statement: without these scans it is not bad for a large one.
-- No JIT: PostgreSQL 15 to 17 give a disabled scan a huge cost, which alone would cause compilation.
set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
    select parent, facet, type, date, id, sum(n) as n
    from (
    select user_id::text as parent, facet_of(type) as facet, type, date, id, 1 as n
    from new_rows where is_public
    union all
    select user_id::text as parent, facet_of(type) as facet, type, date, id, -1 as n
    from old_rows where is_public
    ) x
    group by parent, facet, type, date, id
    having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into totals as t (parent, facet, type, rows)
  select parent, coalesce(facet, 0), type, sum(n)
  from (
    select parent, facet, type, sum(n) as n
    from (
    select user_id::text as parent, facet_of(type) as facet, type, 1 as n
    from new_rows where is_public
    union all
    select user_id::text as parent, facet_of(type) as facet, type, -1 as n
    from old_rows where is_public
    ) x
    group by parent, facet, type
    having sum(n) <> 0
  ) r
  group by grouping sets ((parent, facet, type), (parent))
  having sum(n) <> 0
    and (grouping(facet) = 1 or exists (select from totals t where t.parent = r.parent and t.facet = 0 and t.is_long))
  on conflict (parent, facet, type) do update set rows = t.rows + excluded.rows;
  if exists (
    select from totals t
    where t.facet = 0 and t.is_long and t.parent in (select user_id::text from old_rows union all select user_id::text from new_rows)
  ) then
  with changed_rows as materialized (
    select parent, facet, date, id, sum(n) as n
    from (
    select user_id::text as parent, facet_of(type) as facet, date, id, 1 as n
    from new_rows where is_public
    union all
    select user_id::text as parent, facet_of(type) as facet, date, id, -1 as n
    from old_rows where is_public
    ) x
    group by parent, facet, date, id
    having sum(n) <> 0
  ),
  -- The blocks in the key range of the changed rows, numbered. Short lists have no blocks.
  blocks_in_range as materialized (
    select x.parent, b.block, b.date, b.id, row_number() over (partition by x.parent order by b.date, b.id) as place
    from (select parent, min(date) as low, max(date) as high from changed_rows group by parent) x
    cross join lateral (
        select * from by_date k
        where k.parent = x.parent and k.level = 0 and (k.date, k.id) <= (x.low, '')
        order by k.date desc, k.id desc
        limit 1
      ) start
    cross join lateral (
      select * from by_date b
      where b.parent = x.parent and b.level = 0 and b.date <= x.high and (b.date, b.id) >= (start.date, start.id)
      offset 0
    ) b
  ),
  -- Rows and blocks sorted together: each row belongs to the last block that begins at or before it.
  changes_by_place as materialized (
    select x.parent, x.facet, x.place, sum(x.n)::integer as n
    from (
      select x.parent, x.facet, x.n, max(x.place) over (
        partition by x.parent order by x.date, x.id, x.place rows unbounded preceding
      ) as place
      from (
        select r.parent, r.facet, r.n, r.date, r.id, null::bigint as place from changed_rows r
        where r.parent in (select b.parent from blocks_in_range b)
        union all
        select b.parent, null, null, b.date, b.id, b.place from blocks_in_range b
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
        select * from by_date k
        where k.parent = b.parent and k.level = 1 and (k.date, k.id) <= (b.date, b.id)
        order by k.date desc, k.id desc
        limit 1
      ) u
      where (b.parent, b.place) in (select x.parent, x.place from changes_by_place x)
      offset 0
    ) b on b.parent = x.parent and b.place = x.place
  ),
  facets_added as (
    insert into by_date_facets as f (block, facet, rows)
    select unnest(array[x.block, x.upper]), x.facet, sum(x.n)
    from changed_blocks x
    join totals t on t.parent = x.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(x.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update by_date b set rows = b.rows + x.n
  from (select unnest(array[block, upper]) as block, sum(n) as n from changed_blocks group by 1) x
  where b.block = x.block and x.n <> 0;
  end if;
  return null;
end
$$;
create trigger timeline_update after update on timeline_items
  referencing old table as old_rows new table as new_rows
  for each statement execute function maintain_update();
create function maintain_delete() returns trigger
language plpgsql
set search_path = timeline, public, pg_temp
-- A session caches the plan of the first, perhaps small, statement: without these scans it is not bad for a large one.
-- No JIT: PostgreSQL 15 to 17 give a disabled scan a huge cost, which alone would cause compilation.
set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into totals as t (parent, facet, type, rows)
  select parent, coalesce(facet, 0), type, sum(n)
  from (
    select user_id::text as parent, facet_of(type) as facet, type, -1 as n
    from old_rows where is_public
  ) r
  group by grouping sets ((parent, facet, type), (parent))
  having sum(n) <> 0
    and (grouping(facet) = 1 or exists (select from totals t where t.parent = r.parent and t.facet = 0 and t.is_long))
  on conflict (parent, facet, type) do update set rows = t.rows + excluded.rows;
  if exists (
    select from totals t
    where t.facet = 0 and t.is_long and t.parent in (select user_id::text from old_rows)
  ) then
  with changed_rows as materialized (
    select user_id::text as parent, facet_of(type) as facet, date, id, -1 as n
    from old_rows where is_public
  ),
  -- The blocks in the key range of the changed rows, numbered. Short lists have no blocks.
  blocks_in_range as materialized (
    select x.parent, b.block, b.date, b.id, row_number() over (partition by x.parent order by b.date, b.id) as place
    from (select parent, min(date) as low, max(date) as high from changed_rows group by parent) x
    cross join lateral (
        select * from by_date k
        where k.parent = x.parent and k.level = 0 and (k.date, k.id) <= (x.low, '')
        order by k.date desc, k.id desc
        limit 1
      ) start
    cross join lateral (
      select * from by_date b
      where b.parent = x.parent and b.level = 0 and b.date <= x.high and (b.date, b.id) >= (start.date, start.id)
      offset 0
    ) b
  ),
  -- Rows and blocks sorted together: each row belongs to the last block that begins at or before it.
  changes_by_place as materialized (
    select x.parent, x.facet, x.place, sum(x.n)::integer as n
    from (
      select x.parent, x.facet, x.n, max(x.place) over (
        partition by x.parent order by x.date, x.id, x.place rows unbounded preceding
      ) as place
      from (
        select r.parent, r.facet, r.n, r.date, r.id, null::bigint as place from changed_rows r
        where r.parent in (select b.parent from blocks_in_range b)
        union all
        select b.parent, null, null, b.date, b.id, b.place from blocks_in_range b
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
        select * from by_date k
        where k.parent = b.parent and k.level = 1 and (k.date, k.id) <= (b.date, b.id)
        order by k.date desc, k.id desc
        limit 1
      ) u
      where (b.parent, b.place) in (select x.parent, x.place from changes_by_place x)
      offset 0
    ) b on b.parent = x.parent and b.place = x.place
  ),
  facets_added as (
    insert into by_date_facets as f (block, facet, rows)
    select unnest(array[x.block, x.upper]), x.facet, sum(x.n)
    from changed_blocks x
    join totals t on t.parent = x.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(x.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update by_date b set rows = b.rows + x.n
  from (select unnest(array[block, upper]) as block, sum(n) as n from changed_blocks group by 1) x
  where b.block = x.block and x.n <> 0;
  end if;
  return null;
end
$$;
create trigger timeline_delete after delete on timeline_items
  referencing old table as old_rows
  for each statement execute function maintain_delete();
create function maintain_truncate() returns trigger
language plpgsql
set search_path = timeline, public, pg_temp
as $$
begin
  perform recount();
  return null;
end
$$;
create trigger timeline_truncate after truncate on timeline_items for each statement execute function maintain_truncate();
-- A row for everything that is wrong: commonhall verify reads these views.
create view wrong_totals as
select 1 as wrong from (select parent, facet, rows from totals where rows <> 0) t
full join (
  select parent, coalesce(facet, 0) as facet, count(*) as rows
  from (
    select user_id::text as parent, facet_of(type) as facet, type from timeline_items where is_public
  ) r
  group by grouping sets ((parent, facet, type), (parent))
  having count(*) > 0
    and (grouping(facet) = 1 or exists (select from totals t where t.parent = r.parent and t.facet = 0 and t.is_long))
) n using (parent, facet)
where t.rows is distinct from n.rows
union all
select 1 from totals t
cross join lateral (select count(*) as n from totals f where f.parent = t.parent and f.rows <> 0) f
where t.facet = 0
  and (not t.is_by_facet and f.n <= 1000);
create view wrong_by_date as
  with every_row as materialized (
    select x.block, x.facet
    from (
      select x.facet, x.block is null as is_row, max(x.block) over (partition by x.parent, x.place) as block
      from (
        select x.*, count(x.block) over (partition by x.parent order by x.date, x.id, x.block nulls last) as place
        from (
          select b.parent, b.date, b.id, b.block, 0 as facet from by_date b where b.level = 0
          union all
          select t.parent, r.date, r.id, null, r.facet
          from (select user_id::text as parent, facet_of(type) as facet, date, id from timeline_items where is_public) r
          join totals t on t.parent = r.parent and t.facet = 0 and t.is_long
        ) x
      ) x
    ) x
    where x.is_row union all 
    select x.block, x.facet
    from (
      select x.facet, x.block is null as is_row, max(x.block) over (partition by x.parent, x.place) as block
      from (
        select x.*, count(x.block) over (partition by x.parent order by x.date, x.id, x.block nulls last) as place
        from (
          select b.parent, b.date, b.id, b.block, 0 as facet from by_date b where b.level = 1
          union all
          select t.parent, r.date, r.id, null, r.facet
          from (select user_id::text as parent, facet_of(type) as facet, date, id from timeline_items where is_public) r
          join totals t on t.parent = r.parent and t.facet = 0 and t.is_long
        ) x
      ) x
    ) x
    where x.is_row)
  select 1 as wrong from (select block, rows::bigint as rows from by_date where rows <> 0) b
  full join (select x.block, count(*) as rows from every_row x group by x.block) n using (block)
  where b.rows is distinct from n.rows
  union all
  select 1 from (select f.block, f.facet, f.rows::bigint as rows from by_date_facets f where f.rows <> 0) f
  full join (
    select x.block, x.facet, count(*) as rows
    from every_row x
    join by_date b on b.block = x.block
    join totals t on t.parent = b.parent and t.facet = 0 and t.is_by_facet
    group by x.block, x.facet
  ) n using (block, facet)
  where f.rows is distinct from n.rows
  union all
  select 1 from totals t
  where t.facet = 0 and (
    t.is_long <> (t.rows > case when t.is_long then 256 else 512 end)
    or t.is_long <> exists (select from by_date b where b.parent = t.parent and b.level = 1)
  );
