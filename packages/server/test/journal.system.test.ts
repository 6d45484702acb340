// The operator's journal: every act that a restore would undo is written to a file before it is committed, and
// `commonhall journal replay` repeats the acts on a database restored to an earlier time. Commands run as processes.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { bareEnv, eventually } from '../../../test/helpers/process.ts';
import type { World } from '../../../test/helpers/world.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { replay } from '../src/commands/journal.ts';
import { readConfig } from '../src/config.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'commonhall-journal-'));
after(() => rmSync(folder, { recursive: true }));
let counter = 0;
const newPath = () => join(folder, `journal-${counter++}`);
const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
/** The acts without their times. */
const actsOf = (path: string) => linesOf(path).map(({ at, ...act }) => act);

/** Users ada and bob with keys and launches. All databases start equal, so one can be another at an earlier time. */
const populated = async (): Promise<World> => {
  const world = await createWorld();
  const { add } = world;
  for (const id of ['ada', 'bob']) {
    await add('users', { id, username: id });
    for (const n of [1, 2]) {
      await add('launches', { id: `${id}-${n}`, submitted_by_id: id });
      await add('timeline_items', { id: `item-${n}`, user_id: id });
      const made = { id: `key-${id}-${n}`, hash: randomBytes(32), created_at: '2026-01-05T00:00:00Z' };
      await add('api_keys', { ...made, user_id: id });
    }
  }
  return world;
};
const [world, earlier, killed, refusing, replaying] = [
  await populated(),
  await populated(),
  await populated(),
  await populated(),
  await populated(),
];

/** The state that the acts of these tests change. */
const stateOf = async ({ owner }: World) => {
  const column = async (text: string) => (await owner.query<{ it: string }>(text)).rows.map(({ it }) => it);
  return {
    users: await column('select id as it from users order by 1'),
    keys: await column('select id as it from api_keys where revoked_at is null order by 1'),
    hidden: await column(`select table_name || ' ' || array_to_string(key, ' ') as it from takedowns order by 1`),
    erased: await column(`select encode(hash, 'hex') as it from erasures order by 1`),
  };
};

interface Ended {
  code: number | null;
  out: string;
  errors: string;
}
const start = (args: string[], env: Record<string, string>, before: string[] = []) => {
  const [program = '', ...rest] = [...before, process.execPath, main, ...args];
  const child = spawn(program, rest, { env: { ...bareEnv, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended: Ended = { code: null, out: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    ended.out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    ended.errors += chunk.toString();
  });
  const end = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ ...ended, code }));
  });
  return { child, end };
};
const run = (args: string[], path: string, { ownerUrl }: World = world, before: string[] = []): Promise<Ended> =>
  start(args, { DATABASE_URL: ownerUrl, JOURNAL_FILE: path }, before).end;
const ran = async (args: string[], path: string, at: World = world): Promise<string> => {
  const { code, out, errors } = await run(args, path, at);
  assert.deepEqual([code, errors], [0, ''], `${args.join(' ')}: ${out}`);
  return out;
};
/** Runs the replay in this process, with a journal of these lines. */
const replayed = async (lines: readonly (object | string)[], at: World, isDryRun = false): Promise<string[]> => {
  const path = newPath();
  writeFileSync(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  const said: string[] = [];
  const config = readConfig({ DATABASE_URL: at.ownerUrl, JOURNAL_FILE: path });
  await replay(config, isDryRun, (line) => void said.push(line));
  return said;
};
const timed = <A extends object>(act: A, n = 0) => ({
  at: `2026-11-16T06:15:29.${String(n).padStart(3, '0')}Z`,
  ...act,
});

type Case = [args: string[], act: object];
const fiveActs: Case[] = [
  [['key', 'revoke', 'key-ada-1'], { act: 'key revoke', key: 'key-ada-1' }],
  [
    ['hide', 'launches', 'ada-1', '--reason', 'court order 12/26'],
    { act: 'hide', table: 'launches', key: ['ada-1'], reason: 'court order 12/26' },
  ],
  [['unhide', 'launches', 'ada-2'], { act: 'unhide', table: 'launches', key: ['ada-2'] }],
  [['erase', 'user', 'bob'], { act: 'erase user', user: 'bob' }],
  [['erase', 'allow', 'eve'], { act: 'erase allow', user: 'eve' }],
];
/** The acts that two of the five undo. */
const beforeThem: Case[] = [
  [['hide', 'launches', 'ada-2'], { act: 'hide', table: 'launches', key: ['ada-2'], reason: null }],
  [['erase', 'user', 'eve', '--not-loaded'], { act: 'erase user', user: 'eve' }],
];

test('every act is a line of the journal, and a replay brings an earlier database to the same state', async () => {
  const path = newPath();
  const before = await stateOf(world);
  assert.match(await ran(['erase', 'user', 'bob', '--dry-run'], path), /dry run/);
  assert.equal((await run(['key', 'revoke', 'nothing'], path)).code, 1);
  assert.equal((await run(['unhide', 'launches', 'bob-1'], path)).code, 1);
  assert.equal((await run(['erase', 'allow', 'ada'], path)).code, 1);
  assert.throws(() => statSync(path), { code: 'ENOENT' }, 'an act that is not done is not written');
  assert.deepEqual(await stateOf(world), before);
  const all = [...beforeThem, ...fiveActs];
  for (const [args] of all) await ran(args, path);
  assert.deepEqual(
    actsOf(path),
    all.map(([, act]) => act),
  );
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const times = linesOf(path).map(({ at }) => String(at));
  assert.deepEqual(times, times.toSorted());
  for (const at of times) assert.ok(Math.abs(Date.now() - Date.parse(at)) < 300_000, at);

  const journal = readFileSync(path, 'utf8');
  const unlike = await run(['verify'], path, earlier);
  assert.equal(unlike.code, 1);
  assert.match(unlike.out, /^3 acts of the journal are not in effect; run: commonhall journal replay$/m);
  const dry = await ran(['journal', 'replay', '--dry-run'], path, earlier);
  assert.match(dry, /^dry run: 3 to do, nothing was changed$/m);
  assert.deepEqual(await stateOf(earlier), before);
  const said = [
    'erased user bob: 7 rows',
    'hidden: launches ada-1; reason: court order 12/26',
    'revoked key key-ada-1',
    '3 done: all acts of the journal are in effect (7)',
  ];
  assert.equal(await ran(['journal', 'replay'], path, earlier), `${said.join('\n')}\n`);
  assert.deepEqual(await stateOf(earlier), await stateOf(world));
  assert.equal(
    await ran(['journal', 'replay'], path, earlier),
    'nothing to do: all acts of the journal are in effect (7)\n',
  );
  assert.match(await ran(['verify'], path, earlier), /^all acts of the journal are in effect \(7\)$/m);
  assert.equal(readFileSync(path, 'utf8'), journal, 'a replay writes nothing');
  const of = 'select iso(revoked_at) as at from api_keys where id = $1';
  assert.deepEqual((await earlier.owner.query(of, ['key-ada-1'])).rows, [{ at: times[2] }], 'the time of the act');
});

test('without JOURNAL_FILE the output is the same, and standard error warns that a restore undoes the act', async () => {
  const hint = /^a restore .* undoes this; set JOURNAL_FILE .*\n$/;
  const hidden = await run(['hide', 'launches', 'ada-2'], '');
  assert.deepEqual(
    [hidden.code, hidden.out],
    [0, `hidden: launches ada-2 (${await nameOf('ada-2')}; slug launch-5)\n`],
  );
  assert.match(hidden.errors, hint);
  assert.match((await run(['unhide', 'launches', 'ada-2'], '')).errors, hint);
  const dry = await run(['erase', 'user', 'ada', '--dry-run'], '');
  assert.deepEqual([dry.code, dry.errors], [0, '']);
  const { code, errors } = await run(['journal', 'replay'], '');
  assert.deepEqual([code, errors], [1, 'JOURNAL_FILE must be set: it names the journal that is replayed\n']);
});
const nameOf = async (id: string) =>
  (await world.owner.query<{ name: string }>('select name from launches where id = $1', [id])).rows[0]?.name;

/** Makes commits that write these tables wait for the advisory lock 99, which this function holds. */
const heldCommits = async (at: World) => {
  const holder = new pg.Client(at.ownerUrl);
  await holder.connect();
  await holder.query(`
    create function wait_at_commit() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(99); return null; end $$;
    select pg_advisory_lock(99)`);
  for (const table of ['api_keys', 'takedowns', 'erasures'])
    await holder.query(`
      create constraint trigger wait_at_commit after insert or update or delete on ${table}
      deferrable initially deferred for each row execute function wait_at_commit()`);
  return {
    /** Terminates the session of a killed command, which may wait at its commit, so that it is rolled back. */
    endSession: () =>
      eventually(async () => {
        const { rows } = await holder.query(`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and starts_with(application_name, 'commonhall command')`);
        assert.equal(rows.length, 0, 'a session is left');
      }),
    release: async () => {
      for (const table of ['api_keys', 'takedowns', 'erasures'])
        await holder.query(`drop trigger wait_at_commit on ${table}`);
      await holder.query('drop function wait_at_commit()');
      await holder.end();
    },
  };
};

test('a replay completes an act that was killed between its journal line and its commit', async () => {
  for (const [args] of beforeThem) await ran(args, newPath(), killed);
  const before = await stateOf(killed);
  const path = newPath();
  const { endSession, release } = await heldCommits(killed);
  for (const [index, [args]] of fiveActs.entries()) {
    const { child, end } = start(args, { DATABASE_URL: killed.ownerUrl, JOURNAL_FILE: path });
    await eventually(() => assert.equal(readFileSync(path, 'utf8').split('\n').length, index + 2));
    child.kill('SIGKILL');
    await end;
    await endSession();
  }
  await release();
  assert.deepEqual(await stateOf(killed), before, 'nothing was committed');
  assert.deepEqual(
    actsOf(path),
    fiveActs.map(([, act]) => act),
  );
  assert.match((await run(['verify'], path, killed)).out, /^5 acts of the journal are not in effect/m);
  assert.match(await ran(['journal', 'replay'], path, killed), /^5 done: all acts/m);
  assert.deepEqual(await stateOf(killed), await stateOf(earlier));
});

test('when the journal cannot be written, nothing is committed', async () => {
  for (const [args] of beforeThem) await ran(args, newPath(), refusing);
  const before = await stateOf(refusing);
  const refused = async (args: string[], path: string, error: RegExp, prefix: string[] = []) => {
    const { code, out, errors } = await run(args, path, refusing, prefix);
    assert.deepEqual([code, out], [1, ''], errors);
    assert.match(errors, /^nothing was changed: the journal cannot be written \(.*\)\n$/);
    assert.match(errors, error);
    assert.deepEqual(await stateOf(refusing), before, args.join(' '));
  };
  for (const [args] of fiveActs) await refused(args, '/dev/full', /ENOSPC/);
  const revoke = ['key', 'revoke', 'key-ada-1'];
  await refused(revoke, folder, /EISDIR/);
  await refused(revoke, join(folder, 'missing', 'journal'), /ENOENT/);
  const guarded = newPath();
  writeFileSync(guarded, '');
  chmodSync(guarded, 0o400);
  // Root may write to any file, unless it has dropped its capabilities.
  const withoutRights = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];
  await refused(revoke, guarded, /EACCES/, withoutRights);

  // A full disk that takes only a part of the line: no file may grow beyond 512 bytes.
  const full = newPath();
  const first = `${JSON.stringify(timed({ act: 'key revoke', key: 'k'.repeat(400) }))}\n`;
  assert.ok(first.length > 450 && first.length < 512);
  writeFileSync(full, first);
  await refused(revoke, full, /EFBIG/, ['sh', '-c', 'trap "" XFSZ; ulimit -f 1; exec "$@"', 'sh']);
  assert.equal(readFileSync(full, 'utf8'), first, 'the partial line is removed');

  // A crash while a line is written leaves a part of it. The next act begins on a new line.
  const part = first.slice(0, 100);
  writeFileSync(full, first + part);
  await ran(revoke, full, refusing);
  const [, second, third] = readFileSync(full, 'utf8').split('\n');
  assert.deepEqual([second, (JSON.parse(third!) as { key: string }).key], [part, 'key-ada-1']);
  const stopped = await run(['journal', 'replay'], full, refusing);
  assert.deepEqual([stopped.code, stopped.out], [1, '']);
  assert.match(
    stopped.errors,
    /^nothing was changed: line 2 of \S+ is not an act of the journal \(.*\)\. It may be cut off: .*\n$/,
  );
});

test('concurrent commands write whole lines, and the last line about a row matches its state', async () => {
  const path = newPath();
  const both = ['hide', 'unhide'].flatMap((command) => Array.from({ length: 4 }, () => [command, 'launches', 'bob-1']));
  const others = ['ada', 'bob'].flatMap((id) => [1, 2].map((n) => ['key', 'revoke', `key-${id}-${n}`]));
  const all = await Promise.all([...both, ...others].map((args) => run(args, path, refusing)));
  const done = all.filter(({ code }) => code === 0).length;
  assert.equal(actsOf(path).length, done);
  assert.ok(done >= 7, `${done}`);
  const last = actsOf(path).findLast(({ table }) => table === 'launches');
  const { hidden, keys } = await stateOf(refusing);
  assert.deepEqual([hidden.includes('launches bob-1'), keys], [last?.act === 'hide', []]);
});

test('an act with any characters in an id or a reason is one line and is replayed unchanged', async () => {
  const path = newPath();
  const odd = `a"b\\c\n{"at":"x"}\n\t\u2028\u202e💥'; drop table users; --`;
  await ran(['hide', 'launches', 'ada-2', '--reason', odd], path);
  await ran(['hide', 'repositories', '--not-loaded', '--', `-1\u0007${odd}`, odd], path);
  await ran(['erase', 'user', odd, '--not-loaded'], path);
  await ran(['hide', 'collections', '0x52908400098527886E0F7030069857D2E4169EE7', '--not-loaded'], path);
  await ran(['unhide', 'collections', '0x52908400098527886e0f7030069857d2e4169ee7'], path);
  assert.equal(readFileSync(path, 'utf8').split('\n').length, 6);
  const [hidden, shown] = actsOf(path).slice(3);
  assert.deepEqual(hidden?.key, shown?.key, 'every spelling of an address names the same row');
  assert.deepEqual(actsOf(path).slice(0, 3), [
    { act: 'hide', table: 'launches', key: ['ada-2'], reason: odd },
    { act: 'hide', table: 'repositories', key: [`-1\u0007${odd}`, odd], reason: null },
    { act: 'erase user', user: odd },
  ]);
  const out = await ran(['journal', 'replay'], path, earlier);
  assert.equal(out.split('\n').length, 5, out);
  assert.deepEqual(await stateOf(earlier), await stateOf(world));
  const reasons = 'select reason from takedowns where reason = $1';
  assert.deepEqual((await earlier.owner.query(reasons, [odd])).rows, [{ reason: odd }]);
});

test('an invalid line stops a replay, which names the line number and changes nothing', async () => {
  const before = await stateOf(replaying);
  const right = timed({ act: 'key revoke', key: 'key-ada-1' });
  const wrong: [line: object | string, problem: RegExp][] = [
    ['', /JSON/],
    ['{"at":"2026-11-16T06:15:29.318Z","act":"key rev', /JSON/],
    ['null', /not an object/],
    ['[]', /act must be one of key revoke, hide, unhide, erase user, erase allow/],
    [timed({ act: 'key create', key: 'x' }), /act must be one of/],
    [{ act: 'key revoke', key: 'x' }, /at must be a timestamp/],
    [{ ...right, at: 'yesterday' }, /at must be a timestamp/],
    [timed({ act: 'key revoke' }), /key is missing or wrong/],
    [timed({ act: 'hide', table: 'launches', key: 'ada-1', reason: null }), /key is missing or wrong/],
    [timed({ act: 'hide', table: 'launches', key: [1], reason: null }), /key is missing or wrong/],
    [timed({ act: 'hide', table: 'launches', key: ['ada-1'] }), /reason is missing or wrong/],
    [timed({ act: 'hide', table: 'users', key: ['ada'], reason: null }), /rows of users cannot be hidden/],
    [timed({ act: 'unhide', table: 'launches', key: ['a', 'b'] }), /a key of launches has 1 values/],
    [timed({ act: 'erase user', user: 'ada', key: 'ada' }), /key is no part of "erase user"/],
  ];
  for (const [line, problem] of wrong)
    await assert.rejects(replayed([right, line, right], replaying), (error: Error) => {
      assert.match(error.message, /^nothing was changed: line 2 of /);
      assert.match(error.message, problem);
      return true;
    });
  assert.deepEqual(await stateOf(replaying), before);
  const missing = await run(['verify'], newPath(), replaying);
  assert.deepEqual([missing.code, /^there is no journal at .*: bring it back/.test(missing.errors)], [1, true]);
});

test('the last act about a key, a row or a person wins', async () => {
  const hide = (key: string, reason: string | null = null) => ({ act: 'hide', table: 'launches', key: [key], reason });
  const unhide = (key: string) => ({ act: 'unhide', table: 'launches', key: [key] });
  const item = (user: string) => ({ act: 'hide', table: 'timeline_items', key: [user, 'item-1'], reason: null });
  const erase = (user: string) => ({ act: 'erase user', user });
  const allow = (user: string) => ({ act: 'erase allow', user });
  await ran(['hide', 'launches', 'was-hidden', '--reason', 'old', '--not-loaded'], newPath(), replaying);
  await ran(['hide', 'launches', 'was-spam', '--reason', 'spam', '--not-loaded'], newPath(), replaying);
  await ran(['erase', 'user', 'was-erased', '--not-loaded'], newPath(), replaying);
  const cases: [acts: object[], said: string[]][] = [
    [[erase('ada'), allow('ada')], ['revoked 2 keys of user ada from before the erasure']], // the erasure had deleted those keys
    [[item('bob'), { act: 'key revoke', key: 'key-bob-1' }, erase('bob')], ['erased user bob: 7 rows']],
    [[allow('cy'), erase('cy'), allow('cy'), erase('cy'), item('cy')], ['erased user cy: 0 rows']],
    [[erase('was-erased'), allow('was-erased')], ['allowed user was-erased to come back']],
    [[], ['hidden: timeline_items cy item-1']], // hidden after the erasure
    [[hide('a'), unhide('a')], []],
    [[hide('b'), unhide('b'), hide('b')], ['hidden: launches b']],
    [[hide('c', 'spam'), hide('c')], ['hidden: launches c; reason: spam']],
    [[hide('d', 'spam'), unhide('d'), hide('d')], ['hidden: launches d']],
    [[hide('e', 'spam'), hide('e', 'court')], ['hidden: launches e; reason: court']],
    [[hide('was-spam', 'spam'), hide('was-spam', 'court')], ['hidden: launches was-spam; reason: court']],
    [[hide('was-hidden')], []], // it is hidden already, with another reason
    [[hide('was-hidden'), unhide('was-hidden')], ['no longer hidden: launches was-hidden']],
    [[{ act: 'key revoke', key: 'key-later' }], []],
  ];
  const lines = cases.flatMap(([acts]) => acts).map((act, index) => timed(act, index));
  const said = cases.flatMap(([, expected]) => expected);
  assert.deepEqual(await replayed(lines, replaying), [
    ...said,
    `${said.length} done: all acts of the journal are in effect (${lines.length})`,
  ]);
  assert.match((await replayed(lines, replaying)).join('\n'), /^nothing to do/);
  const { users, keys } = await stateOf(replaying);
  assert.deepEqual([users, keys], [['ada'], []]);
  // A key that was created after the user came back is left alone.
  await replaying.add('api_keys', {
    id: 'new',
    user_id: 'ada',
    hash: randomBytes(32),
    created_at: '2026-11-17T00:00:00Z',
  });
  assert.match((await replayed(lines, replaying)).join('\n'), /^nothing to do/);
});
