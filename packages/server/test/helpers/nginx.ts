// A private process of Debian's nginx with deploy/nginx/commonhall.conf, and with its cache if asked: on free ports, with a
// new certificate that the test process trusts, in a folder that is removed at the end.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { needPrograms, run } from '../../../../test/debian.ts';
import type { Replacement } from '../../../../test/helpers/deploy-files.ts';
import { deployFile, replaceEach } from '../../../../test/helpers/deploy-files.ts';
import { eventually } from '../../../../test/helpers/process.ts';
import { freePort } from '../../../../test/postgres.ts';

/** Like Debian's nginx.conf, including the defaults that our file must override. */
const wholeConfig = (folder: string): string => `
daemon off;
worker_processes 2;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 768; }
http {
  default_type application/octet-stream;
  ssl_protocols TLSv1 TLSv1.1 TLSv1.2 TLSv1.3;
  access_log ${folder}/access.log;
  gzip on;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  include ${folder}/conf.d/*.conf;
}
`;

/** The line of commonhall.conf that turns the cache on. */
const included = 'include snippets/commonhall-cache.conf;';
const divider = '\n#### the second file\n';

interface Process {
  pid: number;
  /** Reloads the configuration with `nginx -s reload`. */
  reload: () => void;
  /** The text of a file in its folder: error.log, access.log, commonhall.log. */
  read: (file: string) => string;
  stop: () => Promise<void>;
}
export interface Nginx extends Process {
  url: string;
  /** The URL without TLS. */
  plainUrl: string;
  port: number;
}

const makeFolder = (): string => {
  needPrograms({ nginx: 'nginx-light', openssl: 'openssl' });
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-nginx-'));
  chmodSync(folder, 0o755); // nginx workers run as another user
  for (const part of ['conf.d', 'snippets', 'cache']) mkdirSync(join(folder, part));
  return folder;
};

/** Starts nginx with the files of a folder, and waits until the port answers. */
const launch = async (folder: string, port: number): Promise<Process> => {
  writeFileSync(join(folder, 'nginx.conf'), wholeConfig(folder));
  const errors = join(folder, 'error.log');
  const arguments_ = ['-p', folder, '-e', errors, '-c', join(folder, 'nginx.conf')];
  run('nginx', [...arguments_, '-t', '-q']);
  assert.equal(readFileSync(errors, 'utf8'), '', 'nginx prints no warning');
  const child = spawn('/usr/sbin/nginx', arguments_, { stdio: 'ignore' });
  const kill = () => child.kill('SIGTERM'); // its workers end with it
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));
  await eventually(async () => {
    assert.equal(child.exitCode, null, readFileSync(errors, 'utf8'));
    await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' });
  });
  return {
    pid: child.pid!,
    reload: () => void run('nginx', [...arguments_, '-s', 'reload']),
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** A cache with as few lines as possible, for comparisons. */
export const startMinimalNginx = async (origin: string): Promise<Pick<Nginx, 'url' | 'pid' | 'stop'>> => {
  const folder = makeFolder();
  const port = await freePort();
  const text = `
    proxy_cache_path ${folder}/cache keys_zone=minimal:1m;
    server {
      listen 127.0.0.1:${port};
      access_log off;
      gzip off;
      location / {
        proxy_cache minimal;
        proxy_pass ${origin};
      }
    }`;
  writeFileSync(join(folder, 'conf.d/minimal.conf'), text);
  return { url: `http://127.0.0.1:${port}`, ...(await launch(folder, port)) };
};

/** `cached`: a cache in front, with these replacements in its two files. */
export const startNginx = async (
  [one, two]: readonly [URL, URL],
  replacements: readonly Replacement[] = [],
  cached: readonly Replacement[] | null = null,
): Promise<Nginx> => {
  const folder = makeFolder();
  const [certificate, key] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')];
  run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=api.example.org', '-addext', 'subjectAltName=DNS:api.example.org,IP:127.0.0.1'],
    ...['-keyout', key, '-out', certificate],
  ]);
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(certificate, 'utf8')]);
  const [port, plainPort] = [await freePort(), await freePort()];
  const text = deployFile('nginx/commonhall.conf', [
    ['10.0.0.11:8080', one.host],
    ['10.0.0.12:8080', two.host],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen [::]:80;', ''],
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['listen [::]:443 ssl http2;', ''],
    ['/etc/letsencrypt/live/api.example.org/fullchain.pem', certificate],
    ['/etc/letsencrypt/live/api.example.org/privkey.pem', key],
    ['/var/log/nginx/commonhall.log', join(folder, 'commonhall.log')],
    ...(cached === null ? [] : [[`# ${included}`, included] as const]),
    ['snippets/', `${folder}/snippets/`],
    ...replacements,
  ]);
  writeFileSync(join(folder, 'conf.d/commonhall.conf'), text);
  if (cached !== null) {
    // Both files in one text, so that a replacement may be in either.
    const both = ['nginx/cache.conf', 'nginx/cache-server.conf'].map((file) => deployFile(file)).join(divider);
    const made = replaceEach(both, [['/var/cache/commonhall', join(folder, 'cache')], ...cached]).split(divider);
    writeFileSync(join(folder, 'conf.d/cache.conf'), made[0]!);
    writeFileSync(join(folder, 'snippets/commonhall-cache.conf'), made[1]!);
  }
  return {
    url: `https://127.0.0.1:${port}`,
    plainUrl: `http://127.0.0.1:${plainPort}`,
    port,
    ...(await launch(folder, plainPort)),
  };
};
