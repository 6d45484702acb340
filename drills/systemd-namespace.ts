// systemd as process 1 of its own namespaces: its own /etc, /opt, /run, /usr/local, processes and control groups. The
// network is shared with the machine. Needs root. Stopping it removes everything.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, rmdirSync } from 'node:fs';
import { needPrograms, run } from '../test/debian.ts';
import { eventually } from '../test/helpers/process.ts';

/** The only units of Debian that are started; no udev or sysctl, for example, which would affect the machine. */
const units = [
  ...['sysinit', 'basic', 'multi-user', 'network-online', 'shutdown'].map((name) => `${name}.target`),
  ...['service', 'socket'].map((type) => `systemd-journald.${type}`),
];

/** The cgroup hierarchies: version 2 alone, or the two that systemd needs in addition to version 1. */
const trees = existsSync('/sys/fs/cgroup/systemd')
  ? ['/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified'].filter((path) => existsSync(path))
  : ['/sys/fs/cgroup'];

/** The shell script that prepares the new namespaces, as root, and then becomes systemd. */
const prepare = `
set -e
mount --make-rprivate /
mount --make-rshared / # a child mounts the credentials, and all processes must see them
for folder in /run /opt; do mount -t tmpfs -o mode=755 tmpfs $folder; done
for folder in /etc /usr/local; do
  mkdir -p /run/overlay$folder/upper /run/overlay$folder/work
  mount -t overlay -o lowerdir=$folder,upperdir=/run/overlay$folder/upper,workdir=/run/overlay$folder/work overlay $folder
done
touch /usr/local/bin/node
mount --bind "$NODE" /usr/local/bin/node
rm -rf /etc/systemd/system /etc/machine-id
mkdir -p /etc/systemd/system /etc/systemd/journald.conf.d /run/systemd/system /run/units/basic.target.wants
for unit in ${units.join(' ')}; do cp /lib/systemd/system/$unit /run/units/; done
ln -s ../systemd-journald.service /run/units/basic.target.wants/
printf '[Journal]\nStorage=volatile\nReadKMsg=no\nAudit=\n' > /etc/systemd/journald.conf.d/drill.conf
echo 0123456789abcdef0123456789abcdef > /etc/machine-id
mount -t proc proc /proc
mount --bind /proc/sys /proc/sys
mount -o remount,bind,ro /proc/sys # kernel settings apply to the whole machine
${
  trees.length === 1
    ? 'mount -t cgroup2 cgroup2 /sys/fs/cgroup'
    : `mount -t tmpfs -o mode=755 tmpfs /sys/fs/cgroup
mkdir /sys/fs/cgroup/systemd /sys/fs/cgroup/unified
mount -t cgroup -o none,name=systemd cgroup /sys/fs/cgroup/systemd
mount -t cgroup2 cgroup2 /sys/fs/cgroup/unified`
}
exec env -i container=drill PATH=/usr/sbin:/usr/bin:/sbin:/bin SYSTEMD_UNIT_PATH=/etc/systemd/system:/run/units \\
  /lib/systemd/systemd --system --unit=multi-user.target --log-target=console --show-status=no`;

export interface Systemd {
  /** Runs a shell command in the namespaces and returns its output; throws if it fails. */
  sh: (command: string) => string;
  stop: () => Promise<void>;
}

export const bootSystemd = async (): Promise<Systemd> => {
  needPrograms({ 'systemd-analyze': 'systemd', unshare: 'util-linux' });
  assert.equal(process.getuid?.(), 0, 'namespaces need root');
  const groups = trees.map((tree) => `${tree}/commonhall-drill-${process.pid}`);
  const enter = groups.map((group) => `mkdir ${group} && echo $$ > ${group}/cgroup.procs`).join(' && ');
  const unshare = 'exec unshare --mount --pid --uts --ipc --cgroup --fork --kill-child sh -c "$PREPARE"';
  // Killed with this process, however that ends, together with everything inside.
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', 'sh', '-c', `${enter} && ${unshare}`], {
    env: { ...process.env, PREPARE: prepare, NODE: process.execPath },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    for (const group of groups)
      await eventually(() => {
        const folders = globSync(`${group}{,/**/}`).sort((a, b) => b.length - a.length); // the inner ones first
        for (const folder of folders) rmdirSync(folder);
      });
  };
  const inside = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
  const sh = (command: string) =>
    run('nsenter', ['-t', inside(), '-m', '-p', '-u', '-i', '-C', 'sh', '-ec', command], {
      SYSTEMD_UNIT_PATH: '/etc/systemd/system:/run/units',
      SYSTEMD_PAGER: '',
    });
  try {
    await eventually(() => {
      assert.equal(child.exitCode, null, 'systemd did not start');
      sh('systemctl is-active multi-user.target');
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { sh, stop };
};
