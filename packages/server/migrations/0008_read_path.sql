-- Up Migration
-- The read path: JSON that follows from one row is stored ready, and the sorted lists can be filtered, searched and
-- counted in their indexes alone. The figures are in docs/scale.md.
set local lock_timeout = '5s';

-- Immutable in fact: neither depends on a setting. Only for stored columns; reads use the inlined originals.
create function json_text(value text) returns text
language sql immutable parallel safe
return coalesce(to_json(value)::text, 'null');
create function stored_iso(moment timestamptz) returns text
language sql immutable parallel safe
return coalesce('"' || iso(moment) || '"', 'null');

create function avatar_json(avatar jsonb) returns text
language sql immutable parallel safe
return case
  when avatar is null then 'null'
  else '{"sm":' || json_text(avatar ->> 'sm') || ',"lg":' || json_text(avatar ->> 'lg') || '}'
end;

create function contest_tags(tags jsonb) returns json
language sql immutable parallel safe
return case when tags = '[]' then '[]'::json else (
  select ('[' || string_agg(
    '{"tag":' || (e.value -> 'tag')::text || ',"tier":' || (e.value -> 'tier')::text || ',"contestName":' || (e.value -> 'contestName')::text || '}',
    ',' order by e.place
  ) || ']')::json
  from jsonb_array_elements(tags) with ordinality as e (value, place)
) end;

-- A user as others show them: this, the tags of the view, and a brace.
alter table users
  add column summary_head text not null generated always as (
    '{"id":' || json_text(id) || ',"username":' || json_text(username) || ',"displayName":' || json_text(display_name)
    || ',"avatar":' || avatar_json(avatar) || ',"bio":' || json_text(bio) || ',"status":' || json_text(status) || ',"tags":'
  ) stored,
  add column contest_tags json not null generated always as (contest_tags(tags)) stored;

-- The services of an agent as its profile shows them.
create function profile_services(services jsonb) returns text
language sql immutable parallel safe
return case when services = '[]' then '[]' else (
  select '[' || string_agg(
    '{"name":' || (s.value -> 'name')::text || ',"endpoint":' || (s.value -> 'endpoint')::text
    || ',"version":' || (s.value -> 'version')::text
    || case when s.value -> 'mcpTools' = '[]' then '' else ',"mcpTools":' || (s.value -> 'mcpTools')::text end || '}',
    ',' order by s.place
  ) || ']'
  from jsonb_array_elements(services) with ordinality as s (value, place)
) end;

-- What is read together lies together: a row is cut up only when it would not fit a page.
alter table agents set (toast_tuple_target = 8160);
-- A profile in three parts; metadataUrl, online and the owner come between them when it is read.
alter table agents
  add column profile_head text not null generated always as (
    '{"id":' || json_text(id) || ',"name":' || json_text(name) || ',"displayName":' || json_text(display_name)
    || ',"agentId":' || json_text(agent_id) || ',"bio":' || json_text(bio) || ',"avatar":' || avatar_json(avatar)
  ) stored,
  add column profile_middle text not null generated always as (
    ',"websiteUrl":' || json_text(website_url) || ',"services":' || profile_services(services)
    || ',"active":' || active::text || ',"x402Support":' || x402_support::text
    || ',"supportedTrust":' || supported_trust::text || ',"registrations":' || registrations::text
    || ',"socialAccounts":' || social_accounts::text || ',"version":' || json_text(version)
    || ',"category":' || json_text(category) || ',"tags":' || tags::text || ',"status":' || json_text(status)
    || ',"lastSeenAt":' || stored_iso(last_seen_at)
  ) stored,
  add column profile_tail text not null generated always as (
    ',"createdAt":' || stored_iso(created_at) || ',"updatedAt":' || stored_iso(updated_at)
    || ',"publishedAt":' || stored_iso(published_at) || '}'
  ) stored;

-- One number for a combination of filter values, so that an index can carry it. Two combinations with the same number
-- would be refused by the facets' unique constraint, not mixed up.
create function facet_of(variadic parts text[]) returns bigint
language sql immutable parallel safe
return ('x' || left(md5(array_to_json(parts)::text), 16))::bit(64)::bigint;

alter table collections
  add column facet bigint not null generated always as (facet_of(type, importance, is_sbt::text, category, source)) stored;
alter table repositories
  add column facet bigint not null generated always as (facet_of(category, ecosystem, importance, platform, status)) stored;
set local commonhall.repair = 'on';
alter table collection_facets
  add column facet bigint not null unique generated always as (facet_of(type, importance, is_sbt::text, category, source)) stored;
alter table repository_facets
  add column facet bigint not null unique generated always as (facet_of(category, ecosystem, importance, platform, status)) stored;
set local commonhall.repair = '';

drop index repositories_by_created, repositories_by_updated, repositories_by_name, repositories_by_owner;
create index repositories_by_created on repositories (created_at, platform, platform_id) include (facet, search_name);
create index repositories_by_updated on repositories (updated_at, platform, platform_id) include (facet, search_name);
create index repositories_by_name on repositories (name, platform, platform_id) include (facet, search_name);
create index repositories_by_owner on repositories (owner, platform, platform_id) include (facet, search_name);

drop index collections_by_name, collections_by_holders, collections_by_created, collections_by_chain_up, collections_by_chain_down;
create index collections_by_name on collections (name, address) include (facet, search_name) where is_public;
create index collections_by_holders on collections (holders_count, address) include (facet, search_name) where is_public;
create index collections_by_created on collections (created_at, address) include (facet, search_name) where is_public;
create index collections_by_chain_up on collections (on_chain_created_at asc nulls last, address asc) include (facet, search_name) where is_public;
create index collections_by_chain_down on collections (on_chain_created_at desc nulls last, address desc) include (facet, search_name) where is_public;
