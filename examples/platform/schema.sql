-- A small platform with its own tables, the views that map its rows to Commonhall's records (docs/loading-data.md), and
-- the outbox. Triggers write the outbox; no other code of the platform needs to know about it.

create type member_state as enum ('new', 'active', 'suspended');
create type staff_rank as enum ('helper', 'manager', 'boss');
create type task_state as enum ('draft', 'open', 'judging', 'done', 'withdrawn');
create type entry_state as enum ('waiting', 'accepted', 'prize', 'refused');
create type product_state as enum ('building', 'on_air', 'retired');

create table members (
  id uuid primary key default gen_random_uuid(),
  handle text not null unique, full_name text not null, about text, picture_url text,
  state member_state not null default 'new', is_admin boolean not null default false
);
create table companies (
  id integer generated always as identity primary key,
  handle text not null unique, title text not null, logo_url text, homepage text
);
create table company_staff (
  company_id integer not null references companies,
  member_id uuid not null references members,
  rank staff_rank not null,
  primary key (member_id, company_id)
);
create table tasks (
  id integer generated always as identity primary key,
  company_id integer not null references companies,
  handle text not null unique, headline text not null, summary text not null, body text not null, kind text not null,
  state task_state not null default 'draft',
  is_blocked boolean not null default false, -- set by the platform's moderators
  prizes numeric[] not null default '{}', -- in the order of the prize places
  picture_url text, opens_at timestamptz, closes_at timestamptz, published_at timestamptz, finished_at timestamptz,
  entries_are_open boolean not null default true,
  created_at timestamptz not null default now(), changed_at timestamptz not null default now(),
  check (state not in ('open', 'judging', 'done') or published_at is not null)
);
create table entries (
  id uuid primary key default gen_random_uuid(),
  task_id integer not null references tasks on delete cascade,
  author_id uuid not null references members,
  title text not null, story text not null, link text,
  state entry_state not null default 'waiting',
  is_blocked boolean not null default false, block_reason text, prize integer, claps integer not null default 0,
  wallet text, created_at timestamptz not null default now(), changed_at timestamptz not null default now()
);
create table products (
  id integer generated always as identity primary key,
  owner_id uuid not null references members,
  handle text not null unique, name text not null, tagline text not null, story text not null, homepage text,
  screenshots text[] not null default '{}',
  state product_state not null default 'building',
  is_blocked boolean not null default false,
  week date, score integer not null default 0, featured_at timestamptz, published_at timestamptz,
  created_at timestamptz not null default now(), changed_at timestamptz not null default now(),
  check (state <> 'on_air' or num_nulls(published_at, week) = 0)
);
create table product_makers (
  product_id integer not null references products on delete cascade,
  member_id uuid not null references members,
  place integer not null,
  primary key (member_id, product_id),
  unique (product_id, place) deferrable
);
create table badges (
  address text primary key,
  name text not null, story text not null, picture_url text, kind text not null, is_draft boolean not null default true,
  is_blocked boolean not null default false,
  created_at timestamptz not null default now(), changed_at timestamptz not null default now()
);
create table badge_grants (
  id bigint generated always as identity primary key,
  badge_address text not null references badges,
  member_id uuid not null references members,
  granted_at timestamptz not null default now(),
  unique (member_id, badge_address)
);

-- The outbox. A reader must not remember the largest id, since ids are not in commit order.
create table outbox (
  id bigint generated always as identity primary key,
  message_id uuid not null default gen_random_uuid(),
  xid xid8 not null default pg_current_xact_id(),
  body jsonb not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
-- The position in the stream up to which the relay has published. A stream that ends before it was restored from an
-- older copy.
create table outbox_published (
  is_only boolean primary key default true check (is_only),
  stream_created_at text not null, last bigint not null
);

-- Formats a timestamp for Commonhall: UTC, milliseconds, a trailing Z.
create function instant(moment timestamptz) returns text
language sql stable
return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- One view for each table of Commonhall that the platform has data for, with the columns of the record format. A view
-- reads only one table. If it read two, a change of either would have to write the outbox, and both under one lock.
create view commonhall_users as
select id::text as id, handle as username, full_name as display_name,
  case when picture_url is not null then jsonb_build_object('sm', picture_url, 'lg', picture_url) end as avatar,
  about as bio,
  case state when 'active' then 'ACTIVATED' when 'suspended' then 'BANNED' else 'PENDING' end as status,
  '[]'::jsonb as tags, is_admin as god_mode
from members;

create view commonhall_sponsors as
select id::text as id, handle as slug, title as name, logo_url as logo, homepage as website
from companies;

create view commonhall_sponsor_members as
select member_id::text as user_id, company_id::text as sponsor_id,
  case rank when 'boss' then 'OWNER' when 'manager' then 'ADMIN' else 'MEMBER' end as role
from company_staff;

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

create view commonhall_launch_makers as
select product_id::text as launch_id, place as position, member_id::text as user_id
from product_makers;

create view commonhall_collections as
select address, name, story as description, picture_url as image, kind as type, 'NORMAL' as importance,
  true as is_sbt, 'community' as category, false as is_winner, 'internal' as source,
  case when is_draft then 'DRAFT' else 'ACTIVE' end as status,
  case when is_blocked then 'hidden' end as visibility,
  null::text as creator_address, 0 as next_item_index, null::text as external_link, '[]'::jsonb as social_links,
  instant(created_at) as created_at, instant(changed_at) as updated_at, null::text as on_chain_created_at
from badges;

create view commonhall_collection_holders as
select member_id::text as user_id, badge_address as collection_address, instant(granted_at) as acquired_at
from badge_grants;

create view commonhall_timeline_items as
select member_id::text as user_id, id::text as id, 'BADGE_RECEIVED' as type, instant(granted_at) as date,
  jsonb_build_object('collectionAddress', badge_address, 'itemIndex', id) as details
from badge_grants;

-- The trigger looks up the row of a view by its key, which is text in the view.
create unique index members_key on members ((id::text));
create unique index companies_key on companies ((id::text));
create unique index company_staff_key on company_staff ((member_id::text), (company_id::text));
create unique index tasks_key on tasks ((id::text));
create unique index entries_key on entries ((id::text));
create unique index products_key on products ((id::text));
create unique index product_makers_key on product_makers ((member_id::text), (product_id::text));
create unique index badge_grants_holder on badge_grants ((member_id::text), badge_address);
create unique index badge_grants_key on badge_grants ((member_id::text), (id::text));

-- Arguments: a table of Commonhall, and its key as {"column of the record": "column of the platform's table"}. Writes
-- in the transaction of the change: both commit, or neither. A change waits for the lock of its row, so the later of
-- two changes has the larger id and commits later.
create function write_outbox() returns trigger
language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  old_key jsonb;
  new_key jsonb;
  new_record jsonb;
  condition text;
begin
  select jsonb_object_agg(key, to_jsonb(old) ->> value), jsonb_object_agg(key, to_jsonb(new) ->> value),
    string_agg(format('%I = $1 ->> %L', key, key), ' and ')
  into old_key, new_key, condition
  from jsonb_each_text(tg_argv[1]::jsonb);
  if tg_op <> 'DELETE' then
    execute format('select to_jsonb(v) from %I v where %s', 'commonhall_' || tg_argv[0], condition)
      into new_record using new_key;
  end if;
  if tg_op <> 'INSERT' and (new_record is null or old_key <> new_key) then
    insert into outbox (body) values (jsonb_build_object('op', 'delete', 'table', tg_argv[0], 'key', old_key));
  end if;
  if new_record is not null then
    insert into outbox (body) values (jsonb_build_object('op', 'put', 'table', tg_argv[0], 'record', new_record));
  end if;
  return null;
end
$$;

create trigger outbox after insert or update or delete on members
for each row execute function write_outbox('users', '{"id": "id"}');
create trigger outbox after insert or update or delete on companies
for each row execute function write_outbox('sponsors', '{"id": "id"}');
create trigger outbox after insert or update or delete on company_staff
for each row execute function write_outbox('sponsor_members', '{"user_id": "member_id", "sponsor_id": "company_id"}');
create trigger outbox after insert or update or delete on tasks
for each row execute function write_outbox('bounties', '{"id": "id"}');
create trigger outbox after insert or update or delete on entries
for each row execute function write_outbox('bounty_submissions', '{"id": "id"}');
create trigger outbox after insert or update or delete on products
for each row execute function write_outbox('launches', '{"id": "id"}');
create trigger outbox after insert or update or delete on product_makers
for each row execute function write_outbox('launch_makers', '{"user_id": "member_id", "launch_id": "product_id"}');
create trigger outbox after insert or update or delete on badges
for each row execute function write_outbox('collections', '{"address": "address"}');
create trigger outbox_holder after insert or update or delete on badge_grants
for each row execute function
write_outbox('collection_holders', '{"user_id": "member_id", "collection_address": "badge_address"}');
create trigger outbox_timeline after insert or update or delete on badge_grants
for each row execute function write_outbox('timeline_items', '{"user_id": "member_id", "id": "id"}');

-- TRUNCATE fires no row triggers, so the rows would stay in Commonhall.
create function refuse_truncate() returns trigger
language plpgsql
as $$
begin
  raise exception 'use DELETE: the outbox does not see a TRUNCATE of %', tg_table_name;
end
$$;
do $$
declare
  followed regclass;
begin
  for followed in select distinct tgrelid::regclass from pg_trigger where tgfoid = 'write_outbox'::regproc loop
    execute format('create trigger no_truncate before truncate on %s execute function refuse_truncate()', followed);
  end loop;
end
$$;
