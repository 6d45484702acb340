// The pages in a real browser over the sample data: the reference shows and tries operations, sends requests only to
// this server and follows the system's colours. The page at / is accessible on phones and desktops.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { operations } from '@commonhall/contract';
import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { loadSample, sampleSettings } from '../../../demo/load.ts';
import { buildAssets } from '../../../release/assets.ts';
import { openBrowser } from '../../../test/helpers/browser.ts';
import { eventually, patient } from '../../../test/helpers/process.ts';
import { startPostgres } from '../../../test/postgres.ts';
import { serve } from '../src/commands/serve.ts';
import { readConfig } from '../src/config.ts';
import { openLog } from '../src/log.ts';

/** Long enough for machines that are many times slower. */
const patienceMs = 120_000;

/** Called in reverse order. */
const stops: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const stop of stops.reverse()) await stop();
});

await buildAssets();
const postgres = await startPostgres({ shared_buffers: '64MB' });
stops.push(postgres.stop);
await loadSample(postgres.url, { scale: 'small', pictures: 'https://pictures.example' }, () => {});
const config = readConfig({ ...sampleSettings(postgres.url), PORT: '0', LOG_LEVEL: 'error', ...patient });
const server = await serve(config, openLog(config.LOG_LEVEL, process.stderr));
stops.push(server.stop);
const browser = await openBrowser();
stops.push(() => browser.close());

interface Visit {
  page: Page;
  /** Every URL that the page has requested, including those that the browser has blocked. */
  asked: string[];
  /** Errors and warnings of the console, exceptions, and violations of the content security policy. */
  complaints: string[];
}
const open = async (path: string, options: BrowserContextOptions = {}): Promise<Visit> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  stops.push(() => context.close());
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const [asked, complaints]: string[][] = [[], []];
  context.on('request', (request) => asked!.push(request.url()));
  page.on('websocket', (socket) => asked!.push(socket.url()));
  page.on('pageerror', (error) => complaints!.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints!.push(message.text());
  });
  await page.goto(server.url + path);
  return { page, asked: asked!, complaints: complaints! };
};
const { path, summary, example } = operations.getAgent;
const openReference = async (options?: BrowserContextOptions): Promise<Visit> => {
  const visit = await open(`/docs/reference#tag/agents/GET${path}`, options);
  await visit.page.getByRole('heading', { name: summary, exact: true }).waitFor();
  return visit;
};
/** Requests to other origins. A data: URL causes no request. */
const elsewhere = (asked: string[]): string[] =>
  asked.filter((url) => !url.startsWith('data:') && new URL(url).origin !== server.url);

test('the reference links back, draws no outline around an operation, and no status is under the copy button', async () => {
  const { page } = await openReference();
  const { outlined, covered } = await page.evaluate(() => {
    const styles = [...document.querySelectorAll('section')].map((section) => getComputedStyle(section).outlineStyle);
    const right = (element: Element | null | undefined) => element?.getBoundingClientRect().right ?? 0;
    const cards = [...document.querySelectorAll('.response-card')].map((card) => ({
      // What is beyond the end of the list of tabs can be scrolled to, and is not drawn.
      tabs: right(card.querySelector('.tab-list')),
      button: card.querySelector('.scalar-card-header-tabs button:not(.tab)')?.getBoundingClientRect().left ?? Infinity,
    }));
    return {
      outlined: styles.filter((style) => style !== 'none').length,
      covered: cards.filter(({ tabs, button }) => tabs > button).length,
    };
  });
  assert.deepEqual([outlined, covered], [0, 0]);
  await page.getByRole('link', { name: 'Documentation', exact: true }).click();
  await page.waitForURL(`${server.url}/docs`);
});

test('the reference shows an operation, tries it on the real server and sends no request to another origin', async () => {
  const { page, asked, complaints } = await openReference();
  const ending = path.replace(/[{}/]/g, '\\$&');
  await page.getByRole('button', { name: new RegExp(`^Test Request.*${ending}\\)$`, 's') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Send get request/ }).click();
  await dialog.getByText('200 OK').first().waitFor();
  await dialog.getByText('"displayName"').first().waitFor();
  assert.ok(asked.includes(`${server.url}/agents/${example.name}`), asked.join('\n'));
  // Waits for late requests: telemetry, fonts, other documents.
  await page.waitForLoadState('networkidle');
  assert.deepEqual(elsewhere(asked), []);
  assert.deepEqual(complaints, []);
});

test('the browser blocks requests to other origins and injected scripts', async () => {
  const { page, complaints } = await openReference();
  const outcome = await page.evaluate(async () => {
    const reached = await fetch('https://elsewhere.example/').then(
      () => 'reached',
      () => 'refused',
    );
    const script = document.createElement('script');
    script.textContent = 'window.wasRun = true';
    document.head.append(script);
    return [reached, String('wasRun' in window)];
  });
  assert.deepEqual(outcome, ['refused', 'false']);
  await eventually(() => assert.ok(complaints.filter((text) => text.includes('Content Security Policy')).length >= 2));
});

test('both pages follow the light or dark setting of the system', async () => {
  const colours = [];
  for (const colorScheme of ['light', 'dark'] as const)
    for (const visit of [await openReference({ colorScheme }), await open('/docs', { colorScheme })]) {
      const colour = await visit.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const [red = 0] = (colour.match(/\d+/g) ?? []).map(Number);
      assert.equal(red > 128, colorScheme === 'light', `${visit.page.url()} ${colorScheme}: ${colour}`);
      colours.push(colour);
    }
  assert.equal(new Set(colours).size, 4);
});

const titles = { '/': 'Commonhall', '/docs': 'Documentation', '/docs/calling': 'Calling the API' };

for (const [path, title] of Object.entries(titles))
  for (const width of [390, 1280])
    for (const colorScheme of ['light', 'dark'] as const)
      test(`${path} is accessible, fits and requests nothing elsewhere, ${width} pixels wide and ${colorScheme}`, async () => {
        const { page, asked, complaints } = await open(path, { colorScheme, viewport: { width, height: 844 } });
        assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), title);
        await page.evaluate(axe.source);
        const violations = await page.evaluate(async () => {
          const { violations: found } = await (window as unknown as { axe: typeof axe }).axe.run(document);
          return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
        });
        assert.deepEqual(violations, []);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
        assert.deepEqual([elsewhere(asked), complaints], [[], []]);
        if (path === '/')
          assert.deepEqual(
            asked.filter((url) => !url.startsWith('data:')),
            [`${server.url}/`],
          );
      });

test('the search recovers from a response that is not its index', async () => {
  const { page } = await open('/docs/calling');
  let failed = false;
  await page.route('**/search.json', (route) => {
    if (failed) return route.continue();
    failed = true;
    return route.fulfill({ status: 503, body: '{"success":false}' });
  });
  const response = page.waitForResponse('**/search.json');
  await page.getByRole('searchbox').fill('overloa');
  await response;
  await page.getByRole('searchbox').fill('overload');
  const count = page.getByRole('region', { name: 'Search results' }).getByText(/^\d+ sections/);
  await count.waitFor();
  assert.ok(failed && (await count.isVisible()));
});

test('the search finds the sections with every word, in any page, and leads to them', async () => {
  const { page, asked, complaints } = await open('/docs/decisions/0001-operations-are-values');
  await page.getByRole('searchbox').fill('Retry-After overload');
  const results = page.getByRole('region', { name: 'Search results' });
  await results.getByRole('link', { name: 'Calling the API: Errors' }).click();
  await page.waitForURL('**/docs/calling#errors');
  assert.equal(await page.locator('h2#errors').innerText(), 'Errors');
  await page.getByRole('searchbox').fill('no-such-word-anywhere');
  await results.getByText('0 sections').waitFor();
  assert.deepEqual([elsewhere(asked), complaints], [[], []]);
});

test('pictures of the pages are shown', async () => {
  const { page } = await open('/docs/readme');
  const widths = await page
    .locator('img')
    .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth));
  assert.ok(widths.length >= 2 && widths.every((width) => width > 0), String(widths));
});

test('every link of the page at / returns 200', async () => {
  const { page } = await open('/');
  const links = await page.getByRole('link').evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
  assert.ok(links.length >= 4);
  for (const link of links) assert.equal((await fetch(link)).status, 200, link);
});
