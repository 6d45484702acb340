-- Up Migration
-- Keys end by themselves and say when they were used last; a role that can write that one column and nothing else.
set local lock_timeout = '5s';

alter table api_keys
  add column expires_at instant,
  add column last_used_on date; -- the server's own note, a day at the finest (gap G6)

do $$
begin
  if not exists (select from pg_roles where rolname = 'commonhall_key_writer') then
    create role commonhall_key_writer nologin;
  end if;
exception
  when duplicate_object or unique_violation then null; -- another database's migration was first
end
$$;
grant usage on schema public to commonhall_key_writer;
grant select (id), update (last_used_on) on api_keys to commonhall_key_writer;
