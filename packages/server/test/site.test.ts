// The pages for people and language models besides the operations: /, /llms.txt, /docs/reference and its files.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { operations } from '@commonhall/contract';
import { errorStatus } from '@commonhall/contract/errors';
import type { Operation } from '@commonhall/contract/operation';
import { sitePaths } from '@commonhall/contract/site';
import { version } from '@commonhall/contract/version';
import { buildAssets } from '../../../release/assets.ts';
import { eventually, patient, serveProcess } from '../../../test/helpers/process.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { assetsFolder, readFiles } from '../src/site/files.ts';

const built = await buildAssets();
assert.ok(built !== null);
const scripts = built.reference.map(({ path }) => path);
const world = await createWorld();
const api = await world.serve({ BASE_PATH: '/v1', PUBLIC_URL: 'https://api.example' });
const at = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(api.url + path, { headers, method, redirect: 'manual' });
const page = () => at('/');
const policyOf = (response: Response): Record<string, string> =>
  Object.fromEntries(
    (response.headers.get('content-security-policy') ?? '').split('; ').map((part) => {
      const [directive = '', ...sources] = part.split(' ');
      return [directive, sources.join(' ')];
    }),
  );
const reference = `${sitePaths.reference}/${scripts[0]}`;

test('HEAD, OPTIONS, other methods, unknown parameters and log lines behave as for operations', async () => {
  const names = {
    '/': 'home',
    '/index.json': 'home',
    '/llms.txt': 'llms',
    '/docs': 'docs',
    '/docs/calling': 'docs',
    '/docs/reference': 'reference',
  };
  for (const [path, operation] of Object.entries({ ...names, [reference]: 'reference' })) {
    const get = await at(path);
    const bytes = (await get.arrayBuffer()).byteLength;
    const head = await at(path, {}, 'HEAD');
    assert.deepEqual([head.status, await head.text()], [get.status, ''], path);
    for (const name of ['content-type', 'content-length', 'etag', 'vary', 'cache-control', 'content-security-policy'])
      assert.equal(head.headers.get(name), get.headers.get(name), `${path} ${name}`);
    assert.equal((await at(path, {}, 'OPTIONS')).status, 204, path);
    assert.equal((await at(path, {}, 'POST')).status, 405, path);
    const wrong = await at(`${path}?nonsense=1`);
    assert.deepEqual([wrong.status, ((await wrong.json()) as { code: string }).code], [400, 'VALIDATION_ERROR'], path);
    assert.match(get.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
    assert.equal(get.headers.get('x-content-type-options'), 'nosniff');
    await eventually(() => {
      const line = api.lines.find(({ requestId }) => requestId === get.headers.get('x-request-id'));
      assert.deepEqual([line?.operation, line?.status], [operation, get.status], path);
      if (get.headers.get('content-encoding') === null) assert.equal(line?.bytes, bytes, path);
    });
  }
});

test('the pages count against the rate limit like other requests', async () => {
  const limited = await world.serve({ RATE_LIMIT_PER_ADDRESS: '4' });
  const statuses = [];
  for (const path of ['/', '/llms.txt', '/docs/reference', reference, '/']) {
    const response = await fetch(limited.url + path);
    await response.arrayBuffer(); // a server that stops waits for responses under way
    statuses.push(response.status);
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 429]);
});

test('/ is a page and /index.json the same for programs, at the root with any base path, whatever Accept says', async () => {
  const json = await at('/index.json');
  assert.equal(json.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.deepEqual(await json.json(), {
    success: true,
    data: {
      name: 'Commonhall',
      description: 'The public read API of a community of builders.',
      version,
      links: {
        api: 'https://api.example/v1',
        explore: 'https://api.example/explore',
        docs: 'https://api.example/docs',
        reference: 'https://api.example/docs/reference',
        openapi: 'https://api.example/openapi.json',
        index: 'https://api.example/index.json',
        llms: 'https://api.example/llms.txt',
        status: 'https://api.example/status',
        mcp: 'https://api.example/mcp',
      },
    },
  });
  const html = await page();
  assert.equal(html.headers.get('content-type'), 'text/html; charset=utf-8');
  for (const accept of ['text/html', 'application/json', '*/*', 'text/plain'])
    for (const [path, { headers }] of Object.entries({ '/': html, '/index.json': json })) {
      const same = await at(path, { accept, 'if-none-match': headers.get('etag') ?? '' });
      assert.deepEqual([same.status, same.headers.get('vary')], [304, 'Accept-Encoding'], `${path} ${accept}`);
    }
  assert.equal((await at('/v1')).status, 404);
});

test('the page at / shows three requests to the public URL, which answer as it says', async () => {
  const response = await page();
  const text = (await response.text()).replaceAll('<wbr>', '').replaceAll('&amp;', '&').replaceAll('&#39;', "'");
  const urls = [...text.matchAll(/curl '(https:\/\/api\.example[^']*)'/g)].map(([, url]) => url!);
  assert.equal(urls.length, 3);
  const answers = [];
  for (const url of urls) answers.push(await at(url.replace('https://api.example', '')));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 404, 400], // the second needs the sample data, which is not loaded here
  );
  const shown = text.replaceAll('&quot;', '"');
  assert.ok(shown.includes(await answers[2]!.text()), 'the page shows the error as it is sent');
  for (const path of Object.values(sitePaths)) assert.ok(text.includes(`https://api.example${path}`), path);
  assert.ok(text.includes(`Commonhall ${version}`));
});

test('the page at / may load nothing, and has one style, whose hash is in its policy', async () => {
  const response = await page();
  const text = await response.text();
  const styles = [...text.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, style]) => style!);
  assert.equal(styles.length, 1);
  const hash = createHash('sha256').update(styles[0]!).digest('base64');
  assert.deepEqual(policyOf(response), {
    'default-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'style-src': `'sha256-${hash}'`,
    'img-src': 'data:',
  });
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
  assert.doesNotMatch(text, /<script|style=/);
});

test('/llms.txt has every operation, every error code and every page of the site', async () => {
  const response = await at('/llms.txt');
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
  const text = await response.text();
  assert.match(text, /^# Commonhall\n\n> [^\n]+\n\n/);
  for (const { path, summary, query } of Object.values<Operation>(operations)) {
    const line = text.split('\n').find((one) => one.startsWith(`- [GET ${path}](https://api.example/v1/`)) ?? '';
    for (const part of [summary, ...Object.keys(query)]) assert.ok(line.includes(part), `${path}: ${part}`);
  }
  for (const [code, status] of Object.entries(errorStatus)) assert.ok(text.includes(`${status} \`${code}\``), code);
  for (const path of Object.values(sitePaths).filter((one) => one !== sitePaths.llms))
    assert.ok(text.includes(`(https://api.example${path})`), path);
});

test('the page of the reference may only run and load files of this server', async () => {
  const response = await at('/docs/reference');
  assert.deepEqual(policyOf(response), {
    'default-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'script-src': "'self'",
    'style-src': "'unsafe-inline'",
    'img-src': "'self' data:",
    'connect-src': "'self' https://api.example",
  });
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
  const text = await response.text();
  assert.deepEqual(
    [...text.matchAll(/<script src="reference\/([^"]+)" defer><\/script>/g)].map(([, name]) => name),
    scripts,
  );
});

test('a built file is read once, and not for each request', async () => {
  for (const part of ['reference', 'docs'] as const)
    for (const { bytes } of [...readFiles(assetsFolder, part).values()].slice(0, 3)) {
      const [first, second] = await Promise.all([bytes('identity'), bytes('identity')]);
      assert.ok(first === second && first === (await bytes('identity')));
    }
});

test('the files of the reference are served as built, in each encoding, cacheable for a year, and no other files are', async () => {
  const decoders = { identity: (bytes: Buffer) => bytes, gzip: gunzipSync, br: brotliDecompressSync };
  for (const name of scripts) {
    const built = readFileSync(new URL(`../assets/${name}`, import.meta.url));
    const tags = new Set<string | null>();
    for (const [encoding, decode] of Object.entries(decoders)) {
      const response = await at(`/docs/reference/${name}`, { 'accept-encoding': encoding }, 'HEAD');
      assert.equal(response.headers.get('content-encoding') ?? 'identity', encoding);
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(response.headers.get('vary'), 'Accept-Encoding');
      assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8');
      tags.add(response.headers.get('etag'));
      const ending = { identity: '', gzip: '.gz', br: '.br' }[encoding];
      const bytes = readFileSync(new URL(`../assets/${name}${ending}`, import.meta.url));
      assert.equal(Number(response.headers.get('content-length')), bytes.length);
      assert.ok(decode(bytes).equals(built), `${name} ${encoding}`);
    }
    assert.equal(tags.size, 3);
    const whole = Buffer.from(await (await at(`/docs/reference/${name}`)).arrayBuffer());
    assert.ok(whole.equals(built));
  }
  const others = [
    'manifest.json',
    `${scripts[0]}.br`,
    '..%2Fpackage.json',
    '%2e%2e%2f%2e%2e%2fpackage.json',
    '__proto__',
  ];
  for (const name of [...others, '../../package.json', '%2Fetc%2Fpasswd', ''])
    assert.equal((await at(`/docs/reference/${name}`)).status, 404, name);
});

const docsPages = built.docs.filter(({ type }) => type.startsWith('text/html'));

test('every page under /docs may run and load only what is on this server, and its other files are served too', async () => {
  assert.ok(docsPages.length > 20, String(docsPages.length));
  for (const { path, type } of built.docs) {
    const response = await at(path === '' ? '/docs' : `/docs/${path}`);
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, type], path);
    assert.equal(response.headers.get('cache-control'), 'public, max-age=1, must-revalidate');
    const text = await response.text();
    if (!type.startsWith('text/html')) continue;
    assert.deepEqual(policyOf(response), {
      'default-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'img-src': "'self' data:",
      'connect-src': "'self'",
    });
    assert.doesNotMatch(text, /<style|<script(?! src=")| style="/, path);
  }
  for (const path of ['', 'manifest.json', '..%2Fmanifest.json', 'nothing', '__proto__', 'calling/', 'Calling'])
    assert.equal((await at(`/docs/${path}`)).status, 404, path);
});

test('every link, anchor and picture of the pages under /docs leads to something that is there', async () => {
  const url = (path: string) => new URL(path === '' ? '/docs' : `/docs/${path}`, api.url).href;
  const texts = new Map<string, string>();
  for (const { path } of built.docs) texts.set(url(path), await (await fetch(url(path))).text());
  texts.set(url('reference'), '');
  let anchors = 0;
  for (const { path } of docsPages) {
    for (const [, target = ''] of texts.get(url(path))!.matchAll(/ (?:href|src|srcset|data-index)="([^"]+)"/g)) {
      if (/^(https?:|mailto:|data:)/.test(target)) continue;
      const { hash, href } = new URL(target.replaceAll('&amp;', '&'), url(path));
      const text = texts.get(href.replace(/#.*$/, ''));
      assert.ok(text !== undefined, `${path} links to ${target}`);
      if (hash === '') continue;
      anchors += 1;
      assert.ok(text.includes(` id="${decodeURIComponent(hash.slice(1))}"`), `${path} links to ${target}`);
    }
    const ids = [...texts.get(url(path))!.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, `${path} has an id twice`);
  }
  assert.ok(anchors > 200, String(anchors));
});

test('building again changes nothing, removes what is old, and keeps the licence beside the bundle', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-assets-'));
  assert.deepEqual(await buildAssets(folder), built);
  const times = () => scripts.map((name) => statSync(join(folder, `${name}.br`)).mtimeMs);
  const before = times();
  writeFileSync(join(folder, 'scalar-0000.js'), '');
  assert.deepEqual(await buildAssets(folder), built);
  assert.deepEqual(times(), before);
  const endings = ['', '.br', '.gz'];
  assert.deepEqual(
    readdirSync(folder).sort(),
    [
      ...['manifest.json', 'scalar-LICENSE.txt'],
      ...new Set([...built.reference, ...built.docs].flatMap(({ name }) => endings.map((one) => name + one))),
    ].sort(),
  );
  assert.match(readFileSync(join(folder, 'scalar-LICENSE.txt'), 'utf8'), /^MIT License/);
});

test('without the built files the reference is 404 and says how to build them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-unbuilt-'));
  const from = fileURLToPath(new URL('../', import.meta.url));
  mkdirSync(join(folder, 'server'));
  for (const part of ['src', 'migrations', 'explorer.css', 'package.json'])
    cpSync(join(from, part), join(folder, 'server', part), { recursive: true });
  symlinkSync(join(from, '../../node_modules'), join(folder, 'node_modules'));
  const server = await serveProcess(world.readerUrl, patient, undefined, join(folder, 'server/src/main.ts'));
  for (const path of ['/docs', '/docs/calling', '/docs/reference']) {
    const response = await fetch(server.url + path);
    const { code, error } = (await response.json()) as { code: string; error: string };
    assert.deepEqual([response.status, code], [404, 'NOT_FOUND'], path);
    assert.match(error, /node release\/assets\.ts/);
  }
  assert.equal((await fetch(`${server.url}/`)).status, 200);
  await server.stop();
});

test('the examples for callers have the address of this server; those for operators that of its machine', async () => {
  const calling = await (await at('/docs/calling')).text();
  assert.doesNotMatch(calling, /127\.0\.0\.1/);
  assert.match(calling, /curl &#39;https:\/\/api\.example\/v1\/collections\?q=badge/);
  assert.match(calling, /openapi-typescript https:\/\/api\.example\/openapi\.json/);
  assert.match(await (await at('/docs/alerts')).text(), /http:\/\/127\.0\.0\.1:8080\/readyz/);
  const once = await at('/docs/calling');
  const again = await at('/docs/calling', { 'if-none-match': once.headers.get('etag') ?? '' });
  assert.equal(again.status, 304);
});
