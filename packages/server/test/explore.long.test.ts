// Every page of the explorer in a real browser over the sample data, at three widths: accessible, within the width, no
// request elsewhere, nothing that the policy refuses; the keyboard reaches every control in the order of the page.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { operations } from '@commonhall/contract';
import type { Operation } from '@commonhall/contract/operation';
import { urlOf } from '@commonhall/contract/url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { loadSample, sampleSettings } from '../../../demo/load.ts';
import { openBrowser } from '../../../test/helpers/browser.ts';
import { patient } from '../../../test/helpers/process.ts';
import { startPostgres } from '../../../test/postgres.ts';
import { openPictures } from '../../sample/src/picture-server.ts';
import { serve } from '../src/commands/serve.ts';
import { readConfig } from '../src/config.ts';
import { openLog } from '../src/log.ts';

const stops: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const stop of stops.reverse()) await stop();
});
const pictures = await openPictures(0);
stops.push(pictures.stop);
const postgres = await startPostgres({ shared_buffers: '64MB' });
stops.push(postgres.stop);
await loadSample(postgres.url, { scale: 'small', pictures: pictures.url }, () => {});
const config = readConfig({
  ...sampleSettings(postgres.url),
  PORT: '0',
  LOG_LEVEL: 'error',
  EXPLORER_IMAGE_ORIGINS: pictures.url,
  RATE_LIMIT_PER_ADDRESS: '0',
  ...patient,
});
const server = await serve(config, openLog(config.LOG_LEVEL, process.stderr));
stops.push(server.stop);
const browser = await openBrowser();
stops.push(() => browser.close());

const paths = [
  '/explore',
  '/explore/operations',
  '/explore/search',
  '/explore/launches?page=900',
  '/explore/launches/none',
  '/explore/launches?page=0',
  '/explore/bounties?category=none',
  '/explore/users/ada?year=2024',
  '/explore/repositories?q=a&category=tools',
  ...Object.values<Operation>(operations).map(({ id, example }) => urlOf('/explore', id, example)),
];

const violationsOf = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document);
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ html }) => html)
          .join(' ')
          .slice(0, 300)}`,
    );
  });
};

for (const [width, colorScheme] of [
  [320, 'dark'],
  [390, 'light'],
  [1280, 'light'],
] as const)
  test(`every page is accessible, fits and requests nothing elsewhere, ${width} pixels wide and ${colorScheme}`, async () => {
    // Only for axe, which is a script: the policy itself is checked by what the browser complains about below.
    const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme, bypassCSP: true });
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    for (const path of paths) {
      await page.goto(server.url + path);
      assert.deepEqual(await violationsOf(page), [], `${path} ${width}`);
      for (const wide of [width, ...(width === 1280 ? [600, 900, 1920] : [])]) {
        if (wide !== width) await page.setViewportSize({ width: wide, height: 844 });
        const over = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        assert.ok(over <= 0, `${path} is ${over} pixels too wide at ${wide}`);
      }
      await page.setViewportSize({ width, height: 844 });
    }
    const known = [server.url, pictures.url, 'data:'];
    assert.deepEqual(
      asked.filter((url) => !known.some((start) => url.startsWith(start))),
      [],
    );
    await context.close();
  });

test('under the policy the browser refuses nothing, and the keyboard reaches every link and field in order', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 844 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  for (const path of ['/explore', '/explore/users/ada', '/explore/repositories', '/explore/agents/librarian']) {
    await page.goto(server.url + path);
    const controls = page.locator('a[href], input:not([type=hidden]), select, button, summary, [tabindex="0"]');
    const visible = [];
    for (const one of await controls.all())
      if (await one.isVisible()) visible.push(await one.evaluate((node) => node.outerHTML.slice(0, 120)));
    const reached: string[] = [];
    for (let n = 0; n < visible.length; n++) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120) ?? ''));
    }
    assert.deepEqual(reached, visible, path);
  }
  assert.deepEqual(complaints, []);
  await context.close();
});
