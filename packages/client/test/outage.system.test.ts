// The released client with a real server that loses its database while a list is read: in Node, and bundled in
// Chromium.
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type * as clientModule from '@commonhall/client';
import { build } from 'esbuild';
import { packAll } from '../../../release/packages.ts';
import { openBrowser } from '../../../test/helpers/browser.ts';
import { listSize, populate } from '../../../test/helpers/community.ts';
import { startProxy } from '../../../test/helpers/proxy.ts';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
await populate(world);
const proxy = await startProxy(world.readerUrl);
after(() => proxy.close());
const api = await world.serve({ DATABASE_URL: proxy.url });

const out = mkdtempSync(join(tmpdir(), 'commonhall-outage-'));
packAll(out);

/** Makes the database unreachable for a time, or with null until `recovered` restores it. */
const takeDatabaseAway = async (forMs: number | null): Promise<void> => {
  await proxy.set('resetting');
  if (forMs !== null) setTimeout(() => void proxy.set('none'), forMs);
};

interface Story {
  names: string[];
  again: string[];
  failure: [status: number, code: string, remedy: string, hasRequestId: boolean];
  tooShort: [status: number, code: string, retryAfterSeconds: number | null];
}

/** The calls of one client during an outage. Must not use outer variables: its source text also runs in the browser. */
const story = async (
  { createClient, ApiError }: typeof clientModule,
  baseUrl: string,
  takeAway: (forMs: number | null) => Promise<void>,
): Promise<Story> => {
  const client = createClient({ baseUrl, cacheSize: 10, retries: 10, timeoutMs: 60_000 });
  const read = async (onFifth?: () => Promise<void>) => {
    const names: string[] = [];
    for await (const { name } of client.items.listAgents({ pageSize: 5, sortBy: 'name' })) {
      names.push(name);
      if (names.length === 5) await onFifth?.();
    }
    return names;
  };
  const names = await read(() => takeAway(2000));
  const again = await read(); // revalidated by ETag: unchanged pages are not sent again
  const error = (caught: unknown) => {
    if (caught instanceof ApiError) return caught;
    throw caught;
  };
  const unknown = await client.getAgent({ name: 'nobody' }).then(() => null, error);
  await takeAway(null);
  const late = await createClient({ baseUrl, retries: 0 })
    .getScoreTiers()
    .then(() => null, error);
  return {
    names,
    again,
    failure: [unknown!.status, unknown!.code, unknown!.remedy, unknown!.requestId !== null],
    tooShort: [late!.status, late!.code, late!.retryAfterSeconds],
  };
};

const check = (actual: Story, expected: string[]): void => {
  assert.deepEqual(actual, {
    names: expected,
    again: expected,
    failure: [404, 'NOT_FOUND', 'Check the id, slug or name; they are case-sensitive.', true],
    tooShort: [503, 'SERVICE_UNAVAILABLE', 1],
  });
};
const expected = (await api.client.listAgents({ pageSize: 100, sortBy: 'name' })).items.map(({ name }) => name);
assert.equal(expected.length, listSize);

/** Restores the database and waits until the server responds again. */
const recovered = async (): Promise<void> => {
  await proxy.set('none');
  for (let tries = 0; tries < 600; tries++) {
    if ((await fetch(`${api.url}/users/scores/tiers`)).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the server never came back');
};

test('in Node every item arrives once and in order, and permanent failures are errors with a remedy', {
  timeout: 120_000,
}, async () => {
  const installed = (await import(join(out, 'client/dist/client.js'))) as typeof clientModule;
  check(await story(installed, api.url, takeDatabaseAway), expected);
  const same = api.lines.filter(({ operation, status }) => operation === 'listAgents' && status === 304);
  assert.ok(same.length >= 5, `${same.length} responses were not sent again`);
  await recovered();
});

test('the same holds in Chromium, on a page of another origin', { timeout: 180_000 }, async () => {
  const bundle = await build({
    entryPoints: [join(out, 'client/dist/client.js')],
    bundle: true,
    minify: true,
    format: 'iife',
    globalName: 'commonhall',
    write: false,
  });
  const page = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>A page</title><script>${bundle.outputFiles[0]!.text}</script>`);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => page.once('listening', resolve));
  const browser = await openBrowser();
  try {
    const tab = await browser.newPage();
    await tab.exposeFunction('takeDatabaseAway', takeDatabaseAway);
    await tab.goto(`http://127.0.0.1:${(page.address() as AddressInfo).port}/`);
    const actual = await tab.evaluate(`(${story})(commonhall, ${JSON.stringify(api.url)}, takeDatabaseAway)`);
    check(actual as Story, expected);
  } finally {
    await browser.close();
    page.close();
  }
});
