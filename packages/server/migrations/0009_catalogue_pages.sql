-- Up Migration
-- Any page of the repositories at a bounded cost, whatever the filter and the sort: for each sort the catalogue is cut into
-- blocks of about 16,384 rows, and for each block it is kept how many of its rows have each combination of filter values
-- (facet). A page is found by adding these up, then by walking inside the blocks that have its rows.
-- And all counted blocks are cut at commit: an upsert, a MERGE or a statement with several writes in it fires its triggers
-- one after the other when all its rows are written already; what one of them recounts the next would count again.
set local lock_timeout = '5s';

-- What is no array is left to the column's check, which comes after these.
create or replace function contest_tags(tags jsonb) returns json
language sql immutable parallel safe
return case when tags = '[]' then '[]'::json else (
  select ('[' || coalesce(string_agg(
    '{"tag":' || (e.value -> 'tag')::text || ',"tier":' || (e.value -> 'tier')::text || ',"contestName":' || (e.value -> 'contestName')::text || '}',
    ',' order by e.place
  ), '') || ']')::json
  from jsonb_array_elements(case when jsonb_typeof(tags) = 'array' then tags else '[]' end) with ordinality as e (value, place)
) end;
create or replace function profile_services(services jsonb) returns text
language sql immutable parallel safe
return case when services = '[]' then '[]' else (
  select '[' || coalesce(string_agg(
    '{"name":' || (s.value -> 'name')::text || ',"endpoint":' || (s.value -> 'endpoint')::text
    || ',"version":' || (s.value -> 'version')::text
    || case when s.value -> 'mcpTools' = '[]' then '' else ',"mcpTools":' || (s.value -> 'mcpTools')::text end || '}',
    ',' order by s.place
  ), '') || ']'
  from jsonb_array_elements(case when jsonb_typeof(services) = 'array' then services else '[]' end) with ordinality as s (value, place)
) end;

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
  perform pg_advisory_xact_lock(hashtextextended('repository_blocks', 0));
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
begin
  perform require_read_committed();
  if tg_op = 'TRUNCATE' then
    perform build_repository_blocks(p.sort) from repository_places(null, null, null, null) p;
    return null;
  end if;
  -- Many may count at a time, but nobody while somebody cuts.
  perform pg_advisory_xact_lock_shared(hashtextextended('repository_blocks', 0));
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
  return null;
end
$$;

-- At commit. When others count just now, whoever writes to the block next will cut it; until then it is only slower to walk.
create function cut_large_repository_block() returns trigger
language plpgsql
set search_path = public
as $$
begin
  if not exists (
    select from repository_block_rows r where (r.sort, r.facet, r.block) = (new.sort, 0, new.block) and r.rows > 32768
  ) or not pg_try_advisory_xact_lock(hashtextextended('repository_blocks', 0)) then
    return null;
  end if;
  -- Rows that move, as those sorted by their last change do, leave blocks behind that are nearly empty.
  if (select count(*) from repository_blocks b where b.sort = new.sort)
    > 8 + 4 * (select sum(r.rows) / 16384 from repository_block_rows r where r.sort = new.sort and r.facet = 0) then
    perform build_repository_blocks(new.sort);
  else
    perform cut_repository_block(new.block);
  end if;
  return null;
end
$$;
create constraint trigger cut_block after insert or update on repository_block_rows deferrable initially deferred
  for each row when (new.facet = 0 and new.rows > 32768) execute function cut_large_repository_block();

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

-- The block that a row belongs to.
create or replace function block_of(list text, level smallint, at timestamptz, id text)
returns table (first_at timestamptz, first_id text)
language sql stable
begin atomic
  select b.first_at, b.first_id
  from list_blocks b
  where b.list = block_of.list and b.level = block_of.level and (b.first_at, b.first_id) <= (block_of.at, block_of.id)
  order by b.first_at desc, b.first_id desc
  limit 1;
end;

-- The counted blocks of holders and timelines, the same way: the triggers only add, and at commit lists that became
-- long get their blocks, and blocks that became large are split. The writer still holds the row with the list's total.
create or replace function keep_blocks(lists text[], ats timestamptz[], ids text[], signs integer[]) returns void
language plpgsql
set search_path = public
as $$
declare
  one record;
  touched text[] := array(select distinct l from unnest(lists) l where exists (select from list_blocks b where b.list = l));
begin
  if cardinality(touched) = 0 then
    return;
  end if;
  -- Block by block: joined to all blocks of all lists, the planner would read them all. Most statements append: when the
  -- first and the last row belong to one block, so do those between.
  for one in
    with changes as (
      select c.* from unnest(lists, ats, ids, signs) as c (list, at, id, sign) where c.list = any (touched)
    ),
    spans as (
      select
        c.list,
        sum(c.sign) as n,
        array_agg(c.at order by c.at, c.id) as ats,
        array_agg(c.id order by c.at, c.id) as ids,
        count(*) as count
      from changes c
      group by c.list
    ),
    ends as materialized (
      select s.list, l.level, s.n, f.first_at, f.first_id, (f.first_at, f.first_id) = (t.first_at, t.first_id) as is_one
      from spans s
      cross join (values (0::smallint), (1::smallint)) l (level)
      cross join lateral block_of(s.list, l.level, s.ats[1], s.ids[1]) f
      cross join lateral block_of(s.list, l.level, s.ats[s.count], s.ids[s.count]) t
    )
    select e.list, e.level, e.first_at, e.first_id, e.n from ends e where e.is_one and e.n <> 0
    union all
    select c.list, e.level, p.first_at, p.first_id, sum(c.sign)
    from ends e
    join changes c on c.list = e.list
    cross join lateral block_of(c.list, e.level, c.at, c.id) p
    where not e.is_one
    group by c.list, e.level, p.first_at, p.first_id
    having sum(c.sign) <> 0
  loop
    update list_blocks b
    set rows = b.rows + one.n
    where b.list = one.list and b.level = one.level and b.first_at = one.first_at and b.first_id = one.first_id;
  end loop;
end
$$;

-- Short, in between, long: a list gets its blocks when it becomes long, and loses them when it becomes short.
create function list_band(total bigint) returns integer
language sql immutable parallel safe
return case when total < 512 then 0 when total <= 1024 then 1 else 2 end;

create function mend_list() returns trigger
language plpgsql
set search_path = public
as $$
declare
  lists text[];
  one record;
begin
  if tg_table_name = 'collections' then
    lists := array['h:' || new.address];
  else
    lists := array(select k || ':' || new.user_id from unnest(array['t', 'COMMIT', 'PR', 'BADGE_RECEIVED', 'GIFT_RECEIVED']) k);
  end if;
  for one in
    select l.list, list_band(list_total(l.list)) as band, exists (select from list_blocks b where b.list = l.list) as has_blocks
    from unnest(lists) l (list)
  loop
    if one.band = 0 and one.has_blocks then
      delete from list_blocks b where b.list = one.list;
    elsif one.band = 2 and not one.has_blocks then
      perform build_blocks(one.list);
    end if;
  end loop;
  return null;
end
$$;
create constraint trigger mend_list after update of holders_count on collections deferrable initially deferred
  for each row when (list_band(old.holders_count) <> list_band(new.holders_count)) execute function mend_list();
create constraint trigger mend_list after update on user_totals deferrable initially deferred
  for each row when (
    list_band(old.commits) <> list_band(new.commits) or list_band(old.prs) <> list_band(new.prs)
    or list_band(old.badges) <> list_band(new.badges) or list_band(old.gifts) <> list_band(new.gifts)
    or list_band(old.commits + old.prs + old.badges + old.gifts) <> list_band(new.commits + new.prs + new.badges + new.gifts)
  ) execute function mend_list();

-- What has become of a block is looked up: it may have been mended since.
create function mend_block() returns trigger
language plpgsql
set search_path = public
as $$
declare
  block list_blocks;
begin
  select * into block from list_blocks b
  where (b.list, b.level, b.first_at, b.first_id) = (new.list, new.level, new.first_at, new.first_id);
  if block.rows = 0 then
    if list_total(block.list) is null then
      delete from list_blocks b where b.list = block.list; -- its parent is gone
    elsif block.first_at > '-infinity' and (block.level = 1 or not exists (
      select from list_blocks u
      where (u.list, u.level, u.first_at, u.first_id) = (block.list, 1, block.first_at, block.first_id)
    )) then
      -- A block without rows joins the one before it. One that begins a block of the level above goes with that one only.
      delete from list_blocks b
      where (b.list, b.first_at, b.first_id) = (block.list, block.first_at, block.first_id) and b.rows = 0;
    end if;
  elsif block.level = 0 and block.rows > 1024 then
    perform split_block(block.list, 0::smallint, block.first_at, block.first_id);
    perform split_block(u.list, 1::smallint, u.first_at, u.first_id)
    from block_of(block.list, 1::smallint, block.first_at, block.first_id) o
    join list_blocks u on (u.list, u.level, u.first_at, u.first_id) = (block.list, 1, o.first_at, o.first_id)
    cross join lateral next_block(u.list, u.level, u.first_at, u.first_id) n
    where (
      select count(*) from list_blocks b
      where b.list = u.list and b.level = 0
        and (b.first_at, b.first_id) >= (u.first_at, u.first_id) and (b.first_at, b.first_id) < (n.next_at, n.next_id)
    ) > 128;
  end if;
  return null;
end
$$;
create constraint trigger mend_block after update on list_blocks deferrable initially deferred
  for each row when (new.rows = 0 or (new.level = 0 and new.rows > 1024)) execute function mend_block();

-- What is there already.
set local commonhall.repair = 'on';
set local work_mem = '256MB';
select build_repository_blocks(p.sort) from repository_places(null, null, null, null) p;
set local commonhall.repair = '';
