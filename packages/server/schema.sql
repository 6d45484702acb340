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
  search_name text collate "C" generated always as (search_form((title)::text)) stored not null,
  facet bigint generated always as (facet_of(VARIADIC ARRAY[(status)::text, (category)::text])) stored not null,
  end_up timestamp with time zone generated always as (COALESCE((submission_end)::timestamp with time zone, 'infinity'::timestamp with time zone)) stored not null,
  end_down timestamp with time zone generated always as (COALESCE((submission_end)::timestamp with time zone, '-infinity'::timestamp with time zone)) stored not null,
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
  is_public boolean generated always as (is_submission_public(is_taken_down, (visibility)::text, (status)::text)) stored not null,
  is_bounty_open boolean default true not null,
  is_in_profile boolean generated always as ((is_submission_public(is_taken_down, (visibility)::text, (status)::text) AND is_bounty_open)) stored not null,
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
  is_collection_public boolean default true not null,
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
  search_name text collate "C" generated always as (search_form((title)::text)) stored not null,
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
  undone bigint default 0 not null,
  cursor_secret text collate "C" default ((gen_random_uuid())::text || (gen_random_uuid())::text) not null,
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

create table installed (
  name text collate "C" not null,
  indexes text[] collate "C" not null,
  declared_by text collate "C" not null,
  declared_at timestamp with time zone,
  is_retired boolean default false not null,
  constraint installed_pkey PRIMARY KEY (name)
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
  search_name text collate "C" generated always as (search_form((((name)::text || ' '::text) || (tagline)::text))) stored not null,
  constraint launches_live_moments CHECK ((((status)::text <> 'LIVE'::text) OR (num_nulls(published_at, launch_week) = 0))),
  constraint launches_public_week CHECK (((NOT is_public) OR (launch_week IS NOT NULL))),
  constraint launches_reserved_slug CHECK (((slug)::text <> 'featured'::text)),
  constraint launches_submitted_by_id_fkey FOREIGN KEY (submitted_by_id) REFERENCES users(id),
  constraint launches_pkey PRIMARY KEY (id),
  constraint launches_slug_key UNIQUE (slug) DEFERRABLE
);

create table lists.changes (
  id bigint not null,
  at timestamp with time zone default api_now() not null,
  table_name text collate "C" not null,
  key text[] collate "C" not null,
  is_whole boolean default false not null,
  constraint changes_pkey PRIMARY KEY (id)
);

create table lists.collection_sizes (
  address text collate "C" not null,
  holders bigint default 0 not null,
  facet bigint not null,
  is_public boolean not null,
  constraint collection_sizes_pkey PRIMARY KEY (address)
) with (fillfactor=70);

create table lists.collections_in_steps (
  address text collate "C" not null,
  constraint collections_in_steps_pkey PRIMARY KEY (address)
);

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

create table lists.submission_tracks (
  id text collate "C" not null,
  track text collate "C" not null,
  created_at timestamp with time zone not null,
  constraint submission_tracks_pkey PRIMARY KEY (id, track)
);

create table outbox_rows (
  sequence bigint not null,
  id bigint not null,
  hash bytea not null,
  constraint outbox_rows_pkey PRIMARY KEY (sequence)
);

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
  search_name text collate "C" generated always as (search_form((name)::text)) stored not null,
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
  constraint users_pkey PRIMARY KEY (id),
  constraint users_username_key UNIQUE (username) DEFERRABLE
);

create table writer_lock (
  
);

CREATE INDEX agents_owner ON public.agents USING btree (owner_id);

CREATE INDEX agents_search ON public.agents USING gin (search_name gin_trgm_ops) WHERE is_public;

CREATE INDEX api_keys_user ON public.api_keys USING btree (user_id);

CREATE INDEX bounties_all ON public.bounties USING btree (created_at, id);

CREATE INDEX bounties_of_members ON public.bounties USING btree (sponsor_id, created_at, id);

CREATE INDEX bounties_search ON public.bounties USING gin (search_name gin_trgm_ops) WHERE is_public;

CREATE INDEX bounty_submissions_of_user ON public.bounty_submissions USING btree (user_id, bounty_id, created_at, id);

CREATE INDEX bounty_submissions_winners ON public.bounty_submissions USING btree (bounty_id, prize_place, created_at, id) WHERE (is_public AND (prize_place IS NOT NULL));

CREATE INDEX collection_contests_contest ON public.collection_contests USING btree (contest_id);

CREATE INDEX collections_search ON public.collections USING gin (search_name gin_trgm_ops) WHERE is_public;

CREATE INDEX contest_submission_supporters_preview ON public.contest_submission_supporters USING btree (submission_id, tier_place, created_at, user_id);

CREATE INDEX contest_submissions_contest ON public.contest_submissions USING btree (contest_id);

CREATE INDEX contest_submissions_repository ON public.contest_submissions USING btree (repository_platform, repository_platform_id);

CREATE INDEX contest_submissions_user ON public.contest_submissions USING btree (user_id);

CREATE INDEX contests_search ON public.contests USING gin (search_name gin_trgm_ops) WHERE is_public;

CREATE INDEX launch_claps_user ON public.launch_claps USING btree (user_id);

CREATE INDEX launches_featured ON public.launches USING btree (featured_at, id) WHERE (is_public AND (featured_at IS NOT NULL));

CREATE INDEX launches_search ON public.launches USING gin (search_name gin_trgm_ops) WHERE is_public;

CREATE INDEX launches_submitted_by ON public.launches USING btree (submitted_by_id);

CREATE INDEX launch_week_ranks_week ON lists.launch_week_ranks USING btree (week);

CREATE INDEX rejected_changes_waiting ON public.rejected_changes USING gin (waits_for);

CREATE INDEX repositories_search ON public.repositories USING gin (search_name gin_trgm_ops) WHERE is_public;

CREATE INDEX sponsor_members_sponsor ON public.sponsor_members USING btree (sponsor_id);

CREATE INDEX sponsors_search ON public.sponsors USING gin (search_name gin_trgm_ops);

CREATE INDEX timeline_items_collection ON public.timeline_items USING btree (collection_key) WHERE (collection_key IS NOT NULL);

CREATE OR REPLACE FUNCTION public.add_holders(addresses text[], numbers bigint[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  updated bigint;
begin
  update lists.collection_sizes s set holders = s.holders + c.n
  from unnest(addresses, numbers) c (address, n)
  where s.address = c.address;
  get diagnostics updated = row_count;
  if updated < cardinality(addresses) then
    insert into lists.collection_sizes (address, holders, facet, is_public)
    select c.address, c.n, 0, false
    from unnest(addresses, numbers) c (address, n)
    where c.n > 0 and not exists (select from lists.collection_sizes s where s.address = c.address);
  end if;
end
$function$
;

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
declare
  outer_correction text := begin_correction(tg_table_name);
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
  perform begin_correction(outer_correction);
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
    select c.oid::regclass as name, n.nspname <> 'public' as is_maintained
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where (n.nspname in ('public', 'lists') or n.nspname in (select i.name from public.installed i))
      and c.relkind in ('r', 'p')
      -- Outside the model: revoking a key or renewing a lease never waits behind an import.
      and c.relname not in ('api_keys', 'feed_lease', 'import_checkpoints', 'import_keys', 'installed',
        'journal_lock', 'schema_migrations', 'turns', 'writer_lock')
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

CREATE OR REPLACE FUNCTION public.begin_correction(of_table text)
 RETURNS text
 LANGUAGE sql
AS $function$
  select coalesce(current_setting('commonhall.correction', true), '') || left(set_config('commonhall.correction', of_table, true), 0)
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

CREATE OR REPLACE FUNCTION public.first_rows(query text, given text[], most_records integer, most_bytes integer)
 RETURNS TABLE(place text, record text, person text)
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  bytes bigint := 0;
  records integer := 0;
begin
  for place, record, person in execute query using given loop
    if record is not null then
      bytes := bytes + octet_length(record);
      if records = most_records or bytes > most_bytes and records > 0 then
        return;
      end if;
      records := records + 1;
    end if;
    return next;
  end loop;
  place := null;
  record := null;
  person := null;
  return next;
end
$function$
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

CREATE OR REPLACE FUNCTION public.flip_holders(addresses text[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 UPDATE collection_holders h SET is_collection_public = c.is_public
    FROM collections c
   WHERE (((c.address)::text = ANY (flip_holders.addresses)) AND ((h.collection_address)::text = (c.address)::text) AND (h.is_collection_public <> c.is_public));
END
;

CREATE OR REPLACE FUNCTION public.follow_at_once(changed text[])
 RETURNS SETOF text
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from lists.collections_in_steps where address = any (changed);
  if current_setting('commonhall.in_steps', true) = 'on' then
    insert into lists.collections_in_steps (address)
    select s.address from lists.collection_sizes s
    where s.address = any (changed) and s.is_public and s.holders > 5000;
  end if;
  return query select unnest(changed) except select address from lists.collections_in_steps;
end
$function$
;

CREATE OR REPLACE FUNCTION public.follow_bounties()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  ids text[];
begin
  select array_agg(c.id) into ids from (
    select id
    from (
      select id from new_rows where is_public and submissions_visible
      union all
      select id from old_rows where is_public and submissions_visible
    ) b
    group by id
    having count(*) = 1
  ) c;
  if ids is not null then
    update bounty_submissions s set is_bounty_open = not s.is_bounty_open
    from bounties b
    where b.id = any (ids) and s.bounty_id = b.id and s.is_bounty_open <> (b.is_public and b.submissions_visible);
  end if;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.follow_collections()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  addresses text[];
  keys text[];
begin
  if tg_op = 'TRUNCATE' then
    delete from lists.collection_sizes;
    delete from lists.collections_in_steps;
    update timeline_items set is_badge_public = false where collection_key is not null and is_badge_public;
  elsif tg_op = 'DELETE' then
    -- One statement may delete a row and insert another with its key.
    delete from lists.collection_sizes s using old_rows o
    where s.address = o.address and not exists (select from collections c where c.address = o.address);
    delete from lists.collections_in_steps s where not exists (select from collections c where c.address = s.address);
    perform flip_badges(array(select o.address_key from old_rows o where o.is_public));
  else
    if tg_op = 'UPDATE' then
      -- Not by a join of the two: a session caches the plan for one row, which takes quadratic time for many.
      delete from lists.collection_sizes s using (select address from old_rows except select address from new_rows) o
      where s.address = o.address;
    end if;
    -- From the table and not from new_rows: a trigger may have changed the row since.
    insert into lists.collection_sizes as s (address, facet, is_public)
    select c.address, c.facet, c.is_public
    from new_rows n
    join collections c on c.address = n.address
    on conflict (address) do update set facet = excluded.facet, is_public = excluded.is_public
    where (s.facet, s.is_public) <> (excluded.facet, excluded.is_public);
    if tg_op = 'INSERT' then
      perform flip_badges(array(select n.address_key from new_rows n where n.is_public));
    else
      select array_agg(c.address), array_agg(c.address_key) into addresses, keys
      from (
        select address, address_key
        from (select * from new_rows where is_public union all select * from old_rows where is_public) b
        group by 1, 2
        having count(*) = 1
      ) c;
      if addresses is not null then
        perform flip_badges(array_agg(c.key)), flip_holders(array_agg(c.address))
        from unnest(addresses, keys) c (address, key)
        where c.address in (select follow_at_once(addresses))
        having count(*) > 0;
      end if;
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
    delete from lists.launch_weeks;
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

CREATE OR REPLACE FUNCTION public.is_submission_public(is_taken_down boolean, visibility text, status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN is_shown(is_taken_down, visibility, (status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'WINNER'::text])))
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
        return jsonb_typeof(given) = 'number' and scale(given::numeric) = 0; -- 7.0 would leave as 7.0
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

CREATE OR REPLACE FUNCTION public.json_members(value json)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN substr((value)::text, 2, (length((value)::text) - 2))
;

CREATE OR REPLACE FUNCTION public.keep_score_tiers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a score dimension cannot be deleted; update its row'
    using errcode = 'restrict_violation', constraint = 'score_tiers_complete';
end
$function$
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
declare
  outer_correction text := begin_correction('timeline_items');
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
  perform begin_correction(outer_correction);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.maintain_holders()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (
    select from new_rows n join collections c on c.address = n.collection_address
    where c.is_public <> n.is_collection_public
  ) then
    update collection_holders h set is_collection_public = c.is_public
    from new_rows n
    join collections c on c.address = n.collection_address
    where h.user_id = n.user_id and h.collection_address = n.collection_address and h.is_collection_public <> c.is_public;
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

CREATE OR REPLACE FUNCTION public.maintain_sizes()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'TRUNCATE' then
    update lists.collection_sizes set holders = 0 where holders <> 0;
  elsif tg_op = 'INSERT' then
    perform add_holders(array_agg(c.address), array_agg(c.n))
    from (select collection_address::text as address, count(*) as n from new_rows group by 1) c;
  elsif tg_op = 'DELETE' then
    perform add_holders(array_agg(c.address), array_agg(c.n))
    from (select collection_address::text as address, -count(*) as n from old_rows group by 1) c;
  else
    perform add_holders(array_agg(c.address), array_agg(c.n))
    from (
      select b.address, sum(b.n)::bigint as n
      from (
        select collection_address::text as address, 1 as n from new_rows
        union all
        select collection_address::text, -1 from old_rows
      ) b
      group by 1
      having sum(b.n) <> 0
    ) c
    having count(*) > 0;
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
    delete from lists.submission_tracks k using old_rows o
    where k.id = o.id and not exists (select from contest_submissions s where s.id = o.id);
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

CREATE OR REPLACE FUNCTION public.maintain_submissions()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (
    select from new_rows n join bounties b on b.id = n.bounty_id
    where (b.is_public and b.submissions_visible) <> n.is_bounty_open
  ) then
    update bounty_submissions s set is_bounty_open = b.is_public and b.submissions_visible
    from new_rows n
    join bounties b on b.id = n.bounty_id
    where s.id = n.id and s.is_bounty_open <> (b.is_public and b.submissions_visible);
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
 DELETE FROM lists.launch_weeks w
   WHERE ((w.week = ANY (rank_launch_weeks.weeks)) AND (NOT (EXISTS ( SELECT
            FROM lists.launch_week_ranks r
           WHERE (r.week = w.week)))));
 INSERT INTO lists.launch_weeks AS w (week, launches)  SELECT r.week,
             count(*) AS count
            FROM lists.launch_week_ranks r
           WHERE (r.week = ANY (rank_launch_weeks.weeks))
           GROUP BY r.week ON CONFLICT(week) DO UPDATE SET launches = excluded.launches
   WHERE (w.launches <> excluded.launches);
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
RETURN translate(lower((NORMALIZE(value, NFC) COLLATE "und-x-icu")), 'ς'::text, 'σ'::text)
;

CREATE OR REPLACE FUNCTION public.search_patterns(words json)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT (('%'::text || search_form(w.value)) || '%'::text) FROM json_array_elements_text(search_patterns.words) w(value))
;

CREATE OR REPLACE FUNCTION public.show_some(most integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  next_one record;
  shown bigint := 0;
  repair text := coalesce(current_setting('commonhall.repair', true), '');
begin
  if not exists (select from lists.collections_in_steps) then
    return false;
  end if;
  perform take_writer_lock();
  select s.address, c.address_key, c.is_public into next_one
  from lists.collections_in_steps s
  left join collections c using (address)
  order by s.address
  limit 1;
  if not found then
    return false;
  end if;
  perform set_config('commonhall.repair', 'on', true); -- else only triggers may write what is maintained
  if next_one.is_public then
    update collection_holders h set is_collection_public = true
    from (
      select user_id from collection_holders
      where collection_address = next_one.address and not is_collection_public
      limit most
    ) n
    where h.user_id = n.user_id and h.collection_address = next_one.address;
    get diagnostics shown = row_count;
    if shown = 0 then
      update timeline_items t set is_badge_public = true
      from (
        select user_id, id from timeline_items
        where collection_key = next_one.address_key and not is_badge_public
        limit most
      ) n
      where t.user_id = n.user_id and t.id = n.id;
      get diagnostics shown = row_count;
    end if;
  end if;
  if shown = 0 then
    delete from lists.collections_in_steps where address = next_one.address;
  end if;
  perform set_config('commonhall.repair', repair, true);
  return true;
end
$function$
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

CREATE OR REPLACE FUNCTION lists.at_commit_only()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if pg_trigger_depth() > 1 then
    raise exception 'lists are reorganised at commit' using errcode = 'feature_not_supported',
      hint = 'leave out SET CONSTRAINTS ... IMMEDIATE';
  end if;
end
$function$
;

CREATE OR REPLACE FUNCTION lists.blank_changes(person text, tables text[], hash text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  outer_repair text := current_setting('commonhall.repair', true);
begin
  perform set_config('commonhall.repair', 'on', true);
  with blanked as (
    update lists.changes set table_name = '', key = '{}', is_whole = false
    where table_name = any (tables) and key[1] = person
    returning 1
  )
  insert into lists.changes (table_name, key) select 'erasures', array[hash] where exists (select from blanked);
  perform set_config('commonhall.repair', coalesce(outer_repair, ''), true);
end
$function$
;

CREATE OR REPLACE FUNCTION lists.changes_after_load(since bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform take_writer_lock();
  if (select count(*) from (select from lists.changes where id > since limit 100001) c) > 100000 then
    perform lists.restart_changes();
  else
    perform lists.trim_changes();
  end if;
end
$function$
;

CREATE OR REPLACE FUNCTION lists.restart_changes()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  outer_repair text := current_setting('commonhall.repair', true);
begin
  perform set_config('commonhall.repair', 'on', true);
  delete from lists.changes;
  insert into lists.changes (table_name, key) values ('', '{}');
  perform set_config('commonhall.repair', coalesce(outer_repair, ''), true);
end
$function$
;

CREATE OR REPLACE FUNCTION lists.trim_changes()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  outer_repair text := current_setting('commonhall.repair', true);
begin
  perform set_config('commonhall.repair', 'on', true);
  delete from lists.changes where id in (
    select o.id
    from (select c.id, c.at from lists.changes c order by c.id limit 10000) o
    cross join (select max(id) as id from lists.changes) newest
    where o.id < newest.id and (o.at < api_now() - interval '7 days' or o.id <= newest.id - 5000000)
  );
  perform set_config('commonhall.repair', coalesce(outer_repair, ''), true);
end
$function$
;

CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.agents FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.agents REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();
CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.agents REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();
CREATE TRIGGER reject_is_taken_down_insert AFTER INSERT ON public.agents FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');
CREATE TRIGGER reject_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.agents FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.bounties FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.bounties REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();
CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.bounties REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();
CREATE TRIGGER follow_bounties_update AFTER UPDATE ON public.bounties REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_bounties();
CREATE TRIGGER reject_is_taken_down_insert AFTER INSERT ON public.bounties FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');
CREATE TRIGGER reject_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.bounties FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.bounty_submission_makers FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.bounty_submissions FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.bounty_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();
CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.bounty_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();
CREATE TRIGGER bound_rows_insert AFTER INSERT ON public.bounty_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bound_rows();
CREATE TRIGGER bound_rows_update AFTER UPDATE ON public.bounty_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION bound_rows();
CREATE TRIGGER maintain_submissions_insert AFTER INSERT ON public.bounty_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_submissions();
CREATE TRIGGER maintain_submissions_update AFTER UPDATE ON public.bounty_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_submissions();
CREATE TRIGGER reject_is_bounty_open_insert AFTER INSERT ON public.bounty_submissions FOR EACH ROW WHEN (((new.is_bounty_open <> true) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_bounty_open');
CREATE TRIGGER reject_is_bounty_open_update AFTER UPDATE OF is_bounty_open ON public.bounty_submissions FOR EACH ROW WHEN (((old.is_bounty_open <> new.is_bounty_open) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_bounty_open');
CREATE TRIGGER reject_is_taken_down_insert AFTER INSERT ON public.bounty_submissions FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');
CREATE TRIGGER reject_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.bounty_submissions FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.collection_contests FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.collection_holders FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER maintain_holders_insert AFTER INSERT ON public.collection_holders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_holders();
CREATE TRIGGER maintain_holders_update AFTER UPDATE ON public.collection_holders REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_holders();
CREATE TRIGGER maintain_sizes_delete AFTER DELETE ON public.collection_holders REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_sizes();
CREATE TRIGGER maintain_sizes_insert AFTER INSERT ON public.collection_holders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_sizes();
CREATE TRIGGER maintain_sizes_truncate AFTER TRUNCATE ON public.collection_holders FOR EACH STATEMENT EXECUTE FUNCTION maintain_sizes();
CREATE TRIGGER maintain_sizes_update AFTER UPDATE ON public.collection_holders REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_sizes();
CREATE TRIGGER reject_is_collection_public_insert AFTER INSERT ON public.collection_holders FOR EACH ROW WHEN (((new.is_collection_public <> true) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_collection_public');
CREATE TRIGGER reject_is_collection_public_update AFTER UPDATE OF is_collection_public ON public.collection_holders FOR EACH ROW WHEN (((old.is_collection_public <> new.is_collection_public) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_collection_public');
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.collections FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.collections REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();
CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.collections REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();
CREATE TRIGGER follow_collections_delete AFTER DELETE ON public.collections REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_collections();
CREATE TRIGGER follow_collections_insert AFTER INSERT ON public.collections REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_collections();
CREATE TRIGGER follow_collections_truncate AFTER TRUNCATE ON public.collections FOR EACH STATEMENT EXECUTE FUNCTION follow_collections();
CREATE TRIGGER follow_collections_update AFTER UPDATE ON public.collections REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION follow_collections();
CREATE TRIGGER reject_is_taken_down_insert AFTER INSERT ON public.collections FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');
CREATE TRIGGER reject_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.collections FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.contest_submission_supporters FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.contest_submissions FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.contest_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();
CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.contest_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();
CREATE TRIGGER maintain_submission_tracks_delete AFTER DELETE ON public.contest_submissions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_submission_tracks();
CREATE TRIGGER maintain_submission_tracks_insert AFTER INSERT ON public.contest_submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_submission_tracks();
CREATE TRIGGER maintain_submission_tracks_truncate AFTER TRUNCATE ON public.contest_submissions FOR EACH STATEMENT EXECUTE FUNCTION maintain_submission_tracks();
CREATE TRIGGER maintain_submission_tracks_update AFTER UPDATE ON public.contest_submissions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_submission_tracks();
CREATE TRIGGER reject_is_taken_down_insert AFTER INSERT ON public.contest_submissions FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');
CREATE TRIGGER reject_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.contest_submissions FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.contests FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.contests REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();
CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.contests REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();
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
CREATE TRIGGER reject_is_taken_down_insert AFTER INSERT ON public.launches FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');
CREATE TRIGGER reject_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.launches FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.changes FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.changes FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collection_sizes FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collection_sizes FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_in_steps FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.collections_in_steps FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launch_topics FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launch_topics FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launch_week_ranks FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launch_week_ranks FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launch_weeks FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.launch_weeks FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.submission_tracks FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER b_reject_write BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON lists.submission_tracks FOR EACH STATEMENT WHEN ((NOT is_internal_write())) EXECUTE FUNCTION reject_write();
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.outbox_rows FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.rejected_changes FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.repositories FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.repositories REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();
CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.repositories REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();
CREATE TRIGGER reject_is_taken_down_insert AFTER INSERT ON public.repositories FOR EACH ROW WHEN (((new.is_taken_down <> false) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');
CREATE TRIGGER reject_is_taken_down_update AFTER UPDATE OF is_taken_down ON public.repositories FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) AND (NOT is_internal_write()))) EXECUTE FUNCTION reject_write('is_taken_down');
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.score_tiers FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER keep_all_score_tiers BEFORE TRUNCATE ON public.score_tiers FOR EACH STATEMENT EXECUTE FUNCTION keep_score_tiers();
CREATE TRIGGER keep_score_tiers BEFORE DELETE ON public.score_tiers FOR EACH ROW EXECUTE FUNCTION keep_score_tiers();
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.sponsor_members FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.sponsors FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.takedowns FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER maintain_takedown AFTER INSERT OR DELETE OR UPDATE ON public.takedowns FOR EACH ROW EXECUTE FUNCTION maintain_takedown();
CREATE TRIGGER reject_truncate BEFORE TRUNCATE ON public.takedowns FOR EACH STATEMENT EXECUTE FUNCTION reject_write('', 'cannot be truncated: delete its rows');
CREATE TRIGGER spell_takedown BEFORE INSERT OR UPDATE ON public.takedowns FOR EACH ROW EXECUTE FUNCTION spell_takedown();
CREATE TRIGGER a_writer_lock BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.timeline_items FOR EACH STATEMENT EXECUTE FUNCTION take_writer_lock_first();
CREATE TRIGGER apply_takedowns_insert AFTER INSERT ON public.timeline_items REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();
CREATE TRIGGER apply_takedowns_update AFTER UPDATE ON public.timeline_items REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_takedowns();
CREATE TRIGGER maintain_badges_insert AFTER INSERT ON public.timeline_items REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_badges();
CREATE TRIGGER maintain_badges_update AFTER UPDATE ON public.timeline_items REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION maintain_badges();
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

grant select on installed to commonhall_reader;

grant select on launch_claps to commonhall_reader;

grant select on launch_makers to commonhall_reader;

grant select on launch_topics to commonhall_reader;

grant select on launches to commonhall_reader;

grant select on lists.changes to commonhall_reader;

grant select on lists.collection_sizes to commonhall_reader;

grant select on lists.collections_in_steps to commonhall_reader;

grant select on lists.launch_topics to commonhall_reader;

grant select on lists.launch_week_ranks to commonhall_reader;

grant select on lists.launch_weeks to commonhall_reader;

grant select on lists.submission_tracks to commonhall_reader;

grant select on outbox_rows to commonhall_reader;

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

grant select (key) on rejected_changes to commonhall_reader;

grant select (table_name) on rejected_changes to commonhall_reader;

grant update (last_used_on) on api_keys to commonhall_key_writer;
