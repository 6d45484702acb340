-- Up Migration
-- Any page of the repositories at a bounded cost, whatever the filter and the sort. For each sort the catalogue is cut
-- into blocks of about 16,384 rows, and for each block it is kept how many of its rows have each combination of filter
-- values (facet): a page is found by adding these up, then by walking inside one block.
set local lock_timeout = '5s';

-- Filters go by the facet: one index instead of one for each filter.
drop index repositories_category, repositories_ecosystem, repositories_importance, repositories_platform, repositories_status;
create index repositories_facet on repositories (facet);
drop index collections_category, collections_importance, collections_sbt, collections_source, collections_type;
create index collections_facet on collections (facet) where is_public;

-- The first block of a sort begins before everything. A sort by a time has no text, a sort by a text has no time.
create table repository_blocks (
  block integer primary key generated always as identity,
  sort text collate "C" not null,
  first_at timestamptz not null,
  first_text text collate "C" not null,
  first_platform text collate "C" not null,
  first_id text collate "C" not null,
  unique (sort, first_at, first_text, first_platform, first_id)
);
-- Facet 0 has the rows of the whole block.
create table repository_block_rows (
  sort text collate "C" not null,
  facet bigint not null,
  block integer not null references repository_blocks on delete cascade,
  rows integer not null,
  primary key (sort, facet, block) include (rows)
);
create index repository_block_rows_block on repository_block_rows (block);
grant select on repository_blocks, repository_block_rows to commonhall_reader;

-- Where a row stands in each sort.
create function repository_places(created_at timestamptz, updated_at timestamptz, name text, owner text)
returns table (sort text, at timestamptz, value text)
language sql immutable parallel safe
begin atomic
  values
    ('created_at', repository_places.created_at, ''),
    ('updated_at', repository_places.updated_at, ''),
    ('name', '-infinity', repository_places.name),
    ('owner', '-infinity', repository_places.owner);
end;

-- The block that a row belongs to.
create function repository_block(sort text, at timestamptz, value text, platform text, platform_id text)
returns table (block integer)
language sql stable
begin atomic
  select b.block
  from repository_blocks b
  where b.sort = repository_block.sort
    and (b.first_at, b.first_text, b.first_platform, b.first_id)
      <= (repository_block.at, repository_block.value, repository_block.platform, repository_block.platform_id)
  order by b.first_at desc, b.first_text desc, b.first_platform desc, b.first_id desc
  limit 1;
end;

-- The rows of a sort from one block's beginning to before another's, or to the end, in order.
create function repository_rows(sort text, start repository_blocks, stop repository_blocks)
returns table (at timestamptz, value text, platform text, platform_id text, facet bigint)
language plpgsql stable
set search_path = public
as $$
begin
  return query execute format(
    'select %s, %s, r.platform::text, r.platform_id::text, r.facet
     from repositories r
     where (r.%3$I, r.platform, r.platform_id) >= ($1.%4$I, $1.first_platform, $1.first_id)
       and ($2.block is null or (r.%3$I, r.platform, r.platform_id) < ($2.%4$I, $2.first_platform, $2.first_id))
     order by r.%3$I, r.platform, r.platform_id',
    case when sort in ('name', 'owner') then $q$'-infinity'::timestamptz$q$ else format('r.%I::timestamptz', sort) end,
    case when sort in ('name', 'owner') then format('r.%I::text', sort) else $q$''::text$q$ end,
    sort,
    case when sort in ('name', 'owner') then 'first_text' else 'first_at' end
  ) using start, stop;
end
$$;

-- Cuts a block into blocks of 16,384 rows, and counts them. Nobody else may count meanwhile.
create function cut_repository_block(cut integer) returns void
language plpgsql
set search_path = public
as $$
declare
  start repository_blocks;
  stop repository_blocks;
begin
  select * into start from repository_blocks b where b.block = cut;
  if not found then
    return; -- made anew meanwhile
  end if;
  select * into stop from repository_blocks b
  where b.sort = start.sort
    and (b.first_at, b.first_text, b.first_platform, b.first_id)
      > (start.first_at, start.first_text, start.first_platform, start.first_id)
  order by b.first_at, b.first_text, b.first_platform, b.first_id
  limit 1;
  delete from repository_block_rows r where r.block = cut;
  insert into repository_blocks (sort, first_at, first_text, first_platform, first_id)
  select start.sort, r.at, r.value, r.platform, r.platform_id
  from repository_rows(start.sort, start, stop) with ordinality as r (at, value, platform, platform_id, facet, place)
  where r.place > 1 and r.place % 16384 = 1;
  insert into repository_block_rows (sort, facet, block, rows)
  select start.sort, coalesce(r.facet, 0), b.block, count(*)
  from repository_rows(start.sort, start, stop) with ordinality as r (at, value, platform, platform_id, facet, place)
  join (
    select b.block, row_number() over (order by b.first_at, b.first_text, b.first_platform, b.first_id) - 1 as piece
    from repository_blocks b
    where b.sort = start.sort
      and (b.first_at, b.first_text, b.first_platform, b.first_id)
        >= (start.first_at, start.first_text, start.first_platform, start.first_id)
      and (stop.block is null or (b.first_at, b.first_text, b.first_platform, b.first_id)
        < (stop.first_at, stop.first_text, stop.first_platform, stop.first_id))
  ) b on b.piece = (r.place - 1) / 16384
  group by grouping sets ((r.facet, b.block), (b.block));
end
$$;

-- Makes the blocks of a sort anew.
create function build_repository_blocks(sort text) returns void
language plpgsql
set search_path = public
as $$
declare
  whole integer;
begin
  delete from repository_blocks b where b.sort = build_repository_blocks.sort;
  insert into repository_blocks (sort, first_at, first_text, first_platform, first_id)
  values (sort, '-infinity', '', '', '')
  returning block into whole;
  perform cut_repository_block(whole);
end
$$;

create function keep_repository_blocks() returns trigger
language plpgsql
set search_path = public
as $$
declare
  sorts constant text[] := array['created_at', 'updated_at', 'name', 'owner'];
  lock constant bigint := hashtextextended('repository_blocks', 0);
  one record;
begin
  perform require_read_committed();
  if tg_op = 'TRUNCATE' then
    perform build_repository_blocks(s) from unnest(sorts) s;
    return null;
  end if;
  -- Many may count at a time, but nobody while somebody cuts.
  perform pg_advisory_xact_lock_shared(lock);
  -- In one order, so that two statements cannot wait for each other.
  execute format($q$
    with places as (
      select p.sort, p.at, p.value, c.platform, c.platform_id, c.facet, sum(c.n) as n
      from (%s) c
      cross join lateral repository_places(c.created_at, c.updated_at, c.name, c.owner) p
      group by p.sort, p.at, p.value, c.platform, c.platform_id, c.facet
      having sum(c.n) <> 0
    ),
    counted as (
      select p.sort, coalesce(p.facet, 0) as facet, b.block, sum(p.n)::integer as n
      from places p
      cross join lateral repository_block(p.sort, p.at, p.value, p.platform, p.platform_id) b
      group by grouping sets ((p.sort, p.facet, b.block), (p.sort, b.block))
    )
    insert into repository_block_rows as r (sort, facet, block, rows)
    select sort, facet, block, n from counted where n <> 0 order by sort, facet, block
    on conflict (sort, facet, block) do update set rows = r.rows + excluded.rows$q$,
    concat_ws(' union all ',
      case when tg_op <> 'DELETE' then 'select *, 1 as n from new_rows' end,
      case when tg_op <> 'INSERT' then 'select *, -1 as n from old_rows' end));
  for one in
    select r.sort, r.block from repository_block_rows r where r.sort = any (sorts) and r.facet = 0 and r.rows > 32768
  loop
    -- Others count just now: whoever writes next will cut. Until then the block is only slower to walk.
    exit when not pg_try_advisory_xact_lock(lock);
    -- Rows that move, as those sorted by their last change do, leave blocks behind that are nearly empty.
    if (select count(*) from repository_blocks b where b.sort = one.sort)
      > 8 + 4 * (select sum(r.rows) / 16384 from repository_block_rows r where r.sort = one.sort and r.facet = 0) then
      perform build_repository_blocks(one.sort);
    else
      perform cut_repository_block(one.block);
    end if;
  end loop;
  return null;
end
$$;
-- Named to run before keep_facets, which locks rows.
create trigger keep_blocks_insert after insert on repositories referencing new table as new_rows
  for each statement execute function keep_repository_blocks();
create trigger keep_blocks_update after update on repositories referencing old table as old_rows new table as new_rows
  for each statement execute function keep_repository_blocks();
create trigger keep_blocks_delete after delete on repositories referencing old table as old_rows
  for each statement execute function keep_repository_blocks();
create trigger keep_blocks_truncate after truncate on repositories
  for each statement execute function keep_repository_blocks();

create trigger refuse_kept_write before insert or update or delete or truncate on repository_blocks for each statement
  when (pg_trigger_depth() = 0 and current_setting('commonhall.repair', true) is distinct from 'on')
  execute function refuse_kept_column('block');
create trigger refuse_kept_write before insert or update or delete or truncate on repository_block_rows for each statement
  when (pg_trigger_depth() = 0 and current_setting('commonhall.repair', true) is distinct from 'on')
  execute function refuse_kept_column('rows');

-- What is there already.
set local commonhall.repair = 'on';
set local work_mem = '256MB';
select build_repository_blocks(s) from unnest(array['created_at', 'updated_at', 'name', 'owner']) s;
set local commonhall.repair = '';
