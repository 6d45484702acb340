-- The outbox that Commonhall follows. Fill in the views: the left side of each "as" is yours, the right side is
-- Commonhall's. Then run all of it once, in the platform's database, as the owner of its tables.
begin;
set local search_path = public, pg_temp; -- write your tables of another schema with it, like app.tasks

do $$
begin
  if not exists (select from pg_roles where rolname = 'commonhall_feed') then
    create role commonhall_feed login; -- give it a password, or another way to log in
  end if;
end
$$;

-- Every change, written in its own transaction, until Commonhall has applied it. A reader must not remember the largest
-- id, since ids are not in commit order.
create table outbox (
  id bigint generated always as identity primary key,
  message_id uuid not null default gen_random_uuid(),
  xid xid8 not null default pg_current_xact_id(),
  body json not null -- as text, so that it is read as it was written
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
-- How many rows have been applied and deleted. By the other two columns Commonhall notices another outbox, and rows that
-- were deleted after a load was taken.
create table outbox_position (
  is_only boolean primary key default true check (is_only),
  outbox uuid not null default gen_random_uuid(),
  applied bigint not null default 0,
  xid xid8 not null default pg_current_xact_id()
);
insert into outbox_position default values;
grant select, delete on outbox to commonhall_feed;
grant select, update on outbox_position to commonhall_feed;

-- Formats a timestamp for Commonhall: UTC, milliseconds, a trailing Z.
create function instant(moment timestamptz) returns text
language sql stable
return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- TRUNCATE fires no row triggers, so the rows would stay in Commonhall.
create function refuse_truncate() returns trigger
language plpgsql
as $$
begin
  raise exception 'use DELETE: the outbox does not see a TRUNCATE of %', tg_table_name;
end
$$;

-- Follows a table of the platform: its changes are written under the name of a table of Commonhall. The key names the
-- columns of the record and those of the platform's table. A change is written in its own transaction: both commit, or
-- neither. A change waits for the lock of its row, so the later of two changes has the larger id and commits later.
create function follow_table(own regclass, name text, key jsonb) returns void
language plpgsql
as $follow$
declare
  columns text;
  is_it text;
  has_moved text;
  old_key text;
begin
  select string_agg(format('(%I::text)', c), ', '), string_agg(format('v.%I = new.%I::text', k, c), ' and '),
    string_agg(format('old.%1$I is distinct from new.%1$I', c), ' or '), string_agg(format('%L, old.%I::text', k, c), ', ')
  into columns, is_it, has_moved, old_key
  from jsonb_each_text(key) e (k, c);
  execute format($sql$
    create unique index on %1$s (%2$s); -- the view is searched by its key, which is text
    create function outbox_%3$s() returns trigger
    language plpgsql security definer set search_path = public, pg_temp
    as $body$
    declare
      record_now json;
    begin
      if tg_op <> 'DELETE' then
        select to_json(v) into record_now from commonhall_%3$s v where %4$s;
      end if;
      if tg_op <> 'INSERT' and (record_now is null or %5$s) then
        insert into outbox (body)
        values (json_build_object('op', 'delete', 'table', %3$L, 'key', json_build_object(%6$s)));
      end if;
      if record_now is not null then
        insert into outbox (body) values (json_build_object('op', 'put', 'table', %3$L, 'record', record_now));
      end if;
      return null;
    end
    $body$;
    revoke execute on function outbox_%3$s() from public;
    create trigger outbox_%3$s after insert or update or delete on %1$s
      for each row execute function outbox_%3$s(%3$L, %7$L);
    create trigger no_truncate_%3$s before truncate on %1$s execute function refuse_truncate()$sql$,
    own, columns, name, is_it, has_moved, old_key, key);
end
$follow$;

-- Whether the key of each view is the columns that its trigger names. Otherwise changes would be written under another
-- key, or not at all.
create function check_outbox() returns void
language plpgsql set search_path = public, pg_temp
as $$
declare
  found record;
  condition text;
  is_wrong boolean;
begin
  for found in
    select tgrelid::regclass as own, string_to_array(encode(tgargs, 'escape'), '\000') as args
    from pg_trigger
    join pg_proc p on p.oid = tgfoid and p.pronamespace = 'public'::regnamespace
    join pg_class c on c.oid = tgrelid and c.relkind in ('r', 'p') and c.relpersistence <> 't'
    where starts_with(tgname, 'outbox_') and tgname = p.proname and tgnargs = 2
  loop
    select string_agg(format('o.%I::text = v.%I', value, key), ' and ') into condition
    from jsonb_each_text(found.args[2]::jsonb);
    execute format('select exists (select from %I v where not exists (select from %s o where %s))',
      'commonhall_' || found.args[1], found.own, condition) into is_wrong;
    if is_wrong then
      raise exception 'the key of the view commonhall_% is not that of %: % must be the column itself, as text',
        found.args[1], found.own, found.args[2];
    end if;
  end loop;
end
$$;
revoke execute on function follow_table(regclass, text, jsonb), check_outbox(), refuse_truncate() from public;

create view commonhall_users as
select id::text as id, handle as username, full_name as display_name,
  case when picture_url is not null then jsonb_build_object('sm', picture_url, 'lg', picture_url) end as avatar,
  about as bio,
  case state when 'active' then 'ACTIVATED' when 'suspended' then 'BANNED' else 'PENDING' end as status,
  '[]'::jsonb as tags, is_admin as god_mode
from members;
select follow_table('members', 'users', '{"id": "id"}');

create view commonhall_sponsors as
select id::text as id, handle as slug, title as name, logo_url as logo, homepage as website
from companies;
select follow_table('companies', 'sponsors', '{"id": "id"}');

create view commonhall_sponsor_members as
select member_id::text as user_id, company_id::text as sponsor_id,
  case rank when 'boss' then 'OWNER' when 'manager' then 'ADMIN' else 'MEMBER' end as role
from company_staff;
select follow_table('company_staff', 'sponsor_members', '{"user_id": "member_id", "sponsor_id": "company_id"}');

-- Maps each state to a status that Commonhall knows. A row that moderators have blocked is hidden in every state.
create view commonhall_bounties as
select id::text as id, handle as slug, headline as title, summary as short_description, body as details,
  kind as category,
  case state when 'open' then 'OPEN' when 'judging' then 'REVIEW' when 'done' then 'COMPLETED' when 'draft' then 'DRAFT'
    else 'CANCELLED' end as status,
  case when is_blocked then 'hidden' end as visibility,
  coalesce((
    select jsonb_agg(jsonb_build_object('place', place, 'amount', amount) order by place)
    from unnest(prizes) with ordinality as p (amount, place)
  ), '[]') as rewards,
  picture_url as image_url, instant(opens_at) as submission_start, instant(closes_at) as submission_end,
  null::text as review_start, null::text as review_end, instant(published_at) as published_at,
  instant(finished_at) as completed_at, '[]'::jsonb as fields, company_id::text as sponsor_id,
  entries_are_open as submissions_visible, instant(created_at) as created_at, instant(changed_at) as updated_at
from tasks;
select follow_table('tasks', 'bounties', '{"id": "id"}');

create view commonhall_bounty_submissions as
select id::text as id, task_id::text as bounty_id, author_id::text as user_id, title, story as description,
  '[]'::jsonb as field_values,
  case when link is null then '[]'::jsonb
    else jsonb_build_array(jsonb_build_object('name', 'Link', 'value', link)) end as additional_links,
  null::text as image_url,
  case state when 'waiting' then 'PENDING' when 'accepted' then 'APPROVED' when 'prize' then 'WINNER'
    else 'REJECTED' end as status,
  case when is_blocked then 'hidden' end as visibility,
  block_reason as moderation_reason, prize as prize_place, 0 as comment_count, claps as clap_count,
  wallet as reward_wallet_address, instant(created_at) as created_at, instant(changed_at) as updated_at
from entries;
select follow_table('entries', 'bounty_submissions', '{"id": "id"}');

-- Uses the platform's own statuses. Commonhall does not know them, so visibility says which rows are public.
create view commonhall_launches as
select id::text as id, handle as slug, name, tagline, story as description, null::text as logo_url,
  null::text as cta_url, homepage as website_url, null::text as code_host_url, null::text as messenger_url,
  null::text as mini_app_url, null::text as microblog_url, null::text as photo_social_url,
  null::text as professional_network_url, null::text as video_site_url, null::text as video_url,
  to_jsonb(screenshots) as screenshot_urls, upper(state::text) as status,
  case when state = 'on_air' and not is_blocked then 'public' else 'hidden' end as visibility,
  instant(week::timestamp at time zone 'UTC') as launch_week, score as rating, score as launch_week_rating,
  0 as comment_count, owner_id::text as submitted_by_id, instant(featured_at) as featured_at,
  instant(published_at) as published_at, instant(created_at) as created_at, instant(changed_at) as updated_at
from products;
select follow_table('products', 'launches', '{"id": "id"}');

create view commonhall_launch_makers as
select product_id::text as launch_id, place as position, member_id::text as user_id
from product_makers;
select follow_table('product_makers', 'launch_makers', '{"user_id": "member_id", "launch_id": "product_id"}');

create view commonhall_collections as
select address, name, story as description, picture_url as image, kind as type, 'NORMAL' as importance,
  true as is_sbt, 'community' as category, false as is_winner, 'internal' as source,
  case when is_draft then 'DRAFT' else 'ACTIVE' end as status,
  case when is_blocked then 'hidden' end as visibility,
  null::text as creator_address, 0 as next_item_index, null::text as external_link, '[]'::jsonb as social_links,
  instant(created_at) as created_at, instant(changed_at) as updated_at, null::text as on_chain_created_at
from badges;
select follow_table('badges', 'collections', '{"address": "address"}');

create view commonhall_collection_holders as
select member_id::text as user_id, badge_address as collection_address, instant(granted_at) as acquired_at
from badge_grants;
select follow_table('badge_grants', 'collection_holders', '{"user_id": "member_id", "collection_address": "badge_address"}');

create view commonhall_timeline_items as
select member_id::text as user_id, id::text as id, 'BADGE_RECEIVED' as type, instant(granted_at) as date,
  jsonb_build_object('collectionAddress', badge_address, 'itemIndex', id) as details
from badge_grants;
select follow_table('badge_grants', 'timeline_items', '{"user_id": "member_id", "id": "id"}');

select check_outbox();
commit;
