-- The read path: JSON that depends on one row only is stored where that pays off (docs/scale.md). `commonhall migrate`
-- creates the server's roles and grants their privileges (src/db/schema/rights.ts).

-- Immutable in fact: none depends on a setting. Only for stored columns; reads use the inlined originals.
create function json_text(value text) returns text
language sql immutable parallel safe
return coalesce(to_json(value)::text, 'null');
create function stored_iso(moment timestamptz) returns text
language sql immutable parallel safe
return coalesce('"' || iso_text(moment) || '"', 'null');
-- Like encodeURIComponent: characters that are not plain in a URL become percent-encoded UTF-8 bytes.
create function url_part(value text) returns text
language sql immutable parallel safe
return (
  select string_agg(case when c.letter ~ '[A-Za-z0-9_.!~*''()-]' then c.letter
    else regexp_replace(upper(encode(convert_to(c.letter, 'UTF8'), 'hex')), '(..)', '%\1', 'g') end, '' order by c.place)
  from regexp_split_to_table(value, '') with ordinality as c (letter, place)
);

-- A user summary is this head, the tags of the view, and a closing brace.
alter table users
  add column summary_head text not null generated always as (
    '{"id":' || json_text(id) || ',"username":' || json_text(username) || ',"displayName":' || json_text(display_name)
    || ',"avatar":' || coalesce(avatar::text, 'null') || ',"bio":' || json_text(bio) || ',"status":' || json_text(status)
    || ',"tags":'
  ) stored,
  add column public_tags json not null generated always as (public_tags(tags)) stored;

-- The services of an agent as its profile shows them: four keys, mcpTools only when there are any.
create function profile_services(services jsonb) returns text
language sql immutable parallel safe
return (
  select coalesce(jsonb_agg(s.value - '{description,capabilities,mcpResources,mcpPrompts,skills,domains,a2aSkills}'::text[]
    - case when s.value -> 'mcpTools' = '[]' then 'mcpTools' else '' end order by s.place), '[]')::text
  from jsonb_array_elements(services) with ordinality as s (value, place)
);

-- Keeps the columns of a row together: parts go to TOAST only when the row would not fit a page.
alter table agents set (toast_tuple_target = 8160);
-- A profile in three parts; a read inserts the beginning of metadataUrl, online and the owner between them.
alter table agents
  add column profile_head text not null generated always as (
    '{"id":' || json_text(id) || ',"name":' || json_text(name) || ',"displayName":' || json_text(display_name)
    || ',"agentId":' || json_text(agent_id) || ',"bio":' || json_text(bio) || ',"avatar":' || coalesce(avatar::text, 'null')
    || ',"metadataUrl":'
  ) stored,
  add column profile_middle text not null generated always as (
    '/agents/' || url_part(name) || '/metadata","websiteUrl":' || json_text(website_url) || ',"services":' || profile_services(services)
    || ',"active":' || active::text || ',"x402Support":' || x402_support::text
    || ',"supportedTrust":' || supported_trust::text || ',"registrations":' || registrations::text
    || ',"socialAccounts":' || social_accounts::text || ',"version":' || json_text(version)
    || ',"category":' || json_text(category) || ',"tags":' || tags::text || ',"status":' || json_text(status)
    || ',"lastSeenAt":' || stored_iso(last_seen_at) || ',"online":'
  ) stored,
  add column profile_tail text not null generated always as (
    ',"createdAt":' || stored_iso(created_at) || ',"updatedAt":' || stored_iso(updated_at)
    || ',"publishedAt":' || stored_iso(published_at) || '}'
  ) stored;
