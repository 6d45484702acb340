// A private process of Debian's nginx with deploy/nginx/commonhall.conf: on free ports, with a new certificate that the
// test process trusts, in a folder that is removed at the end.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { needPrograms, run } from '../../../../test/debian.ts';
import type { Replacement } from '../../../../test/helpers/deploy-files.ts';
import { deployFile } from '../../../../test/helpers/deploy-files.ts';
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
  include ${folder}/commonhall.conf;
}
`;

export interface Nginx {
  url: string;
  /** The URL without TLS. */
  plainUrl: string;
  port: number;
  /** Reloads the configuration with `nginx -s reload`. */
  reload: () => void;
  /** The text of a file in its folder: error.log, access.log, commonhall.log. */
  read: (file: string) => string;
  stop: () => Promise<void>;
}

export const startNginx = async (
  [one, two]: readonly [URL, URL],
  replacements: readonly Replacement[] = [],
): Promise<Nginx> => {
  needPrograms({ nginx: 'nginx-light', openssl: 'openssl' });
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-nginx-'));
  chmodSync(folder, 0o755); // nginx workers run as another user
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
    ...replacements,
  ]);
  writeFileSync(join(folder, 'commonhall.conf'), text);
  writeFileSync(join(folder, 'nginx.conf'), wholeConfig(folder));
  const errors = join(folder, 'error.log');
  const arguments_ = ['-p', folder, '-e', errors, '-c', join(folder, 'nginx.conf')];
  run('nginx', [...arguments_, '-t', '-q']);
  assert.equal(readFileSync(errors, 'utf8'), '', 'nginx prints no warning');
  const child = spawn('/usr/sbin/nginx', arguments_, { stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGTERM')); // its workers end with it
  await eventually(async () => {
    assert.equal(child.exitCode, null, readFileSync(errors, 'utf8'));
    await fetch(`http://127.0.0.1:${plainPort}/`, { redirect: 'manual' });
  });
  return {
    url: `https://127.0.0.1:${port}`,
    plainUrl: `http://127.0.0.1:${plainPort}`,
    port,
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
