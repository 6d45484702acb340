// Programs of Debian that a drill needs, installed where they are missing.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';

const isInstalled = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** Debian starts a service when it installs it, unless this program says no. */
const policy = '/usr/sbin/policy-rc.d';

/** `programs`: the package that brings each of them. */
export const needPrograms = (programs: Readonly<Record<string, string>>): void => {
  const missing = Object.entries(programs).filter(([program]) => !isInstalled(program));
  if (missing.length === 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) => execFileSync('apt-get', args, { stdio: 'ignore', env });
  const isOurs = !existsSync(policy);
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    apt('update');
    apt('install', '-y', '--no-install-recommends', ...new Set(missing.map(([, name]) => name)));
  } finally {
    if (isOurs) rmSync(policy);
  }
};

/** Runs a program; what it printed is in the error when it fails. */
export const run = (
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): string => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1e8, ...options });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`.slice(-3000));
  return stdout.trim();
};
