-- A few rows of the platform. They go through the outbox like any other change.

insert into members (id, handle, full_name, about, picture_url, state, is_admin) values
  ('00000000-0000-4000-8000-000000000001', 'ada', 'Ada Park', 'Compilers and cake', 'https://img.example/ada.png', 'active', false),
  ('00000000-0000-4000-8000-000000000002', 'ben', 'Ben Okoro', null, null, 'active', true),
  ('00000000-0000-4000-8000-000000000003', 'cleo', 'Cleo Marsh', null, null, 'suspended', false);

insert into companies (handle, title, homepage) values
  ('harbour', 'Harbour Labs', 'https://harbour.example'),
  ('quarry', 'Quarry', null);

insert into company_staff (company_id, member_id, rank) values
  (1, '00000000-0000-4000-8000-000000000002', 'boss'),
  (2, '00000000-0000-4000-8000-000000000001', 'helper');

insert into tasks (company_id, handle, headline, summary, body, kind, state, prizes, published_at, finished_at) values
  (1, 'tide-table', 'A tide table', 'Show the tides of a harbour', 'Any language.', 'development', 'open', '{500, 200}', '2026-03-01T09:00:00Z', null),
  (1, 'logo', 'A logo', 'Draw our logo', 'As SVG.', 'design', 'done', '{100}', '2026-01-10T09:00:00Z', '2026-02-01T09:00:00Z'),
  (2, 'not-yet', 'Not yet', 'A draft', 'Nobody sees this.', 'development', 'draft', '{}', null, null);

insert into entries (id, task_id, author_id, title, story, link, state, prize, wallet) values
  ('00000000-0000-4000-8000-000000000011', 2, '00000000-0000-4000-8000-000000000001', 'Anchor', 'One line.', 'https://ada.example/anchor', 'prize', 1, 'wallet-1'),
  ('00000000-0000-4000-8000-000000000012', 1, '00000000-0000-4000-8000-000000000003', 'Moon', 'By the moon.', null, 'waiting', null, null);

insert into products (owner_id, handle, name, tagline, story, homepage, screenshots, state, week, score, published_at) values
  ('00000000-0000-4000-8000-000000000001', 'buoy', 'Buoy', 'Keeps builds afloat', 'A build server.', 'https://buoy.example', '{https://img.example/buoy.png}', 'on_air', '2026-03-02', 41, '2026-03-02T08:00:00Z'),
  ('00000000-0000-4000-8000-000000000002', 'raft', 'Raft', 'Soon', 'Not ready.', null, '{}', 'building', null, 0, null);

insert into product_makers (product_id, member_id, place) values
  (1, '00000000-0000-4000-8000-000000000001', 1),
  (1, '00000000-0000-4000-8000-000000000002', 2);

insert into badges (address, name, story, kind, is_draft) values
  ('0x00000000000000000000000000000000000000aa', 'First tide', 'For the first entry.', 'achievement', false),
  ('0x00000000000000000000000000000000000000bb', 'Secret', 'Not announced.', 'achievement', true);

insert into badge_grants (badge_address, member_id, granted_at) values
  ('0x00000000000000000000000000000000000000aa', '00000000-0000-4000-8000-000000000001', '2026-02-01T09:00:00Z'),
  ('0x00000000000000000000000000000000000000bb', '00000000-0000-4000-8000-000000000002', '2026-02-02T09:00:00Z');
