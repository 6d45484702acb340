-- Up Migration
-- Totals without counting, and any page at flat cost: kept by triggers for every writer, recounted by `verify`.
-- docs/scale.md has the figures.
set local lock_timeout = '5s';

-- keep_count(parent, parent key, child key, counter, which rows count, counter, which rows count, …): adds the
-- statement's difference to the parents' counters. Parents are locked in key order, so that two statements cannot wait
-- for each other.
drop trigger keep_count_insert on collection_holders;
drop trigger keep_count_update on collection_holders;
drop trigger keep_count_delete on collection_holders;
drop trigger keep_count_truncate on collection_holders;
drop trigger keep_count_insert on bounty_submissions;
drop trigger keep_count_update on bounty_submissions;
drop trigger keep_count_delete on bounty_submissions;
drop trigger keep_count_truncate on bounty_submissions;
drop trigger keep_count_insert on contest_submission_supporters;
drop trigger keep_count_update on contest_submission_supporters;
drop trigger keep_count_delete on contest_submission_supporters;
drop trigger keep_count_truncate on contest_submission_supporters;

create or replace function keep_count() returns trigger
language plpgsql
set search_path = public
as $$
declare
  counters text[] := array(select tg_argv[n] from generate_series(3, tg_nargs - 1, 2) n);
  conditions text[] := array(select tg_argv[n] from generate_series(4, tg_nargs - 1, 2) n);
  places integer[] := array(select generate_subscripts(counters, 1));
  changes text;
begin
  if tg_op = 'TRUNCATE' then
    execute format('update %I set %s', tg_argv[0],
      (select string_agg(format('%I = 0', c), ', ') from unnest(counters) c));
    return null;
  end if;
  changes := concat_ws(' union all ',
    case when tg_op <> 'DELETE' then format('select %I as key, %s from new_rows', tg_argv[2],
      (select string_agg(format('(%s)::integer as n%s', conditions[n], n), ', ') from unnest(places) n)) end,
    case when tg_op <> 'INSERT' then format('select %I as key, %s from old_rows', tg_argv[2],
      (select string_agg(format('-(%s)::integer as n%s', conditions[n], n), ', ') from unnest(places) n)) end
  );
  changes := format('select key, %s from (%s) c group by key having %s',
    (select string_agg(format('sum(n%1$s)::integer as n%1$s', n), ', ') from unnest(places) n),
    changes,
    (select string_agg(format('sum(n%s) <> 0', n), ' or ') from unnest(places) n));
  execute format('select from %1$I where %2$I in (select key from (%3$s) k) order by %2$I for no key update',
    tg_argv[0], tg_argv[1], changes);
  execute format('update %1$I p set %3$s from (%4$s) k where p.%2$I = k.key', tg_argv[0], tg_argv[1],
    (select string_agg(format('%1$I = p.%1$I + k.n%2$s', counters[n], n), ', ') from unnest(places) n),
    changes);
  return null;
end
$$;

-- The four triggers of a kept value: one for each kind of statement.
create function keep(child text, name text, arguments text) returns void
language plpgsql
as $$
begin
  execute format('create trigger %s_insert after insert on %I referencing new table as new_rows
    for each statement execute function %s', name, child, arguments);
  execute format('create trigger %s_update after update on %I referencing old table as old_rows new table as new_rows
    for each statement execute function %s', name, child, arguments);
  execute format('create trigger %s_delete after delete on %I referencing old table as old_rows
    for each statement execute function %s', name, child, arguments);
  execute format('create trigger %s_truncate after truncate on %I
    for each statement execute function %s', name, child, arguments);
end
$$;

alter table bounties add column all_submission_count integer not null default 0 check (all_submission_count >= 0);
alter table sponsors
  add column bounty_count integer not null default 0 check (bounty_count >= 0),
  add column all_bounty_count integer not null default 0 check (all_bounty_count >= 0);

select keep('collection_holders', 'keep_count',
  $$keep_count('collections', 'address', 'collection_address', 'holders_count', 'true')$$);
select keep('bounty_submissions', 'keep_count',
  $$keep_count('bounties', 'id', 'bounty_id', 'submission_count', 'is_public', 'all_submission_count', 'true')$$);
select keep('contest_submission_supporters', 'keep_count',
  $$keep_count('contest_submissions', 'id', 'submission_id', 'clap_count', 'true')$$);
select keep('bounties', 'keep_count',
  $$keep_count('sponsors', 'id', 'sponsor_id', 'bounty_count', 'is_public', 'all_bounty_count', 'true')$$);

drop trigger refuse_kept_insert on bounties;
drop trigger refuse_kept_update on bounties;
create trigger refuse_kept_insert after insert on bounties for each row
  when (new.submission_count <> 0 or new.all_submission_count <> 0)
  execute function refuse_kept_column('submission_count');
create trigger refuse_kept_update after update of submission_count, all_submission_count on bounties for each row
  when ((old.submission_count <> new.submission_count or old.all_submission_count <> new.all_submission_count)
    and pg_trigger_depth() = 0 and current_setting('commonhall.repair', true) is distinct from 'on')
  execute function refuse_kept_column('submission_count');
create trigger refuse_kept_insert after insert on sponsors for each row
  when (new.bounty_count <> 0 or new.all_bounty_count <> 0) execute function refuse_kept_column('bounty_count');
create trigger refuse_kept_update after update of bounty_count, all_bounty_count on sponsors for each row
  when ((old.bounty_count <> new.bounty_count or old.all_bounty_count <> new.all_bounty_count)
    and pg_trigger_depth() = 0 and current_setting('commonhall.repair', true) is distinct from 'on')
  execute function refuse_kept_column('bounty_count');

-- What a user's own lists hold: public launches, and public timeline items by type. A user without a row has none.
create table user_totals (
  user_id id_text primary key references users on delete cascade,
  launches integer not null default 0,
  commits integer not null default 0,
  prs integer not null default 0,
  badges integer not null default 0,
  gifts integer not null default 0
);
grant select on user_totals to commonhall_reader;

create function keep_user_totals() returns trigger
language plpgsql
set search_path = public
as $$
declare
  columns text := case tg_table_name when 'launches' then 'launches' else 'commits, prs, badges, gifts' end;
  counted text := case tg_table_name
    when 'launches' then 'submitted_by_id as key, is_public::integer as launches'
    else $q$user_id as key, (type = 'COMMIT')::integer as commits, (type = 'PR')::integer as prs,
      (type = 'BADGE_RECEIVED')::integer as badges, (type = 'GIFT_RECEIVED')::integer as gifts$q$
  end;
  names text[] := string_to_array(columns, ', ');
  sums text := (select string_agg(format('sum(c.%1$s * c.sign)::integer as %1$s', n), ', ') from unnest(names) n);
  added text := (select string_agg(format('%1$s = t.%1$s + k.%1$s', n), ', ') from unnest(names) n);
  changes text;
begin
  if tg_op = 'TRUNCATE' then
    execute format('update user_totals set %s', (select string_agg(n || ' = 0', ', ') from unnest(names) n));
    return null;
  end if;
  changes := concat_ws(' union all ',
    case when tg_op <> 'DELETE' then format('select %s, 1 as sign from new_rows where is_public', counted) end,
    case when tg_op <> 'INSERT' then format('select %s, -1 as sign from old_rows where is_public', counted) end);
  changes := format('select c.key, %s from (%s) c group by c.key having %s', sums, changes,
    (select string_agg(format('sum(c.%s * c.sign) <> 0', n), ' or ') from unnest(names) n));
  -- A user who is being deleted has no row any more, and must not get one.
  if tg_op <> 'DELETE' then
    execute format('insert into user_totals (user_id) select key from (%s) k
      where not exists (select from user_totals t where t.user_id = k.key) order by key on conflict do nothing', changes);
  end if;
  execute format('select from user_totals where user_id in (select key from (%s) k) order by user_id for no key update', changes);
  execute format('update user_totals t set %s from (%s) k where t.user_id = k.key', added, changes);
  return null;
end
$$;
select keep('launches', 'keep_totals', 'keep_user_totals()');
-- Named to run before keep_badge_visibility, whose own update takes back what an insert counted.
select keep('timeline_items', 'count_items', 'keep_user_totals()');

-- How many rows have each combination of filter values: a filtered list's total is the sum over the combinations that
-- fit. A combination that no row has any more stays with 0.
create table collection_facets (
  type name_text not null,
  importance name_text not null,
  is_sbt boolean not null,
  category name_text not null,
  source name_text not null,
  total bigint not null,
  primary key (type, importance, is_sbt, category, source)
);
create table repository_facets (
  category name_text,
  ecosystem name_text,
  importance name_text,
  platform name_text not null,
  status name_text not null,
  total bigint not null,
  unique nulls not distinct (category, ecosystem, importance, platform, status)
);
grant select on collection_facets, repository_facets to commonhall_reader;

-- keep_facets(facets, columns, which rows count)
create function keep_facets() returns trigger
language plpgsql
set search_path = public
as $$
declare
  changes text;
begin
  if tg_op = 'TRUNCATE' then
    execute format('delete from %I', tg_argv[0]);
    return null;
  end if;
  changes := concat_ws(' union all ',
    case when tg_op <> 'DELETE' then format('select %s, 1 as n from new_rows where %s', tg_argv[1], tg_argv[2]) end,
    case when tg_op <> 'INSERT' then format('select %s, -1 as n from old_rows where %s', tg_argv[1], tg_argv[2]) end);
  -- In one order, so that two statements cannot wait for each other.
  execute format('insert into %1$I as f (%2$s, total)
    select %2$s, sum(n) from (%3$s) c group by %2$s having sum(n) <> 0 order by %2$s
    on conflict (%2$s) do update set total = f.total + excluded.total', tg_argv[0], tg_argv[1], changes);
  return null;
end
$$;
select keep('collections', 'keep_facets',
  $$keep_facets('collection_facets', 'type, importance, is_sbt, category, source', 'is_public')$$);
select keep('repositories', 'keep_facets',
  $$keep_facets('repository_facets', 'category, ecosystem, importance, platform, status', 'true')$$);

-- Counted blocks: a long list is cut into runs of about 512 rows, and about 64 runs make one of the level above. A page
-- is found by adding up two short lists of runs and skipping at most one run's rows. A list is named by a word and its
-- parent: h: holders of a collection; t: timeline of a user; COMMIT:, PR:, … the same by type.
create table list_blocks (
  list text collate "C" not null,
  level smallint not null,
  first_at timestamptz not null, -- the first block of a level begins before everything
  first_id text collate "C" not null,
  rows integer not null,
  primary key (list, level, first_at, first_id) include (rows)
);
grant select on list_blocks to commonhall_reader;

-- The rows of a list from one place to before another.
create function list_rows(list text, from_at timestamptz, from_id text, to_at timestamptz, to_id text)
returns table (at timestamptz, id text)
language plpgsql stable
set search_path = public
as $$
declare
  kind text := split_part(list, ':', 1);
  parent text := substr(list, strpos(list, ':') + 1);
begin
  if kind = 'h' then
    return query select h.acquired_at::timestamptz, h.user_id::text from collection_holders h
      where h.collection_address = parent
        and (h.acquired_at, h.user_id) >= (from_at, from_id) and (h.acquired_at, h.user_id) < (to_at, to_id)
      order by h.acquired_at, h.user_id;
  elsif kind = 't' then
    return query select t.date::timestamptz, t.id::text from timeline_items t
      where t.user_id = parent and t.is_public
        and (t.date, t.id) >= (from_at, from_id) and (t.date, t.id) < (to_at, to_id)
      order by t.date, t.id;
  else
    return query select t.date::timestamptz, t.id::text from timeline_items t
      where t.user_id = parent and t.is_public and t.type = kind
        and (t.date, t.id) >= (from_at, from_id) and (t.date, t.id) < (to_at, to_id)
      order by t.date, t.id;
  end if;
end
$$;

create function list_total(list text) returns bigint
language sql stable
set search_path = public
return case split_part(list, ':', 1)
  when 'h' then (select c.holders_count from collections c where c.address = substr(list, 3))
  else (
    select case split_part(list, ':', 1)
      when 't' then u.commits + u.prs + u.badges + u.gifts
      when 'COMMIT' then u.commits
      when 'PR' then u.prs
      when 'BADGE_RECEIVED' then u.badges
      else u.gifts
    end
    from user_totals u
    where u.user_id = substr(list, strpos(list, ':') + 1)
  )
end;

-- Where the block after this one begins.
create function next_block(list text, level smallint, at timestamptz, id text, out next_at timestamptz, out next_id text)
language plpgsql stable
set search_path = public
as $$
begin
  select b.first_at, b.first_id into next_at, next_id
  from list_blocks b
  where b.list = next_block.list and b.level = next_block.level and (b.first_at, b.first_id) > (at, next_block.id)
  order by b.first_at, b.first_id
  limit 1;
  next_at := coalesce(next_at, 'infinity');
  next_id := coalesce(next_id, '');
end
$$;

-- Cuts one block that has grown too large, of rows (level 0) or of blocks (level 1), into blocks of the usual size.
create function split_block(list text, level smallint, at timestamptz, id text) returns void
language plpgsql
set search_path = public
as $$
#variable_conflict use_column
declare
  to_at timestamptz;
  to_id text;
begin
  select n.next_at, n.next_id into to_at, to_id from next_block(split_block.list, split_block.level, at, split_block.id) n;
  with parts as (
    select r.at, r.id, 1 as rows, row_number() over (order by r.at, r.id) - 1 as place
    from list_rows(split_block.list, at, split_block.id, to_at, to_id) r
    where split_block.level = 0
    union all
    select b.first_at, b.first_id, b.rows, row_number() over (order by b.first_at, b.first_id) - 1
    from list_blocks b
    where split_block.level = 1 and b.list = split_block.list and b.level = 0
      and (b.first_at, b.first_id) >= (split_block.at, split_block.id) and (b.first_at, b.first_id) < (to_at, to_id)
  ),
  blocks as (
    select min(p.place) as place, sum(p.rows) as rows
    from parts p
    group by p.place / case split_block.level when 0 then 512 else 64 end
  )
  insert into list_blocks as l (list, level, first_at, first_id, rows)
  select
    split_block.list,
    split_block.level,
    case when b.place = 0 then split_block.at else p.at end,
    case when b.place = 0 then split_block.id else p.id end,
    b.rows
  from blocks b
  join parts p using (place)
  on conflict (list, level, first_at, first_id) do update set rows = excluded.rows;
end
$$;

-- Makes the blocks of a list anew.
create function build_blocks(list text) returns void
language plpgsql
set search_path = public
as $$
begin
  delete from list_blocks b where b.list = build_blocks.list;
  if coalesce(list_total(list), 0) > 1024 then
    insert into list_blocks (list, level, first_at, first_id, rows)
    select build_blocks.list, l, '-infinity', '', 0 from generate_series(0, 1) l;
    perform split_block(list, 0::smallint, '-infinity', '');
    perform split_block(list, 1::smallint, '-infinity', '');
  end if;
end
$$;

-- Brings the blocks of long lists up to date with rows that came (1) and went (-1). The caller holds the lock on the
-- row that has the list's total, so that one writer is here for a list at a time.
create function keep_blocks(lists text[], ats timestamptz[], ids text[], signs integer[]) returns void
language plpgsql
set search_path = public
as $$
declare
  one record;
  step smallint;
  touched text[] := array(select distinct unnest(lists) order by 1);
begin
  -- Lists that became long, and lists that became short.
  for one in
    select l.list, list_total(l.list) as total, exists (select from list_blocks b where b.list = l.list) as has_blocks
    from unnest(touched) l (list)
  loop
    if one.has_blocks and coalesce(one.total, 0) < 512 then
      delete from list_blocks b where b.list = one.list;
      touched := array_remove(touched, one.list);
    elsif not one.has_blocks then
      touched := array_remove(touched, one.list); -- blocks made now have the new rows already
      if one.total > 1024 then
        perform build_blocks(one.list);
      end if;
    end if;
  end loop;
  if cardinality(touched) = 0 then
    return;
  end if;
  for step in 0..1 loop
    update list_blocks b
    set rows = b.rows + d.n
    from (
      select c.list, p.first_at, p.first_id, sum(c.sign) as n
      from unnest(lists, ats, ids, signs) as c (list, at, id, sign)
      cross join lateral (
        select p.first_at, p.first_id
        from list_blocks p
        where p.list = c.list and p.level = step and (p.first_at, p.first_id) <= (c.at, c.id)
        order by p.first_at desc, p.first_id desc
        limit 1
      ) p
      where c.list = any (touched)
      group by c.list, p.first_at, p.first_id
      having sum(c.sign) <> 0
    ) d
    where b.list = d.list and b.level = step and b.first_at = d.first_at and b.first_id = d.first_id;
  end loop;
  if -1 = any (signs) then
    -- A block without rows joins the one before it. One that begins a block of the level above goes with that one only.
    delete from list_blocks b
    where b.list = any (touched) and b.level = 1 and b.rows = 0 and b.first_at > '-infinity';
    delete from list_blocks b
    where b.list = any (touched) and b.level = 0 and b.rows = 0 and b.first_at > '-infinity'
      and not exists (
        select from list_blocks u
        where u.list = b.list and u.level = 1 and u.first_at = b.first_at and u.first_id = b.first_id
      );
  end if;
  for one in
    select b.list, b.first_at, b.first_id from list_blocks b
    where b.list = any (touched) and b.level = 0 and b.rows > 1024
  loop
    perform split_block(one.list, 0::smallint, one.first_at, one.first_id);
    for one in
      select u.list, u.first_at, u.first_id
      from list_blocks u
      cross join lateral next_block(u.list, u.level, u.first_at, u.first_id) n
      where u.list = one.list and u.level = 1
        and (u.first_at, u.first_id) <= (one.first_at, one.first_id)
        and (n.next_at, n.next_id) > (one.first_at, one.first_id)
        and (
          select count(*) from list_blocks b
          where b.list = u.list and b.level = 0
            and (b.first_at, b.first_id) >= (u.first_at, u.first_id) and (b.first_at, b.first_id) < (n.next_at, n.next_id)
        ) > 128
    loop
      perform split_block(one.list, 1::smallint, one.first_at, one.first_id);
    end loop;
  end loop;
end
$$;

-- Named to run after the triggers that keep the totals.
create function keep_holder_blocks() returns trigger
language plpgsql
set search_path = public
as $$
declare
  parents text[];
  changed record;
begin
  if tg_op = 'TRUNCATE' then
    delete from list_blocks where list >= 'h:' and list < 'h;';
    return null;
  elsif tg_op = 'INSERT' then
    parents := array(
      select c.address from collections c
      where c.address in (select collection_address from new_rows) and c.holders_count >= 512
    );
  elsif tg_op = 'DELETE' then
    parents := array(
      select distinct collection_address::text from old_rows o
      where exists (select from list_blocks b where b.list = 'h:' || o.collection_address)
    );
  else
    parents := array(select collection_address::text from old_rows union select collection_address from new_rows);
  end if;
  if cardinality(parents) = 0 then
    return null;
  end if;
  perform from collections c where c.address = any (parents) order by c.address for no key update;
  if tg_op = 'INSERT' then
    select array_agg('h:' || collection_address) as lists, array_agg(acquired_at::timestamptz) as ats,
      array_agg(user_id::text) as ids, array_agg(1) as signs
    into changed
    from new_rows where collection_address = any (parents);
  elsif tg_op = 'DELETE' then
    select array_agg('h:' || collection_address) as lists, array_agg(acquired_at::timestamptz) as ats,
      array_agg(user_id::text) as ids, array_agg(-1) as signs
    into changed
    from old_rows where collection_address = any (parents);
  else
    select array_agg('h:' || r.collection_address) as lists, array_agg(r.acquired_at::timestamptz) as ats,
      array_agg(r.user_id::text) as ids, array_agg(r.sign) as signs
    into changed
    from (
      select collection_address, acquired_at, user_id, 1 as sign from new_rows
      union all
      select collection_address, acquired_at, user_id, -1 from old_rows
    ) r;
  end if;
  perform keep_blocks(changed.lists, changed.ats, changed.ids, changed.signs);
  return null;
end
$$;
select keep('collection_holders', 'keep_pages', 'keep_holder_blocks()');

create function keep_timeline_blocks() returns trigger
language plpgsql
set search_path = public
as $$
declare
  parents text[];
  changed record;
begin
  if tg_op = 'TRUNCATE' then
    delete from list_blocks where list < 'h:' or list >= 'h;';
    return null;
  elsif tg_op = 'INSERT' then
    parents := array(
      select u.user_id from user_totals u
      where u.user_id in (select user_id from new_rows) and u.commits + u.prs + u.badges + u.gifts >= 512
    );
  elsif tg_op = 'DELETE' then
    parents := array(
      select distinct user_id::text from old_rows o where exists (select from list_blocks b where b.list = 't:' || o.user_id)
    );
  else
    parents := array(select user_id::text from old_rows union select user_id from new_rows);
  end if;
  if cardinality(parents) = 0 then
    return null;
  end if;
  perform from user_totals u where u.user_id = any (parents) order by u.user_id for no key update;
  if tg_op = 'INSERT' then
    select array_agg(l.list) as lists, array_agg(date::timestamptz) as ats, array_agg(id::text) as ids, array_agg(1) as signs
    into changed
    from new_rows cross join lateral (values ('t:' || user_id), (type || ':' || user_id)) l (list)
    where is_public and user_id = any (parents);
  elsif tg_op = 'DELETE' then
    select array_agg(l.list) as lists, array_agg(date::timestamptz) as ats, array_agg(id::text) as ids, array_agg(-1) as signs
    into changed
    from old_rows cross join lateral (values ('t:' || user_id), (type || ':' || user_id)) l (list)
    where is_public and user_id = any (parents);
  else
    select array_agg(l.list) as lists, array_agg(r.date::timestamptz) as ats, array_agg(r.id::text) as ids, array_agg(r.sign) as signs
    into changed
    from (
      select user_id, type, date, id, 1 as sign from new_rows where is_public
      union all
      select user_id, type, date, id, -1 from old_rows where is_public
    ) r
    cross join lateral (values ('t:' || r.user_id), (r.type || ':' || r.user_id)) l (list);
  end if;
  if changed.lists is not null then
    perform keep_blocks(changed.lists, changed.ats, changed.ids, changed.signs);
  end if;
  return null;
end
$$;
-- After count_items, before keep_badge_visibility.
select keep('timeline_items', 'count_pages', 'keep_timeline_blocks()');

create trigger refuse_kept_write before insert or update or delete or truncate on user_totals for each statement
  when (pg_trigger_depth() = 0 and current_setting('commonhall.repair', true) is distinct from 'on')
  execute function refuse_kept_column('launches');
create trigger refuse_kept_write before insert or update or delete or truncate on collection_facets for each statement
  when (pg_trigger_depth() = 0 and current_setting('commonhall.repair', true) is distinct from 'on')
  execute function refuse_kept_column('total');
create trigger refuse_kept_write before insert or update or delete or truncate on repository_facets for each statement
  when (pg_trigger_depth() = 0 and current_setting('commonhall.repair', true) is distinct from 'on')
  execute function refuse_kept_column('total');
create trigger refuse_kept_write before insert or update or delete or truncate on list_blocks for each statement
  when (pg_trigger_depth() = 0 and current_setting('commonhall.repair', true) is distinct from 'on')
  execute function refuse_kept_column('rows');

drop function keep(text, text, text);

-- What is there already.
set local commonhall.repair = 'on';
set local work_mem = '256MB';
update bounties b set all_submission_count = n.count
from (select bounty_id, count(*) from bounty_submissions group by 1) n
where n.bounty_id = b.id;
update sponsors s set bounty_count = n.public, all_bounty_count = n.count
from (select sponsor_id, count(*), count(*) filter (where is_public) as public from bounties group by 1) n
where n.sponsor_id = s.id;
insert into user_totals (user_id, launches, commits, prs, badges, gifts)
select coalesce(l.user_id, t.user_id), coalesce(l.launches, 0), coalesce(t.commits, 0), coalesce(t.prs, 0), coalesce(t.badges, 0), coalesce(t.gifts, 0)
from (select submitted_by_id as user_id, count(*) as launches from launches where is_public group by 1) l
full join (
  select
    user_id,
    count(*) filter (where type = 'COMMIT') as commits,
    count(*) filter (where type = 'PR') as prs,
    count(*) filter (where type = 'BADGE_RECEIVED') as badges,
    count(*) filter (where type = 'GIFT_RECEIVED') as gifts
  from timeline_items
  where is_public
  group by 1
) t using (user_id);
insert into collection_facets
select type, importance, is_sbt, category, source, count(*) from collections where is_public group by 1, 2, 3, 4, 5;
insert into repository_facets
select category, ecosystem, importance, platform, status, count(*) from repositories group by 1, 2, 3, 4, 5;
select build_blocks('h:' || address) from collections where holders_count > 1024;
select build_blocks(k.kind || ':' || u.user_id)
from user_totals u
cross join lateral (values
  ('t', u.commits + u.prs + u.badges + u.gifts),
  ('COMMIT', u.commits), ('PR', u.prs), ('BADGE_RECEIVED', u.badges), ('GIFT_RECEIVED', u.gifts)
) k (kind, total)
where k.total > 1024;
set local commonhall.repair = '';
