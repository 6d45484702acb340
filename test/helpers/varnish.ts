// Debian's Varnish in front of a server.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needPrograms } from '../debian.ts';
import { freePort } from '../postgres.ts';
import { eventually } from './process.ts';

/** Without VCL it has its built-in one. */
export const startVarnish = async (
  server: string,
  vcl: string | null,
): Promise<{ url: string; stop: () => Promise<void> }> => {
  needPrograms({ varnishd: 'varnish', cc: 'gcc' });
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-varnish-'));
  const port = await freePort();
  const { host, port: backendPort } = new URL(server);
  const file = join(folder, 'default.vcl');
  const backend = `vcl 4.1;\nbackend default { .host = "127.0.0.1"; .port = "${backendPort}"; }\n`;
  writeFileSync(file, `${backend}${vcl ?? ''}`);
  const child = spawn(
    '/usr/sbin/varnishd',
    ['-F', '-n', folder, '-a', `127.0.0.1:${port}`, '-j', 'none', ...(vcl === null ? ['-b', host] : ['-f', file])],
    { stdio: 'ignore' },
  );
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => assert.equal((await fetch(`${url}/healthz`)).status, 200));
  return {
    url,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
