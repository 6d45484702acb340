create schema user_summaries;
set search_path = user_summaries, public, pg_temp;
-- user_summaries: texts of users
create table texts (
  id text collate "C" primary key,
  head text not null,
  public_tags text not null,
  contest_tags text not null
) with (fillfactor = 70, toast_tuple_target = 8160); -- in the row where it fits a page
create function recount() returns void
language plpgsql
set search_path = user_summaries, public, pg_temp
as $$
begin
  delete from texts;
  insert into texts (id, head, public_tags, contest_tags)
  select r.id, '{' || (select json_members(row_to_json(i)) from (select r.id, r.username, r.display_name as "displayName", r.avatar, r.bio, r.status) i) || ',"tags":', (
  select coalesce('[' || string_agg('{"tag":' || t.tag || ',"tier":' || t.tier || '}', ',' order by t.place) || ']', '[]')
  from (
    select (e.value -> 'tag')::text as tag, (e.value -> 'tier')::text as tier, min(e.place) as place
    from jsonb_array_elements(r.tags) with ordinality as e (value, place)
    group by 1, 2
  ) t
) || '}', r.tags::text || '}'
  from users r;
end
$$;
create function maintain_new() returns trigger
language plpgsql
set search_path = user_summaries, public, pg_temp
set jit = off set enable_mergejoin = off set enable_seqscan = off -- as in generator.ts
as $$
begin
  insert into texts as t (id, head, public_tags, contest_tags)
  select r.id, '{' || (select json_members(row_to_json(i)) from (select r.id, r.username, r.display_name as "displayName", r.avatar, r.bio, r.status) i) || ',"tags":', (
  select coalesce('[' || string_agg('{"tag":' || t.tag || ',"tier":' || t.tier || '}', ',' order by t.place) || ']', '[]')
  from (
    select (e.value -> 'tag')::text as tag, (e.value -> 'tier')::text as tier, min(e.place) as place
    from jsonb_array_elements(r.tags) with ordinality as e (value, place)
    group by 1, 2
  ) t
) || '}', r.tags::text || '}'
  from new_rows r
  on conflict (id) do update set head = excluded.head, public_tags = excluded.public_tags, contest_tags = excluded.contest_tags
  where (t.head, t.public_tags, t.contest_tags) is distinct from (excluded.head, excluded.public_tags, excluded.contest_tags);
  return null;
end
$$;
create trigger user_summaries_new_insert after insert on users referencing new table as new_rows for each statement execute function maintain_new();
create trigger user_summaries_new_update after update on users referencing new table as new_rows for each statement execute function maintain_new();
create function maintain_old() returns trigger
language plpgsql
set search_path = user_summaries, public, pg_temp
set jit = off set enable_mergejoin = off set enable_seqscan = off -- as in generator.ts
as $$
begin
  delete from texts t
  where t.id in (select o.id from old_rows o) and not exists (select from users r where r.id = t.id);
  return null;
end
$$;
create trigger user_summaries_old_update after update on users referencing old table as old_rows for each statement execute function maintain_old();
create trigger user_summaries_old_delete after delete on users referencing old table as old_rows for each statement execute function maintain_old();
create function maintain_all() returns trigger
language plpgsql
set search_path = user_summaries, public, pg_temp
set jit = off set enable_mergejoin = off set enable_seqscan = off -- as in generator.ts
as $$
begin
  perform recount();
  return null;
end
$$;
create trigger user_summaries_all_truncate after truncate on users for each statement execute function maintain_all();
-- A row for everything that is wrong: commonhall verify reads this view.
create view wrong_texts as
select 1 as wrong
from texts t
full join (
  select r.id, '{' || (select json_members(row_to_json(i)) from (select r.id, r.username, r.display_name as "displayName", r.avatar, r.bio, r.status) i) || ',"tags":', (
  select coalesce('[' || string_agg('{"tag":' || t.tag || ',"tier":' || t.tier || '}', ',' order by t.place) || ']', '[]')
  from (
    select (e.value -> 'tag')::text as tag, (e.value -> 'tier')::text as tier, min(e.place) as place
    from jsonb_array_elements(r.tags) with ordinality as e (value, place)
    group by 1, 2
  ) t
) || '}', r.tags::text || '}'
  from users r
) n (id, head, public_tags, contest_tags) using (id)
where (t.head, t.public_tags, t.contest_tags) is distinct from (n.head, n.public_tags, n.contest_tags);