// The operator's commands as processes: exit codes, output, and API keys that are created and revoked.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { bareEnv, eventually } from '../../../test/helpers/process.ts';
import { createWorld, pepper } from '../../../test/helpers/world.ts';

const world = await createWorld();
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

const run = async (args: string[], env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...bareEnv, DATABASE_URL: world.ownerUrl, KEY_PEPPER: pepper, ...env },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output };
};

test('migrate creates the schema, also when two run at once, and then has nothing to do', async () => {
  const name = `${new URL(world.ownerUrl).pathname.slice(1)}_fresh`;
  await world.owner.query(`create database ${name} template template0 encoding 'UTF8'`);
  const url = new URL(world.ownerUrl);
  url.pathname = `/${name}`;
  const both = await Promise.all([
    run(['migrate'], { DATABASE_URL: url.href }),
    run(['migrate'], { DATABASE_URL: url.href }),
  ]);
  assert.deepEqual(
    both.map(({ code }) => code),
    [0, 0],
    both.map(({ output }) => output).join(),
  );
  assert.equal(both.filter(({ output }) => output.includes('migrations applied')).length, 1);
  assert.match((await run(['migrate'], { DATABASE_URL: url.href })).output, /up to date/);
  await world.owner.query(`drop database ${name} with (force)`);
});

test('a key is created, shown once, accepted, listed, revoked and then rejected', async () => {
  await world.add('users', { username: 'alice' });
  const made = await run(['key', 'create', 'alice', '--name', 'dashboard', '--kind', 'test']);
  assert.equal(made.code, 0, made.output);
  const [, id] = /^id {7}(\S+)$/m.exec(made.output)!;
  const [, key] = /^key {6}(chk_test_\S+)$/m.exec(made.output)!;
  const api = await world.serve();
  assert.deepEqual((await api.as(key!).listMyBounties()).items, []);
  const listed = await run(['key', 'list']);
  assert.match(listed.output, new RegExp(`^${id} {2}alice {2}\\S+ {2}valid {2}not used {2}dashboard$`, 'm'));
  assert.ok(!listed.output.includes(key!));
  const stored = await world.owner.query('select * from api_keys');
  assert.ok(!JSON.stringify(stored.rows).includes(key!.slice(9)));
  assert.equal((await run(['key', 'revoke', id!])).code, 0);
  await assert.rejects(api.as(key!).listMyBounties(), { code: 'UNAUTHORIZED' });
  assert.match((await run(['key', 'list'])).output, /revoked 20/);
  const again = await run(['key', 'revoke', id!]);
  assert.deepEqual(
    [again.code, again.output.trim()],
    [1, `there is no valid key with the id or name ${id}; see: commonhall key list`],
  );
});

test('key create fails with a reason for an unknown user and without a pepper', async () => {
  assert.match(
    (await run(['key', 'create', 'nobody', '--name', 'x'])).output,
    /no user with the id or username nobody/,
  );
  const bare = await run(['key', 'create', 'alice', '--name', 'x'], { KEY_PEPPER: '' });
  assert.deepEqual([bare.code, /KEY_PEPPER must be set/.test(bare.output)], [1, true]);
});

test('verify exits with status 0 when all values are right and with 1 on drift; --repair repairs them', async () => {
  assert.deepEqual((await run(['verify'])).code, 0);
  await world.add('collections', { address: 'c1' });
  const owner = new pg.Client(world.ownerUrl);
  await owner.connect();
  await owner.query(`set session_replication_role = replica; update lists.collection_sizes set holders = 9`);
  await owner.end();
  const wrong = await run(['verify']);
  assert.deepEqual([wrong.code, /wrong lists.collection_sizes: 1 rows/.test(wrong.output)], [1, true]);
  assert.deepEqual((await run(['verify', '--repair'])).code, 0);
  assert.deepEqual((await run(['verify'])).code, 0);
});

test('status names who holds the writer lock and who waits for it, and the score tiers that are still samples', async () => {
  const { code, output } = await run(['status']);
  assert.equal(code, 0);
  assert.match(output, /^writer lock: free$/m);
  assert.match(output, /^lists: all counted by filter$/m);
  assert.match(
    output,
    /^score tiers: samples \(builder, contributor, developer, identity, messenger\); load your own/m,
  );
  const writer = new pg.Client({ connectionString: world.ownerUrl, application_name: 'an applier' });
  await writer.connect();
  await writer.query('begin; select take_writer_lock()');
  const waiting = new pg.Client({ connectionString: world.ownerUrl, application_name: 'a second one' });
  await waiting.connect();
  const waited = waiting.query('select take_writer_lock()');
  assert.match(
    (await run(['status'])).output,
    /^writer lock: held for \d+ s by process \d+ \(an applier, .*; idle in transaction\); 1 waiting: process \d+ for \d+ s \(a second one, .*\)$/m,
  );
  await writer.end();
  await waited;
  await waiting.end();
});

test('hide and unhide accept a key of several values, and a value that begins with a dash', async () => {
  const key = ['github', '-1:5'];
  const hidden = await run(['hide', 'repositories', '--reason', 'spam', '--not-loaded', '--', ...key]);
  assert.deepEqual(
    [
      hidden.code,
      /^repositories github -1:5 is not loaded; it will be hidden when it is; reason: spam/.test(hidden.output),
    ],
    [0, true],
  );
  assert.equal((await run(['unhide', 'repositories', '--', ...key])).code, 0);
  const again = await run(['unhide', 'repositories', '--', ...key]);
  assert.equal(again.code, 1);
  assert.match(again.output, /^repositories github -1:5 is not hidden by a takedown/);
});

test('import accepts several confirmations, and --prune only works with a folder', async () => {
  const wrong = await run(['import', '/nowhere', '--prune', '--confirm', 'users=1', '--confirm', 'topics']);
  assert.deepEqual([wrong.code, /users=1234, not topics/.test(wrong.output)], [1, true]);
  const nowhere = await run(['import', '/nowhere', '--prune', '--confirm', 'users=1', '--confirm', 'topics=2']);
  assert.match(nowhere.output, /^--prune needs a folder with manifest\.json; \/nowhere is not a folder$/m);
});

test('migrate rejects a database of another baseline and says what to do; serve is not ready on it', async () => {
  const stored = await world.owner.query<{ text: string }>(
    `select obj_description('schema_migrations'::regclass) as text`,
  );
  await world.owner.query(`comment on table schema_migrations is 'baseline of another build'`);
  const { code, output } = await run(['migrate']);
  assert.equal(code, 1);
  assert.match(output, /made by an earlier build .* commonhall export --all --out .* commonhall import/);
  const api = await world.serve();
  assert.equal((await fetch(`${api.url}/readyz`)).status, 503);
  await world.owner.query(`comment on table schema_migrations is '${stored.rows[0]!.text}'`);
  assert.equal((await run(['migrate'])).code, 0);
});

test('settings prints the effective settings with secrets masked; invalid settings stop a command and are all reported', async () => {
  const shown = await run(['settings'], { PORT: '7000' });
  assert.match(shown.output, /^PORT=7000$/m);
  assert.ok(!shown.output.includes(pepper));
  const wrong = await run(['serve'], { PORT: 'x', MAX_AGE_SECONDS: '-1' });
  assert.equal(wrong.code, 1);
  assert.match(wrong.output, /PORT: must.*\n.*MAX_AGE_SECONDS: must/);
});

test('schema prints the JSON Schema of a record', async () => {
  const { code, output } = await run(['schema', 'users']);
  const { title, required, additionalProperties } = JSON.parse(output) as {
    title: string;
    required: string[];
    additionalProperties: boolean;
  };
  assert.deepEqual([code, title, required.includes('username'), additionalProperties], [0, 'users', true, false]);
  assert.match((await run(['schema', 'people'])).output, /there is no table people/);
});

test('serve answers until SIGTERM and then exits with status 0', async () => {
  const child = spawn(process.execPath, [main, 'serve'], {
    env: { ...bareEnv, DATABASE_URL: world.readerUrl, PORT: '0', METRICS_PORT: '0', DRAIN_MS: '100' },
  });
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
  const url = await new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const found = /"url":"([^"]+)"/.exec(chunk.toString());
      if (found) resolve(found[1]!);
    });
  });
  await eventually(async () => assert.equal((await fetch(`${url}/readyz`)).status, 200));
  child.kill('SIGTERM');
  assert.equal(await closed, 0);
});

test('commands name people, keys and changes by id or by name, and do nothing when two fit', async () => {
  await world.add('users', { id: 'u-grace', username: 'grace', display_name: 'Grace' });
  await world.add('users', { id: 'grace', username: 'another' });
  const two = await run(['erase', 'user', 'grace']);
  assert.equal(two.code, 1);
  assert.match(
    two.output,
    /^grace names more than one; .*\n {2}users grace \(.*another\)\n {2}users u-grace \(Grace; username grace\)\n$/,
  );
  assert.equal((await run(['key', 'create', 'grace', '--name', 'x'])).code, 1);
  assert.match((await run(['key', 'create', 'grace', '--key', '--name', 'x'])).output, /^user {5}users grace \(/);
  assert.match((await run(['erase', 'user', 'grace', '--key', '--dry-run'])).output, /^users grace \(/);
  const made = await run(['key', 'create', 'u-grace', '--name', 'twice']);
  assert.match(made.output, /^user {5}users u-grace \(Grace; username grace\)\nid /);
  assert.equal((await run(['key', 'create', 'another', '--name', 'twice'])).code, 0);
  const both = await run(['key', 'revoke', 'twice']);
  assert.deepEqual([both.code, both.output.split('\n').length], [1, 4], both.output);
  const id = /^id +(\S+)$/m.exec(made.output)![1]!;
  assert.match((await run(['key', 'revoke', id])).output, /^revoked \S+ \(twice; of grace\)$/m);
  assert.match((await run(['key', 'revoke', 'twice'])).output, /^revoked \S+ \(twice; of another\)$/m);

  const nobody = await run(['erase', 'user', 'nobody']);
  assert.deepEqual([nobody.code, /^no row of users is named nobody; nothing was done/.test(nobody.output)], [1, true]);
  assert.equal((await world.owner.query('select from erasures')).rowCount, 0);
  assert.equal((await run(['erase', 'user', 'nobody', '--not-loaded'])).code, 0);
  assert.equal((await world.owner.query('select from erasures')).rowCount, 1);
  const gone = await run(['erase', 'user', 'another']);
  assert.match(gone.output, /^users grace \(.*; username another\)$/m);
  assert.equal((await run(['erase', 'user', 'grace', '--dry-run'])).code, 0, 'one is left');

  await world.add('topics', { id: 't-1', slug: 'harbours' });
  await world.owner.query(
    `insert into rejected_changes (table_name, key, body, reason, received_at, tried_at)
     values ('topics', '{t-1}', '{"op": "put"}', 'wrong', now(), now())`,
  );
  for (const words of [
    ['topics', 'harbours'],
    ['topics', 't-1'],
  ])
    assert.match(
      (await run(['rejected', 'show', ...words])).output,
      /^\d+ {2}topics t-1 .*rejected: wrong\n\{"op": "put"\}/,
    );
  assert.equal((await run(['rejected', 'show', 'topics', 'nothing'])).code, 1);
  assert.match((await run(['rejected', 'show', '999'])).output, /^there is no rejected change 999; see: /);
  assert.match((await run(['rejected', 'show', '9'.repeat(20)])).output, /^9{20} is not the number of a change/);
  assert.match((await run(['rejected', 'show', 'nonsense', 'x'])).output, /^there is no table nonsense; there are: /);
  assert.match((await run(['rejected', 'drop', 'topics', 'harbours'])).output, /^1 dropped/);
  const why = await run(['why', 'topics', 'harbours']);
  assert.deepEqual([why.code, why.output.replace(/\d+;/, 'n;')], [0, 'topics t-1 (Topic n; slug harbours): public\n']);
  assert.equal((await run(['why', 'topics', 'nothing'])).code, 1);
});

test('an import whose output nobody reads any more still loads everything', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-unread-'));
  const topics = Array.from({ length: 30_000 }, (_, n) => JSON.stringify({ id: `n-${n}`, slug: `n-${n}`, name: 'N' }));
  writeFileSync(join(folder, 'topics.ndjson'), ['{}', ...topics, ''].join('\n'));
  const env = { ...bareEnv, DATABASE_URL: world.ownerUrl };
  execFileSync('bash', ['-c', `${process.execPath} ${main} import ${folder} | head -n 1`], { env });
  const { rows } = await world.owner.query(`select count(*)::integer as n from topics where id like 'n-%'`);
  assert.deepEqual(rows, [{ n: 30_000 }]);
  rmSync(folder, { recursive: true });
});
