// Restores a dump into an empty cluster with the commands in docs/operating.md, and replays the operator's journal.
// Runs only with TEST_DATABASE_URL: the private PostgreSQL has no pg_dump.
// lanes: 15
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { printedBlocks, withCommonhall } from '../../../drills/printed.ts';
import { populate } from '../../../test/helpers/community.ts';
import { laterBuild, startMigrate } from '../../../test/helpers/later-build.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { startPostgres } from '../../../test/postgres.ts';
import { verify } from '../src/db/schema/verify.ts';
import { totalsOf } from './helpers/lists.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const commands = printedBlocks('docs/operating.md', 'Without pgBackRest', 'sh').flatMap((block) =>
  block.trim().split('\n'),
);

test('the commands of the guide restore a dump into an empty cluster with all values and rights and without an error', async () => {
  const world = await createWorld();
  await populate(world);
  // A second build has another version of one list; the dump has both.
  const second = laterBuild(0, [['src/db/lists/declarations.ts', "id: ['user_id'],", "id: ['user_id'],\n  size: 64,"]]);
  assert.deepEqual(await once(startMigrate(second.main, world.ownerUrl), 'exit'), [0, null]);
  second.remove();
  const cluster = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-dump-'));
  const restored = cluster.url.replace(/postgres$/, 'commonhall');
  const run = (command: string): string =>
    execFileSync('sh', ['-c', command], {
      cwd: root,
      env: withCommonhall({ PATH: process.env.PATH }),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  try {
    const journal = join(folder, 'journal');
    const outputs = commands.map((command, index) => {
      const output = run(
        command
          .replaceAll('postgres://owner@db/commonhall', world.ownerUrl)
          .replaceAll('postgres://owner@new/postgres', cluster.url)
          .replaceAll('postgres://owner@new/commonhall', restored)
          .replaceAll('/var/lib/commonhall/journal', journal)
          .replaceAll('/var/backups', folder),
      );
      // Done after the dump, so the dump does not contain it.
      if (index === 0) run(`DATABASE_URL=${world.ownerUrl} JOURNAL_FILE=${journal} commonhall erase user user-1`);
      return output;
    });
    assert.match(outputs.at(-2)!, /^erased user user-1: \d+ rows\n1 done: /m);
    assert.match(
      outputs.at(-1)!,
      /all \d+ maintained values are right\nthe roles have their rights\nall acts of the journal are in effect \(1\)\n/,
    );
    const client = new pg.Client({ connectionString: restored });
    await client.connect();
    for (const table of ['users', 'bounties', 'collection_holders', 'api_keys', totalsOf('holders'), 'takedowns']) {
      const count = `select count(*)::int as n from ${table}`;
      assert.deepEqual((await client.query(count)).rows, (await world.owner.query(count)).rows, table);
    }
    const { rows } = await client.query(`select name from installed where name ~ '^holders_[0-9a-f]{8}$'`);
    assert.equal(rows.length, 2, 'both versions of the list are restored, and verify has found both right');
    // verify reports missing rights as well as excessive ones.
    await client.query('revoke select on users from commonhall_reader; grant update on users to commonhall_reader');
    const { rights } = await verify(restored, false);
    assert.deepEqual(rights, [
      { role: 'commonhall_reader', right: 'select on users', isMissing: true },
      { role: 'commonhall_reader', right: 'update on users', isMissing: false },
    ]);
    assert.throws(
      () => run(`DATABASE_URL=${restored} commonhall verify`),
      (error: { stdout: string }) => {
        assert.match(error.stdout, /commonhall_reader lacks: select on users\n/);
        assert.match(error.stdout, /commonhall_reader must not have: update on users\nrun: commonhall migrate\n/);
        return true;
      },
    );
    run(`DATABASE_URL=${restored} commonhall migrate`);
    assert.deepEqual((await verify(restored, false)).rights, []);
    await client.end();
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true });
  }
});
