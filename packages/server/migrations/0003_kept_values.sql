-- Up Migration
-- What the database keeps right by itself, for every writer but replication apply: counters, week ranks, the
-- visibility of badges in timelines, and the limits that span rows (gap G15).
set local lock_timeout = '5s';

-- These triggers read what others committed while they waited for a lock, which only READ COMMITTED shows.
create function require_read_committed() returns void
language plpgsql
as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'this table is written under READ COMMITTED only'
      using errcode = 'feature_not_supported', hint = 'begin the transaction with isolation level read committed';
  end if;
end
$$;

-- keep_count(parent, parent key, counter, child key, which rows count): adds the statement's difference to the
-- parents' counters. Parents are locked in key order, so that two statements cannot wait for each other.
create function keep_count() returns trigger
language plpgsql
set search_path = public
as $$
declare
  changes text;
begin
  if tg_op = 'TRUNCATE' then
    execute format('update %1$I set %2$I = 0 where %2$I <> 0', tg_argv[0], tg_argv[2]);
    return null;
  end if;
  changes := concat_ws(' union all ',
    case when tg_op <> 'DELETE' then format('select %I as key, 1 as n from new_rows where %s', tg_argv[3], tg_argv[4]) end,
    case when tg_op <> 'INSERT' then format('select %I as key, -1 as n from old_rows where %s', tg_argv[3], tg_argv[4]) end
  );
  changes := format('select key, sum(n)::integer as difference from (%s) c group by key having sum(n) <> 0', changes);
  execute format('select from %1$I where %2$I in (select key from (%3$s) k) order by %2$I for no key update',
    tg_argv[0], tg_argv[1], changes);
  execute format('update %1$I p set %3$I = p.%3$I + k.difference from (%4$s) k where p.%2$I = k.key',
    tg_argv[0], tg_argv[1], tg_argv[2], changes);
  return null;
end
$$;

create trigger keep_count_insert after insert on collection_holders referencing new table as new_rows
  for each statement execute function keep_count('collections', 'address', 'holders_count', 'collection_address', 'true');
create trigger keep_count_update after update on collection_holders referencing old table as old_rows new table as new_rows
  for each statement execute function keep_count('collections', 'address', 'holders_count', 'collection_address', 'true');
create trigger keep_count_delete after delete on collection_holders referencing old table as old_rows
  for each statement execute function keep_count('collections', 'address', 'holders_count', 'collection_address', 'true');
create trigger keep_count_truncate after truncate on collection_holders
  for each statement execute function keep_count('collections', 'address', 'holders_count');

create trigger keep_count_insert after insert on bounty_submissions referencing new table as new_rows
  for each statement execute function keep_count('bounties', 'id', 'submission_count', 'bounty_id', 'is_public');
create trigger keep_count_update after update on bounty_submissions referencing old table as old_rows new table as new_rows
  for each statement execute function keep_count('bounties', 'id', 'submission_count', 'bounty_id', 'is_public');
create trigger keep_count_delete after delete on bounty_submissions referencing old table as old_rows
  for each statement execute function keep_count('bounties', 'id', 'submission_count', 'bounty_id', 'is_public');
create trigger keep_count_truncate after truncate on bounty_submissions
  for each statement execute function keep_count('bounties', 'id', 'submission_count');

create trigger keep_count_insert after insert on contest_submission_supporters referencing new table as new_rows
  for each statement execute function keep_count('contest_submissions', 'id', 'clap_count', 'submission_id', 'true');
create trigger keep_count_update after update on contest_submission_supporters referencing old table as old_rows new table as new_rows
  for each statement execute function keep_count('contest_submissions', 'id', 'clap_count', 'submission_id', 'true');
create trigger keep_count_delete after delete on contest_submission_supporters referencing old table as old_rows
  for each statement execute function keep_count('contest_submissions', 'id', 'clap_count', 'submission_id', 'true');
create trigger keep_count_truncate after truncate on contest_submission_supporters
  for each statement execute function keep_count('contest_submissions', 'id', 'clap_count');

-- A writer who sets a kept column is told so, instead of a number that drifts in silence. AFTER, not BEFORE: a BEFORE
-- UPDATE row trigger makes PostgreSQL count every generated column as changed, and with a unique one among them lock
-- the row against foreign keys too; a BEFORE INSERT one turns off the batches of COPY.
create function refuse_kept_column() returns trigger
language plpgsql
as $$
begin
  raise exception '%.% is kept by the database', tg_table_name, tg_argv[0]
    using errcode = 'generated_always', hint = 'leave the column out; commonhall verify --repair recounts it';
end
$$;
create trigger refuse_kept_write before insert or update or delete or truncate on launch_week_ranks for each statement
  when (pg_trigger_depth() = 0 and current_setting('commonhall.repair', true) is distinct from 'on')
  execute function refuse_kept_column('week_rank');
create trigger refuse_kept_insert after insert on collections for each row
  when (new.holders_count <> 0) execute function refuse_kept_column('holders_count');
create trigger refuse_kept_update after update of holders_count on collections for each row
  when (old.holders_count <> new.holders_count and pg_trigger_depth() = 0 and current_setting('commonhall.repair', true) is distinct from 'on')
  execute function refuse_kept_column('holders_count');
create trigger refuse_kept_insert after insert on bounties for each row
  when (new.submission_count <> 0) execute function refuse_kept_column('submission_count');
create trigger refuse_kept_update after update of submission_count on bounties for each row
  when (old.submission_count <> new.submission_count and pg_trigger_depth() = 0 and current_setting('commonhall.repair', true) is distinct from 'on')
  execute function refuse_kept_column('submission_count');
create trigger refuse_kept_insert after insert on contest_submissions for each row
  when (new.clap_count <> 0) execute function refuse_kept_column('clap_count');
create trigger refuse_kept_update after update of clap_count on contest_submissions for each row
  when (old.clap_count <> new.clap_count and pg_trigger_depth() = 0 and current_setting('commonhall.repair', true) is distinct from 'on')
  execute function refuse_kept_column('clap_count');

-- gap G17: LIVE launches of a week by launchWeekRating down, publishedAt up, id up. Writes only what changes. All weeks
-- are locked, in order, before the first rank is written: a launch that moves has its rank row in two of them.
create function rank_launch_weeks(weeks timestamptz[]) returns void
language plpgsql
set search_path = public
as $$
begin
  -- 1001 names this lock; the second key is the number of the week.
  perform pg_advisory_xact_lock(1001, w.number)
  from (select distinct (extract(epoch from week) / 604800)::integer as number from unnest(weeks) week order by 1) w;
  delete from launch_week_ranks r
  where r.launch_week = any (weeks)
    and not exists (select from launches l where l.id = r.launch_id and l.is_public and l.launch_week = any (weeks));
  insert into launch_week_ranks (launch_id, launch_week, week_rank)
  select n.id, n.launch_week, n.week_rank
  from (
    select l.id, l.launch_week, row_number() over (
      partition by l.launch_week order by l.launch_week_rating desc, l.published_at, l.id
    ) as week_rank
    from launches l
    where l.is_public and l.launch_week = any (weeks)
  ) n
  left join launch_week_ranks r on r.launch_id = n.id
  where (r.week_rank, r.launch_week) is distinct from (n.week_rank, n.launch_week)
  on conflict (launch_id) do update set launch_week = excluded.launch_week, week_rank = excluded.week_rank;
end
$$;

create function keep_week_ranks() returns trigger
language plpgsql
set search_path = public
as $$
declare
  weeks timestamptz[];
begin
  if tg_op = 'TRUNCATE' then
    delete from launch_week_ranks;
    return null;
  end if;
  perform require_read_committed();
  if tg_op = 'INSERT' then
    weeks := array(select distinct launch_week from new_rows where is_public);
  elsif tg_op = 'DELETE' then
    weeks := array(select distinct launch_week from old_rows where is_public);
  else
    weeks := array(
      with before as (select id, launch_week, launch_week_rating, published_at from old_rows where is_public),
      after as (select id, launch_week, launch_week_rating, published_at from new_rows where is_public)
      select distinct c.launch_week
      from ((table before except table after) union all (table after except table before)) c
    );
  end if;
  if cardinality(weeks) > 0 then
    perform rank_launch_weeks(weeks);
  end if;
  return null;
end
$$;
create trigger keep_week_ranks_insert after insert on launches referencing new table as new_rows
  for each statement execute function keep_week_ranks();
create trigger keep_week_ranks_update after update on launches referencing old table as old_rows new table as new_rows
  for each statement execute function keep_week_ranks();
create trigger keep_week_ranks_delete after delete on launches referencing old table as old_rows
  for each statement execute function keep_week_ranks();
create trigger keep_week_ranks_truncate after truncate on launches
  for each statement execute function keep_week_ranks();

-- A badge in a timeline is public while its collection is; every other item always is. Writers of items share a lock,
-- taken before their first row; a change of a collection's state takes it alone, so that neither commits without having
-- seen the other. 1002 names this lock.
create function share_badge_lock() returns trigger
language plpgsql
set search_path = public
as $$
begin
  perform require_read_committed();
  perform pg_advisory_xact_lock_shared(1002, 0);
  return null;
end
$$;
create trigger share_badge_lock before insert or update on timeline_items
  for each statement execute function share_badge_lock();

create function keep_badge_visibility() returns trigger
language plpgsql
set search_path = public
as $$
begin
  -- The update below comes back here, at last with no row at all.
  if not exists (select from new_rows where type = 'BADGE_RECEIVED' or not is_public) then
    return null;
  end if;
  update timeline_items t
  set is_public = v.is_public
  from (
    select n.user_id, n.id, n.type <> 'BADGE_RECEIVED' or c.is_public as is_public
    from new_rows n
    left join collections c on c.address = n.collection_address
    where n.type = 'BADGE_RECEIVED' or not n.is_public
  ) v
  where t.user_id = v.user_id and t.id = v.id and t.is_public <> v.is_public;
  return null;
end
$$;
create trigger keep_badge_visibility_insert after insert on timeline_items referencing new table as new_rows
  for each statement execute function keep_badge_visibility();
create trigger keep_badge_visibility_update after update on timeline_items referencing new table as new_rows
  for each statement execute function keep_badge_visibility();

create function flip_badge_visibility() returns trigger
language plpgsql
set search_path = public
as $$
declare
  flipped text[] := array(
    select n.address from new_rows n join old_rows o using (address) where n.is_public <> o.is_public
  );
begin
  if cardinality(flipped) = 0 then
    return null;
  end if;
  perform require_read_committed();
  perform pg_advisory_xact_lock(1002, 0);
  update timeline_items t
  set is_public = c.is_public
  from collections c
  where c.address = any (flipped)
    and t.collection_address = c.address
    and t.is_public <> c.is_public;
  return null;
end
$$;
create trigger flip_badge_visibility after update on collections referencing old table as old_rows new table as new_rows
  for each statement execute function flip_badge_visibility();

-- gap G15: unpaged lists are bounded in the data; the next row is refused.
create function limit_featured_launches() returns trigger
language plpgsql
set search_path = public
as $$
declare
  featured text[] := array(select id from new_rows where is_public and featured_at is not null);
begin
  if tg_op = 'UPDATE' then
    featured := array(
      select unnest(featured) except select id from old_rows where is_public and featured_at is not null
    );
  end if;
  if cardinality(featured) = 0 then
    return null;
  end if;
  perform require_read_committed();
  -- 1003 names this lock.
  perform pg_advisory_xact_lock(1003, 0);
  if (select count(*) from launches where is_public and featured_at is not null) > 100 then
    raise exception 'at most 100 launches can be featured'
      using errcode = 'check_violation', constraint = 'launches_featured_limit';
  end if;
  return null;
end
$$;
create trigger limit_featured_launches_insert after insert on launches referencing new table as new_rows
  for each statement execute function limit_featured_launches();
create trigger limit_featured_launches_update after update on launches referencing old table as old_rows new table as new_rows
  for each statement execute function limit_featured_launches();

-- Named to run before keep_count, and locking every bounty that the statement touches: one order for both.
create function bound_user_submissions() returns trigger
language plpgsql
set search_path = public
as $$
begin
  perform require_read_committed();
  -- The bounty's row is the lock that two writers of submissions to it meet at.
  if tg_op = 'INSERT' then
    perform from bounties where id in (select bounty_id from new_rows) order by id for no key update;
  elsif not exists (select bounty_id, user_id, id from new_rows except select bounty_id, user_id, id from old_rows) then
    return null; -- nobody has more submissions than before
  else
    perform from bounties where id in (select bounty_id from new_rows union select bounty_id from old_rows)
    order by id for no key update;
  end if;
  if exists (
    select from (select distinct bounty_id, user_id from new_rows) n
    where (select count(*) from bounty_submissions s where s.bounty_id = n.bounty_id and s.user_id = n.user_id) > 100
  ) then
    raise exception 'a user can have at most 100 submissions to one bounty'
      using errcode = 'check_violation', constraint = 'bounty_submissions_user_limit';
  end if;
  return null;
end
$$;
create trigger bound_user_submissions_insert after insert on bounty_submissions referencing new table as new_rows
  for each statement execute function bound_user_submissions();
create trigger bound_user_submissions_update after update on bounty_submissions referencing old table as old_rows new table as new_rows
  for each statement execute function bound_user_submissions();
