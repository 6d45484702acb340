// npm run drill -- image: builds the image twice, on a base image that is made here, and runs it hardened: another
// user, read-only root file system, no capabilities, no new privileges.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { version } from '../packages/contract/src/version.ts';
import { makeContext } from '../release/image.ts';
import { needPrograms, run } from '../test/debian.ts';
import { freePort, startPostgres } from '../test/postgres.ts';

const containerfile = fileURLToPath(new URL('../deploy/Containerfile', import.meta.url));
const node = process.execPath;

/** Makes a minimal Debian root file system with Node, since a base image cannot be pulled everywhere. */
export const makeBase = (folder: string, tag: string): void => {
  mkdirSync(folder);
  const packages = 'base-files,libc6,libstdc++6,libgcc-s1,tzdata,netbase,ca-certificates';
  run('mmdebstrap', ['--variant=extract', `--include=${packages}`, 'bookworm', join(folder, 'root.tar')]);
  cpSync(node, join(folder, 'node'));
  writeFileSync(join(folder, 'Containerfile'), 'FROM scratch\nADD root.tar /\nCOPY node /usr/local/bin/node\n');
  run('buildah', ['bud', '--format', 'docker', '--isolation', 'chroot', '--timestamp', '0', '--tag', tag, folder]);
};

/** Returns size and layers, not the digest: the format with health checks has a random build id, so digests differ. */
export const build = (context: string, base: string, tag: string): string => {
  const flags = ['--format', 'docker', '--isolation', 'chroot', '--timestamp', '0', '--build-arg', `BASE=${base}`];
  run('buildah', ['bud', ...flags, '--file', containerfile, '--tag', tag, context]);
  return run('podman', ['image', 'inspect', '--format', '{{.Size}} {{.RootFS.Layers}}', tag]);
};

/** The flags that docs/operating.md prints, plus the limits that the kernel of this drill needs. */
const hardened = [
  ...['--runtime', 'runc', 'run', '--rm', '--network', 'host', '--read-only', '--cap-drop', 'all'],
  ...['--security-opt', 'no-new-privileges', '--user', '10001:10001'],
  ...['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'],
];

const statusOf = (pid: string, name: string): string =>
  new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';

export const drillImage = async (): Promise<void> => {
  needPrograms({ buildah: 'buildah', podman: 'podman', runc: 'runc', mmdebstrap: 'mmdebstrap' });
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-image-'));
  const [base, tag] = ['localhost/commonhall-base', `localhost/commonhall:${version}`];
  const name = `commonhall-drill-${process.pid}`;
  const postgres = await startPostgres();
  try {
    const context = join(folder, 'context');
    makeContext(context);
    makeBase(join(folder, 'base'), base);
    const began = performance.now();
    const first = build(context, base, tag);
    const size = Math.round(Number.parseInt(first, 10) / 1e6);
    console.log(`built in ${Math.round((performance.now() - began) / 1000)} s, ${size} MB`);
    run('podman', ['image', 'rm', tag]);
    assert.equal(build(context, base, tag), first, 'a second build has the same layers');

    const [port, metrics] = [await freePort(), await freePort()];
    const settings = {
      DATABASE_URL: postgres.url,
      HOST: '127.0.0.1',
      PORT: String(port),
      METRICS_HOST: '127.0.0.1',
      METRICS_PORT: String(metrics),
    };
    const env = Object.entries(settings).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
    console.log(
      run('podman', [...hardened, ...env, tag, 'migrate'])
        .split('\n')
        .at(-1),
    );
    const started = performance.now();
    run('podman', [...hardened, '--detach', '--name', name, ...env, tag]);
    for (const deadline = Date.now() + 60_000; ; await sleep(20)) {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
      if (response?.status === 200) break;
      assert.ok(Date.now() < deadline, 'not ready within a minute');
    }
    console.log(`ready ${Math.round(performance.now() - started)} ms after podman run`);
    const pid = run('podman', ['inspect', '--format', '{{.State.Pid}}', name]);
    assert.equal(statusOf(pid, 'CapEff'), '0000000000000000');
    assert.equal(statusOf(pid, 'NoNewPrivs'), '1');
    assert.match(statusOf(pid, 'Uid'), /^10001\s/);
    assert.equal((await fetch(`http://127.0.0.1:${port}/users/scores/tiers`)).status, 200);
    assert.equal((await fetch(`http://127.0.0.1:${port}/docs/reference`)).status, 200, 'the reference is in the image');
    run('podman', ['healthcheck', 'run', name]);
    await sleep(5000);
    console.log(`at rest ${Math.round(Number.parseInt(statusOf(pid, 'VmRSS'), 10) / 1000)} MB`);
    const stopped = performance.now();
    run('podman', ['stop', '--time', '20', name]);
    console.log(`stopped in ${Math.round(performance.now() - stopped)} ms`);
  } finally {
    try {
      run('podman', ['rm', '--force', '--ignore', name]);
    } finally {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
};
