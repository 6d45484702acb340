// Starting: an operator's mistake gives one line with its remedy and exit status 1. The server waits for a database
// that is unavailable or lacks a migration. The version is the same everywhere, and URLs have the actual port.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { version } from '@commonhall/contract/version';
import pg from 'pg';
import { printedBlocks } from '../../../drills/printed.ts';
import { bareEnv, eventually, serveProcess } from '../../../test/helpers/process.ts';
import { startProxy } from '../../../test/helpers/proxy.ts';
import { createWorld, pepper } from '../../../test/helpers/world.ts';
import { freePort, startPostgres } from '../../../test/postgres.ts';

const world = await createWorld();
const launcher = fileURLToPath(new URL('../commonhall.js', import.meta.url));

const run = async (args: string[], env: Record<string, string> = {}, flags: string[] = []) => {
  const child = spawn(process.execPath, [...flags, launcher, ...args], {
    env: {
      ...bareEnv,
      DATABASE_URL: world.ownerUrl,
      KEY_PEPPER: pepper,
      PORT: '0',
      METRICS_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { status, output };
};
const folder = mkdtempSync(join(tmpdir(), 'commonhall-start-up-'));
writeFileSync(join(folder, 'users.ndjson'), '');
after(() => rmSync(folder, { recursive: true }));
const commands = [['serve'], ['migrate'], ['import', folder], ['verify'], ['key', 'list']];
/** Each command prints one line that matches, and exits with status 1. */
const eachSays = async (wanted: RegExp, env: Record<string, string>, which = commands) => {
  for (const args of which) {
    const { status, output } = await run(args, env);
    assert.equal(status, 1, `${args[0]}: ${output}`);
    assert.match(output, wanted, args[0]);
    assert.equal(output.trim().split('\n').length, 1, `${args[0]}: ${output}`);
  }
};
const elsewhere = (change: (url: URL) => void): string => {
  const url = new URL(world.ownerUrl);
  change(url);
  return url.href;
};

test('every command reports a malformed database URL, with the right format', async () => {
  await eachSays(/^DATABASE_URL: must be like postgres:\/\/user:password@host:5432\/database$/m, {
    DATABASE_URL: 'mysql://x',
  });
});

test('every command reports a login that PostgreSQL refuses', async () => {
  const url = elsewhere((to) => {
    to.username = 'nobody_of_that_name';
  });
  await eachSays(/refuses the login of "nobody_of_that_name": correct the user in DATABASE_URL/, { DATABASE_URL: url });
});

test('every command reports a database that was never migrated, with the command to run', async () => {
  const name = `${new URL(world.ownerUrl).pathname.slice(1)}_empty`;
  await world.owner.query(`create database ${name} template template0 encoding 'UTF8'`);
  const url = elsewhere((to) => {
    to.pathname = `/${name}`;
  });
  const needSchema = commands.filter(([command]) => command !== 'migrate');
  await eachSays(/does not have the Commonhall schema; run: commonhall migrate$/m, { DATABASE_URL: url }, needSchema);
  await world.owner.query(`drop database ${name} with (force)`);
});

test('an owner that is no superuser can migrate as the docs say; without the right to create roles nothing is changed', async () => {
  const postgres = await startPostgres({ shared_buffers: '32MB' });
  const admin = new pg.Client(postgres.url);
  try {
    await admin.connect();
    const steps = printedBlocks('docs/operating.md', 'The database', 'sh').join('').split('\n');
    const printed = steps.filter((step) => step.startsWith('psql')).map((step) => /["'](.*)["']$/.exec(step)![1]!);
    const [makeOwner, makeDatabase, endCreating, makeServer] = printed;
    await admin.query(makeOwner!);
    await admin.query(makeDatabase!);
    const env = { DATABASE_URL: postgres.url.replace(/postgres@(.*)postgres$/, 'owner@$1commonhall') };
    await admin.query(endCreating!);
    const refused = await run(['migrate'], env);
    assert.equal(refused.status, 1);
    assert.match(refused.output, /^this login may not make the role commonhall_reader, and nothing was changed: .*\n$/);
    const database = new pg.Client(postgres.url.replace(/postgres$/, 'commonhall'));
    await database.connect();
    const { rows } = await database.query(`select from pg_tables where schemaname = 'public'`);
    await database.end();
    assert.equal(rows.length, 0);
    await admin.query('alter role owner createrole');
    assert.match((await run(['migrate'], env)).output, /^migrations applied: 6; lists built: 29; lists dropped: 0\n$/m);
    await admin.query(endCreating!);
    await admin.query(makeServer!);
    assert.match((await run(['migrate'], env)).output, /up to date\n$/);
    assert.equal((await run(['verify'], env)).status, 0);
  } finally {
    await admin.end();
    await postgres.stop();
  }
});

test('every command except serve reports a closed port and an unknown database', async () => {
  const port = String(await freePort());
  const closed = elsewhere((to) => {
    to.port = port;
  });
  const others = commands.slice(1);
  await eachSays(
    new RegExp(`cannot reach PostgreSQL at 127.0.0.1:${port} \\(ECONNREFUSED\\): start it`),
    { DATABASE_URL: closed },
    others,
  );
  const missing = elsewhere((to) => {
    to.pathname = '/no_such_database';
  });
  await eachSays(/has no database "no_such_database": create it/, { DATABASE_URL: missing }, others);
});

test('an unknown command and an old Node exit with status 1 and say what to do', async () => {
  for (const args of [['no-such-command'], ['key', 'nope'], ['serve', '--nope']]) {
    const { status, output } = await run(args);
    assert.deepEqual([status, output.trim().split('\n').length], [1, 1], output);
    assert.match(output, /see: commonhall --help/);
  }
  const old = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '20.11.0' } })`;
  const { status, output } = await run(['serve'], {}, ['--import', old]);
  assert.equal(status, 1);
  assert.match(output, /^commonhall needs Node 24 or newer and this is v[\d.]+: install a newer Node$/m);
});

test('serve starts while the database is unavailable, logs that once, and becomes ready by itself', async () => {
  const proxy = await startProxy(world.readerUrl);
  await proxy.set('refusing');
  const server = await serveProcess(proxy.url, { DATABASE_WAIT_MS: '500' }, ['ignore', 'pipe', 'inherit']);
  let log = '';
  server.child.stdout!.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const ready = async () => (await fetch(`${server.url}/readyz`)).status;
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
  assert.equal(await ready(), 503);
  await eventually(() => assert.match(log, /"reason":"The database does not answer"/));
  await new Promise((resolve) => setTimeout(resolve, 2500)); // several checks later
  assert.equal(log.match(/"msg":"not ready"/g)?.length, 1);
  await proxy.set('none');
  await eventually(async () => assert.equal(await ready(), 200));
  await server.stop();
  await proxy.close();
});

test('serve waits for a database that lacks a migration', async () => {
  const { rows } = await world.owner.query<{ name: string }>(
    'select name from schema_migrations order by name desc limit 1',
  );
  await world.owner.query('delete from schema_migrations where name = $1', [rows[0]!.name]);
  const api = await world.serve();
  assert.equal((await fetch(`${api.url}/readyz`)).status, 503);
  assert.ok(api.lines.some(({ msg, reason }) => msg === 'not ready' && /commonhall migrate/.test(String(reason))));
  await world.owner.query('insert into schema_migrations values ($1, now(), false)', [rows[0]!.name]);
  await eventually(async () => assert.equal((await fetch(`${api.url}/readyz`)).status, 200));
});

test('command line, OpenAPI document and metric have the same version, and no package has its own', async () => {
  assert.equal((await run(['--version'])).output, `${version}\n`);
  const api = await world.serve();
  const { info } = (await (await fetch(`${api.url}/openapi.json`)).json()) as { info: { version: string } };
  assert.equal(info.version, version);
  assert.match(
    await (await fetch(`${api.metricsUrl}/metrics`)).text(),
    new RegExp(`commonhall_build_info\\{version="${version}"\\} 1`),
  );
  const files = globSync(fileURLToPath(new URL('../../*/package.json', import.meta.url)));
  assert.ok(files.length >= 3);
  for (const file of files)
    assert.ok(!('version' in JSON.parse(readFileSync(file, 'utf8'))), `${file} has its own version`);
});

test('links have the port that is listened on unless PUBLIC_URL is set; metrics are served only on localhost', async () => {
  const api = await world.serve({ HOST: '0.0.0.0' });
  const { port } = new URL(api.url);
  const link = (await api.get('/contests')).headers.get('link');
  assert.equal(link, `<http://127.0.0.1:${port}/contests?page=1>; rel="first"`);
  const { servers } = (await (await fetch(`${api.url}/openapi.json`)).json()) as { servers: unknown };
  assert.deepEqual(servers, [{ url: `http://127.0.0.1:${port}` }]);
  const metrics = (address: string) => fetch(`http://${address}:${new URL(api.metricsUrl).port}/metrics`);
  assert.equal((await metrics('127.0.0.1')).status, 200);
  await assert.rejects(metrics('127.0.0.2'), 'metrics are not served on every address');
  assert.equal((await fetch(`http://127.0.0.2:${port}/healthz`)).status, 200, 'the API is served on every address');
});
