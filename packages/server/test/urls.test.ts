// URLs that a browser may execute (gap G20): rejected in every column with a URL, by load and change; `verify` lists stored
// ones. Every other text is stored and shown as given.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { populate } from '../../../test/helpers/community.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { verify } from '../src/commands/verify.ts';
import { readConfig } from '../src/config.ts';
import { applyFile } from '../src/feed/file.ts';
import { recordCheck } from '../src/records/records.ts';
import { tables } from '../src/records/tables.ts';
import { isExecutable, storedExecutables } from '../src/records/urls.ts';
import { fileOf, load } from './helpers/dataset-files.ts';

const world = await createWorld();
const { add, owner } = world;
await populate(world);

const executable = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' \tjavascript:alert(1)',
  'java\nscript:alert(1)',
  '\r\njava\tscript\n:alert(1)',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://a.example/1',
  'data:text/html,<script>alert(1)</script>',
  'data:,x',
  'DATA:image/svg+xml,<svg onload=alert(1)>',
  'data:image/svg+xml;base64,AAAA',
  'data:image/png',
];
const harmless = [
  'https://a.example/?next=javascript:alert(1)',
  'javascript',
  'javascript alert(1)',
  '/javascript:alert(1)',
  'did:web:agent.example',
  'ipfs://bafy',
  'mailto:a@b.example',
  'data:image/png;base64,AAAA',
  'data:image/jpeg,x',
  'my-agent.eth',
  'blobs:x',
  '',
];

test('the check and the query of verify agree about every spelling', async () => {
  for (const [n, url] of [...executable, ...harmless].entries()) {
    assert.equal(isExecutable(url), n < executable.length, JSON.stringify(url));
    await add('sponsors', { id: `url-${n}`, slug: `url-${n}`, website: url });
  }
  const { count, first } = await storedExecutables(owner);
  const expected = executable.map((_, n) => `url-${n}`).sort();
  assert.deepEqual([count, first.map(({ key }) => key)], [executable.length, expected]);
  assert.deepEqual(new Set(first.map(({ table, column }) => `${table}.${column}`)), new Set(['sponsors.website']));
  const lines: string[] = [];
  assert.equal(
    await verify(readConfig({ DATABASE_URL: world.ownerUrl }), false, (line) => void lines.push(line)),
    false,
  );
  assert.ok(lines.includes('sponsors url-0: website could run as a program in a browser: "javascript:alert(1)"'));
  assert.ok(lines.some((line) => line.startsWith(`${executable.length} such URLs`)));
  await owner.query(`delete from sponsors where id like 'url-%'`);
  const fields = [
    { label: 'Demo', type: 'Url', value: 'javascript:1' },
    { label: 'Notes', type: 'text', value: 'javascript: a language' },
  ];
  await owner.query('update bounty_submissions set field_values = $1', [JSON.stringify(fields)]);
  const { rows } = await owner.query<{ n: number }>('select count(*)::integer as n from bounty_submissions');
  const stored = await storedExecutables(owner);
  assert.deepEqual([stored.count, stored.first[0]?.column], [rows[0]?.n, 'field_values']);
  await owner.query(`update bounty_submissions set field_values = '[]'`);
});

const url = 'javascript:alert(1)';
const places: Record<string, [column: string, value: unknown, at: string][]> = {
  users: [['avatar', { sm: url, lg: '' }, 'avatar.sm']],
  agents: [
    ['website_url', url, 'website_url'],
    ['avatar', { sm: '', lg: url }, 'avatar.lg'],
    ['social_accounts', [{ platform: 'X', username: 'a', url, verified: true }], 'social_accounts[0].url'],
  ],
  sponsors: [
    ['logo', url, 'logo'],
    ['website', url, 'website'],
  ],
  bounties: [['image_url', url, 'image_url']],
  bounty_submissions: [
    ['additional_links', [{ name: 'a', value: url }], 'additional_links[0].value'],
    ['field_values', [{ label: 'Demo', type: 'URL', value: url }], 'field_values[0].value'],
  ],
  contest_submissions: [['field_values', [{ label: 'Demo', type: 'url', value: url }], 'field_values[0].value']],
  timeline_items: [['details', { url, message: url }, 'details.url']],
  launches: [['screenshot_urls', ['https://a.example', url], 'screenshot_urls[1]']],
  collections: [['social_links', [url], 'social_links[0]']],
};
test('a record with such a URL in any column is rejected, with its place and what to do', () => {
  for (const [name, cases] of Object.entries(places)) {
    const check = recordCheck(tables.find((table) => table.name === name)!);
    for (const [column, value, at] of cases) {
      const found = check({ [column]: value }).filter((problem) => problem.at === at);
      assert.deepEqual(
        found.map(({ text, gap }) => [gap, text]),
        [['G20', `"${url}" could run as a program in a browser; write an address, like https://…`]],
        `${name}.${at}`,
      );
    }
  }
});

test('a load and a change reject it, and that alone does not hide the row', async () => {
  const row = (website: string) => ({ id: 'harbour', slug: 'harbour', name: 'Harbour', logo: null, website });
  const { rejected } = await load(world, fileOf('sponsors.ndjson', [JSON.stringify(row(url))]));
  assert.match(rejected.join(), /^rejected sponsors\.ndjson:1 harbour: website: "javascript:alert\(1\)" could run/);
  const { rows } = await owner.query(`select row_to_json(b) as record from (
    select id, slug, title, short_description, details, category, status, visibility, rewards, image_url,
      iso(submission_start) as submission_start, iso(submission_end) as submission_end, iso(review_start) as review_start,
      iso(review_end) as review_end, iso(published_at) as published_at, iso(completed_at) as completed_at, fields,
      sponsor_id, submissions_visible, iso(created_at) as created_at, iso(updated_at) as updated_at
    from bounties where is_public and visibility is null limit 1) b`);
  const { record } = rows[0] as { record: { id: string } };
  const change = { op: 'put', table: 'bounties', record: { ...record, image_url: url } };
  const { left } = await applyFile(owner, Readable.from([Buffer.from(`${JSON.stringify(change)}\n`)]));
  assert.match(left[0]?.reason ?? '', /^image_url: "javascript/);
  const { rows: after } = await owner.query('select is_public, visibility from bounties where id = $1', [record.id]);
  assert.deepEqual(after, [{ is_public: true, visibility: null }]);
});

test('other schemes and texts are loaded and shown as given', async () => {
  const lines = harmless.map((website, n) =>
    JSON.stringify({ id: `ok-${n}`, slug: `ok-${n}`, name: 'S', logo: null, website }),
  );
  assert.deepEqual((await load(world, fileOf('sponsors.ndjson', lines))).rejected, []);
  const { rows } = await owner.query<{ website: string }>(
    `select website from sponsors where id like 'ok-%' order by substr(id, 4)::integer`,
  );
  assert.deepEqual(
    rows.map(({ website }) => website),
    harmless,
  );
});
