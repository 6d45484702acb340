-- Printed from the catalogue by: npm run refresh. Not run by anything; migrations/ makes the schema.

create domain count_integer as bigint CHECK (((VALUE >= 0) AND (VALUE <= '9007199254740991'::bigint)));

create domain finite_number as double precision CHECK (((VALUE > '-Infinity'::double precision) AND (VALUE < 'Infinity'::double precision)));

create domain id_text as text CHECK ((((char_length(VALUE) >= 1) AND (char_length(VALUE) <= 100)) AND (VALUE !~ '[\u0001-\u001f\u007f-\u009f]'::text) AND (VALUE <> ALL (ARRAY['.'::text, '..'::text]))));

create domain instant as timestamp(3) with time zone CHECK (((VALUE >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (VALUE < '10000-01-01 00:00:00+00'::timestamp with time zone)));

create domain long_text as text CHECK (((char_length(VALUE) >= 1) AND (char_length(VALUE) <= 50000)));

create domain name_text as text CHECK (((char_length(VALUE) >= 1) AND (char_length(VALUE) <= 100)));

create domain safe_integer as bigint CHECK (((VALUE >= '-9007199254740991'::bigint) AND (VALUE <= '9007199254740991'::bigint)));

create domain short_text as text CHECK (((char_length(VALUE) >= 1) AND (char_length(VALUE) <= 500)));

create domain slug_text as text CHECK (((VALUE ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'::text) AND (lower(VALUE) <> ALL (ARRAY['me'::text, 'featured'::text, 'user'::text, 'scores'::text, 'metadata'::text]))));

create domain title_text as text CHECK (((char_length(VALUE) >= 1) AND (char_length(VALUE) <= 200)));

create domain url_text as text CHECK (((char_length(VALUE) >= 1) AND (char_length(VALUE) <= 2048)));

create table agents (
  id id_text not null,
  name slug_text not null,
  display_name name_text not null,
  agent_id name_text,
  bio long_text not null,
  avatar jsonb,
  website_url url_text,
  services jsonb default '[]'::jsonb not null,
  active boolean not null,
  x402_support boolean not null,
  supported_trust jsonb default '[]'::jsonb not null,
  registrations jsonb default '[]'::jsonb not null,
  social_accounts jsonb default '[]'::jsonb not null,
  version name_text,
  category name_text,
  tags jsonb default '[]'::jsonb not null,
  status name_text not null,
  last_seen_at instant,
  owner_id id_text not null,
  created_at instant not null,
  updated_at instant not null,
  published_at instant not null,
  is_public boolean generated always as (((status)::text = 'PUBLISHED'::text)) stored not null,
  profile_head text generated always as (((((((((((('{"id":'::text || json_text((id)::text)) || ',"name":'::text) || json_text((name)::text)) || ',"displayName":'::text) || json_text((display_name)::text)) || ',"agentId":'::text) || json_text((agent_id)::text)) || ',"bio":'::text) || json_text((bio)::text)) || ',"avatar":'::text) || avatar_json(avatar))) stored not null,
  profile_middle text generated always as ((((((((((((((((((((((((',"websiteUrl":'::text || json_text((website_url)::text)) || ',"services":'::text) || profile_services(services)) || ',"active":'::text) || (active)::text) || ',"x402Support":'::text) || (x402_support)::text) || ',"supportedTrust":'::text) || (supported_trust)::text) || ',"registrations":'::text) || (registrations)::text) || ',"socialAccounts":'::text) || (social_accounts)::text) || ',"version":'::text) || json_text((version)::text)) || ',"category":'::text) || json_text((category)::text)) || ',"tags":'::text) || (tags)::text) || ',"status":'::text) || json_text((status)::text)) || ',"lastSeenAt":'::text) || stored_iso((last_seen_at)::timestamp with time zone))) stored not null,
  profile_tail text generated always as (((((((',"createdAt":'::text || stored_iso((created_at)::timestamp with time zone)) || ',"updatedAt":'::text) || stored_iso((updated_at)::timestamp with time zone)) || ',"publishedAt":'::text) || stored_iso((published_at)::timestamp with time zone)) || '}'::text)) stored not null,
  constraint agents_avatar_check CHECK (((avatar IS NULL) OR is_avatar(avatar))),
  constraint agents_registrations_check CHECK (((registrations = '[]'::jsonb) OR json_fits(registrations, '[{"agentId": "integer", "agentRegistry": "registry"}]'::jsonb))),
  constraint agents_services_check CHECK (((services = '[]'::jsonb) OR json_fits(services, '[{"name": "text100", "skills": ["text100"], "domains": ["text100"], "version": "text100?", "endpoint": "text2048", "mcpTools": ["text100"], "a2aSkills": ["text100"], "mcpPrompts": ["text100"], "description": "text500?", "capabilities": ["text100"], "mcpResources": ["text100"]}]'::jsonb))),
  constraint agents_social_accounts_check CHECK (((social_accounts = '[]'::jsonb) OR json_fits(social_accounts, '[{"url": "text2048", "platform": "upper100", "username": "text100", "verified": "boolean"}]'::jsonb))),
  constraint agents_supported_trust_check CHECK (((supported_trust = '[]'::jsonb) OR json_fits(supported_trust, '["text100"]'::jsonb))),
  constraint agents_tags_check CHECK (((tags = '[]'::jsonb) OR json_fits(tags, '["text100"]'::jsonb))),
  constraint agents_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id),
  constraint agents_pkey PRIMARY KEY (id),
  constraint agents_name_key UNIQUE (name)
);

create table api_keys (
  id id_text not null,
  user_id id_text not null,
  name name_text not null,
  hash bytea not null,
  created_at instant not null,
  revoked_at instant,
  expires_at instant,
  last_used_on date,
  constraint api_keys_hash_check CHECK ((octet_length(hash) = 32)),
  constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_hash_key UNIQUE (hash)
);

create table bounties (
  id id_text not null,
  slug slug_text not null,
  title title_text not null,
  short_description short_text not null,
  details long_text not null,
  category name_text not null,
  status name_text not null,
  rewards jsonb default '[]'::jsonb not null,
  image_url url_text,
  submission_start instant,
  submission_end instant,
  review_start instant,
  review_end instant,
  published_at instant,
  completed_at instant,
  fields jsonb default '[]'::jsonb not null,
  sponsor_id id_text not null,
  submissions_visible boolean not null,
  submission_count integer default 0 not null,
  created_at instant not null,
  updated_at instant not null,
  is_public boolean generated always as (((status)::text = ANY (ARRAY['OPEN'::text, 'REVIEW'::text, 'COMPLETED'::text]))) stored not null,
  all_submission_count integer default 0 not null,
  constraint bounties_all_submission_count_check CHECK ((all_submission_count >= 0)),
  constraint bounties_fields_check CHECK (((fields = '[]'::jsonb) OR json_fits(fields, '[{"type": "text100", "label": "text200", "required": "boolean"}]'::jsonb))),
  constraint bounties_public_moments CHECK (((NOT is_public) OR (num_nulls(submission_start, submission_end, review_start, review_end, published_at) = 0))),
  constraint bounties_rewards_check CHECK (((rewards = '[]'::jsonb) OR json_fits(rewards, '[{"place": "integer", "amount": "number"}]'::jsonb))),
  constraint bounties_submission_count_check CHECK ((submission_count >= 0)),
  constraint bounties_sponsor_id_fkey FOREIGN KEY (sponsor_id) REFERENCES sponsors(id),
  constraint bounties_pkey PRIMARY KEY (id),
  constraint bounties_slug_key UNIQUE (slug)
);

create table bounty_submission_makers (
  submission_id id_text not null,
  user_id id_text not null,
  "position" smallint not null,
  constraint bounty_submission_makers_position_check CHECK ((("position" >= 1) AND ("position" <= 100))),
  constraint bounty_submission_makers_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES bounty_submissions(id) ON DELETE CASCADE,
  constraint bounty_submission_makers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint bounty_submission_makers_pkey PRIMARY KEY (user_id, submission_id),
  constraint bounty_submission_makers_submission_id_position_key UNIQUE (submission_id, "position") DEFERRABLE
);

create table bounty_submissions (
  id id_text not null,
  bounty_id id_text not null,
  user_id id_text not null,
  title title_text not null,
  description long_text not null,
  field_values jsonb default '[]'::jsonb not null,
  additional_links jsonb default '[]'::jsonb not null,
  image_url url_text,
  status name_text not null,
  moderation_reason short_text,
  prize_place smallint,
  comment_count count_integer default 0 not null,
  clap_count count_integer default 0 not null,
  reward_wallet_address id_text,
  created_at instant not null,
  updated_at instant not null,
  is_public boolean generated always as (((status)::text = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'WINNER'::text]))) stored not null,
  constraint bounty_submissions_additional_links_check CHECK (((additional_links = '[]'::jsonb) OR json_fits(additional_links, '[{"name": "text100", "value": "text2048"}]'::jsonb))),
  constraint bounty_submissions_field_values_check CHECK (((field_values = '[]'::jsonb) OR json_fits(field_values, '[{"type": "text100", "label": "text200", "value": "text2048"}]'::jsonb))),
  constraint bounty_submissions_prize_place_check CHECK (((prize_place >= 1) AND (prize_place <= 100))),
  constraint bounty_submissions_bounty_id_fkey FOREIGN KEY (bounty_id) REFERENCES bounties(id) ON DELETE CASCADE,
  constraint bounty_submissions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint bounty_submissions_pkey PRIMARY KEY (id)
);

create table collection_contests (
  collection_address id_text not null,
  contest_id id_text not null,
  role name_text not null,
  constraint collection_contests_collection_address_fkey FOREIGN KEY (collection_address) REFERENCES collections(address) ON DELETE CASCADE,
  constraint collection_contests_contest_id_fkey FOREIGN KEY (contest_id) REFERENCES contests(id) ON DELETE CASCADE,
  constraint collection_contests_pkey PRIMARY KEY (collection_address, contest_id)
);

create table collection_facets (
  type name_text not null,
  importance name_text not null,
  is_sbt boolean not null,
  category name_text not null,
  source name_text not null,
  total bigint not null,
  facet bigint generated always as (facet_of(VARIADIC ARRAY[(type)::text, (importance)::text, (is_sbt)::text, (category)::text, (source)::text])) stored not null,
  constraint collection_facets_pkey PRIMARY KEY (type, importance, is_sbt, category, source),
  constraint collection_facets_facet_key UNIQUE (facet)
);

create table collection_holders (
  collection_address id_text not null,
  user_id id_text not null,
  acquired_at instant not null,
  constraint collection_holders_collection_address_fkey FOREIGN KEY (collection_address) REFERENCES collections(address) ON DELETE CASCADE,
  constraint collection_holders_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint collection_holders_pkey PRIMARY KEY (user_id, collection_address)
);

create table collections (
  address id_text not null,
  name name_text not null,
  description long_text not null,
  image url_text,
  type name_text not null,
  importance name_text not null,
  is_sbt boolean not null,
  category name_text not null,
  is_winner boolean not null,
  source text not null,
  status name_text,
  creator_address id_text,
  next_item_index safe_integer not null,
  external_link url_text,
  social_links jsonb default '[]'::jsonb not null,
  holders_count integer default 0 not null,
  created_at instant not null,
  updated_at instant not null,
  on_chain_created_at instant,
  is_public boolean generated always as (((source = 'external'::text) OR ((status IS NOT NULL) AND ((status)::text <> 'DRAFT'::text)))) stored not null,
  address_key text generated always as (canonical_address((address)::text)) stored not null,
  search_name text generated always as (search_form((name)::text)) stored not null,
  facet bigint generated always as (facet_of(VARIADIC ARRAY[(type)::text, (importance)::text, (is_sbt)::text, (category)::text, source])) stored not null,
  constraint collections_holders_count_check CHECK ((holders_count >= 0)),
  constraint collections_social_links_check CHECK (((social_links = '[]'::jsonb) OR json_fits(social_links, '["text2048"]'::jsonb))),
  constraint collections_source_check CHECK ((source = ANY (ARRAY['internal'::text, 'external'::text]))),
  constraint collections_pkey PRIMARY KEY (address),
  constraint collections_address_key_key UNIQUE (address_key)
);

create table contest_submission_supporters (
  submission_id id_text not null,
  user_id id_text not null,
  voting_tier name_text not null,
  created_at instant not null,
  tier_place smallint generated always as (
CASE voting_tier
    WHEN 'PLATINUM'::text THEN 1
    WHEN 'GOLD'::text THEN 2
    WHEN 'SILVER'::text THEN 3
    ELSE 4
END) stored not null,
  constraint contest_submission_supporters_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES contest_submissions(id) ON DELETE CASCADE,
  constraint contest_submission_supporters_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint contest_submission_supporters_pkey PRIMARY KEY (user_id, submission_id)
);

create table contest_submissions (
  id id_text not null,
  contest_id id_text not null,
  user_id id_text not null,
  title title_text not null,
  description long_text not null,
  track_ids jsonb default '[]'::jsonb not null,
  image_url url_text,
  field_values jsonb default '[]'::jsonb not null,
  additional_links jsonb default '[]'::jsonb not null,
  status name_text not null,
  moderation_reason short_text,
  clap_count integer default 0 not null,
  comment_count count_integer default 0 not null,
  prize_place smallint,
  repository_platform name_text,
  repository_platform_id id_text,
  created_at instant not null,
  updated_at instant not null,
  is_public boolean generated always as (((status)::text = ANY (ARRAY['APPROVED'::text, 'WINNER'::text]))) stored not null,
  constraint contest_submissions_additional_links_check CHECK (((additional_links = '[]'::jsonb) OR json_fits(additional_links, '[{"name": "text100", "value": "text2048"}]'::jsonb))),
  constraint contest_submissions_check CHECK ((num_nulls(repository_platform, repository_platform_id) <> 1)),
  constraint contest_submissions_clap_count_check CHECK ((clap_count >= 0)),
  constraint contest_submissions_field_values_check CHECK (((field_values = '[]'::jsonb) OR json_fits(field_values, '[{"type": "text100", "label": "text200", "value": "text2048"}]'::jsonb))),
  constraint contest_submissions_prize_place_check CHECK (((prize_place >= 1) AND (prize_place <= 100))),
  constraint contest_submissions_track_ids_check CHECK (((track_ids = '[]'::jsonb) OR json_fits(track_ids, '["text100"]'::jsonb))),
  constraint contest_submissions_contest_id_fkey FOREIGN KEY (contest_id) REFERENCES contests(id) ON DELETE CASCADE,
  constraint contest_submissions_repository_platform_repository_platfor_fkey FOREIGN KEY (repository_platform, repository_platform_id) REFERENCES repositories(platform, platform_id),
  constraint contest_submissions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint contest_submissions_pkey PRIMARY KEY (id)
);

create table contests (
  id id_text not null,
  slug slug_text not null,
  title title_text not null,
  short_description short_text not null,
  details long_text not null,
  rules long_text not null,
  prize_pool short_text not null,
  image_url url_text,
  judge_user_ids jsonb default '[]'::jsonb not null,
  status name_text not null,
  direct_link_enabled boolean not null,
  fields jsonb,
  tracks jsonb default '[]'::jsonb not null,
  submission_start instant not null,
  submission_end instant not null,
  voting_start instant not null,
  voting_end instant not null,
  created_by_id id_text not null,
  created_at instant not null,
  updated_at instant not null,
  is_public boolean generated always as (((status)::text = ANY (ARRAY['OPEN'::text, 'VOTING'::text, 'COMPLETED'::text]))) stored not null,
  constraint contests_fields_check CHECK (((fields IS NULL) OR json_fits(fields, '[{"type": "text100", "label": "text200", "required": "boolean"}]'::jsonb))),
  constraint contests_judge_user_ids_check CHECK (((judge_user_ids = '[]'::jsonb) OR json_fits(judge_user_ids, '["text100"]'::jsonb))),
  constraint contests_tracks_check CHECK (((tracks = '[]'::jsonb) OR json_fits(tracks, '[{"id": "text100", "name": "text100", "prizePool": "text500?", "description": "text500?"}]'::jsonb))),
  constraint contests_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id),
  constraint contests_pkey PRIMARY KEY (id),
  constraint contests_slug_key UNIQUE (slug)
);

create table import_checkpoints (
  table_name text not null,
  bytes bigint not null,
  lines bigint not null,
  digest text not null,
  loaded bigint not null,
  rejected bigint not null,
  constraint import_checkpoints_pkey PRIMARY KEY (table_name)
);

create table import_keys (
  table_name text not null,
  key uuid not null,
  constraint import_keys_pkey PRIMARY KEY (table_name, key)
);

create table launch_claps (
  launch_id id_text not null,
  user_id id_text not null,
  claps integer not null,
  constraint launch_claps_claps_check CHECK ((claps > 0)),
  constraint launch_claps_launch_id_fkey FOREIGN KEY (launch_id) REFERENCES launches(id) ON DELETE CASCADE,
  constraint launch_claps_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint launch_claps_pkey PRIMARY KEY (launch_id, user_id)
);

create table launch_makers (
  launch_id id_text not null,
  user_id id_text not null,
  "position" smallint not null,
  constraint launch_makers_position_check CHECK ((("position" >= 1) AND ("position" <= 100))),
  constraint launch_makers_launch_id_fkey FOREIGN KEY (launch_id) REFERENCES launches(id) ON DELETE CASCADE,
  constraint launch_makers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint launch_makers_pkey PRIMARY KEY (user_id, launch_id),
  constraint launch_makers_launch_id_position_key UNIQUE (launch_id, "position") DEFERRABLE
);

create table launch_topics (
  launch_id id_text not null,
  topic_id id_text not null,
  "position" smallint not null,
  constraint launch_topics_position_check CHECK ((("position" >= 1) AND ("position" <= 100))),
  constraint launch_topics_launch_id_fkey FOREIGN KEY (launch_id) REFERENCES launches(id) ON DELETE CASCADE,
  constraint launch_topics_topic_id_fkey FOREIGN KEY (topic_id) REFERENCES topics(id),
  constraint launch_topics_pkey PRIMARY KEY (topic_id, launch_id),
  constraint launch_topics_launch_id_position_key UNIQUE (launch_id, "position") DEFERRABLE
);

create table launch_week_ranks (
  launch_id id_text not null,
  launch_week instant not null,
  week_rank integer not null,
  constraint launch_week_ranks_pkey PRIMARY KEY (launch_id)
);

create table launches (
  id id_text not null,
  slug slug_text not null,
  name name_text not null,
  tagline short_text not null,
  description long_text not null,
  logo_url url_text,
  cta_url url_text,
  website_url url_text,
  code_host_url url_text,
  messenger_url url_text,
  mini_app_url url_text,
  microblog_url url_text,
  photo_social_url url_text,
  professional_network_url url_text,
  video_site_url url_text,
  video_url url_text,
  screenshot_urls jsonb default '[]'::jsonb not null,
  status name_text not null,
  launch_week instant,
  rating safe_integer not null,
  launch_week_rating safe_integer not null,
  comment_count count_integer default 0 not null,
  submitted_by_id id_text not null,
  featured_at instant,
  published_at instant,
  created_at instant not null,
  updated_at instant not null,
  is_public boolean generated always as (((status)::text = 'LIVE'::text)) stored not null,
  constraint launches_launch_week_check CHECK (((launch_week)::timestamp with time zone = (date_trunc('week'::text, (launch_week AT TIME ZONE 'UTC'::text)) AT TIME ZONE 'UTC'::text))),
  constraint launches_live_moments CHECK (((NOT is_public) OR (num_nulls(published_at, launch_week) = 0))),
  constraint launches_screenshot_urls_check CHECK (((screenshot_urls = '[]'::jsonb) OR json_fits(screenshot_urls, '["text2048"]'::jsonb))),
  constraint launches_submitted_by_id_fkey FOREIGN KEY (submitted_by_id) REFERENCES users(id),
  constraint launches_pkey PRIMARY KEY (id),
  constraint launches_slug_key UNIQUE (slug)
);

create table list_blocks (
  list text not null,
  level smallint not null,
  first_at timestamp with time zone not null,
  first_id text not null,
  rows integer not null,
  constraint list_blocks_pkey PRIMARY KEY (list, level, first_at, first_id) INCLUDE (rows)
);

create table repositories (
  platform name_text not null,
  platform_id id_text not null,
  owner name_text not null,
  name name_text not null,
  category name_text,
  ecosystem name_text,
  description short_text,
  importance name_text,
  status name_text not null,
  contributors_count count_integer not null,
  platform_created_at instant,
  platform_updated_at instant,
  platform_pushed_at instant,
  created_at instant not null,
  updated_at instant not null,
  search_name text generated always as (search_form((((owner)::text || '/'::text) || (name)::text))) stored not null,
  facet bigint generated always as (facet_of(VARIADIC ARRAY[(category)::text, (ecosystem)::text, (importance)::text, (platform)::text, (status)::text])) stored not null,
  constraint repositories_pkey PRIMARY KEY (platform, platform_id)
);

create table repository_block_rows (
  sort text not null,
  facet bigint not null,
  block integer not null,
  rows integer not null,
  constraint repository_block_rows_block_fkey FOREIGN KEY (block) REFERENCES repository_blocks(block) ON DELETE CASCADE,
  constraint repository_block_rows_pkey PRIMARY KEY (sort, facet, block) INCLUDE (rows)
);

create table repository_blocks (
  block integer not null,
  sort text not null,
  first_at timestamp with time zone not null,
  first_text text not null,
  first_platform text not null,
  first_id text not null,
  constraint repository_blocks_pkey PRIMARY KEY (block),
  constraint repository_blocks_sort_first_at_first_text_first_platform_f_key UNIQUE (sort, first_at, first_text, first_platform, first_id)
);

create table repository_facets (
  category name_text,
  ecosystem name_text,
  importance name_text,
  platform name_text not null,
  status name_text not null,
  total bigint not null,
  facet bigint generated always as (facet_of(VARIADIC ARRAY[(category)::text, (ecosystem)::text, (importance)::text, (platform)::text, (status)::text])) stored not null,
  constraint repository_facets_category_ecosystem_importance_platform_st_key UNIQUE NULLS NOT DISTINCT (category, ecosystem, importance, platform, status),
  constraint repository_facets_facet_key UNIQUE (facet)
);

create table schema_migrations (
  id integer default nextval('schema_migrations_id_seq'::regclass) not null,
  name character varying(255) not null,
  run_on timestamp without time zone not null,
  constraint schema_migrations_pkey PRIMARY KEY (id)
);

create table score_tiers (
  dimension text not null,
  silver finite_number not null,
  gold finite_number not null,
  platinum_score finite_number not null,
  platinum_percentile finite_number not null,
  metrics jsonb not null,
  constraint score_tiers_dimension_check CHECK ((dimension = ANY (ARRAY['developer'::text, 'builder'::text, 'contributor'::text, 'messenger'::text, 'identity'::text]))),
  constraint score_tiers_metrics_check CHECK (json_fits(metrics, '[{"key": "text100", "maxScore": "number", "description": "text500"}]'::jsonb)),
  constraint score_tiers_pkey PRIMARY KEY (dimension)
);

create table sponsor_members (
  sponsor_id id_text not null,
  user_id id_text not null,
  role name_text not null,
  is_member boolean generated always as (((role)::text = ANY (ARRAY['MEMBER'::text, 'ADMIN'::text, 'OWNER'::text]))) stored not null,
  constraint sponsor_members_sponsor_id_fkey FOREIGN KEY (sponsor_id) REFERENCES sponsors(id) ON DELETE CASCADE,
  constraint sponsor_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint sponsor_members_pkey PRIMARY KEY (user_id, sponsor_id)
);

create table sponsors (
  id id_text not null,
  slug slug_text not null,
  name name_text not null,
  logo url_text,
  website url_text,
  bounty_count integer default 0 not null,
  all_bounty_count integer default 0 not null,
  constraint sponsors_all_bounty_count_check CHECK ((all_bounty_count >= 0)),
  constraint sponsors_bounty_count_check CHECK ((bounty_count >= 0)),
  constraint sponsors_pkey PRIMARY KEY (id),
  constraint sponsors_slug_key UNIQUE (slug)
);

create table timeline_items (
  user_id id_text not null,
  id id_text not null,
  type text not null,
  date instant not null,
  details jsonb not null,
  collection_address text generated always as (
CASE
    WHEN (type = 'BADGE_RECEIVED'::text) THEN (details ->> 'collectionAddress'::text)
    ELSE NULL::text
END) stored,
  is_public boolean default true not null,
  constraint timeline_items_details CHECK (timeline_details_fit(type, details)),
  constraint timeline_items_type_check CHECK ((type = ANY (ARRAY['COMMIT'::text, 'PR'::text, 'BADGE_RECEIVED'::text, 'GIFT_RECEIVED'::text]))),
  constraint timeline_items_collection_address_fkey FOREIGN KEY (collection_address) REFERENCES collections(address) ON DELETE CASCADE,
  constraint timeline_items_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint timeline_items_pkey PRIMARY KEY (user_id, id)
);

create table topics (
  id id_text not null,
  slug slug_text not null,
  name name_text not null,
  constraint topics_pkey PRIMARY KEY (id),
  constraint topics_slug_key UNIQUE (slug)
);

create table user_totals (
  user_id id_text not null,
  launches integer default 0 not null,
  commits integer default 0 not null,
  prs integer default 0 not null,
  badges integer default 0 not null,
  gifts integer default 0 not null,
  constraint user_totals_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint user_totals_pkey PRIMARY KEY (user_id)
);

create table users (
  id id_text not null,
  username slug_text not null,
  display_name name_text not null,
  avatar jsonb,
  bio short_text,
  status name_text not null,
  tags jsonb default '[]'::jsonb not null,
  god_mode boolean default false not null,
  is_public boolean generated always as (((status)::text = ANY (ARRAY['ACTIVATED'::text, 'active'::text]))) stored not null,
  public_tags json generated always as (public_tags(tags)) stored not null,
  summary_head text generated always as ((((((((((((('{"id":'::text || json_text((id)::text)) || ',"username":'::text) || json_text((username)::text)) || ',"displayName":'::text) || json_text((display_name)::text)) || ',"avatar":'::text) || avatar_json(avatar)) || ',"bio":'::text) || json_text((bio)::text)) || ',"status":'::text) || json_text((status)::text)) || ',"tags":'::text)) stored not null,
  contest_tags json generated always as (contest_tags(tags)) stored not null,
  constraint users_avatar_check CHECK (((avatar IS NULL) OR is_avatar(avatar))),
  constraint users_tags_check CHECK (((tags = '[]'::jsonb) OR json_fits(tags, '[{"tag": "text100", "tier": "text100", "contestName": "text200?"}]'::jsonb))),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_username_key UNIQUE (username)
);

CREATE INDEX agents_owner ON public.agents USING btree (owner_id);

CREATE INDEX api_keys_user ON public.api_keys USING btree (user_id);

CREATE INDEX bounties_all ON public.bounties USING btree (created_at, id);

CREATE INDEX bounties_of_members ON public.bounties USING btree (sponsor_id, created_at, id);

CREATE INDEX bounties_of_sponsor ON public.bounties USING btree (sponsor_id, published_at, id) WHERE is_public;

CREATE INDEX bounty_submissions_all ON public.bounty_submissions USING btree (bounty_id, created_at, id);

CREATE INDEX bounty_submissions_of_user ON public.bounty_submissions USING btree (user_id, bounty_id);

CREATE INDEX bounty_submissions_public ON public.bounty_submissions USING btree (bounty_id, created_at, id) WHERE is_public;

CREATE INDEX bounty_winners ON public.bounty_submissions USING btree (bounty_id, prize_place) WHERE (is_public AND (prize_place IS NOT NULL));

CREATE INDEX collection_contests_contest ON public.collection_contests USING btree (contest_id);

CREATE INDEX collection_holders_list ON public.collection_holders USING btree (collection_address, acquired_at, user_id);

CREATE INDEX collections_by_chain_down ON public.collections USING btree (on_chain_created_at DESC NULLS LAST, address DESC) INCLUDE (facet, search_name) WHERE is_public;

CREATE INDEX collections_by_chain_up ON public.collections USING btree (on_chain_created_at, address) INCLUDE (facet, search_name) WHERE is_public;

CREATE INDEX collections_by_created ON public.collections USING btree (created_at, address) INCLUDE (facet, search_name) WHERE is_public;

CREATE INDEX collections_by_holders ON public.collections USING btree (holders_count, address) INCLUDE (facet, search_name) WHERE is_public;

CREATE INDEX collections_by_name ON public.collections USING btree (name, address) INCLUDE (facet, search_name) WHERE is_public;

CREATE INDEX collections_facet ON public.collections USING btree (facet) WHERE is_public;

CREATE INDEX collections_search ON public.collections USING gin (search_name gin_trgm_ops) WHERE is_public;

CREATE INDEX contest_submission_supporters_preview ON public.contest_submission_supporters USING btree (submission_id, tier_place, created_at, user_id);

CREATE INDEX contest_submissions_contest ON public.contest_submissions USING btree (contest_id);

CREATE INDEX contest_submissions_repository ON public.contest_submissions USING btree (repository_platform, repository_platform_id);

CREATE INDEX contest_submissions_user ON public.contest_submissions USING btree (user_id);

CREATE INDEX contests_created_by ON public.contests USING btree (created_by_id);

CREATE INDEX contests_list ON public.contests USING btree (submission_start, id) WHERE is_public;

CREATE INDEX contests_voting_end ON public.contests USING btree (voting_end) WHERE is_public;

CREATE INDEX launch_claps_user ON public.launch_claps USING btree (user_id);

CREATE INDEX launch_week_ranks_week ON public.launch_week_ranks USING btree (launch_week);

CREATE INDEX launches_featured ON public.launches USING btree (featured_at, id) WHERE (is_public AND (featured_at IS NOT NULL));

CREATE INDEX launches_of_user ON public.launches USING btree (submitted_by_id, published_at, id) WHERE is_public;

CREATE INDEX launches_of_week ON public.launches USING btree (launch_week, launch_week_rating, published_at, id) WHERE is_public;

CREATE INDEX launches_submitted_by ON public.launches USING btree (submitted_by_id);

CREATE INDEX repositories_by_created ON public.repositories USING btree (created_at, platform, platform_id) INCLUDE (facet, search_name);

CREATE INDEX repositories_by_name ON public.repositories USING btree (name, platform, platform_id) INCLUDE (facet, search_name);

CREATE INDEX repositories_by_owner ON public.repositories USING btree (owner, platform, platform_id) INCLUDE (facet, search_name);

CREATE INDEX repositories_by_updated ON public.repositories USING btree (updated_at, platform, platform_id) INCLUDE (facet, search_name);

CREATE INDEX repositories_facet ON public.repositories USING btree (facet);

CREATE INDEX repositories_search ON public.repositories USING gin (search_name gin_trgm_ops);

CREATE INDEX repository_block_rows_block ON public.repository_block_rows USING btree (block);

CREATE INDEX sponsor_members_sponsor ON public.sponsor_members USING btree (sponsor_id);

CREATE INDEX timeline_items_collection ON public.timeline_items USING btree (collection_address) WHERE (collection_address IS NOT NULL);

CREATE INDEX timeline_items_list ON public.timeline_items USING btree (user_id, date, id) WHERE is_public;

CREATE INDEX timeline_items_of_type ON public.timeline_items USING btree (user_id, type, date, id) WHERE is_public;

CREATE OR REPLACE FUNCTION public.api_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN COALESCE((NULLIF(current_setting('commonhall.fixed_now'::text, true), ''::text))::timestamp with time zone, statement_timestamp())
;

CREATE OR REPLACE FUNCTION public.avatar_json(avatar jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (avatar IS NULL) THEN 'null'::text ELSE (((('{"sm":'::text || json_text((avatar ->> 'sm'::text))) || ',"lg":'::text) || json_text((avatar ->> 'lg'::text))) || '}'::text) END
;

CREATE OR REPLACE FUNCTION public.block_of(list text, level smallint, at timestamp with time zone, id text)
 RETURNS TABLE(first_at timestamp with time zone, first_id text)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT b.first_at,
     b.first_id
    FROM list_blocks b
   WHERE ((b.list = block_of.list) AND (b.level = block_of.level) AND (ROW(b.first_at, b.first_id) <= ROW(block_of.at, block_of.id)))
   ORDER BY b.first_at DESC, b.first_id DESC
  LIMIT 1;
END
;

CREATE OR REPLACE FUNCTION public.bound_user_submissions()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.build_blocks(list text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
begin
  delete from list_blocks b where b.list = build_blocks.list;
  if coalesce(list_total(list), 0) > 1024 then
    insert into list_blocks (list, level, first_at, first_id, rows)
    select build_blocks.list, l, '-infinity', '', 0 from generate_series(0, 1) l;
    perform split_block(list, 0::smallint, '-infinity', '');
    perform split_block(list, 1::smallint, '-infinity', '');
  end if;
end
$function$
;

CREATE OR REPLACE FUNCTION public.build_repository_blocks(sort text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
declare
  whole integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('repository_blocks', 0));
  delete from repository_blocks b where b.sort = build_repository_blocks.sort;
  insert into repository_blocks (sort, first_at, first_text, first_platform, first_id)
  values (sort, '-infinity', '', '', '')
  returning block into whole;
  perform cut_repository_block(whole);
end
$function$
;

CREATE OR REPLACE FUNCTION public.canonical_address(address text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  bytes bytea;
  crc integer := 0;
  x integer;
begin
  if address ~ '^0[xX][0-9a-fA-F]{40}$' or address ~ '^-?[0-9]{1,10}:[0-9a-fA-F]{64}$' then
    return lower(address);
  end if;
  -- One byte of flags (0x11, 0x51, 0x91, 0xd1), one of workchain (0 or -1), 32 of hash, 2 of CRC-16/XMODEM.
  if address ~ '^[EUk0][Qf][A-Za-z0-9+/_-]{46}$' then
    bytes := decode(translate(address, '-_', '+/'), 'base64');
    for i in 0..33 loop
      x := ((crc >> 8) # get_byte(bytes, i)) & 255;
      x := x # (x >> 4);
      crc := ((crc << 8) # (x << 12) # (x << 5) # x) & 65535;
    end loop;
    if get_byte(bytes, 0) not in (17, 81, 145, 209) or crc <> get_byte(bytes, 34) * 256 + get_byte(bytes, 35) then
      return null;
    end if;
    return case get_byte(bytes, 1) when 0 then '0' when 255 then '-1' end || ':' || encode(substr(bytes, 3, 32), 'hex');
  end if;
  return address;
end
$function$
;

CREATE OR REPLACE FUNCTION public.contest_tags(tags jsonb)
 RETURNS json
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (tags = '[]'::jsonb) THEN '[]'::json ELSE (SELECT ((('['::text || COALESCE(string_agg((((((('{"tag":'::text || ((e.value -> 'tag'::text))::text) || ',"tier":'::text) || ((e.value -> 'tier'::text))::text) || ',"contestName":'::text) || ((e.value -> 'contestName'::text))::text) || '}'::text), ','::text ORDER BY e.place), ''::text)) || ']'::text))::json AS "json" FROM jsonb_array_elements(CASE WHEN (jsonb_typeof(contest_tags.tags) = 'array'::text) THEN contest_tags.tags ELSE '[]'::jsonb END) WITH ORDINALITY e(value, place)) END
;

CREATE OR REPLACE FUNCTION public.cut_large_repository_block()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
begin
  if not exists (
    select from repository_block_rows r where (r.sort, r.facet, r.block) = (new.sort, 0, new.block) and r.rows > 32768
  ) or not pg_try_advisory_xact_lock(hashtextextended('repository_blocks', 0)) then
    return null;
  end if;
  -- Rows that move, as those sorted by their last change do, leave blocks behind that are nearly empty.
  if (select count(*) from repository_blocks b where b.sort = new.sort)
    > 8 + 4 * (select sum(r.rows) / 16384 from repository_block_rows r where r.sort = new.sort and r.facet = 0) then
    perform build_repository_blocks(new.sort);
  else
    perform cut_repository_block(new.block);
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.cut_repository_block(cut integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
declare
  start repository_blocks;
  stop repository_blocks;
begin
  select * into start from repository_blocks b where b.block = cut;
  select * into stop from repository_blocks b
  where b.sort = start.sort
    and (b.first_at, b.first_text, b.first_platform, b.first_id)
      > (start.first_at, start.first_text, start.first_platform, start.first_id)
  order by b.first_at, b.first_text, b.first_platform, b.first_id
  limit 1;
  delete from repository_block_rows r where r.block = cut;
  insert into repository_blocks (sort, first_at, first_text, first_platform, first_id)
  select start.sort, r.at, r.value, r.platform, r.platform_id
  from repository_rows(start.sort, start, stop) with ordinality as r (at, value, platform, platform_id, facet, place)
  where r.place > 1 and r.place % 16384 = 1;
  insert into repository_block_rows (sort, facet, block, rows)
  select start.sort, coalesce(r.facet, 0), b.block, count(*)
  from repository_rows(start.sort, start, stop) with ordinality as r (at, value, platform, platform_id, facet, place)
  join (
    select b.block, row_number() over (order by b.first_at, b.first_text, b.first_platform, b.first_id) - 1 as piece
    from repository_blocks b
    where b.sort = start.sort
      and (b.first_at, b.first_text, b.first_platform, b.first_id)
        >= (start.first_at, start.first_text, start.first_platform, start.first_id)
      and (stop.block is null or (b.first_at, b.first_text, b.first_platform, b.first_id)
        < (stop.first_at, stop.first_text, stop.first_platform, stop.first_id))
  ) b on b.piece = (r.place - 1) / 16384
  group by grouping sets ((r.facet, b.block), (b.block));
end
$function$
;

CREATE OR REPLACE FUNCTION public.facet_of(VARIADIC parts text[])
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((('x'::text || "left"(md5((array_to_json(parts))::text), 16)))::bit(64))::bigint
;

CREATE OR REPLACE FUNCTION public.flip_badge_visibility()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.is_avatar(given jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (jsonb_typeof(given) = 'object'::text) THEN (is_text((given -> 'sm'::text), 2048) AND is_text((given -> 'lg'::text), 2048) AND (((given - 'sm'::text) - 'lg'::text) = '{}'::jsonb)) ELSE false END
;

CREATE OR REPLACE FUNCTION public.is_integer(given jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (jsonb_typeof(given) = 'number'::text) THEN ((trunc((given)::numeric) = (given)::numeric) AND (abs((given)::numeric) <= ('9007199254740991'::bigint)::numeric)) ELSE false END
;

CREATE OR REPLACE FUNCTION public.is_iso(moment text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (moment !~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z$'::text) THEN false WHEN ("left"(moment, 4) = '0000'::text) THEN false ELSE (((substr(moment, 9, 2))::integer)::numeric <= EXTRACT(day FROM ((make_date(("left"(moment, 4))::integer, (substr(moment, 6, 2))::integer, 1) + '1 mon'::interval) - '1 day'::interval))) END
;

CREATE OR REPLACE FUNCTION public.is_text(given jsonb, longest integer)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE(((jsonb_typeof(given) = 'string'::text) AND ((char_length((given #>> '{}'::text[])) >= 1) AND (char_length((given #>> '{}'::text[])) <= longest))), false)
;

CREATE OR REPLACE FUNCTION public.iso(moment timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN to_char((moment AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text)
;

CREATE OR REPLACE FUNCTION public.json_fits(given jsonb, shape jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  word text;
begin
  case jsonb_typeof(shape)
    when 'array' then
      if given is null or jsonb_typeof(given) <> 'array' or jsonb_array_length(given) > 100 then
        return false;
      end if;
      return not exists (select from jsonb_array_elements(given) e where not public.json_fits(e, shape -> 0));
    when 'object' then
      if given is null or jsonb_typeof(given) <> 'object' then
        return false;
      end if;
      return not exists (select from jsonb_object_keys(given) k where not shape ? k)
        and not exists (select from jsonb_each(shape) s where not public.json_fits(given -> s.key, s.value));
    else
      word := shape #>> '{}';
      if given is null then
        return false;
      elsif jsonb_typeof(given) = 'null' then
        return word like '%?';
      end if;
      word := rtrim(word, '?');
      if word in ('boolean') then
        return jsonb_typeof(given) = 'boolean';
      elsif word in ('integer', 'number') then
        return jsonb_typeof(given) = 'number' and case word
          when 'integer' then trunc(given::numeric) = given::numeric and abs(given::numeric) <= 9007199254740991
          else abs(given::numeric) <= 1.7976931348623157e308
        end;
      elsif jsonb_typeof(given) <> 'string' then
        return false;
      elsif word = 'registry' then
        return given #>> '{}' ~ '^[^:[:space:]]+:[^:[:space:]]+:[^[:space:]]+$' and char_length(given #>> '{}') <= 100;
      elsif word like 'upper%' and given #>> '{}' ~ '[a-z]' then
        return false;
      end if;
      return char_length(given #>> '{}') between 1 and substring(word from '[0-9]+')::integer;
  end case;
end
$function$
;

CREATE OR REPLACE FUNCTION public.json_text(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE((to_json(value))::text, 'null'::text)
;

CREATE OR REPLACE FUNCTION public.keep_badge_visibility()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.keep_blocks(lists text[], ats timestamp with time zone[], ids text[], signs integer[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
declare
  one record;
  touched text[] := array(select distinct l from unnest(lists) l where exists (select from list_blocks b where b.list = l));
begin
  if cardinality(touched) = 0 then
    return;
  end if;
  -- Block by block: joined to all blocks of all lists, the planner would read them all. Most statements append: when the
  -- first and the last row belong to one block, so do those between.
  for one in
    with changes as (
      select c.* from unnest(lists, ats, ids, signs) as c (list, at, id, sign) where c.list = any (touched)
    ),
    spans as (
      select
        c.list,
        sum(c.sign) as n,
        array_agg(c.at order by c.at, c.id) as ats,
        array_agg(c.id order by c.at, c.id) as ids,
        count(*) as count
      from changes c
      group by c.list
    ),
    ends as materialized (
      select s.list, l.level, s.n, f.first_at, f.first_id, (f.first_at, f.first_id) = (t.first_at, t.first_id) as is_one
      from spans s
      cross join (values (0::smallint), (1::smallint)) l (level)
      cross join lateral block_of(s.list, l.level, s.ats[1], s.ids[1]) f
      cross join lateral block_of(s.list, l.level, s.ats[s.count], s.ids[s.count]) t
    )
    select e.list, e.level, e.first_at, e.first_id, e.n from ends e where e.is_one and e.n <> 0
    union all
    select c.list, e.level, p.first_at, p.first_id, sum(c.sign)
    from ends e
    join changes c on c.list = e.list
    cross join lateral block_of(c.list, e.level, c.at, c.id) p
    where not e.is_one
    group by c.list, e.level, p.first_at, p.first_id
    having sum(c.sign) <> 0
  loop
    update list_blocks b
    set rows = b.rows + one.n
    where b.list = one.list and b.level = one.level and b.first_at = one.first_at and b.first_id = one.first_id;
  end loop;
end
$function$
;

CREATE OR REPLACE FUNCTION public.keep_count()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.keep_facets()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.keep_holder_blocks()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.keep_repository_blocks()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
begin
  perform require_read_committed();
  if tg_op = 'TRUNCATE' then
    perform build_repository_blocks(p.sort) from repository_places(null, null, null, null) p;
    return null;
  end if;
  -- Many may count at a time, but nobody while somebody cuts.
  perform pg_advisory_xact_lock_shared(hashtextextended('repository_blocks', 0));
  -- In one order, so that two statements cannot wait for each other.
  execute format($q$
    with places as (
      select p.sort, p.at, p.value, c.platform, c.platform_id, c.facet, sum(c.n) as n
      from (%s) c
      cross join lateral repository_places(c.created_at, c.updated_at, c.name, c.owner) p
      group by p.sort, p.at, p.value, c.platform, c.platform_id, c.facet
      having sum(c.n) <> 0
    ),
    counted as (
      select p.sort, coalesce(p.facet, 0) as facet, b.block, sum(p.n)::integer as n
      from places p
      cross join lateral repository_block(p.sort, p.at, p.value, p.platform, p.platform_id) b
      group by grouping sets ((p.sort, p.facet, b.block), (p.sort, b.block))
    )
    insert into repository_block_rows as r (sort, facet, block, rows)
    select sort, facet, block, n from counted where n <> 0 order by sort, facet, block
    on conflict (sort, facet, block) do update set rows = r.rows + excluded.rows$q$,
    concat_ws(' union all ',
      case when tg_op <> 'DELETE' then 'select *, 1 as n from new_rows' end,
      case when tg_op <> 'INSERT' then 'select *, -1 as n from old_rows' end));
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.keep_timeline_blocks()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.keep_user_totals()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.keep_week_ranks()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.limit_featured_launches()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.list_band(total bigint)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (total < 512) THEN 0 WHEN (total <= 1024) THEN 1 ELSE 2 END
;

CREATE OR REPLACE FUNCTION public.list_rows(list text, from_at timestamp with time zone, from_id text, to_at timestamp with time zone, to_id text)
 RETURNS TABLE(at timestamp with time zone, id text)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.list_total(list text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO 'public'
RETURN CASE split_part(list, ':'::text, 1) WHEN 'h'::text THEN (SELECT c.holders_count FROM collections c WHERE ((c.address)::text = substr(list_total.list, 3))) ELSE (SELECT CASE split_part(list_total.list, ':'::text, 1) WHEN 't'::text THEN (((u.commits + u.prs) + u.badges) + u.gifts) WHEN 'COMMIT'::text THEN u.commits WHEN 'PR'::text THEN u.prs WHEN 'BADGE_RECEIVED'::text THEN u.badges ELSE u.gifts END AS gifts FROM user_totals u WHERE ((u.user_id)::text = substr(list_total.list, (strpos(list_total.list, ':'::text) + 1)))) END
;

CREATE OR REPLACE FUNCTION public.mend_block()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
declare
  block list_blocks;
begin
  select * into block from list_blocks b
  where (b.list, b.level, b.first_at, b.first_id) = (new.list, new.level, new.first_at, new.first_id);
  if block.rows = 0 then
    if list_total(block.list) is null then
      delete from list_blocks b where b.list = block.list; -- its parent is gone
    elsif block.first_at > '-infinity' and (block.level = 1 or not exists (
      select from list_blocks u
      where (u.list, u.level, u.first_at, u.first_id) = (block.list, 1, block.first_at, block.first_id)
    )) then
      -- A block without rows joins the one before it. One that begins a block of the level above goes with that one only.
      delete from list_blocks b
      where (b.list, b.first_at, b.first_id) = (block.list, block.first_at, block.first_id) and b.rows = 0;
    end if;
  elsif block.level = 0 and block.rows > 1024 then
    perform split_block(block.list, 0::smallint, block.first_at, block.first_id);
    perform split_block(u.list, 1::smallint, u.first_at, u.first_id)
    from block_of(block.list, 1::smallint, block.first_at, block.first_id) o
    join list_blocks u on (u.list, u.level, u.first_at, u.first_id) = (block.list, 1, o.first_at, o.first_id)
    cross join lateral next_block(u.list, u.level, u.first_at, u.first_id) n
    where (
      select count(*) from list_blocks b
      where b.list = u.list and b.level = 0
        and (b.first_at, b.first_id) >= (u.first_at, u.first_id) and (b.first_at, b.first_id) < (n.next_at, n.next_id)
    ) > 128;
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.mend_list()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
declare
  lists text[];
  one record;
begin
  if tg_table_name = 'collections' then
    lists := array['h:' || new.address];
  else
    lists := array(select k || ':' || new.user_id from unnest(array['t', 'COMMIT', 'PR', 'BADGE_RECEIVED', 'GIFT_RECEIVED']) k);
  end if;
  for one in
    select l.list, list_band(list_total(l.list)) as band, exists (select from list_blocks b where b.list = l.list) as has_blocks
    from unnest(lists) l (list)
  loop
    if one.band = 0 and one.has_blocks then
      delete from list_blocks b where b.list = one.list;
    elsif one.band = 2 and not one.has_blocks then
      perform build_blocks(one.list);
    end if;
  end loop;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.next_block(list text, level smallint, at timestamp with time zone, id text, OUT next_at timestamp with time zone, OUT next_id text)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public'
AS $function$
begin
  select b.first_at, b.first_id into next_at, next_id
  from list_blocks b
  where b.list = next_block.list and b.level = next_block.level and (b.first_at, b.first_id) > (at, next_block.id)
  order by b.first_at, b.first_id
  limit 1;
  next_at := coalesce(next_at, 'infinity');
  next_id := coalesce(next_id, '');
end
$function$
;

CREATE OR REPLACE FUNCTION public.profile_services(services jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (services = '[]'::jsonb) THEN '[]'::text ELSE (SELECT (('['::text || COALESCE(string_agg(((((((('{"name":'::text || ((s.value -> 'name'::text))::text) || ',"endpoint":'::text) || ((s.value -> 'endpoint'::text))::text) || ',"version":'::text) || ((s.value -> 'version'::text))::text) || CASE WHEN ((s.value -> 'mcpTools'::text) = '[]'::jsonb) THEN ''::text ELSE (',"mcpTools":'::text || ((s.value -> 'mcpTools'::text))::text) END) || '}'::text), ','::text ORDER BY s.place), ''::text)) || ']'::text) FROM jsonb_array_elements(CASE WHEN (jsonb_typeof(profile_services.services) = 'array'::text) THEN profile_services.services ELSE '[]'::jsonb END) WITH ORDINALITY s(value, place)) END
;

CREATE OR REPLACE FUNCTION public.public_tags(tags jsonb)
 RETURNS json
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (tags = '[]'::jsonb) THEN '[]'::json ELSE (SELECT ((('['::text || COALESCE(string_agg((((('{"tag":'::text || t.tag) || ',"tier":'::text) || t.tier) || '}'::text), ','::text ORDER BY t.place), ''::text)) || ']'::text))::json AS "json" FROM (SELECT ((e.value -> 'tag'::text))::text AS tag, ((e.value -> 'tier'::text))::text AS tier, min(e.place) AS place FROM jsonb_array_elements(CASE WHEN (jsonb_typeof(public_tags.tags) = 'array'::text) THEN public_tags.tags ELSE '[]'::jsonb END) WITH ORDINALITY e(value, place) GROUP BY ((e.value -> 'tag'::text))::text, ((e.value -> 'tier'::text))::text) t) END
;

CREATE OR REPLACE FUNCTION public.rank_launch_weeks(weeks timestamp with time zone[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.refuse_kept_column()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '%.% is kept by the database', tg_table_name, tg_argv[0]
    using errcode = 'generated_always', hint = 'leave the column out; commonhall verify --repair recounts it';
end
$function$
;

CREATE OR REPLACE FUNCTION public.repository_block(sort text, at timestamp with time zone, value text, platform text, platform_id text)
 RETURNS TABLE(block integer)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT b.block
    FROM repository_blocks b
   WHERE ((b.sort = repository_block.sort) AND (ROW(b.first_at, b.first_text, b.first_platform, b.first_id) <= ROW(repository_block.at, repository_block.value, repository_block.platform, repository_block.platform_id)))
   ORDER BY b.first_at DESC, b.first_text DESC, b.first_platform DESC, b.first_id DESC
  LIMIT 1;
END
;

CREATE OR REPLACE FUNCTION public.repository_places(created_at timestamp with time zone, updated_at timestamp with time zone, name text, owner text)
 RETURNS TABLE(sort text, at timestamp with time zone, value text)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
 VALUES ('created_at'::text,repository_places.created_at,''::text), ('updated_at'::text,repository_places.updated_at,''::text), ('name'::text,'-infinity'::timestamp with time zone,repository_places.name), ('owner'::text,'-infinity'::timestamp with time zone,repository_places.owner);
END
;

CREATE OR REPLACE FUNCTION public.repository_rows(sort text, start repository_blocks, stop repository_blocks)
 RETURNS TABLE(at timestamp with time zone, value text, platform text, platform_id text, facet bigint)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public'
AS $function$
begin
  return query execute format(
    'select %s, %s, r.platform::text, r.platform_id::text, r.facet
     from repositories r
     where (r.%3$I, r.platform, r.platform_id) >= ($1.%4$I, $1.first_platform, $1.first_id)
       and ($2.block is null or (r.%3$I, r.platform, r.platform_id) < ($2.%4$I, $2.first_platform, $2.first_id))
     order by r.%3$I, r.platform, r.platform_id',
    case when sort in ('name', 'owner') then $q$'-infinity'::timestamptz$q$ else format('r.%I::timestamptz', sort) end,
    case when sort in ('name', 'owner') then format('r.%I::text', sort) else $q$''::text$q$ end,
    sort,
    case when sort in ('name', 'owner') then 'first_text' else 'first_at' end
  ) using start, stop;
end
$function$
;

CREATE OR REPLACE FUNCTION public.require_read_committed()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'this table is written under READ COMMITTED only'
      using errcode = 'feature_not_supported', hint = 'begin the transaction with isolation level read committed';
  end if;
end
$function$
;

CREATE OR REPLACE FUNCTION public.search_form(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN translate(lower((value COLLATE "und-x-icu")), 'ς'::text, 'σ'::text)
;

CREATE OR REPLACE FUNCTION public.share_badge_lock()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
begin
  perform require_read_committed();
  perform pg_advisory_xact_lock_shared(1002, 0);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.split_block(list text, level smallint, at timestamp with time zone, id text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.stored_iso(moment timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE((('"'::text || iso(moment)) || '"'::text), 'null'::text)
;

CREATE OR REPLACE FUNCTION public.timeline_details_fit(type text, details jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((jsonb_typeof(details) <> 'object'::text) OR (octet_length((details)::text) > 400000)) THEN false WHEN ((octet_length((details)::text) > 308) AND (details @? '$.**?(@.type() == "number" && (@ > 179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000 || @ < -179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000))'::jsonpath)) THEN false WHEN ((type = ANY (ARRAY['COMMIT'::text, 'PR'::text])) AND (NOT (is_text((details #> '{repository,platform}'::text[]), 100) AND is_text((details #> '{repository,owner}'::text[]), 100) AND is_text((details #> '{repository,name}'::text[]), 100) AND is_text((details -> 'url'::text), 2048)))) THEN false WHEN (type = 'COMMIT'::text) THEN (is_text((details -> 'sha'::text), 100) AND is_text((details -> 'message'::text), 50000)) WHEN (type = 'PR'::text) THEN (is_integer((details -> 'number'::text)) AND is_text((details -> 'title'::text), 200) AND is_text((details -> 'state'::text), 100) AND (details ? 'mergedAt'::text) AND COALESCE(is_iso((details ->> 'mergedAt'::text)), true) AND (jsonb_typeof((details -> 'mergedAt'::text)) = ANY (ARRAY['string'::text, 'null'::text]))) WHEN (type = 'BADGE_RECEIVED'::text) THEN (is_text((details -> 'collectionAddress'::text), 100) AND is_text((details -> 'collectionName'::text), 100) AND is_text((details -> 'image'::text), 2048) AND is_integer((details -> 'itemIndex'::text))) WHEN (type = 'GIFT_RECEIVED'::text) THEN (is_text((details -> 'giftId'::text), 100) AND is_text((details -> 'name'::text), 100) AND (COALESCE(((details -> 'image'::text) = 'null'::jsonb), false) OR is_text((details -> 'image'::text), 2048)) AND (COALESCE(((details -> 'from'::text) = 'null'::jsonb), false) OR is_text((details -> 'from'::text), 100))) ELSE false END
;

CREATE TRIGGER keep_count_delete AFTER DELETE ON public.bounties REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('sponsors', 'id', 'sponsor_id', 'bounty_count', 'is_public', 'all_bounty_count', 'true');

CREATE TRIGGER keep_count_insert AFTER INSERT ON public.bounties REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('sponsors', 'id', 'sponsor_id', 'bounty_count', 'is_public', 'all_bounty_count', 'true');

CREATE TRIGGER keep_count_truncate AFTER TRUNCATE ON public.bounties FOR EACH STATEMENT EXECUTE FUNCTION keep_count('sponsors', 'id', 'sponsor_id', 'bounty_count', 'is_public', 'all_bounty_count', 'true');

CREATE TRIGGER keep_count_update AFTER UPDATE ON public.bounties REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('sponsors', 'id', 'sponsor_id', 'bounty_count', 'is_public', 'all_bounty_count', 'true');

CREATE TRIGGER refuse_kept_insert AFTER INSERT ON public.bounties FOR EACH ROW WHEN (((new.submission_count <> 0) OR (new.all_submission_count <> 0))) EXECUTE FUNCTION refuse_kept_column('submission_count');

CREATE TRIGGER refuse_kept_update AFTER UPDATE OF submission_count, all_submission_count ON public.bounties FOR EACH ROW WHEN ((((old.submission_count <> new.submission_count) OR (old.all_submission_count <> new.all_submission_count)) AND (pg_trigger_depth() = 0) AND (current_setting('commonhall.repair'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION refuse_kept_column('submission_count');

CREATE TRIGGER bound_user_submissions_insert AFTER INSERT ON public.bounty_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bound_user_submissions();

CREATE TRIGGER bound_user_submissions_update AFTER UPDATE ON public.bounty_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bound_user_submissions();

CREATE TRIGGER keep_count_delete AFTER DELETE ON public.bounty_submissions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('bounties', 'id', 'bounty_id', 'submission_count', 'is_public', 'all_submission_count', 'true');

CREATE TRIGGER keep_count_insert AFTER INSERT ON public.bounty_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('bounties', 'id', 'bounty_id', 'submission_count', 'is_public', 'all_submission_count', 'true');

CREATE TRIGGER keep_count_truncate AFTER TRUNCATE ON public.bounty_submissions FOR EACH STATEMENT EXECUTE FUNCTION keep_count('bounties', 'id', 'bounty_id', 'submission_count', 'is_public', 'all_submission_count', 'true');

CREATE TRIGGER keep_count_update AFTER UPDATE ON public.bounty_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('bounties', 'id', 'bounty_id', 'submission_count', 'is_public', 'all_submission_count', 'true');

CREATE TRIGGER refuse_kept_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.collection_facets FOR EACH STATEMENT WHEN (((pg_trigger_depth() = 0) AND (current_setting('commonhall.repair'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION refuse_kept_column('total');

CREATE TRIGGER keep_count_delete AFTER DELETE ON public.collection_holders REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('collections', 'address', 'collection_address', 'holders_count', 'true');

CREATE TRIGGER keep_count_insert AFTER INSERT ON public.collection_holders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('collections', 'address', 'collection_address', 'holders_count', 'true');

CREATE TRIGGER keep_count_truncate AFTER TRUNCATE ON public.collection_holders FOR EACH STATEMENT EXECUTE FUNCTION keep_count('collections', 'address', 'collection_address', 'holders_count', 'true');

CREATE TRIGGER keep_count_update AFTER UPDATE ON public.collection_holders REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('collections', 'address', 'collection_address', 'holders_count', 'true');

CREATE TRIGGER keep_pages_delete AFTER DELETE ON public.collection_holders REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_holder_blocks();

CREATE TRIGGER keep_pages_insert AFTER INSERT ON public.collection_holders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_holder_blocks();

CREATE TRIGGER keep_pages_truncate AFTER TRUNCATE ON public.collection_holders FOR EACH STATEMENT EXECUTE FUNCTION keep_holder_blocks();

CREATE TRIGGER keep_pages_update AFTER UPDATE ON public.collection_holders REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_holder_blocks();

CREATE TRIGGER flip_badge_visibility AFTER UPDATE ON public.collections REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION flip_badge_visibility();

CREATE TRIGGER keep_facets_delete AFTER DELETE ON public.collections REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_facets('collection_facets', 'type, importance, is_sbt, category, source', 'is_public');

CREATE TRIGGER keep_facets_insert AFTER INSERT ON public.collections REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_facets('collection_facets', 'type, importance, is_sbt, category, source', 'is_public');

CREATE TRIGGER keep_facets_truncate AFTER TRUNCATE ON public.collections FOR EACH STATEMENT EXECUTE FUNCTION keep_facets('collection_facets', 'type, importance, is_sbt, category, source', 'is_public');

CREATE TRIGGER keep_facets_update AFTER UPDATE ON public.collections REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_facets('collection_facets', 'type, importance, is_sbt, category, source', 'is_public');

CREATE CONSTRAINT TRIGGER mend_list AFTER UPDATE OF holders_count ON public.collections DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((list_band((old.holders_count)::bigint) <> list_band((new.holders_count)::bigint))) EXECUTE FUNCTION mend_list();

CREATE TRIGGER refuse_kept_insert AFTER INSERT ON public.collections FOR EACH ROW WHEN ((new.holders_count <> 0)) EXECUTE FUNCTION refuse_kept_column('holders_count');

CREATE TRIGGER refuse_kept_update AFTER UPDATE OF holders_count ON public.collections FOR EACH ROW WHEN (((old.holders_count <> new.holders_count) AND (pg_trigger_depth() = 0) AND (current_setting('commonhall.repair'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION refuse_kept_column('holders_count');

CREATE TRIGGER keep_count_delete AFTER DELETE ON public.contest_submission_supporters REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('contest_submissions', 'id', 'submission_id', 'clap_count', 'true');

CREATE TRIGGER keep_count_insert AFTER INSERT ON public.contest_submission_supporters REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('contest_submissions', 'id', 'submission_id', 'clap_count', 'true');

CREATE TRIGGER keep_count_truncate AFTER TRUNCATE ON public.contest_submission_supporters FOR EACH STATEMENT EXECUTE FUNCTION keep_count('contest_submissions', 'id', 'submission_id', 'clap_count', 'true');

CREATE TRIGGER keep_count_update AFTER UPDATE ON public.contest_submission_supporters REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_count('contest_submissions', 'id', 'submission_id', 'clap_count', 'true');

CREATE TRIGGER refuse_kept_insert AFTER INSERT ON public.contest_submissions FOR EACH ROW WHEN ((new.clap_count <> 0)) EXECUTE FUNCTION refuse_kept_column('clap_count');

CREATE TRIGGER refuse_kept_update AFTER UPDATE OF clap_count ON public.contest_submissions FOR EACH ROW WHEN (((old.clap_count <> new.clap_count) AND (pg_trigger_depth() = 0) AND (current_setting('commonhall.repair'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION refuse_kept_column('clap_count');

CREATE TRIGGER refuse_kept_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.launch_week_ranks FOR EACH STATEMENT WHEN (((pg_trigger_depth() = 0) AND (current_setting('commonhall.repair'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION refuse_kept_column('week_rank');

CREATE TRIGGER keep_totals_delete AFTER DELETE ON public.launches REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_user_totals();

CREATE TRIGGER keep_totals_insert AFTER INSERT ON public.launches REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_user_totals();

CREATE TRIGGER keep_totals_truncate AFTER TRUNCATE ON public.launches FOR EACH STATEMENT EXECUTE FUNCTION keep_user_totals();

CREATE TRIGGER keep_totals_update AFTER UPDATE ON public.launches REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_user_totals();

CREATE TRIGGER keep_week_ranks_delete AFTER DELETE ON public.launches REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_week_ranks();

CREATE TRIGGER keep_week_ranks_insert AFTER INSERT ON public.launches REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_week_ranks();

CREATE TRIGGER keep_week_ranks_truncate AFTER TRUNCATE ON public.launches FOR EACH STATEMENT EXECUTE FUNCTION keep_week_ranks();

CREATE TRIGGER keep_week_ranks_update AFTER UPDATE ON public.launches REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_week_ranks();

CREATE TRIGGER limit_featured_launches_insert AFTER INSERT ON public.launches REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION limit_featured_launches();

CREATE TRIGGER limit_featured_launches_update AFTER UPDATE ON public.launches REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION limit_featured_launches();

CREATE CONSTRAINT TRIGGER mend_block AFTER UPDATE ON public.list_blocks DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.level = 0) AND (new.rows > 1024)))) EXECUTE FUNCTION mend_block();

CREATE TRIGGER refuse_kept_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.list_blocks FOR EACH STATEMENT WHEN (((pg_trigger_depth() = 0) AND (current_setting('commonhall.repair'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION refuse_kept_column('rows');

CREATE TRIGGER keep_blocks_delete AFTER DELETE ON public.repositories REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_repository_blocks();

CREATE TRIGGER keep_blocks_insert AFTER INSERT ON public.repositories REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_repository_blocks();

CREATE TRIGGER keep_blocks_truncate AFTER TRUNCATE ON public.repositories FOR EACH STATEMENT EXECUTE FUNCTION keep_repository_blocks();

CREATE TRIGGER keep_blocks_update AFTER UPDATE ON public.repositories REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_repository_blocks();

CREATE TRIGGER keep_facets_delete AFTER DELETE ON public.repositories REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_facets('repository_facets', 'category, ecosystem, importance, platform, status', 'true');

CREATE TRIGGER keep_facets_insert AFTER INSERT ON public.repositories REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_facets('repository_facets', 'category, ecosystem, importance, platform, status', 'true');

CREATE TRIGGER keep_facets_truncate AFTER TRUNCATE ON public.repositories FOR EACH STATEMENT EXECUTE FUNCTION keep_facets('repository_facets', 'category, ecosystem, importance, platform, status', 'true');

CREATE TRIGGER keep_facets_update AFTER UPDATE ON public.repositories REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_facets('repository_facets', 'category, ecosystem, importance, platform, status', 'true');

CREATE CONSTRAINT TRIGGER cut_block AFTER INSERT OR UPDATE ON public.repository_block_rows DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.facet = 0) AND (new.rows > 32768))) EXECUTE FUNCTION cut_large_repository_block();

CREATE TRIGGER refuse_kept_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.repository_block_rows FOR EACH STATEMENT WHEN (((pg_trigger_depth() = 0) AND (current_setting('commonhall.repair'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION refuse_kept_column('rows');

CREATE TRIGGER refuse_kept_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.repository_blocks FOR EACH STATEMENT WHEN (((pg_trigger_depth() = 0) AND (current_setting('commonhall.repair'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION refuse_kept_column('block');

CREATE TRIGGER refuse_kept_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.repository_facets FOR EACH STATEMENT WHEN (((pg_trigger_depth() = 0) AND (current_setting('commonhall.repair'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION refuse_kept_column('total');

CREATE TRIGGER refuse_kept_insert AFTER INSERT ON public.sponsors FOR EACH ROW WHEN (((new.bounty_count <> 0) OR (new.all_bounty_count <> 0))) EXECUTE FUNCTION refuse_kept_column('bounty_count');

CREATE TRIGGER refuse_kept_update AFTER UPDATE OF bounty_count, all_bounty_count ON public.sponsors FOR EACH ROW WHEN ((((old.bounty_count <> new.bounty_count) OR (old.all_bounty_count <> new.all_bounty_count)) AND (pg_trigger_depth() = 0) AND (current_setting('commonhall.repair'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION refuse_kept_column('bounty_count');

CREATE TRIGGER count_items_delete AFTER DELETE ON public.timeline_items REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_user_totals();

CREATE TRIGGER count_items_insert AFTER INSERT ON public.timeline_items REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_user_totals();

CREATE TRIGGER count_items_truncate AFTER TRUNCATE ON public.timeline_items FOR EACH STATEMENT EXECUTE FUNCTION keep_user_totals();

CREATE TRIGGER count_items_update AFTER UPDATE ON public.timeline_items REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_user_totals();

CREATE TRIGGER count_pages_delete AFTER DELETE ON public.timeline_items REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_timeline_blocks();

CREATE TRIGGER count_pages_insert AFTER INSERT ON public.timeline_items REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_timeline_blocks();

CREATE TRIGGER count_pages_truncate AFTER TRUNCATE ON public.timeline_items FOR EACH STATEMENT EXECUTE FUNCTION keep_timeline_blocks();

CREATE TRIGGER count_pages_update AFTER UPDATE ON public.timeline_items REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_timeline_blocks();

CREATE TRIGGER keep_badge_visibility_insert AFTER INSERT ON public.timeline_items REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_badge_visibility();

CREATE TRIGGER keep_badge_visibility_update AFTER UPDATE ON public.timeline_items REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_badge_visibility();

CREATE TRIGGER share_badge_lock BEFORE INSERT OR UPDATE ON public.timeline_items FOR EACH STATEMENT EXECUTE FUNCTION share_badge_lock();

CREATE CONSTRAINT TRIGGER mend_list AFTER UPDATE ON public.user_totals DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((list_band((old.commits)::bigint) <> list_band((new.commits)::bigint)) OR (list_band((old.prs)::bigint) <> list_band((new.prs)::bigint)) OR (list_band((old.badges)::bigint) <> list_band((new.badges)::bigint)) OR (list_band((old.gifts)::bigint) <> list_band((new.gifts)::bigint)) OR (list_band(((((old.commits + old.prs) + old.badges) + old.gifts))::bigint) <> list_band(((((new.commits + new.prs) + new.badges) + new.gifts))::bigint)))) EXECUTE FUNCTION mend_list();

CREATE TRIGGER refuse_kept_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.user_totals FOR EACH STATEMENT WHEN (((pg_trigger_depth() = 0) AND (current_setting('commonhall.repair'::text, true) IS DISTINCT FROM 'on'::text))) EXECUTE FUNCTION refuse_kept_column('launches');

grant SELECT on agents to commonhall_reader;

grant SELECT on api_keys to commonhall_reader;

grant SELECT on bounties to commonhall_reader;

grant SELECT on bounty_submission_makers to commonhall_reader;

grant SELECT on bounty_submissions to commonhall_reader;

grant SELECT on collection_contests to commonhall_reader;

grant SELECT on collection_facets to commonhall_reader;

grant SELECT on collection_holders to commonhall_reader;

grant SELECT on collections to commonhall_reader;

grant SELECT on contest_submission_supporters to commonhall_reader;

grant SELECT on contest_submissions to commonhall_reader;

grant SELECT on contests to commonhall_reader;

grant SELECT on launch_claps to commonhall_reader;

grant SELECT on launch_makers to commonhall_reader;

grant SELECT on launch_topics to commonhall_reader;

grant SELECT on launch_week_ranks to commonhall_reader;

grant SELECT on launches to commonhall_reader;

grant SELECT on list_blocks to commonhall_reader;

grant SELECT on repositories to commonhall_reader;

grant SELECT on repository_block_rows to commonhall_reader;

grant SELECT on repository_blocks to commonhall_reader;

grant SELECT on repository_facets to commonhall_reader;

grant SELECT on schema_migrations to commonhall_reader;

grant SELECT on score_tiers to commonhall_reader;

grant SELECT on sponsor_members to commonhall_reader;

grant SELECT on sponsors to commonhall_reader;

grant SELECT on timeline_items to commonhall_reader;

grant SELECT on topics to commonhall_reader;

grant SELECT on user_totals to commonhall_reader;

grant SELECT on users to commonhall_reader;
