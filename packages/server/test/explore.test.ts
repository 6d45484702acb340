// The pages for people: one for every operation, every state, hostile data, nothing hidden, and what they cost.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { test } from 'node:test';
import { operations } from '@commonhall/contract';
import type { Operation } from '@commonhall/contract/operation';
import { urlOf } from '@commonhall/contract/url';
import { populate } from '../../../test/helpers/community.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { setStage } from './helpers/stage.ts';

const pictures = 'https://img.example';
const world = await createWorld();
const { calls } = await populate(world);
const api = await world.serve({ COMMUNITY_NAME: 'The <Hall>', EXPLORER_IMAGE_ORIGINS: pictures });
const get = (path: string, init?: RequestInit) => fetch(api.url + path, { redirect: 'manual', ...init });
const read = async (path: string, status = 200): Promise<string> => {
  const response = await get(path);
  assert.equal(response.status, status, path);
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8', path);
  assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'.*script-src 'none'/, path);
  return response.text();
};
const all = Object.values<Operation>(operations);

test('every operation has its page: one heading, the request as JSON, curl, TypeScript and command line, no script and no style attribute', async () => {
  for (const operation of all) {
    const path = urlOf('', operation.id, calls[operation.id].visible);
    const text = await read(`/explore${path}`);
    assert.equal(text.match(/<h1[ >]/g)?.length, 1, path);
    assert.doesNotMatch(text, /<script|<style|\sstyle=|\son\w+=/i, path);
    assert.ok(text.includes(`<b>GET</b>${path.replaceAll('&', '&amp;')}`), path);
    assert.ok(text.includes(`hall.${operation.id}(`), path);
    const command = operation.id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    assert.ok(text.includes(`commonhall-api ${command}`), path);
  }
  for (const path of ['/explore', '/explore/operations', '/explore/search']) await read(path);
});

test('pages never read a credential: the bytes are the same with one, and an operation that needs one only says so', async () => {
  const headers = { authorization: `Bearer ${calls.listMyBounties.token}` };
  for (const path of ['/explore/launches/product-1', '/explore/bounties/me', '/explore/bounties/write-docs']) {
    const [without, withOne] = [await (await get(path)).text(), await (await get(path, { headers })).text()];
    assert.equal(withOne, without, path);
  }
  assert.match(await read('/explore/bounties/me'), /Needs an API key/);
});

test('states: past the end, no match, wrong parameters, nothing here, empty fields of a form, null', async () => {
  assert.match(await read('/explore/launches?page=900'), /There is no page 900: launches end at page/);
  assert.match(await read('/explore/bounties?category=none'), /No bounties match/);
  const wrong = await read('/explore/launches?page=0', 400);
  assert.match(wrong, /parameter `page` must be an integer from 1/);
  assert.match(await read('/explore/launches?limit=5', 400), /did you mean `pageSize`/);
  assert.match(await read('/explore/users/alice?year=x', 400), /`year`/);
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
    for (const path of ['', '/launches', '/users/alice', '/search', '/launches/none'])
      assert.ok((await read(`/explore${path}?${name}=x`, 400)).includes(name), path);
  for (const path of [
    '/explore/launches/none',
    '/explore/launches/draft-launch',
    '/explore/nowhere',
    '/explore/users/exile',
  ])
    assert.match(await read(path, 404), /404 NOT_FOUND/, path);
  for (const { path } of all.filter((operation) => operation.path.includes('{')))
    for (const name of ['.', '..', '%2E%2e', '']) {
      // Not by fetch, which removes dot segments.
      const asked = request(api.url, { path: `/explore${path.replaceAll(/\{\w+\}/g, name)}` }).end();
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      response.resume();
      assert.equal(response.statusCode, 404, `${path} with ${name}`);
    }
  const failed = await get('/explore/launches/none');
  assert.equal(failed.headers.get('cache-control'), 'no-store');
  const form = await get('/explore/repositories?q=&sortBy=&category=infra');
  assert.deepEqual([form.status, form.headers.get('location')], [308, '/explore/repositories?category=infra']);
  assert.match(await read('/explore/agents/helper'), /not given/);
  assert.match(await read('/explore/users/alice?year=1999'), /Nothing happened in 1999/);
  // Elsewhere failures are always in the envelope.
  assert.equal(
    (await get('/nowhere', { headers: { accept: 'text/html' } })).headers.get('content-type'),
    'application/json; charset=utf-8',
  );
});

test('any page of a list can be typed, and a filter panel has the counts of the API', async () => {
  const { groups } = await api.client.countBounties({ by: 'status' });
  const text = await read('/explore/bounties');
  for (const { value, count } of groups[0]!.values)
    assert.match(
      text,
      new RegExp(`href="/explore/bounties\\?status=${value}"[^>]*><bdi>[^<]*</bdi><span class="n soft">${count}<`),
    );
  assert.match(text, /<input class="page" name="page"/);
});

test('a page costs the sum of its calls, and over the limit it is 429 as a page with Retry-After', async () => {
  const limited = await world.serve({ RATE_LIMIT_PER_ADDRESS: '60' });
  let [pages, last] = [0, await fetch(`${limited.url}/explore/users/alice`)];
  for (; last.status === 200; pages++) last = await fetch(`${limited.url}/explore/users/alice`);
  // Eight calls, of which two are counts in groups: 16 units, and more for the time of the database.
  assert.ok(pages >= 1 && pages <= 3, `${pages} pages`);
  assert.equal(last.status, 429);
  assert.match(last.headers.get('retry-after') ?? '', /^\d+$/);
  assert.match(await last.text(), /<h1><bdi>Too many requests/);
});

test('while the database is unavailable a page is 503 in the same frame', async () => {
  const slow = await world.serve({ STATEMENT_TIMEOUT_MS: '300' });
  await world.owner.query('begin; lock table launches');
  const response = await fetch(`${slow.url}/explore/launches`);
  await world.owner.query('rollback');
  assert.equal(response.status, 503);
  assert.match(await response.text(), /503 SERVICE_UNAVAILABLE/);
});

test('without EXPLORER there are no pages: the envelope, and no link to them', async () => {
  const bare = await world.serve({ EXPLORER: 'false' });
  const response = await fetch(`${bare.url}/explore`);
  assert.deepEqual([response.status, ((await response.json()) as { code: string }).code], [404, 'NOT_FOUND']);
  assert.doesNotMatch(await (await fetch(bare.url)).text(), /explore/);
});

test('the name of the community is on its pages, at /, in feeds, in the API document and in llms.txt, escaped', async () => {
  assert.match(await read('/explore'), /The &lt;Hall&gt;/);
  assert.match(await (await get('/')).text(), /<h1>The &lt;Hall&gt;<\/h1>/);
  assert.equal(((await (await get('/openapi.json')).json()) as { info: { title: string } }).info.title, 'The <Hall>');
  assert.match(await (await get('/llms.txt')).text(), /^# The <Hall>\n/);
  for (const noun of ['launches', 'bounties', 'contests']) {
    const response = await get(`/explore/${noun}.atom`);
    assert.equal(response.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
    const text = await response.text();
    const ids = [...text.matchAll(/<entry>.*?<id>(.*?)<\/id>/gs)].map(([, id]) => id);
    assert.ok(ids.length > 20 && ids.length <= 50 && new Set(ids).size === ids.length, `${noun}: ${ids.length}`);
    assert.match(
      text,
      /^<\?xml version="1.0" encoding="utf-8"\?>\n<feed xmlns="http:\/\/www.w3.org\/2005\/Atom">\n<title>The &lt;Hall&gt;/,
    );
    assert.match(
      await read(`/explore/${noun}`),
      new RegExp(`type="application/atom\\+xml" href="/explore/${noun}.atom"`),
    );
  }
});

test('pages are cached as the API is: ETag and 304, gzip, never past midnight, the stylesheet for good', async () => {
  const response = await get('/explore/launches');
  assert.match(response.headers.get('cache-control') ?? '', /^public, max-age=[01], must-revalidate$/);
  const again = await get('/explore/launches', { headers: { 'if-none-match': response.headers.get('etag') ?? '' } });
  assert.equal(again.status, 304);
  const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(await response.text()) ?? [];
  const css = await get(style);
  assert.deepEqual([css.status, css.headers.get('cache-control')], [200, 'public, max-age=31536000, immutable']);
  assert.match(await (await get('/robots.txt')).text(), /^Disallow: \/explore\/\*\?\*q=$/m);
});

/** Follows every link below /explore, up to a bound, and returns the pages. */
const crawl = async (root: string, most: number): Promise<Map<string, string>> => {
  const pages = new Map<string, string>();
  const queue = ['/explore', '/explore/operations'];
  for (let path = queue.shift(); path !== undefined && pages.size < most; path = queue.shift()) {
    if (pages.has(path)) continue;
    const response = await fetch(root + path);
    const text = await response.text();
    // The examples of the operations are those of the sample data, which these data sets do not have.
    if (response.status !== 200) assert.equal(`${response.status} ${path}`, `404 ${path}`);
    if (response.status === 404) assert.ok(examples.has(path), `${path} is linked and is 404`);
    pages.set(path, text);
    for (const [, link] of text.matchAll(/<a\s[^>]*href="([^"]+)"/g)) {
      const target = link!.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replace(/#.*/, '');
      if (target.startsWith('/explore') && !pages.has(target)) queue.push(target);
    }
  }
  return pages;
};
const examples = new Set(all.map(({ id, example }) => urlOf('/explore', id, example)));

const hostile = [
  '<script>alert("marker-1")</script>',
  '"><img src=x onerror=alert(1)>',
  `' onmouseover='alert(1)`,
  '\u202Emarker right to left\u202C',
  '🙂'.repeat(50),
  'مرحبا <b>bold</b>',
  'x'.repeat(200),
];
const bombs = [
  '# h\n\n<script>alert(1)</script>\n\n[link](javascript:alert(1)) ![picture](https://evil.example/x.png) <https://ok.example>',
  '> '.repeat(20_000),
  '['.repeat(20_000),
  '*a_'.repeat(6_000),
  '`'.repeat(19_999),
  '- '.repeat(9_000),
  'x'.repeat(50_000),
];

test('hostile names, links and Markdown are text on every page; pictures come only from allowed origins; every link works', async () => {
  const evil = await createWorld();
  const { add } = evil;
  const urls = [
    'javascript:alert(1)',
    'https://evil.example/p.png',
    `${pictures}/p.png`,
    'https://user:pw@evil.example/',
    'ftp://x',
  ];
  await add('sponsors', { id: 's', slug: 's', name: hostile[0] });
  for (const [n, text] of hostile.entries()) {
    const [url, bomb] = [urls[n % urls.length]!, bombs[n]!];
    const stored = /^javascript/.test(url) ? null : url;
    await add('users', {
      id: `u${n}`,
      username: `u${n}`,
      display_name: text,
      bio: text,
      avatar: stored && { sm: stored, lg: stored },
      tags: [{ tag: text.slice(0, 50), tier: 'GOLD', contestName: null }],
    });
    await add('topics', { id: `p${n}`, slug: `p${n}`, name: text });
    await add('launches', {
      id: `l${n}`,
      slug: `l${n}`,
      name: text,
      tagline: text,
      description: bomb,
      logo_url: stored,
      cta_url: stored,
      website_url: stored,
      screenshot_urls: stored === null ? [] : [stored],
      submitted_by_id: `u${n}`,
    });
    await add('launch_topics', { launch_id: `l${n}`, topic_id: `p${n}` });
    await add('bounties', {
      id: `b${n}`,
      slug: `b${n}`,
      sponsor_id: 's',
      title: text,
      short_description: text,
      details: bomb,
      image_url: stored,
      category: text.slice(0, 50),
    });
    await add('bounty_submissions', {
      bounty_id: `b${n}`,
      user_id: `u${n}`,
      title: text,
      field_values: [{ label: text, type: 'url', value: urls[n % urls.length] }],
    });
    await add('contests', {
      id: `t${n}`,
      slug: `t${n}`,
      title: text,
      details: bomb,
      rules: bomb,
      prize_pool: text,
      created_by_id: 'u0',
      tracks: [{ id: 'x', name: text, description: null }, {}],
    });
    await add('collections', {
      address: `c${n}`,
      name: text,
      description: bomb,
      image: stored,
      type: text.slice(0, 50),
    });
    await add('collection_holders', { collection_address: `c${n}`, user_id: `u${n}` });
    await add('agents', {
      id: `a${n}`,
      name: `a${n}`,
      display_name: text,
      bio: bomb,
      owner_id: `u${n}`,
      category: text.slice(0, 50),
      website_url: stored,
    });
    await add('repositories', {
      platform_id: `r${n}`,
      owner: text,
      name: text,
      description: text,
      category: text.slice(0, 50),
    });
    await add('timeline_items', {
      user_id: `u${n}`,
      type: 'COMMIT',
      details: { message: text, url: urls[n % urls.length], deep: { a: [[{ b: text }]] } },
    });
  }
  const served = await evil.serve({ EXPLORER_IMAGE_ORIGINS: pictures });
  const pages = await crawl(served.url, 300);
  assert.ok(pages.size > 80, `${pages.size} pages`);
  for (const [path, text] of pages) {
    assert.doesNotMatch(text, /<script|<img src=x|<b>bold/i, path);
    // Attributes have their values in double quotes, in which quotes are escaped.
    for (const [tag] of text.matchAll(/<[a-z][^>]*>/gi)) {
      assert.doesNotMatch(tag.slice(1).replace(/"[^"]*"/g, '""'), /\son\w+=|['<]/i, `${path}: ${tag}`);
      assert.doesNotMatch(tag, /(href|action|src)="\s*(javascript|ftp|data:text)/i, `${path}: ${tag}`);
      if (tag.startsWith('<img')) assert.match(tag, /^<img src="https:\/\/img\.example\//, `${path}: ${tag}`);
    }
  }
});

test('nothing that is hidden is on any page, and every link works', async () => {
  const staged = await createWorld();
  await setStage(staged);
  const served = await staged.serve();
  const pages = await crawl(served.url, 400);
  assert.ok(pages.size > 60, `${pages.size} pages`);
  for (const [path, text] of pages) assert.ok(!/canary-/.test(text), path);
});

test('nouns without rows leave the bar and the home page, and an empty list says so', async () => {
  const empty = await createWorld();
  await empty.add('users', { id: 'u', username: 'u' });
  await empty.add('agents', { name: 'only', owner_id: 'u' });
  const served = await empty.serve();
  const home = await (await fetch(`${served.url}/explore`)).text();
  const [, bar = ''] = /<nav aria-label="Main">(.*?)<\/nav>/s.exec(home) ?? [];
  assert.deepEqual(
    [...bar.matchAll(/>([^<]+)<\/a>/g)].map(([, text]) => text),
    ['Agents', 'Search', 'API'],
  );
  assert.doesNotMatch(home, /Newest badges|Closing next|badges earned/);
  const list = await fetch(`${served.url}/explore/launches`);
  assert.equal(list.status, 200);
  assert.match(await list.text(), /There are no launches yet/);
});
