// Programs of Debian that tests, drills and measurements need: installed where they are missing, and run.
import { spawnSync } from 'node:child_process';

/** Runs a program; what it printed is in the error when it fails. */
export const run = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string => {
  const all = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin`, ...env };
  const options = { encoding: 'utf8', maxBuffer: 1e8, env: all } as const;
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error ?? `${stdout}${stderr}`}`.slice(-3000));
  return stdout.trim();
};

const script = `
for program in $PROGRAMS; do command -v "$program" || missing=yes; done
[ -z "$missing" ] && exit
# Debian starts a service when it installs it, unless this program says no.
policy=/usr/sbin/policy-rc.d
[ -e $policy ] || { printf '#!/bin/sh\\nexit 101\\n' > $policy && chmod 755 $policy && trap "rm $policy" EXIT; }
apt-get update && apt-get install -y --no-install-recommends $PACKAGES`;

/** `programs`: the package that brings each of them. */
export const needPrograms = (programs: Readonly<Record<string, string>>): void => {
  // Files run beside each other: one of them installs, the others wait. Looking takes the lock too, since a program is
  // there before its package is whole. A lock of the kernel ends with its process.
  run('flock', ['/tmp/commonhall-apt.lock', 'sh', '-c', script], {
    DEBIAN_FRONTEND: 'noninteractive',
    PROGRAMS: Object.keys(programs).join(' '),
    PACKAGES: [...new Set(Object.values(programs))].join(' '),
  });
};
