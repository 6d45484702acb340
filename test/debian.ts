// Debian packages that tests, drills and measurements need: installs the missing ones, and runs their programs.
import { spawnSync } from 'node:child_process';

/** Runs a program; if it fails, the error contains its output. */
export const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string => {
  const all = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin`, ...env };
  const options = { encoding: 'utf8', maxBuffer: 1e8, env: all } as const;
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error ?? `${stdout}${stderr}`}`.slice(-3000));
  return stdout.trim();
};

const script = `
for program in $PROGRAMS; do command -v "$program" || [ -e "$program" ] || missing=yes; done
[ -z "$missing" ] && exit
# Debian starts a service after installing it, unless policy-rc.d forbids it (exit status 101).
policy=/usr/sbin/policy-rc.d
[ -e $policy ] || { printf '#!/bin/sh\\nexit 101\\n' > $policy && chmod 755 $policy && trap "rm $policy" EXIT; }
apt-get update && apt-get install -y --no-install-recommends $PACKAGES`;

/** `programs` maps each program, or the path of a file, to the package that contains it. */
export const needPrograms = (programs: Readonly<Record<string, string>>): void => {
  // Test files run in parallel: one installs, the others wait. The check takes the lock too, because a program exists
  // before its package is completely installed. The kernel releases the lock when the process ends.
  run('flock', ['/tmp/commonhall-apt.lock', 'sh', '-c', script], {
    DEBIAN_FRONTEND: 'noninteractive',
    PROGRAMS: Object.keys(programs).join(' '),
    PACKAGES: [...new Set(Object.values(programs))].join(' '),
  });
};
