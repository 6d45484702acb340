// Settings: defaults, all problems reported at once, secrets read from files and masked when printed.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { printSettings, readConfig } from '../src/config.ts';
import { settings } from '../src/settings.ts';

const url = 'postgres://user:hush@db/commonhall';

test('only DATABASE_URL must be given; the rest has defaults that parse', () => {
  const config = readConfig({ DATABASE_URL: url });
  assert.equal(config.PORT, 8080);
  assert.equal(config.MAX_AGE_SECONDS, 1);
  for (const [name, { default: byDefault, parse }] of Object.entries(settings))
    if (byDefault !== undefined && String(byDefault) !== '')
      assert.deepEqual(parse(String(byDefault)), byDefault, name);
  assert.ok(Object.isFrozen(config));
});

test('all problems are reported at once, each with the name of the setting and what is allowed', () => {
  const wrong = {
    PORT: '99999',
    PUBLIC_URL: 'ftp://x',
    FIXED_NOW: 'noon',
    LOG_LEVEL: 'loud',
    KEY_PEPPER: 'short',
    BASE_PATH: 'v1',
    CHECK_RESPONSES: 'yes',
    JOURNAL_FILE: 'journal',
  };
  assert.throws(
    () => readConfig(wrong),
    (error: Error) => {
      for (const name of ['DATABASE_URL: must be set', ...Object.keys(wrong).map((key) => `${key}: must`)])
        assert.ok(error.message.includes(name), name);
      assert.ok(!error.message.includes('short'), 'the message does not reveal the value of a secret');
      return true;
    },
  );
});

test('DATABASE_URL must be a PostgreSQL URL', () => {
  for (const wrong of ['mysql://x', 'nonsense', 'postgres:/x', 'host=x dbname=y'])
    assert.throws(() => readConfig({ DATABASE_URL: wrong }), /^Error: DATABASE_URL: must be like postgres:/, wrong);
  for (const right of [url, 'postgresql://x/y', 'postgres://u@%2Fvar%2Frun%2Fpostgresql/db'])
    assert.equal(readConfig({ DATABASE_URL: right }).DATABASE_URL, right);
});

test('every network in RATE_LIMIT_NETWORKS has a limit', () => {
  const networks = (value: string) => readConfig({ DATABASE_URL: url, RATE_LIMIT_NETWORKS: value }).RATE_LIMIT_NETWORKS;
  assert.deepEqual(networks('10.0.0.0/8=5, ::1=0'), ['10.0.0.0/8=5', '::1=0']);
  for (const wrong of ['10.0.0.0/8', '10.0.0.0/33=5', 'x=5', '10.0.0.0/8=-1', '10.0.0.0/8=1=2'])
    assert.throws(() => networks(wrong), /RATE_LIMIT_NETWORKS: must be networks/, wrong);
});

test('a misspelt setting prevents the start', () => {
  assert.throws(
    () => readConfig({ DATABASE_URL: url, PUBLIC_URI: 'x' }),
    /PUBLIC_URI: unknown setting; did you mean PUBLIC_URL/,
  );
  assert.throws(() => readConfig({ DATABASE_URL: url, DATABASE_CONECTIONS: '5' }), /did you mean DATABASE_CONNECTIONS/);
  assert.throws(() => readConfig({ DATABASE_URL: url, JOURNALS_FILE: '/x' }), /did you mean JOURNAL_FILE/);
  assert.equal(readConfig({ DATABASE_URL: url, JOURNAL_FILE: '/x' }).JOURNAL_FILE, '/x');
  readConfig({ DATABASE_URL: url, HOME: '/root', PATH: '/bin', HOSTNAME: 'x', LOGNAME: 'y', npm_config_cache: 'z' });
});

test('an impossible time, and a file for a setting that is not a secret, are rejected', () => {
  for (const moment of ['2026-02-31T00:00:00Z', '0000-01-01T00:00:00Z', '2026-01-01T24:00:00Z'])
    assert.throws(() => readConfig({ DATABASE_URL: url, FIXED_NOW: moment }), /FIXED_NOW: must be/, moment);
  assert.throws(() => readConfig({ DATABASE_URL: url, HOST_FILE: '/x' }), /HOST: is not a secret/);
});

test('a secret may come from a file, but not from a file and a variable at once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-config-'));
  const file = join(folder, 'pepper');
  writeFileSync(file, `${'p'.repeat(32)}\n`);
  assert.equal(readConfig({ DATABASE_URL: url, KEY_PEPPER_FILE: file }).KEY_PEPPER, 'p'.repeat(32));
  assert.throws(
    () => readConfig({ DATABASE_URL: url, KEY_PEPPER_FILE: file, KEY_PEPPER: 'q'.repeat(32) }),
    /given twice/,
  );
  rmSync(folder, { recursive: true });
});

test('printed settings mask secrets', () => {
  const printed = printSettings(readConfig({ DATABASE_URL: url, KEY_PEPPER: 'p'.repeat(32) })).join('\n');
  assert.ok(!printed.includes('hush') && !printed.includes('pppp'));
  assert.match(printed, /^DATABASE_URL=\*\*\*$/m);
  assert.match(printed, /^PORT=8080$/m);
});
