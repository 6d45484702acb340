-- The tables of a small platform. It knows nothing of Commonhall.

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
