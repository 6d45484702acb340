-- One writer at a time: every statement that writes to a table of the model, or to a maintained table, first takes the
-- writer lock and holds it until its transaction ends. A writer that reads or locks rows before it writes must call
-- take_writer_lock() first.

-- The writer lock is the lock of an empty table, on which the roles of the server have no rights. They could take any
-- advisory lock, and so stop every writer. The same for the lock of the operator's journal. SHARE UPDATE EXCLUSIVE is the
-- weakest mode that conflicts with itself; a stronger one costs more, since it must look at the locks of all sessions.
create table writer_lock ();
create table journal_lock ();

create function take_writer_lock() returns void
language plpgsql
as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'the model is written under READ COMMITTED only' using errcode = 'feature_not_supported',
      hint = 'begin the transaction with: begin isolation level read committed';
  end if;
  lock table public.writer_lock in share update exclusive mode;
end
$$;

create function take_writer_lock_first() returns trigger
language plpgsql
as $$
begin
  -- A write of a trigger: the statement that called the trigger has taken the lock.
  if pg_trigger_depth() > 1 then
    return null;
  end if;
  -- TRUNCATE holds the lock of its table already: waiting here could deadlock.
  if tg_op = 'TRUNCATE' then
    begin
      lock table public.writer_lock in share update exclusive mode nowait;
    exception when lock_not_available then
      raise exception 'another transaction is writing' using errcode = 'lock_not_available',
        hint = 'begin the transaction with: select take_writer_lock()';
    end;
  end if;
  perform public.take_writer_lock();
  return null;
end
$$;

-- The tables that the database maintains, and that lists count. Lists themselves are installed by `commonhall migrate`,
-- each in a schema of its own; the table `installed` has their names. Only triggers and `commonhall verify --repair`
-- write to these schemas.
create schema lists;
create sequence lists.block_ids as integer;

create function is_internal_write() returns boolean
language sql stable
return pg_trigger_depth() > 0 or coalesce(current_setting('commonhall.repair', true), '') = 'on';

-- Rejects a write that comes neither from a trigger nor from a repair.
create function reject_write() returns trigger
language plpgsql
as $$
begin
  raise exception '% %', concat_ws('.', nullif(tg_table_schema, 'public'), tg_table_name, nullif(tg_argv[0], '')),
    coalesce(tg_argv[1], 'is maintained by the database') using errcode = 'generated_always',
    hint = 'write only to the tables of the model, not to maintained columns; to repair: commonhall verify --repair';
end
$$;

-- AFTER, not BEFORE: a BEFORE INSERT row trigger would disable the batched inserts of COPY.
create function reject_column(of regclass, maintained text, by_default text) returns void
language plpgsql
as $$
begin
  execute format('create trigger reject_%2$s_insert after insert on %1$s for each row
    when (new.%2$I <> %3$s and not is_internal_write()) execute function reject_write(%2$L)', of, maintained, by_default);
  execute format('create trigger reject_%2$s_update after update of %2$I on %1$s for each row
    when (old.%2$I <> new.%2$I and not is_internal_write()) execute function reject_write(%2$L)', of, maintained);
end
$$;

-- With SET CONSTRAINTS ... IMMEDIATE blocks would be counted in the middle of a statement, before its other triggers.
create function lists.at_commit_only() returns void
language plpgsql
as $$
begin
  if pg_trigger_depth() > 1 then
    raise exception 'lists are reorganised at commit' using errcode = 'feature_not_supported',
      hint = 'leave out SET CONSTRAINTS ... IMMEDIATE';
  end if;
end
$$;

-- Creates triggers that call a function after each statement of these kinds, with its new_rows and old_rows.
create function call_after(kinds text, of regclass, called text) returns void
language plpgsql
as $$
declare
  kind text;
begin
  foreach kind in array string_to_array(kinds, ' ') loop
    execute format('create trigger %I after %s on %s %s for each statement execute function %s()',
      split_part(called, '.', -1) || '_' || kind, kind, of,
      case when kind <> 'truncate' then 'referencing' end || case when kind in ('update', 'delete')
        then ' old table as old_rows' else '' end || case when kind in ('insert', 'update')
        then ' new table as new_rows' else '' end, called);
  end loop;
end
$$;

-- The number of holders of a collection, and the columns that a list by this number needs. In a table of its own, so
-- that a new holder does not rewrite a wide row.
create table lists.collection_sizes (
  address text collate "C" primary key,
  holders bigint not null default 0, facet bigint not null, is_public boolean not null
) with (fillfactor = 70);

-- Collections that were shown again and have so many holders that these, and their badges, follow in steps (show_some).
create table lists.collections_in_steps (address text collate "C" primary key);

-- weekRank (gap G17). In a table of its own, because a rank changes when another launch does.
create table lists.launch_week_ranks (
  launch_id text collate "C" primary key,
  week text collate "C" not null, week_rank integer not null
) with (fillfactor = 70);
create index launch_week_ranks_week on lists.launch_week_ranks (week);

-- Launch weeks that have public launches.
create table lists.launch_weeks (
  week text collate "C" primary key,
  launches bigint not null
) with (fillfactor = 70);

-- Filters with several values per row: one row per public launch and topic, and per public contest submission and
-- track. The view X_now defines the rows that the table X must have, and relist() updates the table to match.
create table lists.launch_topics (
  id text collate "C", topic_id text collate "C",
  topic_week text collate "C" not null, published_at timestamptz not null, week_order text collate "C" not null,
  primary key (id, topic_id)
);
create view lists.launch_topics_now as
select l.id::text as id, t.topic_id::text as topic_id, t.topic_id || E'\x1f' || l.week as topic_week,
  l.published_at::timestamptz as published_at, l.week_order
from launches l
join launch_topics t on t.launch_id = l.id
where l.is_public;
create table lists.submission_tracks (
  id text collate "C", track text collate "C", -- contest and track
  created_at timestamptz not null,
  primary key (id, track)
);
create view lists.submission_tracks_now as
select s.id::text as id, s.contest_id || E'\x1f' || t.id as track, s.created_at::timestamptz as created_at
from contest_submissions s
-- The distinct is in the lateral join, so that the rows of one id can be read alone.
cross join lateral (select distinct e.id from jsonb_array_elements_text(s.track_ids) e (id)) t
where s.is_public;

-- Updates the rows of these ids to match the view; null: all rows.
create function relist(narrow regclass, ids text[]) returns void
language plpgsql
set search_path = public, pg_temp
as $$
begin
  execute format('delete from %1$s k
    where ($1 is null or k.id = any ($1))
      and not exists (select from %1$s_now n where n.id = k.id and row(n.*) = row(k.*))', narrow) using ids;
  execute format('insert into %1$s select * from %1$s_now n where $1 is null or n.id = any ($1)
    on conflict do nothing', narrow) using ids;
end
$$;

-- For all tables of the model and all maintained tables, found in the system catalog. Called after every migration, and
-- after a list is installed.
create function attach_writer_lock() returns void
language plpgsql
as $$
declare
  t record;
begin
  for t in
    select c.oid::regclass as name, n.nspname <> 'public' as is_maintained
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where (n.nspname in ('public', 'lists') or n.nspname in (select i.name from public.installed i))
      and c.relkind in ('r', 'p')
      -- Outside the model: revoking a key or renewing a lease never waits behind an import.
      and c.relname not in ('api_keys', 'feed_lease', 'import_checkpoints', 'import_keys', 'installed',
        'journal_lock', 'schema_migrations', 'turns', 'writer_lock')
      and not exists (select from pg_trigger g where g.tgrelid = c.oid and g.tgname = 'a_writer_lock')
  loop
    execute format('create trigger a_writer_lock before insert or update or delete or truncate on %s
      for each statement execute function take_writer_lock_first()', t.name);
    if t.is_maintained then
      execute format('create trigger b_reject_write before insert or update or delete or truncate on %s
        for each statement when (not is_internal_write()) execute function reject_write()', t.name);
    end if;
  end loop;
end
$$;
