-- Maintained values that are not lists: whether badges and the parents of rows are public, takedown flags, numbers of holders, week ranks, and
-- the rows of lists by topic and track. Also the limits that span rows (gap G15). All of it under the writer lock.

-- Between an insert and the triggers below that hide the row again, it looks public. The log of public changes (0006)
-- therefore ignores what these triggers write to the table that they correct, and looks at its rows after them. Returns
-- the table that was being corrected before.
create function begin_correction(of_table text) returns text
language sql
as $$
  select coalesce(current_setting('commonhall.correction', true), '') || left(set_config('commonhall.correction', of_table, true), 0)
$$;

-- A badge in a timeline is public while the collection it names is (gap G13); one that names none always is.
create function maintain_badges() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  outer_correction text := begin_correction('timeline_items');
begin
  -- The update below fires this trigger again; that ends when no such row is left.
  if exists (select from new_rows where collection_key is not null or not is_badge_public) then
    update timeline_items t set is_badge_public = v.is_public
    from (
      select n.user_id, n.id, n.collection_key is null or exists (
        select from collections c where c.address_key = n.collection_key and c.is_public
      ) as is_public
      from new_rows n
      where n.collection_key is not null or not n.is_badge_public
    ) v
    where t.user_id = v.user_id and t.id = v.id and t.is_badge_public <> v.is_public;
  end if;
  perform begin_correction(outer_correction);
  return null;
end
$$;
select call_after('insert update', 'timeline_items', 'maintain_badges');

create function flip_badges(keys text[]) returns void
language sql
set search_path = public, pg_temp
begin atomic
  update timeline_items t set is_badge_public = not t.is_badge_public
  where t.collection_key = any (keys)
    and t.is_badge_public <> exists (select from collections c where c.address_key = t.collection_key and c.is_public);
end;

create function flip_holders(addresses text[]) returns void
language sql
set search_path = public, pg_temp
begin atomic
  update collection_holders h set is_collection_public = c.is_public
  from collections c
  where c.address = any (addresses) and h.collection_address = c.address and h.is_collection_public <> c.is_public;
end;

-- The page of a user has badges of public collections, and submissions of public bounties that show them: a new row is
-- corrected if its parent is hidden. As above, the update fires the trigger again.
create function maintain_holders() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  if exists (
    select from new_rows n join collections c on c.address = n.collection_address
    where c.is_public <> n.is_collection_public
  ) then
    update collection_holders h set is_collection_public = c.is_public
    from new_rows n
    join collections c on c.address = n.collection_address
    where h.user_id = n.user_id and h.collection_address = n.collection_address and h.is_collection_public <> c.is_public;
  end if;
  return null;
end
$$;
select call_after('insert update', 'collection_holders', 'maintain_holders');
create function maintain_submissions() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  if exists (
    select from new_rows n join bounties b on b.id = n.bounty_id
    where (b.is_public and b.submissions_visible) <> n.is_bounty_open
  ) then
    update bounty_submissions s set is_bounty_open = b.is_public and b.submissions_visible
    from new_rows n
    join bounties b on b.id = n.bounty_id
    where s.id = n.id and s.is_bounty_open <> (b.is_public and b.submissions_visible);
  end if;
  return null;
end
$$;
select call_after('insert update', 'bounty_submissions', 'maintain_submissions');
-- When a bounty is hidden or shown, its submissions follow.
create function follow_bounties() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  ids text[];
begin
  select array_agg(c.id) into ids from (
    select id
    from (
      select id from new_rows where is_public and submissions_visible
      union all
      select id from old_rows where is_public and submissions_visible
    ) b
    group by id
    having count(*) = 1
  ) c;
  if ids is not null then
    update bounty_submissions s set is_bounty_open = not s.is_bounty_open
    from bounties b
    where b.id = any (ids) and s.bounty_id = b.id and s.is_bounty_open <> (b.is_public and b.submissions_visible);
  end if;
  return null;
end
$$;
select call_after('update', 'bounties', 'follow_bounties');

-- Shows the next holders or badges of a collection in steps. One step is one transaction, so that other writers come
-- between. Returns whether it may have left something.
create function show_some(most integer) returns boolean
language plpgsql
set search_path = public, pg_temp
as $$
declare
  next_one record;
  shown bigint := 0;
  repair text := coalesce(current_setting('commonhall.repair', true), '');
begin
  if not exists (select from lists.collections_in_steps) then
    return false;
  end if;
  perform take_writer_lock();
  select s.address, c.address_key, c.is_public into next_one
  from lists.collections_in_steps s
  left join collections c using (address)
  order by s.address
  limit 1;
  if not found then
    return false;
  end if;
  perform set_config('commonhall.repair', 'on', true); -- else only triggers may write what is maintained
  if next_one.is_public then
    update collection_holders h set is_collection_public = true
    from (
      select user_id from collection_holders
      where collection_address = next_one.address and not is_collection_public
      limit most
    ) n
    where h.user_id = n.user_id and h.collection_address = next_one.address;
    get diagnostics shown = row_count;
    if shown = 0 then
      update timeline_items t set is_badge_public = true
      from (
        select user_id, id from timeline_items
        where collection_key = next_one.address_key and not is_badge_public
        limit most
      ) n
      where t.user_id = n.user_id and t.id = n.id;
      get diagnostics shown = row_count;
    end if;
  end if;
  if shown = 0 then
    delete from lists.collections_in_steps where address = next_one.address;
  end if;
  perform set_config('commonhall.repair', repair, true);
  return true;
end
$$;

-- Of collections that were shown or hidden: whose holders and badges follow now. Those of a large collection that is shown
-- again follow in steps, if the session takes them: `commonhall` does, any other SQL gets everything in its transaction.
create function follow_at_once(changed text[]) returns setof text
language plpgsql
set search_path = public, pg_temp
as $$
begin
  delete from lists.collections_in_steps where address = any (changed);
  if current_setting('commonhall.in_steps', true) = 'on' then
    insert into lists.collections_in_steps (address)
    select s.address from lists.collection_sizes s
    where s.address = any (changed) and s.is_public and s.holders > 5000;
  end if;
  return query select unnest(changed) except select address from lists.collections_in_steps;
end
$$;

-- When a collection is added, removed or changed, its badges, holders and its row in lists.collection_sizes follow.
create function follow_collections() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  addresses text[];
  keys text[];
begin
  if tg_op = 'TRUNCATE' then
    delete from lists.collection_sizes;
    delete from lists.collections_in_steps;
    update timeline_items set is_badge_public = false where collection_key is not null and is_badge_public;
  elsif tg_op = 'DELETE' then
    -- One statement may delete a row and insert another with its key.
    delete from lists.collection_sizes s using old_rows o
    where s.address = o.address and not exists (select from collections c where c.address = o.address);
    delete from lists.collections_in_steps s where not exists (select from collections c where c.address = s.address);
    perform flip_badges(array(select o.address_key from old_rows o where o.is_public));
  else
    if tg_op = 'UPDATE' then
      -- Not by a join of the two: a session caches the plan for one row, which takes quadratic time for many.
      delete from lists.collection_sizes s using (select address from old_rows except select address from new_rows) o
      where s.address = o.address;
    end if;
    -- From the table and not from new_rows: a trigger may have changed the row since.
    insert into lists.collection_sizes as s (address, facet, is_public)
    select c.address, c.facet, c.is_public
    from new_rows n
    join collections c on c.address = n.address
    on conflict (address) do update set facet = excluded.facet, is_public = excluded.is_public
    where (s.facet, s.is_public) <> (excluded.facet, excluded.is_public);
    if tg_op = 'INSERT' then
      perform flip_badges(array(select n.address_key from new_rows n where n.is_public));
    else
      select array_agg(c.address), array_agg(c.address_key) into addresses, keys
      from (
        select address, address_key
        from (select * from new_rows where is_public union all select * from old_rows where is_public) b
        group by 1, 2
        having count(*) = 1
      ) c;
      if addresses is not null then
        perform flip_badges(array_agg(c.key)), flip_holders(array_agg(c.address))
        from unnest(addresses, keys) c (address, key)
        where c.address in (select follow_at_once(addresses))
        having count(*) > 0;
      end if;
    end if;
  end if;
  return null;
end
$$;
select call_after('insert update delete truncate', 'collections', 'follow_collections');

-- Adds differences to the numbers of holders. A number may come before its collection, when one statement writes both
-- or a new address cascades: follow_collections then completes the row.
create function add_holders(addresses text[], numbers bigint[]) returns void
language plpgsql
set search_path = public, pg_temp
as $$
declare
  updated bigint;
begin
  update lists.collection_sizes s set holders = s.holders + c.n
  from unnest(addresses, numbers) c (address, n)
  where s.address = c.address;
  get diagnostics updated = row_count;
  if updated < cardinality(addresses) then
    insert into lists.collection_sizes (address, holders, facet, is_public)
    select c.address, c.n, 0, false
    from unnest(addresses, numbers) c (address, n)
    where c.n > 0 and not exists (select from lists.collection_sizes s where s.address = c.address);
  end if;
end
$$;

create function maintain_sizes() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  if tg_op = 'TRUNCATE' then
    update lists.collection_sizes set holders = 0 where holders <> 0;
  elsif tg_op = 'INSERT' then
    perform add_holders(array_agg(c.address), array_agg(c.n))
    from (select collection_address::text as address, count(*) as n from new_rows group by 1) c;
  elsif tg_op = 'DELETE' then
    perform add_holders(array_agg(c.address), array_agg(c.n))
    from (select collection_address::text as address, -count(*) as n from old_rows group by 1) c;
  else
    perform add_holders(array_agg(c.address), array_agg(c.n))
    from (
      select b.address, sum(b.n)::bigint as n
      from (
        select collection_address::text as address, 1 as n from new_rows
        union all
        select collection_address::text, -1 from old_rows
      ) b
      group by 1
      having sum(b.n) <> 0
    ) c
    having count(*) > 0;
  end if;
  return null;
end
$$;
select call_after('insert update delete truncate', 'collection_holders', 'maintain_sizes');

-- gap G17: public launches of a week by launchWeekRating descending, publishedAt ascending, id ascending. Also counts
-- them. Writes only what changes.
create function rank_launch_weeks(weeks text[]) returns void
language sql
set search_path = public, pg_temp
begin atomic
  delete from lists.launch_week_ranks r
  where r.week = any (weeks)
    and not exists (select from launches l where l.id = r.launch_id and l.is_public and l.week = r.week);
  insert into lists.launch_week_ranks as r (launch_id, week, week_rank)
  select l.id, l.week, row_number() over (partition by l.week order by l.week_order, l.id)
  from launches l
  where l.is_public and l.week = any (weeks)
  on conflict (launch_id) do update set week = excluded.week, week_rank = excluded.week_rank
  where (r.week, r.week_rank) <> (excluded.week, excluded.week_rank);
  delete from lists.launch_weeks w
  where w.week = any (weeks) and not exists (select from lists.launch_week_ranks r where r.week = w.week);
  insert into lists.launch_weeks as w (week, launches)
  select r.week, count(*) from lists.launch_week_ranks r where r.week = any (weeks) group by r.week
  on conflict (week) do update set launches = excluded.launches where w.launches <> excluded.launches;
end;

-- When a launch is added, removed or changes its order, its week is ranked again, and its rows in lists.launch_topics
-- follow. A new launch has no topics yet; those of a deleted launch are deleted with it.
create function follow_launches() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from lists.launch_week_ranks;
    delete from lists.launch_weeks;
  elsif tg_op = 'INSERT' then
    perform rank_launch_weeks(array(select distinct week from new_rows where is_public));
  elsif tg_op = 'DELETE' then
    perform rank_launch_weeks(array(select distinct week from old_rows where is_public));
  else
    perform rank_launch_weeks(c.weeks), relist('lists.launch_topics', c.ids) from (
      select array_agg(distinct c.week) as weeks, array_agg(distinct c.id) as ids
      from (
        select week, id, week_order
        from (
          select week, id, week_order, 1 as n from new_rows where is_public
          union all
          select week, id, week_order, -1 from old_rows where is_public
        ) b
        group by 1, 2, 3
        having sum(n) <> 0
      ) c
    ) c
    where c.ids is not null;
  end if;
  return null;
end
$$;
select call_after('insert update delete truncate', 'launches', 'follow_launches');

create function maintain_launch_topics() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from lists.launch_topics;
  elsif tg_op = 'INSERT' then
    perform relist('lists.launch_topics', array(select distinct launch_id from new_rows));
  elsif tg_op = 'DELETE' then
    perform relist('lists.launch_topics', array(select distinct launch_id from old_rows));
  else
    perform relist('lists.launch_topics',
      array(select launch_id from new_rows union select launch_id from old_rows));
  end if;
  return null;
end
$$;
select call_after('insert update delete truncate', 'launch_topics', 'maintain_launch_topics');

create function maintain_submission_tracks() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from lists.submission_tracks;
  elsif tg_op = 'INSERT' then
    perform relist('lists.submission_tracks', ids) from (
      select array_agg(n.id) as ids from new_rows n where n.is_public and n.track_ids <> '[]'
    ) c
    where ids is not null;
  elsif tg_op = 'DELETE' then
    delete from lists.submission_tracks k using old_rows o
    where k.id = o.id and not exists (select from contest_submissions s where s.id = o.id);
  else
    perform relist('lists.submission_tracks', ids) from (
      select array_agg(distinct c.id) as ids
      from (
        select id, contest_id, created_at, track_ids
        from (
          select id, contest_id, created_at, track_ids, 1 as n from new_rows where is_public
          union all
          select id, contest_id, created_at, track_ids, -1 from old_rows where is_public
        ) b
        group by 1, 2, 3, 4
        having sum(n) <> 0
      ) c
    ) c
    where ids is not null;
  end if;
  return null;
end
$$;
select call_after('insert update delete truncate', 'contest_submissions', 'maintain_submission_tracks');

-- gap G15: unpaged lists are bounded in the data; a row beyond the limit is rejected.
create function bound_rows() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  if tg_table_name = 'launches' then
    if (select count(*) from launches where is_public and featured_at is not null) > 100 then
      raise exception 'at most 100 launches can be featured'
        using errcode = 'check_violation', constraint = 'launches_featured_limit';
    end if;
  elsif exists (
    select from (select distinct bounty_id from new_rows where is_public and prize_place is not null) n
    where (select count(*) from bounty_submissions s
      where s.bounty_id = n.bounty_id and s.is_public and s.prize_place is not null) > 100
  ) then
    raise exception 'a bounty can have at most 100 winners'
      using errcode = 'check_violation', constraint = 'bounty_submissions_winner_limit';
  elsif exists (
    select from (select distinct bounty_id, user_id from new_rows) n
    where (select count(*) from bounty_submissions s where s.bounty_id = n.bounty_id and s.user_id = n.user_id) > 100
  ) then
    raise exception 'a user can have at most 100 submissions to one bounty'
      using errcode = 'check_violation', constraint = 'bounty_submissions_user_limit';
  end if;
  return null;
end
$$;
select call_after('insert update', t, 'bound_rows') from unnest('{launches,bounty_submissions}'::regclass[]) t;

-- gap G11: is_taken_down follows the table takedowns, whether the row or its takedown comes first. Every spelling of an
-- address is the same key (gap G13).
create function key_columns(of regclass) returns text[]
language sql stable
return coalesce((
  select array['address_key'] from pg_attribute where attrelid = of and attname = 'address_key'
), (
  select array_agg(a.attname::text order by k.place)
  from pg_index i
  cross join lateral unnest(i.indkey::int2[]) with ordinality k (number, place)
  join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
  where i.indrelid = of and i.indisprimary
));
create function spell_takedown() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  if new.table_name = 'collections' then
    new.key := array(select coalesce(canonical_address(k), k) from unnest(new.key) k);
  end if;
  return new;
end
$$;
create trigger spell_takedown before insert or update on takedowns for each row execute function spell_takedown();
create function maintain_takedown() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  t takedowns;
  columns text[];
begin
  foreach t in array array_remove(array[old, new], null) loop
    if not exists (
      select from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relname = t.table_name and a.attname = 'is_taken_down'
    ) then
      raise exception 'rows of % cannot be taken down', t.table_name using errcode = 'check_violation';
    end if;
    columns := key_columns(t.table_name::regclass);
    if cardinality(t.key) <> cardinality(columns) then
      raise exception 'a key of % has one value for each of: %', t.table_name, array_to_string(columns, ', ')
        using errcode = 'check_violation';
    end if;
    -- An update that changes nothing, so that apply_takedowns() checks the row.
    execute format('update %I set is_taken_down = is_taken_down where %s', t.table_name,
      (select string_agg(format('%I = $1[%s]', c, n), ' and ') from unnest(columns) with ordinality u (c, n)))
    using t.key;
  end loop;
  return null;
end
$$;
create trigger maintain_takedown after insert or update or delete on takedowns
  for each row execute function maintain_takedown();
create trigger reject_truncate before truncate on takedowns
  for each statement execute function reject_write('', 'cannot be truncated: delete its rows');
create function apply_takedowns() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
declare
  outer_correction text := begin_correction(tg_table_name);
begin
  -- The update below fires this trigger again; that ends when no row is left.
  if exists (select from takedowns where table_name = tg_table_name) and exists (select from new_rows)
    or exists (select from new_rows where is_taken_down)
  then
    execute (
      select format('update %1$I t set is_taken_down = not t.is_taken_down from new_rows n where %3$s and
          t.is_taken_down <> exists (select from takedowns where table_name = %1$L and key = array[%2$s]::text[])',
        tg_table_name, string_agg(format('n.%I', c), ', '), string_agg(format('t.%1$I = n.%1$I', c), ' and '))
      from unnest(key_columns(tg_relid)) c);
  end if;
  perform begin_correction(outer_correction);
  return null;
end
$$;
do $$
declare
  t regclass;
begin
  for t in select attrelid from pg_attribute where attname = 'is_taken_down' and attnum > 0 loop
    perform call_after('insert update', t, 'apply_takedowns');
    perform reject_column(t, 'is_taken_down', 'false');
  end loop;
  perform reject_column('timeline_items', 'is_badge_public', 'true');
  perform reject_column('collection_holders', 'is_collection_public', 'true');
  perform reject_column('bounty_submissions', 'is_bounty_open', 'true');
end
$$;
