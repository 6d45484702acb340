-- Up Migration
-- The role of the server: reads and nothing else. Operators make a login role a member of it.
set local lock_timeout = '5s';

do $$
begin
  if not exists (select from pg_roles where rolname = 'commonhall_reader') then
    create role commonhall_reader nologin;
  end if;
exception
  -- Roles belong to the whole cluster: another database's migration may have been first.
  when duplicate_object or unique_violation then null;
end
$$;
grant usage on schema public to commonhall_reader;
grant select on all tables in schema public to commonhall_reader;
