// A real browser: Debian's Chromium, driven by playwright-core.
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';
import { needPrograms } from '../debian.ts';

/** A browser without a window. The caller closes it. */
export const openBrowser = async (): Promise<Browser> => {
  needPrograms({ chromium: 'chromium' });
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking', '--disable-dev-shm-usage'],
    timeout: 120_000,
  });
};
