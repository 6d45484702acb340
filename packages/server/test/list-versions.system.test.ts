// Lists are installed by `commonhall migrate`: a changed, a new and a removed list. The versions of two builds are
// maintained side by side, servers of both answer, the build after them drops what only the first one reads, and a run
// that is killed in any step is completed by the next.
// lanes: 15 18
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import pg from 'pg';
import type { Change } from '../../../test/helpers/later-build.ts';
import { laterBuild, startMigrate } from '../../../test/helpers/later-build.ts';
import type { ServerProcess } from '../../../test/helpers/process.ts';
import { bareEnv, eventually, patient, serveProcess } from '../../../test/helpers/process.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { versions } from '../src/db/lists/install.ts';
import { verify } from '../src/db/schema/verify.ts';
import { readStatus } from '../src/operator/status.ts';

const { owner, ownerUrl, readerUrl, add } = await createWorld();
// The second build has smaller blocks of holders, and one more list. The third no longer has that list.
const smallerBlocks: Change = [
  'src/db/lists/declarations.ts',
  "sorts: { acquired: instant('acquired_at') },",
  "sorts: { acquired: instant('acquired_at') },\n  size: 64,",
];
const more: Change = [
  'src/db/lists/declarations.ts',
  'export const sponsors =',
  "export const people = list('people', 'users', null, { sorts: { username: text('username') } });\nexport const sponsors =",
];
const second = laterBuild(0, [smallerBlocks, more], '9.0.0');
const third = laterBuild(0, [smallerBlocks], '9.1.0');
const first = laterBuild(0, [], '9.2.0');
const servers: ServerProcess[] = [];
after(async () => {
  for (const server of servers) await server.stop();
  for (const build of [first, second, third]) build.remove();
});

const serveBuild = async (main?: string): Promise<ServerProcess> => {
  const server = await serveProcess(readerUrl, { ...patient, LOG_LEVEL: 'fatal' }, undefined, main);
  servers.push(server);
  return server;
};
const run = async (build: { main: string }): Promise<void> =>
  assert.deepEqual(await once(startMigrate(build.main, ownerUrl), 'exit'), [0, null]);
const plan = ({ main }: { main: string }): string[] =>
  execFileSync(process.execPath, [main, 'migrate', '--plan'], {
    env: { ...bareEnv, DATABASE_URL: ownerUrl },
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .map((line) => line.replaceAll(/_[0-9a-f]{8}\b/g, '').replace(/about [\d,]+ rows/, 'about n rows'));
const column = async (statement: string): Promise<string[]> =>
  (await owner.query<[string]>({ text: statement, rowMode: 'array' })).rows.map(([value]) => value);
const installed = () => column('select name from installed where not is_retired order by 1');
const schemas = () => column(`select nspname from pg_namespace where nspname ~ '_[0-9a-f]{8}$' order by 1`);
const versionsOf = (list: string) =>
  column(`select name from installed where not is_retired and name ~ '^${list}_[0-9a-f]{8}$' order by 1`);
const insertHolders = (from: number, to: number) =>
  owner.query(`
    insert into collection_holders
    select 'c1', 'u' || n, timestamptz '2026-01-05 00:00Z' - n * interval '1 s' from generate_series(${from}, ${to}) n`);
const read = async ({ url }: ServerProcess, page: number) => {
  const answer = await fetch(`${url}/collections/c1/holders?page=${page}&pageSize=10`);
  const body = (await answer.json()) as { data?: { total: number; items: unknown[] } };
  return [answer.status, body.data?.total, JSON.stringify(body.data?.items)];
};
const isReady = async ({ url }: ServerProcess) => (await fetch(`${url}/readyz`)).status === 200;
const right = async () => assert.deepEqual((await verify(ownerUrl, false)).drifts, []);
/** Starts a run, waits until the check passes, and kills the run and its session. */
const killWhen = async (build: { main: string }, check: () => Promise<void>): Promise<void> => {
  const child: ChildProcess = startMigrate(build.main, ownerUrl);
  await eventually(check);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  const mine = `starts_with(application_name, 'commonhall command') and datname = current_database()`;
  await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${mine}`);
  await eventually(async () => assert.deepEqual(await column(`select pid from pg_stat_activity where ${mine}`), []));
};
const isRunning = async (text: string): Promise<void> => {
  const found = await column(
    `select pid from pg_stat_activity where state = 'active' and position('${text}' in query) > 0
     and pid <> pg_backend_pid()`,
  );
  assert.equal(found.length, 1, `not running: ${text}`);
};

let old: ServerProcess;
let young: ServerProcess;

test('a run that is killed in an index or in the count is completed by the next; readers and writers go on', async () => {
  await owner.query(`
    insert into users (id, username, display_name, status)
    select 'u' || n, 'u' || n, 'U', 'active' from generate_series(1, 2000) n`);
  await add('collections', { address: 'c1' });
  await insertHolders(1, 700);
  old = await serveBuild();
  await eventually(async () => assert.ok(await isReady(old)));

  assert.deepEqual(plan(second), [
    'build index public.people_by_username: writers do not wait',
    'build list people: about n rows of users; writers wait for about 1 s',
    'build list holders: about n rows of collection_holders; writers wait for about 1 s',
    'nothing was changed',
  ]);
  // An open snapshot, for which the concurrent build of an index waits.
  const other = new pg.Client({ connectionString: ownerUrl });
  await other.connect();
  await other.query('begin isolation level repeatable read; select count(*) from sponsors');
  await killWhen(second, () => isRunning('create index concurrently people'));
  await other.query('rollback');
  await other.end();
  const isValid = `select indisvalid::text from pg_index where indexrelid::regclass::text ~ '^people_by_username'`;
  assert.deepEqual(await column(isValid), ['false']);
  assert.deepEqual(await versionsOf('people'), []);

  await killWhen(second, () => isRunning('select recount(), pg_sleep'));
  assert.deepEqual(await schemas(), await installed(), 'nothing of the list that was killed is left');
  assert.ok(await isReady(old));
  await insertHolders(701, 720);
  assert.deepEqual((await read(old, 72)).slice(0, 2), [200, 720]);
  await run(second);
  assert.deepEqual(await column(isValid), ['true']);
  assert.deepEqual(await schemas(), await installed());
  assert.equal((await installed()).length, versions.length + 2);
  await right();
});

test('two versions of a list are maintained side by side, and servers of both builds answer the same', async () => {
  young = await serveBuild(second.main);
  await eventually(async () => assert.ok(await isReady(young)));
  assert.ok(await isReady(old));
  const both = async (total: number) => {
    for (const page of [1, 30, Math.ceil(total / 10)]) {
      const answer = await read(old, page);
      assert.deepEqual(answer.slice(0, 2), [200, total]);
      assert.deepEqual(await read(young, page), answer);
    }
    await right();
  };
  await insertHolders(721, 1500);
  await both(1500);
  const shared = await column(`select indexname from pg_indexes where indexname ~ '^holders_by_acquired'`);
  assert.equal(shared.length, 1, 'both versions use one index');
  const names = await versionsOf('holders');
  assert.equal(names.length, 2);
  await owner.query('truncate collection_holders');
  for (const name of names) assert.deepEqual(await column(`select rows::text from ${name}.totals`), []);
  await insertHolders(1, 1500);
  await both(1500);
  const status = (await readStatus(ownerUrl)).filter((line) => line.startsWith('lists that only the build'));
  assert.match(status.join('\n'), /^lists that only the build 9\.0\.0 \w+ reads: holders_\w+, people_\w+$/);
  // verify finds and repairs what is wrong in either of them.
  for (const name of names)
    await owner.query(`
    begin; set local session_replication_role = replica; update ${name}.totals set rows = rows + 1; commit`);
  const { drifts, repaired } = await verify(ownerUrl, true);
  assert.deepEqual(drifts, []);
  const kept = names.find((name) => !versions.includes(name));
  const repairedNames = repaired.map(({ name }) => name);
  assert.ok(repairedNames.includes('holders.totals') && repairedNames.includes(`${kept}.totals`), `${repairedNames}`);
  await both(1500);
});

test('a second run of a build changes nothing, and neither does one of the build before', async () => {
  const state = () => column(`select concat_ws(' ', name, indexes, is_retired) from installed order by 1`);
  const before = await state();
  assert.deepEqual(plan(second), ['nothing to do']);
  await run(second);
  assert.deepEqual(await state(), before);
  await run(first);
  assert.deepEqual(await state(), before);
  await run(second);
  assert.deepEqual([await isReady(old), await isReady(young)], [true, true]);
});

test('the build after the next drops what only the first reads, after its servers stopped being ready; killed, it is completed', async () => {
  const [before] = (await versionsOf('holders')).filter((name) => versions.includes(name));
  assert.deepEqual(plan(third), [
    'drop list holders: servers of the builds that read it stop being ready',
    'nothing was changed',
  ]);
  let failures = 0;
  let isOver = false;
  const reading = (async () => {
    // Like a load balancer with a check before each request.
    while (!isOver) if ((await isReady(old)) && (await read(old, 90))[0] !== 200) failures += 1;
  })();
  try {
    const retired = () => column('select name from installed where is_retired');
    await killWhen(third, async () => assert.deepEqual(await retired(), [before]));
    assert.ok((await schemas()).includes(before!));
    await eventually(async () => assert.equal(await isReady(old), false));
    // A reader holds its lock: the drop waits for a moment, lets go, and tries again.
    const other = new pg.Client({ connectionString: ownerUrl });
    await other.connect();
    await other.query('begin; select count(*) from collection_holders');
    await killWhen(third, () => isRunning(`drop schema if exists ${before}`));
    await other.query('rollback');
    await other.end();
    assert.ok((await schemas()).includes(before!), 'a drop that was killed has dropped nothing');
    await run(third);
  } finally {
    isOver = true;
    await reading;
  }
  assert.equal(failures, 0, 'a server that was ready a moment ago failed');
  assert.deepEqual([await isReady(old), await isReady(young)], [false, true]);
  assert.deepEqual(await schemas(), await installed());
  assert.equal((await versionsOf('holders')).length, 1);
  assert.equal(
    (await versionsOf('people')).length,
    1,
    'the list that the third build has no more is read by the second',
  );
  const left = await column(`select tgname from pg_trigger where tgname ~ '^${before}'`);
  assert.deepEqual(left, [], 'the triggers are gone with the functions');
  await insertHolders(1501, 1600);
  assert.deepEqual((await read(young, 150)).slice(0, 2), [200, 1600]);
});

test('a rollback to the first build builds its lists again', async () => {
  await run(first);
  await eventually(async () => assert.ok(await isReady(old)));
  assert.deepEqual((await read(old, 90)).slice(0, 2), [200, 1600]);
  assert.deepEqual(await versionsOf('people'), [], 'and a list that neither of the last two builds has is gone');
  assert.deepEqual(
    await column(`select indexname from pg_indexes where indexname ~ '^people_by'`),
    [],
    'with its index',
  );
  await right();
});

test('a run whose lists were never complete does not count as a build that servers read', async () => {
  const unfinished = () => column('select name from installed where declared_at is null and not is_retired');
  const before = await installed();
  const fourth = laterBuild(0, [['src/db/lists/declarations.ts', 'size: 256, fan: 96', 'size: 128, fan: 96']], '9.3.0');
  try {
    await killWhen(fourth, async () => {
      await isRunning('select recount(), pg_sleep');
      assert.ok((await unfinished()).length > 0, 'one list is built');
    });
    assert.ok(await isReady(old));
    await run(first);
    assert.ok(await isReady(old));
    assert.deepEqual(await installed(), before, 'what it has built is dropped');
    assert.deepEqual(await schemas(), before);
    const indexes = await column(`select unnest(indexes) from installed`);
    const left = await column(`select indexrelid::regclass::text from pg_index where not indisvalid`);
    assert.deepEqual([left, indexes.length > 0], [[], true]);
  } finally {
    fourth.remove();
  }
});
