// Upgrades: how the runner treats a migration file, and an upgrade of a filled database while it is read and written.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { laterBuild } from '../../../test/helpers/later-build.ts';
import { bareEnv } from '../../../test/helpers/process.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { lintMigration } from '../../../test/lint-migrations.ts';
import { migrate } from '../src/db/schema/migrate.ts';
import { migrationOf } from '../src/db/schema/migrations.ts';
import { verify } from '../src/db/schema/verify.ts';
import { upgradeUnderLoad } from './helpers/upgrade.ts';

const { owner, ownerUrl, readerUrl } = await createWorld();

test('a migration file says how it is run; an unknown instruction is rejected', () => {
  const { isOutside, isRepeated, isRequired } = migrationOf(
    '0101_x',
    '-- commonhall: run outside a transaction\nselect 1;',
  );
  assert.deepEqual({ isOutside, isRepeated, isRequired }, { isOutside: true, isRepeated: false, isRequired: false });
  assert.throws(
    () => migrationOf('0101_x', '-- commonhall: run at night\n'),
    /"run at night" is not one of: run outside/,
  );
});

test('the linter rejects migrations that would block readers or writers, and accepts those written as the guide says', () => {
  const lint = (text: string) => lintMigration(migrationOf('0101_x', text));
  const outside = '-- commonhall: run outside a transaction\n';
  const guided = 'drop index concurrently if exists x;\ncreate index concurrently if not exists x on users (bio);\n';
  assert.match(lint('create index users_bio on users (bio);'), /require-concurrent-index-creation/);
  assert.match(lint('alter table users add column score integer not null;'), /adding-required-field/);
  assert.match(lint('alter table users alter column bio type text;'), /changing-column-type/);
  assert.match(lint(guided), /in-transaction/);
  assert.equal(lint('alter table users add column score integer;'), '');
  assert.equal(lint(outside + guided), '');
});

test('a migration that servers need after one that stops older servers is rejected, and nothing is changed', async () => {
  const later = laterBuild();
  writeFileSync(join(dirname(later.main), '../migrations/0106_after.sql'), 'select 1;\n');
  const child = spawn(process.execPath, [later.main, 'migrate'], { env: { ...bareEnv, DATABASE_URL: ownerUrl } });
  const [output, [status]] = await Promise.all([child.stderr.toArray(), once(child, 'exit')]);
  later.remove();
  assert.equal(status, 1);
  assert.match(
    output.join(''),
    /^0105_only_new_servers stops servers of older builds, and servers of this build need 0106_after,.*nothing was changed/,
  );
  const { rows } = await owner.query(`select from schema_migrations where name > '0100'`);
  assert.equal(rows.length, 0);
});

test('no request fails in an upgrade under load with killed migrations; old servers stay ready until one excludes them', async () => {
  await owner.query(`
    insert into users (id, username, display_name, status)
    select 'many-' || n, 'many-' || n, 'Many', 'active' from generate_series(1, 3000) n`);
  await owner.query(`
    insert into agents (id, name, display_name, bio, active, x402_support, status, owner_id, created_at, updated_at, published_at)
    select 'a' || n, 'a' || n, 'A', '', true, true, 'PUBLISHED', 'many-' || (1 + n % 3),
      '2026-01-05T00:00:00Z', '2026-01-05T00:00:00Z', '2026-01-05T00:00:00Z' from generate_series(1, 3000) n`);
  const write = `update users set bio = 'written' where id in ('many-1', 'many-2')`;
  const { problems, killed, longestMs, requests } = await upgradeUnderLoad(
    ownerUrl,
    readerUrl,
    ['/agents/a1', '/users/many-1/timeline', '/launches/user/many-2'],
    write,
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(killed, [
    '0101_score',
    '0102_score_backfill',
    '0103_score_index',
    '0104_shelf',
    'shelf_agents',
    '0105_only_new_servers',
  ]);
  const index = `select indisvalid from pg_index where indexrelid = 'users_by_score'::regclass`;
  assert.deepEqual((await owner.query(index)).rows, [{ indisvalid: true }]);
  assert.ok(requests > 100);
  assert.ok(longestMs < 10_000, `a reader waited ${longestMs} ms`); // half a second for a lock; a busy machine may stall for seconds
  const { rows: found } = await owner.query<{ name: string }>(
    `select name from installed where starts_with(name, 'shelf_agents')`,
  );
  const { rows } = await owner.query(`select parent, rows::int, is_long from ${found[0]?.name}.totals`);
  assert.deepEqual(rows, [{ parent: 'top', rows: 3000, is_long: true }]);
  const { drifts, rights } = await verify(ownerUrl, false);
  assert.deepEqual([drifts, rights], [[], []]);
});

test('migrate of a build that a migration has marked out changes nothing, and says which build to use', async () => {
  await assert.rejects(
    migrate(ownerUrl, () => {}),
    /^Error: the database has 0105_only_new_servers, which servers must know and this build does not; use the build/,
  );
});
