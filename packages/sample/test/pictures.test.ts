// Pictures: every URL in the small sample data is a well-formed, small SVG, hostile paths have none, and the server
// serves only pictures.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { openPictures } from '../src/picture-server.ts';
import { pictureOf } from '../src/pictures.ts';
import { tableNames } from '../src/world.ts';
import { pictures, rowsOf, stringsOf } from './helpers/small.ts';

const server = await openPictures(0);
after(() => server.stop());

const urls = new Set<string>();
for (const table of tableNames)
  for (const row of rowsOf(table)) for (const value of stringsOf(row)) if (value.startsWith(pictures)) urls.add(value);

/** Throws unless the text is one element with balanced tags, quoted attributes and escaped text. */
const checkXml = (xml: string): void => {
  const open: string[] = [];
  const rest = xml.replace(/<(\/?)([a-z]+)((?: [a-zA-Z-]+="[^"<>]*")*)(\/?)>/g, (_, end, name: string, __, empty) => {
    if (end === '/') assert.equal(open.pop(), name, xml);
    else if (empty !== '/') open.push(name);
    return '';
  });
  assert.deepEqual(open, [], xml);
  assert.ok(!/[<>]/.test(rest), xml);
  assert.ok(!/&(?!(amp|lt|gt|quot|apos);)/.test(xml), xml);
  assert.match(xml, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>\n$/s);
  assert.ok(!/NaN|undefined|Infinity/.test(xml), xml);
};

test('every picture of the sample data is a well-formed SVG of less than 2 KB', (t) => {
  t.diagnostic(`${urls.size} pictures`);
  assert.ok(urls.size > 800, `${urls.size}`);
  for (const url of urls) {
    const picture = pictureOf(url.slice(pictures.length));
    assert.ok(picture !== null, url);
    assert.ok(picture.length < 2048, `${url} has ${picture.length} bytes`);
    checkXml(picture);
  }
});

test('all picture columns use the given base URL', () => {
  const columns = /avatar|logo|image|screenshot/;
  for (const table of tableNames)
    for (const row of rowsOf(table))
      for (const [column, value] of [...Object.entries(row), ...Object.entries(row.details ?? {})])
        if (columns.test(column))
          for (const url of stringsOf(value)) assert.ok(url.startsWith(`${pictures}/`) && urls.has(url), url);
});

test('a picture depends only on its path, and different names give different pictures', () => {
  assert.equal(pictureOf('/logos/acme.svg'), pictureOf('/logos/acme.svg'));
  const all = new Set([...urls].map((url) => pictureOf(url.slice(pictures.length))));
  assert.ok(all.size > urls.size * 0.95, `${all.size} of ${urls.size}`);
  assert.match(pictureOf('/people/64/amara.okonkwo-12.svg')!, />AO</);
  assert.match(pictureOf('/bounties/write-the-guide.svg')!, />Write the guide</);
});

const hostile = [
  '',
  '/',
  '/logos',
  '/logos/.svg',
  '/logos/acme.png',
  '/logos/64/acme.svg',
  '/people/ada.svg',
  '/people/65/ada.svg',
  '/people/64/../../etc/passwd',
  '/logos/%3Cscript%3E.svg',
  '/logos/<script>.svg',
  '/logos/a"b.svg',
  '/logos/a&b.svg',
  '/logos/ACME.svg',
  '/logos/acme.svg?x=1',
  '/logos/acme.svg\n',
  '//logos/acme.svg',
  '/constructor/acme.svg',
  '/__proto__/acme.svg',
  `/logos/${'a'.repeat(121)}.svg`,
  `/${'a'.repeat(100_000)}`,
  '/logos/é.svg',
];

test('a hostile path has no picture', () => {
  for (const path of hostile) assert.equal(pictureOf(path), null, path.slice(0, 60));
});

test('extreme names still give small, well-formed pictures', () => {
  for (const kind of ['logos', 'badges', 'gifts', 'bounties', 'contests', 'entries', 'work', 'screens'])
    for (const name of ['a', 'a-'.repeat(60), 'a'.repeat(120), '1', '1-2', '0.-_'.repeat(30)]) {
      const picture = pictureOf(`/${kind}/${name}.svg`);
      assert.ok(picture !== null && picture.length < 2048, `${kind} ${name}: ${picture?.length}`);
      checkXml(picture);
    }
});

test('the server serves GET and HEAD of pictures with safe headers, and 404 otherwise', async () => {
  const found = await fetch(`${server.url}/badges/founding-member.svg`);
  assert.equal(found.status, 200);
  assert.equal(found.headers.get('content-type'), 'image/svg+xml');
  assert.equal(found.headers.get('content-security-policy'), "default-src 'none'; style-src 'unsafe-inline'");
  assert.equal(found.headers.get('x-content-type-options'), 'nosniff');
  assert.match(found.headers.get('cache-control')!, /max-age=\d+/);
  assert.equal(await found.text(), pictureOf('/badges/founding-member.svg'));
  const head = await fetch(`${server.url}/badges/founding-member.svg`, { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(head.headers.get('content-length'), found.headers.get('content-length'));
  assert.equal(await head.text(), '');
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
    assert.equal((await fetch(`${server.url}/logos/acme.svg`, { method })).status, 404, method);
  for (const path of ['/', '/logos/ACME.svg', '/logos/acme.svg?x=1', '/..%2f..%2fetc/passwd'])
    assert.equal((await fetch(server.url + path)).status, 404, path);
});

test('a request line that no client would send is a 404', async () => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.end('GET /people/64/../../package.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  assert.match(await text(socket), /^HTTP\/1\.1 404 /);
});
