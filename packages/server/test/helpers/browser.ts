// A real browser: Debian's Chromium, driven by playwright-core. It is installed where it is missing, once for all test files
// that run at the same time.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';

const executablePath = '/usr/bin/chromium';
const lock = '/tmp/commonhall-chromium.lock';
/** Installing takes a minute or two; a lock that is older was left behind. */
const patienceMs = 15 * 60_000;

const install = (): void => {
  const apt = (...args: string[]) =>
    execFileSync('apt-get', args, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  apt('update');
  apt('install', '-y', '--no-install-recommends', 'chromium');
};

/** Making a folder fails when it is there: that is the lock. */
const takeLock = (): boolean => {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    if (Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > patienceMs) rmdirSync(lock);
    return false;
  }
};

const needChromium = async (): Promise<void> => {
  // The file is there before the package is whole, so the lock counts too.
  while (!existsSync(executablePath) || existsSync(lock)) {
    if (takeLock())
      try {
        if (!existsSync(executablePath)) install();
      } finally {
        rmdirSync(lock);
      }
    else await sleep(500);
  }
};

/** A browser without a window. The caller closes it. */
export const openBrowser = async (): Promise<Browser> => {
  await needChromium();
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-dev-shm-usage'],
    timeout: 120_000,
  });
};
