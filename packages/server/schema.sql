-- Printed from the catalogue by: npm run refresh. Not run by anything; migrations/ makes the schema.

create domain avatar_json as jsonb CHECK (((VALUE IS NULL) OR (json_is_sound(VALUE) AND json_fits(VALUE, '{"lg": "text2048", "sm": "text2048"}'::jsonb))));

create domain count_integer as bigint CHECK (((VALUE >= 0) AND (VALUE <= '9007199254740991'::bigint)));

create domain field_values_json as jsonb CHECK (json_is_right(VALUE, '[{"type": "text100", "label": "text200", "value": "text50000"}]'::jsonb));

create domain finite_number as double precision CHECK (((VALUE > '-Infinity'::double precision) AND (VALUE < 'Infinity'::double precision)));

create domain id_text as text collate "C" CHECK (((VALUE <> ''::text) AND is_line(VALUE, 100)));

create domain ids_json as jsonb CHECK (json_is_right(VALUE, '["word100"]'::jsonb));

create domain instant as timestamp(3) with time zone CHECK (((VALUE >= '0001-01-01 00:00:00+00'::timestamp with time zone) AND (VALUE < '10000-01-01 00:00:00+00'::timestamp with time zone)));

create domain links_json as jsonb CHECK (json_is_right(VALUE, '[{"name": "text200", "value": "text2048"}]'::jsonb));

create domain long_text as text collate "C" CHECK (is_text(VALUE, 50000));

create domain name_text as text collate "C" CHECK (is_text(VALUE, 200));

create domain names_json as jsonb CHECK (json_is_right(VALUE, '["text200"]'::jsonb));

create domain objects_json as jsonb CHECK (json_is_right(VALUE, '["object"]'::jsonb));

create domain safe_integer as bigint CHECK (((VALUE >= '-9007199254740991'::bigint) AND (VALUE <= '9007199254740991'::bigint)));

create domain services_json as jsonb CHECK (json_is_right(VALUE, '[{"name": "text200", "skills": ["text200"], "domains": ["text200"], "version": "text100?", "endpoint": "text2048", "mcpTools": ["text200"], "a2aSkills": ["text200"], "mcpPrompts": ["text200"], "description": "text500?", "capabilities": ["text200"], "mcpResources": ["text200"]}]'::jsonb));

create domain short_text as text collate "C" CHECK (is_text(VALUE, 500));

create domain slug_text as text collate "C" CHECK ((((char_length(VALUE) >= 1) AND (char_length(VALUE) <= 100)) AND (VALUE <> ALL (ARRAY['.'::text, '..'::text])) AND (VALUE !~ '[\u0001-\u0020/?#%\\\u007f-\u00a0\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u1680\u180e]'::text) AND (VALUE !~ '[\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ue000-\uf8ff\ufeff\ufff9-\ufffb]'::text) AND (VALUE !~ '[\U000110BD\U000110CD\U00013430-\U0001343F\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A]'::text) AND (VALUE !~ '[\U000E0001\U000E0020-\U000E007F\U000F0000-\U000FFFFD\U00100000-\U0010FFFD]'::text) AND (VALUE IS NFC NORMALIZED)));

create domain tags_json as jsonb CHECK (json_is_right(VALUE, '[{"tag": "text100", "tier": "text100", "contestName": "text200?"}]'::jsonb));

create domain term_text as text collate "C" CHECK (is_line(VALUE, 100));

create domain url_text as text collate "C" CHECK (is_text(VALUE, 2048));

create domain urls_json as jsonb CHECK (json_is_right(VALUE, '["text2048"]'::jsonb));

create domain visibility_word as text collate "C" CHECK ((VALUE = ANY (ARRAY['public'::text, 'hidden'::text])));

create domain word_text as text collate "C" CHECK (((VALUE <> ''::text) AND is_line(VALUE, 100)));

create sequence lists.block_ids as integer;

create table agents (
  id id_text not null,
  name slug_text not null,
  display_name name_text not null,
  agent_id name_text,
  bio long_text not null,
  avatar avatar_json,
  website_url url_text,
  services services_json default '[]'::jsonb not null,
  active boolean not null,
  x402_support boolean not null,
  supported_trust names_json default '[]'::jsonb not null,
  registrations jsonb default '[]'::jsonb not null,
  social_accounts jsonb default '[]'::jsonb not null,
  version term_text,
  category term_text,
  tags names_json default '[]'::jsonb not null,
  status word_text not null,
  visibility visibility_word,
  is_taken_down boolean default false not null,
  last_seen_at instant,
  owner_id id_text not null,
  created_at instant not null,
  updated_at instant not null,
  published_at instant not null,
  is_public boolean generated always as (is_shown(is_taken_down, (visibility)::text, ((status)::text = 'PUBLISHED'::text))) stored not null,
  search_name text collate "C" generated always as (search_form((((name)::text || ' '::text) || (display_name)::text))) stored not null,
  facet bigint generated always as (facet_of(VARIADIC ARRAY[(category)::text])) stored not null,
  profile_head text generated always as ((((((((((((('{"id":'::text || json_text((id)::text)) || ',"name":'::text) || json_text((name)::text)) || ',"displayName":'::text) || json_text((display_name)::text)) || ',"agentId":'::text) || json_text((agent_id)::text)) || ',"bio":'::text) || json_text((bio)::text)) || ',"avatar":'::text) || COALESCE((avatar)::text, 'null'::text)) || ',"metadataUrl":'::text)) stored not null,
  profile_middle text generated always as ((((((((((((((((((((((((((('/agents/'::text || url_part((name)::text)) || '/metadata","websiteUrl":'::text) || json_text((website_url)::text)) || ',"services":'::text) || profile_services((services)::jsonb)) || ',"active":'::text) || (active)::text) || ',"x402Support":'::text) || (x402_support)::text) || ',"supportedTrust":'::text) || (supported_trust)::text) || ',"registrations":'::text) || (registrations)::text) || ',"socialAccounts":'::text) || (social_accounts)::text) || ',"version":'::text) || json_text((version)::text)) || ',"category":'::text) || json_text((category)::text)) || ',"tags":'::text) || (tags)::text) || ',"status":'::text) || json_text((status)::text)) || ',"lastSeenAt":'::text) || stored_iso((last_seen_at)::timestamp with time zone)) || ',"online":'::text)) stored not null,
  profile_tail text generated always as (((((((',"createdAt":'::text || stored_iso((created_at)::timestamp with time zone)) || ',"updatedAt":'::text) || stored_iso((updated_at)::timestamp with time zone)) || ',"publishedAt":'::text) || stored_iso((published_at)::timestamp with time zone)) || '}'::text)) stored not null,
  constraint agents_registrations_check CHECK (json_is_right(registrations, '[{"agentId": "integer", "agentRegistry": "text200"}]'::jsonb)),
  constraint agents_social_accounts_check CHECK (json_is_right(social_accounts, '[{"url": "text2048", "platform": "upper100", "username": "text200", "verified": "boolean"}]'::jsonb)),
  constraint agents_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id),
  constraint agents_pkey PRIMARY KEY (id),
  constraint agents_name_key UNIQUE (name) DEFERRABLE
) with (toast_tuple_target=8160);

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
  title name_text not null,
  short_description short_text not null,
  details long_text not null,
  category term_text not null,
  status word_text not null,
  visibility visibility_word,
  is_taken_down boolean default false not null,
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
  created_at instant not null,
  updated_at instant not null,
  is_public boolean generated always as (is_shown(is_taken_down, (visibility)::text, ((status)::text = ANY (ARRAY['OPEN'::text, 'REVIEW'::text, 'COMPLETED'::text])))) stored not null,
  is_completed boolean generated always as (((completed_at IS NOT NULL) OR ((status)::text = 'COMPLETED'::text))) stored not null,
  facet bigint generated always as (facet_of(VARIADIC ARRAY[(status)::text, (category)::text])) stored not null,
  constraint bounties_fields_check CHECK (json_is_right(fields, '[{"type": "text100", "label": "text200", "required": "boolean"}]'::jsonb)),
  constraint bounties_public_moment CHECK (((NOT is_public) OR (published_at IS NOT NULL))),
  constraint bounties_reserved_slug CHECK (((slug)::text <> 'me'::text)),
  constraint bounties_rewards_check CHECK (json_is_right(rewards, '[{"place": "integer", "amount": "number"}]'::jsonb)),
  constraint bounties_sponsor_id_fkey FOREIGN KEY (sponsor_id) REFERENCES sponsors(id),
  constraint bounties_pkey PRIMARY KEY (id),
  constraint bounties_slug_key UNIQUE (slug) DEFERRABLE
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
  title name_text not null,
  description long_text not null,
  field_values field_values_json default '[]'::jsonb not null,
  additional_links links_json default '[]'::jsonb not null,
  image_url url_text,
  status word_text not null,
  visibility visibility_word,
  is_taken_down boolean default false not null,
  moderation_reason short_text,
  prize_place smallint,
  comment_count count_integer default 0 not null,
  clap_count count_integer default 0 not null,
  reward_wallet_address term_text,
  created_at instant not null,
  updated_at instant not null,
  is_public boolean generated always as (is_shown(is_taken_down, (visibility)::text, ((status)::text = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'WINNER'::text])))) stored not null,
  constraint bounty_submissions_prize_place_check CHECK (((prize_place >= 1) AND (prize_place <= 100))),
  constraint bounty_submissions_bounty_id_fkey FOREIGN KEY (bounty_id) REFERENCES bounties(id) ON DELETE CASCADE,
  constraint bounty_submissions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint bounty_submissions_pkey PRIMARY KEY (id)
);

create table collection_contests (
  collection_address id_text not null,
  contest_id id_text not null,
  role term_text not null,
  constraint collection_contests_collection_address_fkey FOREIGN KEY (collection_address) REFERENCES collections(address) ON DELETE CASCADE,
  constraint collection_contests_contest_id_fkey FOREIGN KEY (contest_id) REFERENCES contests(id) ON DELETE CASCADE,
  constraint collection_contests_pkey PRIMARY KEY (collection_address, contest_id, role)
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
  type term_text not null,
  importance term_text not null,
  is_sbt boolean not null,
  category term_text not null,
  is_winner boolean not null,
  source text collate "C" not null,
  status word_text,
  visibility visibility_word,
  is_taken_down boolean default false not null,
  creator_address term_text,
  next_item_index safe_integer not null,
  external_link url_text,
  social_links urls_json default '[]'::jsonb not null,
  created_at instant not null,
  updated_at instant not null,
  on_chain_created_at instant,
  is_public boolean generated always as ((((source = 'external'::text) OR (upper(COALESCE((status)::text, ''::text)) <> 'DRAFT'::text)) AND is_shown(is_taken_down, (visibility)::text, true))) stored not null,
  address_key text collate "C" generated always as (canonical_address((address)::text)) stored not null,
  search_name text collate "C" generated always as (search_form((name)::text)) stored not null,
  facet bigint generated always as (facet_of(VARIADIC ARRAY[(type)::text, (importance)::text, (is_sbt)::text, (category)::text, source])) stored not null,
  chain_up timestamp with time zone generated always as (COALESCE((on_chain_created_at)::timestamp with time zone, 'infinity'::timestamp with time zone)) stored not null,
  chain_down timestamp with time zone generated always as (COALESCE((on_chain_created_at)::timestamp with time zone, '-infinity'::timestamp with time zone)) stored not null,
  constraint collections_source_check CHECK ((source = ANY (ARRAY['internal'::text, 'external'::text]))),
  constraint collections_pkey PRIMARY KEY (address),
  constraint collections_address_key_key UNIQUE (address_key)
);

create table contest_submission_supporters (
  submission_id id_text not null,
  user_id id_text not null,
  voting_tier term_text not null,
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
  title name_text not null,
  description long_text not null,
  track_ids ids_json default '[]'::jsonb not null,
  image_url url_text,
  field_values field_values_json default '[]'::jsonb not null,
  additional_links links_json default '[]'::jsonb not null,
  status word_text not null,
  visibility visibility_word,
  is_taken_down boolean default false not null,
  moderation_reason short_text,
  clap_count count_integer,
  comment_count count_integer default 0 not null,
  prize_place smallint,
  repository_platform id_text,
  repository_platform_id id_text,
  created_at instant not null,
  updated_at instant not null,
  is_public boolean generated always as ((((status)::text = ANY (ARRAY['APPROVED'::text, 'WINNER'::text])) AND is_shown(is_taken_down, (visibility)::text, true))) stored not null,
  constraint contest_submissions_check CHECK ((num_nulls(repository_platform, repository_platform_id) <> 1)),
  constraint contest_submissions_prize_place_check CHECK (((prize_place >= 1) AND (prize_place <= 100))),
  constraint contest_submissions_contest_id_fkey FOREIGN KEY (contest_id) REFERENCES contests(id) ON DELETE CASCADE,
  constraint contest_submissions_repository_platform_repository_platfor_fkey FOREIGN KEY (repository_platform, repository_platform_id) REFERENCES repositories(platform, platform_id) ON DELETE SET NULL,
  constraint contest_submissions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint contest_submissions_pkey PRIMARY KEY (id)
);

create table contests (
  id id_text not null,
  slug slug_text not null,
  title name_text not null,
  short_description short_text not null,
  details long_text not null,
  rules long_text not null,
  prize_pool short_text not null,
  image_url url_text,
  judge_user_ids ids_json default '[]'::jsonb not null,
  status word_text not null,
  visibility visibility_word,
  is_taken_down boolean default false not null,
  direct_link_enabled boolean not null,
  fields objects_json,
  tracks objects_json default '[]'::jsonb not null,
  submission_start instant not null,
  submission_end instant not null,
  voting_start instant not null,
  voting_end instant not null,
  created_by_id id_text not null,
  created_at instant not null,
  updated_at instant not null,
  is_public boolean generated always as (is_shown(is_taken_down, (visibility)::text, ((status)::text = ANY (ARRAY['OPEN'::text, 'VOTING'::text, 'COMPLETED'::text])))) stored not null,
  constraint contests_pkey PRIMARY KEY (id),
  constraint contests_slug_key UNIQUE (slug) DEFERRABLE
);

create table erasures (
  hash bytea not null,
  erased_at instant not null,
  constraint erasures_hash_check CHECK ((octet_length(hash) = 32)),
  constraint erasures_pkey PRIMARY KEY (hash)
);

create table feed (
  is_only boolean default true not null,
  stream text collate "C",
  stream_created_at text collate "C",
  sequence bigint default 0 not null,
  message_id text collate "C",
  message_at text collate "C",
  as_of instant,
  load_snapshot text collate "C",
  is_loading boolean default false not null,
  applied bigint default 0 not null,
  rejected bigint default 0 not null,
  constraint feed_is_only_check CHECK (is_only),
  constraint feed_pkey PRIMARY KEY (is_only)
);

create table feed_lease (
  is_only boolean default true not null,
  holder text collate "C",
  expires_at timestamp with time zone,
  constraint feed_lease_is_only_check CHECK (is_only),
  constraint feed_lease_pkey PRIMARY KEY (is_only)
);

create table import_checkpoints (
  table_name text not null,
  bytes bigint not null,
  lines bigint not null,
  digest text not null,
  inserted bigint not null,
  changed bigint not null,
  unchanged bigint not null,
  rejected bigint not null,
  keyless_line bigint,
  constraint import_checkpoints_pkey PRIMARY KEY (table_name)
);

create table import_keys (
  table_name text not null,
  key uuid not null,
  is_rejected boolean default false not null,
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
  constraint launch_topics_topic_id_fkey FOREIGN KEY (topic_id) REFERENCES topics(id) ON DELETE CASCADE,
  constraint launch_topics_pkey PRIMARY KEY (topic_id, launch_id),
  constraint launch_topics_launch_id_position_key UNIQUE (launch_id, "position") DEFERRABLE
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
  screenshot_urls urls_json default '[]'::jsonb not null,
  status word_text not null,
  visibility visibility_word,
  is_taken_down boolean default false not null,
  launch_week instant,
  rating safe_integer not null,
  launch_week_rating safe_integer not null,
  comment_count count_integer default 0 not null,
  submitted_by_id id_text not null,
  featured_at instant,
  published_at instant,
  created_at instant not null,
  updated_at instant not null,
  is_public boolean generated always as (((published_at IS NOT NULL) AND is_shown(is_taken_down, (visibility)::text, ((status)::text = 'LIVE'::text)))) stored not null,
  week text collate "C" generated always as (iso_text((launch_week)::timestamp with time zone)) stored,
  week_order text collate "C" generated always as ((lpad((('9007199254740991'::bigint - (launch_week_rating)::bigint))::text, 17, '0'::text) || iso_text((published_at)::timestamp with time zone))) stored,
  constraint launches_live_moments CHECK ((((status)::text <> 'LIVE'::text) OR (num_nulls(published_at, launch_week) = 0))),
  constraint launches_public_week CHECK (((NOT is_public) OR (launch_week IS NOT NULL))),
  constraint launches_reserved_slug CHECK (((slug)::text <> 'featured'::text)),
  constraint launches_submitted_by_id_fkey FOREIGN KEY (submitted_by_id) REFERENCES users(id),
  constraint launches_pkey PRIMARY KEY (id),
  constraint launches_slug_key UNIQUE (slug) DEFERRABLE
);

create table lists.agents (
  parent text collate "C" not null,
  facet bigint not null,
  category text collate "C",
  rows bigint not null,
  is_long boolean default false not null,
  is_by_facet boolean default true not null,
  constraint agents_pkey PRIMARY KEY (parent, facet),
  constraint agents_parent_facet_category_key UNIQUE NULLS NOT DISTINCT (parent, facet, category)
) with (fillfactor=70);

create table lists.agents_created (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  created_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint agents_created_pkey PRIMARY KEY (block),
  constraint agents_created_parent_level_created_at_id_key UNIQUE (parent, level, created_at, id)
) with (fillfactor=70);

create table lists.agents_created_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  constraint agents_created_facets_pkey PRIMARY KEY (block, facet) INCLUDE (rows)
) with (fillfactor=70);

create table lists.agents_name (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  name text collate "C" default ''::text not null,
  id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint agents_name_pkey PRIMARY KEY (block),
  constraint agents_name_parent_level_name_id_key UNIQUE (parent, level, name, id)
) with (fillfactor=70);

create table lists.agents_name_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  constraint agents_name_facets_pkey PRIMARY KEY (block, facet) INCLUDE (rows)
) with (fillfactor=70);

create table lists.bounties (
  parent text collate "C" not null,
  facet bigint not null,
  status text collate "C",
  category text collate "C",
  rows bigint not null,
  is_long boolean default false not null,
  is_by_facet boolean default true not null,
  constraint bounties_pkey PRIMARY KEY (parent, facet),
  constraint bounties_parent_facet_status_category_key UNIQUE NULLS NOT DISTINCT (parent, facet, status, category)
) with (fillfactor=70);

create table lists.bounties_published (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  published_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint bounties_published_pkey PRIMARY KEY (block),
  constraint bounties_published_parent_level_published_at_id_key UNIQUE (parent, level, published_at, id)
) with (fillfactor=70);

create table lists.bounties_published_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  constraint bounties_published_facets_pkey PRIMARY KEY (block, facet) INCLUDE (rows)
) with (fillfactor=70);

create table lists.collection_sizes (
  address text collate "C" not null,
  holders bigint default 0 not null,
  facet bigint not null,
  is_public boolean not null,
  constraint collection_sizes_pkey PRIMARY KEY (address)
) with (fillfactor=70);

create table lists.collections (
  parent text collate "C" not null,
  facet bigint not null,
  type text collate "C",
  importance text collate "C",
  is_sbt boolean,
  category text collate "C",
  source text collate "C",
  rows bigint not null,
  is_long boolean default false not null,
  is_by_facet boolean default true not null,
  constraint collections_pkey PRIMARY KEY (parent, facet),
  constraint collections_parent_facet_type_importance_is_sbt_category_so_key UNIQUE NULLS NOT DISTINCT (parent, facet, type, importance, is_sbt, category, source)
) with (fillfactor=70);

create table lists.collections_chain_down (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  chain_down timestamp with time zone default '-infinity'::timestamp with time zone not null,
  address text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint collections_chain_down_pkey PRIMARY KEY (block),
  constraint collections_chain_down_parent_level_chain_down_address_key UNIQUE (parent, level, chain_down, address)
) with (fillfactor=70);

create table lists.collections_chain_down_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  constraint collections_chain_down_facets_pkey PRIMARY KEY (block, facet) INCLUDE (rows)
) with (fillfactor=70);

create table lists.collections_chain_up (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  chain_up timestamp with time zone default '-infinity'::timestamp with time zone not null,
  address text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint collections_chain_up_pkey PRIMARY KEY (block),
  constraint collections_chain_up_parent_level_chain_up_address_key UNIQUE (parent, level, chain_up, address)
) with (fillfactor=70);

create table lists.collections_chain_up_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  constraint collections_chain_up_facets_pkey PRIMARY KEY (block, facet) INCLUDE (rows)
) with (fillfactor=70);

create table lists.collections_created (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  created_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  address text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint collections_created_pkey PRIMARY KEY (block),
  constraint collections_created_parent_level_created_at_address_key UNIQUE (parent, level, created_at, address)
) with (fillfactor=70);

create table lists.collections_created_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  constraint collections_created_facets_pkey PRIMARY KEY (block, facet) INCLUDE (rows)
) with (fillfactor=70);

create table lists.collections_name (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  name text collate "C" default ''::text not null,
  address text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint collections_name_pkey PRIMARY KEY (block),
  constraint collections_name_parent_level_name_address_key UNIQUE (parent, level, name, address)
) with (fillfactor=70);

create table lists.collections_name_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  constraint collections_name_facets_pkey PRIMARY KEY (block, facet) INCLUDE (rows)
) with (fillfactor=70);

create table lists.contest_submissions (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean default false not null,
  constraint contest_submissions_pkey PRIMARY KEY (parent, facet)
) with (fillfactor=70);

create table lists.contest_submissions_created (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  created_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint contest_submissions_created_pkey PRIMARY KEY (block),
  constraint contest_submissions_created_parent_level_created_at_id_key UNIQUE (parent, level, created_at, id)
) with (fillfactor=70);

create table lists.contests (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean default false not null,
  constraint contests_pkey PRIMARY KEY (parent, facet)
) with (fillfactor=70);

create table lists.contests_start (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  submission_start timestamp with time zone default '-infinity'::timestamp with time zone not null,
  id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint contests_start_pkey PRIMARY KEY (block),
  constraint contests_start_parent_level_submission_start_id_key UNIQUE (parent, level, submission_start, id)
) with (fillfactor=70);

create table lists.contests_voting_end (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  voting_end timestamp with time zone default '-infinity'::timestamp with time zone not null,
  id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint contests_voting_end_pkey PRIMARY KEY (block),
  constraint contests_voting_end_parent_level_voting_end_id_key UNIQUE (parent, level, voting_end, id)
) with (fillfactor=70);

create table lists.holders (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean default false not null,
  constraint holders_pkey PRIMARY KEY (parent, facet)
) with (fillfactor=70);

create table lists.holders_acquired (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  acquired_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  user_id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint holders_acquired_pkey PRIMARY KEY (block),
  constraint holders_acquired_parent_level_acquired_at_user_id_key UNIQUE (parent, level, acquired_at, user_id)
) with (fillfactor=70);

create table lists.launch_topics (
  id text collate "C" not null,
  topic_id text collate "C" not null,
  topic_week text collate "C" not null,
  published_at timestamp with time zone not null,
  week_order text collate "C" not null,
  constraint launch_topics_pkey PRIMARY KEY (id, topic_id)
);

create table lists.launch_week_ranks (
  launch_id text collate "C" not null,
  week text collate "C" not null,
  week_rank integer not null,
  constraint launch_week_ranks_pkey PRIMARY KEY (launch_id)
) with (fillfactor=70);

create table lists.launch_weeks (
  week text collate "C" not null,
  launches bigint not null,
  constraint launch_weeks_pkey PRIMARY KEY (week)
) with (fillfactor=70);

create table lists.launches (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean default false not null,
  constraint launches_pkey PRIMARY KEY (parent, facet)
) with (fillfactor=70);

create table lists.launches_published (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  published_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint launches_published_pkey PRIMARY KEY (block),
  constraint launches_published_parent_level_published_at_id_key UNIQUE (parent, level, published_at, id)
) with (fillfactor=70);

create table lists.member_bounties (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean default false not null,
  constraint member_bounties_pkey PRIMARY KEY (parent, facet)
) with (fillfactor=70);

create table lists.public_submissions (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean default false not null,
  constraint public_submissions_pkey PRIMARY KEY (parent, facet)
) with (fillfactor=70);

create table lists.public_submissions_created (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  created_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint public_submissions_created_pkey PRIMARY KEY (block),
  constraint public_submissions_created_parent_level_created_at_id_key UNIQUE (parent, level, created_at, id)
) with (fillfactor=70);

create table lists.repositories (
  parent text collate "C" not null,
  facet bigint not null,
  category text collate "C",
  ecosystem text collate "C",
  importance text collate "C",
  platform text collate "C",
  status text collate "C",
  rows bigint not null,
  is_long boolean default false not null,
  is_by_facet boolean default true not null,
  constraint repositories_pkey PRIMARY KEY (parent, facet),
  constraint repositories_parent_facet_category_ecosystem_importance_pla_key UNIQUE NULLS NOT DISTINCT (parent, facet, category, ecosystem, importance, platform, status)
) with (fillfactor=70);

create table lists.repositories_created (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  created_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  platform text collate "C" default ''::text not null,
  platform_id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint repositories_created_pkey PRIMARY KEY (block),
  constraint repositories_created_parent_level_created_at_platform_platf_key UNIQUE (parent, level, created_at, platform, platform_id)
) with (fillfactor=70);

create table lists.repositories_created_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  constraint repositories_created_facets_pkey PRIMARY KEY (block, facet) INCLUDE (rows)
) with (fillfactor=70);

create table lists.repositories_name (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  name text collate "C" default ''::text not null,
  platform text collate "C" default ''::text not null,
  platform_id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint repositories_name_pkey PRIMARY KEY (block),
  constraint repositories_name_parent_level_name_platform_platform_id_key UNIQUE (parent, level, name, platform, platform_id)
) with (fillfactor=70);

create table lists.repositories_name_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  constraint repositories_name_facets_pkey PRIMARY KEY (block, facet) INCLUDE (rows)
) with (fillfactor=70);

create table lists.repositories_owner (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  owner text collate "C" default ''::text not null,
  platform text collate "C" default ''::text not null,
  platform_id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint repositories_owner_pkey PRIMARY KEY (block),
  constraint repositories_owner_parent_level_owner_platform_platform_id_key UNIQUE (parent, level, owner, platform, platform_id)
) with (fillfactor=70);

create table lists.repositories_owner_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  constraint repositories_owner_facets_pkey PRIMARY KEY (block, facet) INCLUDE (rows)
) with (fillfactor=70);

create table lists.repositories_updated (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  updated_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  platform text collate "C" default ''::text not null,
  platform_id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint repositories_updated_pkey PRIMARY KEY (block),
  constraint repositories_updated_parent_level_updated_at_platform_platf_key UNIQUE (parent, level, updated_at, platform, platform_id)
) with (fillfactor=70);

create table lists.repositories_updated_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  constraint repositories_updated_facets_pkey PRIMARY KEY (block, facet) INCLUDE (rows)
) with (fillfactor=70);

create table lists.sized_collections (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean default false not null,
  is_by_facet boolean default true not null,
  constraint sized_collections_pkey PRIMARY KEY (parent, facet)
) with (fillfactor=70);

create table lists.sized_collections_holders (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  holders bigint default '-9223372036854775808'::bigint not null,
  address text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint sized_collections_holders_pkey PRIMARY KEY (block),
  constraint sized_collections_holders_parent_level_holders_address_key UNIQUE (parent, level, holders, address)
) with (fillfactor=70);

create table lists.sized_collections_holders_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  constraint sized_collections_holders_facets_pkey PRIMARY KEY (block, facet) INCLUDE (rows)
) with (fillfactor=70);

create table lists.sponsor_bounties (
  parent text collate "C" not null,
  facet bigint not null,
  status text collate "C",
  category text collate "C",
  rows bigint not null,
  is_long boolean default false not null,
  is_by_facet boolean default true not null,
  constraint sponsor_bounties_pkey PRIMARY KEY (parent, facet),
  constraint sponsor_bounties_parent_facet_status_category_key UNIQUE NULLS NOT DISTINCT (parent, facet, status, category)
) with (fillfactor=70);

create table lists.sponsor_bounties_published (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  published_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint sponsor_bounties_published_pkey PRIMARY KEY (block),
  constraint sponsor_bounties_published_parent_level_published_at_id_key UNIQUE (parent, level, published_at, id)
) with (fillfactor=70);

create table lists.sponsor_bounties_published_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  constraint sponsor_bounties_published_facets_pkey PRIMARY KEY (block, facet) INCLUDE (rows)
) with (fillfactor=70);

create table lists.sponsors (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean default false not null,
  constraint sponsors_pkey PRIMARY KEY (parent, facet)
) with (fillfactor=70);

create table lists.sponsors_name (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  name text collate "C" default ''::text not null,
  id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint sponsors_name_pkey PRIMARY KEY (block),
  constraint sponsors_name_parent_level_name_id_key UNIQUE (parent, level, name, id)
) with (fillfactor=70);

create table lists.submission_tracks (
  id text collate "C" not null,
  track text collate "C" not null,
  created_at timestamp with time zone not null,
  constraint submission_tracks_pkey PRIMARY KEY (id, track)
);

create table lists.submissions (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean default false not null,
  constraint submissions_pkey PRIMARY KEY (parent, facet)
) with (fillfactor=70);

create table lists.submissions_created (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  created_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint submissions_created_pkey PRIMARY KEY (block),
  constraint submissions_created_parent_level_created_at_id_key UNIQUE (parent, level, created_at, id)
) with (fillfactor=70);

create table lists.supporters (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean default false not null,
  constraint supporters_pkey PRIMARY KEY (parent, facet)
) with (fillfactor=70);

create table lists.timeline (
  parent text collate "C" not null,
  facet bigint not null,
  type text collate "C",
  rows bigint not null,
  is_long boolean default false not null,
  is_by_facet boolean default true not null,
  constraint timeline_pkey PRIMARY KEY (parent, facet),
  constraint timeline_parent_facet_type_key UNIQUE NULLS NOT DISTINCT (parent, facet, type)
) with (fillfactor=70);

create table lists.timeline_date (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  date timestamp with time zone default '-infinity'::timestamp with time zone not null,
  id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint timeline_date_pkey PRIMARY KEY (block),
  constraint timeline_date_parent_level_date_id_key UNIQUE (parent, level, date, id)
) with (fillfactor=70);

create table lists.timeline_date_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  constraint timeline_date_facets_pkey PRIMARY KEY (block, facet) INCLUDE (rows)
) with (fillfactor=70);

create table lists.topic_launches (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean default false not null,
  constraint topic_launches_pkey PRIMARY KEY (parent, facet)
) with (fillfactor=70);

create table lists.topic_launches_published (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  published_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint topic_launches_published_pkey PRIMARY KEY (block),
  constraint topic_launches_published_parent_level_published_at_id_key UNIQUE (parent, level, published_at, id)
) with (fillfactor=70);

create table lists.topic_week_launches (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean default false not null,
  constraint topic_week_launches_pkey PRIMARY KEY (parent, facet)
) with (fillfactor=70);

create table lists.topic_week_launches_rank (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  week_order text collate "C" default ''::text not null,
  id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint topic_week_launches_rank_pkey PRIMARY KEY (block),
  constraint topic_week_launches_rank_parent_level_week_order_id_key UNIQUE (parent, level, week_order, id)
) with (fillfactor=70);

create table lists.track_submissions (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean default false not null,
  constraint track_submissions_pkey PRIMARY KEY (parent, facet)
) with (fillfactor=70);

create table lists.track_submissions_created (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  created_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint track_submissions_created_pkey PRIMARY KEY (block),
  constraint track_submissions_created_parent_level_created_at_id_key UNIQUE (parent, level, created_at, id)
) with (fillfactor=70);

create table lists.user_launches (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean default false not null,
  constraint user_launches_pkey PRIMARY KEY (parent, facet)
) with (fillfactor=70);

create table lists.user_launches_published (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  published_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint user_launches_published_pkey PRIMARY KEY (block),
  constraint user_launches_published_parent_level_published_at_id_key UNIQUE (parent, level, published_at, id)
) with (fillfactor=70);

create table lists.week_launches (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean default false not null,
  constraint week_launches_pkey PRIMARY KEY (parent, facet)
) with (fillfactor=70);

create table lists.week_launches_rank (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  week_order text collate "C" default ''::text not null,
  id text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint week_launches_rank_pkey PRIMARY KEY (block),
  constraint week_launches_rank_parent_level_week_order_id_key UNIQUE (parent, level, week_order, id)
) with (fillfactor=70);

create table lists.weeks (
  parent text collate "C" not null,
  facet bigint not null,
  rows bigint not null,
  is_long boolean default false not null,
  constraint weeks_pkey PRIMARY KEY (parent, facet)
) with (fillfactor=70);

create table lists.weeks_week (
  block integer default nextval('lists.block_ids'::regclass) not null,
  parent text collate "C" not null,
  level smallint not null,
  week text collate "C" default ''::text not null,
  rows integer not null,
  blocks integer default 0 not null,
  constraint weeks_week_pkey PRIMARY KEY (block),
  constraint weeks_week_parent_level_week_key UNIQUE (parent, level, week)
) with (fillfactor=70);

create table rejected_changes (
  id bigint not null,
  table_name text collate "C",
  key text[] collate "C",
  body bytea not null,
  reason text collate "C" not null,
  waits_for text[] collate "C",
  is_waiting boolean generated always as ((waits_for IS NOT NULL)) stored not null,
  received_at instant not null,
  tried_at instant not null,
  constraint rejected_changes_pkey PRIMARY KEY (id),
  constraint rejected_changes_table_name_key_key UNIQUE (table_name, key)
);

create table repositories (
  platform id_text not null,
  platform_id id_text not null,
  owner name_text not null,
  name name_text not null,
  category term_text,
  ecosystem term_text,
  description short_text,
  importance term_text,
  status word_text not null,
  contributors_count count_integer not null,
  platform_created_at instant,
  platform_updated_at instant,
  platform_pushed_at instant,
  created_at instant not null,
  updated_at instant not null,
  is_taken_down boolean default false not null,
  is_public boolean generated always as ((NOT is_taken_down)) stored not null,
  search_name text collate "C" generated always as (search_form((((owner)::text || '/'::text) || (name)::text))) stored not null,
  facet bigint generated always as (facet_of(VARIADIC ARRAY[(category)::text, (ecosystem)::text, (importance)::text, (platform)::text, (status)::text])) stored not null,
  constraint repositories_pkey PRIMARY KEY (platform, platform_id)
);

create table schema_migrations (
  name text collate "C" not null,
  applied_at timestamp with time zone not null,
  is_required boolean default false not null,
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

create table score_tiers (
  dimension text collate "C" not null,
  silver finite_number not null,
  gold finite_number not null,
  platinum_score finite_number not null,
  platinum_percentile finite_number not null,
  metrics jsonb not null,
  is_sample boolean default false not null,
  constraint score_tiers_dimension_check CHECK ((dimension = ANY (ARRAY['developer'::text, 'builder'::text, 'contributor'::text, 'messenger'::text, 'identity'::text]))),
  constraint score_tiers_metrics_check CHECK (json_is_right(metrics, '[{"key": "text100", "maxScore": "number", "description": "text500"}]'::jsonb)),
  constraint score_tiers_pkey PRIMARY KEY (dimension)
);

create table sponsor_members (
  sponsor_id id_text not null,
  user_id id_text not null,
  role term_text not null,
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
  constraint sponsors_pkey PRIMARY KEY (id),
  constraint sponsors_slug_key UNIQUE (slug) DEFERRABLE
);

create table takedowns (
  table_name text collate "C" not null,
  key text[] collate "C" not null,
  reason short_text,
  created_at instant not null,
  constraint takedowns_key_check CHECK ((array_position(key, NULL::text) IS NULL)),
  constraint takedowns_pkey PRIMARY KEY (table_name, key)
);

create table timeline_items (
  user_id id_text not null,
  id id_text not null,
  type text collate "C" not null,
  date instant not null,
  details jsonb not null,
  collection_key text collate "C" generated always as (
CASE
    WHEN (type = 'BADGE_RECEIVED'::text) THEN NULLIF(COALESCE(canonical_address("left"((details ->> 'collectionAddress'::text), 101)), "left"((details ->> 'collectionAddress'::text), 101)), ''::text)
    ELSE NULL::text
END) stored,
  is_badge_public boolean default true not null,
  is_taken_down boolean default false not null,
  is_public boolean generated always as ((is_badge_public AND (NOT is_taken_down))) stored not null,
  constraint timeline_items_details_check CHECK (((jsonb_typeof(details) = 'object'::text) AND (octet_length((details)::text) <= 400000) AND json_is_sound(details))),
  constraint timeline_items_type_check CHECK ((type = ANY (ARRAY['COMMIT'::text, 'PR'::text, 'BADGE_RECEIVED'::text, 'GIFT_RECEIVED'::text]))),
  constraint timeline_items_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint timeline_items_pkey PRIMARY KEY (user_id, id)
);

create table topics (
  id id_text not null,
  slug slug_text not null,
  name name_text not null,
  constraint topics_pkey PRIMARY KEY (id),
  constraint topics_slug_key UNIQUE (slug) DEFERRABLE
);

create table users (
  id id_text not null,
  username slug_text not null,
  display_name name_text not null,
  avatar avatar_json,
  bio short_text,
  status word_text not null,
  tags tags_json default '[]'::jsonb not null,
  god_mode boolean default false not null,
  is_public boolean generated always as ((lower((status)::text) = ANY (ARRAY['activated'::text, 'active'::text]))) stored not null,
  summary_head text generated always as ((((((((((((('{"id":'::text || json_text((id)::text)) || ',"username":'::text) || json_text((username)::text)) || ',"displayName":'::text) || json_text((display_name)::text)) || ',"avatar":'::text) || COALESCE((avatar)::text, 'null'::text)) || ',"bio":'::text) || json_text((bio)::text)) || ',"status":'::text) || json_text((status)::text)) || ',"tags":'::text)) stored not null,
  public_tags json generated always as (public_tags((tags)::jsonb)) stored not null,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_username_key UNIQUE (username) DEFERRABLE
);

CREATE INDEX agents_by_created ON public.agents USING btree (created_at, id) INCLUDE (facet, search_name) WHERE is_public;

CREATE INDEX agents_by_name ON public.agents USING btree (name, id) INCLUDE (facet, search_name) WHERE is_public;

CREATE INDEX agents_facet ON public.agents USING btree (facet) WHERE is_public;

CREATE INDEX agents_owner ON public.agents USING btree (owner_id);

CREATE INDEX agents_search ON public.agents USING gin (search_name gin_trgm_ops) WHERE is_public;

CREATE INDEX api_keys_user ON public.api_keys USING btree (user_id);

CREATE INDEX bounties_all ON public.bounties USING btree (created_at, id);

CREATE INDEX bounties_by_published ON public.bounties USING btree (published_at, id) INCLUDE (facet) WHERE is_public;

CREATE INDEX bounties_facet ON public.bounties USING btree (facet) WHERE is_public;

CREATE INDEX bounties_of_members ON public.bounties USING btree (sponsor_id, created_at, id);

CREATE INDEX bounty_submissions_of_user ON public.bounty_submissions USING btree (user_id, bounty_id, created_at, id);

CREATE INDEX bounty_submissions_winners ON public.bounty_submissions USING btree (bounty_id, prize_place, created_at, id) WHERE (is_public AND (prize_place IS NOT NULL));

CREATE INDEX collection_contests_contest ON public.collection_contests USING btree (contest_id);

CREATE INDEX collections_by_chain_down ON public.collections USING btree (chain_down, address) INCLUDE (facet, search_name) WHERE is_public;

CREATE INDEX collections_by_chain_up ON public.collections USING btree (chain_up, address) INCLUDE (facet, search_name) WHERE is_public;

CREATE INDEX collections_by_created ON public.collections USING btree (created_at, address) INCLUDE (facet, search_name) WHERE is_public;

CREATE INDEX collections_by_name ON public.collections USING btree (name, address) INCLUDE (facet, search_name) WHERE is_public;

CREATE INDEX collections_facet ON public.collections USING btree (facet) WHERE is_public;

CREATE INDEX collections_search ON public.collections USING gin (search_name gin_trgm_ops) WHERE is_public;

CREATE INDEX contest_submission_supporters_preview ON public.contest_submission_supporters USING btree (submission_id, tier_place, created_at, user_id);

CREATE INDEX contest_submissions_by_created ON public.contest_submissions USING btree (contest_id, created_at, id) WHERE is_public;

CREATE INDEX contest_submissions_contest ON public.contest_submissions USING btree (contest_id);

CREATE INDEX contest_submissions_repository ON public.contest_submissions USING btree (repository_platform, repository_platform_id);

CREATE INDEX contest_submissions_user ON public.contest_submissions USING btree (user_id);

CREATE INDEX contests_by_start ON public.contests USING btree (submission_start, id) INCLUDE (voting_end) WHERE is_public;

CREATE INDEX contests_by_voting_end ON public.contests USING btree (voting_end, id) WHERE is_public;

CREATE INDEX holders_by_acquired ON public.collection_holders USING btree (collection_address, acquired_at, user_id);

CREATE INDEX launch_claps_user ON public.launch_claps USING btree (user_id);

CREATE INDEX launches_by_published ON public.launches USING btree (published_at, id) WHERE is_public;

CREATE INDEX launches_featured ON public.launches USING btree (featured_at, id) WHERE (is_public AND (featured_at IS NOT NULL));

CREATE INDEX launches_submitted_by ON public.launches USING btree (submitted_by_id);

CREATE INDEX launch_week_ranks_week ON lists.launch_week_ranks USING btree (week);

CREATE INDEX sized_collections_by_holders ON lists.collection_sizes USING btree (holders, address) INCLUDE (facet) WHERE is_public;

CREATE INDEX sized_collections_facet ON lists.collection_sizes USING btree (facet) WHERE is_public;

CREATE INDEX topic_launches_by_published ON lists.launch_topics USING btree (topic_id, published_at, id);

CREATE INDEX topic_week_launches_by_rank ON lists.launch_topics USING btree (topic_week, week_order, id);

CREATE INDEX track_submissions_by_created ON lists.submission_tracks USING btree (track, created_at, id);

CREATE INDEX weeks_by_week ON lists.launch_weeks USING btree (week);

CREATE INDEX public_submissions_by_created ON public.bounty_submissions USING btree (bounty_id, created_at, id) WHERE is_public;

CREATE INDEX rejected_changes_waiting ON public.rejected_changes USING gin (waits_for);

CREATE INDEX repositories_by_created ON public.repositories USING btree (created_at, platform, platform_id) INCLUDE (facet, search_name) WHERE is_public;

CREATE INDEX repositories_by_name ON public.repositories USING btree (name, platform, platform_id) INCLUDE (facet, search_name) WHERE is_public;

CREATE INDEX repositories_by_owner ON public.repositories USING btree (owner, platform, platform_id) INCLUDE (facet, search_name) WHERE is_public;

CREATE INDEX repositories_by_updated ON public.repositories USING btree (updated_at, platform, platform_id) INCLUDE (facet, search_name) WHERE is_public;

CREATE INDEX repositories_facet ON public.repositories USING btree (facet) WHERE is_public;

CREATE INDEX repositories_search ON public.repositories USING gin (search_name gin_trgm_ops) WHERE is_public;

CREATE INDEX sponsor_bounties_by_published ON public.bounties USING btree (sponsor_id, published_at, id) INCLUDE (facet) WHERE is_public;

CREATE INDEX sponsor_members_sponsor ON public.sponsor_members USING btree (sponsor_id);

CREATE INDEX sponsors_by_name ON public.sponsors USING btree (name, id);

CREATE INDEX submissions_by_created ON public.bounty_submissions USING btree (bounty_id, created_at, id);

CREATE INDEX timeline_by_date ON public.timeline_items USING btree (user_id, date, id) INCLUDE (type) WHERE is_public;

CREATE INDEX timeline_items_collection ON public.timeline_items USING btree (collection_key) WHERE (collection_key IS NOT NULL);

CREATE INDEX user_launches_by_published ON public.launches USING btree (submitted_by_id, published_at, id) WHERE is_public;

CREATE INDEX week_launches_by_rank ON public.launches USING btree (week, week_order, id) WHERE is_public;

CREATE OR REPLACE FUNCTION public.api_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN COALESCE((NULLIF(current_setting('commonhall.fixed_now'::text, true), ''::text))::timestamp with time zone, statement_timestamp())
;

CREATE OR REPLACE FUNCTION public.apply_takedowns()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- The update below comes back here, at last with no row.
  if exists (select from takedowns where table_name = tg_table_name) and exists (select from new_rows)
    or exists (select from new_rows where is_taken_down)
  then
    execute (
      select format('update %1$I t set is_taken_down = not t.is_taken_down from new_rows n where %3$s and
          t.is_taken_down <> exists (select from takedowns where table_name = %1$L and key = array[%2$s]::text[])',
        tg_table_name, string_agg(format('n.%I', c), ', '), string_agg(format('t.%1$I = n.%1$I', c), ' and '))
      from unnest(key_columns(tg_relid)) c);
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.attach_writer_lock()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  t record;
begin
  for t in
    select c.oid::regclass as name, c.relnamespace = 'lists'::regnamespace as is_kept
    from pg_class c
    where c.relnamespace in ('public'::regnamespace, 'lists'::regnamespace) and c.relkind in ('r', 'p')
      -- Outside the model: revoking a key or renewing a lease never waits behind an import.
      and c.relname not in ('api_keys', 'feed_lease', 'import_checkpoints', 'import_keys', 'schema_migrations')
      and not exists (select from pg_trigger g where g.tgrelid = c.oid and g.tgname = 'a_writer_lock')
  loop
    execute format('create trigger a_writer_lock before insert or update or delete or truncate on %s
      for each statement execute function take_writer_lock_first()', t.name);
    if t.is_kept then
      execute format('create trigger b_refuse_write before insert or update or delete or truncate on %s
        for each statement when (not is_kept_here()) execute function refuse_write()', t.name);
    end if;
  end loop;
end
$function$
;

CREATE OR REPLACE FUNCTION public.bound_rows()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_table_name = 'launches' then
    if (select count(*) from launches where is_public and featured_at is not null) > 100 then
      raise exception 'at most 100 launches can be featured'
        using errcode = 'check_violation', constraint = 'launches_featured_limit';
    end if;
  elsif exists (
    select from (select distinct bounty_id from new_rows where is_public and prize_place is not null) n
    where (select count(*) from bounty_submissions s
      where s.bounty_id = n.bounty_id and s.is_public and s.prize_place is not null) > 100
  ) then
    raise exception 'a bounty can have at most 100 winners'
      using errcode = 'check_violation', constraint = 'bounty_submissions_winner_limit';
  elsif exists (
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

CREATE OR REPLACE FUNCTION public.call_after(kinds text, of regclass, called text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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

CREATE OR REPLACE FUNCTION public.facet_of(VARIADIC parts text[])
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN hash_array_extended(parts, (0)::bigint)
;

CREATE OR REPLACE FUNCTION public.flip_badges(keys text[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 UPDATE timeline_items t SET is_badge_public = (NOT t.is_badge_public)
   WHERE ((t.collection_key = ANY (flip_badges.keys)) AND (t.is_badge_public <> (EXISTS ( SELECT
            FROM collections c
           WHERE ((c.address_key = t.collection_key) AND c.is_public)))));
END
;

CREATE OR REPLACE FUNCTION public.follow_collections()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'TRUNCATE' then
    delete from lists.collection_sizes;
    update timeline_items set is_badge_public = false where collection_key is not null and is_badge_public;
  elsif tg_op = 'DELETE' then
    delete from lists.collection_sizes s using old_rows o where s.address = o.address;
    perform flip_badges(array(select o.address_key from old_rows o where o.is_public));
  else
    if tg_op = 'UPDATE' then
      -- Not by a join of the two: the plan for one row, which a session keeps, takes the square of many.
      delete from lists.collection_sizes s using (select address from old_rows except select address from new_rows) o
      where s.address = o.address;
    end if;
    -- From the table and not from new_rows: a trigger may have written since.
    insert into lists.collection_sizes as s (address, holders, facet, is_public)
    select c.address, coalesce(h.rows, 0), c.facet, c.is_public
    from new_rows n
    join collections c on c.address = n.address
    left join lists.holders h on h.parent = c.address and h.facet = 0
    on conflict (address) do update set facet = excluded.facet, is_public = excluded.is_public
    where (s.facet, s.is_public) <> (excluded.facet, excluded.is_public);
    if tg_op = 'INSERT' then
      perform flip_badges(array(select n.address_key from new_rows n where n.is_public));
    else
      perform flip_badges(array(
        select address_key
        from (select * from new_rows where is_public union all select * from old_rows where is_public) b
        group by address_key
        having count(*) = 1
      ));
    end if;
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.follow_launches()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'TRUNCATE' then
    delete from lists.launch_week_ranks;
  elsif tg_op = 'INSERT' then
    perform rank_launch_weeks(array(select distinct week from new_rows where is_public));
  elsif tg_op = 'DELETE' then
    perform rank_launch_weeks(array(select distinct week from old_rows where is_public));
  else
    perform rank_launch_weeks(c.weeks), relist('lists.launch_topics', c.ids) from (
      select array_agg(distinct c.week) as weeks, array_agg(distinct c.id) as ids
      from (
        select week, id, week_order
        from (
          select week, id, week_order, 1 as n from new_rows where is_public
          union all
          select week, id, week_order, -1 from old_rows where is_public
        ) b
        group by 1, 2, 3
        having sum(n) <> 0
      ) c
    ) c
    where c.ids is not null;
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.is_kept_here()
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN ((pg_trigger_depth() > 0) OR (COALESCE(current_setting('commonhall.repair'::text, true), ''::text) = 'on'::text))
;

CREATE OR REPLACE FUNCTION public.is_line(value text, most integer)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((char_length(value) <= most) AND (value !~ '[\u0001-\u001f\u007f-\u009f]'::text))
;

CREATE OR REPLACE FUNCTION public.is_shown(is_taken_down boolean, visibility text, by_status boolean)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((NOT is_taken_down) AND COALESCE(CASE visibility WHEN 'hidden'::text THEN false WHEN 'public'::text THEN true ELSE by_status END, false))
;

CREATE OR REPLACE FUNCTION public.is_text(value text, most integer)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((char_length(value) <= most) AND (value !~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]'::text))
;

CREATE OR REPLACE FUNCTION public.iso(moment timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN to_char((moment AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text)
;

CREATE OR REPLACE FUNCTION public.iso_text(moment timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN iso(moment)
;

CREATE OR REPLACE FUNCTION public.json_fits(given jsonb, shape jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  word text := rtrim(shape #>> '{}', '?');
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
      if given is null or jsonb_typeof(given) = 'null' then
        return given is not null and shape #>> '{}' like '%?';
      elsif word = 'integer' then
        return jsonb_typeof(given) = 'number' and trunc(given::numeric) = given::numeric;
      elsif word in ('boolean', 'number', 'object') then
        return jsonb_typeof(given) = word;
      elsif jsonb_typeof(given) <> 'string' or (word like 'upper%' and given #>> '{}' ~ '[a-z]')
        or (word like 'word%' and given = '""') then
        return false;
      end if;
      return char_length(given #>> '{}') <= substring(word from '[0-9]+')::integer;
  end case;
end
$function$
;

CREATE OR REPLACE FUNCTION public.json_is_right(given jsonb, shape jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((given = '[]'::jsonb) OR (json_is_sound(given) AND json_fits(given, shape)))
;

CREATE OR REPLACE FUNCTION public.json_is_sound(given jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((given)::text !~ '[\u007f-\u009f]|[^\\](\\\\)*\\(b|f|u00(0[1-8bcef]|1))'::text) AND (((given)::text !~ '[0-9]{16}'::text) OR (NOT (given @? '$.**?(@.type() == "number" && (@ > 9007199254740991 || @ < -9007199254740991))'::jsonpath))))
;

CREATE OR REPLACE FUNCTION public.json_text(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE((to_json(value))::text, 'null'::text)
;

CREATE OR REPLACE FUNCTION public.keep_badges()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- The update below comes back here, at last with no such row.
  if exists (select from new_rows where collection_key is not null or not is_badge_public) then
    update timeline_items t set is_badge_public = v.is_public
    from (
      select n.user_id, n.id, n.collection_key is null or exists (
        select from collections c where c.address_key = n.collection_key and c.is_public
      ) as is_public
      from new_rows n
      where n.collection_key is not null or not n.is_badge_public
    ) v
    where t.user_id = v.user_id and t.id = v.id and t.is_badge_public <> v.is_public;
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.keep_launch_topics()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'TRUNCATE' then
    delete from lists.launch_topics;
  elsif tg_op = 'INSERT' then
    perform relist('lists.launch_topics', array(select distinct launch_id from new_rows));
  elsif tg_op = 'DELETE' then
    perform relist('lists.launch_topics', array(select distinct launch_id from old_rows));
  else
    perform relist('lists.launch_topics',
      array(select launch_id from new_rows union select launch_id from old_rows));
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.keep_launch_weeks()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op <> 'INSERT' then
    delete from lists.launch_weeks w using old_rows o
    where w.week = o.parent and not exists (select from lists.week_launches l where l.parent = w.week and l.rows > 0);
  end if;
  if tg_op <> 'DELETE' then
    insert into lists.launch_weeks as w (week, launches)
    select n.parent, n.rows from new_rows n where n.rows > 0
    on conflict (week) do update set launches = excluded.launches where w.launches <> excluded.launches;
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.keep_sizes()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'DELETE' then
    update lists.collection_sizes s set holders = 0 from old_rows o where s.address = o.parent and s.holders <> 0;
  else
    update lists.collection_sizes s set holders = n.rows
    from new_rows n
    where s.address = n.parent and s.holders <> n.rows;
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.keep_submission_tracks()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'TRUNCATE' then
    delete from lists.submission_tracks;
  elsif tg_op = 'INSERT' then
    perform relist('lists.submission_tracks', ids) from (
      select array_agg(n.id) as ids from new_rows n where n.is_public and n.track_ids <> '[]'
    ) c
    where ids is not null;
  elsif tg_op = 'DELETE' then
    delete from lists.submission_tracks k using old_rows o where k.id = o.id;
  else
    perform relist('lists.submission_tracks', ids) from (
      select array_agg(distinct c.id) as ids
      from (
        select id, contest_id, created_at, track_ids
        from (
          select id, contest_id, created_at, track_ids, 1 as n from new_rows where is_public
          union all
          select id, contest_id, created_at, track_ids, -1 from old_rows where is_public
        ) b
        group by 1, 2, 3, 4
        having sum(n) <> 0
      ) c
    ) c
    where ids is not null;
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.keep_takedown()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  t takedowns;
  columns text[];
begin
  foreach t in array array_remove(array[old, new], null) loop
    if not exists (
      select from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relname = t.table_name and a.attname = 'is_taken_down'
    ) then
      raise exception 'rows of % cannot be taken down', t.table_name using errcode = 'check_violation';
    end if;
    columns := key_columns(t.table_name::regclass);
    if cardinality(t.key) <> cardinality(columns) then
      raise exception 'a key of % has one value for each of: %', t.table_name, array_to_string(columns, ', ')
        using errcode = 'check_violation';
    end if;
    -- Written, so that the trigger below looks at it.
    execute format('update %I set is_taken_down = is_taken_down where %s', t.table_name,
      (select string_agg(format('%I = $1[%s]', c, n), ' and ') from unnest(columns) with ordinality u (c, n)))
    using t.key;
  end loop;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.key_columns(of regclass)
 RETURNS text[]
 LANGUAGE sql
 STABLE
RETURN COALESCE((SELECT ARRAY['address_key'::text] AS "array" FROM pg_attribute WHERE ((pg_attribute.attrelid = (key_columns.of)::oid) AND (pg_attribute.attname = 'address_key'::name))), (SELECT array_agg((a.attname)::text ORDER BY k.place) AS array_agg FROM ((pg_index i CROSS JOIN LATERAL unnest((i.indkey)::smallint[]) WITH ORDINALITY k(number, place)) JOIN pg_attribute a ON (((a.attrelid = i.indrelid) AND (a.attnum = k.number)))) WHERE ((i.indrelid = (key_columns.of)::oid) AND i.indisprimary)))
;

CREATE OR REPLACE FUNCTION public.profile_services(services jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT (COALESCE(jsonb_agg(((s.value - '{description,capabilities,mcpResources,mcpPrompts,skills,domains,a2aSkills}'::text[]) - CASE WHEN ((s.value -> 'mcpTools'::text) = '[]'::jsonb) THEN 'mcpTools'::text ELSE ''::text END) ORDER BY s.place), '[]'::jsonb))::text AS "coalesce" FROM jsonb_array_elements(profile_services.services) WITH ORDINALITY s(value, place))
;

CREATE OR REPLACE FUNCTION public.public_tags(tags jsonb)
 RETURNS json
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (tags = '[]'::jsonb) THEN '[]'::json ELSE (SELECT ((('['::text || string_agg((((('{"tag":'::text || t.tag) || ',"tier":'::text) || t.tier) || '}'::text), ','::text ORDER BY t.place)) || ']'::text))::json AS "json" FROM (SELECT ((e.value -> 'tag'::text))::text AS tag, ((e.value -> 'tier'::text))::text AS tier, min(e.place) AS place FROM jsonb_array_elements(public_tags.tags) WITH ORDINALITY e(value, place) GROUP BY ((e.value -> 'tag'::text))::text, ((e.value -> 'tier'::text))::text) t) END
;

CREATE OR REPLACE FUNCTION public.rank_launch_weeks(weeks text[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 DELETE FROM lists.launch_week_ranks r
   WHERE ((r.week = ANY (rank_launch_weeks.weeks)) AND (NOT (EXISTS ( SELECT
            FROM launches l
           WHERE (((l.id)::text = r.launch_id) AND l.is_public AND (l.week = r.week))))));
 INSERT INTO lists.launch_week_ranks AS r (launch_id, week, week_rank)  SELECT l.id,
             l.week,
             row_number() OVER (PARTITION BY l.week ORDER BY l.week_order, l.id) AS row_number
            FROM launches l
           WHERE (l.is_public AND (l.week = ANY (rank_launch_weeks.weeks))) ON CONFLICT(launch_id) DO UPDATE SET week = excluded.week, week_rank = excluded.week_rank
   WHERE ((r.week <> excluded.week) OR (r.week_rank <> excluded.week_rank));
END
;

CREATE OR REPLACE FUNCTION public.refuse_column(of regclass, kept text, by_default text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('create trigger refuse_%2$s_insert after insert on %1$s for each row
    when (new.%2$I <> %3$s and not is_kept_here()) execute function refuse_write(%2$L)', of, kept, by_default);
  execute format('create trigger refuse_%2$s_update after update of %2$I on %1$s for each row
    when (old.%2$I <> new.%2$I and not is_kept_here()) execute function refuse_write(%2$L)', of, kept);
end
$function$
;

CREATE OR REPLACE FUNCTION public.refuse_erased()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from erasures) and exists (
    select from new_rows n join erasures e on e.hash = sha256(convert_to(n.id, 'UTF8'))
  ) then
    raise exception 'the user has been erased' using errcode = 'check_violation', constraint = 'users_erased';
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.refuse_write()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% %', concat_ws('.', nullif(tg_table_schema, 'public'), tg_table_name, nullif(tg_argv[0], '')),
    coalesce(tg_argv[1], 'is kept by the database') using errcode = 'generated_always',
    hint = 'write only to the tables of the model, without their kept columns; to repair: commonhall verify --repair';
end
$function$
;

CREATE OR REPLACE FUNCTION public.relist(kept regclass, ids text[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  execute format('delete from %1$s k
    where ($1 is null or k.id = any ($1))
      and not exists (select from %1$s_now n where n.id = k.id and row(n.*) = row(k.*))', kept) using ids;
  execute format('insert into %1$s select * from %1$s_now n where $1 is null or n.id = any ($1)
    on conflict do nothing', kept) using ids;
end
$function$
;

CREATE OR REPLACE FUNCTION public.search_form(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN translate(lower((value COLLATE "und-x-icu")), 'ς'::text, 'σ'::text)
;

CREATE OR REPLACE FUNCTION public.spell_takedown()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if new.table_name = 'collections' then
    new.key := array(select coalesce(canonical_address(k), k) from unnest(new.key) k);
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION public.stored_iso(moment timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE((('"'::text || iso_text(moment)) || '"'::text), 'null'::text)
;

CREATE OR REPLACE FUNCTION public.take_writer_lock()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'the model is written under READ COMMITTED only' using errcode = 'feature_not_supported',
      hint = 'begin the transaction with: begin isolation level read committed';
  end if;
  perform pg_advisory_xact_lock(1001, 0);
end
$function$
;

CREATE OR REPLACE FUNCTION public.take_writer_lock_first()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- TRUNCATE holds its table already: to wait now could be a deadlock.
  if tg_op = 'TRUNCATE' and not pg_try_advisory_xact_lock(1001, 0) then
    raise exception 'another transaction is writing' using errcode = 'lock_not_available',
      hint = 'begin the transaction with: select take_writer_lock()';
  end if;
  perform public.take_writer_lock();
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.url_part(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT string_agg(CASE WHEN (c.letter ~ '[A-Za-z0-9_.!~*''()-]'::text) THEN c.letter ELSE regexp_replace(upper(encode(convert_to(c.letter, 'UTF8'::name), 'hex'::text)), '(..)'::text, '%\1'::text, 'g'::text) END, ''::text ORDER BY c.place) AS string_agg FROM regexp_split_to_table(url_part.value, ''::text) WITH ORDINALITY c(letter, place))
;

-- function lists.agents_created_cut(): md5 of its body acfd83ced627c98726fc4c9ed0d3009c
-- function lists.agents_created_group(text): md5 of its body 08be77b1250c094c7e84543c7db6b8b6
-- function lists.agents_name_cut(): md5 of its body 01c51bc48643cbe6af3b3e7cfa53bb43
-- function lists.agents_name_group(text): md5 of its body 51eacf69953441292d5bf5e980b7182a
-- function lists.agents_recount(): md5 of its body 894701f3fe7016bc330d27edd36dc30c
-- function lists.agents_resize(): md5 of its body 14f37b6f2fc6c210d01a5f3fd9bc0c78
-- function lists.at_commit_only(): md5 of its body d68febc3bc70e4507ba1f859deac4882
-- function lists.bounties_published_cut(): md5 of its body 868a41648dfb2a83593c1b7d2d2ce3ed
-- function lists.bounties_published_group(text): md5 of its body 174606934617ed367449488ef63e41fe
-- function lists.bounties_recount(): md5 of its body a6dfd877df0569467c5c089bac085ba9
-- function lists.bounties_resize(): md5 of its body cde373bc5b76b527acd7da13563d44da
-- function lists.collections_chain_down_cut(): md5 of its body 8622b4560ea6437ccf348c32d3cd035f
-- function lists.collections_chain_down_group(text): md5 of its body 6d6bf7fcc863cdb1f1a1764b3e651eeb
-- function lists.collections_chain_up_cut(): md5 of its body 90a21335ad12988e6a04291aec0ff223
-- function lists.collections_chain_up_group(text): md5 of its body d9c987edca92cdfb81e7ad8fbdf57374
-- function lists.collections_created_cut(): md5 of its body ecd3fe0e35b430f2b8b9b6379a86dfbd
-- function lists.collections_created_group(text): md5 of its body 5c8ae7a27a3bf67b80328b06b4cb2c3b
-- function lists.collections_name_cut(): md5 of its body 6872528549cdefc5cab5d2f2f7389069
-- function lists.collections_name_group(text): md5 of its body e24ad9b8e133ea698f2208a2aa19881a
-- function lists.collections_recount(): md5 of its body d6feaeea2481dfab1fcfe8b6a5d697e5
-- function lists.collections_resize(): md5 of its body cb6faf8894127329dd9d943a236385ff
-- function lists.contest_submissions_created_cut(): md5 of its body d96a98d00a5cc2d983ed0c98a87de239
-- function lists.contest_submissions_created_group(text): md5 of its body c7edcfe55b85215395da1ffbfd5d7513
-- function lists.contest_submissions_recount(): md5 of its body 4fcaf8e8d8e5a1a761bf8d70e0e897cc
-- function lists.contest_submissions_resize(): md5 of its body 9738226cf40664a161169b56a1b95b2a
-- function lists.contests_recount(): md5 of its body f2b0d4cb1f7734f7fe6a53a760aa0951
-- function lists.contests_resize(): md5 of its body 999fcedd2ee24c234ca85ca5407d23f5
-- function lists.contests_start_cut(): md5 of its body d4d712881a0be3ff712453ea1feb6090
-- function lists.contests_start_group(text): md5 of its body befbb479d5a62ec03bb524772baa4435
-- function lists.contests_voting_end_cut(): md5 of its body 2364218333182d91fec3ba2f3e51c05f
-- function lists.contests_voting_end_group(text): md5 of its body 18f17663d7d77a5760c319d420d56f0b
-- function lists.holders_acquired_cut(): md5 of its body 54733fb0283e344a3b8e102d674b605c
-- function lists.holders_acquired_group(text): md5 of its body f4812c8eddefc4e554e28afda404f52b
-- function lists.holders_recount(): md5 of its body 4784df3705e9e5e41d421a1f3c0063ca
-- function lists.holders_resize(): md5 of its body 9496d7cbb6e136ded0534a02b50e6d6b
-- function lists.keep_agents_delete(): md5 of its body adf5421a6cb6d81a1e6cfcc1057601ce
-- function lists.keep_agents_insert(): md5 of its body 53894bb68bd7a7a456dd50cd09f7998c
-- function lists.keep_agents_update(): md5 of its body 269f6fa03a2f2e45b010fce50395fdb0
-- function lists.keep_bounties_delete(): md5 of its body 8af7f6b1ce57ecb13f93e79f376d4d58
-- function lists.keep_bounties_insert(): md5 of its body 0e4d74af8d8c0a8095c550b7329fb091
-- function lists.keep_bounties_update(): md5 of its body 9009f3678e0ecd34e9ada5845368778c
-- function lists.keep_collections_delete(): md5 of its body 2d3f869bc5cafc61af41a0eb9ccd94c0
-- function lists.keep_collections_insert(): md5 of its body b89e58a19d86edc1b9807acd6ada6fec
-- function lists.keep_collections_update(): md5 of its body 498c6532b1ac83a337e9885ac2264845
-- function lists.keep_contest_submissions_delete(): md5 of its body 4769abbb1c77f2ddbb87215237f9b50b
-- function lists.keep_contest_submissions_insert(): md5 of its body d4211ba0074fafbdedcc268c11817bb0
-- function lists.keep_contest_submissions_update(): md5 of its body 21159c99a8dd37fb4d03b0fcccea1f4a
-- function lists.keep_contests_delete(): md5 of its body d74abc59b309f0bda929f4c1ca417d38
-- function lists.keep_contests_insert(): md5 of its body 11d6b8c53d783c7350d88424907897fb
-- function lists.keep_contests_update(): md5 of its body 274d0e554141c07b4d6a736409aa258d
-- function lists.keep_holders_delete(): md5 of its body 0318c4bf5e35f94a1894604712834fe9
-- function lists.keep_holders_insert(): md5 of its body 410af457cd20d4d56eeec3c3dc7805c3
-- function lists.keep_holders_update(): md5 of its body 1cbef570785e3b051494349d593550ae
-- function lists.keep_launches_delete(): md5 of its body 6eb0f652679ab4eacd7e764213c6b87e
-- function lists.keep_launches_insert(): md5 of its body 1997b8a26a145674ccccca900e7aa7f9
-- function lists.keep_launches_update(): md5 of its body 02598c4c2fd336fdcc219c4f5a716a6c
-- function lists.keep_member_bounties_delete(): md5 of its body 4efe96eec6a2457b29da3739580e676e
-- function lists.keep_member_bounties_insert(): md5 of its body 8366dd93895dafd8150e8a8a28ec6db1
-- function lists.keep_member_bounties_update(): md5 of its body c11a2d3c7e8ac85f88f277c2dacdb6a0
-- function lists.keep_public_submissions_delete(): md5 of its body 962eb40d5508cb5db3a41ab1e83abbb6
-- function lists.keep_public_submissions_insert(): md5 of its body 3cae3bb55fcc7818b2853fb305016b34
-- function lists.keep_public_submissions_update(): md5 of its body b941d4ddfc2e49652bb07e61009543ab
-- function lists.keep_repositories_delete(): md5 of its body 5ece3a311949a400b97762ce66a88af3
-- function lists.keep_repositories_insert(): md5 of its body 697bad202021bf6ecd4f6c3cac6526ee
-- function lists.keep_repositories_update(): md5 of its body c6ffe20dc324abd6f9d56e6ec21c78d8
-- function lists.keep_sized_collections_delete(): md5 of its body 1537df98be156b583dca276e7e8e283d
-- function lists.keep_sized_collections_insert(): md5 of its body 0deb195785a49e81b90719c212256c7c
-- function lists.keep_sized_collections_update(): md5 of its body 387c91f181e2b1425173e56906799228
-- function lists.keep_sponsor_bounties_delete(): md5 of its body 0318e4c6a659bafad5d25429247e081a
-- function lists.keep_sponsor_bounties_insert(): md5 of its body 81d8d27c1acb3661d99260af77863fa6
-- function lists.keep_sponsor_bounties_update(): md5 of its body 6650f8aaa3f521c7b788b140ef1c5449
-- function lists.keep_sponsors_delete(): md5 of its body e8d122db43b306d9c4d61b6572fff0ac
-- function lists.keep_sponsors_insert(): md5 of its body e3780ea7ae2699dc592aa1630161067a
-- function lists.keep_sponsors_update(): md5 of its body 696997b62c1a30d6f77180f4a3a91c61
-- function lists.keep_submissions_delete(): md5 of its body 02cba3e7372d6d08a11d08084bcf5e98
-- function lists.keep_submissions_insert(): md5 of its body 75642d37a8f5fe0854d4cd1ab198a253
-- function lists.keep_submissions_update(): md5 of its body f12e78a5ff4d7b2ba15cf8d74cc21486
-- function lists.keep_supporters_delete(): md5 of its body 65299b60bf1ac62f1f0c7cf946e4084e
-- function lists.keep_supporters_insert(): md5 of its body 879664130231803784234df468d6e2dd
-- function lists.keep_supporters_update(): md5 of its body f10a6dcbfd04fda3fd923a6839bcadb3
-- function lists.keep_timeline_delete(): md5 of its body 761ef561b1482655c5a279c6ca40fabf
-- function lists.keep_timeline_insert(): md5 of its body a74e633ed24049b5fb681812706ba98d
-- function lists.keep_timeline_update(): md5 of its body 6008a27591860a4391cf56dc03ba7de1
-- function lists.keep_topic_launches_delete(): md5 of its body 01f12626743615646af31727bdd9e480
-- function lists.keep_topic_launches_insert(): md5 of its body 12156152090dc40089953b88fced62e8
-- function lists.keep_topic_launches_update(): md5 of its body cf0aad10d1ee22b009e5eca65835f297
-- function lists.keep_topic_week_launches_delete(): md5 of its body 5248f810fb0043fdbc97d14de4452284
-- function lists.keep_topic_week_launches_insert(): md5 of its body 43170cb061e133efe218c378d8d18430
-- function lists.keep_topic_week_launches_update(): md5 of its body 24511bd64fdfdedfe68e7e7b1064cf9c
-- function lists.keep_track_submissions_delete(): md5 of its body 9b4b841431c0d980dafe2f8b8d5cc707
-- function lists.keep_track_submissions_insert(): md5 of its body 1a027e9b5669961f0b97e4354a00ec5c
-- function lists.keep_track_submissions_update(): md5 of its body 77e2143419cd4b41713c534950300049
-- function lists.keep_user_launches_delete(): md5 of its body 590b1faf2cea55f59e2e44e4577ceba2
-- function lists.keep_user_launches_insert(): md5 of its body a729e73083d07e7a178c5786adac1e1b
-- function lists.keep_user_launches_update(): md5 of its body 29c95fe6b376966fb33563407f294466
-- function lists.keep_week_launches_delete(): md5 of its body f36df12fd7a4c4c24b797659485c221b
-- function lists.keep_week_launches_insert(): md5 of its body ce3cc08b61bfb0ea2604a8550c021563
-- function lists.keep_week_launches_update(): md5 of its body 762a7f615d3b371d9e192e8e2dc12ba1
-- function lists.keep_weeks_delete(): md5 of its body 5318e8bf564320ac48bfa0497ef0e85f
-- function lists.keep_weeks_insert(): md5 of its body 0f6f3853455d8cb75a4e2dbddf129fb9
-- function lists.keep_weeks_update(): md5 of its body 34ae6a535acb2ab0e71aba354026ea8c
-- function lists.launches_published_cut(): md5 of its body 208b5775641889a9982d3f422e33de3d
-- function lists.launches_published_group(text): md5 of its body 11aa2c170889ef361547c513ce5f3c6a
-- function lists.launches_recount(): md5 of its body 18a245bb8ffa239a25b1365825ba6b53
-- function lists.launches_resize(): md5 of its body 77e024a507e2765b86a05bedc5bff92d
-- function lists.member_bounties_recount(): md5 of its body 0c6da9873d98ddf24cd184cfee46ad1e
-- function lists.member_bounties_resize(): md5 of its body cfaa42c9eb8ccc7d8dc0e9b2cb810858
-- function lists.public_submissions_created_cut(): md5 of its body b546a8084f49aa258a31369f9a427968
-- function lists.public_submissions_created_group(text): md5 of its body 36ad9e5d2d40e8b2173c8d14ecdf7da6
-- function lists.public_submissions_recount(): md5 of its body 206833b0cfb5d19fd2b3a9a13e06fa5c
-- function lists.public_submissions_resize(): md5 of its body 0d3e39c82ab4182b4860b86f75ade2a6
-- function lists.recount(): md5 of its body 36e85ca1ace15e7e858a032ff2a7bc5e
-- function lists.repositories_created_cut(): md5 of its body ed2ea405f78921b0b15662120a2e9efb
-- function lists.repositories_created_group(text): md5 of its body e8408308ce5397cb2b75fc8d1103fe34
-- function lists.repositories_name_cut(): md5 of its body 11f09d74fe89563dec8444fe7e3a2b82
-- function lists.repositories_name_group(text): md5 of its body 6d7a67870817a54c48b4f2c6ff6b88bc
-- function lists.repositories_owner_cut(): md5 of its body aa5e50dc3b3b4daf05e1656f3df26a8b
-- function lists.repositories_owner_group(text): md5 of its body cd29562d058b8258ecc95d7cf113f486
-- function lists.repositories_recount(): md5 of its body 42d2048b1fbddb9ac232c76aeaaedab6
-- function lists.repositories_resize(): md5 of its body 1496ca89a4cf0ae05cde0a5cd7736f75
-- function lists.repositories_updated_cut(): md5 of its body 42b877b1778e9e94ab9527909ab304b1
-- function lists.repositories_updated_group(text): md5 of its body 71769cb82415b8517f3638f3cb13befd
-- function lists.sized_collections_holders_cut(): md5 of its body be3c8e197e98f62389b2dda31af04450
-- function lists.sized_collections_holders_group(text): md5 of its body 7bdcb9ff68de09e743bfd3f7d12255e9
-- function lists.sized_collections_recount(): md5 of its body d067ce7e94318c390765bcade4e2b9e4
-- function lists.sized_collections_resize(): md5 of its body ff7969c6413f0b2e281e50e0e9b27694
-- function lists.sponsor_bounties_published_cut(): md5 of its body e46a9d34c97fdf7e9254f2bacfa49706
-- function lists.sponsor_bounties_published_group(text): md5 of its body 8c8b3d698284895d323f65474cd5bc89
-- function lists.sponsor_bounties_recount(): md5 of its body cf6d79746a44ded8a8c8dcaeb3cb1a24
-- function lists.sponsor_bounties_resize(): md5 of its body 60b617b07ed56687b866d0158246da76
-- function lists.sponsors_name_cut(): md5 of its body 3b954d2a075ce0fb2df1b4e4e8a8bdaf
-- function lists.sponsors_name_group(text): md5 of its body 7145b64a5509ea3e65248fc41bba26ae
-- function lists.sponsors_recount(): md5 of its body 5f80f8e99b31f39364d63808c891fac6
-- function lists.sponsors_resize(): md5 of its body d78996de35abbad1f5eed4565cc86d78
-- function lists.submissions_created_cut(): md5 of its body 6aaec02d5b56163fcc15020d043f5291
-- function lists.submissions_created_group(text): md5 of its body 25522d9b0193cfc1bc684021d2d6235e
-- function lists.submissions_recount(): md5 of its body 3fb36a4f1cb6cc50169fbf3e6bfd0424
-- function lists.submissions_resize(): md5 of its body e93c95f0a421c664089c163147a682a5
-- function lists.supporters_recount(): md5 of its body 245b3481e326893a6b6139de342ab84b
-- function lists.supporters_resize(): md5 of its body eeba5d5476d3eabbfda6f4d4ad2d740a
-- function lists.timeline_date_cut(): md5 of its body 4cf487f66654d389ee8f525ce49559c9
-- function lists.timeline_date_group(text): md5 of its body 59f66767c0944e86409fc2828d4bc013
-- function lists.timeline_recount(): md5 of its body 492c2451baa6e8cd5eaeaffd5eb4d1c1
-- function lists.timeline_resize(): md5 of its body 7c149d05dfb2a94ba0cc2a8ca9a33d07
-- function lists.topic_launches_published_cut(): md5 of its body b0e243ba9167e615ca6aae63b625321b
-- function lists.topic_launches_published_group(text): md5 of its body 27ebf74ac70acb087029197d28308809
-- function lists.topic_launches_recount(): md5 of its body 809ed1676af10c02bc14adddbece00f8
-- function lists.topic_launches_resize(): md5 of its body ae33da8a1c7f7c4b4ca98f069dbfdb7a
-- function lists.topic_week_launches_rank_cut(): md5 of its body 5a7e2c4ffbb24e3e86c11ab8ec5940ac
-- function lists.topic_week_launches_rank_group(text): md5 of its body 9ae48edebbe2185664aba05ec4fd9a34
-- function lists.topic_week_launches_recount(): md5 of its body 8d45a69a45243d965cb49827487d10c0
-- function lists.topic_week_launches_resize(): md5 of its body e4628b8c3ba1129112e369be2bcd598b
-- function lists.track_submissions_created_cut(): md5 of its body ea445293a7cc5d04f8c18842e9ce7c8f
-- function lists.track_submissions_created_group(text): md5 of its body 9050566d31396a85a9cd199e0e273686
-- function lists.track_submissions_recount(): md5 of its body 5c406e7dd325a21b9342b2d975b8882b
-- function lists.track_submissions_resize(): md5 of its body f4e03055d3e1bb558381273a577b8699
-- function lists.user_launches_published_cut(): md5 of its body e602a82edcb4cd8f3e7986515a305360
-- function lists.user_launches_published_group(text): md5 of its body 9580b226df7c7f4094e956a402d2672d
-- function lists.user_launches_recount(): md5 of its body fd24fb5699e525e86ce8ad922ae54c83
-- function lists.user_launches_resize(): md5 of its body 574a846beb2b589d37ad21bbf8b72d6e
-- function lists.week_launches_rank_cut(): md5 of its body 96e54b0781d39d6db16e7b63f0975a52
-- function lists.week_launches_rank_group(text): md5 of its body 2f7fc8b87fec9ca6253c32417fdaba3a
-- function lists.week_launches_recount(): md5 of its body 0684e880f3834733bd58e67afbc60f6c
-- function lists.week_launches_resize(): md5 of its body 9287b9602edf3a4abb55d8c4750bffbc
-- function lists.weeks_recount(): md5 of its body 77875a1e1225bc5b43022f8869f7f99b
-- function lists.weeks_resize(): md5 of its body 8136d6c210d5294459124a48a426e132
-- function lists.weeks_week_cut(): md5 of its body 13acb7ac8d7abeea1f845b92ecb5d275
-- function lists.weeks_week_group(text): md5 of its body 603793d5485c63629ae64dd95af9cb4b

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.agents FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.agents REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.agents REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER keep_agents_delete AFTER DELETE ON public.agents REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_agents_delete();

CREATE TRIGGER keep_agents_insert AFTER INSERT ON public.agents REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_agents_insert();

CREATE TRIGGER keep_agents_truncate AFTER TRUNCATE ON public.agents FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('agents');

CREATE TRIGGER keep_agents_update AFTER UPDATE ON public.agents REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_agents_update();

CREATE TRIGGER refuse_is_taken_down_insert AFTER INSERT ON public.agents FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_kept_here()))) EXECUTE FUNCTION refuse_write('is_taken_down');

CREATE TRIGGER refuse_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.agents FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_kept_here()))) EXECUTE FUNCTION refuse_write('is_taken_down');

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.bounties FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.bounties REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.bounties REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER keep_bounties_delete AFTER DELETE ON public.bounties REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_bounties_delete();

CREATE TRIGGER keep_bounties_insert AFTER INSERT ON public.bounties REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_bounties_insert();

CREATE TRIGGER keep_bounties_truncate AFTER TRUNCATE ON public.bounties FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('bounties');

CREATE TRIGGER keep_bounties_update AFTER UPDATE ON public.bounties REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_bounties_update();

CREATE TRIGGER keep_member_bounties_delete AFTER DELETE ON public.bounties REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_member_bounties_delete();

CREATE TRIGGER keep_member_bounties_insert AFTER INSERT ON public.bounties REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_member_bounties_insert();

CREATE TRIGGER keep_member_bounties_truncate AFTER TRUNCATE ON public.bounties FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('member_bounties');

CREATE TRIGGER keep_member_bounties_update AFTER UPDATE ON public.bounties REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_member_bounties_update();

CREATE TRIGGER keep_sponsor_bounties_delete AFTER DELETE ON public.bounties REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_sponsor_bounties_delete();

CREATE TRIGGER keep_sponsor_bounties_insert AFTER INSERT ON public.bounties REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_sponsor_bounties_insert();

CREATE TRIGGER keep_sponsor_bounties_truncate AFTER TRUNCATE ON public.bounties FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('sponsor_bounties');

CREATE TRIGGER keep_sponsor_bounties_update AFTER UPDATE ON public.bounties REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_sponsor_bounties_update();

CREATE TRIGGER refuse_is_taken_down_insert AFTER INSERT ON public.bounties FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_kept_here()))) EXECUTE FUNCTION refuse_write('is_taken_down');

CREATE TRIGGER refuse_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.bounties FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_kept_here()))) EXECUTE FUNCTION refuse_write('is_taken_down');

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.bounty_submission_makers FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.bounty_submissions FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.bounty_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.bounty_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER bound_rows_insert AFTER INSERT ON public.bounty_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bound_rows();

CREATE TRIGGER bound_rows_update AFTER UPDATE ON public.bounty_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bound_rows();

CREATE TRIGGER keep_public_submissions_delete AFTER DELETE ON public.bounty_submissions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_public_submissions_delete();

CREATE TRIGGER keep_public_submissions_insert AFTER INSERT ON public.bounty_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_public_submissions_insert();

CREATE TRIGGER keep_public_submissions_truncate AFTER TRUNCATE ON public.bounty_submissions FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('public_submissions');

CREATE TRIGGER keep_public_submissions_update AFTER UPDATE ON public.bounty_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_public_submissions_update();

CREATE TRIGGER keep_submissions_delete AFTER DELETE ON public.bounty_submissions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_submissions_delete();

CREATE TRIGGER keep_submissions_insert AFTER INSERT ON public.bounty_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_submissions_insert();

CREATE TRIGGER keep_submissions_truncate AFTER TRUNCATE ON public.bounty_submissions FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('submissions');

CREATE TRIGGER keep_submissions_update AFTER UPDATE ON public.bounty_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_submissions_update();

CREATE TRIGGER refuse_is_taken_down_insert AFTER INSERT ON public.bounty_submissions FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_kept_here()))) EXECUTE FUNCTION refuse_write('is_taken_down');

CREATE TRIGGER refuse_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.bounty_submissions FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_kept_here()))) EXECUTE FUNCTION refuse_write('is_taken_down');

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.collection_contests FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.collection_holders FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER keep_holders_delete AFTER DELETE ON public.collection_holders REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_holders_delete();

CREATE TRIGGER keep_holders_insert AFTER INSERT ON public.collection_holders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_holders_insert();

CREATE TRIGGER keep_holders_truncate AFTER TRUNCATE ON public.collection_holders FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('holders');

CREATE TRIGGER keep_holders_update AFTER UPDATE ON public.collection_holders REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_holders_update();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.collections FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.collections REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.collections REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER follow_collections_delete AFTER DELETE ON public.collections REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_collections();

CREATE TRIGGER follow_collections_insert AFTER INSERT ON public.collections REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_collections();

CREATE TRIGGER follow_collections_truncate AFTER TRUNCATE ON public.collections FOR EACH STATEMENT EXECUTE FUNCTION follow_collections();

CREATE TRIGGER follow_collections_update AFTER UPDATE ON public.collections REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_collections();

CREATE TRIGGER keep_collections_delete AFTER DELETE ON public.collections REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_collections_delete();

CREATE TRIGGER keep_collections_insert AFTER INSERT ON public.collections REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_collections_insert();

CREATE TRIGGER keep_collections_truncate AFTER TRUNCATE ON public.collections FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('collections');

CREATE TRIGGER keep_collections_update AFTER UPDATE ON public.collections REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_collections_update();

CREATE TRIGGER refuse_is_taken_down_insert AFTER INSERT ON public.collections FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_kept_here()))) EXECUTE FUNCTION refuse_write('is_taken_down');

CREATE TRIGGER refuse_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.collections FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_kept_here()))) EXECUTE FUNCTION refuse_write('is_taken_down');

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.contest_submission_supporters FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER keep_supporters_delete AFTER DELETE ON public.contest_submission_supporters REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_supporters_delete();

CREATE TRIGGER keep_supporters_insert AFTER INSERT ON public.contest_submission_supporters REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_supporters_insert();

CREATE TRIGGER keep_supporters_truncate AFTER TRUNCATE ON public.contest_submission_supporters FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('supporters');

CREATE TRIGGER keep_supporters_update AFTER UPDATE ON public.contest_submission_supporters REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_supporters_update();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.contest_submissions FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.contest_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.contest_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER keep_contest_submissions_delete AFTER DELETE ON public.contest_submissions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_contest_submissions_delete();

CREATE TRIGGER keep_contest_submissions_insert AFTER INSERT ON public.contest_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_contest_submissions_insert();

CREATE TRIGGER keep_contest_submissions_truncate AFTER TRUNCATE ON public.contest_submissions FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('contest_submissions');

CREATE TRIGGER keep_contest_submissions_update AFTER UPDATE ON public.contest_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_contest_submissions_update();

CREATE TRIGGER keep_submission_tracks_delete AFTER DELETE ON public.contest_submissions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_submission_tracks();

CREATE TRIGGER keep_submission_tracks_insert AFTER INSERT ON public.contest_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_submission_tracks();

CREATE TRIGGER keep_submission_tracks_truncate AFTER TRUNCATE ON public.contest_submissions FOR EACH STATEMENT EXECUTE FUNCTION keep_submission_tracks();

CREATE TRIGGER keep_submission_tracks_update AFTER UPDATE ON public.contest_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_submission_tracks();

CREATE TRIGGER refuse_is_taken_down_insert AFTER INSERT ON public.contest_submissions FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_kept_here()))) EXECUTE FUNCTION refuse_write('is_taken_down');

CREATE TRIGGER refuse_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.contest_submissions FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_kept_here()))) EXECUTE FUNCTION refuse_write('is_taken_down');

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.contests FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.contests REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.contests REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER keep_contests_delete AFTER DELETE ON public.contests REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_contests_delete();

CREATE TRIGGER keep_contests_insert AFTER INSERT ON public.contests REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_contests_insert();

CREATE TRIGGER keep_contests_truncate AFTER TRUNCATE ON public.contests FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('contests');

CREATE TRIGGER keep_contests_update AFTER UPDATE ON public.contests REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_contests_update();

CREATE TRIGGER refuse_is_taken_down_insert AFTER INSERT ON public.contests FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_kept_here()))) EXECUTE FUNCTION refuse_write('is_taken_down');

CREATE TRIGGER refuse_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.contests FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_kept_here()))) EXECUTE FUNCTION refuse_write('is_taken_down');

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.erasures FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.feed FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.launch_claps FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.launch_makers FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.launch_topics FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER keep_launch_topics_delete AFTER DELETE ON public.launch_topics REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_launch_topics();

CREATE TRIGGER keep_launch_topics_insert AFTER INSERT ON public.launch_topics REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_launch_topics();

CREATE TRIGGER keep_launch_topics_truncate AFTER TRUNCATE ON public.launch_topics FOR EACH STATEMENT EXECUTE FUNCTION keep_launch_topics();

CREATE TRIGGER keep_launch_topics_update AFTER UPDATE ON public.launch_topics REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_launch_topics();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.launches FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.launches REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.launches REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER bound_rows_insert AFTER INSERT ON public.launches REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bound_rows();

CREATE TRIGGER bound_rows_update AFTER UPDATE ON public.launches REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bound_rows();

CREATE TRIGGER follow_launches_delete AFTER DELETE ON public.launches REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_launches();

CREATE TRIGGER follow_launches_insert AFTER INSERT ON public.launches REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_launches();

CREATE TRIGGER follow_launches_truncate AFTER TRUNCATE ON public.launches FOR EACH STATEMENT EXECUTE FUNCTION follow_launches();

CREATE TRIGGER follow_launches_update AFTER UPDATE ON public.launches REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_launches();

CREATE TRIGGER keep_launches_delete AFTER DELETE ON public.launches REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_launches_delete();

CREATE TRIGGER keep_launches_insert AFTER INSERT ON public.launches REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_launches_insert();

CREATE TRIGGER keep_launches_truncate AFTER TRUNCATE ON public.launches FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('launches');

CREATE TRIGGER keep_launches_update AFTER UPDATE ON public.launches REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_launches_update();

CREATE TRIGGER keep_user_launches_delete AFTER DELETE ON public.launches REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_user_launches_delete();

CREATE TRIGGER keep_user_launches_insert AFTER INSERT ON public.launches REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_user_launches_insert();

CREATE TRIGGER keep_user_launches_truncate AFTER TRUNCATE ON public.launches FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('user_launches');

CREATE TRIGGER keep_user_launches_update AFTER UPDATE ON public.launches REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_user_launches_update();

CREATE TRIGGER keep_week_launches_delete AFTER DELETE ON public.launches REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_week_launches_delete();

CREATE TRIGGER keep_week_launches_insert AFTER INSERT ON public.launches REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_week_launches_insert();

CREATE TRIGGER keep_week_launches_truncate AFTER TRUNCATE ON public.launches FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('week_launches');

CREATE TRIGGER keep_week_launches_update AFTER UPDATE ON public.launches REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_week_launches_update();

CREATE TRIGGER refuse_is_taken_down_insert AFTER INSERT ON public.launches FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_kept_here()))) EXECUTE FUNCTION refuse_write('is_taken_down');

CREATE TRIGGER refuse_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.launches FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_kept_here()))) EXECUTE FUNCTION refuse_write('is_taken_down');

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.agents FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.agents FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.agents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 4096
            ELSE 8192
        END))))) EXECUTE FUNCTION lists.agents_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.agents_created FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.agents_created FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.agents_created DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.agents_created_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.agents_created_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.agents_created_facets FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.agents_name FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.agents_name FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.agents_name DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.agents_name_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.agents_name_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.agents_name_facets FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.bounties FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.bounties FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.bounties DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.bounties_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.bounties_published FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.bounties_published FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.bounties_published DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.bounties_published_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.bounties_published_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.bounties_published_facets FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collection_sizes FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collection_sizes FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER keep_sized_collections_delete AFTER DELETE ON lists.collection_sizes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_sized_collections_delete();

CREATE TRIGGER keep_sized_collections_insert AFTER INSERT ON lists.collection_sizes REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_sized_collections_insert();

CREATE TRIGGER keep_sized_collections_truncate AFTER TRUNCATE ON lists.collection_sizes FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('sized_collections');

CREATE TRIGGER keep_sized_collections_update AFTER UPDATE ON lists.collection_sizes REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_sized_collections_update();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.collections DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 4096
            ELSE 8192
        END))))) EXECUTE FUNCTION lists.collections_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_chain_down FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_chain_down FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.collections_chain_down DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.collections_chain_down_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_chain_down_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_chain_down_facets FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_chain_up FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_chain_up FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.collections_chain_up DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.collections_chain_up_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_chain_up_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_chain_up_facets FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_created FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_created FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.collections_created DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.collections_created_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_created_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_created_facets FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_name FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_name FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.collections_name DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.collections_name_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_name_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_name_facets FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.contest_submissions FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.contest_submissions FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.contest_submissions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.contest_submissions_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.contest_submissions_created FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.contest_submissions_created FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.contest_submissions_created DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.contest_submissions_created_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.contests FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.contests FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.contests DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.contests_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.contests_start FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.contests_start FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.contests_start DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.contests_start_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.contests_voting_end FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.contests_voting_end FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.contests_voting_end DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.contests_voting_end_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.holders FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.holders FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER keep_sizes_delete AFTER DELETE ON lists.holders REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_sizes();

CREATE TRIGGER keep_sizes_insert AFTER INSERT ON lists.holders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_sizes();

CREATE TRIGGER keep_sizes_update AFTER UPDATE ON lists.holders REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_sizes();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.holders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.holders_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.holders_acquired FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.holders_acquired FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.holders_acquired DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.holders_acquired_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launch_topics FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launch_topics FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER keep_topic_launches_delete AFTER DELETE ON lists.launch_topics REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_topic_launches_delete();

CREATE TRIGGER keep_topic_launches_insert AFTER INSERT ON lists.launch_topics REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_topic_launches_insert();

CREATE TRIGGER keep_topic_launches_truncate AFTER TRUNCATE ON lists.launch_topics FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('topic_launches');

CREATE TRIGGER keep_topic_launches_update AFTER UPDATE ON lists.launch_topics REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_topic_launches_update();

CREATE TRIGGER keep_topic_week_launches_delete AFTER DELETE ON lists.launch_topics REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_topic_week_launches_delete();

CREATE TRIGGER keep_topic_week_launches_insert AFTER INSERT ON lists.launch_topics REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_topic_week_launches_insert();

CREATE TRIGGER keep_topic_week_launches_truncate AFTER TRUNCATE ON lists.launch_topics FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('topic_week_launches');

CREATE TRIGGER keep_topic_week_launches_update AFTER UPDATE ON lists.launch_topics REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_topic_week_launches_update();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launch_week_ranks FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launch_week_ranks FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launch_weeks FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launch_weeks FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER keep_weeks_delete AFTER DELETE ON lists.launch_weeks REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_weeks_delete();

CREATE TRIGGER keep_weeks_insert AFTER INSERT ON lists.launch_weeks REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_weeks_insert();

CREATE TRIGGER keep_weeks_truncate AFTER TRUNCATE ON lists.launch_weeks FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('weeks');

CREATE TRIGGER keep_weeks_update AFTER UPDATE ON lists.launch_weeks REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_weeks_update();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launches FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launches FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.launches DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.launches_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launches_published FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launches_published FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.launches_published DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.launches_published_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.member_bounties FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.member_bounties FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.member_bounties DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.rows = 0)) EXECUTE FUNCTION lists.member_bounties_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.public_submissions FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.public_submissions FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.public_submissions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.public_submissions_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.public_submissions_created FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.public_submissions_created FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.public_submissions_created DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.public_submissions_created_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.repositories DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 4096
            ELSE 8192
        END))))) EXECUTE FUNCTION lists.repositories_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_created FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_created FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.repositories_created DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.repositories_created_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_created_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_created_facets FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_name FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_name FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.repositories_name DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.repositories_name_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_name_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_name_facets FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_owner FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_owner FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.repositories_owner DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.repositories_owner_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_owner_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_owner_facets FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_updated FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_updated FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.repositories_updated DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.repositories_updated_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_updated_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_updated_facets FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sized_collections FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sized_collections FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.sized_collections DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 4096
            ELSE 8192
        END))))) EXECUTE FUNCTION lists.sized_collections_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sized_collections_holders FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sized_collections_holders FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.sized_collections_holders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.sized_collections_holders_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sized_collections_holders_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sized_collections_holders_facets FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sponsor_bounties FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sponsor_bounties FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.sponsor_bounties DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.sponsor_bounties_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sponsor_bounties_published FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sponsor_bounties_published FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.sponsor_bounties_published DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.sponsor_bounties_published_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sponsor_bounties_published_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sponsor_bounties_published_facets FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sponsors FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sponsors FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.sponsors DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.sponsors_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sponsors_name FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sponsors_name FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.sponsors_name DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.sponsors_name_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.submission_tracks FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.submission_tracks FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER keep_track_submissions_delete AFTER DELETE ON lists.submission_tracks REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_track_submissions_delete();

CREATE TRIGGER keep_track_submissions_insert AFTER INSERT ON lists.submission_tracks REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_track_submissions_insert();

CREATE TRIGGER keep_track_submissions_truncate AFTER TRUNCATE ON lists.submission_tracks FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('track_submissions');

CREATE TRIGGER keep_track_submissions_update AFTER UPDATE ON lists.submission_tracks REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_track_submissions_update();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.submissions FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.submissions FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.submissions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.submissions_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.submissions_created FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.submissions_created FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.submissions_created DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.submissions_created_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.supporters FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.supporters FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.supporters DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.rows = 0)) EXECUTE FUNCTION lists.supporters_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.timeline FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.timeline FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.timeline DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.timeline_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.timeline_date FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.timeline_date FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.timeline_date DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.timeline_date_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.timeline_date_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.timeline_date_facets FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.topic_launches FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.topic_launches FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.topic_launches DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.topic_launches_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.topic_launches_published FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.topic_launches_published FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.topic_launches_published DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.topic_launches_published_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.topic_week_launches FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.topic_week_launches FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.topic_week_launches DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.topic_week_launches_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.topic_week_launches_rank FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.topic_week_launches_rank FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.topic_week_launches_rank DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.topic_week_launches_rank_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.track_submissions FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.track_submissions FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.track_submissions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.track_submissions_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.track_submissions_created FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.track_submissions_created FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.track_submissions_created DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.track_submissions_created_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.user_launches FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.user_launches FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.user_launches DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.user_launches_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.user_launches_published FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.user_launches_published FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.user_launches_published DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.user_launches_published_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.week_launches FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.week_launches FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE TRIGGER keep_launch_weeks_delete AFTER DELETE ON lists.week_launches REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_launch_weeks();

CREATE TRIGGER keep_launch_weeks_insert AFTER INSERT ON lists.week_launches REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_launch_weeks();

CREATE TRIGGER keep_launch_weeks_update AFTER UPDATE ON lists.week_launches REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_launch_weeks();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.week_launches DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.week_launches_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.week_launches_rank FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.week_launches_rank FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.week_launches_rank DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.week_launches_rank_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.weeks FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.weeks FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.weeks DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.weeks_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.weeks_week FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_refuse_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.weeks_week FOR EACH STATEMENT WHEN ((NOT is_kept_here())) EXECUTE FUNCTION refuse_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.weeks_week DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.weeks_week_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.rejected_changes FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.repositories FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.repositories REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.repositories REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER keep_repositories_delete AFTER DELETE ON public.repositories REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_repositories_delete();

CREATE TRIGGER keep_repositories_insert AFTER INSERT ON public.repositories REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_repositories_insert();

CREATE TRIGGER keep_repositories_truncate AFTER TRUNCATE ON public.repositories FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('repositories');

CREATE TRIGGER keep_repositories_update AFTER UPDATE ON public.repositories REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_repositories_update();

CREATE TRIGGER refuse_is_taken_down_insert AFTER INSERT ON public.repositories FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_kept_here()))) EXECUTE FUNCTION refuse_write('is_taken_down');

CREATE TRIGGER refuse_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.repositories FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_kept_here()))) EXECUTE FUNCTION refuse_write('is_taken_down');

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.score_tiers FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.sponsor_members FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.sponsors FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER keep_sponsors_delete AFTER DELETE ON public.sponsors REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_sponsors_delete();

CREATE TRIGGER keep_sponsors_insert AFTER INSERT ON public.sponsors REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_sponsors_insert();

CREATE TRIGGER keep_sponsors_truncate AFTER TRUNCATE ON public.sponsors FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('sponsors');

CREATE TRIGGER keep_sponsors_update AFTER UPDATE ON public.sponsors REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_sponsors_update();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.takedowns FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER keep_takedown AFTER INSERT OR DELETE OR UPDATE ON public.takedowns FOR EACH ROW EXECUTE FUNCTION keep_takedown();

CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.takedowns FOR EACH STATEMENT EXECUTE FUNCTION refuse_write('', 'cannot be truncated: delete its rows');

CREATE TRIGGER spell_takedown BEFORE INSERT OR UPDATE ON public.takedowns FOR EACH ROW EXECUTE FUNCTION spell_takedown();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.timeline_items FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.timeline_items REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.timeline_items REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER keep_badges_insert AFTER INSERT ON public.timeline_items REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_badges();

CREATE TRIGGER keep_badges_update AFTER UPDATE ON public.timeline_items REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_badges();

CREATE TRIGGER keep_timeline_delete AFTER DELETE ON public.timeline_items REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_timeline_delete();

CREATE TRIGGER keep_timeline_insert AFTER INSERT ON public.timeline_items REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_timeline_insert();

CREATE TRIGGER keep_timeline_truncate AFTER TRUNCATE ON public.timeline_items FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('timeline');

CREATE TRIGGER keep_timeline_update AFTER UPDATE ON public.timeline_items REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.keep_timeline_update();

CREATE TRIGGER refuse_is_badge_public_insert AFTER INSERT ON public.timeline_items FOR EACH ROW WHEN (((new.is_badge_public <> true) AND (NOT is_kept_here()))) EXECUTE FUNCTION refuse_write('is_badge_public');

CREATE TRIGGER refuse_is_badge_public_update AFTER UPDATE OF is_badge_public ON public.timeline_items FOR EACH ROW WHEN (((old.is_badge_public <> new.is_badge_public) AND (NOT is_kept_here()))) EXECUTE FUNCTION refuse_write('is_badge_public');

CREATE TRIGGER refuse_is_taken_down_insert AFTER INSERT ON public.timeline_items FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_kept_here()))) EXECUTE FUNCTION refuse_write('is_taken_down');

CREATE TRIGGER refuse_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.timeline_items FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_kept_here()))) EXECUTE FUNCTION refuse_write('is_taken_down');

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.topics FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.users FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER refuse_erased_insert AFTER INSERT ON public.users REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION refuse_erased();

CREATE TRIGGER refuse_erased_update AFTER UPDATE ON public.users REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION refuse_erased();

grant usage on schema lists to commonhall_reader;

grant usage on schema public to commonhall_key_writer;

grant usage on schema public to commonhall_reader;

grant select on agents to commonhall_reader;

grant select on api_keys to commonhall_reader;

grant select on bounties to commonhall_reader;

grant select on bounty_submission_makers to commonhall_reader;

grant select on bounty_submissions to commonhall_reader;

grant select on collection_contests to commonhall_reader;

grant select on collection_holders to commonhall_reader;

grant select on collections to commonhall_reader;

grant select on contest_submission_supporters to commonhall_reader;

grant select on contest_submissions to commonhall_reader;

grant select on contests to commonhall_reader;

grant select on feed to commonhall_reader;

grant select on feed_lease to commonhall_reader;

grant select on launch_claps to commonhall_reader;

grant select on launch_makers to commonhall_reader;

grant select on launch_topics to commonhall_reader;

grant select on launches to commonhall_reader;

grant select on lists.agents to commonhall_reader;

grant select on lists.agents_created to commonhall_reader;

grant select on lists.agents_created_facets to commonhall_reader;

grant select on lists.agents_name to commonhall_reader;

grant select on lists.agents_name_facets to commonhall_reader;

grant select on lists.bounties to commonhall_reader;

grant select on lists.bounties_published to commonhall_reader;

grant select on lists.bounties_published_facets to commonhall_reader;

grant select on lists.collection_sizes to commonhall_reader;

grant select on lists.collections to commonhall_reader;

grant select on lists.collections_chain_down to commonhall_reader;

grant select on lists.collections_chain_down_facets to commonhall_reader;

grant select on lists.collections_chain_up to commonhall_reader;

grant select on lists.collections_chain_up_facets to commonhall_reader;

grant select on lists.collections_created to commonhall_reader;

grant select on lists.collections_created_facets to commonhall_reader;

grant select on lists.collections_name to commonhall_reader;

grant select on lists.collections_name_facets to commonhall_reader;

grant select on lists.contest_submissions to commonhall_reader;

grant select on lists.contest_submissions_created to commonhall_reader;

grant select on lists.contests to commonhall_reader;

grant select on lists.contests_start to commonhall_reader;

grant select on lists.contests_voting_end to commonhall_reader;

grant select on lists.holders to commonhall_reader;

grant select on lists.holders_acquired to commonhall_reader;

grant select on lists.launch_topics to commonhall_reader;

grant select on lists.launch_week_ranks to commonhall_reader;

grant select on lists.launch_weeks to commonhall_reader;

grant select on lists.launches to commonhall_reader;

grant select on lists.launches_published to commonhall_reader;

grant select on lists.member_bounties to commonhall_reader;

grant select on lists.public_submissions to commonhall_reader;

grant select on lists.public_submissions_created to commonhall_reader;

grant select on lists.repositories to commonhall_reader;

grant select on lists.repositories_created to commonhall_reader;

grant select on lists.repositories_created_facets to commonhall_reader;

grant select on lists.repositories_name to commonhall_reader;

grant select on lists.repositories_name_facets to commonhall_reader;

grant select on lists.repositories_owner to commonhall_reader;

grant select on lists.repositories_owner_facets to commonhall_reader;

grant select on lists.repositories_updated to commonhall_reader;

grant select on lists.repositories_updated_facets to commonhall_reader;

grant select on lists.sized_collections to commonhall_reader;

grant select on lists.sized_collections_holders to commonhall_reader;

grant select on lists.sized_collections_holders_facets to commonhall_reader;

grant select on lists.sponsor_bounties to commonhall_reader;

grant select on lists.sponsor_bounties_published to commonhall_reader;

grant select on lists.sponsor_bounties_published_facets to commonhall_reader;

grant select on lists.sponsors to commonhall_reader;

grant select on lists.sponsors_name to commonhall_reader;

grant select on lists.submission_tracks to commonhall_reader;

grant select on lists.submissions to commonhall_reader;

grant select on lists.submissions_created to commonhall_reader;

grant select on lists.supporters to commonhall_reader;

grant select on lists.timeline to commonhall_reader;

grant select on lists.timeline_date to commonhall_reader;

grant select on lists.timeline_date_facets to commonhall_reader;

grant select on lists.topic_launches to commonhall_reader;

grant select on lists.topic_launches_published to commonhall_reader;

grant select on lists.topic_week_launches to commonhall_reader;

grant select on lists.topic_week_launches_rank to commonhall_reader;

grant select on lists.track_submissions to commonhall_reader;

grant select on lists.track_submissions_created to commonhall_reader;

grant select on lists.user_launches to commonhall_reader;

grant select on lists.user_launches_published to commonhall_reader;

grant select on lists.week_launches to commonhall_reader;

grant select on lists.week_launches_rank to commonhall_reader;

grant select on lists.weeks to commonhall_reader;

grant select on lists.weeks_week to commonhall_reader;

grant select on repositories to commonhall_reader;

grant select on schema_migrations to commonhall_reader;

grant select on score_tiers to commonhall_reader;

grant select on sponsor_members to commonhall_reader;

grant select on sponsors to commonhall_reader;

grant select on timeline_items to commonhall_reader;

grant select on topics to commonhall_reader;

grant select on users to commonhall_reader;

grant select (id) on api_keys to commonhall_key_writer;

grant select (is_waiting) on rejected_changes to commonhall_reader;

grant update (last_used_on) on api_keys to commonhall_key_writer;
