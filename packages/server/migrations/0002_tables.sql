-- Up Migration
-- The model. is_public is the one public/private predicate of each resource (gap G11): rows, lists, filters, totals
-- and counts all read it. Kept columns (holders_count, submission_count, clap_count) are written by triggers only.
set local lock_timeout = '5s';

create table users (
  id id_text primary key,
  username slug_text not null unique,
  display_name name_text not null,
  avatar jsonb check (avatar is null or is_avatar(avatar)),
  bio short_text,
  status name_text not null,
  tags jsonb not null default '[]' check (tags = '[]' or json_fits(tags, '[{"tag": "text100", "tier": "text100", "contestName": "text200?"}]')),
  god_mode boolean not null default false,
  is_public boolean not null generated always as (status in ('ACTIVATED', 'active')) stored,
  public_tags json not null generated always as (public_tags(tags)) stored
);

create table agents (
  id id_text primary key,
  name slug_text not null unique,
  display_name name_text not null,
  agent_id name_text,
  bio long_text not null,
  avatar jsonb check (avatar is null or is_avatar(avatar)),
  website_url url_text,
  services jsonb not null default '[]' check (services = '[]' or json_fits(services, '[{
    "name": "text100", "endpoint": "text2048", "description": "text500?", "version": "text100?",
    "capabilities": ["text100"], "mcpTools": ["text100"], "mcpResources": ["text100"], "mcpPrompts": ["text100"],
    "skills": ["text100"], "domains": ["text100"], "a2aSkills": ["text100"]
  }]')),
  active boolean not null,
  x402_support boolean not null,
  supported_trust jsonb not null default '[]' check (supported_trust = '[]' or json_fits(supported_trust, '["text100"]')),
  registrations jsonb not null default '[]' check (registrations = '[]' or json_fits(registrations, '[{"agentId": "integer", "agentRegistry": "registry"}]')),
  social_accounts jsonb not null default '[]' check (social_accounts = '[]' or json_fits(social_accounts,
    '[{"platform": "upper100", "username": "text100", "url": "text2048", "verified": "boolean"}]')),
  version name_text,
  category name_text,
  tags jsonb not null default '[]' check (tags = '[]' or json_fits(tags, '["text100"]')),
  status name_text not null,
  last_seen_at instant,
  owner_id id_text not null references users,
  created_at instant not null,
  updated_at instant not null,
  published_at instant not null,
  is_public boolean not null generated always as (status = 'PUBLISHED') stored
);
create index agents_owner on agents (owner_id);

create table sponsors (
  id id_text primary key,
  slug slug_text not null unique,
  name name_text not null,
  logo url_text,
  website url_text
);

create table sponsor_members (
  sponsor_id id_text not null references sponsors on delete cascade,
  user_id id_text not null references users on delete cascade,
  role name_text not null,
  -- gap G7: MEMBER < ADMIN < OWNER; anything else is below MEMBER.
  is_member boolean not null generated always as (role in ('MEMBER', 'ADMIN', 'OWNER')) stored,
  primary key (user_id, sponsor_id)
);
create index sponsor_members_sponsor on sponsor_members (sponsor_id);

create table bounties (
  id id_text primary key,
  slug slug_text not null unique,
  title title_text not null,
  short_description short_text not null,
  details long_text not null,
  category name_text not null,
  status name_text not null,
  rewards jsonb not null default '[]' check (rewards = '[]' or json_fits(rewards, '[{"place": "integer", "amount": "number"}]')),
  image_url url_text,
  submission_start instant,
  submission_end instant,
  review_start instant,
  review_end instant,
  published_at instant,
  completed_at instant,
  fields jsonb not null default '[]' check (fields = '[]' or json_fits(fields, '[{"label": "text200", "type": "text100", "required": "boolean"}]')),
  sponsor_id id_text not null references sponsors,
  submissions_visible boolean not null,
  submission_count integer not null default 0 check (submission_count >= 0),
  created_at instant not null,
  updated_at instant not null,
  is_public boolean not null generated always as (status in ('OPEN', 'REVIEW', 'COMPLETED')) stored,
  constraint bounties_public_moments check (
    not is_public
    or num_nulls(submission_start, submission_end, review_start, review_end, published_at) = 0
  )
);
create index bounties_of_sponsor on bounties (sponsor_id, published_at, id) where is_public;
create index bounties_of_members on bounties (sponsor_id, created_at, id);
create index bounties_all on bounties (created_at, id);

create table bounty_submissions (
  id id_text primary key,
  bounty_id id_text not null references bounties on delete cascade,
  user_id id_text not null references users,
  title title_text not null,
  description long_text not null,
  field_values jsonb not null default '[]' check (field_values = '[]' or json_fits(field_values, '[{"label": "text200", "type": "text100", "value": "text2048"}]')),
  additional_links jsonb not null default '[]' check (additional_links = '[]' or json_fits(additional_links, '[{"name": "text100", "value": "text2048"}]')),
  image_url url_text,
  status name_text not null,
  moderation_reason short_text,
  prize_place smallint check (prize_place between 1 and 100),
  comment_count count_integer not null default 0,
  clap_count count_integer not null default 0,
  reward_wallet_address id_text,
  created_at instant not null,
  updated_at instant not null,
  is_public boolean not null generated always as (status in ('PENDING', 'APPROVED', 'WINNER')) stored
);
create index bounty_submissions_public on bounty_submissions (bounty_id, created_at, id) where is_public;
create index bounty_submissions_all on bounty_submissions (bounty_id, created_at, id);
create index bounty_submissions_of_user on bounty_submissions (user_id, bounty_id);
-- gap G15: one winner a place, places 1 to 100; so the winners of a bounty are at most 100. Checked at the end of a
-- statement, so that one can exchange two prizes.
alter table bounty_submissions add constraint bounty_winners
  exclude using btree (bounty_id with =, prize_place with =) where (is_public and prize_place is not null) deferrable;

create table bounty_submission_makers (
  submission_id id_text not null references bounty_submissions on delete cascade,
  user_id id_text not null references users on delete cascade,
  position smallint not null check (position between 1 and 100),
  primary key (user_id, submission_id),
  unique (submission_id, position) deferrable
);

create table topics (
  id id_text primary key,
  slug slug_text not null unique,
  name name_text not null
);

create table launches (
  id id_text primary key,
  slug slug_text not null unique,
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
  screenshot_urls jsonb not null default '[]' check (screenshot_urls = '[]' or json_fits(screenshot_urls, '["text2048"]')),
  status name_text not null,
  launch_week instant
    check (launch_week = date_trunc('week', launch_week at time zone 'UTC') at time zone 'UTC'),
  rating safe_integer not null,
  launch_week_rating safe_integer not null,
  comment_count count_integer not null default 0,
  submitted_by_id id_text not null references users,
  featured_at instant,
  published_at instant,
  created_at instant not null,
  updated_at instant not null,
  is_public boolean not null generated always as (status = 'LIVE') stored,
  constraint launches_live_moments check (not is_public or num_nulls(published_at, launch_week) = 0)
);
create index launches_of_user on launches (submitted_by_id, published_at, id) where is_public;
create index launches_submitted_by on launches (submitted_by_id);
create index launches_featured on launches (featured_at, id) where is_public and featured_at is not null;
create index launches_of_week on launches (launch_week, launch_week_rating, published_at, id) where is_public;

-- weekRank, kept by a trigger. Beside the launch and not in it: a rank changes when another launch does, and must
-- neither wait for a writer of this launch nor rewrite its wide row.
create table launch_week_ranks (
  launch_id id_text primary key,
  launch_week instant not null,
  week_rank integer not null
);
create index launch_week_ranks_week on launch_week_ranks (launch_week);

create table launch_topics (
  launch_id id_text not null references launches on delete cascade,
  topic_id id_text not null references topics,
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
  name name_text not null,
  description long_text not null,
  image url_text,
  type name_text not null,
  importance name_text not null,
  is_sbt boolean not null,
  category name_text not null,
  is_winner boolean not null,
  source text collate "C" not null check (source in ('internal', 'external')),
  status name_text,
  creator_address id_text,
  next_item_index safe_integer not null,
  external_link url_text,
  social_links jsonb not null default '[]' check (social_links = '[]' or json_fits(social_links, '["text2048"]')),
  holders_count integer not null default 0 check (holders_count >= 0),
  created_at instant not null,
  updated_at instant not null,
  on_chain_created_at instant,
  -- spec 3.2, the one deny-list: external, or internal with a status that is set and not DRAFT.
  is_public boolean not null generated always as (source = 'external' or (status is not null and status <> 'DRAFT')) stored,
  address_key text collate "C" not null generated always as (canonical_address(address)) stored unique,
  search_name text collate "C" not null generated always as (search_form(name)) stored
);
create index collections_by_name on collections (name, address) where is_public;
create index collections_by_holders on collections (holders_count, address) where is_public;
create index collections_by_created on collections (created_at, address) where is_public;
create index collections_by_chain_up on collections (on_chain_created_at asc nulls last, address asc) where is_public;
create index collections_by_chain_down on collections (on_chain_created_at desc nulls last, address desc) where is_public;
create index collections_type on collections (type, created_at, address) where is_public;
create index collections_importance on collections (importance, created_at, address) where is_public;
create index collections_sbt on collections (is_sbt, created_at, address) where is_public;
create index collections_category on collections (category, created_at, address) where is_public;
create index collections_source on collections (source, created_at, address) where is_public;
create index collections_search on collections using gin (search_name gin_trgm_ops) where is_public;

-- gap G17: one row for a collection and a user; a user with five badges is one holder.
create table collection_holders (
  collection_address id_text not null references collections on delete cascade,
  user_id id_text not null references users on delete cascade,
  acquired_at instant not null,
  primary key (user_id, collection_address)
);
create index collection_holders_list on collection_holders (collection_address, acquired_at, user_id);

create table contests (
  id id_text primary key,
  slug slug_text not null unique,
  title title_text not null,
  short_description short_text not null,
  details long_text not null,
  rules long_text not null,
  prize_pool short_text not null,
  image_url url_text,
  judge_user_ids jsonb not null default '[]' check (judge_user_ids = '[]' or json_fits(judge_user_ids, '["text100"]')),
  status name_text not null,
  direct_link_enabled boolean not null,
  fields jsonb check (fields is null or json_fits(fields, '[{"label": "text200", "type": "text100", "required": "boolean"}]')),
  tracks jsonb not null default '[]' check (tracks = '[]' or json_fits(tracks,
    '[{"id": "text100", "name": "text100", "description": "text500?", "prizePool": "text500?"}]')),
  submission_start instant not null,
  submission_end instant not null,
  voting_start instant not null,
  voting_end instant not null,
  created_by_id id_text not null references users,
  created_at instant not null,
  updated_at instant not null,
  is_public boolean not null generated always as (status in ('OPEN', 'VOTING', 'COMPLETED')) stored
);
create index contests_list on contests (submission_start, id) where is_public;
create index contests_voting_end on contests (voting_end) where is_public;
create index contests_created_by on contests (created_by_id);

create table collection_contests (
  collection_address id_text not null references collections on delete cascade,
  contest_id id_text not null references contests on delete cascade,
  role name_text not null,
  primary key (collection_address, contest_id)
);
create index collection_contests_contest on collection_contests (contest_id);

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
  -- A part of the name or of the owner is a part of owner/name: one text serves all three.
  search_name text collate "C" not null generated always as (search_form(owner || '/' || name)) stored,
  primary key (platform, platform_id)
);
create index repositories_by_created on repositories (created_at, platform, platform_id);
create index repositories_by_updated on repositories (updated_at, platform, platform_id);
create index repositories_by_name on repositories (name, platform, platform_id);
create index repositories_by_owner on repositories (owner, platform, platform_id);
create index repositories_category on repositories (category, created_at, platform, platform_id);
create index repositories_ecosystem on repositories (ecosystem, created_at, platform, platform_id);
create index repositories_importance on repositories (importance, created_at, platform, platform_id);
create index repositories_platform on repositories (platform, created_at, platform_id);
create index repositories_status on repositories (status, created_at, platform, platform_id);
create index repositories_search on repositories using gin (search_name gin_trgm_ops);

create table contest_submissions (
  id id_text primary key,
  contest_id id_text not null references contests on delete cascade,
  user_id id_text not null references users,
  title title_text not null,
  description long_text not null,
  track_ids jsonb not null default '[]' check (track_ids = '[]' or json_fits(track_ids, '["text100"]')),
  image_url url_text,
  field_values jsonb not null default '[]' check (field_values = '[]' or json_fits(field_values, '[{"label": "text200", "type": "text100", "value": "text2048"}]')),
  additional_links jsonb not null default '[]' check (additional_links = '[]' or json_fits(additional_links, '[{"name": "text100", "value": "text2048"}]')),
  status name_text not null,
  moderation_reason short_text,
  clap_count integer not null default 0 check (clap_count >= 0),
  comment_count count_integer not null default 0,
  prize_place smallint check (prize_place between 1 and 100),
  repository_platform name_text,
  repository_platform_id id_text,
  created_at instant not null,
  updated_at instant not null,
  is_public boolean not null generated always as (status in ('APPROVED', 'WINNER')) stored,
  check (num_nulls(repository_platform, repository_platform_id) <> 1),
  foreign key (repository_platform, repository_platform_id) references repositories
);
create index contest_submissions_contest on contest_submissions (contest_id);
create index contest_submissions_user on contest_submissions (user_id);
create index contest_submissions_repository on contest_submissions (repository_platform, repository_platform_id);

create table contest_submission_supporters (
  submission_id id_text not null references contest_submissions on delete cascade,
  user_id id_text not null references users on delete cascade,
  voting_tier name_text not null,
  created_at instant not null,
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
  details jsonb not null,
  collection_address text collate "C"
    generated always as (case when type = 'BADGE_RECEIVED' then details ->> 'collectionAddress' end) stored
    references collections on delete cascade,
  -- False while the collection of a badge is not public; written by a trigger, whatever the writer says.
  is_public boolean not null default true,
  primary key (user_id, id),
  constraint timeline_items_details check (timeline_details_fit(type, details))
);
create index timeline_items_list on timeline_items (user_id, date, id) where is_public;
create index timeline_items_of_type on timeline_items (user_id, type, date, id) where is_public;
create index timeline_items_collection on timeline_items (collection_address) where collection_address is not null;

create table score_tiers (
  dimension text collate "C" primary key
    check (dimension in ('developer', 'builder', 'contributor', 'messenger', 'identity')),
  silver finite_number not null,
  gold finite_number not null,
  platinum_score finite_number not null,
  platinum_percentile finite_number not null,
  metrics jsonb not null check (json_fits(metrics, '[{"key": "text100", "maxScore": "number", "description": "text500"}]'))
);

insert into score_tiers (dimension, silver, gold, platinum_score, platinum_percentile, metrics) values
  ('developer', 100, 400, 900, 99, '[
    {"key": "commits", "maxScore": 400, "description": "Commits to catalogued repositories"},
    {"key": "pullRequests", "maxScore": 400, "description": "Merged pull requests"},
    {"key": "repositories", "maxScore": 200, "description": "Catalogued repositories owned"}]'),
  ('builder', 100, 400, 900, 99, '[
    {"key": "launches", "maxScore": 400, "description": "Products launched"},
    {"key": "contestPrizes", "maxScore": 400, "description": "Prizes won in contests"},
    {"key": "bountyPrizes", "maxScore": 200, "description": "Prizes won in bounties"}]'),
  ('contributor', 50, 200, 500, 99, '[
    {"key": "reviews", "maxScore": 300, "description": "Reviews given to other builders"},
    {"key": "claps", "maxScore": 200, "description": "Support given to submissions and launches"}]'),
  ('messenger', 50, 200, 500, 99, '[
    {"key": "messages", "maxScore": 300, "description": "Activity in the community channels"},
    {"key": "helpfulAnswers", "maxScore": 200, "description": "Answers marked as helpful"}]'),
  ('identity', 20, 60, 100, 95, '[
    {"key": "connectedAccounts", "maxScore": 60, "description": "Verified accounts connected"},
    {"key": "badges", "maxScore": 40, "description": "Badges held"}]');

-- gap G6: only the keyed hash of a key is stored; the key itself is shown once, when it is made.
create table api_keys (
  id id_text primary key,
  user_id id_text not null references users on delete cascade,
  name name_text not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  created_at instant not null,
  revoked_at instant
);
create index api_keys_user on api_keys (user_id);
