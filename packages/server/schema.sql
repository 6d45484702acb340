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
  set_aside bigint default 0 not null,
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

create table journal_lock (
  
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

create table turns (
  name text collate "C" not null,
  pid integer not null,
  role text collate "C" not null,
  session text collate "C" not null,
  constraint turns_pkey PRIMARY KEY (name)
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

create table writer_lock (
  
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
  -- The update below fires this trigger again; that ends when no row is left.
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
    select c.oid::regclass as name, c.relnamespace = 'lists'::regnamespace as is_maintained
    from pg_class c
    where c.relnamespace in ('public'::regnamespace, 'lists'::regnamespace) and c.relkind in ('r', 'p')
      -- Outside the model: revoking a key or renewing a lease never waits behind an import.
      and c.relname not in ('api_keys', 'feed_lease', 'import_checkpoints', 'import_keys', 'journal_lock',
        'schema_migrations', 'turns', 'writer_lock')
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
      -- Not by a join of the two: a session caches the plan for one row, which takes quadratic time for many.
      delete from lists.collection_sizes s using (select address from old_rows except select address from new_rows) o
      where s.address = o.address;
    end if;
    -- From the table and not from new_rows: a trigger may have changed the row since.
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

CREATE OR REPLACE FUNCTION public.is_internal_write()
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

CREATE OR REPLACE FUNCTION public.key_columns(of regclass)
 RETURNS text[]
 LANGUAGE sql
 STABLE
RETURN COALESCE((SELECT ARRAY['address_key'::text] AS "array" FROM pg_attribute WHERE ((pg_attribute.attrelid = (key_columns.of)::oid) AND (pg_attribute.attname = 'address_key'::name))), (SELECT array_agg((a.attname)::text ORDER BY k.place) AS array_agg FROM ((pg_index i CROSS JOIN LATERAL unnest((i.indkey)::smallint[]) WITH ORDINALITY k(number, place)) JOIN pg_attribute a ON (((a.attrelid = i.indrelid) AND (a.attnum = k.number)))) WHERE ((i.indrelid = (key_columns.of)::oid) AND i.indisprimary)))
;

CREATE OR REPLACE FUNCTION public.maintain_badges()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- The update below fires this trigger again; that ends when no such row is left.
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

CREATE OR REPLACE FUNCTION public.maintain_launch_topics()
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

CREATE OR REPLACE FUNCTION public.maintain_launch_weeks()
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

CREATE OR REPLACE FUNCTION public.maintain_sizes()
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

CREATE OR REPLACE FUNCTION public.maintain_submission_tracks()
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

CREATE OR REPLACE FUNCTION public.maintain_takedown()
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
    -- An update that changes nothing, so that apply_takedowns() checks the row.
    execute format('update %I set is_taken_down = is_taken_down where %s', t.table_name,
      (select string_agg(format('%I = $1[%s]', c, n), ' and ') from unnest(columns) with ordinality u (c, n)))
    using t.key;
  end loop;
  return null;
end
$function$
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

CREATE OR REPLACE FUNCTION public.reject_column(of regclass, maintained text, by_default text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('create trigger reject_%2$s_insert after insert on %1$s for each row
    when (new.%2$I <> %3$s and not is_internal_write()) execute function reject_write(%2$L)', of, maintained, by_default);
  execute format('create trigger reject_%2$s_update after update of %2$I on %1$s for each row
    when (old.%2$I <> new.%2$I and not is_internal_write()) execute function reject_write(%2$L)', of, maintained);
end
$function$
;

CREATE OR REPLACE FUNCTION public.reject_erased()
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

CREATE OR REPLACE FUNCTION public.reject_write()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% %', concat_ws('.', nullif(tg_table_schema, 'public'), tg_table_name, nullif(tg_argv[0], '')),
    coalesce(tg_argv[1], 'is maintained by the database') using errcode = 'generated_always',
    hint = 'write only to the tables of the model, not to maintained columns; to repair: commonhall verify --repair';
end
$function$
;

CREATE OR REPLACE FUNCTION public.relist(narrow regclass, ids text[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  execute format('delete from %1$s k
    where ($1 is null or k.id = any ($1))
      and not exists (select from %1$s_now n where n.id = k.id and row(n.*) = row(k.*))', narrow) using ids;
  execute format('insert into %1$s select * from %1$s_now n where $1 is null or n.id = any ($1)
    on conflict do nothing', narrow) using ids;
end
$function$
;

CREATE OR REPLACE FUNCTION public.search_form(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN translate(lower((value COLLATE "und-x-icu")), 'ς'::text, 'σ'::text)
;

CREATE OR REPLACE FUNCTION public.search_patterns(words json)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT (('%'::text || search_form(w.value)) || '%'::text) FROM json_array_elements_text(search_patterns.words) w(value))
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
  lock table public.writer_lock in share update exclusive mode;
end
$function$
;

CREATE OR REPLACE FUNCTION public.take_writer_lock_first()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.url_part(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT string_agg(CASE WHEN (c.letter ~ '[A-Za-z0-9_.!~*''()-]'::text) THEN c.letter ELSE regexp_replace(upper(encode(convert_to(c.letter, 'UTF8'::name), 'hex'::text)), '(..)'::text, '%\1'::text, 'g'::text) END, ''::text ORDER BY c.place) AS string_agg FROM regexp_split_to_table(url_part.value, ''::text) WITH ORDINALITY c(letter, place))
;

-- function lists.agents_created_cut(): md5 of its body 58e8cc9caad51a2306495847f6ee52f1
-- function lists.agents_created_group(text): md5 of its body 08be77b1250c094c7e84543c7db6b8b6
-- function lists.agents_name_cut(): md5 of its body ca0c7f9d07ce91d90d4f3c1512c9f198
-- function lists.agents_name_group(text): md5 of its body 51eacf69953441292d5bf5e980b7182a
-- function lists.agents_recount(): md5 of its body 894701f3fe7016bc330d27edd36dc30c
-- function lists.agents_resize(): md5 of its body 9db2822da3feffeecb28e95f95f9615e
-- function lists.at_commit_only(): md5 of its body d68febc3bc70e4507ba1f859deac4882
-- function lists.bounties_published_cut(): md5 of its body 698350f26505e2e0922a809114b888a4
-- function lists.bounties_published_group(text): md5 of its body 174606934617ed367449488ef63e41fe
-- function lists.bounties_recount(): md5 of its body a6dfd877df0569467c5c089bac085ba9
-- function lists.bounties_resize(): md5 of its body ce2b104a3d7d86221ba5eb328982356c
-- function lists.collections_chain_down_cut(): md5 of its body 8b09113d9363cca4c83f0abb58632dd8
-- function lists.collections_chain_down_group(text): md5 of its body 6d6bf7fcc863cdb1f1a1764b3e651eeb
-- function lists.collections_chain_up_cut(): md5 of its body 9c131b155c0ebc1840cfcf8beb84d87f
-- function lists.collections_chain_up_group(text): md5 of its body d9c987edca92cdfb81e7ad8fbdf57374
-- function lists.collections_created_cut(): md5 of its body bc131ab12db8a31b4f714d62ab0db5c0
-- function lists.collections_created_group(text): md5 of its body 5c8ae7a27a3bf67b80328b06b4cb2c3b
-- function lists.collections_name_cut(): md5 of its body f09cd25c8499a48a8c50004b272c8348
-- function lists.collections_name_group(text): md5 of its body e24ad9b8e133ea698f2208a2aa19881a
-- function lists.collections_recount(): md5 of its body d6feaeea2481dfab1fcfe8b6a5d697e5
-- function lists.collections_resize(): md5 of its body d9cb8de6f0d57d1a6eef0b94790286b7
-- function lists.contest_submissions_created_cut(): md5 of its body 9894aa88d201e2839f576b636b5675c1
-- function lists.contest_submissions_created_group(text): md5 of its body c7edcfe55b85215395da1ffbfd5d7513
-- function lists.contest_submissions_recount(): md5 of its body 4fcaf8e8d8e5a1a761bf8d70e0e897cc
-- function lists.contest_submissions_resize(): md5 of its body cb4c1e77f378a884e3dd776608ac462f
-- function lists.contests_recount(): md5 of its body f2b0d4cb1f7734f7fe6a53a760aa0951
-- function lists.contests_resize(): md5 of its body c0ca3aa81676a0013849c2bf6f43fb06
-- function lists.contests_start_cut(): md5 of its body 93e1f80d0f576bb06a6238b10895e479
-- function lists.contests_start_group(text): md5 of its body befbb479d5a62ec03bb524772baa4435
-- function lists.contests_voting_end_cut(): md5 of its body d6445f007fbe7eae853bac5cabe4589a
-- function lists.contests_voting_end_group(text): md5 of its body 18f17663d7d77a5760c319d420d56f0b
-- function lists.holders_acquired_cut(): md5 of its body 771ab219ac657424cb5c8db3b7426b06
-- function lists.holders_acquired_group(text): md5 of its body f4812c8eddefc4e554e28afda404f52b
-- function lists.holders_recount(): md5 of its body 4784df3705e9e5e41d421a1f3c0063ca
-- function lists.holders_resize(): md5 of its body 3162e0a151a999386413bd7da76988fb
-- function lists.launches_published_cut(): md5 of its body 0f3395dd7a483b4e89863be8d4f792a1
-- function lists.launches_published_group(text): md5 of its body 11aa2c170889ef361547c513ce5f3c6a
-- function lists.launches_recount(): md5 of its body 18a245bb8ffa239a25b1365825ba6b53
-- function lists.launches_resize(): md5 of its body 4986ff38d0bc169890c4fb49f560ff2c
-- function lists.maintain_agents_delete(): md5 of its body d5198b409d6708774e3faacf1b1e3690
-- function lists.maintain_agents_insert(): md5 of its body 86e99ec8e36be6ac6f4f4d7175192d2b
-- function lists.maintain_agents_update(): md5 of its body 67d17d74479ba5eaed07f8583786b0c6
-- function lists.maintain_bounties_delete(): md5 of its body e9446dabc25c7ba957bd959be5a4d6b3
-- function lists.maintain_bounties_insert(): md5 of its body 984a49859928af041a4e3c638d4f543e
-- function lists.maintain_bounties_update(): md5 of its body a355f351972ebe784d3923bd91883fa3
-- function lists.maintain_collections_delete(): md5 of its body 149d0a754f73e7af044c9bbfb7c2f340
-- function lists.maintain_collections_insert(): md5 of its body 96e4c381decb182c82b8d3df432e6949
-- function lists.maintain_collections_update(): md5 of its body 0f6c87e90edc6246da606e985876c1c4
-- function lists.maintain_contest_submissions_delete(): md5 of its body 921f8187b755eafb747e23020a924923
-- function lists.maintain_contest_submissions_insert(): md5 of its body 97ff72da219566e5d8209e4c8152c59b
-- function lists.maintain_contest_submissions_update(): md5 of its body 02ee7e235223f6a6560bea1fa82e9aac
-- function lists.maintain_contests_delete(): md5 of its body 67914360043ef74236b940774978cae9
-- function lists.maintain_contests_insert(): md5 of its body d31272b9adc0ddc2022f74e01aceb8e6
-- function lists.maintain_contests_update(): md5 of its body 2afa0b8c70029d914d65fd75dbfcbc99
-- function lists.maintain_holders_delete(): md5 of its body 7975fed98d8079b9c2bd410b75fb6205
-- function lists.maintain_holders_insert(): md5 of its body 8486142994ac7f9d9d58c658d2c523c3
-- function lists.maintain_holders_update(): md5 of its body 6388f0d09f35cc8016ca4b9fb3871867
-- function lists.maintain_launches_delete(): md5 of its body aebe7b1e30632f93838aa1d4820a769b
-- function lists.maintain_launches_insert(): md5 of its body c097c3eda1a9d91c7b384939de5e613c
-- function lists.maintain_launches_update(): md5 of its body 4737df934c4938b97216f3f0819c8fc5
-- function lists.maintain_member_bounties_delete(): md5 of its body 4efe96eec6a2457b29da3739580e676e
-- function lists.maintain_member_bounties_insert(): md5 of its body 8366dd93895dafd8150e8a8a28ec6db1
-- function lists.maintain_member_bounties_update(): md5 of its body c11a2d3c7e8ac85f88f277c2dacdb6a0
-- function lists.maintain_public_submissions_delete(): md5 of its body 72af16e814a28a773c5d95a85f6c638e
-- function lists.maintain_public_submissions_insert(): md5 of its body c4a2fae759a7e22f81c9388467e1ceef
-- function lists.maintain_public_submissions_update(): md5 of its body df27f1b0578c955836c75318d3bf4767
-- function lists.maintain_repositories_delete(): md5 of its body 4a81bdce8f3c976b99d90b37f22612aa
-- function lists.maintain_repositories_insert(): md5 of its body 5ef0d86cbd21f8eab0a0bc48d16aea39
-- function lists.maintain_repositories_update(): md5 of its body 1dc44b5577fd268eaae550a080d22476
-- function lists.maintain_sized_collections_delete(): md5 of its body 803944d85abc744e5101aa03a1a6bd17
-- function lists.maintain_sized_collections_insert(): md5 of its body d8734a8557e0f4a7479a6a93228ad181
-- function lists.maintain_sized_collections_update(): md5 of its body 8d694e4ca2b23826039bd04fea259174
-- function lists.maintain_sponsor_bounties_delete(): md5 of its body d29769697c51b83b9eaccd15374cd3d8
-- function lists.maintain_sponsor_bounties_insert(): md5 of its body 74f71452faf4009995b9a2857f52c2ca
-- function lists.maintain_sponsor_bounties_update(): md5 of its body e353be19266950097d4d2c9c3b740e67
-- function lists.maintain_sponsors_delete(): md5 of its body c00c5ff1d8a775faa3653b17b02f18e7
-- function lists.maintain_sponsors_insert(): md5 of its body 84de0a3cce14f29489164c53c2e526e0
-- function lists.maintain_sponsors_update(): md5 of its body b66fa68040d46664e173cf0770b09ffc
-- function lists.maintain_submissions_delete(): md5 of its body c5f4d8b0f73a842d8a2afa4d7554bfb9
-- function lists.maintain_submissions_insert(): md5 of its body 90d78283ce950d8a1c0b312044453573
-- function lists.maintain_submissions_update(): md5 of its body 557d19b953bc4678d4bdc60cbfb45905
-- function lists.maintain_supporters_delete(): md5 of its body 65299b60bf1ac62f1f0c7cf946e4084e
-- function lists.maintain_supporters_insert(): md5 of its body 879664130231803784234df468d6e2dd
-- function lists.maintain_supporters_update(): md5 of its body f10a6dcbfd04fda3fd923a6839bcadb3
-- function lists.maintain_timeline_delete(): md5 of its body 297fbb31e9220586bebd3958992a359b
-- function lists.maintain_timeline_insert(): md5 of its body bcc122b6a27592f4b0a2716f0113bdf1
-- function lists.maintain_timeline_update(): md5 of its body 6c70b817dac717a37722c7b370d865e7
-- function lists.maintain_topic_launches_delete(): md5 of its body 6081cea10d9a8f913b308740676fd9e3
-- function lists.maintain_topic_launches_insert(): md5 of its body db6b318ec53504a08580eb3e3e9fd54a
-- function lists.maintain_topic_launches_update(): md5 of its body e0e139e70ec1608ff77098858263333a
-- function lists.maintain_topic_week_launches_delete(): md5 of its body 5d45db52b7b864baa9ff3fa6e0252fcc
-- function lists.maintain_topic_week_launches_insert(): md5 of its body 2294758b685afd9e2dbd1e6817304f43
-- function lists.maintain_topic_week_launches_update(): md5 of its body c9cccb7cd03f4966de703ea287d207fe
-- function lists.maintain_track_submissions_delete(): md5 of its body b55110eb0a065e96f6fdeedee82ce3c1
-- function lists.maintain_track_submissions_insert(): md5 of its body 420029b49d2bd2d399e45405b7f11af1
-- function lists.maintain_track_submissions_update(): md5 of its body b28bab8d1c89998f9e68ee2fe83cbc9f
-- function lists.maintain_user_launches_delete(): md5 of its body 668761f099a98683a6e9ed5015414fe6
-- function lists.maintain_user_launches_insert(): md5 of its body ff067040d833ab13517ae8e7ef10075b
-- function lists.maintain_user_launches_update(): md5 of its body 3f093abead30bd3818f214de372d09b8
-- function lists.maintain_week_launches_delete(): md5 of its body 02033d03313036957c786d27e85cdcf1
-- function lists.maintain_week_launches_insert(): md5 of its body 91bf7142861be5c35be57e080d2f820a
-- function lists.maintain_week_launches_update(): md5 of its body 25fe7a477517c054cfdd34c5bcb06c75
-- function lists.maintain_weeks_delete(): md5 of its body 64690ed26c90a6701c8c61f478658f9b
-- function lists.maintain_weeks_insert(): md5 of its body 2b98ef268a08488027eac5841d609c95
-- function lists.maintain_weeks_update(): md5 of its body 2046b7c5e792cc30619ac0ebf9c7a15e
-- function lists.member_bounties_recount(): md5 of its body 0c6da9873d98ddf24cd184cfee46ad1e
-- function lists.member_bounties_resize(): md5 of its body cfaa42c9eb8ccc7d8dc0e9b2cb810858
-- function lists.public_submissions_created_cut(): md5 of its body d484a24304f541ead7d8806e45879697
-- function lists.public_submissions_created_group(text): md5 of its body 36ad9e5d2d40e8b2173c8d14ecdf7da6
-- function lists.public_submissions_recount(): md5 of its body 206833b0cfb5d19fd2b3a9a13e06fa5c
-- function lists.public_submissions_resize(): md5 of its body 9897a0ad76724b9c3ec31775afdc34b0
-- function lists.recount(): md5 of its body 36e85ca1ace15e7e858a032ff2a7bc5e
-- function lists.repositories_created_cut(): md5 of its body a83c3bae93a88c11040f9bfd4c6d77b0
-- function lists.repositories_created_group(text): md5 of its body e8408308ce5397cb2b75fc8d1103fe34
-- function lists.repositories_name_cut(): md5 of its body 8d44e98e84940a138cd46db3d754778c
-- function lists.repositories_name_group(text): md5 of its body 6d7a67870817a54c48b4f2c6ff6b88bc
-- function lists.repositories_owner_cut(): md5 of its body c0749557e6d60f43118cf326bb1b06e5
-- function lists.repositories_owner_group(text): md5 of its body cd29562d058b8258ecc95d7cf113f486
-- function lists.repositories_recount(): md5 of its body 42d2048b1fbddb9ac232c76aeaaedab6
-- function lists.repositories_resize(): md5 of its body ce39bfcd263cac9e419397da17c199ec
-- function lists.repositories_updated_cut(): md5 of its body effc7341e5043a98d7116668e32537ce
-- function lists.repositories_updated_group(text): md5 of its body 71769cb82415b8517f3638f3cb13befd
-- function lists.sized_collections_holders_cut(): md5 of its body 07e779f4351d62298edd8de31fcc5f77
-- function lists.sized_collections_holders_group(text): md5 of its body 7bdcb9ff68de09e743bfd3f7d12255e9
-- function lists.sized_collections_recount(): md5 of its body d067ce7e94318c390765bcade4e2b9e4
-- function lists.sized_collections_resize(): md5 of its body 8c61d1caa2f4cffe6020a50f3cd9a7ae
-- function lists.sponsor_bounties_published_cut(): md5 of its body b0759165b45bf98ec0e8c8630f66302f
-- function lists.sponsor_bounties_published_group(text): md5 of its body 8c8b3d698284895d323f65474cd5bc89
-- function lists.sponsor_bounties_recount(): md5 of its body cf6d79746a44ded8a8c8dcaeb3cb1a24
-- function lists.sponsor_bounties_resize(): md5 of its body c72aaf968c5a94cf806c5ab1d0ccee7c
-- function lists.sponsors_name_cut(): md5 of its body 9a9893033930a37a05ceffdc0c997f0f
-- function lists.sponsors_name_group(text): md5 of its body 7145b64a5509ea3e65248fc41bba26ae
-- function lists.sponsors_recount(): md5 of its body 5f80f8e99b31f39364d63808c891fac6
-- function lists.sponsors_resize(): md5 of its body b755547b5e06957d45672abfa06a2efe
-- function lists.submissions_created_cut(): md5 of its body 232499e7520e727e6bd15d457359a19a
-- function lists.submissions_created_group(text): md5 of its body 25522d9b0193cfc1bc684021d2d6235e
-- function lists.submissions_recount(): md5 of its body 3fb36a4f1cb6cc50169fbf3e6bfd0424
-- function lists.submissions_resize(): md5 of its body 0d9e5ed7d7b67799dd207027b252aab7
-- function lists.supporters_recount(): md5 of its body 245b3481e326893a6b6139de342ab84b
-- function lists.supporters_resize(): md5 of its body eeba5d5476d3eabbfda6f4d4ad2d740a
-- function lists.timeline_date_cut(): md5 of its body ae9ecbdce8043d42d218078de4d43d1f
-- function lists.timeline_date_group(text): md5 of its body 59f66767c0944e86409fc2828d4bc013
-- function lists.timeline_recount(): md5 of its body 492c2451baa6e8cd5eaeaffd5eb4d1c1
-- function lists.timeline_resize(): md5 of its body 5c9dfeb2ff8ba0f177d3996a8ee719d1
-- function lists.topic_launches_published_cut(): md5 of its body 1bc648d61dde437318306d50071c222f
-- function lists.topic_launches_published_group(text): md5 of its body 27ebf74ac70acb087029197d28308809
-- function lists.topic_launches_recount(): md5 of its body 809ed1676af10c02bc14adddbece00f8
-- function lists.topic_launches_resize(): md5 of its body 957d1d055eecf25db9ee784edc47163b
-- function lists.topic_week_launches_rank_cut(): md5 of its body e288679dacdfabff291ebdf23e9e219d
-- function lists.topic_week_launches_rank_group(text): md5 of its body 9ae48edebbe2185664aba05ec4fd9a34
-- function lists.topic_week_launches_recount(): md5 of its body 8d45a69a45243d965cb49827487d10c0
-- function lists.topic_week_launches_resize(): md5 of its body bb46f175b73b3475ae1db1d62cb34137
-- function lists.track_submissions_created_cut(): md5 of its body 7810b1bc9ad29b66e7cf903ab1c775ed
-- function lists.track_submissions_created_group(text): md5 of its body 9050566d31396a85a9cd199e0e273686
-- function lists.track_submissions_recount(): md5 of its body 5c406e7dd325a21b9342b2d975b8882b
-- function lists.track_submissions_resize(): md5 of its body 31609cceca1347ec64f7a39168da7528
-- function lists.user_launches_published_cut(): md5 of its body cf2f514c0329bb45ae23c51c30374a50
-- function lists.user_launches_published_group(text): md5 of its body 9580b226df7c7f4094e956a402d2672d
-- function lists.user_launches_recount(): md5 of its body fd24fb5699e525e86ce8ad922ae54c83
-- function lists.user_launches_resize(): md5 of its body 80586ad18257541bf1854faf81b8589f
-- function lists.week_launches_rank_cut(): md5 of its body c5745e892216c1af8687217bcd5b803b
-- function lists.week_launches_rank_group(text): md5 of its body 2f7fc8b87fec9ca6253c32417fdaba3a
-- function lists.week_launches_recount(): md5 of its body 0684e880f3834733bd58e67afbc60f6c
-- function lists.week_launches_resize(): md5 of its body bb9eff0ab7e15b17dc00b4eceffd5d3e
-- function lists.weeks_recount(): md5 of its body 77875a1e1225bc5b43022f8869f7f99b
-- function lists.weeks_resize(): md5 of its body adca805d4269353dd11e7211bf596736
-- function lists.weeks_week_cut(): md5 of its body fc47575ced3c946b906b204f4c9abf7d
-- function lists.weeks_week_group(text): md5 of its body 603793d5485c63629ae64dd95af9cb4b

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.agents FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.agents REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.agents REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER maintain_agents_delete AFTER DELETE ON public.agents REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_agents_delete();

CREATE TRIGGER maintain_agents_insert AFTER INSERT ON public.agents REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_agents_insert();

CREATE TRIGGER maintain_agents_truncate AFTER TRUNCATE ON public.agents FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('agents');

CREATE TRIGGER maintain_agents_update AFTER UPDATE ON public.agents REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_agents_update();

CREATE TRIGGER reject_is_taken_down_insert AFTER INSERT ON public.agents FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');

CREATE TRIGGER reject_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.agents FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.bounties FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.bounties REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.bounties REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER maintain_bounties_delete AFTER DELETE ON public.bounties REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_bounties_delete();

CREATE TRIGGER maintain_bounties_insert AFTER INSERT ON public.bounties REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_bounties_insert();

CREATE TRIGGER maintain_bounties_truncate AFTER TRUNCATE ON public.bounties FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('bounties');

CREATE TRIGGER maintain_bounties_update AFTER UPDATE ON public.bounties REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_bounties_update();

CREATE TRIGGER maintain_member_bounties_delete AFTER DELETE ON public.bounties REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_member_bounties_delete();

CREATE TRIGGER maintain_member_bounties_insert AFTER INSERT ON public.bounties REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_member_bounties_insert();

CREATE TRIGGER maintain_member_bounties_truncate AFTER TRUNCATE ON public.bounties FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('member_bounties');

CREATE TRIGGER maintain_member_bounties_update AFTER UPDATE ON public.bounties REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_member_bounties_update();

CREATE TRIGGER maintain_sponsor_bounties_delete AFTER DELETE ON public.bounties REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_sponsor_bounties_delete();

CREATE TRIGGER maintain_sponsor_bounties_insert AFTER INSERT ON public.bounties REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_sponsor_bounties_insert();

CREATE TRIGGER maintain_sponsor_bounties_truncate AFTER TRUNCATE ON public.bounties FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('sponsor_bounties');

CREATE TRIGGER maintain_sponsor_bounties_update AFTER UPDATE ON public.bounties REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_sponsor_bounties_update();

CREATE TRIGGER reject_is_taken_down_insert AFTER INSERT ON public.bounties FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');

CREATE TRIGGER reject_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.bounties FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.bounty_submission_makers FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.bounty_submissions FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.bounty_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.bounty_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER bound_rows_insert AFTER INSERT ON public.bounty_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bound_rows();

CREATE TRIGGER bound_rows_update AFTER UPDATE ON public.bounty_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bound_rows();

CREATE TRIGGER maintain_public_submissions_delete AFTER DELETE ON public.bounty_submissions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_public_submissions_delete();

CREATE TRIGGER maintain_public_submissions_insert AFTER INSERT ON public.bounty_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_public_submissions_insert();

CREATE TRIGGER maintain_public_submissions_truncate AFTER TRUNCATE ON public.bounty_submissions FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('public_submissions');

CREATE TRIGGER maintain_public_submissions_update AFTER UPDATE ON public.bounty_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_public_submissions_update();

CREATE TRIGGER maintain_submissions_delete AFTER DELETE ON public.bounty_submissions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_submissions_delete();

CREATE TRIGGER maintain_submissions_insert AFTER INSERT ON public.bounty_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_submissions_insert();

CREATE TRIGGER maintain_submissions_truncate AFTER TRUNCATE ON public.bounty_submissions FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('submissions');

CREATE TRIGGER maintain_submissions_update AFTER UPDATE ON public.bounty_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_submissions_update();

CREATE TRIGGER reject_is_taken_down_insert AFTER INSERT ON public.bounty_submissions FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');

CREATE TRIGGER reject_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.bounty_submissions FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.collection_contests FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.collection_holders FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER maintain_holders_delete AFTER DELETE ON public.collection_holders REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_holders_delete();

CREATE TRIGGER maintain_holders_insert AFTER INSERT ON public.collection_holders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_holders_insert();

CREATE TRIGGER maintain_holders_truncate AFTER TRUNCATE ON public.collection_holders FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('holders');

CREATE TRIGGER maintain_holders_update AFTER UPDATE ON public.collection_holders REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_holders_update();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.collections FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.collections REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.collections REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER follow_collections_delete AFTER DELETE ON public.collections REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_collections();

CREATE TRIGGER follow_collections_insert AFTER INSERT ON public.collections REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_collections();

CREATE TRIGGER follow_collections_truncate AFTER TRUNCATE ON public.collections FOR EACH STATEMENT EXECUTE FUNCTION follow_collections();

CREATE TRIGGER follow_collections_update AFTER UPDATE ON public.collections REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_collections();

CREATE TRIGGER maintain_collections_delete AFTER DELETE ON public.collections REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_collections_delete();

CREATE TRIGGER maintain_collections_insert AFTER INSERT ON public.collections REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_collections_insert();

CREATE TRIGGER maintain_collections_truncate AFTER TRUNCATE ON public.collections FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('collections');

CREATE TRIGGER maintain_collections_update AFTER UPDATE ON public.collections REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_collections_update();

CREATE TRIGGER reject_is_taken_down_insert AFTER INSERT ON public.collections FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');

CREATE TRIGGER reject_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.collections FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.contest_submission_supporters FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER maintain_supporters_delete AFTER DELETE ON public.contest_submission_supporters REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_supporters_delete();

CREATE TRIGGER maintain_supporters_insert AFTER INSERT ON public.contest_submission_supporters REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_supporters_insert();

CREATE TRIGGER maintain_supporters_truncate AFTER TRUNCATE ON public.contest_submission_supporters FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('supporters');

CREATE TRIGGER maintain_supporters_update AFTER UPDATE ON public.contest_submission_supporters REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_supporters_update();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.contest_submissions FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.contest_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.contest_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER maintain_contest_submissions_delete AFTER DELETE ON public.contest_submissions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_contest_submissions_delete();

CREATE TRIGGER maintain_contest_submissions_insert AFTER INSERT ON public.contest_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_contest_submissions_insert();

CREATE TRIGGER maintain_contest_submissions_truncate AFTER TRUNCATE ON public.contest_submissions FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('contest_submissions');

CREATE TRIGGER maintain_contest_submissions_update AFTER UPDATE ON public.contest_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_contest_submissions_update();

CREATE TRIGGER maintain_submission_tracks_delete AFTER DELETE ON public.contest_submissions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_submission_tracks();

CREATE TRIGGER maintain_submission_tracks_insert AFTER INSERT ON public.contest_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_submission_tracks();

CREATE TRIGGER maintain_submission_tracks_truncate AFTER TRUNCATE ON public.contest_submissions FOR EACH STATEMENT EXECUTE FUNCTION maintain_submission_tracks();

CREATE TRIGGER maintain_submission_tracks_update AFTER UPDATE ON public.contest_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_submission_tracks();

CREATE TRIGGER reject_is_taken_down_insert AFTER INSERT ON public.contest_submissions FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');

CREATE TRIGGER reject_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.contest_submissions FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.contests FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.contests REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.contests REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER maintain_contests_delete AFTER DELETE ON public.contests REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_contests_delete();

CREATE TRIGGER maintain_contests_insert AFTER INSERT ON public.contests REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_contests_insert();

CREATE TRIGGER maintain_contests_truncate AFTER TRUNCATE ON public.contests FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('contests');

CREATE TRIGGER maintain_contests_update AFTER UPDATE ON public.contests REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_contests_update();

CREATE TRIGGER reject_is_taken_down_insert AFTER INSERT ON public.contests FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');

CREATE TRIGGER reject_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.contests FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.erasures FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.feed FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.launch_claps FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.launch_makers FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.launch_topics FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER maintain_launch_topics_delete AFTER DELETE ON public.launch_topics REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_launch_topics();

CREATE TRIGGER maintain_launch_topics_insert AFTER INSERT ON public.launch_topics REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_launch_topics();

CREATE TRIGGER maintain_launch_topics_truncate AFTER TRUNCATE ON public.launch_topics FOR EACH STATEMENT EXECUTE FUNCTION maintain_launch_topics();

CREATE TRIGGER maintain_launch_topics_update AFTER UPDATE ON public.launch_topics REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_launch_topics();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.launches FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.launches REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.launches REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER bound_rows_insert AFTER INSERT ON public.launches REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bound_rows();

CREATE TRIGGER bound_rows_update AFTER UPDATE ON public.launches REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bound_rows();

CREATE TRIGGER follow_launches_delete AFTER DELETE ON public.launches REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_launches();

CREATE TRIGGER follow_launches_insert AFTER INSERT ON public.launches REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_launches();

CREATE TRIGGER follow_launches_truncate AFTER TRUNCATE ON public.launches FOR EACH STATEMENT EXECUTE FUNCTION follow_launches();

CREATE TRIGGER follow_launches_update AFTER UPDATE ON public.launches REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_launches();

CREATE TRIGGER maintain_launches_delete AFTER DELETE ON public.launches REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_launches_delete();

CREATE TRIGGER maintain_launches_insert AFTER INSERT ON public.launches REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_launches_insert();

CREATE TRIGGER maintain_launches_truncate AFTER TRUNCATE ON public.launches FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('launches');

CREATE TRIGGER maintain_launches_update AFTER UPDATE ON public.launches REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_launches_update();

CREATE TRIGGER maintain_user_launches_delete AFTER DELETE ON public.launches REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_user_launches_delete();

CREATE TRIGGER maintain_user_launches_insert AFTER INSERT ON public.launches REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_user_launches_insert();

CREATE TRIGGER maintain_user_launches_truncate AFTER TRUNCATE ON public.launches FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('user_launches');

CREATE TRIGGER maintain_user_launches_update AFTER UPDATE ON public.launches REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_user_launches_update();

CREATE TRIGGER maintain_week_launches_delete AFTER DELETE ON public.launches REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_week_launches_delete();

CREATE TRIGGER maintain_week_launches_insert AFTER INSERT ON public.launches REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_week_launches_insert();

CREATE TRIGGER maintain_week_launches_truncate AFTER TRUNCATE ON public.launches FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('week_launches');

CREATE TRIGGER maintain_week_launches_update AFTER UPDATE ON public.launches REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_week_launches_update();

CREATE TRIGGER reject_is_taken_down_insert AFTER INSERT ON public.launches FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');

CREATE TRIGGER reject_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.launches FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.agents FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.agents FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.agents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 4096
            ELSE 8192
        END))))) EXECUTE FUNCTION lists.agents_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.agents_created FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.agents_created FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.agents_created DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.agents_created_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.agents_created_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.agents_created_facets FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.agents_name FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.agents_name FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.agents_name DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.agents_name_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.agents_name_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.agents_name_facets FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.bounties FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.bounties FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.bounties DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.bounties_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.bounties_published FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.bounties_published FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.bounties_published DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.bounties_published_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.bounties_published_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.bounties_published_facets FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collection_sizes FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collection_sizes FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER maintain_sized_collections_delete AFTER DELETE ON lists.collection_sizes REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_sized_collections_delete();

CREATE TRIGGER maintain_sized_collections_insert AFTER INSERT ON lists.collection_sizes REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_sized_collections_insert();

CREATE TRIGGER maintain_sized_collections_truncate AFTER TRUNCATE ON lists.collection_sizes FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('sized_collections');

CREATE TRIGGER maintain_sized_collections_update AFTER UPDATE ON lists.collection_sizes REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_sized_collections_update();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.collections DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 4096
            ELSE 8192
        END))))) EXECUTE FUNCTION lists.collections_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_chain_down FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_chain_down FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.collections_chain_down DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.collections_chain_down_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_chain_down_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_chain_down_facets FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_chain_up FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_chain_up FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.collections_chain_up DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.collections_chain_up_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_chain_up_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_chain_up_facets FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_created FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_created FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.collections_created DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.collections_created_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_created_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_created_facets FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_name FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_name FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.collections_name DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.collections_name_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_name_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_name_facets FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.contest_submissions FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.contest_submissions FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.contest_submissions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.contest_submissions_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.contest_submissions_created FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.contest_submissions_created FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.contest_submissions_created DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.contest_submissions_created_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.contests FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.contests FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.contests DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.contests_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.contests_start FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.contests_start FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.contests_start DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.contests_start_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.contests_voting_end FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.contests_voting_end FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.contests_voting_end DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.contests_voting_end_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.holders FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.holders FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER maintain_sizes_delete AFTER DELETE ON lists.holders REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_sizes();

CREATE TRIGGER maintain_sizes_insert AFTER INSERT ON lists.holders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_sizes();

CREATE TRIGGER maintain_sizes_update AFTER UPDATE ON lists.holders REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_sizes();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.holders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.holders_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.holders_acquired FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.holders_acquired FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.holders_acquired DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.holders_acquired_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launch_topics FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launch_topics FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER maintain_topic_launches_delete AFTER DELETE ON lists.launch_topics REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_topic_launches_delete();

CREATE TRIGGER maintain_topic_launches_insert AFTER INSERT ON lists.launch_topics REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_topic_launches_insert();

CREATE TRIGGER maintain_topic_launches_truncate AFTER TRUNCATE ON lists.launch_topics FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('topic_launches');

CREATE TRIGGER maintain_topic_launches_update AFTER UPDATE ON lists.launch_topics REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_topic_launches_update();

CREATE TRIGGER maintain_topic_week_launches_delete AFTER DELETE ON lists.launch_topics REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_topic_week_launches_delete();

CREATE TRIGGER maintain_topic_week_launches_insert AFTER INSERT ON lists.launch_topics REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_topic_week_launches_insert();

CREATE TRIGGER maintain_topic_week_launches_truncate AFTER TRUNCATE ON lists.launch_topics FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('topic_week_launches');

CREATE TRIGGER maintain_topic_week_launches_update AFTER UPDATE ON lists.launch_topics REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_topic_week_launches_update();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launch_week_ranks FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launch_week_ranks FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launch_weeks FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launch_weeks FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER maintain_weeks_delete AFTER DELETE ON lists.launch_weeks REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_weeks_delete();

CREATE TRIGGER maintain_weeks_insert AFTER INSERT ON lists.launch_weeks REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_weeks_insert();

CREATE TRIGGER maintain_weeks_truncate AFTER TRUNCATE ON lists.launch_weeks FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('weeks');

CREATE TRIGGER maintain_weeks_update AFTER UPDATE ON lists.launch_weeks REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_weeks_update();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launches FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launches FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.launches DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.launches_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launches_published FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launches_published FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.launches_published DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.launches_published_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.member_bounties FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.member_bounties FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.member_bounties DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.rows = 0)) EXECUTE FUNCTION lists.member_bounties_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.public_submissions FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.public_submissions FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.public_submissions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.public_submissions_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.public_submissions_created FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.public_submissions_created FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.public_submissions_created DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.public_submissions_created_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.repositories DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 4096
            ELSE 8192
        END))))) EXECUTE FUNCTION lists.repositories_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_created FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_created FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.repositories_created DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.repositories_created_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_created_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_created_facets FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_name FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_name FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.repositories_name DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.repositories_name_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_name_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_name_facets FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_owner FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_owner FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.repositories_owner DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.repositories_owner_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_owner_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_owner_facets FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_updated FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_updated FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.repositories_updated DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.repositories_updated_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_updated_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.repositories_updated_facets FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sized_collections FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sized_collections FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.sized_collections DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 4096
            ELSE 8192
        END))))) EXECUTE FUNCTION lists.sized_collections_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sized_collections_holders FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sized_collections_holders FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.sized_collections_holders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 8192) OR (new.rows = 0)))) EXECUTE FUNCTION lists.sized_collections_holders_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sized_collections_holders_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sized_collections_holders_facets FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sponsor_bounties FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sponsor_bounties FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.sponsor_bounties DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.sponsor_bounties_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sponsor_bounties_published FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sponsor_bounties_published FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.sponsor_bounties_published DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.sponsor_bounties_published_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sponsor_bounties_published_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sponsor_bounties_published_facets FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sponsors FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sponsors FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.sponsors DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.sponsors_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sponsors_name FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.sponsors_name FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.sponsors_name DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.sponsors_name_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.submission_tracks FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.submission_tracks FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER maintain_track_submissions_delete AFTER DELETE ON lists.submission_tracks REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_track_submissions_delete();

CREATE TRIGGER maintain_track_submissions_insert AFTER INSERT ON lists.submission_tracks REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_track_submissions_insert();

CREATE TRIGGER maintain_track_submissions_truncate AFTER TRUNCATE ON lists.submission_tracks FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('track_submissions');

CREATE TRIGGER maintain_track_submissions_update AFTER UPDATE ON lists.submission_tracks REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_track_submissions_update();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.submissions FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.submissions FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.submissions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.submissions_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.submissions_created FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.submissions_created FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.submissions_created DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.submissions_created_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.supporters FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.supporters FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.supporters DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.rows = 0)) EXECUTE FUNCTION lists.supporters_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.timeline FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.timeline FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.timeline DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.timeline_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.timeline_date FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.timeline_date FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.timeline_date DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.timeline_date_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.timeline_date_facets FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.timeline_date_facets FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.topic_launches FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.topic_launches FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.topic_launches DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.topic_launches_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.topic_launches_published FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.topic_launches_published FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.topic_launches_published DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.topic_launches_published_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.topic_week_launches FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.topic_week_launches FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.topic_week_launches DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.topic_week_launches_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.topic_week_launches_rank FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.topic_week_launches_rank FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.topic_week_launches_rank DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.topic_week_launches_rank_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.track_submissions FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.track_submissions FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.track_submissions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.track_submissions_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.track_submissions_created FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.track_submissions_created FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.track_submissions_created DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.track_submissions_created_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.user_launches FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.user_launches FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.user_launches DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.user_launches_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.user_launches_published FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.user_launches_published FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.user_launches_published DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.user_launches_published_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.week_launches FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.week_launches FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE TRIGGER maintain_launch_weeks_delete AFTER DELETE ON lists.week_launches REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_launch_weeks();

CREATE TRIGGER maintain_launch_weeks_insert AFTER INSERT ON lists.week_launches REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_launch_weeks();

CREATE TRIGGER maintain_launch_weeks_update AFTER UPDATE ON lists.week_launches REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_launch_weeks();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.week_launches DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.week_launches_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.week_launches_rank FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.week_launches_rank FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.week_launches_rank DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.week_launches_rank_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.weeks FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.weeks FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER resize AFTER INSERT OR UPDATE ON lists.weeks DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.rows = 0) OR ((new.facet = 0) AND (new.is_long <> (new.rows >
        CASE
            WHEN new.is_long THEN 256
            ELSE 512
        END))))) EXECUTE FUNCTION lists.weeks_resize();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.weeks_week FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.weeks_week FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();

CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON lists.weeks_week DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.level = 0) AND ((new.rows > 512) OR (new.rows = 0)))) EXECUTE FUNCTION lists.weeks_week_cut();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.rejected_changes FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.repositories FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.repositories REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.repositories REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER maintain_repositories_delete AFTER DELETE ON public.repositories REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_repositories_delete();

CREATE TRIGGER maintain_repositories_insert AFTER INSERT ON public.repositories REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_repositories_insert();

CREATE TRIGGER maintain_repositories_truncate AFTER TRUNCATE ON public.repositories FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('repositories');

CREATE TRIGGER maintain_repositories_update AFTER UPDATE ON public.repositories REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_repositories_update();

CREATE TRIGGER reject_is_taken_down_insert AFTER INSERT ON public.repositories FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');

CREATE TRIGGER reject_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.repositories FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.score_tiers FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.sponsor_members FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.sponsors FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER maintain_sponsors_delete AFTER DELETE ON public.sponsors REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_sponsors_delete();

CREATE TRIGGER maintain_sponsors_insert AFTER INSERT ON public.sponsors REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_sponsors_insert();

CREATE TRIGGER maintain_sponsors_truncate AFTER TRUNCATE ON public.sponsors FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('sponsors');

CREATE TRIGGER maintain_sponsors_update AFTER UPDATE ON public.sponsors REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_sponsors_update();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.takedowns FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER maintain_takedown AFTER INSERT OR DELETE OR UPDATE ON public.takedowns FOR EACH ROW EXECUTE FUNCTION maintain_takedown();

CREATE TRIGGER reject_truncate BEFORE TRUNCATE ON public.takedowns FOR EACH STATEMENT EXECUTE FUNCTION reject_write('', 'cannot be truncated: delete its rows');

CREATE TRIGGER spell_takedown BEFORE INSERT OR UPDATE ON public.takedowns FOR EACH ROW EXECUTE FUNCTION spell_takedown();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.timeline_items FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.timeline_items REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.timeline_items REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();

CREATE TRIGGER maintain_badges_insert AFTER INSERT ON public.timeline_items REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_badges();

CREATE TRIGGER maintain_badges_update AFTER UPDATE ON public.timeline_items REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_badges();

CREATE TRIGGER maintain_timeline_delete AFTER DELETE ON public.timeline_items REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_timeline_delete();

CREATE TRIGGER maintain_timeline_insert AFTER INSERT ON public.timeline_items REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_timeline_insert();

CREATE TRIGGER maintain_timeline_truncate AFTER TRUNCATE ON public.timeline_items FOR EACH STATEMENT EXECUTE FUNCTION lists.recount('timeline');

CREATE TRIGGER maintain_timeline_update AFTER UPDATE ON public.timeline_items REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION lists.maintain_timeline_update();

CREATE TRIGGER reject_is_badge_public_insert AFTER INSERT ON public.timeline_items FOR EACH ROW WHEN (((new.is_badge_public <> true) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_badge_public');

CREATE TRIGGER reject_is_badge_public_update AFTER UPDATE OF is_badge_public ON public.timeline_items FOR EACH ROW WHEN (((old.is_badge_public <> new.is_badge_public) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_badge_public');

CREATE TRIGGER reject_is_taken_down_insert AFTER INSERT ON public.timeline_items FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');

CREATE TRIGGER reject_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.timeline_items FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.topics FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.users FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();

CREATE TRIGGER reject_erased_insert AFTER INSERT ON public.users REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION reject_erased();

CREATE TRIGGER reject_erased_update AFTER UPDATE ON public.users REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION reject_erased();

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
