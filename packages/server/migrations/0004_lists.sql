-- Every paged list: totals, counted blocks, indexes and triggers. Printed by `npm run refresh` from the declarations in
-- src/db/lists.ts; how it works is said at the head of src/db/list-sql.ts. One list is like another: read one.

-- agents: rows of agents
create table lists.agents (
  parent text collate "C" not null,
  facet bigint not null,
  category text collate "C",
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  is_by_facet boolean not null default true, -- and these are counted by facet
  primary key (parent, facet),
  unique nulls not distinct (parent, facet, category)
) with (fillfactor = 70);
create index agents_facet on agents ((facet)) where is_public;
create function lists.agents_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.agents;
  delete from lists.agents_created;
  delete from lists.agents_created_facets;
  delete from lists.agents_name;
  delete from lists.agents_name_facets;
  insert into lists.agents as t (parent, facet, category, rows)
  select c.parent, coalesce(c.facet, 0), c.category, count(*)
  from (select ''::text as parent, facet as facet, category from agents where is_public) c
  group by grouping sets ((c.parent, c.facet, c.category), (c.parent))
  having count(*) <> 0;
  update lists.agents t set is_by_facet = false
  where t.facet = 0 and t.is_by_facet and (select count(*) from lists.agents f where f.rows <> 0) > 2000;
  if found then
    delete from lists.agents_created_facets;
    delete from lists.agents_name_facets;
  end if;
end
$$;
create index agents_by_created on agents (created_at, id) include (facet, search_name) where is_public;
create table lists.agents_created (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  created_at timestamptz not null default '-infinity',
  id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, created_at, id)
) with (fillfactor = 70);
create table lists.agents_created_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  primary key (block, facet) include (rows)
) with (fillfactor = 70);
create function lists.agents_created_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.agents_created_facets f using lists.agents_created k where k.parent = of and (k.level = 1 or k.rows = 0) and f.block = k.block;
  delete from lists.agents_created k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.created_at, k.id) <> ('-infinity', ''));
  insert into lists.agents_created (parent, level, created_at, id, rows, blocks)
  select of, 1, (array_agg(k.created_at order by k.place))[1], (array_agg(k.id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.created_at, k.id) - 1 as place
    from lists.agents_created k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 32;
  insert into lists.agents_created_facets (block, facet, rows)
  select u.block, f.facet, sum(f.rows)
  from lists.agents_created k
  cross join lateral (
      select s.block
      from lists.agents_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.id) <= (k.created_at, k.id)
      order by s.created_at desc, s.id desc
      limit 1
  ) u
  join lists.agents_created_facets f on f.block = k.block
  where k.parent = of and k.level = 0
  group by u.block, f.facet;
end
$$;
create function lists.agents_created_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.agents_created;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.agents_created k where k.block = new.block;
  if b.rows > 8192 then
    insert into lists.agents_created (parent, level, created_at, id, rows)
    select b.parent, 0, r.created_at, r.id, least(4096, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.created_at, r.id) - 1 as place
      from (
      select created_at, id
      from agents
      where is_public
        and (created_at, id) >= (b.created_at, b.id)
      order by created_at, id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 4096 = 0;
    get diagnostics made = row_count;
    update lists.agents_created k set rows = 4096 where k.block = b.block;
    delete from lists.agents_created_facets f where f.block = b.block;
    insert into lists.agents_created_facets (block, facet, rows)
    select k.block, r.facet, count(*)
    from (
      select * from lists.agents_created k
      where k.parent = b.parent and k.level = 0 and (k.created_at, k.id) >= (b.created_at, b.id)
      order by k.created_at, k.id
      limit made + 1
    ) k
    cross join lateral (
      select facet as facet
      from agents
      where is_public
        and (created_at, id) >= (k.created_at, k.id)
      order by created_at, id
      limit k.rows
    ) r
    where (select t.is_by_facet from lists.agents t where t.parent = b.parent and t.facet = 0)
    group by k.block, r.facet;
    update lists.agents_created u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.agents_created s
      where s.parent = b.parent and s.level = 1 and (s.created_at, s.id) <= (b.created_at, b.id)
      order by s.created_at desc, s.id desc
      limit 1
    ) returning u.blocks into below;
    if below > 64 then
      perform lists.agents_created_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.agents_created u where u.parent = b.parent and u.level = 1 and (u.created_at, u.id) = (b.created_at, b.id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.agents_created k where k.block = b.block;
    delete from lists.agents_created_facets f where f.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.agents_created deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 8192 or new.rows = 0)) execute function lists.agents_created_cut();
create index agents_by_name on agents (name, id) include (facet, search_name) where is_public;
create table lists.agents_name (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  name text collate "C" not null default '',
  id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, name, id)
) with (fillfactor = 70);
create table lists.agents_name_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  primary key (block, facet) include (rows)
) with (fillfactor = 70);
create function lists.agents_name_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.agents_name_facets f using lists.agents_name k where k.parent = of and (k.level = 1 or k.rows = 0) and f.block = k.block;
  delete from lists.agents_name k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.name, k.id) <> ('', ''));
  insert into lists.agents_name (parent, level, name, id, rows, blocks)
  select of, 1, (array_agg(k.name order by k.place))[1], (array_agg(k.id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.name, k.id) - 1 as place
    from lists.agents_name k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 32;
  insert into lists.agents_name_facets (block, facet, rows)
  select u.block, f.facet, sum(f.rows)
  from lists.agents_name k
  cross join lateral (
      select s.block
      from lists.agents_name s
      where s.parent = k.parent and s.level = 1 and (s.name, s.id) <= (k.name, k.id)
      order by s.name desc, s.id desc
      limit 1
  ) u
  join lists.agents_name_facets f on f.block = k.block
  where k.parent = of and k.level = 0
  group by u.block, f.facet;
end
$$;
create function lists.agents_name_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.agents_name;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.agents_name k where k.block = new.block;
  if b.rows > 8192 then
    insert into lists.agents_name (parent, level, name, id, rows)
    select b.parent, 0, r.name, r.id, least(4096, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.name, r.id) - 1 as place
      from (
      select name, id
      from agents
      where is_public
        and (name, id) >= (b.name, b.id)
      order by name, id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 4096 = 0;
    get diagnostics made = row_count;
    update lists.agents_name k set rows = 4096 where k.block = b.block;
    delete from lists.agents_name_facets f where f.block = b.block;
    insert into lists.agents_name_facets (block, facet, rows)
    select k.block, r.facet, count(*)
    from (
      select * from lists.agents_name k
      where k.parent = b.parent and k.level = 0 and (k.name, k.id) >= (b.name, b.id)
      order by k.name, k.id
      limit made + 1
    ) k
    cross join lateral (
      select facet as facet
      from agents
      where is_public
        and (name, id) >= (k.name, k.id)
      order by name, id
      limit k.rows
    ) r
    where (select t.is_by_facet from lists.agents t where t.parent = b.parent and t.facet = 0)
    group by k.block, r.facet;
    update lists.agents_name u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.agents_name s
      where s.parent = b.parent and s.level = 1 and (s.name, s.id) <= (b.name, b.id)
      order by s.name desc, s.id desc
      limit 1
    ) returning u.blocks into below;
    if below > 64 then
      perform lists.agents_name_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.agents_name u where u.parent = b.parent and u.level = 1 and (u.name, u.id) = (b.name, b.id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.agents_name k where k.block = b.block;
    delete from lists.agents_name_facets f where f.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.agents_name deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 8192 or new.rows = 0)) execute function lists.agents_name_cut();
create function lists.agents_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.agents;
  made integer;
begin
  perform lists.at_commit_only();
  update lists.agents t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 4096 else 8192 end)
  returning * into whole;
  if found then
    delete from lists.agents_created_facets f using lists.agents_created k where k.parent = new.parent and f.block = k.block;
    delete from lists.agents_created k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.agents_created (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.agents_created_facets (block, facet, rows)
      select made, f.facet, f.rows from lists.agents f where f.parent = new.parent and f.facet <> 0 and whole.is_by_facet;
      insert into lists.agents_created (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.agents_created k set rows = whole.rows where k.block = made; -- to be cut
    end if;
    delete from lists.agents_name_facets f using lists.agents_name k where k.parent = new.parent and f.block = k.block;
    delete from lists.agents_name k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.agents_name (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.agents_name_facets (block, facet, rows)
      select made, f.facet, f.rows from lists.agents f where f.parent = new.parent and f.facet <> 0 and whole.is_by_facet;
      insert into lists.agents_name (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.agents_name k set rows = whole.rows where k.block = made; -- to be cut
    end if;
  end if;
  delete from lists.agents t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.agents deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 4096 else 8192 end)))
  execute function lists.agents_resize();
create function lists.keep_agents_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.agents as t (parent, facet, category, rows)
  select c.parent, coalesce(c.facet, 0), c.category, sum(c.n)
  from (select ''::text as parent, facet as facet, category, 1 as n from new_rows where is_public) c
  group by grouping sets ((c.parent, c.facet, c.category), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet, category) do update set rows = t.rows + excluded.rows;
  update lists.agents t set is_by_facet = false
  where t.facet = 0 and t.is_by_facet and (select count(*) from lists.agents f where f.rows <> 0) > 2000;
  if found then
    delete from lists.agents_created_facets;
    delete from lists.agents_name_facets;
  end if;
  with r as materialized (select ''::text as parent, facet as facet, created_at, id, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.id, row_number() over (partition by p.parent order by s.created_at, s.id) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.agents_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.id) <= (p.low, '')
      order by s.created_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.agents_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.id) >= (l.created_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.agents_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.agents_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.id) <= (k.created_at, k.id)
      order by s.created_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.agents_created_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.agents t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.agents_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (select ''::text as parent, facet as facet, name, id, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.name, s.id, row_number() over (partition by p.parent order by s.name, s.id) as place
    from (select r.parent, min(r.name) as low, max(r.name) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.agents_name s
      where s.parent = p.parent and s.level = 0 and (s.name, s.id) <= (p.low, '')
      order by s.name desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.agents_name s
      where s.parent = p.parent and s.level = 0 and s.name <= p.high
        and (s.name, s.id) >= (l.name, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.name, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.name, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.name, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.agents_name k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.agents_name s
      where s.parent = k.parent and s.level = 1 and (s.name, s.id) <= (k.name, k.id)
      order by s.name desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.agents_name_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.agents t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.agents_name b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_agents_insert after insert on agents referencing new table as new_rows
  for each statement execute function lists.keep_agents_insert();
create function lists.keep_agents_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, category, created_at, name, id, sum(n) as n
      from (select ''::text as parent, facet as facet, category, created_at, name, id, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, category, created_at, name, id, -1 as n from old_rows where is_public) b
      group by parent, facet, category, created_at, name, id
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.agents as t (parent, facet, category, rows)
  select c.parent, coalesce(c.facet, 0), c.category, sum(c.n)
  from (
      select parent, facet, category, sum(n) as n
      from (select ''::text as parent, facet as facet, category, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, category, -1 as n from old_rows where is_public) b
      group by parent, facet, category
      having sum(n) <> 0) c
  group by grouping sets ((c.parent, c.facet, c.category), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet, category) do update set rows = t.rows + excluded.rows;
  update lists.agents t set is_by_facet = false
  where t.facet = 0 and t.is_by_facet and (select count(*) from lists.agents f where f.rows <> 0) > 2000;
  if found then
    delete from lists.agents_created_facets;
    delete from lists.agents_name_facets;
  end if;
  with r as materialized (
      select parent, facet, created_at, id, sum(n) as n
      from (select ''::text as parent, facet as facet, created_at, id, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, created_at, id, -1 as n from old_rows where is_public) b
      group by parent, facet, created_at, id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.id, row_number() over (partition by p.parent order by s.created_at, s.id) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.agents_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.id) <= (p.low, '')
      order by s.created_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.agents_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.id) >= (l.created_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.agents_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.agents_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.id) <= (k.created_at, k.id)
      order by s.created_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.agents_created_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.agents t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.agents_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (
      select parent, facet, name, id, sum(n) as n
      from (select ''::text as parent, facet as facet, name, id, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, name, id, -1 as n from old_rows where is_public) b
      group by parent, facet, name, id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.name, s.id, row_number() over (partition by p.parent order by s.name, s.id) as place
    from (select r.parent, min(r.name) as low, max(r.name) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.agents_name s
      where s.parent = p.parent and s.level = 0 and (s.name, s.id) <= (p.low, '')
      order by s.name desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.agents_name s
      where s.parent = p.parent and s.level = 0 and s.name <= p.high
        and (s.name, s.id) >= (l.name, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.name, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.name, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.name, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.agents_name k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.agents_name s
      where s.parent = k.parent and s.level = 1 and (s.name, s.id) <= (k.name, k.id)
      order by s.name desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.agents_name_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.agents t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.agents_name b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_agents_update after update on agents referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_agents_update();
create function lists.keep_agents_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.agents as t (parent, facet, category, rows)
  select c.parent, coalesce(c.facet, 0), c.category, sum(c.n)
  from (select ''::text as parent, facet as facet, category, -1 as n from old_rows where is_public) c
  group by grouping sets ((c.parent, c.facet, c.category), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet, category) do update set rows = t.rows + excluded.rows;
  with r as materialized (select ''::text as parent, facet as facet, created_at, id, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.id, row_number() over (partition by p.parent order by s.created_at, s.id) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.agents_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.id) <= (p.low, '')
      order by s.created_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.agents_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.id) >= (l.created_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.agents_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.agents_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.id) <= (k.created_at, k.id)
      order by s.created_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.agents_created_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.agents t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.agents_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (select ''::text as parent, facet as facet, name, id, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.name, s.id, row_number() over (partition by p.parent order by s.name, s.id) as place
    from (select r.parent, min(r.name) as low, max(r.name) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.agents_name s
      where s.parent = p.parent and s.level = 0 and (s.name, s.id) <= (p.low, '')
      order by s.name desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.agents_name s
      where s.parent = p.parent and s.level = 0 and s.name <= p.high
        and (s.name, s.id) >= (l.name, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.name, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.name, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.name, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.agents_name k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.agents_name s
      where s.parent = k.parent and s.level = 1 and (s.name, s.id) <= (k.name, k.id)
      order by s.name desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.agents_name_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.agents t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.agents_name b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_agents_delete after delete on agents referencing old table as old_rows
  for each statement execute function lists.keep_agents_delete();
create trigger keep_agents_truncate after truncate on agents
  for each statement execute function lists.recount('agents');

-- sponsors: rows of sponsors
create table lists.sponsors (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  primary key (parent, facet)
) with (fillfactor = 70);
create function lists.sponsors_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.sponsors;
  delete from lists.sponsors_name;
  insert into lists.sponsors as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), count(*)
  from (select ''::text as parent, 0::bigint as facet from sponsors where true) c
  group by c.parent, c.facet
  having count(*) <> 0;
end
$$;
create index sponsors_by_name on sponsors (name, id);
create table lists.sponsors_name (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  name text collate "C" not null default '',
  id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, name, id)
) with (fillfactor = 70);
create function lists.sponsors_name_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.sponsors_name k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.name, k.id) <> ('', ''));
  insert into lists.sponsors_name (parent, level, name, id, rows, blocks)
  select of, 1, (array_agg(k.name order by k.place))[1], (array_agg(k.id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.name, k.id) - 1 as place
    from lists.sponsors_name k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 96;
end
$$;
create function lists.sponsors_name_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.sponsors_name;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.sponsors_name k where k.block = new.block;
  if b.rows > 512 then
    insert into lists.sponsors_name (parent, level, name, id, rows)
    select b.parent, 0, r.name, r.id, least(256, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.name, r.id) - 1 as place
      from (
      select name, id
      from sponsors
      where true
        and (name, id) >= (b.name, b.id)
      order by name, id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 256 = 0;
    get diagnostics made = row_count;
    update lists.sponsors_name k set rows = 256 where k.block = b.block;
    update lists.sponsors_name u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.sponsors_name s
      where s.parent = b.parent and s.level = 1 and (s.name, s.id) <= (b.name, b.id)
      order by s.name desc, s.id desc
      limit 1
    ) returning u.blocks into below;
    if below > 192 then
      perform lists.sponsors_name_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.sponsors_name u where u.parent = b.parent and u.level = 1 and (u.name, u.id) = (b.name, b.id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.sponsors_name k where k.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.sponsors_name deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 512 or new.rows = 0)) execute function lists.sponsors_name_cut();
create function lists.sponsors_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.sponsors;
  made integer;
begin
  perform lists.at_commit_only();
  update lists.sponsors t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 256 else 512 end)
  returning * into whole;
  if found then
    delete from lists.sponsors_name k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.sponsors_name (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.sponsors_name (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.sponsors_name k set rows = whole.rows where k.block = made; -- to be cut
    end if;
  end if;
  delete from lists.sponsors t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.sponsors deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 256 else 512 end)))
  execute function lists.sponsors_resize();
create function lists.keep_sponsors_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.sponsors as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select ''::text as parent, 0::bigint as facet, 1 as n from new_rows where true) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select ''::text as parent, 0::bigint as facet, name, id, 1 as n from new_rows where true),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.name, s.id, row_number() over (partition by p.parent order by s.name, s.id) as place
    from (select r.parent, min(r.name) as low, max(r.name) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.sponsors_name s
      where s.parent = p.parent and s.level = 0 and (s.name, s.id) <= (p.low, '')
      order by s.name desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.sponsors_name s
      where s.parent = p.parent and s.level = 0 and s.name <= p.high
        and (s.name, s.id) >= (l.name, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.name, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.name, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.name, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.sponsors_name k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.sponsors_name s
      where s.parent = k.parent and s.level = 1 and (s.name, s.id) <= (k.name, k.id)
      order by s.name desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.sponsors_name b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_sponsors_insert after insert on sponsors referencing new table as new_rows
  for each statement execute function lists.keep_sponsors_insert();
create function lists.keep_sponsors_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, name, id, sum(n) as n
      from (select ''::text as parent, 0::bigint as facet, name, id, 1 as n from new_rows where true union all select ''::text as parent, 0::bigint as facet, name, id, -1 as n from old_rows where true) b
      group by parent, facet, name, id
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.sponsors as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (
      select parent, facet, sum(n) as n
      from (select ''::text as parent, 0::bigint as facet, 1 as n from new_rows where true union all select ''::text as parent, 0::bigint as facet, -1 as n from old_rows where true) b
      group by parent, facet
      having sum(n) <> 0) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (
      select parent, facet, name, id, sum(n) as n
      from (select ''::text as parent, 0::bigint as facet, name, id, 1 as n from new_rows where true union all select ''::text as parent, 0::bigint as facet, name, id, -1 as n from old_rows where true) b
      group by parent, facet, name, id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.name, s.id, row_number() over (partition by p.parent order by s.name, s.id) as place
    from (select r.parent, min(r.name) as low, max(r.name) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.sponsors_name s
      where s.parent = p.parent and s.level = 0 and (s.name, s.id) <= (p.low, '')
      order by s.name desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.sponsors_name s
      where s.parent = p.parent and s.level = 0 and s.name <= p.high
        and (s.name, s.id) >= (l.name, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.name, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.name, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.name, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.sponsors_name k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.sponsors_name s
      where s.parent = k.parent and s.level = 1 and (s.name, s.id) <= (k.name, k.id)
      order by s.name desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.sponsors_name b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_sponsors_update after update on sponsors referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_sponsors_update();
create function lists.keep_sponsors_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.sponsors as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select ''::text as parent, 0::bigint as facet, -1 as n from old_rows where true) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select ''::text as parent, 0::bigint as facet, name, id, -1 as n from old_rows where true),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.name, s.id, row_number() over (partition by p.parent order by s.name, s.id) as place
    from (select r.parent, min(r.name) as low, max(r.name) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.sponsors_name s
      where s.parent = p.parent and s.level = 0 and (s.name, s.id) <= (p.low, '')
      order by s.name desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.sponsors_name s
      where s.parent = p.parent and s.level = 0 and s.name <= p.high
        and (s.name, s.id) >= (l.name, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.name, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.name, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.name, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.sponsors_name k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.sponsors_name s
      where s.parent = k.parent and s.level = 1 and (s.name, s.id) <= (k.name, k.id)
      order by s.name desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.sponsors_name b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_sponsors_delete after delete on sponsors referencing old table as old_rows
  for each statement execute function lists.keep_sponsors_delete();
create trigger keep_sponsors_truncate after truncate on sponsors
  for each statement execute function lists.recount('sponsors');

-- holders: rows of collection_holders by collection_address
create table lists.holders (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  primary key (parent, facet)
) with (fillfactor = 70);
create function lists.holders_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.holders;
  delete from lists.holders_acquired;
  insert into lists.holders as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), count(*)
  from (select collection_address::text as parent, 0::bigint as facet from collection_holders where true) c
  group by c.parent, c.facet
  having count(*) <> 0;
end
$$;
create index holders_by_acquired on collection_holders (collection_address, acquired_at, user_id);
create table lists.holders_acquired (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  acquired_at timestamptz not null default '-infinity',
  user_id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, acquired_at, user_id)
) with (fillfactor = 70);
create function lists.holders_acquired_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.holders_acquired k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.acquired_at, k.user_id) <> ('-infinity', ''));
  insert into lists.holders_acquired (parent, level, acquired_at, user_id, rows, blocks)
  select of, 1, (array_agg(k.acquired_at order by k.place))[1], (array_agg(k.user_id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.acquired_at, k.user_id) - 1 as place
    from lists.holders_acquired k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 96;
end
$$;
create function lists.holders_acquired_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.holders_acquired;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.holders_acquired k where k.block = new.block;
  if b.rows > 512 then
    insert into lists.holders_acquired (parent, level, acquired_at, user_id, rows)
    select b.parent, 0, r.acquired_at, r.user_id, least(256, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.acquired_at, r.user_id) - 1 as place
      from (
      select acquired_at, user_id
      from collection_holders
      where true and collection_address = b.parent
        and (acquired_at, user_id) >= (b.acquired_at, b.user_id)
      order by acquired_at, user_id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 256 = 0;
    get diagnostics made = row_count;
    update lists.holders_acquired k set rows = 256 where k.block = b.block;
    update lists.holders_acquired u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.holders_acquired s
      where s.parent = b.parent and s.level = 1 and (s.acquired_at, s.user_id) <= (b.acquired_at, b.user_id)
      order by s.acquired_at desc, s.user_id desc
      limit 1
    ) returning u.blocks into below;
    if below > 192 then
      perform lists.holders_acquired_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.holders_acquired u where u.parent = b.parent and u.level = 1 and (u.acquired_at, u.user_id) = (b.acquired_at, b.user_id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.holders_acquired k where k.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.holders_acquired deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 512 or new.rows = 0)) execute function lists.holders_acquired_cut();
create function lists.holders_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.holders;
  made integer;
begin
  perform lists.at_commit_only();
  update lists.holders t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 256 else 512 end)
  returning * into whole;
  if found then
    delete from lists.holders_acquired k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.holders_acquired (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.holders_acquired (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.holders_acquired k set rows = whole.rows where k.block = made; -- to be cut
    end if;
  end if;
  delete from lists.holders t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.holders deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 256 else 512 end)))
  execute function lists.holders_resize();
create function lists.keep_holders_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.holders as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select collection_address::text as parent, 0::bigint as facet, 1 as n from new_rows where true) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select collection_address::text as parent, 0::bigint as facet, acquired_at, user_id, 1 as n from new_rows where true),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.acquired_at, s.user_id, row_number() over (partition by p.parent order by s.acquired_at, s.user_id) as place
    from (select r.parent, min(r.acquired_at) as low, max(r.acquired_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.holders_acquired s
      where s.parent = p.parent and s.level = 0 and (s.acquired_at, s.user_id) <= (p.low, '')
      order by s.acquired_at desc, s.user_id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.holders_acquired s
      where s.parent = p.parent and s.level = 0 and s.acquired_at <= p.high
        and (s.acquired_at, s.user_id) >= (l.acquired_at, l.user_id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.acquired_at, x.user_id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.acquired_at, r.user_id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.acquired_at, b.user_id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.holders_acquired k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.holders_acquired s
      where s.parent = k.parent and s.level = 1 and (s.acquired_at, s.user_id) <= (k.acquired_at, k.user_id)
      order by s.acquired_at desc, s.user_id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.holders_acquired b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_holders_insert after insert on collection_holders referencing new table as new_rows
  for each statement execute function lists.keep_holders_insert();
create function lists.keep_holders_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, acquired_at, user_id, sum(n) as n
      from (select collection_address::text as parent, 0::bigint as facet, acquired_at, user_id, 1 as n from new_rows where true union all select collection_address::text as parent, 0::bigint as facet, acquired_at, user_id, -1 as n from old_rows where true) b
      group by parent, facet, acquired_at, user_id
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.holders as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (
      select parent, facet, sum(n) as n
      from (select collection_address::text as parent, 0::bigint as facet, 1 as n from new_rows where true union all select collection_address::text as parent, 0::bigint as facet, -1 as n from old_rows where true) b
      group by parent, facet
      having sum(n) <> 0) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (
      select parent, facet, acquired_at, user_id, sum(n) as n
      from (select collection_address::text as parent, 0::bigint as facet, acquired_at, user_id, 1 as n from new_rows where true union all select collection_address::text as parent, 0::bigint as facet, acquired_at, user_id, -1 as n from old_rows where true) b
      group by parent, facet, acquired_at, user_id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.acquired_at, s.user_id, row_number() over (partition by p.parent order by s.acquired_at, s.user_id) as place
    from (select r.parent, min(r.acquired_at) as low, max(r.acquired_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.holders_acquired s
      where s.parent = p.parent and s.level = 0 and (s.acquired_at, s.user_id) <= (p.low, '')
      order by s.acquired_at desc, s.user_id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.holders_acquired s
      where s.parent = p.parent and s.level = 0 and s.acquired_at <= p.high
        and (s.acquired_at, s.user_id) >= (l.acquired_at, l.user_id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.acquired_at, x.user_id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.acquired_at, r.user_id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.acquired_at, b.user_id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.holders_acquired k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.holders_acquired s
      where s.parent = k.parent and s.level = 1 and (s.acquired_at, s.user_id) <= (k.acquired_at, k.user_id)
      order by s.acquired_at desc, s.user_id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.holders_acquired b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_holders_update after update on collection_holders referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_holders_update();
create function lists.keep_holders_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.holders as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select collection_address::text as parent, 0::bigint as facet, -1 as n from old_rows where true) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select collection_address::text as parent, 0::bigint as facet, acquired_at, user_id, -1 as n from old_rows where true),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.acquired_at, s.user_id, row_number() over (partition by p.parent order by s.acquired_at, s.user_id) as place
    from (select r.parent, min(r.acquired_at) as low, max(r.acquired_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.holders_acquired s
      where s.parent = p.parent and s.level = 0 and (s.acquired_at, s.user_id) <= (p.low, '')
      order by s.acquired_at desc, s.user_id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.holders_acquired s
      where s.parent = p.parent and s.level = 0 and s.acquired_at <= p.high
        and (s.acquired_at, s.user_id) >= (l.acquired_at, l.user_id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.acquired_at, x.user_id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.acquired_at, r.user_id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.acquired_at, b.user_id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.holders_acquired k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.holders_acquired s
      where s.parent = k.parent and s.level = 1 and (s.acquired_at, s.user_id) <= (k.acquired_at, k.user_id)
      order by s.acquired_at desc, s.user_id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.holders_acquired b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_holders_delete after delete on collection_holders referencing old table as old_rows
  for each statement execute function lists.keep_holders_delete();
create trigger keep_holders_truncate after truncate on collection_holders
  for each statement execute function lists.recount('holders');

-- timeline: rows of timeline_items by user_id
create table lists.timeline (
  parent text collate "C" not null,
  facet bigint not null,
  type text collate "C",
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  is_by_facet boolean not null default true, -- and these are counted by facet
  primary key (parent, facet),
  unique nulls not distinct (parent, facet, type)
) with (fillfactor = 70);
create function lists.timeline_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.timeline;
  delete from lists.timeline_date;
  delete from lists.timeline_date_facets;
  insert into lists.timeline as t (parent, facet, type, rows)
  select c.parent, coalesce(c.facet, 0), c.type, count(*)
  from (select user_id::text as parent, facet_of(type) as facet, type from timeline_items where is_public) c
  group by grouping sets ((c.parent, c.facet, c.type), (c.parent))
  having count(*) <> 0;
end
$$;
create index timeline_by_date on timeline_items (user_id, date, id) include (type) where is_public;
create table lists.timeline_date (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  date timestamptz not null default '-infinity',
  id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, date, id)
) with (fillfactor = 70);
create table lists.timeline_date_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  primary key (block, facet) include (rows)
) with (fillfactor = 70);
create function lists.timeline_date_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.timeline_date_facets f using lists.timeline_date k where k.parent = of and (k.level = 1 or k.rows = 0) and f.block = k.block;
  delete from lists.timeline_date k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.date, k.id) <> ('-infinity', ''));
  insert into lists.timeline_date (parent, level, date, id, rows, blocks)
  select of, 1, (array_agg(k.date order by k.place))[1], (array_agg(k.id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.date, k.id) - 1 as place
    from lists.timeline_date k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 96;
  insert into lists.timeline_date_facets (block, facet, rows)
  select u.block, f.facet, sum(f.rows)
  from lists.timeline_date k
  cross join lateral (
      select s.block
      from lists.timeline_date s
      where s.parent = k.parent and s.level = 1 and (s.date, s.id) <= (k.date, k.id)
      order by s.date desc, s.id desc
      limit 1
  ) u
  join lists.timeline_date_facets f on f.block = k.block
  where k.parent = of and k.level = 0
  group by u.block, f.facet;
end
$$;
create function lists.timeline_date_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.timeline_date;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.timeline_date k where k.block = new.block;
  if b.rows > 512 then
    insert into lists.timeline_date (parent, level, date, id, rows)
    select b.parent, 0, r.date, r.id, least(256, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.date, r.id) - 1 as place
      from (
      select date, id
      from timeline_items
      where is_public and user_id = b.parent
        and (date, id) >= (b.date, b.id)
      order by date, id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 256 = 0;
    get diagnostics made = row_count;
    update lists.timeline_date k set rows = 256 where k.block = b.block;
    delete from lists.timeline_date_facets f where f.block = b.block;
    insert into lists.timeline_date_facets (block, facet, rows)
    select k.block, r.facet, count(*)
    from (
      select * from lists.timeline_date k
      where k.parent = b.parent and k.level = 0 and (k.date, k.id) >= (b.date, b.id)
      order by k.date, k.id
      limit made + 1
    ) k
    cross join lateral (
      select facet_of(type) as facet
      from timeline_items
      where is_public and user_id = k.parent
        and (date, id) >= (k.date, k.id)
      order by date, id
      limit k.rows
    ) r
    where (select t.is_by_facet from lists.timeline t where t.parent = b.parent and t.facet = 0)
    group by k.block, r.facet;
    update lists.timeline_date u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.timeline_date s
      where s.parent = b.parent and s.level = 1 and (s.date, s.id) <= (b.date, b.id)
      order by s.date desc, s.id desc
      limit 1
    ) returning u.blocks into below;
    if below > 192 then
      perform lists.timeline_date_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.timeline_date u where u.parent = b.parent and u.level = 1 and (u.date, u.id) = (b.date, b.id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.timeline_date k where k.block = b.block;
    delete from lists.timeline_date_facets f where f.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.timeline_date deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 512 or new.rows = 0)) execute function lists.timeline_date_cut();
create function lists.timeline_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.timeline;
  made integer;
begin
  perform lists.at_commit_only();
  update lists.timeline t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 256 else 512 end)
  returning * into whole;
  if found then
    delete from lists.timeline_date_facets f using lists.timeline_date k where k.parent = new.parent and f.block = k.block;
    delete from lists.timeline_date k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.timeline_date (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.timeline_date_facets (block, facet, rows)
      select made, f.facet, f.rows from lists.timeline f where f.parent = new.parent and f.facet <> 0 and whole.is_by_facet;
      insert into lists.timeline_date (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.timeline_date k set rows = whole.rows where k.block = made; -- to be cut
    end if;
  end if;
  delete from lists.timeline t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.timeline deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 256 else 512 end)))
  execute function lists.timeline_resize();
create function lists.keep_timeline_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.timeline as t (parent, facet, type, rows)
  select c.parent, coalesce(c.facet, 0), c.type, sum(c.n)
  from (select user_id::text as parent, facet_of(type) as facet, type, 1 as n from new_rows where is_public) c
  group by grouping sets ((c.parent, c.facet, c.type), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet, type) do update set rows = t.rows + excluded.rows;
  with r as materialized (select user_id::text as parent, facet_of(type) as facet, date, id, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.date, s.id, row_number() over (partition by p.parent order by s.date, s.id) as place
    from (select r.parent, min(r.date) as low, max(r.date) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.timeline_date s
      where s.parent = p.parent and s.level = 0 and (s.date, s.id) <= (p.low, '')
      order by s.date desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.timeline_date s
      where s.parent = p.parent and s.level = 0 and s.date <= p.high
        and (s.date, s.id) >= (l.date, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.date, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.date, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.date, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.timeline_date k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.timeline_date s
      where s.parent = k.parent and s.level = 1 and (s.date, s.id) <= (k.date, k.id)
      order by s.date desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.timeline_date_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.timeline t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.timeline_date b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_timeline_insert after insert on timeline_items referencing new table as new_rows
  for each statement execute function lists.keep_timeline_insert();
create function lists.keep_timeline_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, type, date, id, sum(n) as n
      from (select user_id::text as parent, facet_of(type) as facet, type, date, id, 1 as n from new_rows where is_public union all select user_id::text as parent, facet_of(type) as facet, type, date, id, -1 as n from old_rows where is_public) b
      group by parent, facet, type, date, id
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.timeline as t (parent, facet, type, rows)
  select c.parent, coalesce(c.facet, 0), c.type, sum(c.n)
  from (
      select parent, facet, type, sum(n) as n
      from (select user_id::text as parent, facet_of(type) as facet, type, 1 as n from new_rows where is_public union all select user_id::text as parent, facet_of(type) as facet, type, -1 as n from old_rows where is_public) b
      group by parent, facet, type
      having sum(n) <> 0) c
  group by grouping sets ((c.parent, c.facet, c.type), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet, type) do update set rows = t.rows + excluded.rows;
  with r as materialized (
      select parent, facet, date, id, sum(n) as n
      from (select user_id::text as parent, facet_of(type) as facet, date, id, 1 as n from new_rows where is_public union all select user_id::text as parent, facet_of(type) as facet, date, id, -1 as n from old_rows where is_public) b
      group by parent, facet, date, id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.date, s.id, row_number() over (partition by p.parent order by s.date, s.id) as place
    from (select r.parent, min(r.date) as low, max(r.date) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.timeline_date s
      where s.parent = p.parent and s.level = 0 and (s.date, s.id) <= (p.low, '')
      order by s.date desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.timeline_date s
      where s.parent = p.parent and s.level = 0 and s.date <= p.high
        and (s.date, s.id) >= (l.date, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.date, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.date, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.date, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.timeline_date k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.timeline_date s
      where s.parent = k.parent and s.level = 1 and (s.date, s.id) <= (k.date, k.id)
      order by s.date desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.timeline_date_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.timeline t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.timeline_date b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_timeline_update after update on timeline_items referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_timeline_update();
create function lists.keep_timeline_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.timeline as t (parent, facet, type, rows)
  select c.parent, coalesce(c.facet, 0), c.type, sum(c.n)
  from (select user_id::text as parent, facet_of(type) as facet, type, -1 as n from old_rows where is_public) c
  group by grouping sets ((c.parent, c.facet, c.type), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet, type) do update set rows = t.rows + excluded.rows;
  with r as materialized (select user_id::text as parent, facet_of(type) as facet, date, id, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.date, s.id, row_number() over (partition by p.parent order by s.date, s.id) as place
    from (select r.parent, min(r.date) as low, max(r.date) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.timeline_date s
      where s.parent = p.parent and s.level = 0 and (s.date, s.id) <= (p.low, '')
      order by s.date desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.timeline_date s
      where s.parent = p.parent and s.level = 0 and s.date <= p.high
        and (s.date, s.id) >= (l.date, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.date, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.date, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.date, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.timeline_date k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.timeline_date s
      where s.parent = k.parent and s.level = 1 and (s.date, s.id) <= (k.date, k.id)
      order by s.date desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.timeline_date_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.timeline t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.timeline_date b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_timeline_delete after delete on timeline_items referencing old table as old_rows
  for each statement execute function lists.keep_timeline_delete();
create trigger keep_timeline_truncate after truncate on timeline_items
  for each statement execute function lists.recount('timeline');

-- submissions: rows of bounty_submissions by bounty_id
create table lists.submissions (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  primary key (parent, facet)
) with (fillfactor = 70);
create function lists.submissions_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.submissions;
  delete from lists.submissions_created;
  insert into lists.submissions as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), count(*)
  from (select bounty_id::text as parent, 0::bigint as facet from bounty_submissions where true) c
  group by c.parent, c.facet
  having count(*) <> 0;
end
$$;
create index submissions_by_created on bounty_submissions (bounty_id, created_at, id);
create table lists.submissions_created (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  created_at timestamptz not null default '-infinity',
  id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, created_at, id)
) with (fillfactor = 70);
create function lists.submissions_created_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.submissions_created k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.created_at, k.id) <> ('-infinity', ''));
  insert into lists.submissions_created (parent, level, created_at, id, rows, blocks)
  select of, 1, (array_agg(k.created_at order by k.place))[1], (array_agg(k.id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.created_at, k.id) - 1 as place
    from lists.submissions_created k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 96;
end
$$;
create function lists.submissions_created_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.submissions_created;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.submissions_created k where k.block = new.block;
  if b.rows > 512 then
    insert into lists.submissions_created (parent, level, created_at, id, rows)
    select b.parent, 0, r.created_at, r.id, least(256, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.created_at, r.id) - 1 as place
      from (
      select created_at, id
      from bounty_submissions
      where true and bounty_id = b.parent
        and (created_at, id) >= (b.created_at, b.id)
      order by created_at, id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 256 = 0;
    get diagnostics made = row_count;
    update lists.submissions_created k set rows = 256 where k.block = b.block;
    update lists.submissions_created u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.submissions_created s
      where s.parent = b.parent and s.level = 1 and (s.created_at, s.id) <= (b.created_at, b.id)
      order by s.created_at desc, s.id desc
      limit 1
    ) returning u.blocks into below;
    if below > 192 then
      perform lists.submissions_created_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.submissions_created u where u.parent = b.parent and u.level = 1 and (u.created_at, u.id) = (b.created_at, b.id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.submissions_created k where k.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.submissions_created deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 512 or new.rows = 0)) execute function lists.submissions_created_cut();
create function lists.submissions_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.submissions;
  made integer;
begin
  perform lists.at_commit_only();
  update lists.submissions t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 256 else 512 end)
  returning * into whole;
  if found then
    delete from lists.submissions_created k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.submissions_created (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.submissions_created (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.submissions_created k set rows = whole.rows where k.block = made; -- to be cut
    end if;
  end if;
  delete from lists.submissions t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.submissions deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 256 else 512 end)))
  execute function lists.submissions_resize();
create function lists.keep_submissions_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.submissions as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select bounty_id::text as parent, 0::bigint as facet, 1 as n from new_rows where true) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select bounty_id::text as parent, 0::bigint as facet, created_at, id, 1 as n from new_rows where true),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.id, row_number() over (partition by p.parent order by s.created_at, s.id) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.submissions_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.id) <= (p.low, '')
      order by s.created_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.submissions_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.id) >= (l.created_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.submissions_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.submissions_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.id) <= (k.created_at, k.id)
      order by s.created_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.submissions_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_submissions_insert after insert on bounty_submissions referencing new table as new_rows
  for each statement execute function lists.keep_submissions_insert();
create function lists.keep_submissions_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, created_at, id, sum(n) as n
      from (select bounty_id::text as parent, 0::bigint as facet, created_at, id, 1 as n from new_rows where true union all select bounty_id::text as parent, 0::bigint as facet, created_at, id, -1 as n from old_rows where true) b
      group by parent, facet, created_at, id
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.submissions as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (
      select parent, facet, sum(n) as n
      from (select bounty_id::text as parent, 0::bigint as facet, 1 as n from new_rows where true union all select bounty_id::text as parent, 0::bigint as facet, -1 as n from old_rows where true) b
      group by parent, facet
      having sum(n) <> 0) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (
      select parent, facet, created_at, id, sum(n) as n
      from (select bounty_id::text as parent, 0::bigint as facet, created_at, id, 1 as n from new_rows where true union all select bounty_id::text as parent, 0::bigint as facet, created_at, id, -1 as n from old_rows where true) b
      group by parent, facet, created_at, id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.id, row_number() over (partition by p.parent order by s.created_at, s.id) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.submissions_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.id) <= (p.low, '')
      order by s.created_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.submissions_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.id) >= (l.created_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.submissions_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.submissions_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.id) <= (k.created_at, k.id)
      order by s.created_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.submissions_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_submissions_update after update on bounty_submissions referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_submissions_update();
create function lists.keep_submissions_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.submissions as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select bounty_id::text as parent, 0::bigint as facet, -1 as n from old_rows where true) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select bounty_id::text as parent, 0::bigint as facet, created_at, id, -1 as n from old_rows where true),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.id, row_number() over (partition by p.parent order by s.created_at, s.id) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.submissions_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.id) <= (p.low, '')
      order by s.created_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.submissions_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.id) >= (l.created_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.submissions_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.submissions_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.id) <= (k.created_at, k.id)
      order by s.created_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.submissions_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_submissions_delete after delete on bounty_submissions referencing old table as old_rows
  for each statement execute function lists.keep_submissions_delete();
create trigger keep_submissions_truncate after truncate on bounty_submissions
  for each statement execute function lists.recount('submissions');

-- public_submissions: rows of bounty_submissions by bounty_id
create table lists.public_submissions (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  primary key (parent, facet)
) with (fillfactor = 70);
create function lists.public_submissions_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.public_submissions;
  delete from lists.public_submissions_created;
  insert into lists.public_submissions as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), count(*)
  from (select bounty_id::text as parent, 0::bigint as facet from bounty_submissions where is_public) c
  group by c.parent, c.facet
  having count(*) <> 0;
end
$$;
create index public_submissions_by_created on bounty_submissions (bounty_id, created_at, id) where is_public;
create table lists.public_submissions_created (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  created_at timestamptz not null default '-infinity',
  id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, created_at, id)
) with (fillfactor = 70);
create function lists.public_submissions_created_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.public_submissions_created k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.created_at, k.id) <> ('-infinity', ''));
  insert into lists.public_submissions_created (parent, level, created_at, id, rows, blocks)
  select of, 1, (array_agg(k.created_at order by k.place))[1], (array_agg(k.id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.created_at, k.id) - 1 as place
    from lists.public_submissions_created k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 96;
end
$$;
create function lists.public_submissions_created_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.public_submissions_created;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.public_submissions_created k where k.block = new.block;
  if b.rows > 512 then
    insert into lists.public_submissions_created (parent, level, created_at, id, rows)
    select b.parent, 0, r.created_at, r.id, least(256, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.created_at, r.id) - 1 as place
      from (
      select created_at, id
      from bounty_submissions
      where is_public and bounty_id = b.parent
        and (created_at, id) >= (b.created_at, b.id)
      order by created_at, id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 256 = 0;
    get diagnostics made = row_count;
    update lists.public_submissions_created k set rows = 256 where k.block = b.block;
    update lists.public_submissions_created u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.public_submissions_created s
      where s.parent = b.parent and s.level = 1 and (s.created_at, s.id) <= (b.created_at, b.id)
      order by s.created_at desc, s.id desc
      limit 1
    ) returning u.blocks into below;
    if below > 192 then
      perform lists.public_submissions_created_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.public_submissions_created u where u.parent = b.parent and u.level = 1 and (u.created_at, u.id) = (b.created_at, b.id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.public_submissions_created k where k.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.public_submissions_created deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 512 or new.rows = 0)) execute function lists.public_submissions_created_cut();
create function lists.public_submissions_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.public_submissions;
  made integer;
begin
  perform lists.at_commit_only();
  update lists.public_submissions t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 256 else 512 end)
  returning * into whole;
  if found then
    delete from lists.public_submissions_created k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.public_submissions_created (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.public_submissions_created (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.public_submissions_created k set rows = whole.rows where k.block = made; -- to be cut
    end if;
  end if;
  delete from lists.public_submissions t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.public_submissions deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 256 else 512 end)))
  execute function lists.public_submissions_resize();
create function lists.keep_public_submissions_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.public_submissions as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select bounty_id::text as parent, 0::bigint as facet, 1 as n from new_rows where is_public) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select bounty_id::text as parent, 0::bigint as facet, created_at, id, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.id, row_number() over (partition by p.parent order by s.created_at, s.id) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.public_submissions_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.id) <= (p.low, '')
      order by s.created_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.public_submissions_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.id) >= (l.created_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.public_submissions_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.public_submissions_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.id) <= (k.created_at, k.id)
      order by s.created_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.public_submissions_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_public_submissions_insert after insert on bounty_submissions referencing new table as new_rows
  for each statement execute function lists.keep_public_submissions_insert();
create function lists.keep_public_submissions_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, created_at, id, sum(n) as n
      from (select bounty_id::text as parent, 0::bigint as facet, created_at, id, 1 as n from new_rows where is_public union all select bounty_id::text as parent, 0::bigint as facet, created_at, id, -1 as n from old_rows where is_public) b
      group by parent, facet, created_at, id
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.public_submissions as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (
      select parent, facet, sum(n) as n
      from (select bounty_id::text as parent, 0::bigint as facet, 1 as n from new_rows where is_public union all select bounty_id::text as parent, 0::bigint as facet, -1 as n from old_rows where is_public) b
      group by parent, facet
      having sum(n) <> 0) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (
      select parent, facet, created_at, id, sum(n) as n
      from (select bounty_id::text as parent, 0::bigint as facet, created_at, id, 1 as n from new_rows where is_public union all select bounty_id::text as parent, 0::bigint as facet, created_at, id, -1 as n from old_rows where is_public) b
      group by parent, facet, created_at, id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.id, row_number() over (partition by p.parent order by s.created_at, s.id) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.public_submissions_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.id) <= (p.low, '')
      order by s.created_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.public_submissions_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.id) >= (l.created_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.public_submissions_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.public_submissions_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.id) <= (k.created_at, k.id)
      order by s.created_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.public_submissions_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_public_submissions_update after update on bounty_submissions referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_public_submissions_update();
create function lists.keep_public_submissions_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.public_submissions as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select bounty_id::text as parent, 0::bigint as facet, -1 as n from old_rows where is_public) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select bounty_id::text as parent, 0::bigint as facet, created_at, id, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.id, row_number() over (partition by p.parent order by s.created_at, s.id) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.public_submissions_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.id) <= (p.low, '')
      order by s.created_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.public_submissions_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.id) >= (l.created_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.public_submissions_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.public_submissions_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.id) <= (k.created_at, k.id)
      order by s.created_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.public_submissions_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_public_submissions_delete after delete on bounty_submissions referencing old table as old_rows
  for each statement execute function lists.keep_public_submissions_delete();
create trigger keep_public_submissions_truncate after truncate on bounty_submissions
  for each statement execute function lists.recount('public_submissions');

-- bounties: rows of bounties
create table lists.bounties (
  parent text collate "C" not null,
  facet bigint not null,
  status text collate "C",
  category text collate "C",
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  is_by_facet boolean not null default true, -- and these are counted by facet
  primary key (parent, facet),
  unique nulls not distinct (parent, facet, status, category)
) with (fillfactor = 70);
create index bounties_facet on bounties ((facet)) where is_public;
create function lists.bounties_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.bounties;
  delete from lists.bounties_published;
  delete from lists.bounties_published_facets;
  insert into lists.bounties as t (parent, facet, status, category, rows)
  select c.parent, coalesce(c.facet, 0), c.status, c.category, count(*)
  from (select ''::text as parent, facet as facet, status, category from bounties where is_public) c
  group by grouping sets ((c.parent, c.facet, c.status, c.category), (c.parent))
  having count(*) <> 0;
  update lists.bounties t set is_by_facet = false
  where t.facet = 0 and t.is_by_facet and (select count(*) from lists.bounties f where f.rows <> 0) > 2000;
  if found then
    delete from lists.bounties_published_facets;
  end if;
end
$$;
create index bounties_by_published on bounties (published_at, id) include (facet) where is_public;
create table lists.bounties_published (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  published_at timestamptz not null default '-infinity',
  id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, published_at, id)
) with (fillfactor = 70);
create table lists.bounties_published_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  primary key (block, facet) include (rows)
) with (fillfactor = 70);
create function lists.bounties_published_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.bounties_published_facets f using lists.bounties_published k where k.parent = of and (k.level = 1 or k.rows = 0) and f.block = k.block;
  delete from lists.bounties_published k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.published_at, k.id) <> ('-infinity', ''));
  insert into lists.bounties_published (parent, level, published_at, id, rows, blocks)
  select of, 1, (array_agg(k.published_at order by k.place))[1], (array_agg(k.id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.published_at, k.id) - 1 as place
    from lists.bounties_published k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 96;
  insert into lists.bounties_published_facets (block, facet, rows)
  select u.block, f.facet, sum(f.rows)
  from lists.bounties_published k
  cross join lateral (
      select s.block
      from lists.bounties_published s
      where s.parent = k.parent and s.level = 1 and (s.published_at, s.id) <= (k.published_at, k.id)
      order by s.published_at desc, s.id desc
      limit 1
  ) u
  join lists.bounties_published_facets f on f.block = k.block
  where k.parent = of and k.level = 0
  group by u.block, f.facet;
end
$$;
create function lists.bounties_published_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.bounties_published;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.bounties_published k where k.block = new.block;
  if b.rows > 512 then
    insert into lists.bounties_published (parent, level, published_at, id, rows)
    select b.parent, 0, r.published_at, r.id, least(256, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.published_at, r.id) - 1 as place
      from (
      select published_at, id
      from bounties
      where is_public
        and (published_at, id) >= (b.published_at, b.id)
      order by published_at, id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 256 = 0;
    get diagnostics made = row_count;
    update lists.bounties_published k set rows = 256 where k.block = b.block;
    delete from lists.bounties_published_facets f where f.block = b.block;
    insert into lists.bounties_published_facets (block, facet, rows)
    select k.block, r.facet, count(*)
    from (
      select * from lists.bounties_published k
      where k.parent = b.parent and k.level = 0 and (k.published_at, k.id) >= (b.published_at, b.id)
      order by k.published_at, k.id
      limit made + 1
    ) k
    cross join lateral (
      select facet as facet
      from bounties
      where is_public
        and (published_at, id) >= (k.published_at, k.id)
      order by published_at, id
      limit k.rows
    ) r
    where (select t.is_by_facet from lists.bounties t where t.parent = b.parent and t.facet = 0)
    group by k.block, r.facet;
    update lists.bounties_published u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.bounties_published s
      where s.parent = b.parent and s.level = 1 and (s.published_at, s.id) <= (b.published_at, b.id)
      order by s.published_at desc, s.id desc
      limit 1
    ) returning u.blocks into below;
    if below > 192 then
      perform lists.bounties_published_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.bounties_published u where u.parent = b.parent and u.level = 1 and (u.published_at, u.id) = (b.published_at, b.id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.bounties_published k where k.block = b.block;
    delete from lists.bounties_published_facets f where f.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.bounties_published deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 512 or new.rows = 0)) execute function lists.bounties_published_cut();
create function lists.bounties_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.bounties;
  made integer;
begin
  perform lists.at_commit_only();
  update lists.bounties t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 256 else 512 end)
  returning * into whole;
  if found then
    delete from lists.bounties_published_facets f using lists.bounties_published k where k.parent = new.parent and f.block = k.block;
    delete from lists.bounties_published k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.bounties_published (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.bounties_published_facets (block, facet, rows)
      select made, f.facet, f.rows from lists.bounties f where f.parent = new.parent and f.facet <> 0 and whole.is_by_facet;
      insert into lists.bounties_published (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.bounties_published k set rows = whole.rows where k.block = made; -- to be cut
    end if;
  end if;
  delete from lists.bounties t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.bounties deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 256 else 512 end)))
  execute function lists.bounties_resize();
create function lists.keep_bounties_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.bounties as t (parent, facet, status, category, rows)
  select c.parent, coalesce(c.facet, 0), c.status, c.category, sum(c.n)
  from (select ''::text as parent, facet as facet, status, category, 1 as n from new_rows where is_public) c
  group by grouping sets ((c.parent, c.facet, c.status, c.category), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet, status, category) do update set rows = t.rows + excluded.rows;
  update lists.bounties t set is_by_facet = false
  where t.facet = 0 and t.is_by_facet and (select count(*) from lists.bounties f where f.rows <> 0) > 2000;
  if found then
    delete from lists.bounties_published_facets;
  end if;
  with r as materialized (select ''::text as parent, facet as facet, published_at, id, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.published_at, s.id, row_number() over (partition by p.parent order by s.published_at, s.id) as place
    from (select r.parent, min(r.published_at) as low, max(r.published_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.bounties_published s
      where s.parent = p.parent and s.level = 0 and (s.published_at, s.id) <= (p.low, '')
      order by s.published_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.bounties_published s
      where s.parent = p.parent and s.level = 0 and s.published_at <= p.high
        and (s.published_at, s.id) >= (l.published_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.published_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.published_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.published_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.bounties_published k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.bounties_published s
      where s.parent = k.parent and s.level = 1 and (s.published_at, s.id) <= (k.published_at, k.id)
      order by s.published_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.bounties_published_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.bounties t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.bounties_published b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_bounties_insert after insert on bounties referencing new table as new_rows
  for each statement execute function lists.keep_bounties_insert();
create function lists.keep_bounties_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, status, category, published_at, id, sum(n) as n
      from (select ''::text as parent, facet as facet, status, category, published_at, id, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, status, category, published_at, id, -1 as n from old_rows where is_public) b
      group by parent, facet, status, category, published_at, id
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.bounties as t (parent, facet, status, category, rows)
  select c.parent, coalesce(c.facet, 0), c.status, c.category, sum(c.n)
  from (
      select parent, facet, status, category, sum(n) as n
      from (select ''::text as parent, facet as facet, status, category, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, status, category, -1 as n from old_rows where is_public) b
      group by parent, facet, status, category
      having sum(n) <> 0) c
  group by grouping sets ((c.parent, c.facet, c.status, c.category), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet, status, category) do update set rows = t.rows + excluded.rows;
  update lists.bounties t set is_by_facet = false
  where t.facet = 0 and t.is_by_facet and (select count(*) from lists.bounties f where f.rows <> 0) > 2000;
  if found then
    delete from lists.bounties_published_facets;
  end if;
  with r as materialized (
      select parent, facet, published_at, id, sum(n) as n
      from (select ''::text as parent, facet as facet, published_at, id, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, published_at, id, -1 as n from old_rows where is_public) b
      group by parent, facet, published_at, id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.published_at, s.id, row_number() over (partition by p.parent order by s.published_at, s.id) as place
    from (select r.parent, min(r.published_at) as low, max(r.published_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.bounties_published s
      where s.parent = p.parent and s.level = 0 and (s.published_at, s.id) <= (p.low, '')
      order by s.published_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.bounties_published s
      where s.parent = p.parent and s.level = 0 and s.published_at <= p.high
        and (s.published_at, s.id) >= (l.published_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.published_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.published_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.published_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.bounties_published k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.bounties_published s
      where s.parent = k.parent and s.level = 1 and (s.published_at, s.id) <= (k.published_at, k.id)
      order by s.published_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.bounties_published_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.bounties t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.bounties_published b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_bounties_update after update on bounties referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_bounties_update();
create function lists.keep_bounties_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.bounties as t (parent, facet, status, category, rows)
  select c.parent, coalesce(c.facet, 0), c.status, c.category, sum(c.n)
  from (select ''::text as parent, facet as facet, status, category, -1 as n from old_rows where is_public) c
  group by grouping sets ((c.parent, c.facet, c.status, c.category), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet, status, category) do update set rows = t.rows + excluded.rows;
  with r as materialized (select ''::text as parent, facet as facet, published_at, id, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.published_at, s.id, row_number() over (partition by p.parent order by s.published_at, s.id) as place
    from (select r.parent, min(r.published_at) as low, max(r.published_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.bounties_published s
      where s.parent = p.parent and s.level = 0 and (s.published_at, s.id) <= (p.low, '')
      order by s.published_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.bounties_published s
      where s.parent = p.parent and s.level = 0 and s.published_at <= p.high
        and (s.published_at, s.id) >= (l.published_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.published_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.published_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.published_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.bounties_published k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.bounties_published s
      where s.parent = k.parent and s.level = 1 and (s.published_at, s.id) <= (k.published_at, k.id)
      order by s.published_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.bounties_published_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.bounties t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.bounties_published b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_bounties_delete after delete on bounties referencing old table as old_rows
  for each statement execute function lists.keep_bounties_delete();
create trigger keep_bounties_truncate after truncate on bounties
  for each statement execute function lists.recount('bounties');

-- sponsor_bounties: rows of bounties by sponsor_id
create table lists.sponsor_bounties (
  parent text collate "C" not null,
  facet bigint not null,
  status text collate "C",
  category text collate "C",
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  is_by_facet boolean not null default true, -- and these are counted by facet
  primary key (parent, facet),
  unique nulls not distinct (parent, facet, status, category)
) with (fillfactor = 70);
create function lists.sponsor_bounties_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.sponsor_bounties;
  delete from lists.sponsor_bounties_published;
  delete from lists.sponsor_bounties_published_facets;
  insert into lists.sponsor_bounties as t (parent, facet, status, category, rows)
  select c.parent, coalesce(c.facet, 0), c.status, c.category, count(*)
  from (select sponsor_id::text as parent, facet as facet, status, category from bounties where is_public) c
  group by grouping sets ((c.parent, c.facet, c.status, c.category), (c.parent))
  having count(*) <> 0;
end
$$;
create index sponsor_bounties_by_published on bounties (sponsor_id, published_at, id) include (facet) where is_public;
create table lists.sponsor_bounties_published (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  published_at timestamptz not null default '-infinity',
  id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, published_at, id)
) with (fillfactor = 70);
create table lists.sponsor_bounties_published_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  primary key (block, facet) include (rows)
) with (fillfactor = 70);
create function lists.sponsor_bounties_published_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.sponsor_bounties_published_facets f using lists.sponsor_bounties_published k where k.parent = of and (k.level = 1 or k.rows = 0) and f.block = k.block;
  delete from lists.sponsor_bounties_published k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.published_at, k.id) <> ('-infinity', ''));
  insert into lists.sponsor_bounties_published (parent, level, published_at, id, rows, blocks)
  select of, 1, (array_agg(k.published_at order by k.place))[1], (array_agg(k.id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.published_at, k.id) - 1 as place
    from lists.sponsor_bounties_published k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 96;
  insert into lists.sponsor_bounties_published_facets (block, facet, rows)
  select u.block, f.facet, sum(f.rows)
  from lists.sponsor_bounties_published k
  cross join lateral (
      select s.block
      from lists.sponsor_bounties_published s
      where s.parent = k.parent and s.level = 1 and (s.published_at, s.id) <= (k.published_at, k.id)
      order by s.published_at desc, s.id desc
      limit 1
  ) u
  join lists.sponsor_bounties_published_facets f on f.block = k.block
  where k.parent = of and k.level = 0
  group by u.block, f.facet;
end
$$;
create function lists.sponsor_bounties_published_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.sponsor_bounties_published;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.sponsor_bounties_published k where k.block = new.block;
  if b.rows > 512 then
    insert into lists.sponsor_bounties_published (parent, level, published_at, id, rows)
    select b.parent, 0, r.published_at, r.id, least(256, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.published_at, r.id) - 1 as place
      from (
      select published_at, id
      from bounties
      where is_public and sponsor_id = b.parent
        and (published_at, id) >= (b.published_at, b.id)
      order by published_at, id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 256 = 0;
    get diagnostics made = row_count;
    update lists.sponsor_bounties_published k set rows = 256 where k.block = b.block;
    delete from lists.sponsor_bounties_published_facets f where f.block = b.block;
    insert into lists.sponsor_bounties_published_facets (block, facet, rows)
    select k.block, r.facet, count(*)
    from (
      select * from lists.sponsor_bounties_published k
      where k.parent = b.parent and k.level = 0 and (k.published_at, k.id) >= (b.published_at, b.id)
      order by k.published_at, k.id
      limit made + 1
    ) k
    cross join lateral (
      select facet as facet
      from bounties
      where is_public and sponsor_id = k.parent
        and (published_at, id) >= (k.published_at, k.id)
      order by published_at, id
      limit k.rows
    ) r
    where (select t.is_by_facet from lists.sponsor_bounties t where t.parent = b.parent and t.facet = 0)
    group by k.block, r.facet;
    update lists.sponsor_bounties_published u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.sponsor_bounties_published s
      where s.parent = b.parent and s.level = 1 and (s.published_at, s.id) <= (b.published_at, b.id)
      order by s.published_at desc, s.id desc
      limit 1
    ) returning u.blocks into below;
    if below > 192 then
      perform lists.sponsor_bounties_published_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.sponsor_bounties_published u where u.parent = b.parent and u.level = 1 and (u.published_at, u.id) = (b.published_at, b.id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.sponsor_bounties_published k where k.block = b.block;
    delete from lists.sponsor_bounties_published_facets f where f.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.sponsor_bounties_published deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 512 or new.rows = 0)) execute function lists.sponsor_bounties_published_cut();
create function lists.sponsor_bounties_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.sponsor_bounties;
  made integer;
begin
  perform lists.at_commit_only();
  update lists.sponsor_bounties t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 256 else 512 end)
  returning * into whole;
  if found then
    delete from lists.sponsor_bounties_published_facets f using lists.sponsor_bounties_published k where k.parent = new.parent and f.block = k.block;
    delete from lists.sponsor_bounties_published k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.sponsor_bounties_published (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.sponsor_bounties_published_facets (block, facet, rows)
      select made, f.facet, f.rows from lists.sponsor_bounties f where f.parent = new.parent and f.facet <> 0 and whole.is_by_facet;
      insert into lists.sponsor_bounties_published (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.sponsor_bounties_published k set rows = whole.rows where k.block = made; -- to be cut
    end if;
  end if;
  delete from lists.sponsor_bounties t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.sponsor_bounties deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 256 else 512 end)))
  execute function lists.sponsor_bounties_resize();
create function lists.keep_sponsor_bounties_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.sponsor_bounties as t (parent, facet, status, category, rows)
  select c.parent, coalesce(c.facet, 0), c.status, c.category, sum(c.n)
  from (select sponsor_id::text as parent, facet as facet, status, category, 1 as n from new_rows where is_public) c
  group by grouping sets ((c.parent, c.facet, c.status, c.category), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet, status, category) do update set rows = t.rows + excluded.rows;
  with r as materialized (select sponsor_id::text as parent, facet as facet, published_at, id, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.published_at, s.id, row_number() over (partition by p.parent order by s.published_at, s.id) as place
    from (select r.parent, min(r.published_at) as low, max(r.published_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.sponsor_bounties_published s
      where s.parent = p.parent and s.level = 0 and (s.published_at, s.id) <= (p.low, '')
      order by s.published_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.sponsor_bounties_published s
      where s.parent = p.parent and s.level = 0 and s.published_at <= p.high
        and (s.published_at, s.id) >= (l.published_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.published_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.published_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.published_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.sponsor_bounties_published k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.sponsor_bounties_published s
      where s.parent = k.parent and s.level = 1 and (s.published_at, s.id) <= (k.published_at, k.id)
      order by s.published_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.sponsor_bounties_published_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.sponsor_bounties t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.sponsor_bounties_published b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_sponsor_bounties_insert after insert on bounties referencing new table as new_rows
  for each statement execute function lists.keep_sponsor_bounties_insert();
create function lists.keep_sponsor_bounties_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, status, category, published_at, id, sum(n) as n
      from (select sponsor_id::text as parent, facet as facet, status, category, published_at, id, 1 as n from new_rows where is_public union all select sponsor_id::text as parent, facet as facet, status, category, published_at, id, -1 as n from old_rows where is_public) b
      group by parent, facet, status, category, published_at, id
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.sponsor_bounties as t (parent, facet, status, category, rows)
  select c.parent, coalesce(c.facet, 0), c.status, c.category, sum(c.n)
  from (
      select parent, facet, status, category, sum(n) as n
      from (select sponsor_id::text as parent, facet as facet, status, category, 1 as n from new_rows where is_public union all select sponsor_id::text as parent, facet as facet, status, category, -1 as n from old_rows where is_public) b
      group by parent, facet, status, category
      having sum(n) <> 0) c
  group by grouping sets ((c.parent, c.facet, c.status, c.category), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet, status, category) do update set rows = t.rows + excluded.rows;
  with r as materialized (
      select parent, facet, published_at, id, sum(n) as n
      from (select sponsor_id::text as parent, facet as facet, published_at, id, 1 as n from new_rows where is_public union all select sponsor_id::text as parent, facet as facet, published_at, id, -1 as n from old_rows where is_public) b
      group by parent, facet, published_at, id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.published_at, s.id, row_number() over (partition by p.parent order by s.published_at, s.id) as place
    from (select r.parent, min(r.published_at) as low, max(r.published_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.sponsor_bounties_published s
      where s.parent = p.parent and s.level = 0 and (s.published_at, s.id) <= (p.low, '')
      order by s.published_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.sponsor_bounties_published s
      where s.parent = p.parent and s.level = 0 and s.published_at <= p.high
        and (s.published_at, s.id) >= (l.published_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.published_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.published_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.published_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.sponsor_bounties_published k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.sponsor_bounties_published s
      where s.parent = k.parent and s.level = 1 and (s.published_at, s.id) <= (k.published_at, k.id)
      order by s.published_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.sponsor_bounties_published_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.sponsor_bounties t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.sponsor_bounties_published b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_sponsor_bounties_update after update on bounties referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_sponsor_bounties_update();
create function lists.keep_sponsor_bounties_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.sponsor_bounties as t (parent, facet, status, category, rows)
  select c.parent, coalesce(c.facet, 0), c.status, c.category, sum(c.n)
  from (select sponsor_id::text as parent, facet as facet, status, category, -1 as n from old_rows where is_public) c
  group by grouping sets ((c.parent, c.facet, c.status, c.category), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet, status, category) do update set rows = t.rows + excluded.rows;
  with r as materialized (select sponsor_id::text as parent, facet as facet, published_at, id, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.published_at, s.id, row_number() over (partition by p.parent order by s.published_at, s.id) as place
    from (select r.parent, min(r.published_at) as low, max(r.published_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.sponsor_bounties_published s
      where s.parent = p.parent and s.level = 0 and (s.published_at, s.id) <= (p.low, '')
      order by s.published_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.sponsor_bounties_published s
      where s.parent = p.parent and s.level = 0 and s.published_at <= p.high
        and (s.published_at, s.id) >= (l.published_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.published_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.published_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.published_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.sponsor_bounties_published k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.sponsor_bounties_published s
      where s.parent = k.parent and s.level = 1 and (s.published_at, s.id) <= (k.published_at, k.id)
      order by s.published_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.sponsor_bounties_published_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.sponsor_bounties t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.sponsor_bounties_published b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_sponsor_bounties_delete after delete on bounties referencing old table as old_rows
  for each statement execute function lists.keep_sponsor_bounties_delete();
create trigger keep_sponsor_bounties_truncate after truncate on bounties
  for each statement execute function lists.recount('sponsor_bounties');

-- member_bounties: rows of bounties by sponsor_id
create table lists.member_bounties (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  primary key (parent, facet)
) with (fillfactor = 70);
create function lists.member_bounties_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.member_bounties;
  insert into lists.member_bounties as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), count(*)
  from (select sponsor_id::text as parent, 0::bigint as facet from bounties where true) c
  group by c.parent, c.facet
  having count(*) <> 0;
end
$$;
create function lists.member_bounties_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.member_bounties;
  made integer;
begin
  perform lists.at_commit_only();
  delete from lists.member_bounties t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.member_bounties deferrable initially deferred for each row
  when (new.rows = 0)
  execute function lists.member_bounties_resize();
create function lists.keep_member_bounties_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.member_bounties as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select sponsor_id::text as parent, 0::bigint as facet, 1 as n from new_rows where true) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  return null;
end
$$;
create trigger keep_member_bounties_insert after insert on bounties referencing new table as new_rows
  for each statement execute function lists.keep_member_bounties_insert();
create function lists.keep_member_bounties_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, sum(n) as n
      from (select sponsor_id::text as parent, 0::bigint as facet, 1 as n from new_rows where true union all select sponsor_id::text as parent, 0::bigint as facet, -1 as n from old_rows where true) b
      group by parent, facet
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.member_bounties as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (
      select parent, facet, sum(n) as n
      from (select sponsor_id::text as parent, 0::bigint as facet, 1 as n from new_rows where true union all select sponsor_id::text as parent, 0::bigint as facet, -1 as n from old_rows where true) b
      group by parent, facet
      having sum(n) <> 0) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  return null;
end
$$;
create trigger keep_member_bounties_update after update on bounties referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_member_bounties_update();
create function lists.keep_member_bounties_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.member_bounties as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select sponsor_id::text as parent, 0::bigint as facet, -1 as n from old_rows where true) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  return null;
end
$$;
create trigger keep_member_bounties_delete after delete on bounties referencing old table as old_rows
  for each statement execute function lists.keep_member_bounties_delete();
create trigger keep_member_bounties_truncate after truncate on bounties
  for each statement execute function lists.recount('member_bounties');

-- user_launches: rows of launches by submitted_by_id
create table lists.user_launches (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  primary key (parent, facet)
) with (fillfactor = 70);
create function lists.user_launches_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.user_launches;
  delete from lists.user_launches_published;
  insert into lists.user_launches as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), count(*)
  from (select submitted_by_id::text as parent, 0::bigint as facet from launches where is_public) c
  group by c.parent, c.facet
  having count(*) <> 0;
end
$$;
create index user_launches_by_published on launches (submitted_by_id, published_at, id) where is_public;
create table lists.user_launches_published (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  published_at timestamptz not null default '-infinity',
  id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, published_at, id)
) with (fillfactor = 70);
create function lists.user_launches_published_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.user_launches_published k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.published_at, k.id) <> ('-infinity', ''));
  insert into lists.user_launches_published (parent, level, published_at, id, rows, blocks)
  select of, 1, (array_agg(k.published_at order by k.place))[1], (array_agg(k.id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.published_at, k.id) - 1 as place
    from lists.user_launches_published k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 96;
end
$$;
create function lists.user_launches_published_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.user_launches_published;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.user_launches_published k where k.block = new.block;
  if b.rows > 512 then
    insert into lists.user_launches_published (parent, level, published_at, id, rows)
    select b.parent, 0, r.published_at, r.id, least(256, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.published_at, r.id) - 1 as place
      from (
      select published_at, id
      from launches
      where is_public and submitted_by_id = b.parent
        and (published_at, id) >= (b.published_at, b.id)
      order by published_at, id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 256 = 0;
    get diagnostics made = row_count;
    update lists.user_launches_published k set rows = 256 where k.block = b.block;
    update lists.user_launches_published u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.user_launches_published s
      where s.parent = b.parent and s.level = 1 and (s.published_at, s.id) <= (b.published_at, b.id)
      order by s.published_at desc, s.id desc
      limit 1
    ) returning u.blocks into below;
    if below > 192 then
      perform lists.user_launches_published_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.user_launches_published u where u.parent = b.parent and u.level = 1 and (u.published_at, u.id) = (b.published_at, b.id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.user_launches_published k where k.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.user_launches_published deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 512 or new.rows = 0)) execute function lists.user_launches_published_cut();
create function lists.user_launches_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.user_launches;
  made integer;
begin
  perform lists.at_commit_only();
  update lists.user_launches t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 256 else 512 end)
  returning * into whole;
  if found then
    delete from lists.user_launches_published k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.user_launches_published (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.user_launches_published (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.user_launches_published k set rows = whole.rows where k.block = made; -- to be cut
    end if;
  end if;
  delete from lists.user_launches t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.user_launches deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 256 else 512 end)))
  execute function lists.user_launches_resize();
create function lists.keep_user_launches_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.user_launches as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select submitted_by_id::text as parent, 0::bigint as facet, 1 as n from new_rows where is_public) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select submitted_by_id::text as parent, 0::bigint as facet, published_at, id, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.published_at, s.id, row_number() over (partition by p.parent order by s.published_at, s.id) as place
    from (select r.parent, min(r.published_at) as low, max(r.published_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.user_launches_published s
      where s.parent = p.parent and s.level = 0 and (s.published_at, s.id) <= (p.low, '')
      order by s.published_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.user_launches_published s
      where s.parent = p.parent and s.level = 0 and s.published_at <= p.high
        and (s.published_at, s.id) >= (l.published_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.published_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.published_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.published_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.user_launches_published k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.user_launches_published s
      where s.parent = k.parent and s.level = 1 and (s.published_at, s.id) <= (k.published_at, k.id)
      order by s.published_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.user_launches_published b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_user_launches_insert after insert on launches referencing new table as new_rows
  for each statement execute function lists.keep_user_launches_insert();
create function lists.keep_user_launches_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, published_at, id, sum(n) as n
      from (select submitted_by_id::text as parent, 0::bigint as facet, published_at, id, 1 as n from new_rows where is_public union all select submitted_by_id::text as parent, 0::bigint as facet, published_at, id, -1 as n from old_rows where is_public) b
      group by parent, facet, published_at, id
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.user_launches as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (
      select parent, facet, sum(n) as n
      from (select submitted_by_id::text as parent, 0::bigint as facet, 1 as n from new_rows where is_public union all select submitted_by_id::text as parent, 0::bigint as facet, -1 as n from old_rows where is_public) b
      group by parent, facet
      having sum(n) <> 0) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (
      select parent, facet, published_at, id, sum(n) as n
      from (select submitted_by_id::text as parent, 0::bigint as facet, published_at, id, 1 as n from new_rows where is_public union all select submitted_by_id::text as parent, 0::bigint as facet, published_at, id, -1 as n from old_rows where is_public) b
      group by parent, facet, published_at, id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.published_at, s.id, row_number() over (partition by p.parent order by s.published_at, s.id) as place
    from (select r.parent, min(r.published_at) as low, max(r.published_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.user_launches_published s
      where s.parent = p.parent and s.level = 0 and (s.published_at, s.id) <= (p.low, '')
      order by s.published_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.user_launches_published s
      where s.parent = p.parent and s.level = 0 and s.published_at <= p.high
        and (s.published_at, s.id) >= (l.published_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.published_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.published_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.published_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.user_launches_published k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.user_launches_published s
      where s.parent = k.parent and s.level = 1 and (s.published_at, s.id) <= (k.published_at, k.id)
      order by s.published_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.user_launches_published b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_user_launches_update after update on launches referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_user_launches_update();
create function lists.keep_user_launches_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.user_launches as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select submitted_by_id::text as parent, 0::bigint as facet, -1 as n from old_rows where is_public) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select submitted_by_id::text as parent, 0::bigint as facet, published_at, id, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.published_at, s.id, row_number() over (partition by p.parent order by s.published_at, s.id) as place
    from (select r.parent, min(r.published_at) as low, max(r.published_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.user_launches_published s
      where s.parent = p.parent and s.level = 0 and (s.published_at, s.id) <= (p.low, '')
      order by s.published_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.user_launches_published s
      where s.parent = p.parent and s.level = 0 and s.published_at <= p.high
        and (s.published_at, s.id) >= (l.published_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.published_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.published_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.published_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.user_launches_published k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.user_launches_published s
      where s.parent = k.parent and s.level = 1 and (s.published_at, s.id) <= (k.published_at, k.id)
      order by s.published_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.user_launches_published b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_user_launches_delete after delete on launches referencing old table as old_rows
  for each statement execute function lists.keep_user_launches_delete();
create trigger keep_user_launches_truncate after truncate on launches
  for each statement execute function lists.recount('user_launches');

-- launches: rows of launches
create table lists.launches (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  primary key (parent, facet)
) with (fillfactor = 70);
create function lists.launches_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.launches;
  delete from lists.launches_published;
  insert into lists.launches as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), count(*)
  from (select ''::text as parent, 0::bigint as facet from launches where is_public) c
  group by c.parent, c.facet
  having count(*) <> 0;
end
$$;
create index launches_by_published on launches (published_at, id) where is_public;
create table lists.launches_published (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  published_at timestamptz not null default '-infinity',
  id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, published_at, id)
) with (fillfactor = 70);
create function lists.launches_published_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.launches_published k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.published_at, k.id) <> ('-infinity', ''));
  insert into lists.launches_published (parent, level, published_at, id, rows, blocks)
  select of, 1, (array_agg(k.published_at order by k.place))[1], (array_agg(k.id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.published_at, k.id) - 1 as place
    from lists.launches_published k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 96;
end
$$;
create function lists.launches_published_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.launches_published;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.launches_published k where k.block = new.block;
  if b.rows > 512 then
    insert into lists.launches_published (parent, level, published_at, id, rows)
    select b.parent, 0, r.published_at, r.id, least(256, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.published_at, r.id) - 1 as place
      from (
      select published_at, id
      from launches
      where is_public
        and (published_at, id) >= (b.published_at, b.id)
      order by published_at, id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 256 = 0;
    get diagnostics made = row_count;
    update lists.launches_published k set rows = 256 where k.block = b.block;
    update lists.launches_published u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.launches_published s
      where s.parent = b.parent and s.level = 1 and (s.published_at, s.id) <= (b.published_at, b.id)
      order by s.published_at desc, s.id desc
      limit 1
    ) returning u.blocks into below;
    if below > 192 then
      perform lists.launches_published_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.launches_published u where u.parent = b.parent and u.level = 1 and (u.published_at, u.id) = (b.published_at, b.id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.launches_published k where k.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.launches_published deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 512 or new.rows = 0)) execute function lists.launches_published_cut();
create function lists.launches_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.launches;
  made integer;
begin
  perform lists.at_commit_only();
  update lists.launches t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 256 else 512 end)
  returning * into whole;
  if found then
    delete from lists.launches_published k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.launches_published (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.launches_published (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.launches_published k set rows = whole.rows where k.block = made; -- to be cut
    end if;
  end if;
  delete from lists.launches t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.launches deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 256 else 512 end)))
  execute function lists.launches_resize();
create function lists.keep_launches_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.launches as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select ''::text as parent, 0::bigint as facet, 1 as n from new_rows where is_public) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select ''::text as parent, 0::bigint as facet, published_at, id, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.published_at, s.id, row_number() over (partition by p.parent order by s.published_at, s.id) as place
    from (select r.parent, min(r.published_at) as low, max(r.published_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.launches_published s
      where s.parent = p.parent and s.level = 0 and (s.published_at, s.id) <= (p.low, '')
      order by s.published_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.launches_published s
      where s.parent = p.parent and s.level = 0 and s.published_at <= p.high
        and (s.published_at, s.id) >= (l.published_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.published_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.published_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.published_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.launches_published k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.launches_published s
      where s.parent = k.parent and s.level = 1 and (s.published_at, s.id) <= (k.published_at, k.id)
      order by s.published_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.launches_published b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_launches_insert after insert on launches referencing new table as new_rows
  for each statement execute function lists.keep_launches_insert();
create function lists.keep_launches_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, published_at, id, sum(n) as n
      from (select ''::text as parent, 0::bigint as facet, published_at, id, 1 as n from new_rows where is_public union all select ''::text as parent, 0::bigint as facet, published_at, id, -1 as n from old_rows where is_public) b
      group by parent, facet, published_at, id
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.launches as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (
      select parent, facet, sum(n) as n
      from (select ''::text as parent, 0::bigint as facet, 1 as n from new_rows where is_public union all select ''::text as parent, 0::bigint as facet, -1 as n from old_rows where is_public) b
      group by parent, facet
      having sum(n) <> 0) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (
      select parent, facet, published_at, id, sum(n) as n
      from (select ''::text as parent, 0::bigint as facet, published_at, id, 1 as n from new_rows where is_public union all select ''::text as parent, 0::bigint as facet, published_at, id, -1 as n from old_rows where is_public) b
      group by parent, facet, published_at, id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.published_at, s.id, row_number() over (partition by p.parent order by s.published_at, s.id) as place
    from (select r.parent, min(r.published_at) as low, max(r.published_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.launches_published s
      where s.parent = p.parent and s.level = 0 and (s.published_at, s.id) <= (p.low, '')
      order by s.published_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.launches_published s
      where s.parent = p.parent and s.level = 0 and s.published_at <= p.high
        and (s.published_at, s.id) >= (l.published_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.published_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.published_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.published_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.launches_published k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.launches_published s
      where s.parent = k.parent and s.level = 1 and (s.published_at, s.id) <= (k.published_at, k.id)
      order by s.published_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.launches_published b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_launches_update after update on launches referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_launches_update();
create function lists.keep_launches_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.launches as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select ''::text as parent, 0::bigint as facet, -1 as n from old_rows where is_public) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select ''::text as parent, 0::bigint as facet, published_at, id, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.published_at, s.id, row_number() over (partition by p.parent order by s.published_at, s.id) as place
    from (select r.parent, min(r.published_at) as low, max(r.published_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.launches_published s
      where s.parent = p.parent and s.level = 0 and (s.published_at, s.id) <= (p.low, '')
      order by s.published_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.launches_published s
      where s.parent = p.parent and s.level = 0 and s.published_at <= p.high
        and (s.published_at, s.id) >= (l.published_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.published_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.published_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.published_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.launches_published k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.launches_published s
      where s.parent = k.parent and s.level = 1 and (s.published_at, s.id) <= (k.published_at, k.id)
      order by s.published_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.launches_published b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_launches_delete after delete on launches referencing old table as old_rows
  for each statement execute function lists.keep_launches_delete();
create trigger keep_launches_truncate after truncate on launches
  for each statement execute function lists.recount('launches');

-- week_launches: rows of launches by week
create table lists.week_launches (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  primary key (parent, facet)
) with (fillfactor = 70);
create function lists.week_launches_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.week_launches;
  delete from lists.week_launches_rank;
  insert into lists.week_launches as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), count(*)
  from (select week::text as parent, 0::bigint as facet from launches where is_public) c
  group by c.parent, c.facet
  having count(*) <> 0;
end
$$;
create index week_launches_by_rank on launches (week, week_order, id) where is_public;
create table lists.week_launches_rank (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  week_order text collate "C" not null default '',
  id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, week_order, id)
) with (fillfactor = 70);
create function lists.week_launches_rank_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.week_launches_rank k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.week_order, k.id) <> ('', ''));
  insert into lists.week_launches_rank (parent, level, week_order, id, rows, blocks)
  select of, 1, (array_agg(k.week_order order by k.place))[1], (array_agg(k.id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.week_order, k.id) - 1 as place
    from lists.week_launches_rank k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 96;
end
$$;
create function lists.week_launches_rank_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.week_launches_rank;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.week_launches_rank k where k.block = new.block;
  if b.rows > 512 then
    insert into lists.week_launches_rank (parent, level, week_order, id, rows)
    select b.parent, 0, r.week_order, r.id, least(256, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.week_order, r.id) - 1 as place
      from (
      select week_order, id
      from launches
      where is_public and week = b.parent
        and (week_order, id) >= (b.week_order, b.id)
      order by week_order, id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 256 = 0;
    get diagnostics made = row_count;
    update lists.week_launches_rank k set rows = 256 where k.block = b.block;
    update lists.week_launches_rank u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.week_launches_rank s
      where s.parent = b.parent and s.level = 1 and (s.week_order, s.id) <= (b.week_order, b.id)
      order by s.week_order desc, s.id desc
      limit 1
    ) returning u.blocks into below;
    if below > 192 then
      perform lists.week_launches_rank_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.week_launches_rank u where u.parent = b.parent and u.level = 1 and (u.week_order, u.id) = (b.week_order, b.id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.week_launches_rank k where k.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.week_launches_rank deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 512 or new.rows = 0)) execute function lists.week_launches_rank_cut();
create function lists.week_launches_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.week_launches;
  made integer;
begin
  perform lists.at_commit_only();
  update lists.week_launches t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 256 else 512 end)
  returning * into whole;
  if found then
    delete from lists.week_launches_rank k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.week_launches_rank (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.week_launches_rank (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.week_launches_rank k set rows = whole.rows where k.block = made; -- to be cut
    end if;
  end if;
  delete from lists.week_launches t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.week_launches deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 256 else 512 end)))
  execute function lists.week_launches_resize();
create function lists.keep_week_launches_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.week_launches as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select week::text as parent, 0::bigint as facet, 1 as n from new_rows where is_public) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select week::text as parent, 0::bigint as facet, week_order, id, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.week_order, s.id, row_number() over (partition by p.parent order by s.week_order, s.id) as place
    from (select r.parent, min(r.week_order) as low, max(r.week_order) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.week_launches_rank s
      where s.parent = p.parent and s.level = 0 and (s.week_order, s.id) <= (p.low, '')
      order by s.week_order desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.week_launches_rank s
      where s.parent = p.parent and s.level = 0 and s.week_order <= p.high
        and (s.week_order, s.id) >= (l.week_order, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.week_order, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.week_order, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.week_order, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.week_launches_rank k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.week_launches_rank s
      where s.parent = k.parent and s.level = 1 and (s.week_order, s.id) <= (k.week_order, k.id)
      order by s.week_order desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.week_launches_rank b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_week_launches_insert after insert on launches referencing new table as new_rows
  for each statement execute function lists.keep_week_launches_insert();
create function lists.keep_week_launches_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, week_order, id, sum(n) as n
      from (select week::text as parent, 0::bigint as facet, week_order, id, 1 as n from new_rows where is_public union all select week::text as parent, 0::bigint as facet, week_order, id, -1 as n from old_rows where is_public) b
      group by parent, facet, week_order, id
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.week_launches as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (
      select parent, facet, sum(n) as n
      from (select week::text as parent, 0::bigint as facet, 1 as n from new_rows where is_public union all select week::text as parent, 0::bigint as facet, -1 as n from old_rows where is_public) b
      group by parent, facet
      having sum(n) <> 0) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (
      select parent, facet, week_order, id, sum(n) as n
      from (select week::text as parent, 0::bigint as facet, week_order, id, 1 as n from new_rows where is_public union all select week::text as parent, 0::bigint as facet, week_order, id, -1 as n from old_rows where is_public) b
      group by parent, facet, week_order, id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.week_order, s.id, row_number() over (partition by p.parent order by s.week_order, s.id) as place
    from (select r.parent, min(r.week_order) as low, max(r.week_order) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.week_launches_rank s
      where s.parent = p.parent and s.level = 0 and (s.week_order, s.id) <= (p.low, '')
      order by s.week_order desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.week_launches_rank s
      where s.parent = p.parent and s.level = 0 and s.week_order <= p.high
        and (s.week_order, s.id) >= (l.week_order, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.week_order, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.week_order, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.week_order, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.week_launches_rank k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.week_launches_rank s
      where s.parent = k.parent and s.level = 1 and (s.week_order, s.id) <= (k.week_order, k.id)
      order by s.week_order desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.week_launches_rank b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_week_launches_update after update on launches referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_week_launches_update();
create function lists.keep_week_launches_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.week_launches as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select week::text as parent, 0::bigint as facet, -1 as n from old_rows where is_public) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select week::text as parent, 0::bigint as facet, week_order, id, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.week_order, s.id, row_number() over (partition by p.parent order by s.week_order, s.id) as place
    from (select r.parent, min(r.week_order) as low, max(r.week_order) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.week_launches_rank s
      where s.parent = p.parent and s.level = 0 and (s.week_order, s.id) <= (p.low, '')
      order by s.week_order desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.week_launches_rank s
      where s.parent = p.parent and s.level = 0 and s.week_order <= p.high
        and (s.week_order, s.id) >= (l.week_order, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.week_order, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.week_order, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.week_order, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.week_launches_rank k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.week_launches_rank s
      where s.parent = k.parent and s.level = 1 and (s.week_order, s.id) <= (k.week_order, k.id)
      order by s.week_order desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.week_launches_rank b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_week_launches_delete after delete on launches referencing old table as old_rows
  for each statement execute function lists.keep_week_launches_delete();
create trigger keep_week_launches_truncate after truncate on launches
  for each statement execute function lists.recount('week_launches');

-- weeks: rows of lists.launch_weeks
create table lists.weeks (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  primary key (parent, facet)
) with (fillfactor = 70);
create function lists.weeks_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.weeks;
  delete from lists.weeks_week;
  insert into lists.weeks as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), count(*)
  from (select ''::text as parent, 0::bigint as facet from lists.launch_weeks where true) c
  group by c.parent, c.facet
  having count(*) <> 0;
end
$$;
create index weeks_by_week on lists.launch_weeks (week);
create table lists.weeks_week (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  week text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, week)
) with (fillfactor = 70);
create function lists.weeks_week_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.weeks_week k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.week) <> (''));
  insert into lists.weeks_week (parent, level, week, rows, blocks)
  select of, 1, (array_agg(k.week order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.week) - 1 as place
    from lists.weeks_week k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 96;
end
$$;
create function lists.weeks_week_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.weeks_week;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.weeks_week k where k.block = new.block;
  if b.rows > 512 then
    insert into lists.weeks_week (parent, level, week, rows)
    select b.parent, 0, r.week, least(256, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.week) - 1 as place
      from (
      select week
      from lists.launch_weeks
      where true
        and (week) >= (b.week)
      order by week
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 256 = 0;
    get diagnostics made = row_count;
    update lists.weeks_week k set rows = 256 where k.block = b.block;
    update lists.weeks_week u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.weeks_week s
      where s.parent = b.parent and s.level = 1 and (s.week) <= (b.week)
      order by s.week desc
      limit 1
    ) returning u.blocks into below;
    if below > 192 then
      perform lists.weeks_week_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.weeks_week u where u.parent = b.parent and u.level = 1 and (u.week) = (b.week)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.weeks_week k where k.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.weeks_week deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 512 or new.rows = 0)) execute function lists.weeks_week_cut();
create function lists.weeks_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.weeks;
  made integer;
begin
  perform lists.at_commit_only();
  update lists.weeks t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 256 else 512 end)
  returning * into whole;
  if found then
    delete from lists.weeks_week k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.weeks_week (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.weeks_week (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.weeks_week k set rows = whole.rows where k.block = made; -- to be cut
    end if;
  end if;
  delete from lists.weeks t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.weeks deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 256 else 512 end)))
  execute function lists.weeks_resize();
create function lists.keep_weeks_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.weeks as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select ''::text as parent, 0::bigint as facet, 1 as n from new_rows where true) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select ''::text as parent, 0::bigint as facet, week, 1 as n from new_rows where true),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.week, row_number() over (partition by p.parent order by s.week) as place
    from (select r.parent, min(r.week) as low, max(r.week) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.weeks_week s
      where s.parent = p.parent and s.level = 0 and (s.week) <= (p.low)
      order by s.week desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.weeks_week s
      where s.parent = p.parent and s.level = 0 and s.week <= p.high
        and (s.week) >= (l.week)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.week, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.week, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.week, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.weeks_week k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.weeks_week s
      where s.parent = k.parent and s.level = 1 and (s.week) <= (k.week)
      order by s.week desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.weeks_week b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_weeks_insert after insert on lists.launch_weeks referencing new table as new_rows
  for each statement execute function lists.keep_weeks_insert();
create function lists.keep_weeks_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, week, sum(n) as n
      from (select ''::text as parent, 0::bigint as facet, week, 1 as n from new_rows where true union all select ''::text as parent, 0::bigint as facet, week, -1 as n from old_rows where true) b
      group by parent, facet, week
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.weeks as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (
      select parent, facet, sum(n) as n
      from (select ''::text as parent, 0::bigint as facet, 1 as n from new_rows where true union all select ''::text as parent, 0::bigint as facet, -1 as n from old_rows where true) b
      group by parent, facet
      having sum(n) <> 0) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (
      select parent, facet, week, sum(n) as n
      from (select ''::text as parent, 0::bigint as facet, week, 1 as n from new_rows where true union all select ''::text as parent, 0::bigint as facet, week, -1 as n from old_rows where true) b
      group by parent, facet, week
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.week, row_number() over (partition by p.parent order by s.week) as place
    from (select r.parent, min(r.week) as low, max(r.week) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.weeks_week s
      where s.parent = p.parent and s.level = 0 and (s.week) <= (p.low)
      order by s.week desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.weeks_week s
      where s.parent = p.parent and s.level = 0 and s.week <= p.high
        and (s.week) >= (l.week)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.week, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.week, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.week, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.weeks_week k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.weeks_week s
      where s.parent = k.parent and s.level = 1 and (s.week) <= (k.week)
      order by s.week desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.weeks_week b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_weeks_update after update on lists.launch_weeks referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_weeks_update();
create function lists.keep_weeks_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.weeks as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select ''::text as parent, 0::bigint as facet, -1 as n from old_rows where true) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select ''::text as parent, 0::bigint as facet, week, -1 as n from old_rows where true),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.week, row_number() over (partition by p.parent order by s.week) as place
    from (select r.parent, min(r.week) as low, max(r.week) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.weeks_week s
      where s.parent = p.parent and s.level = 0 and (s.week) <= (p.low)
      order by s.week desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.weeks_week s
      where s.parent = p.parent and s.level = 0 and s.week <= p.high
        and (s.week) >= (l.week)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.week, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.week, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.week, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.weeks_week k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.weeks_week s
      where s.parent = k.parent and s.level = 1 and (s.week) <= (k.week)
      order by s.week desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.weeks_week b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_weeks_delete after delete on lists.launch_weeks referencing old table as old_rows
  for each statement execute function lists.keep_weeks_delete();
create trigger keep_weeks_truncate after truncate on lists.launch_weeks
  for each statement execute function lists.recount('weeks');

-- topic_launches: rows of lists.launch_topics by topic_id
create table lists.topic_launches (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  primary key (parent, facet)
) with (fillfactor = 70);
create function lists.topic_launches_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.topic_launches;
  delete from lists.topic_launches_published;
  insert into lists.topic_launches as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), count(*)
  from (select topic_id::text as parent, 0::bigint as facet from lists.launch_topics where true) c
  group by c.parent, c.facet
  having count(*) <> 0;
end
$$;
create index topic_launches_by_published on lists.launch_topics (topic_id, published_at, id);
create table lists.topic_launches_published (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  published_at timestamptz not null default '-infinity',
  id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, published_at, id)
) with (fillfactor = 70);
create function lists.topic_launches_published_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.topic_launches_published k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.published_at, k.id) <> ('-infinity', ''));
  insert into lists.topic_launches_published (parent, level, published_at, id, rows, blocks)
  select of, 1, (array_agg(k.published_at order by k.place))[1], (array_agg(k.id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.published_at, k.id) - 1 as place
    from lists.topic_launches_published k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 96;
end
$$;
create function lists.topic_launches_published_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.topic_launches_published;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.topic_launches_published k where k.block = new.block;
  if b.rows > 512 then
    insert into lists.topic_launches_published (parent, level, published_at, id, rows)
    select b.parent, 0, r.published_at, r.id, least(256, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.published_at, r.id) - 1 as place
      from (
      select published_at, id
      from lists.launch_topics
      where true and topic_id = b.parent
        and (published_at, id) >= (b.published_at, b.id)
      order by published_at, id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 256 = 0;
    get diagnostics made = row_count;
    update lists.topic_launches_published k set rows = 256 where k.block = b.block;
    update lists.topic_launches_published u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.topic_launches_published s
      where s.parent = b.parent and s.level = 1 and (s.published_at, s.id) <= (b.published_at, b.id)
      order by s.published_at desc, s.id desc
      limit 1
    ) returning u.blocks into below;
    if below > 192 then
      perform lists.topic_launches_published_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.topic_launches_published u where u.parent = b.parent and u.level = 1 and (u.published_at, u.id) = (b.published_at, b.id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.topic_launches_published k where k.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.topic_launches_published deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 512 or new.rows = 0)) execute function lists.topic_launches_published_cut();
create function lists.topic_launches_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.topic_launches;
  made integer;
begin
  perform lists.at_commit_only();
  update lists.topic_launches t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 256 else 512 end)
  returning * into whole;
  if found then
    delete from lists.topic_launches_published k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.topic_launches_published (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.topic_launches_published (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.topic_launches_published k set rows = whole.rows where k.block = made; -- to be cut
    end if;
  end if;
  delete from lists.topic_launches t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.topic_launches deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 256 else 512 end)))
  execute function lists.topic_launches_resize();
create function lists.keep_topic_launches_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.topic_launches as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select topic_id::text as parent, 0::bigint as facet, 1 as n from new_rows where true) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select topic_id::text as parent, 0::bigint as facet, published_at, id, 1 as n from new_rows where true),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.published_at, s.id, row_number() over (partition by p.parent order by s.published_at, s.id) as place
    from (select r.parent, min(r.published_at) as low, max(r.published_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.topic_launches_published s
      where s.parent = p.parent and s.level = 0 and (s.published_at, s.id) <= (p.low, '')
      order by s.published_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.topic_launches_published s
      where s.parent = p.parent and s.level = 0 and s.published_at <= p.high
        and (s.published_at, s.id) >= (l.published_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.published_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.published_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.published_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.topic_launches_published k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.topic_launches_published s
      where s.parent = k.parent and s.level = 1 and (s.published_at, s.id) <= (k.published_at, k.id)
      order by s.published_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.topic_launches_published b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_topic_launches_insert after insert on lists.launch_topics referencing new table as new_rows
  for each statement execute function lists.keep_topic_launches_insert();
create function lists.keep_topic_launches_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, published_at, id, sum(n) as n
      from (select topic_id::text as parent, 0::bigint as facet, published_at, id, 1 as n from new_rows where true union all select topic_id::text as parent, 0::bigint as facet, published_at, id, -1 as n from old_rows where true) b
      group by parent, facet, published_at, id
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.topic_launches as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (
      select parent, facet, sum(n) as n
      from (select topic_id::text as parent, 0::bigint as facet, 1 as n from new_rows where true union all select topic_id::text as parent, 0::bigint as facet, -1 as n from old_rows where true) b
      group by parent, facet
      having sum(n) <> 0) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (
      select parent, facet, published_at, id, sum(n) as n
      from (select topic_id::text as parent, 0::bigint as facet, published_at, id, 1 as n from new_rows where true union all select topic_id::text as parent, 0::bigint as facet, published_at, id, -1 as n from old_rows where true) b
      group by parent, facet, published_at, id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.published_at, s.id, row_number() over (partition by p.parent order by s.published_at, s.id) as place
    from (select r.parent, min(r.published_at) as low, max(r.published_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.topic_launches_published s
      where s.parent = p.parent and s.level = 0 and (s.published_at, s.id) <= (p.low, '')
      order by s.published_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.topic_launches_published s
      where s.parent = p.parent and s.level = 0 and s.published_at <= p.high
        and (s.published_at, s.id) >= (l.published_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.published_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.published_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.published_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.topic_launches_published k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.topic_launches_published s
      where s.parent = k.parent and s.level = 1 and (s.published_at, s.id) <= (k.published_at, k.id)
      order by s.published_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.topic_launches_published b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_topic_launches_update after update on lists.launch_topics referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_topic_launches_update();
create function lists.keep_topic_launches_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.topic_launches as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select topic_id::text as parent, 0::bigint as facet, -1 as n from old_rows where true) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select topic_id::text as parent, 0::bigint as facet, published_at, id, -1 as n from old_rows where true),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.published_at, s.id, row_number() over (partition by p.parent order by s.published_at, s.id) as place
    from (select r.parent, min(r.published_at) as low, max(r.published_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.topic_launches_published s
      where s.parent = p.parent and s.level = 0 and (s.published_at, s.id) <= (p.low, '')
      order by s.published_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.topic_launches_published s
      where s.parent = p.parent and s.level = 0 and s.published_at <= p.high
        and (s.published_at, s.id) >= (l.published_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.published_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.published_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.published_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.topic_launches_published k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.topic_launches_published s
      where s.parent = k.parent and s.level = 1 and (s.published_at, s.id) <= (k.published_at, k.id)
      order by s.published_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.topic_launches_published b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_topic_launches_delete after delete on lists.launch_topics referencing old table as old_rows
  for each statement execute function lists.keep_topic_launches_delete();
create trigger keep_topic_launches_truncate after truncate on lists.launch_topics
  for each statement execute function lists.recount('topic_launches');

-- topic_week_launches: rows of lists.launch_topics by topic_week
create table lists.topic_week_launches (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  primary key (parent, facet)
) with (fillfactor = 70);
create function lists.topic_week_launches_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.topic_week_launches;
  delete from lists.topic_week_launches_rank;
  insert into lists.topic_week_launches as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), count(*)
  from (select topic_week::text as parent, 0::bigint as facet from lists.launch_topics where true) c
  group by c.parent, c.facet
  having count(*) <> 0;
end
$$;
create index topic_week_launches_by_rank on lists.launch_topics (topic_week, week_order, id);
create table lists.topic_week_launches_rank (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  week_order text collate "C" not null default '',
  id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, week_order, id)
) with (fillfactor = 70);
create function lists.topic_week_launches_rank_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.topic_week_launches_rank k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.week_order, k.id) <> ('', ''));
  insert into lists.topic_week_launches_rank (parent, level, week_order, id, rows, blocks)
  select of, 1, (array_agg(k.week_order order by k.place))[1], (array_agg(k.id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.week_order, k.id) - 1 as place
    from lists.topic_week_launches_rank k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 96;
end
$$;
create function lists.topic_week_launches_rank_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.topic_week_launches_rank;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.topic_week_launches_rank k where k.block = new.block;
  if b.rows > 512 then
    insert into lists.topic_week_launches_rank (parent, level, week_order, id, rows)
    select b.parent, 0, r.week_order, r.id, least(256, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.week_order, r.id) - 1 as place
      from (
      select week_order, id
      from lists.launch_topics
      where true and topic_week = b.parent
        and (week_order, id) >= (b.week_order, b.id)
      order by week_order, id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 256 = 0;
    get diagnostics made = row_count;
    update lists.topic_week_launches_rank k set rows = 256 where k.block = b.block;
    update lists.topic_week_launches_rank u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.topic_week_launches_rank s
      where s.parent = b.parent and s.level = 1 and (s.week_order, s.id) <= (b.week_order, b.id)
      order by s.week_order desc, s.id desc
      limit 1
    ) returning u.blocks into below;
    if below > 192 then
      perform lists.topic_week_launches_rank_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.topic_week_launches_rank u where u.parent = b.parent and u.level = 1 and (u.week_order, u.id) = (b.week_order, b.id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.topic_week_launches_rank k where k.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.topic_week_launches_rank deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 512 or new.rows = 0)) execute function lists.topic_week_launches_rank_cut();
create function lists.topic_week_launches_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.topic_week_launches;
  made integer;
begin
  perform lists.at_commit_only();
  update lists.topic_week_launches t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 256 else 512 end)
  returning * into whole;
  if found then
    delete from lists.topic_week_launches_rank k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.topic_week_launches_rank (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.topic_week_launches_rank (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.topic_week_launches_rank k set rows = whole.rows where k.block = made; -- to be cut
    end if;
  end if;
  delete from lists.topic_week_launches t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.topic_week_launches deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 256 else 512 end)))
  execute function lists.topic_week_launches_resize();
create function lists.keep_topic_week_launches_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.topic_week_launches as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select topic_week::text as parent, 0::bigint as facet, 1 as n from new_rows where true) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select topic_week::text as parent, 0::bigint as facet, week_order, id, 1 as n from new_rows where true),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.week_order, s.id, row_number() over (partition by p.parent order by s.week_order, s.id) as place
    from (select r.parent, min(r.week_order) as low, max(r.week_order) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.topic_week_launches_rank s
      where s.parent = p.parent and s.level = 0 and (s.week_order, s.id) <= (p.low, '')
      order by s.week_order desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.topic_week_launches_rank s
      where s.parent = p.parent and s.level = 0 and s.week_order <= p.high
        and (s.week_order, s.id) >= (l.week_order, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.week_order, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.week_order, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.week_order, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.topic_week_launches_rank k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.topic_week_launches_rank s
      where s.parent = k.parent and s.level = 1 and (s.week_order, s.id) <= (k.week_order, k.id)
      order by s.week_order desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.topic_week_launches_rank b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_topic_week_launches_insert after insert on lists.launch_topics referencing new table as new_rows
  for each statement execute function lists.keep_topic_week_launches_insert();
create function lists.keep_topic_week_launches_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, week_order, id, sum(n) as n
      from (select topic_week::text as parent, 0::bigint as facet, week_order, id, 1 as n from new_rows where true union all select topic_week::text as parent, 0::bigint as facet, week_order, id, -1 as n from old_rows where true) b
      group by parent, facet, week_order, id
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.topic_week_launches as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (
      select parent, facet, sum(n) as n
      from (select topic_week::text as parent, 0::bigint as facet, 1 as n from new_rows where true union all select topic_week::text as parent, 0::bigint as facet, -1 as n from old_rows where true) b
      group by parent, facet
      having sum(n) <> 0) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (
      select parent, facet, week_order, id, sum(n) as n
      from (select topic_week::text as parent, 0::bigint as facet, week_order, id, 1 as n from new_rows where true union all select topic_week::text as parent, 0::bigint as facet, week_order, id, -1 as n from old_rows where true) b
      group by parent, facet, week_order, id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.week_order, s.id, row_number() over (partition by p.parent order by s.week_order, s.id) as place
    from (select r.parent, min(r.week_order) as low, max(r.week_order) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.topic_week_launches_rank s
      where s.parent = p.parent and s.level = 0 and (s.week_order, s.id) <= (p.low, '')
      order by s.week_order desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.topic_week_launches_rank s
      where s.parent = p.parent and s.level = 0 and s.week_order <= p.high
        and (s.week_order, s.id) >= (l.week_order, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.week_order, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.week_order, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.week_order, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.topic_week_launches_rank k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.topic_week_launches_rank s
      where s.parent = k.parent and s.level = 1 and (s.week_order, s.id) <= (k.week_order, k.id)
      order by s.week_order desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.topic_week_launches_rank b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_topic_week_launches_update after update on lists.launch_topics referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_topic_week_launches_update();
create function lists.keep_topic_week_launches_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.topic_week_launches as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select topic_week::text as parent, 0::bigint as facet, -1 as n from old_rows where true) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select topic_week::text as parent, 0::bigint as facet, week_order, id, -1 as n from old_rows where true),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.week_order, s.id, row_number() over (partition by p.parent order by s.week_order, s.id) as place
    from (select r.parent, min(r.week_order) as low, max(r.week_order) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.topic_week_launches_rank s
      where s.parent = p.parent and s.level = 0 and (s.week_order, s.id) <= (p.low, '')
      order by s.week_order desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.topic_week_launches_rank s
      where s.parent = p.parent and s.level = 0 and s.week_order <= p.high
        and (s.week_order, s.id) >= (l.week_order, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.week_order, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.week_order, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.week_order, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.topic_week_launches_rank k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.topic_week_launches_rank s
      where s.parent = k.parent and s.level = 1 and (s.week_order, s.id) <= (k.week_order, k.id)
      order by s.week_order desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.topic_week_launches_rank b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_topic_week_launches_delete after delete on lists.launch_topics referencing old table as old_rows
  for each statement execute function lists.keep_topic_week_launches_delete();
create trigger keep_topic_week_launches_truncate after truncate on lists.launch_topics
  for each statement execute function lists.recount('topic_week_launches');

-- contests: rows of contests
create table lists.contests (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  primary key (parent, facet)
) with (fillfactor = 70);
create function lists.contests_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.contests;
  delete from lists.contests_start;
  delete from lists.contests_voting_end;
  insert into lists.contests as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), count(*)
  from (select ''::text as parent, 0::bigint as facet from contests where is_public) c
  group by c.parent, c.facet
  having count(*) <> 0;
end
$$;
create index contests_by_start on contests (submission_start, id) include (voting_end) where is_public;
create table lists.contests_start (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  submission_start timestamptz not null default '-infinity',
  id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, submission_start, id)
) with (fillfactor = 70);
create function lists.contests_start_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.contests_start k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.submission_start, k.id) <> ('-infinity', ''));
  insert into lists.contests_start (parent, level, submission_start, id, rows, blocks)
  select of, 1, (array_agg(k.submission_start order by k.place))[1], (array_agg(k.id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.submission_start, k.id) - 1 as place
    from lists.contests_start k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 96;
end
$$;
create function lists.contests_start_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.contests_start;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.contests_start k where k.block = new.block;
  if b.rows > 512 then
    insert into lists.contests_start (parent, level, submission_start, id, rows)
    select b.parent, 0, r.submission_start, r.id, least(256, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.submission_start, r.id) - 1 as place
      from (
      select submission_start, id
      from contests
      where is_public
        and (submission_start, id) >= (b.submission_start, b.id)
      order by submission_start, id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 256 = 0;
    get diagnostics made = row_count;
    update lists.contests_start k set rows = 256 where k.block = b.block;
    update lists.contests_start u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.contests_start s
      where s.parent = b.parent and s.level = 1 and (s.submission_start, s.id) <= (b.submission_start, b.id)
      order by s.submission_start desc, s.id desc
      limit 1
    ) returning u.blocks into below;
    if below > 192 then
      perform lists.contests_start_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.contests_start u where u.parent = b.parent and u.level = 1 and (u.submission_start, u.id) = (b.submission_start, b.id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.contests_start k where k.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.contests_start deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 512 or new.rows = 0)) execute function lists.contests_start_cut();
create index contests_by_voting_end on contests (voting_end, id) where is_public;
create table lists.contests_voting_end (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  voting_end timestamptz not null default '-infinity',
  id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, voting_end, id)
) with (fillfactor = 70);
create function lists.contests_voting_end_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.contests_voting_end k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.voting_end, k.id) <> ('-infinity', ''));
  insert into lists.contests_voting_end (parent, level, voting_end, id, rows, blocks)
  select of, 1, (array_agg(k.voting_end order by k.place))[1], (array_agg(k.id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.voting_end, k.id) - 1 as place
    from lists.contests_voting_end k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 96;
end
$$;
create function lists.contests_voting_end_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.contests_voting_end;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.contests_voting_end k where k.block = new.block;
  if b.rows > 512 then
    insert into lists.contests_voting_end (parent, level, voting_end, id, rows)
    select b.parent, 0, r.voting_end, r.id, least(256, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.voting_end, r.id) - 1 as place
      from (
      select voting_end, id
      from contests
      where is_public
        and (voting_end, id) >= (b.voting_end, b.id)
      order by voting_end, id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 256 = 0;
    get diagnostics made = row_count;
    update lists.contests_voting_end k set rows = 256 where k.block = b.block;
    update lists.contests_voting_end u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.contests_voting_end s
      where s.parent = b.parent and s.level = 1 and (s.voting_end, s.id) <= (b.voting_end, b.id)
      order by s.voting_end desc, s.id desc
      limit 1
    ) returning u.blocks into below;
    if below > 192 then
      perform lists.contests_voting_end_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.contests_voting_end u where u.parent = b.parent and u.level = 1 and (u.voting_end, u.id) = (b.voting_end, b.id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.contests_voting_end k where k.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.contests_voting_end deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 512 or new.rows = 0)) execute function lists.contests_voting_end_cut();
create function lists.contests_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.contests;
  made integer;
begin
  perform lists.at_commit_only();
  update lists.contests t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 256 else 512 end)
  returning * into whole;
  if found then
    delete from lists.contests_start k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.contests_start (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.contests_start (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.contests_start k set rows = whole.rows where k.block = made; -- to be cut
    end if;
    delete from lists.contests_voting_end k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.contests_voting_end (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.contests_voting_end (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.contests_voting_end k set rows = whole.rows where k.block = made; -- to be cut
    end if;
  end if;
  delete from lists.contests t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.contests deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 256 else 512 end)))
  execute function lists.contests_resize();
create function lists.keep_contests_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.contests as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select ''::text as parent, 0::bigint as facet, 1 as n from new_rows where is_public) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select ''::text as parent, 0::bigint as facet, submission_start, id, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.submission_start, s.id, row_number() over (partition by p.parent order by s.submission_start, s.id) as place
    from (select r.parent, min(r.submission_start) as low, max(r.submission_start) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.contests_start s
      where s.parent = p.parent and s.level = 0 and (s.submission_start, s.id) <= (p.low, '')
      order by s.submission_start desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.contests_start s
      where s.parent = p.parent and s.level = 0 and s.submission_start <= p.high
        and (s.submission_start, s.id) >= (l.submission_start, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.submission_start, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.submission_start, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.submission_start, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.contests_start k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.contests_start s
      where s.parent = k.parent and s.level = 1 and (s.submission_start, s.id) <= (k.submission_start, k.id)
      order by s.submission_start desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.contests_start b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (select ''::text as parent, 0::bigint as facet, voting_end, id, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.voting_end, s.id, row_number() over (partition by p.parent order by s.voting_end, s.id) as place
    from (select r.parent, min(r.voting_end) as low, max(r.voting_end) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.contests_voting_end s
      where s.parent = p.parent and s.level = 0 and (s.voting_end, s.id) <= (p.low, '')
      order by s.voting_end desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.contests_voting_end s
      where s.parent = p.parent and s.level = 0 and s.voting_end <= p.high
        and (s.voting_end, s.id) >= (l.voting_end, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.voting_end, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.voting_end, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.voting_end, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.contests_voting_end k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.contests_voting_end s
      where s.parent = k.parent and s.level = 1 and (s.voting_end, s.id) <= (k.voting_end, k.id)
      order by s.voting_end desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.contests_voting_end b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_contests_insert after insert on contests referencing new table as new_rows
  for each statement execute function lists.keep_contests_insert();
create function lists.keep_contests_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, submission_start, voting_end, id, sum(n) as n
      from (select ''::text as parent, 0::bigint as facet, submission_start, voting_end, id, 1 as n from new_rows where is_public union all select ''::text as parent, 0::bigint as facet, submission_start, voting_end, id, -1 as n from old_rows where is_public) b
      group by parent, facet, submission_start, voting_end, id
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.contests as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (
      select parent, facet, sum(n) as n
      from (select ''::text as parent, 0::bigint as facet, 1 as n from new_rows where is_public union all select ''::text as parent, 0::bigint as facet, -1 as n from old_rows where is_public) b
      group by parent, facet
      having sum(n) <> 0) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (
      select parent, facet, submission_start, id, sum(n) as n
      from (select ''::text as parent, 0::bigint as facet, submission_start, id, 1 as n from new_rows where is_public union all select ''::text as parent, 0::bigint as facet, submission_start, id, -1 as n from old_rows where is_public) b
      group by parent, facet, submission_start, id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.submission_start, s.id, row_number() over (partition by p.parent order by s.submission_start, s.id) as place
    from (select r.parent, min(r.submission_start) as low, max(r.submission_start) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.contests_start s
      where s.parent = p.parent and s.level = 0 and (s.submission_start, s.id) <= (p.low, '')
      order by s.submission_start desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.contests_start s
      where s.parent = p.parent and s.level = 0 and s.submission_start <= p.high
        and (s.submission_start, s.id) >= (l.submission_start, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.submission_start, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.submission_start, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.submission_start, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.contests_start k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.contests_start s
      where s.parent = k.parent and s.level = 1 and (s.submission_start, s.id) <= (k.submission_start, k.id)
      order by s.submission_start desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.contests_start b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (
      select parent, facet, voting_end, id, sum(n) as n
      from (select ''::text as parent, 0::bigint as facet, voting_end, id, 1 as n from new_rows where is_public union all select ''::text as parent, 0::bigint as facet, voting_end, id, -1 as n from old_rows where is_public) b
      group by parent, facet, voting_end, id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.voting_end, s.id, row_number() over (partition by p.parent order by s.voting_end, s.id) as place
    from (select r.parent, min(r.voting_end) as low, max(r.voting_end) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.contests_voting_end s
      where s.parent = p.parent and s.level = 0 and (s.voting_end, s.id) <= (p.low, '')
      order by s.voting_end desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.contests_voting_end s
      where s.parent = p.parent and s.level = 0 and s.voting_end <= p.high
        and (s.voting_end, s.id) >= (l.voting_end, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.voting_end, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.voting_end, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.voting_end, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.contests_voting_end k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.contests_voting_end s
      where s.parent = k.parent and s.level = 1 and (s.voting_end, s.id) <= (k.voting_end, k.id)
      order by s.voting_end desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.contests_voting_end b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_contests_update after update on contests referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_contests_update();
create function lists.keep_contests_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.contests as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select ''::text as parent, 0::bigint as facet, -1 as n from old_rows where is_public) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select ''::text as parent, 0::bigint as facet, submission_start, id, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.submission_start, s.id, row_number() over (partition by p.parent order by s.submission_start, s.id) as place
    from (select r.parent, min(r.submission_start) as low, max(r.submission_start) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.contests_start s
      where s.parent = p.parent and s.level = 0 and (s.submission_start, s.id) <= (p.low, '')
      order by s.submission_start desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.contests_start s
      where s.parent = p.parent and s.level = 0 and s.submission_start <= p.high
        and (s.submission_start, s.id) >= (l.submission_start, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.submission_start, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.submission_start, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.submission_start, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.contests_start k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.contests_start s
      where s.parent = k.parent and s.level = 1 and (s.submission_start, s.id) <= (k.submission_start, k.id)
      order by s.submission_start desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.contests_start b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (select ''::text as parent, 0::bigint as facet, voting_end, id, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.voting_end, s.id, row_number() over (partition by p.parent order by s.voting_end, s.id) as place
    from (select r.parent, min(r.voting_end) as low, max(r.voting_end) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.contests_voting_end s
      where s.parent = p.parent and s.level = 0 and (s.voting_end, s.id) <= (p.low, '')
      order by s.voting_end desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.contests_voting_end s
      where s.parent = p.parent and s.level = 0 and s.voting_end <= p.high
        and (s.voting_end, s.id) >= (l.voting_end, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.voting_end, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.voting_end, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.voting_end, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.contests_voting_end k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.contests_voting_end s
      where s.parent = k.parent and s.level = 1 and (s.voting_end, s.id) <= (k.voting_end, k.id)
      order by s.voting_end desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.contests_voting_end b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_contests_delete after delete on contests referencing old table as old_rows
  for each statement execute function lists.keep_contests_delete();
create trigger keep_contests_truncate after truncate on contests
  for each statement execute function lists.recount('contests');

-- contest_submissions: rows of contest_submissions by contest_id
create table lists.contest_submissions (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  primary key (parent, facet)
) with (fillfactor = 70);
create function lists.contest_submissions_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.contest_submissions;
  delete from lists.contest_submissions_created;
  insert into lists.contest_submissions as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), count(*)
  from (select contest_id::text as parent, 0::bigint as facet from contest_submissions where is_public) c
  group by c.parent, c.facet
  having count(*) <> 0;
end
$$;
create index contest_submissions_by_created on contest_submissions (contest_id, created_at, id) where is_public;
create table lists.contest_submissions_created (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  created_at timestamptz not null default '-infinity',
  id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, created_at, id)
) with (fillfactor = 70);
create function lists.contest_submissions_created_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.contest_submissions_created k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.created_at, k.id) <> ('-infinity', ''));
  insert into lists.contest_submissions_created (parent, level, created_at, id, rows, blocks)
  select of, 1, (array_agg(k.created_at order by k.place))[1], (array_agg(k.id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.created_at, k.id) - 1 as place
    from lists.contest_submissions_created k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 96;
end
$$;
create function lists.contest_submissions_created_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.contest_submissions_created;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.contest_submissions_created k where k.block = new.block;
  if b.rows > 512 then
    insert into lists.contest_submissions_created (parent, level, created_at, id, rows)
    select b.parent, 0, r.created_at, r.id, least(256, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.created_at, r.id) - 1 as place
      from (
      select created_at, id
      from contest_submissions
      where is_public and contest_id = b.parent
        and (created_at, id) >= (b.created_at, b.id)
      order by created_at, id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 256 = 0;
    get diagnostics made = row_count;
    update lists.contest_submissions_created k set rows = 256 where k.block = b.block;
    update lists.contest_submissions_created u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.contest_submissions_created s
      where s.parent = b.parent and s.level = 1 and (s.created_at, s.id) <= (b.created_at, b.id)
      order by s.created_at desc, s.id desc
      limit 1
    ) returning u.blocks into below;
    if below > 192 then
      perform lists.contest_submissions_created_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.contest_submissions_created u where u.parent = b.parent and u.level = 1 and (u.created_at, u.id) = (b.created_at, b.id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.contest_submissions_created k where k.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.contest_submissions_created deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 512 or new.rows = 0)) execute function lists.contest_submissions_created_cut();
create function lists.contest_submissions_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.contest_submissions;
  made integer;
begin
  perform lists.at_commit_only();
  update lists.contest_submissions t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 256 else 512 end)
  returning * into whole;
  if found then
    delete from lists.contest_submissions_created k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.contest_submissions_created (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.contest_submissions_created (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.contest_submissions_created k set rows = whole.rows where k.block = made; -- to be cut
    end if;
  end if;
  delete from lists.contest_submissions t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.contest_submissions deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 256 else 512 end)))
  execute function lists.contest_submissions_resize();
create function lists.keep_contest_submissions_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.contest_submissions as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select contest_id::text as parent, 0::bigint as facet, 1 as n from new_rows where is_public) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select contest_id::text as parent, 0::bigint as facet, created_at, id, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.id, row_number() over (partition by p.parent order by s.created_at, s.id) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.contest_submissions_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.id) <= (p.low, '')
      order by s.created_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.contest_submissions_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.id) >= (l.created_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.contest_submissions_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.contest_submissions_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.id) <= (k.created_at, k.id)
      order by s.created_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.contest_submissions_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_contest_submissions_insert after insert on contest_submissions referencing new table as new_rows
  for each statement execute function lists.keep_contest_submissions_insert();
create function lists.keep_contest_submissions_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, created_at, id, sum(n) as n
      from (select contest_id::text as parent, 0::bigint as facet, created_at, id, 1 as n from new_rows where is_public union all select contest_id::text as parent, 0::bigint as facet, created_at, id, -1 as n from old_rows where is_public) b
      group by parent, facet, created_at, id
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.contest_submissions as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (
      select parent, facet, sum(n) as n
      from (select contest_id::text as parent, 0::bigint as facet, 1 as n from new_rows where is_public union all select contest_id::text as parent, 0::bigint as facet, -1 as n from old_rows where is_public) b
      group by parent, facet
      having sum(n) <> 0) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (
      select parent, facet, created_at, id, sum(n) as n
      from (select contest_id::text as parent, 0::bigint as facet, created_at, id, 1 as n from new_rows where is_public union all select contest_id::text as parent, 0::bigint as facet, created_at, id, -1 as n from old_rows where is_public) b
      group by parent, facet, created_at, id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.id, row_number() over (partition by p.parent order by s.created_at, s.id) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.contest_submissions_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.id) <= (p.low, '')
      order by s.created_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.contest_submissions_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.id) >= (l.created_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.contest_submissions_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.contest_submissions_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.id) <= (k.created_at, k.id)
      order by s.created_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.contest_submissions_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_contest_submissions_update after update on contest_submissions referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_contest_submissions_update();
create function lists.keep_contest_submissions_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.contest_submissions as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select contest_id::text as parent, 0::bigint as facet, -1 as n from old_rows where is_public) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select contest_id::text as parent, 0::bigint as facet, created_at, id, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.id, row_number() over (partition by p.parent order by s.created_at, s.id) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.contest_submissions_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.id) <= (p.low, '')
      order by s.created_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.contest_submissions_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.id) >= (l.created_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.contest_submissions_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.contest_submissions_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.id) <= (k.created_at, k.id)
      order by s.created_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.contest_submissions_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_contest_submissions_delete after delete on contest_submissions referencing old table as old_rows
  for each statement execute function lists.keep_contest_submissions_delete();
create trigger keep_contest_submissions_truncate after truncate on contest_submissions
  for each statement execute function lists.recount('contest_submissions');

-- track_submissions: rows of lists.submission_tracks by track
create table lists.track_submissions (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  primary key (parent, facet)
) with (fillfactor = 70);
create function lists.track_submissions_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.track_submissions;
  delete from lists.track_submissions_created;
  insert into lists.track_submissions as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), count(*)
  from (select track::text as parent, 0::bigint as facet from lists.submission_tracks where true) c
  group by c.parent, c.facet
  having count(*) <> 0;
end
$$;
create index track_submissions_by_created on lists.submission_tracks (track, created_at, id);
create table lists.track_submissions_created (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  created_at timestamptz not null default '-infinity',
  id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, created_at, id)
) with (fillfactor = 70);
create function lists.track_submissions_created_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.track_submissions_created k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.created_at, k.id) <> ('-infinity', ''));
  insert into lists.track_submissions_created (parent, level, created_at, id, rows, blocks)
  select of, 1, (array_agg(k.created_at order by k.place))[1], (array_agg(k.id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.created_at, k.id) - 1 as place
    from lists.track_submissions_created k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 96;
end
$$;
create function lists.track_submissions_created_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.track_submissions_created;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.track_submissions_created k where k.block = new.block;
  if b.rows > 512 then
    insert into lists.track_submissions_created (parent, level, created_at, id, rows)
    select b.parent, 0, r.created_at, r.id, least(256, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.created_at, r.id) - 1 as place
      from (
      select created_at, id
      from lists.submission_tracks
      where true and track = b.parent
        and (created_at, id) >= (b.created_at, b.id)
      order by created_at, id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 256 = 0;
    get diagnostics made = row_count;
    update lists.track_submissions_created k set rows = 256 where k.block = b.block;
    update lists.track_submissions_created u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.track_submissions_created s
      where s.parent = b.parent and s.level = 1 and (s.created_at, s.id) <= (b.created_at, b.id)
      order by s.created_at desc, s.id desc
      limit 1
    ) returning u.blocks into below;
    if below > 192 then
      perform lists.track_submissions_created_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.track_submissions_created u where u.parent = b.parent and u.level = 1 and (u.created_at, u.id) = (b.created_at, b.id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.track_submissions_created k where k.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.track_submissions_created deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 512 or new.rows = 0)) execute function lists.track_submissions_created_cut();
create function lists.track_submissions_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.track_submissions;
  made integer;
begin
  perform lists.at_commit_only();
  update lists.track_submissions t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 256 else 512 end)
  returning * into whole;
  if found then
    delete from lists.track_submissions_created k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.track_submissions_created (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.track_submissions_created (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.track_submissions_created k set rows = whole.rows where k.block = made; -- to be cut
    end if;
  end if;
  delete from lists.track_submissions t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.track_submissions deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 256 else 512 end)))
  execute function lists.track_submissions_resize();
create function lists.keep_track_submissions_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.track_submissions as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select track::text as parent, 0::bigint as facet, 1 as n from new_rows where true) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select track::text as parent, 0::bigint as facet, created_at, id, 1 as n from new_rows where true),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.id, row_number() over (partition by p.parent order by s.created_at, s.id) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.track_submissions_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.id) <= (p.low, '')
      order by s.created_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.track_submissions_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.id) >= (l.created_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.track_submissions_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.track_submissions_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.id) <= (k.created_at, k.id)
      order by s.created_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.track_submissions_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_track_submissions_insert after insert on lists.submission_tracks referencing new table as new_rows
  for each statement execute function lists.keep_track_submissions_insert();
create function lists.keep_track_submissions_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, created_at, id, sum(n) as n
      from (select track::text as parent, 0::bigint as facet, created_at, id, 1 as n from new_rows where true union all select track::text as parent, 0::bigint as facet, created_at, id, -1 as n from old_rows where true) b
      group by parent, facet, created_at, id
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.track_submissions as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (
      select parent, facet, sum(n) as n
      from (select track::text as parent, 0::bigint as facet, 1 as n from new_rows where true union all select track::text as parent, 0::bigint as facet, -1 as n from old_rows where true) b
      group by parent, facet
      having sum(n) <> 0) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (
      select parent, facet, created_at, id, sum(n) as n
      from (select track::text as parent, 0::bigint as facet, created_at, id, 1 as n from new_rows where true union all select track::text as parent, 0::bigint as facet, created_at, id, -1 as n from old_rows where true) b
      group by parent, facet, created_at, id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.id, row_number() over (partition by p.parent order by s.created_at, s.id) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.track_submissions_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.id) <= (p.low, '')
      order by s.created_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.track_submissions_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.id) >= (l.created_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.track_submissions_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.track_submissions_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.id) <= (k.created_at, k.id)
      order by s.created_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.track_submissions_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_track_submissions_update after update on lists.submission_tracks referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_track_submissions_update();
create function lists.keep_track_submissions_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.track_submissions as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select track::text as parent, 0::bigint as facet, -1 as n from old_rows where true) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select track::text as parent, 0::bigint as facet, created_at, id, -1 as n from old_rows where true),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.id, row_number() over (partition by p.parent order by s.created_at, s.id) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.track_submissions_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.id) <= (p.low, '')
      order by s.created_at desc, s.id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.track_submissions_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.id) >= (l.created_at, l.id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.track_submissions_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.track_submissions_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.id) <= (k.created_at, k.id)
      order by s.created_at desc, s.id desc
      limit 1
      ) u
    ) u on u.block = c.block
  )
  update lists.track_submissions_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_track_submissions_delete after delete on lists.submission_tracks referencing old table as old_rows
  for each statement execute function lists.keep_track_submissions_delete();
create trigger keep_track_submissions_truncate after truncate on lists.submission_tracks
  for each statement execute function lists.recount('track_submissions');

-- collections: rows of collections
create table lists.collections (
  parent text collate "C" not null,
  facet bigint not null,
  type text collate "C",
  importance text collate "C",
  is_sbt boolean,
  category text collate "C",
  source text collate "C",
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  is_by_facet boolean not null default true, -- and these are counted by facet
  primary key (parent, facet),
  unique nulls not distinct (parent, facet, type, importance, is_sbt, category, source)
) with (fillfactor = 70);
create index collections_facet on collections ((facet)) where is_public;
create function lists.collections_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.collections;
  delete from lists.collections_name;
  delete from lists.collections_name_facets;
  delete from lists.collections_created;
  delete from lists.collections_created_facets;
  delete from lists.collections_chain_up;
  delete from lists.collections_chain_up_facets;
  delete from lists.collections_chain_down;
  delete from lists.collections_chain_down_facets;
  insert into lists.collections as t (parent, facet, type, importance, is_sbt, category, source, rows)
  select c.parent, coalesce(c.facet, 0), c.type, c.importance, c.is_sbt, c.category, c.source, count(*)
  from (select ''::text as parent, facet as facet, type, importance, is_sbt, category, source from collections where is_public) c
  group by grouping sets ((c.parent, c.facet, c.type, c.importance, c.is_sbt, c.category, c.source), (c.parent))
  having count(*) <> 0;
  update lists.collections t set is_by_facet = false
  where t.facet = 0 and t.is_by_facet and (select count(*) from lists.collections f where f.rows <> 0) > 2000;
  if found then
    delete from lists.collections_name_facets;
    delete from lists.collections_created_facets;
    delete from lists.collections_chain_up_facets;
    delete from lists.collections_chain_down_facets;
  end if;
end
$$;
create index collections_by_name on collections (name, address) include (facet, search_name) where is_public;
create table lists.collections_name (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  name text collate "C" not null default '',
  address text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, name, address)
) with (fillfactor = 70);
create table lists.collections_name_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  primary key (block, facet) include (rows)
) with (fillfactor = 70);
create function lists.collections_name_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.collections_name_facets f using lists.collections_name k where k.parent = of and (k.level = 1 or k.rows = 0) and f.block = k.block;
  delete from lists.collections_name k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.name, k.address) <> ('', ''));
  insert into lists.collections_name (parent, level, name, address, rows, blocks)
  select of, 1, (array_agg(k.name order by k.place))[1], (array_agg(k.address order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.name, k.address) - 1 as place
    from lists.collections_name k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 32;
  insert into lists.collections_name_facets (block, facet, rows)
  select u.block, f.facet, sum(f.rows)
  from lists.collections_name k
  cross join lateral (
      select s.block
      from lists.collections_name s
      where s.parent = k.parent and s.level = 1 and (s.name, s.address) <= (k.name, k.address)
      order by s.name desc, s.address desc
      limit 1
  ) u
  join lists.collections_name_facets f on f.block = k.block
  where k.parent = of and k.level = 0
  group by u.block, f.facet;
end
$$;
create function lists.collections_name_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.collections_name;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.collections_name k where k.block = new.block;
  if b.rows > 8192 then
    insert into lists.collections_name (parent, level, name, address, rows)
    select b.parent, 0, r.name, r.address, least(4096, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.name, r.address) - 1 as place
      from (
      select name, address
      from collections
      where is_public
        and (name, address) >= (b.name, b.address)
      order by name, address
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 4096 = 0;
    get diagnostics made = row_count;
    update lists.collections_name k set rows = 4096 where k.block = b.block;
    delete from lists.collections_name_facets f where f.block = b.block;
    insert into lists.collections_name_facets (block, facet, rows)
    select k.block, r.facet, count(*)
    from (
      select * from lists.collections_name k
      where k.parent = b.parent and k.level = 0 and (k.name, k.address) >= (b.name, b.address)
      order by k.name, k.address
      limit made + 1
    ) k
    cross join lateral (
      select facet as facet
      from collections
      where is_public
        and (name, address) >= (k.name, k.address)
      order by name, address
      limit k.rows
    ) r
    where (select t.is_by_facet from lists.collections t where t.parent = b.parent and t.facet = 0)
    group by k.block, r.facet;
    update lists.collections_name u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.collections_name s
      where s.parent = b.parent and s.level = 1 and (s.name, s.address) <= (b.name, b.address)
      order by s.name desc, s.address desc
      limit 1
    ) returning u.blocks into below;
    if below > 64 then
      perform lists.collections_name_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.collections_name u where u.parent = b.parent and u.level = 1 and (u.name, u.address) = (b.name, b.address)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.collections_name k where k.block = b.block;
    delete from lists.collections_name_facets f where f.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.collections_name deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 8192 or new.rows = 0)) execute function lists.collections_name_cut();
create index collections_by_created on collections (created_at, address) include (facet, search_name) where is_public;
create table lists.collections_created (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  created_at timestamptz not null default '-infinity',
  address text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, created_at, address)
) with (fillfactor = 70);
create table lists.collections_created_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  primary key (block, facet) include (rows)
) with (fillfactor = 70);
create function lists.collections_created_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.collections_created_facets f using lists.collections_created k where k.parent = of and (k.level = 1 or k.rows = 0) and f.block = k.block;
  delete from lists.collections_created k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.created_at, k.address) <> ('-infinity', ''));
  insert into lists.collections_created (parent, level, created_at, address, rows, blocks)
  select of, 1, (array_agg(k.created_at order by k.place))[1], (array_agg(k.address order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.created_at, k.address) - 1 as place
    from lists.collections_created k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 32;
  insert into lists.collections_created_facets (block, facet, rows)
  select u.block, f.facet, sum(f.rows)
  from lists.collections_created k
  cross join lateral (
      select s.block
      from lists.collections_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.address) <= (k.created_at, k.address)
      order by s.created_at desc, s.address desc
      limit 1
  ) u
  join lists.collections_created_facets f on f.block = k.block
  where k.parent = of and k.level = 0
  group by u.block, f.facet;
end
$$;
create function lists.collections_created_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.collections_created;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.collections_created k where k.block = new.block;
  if b.rows > 8192 then
    insert into lists.collections_created (parent, level, created_at, address, rows)
    select b.parent, 0, r.created_at, r.address, least(4096, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.created_at, r.address) - 1 as place
      from (
      select created_at, address
      from collections
      where is_public
        and (created_at, address) >= (b.created_at, b.address)
      order by created_at, address
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 4096 = 0;
    get diagnostics made = row_count;
    update lists.collections_created k set rows = 4096 where k.block = b.block;
    delete from lists.collections_created_facets f where f.block = b.block;
    insert into lists.collections_created_facets (block, facet, rows)
    select k.block, r.facet, count(*)
    from (
      select * from lists.collections_created k
      where k.parent = b.parent and k.level = 0 and (k.created_at, k.address) >= (b.created_at, b.address)
      order by k.created_at, k.address
      limit made + 1
    ) k
    cross join lateral (
      select facet as facet
      from collections
      where is_public
        and (created_at, address) >= (k.created_at, k.address)
      order by created_at, address
      limit k.rows
    ) r
    where (select t.is_by_facet from lists.collections t where t.parent = b.parent and t.facet = 0)
    group by k.block, r.facet;
    update lists.collections_created u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.collections_created s
      where s.parent = b.parent and s.level = 1 and (s.created_at, s.address) <= (b.created_at, b.address)
      order by s.created_at desc, s.address desc
      limit 1
    ) returning u.blocks into below;
    if below > 64 then
      perform lists.collections_created_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.collections_created u where u.parent = b.parent and u.level = 1 and (u.created_at, u.address) = (b.created_at, b.address)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.collections_created k where k.block = b.block;
    delete from lists.collections_created_facets f where f.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.collections_created deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 8192 or new.rows = 0)) execute function lists.collections_created_cut();
create index collections_by_chain_up on collections (chain_up, address) include (facet, search_name) where is_public;
create table lists.collections_chain_up (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  chain_up timestamptz not null default '-infinity',
  address text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, chain_up, address)
) with (fillfactor = 70);
create table lists.collections_chain_up_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  primary key (block, facet) include (rows)
) with (fillfactor = 70);
create function lists.collections_chain_up_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.collections_chain_up_facets f using lists.collections_chain_up k where k.parent = of and (k.level = 1 or k.rows = 0) and f.block = k.block;
  delete from lists.collections_chain_up k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.chain_up, k.address) <> ('-infinity', ''));
  insert into lists.collections_chain_up (parent, level, chain_up, address, rows, blocks)
  select of, 1, (array_agg(k.chain_up order by k.place))[1], (array_agg(k.address order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.chain_up, k.address) - 1 as place
    from lists.collections_chain_up k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 32;
  insert into lists.collections_chain_up_facets (block, facet, rows)
  select u.block, f.facet, sum(f.rows)
  from lists.collections_chain_up k
  cross join lateral (
      select s.block
      from lists.collections_chain_up s
      where s.parent = k.parent and s.level = 1 and (s.chain_up, s.address) <= (k.chain_up, k.address)
      order by s.chain_up desc, s.address desc
      limit 1
  ) u
  join lists.collections_chain_up_facets f on f.block = k.block
  where k.parent = of and k.level = 0
  group by u.block, f.facet;
end
$$;
create function lists.collections_chain_up_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.collections_chain_up;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.collections_chain_up k where k.block = new.block;
  if b.rows > 8192 then
    insert into lists.collections_chain_up (parent, level, chain_up, address, rows)
    select b.parent, 0, r.chain_up, r.address, least(4096, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.chain_up, r.address) - 1 as place
      from (
      select chain_up, address
      from collections
      where is_public
        and (chain_up, address) >= (b.chain_up, b.address)
      order by chain_up, address
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 4096 = 0;
    get diagnostics made = row_count;
    update lists.collections_chain_up k set rows = 4096 where k.block = b.block;
    delete from lists.collections_chain_up_facets f where f.block = b.block;
    insert into lists.collections_chain_up_facets (block, facet, rows)
    select k.block, r.facet, count(*)
    from (
      select * from lists.collections_chain_up k
      where k.parent = b.parent and k.level = 0 and (k.chain_up, k.address) >= (b.chain_up, b.address)
      order by k.chain_up, k.address
      limit made + 1
    ) k
    cross join lateral (
      select facet as facet
      from collections
      where is_public
        and (chain_up, address) >= (k.chain_up, k.address)
      order by chain_up, address
      limit k.rows
    ) r
    where (select t.is_by_facet from lists.collections t where t.parent = b.parent and t.facet = 0)
    group by k.block, r.facet;
    update lists.collections_chain_up u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.collections_chain_up s
      where s.parent = b.parent and s.level = 1 and (s.chain_up, s.address) <= (b.chain_up, b.address)
      order by s.chain_up desc, s.address desc
      limit 1
    ) returning u.blocks into below;
    if below > 64 then
      perform lists.collections_chain_up_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.collections_chain_up u where u.parent = b.parent and u.level = 1 and (u.chain_up, u.address) = (b.chain_up, b.address)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.collections_chain_up k where k.block = b.block;
    delete from lists.collections_chain_up_facets f where f.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.collections_chain_up deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 8192 or new.rows = 0)) execute function lists.collections_chain_up_cut();
create index collections_by_chain_down on collections (chain_down, address) include (facet, search_name) where is_public;
create table lists.collections_chain_down (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  chain_down timestamptz not null default '-infinity',
  address text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, chain_down, address)
) with (fillfactor = 70);
create table lists.collections_chain_down_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  primary key (block, facet) include (rows)
) with (fillfactor = 70);
create function lists.collections_chain_down_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.collections_chain_down_facets f using lists.collections_chain_down k where k.parent = of and (k.level = 1 or k.rows = 0) and f.block = k.block;
  delete from lists.collections_chain_down k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.chain_down, k.address) <> ('-infinity', ''));
  insert into lists.collections_chain_down (parent, level, chain_down, address, rows, blocks)
  select of, 1, (array_agg(k.chain_down order by k.place))[1], (array_agg(k.address order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.chain_down, k.address) - 1 as place
    from lists.collections_chain_down k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 32;
  insert into lists.collections_chain_down_facets (block, facet, rows)
  select u.block, f.facet, sum(f.rows)
  from lists.collections_chain_down k
  cross join lateral (
      select s.block
      from lists.collections_chain_down s
      where s.parent = k.parent and s.level = 1 and (s.chain_down, s.address) <= (k.chain_down, k.address)
      order by s.chain_down desc, s.address desc
      limit 1
  ) u
  join lists.collections_chain_down_facets f on f.block = k.block
  where k.parent = of and k.level = 0
  group by u.block, f.facet;
end
$$;
create function lists.collections_chain_down_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.collections_chain_down;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.collections_chain_down k where k.block = new.block;
  if b.rows > 8192 then
    insert into lists.collections_chain_down (parent, level, chain_down, address, rows)
    select b.parent, 0, r.chain_down, r.address, least(4096, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.chain_down, r.address) - 1 as place
      from (
      select chain_down, address
      from collections
      where is_public
        and (chain_down, address) >= (b.chain_down, b.address)
      order by chain_down, address
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 4096 = 0;
    get diagnostics made = row_count;
    update lists.collections_chain_down k set rows = 4096 where k.block = b.block;
    delete from lists.collections_chain_down_facets f where f.block = b.block;
    insert into lists.collections_chain_down_facets (block, facet, rows)
    select k.block, r.facet, count(*)
    from (
      select * from lists.collections_chain_down k
      where k.parent = b.parent and k.level = 0 and (k.chain_down, k.address) >= (b.chain_down, b.address)
      order by k.chain_down, k.address
      limit made + 1
    ) k
    cross join lateral (
      select facet as facet
      from collections
      where is_public
        and (chain_down, address) >= (k.chain_down, k.address)
      order by chain_down, address
      limit k.rows
    ) r
    where (select t.is_by_facet from lists.collections t where t.parent = b.parent and t.facet = 0)
    group by k.block, r.facet;
    update lists.collections_chain_down u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.collections_chain_down s
      where s.parent = b.parent and s.level = 1 and (s.chain_down, s.address) <= (b.chain_down, b.address)
      order by s.chain_down desc, s.address desc
      limit 1
    ) returning u.blocks into below;
    if below > 64 then
      perform lists.collections_chain_down_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.collections_chain_down u where u.parent = b.parent and u.level = 1 and (u.chain_down, u.address) = (b.chain_down, b.address)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.collections_chain_down k where k.block = b.block;
    delete from lists.collections_chain_down_facets f where f.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.collections_chain_down deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 8192 or new.rows = 0)) execute function lists.collections_chain_down_cut();
create function lists.collections_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.collections;
  made integer;
begin
  perform lists.at_commit_only();
  update lists.collections t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 4096 else 8192 end)
  returning * into whole;
  if found then
    delete from lists.collections_name_facets f using lists.collections_name k where k.parent = new.parent and f.block = k.block;
    delete from lists.collections_name k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.collections_name (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.collections_name_facets (block, facet, rows)
      select made, f.facet, f.rows from lists.collections f where f.parent = new.parent and f.facet <> 0 and whole.is_by_facet;
      insert into lists.collections_name (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.collections_name k set rows = whole.rows where k.block = made; -- to be cut
    end if;
    delete from lists.collections_created_facets f using lists.collections_created k where k.parent = new.parent and f.block = k.block;
    delete from lists.collections_created k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.collections_created (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.collections_created_facets (block, facet, rows)
      select made, f.facet, f.rows from lists.collections f where f.parent = new.parent and f.facet <> 0 and whole.is_by_facet;
      insert into lists.collections_created (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.collections_created k set rows = whole.rows where k.block = made; -- to be cut
    end if;
    delete from lists.collections_chain_up_facets f using lists.collections_chain_up k where k.parent = new.parent and f.block = k.block;
    delete from lists.collections_chain_up k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.collections_chain_up (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.collections_chain_up_facets (block, facet, rows)
      select made, f.facet, f.rows from lists.collections f where f.parent = new.parent and f.facet <> 0 and whole.is_by_facet;
      insert into lists.collections_chain_up (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.collections_chain_up k set rows = whole.rows where k.block = made; -- to be cut
    end if;
    delete from lists.collections_chain_down_facets f using lists.collections_chain_down k where k.parent = new.parent and f.block = k.block;
    delete from lists.collections_chain_down k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.collections_chain_down (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.collections_chain_down_facets (block, facet, rows)
      select made, f.facet, f.rows from lists.collections f where f.parent = new.parent and f.facet <> 0 and whole.is_by_facet;
      insert into lists.collections_chain_down (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.collections_chain_down k set rows = whole.rows where k.block = made; -- to be cut
    end if;
  end if;
  delete from lists.collections t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.collections deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 4096 else 8192 end)))
  execute function lists.collections_resize();
create function lists.keep_collections_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.collections as t (parent, facet, type, importance, is_sbt, category, source, rows)
  select c.parent, coalesce(c.facet, 0), c.type, c.importance, c.is_sbt, c.category, c.source, sum(c.n)
  from (select ''::text as parent, facet as facet, type, importance, is_sbt, category, source, 1 as n from new_rows where is_public) c
  group by grouping sets ((c.parent, c.facet, c.type, c.importance, c.is_sbt, c.category, c.source), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet, type, importance, is_sbt, category, source) do update set rows = t.rows + excluded.rows;
  update lists.collections t set is_by_facet = false
  where t.facet = 0 and t.is_by_facet and (select count(*) from lists.collections f where f.rows <> 0) > 2000;
  if found then
    delete from lists.collections_name_facets;
    delete from lists.collections_created_facets;
    delete from lists.collections_chain_up_facets;
    delete from lists.collections_chain_down_facets;
  end if;
  with r as materialized (select ''::text as parent, facet as facet, name, address, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.name, s.address, row_number() over (partition by p.parent order by s.name, s.address) as place
    from (select r.parent, min(r.name) as low, max(r.name) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.collections_name s
      where s.parent = p.parent and s.level = 0 and (s.name, s.address) <= (p.low, '')
      order by s.name desc, s.address desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.collections_name s
      where s.parent = p.parent and s.level = 0 and s.name <= p.high
        and (s.name, s.address) >= (l.name, l.address)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.name, x.address, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.name, r.address, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.name, b.address, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.collections_name k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.collections_name s
      where s.parent = k.parent and s.level = 1 and (s.name, s.address) <= (k.name, k.address)
      order by s.name desc, s.address desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.collections_name_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.collections t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.collections_name b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (select ''::text as parent, facet as facet, created_at, address, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.address, row_number() over (partition by p.parent order by s.created_at, s.address) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.collections_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.address) <= (p.low, '')
      order by s.created_at desc, s.address desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.collections_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.address) >= (l.created_at, l.address)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.address, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.address, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.address, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.collections_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.collections_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.address) <= (k.created_at, k.address)
      order by s.created_at desc, s.address desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.collections_created_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.collections t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.collections_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (select ''::text as parent, facet as facet, chain_up, address, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.chain_up, s.address, row_number() over (partition by p.parent order by s.chain_up, s.address) as place
    from (select r.parent, min(r.chain_up) as low, max(r.chain_up) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.collections_chain_up s
      where s.parent = p.parent and s.level = 0 and (s.chain_up, s.address) <= (p.low, '')
      order by s.chain_up desc, s.address desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.collections_chain_up s
      where s.parent = p.parent and s.level = 0 and s.chain_up <= p.high
        and (s.chain_up, s.address) >= (l.chain_up, l.address)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.chain_up, x.address, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.chain_up, r.address, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.chain_up, b.address, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.collections_chain_up k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.collections_chain_up s
      where s.parent = k.parent and s.level = 1 and (s.chain_up, s.address) <= (k.chain_up, k.address)
      order by s.chain_up desc, s.address desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.collections_chain_up_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.collections t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.collections_chain_up b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (select ''::text as parent, facet as facet, chain_down, address, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.chain_down, s.address, row_number() over (partition by p.parent order by s.chain_down, s.address) as place
    from (select r.parent, min(r.chain_down) as low, max(r.chain_down) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.collections_chain_down s
      where s.parent = p.parent and s.level = 0 and (s.chain_down, s.address) <= (p.low, '')
      order by s.chain_down desc, s.address desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.collections_chain_down s
      where s.parent = p.parent and s.level = 0 and s.chain_down <= p.high
        and (s.chain_down, s.address) >= (l.chain_down, l.address)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.chain_down, x.address, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.chain_down, r.address, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.chain_down, b.address, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.collections_chain_down k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.collections_chain_down s
      where s.parent = k.parent and s.level = 1 and (s.chain_down, s.address) <= (k.chain_down, k.address)
      order by s.chain_down desc, s.address desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.collections_chain_down_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.collections t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.collections_chain_down b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_collections_insert after insert on collections referencing new table as new_rows
  for each statement execute function lists.keep_collections_insert();
create function lists.keep_collections_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, type, importance, is_sbt, category, source, name, created_at, chain_up, chain_down, address, sum(n) as n
      from (select ''::text as parent, facet as facet, type, importance, is_sbt, category, source, name, created_at, chain_up, chain_down, address, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, type, importance, is_sbt, category, source, name, created_at, chain_up, chain_down, address, -1 as n from old_rows where is_public) b
      group by parent, facet, type, importance, is_sbt, category, source, name, created_at, chain_up, chain_down, address
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.collections as t (parent, facet, type, importance, is_sbt, category, source, rows)
  select c.parent, coalesce(c.facet, 0), c.type, c.importance, c.is_sbt, c.category, c.source, sum(c.n)
  from (
      select parent, facet, type, importance, is_sbt, category, source, sum(n) as n
      from (select ''::text as parent, facet as facet, type, importance, is_sbt, category, source, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, type, importance, is_sbt, category, source, -1 as n from old_rows where is_public) b
      group by parent, facet, type, importance, is_sbt, category, source
      having sum(n) <> 0) c
  group by grouping sets ((c.parent, c.facet, c.type, c.importance, c.is_sbt, c.category, c.source), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet, type, importance, is_sbt, category, source) do update set rows = t.rows + excluded.rows;
  update lists.collections t set is_by_facet = false
  where t.facet = 0 and t.is_by_facet and (select count(*) from lists.collections f where f.rows <> 0) > 2000;
  if found then
    delete from lists.collections_name_facets;
    delete from lists.collections_created_facets;
    delete from lists.collections_chain_up_facets;
    delete from lists.collections_chain_down_facets;
  end if;
  with r as materialized (
      select parent, facet, name, address, sum(n) as n
      from (select ''::text as parent, facet as facet, name, address, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, name, address, -1 as n from old_rows where is_public) b
      group by parent, facet, name, address
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.name, s.address, row_number() over (partition by p.parent order by s.name, s.address) as place
    from (select r.parent, min(r.name) as low, max(r.name) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.collections_name s
      where s.parent = p.parent and s.level = 0 and (s.name, s.address) <= (p.low, '')
      order by s.name desc, s.address desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.collections_name s
      where s.parent = p.parent and s.level = 0 and s.name <= p.high
        and (s.name, s.address) >= (l.name, l.address)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.name, x.address, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.name, r.address, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.name, b.address, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.collections_name k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.collections_name s
      where s.parent = k.parent and s.level = 1 and (s.name, s.address) <= (k.name, k.address)
      order by s.name desc, s.address desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.collections_name_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.collections t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.collections_name b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (
      select parent, facet, created_at, address, sum(n) as n
      from (select ''::text as parent, facet as facet, created_at, address, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, created_at, address, -1 as n from old_rows where is_public) b
      group by parent, facet, created_at, address
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.address, row_number() over (partition by p.parent order by s.created_at, s.address) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.collections_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.address) <= (p.low, '')
      order by s.created_at desc, s.address desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.collections_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.address) >= (l.created_at, l.address)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.address, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.address, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.address, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.collections_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.collections_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.address) <= (k.created_at, k.address)
      order by s.created_at desc, s.address desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.collections_created_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.collections t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.collections_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (
      select parent, facet, chain_up, address, sum(n) as n
      from (select ''::text as parent, facet as facet, chain_up, address, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, chain_up, address, -1 as n from old_rows where is_public) b
      group by parent, facet, chain_up, address
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.chain_up, s.address, row_number() over (partition by p.parent order by s.chain_up, s.address) as place
    from (select r.parent, min(r.chain_up) as low, max(r.chain_up) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.collections_chain_up s
      where s.parent = p.parent and s.level = 0 and (s.chain_up, s.address) <= (p.low, '')
      order by s.chain_up desc, s.address desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.collections_chain_up s
      where s.parent = p.parent and s.level = 0 and s.chain_up <= p.high
        and (s.chain_up, s.address) >= (l.chain_up, l.address)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.chain_up, x.address, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.chain_up, r.address, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.chain_up, b.address, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.collections_chain_up k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.collections_chain_up s
      where s.parent = k.parent and s.level = 1 and (s.chain_up, s.address) <= (k.chain_up, k.address)
      order by s.chain_up desc, s.address desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.collections_chain_up_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.collections t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.collections_chain_up b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (
      select parent, facet, chain_down, address, sum(n) as n
      from (select ''::text as parent, facet as facet, chain_down, address, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, chain_down, address, -1 as n from old_rows where is_public) b
      group by parent, facet, chain_down, address
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.chain_down, s.address, row_number() over (partition by p.parent order by s.chain_down, s.address) as place
    from (select r.parent, min(r.chain_down) as low, max(r.chain_down) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.collections_chain_down s
      where s.parent = p.parent and s.level = 0 and (s.chain_down, s.address) <= (p.low, '')
      order by s.chain_down desc, s.address desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.collections_chain_down s
      where s.parent = p.parent and s.level = 0 and s.chain_down <= p.high
        and (s.chain_down, s.address) >= (l.chain_down, l.address)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.chain_down, x.address, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.chain_down, r.address, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.chain_down, b.address, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.collections_chain_down k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.collections_chain_down s
      where s.parent = k.parent and s.level = 1 and (s.chain_down, s.address) <= (k.chain_down, k.address)
      order by s.chain_down desc, s.address desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.collections_chain_down_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.collections t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.collections_chain_down b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_collections_update after update on collections referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_collections_update();
create function lists.keep_collections_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.collections as t (parent, facet, type, importance, is_sbt, category, source, rows)
  select c.parent, coalesce(c.facet, 0), c.type, c.importance, c.is_sbt, c.category, c.source, sum(c.n)
  from (select ''::text as parent, facet as facet, type, importance, is_sbt, category, source, -1 as n from old_rows where is_public) c
  group by grouping sets ((c.parent, c.facet, c.type, c.importance, c.is_sbt, c.category, c.source), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet, type, importance, is_sbt, category, source) do update set rows = t.rows + excluded.rows;
  with r as materialized (select ''::text as parent, facet as facet, name, address, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.name, s.address, row_number() over (partition by p.parent order by s.name, s.address) as place
    from (select r.parent, min(r.name) as low, max(r.name) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.collections_name s
      where s.parent = p.parent and s.level = 0 and (s.name, s.address) <= (p.low, '')
      order by s.name desc, s.address desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.collections_name s
      where s.parent = p.parent and s.level = 0 and s.name <= p.high
        and (s.name, s.address) >= (l.name, l.address)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.name, x.address, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.name, r.address, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.name, b.address, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.collections_name k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.collections_name s
      where s.parent = k.parent and s.level = 1 and (s.name, s.address) <= (k.name, k.address)
      order by s.name desc, s.address desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.collections_name_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.collections t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.collections_name b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (select ''::text as parent, facet as facet, created_at, address, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.address, row_number() over (partition by p.parent order by s.created_at, s.address) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.collections_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.address) <= (p.low, '')
      order by s.created_at desc, s.address desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.collections_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.address) >= (l.created_at, l.address)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.address, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.address, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.address, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.collections_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.collections_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.address) <= (k.created_at, k.address)
      order by s.created_at desc, s.address desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.collections_created_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.collections t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.collections_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (select ''::text as parent, facet as facet, chain_up, address, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.chain_up, s.address, row_number() over (partition by p.parent order by s.chain_up, s.address) as place
    from (select r.parent, min(r.chain_up) as low, max(r.chain_up) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.collections_chain_up s
      where s.parent = p.parent and s.level = 0 and (s.chain_up, s.address) <= (p.low, '')
      order by s.chain_up desc, s.address desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.collections_chain_up s
      where s.parent = p.parent and s.level = 0 and s.chain_up <= p.high
        and (s.chain_up, s.address) >= (l.chain_up, l.address)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.chain_up, x.address, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.chain_up, r.address, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.chain_up, b.address, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.collections_chain_up k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.collections_chain_up s
      where s.parent = k.parent and s.level = 1 and (s.chain_up, s.address) <= (k.chain_up, k.address)
      order by s.chain_up desc, s.address desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.collections_chain_up_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.collections t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.collections_chain_up b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (select ''::text as parent, facet as facet, chain_down, address, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.chain_down, s.address, row_number() over (partition by p.parent order by s.chain_down, s.address) as place
    from (select r.parent, min(r.chain_down) as low, max(r.chain_down) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.collections_chain_down s
      where s.parent = p.parent and s.level = 0 and (s.chain_down, s.address) <= (p.low, '')
      order by s.chain_down desc, s.address desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.collections_chain_down s
      where s.parent = p.parent and s.level = 0 and s.chain_down <= p.high
        and (s.chain_down, s.address) >= (l.chain_down, l.address)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.chain_down, x.address, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.chain_down, r.address, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.chain_down, b.address, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.collections_chain_down k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.collections_chain_down s
      where s.parent = k.parent and s.level = 1 and (s.chain_down, s.address) <= (k.chain_down, k.address)
      order by s.chain_down desc, s.address desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.collections_chain_down_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.collections t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.collections_chain_down b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_collections_delete after delete on collections referencing old table as old_rows
  for each statement execute function lists.keep_collections_delete();
create trigger keep_collections_truncate after truncate on collections
  for each statement execute function lists.recount('collections');

-- sized_collections: rows of lists.collection_sizes
create table lists.sized_collections (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  is_by_facet boolean not null default true, -- and these are counted by facet
  primary key (parent, facet)
) with (fillfactor = 70);
create index sized_collections_facet on lists.collection_sizes ((facet)) where is_public;
create function lists.sized_collections_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.sized_collections;
  delete from lists.sized_collections_holders;
  delete from lists.sized_collections_holders_facets;
  insert into lists.sized_collections as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), count(*)
  from (select ''::text as parent, facet as facet from lists.collection_sizes where is_public) c
  group by grouping sets ((c.parent, c.facet), (c.parent))
  having count(*) <> 0;
  update lists.sized_collections t set is_by_facet = false
  where t.facet = 0 and t.is_by_facet and (select count(*) from lists.sized_collections f where f.rows <> 0) > 2000;
  if found then
    delete from lists.sized_collections_holders_facets;
  end if;
end
$$;
create index sized_collections_by_holders on lists.collection_sizes (holders, address) include (facet) where is_public;
create table lists.sized_collections_holders (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  holders bigint not null default -9223372036854775808,
  address text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, holders, address)
) with (fillfactor = 70);
create table lists.sized_collections_holders_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  primary key (block, facet) include (rows)
) with (fillfactor = 70);
create function lists.sized_collections_holders_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.sized_collections_holders_facets f using lists.sized_collections_holders k where k.parent = of and (k.level = 1 or k.rows = 0) and f.block = k.block;
  delete from lists.sized_collections_holders k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.holders, k.address) <> (-9223372036854775808, ''));
  insert into lists.sized_collections_holders (parent, level, holders, address, rows, blocks)
  select of, 1, (array_agg(k.holders order by k.place))[1], (array_agg(k.address order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.holders, k.address) - 1 as place
    from lists.sized_collections_holders k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 32;
  insert into lists.sized_collections_holders_facets (block, facet, rows)
  select u.block, f.facet, sum(f.rows)
  from lists.sized_collections_holders k
  cross join lateral (
      select s.block
      from lists.sized_collections_holders s
      where s.parent = k.parent and s.level = 1 and (s.holders, s.address) <= (k.holders, k.address)
      order by s.holders desc, s.address desc
      limit 1
  ) u
  join lists.sized_collections_holders_facets f on f.block = k.block
  where k.parent = of and k.level = 0
  group by u.block, f.facet;
end
$$;
create function lists.sized_collections_holders_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.sized_collections_holders;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.sized_collections_holders k where k.block = new.block;
  if b.rows > 8192 then
    insert into lists.sized_collections_holders (parent, level, holders, address, rows)
    select b.parent, 0, r.holders, r.address, least(4096, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.holders, r.address) - 1 as place
      from (
      select holders, address
      from lists.collection_sizes
      where is_public
        and (holders, address) >= (b.holders, b.address)
      order by holders, address
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 4096 = 0;
    get diagnostics made = row_count;
    update lists.sized_collections_holders k set rows = 4096 where k.block = b.block;
    delete from lists.sized_collections_holders_facets f where f.block = b.block;
    insert into lists.sized_collections_holders_facets (block, facet, rows)
    select k.block, r.facet, count(*)
    from (
      select * from lists.sized_collections_holders k
      where k.parent = b.parent and k.level = 0 and (k.holders, k.address) >= (b.holders, b.address)
      order by k.holders, k.address
      limit made + 1
    ) k
    cross join lateral (
      select facet as facet
      from lists.collection_sizes
      where is_public
        and (holders, address) >= (k.holders, k.address)
      order by holders, address
      limit k.rows
    ) r
    where (select t.is_by_facet from lists.sized_collections t where t.parent = b.parent and t.facet = 0)
    group by k.block, r.facet;
    update lists.sized_collections_holders u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.sized_collections_holders s
      where s.parent = b.parent and s.level = 1 and (s.holders, s.address) <= (b.holders, b.address)
      order by s.holders desc, s.address desc
      limit 1
    ) returning u.blocks into below;
    if below > 64 then
      perform lists.sized_collections_holders_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.sized_collections_holders u where u.parent = b.parent and u.level = 1 and (u.holders, u.address) = (b.holders, b.address)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.sized_collections_holders k where k.block = b.block;
    delete from lists.sized_collections_holders_facets f where f.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.sized_collections_holders deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 8192 or new.rows = 0)) execute function lists.sized_collections_holders_cut();
create function lists.sized_collections_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.sized_collections;
  made integer;
begin
  perform lists.at_commit_only();
  update lists.sized_collections t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 4096 else 8192 end)
  returning * into whole;
  if found then
    delete from lists.sized_collections_holders_facets f using lists.sized_collections_holders k where k.parent = new.parent and f.block = k.block;
    delete from lists.sized_collections_holders k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.sized_collections_holders (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.sized_collections_holders_facets (block, facet, rows)
      select made, f.facet, f.rows from lists.sized_collections f where f.parent = new.parent and f.facet <> 0 and whole.is_by_facet;
      insert into lists.sized_collections_holders (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.sized_collections_holders k set rows = whole.rows where k.block = made; -- to be cut
    end if;
  end if;
  delete from lists.sized_collections t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.sized_collections deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 4096 else 8192 end)))
  execute function lists.sized_collections_resize();
create function lists.keep_sized_collections_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.sized_collections as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select ''::text as parent, facet as facet, 1 as n from new_rows where is_public) c
  group by grouping sets ((c.parent, c.facet), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  update lists.sized_collections t set is_by_facet = false
  where t.facet = 0 and t.is_by_facet and (select count(*) from lists.sized_collections f where f.rows <> 0) > 2000;
  if found then
    delete from lists.sized_collections_holders_facets;
  end if;
  with r as materialized (select ''::text as parent, facet as facet, holders, address, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.holders, s.address, row_number() over (partition by p.parent order by s.holders, s.address) as place
    from (select r.parent, min(r.holders) as low, max(r.holders) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.sized_collections_holders s
      where s.parent = p.parent and s.level = 0 and (s.holders, s.address) <= (p.low, '')
      order by s.holders desc, s.address desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.sized_collections_holders s
      where s.parent = p.parent and s.level = 0 and s.holders <= p.high
        and (s.holders, s.address) >= (l.holders, l.address)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.holders, x.address, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.holders, r.address, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.holders, b.address, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.sized_collections_holders k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.sized_collections_holders s
      where s.parent = k.parent and s.level = 1 and (s.holders, s.address) <= (k.holders, k.address)
      order by s.holders desc, s.address desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.sized_collections_holders_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.sized_collections t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.sized_collections_holders b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_sized_collections_insert after insert on lists.collection_sizes referencing new table as new_rows
  for each statement execute function lists.keep_sized_collections_insert();
create function lists.keep_sized_collections_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, holders, address, sum(n) as n
      from (select ''::text as parent, facet as facet, holders, address, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, holders, address, -1 as n from old_rows where is_public) b
      group by parent, facet, holders, address
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.sized_collections as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (
      select parent, facet, sum(n) as n
      from (select ''::text as parent, facet as facet, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, -1 as n from old_rows where is_public) b
      group by parent, facet
      having sum(n) <> 0) c
  group by grouping sets ((c.parent, c.facet), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  update lists.sized_collections t set is_by_facet = false
  where t.facet = 0 and t.is_by_facet and (select count(*) from lists.sized_collections f where f.rows <> 0) > 2000;
  if found then
    delete from lists.sized_collections_holders_facets;
  end if;
  with r as materialized (
      select parent, facet, holders, address, sum(n) as n
      from (select ''::text as parent, facet as facet, holders, address, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, holders, address, -1 as n from old_rows where is_public) b
      group by parent, facet, holders, address
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.holders, s.address, row_number() over (partition by p.parent order by s.holders, s.address) as place
    from (select r.parent, min(r.holders) as low, max(r.holders) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.sized_collections_holders s
      where s.parent = p.parent and s.level = 0 and (s.holders, s.address) <= (p.low, '')
      order by s.holders desc, s.address desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.sized_collections_holders s
      where s.parent = p.parent and s.level = 0 and s.holders <= p.high
        and (s.holders, s.address) >= (l.holders, l.address)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.holders, x.address, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.holders, r.address, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.holders, b.address, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.sized_collections_holders k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.sized_collections_holders s
      where s.parent = k.parent and s.level = 1 and (s.holders, s.address) <= (k.holders, k.address)
      order by s.holders desc, s.address desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.sized_collections_holders_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.sized_collections t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.sized_collections_holders b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_sized_collections_update after update on lists.collection_sizes referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_sized_collections_update();
create function lists.keep_sized_collections_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.sized_collections as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select ''::text as parent, facet as facet, -1 as n from old_rows where is_public) c
  group by grouping sets ((c.parent, c.facet), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  with r as materialized (select ''::text as parent, facet as facet, holders, address, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.holders, s.address, row_number() over (partition by p.parent order by s.holders, s.address) as place
    from (select r.parent, min(r.holders) as low, max(r.holders) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.sized_collections_holders s
      where s.parent = p.parent and s.level = 0 and (s.holders, s.address) <= (p.low, '')
      order by s.holders desc, s.address desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.sized_collections_holders s
      where s.parent = p.parent and s.level = 0 and s.holders <= p.high
        and (s.holders, s.address) >= (l.holders, l.address)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.holders, x.address, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.holders, r.address, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.holders, b.address, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.sized_collections_holders k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.sized_collections_holders s
      where s.parent = k.parent and s.level = 1 and (s.holders, s.address) <= (k.holders, k.address)
      order by s.holders desc, s.address desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.sized_collections_holders_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.sized_collections t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.sized_collections_holders b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_sized_collections_delete after delete on lists.collection_sizes referencing old table as old_rows
  for each statement execute function lists.keep_sized_collections_delete();
create trigger keep_sized_collections_truncate after truncate on lists.collection_sizes
  for each statement execute function lists.recount('sized_collections');

-- repositories: rows of repositories
create table lists.repositories (
  parent text collate "C" not null,
  facet bigint not null,
  category text collate "C",
  ecosystem text collate "C",
  importance text collate "C",
  platform text collate "C",
  status text collate "C",
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  is_by_facet boolean not null default true, -- and these are counted by facet
  primary key (parent, facet),
  unique nulls not distinct (parent, facet, category, ecosystem, importance, platform, status)
) with (fillfactor = 70);
create index repositories_facet on repositories ((facet)) where is_public;
create function lists.repositories_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.repositories;
  delete from lists.repositories_created;
  delete from lists.repositories_created_facets;
  delete from lists.repositories_updated;
  delete from lists.repositories_updated_facets;
  delete from lists.repositories_name;
  delete from lists.repositories_name_facets;
  delete from lists.repositories_owner;
  delete from lists.repositories_owner_facets;
  insert into lists.repositories as t (parent, facet, category, ecosystem, importance, platform, status, rows)
  select c.parent, coalesce(c.facet, 0), c.category, c.ecosystem, c.importance, c.platform, c.status, count(*)
  from (select ''::text as parent, facet as facet, category, ecosystem, importance, platform, status from repositories where is_public) c
  group by grouping sets ((c.parent, c.facet, c.category, c.ecosystem, c.importance, c.platform, c.status), (c.parent))
  having count(*) <> 0;
  update lists.repositories t set is_by_facet = false
  where t.facet = 0 and t.is_by_facet and (select count(*) from lists.repositories f where f.rows <> 0) > 2000;
  if found then
    delete from lists.repositories_created_facets;
    delete from lists.repositories_updated_facets;
    delete from lists.repositories_name_facets;
    delete from lists.repositories_owner_facets;
  end if;
end
$$;
create index repositories_by_created on repositories (created_at, platform, platform_id) include (facet, search_name) where is_public;
create table lists.repositories_created (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  created_at timestamptz not null default '-infinity',
  platform text collate "C" not null default '',
  platform_id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, created_at, platform, platform_id)
) with (fillfactor = 70);
create table lists.repositories_created_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  primary key (block, facet) include (rows)
) with (fillfactor = 70);
create function lists.repositories_created_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.repositories_created_facets f using lists.repositories_created k where k.parent = of and (k.level = 1 or k.rows = 0) and f.block = k.block;
  delete from lists.repositories_created k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.created_at, k.platform, k.platform_id) <> ('-infinity', '', ''));
  insert into lists.repositories_created (parent, level, created_at, platform, platform_id, rows, blocks)
  select of, 1, (array_agg(k.created_at order by k.place))[1], (array_agg(k.platform order by k.place))[1], (array_agg(k.platform_id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.created_at, k.platform, k.platform_id) - 1 as place
    from lists.repositories_created k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 32;
  insert into lists.repositories_created_facets (block, facet, rows)
  select u.block, f.facet, sum(f.rows)
  from lists.repositories_created k
  cross join lateral (
      select s.block
      from lists.repositories_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.platform, s.platform_id) <= (k.created_at, k.platform, k.platform_id)
      order by s.created_at desc, s.platform desc, s.platform_id desc
      limit 1
  ) u
  join lists.repositories_created_facets f on f.block = k.block
  where k.parent = of and k.level = 0
  group by u.block, f.facet;
end
$$;
create function lists.repositories_created_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.repositories_created;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.repositories_created k where k.block = new.block;
  if b.rows > 8192 then
    insert into lists.repositories_created (parent, level, created_at, platform, platform_id, rows)
    select b.parent, 0, r.created_at, r.platform, r.platform_id, least(4096, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.created_at, r.platform, r.platform_id) - 1 as place
      from (
      select created_at, platform, platform_id
      from repositories
      where is_public
        and (created_at, platform, platform_id) >= (b.created_at, b.platform, b.platform_id)
      order by created_at, platform, platform_id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 4096 = 0;
    get diagnostics made = row_count;
    update lists.repositories_created k set rows = 4096 where k.block = b.block;
    delete from lists.repositories_created_facets f where f.block = b.block;
    insert into lists.repositories_created_facets (block, facet, rows)
    select k.block, r.facet, count(*)
    from (
      select * from lists.repositories_created k
      where k.parent = b.parent and k.level = 0 and (k.created_at, k.platform, k.platform_id) >= (b.created_at, b.platform, b.platform_id)
      order by k.created_at, k.platform, k.platform_id
      limit made + 1
    ) k
    cross join lateral (
      select facet as facet
      from repositories
      where is_public
        and (created_at, platform, platform_id) >= (k.created_at, k.platform, k.platform_id)
      order by created_at, platform, platform_id
      limit k.rows
    ) r
    where (select t.is_by_facet from lists.repositories t where t.parent = b.parent and t.facet = 0)
    group by k.block, r.facet;
    update lists.repositories_created u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.repositories_created s
      where s.parent = b.parent and s.level = 1 and (s.created_at, s.platform, s.platform_id) <= (b.created_at, b.platform, b.platform_id)
      order by s.created_at desc, s.platform desc, s.platform_id desc
      limit 1
    ) returning u.blocks into below;
    if below > 64 then
      perform lists.repositories_created_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.repositories_created u where u.parent = b.parent and u.level = 1 and (u.created_at, u.platform, u.platform_id) = (b.created_at, b.platform, b.platform_id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.repositories_created k where k.block = b.block;
    delete from lists.repositories_created_facets f where f.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.repositories_created deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 8192 or new.rows = 0)) execute function lists.repositories_created_cut();
create index repositories_by_updated on repositories (updated_at, platform, platform_id) include (facet, search_name) where is_public;
create table lists.repositories_updated (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  updated_at timestamptz not null default '-infinity',
  platform text collate "C" not null default '',
  platform_id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, updated_at, platform, platform_id)
) with (fillfactor = 70);
create table lists.repositories_updated_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  primary key (block, facet) include (rows)
) with (fillfactor = 70);
create function lists.repositories_updated_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.repositories_updated_facets f using lists.repositories_updated k where k.parent = of and (k.level = 1 or k.rows = 0) and f.block = k.block;
  delete from lists.repositories_updated k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.updated_at, k.platform, k.platform_id) <> ('-infinity', '', ''));
  insert into lists.repositories_updated (parent, level, updated_at, platform, platform_id, rows, blocks)
  select of, 1, (array_agg(k.updated_at order by k.place))[1], (array_agg(k.platform order by k.place))[1], (array_agg(k.platform_id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.updated_at, k.platform, k.platform_id) - 1 as place
    from lists.repositories_updated k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 32;
  insert into lists.repositories_updated_facets (block, facet, rows)
  select u.block, f.facet, sum(f.rows)
  from lists.repositories_updated k
  cross join lateral (
      select s.block
      from lists.repositories_updated s
      where s.parent = k.parent and s.level = 1 and (s.updated_at, s.platform, s.platform_id) <= (k.updated_at, k.platform, k.platform_id)
      order by s.updated_at desc, s.platform desc, s.platform_id desc
      limit 1
  ) u
  join lists.repositories_updated_facets f on f.block = k.block
  where k.parent = of and k.level = 0
  group by u.block, f.facet;
end
$$;
create function lists.repositories_updated_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.repositories_updated;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.repositories_updated k where k.block = new.block;
  if b.rows > 8192 then
    insert into lists.repositories_updated (parent, level, updated_at, platform, platform_id, rows)
    select b.parent, 0, r.updated_at, r.platform, r.platform_id, least(4096, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.updated_at, r.platform, r.platform_id) - 1 as place
      from (
      select updated_at, platform, platform_id
      from repositories
      where is_public
        and (updated_at, platform, platform_id) >= (b.updated_at, b.platform, b.platform_id)
      order by updated_at, platform, platform_id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 4096 = 0;
    get diagnostics made = row_count;
    update lists.repositories_updated k set rows = 4096 where k.block = b.block;
    delete from lists.repositories_updated_facets f where f.block = b.block;
    insert into lists.repositories_updated_facets (block, facet, rows)
    select k.block, r.facet, count(*)
    from (
      select * from lists.repositories_updated k
      where k.parent = b.parent and k.level = 0 and (k.updated_at, k.platform, k.platform_id) >= (b.updated_at, b.platform, b.platform_id)
      order by k.updated_at, k.platform, k.platform_id
      limit made + 1
    ) k
    cross join lateral (
      select facet as facet
      from repositories
      where is_public
        and (updated_at, platform, platform_id) >= (k.updated_at, k.platform, k.platform_id)
      order by updated_at, platform, platform_id
      limit k.rows
    ) r
    where (select t.is_by_facet from lists.repositories t where t.parent = b.parent and t.facet = 0)
    group by k.block, r.facet;
    update lists.repositories_updated u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.repositories_updated s
      where s.parent = b.parent and s.level = 1 and (s.updated_at, s.platform, s.platform_id) <= (b.updated_at, b.platform, b.platform_id)
      order by s.updated_at desc, s.platform desc, s.platform_id desc
      limit 1
    ) returning u.blocks into below;
    if below > 64 then
      perform lists.repositories_updated_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.repositories_updated u where u.parent = b.parent and u.level = 1 and (u.updated_at, u.platform, u.platform_id) = (b.updated_at, b.platform, b.platform_id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.repositories_updated k where k.block = b.block;
    delete from lists.repositories_updated_facets f where f.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.repositories_updated deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 8192 or new.rows = 0)) execute function lists.repositories_updated_cut();
create index repositories_by_name on repositories (name, platform, platform_id) include (facet, search_name) where is_public;
create table lists.repositories_name (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  name text collate "C" not null default '',
  platform text collate "C" not null default '',
  platform_id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, name, platform, platform_id)
) with (fillfactor = 70);
create table lists.repositories_name_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  primary key (block, facet) include (rows)
) with (fillfactor = 70);
create function lists.repositories_name_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.repositories_name_facets f using lists.repositories_name k where k.parent = of and (k.level = 1 or k.rows = 0) and f.block = k.block;
  delete from lists.repositories_name k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.name, k.platform, k.platform_id) <> ('', '', ''));
  insert into lists.repositories_name (parent, level, name, platform, platform_id, rows, blocks)
  select of, 1, (array_agg(k.name order by k.place))[1], (array_agg(k.platform order by k.place))[1], (array_agg(k.platform_id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.name, k.platform, k.platform_id) - 1 as place
    from lists.repositories_name k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 32;
  insert into lists.repositories_name_facets (block, facet, rows)
  select u.block, f.facet, sum(f.rows)
  from lists.repositories_name k
  cross join lateral (
      select s.block
      from lists.repositories_name s
      where s.parent = k.parent and s.level = 1 and (s.name, s.platform, s.platform_id) <= (k.name, k.platform, k.platform_id)
      order by s.name desc, s.platform desc, s.platform_id desc
      limit 1
  ) u
  join lists.repositories_name_facets f on f.block = k.block
  where k.parent = of and k.level = 0
  group by u.block, f.facet;
end
$$;
create function lists.repositories_name_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.repositories_name;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.repositories_name k where k.block = new.block;
  if b.rows > 8192 then
    insert into lists.repositories_name (parent, level, name, platform, platform_id, rows)
    select b.parent, 0, r.name, r.platform, r.platform_id, least(4096, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.name, r.platform, r.platform_id) - 1 as place
      from (
      select name, platform, platform_id
      from repositories
      where is_public
        and (name, platform, platform_id) >= (b.name, b.platform, b.platform_id)
      order by name, platform, platform_id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 4096 = 0;
    get diagnostics made = row_count;
    update lists.repositories_name k set rows = 4096 where k.block = b.block;
    delete from lists.repositories_name_facets f where f.block = b.block;
    insert into lists.repositories_name_facets (block, facet, rows)
    select k.block, r.facet, count(*)
    from (
      select * from lists.repositories_name k
      where k.parent = b.parent and k.level = 0 and (k.name, k.platform, k.platform_id) >= (b.name, b.platform, b.platform_id)
      order by k.name, k.platform, k.platform_id
      limit made + 1
    ) k
    cross join lateral (
      select facet as facet
      from repositories
      where is_public
        and (name, platform, platform_id) >= (k.name, k.platform, k.platform_id)
      order by name, platform, platform_id
      limit k.rows
    ) r
    where (select t.is_by_facet from lists.repositories t where t.parent = b.parent and t.facet = 0)
    group by k.block, r.facet;
    update lists.repositories_name u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.repositories_name s
      where s.parent = b.parent and s.level = 1 and (s.name, s.platform, s.platform_id) <= (b.name, b.platform, b.platform_id)
      order by s.name desc, s.platform desc, s.platform_id desc
      limit 1
    ) returning u.blocks into below;
    if below > 64 then
      perform lists.repositories_name_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.repositories_name u where u.parent = b.parent and u.level = 1 and (u.name, u.platform, u.platform_id) = (b.name, b.platform, b.platform_id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.repositories_name k where k.block = b.block;
    delete from lists.repositories_name_facets f where f.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.repositories_name deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 8192 or new.rows = 0)) execute function lists.repositories_name_cut();
create index repositories_by_owner on repositories (owner, platform, platform_id) include (facet, search_name) where is_public;
create table lists.repositories_owner (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
  owner text collate "C" not null default '',
  platform text collate "C" not null default '',
  platform_id text collate "C" not null default '',
  rows integer not null,
  blocks integer not null default 0, -- of level 0 in one of level 1
  unique (parent, level, owner, platform, platform_id)
) with (fillfactor = 70);
create table lists.repositories_owner_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  primary key (block, facet) include (rows)
) with (fillfactor = 70);
create function lists.repositories_owner_group(of text) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.repositories_owner_facets f using lists.repositories_owner k where k.parent = of and (k.level = 1 or k.rows = 0) and f.block = k.block;
  delete from lists.repositories_owner k where k.parent = of and (k.level = 1 or k.rows = 0 and (k.owner, k.platform, k.platform_id) <> ('', '', ''));
  insert into lists.repositories_owner (parent, level, owner, platform, platform_id, rows, blocks)
  select of, 1, (array_agg(k.owner order by k.place))[1], (array_agg(k.platform order by k.place))[1], (array_agg(k.platform_id order by k.place))[1], sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by k.owner, k.platform, k.platform_id) - 1 as place
    from lists.repositories_owner k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / 32;
  insert into lists.repositories_owner_facets (block, facet, rows)
  select u.block, f.facet, sum(f.rows)
  from lists.repositories_owner k
  cross join lateral (
      select s.block
      from lists.repositories_owner s
      where s.parent = k.parent and s.level = 1 and (s.owner, s.platform, s.platform_id) <= (k.owner, k.platform, k.platform_id)
      order by s.owner desc, s.platform desc, s.platform_id desc
      limit 1
  ) u
  join lists.repositories_owner_facets f on f.block = k.block
  where k.parent = of and k.level = 0
  group by u.block, f.facet;
end
$$;
create function lists.repositories_owner_cut() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  b lists.repositories_owner;
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from lists.repositories_owner k where k.block = new.block;
  if b.rows > 8192 then
    insert into lists.repositories_owner (parent, level, owner, platform, platform_id, rows)
    select b.parent, 0, r.owner, r.platform, r.platform_id, least(4096, b.rows - r.place)
    from (
      select r.*, row_number() over (order by r.owner, r.platform, r.platform_id) - 1 as place
      from (
      select owner, platform, platform_id
      from repositories
      where is_public
        and (owner, platform, platform_id) >= (b.owner, b.platform, b.platform_id)
      order by owner, platform, platform_id
      limit b.rows
      ) r
    ) r
    where r.place > 0 and r.place % 4096 = 0;
    get diagnostics made = row_count;
    update lists.repositories_owner k set rows = 4096 where k.block = b.block;
    delete from lists.repositories_owner_facets f where f.block = b.block;
    insert into lists.repositories_owner_facets (block, facet, rows)
    select k.block, r.facet, count(*)
    from (
      select * from lists.repositories_owner k
      where k.parent = b.parent and k.level = 0 and (k.owner, k.platform, k.platform_id) >= (b.owner, b.platform, b.platform_id)
      order by k.owner, k.platform, k.platform_id
      limit made + 1
    ) k
    cross join lateral (
      select facet as facet
      from repositories
      where is_public
        and (owner, platform, platform_id) >= (k.owner, k.platform, k.platform_id)
      order by owner, platform, platform_id
      limit k.rows
    ) r
    where (select t.is_by_facet from lists.repositories t where t.parent = b.parent and t.facet = 0)
    group by k.block, r.facet;
    update lists.repositories_owner u set blocks = u.blocks + made where u.block = (
      select s.block
      from lists.repositories_owner s
      where s.parent = b.parent and s.level = 1 and (s.owner, s.platform, s.platform_id) <= (b.owner, b.platform, b.platform_id)
      order by s.owner desc, s.platform desc, s.platform_id desc
      limit 1
    ) returning u.blocks into below;
    if below > 64 then
      perform lists.repositories_owner_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from lists.repositories_owner u where u.parent = b.parent and u.level = 1 and (u.owner, u.platform, u.platform_id) = (b.owner, b.platform, b.platform_id)
  ) then
    -- The one before it goes on in its place. The first of a group stays: the group begins there.
    delete from lists.repositories_owner k where k.block = b.block;
    delete from lists.repositories_owner_facets f where f.block = b.block;
  end if;
  return null;
end
$$;
create constraint trigger cut after update on lists.repositories_owner deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > 8192 or new.rows = 0)) execute function lists.repositories_owner_cut();
create function lists.repositories_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.repositories;
  made integer;
begin
  perform lists.at_commit_only();
  update lists.repositories t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and t.is_long <> (t.rows > case when t.is_long then 4096 else 8192 end)
  returning * into whole;
  if found then
    delete from lists.repositories_created_facets f using lists.repositories_created k where k.parent = new.parent and f.block = k.block;
    delete from lists.repositories_created k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.repositories_created (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.repositories_created_facets (block, facet, rows)
      select made, f.facet, f.rows from lists.repositories f where f.parent = new.parent and f.facet <> 0 and whole.is_by_facet;
      insert into lists.repositories_created (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.repositories_created k set rows = whole.rows where k.block = made; -- to be cut
    end if;
    delete from lists.repositories_updated_facets f using lists.repositories_updated k where k.parent = new.parent and f.block = k.block;
    delete from lists.repositories_updated k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.repositories_updated (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.repositories_updated_facets (block, facet, rows)
      select made, f.facet, f.rows from lists.repositories f where f.parent = new.parent and f.facet <> 0 and whole.is_by_facet;
      insert into lists.repositories_updated (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.repositories_updated k set rows = whole.rows where k.block = made; -- to be cut
    end if;
    delete from lists.repositories_name_facets f using lists.repositories_name k where k.parent = new.parent and f.block = k.block;
    delete from lists.repositories_name k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.repositories_name (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.repositories_name_facets (block, facet, rows)
      select made, f.facet, f.rows from lists.repositories f where f.parent = new.parent and f.facet <> 0 and whole.is_by_facet;
      insert into lists.repositories_name (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.repositories_name k set rows = whole.rows where k.block = made; -- to be cut
    end if;
    delete from lists.repositories_owner_facets f using lists.repositories_owner k where k.parent = new.parent and f.block = k.block;
    delete from lists.repositories_owner k where k.parent = new.parent;
    if whole.is_long then
      insert into lists.repositories_owner (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;
      insert into lists.repositories_owner_facets (block, facet, rows)
      select made, f.facet, f.rows from lists.repositories f where f.parent = new.parent and f.facet <> 0 and whole.is_by_facet;
      insert into lists.repositories_owner (parent, level, rows) values (new.parent, 0, 0) returning block into made;
      update lists.repositories_owner k set rows = whole.rows where k.block = made; -- to be cut
    end if;
  end if;
  delete from lists.repositories t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.repositories deferrable initially deferred for each row
  when (new.rows = 0 or (new.facet = 0 and new.is_long <> (new.rows > case when new.is_long then 4096 else 8192 end)))
  execute function lists.repositories_resize();
create function lists.keep_repositories_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.repositories as t (parent, facet, category, ecosystem, importance, platform, status, rows)
  select c.parent, coalesce(c.facet, 0), c.category, c.ecosystem, c.importance, c.platform, c.status, sum(c.n)
  from (select ''::text as parent, facet as facet, category, ecosystem, importance, platform, status, 1 as n from new_rows where is_public) c
  group by grouping sets ((c.parent, c.facet, c.category, c.ecosystem, c.importance, c.platform, c.status), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet, category, ecosystem, importance, platform, status) do update set rows = t.rows + excluded.rows;
  update lists.repositories t set is_by_facet = false
  where t.facet = 0 and t.is_by_facet and (select count(*) from lists.repositories f where f.rows <> 0) > 2000;
  if found then
    delete from lists.repositories_created_facets;
    delete from lists.repositories_updated_facets;
    delete from lists.repositories_name_facets;
    delete from lists.repositories_owner_facets;
  end if;
  with r as materialized (select ''::text as parent, facet as facet, created_at, platform, platform_id, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.platform, s.platform_id, row_number() over (partition by p.parent order by s.created_at, s.platform, s.platform_id) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.repositories_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.platform, s.platform_id) <= (p.low, '', '')
      order by s.created_at desc, s.platform desc, s.platform_id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.repositories_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.platform, s.platform_id) >= (l.created_at, l.platform, l.platform_id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.platform, x.platform_id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.platform, r.platform_id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.platform, b.platform_id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.repositories_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.repositories_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.platform, s.platform_id) <= (k.created_at, k.platform, k.platform_id)
      order by s.created_at desc, s.platform desc, s.platform_id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.repositories_created_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.repositories t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.repositories_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (select ''::text as parent, facet as facet, updated_at, platform, platform_id, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.updated_at, s.platform, s.platform_id, row_number() over (partition by p.parent order by s.updated_at, s.platform, s.platform_id) as place
    from (select r.parent, min(r.updated_at) as low, max(r.updated_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.repositories_updated s
      where s.parent = p.parent and s.level = 0 and (s.updated_at, s.platform, s.platform_id) <= (p.low, '', '')
      order by s.updated_at desc, s.platform desc, s.platform_id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.repositories_updated s
      where s.parent = p.parent and s.level = 0 and s.updated_at <= p.high
        and (s.updated_at, s.platform, s.platform_id) >= (l.updated_at, l.platform, l.platform_id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.updated_at, x.platform, x.platform_id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.updated_at, r.platform, r.platform_id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.updated_at, b.platform, b.platform_id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.repositories_updated k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.repositories_updated s
      where s.parent = k.parent and s.level = 1 and (s.updated_at, s.platform, s.platform_id) <= (k.updated_at, k.platform, k.platform_id)
      order by s.updated_at desc, s.platform desc, s.platform_id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.repositories_updated_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.repositories t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.repositories_updated b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (select ''::text as parent, facet as facet, name, platform, platform_id, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.name, s.platform, s.platform_id, row_number() over (partition by p.parent order by s.name, s.platform, s.platform_id) as place
    from (select r.parent, min(r.name) as low, max(r.name) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.repositories_name s
      where s.parent = p.parent and s.level = 0 and (s.name, s.platform, s.platform_id) <= (p.low, '', '')
      order by s.name desc, s.platform desc, s.platform_id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.repositories_name s
      where s.parent = p.parent and s.level = 0 and s.name <= p.high
        and (s.name, s.platform, s.platform_id) >= (l.name, l.platform, l.platform_id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.name, x.platform, x.platform_id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.name, r.platform, r.platform_id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.name, b.platform, b.platform_id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.repositories_name k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.repositories_name s
      where s.parent = k.parent and s.level = 1 and (s.name, s.platform, s.platform_id) <= (k.name, k.platform, k.platform_id)
      order by s.name desc, s.platform desc, s.platform_id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.repositories_name_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.repositories t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.repositories_name b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (select ''::text as parent, facet as facet, owner, platform, platform_id, 1 as n from new_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.owner, s.platform, s.platform_id, row_number() over (partition by p.parent order by s.owner, s.platform, s.platform_id) as place
    from (select r.parent, min(r.owner) as low, max(r.owner) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.repositories_owner s
      where s.parent = p.parent and s.level = 0 and (s.owner, s.platform, s.platform_id) <= (p.low, '', '')
      order by s.owner desc, s.platform desc, s.platform_id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.repositories_owner s
      where s.parent = p.parent and s.level = 0 and s.owner <= p.high
        and (s.owner, s.platform, s.platform_id) >= (l.owner, l.platform, l.platform_id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.owner, x.platform, x.platform_id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.owner, r.platform, r.platform_id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.owner, b.platform, b.platform_id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.repositories_owner k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.repositories_owner s
      where s.parent = k.parent and s.level = 1 and (s.owner, s.platform, s.platform_id) <= (k.owner, k.platform, k.platform_id)
      order by s.owner desc, s.platform desc, s.platform_id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.repositories_owner_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.repositories t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.repositories_owner b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_repositories_insert after insert on repositories referencing new table as new_rows
  for each statement execute function lists.keep_repositories_insert();
create function lists.keep_repositories_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, category, ecosystem, importance, platform, status, created_at, updated_at, name, owner, platform_id, sum(n) as n
      from (select ''::text as parent, facet as facet, category, ecosystem, importance, platform, status, created_at, updated_at, name, owner, platform_id, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, category, ecosystem, importance, platform, status, created_at, updated_at, name, owner, platform_id, -1 as n from old_rows where is_public) b
      group by parent, facet, category, ecosystem, importance, platform, status, created_at, updated_at, name, owner, platform_id
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.repositories as t (parent, facet, category, ecosystem, importance, platform, status, rows)
  select c.parent, coalesce(c.facet, 0), c.category, c.ecosystem, c.importance, c.platform, c.status, sum(c.n)
  from (
      select parent, facet, category, ecosystem, importance, platform, status, sum(n) as n
      from (select ''::text as parent, facet as facet, category, ecosystem, importance, platform, status, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, category, ecosystem, importance, platform, status, -1 as n from old_rows where is_public) b
      group by parent, facet, category, ecosystem, importance, platform, status
      having sum(n) <> 0) c
  group by grouping sets ((c.parent, c.facet, c.category, c.ecosystem, c.importance, c.platform, c.status), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet, category, ecosystem, importance, platform, status) do update set rows = t.rows + excluded.rows;
  update lists.repositories t set is_by_facet = false
  where t.facet = 0 and t.is_by_facet and (select count(*) from lists.repositories f where f.rows <> 0) > 2000;
  if found then
    delete from lists.repositories_created_facets;
    delete from lists.repositories_updated_facets;
    delete from lists.repositories_name_facets;
    delete from lists.repositories_owner_facets;
  end if;
  with r as materialized (
      select parent, facet, created_at, platform, platform_id, sum(n) as n
      from (select ''::text as parent, facet as facet, created_at, platform, platform_id, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, created_at, platform, platform_id, -1 as n from old_rows where is_public) b
      group by parent, facet, created_at, platform, platform_id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.platform, s.platform_id, row_number() over (partition by p.parent order by s.created_at, s.platform, s.platform_id) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.repositories_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.platform, s.platform_id) <= (p.low, '', '')
      order by s.created_at desc, s.platform desc, s.platform_id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.repositories_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.platform, s.platform_id) >= (l.created_at, l.platform, l.platform_id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.platform, x.platform_id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.platform, r.platform_id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.platform, b.platform_id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.repositories_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.repositories_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.platform, s.platform_id) <= (k.created_at, k.platform, k.platform_id)
      order by s.created_at desc, s.platform desc, s.platform_id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.repositories_created_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.repositories t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.repositories_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (
      select parent, facet, updated_at, platform, platform_id, sum(n) as n
      from (select ''::text as parent, facet as facet, updated_at, platform, platform_id, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, updated_at, platform, platform_id, -1 as n from old_rows where is_public) b
      group by parent, facet, updated_at, platform, platform_id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.updated_at, s.platform, s.platform_id, row_number() over (partition by p.parent order by s.updated_at, s.platform, s.platform_id) as place
    from (select r.parent, min(r.updated_at) as low, max(r.updated_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.repositories_updated s
      where s.parent = p.parent and s.level = 0 and (s.updated_at, s.platform, s.platform_id) <= (p.low, '', '')
      order by s.updated_at desc, s.platform desc, s.platform_id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.repositories_updated s
      where s.parent = p.parent and s.level = 0 and s.updated_at <= p.high
        and (s.updated_at, s.platform, s.platform_id) >= (l.updated_at, l.platform, l.platform_id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.updated_at, x.platform, x.platform_id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.updated_at, r.platform, r.platform_id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.updated_at, b.platform, b.platform_id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.repositories_updated k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.repositories_updated s
      where s.parent = k.parent and s.level = 1 and (s.updated_at, s.platform, s.platform_id) <= (k.updated_at, k.platform, k.platform_id)
      order by s.updated_at desc, s.platform desc, s.platform_id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.repositories_updated_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.repositories t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.repositories_updated b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (
      select parent, facet, name, platform, platform_id, sum(n) as n
      from (select ''::text as parent, facet as facet, name, platform, platform_id, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, name, platform, platform_id, -1 as n from old_rows where is_public) b
      group by parent, facet, name, platform, platform_id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.name, s.platform, s.platform_id, row_number() over (partition by p.parent order by s.name, s.platform, s.platform_id) as place
    from (select r.parent, min(r.name) as low, max(r.name) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.repositories_name s
      where s.parent = p.parent and s.level = 0 and (s.name, s.platform, s.platform_id) <= (p.low, '', '')
      order by s.name desc, s.platform desc, s.platform_id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.repositories_name s
      where s.parent = p.parent and s.level = 0 and s.name <= p.high
        and (s.name, s.platform, s.platform_id) >= (l.name, l.platform, l.platform_id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.name, x.platform, x.platform_id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.name, r.platform, r.platform_id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.name, b.platform, b.platform_id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.repositories_name k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.repositories_name s
      where s.parent = k.parent and s.level = 1 and (s.name, s.platform, s.platform_id) <= (k.name, k.platform, k.platform_id)
      order by s.name desc, s.platform desc, s.platform_id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.repositories_name_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.repositories t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.repositories_name b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (
      select parent, facet, owner, platform, platform_id, sum(n) as n
      from (select ''::text as parent, facet as facet, owner, platform, platform_id, 1 as n from new_rows where is_public union all select ''::text as parent, facet as facet, owner, platform, platform_id, -1 as n from old_rows where is_public) b
      group by parent, facet, owner, platform, platform_id
      having sum(n) <> 0),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.owner, s.platform, s.platform_id, row_number() over (partition by p.parent order by s.owner, s.platform, s.platform_id) as place
    from (select r.parent, min(r.owner) as low, max(r.owner) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.repositories_owner s
      where s.parent = p.parent and s.level = 0 and (s.owner, s.platform, s.platform_id) <= (p.low, '', '')
      order by s.owner desc, s.platform desc, s.platform_id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.repositories_owner s
      where s.parent = p.parent and s.level = 0 and s.owner <= p.high
        and (s.owner, s.platform, s.platform_id) >= (l.owner, l.platform, l.platform_id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.owner, x.platform, x.platform_id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.owner, r.platform, r.platform_id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.owner, b.platform, b.platform_id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.repositories_owner k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.repositories_owner s
      where s.parent = k.parent and s.level = 1 and (s.owner, s.platform, s.platform_id) <= (k.owner, k.platform, k.platform_id)
      order by s.owner desc, s.platform desc, s.platform_id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.repositories_owner_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.repositories t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.repositories_owner b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_repositories_update after update on repositories referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_repositories_update();
create function lists.keep_repositories_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.repositories as t (parent, facet, category, ecosystem, importance, platform, status, rows)
  select c.parent, coalesce(c.facet, 0), c.category, c.ecosystem, c.importance, c.platform, c.status, sum(c.n)
  from (select ''::text as parent, facet as facet, category, ecosystem, importance, platform, status, -1 as n from old_rows where is_public) c
  group by grouping sets ((c.parent, c.facet, c.category, c.ecosystem, c.importance, c.platform, c.status), (c.parent))
  having sum(c.n) <> 0
  on conflict (parent, facet, category, ecosystem, importance, platform, status) do update set rows = t.rows + excluded.rows;
  with r as materialized (select ''::text as parent, facet as facet, created_at, platform, platform_id, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.created_at, s.platform, s.platform_id, row_number() over (partition by p.parent order by s.created_at, s.platform, s.platform_id) as place
    from (select r.parent, min(r.created_at) as low, max(r.created_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.repositories_created s
      where s.parent = p.parent and s.level = 0 and (s.created_at, s.platform, s.platform_id) <= (p.low, '', '')
      order by s.created_at desc, s.platform desc, s.platform_id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.repositories_created s
      where s.parent = p.parent and s.level = 0 and s.created_at <= p.high
        and (s.created_at, s.platform, s.platform_id) >= (l.created_at, l.platform, l.platform_id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.created_at, x.platform, x.platform_id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.created_at, r.platform, r.platform_id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.created_at, b.platform, b.platform_id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.repositories_created k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.repositories_created s
      where s.parent = k.parent and s.level = 1 and (s.created_at, s.platform, s.platform_id) <= (k.created_at, k.platform, k.platform_id)
      order by s.created_at desc, s.platform desc, s.platform_id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.repositories_created_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.repositories t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.repositories_created b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (select ''::text as parent, facet as facet, updated_at, platform, platform_id, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.updated_at, s.platform, s.platform_id, row_number() over (partition by p.parent order by s.updated_at, s.platform, s.platform_id) as place
    from (select r.parent, min(r.updated_at) as low, max(r.updated_at) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.repositories_updated s
      where s.parent = p.parent and s.level = 0 and (s.updated_at, s.platform, s.platform_id) <= (p.low, '', '')
      order by s.updated_at desc, s.platform desc, s.platform_id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.repositories_updated s
      where s.parent = p.parent and s.level = 0 and s.updated_at <= p.high
        and (s.updated_at, s.platform, s.platform_id) >= (l.updated_at, l.platform, l.platform_id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.updated_at, x.platform, x.platform_id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.updated_at, r.platform, r.platform_id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.updated_at, b.platform, b.platform_id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.repositories_updated k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.repositories_updated s
      where s.parent = k.parent and s.level = 1 and (s.updated_at, s.platform, s.platform_id) <= (k.updated_at, k.platform, k.platform_id)
      order by s.updated_at desc, s.platform desc, s.platform_id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.repositories_updated_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.repositories t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.repositories_updated b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (select ''::text as parent, facet as facet, name, platform, platform_id, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.name, s.platform, s.platform_id, row_number() over (partition by p.parent order by s.name, s.platform, s.platform_id) as place
    from (select r.parent, min(r.name) as low, max(r.name) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.repositories_name s
      where s.parent = p.parent and s.level = 0 and (s.name, s.platform, s.platform_id) <= (p.low, '', '')
      order by s.name desc, s.platform desc, s.platform_id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.repositories_name s
      where s.parent = p.parent and s.level = 0 and s.name <= p.high
        and (s.name, s.platform, s.platform_id) >= (l.name, l.platform, l.platform_id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.name, x.platform, x.platform_id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.name, r.platform, r.platform_id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.name, b.platform, b.platform_id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.repositories_name k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.repositories_name s
      where s.parent = k.parent and s.level = 1 and (s.name, s.platform, s.platform_id) <= (k.name, k.platform, k.platform_id)
      order by s.name desc, s.platform desc, s.platform_id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.repositories_name_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.repositories t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.repositories_name b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  with r as materialized (select ''::text as parent, facet as facet, owner, platform, platform_id, -1 as n from old_rows where is_public),
  -- The blocks among which they stand, numbered; each row belongs to the last one before it.
  b as materialized (
    select p.parent, s.block, s.owner, s.platform, s.platform_id, row_number() over (partition by p.parent order by s.owner, s.platform, s.platform_id) as place
    from (select r.parent, min(r.owner) as low, max(r.owner) as high from r group by r.parent) p
    cross join lateral (
      select *
      from lists.repositories_owner s
      where s.parent = p.parent and s.level = 0 and (s.owner, s.platform, s.platform_id) <= (p.low, '', '')
      order by s.owner desc, s.platform desc, s.platform_id desc
      limit 1
    ) l
    cross join lateral (
      select * from lists.repositories_owner s
      where s.parent = p.parent and s.level = 0 and s.owner <= p.high
        and (s.owner, s.platform, s.platform_id) >= (l.owner, l.platform, l.platform_id)
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by x.owner, x.platform, x.platform_id, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, r.owner, r.platform, r.platform_id, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, b.owner, b.platform, b.platform_id, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from lists.repositories_owner k where k.block = b.block limit 1) k
      cross join lateral (
      select s.block
      from lists.repositories_owner s
      where s.parent = k.parent and s.level = 1 and (s.owner, s.platform, s.platform_id) <= (k.owner, k.platform, k.platform_id)
      order by s.owner desc, s.platform desc, s.platform_id desc
      limit 1
      ) u
    ) u on u.block = c.block
  ),
  f as (
    insert into lists.repositories_owner_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.repositories t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )
  update lists.repositories_owner b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;
  return null;
end
$$;
create trigger keep_repositories_delete after delete on repositories referencing old table as old_rows
  for each statement execute function lists.keep_repositories_delete();
create trigger keep_repositories_truncate after truncate on repositories
  for each statement execute function lists.recount('repositories');

-- supporters: rows of contest_submission_supporters by submission_id
create table lists.supporters (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
  primary key (parent, facet)
) with (fillfactor = 70);
create function lists.supporters_recount() returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.supporters;
  insert into lists.supporters as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), count(*)
  from (select submission_id::text as parent, 0::bigint as facet from contest_submission_supporters where true) c
  group by c.parent, c.facet
  having count(*) <> 0;
end
$$;
create function lists.supporters_resize() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  whole lists.supporters;
  made integer;
begin
  perform lists.at_commit_only();
  delete from lists.supporters t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end
$$;
create constraint trigger resize after insert or update on lists.supporters deferrable initially deferred for each row
  when (new.rows = 0)
  execute function lists.supporters_resize();
create function lists.keep_supporters_insert() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.supporters as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select submission_id::text as parent, 0::bigint as facet, 1 as n from new_rows where true) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  return null;
end
$$;
create trigger keep_supporters_insert after insert on contest_submission_supporters referencing new table as new_rows
  for each statement execute function lists.keep_supporters_insert();
create function lists.keep_supporters_update() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  if not exists (
      select parent, facet, sum(n) as n
      from (select submission_id::text as parent, 0::bigint as facet, 1 as n from new_rows where true union all select submission_id::text as parent, 0::bigint as facet, -1 as n from old_rows where true) b
      group by parent, facet
      having sum(n) <> 0
  ) then
    return null;
  end if;
  insert into lists.supporters as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (
      select parent, facet, sum(n) as n
      from (select submission_id::text as parent, 0::bigint as facet, 1 as n from new_rows where true union all select submission_id::text as parent, 0::bigint as facet, -1 as n from old_rows where true) b
      group by parent, facet
      having sum(n) <> 0) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  return null;
end
$$;
create trigger keep_supporters_update after update on contest_submission_supporters referencing old table as old_rows new table as new_rows
  for each statement execute function lists.keep_supporters_update();
create function lists.keep_supporters_delete() returns trigger
language plpgsql
set search_path = public, pg_temp set jit = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  insert into lists.supporters as t (parent, facet, rows)
  select c.parent, coalesce(c.facet, 0), sum(c.n)
  from (select submission_id::text as parent, 0::bigint as facet, -1 as n from old_rows where true) c
  group by c.parent, c.facet
  having sum(c.n) <> 0
  on conflict (parent, facet) do update set rows = t.rows + excluded.rows;
  return null;
end
$$;
create trigger keep_supporters_delete after delete on contest_submission_supporters referencing old table as old_rows
  for each statement execute function lists.keep_supporters_delete();
create trigger keep_supporters_truncate after truncate on contest_submission_supporters
  for each statement execute function lists.recount('supporters');
