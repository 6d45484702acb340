// deploy/systemd without a running systemd: systemd-analyze checks the units, and the settings, commands and times in
// them match the server. `npm run drill -- systemd` starts the units. deploy/nginx is in nginx.system.test.ts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { needPrograms, run } from '../../../test/debian.ts';
import { deployFile } from '../../../test/helpers/deploy-files.ts';
import { serveProcess } from '../../../test/helpers/process.ts';
import { startProxy } from '../../../test/helpers/proxy.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import type { Config } from '../src/config.ts';
import { readConfig } from '../src/config.ts';
import { settings } from '../src/settings.ts';

needPrograms({ 'systemd-analyze': 'systemd' });
const server = fileURLToPath(new URL('../', import.meta.url));
const program = '/opt/commonhall/bin/commonhall';
const units = globSync('../../deploy/systemd/*.service', { cwd: server })
  .map((path) => basename(path))
  .sort();
const textOf = (unit: string): string => deployFile(`systemd/${unit}`);
/** Every value of a name, in a unit or an environment file. */
const valuesOf = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!);
const pairsOf = (lines: readonly string[]) => lines.map((line) => line.split(/=(.*)/s, 2) as [string, string]);
const environment = Object.fromEntries(
  pairsOf(
    deployFile('systemd/commonhall.env')
      .split('\n')
      .filter((line) => /^[^#]/.test(line)),
  ),
);
const seconds = (unit: string, name: string): number => Number(valuesOf(textOf(unit), name)[0]);

/** The units with the path of this checkout's program, so that nothing has to be installed. */
const folder = mkdtempSync(join(tmpdir(), 'commonhall-units-'));
for (const unit of units)
  writeFileSync(join(folder, unit), deployFile(`systemd/${unit}`, [[program, join(server, 'commonhall.js')]]));

test('systemd-analyze finds no problem in the units, and an exposure of at most 1.5 of 10', (t) => {
  assert.deepEqual(units, ['commonhall-follow.service', 'commonhall-migrate.service', 'commonhall.service']);
  for (const unit of units) {
    const path = join(folder, unit);
    assert.equal(execFileSync('sh', ['-c', 'systemd-analyze verify "$0" 2>&1', path], { encoding: 'utf8' }), '');
    const report = run('systemd-analyze', ['security', '--offline=true', '--no-pager', '--threshold=15', path]);
    t.diagnostic(report.split('\n').at(-1)!);
  }
});

test('the sandbox is the same in all units', () => {
  const sandboxes = units.map((unit) => /^# A user that exists.*?^UMask=\d+\n/ms.exec(textOf(unit))?.[0]);
  assert.ok(sandboxes[0] !== undefined);
  assert.equal(new Set(sandboxes).size, 1);
});

test('the units and the example name only existing settings; secrets, and only secrets, come from credentials', () => {
  const secret = (name: string) => (settings as Record<string, { secret?: true } | undefined>)[name]?.secret === true;
  for (const name of Object.keys(environment)) assert.ok(name in settings && !secret(name), name);
  for (const unit of units) {
    const text = textOf(unit);
    for (const [name] of text.matchAll(/\b[A-Z_]+_FILE\b/g)) assert.ok(secret(name.replace(/_FILE$/, '')), name);
    const loaded = valuesOf(text, 'LoadCredential').map((value) => value.split(':') as [string, string]);
    const given = Object.fromEntries(pairsOf(valuesOf(text, 'Environment')));
    assert.deepEqual(
      Object.values(given).filter((value) => value !== 'production'),
      loaded.map(([name]) => `%d/${name}`),
      `${unit}: every credential is used`,
    );
    for (const [, path] of loaded) assert.ok(path.startsWith('/etc/commonhall/'), path);
  }
});

test('the settings are accepted together with the variables that systemd itself sets', () => {
  const ofSystemd = {
    INVOCATION_ID: 'x',
    JOURNAL_STREAM: '8:1',
    SYSTEMD_EXEC_PID: '1',
    CREDENTIALS_DIRECTORY: '/run/x',
  };
  const more = {
    MEMORY_PRESSURE_WATCH: '/sys/x',
    MEMORY_PRESSURE_WRITE: 'x',
    LOGNAME: 'commonhall',
    USER: 'commonhall',
  };
  const values = { 'database-url': 'postgres://x@y/z', 'feed-url': 'nats://x:4222', 'key-pepper': 'x'.repeat(32) };
  for (const [name, value] of Object.entries(values)) writeFileSync(join(folder, name), value);
  for (const unit of units) {
    const given = pairsOf(valuesOf(textOf(unit), 'Environment').map((line) => line.replace('%d', folder)));
    const config = readConfig({ ...ofSystemd, ...more, ...environment, ...Object.fromEntries(given) });
    assert.equal(config.DATABASE_URL, values['database-url']);
    assert.equal(config.PUBLIC_URL, environment.PUBLIC_URL);
  }
});

test('the units start existing commands of the package, at the path where npm install --global puts it', () => {
  const { bin } = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8')) as { bin: Record<string, string> };
  assert.deepEqual(Object.keys(bin), [basename(program)]);
  const help = run(process.execPath, [join(server, 'commonhall.js'), '--help']);
  for (const unit of units) {
    const [path, command, ...rest] = valuesOf(textOf(unit), 'ExecStart')[0]!.split(' ');
    assert.deepEqual([path, rest], [program, []]);
    assert.match(help, new RegExp(`^  ${command} `, 'm'));
  }
});

/** The formula in the comment of the unit. */
const longestStopMs = (config: Config): number =>
  config.DRAIN_MS + 2 * (4 * config.DATABASE_WAIT_MS + config.STATEMENT_TIMEOUT_MS + 1000) + 500;

test('the server stops within the time that the unit allows, even with a silent database', {
  timeout: 120_000,
}, async () => {
  const defaults = readConfig({ DATABASE_URL: 'postgres://x@y/z', ...environment });
  assert.ok(longestStopMs(defaults) * 1.5 < seconds('commonhall.service', 'TimeoutStopSec') * 1000);

  const world = await createWorld();
  const proxy = await startProxy(world.readerUrl);
  const short = { DRAIN_MS: '500', DATABASE_WAIT_MS: '300', STATEMENT_TIMEOUT_MS: '600' };
  const { url, stop } = await serveProcess(proxy.url, short);
  try {
    await proxy.set('silent');
    const underWay = fetch(`${url}/users/scores/tiers`).catch(() => null);
    const { status, ms } = await stop();
    await underWay;
    assert.equal(status, 0);
    const most = longestStopMs(readConfig({ DATABASE_URL: world.readerUrl, ...short }));
    assert.ok(ms < most + 1000, `${ms} ms, at most ${most} ms`); // plus the time that the process itself needs to exit
  } finally {
    await proxy.close();
  }
});

test('nginx waits longer than a response can take, and closes idle connections before the server does', async () => {
  const text = deployFile('nginx/commonhall.conf');
  const limit = (name: string) => Number(new RegExp(`^\\s*${name} (\\d+)s;`, 'm').exec(text)?.[1]) * 1000;
  const config = readConfig({ DATABASE_URL: 'postgres://x@y/z', ...environment });
  assert.ok(limit('proxy_read_timeout') > 1.5 * (4 * config.DATABASE_WAIT_MS + config.STATEMENT_TIMEOUT_MS));
  assert.ok(
    limit('proxy_next_upstream_timeout') > limit('proxy_read_timeout'),
    'there is time to try the other server',
  );
  const api = await (await createWorld()).serve();
  const keepAlive = /^timeout=(\d+)$/.exec((await api.get('/healthz')).headers.get('keep-alive') ?? '')?.[1];
  assert.ok(limit('keepalive_timeout') < Number(keepAlive) * 1000, keepAlive);
});
