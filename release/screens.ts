// node release/screens.ts: takes the pictures of README.md anew, from the demo's data: home and a person, light and dark.

import { loadSample, sampleSettings } from '../demo/load.ts';
import { openPictures } from '../packages/sample/src/picture-server.ts';
import { serve } from '../packages/server/src/commands/serve.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { openLog } from '../packages/server/src/log.ts';
import { openBrowser } from '../test/helpers/browser.ts';
import { startPostgres } from '../test/postgres.ts';

const pages = { home: '/explore', person: '/explore/users/ada' };
const viewport = { width: 1280, height: 800 };

const pictures = await openPictures(0);
const postgres = await startPostgres();
await loadSample(postgres.url, { scale: 'small', pictures: pictures.url }, () => {});
const settings = {
  ...sampleSettings(postgres.url),
  PORT: '0',
  LOG_LEVEL: 'error',
  EXPLORER_IMAGE_ORIGINS: pictures.url,
};
const config = readConfig(settings);
const server = await serve(config, openLog(config.LOG_LEVEL, process.stderr));
const browser = await openBrowser();
for (const colorScheme of ['light', 'dark'] as const) {
  const context = await browser.newContext({ viewport, colorScheme });
  const page = await context.newPage();
  for (const [name, path] of Object.entries(pages)) {
    const response = await page.goto(server.url + path);
    if (response?.status() !== 200) throw new Error(`${path}: ${response?.status()}`);
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: new URL(`../docs/explore-${name}-${colorScheme}.png`, import.meta.url).pathname });
  }
  await context.close();
}
await browser.close();
await server.stop();
await postgres.stop();
await pictures.stop();
