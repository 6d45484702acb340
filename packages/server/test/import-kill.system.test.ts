// An import of 30,000 records is killed repeatedly, or its PostgreSQL is, and resumed each time. The final state
// equals that of an undisturbed import. Full run:
//   RECORDS=100000 KILLS=200 POSTGRES_KILLS=20 npm test -- packages/server/test/import-kill.system.test.ts
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { bareEnv } from '../../../test/helpers/process.ts';
import type { PrivatePostgres } from '../../../test/postgres.ts';
import { startPostgres } from '../../../test/postgres.ts';
import { migrate } from '../src/db/schema/migrate.ts';
import { verify } from '../src/db/schema/verify.ts';
import { tables } from '../src/records/tables.ts';

const kills = Number(process.env.KILLS ?? 3);
const postgresKills = Number(process.env.POSTGRES_KILLS ?? 2);
const records = Number(process.env.RECORDS ?? 15_000);
/** The records of each table. */
const given = {
  users: 0.3 * records,
  collections: 100,
  collection_holders: 0.4 * records,
  timeline_items: 0.3 * records - 100,
};
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'commonhall-kill-'));
let postgres: PrivatePostgres;

const at = '2026-01-05T00:00:00.000Z';
const write = (table: keyof typeof given, make: (n: number) => object) =>
  writeFileSync(
    join(folder, `${table}.ndjson`),
    Array.from({ length: given[table] }, (_, n) => `${JSON.stringify(make(n))}\n`).join(''),
  );

before(async () => {
  mkdirSync(folder, { recursive: true });
  write('users', (n) => ({
    id: `u${n}`,
    username: `u${n}`,
    display_name: 'U',
    avatar: null,
    bio: null,
    status: 'active',
    tags: [],
    god_mode: false,
  }));
  write('collections', (n) => ({
    address: `c${n}`,
    name: `C ${n}`,
    description: 'd',
    image: null,
    type: 't',
    importance: 'i',
    is_sbt: true,
    category: 'c',
    is_winner: false,
    source: 'internal',
    status: n % 2 === 0 ? 'DRAFT' : 'ACTIVE',
    creator_address: null,
    next_item_index: 1,
    external_link: null,
    social_links: [],
    created_at: at,
    updated_at: at,
    on_chain_created_at: null,
  }));
  write('collection_holders', (n) => ({
    user_id: `u${n % given.users}`,
    collection_address: `c${Math.floor((100 * n) / given.collection_holders)}`,
    acquired_at: at,
  }));
  write('timeline_items', (n) => ({
    user_id: `u${n % 7}`,
    id: `i${n}`,
    type: 'BADGE_RECEIVED',
    date: at,
    details: { collectionAddress: `c${n % 100}`, collectionName: 'C', image: 'i', itemIndex: n },
  }));
  postgres = await startPostgres({
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    shared_buffers: '128MB',
  });
});
after(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

const database = async (name: string): Promise<string> => {
  const client = new pg.Client(postgres.url);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  await migrate(url.href, console.error);
  return url.href;
};
const start = (url: string, ...options: string[]) => {
  const child = spawn(process.execPath, [main, 'import', folder, ...options], {
    env: { ...bareEnv, DATABASE_URL: url },
    stdio: 'ignore',
  });
  return { child, ended: new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code))) };
};
const stateOf = async (url: string): Promise<string[]> => {
  const client = new pg.Client(url);
  await client.connect();
  const states: string[] = [];
  for (const { name, key } of [
    ...tables,
    { name: 'import_checkpoints', key: ['table_name'] },
    { name: 'import_keys', key: ['key'] },
  ]) {
    const order = key.map((column) => `t.${column}`).join(', ');
    const { rows } = await client.query<{ state: string }>(
      `select '${name} ' || count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by ${order})), '') as state from ${name} t`,
    );
    states.push(rows[0]!.state);
  }
  await client.end();
  assert.deepEqual((await verify(url, false)).drifts, []);
  return states;
};

let whole: string[];
let wholeMs: number;

test('an undisturbed import completes and leaves no checkpoint', async () => {
  const url = await database('undisturbed');
  const began = Date.now();
  assert.equal(await start(url).ended, 0);
  wholeMs = Date.now() - began;
  whole = await stateOf(url);
  assert.ok(whole.includes('import_checkpoints 0 '));
});

test(`an import that is killed ${kills} times at random points and resumed ends in the state of an undisturbed one`, async (t) => {
  const url = await database('killed');
  // The process needs about 600 ms to start. Most kills hit it after that, some before.
  let done = false;
  let killed = 0;
  for (; killed < kills && !done; ) {
    const { child, ended } = start(url);
    await Promise.race([ended, sleep(300 + Math.random() * Math.max(900, (2 * wholeMs) / kills))]);
    if (child.exitCode === null) {
      child.kill('SIGKILL');
      killed += 1;
    } else done = child.exitCode === 0;
    await ended;
    // A finished import starts again from empty tables, so that every kill hits a running import.
    if (done && killed < kills) {
      const client = new pg.Client(url);
      await client.connect();
      await client.query('truncate users, collections cascade');
      await client.end();
      done = false;
    }
  }
  assert.equal(await start(url).ended, 0);
  assert.deepEqual(await stateOf(url), whole);
  t.diagnostic(`${killed} kills`);
});

test(`an import whose PostgreSQL is killed ${postgresKills} times and that is resumed ends in the same state`, async (t) => {
  const url = await database('crashed');
  let crashes = 0;
  for (; crashes < postgresKills; crashes++) {
    const { ended } = start(url);
    await Promise.race([ended, sleep(700 + Math.random() * wholeMs * 0.5)]);
    await postgres.crash();
    await ended;
    await postgres.restart();
  }
  assert.equal(await start(url).ended, 0);
  assert.deepEqual(await stateOf(url), whole);
  t.diagnostic(`${crashes} crashes`);
});

test('a pruning import that is killed and resumed ends in the state of the files', async (t) => {
  const url = await database('pruned');
  const files = tables.map(({ name }) => ({
    file: `${name}.ndjson`,
    table: name,
    rows: name in given ? given[name as keyof typeof given] : 0,
  }));
  for (const { file, table } of files) if (!(table in given)) writeFileSync(join(folder, file), '');
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ files }));
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`
    insert into users (id, username, display_name, status) select 'x' || n, 'x' || n, 'n', 'active' from generate_series(1, 90) n;
    insert into timeline_items (user_id, id, type, date, details)
    select 'x1', n, 'GIFT_RECEIVED', now(), '{}' from generate_series(1, 100) n`);
  let killed = 0;
  for (; killed < 4; killed++) {
    const { child, ended } = start(url, '--prune');
    if ((await Promise.race([ended, sleep(800 + Math.random() * wholeMs * 0.6, 'under way')])) !== 'under way') break;
    child.kill('SIGKILL');
    await ended;
    const { rowCount } = await client.query(`select from users where id like 'x%'`);
    assert.ok(rowCount === 90 || rowCount === 0, `${rowCount} rows: the pruning is one transaction`);
  }
  await client.end();
  assert.equal(await start(url, '--prune').ended, 0);
  assert.deepEqual(await stateOf(url), whole);
  t.diagnostic(`${killed} kills`);
});
