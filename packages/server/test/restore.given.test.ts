// A dump restored into an empty cluster, by the commands that docs/operating.md prints. On the lane of a given PostgreSQL:
// the private one comes without pg_dump.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startPostgres } from '../../../test/postgres.ts';
import { verify } from '../src/db/verify.ts';
import { populate } from './helpers/community.ts';
import { createWorld } from './helpers/world.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const section = readFileSync(`${root}docs/operating.md`, 'utf8')
  .split(/^## /m)
  .find((part) => part.startsWith('Backup'))!;
const commands = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block]) => block!.trim().split('\n'));

test('the commands of the guide restore a dump into an empty cluster: all values, all rights, no error', async () => {
  const world = await createWorld();
  await populate(world);
  const cluster = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-dump-'));
  const restored = cluster.url.replace(/postgres$/, 'commonhall');
  const run = (command: string): string =>
    execFileSync('sh', ['-c', command], {
      cwd: root,
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  try {
    const outputs = commands.map((command) =>
      run(
        command
          .replaceAll('postgres://owner@db/commonhall', world.ownerUrl)
          .replaceAll('postgres://owner@new/postgres', cluster.url)
          .replaceAll('postgres://owner@new/commonhall', restored)
          .replaceAll('/var/backups', folder),
      ),
    );
    assert.match(outputs.at(-1)!, /all \d+ kept values are right\nthe roles have their rights\n/);
    const client = new pg.Client({ connectionString: restored });
    await client.connect();
    for (const table of ['users', 'bounties', 'collection_holders', 'api_keys', 'lists.holders', 'takedowns']) {
      const count = `select count(*)::int as n from ${table}`;
      assert.deepEqual((await client.query(count)).rows, (await world.owner.query(count)).rows, table);
    }
    // What a dump does not carry is missed, and too much is noticed.
    await client.query('revoke select on users from commonhall_reader; grant update on users to commonhall_reader');
    const { rights } = await verify(restored, false);
    assert.deepEqual(rights, [
      { role: 'commonhall_reader', right: 'select on users', isMissing: true },
      { role: 'commonhall_reader', right: 'update on users', isMissing: false },
    ]);
    assert.throws(
      () => run(`DATABASE_URL=${restored} npm run commonhall -- verify`),
      (error: { stdout: string }) => {
        assert.match(error.stdout, /commonhall_reader lacks: select on users\n/);
        assert.match(error.stdout, /commonhall_reader must not have: update on users\nrun: commonhall migrate\n/);
        return true;
      },
    );
    run(`DATABASE_URL=${restored} npm run commonhall -- migrate`);
    assert.deepEqual((await verify(restored, false)).rights, []);
    await client.end();
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true });
  }
});
