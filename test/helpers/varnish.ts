// Debian's Varnish in front of a server.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needPrograms, run } from '../debian.ts';
import { freePort } from '../postgres.ts';
import type { Replacement } from './deploy-files.ts';
import { deployFile, replaceEach } from './deploy-files.ts';
import { eventually } from './process.ts';

export interface Varnish {
  url: string;
  pid: number;
  stop: () => Promise<void>;
}

/** Runs a VCL. */
const start = async (vcl: string, parameters: readonly string[]): Promise<Varnish> => {
  needPrograms({ varnishd: 'varnish', cc: 'gcc', '/usr/share/doc/varnish-modules': 'varnish-modules' });
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-varnish-'));
  const port = await freePort();
  const file = join(folder, 'default.vcl');
  writeFileSync(file, vcl);
  run('varnishd', ['-C', '-j', 'none', '-n', folder, '-f', file]); // an error of the VCL, with its line
  const child = spawn(
    '/usr/sbin/varnishd',
    ['-F', '-n', folder, '-a', `127.0.0.1:${port}`, '-j', 'none', '-f', file, ...parameters],
    { stdio: 'ignore' },
  );
  const kill = () => child.kill('SIGTERM');
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    assert.equal(child.exitCode, null, 'varnishd has ended');
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
  });
  return {
    url,
    pid: child.pid!,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** With deploy/varnish/commonhall.vcl. */
export const startVarnish = (server: string, replacements: readonly Replacement[] = []): Promise<Varnish> => {
  const { hostname, port } = new URL(server);
  const vcl = deployFile('varnish/commonhall.vcl', [
    ['"10.0.0.11"', `"${hostname}"`],
    ['"10.0.0.12"', `"${hostname}"`],
    ['"8080"', `"${port}"`],
  ]);
  return start(replaceEach(vcl, replacements), ['-p', 'http_gzip_support=off']);
};

/** With its built-in rules, or with a few lines of its own. */
export const startBuiltInVarnish = (server: string, vcl = ''): Promise<Varnish> => {
  const { hostname, port } = new URL(server);
  return start(`vcl 4.1;\nbackend default { .host = "${hostname}"; .port = "${port}"; }\n${vcl}`, []);
};
