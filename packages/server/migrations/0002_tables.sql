-- The model. is_public is the only public/private predicate of each resource (gap G11): rows, lists, filters, totals
-- and counts all read it. is_taken_down is the operator's decision, written by a trigger. A slug may move from one row
-- to another within a transaction that defers its constraint.

create table users (
  id id_text primary key,
  username slug_text not null unique deferrable,
  display_name name_text not null, avatar avatar_json, bio short_text, status word_text not null,
  tags tags_json not null default '[]', god_mode boolean not null default false,
  -- For credentials and the user's own pages. Other objects show a user whatever the status (gap G12).
  is_public boolean not null generated always as (lower(status) in ('activated', 'active')) stored
);

create table agents (
  id id_text primary key,
  name slug_text not null unique deferrable,
  display_name name_text not null, agent_id name_text, bio long_text not null, avatar avatar_json,
  website_url url_text, services services_json not null default '[]',
  active boolean not null, x402_support boolean not null, supported_trust names_json not null default '[]',
  registrations jsonb not null default '[]' check (json_is_right(registrations,
    '[{"agentId": "integer", "agentRegistry": "text200"}]')),
  social_accounts jsonb not null default '[]' check (json_is_right(social_accounts,
    '[{"platform": "upper100", "username": "text200", "url": "text2048", "verified": "boolean"}]')),
  version term_text, category term_text, tags names_json not null default '[]', status word_text not null,
  visibility visibility_word, is_taken_down boolean not null default false,
  last_seen_at instant,
  owner_id id_text not null references users,
  created_at instant not null, updated_at instant not null, published_at instant not null,
  is_public boolean not null generated always as (is_shown(is_taken_down, visibility, status = 'PUBLISHED')) stored,
  -- A search word has no space: it is a part of this text exactly when it is a part of one of the two names.
  search_name text collate "C" not null generated always as (search_form(name || ' ' || display_name)) stored,
  facet bigint not null generated always as (facet_of(category)) stored
);
create index agents_owner on agents (owner_id);
create index agents_search on agents using gin (search_name gin_trgm_ops) where is_public;

create table sponsors (
  id id_text primary key,
  slug slug_text not null unique deferrable,
  name name_text not null, logo url_text,
  website url_text,
  search_name text collate "C" not null generated always as (search_form(name)) stored
);
create index sponsors_search on sponsors using gin (search_name gin_trgm_ops);

create table sponsor_members (
  sponsor_id id_text not null references sponsors on delete cascade,
  user_id id_text not null references users on delete cascade,
  role term_text not null,
  -- gap G7: MEMBER < ADMIN < OWNER; anything else is below MEMBER.
  is_member boolean not null generated always as (role in ('MEMBER', 'ADMIN', 'OWNER')) stored,
  primary key (user_id, sponsor_id)
);
create index sponsor_members_sponsor on sponsor_members (sponsor_id);

create table bounties (
  id id_text primary key,
  slug slug_text not null unique deferrable constraint bounties_reserved_slug check (slug <> 'me'),
  title name_text not null, short_description short_text not null, details long_text not null,
  category term_text not null, status word_text not null,
  visibility visibility_word, is_taken_down boolean not null default false,
  rewards jsonb not null default '[]' check (json_is_right(rewards, '[{"place": "integer", "amount": "number"}]')),
  image_url url_text, submission_start instant, submission_end instant, review_start instant, review_end instant,
  published_at instant, completed_at instant,
  fields jsonb not null default '[]' check (json_is_right(fields,
    '[{"label": "text200", "type": "text100", "required": "boolean"}]')),
  sponsor_id id_text not null references sponsors,
  submissions_visible boolean not null, created_at instant not null, updated_at instant not null,
  is_public boolean not null generated always as (
    is_shown(is_taken_down, visibility, status in ('OPEN', 'REVIEW', 'COMPLETED'))
  ) stored,
  -- gap G12: once this is true, all callers see who won.
  is_completed boolean not null generated always as (completed_at is not null or status = 'COMPLETED') stored,
  search_name text collate "C" not null generated always as (search_form(title)) stored,
  facet bigint not null generated always as (facet_of(status, category)) stored,
  -- gap G2: null comes last in both directions.
  end_up timestamptz not null generated always as (coalesce(submission_end, 'infinity')) stored,
  end_down timestamptz not null generated always as (coalesce(submission_end, '-infinity')) stored,
  constraint bounties_public_moment check (not is_public or published_at is not null)
);
create index bounties_search on bounties using gin (search_name gin_trgm_ops) where is_public;
create index bounties_of_members on bounties (sponsor_id, created_at, id);
create index bounties_all on bounties (created_at, id);

create function is_submission_public(is_taken_down boolean, visibility text, status text) returns boolean
language sql immutable parallel safe
return is_shown(is_taken_down, visibility, status in ('PENDING', 'APPROVED', 'WINNER'));
create table bounty_submissions (
  id id_text primary key,
  bounty_id id_text not null references bounties on delete cascade,
  user_id id_text not null references users,
  title name_text not null, description long_text not null, field_values field_values_json not null default '[]',
  additional_links links_json not null default '[]', image_url url_text, status word_text not null,
  visibility visibility_word, is_taken_down boolean not null default false,
  moderation_reason short_text,
  prize_place smallint check (prize_place between 1 and 100),
  comment_count count_integer not null default 0, clap_count count_integer not null default 0,
  reward_wallet_address term_text, created_at instant not null, updated_at instant not null,
  is_public boolean not null generated always as (is_submission_public(is_taken_down, visibility, status)) stored,
  -- Whether the bounty is public and shows its submissions; written by a trigger.
  is_bounty_open boolean not null default true,
  -- Whether the page of the author has it.
  is_in_profile boolean not null generated always as (
    is_submission_public(is_taken_down, visibility, status) and is_bounty_open
  ) stored
);
create index bounty_submissions_of_user on bounty_submissions (user_id, bounty_id, created_at, id);
create index bounty_submissions_winners on bounty_submissions (bounty_id, prize_place, created_at, id)
  where is_public and prize_place is not null;

create table bounty_submission_makers (
  submission_id id_text not null references bounty_submissions on delete cascade,
  user_id id_text not null references users on delete cascade,
  position smallint not null check (position between 1 and 100),
  primary key (user_id, submission_id),
  unique (submission_id, position) deferrable
);

create table topics (
  id id_text primary key,
  slug slug_text not null unique deferrable,
  name name_text not null
);

create table launches (
  id id_text primary key,
  slug slug_text not null unique deferrable constraint launches_reserved_slug check (slug <> 'featured'),
  name name_text not null, tagline short_text not null, description long_text not null, logo_url url_text,
  cta_url url_text, website_url url_text, code_host_url url_text, messenger_url url_text, mini_app_url url_text,
  microblog_url url_text, photo_social_url url_text, professional_network_url url_text, video_site_url url_text,
  video_url url_text, screenshot_urls urls_json not null default '[]', status word_text not null,
  visibility visibility_word, is_taken_down boolean not null default false,
  launch_week instant, rating safe_integer not null, launch_week_rating safe_integer not null,
  comment_count count_integer not null default 0,
  submitted_by_id id_text not null references users,
  featured_at instant, published_at instant, created_at instant not null, updated_at instant not null,
  -- spec 3.3: a launch that is not published is not shown, whatever its other columns say.
  is_public boolean not null generated always as (
    published_at is not null and is_shown(is_taken_down, visibility, status = 'LIVE')
  ) stored,
  -- The week as answers write it, and the order within it (gap G17) as one ascending text: rating descending,
  -- publishedAt ascending.
  week text collate "C" generated always as (iso_text(launch_week)) stored,
  week_order text collate "C" generated always as (
    lpad((9007199254740991 - launch_week_rating)::text, 17, '0') || iso_text(published_at)
  ) stored,
  search_name text collate "C" not null generated always as (search_form(name || ' ' || tagline)) stored,
  constraint launches_live_moments check (status <> 'LIVE' or num_nulls(published_at, launch_week) = 0),
  constraint launches_public_week check (not is_public or launch_week is not null)
);
create index launches_search on launches using gin (search_name gin_trgm_ops) where is_public;
create index launches_submitted_by on launches (submitted_by_id);
create index launches_featured on launches (featured_at, id) where is_public and featured_at is not null;

create table launch_topics (
  launch_id id_text not null references launches on delete cascade,
  topic_id id_text not null references topics on delete cascade,
  position smallint not null check (position between 1 and 100),
  primary key (topic_id, launch_id),
  unique (launch_id, position) deferrable
);

create table launch_makers (
  launch_id id_text not null references launches on delete cascade,
  user_id id_text not null references users on delete cascade,
  position smallint not null check (position between 1 and 100),
  primary key (user_id, launch_id),
  unique (launch_id, position) deferrable
);

create table launch_claps (
  launch_id id_text not null references launches on delete cascade,
  user_id id_text not null references users on delete cascade,
  claps integer not null check (claps > 0),
  primary key (launch_id, user_id)
);
create index launch_claps_user on launch_claps (user_id);

create table collections (
  address id_text primary key,
  name name_text not null, description long_text not null, image url_text, type term_text not null,
  importance term_text not null, is_sbt boolean not null, category term_text not null, is_winner boolean not null,
  source text collate "C" not null check (source in ('internal', 'external')),
  status word_text,
  visibility visibility_word, is_taken_down boolean not null default false,
  creator_address term_text, next_item_index safe_integer not null, external_link url_text,
  social_links urls_json not null default '[]', created_at instant not null, updated_at instant not null,
  on_chain_created_at instant,
  -- spec 3.2, the only deny-list: an internal DRAFT is never shown; a missing status is not DRAFT.
  is_public boolean not null generated always as (
    (source = 'external' or upper(coalesce(status, '')) <> 'DRAFT') and is_shown(is_taken_down, visibility, true)
  ) stored,
  address_key text collate "C" not null generated always as (canonical_address(address)) stored unique,
  search_name text collate "C" not null generated always as (search_form(name)) stored,
  facet bigint not null generated always as (facet_of(type, importance, is_sbt::text, category, source)) stored,
  -- gap G2: null comes last in both directions.
  chain_up timestamptz not null generated always as (coalesce(on_chain_created_at, 'infinity')) stored,
  chain_down timestamptz not null generated always as (coalesce(on_chain_created_at, '-infinity')) stored
);
create index collections_search on collections using gin (search_name gin_trgm_ops) where is_public;

-- gap G17: one row per collection and user; a user with five badges is one holder.
create table collection_holders (
  collection_address id_text not null references collections on delete cascade,
  user_id id_text not null references users on delete cascade,
  acquired_at instant not null,
  -- Whether the collection is public; written by a trigger.
  is_collection_public boolean not null default true,
  primary key (user_id, collection_address)
);

create table contests (
  id id_text primary key,
  slug slug_text not null unique deferrable,
  title name_text not null, short_description short_text not null, details long_text not null,
  rules long_text not null, prize_pool short_text not null, image_url url_text,
  judge_user_ids ids_json not null default '[]', status word_text not null,
  visibility visibility_word, is_taken_down boolean not null default false,
  direct_link_enabled boolean not null,
  -- gap G10: shown as given.
  fields objects_json, tracks objects_json not null default '[]', submission_start instant not null,
  submission_end instant not null, voting_start instant not null, voting_end instant not null,
  created_by_id id_text not null, -- shown as given; the user may be gone
  created_at instant not null, updated_at instant not null,
  is_public boolean not null generated always as (
    is_shown(is_taken_down, visibility, status in ('OPEN', 'VOTING', 'COMPLETED'))
  ) stored,
  search_name text collate "C" not null generated always as (search_form(title)) stored
);
create index contests_search on contests using gin (search_name gin_trgm_ops) where is_public;

create table collection_contests (
  collection_address id_text not null references collections on delete cascade,
  contest_id id_text not null references contests on delete cascade,
  role term_text not null,
  primary key (collection_address, contest_id, role)
);
create index collection_contests_contest on collection_contests (contest_id);

create table repositories (
  platform id_text not null, platform_id id_text not null, owner name_text not null, name name_text not null,
  category term_text, ecosystem term_text, description short_text, importance term_text, status word_text not null,
  contributors_count count_integer not null, platform_created_at instant, platform_updated_at instant,
  platform_pushed_at instant, created_at instant not null, updated_at instant not null,
  is_taken_down boolean not null default false,
  is_public boolean not null generated always as (not is_taken_down) stored,
  -- A part of the name or of the owner is a part of owner/name: one text serves all three searches.
  search_name text collate "C" not null generated always as (search_form(owner || '/' || name)) stored,
  facet bigint not null generated always as (facet_of(category, ecosystem, importance, platform, status)) stored,
  primary key (platform, platform_id)
);
create index repositories_search on repositories using gin (search_name gin_trgm_ops) where is_public;

create table contest_submissions (
  id id_text primary key,
  contest_id id_text not null references contests on delete cascade,
  user_id id_text not null references users,
  title name_text not null, description long_text not null, track_ids ids_json not null default '[]',
  image_url url_text, field_values field_values_json not null default '[]',
  additional_links links_json not null default '[]', status word_text not null,
  visibility visibility_word, is_taken_down boolean not null default false,
  moderation_reason short_text,
  clap_count count_integer, -- null: the number of supporters (gap G10)
  comment_count count_integer not null default 0,
  prize_place smallint check (prize_place between 1 and 100),
  repository_platform id_text, repository_platform_id id_text, created_at instant not null,
  updated_at instant not null,
  -- spec 3.1: only these two states are ever shown.
  is_public boolean not null generated always as (
    status in ('APPROVED', 'WINNER') and is_shown(is_taken_down, visibility, true)
  ) stored,
  check (num_nulls(repository_platform, repository_platform_id) <> 1),
  foreign key (repository_platform, repository_platform_id) references repositories on delete set null
);
create index contest_submissions_contest on contest_submissions (contest_id);
create index contest_submissions_user on contest_submissions (user_id);
create index contest_submissions_repository on contest_submissions (repository_platform, repository_platform_id);

create table contest_submission_supporters (
  submission_id id_text not null references contest_submissions on delete cascade,
  user_id id_text not null references users on delete cascade,
  voting_tier term_text not null, created_at instant not null,
  -- gap G17: the order of the preview.
  tier_place smallint not null generated always as (
    case voting_tier when 'PLATINUM' then 1 when 'GOLD' then 2 when 'SILVER' then 3 else 4 end
  ) stored,
  primary key (user_id, submission_id)
);
create index contest_submission_supporters_preview
  on contest_submission_supporters (submission_id, tier_place, created_at, user_id);

-- Keyed by user first, so that it can be partitioned by user.
create table timeline_items (
  user_id id_text not null references users on delete cascade,
  id id_text not null,
  type text collate "C" not null check (type in ('COMMIT', 'PR', 'BADGE_RECEIVED', 'GIFT_RECEIVED')),
  date instant not null,
  -- gap G10: any object, shown as given.
  details jsonb not null check (
    jsonb_typeof(details) = 'object' and octet_length(details::text) <= 400000 and json_is_sound(details)
  ),
  -- gap G13: the collection that a badge names, in its canonical form. It may not be loaded yet.
  collection_key text collate "C" generated always as (case when type = 'BADGE_RECEIVED'
    then nullif(coalesce(canonical_address(left(details ->> 'collectionAddress', 101)),
      left(details ->> 'collectionAddress', 101)), '') end) stored,
  -- Whether that collection is public, if the badge names one; written by a trigger.
  is_badge_public boolean not null default true,
  is_taken_down boolean not null default false,
  is_public boolean not null generated always as (is_badge_public and not is_taken_down) stored,
  primary key (user_id, id)
);
create index timeline_items_collection on timeline_items (collection_key) where collection_key is not null;

create table score_tiers (
  dimension text collate "C" primary key
    check (dimension in ('developer', 'builder', 'contributor', 'messenger', 'identity')),
  silver finite_number not null, gold finite_number not null, platinum_score finite_number not null,
  platinum_percentile finite_number not null,
  metrics jsonb not null check (json_is_right(metrics,
    '[{"key": "text100", "maxScore": "number", "description": "text500"}]')),
  is_sample boolean not null default false -- until the platform's own are loaded
);

insert into score_tiers (dimension, silver, gold, platinum_score, platinum_percentile, is_sample, metrics) values
  ('developer', 100, 400, 900, 99, true, '[
    {"key": "commits", "maxScore": 400, "description": "Commits to catalogued repositories"},
    {"key": "pullRequests", "maxScore": 400, "description": "Merged pull requests"},
    {"key": "repositories", "maxScore": 200, "description": "Catalogued repositories owned"}]'),
  ('builder', 100, 400, 900, 99, true, '[
    {"key": "launches", "maxScore": 400, "description": "Products launched"},
    {"key": "contestPrizes", "maxScore": 400, "description": "Prizes won in contests"},
    {"key": "bountyPrizes", "maxScore": 200, "description": "Prizes won in bounties"}]'),
  ('contributor', 50, 200, 500, 99, true, '[
    {"key": "reviews", "maxScore": 300, "description": "Reviews given to other builders"},
    {"key": "claps", "maxScore": 200, "description": "Support given to submissions and launches"}]'),
  ('messenger', 50, 200, 500, 99, true, '[
    {"key": "messages", "maxScore": 300, "description": "Activity in the community channels"},
    {"key": "helpfulAnswers", "maxScore": 200, "description": "Answers marked as helpful"}]'),
  ('identity', 20, 60, 100, 95, true, '[
    {"key": "connectedAccounts", "maxScore": 60, "description": "Verified accounts connected"},
    {"key": "badges", "maxScore": 40, "description": "Badges held"}]');

-- spec 2.13: a response has all dimensions. So tiers are replaced, never deleted.
create function keep_score_tiers() returns trigger
language plpgsql
as $$
begin
  raise exception 'a score dimension cannot be deleted; update its row'
    using errcode = 'restrict_violation', constraint = 'score_tiers_complete';
end
$$;
create trigger keep_score_tiers before delete on score_tiers for each row execute function keep_score_tiers();
create trigger keep_all_score_tiers before truncate on score_tiers
  for each statement execute function keep_score_tiers();

-- gap G11: rows that the operator has hidden. No load touches this table, so that deleting a row and loading it again
-- does not undo a takedown. The key is the values of the row's primary key, in its order.
create table takedowns (
  table_name text collate "C" not null,
  key text[] collate "C" not null check (array_position(key, null) is null),
  reason short_text, created_at instant not null,
  primary key (table_name, key)
);

-- Outside the model: the tables below are not written under the writer lock (0003), so that revoking a key never waits.

-- gap G6: only the keyed hash of a key is stored; the key itself is shown once, when it is made.
create table api_keys (
  id id_text primary key,
  user_id id_text not null references users on delete cascade,
  name name_text not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  created_at instant not null, revoked_at instant, expires_at instant,
  last_used_on date -- written by the server, only with the precision of a day
);
create index api_keys_user on api_keys (user_id);

-- The progress of an import: written in the transaction of each batch, deleted when the import is done.
create table import_checkpoints (
  table_name text primary key,
  -- The part of the file that is done: its length, and the SHA-256 by which the next run recognizes the file.
  bytes bigint not null, lines bigint not null, digest text not null,
  inserted bigint not null, changed bigint not null, unchanged bigint not null, rejected bigint not null,
  keyless_line bigint -- the first line whose key could not be read: nothing can be pruned by such a file
);
-- The keys found in a file up to now, as MD5: a key may occur in a file once. The key of a rejected record is here too,
-- so that pruning does not delete its row.
create table import_keys (
  table_name text not null, key uuid not null, is_rejected boolean not null default false,
  primary key (table_name, key)
);
