// Following the platform's outbox without NATS: what `commonhall outbox` prints, which rights it grants, what `doctor`
// says of it, and what happens when either database goes back in time.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { startPgbouncer } from '../../../drills/pgbouncer.ts';
import { startCommand, startFollower } from '../../../test/helpers/feed.ts';
import { example } from '../../../test/helpers/outbox.ts';
import type { Change } from '../../../test/helpers/platform.ts';
import { bodyOf, kinds } from '../../../test/helpers/platform.ts';
import { eventually } from '../../../test/helpers/process.ts';
import { openOutboxStand } from '../../../test/helpers/stand.ts';
import type { PrivatePostgres } from '../../../test/postgres.ts';
import { startPostgres } from '../../../test/postgres.ts';
import { outboxSql } from '../src/feed/outbox-sql.ts';
import { positionOf, release } from '../src/feed/outbox-statements.ts';
import { tables } from '../src/records/tables.ts';

const stand = await openOutboxStand();
const { hall, server, platform, parts } = stand;
const folder = mkdtempSync(join(tmpdir(), 'commonhall-outbox-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const topic = (n: number, name = `T ${n}`): string =>
  bodyOf({ op: 'put', table: 'topics', record: { ...kinds.topics!.make(n), name } } as Change);
/** Rows of a database, over a new connection: the test restarts it. */
const rowsOf = async <T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
};
const topics = async () =>
  Object.fromEntries(
    (await rowsOf<{ id: string; name: string }>(hall.url, 'select id, name from topics')).map(({ id, name }) => [
      id,
      name,
    ]),
  );
const become = (expected: Record<string, string>) =>
  eventually(async () => assert.deepEqual(await topics(), expected, parts.follower.output().slice(-3000)), 60_000);
const undone = async () => (await rowsOf<{ undone: number }>(hall.url, 'select undone::integer from feed'))[0]!.undone;

/** A copy of the data of a server, as of now. */
const copyOf = async (postgres: PrivatePostgres, name: string): Promise<string> => {
  const copy = join(folder, name);
  await postgres.crash();
  execFileSync('cp', ['-a', postgres.data, copy]);
  await postgres.restart();
  return copy;
};
/** The server goes back to a copy, as with a standby that lacked the newest transactions. */
const goBack = async (postgres: PrivatePostgres, copy: string): Promise<void> => {
  await postgres.crash();
  execFileSync('sh', ['-c', 'rm -rf "$1"/* && cp -a "$2"/. "$1"', 'sh', postgres.data, copy]);
  await postgres.restart();
};
/** The outcome of each commit is known here. */
const committed = (body: string) => rowsOf(platform.postgres.url, `insert into outbox (body) values ('${body}')`);

test('changes are applied in order of commit, and rows leave the outbox', async () => {
  await platform.commit([topic(1), topic(2), topic(1, 'second')]);
  await become({ t1: 'second', t2: 'T 2' });
  // A transaction with a smaller id that commits later is not missed.
  const late = new pg.Client(platform.postgres.url);
  await late.connect();
  await late.query('begin');
  await late.query('insert into outbox (body) values ($1)', [topic(3)]);
  await platform.commit([topic(4)]);
  await become({ t1: 'second', t2: 'T 2', t4: 'T 4' });
  await late.query('commit');
  await late.end();
  await become({ t1: 'second', t2: 'T 2', t3: 'T 3', t4: 'T 4' });
  await eventually(async () => assert.ok(await platform.isEmpty()));
  const { data } = (await (await fetch(`${server.url}/status`)).json()) as { data: { lagSeconds: number } };
  assert.ok(data.lagSeconds < 30, String(data.lagSeconds));
});

test('a locked outbox delays changes, and nothing more', async () => {
  const locker = new pg.Client(platform.postgres.url);
  await locker.connect();
  await locker.query('begin; lock table outbox in access exclusive mode');
  const written = platform.commit([topic(4, 'after the lock')]);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await locker.query('commit');
  await locker.end();
  await written;
  await become({ t1: 'second', t2: 'T 2', t3: 'T 3', t4: 'after the lock' });
});

test('commonhall_feed may read and delete the outbox and move its position, and nothing else', async () => {
  const refused = (text: string) => assert.rejects(rowsOf(platform.feedUrl, text), /permission denied/, text);
  await refused(`insert into outbox (body) values ('{}')`);
  await refused(`update outbox set body = '{}'`);
  await refused('insert into outbox_position default values');
  await refused('delete from outbox_position');
  await refused('select * from committed');
  await refused('select check_outbox()');
  await refused(`select follow_table('outbox', 'users', '{"id": "id"}')`);
});

/** What `commonhall doctor` prints, and its exit status. */
const doctor = async (env: Record<string, string>): Promise<{ lines: string[]; status: number | null }> => {
  const program = startCommand(['doctor'], { DATABASE_URL: hall.url, FEED_URL: platform.feedUrl, ...env });
  const status = await program.ended();
  return { lines: program.output().trim().split('\n'), status };
};
const saying = (lines: readonly string[], text: RegExp) =>
  assert.ok(
    lines.some((line) => text.test(line)),
    `${text}\n${lines.join('\n')}`,
  );

test('doctor looks at every part, and says what to do', async () => {
  const { lines, status } = await doctor({});
  assert.equal(status, 1);
  for (const text of [
    /^ok {4}schema: that of this build$/,
    /^ok {4}durability: a crash loses nothing$/,
    /^ok {4}follower: works$/,
    /^ok {4}freshness: the data is \d+ s old$/,
    /^ok {4}rejected changes: 0$/,
    /^ok {4}changes that the platform has lost: 0$/,
    /^ok {4}the database's clock: 0\.\d s from this machine's$/,
    /^ok {4}platform, the follower's role: commonhall_feed$/,
    /^ok {4}platform, the follower's rights: those that it needs$/,
    /^ok {4}platform, the outbox: \d+ MB/,
    /^LOOK {2}WAL archive: none; without it a restore loses/,
    /^LOOK {2}journal: none.*; set JOURNAL_FILE$/,
    /^2 of \d+ need a hand$/,
  ])
    saying(lines, text);
  await parts.follower.kill();
  const url = platform.postgres.url;
  await rowsOf(url, 'grant select on committed to commonhall_feed');
  const closer = await eventually(async () => {
    const seen = await doctor({ PUBLIC_URL: 'https://api.example.org', REPLICA_URLS: hall.url });
    saying(seen.lines, /^LOOK {2}follower: none works; start one: commonhall follow$/); // when its lease has expired
    return seen;
  });
  saying(closer.lines, /^LOOK {2}platform, the follower's rights: also committed select; revoke them/);
  saying(closer.lines, /^LOOK {2}rate limits: .*name it in TRUSTED_PROXIES/);
  saying(closer.lines, /^LOOK {2}replica 127\.0\.0\.1:\d+: is not a replica; correct REPLICA_URLS$/);
  const owner = await doctor({ FEED_URL: url });
  saying(owner.lines, /^LOOK {2}platform, the follower's role: postgres; it is also the role of DATABASE_URL/);
  const absent = await doctor({ DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none', FEED_TABLE: 'nowhere' });
  saying(absent.lines, /^LOOK {2}database: cannot reach PostgreSQL at 127\.0\.0\.1:1/);
  saying(absent.lines, /^LOOK {2}platform: /);
  await rowsOf(url, 'revoke select on committed from commonhall_feed');
  await stand.restartFollower();
});

test('through a transaction pooler', async (t) => {
  await rowsOf(platform.postgres.url, `alter role commonhall_feed password 'feed'`);
  const login = { name: 'commonhall_feed', password: 'feed' };
  const pooler = await startPgbouncer(platform.postgres.url, login, []);
  t.after(pooler.stop);
  await parts.follower.kill();
  parts.follower = startFollower(hall.url, pooler.urlOf(login));
  await platform.commit([topic(5)]);
  await become({ t1: 'second', t2: 'T 2', t3: 'T 3', t4: 'after the lock', t5: 'T 5' });
  await parts.follower.kill();
  parts.follower = startFollower(hall.url, platform.feedUrl);
});

test('a platform that loses its newest transactions: rows that come back are not applied again, new ones are', async () => {
  await rowsOf(hall.url, 'begin; select take_writer_lock(); delete from topics; commit');
  await committed(topic(1, 'one'));
  await become({ t1: 'one' });
  const copy = await copyOf(platform.postgres, 'platform');
  // Applied, and lost by the platform with the delete of its row.
  await committed(topic(1, 'two'));
  await become({ t1: 'two' });
  await committed(topic(2, 'lost'));
  await become({ t1: 'two', t2: 'lost' });
  const before = await undone();
  await parts.follower.kill();
  await goBack(platform.postgres, copy);
  // The platform gives the ids of the lost rows to others.
  const ids = await rowsOf<{ id: string }>(
    platform.postgres.url,
    `insert into outbox (body) values ('${topic(3)}'), ('${topic(4)}') returning id`,
  );
  const known = await rowsOf<{ id: string }>(
    hall.url,
    'select id::text from outbox_rows order by sequence desc limit 2',
  );
  assert.deepEqual(
    ids.map(({ id }) => id),
    known.map(({ id }) => id).reverse(),
  );
  await stand.restartFollower();
  await become({ t1: 'two', t2: 'lost', t3: 'T 3', t4: 'T 4' });
  assert.equal((await undone()) - before, 2);
  await eventually(() => assert.match(parts.follower.output(), /the platform has lost changes that are applied here/));
  const metrics = await (await fetch(`${server.metricsUrl}/metrics`)).text();
  assert.match(metrics, new RegExp(`^commonhall_feed_changes_undone_total ${before + 2}$`, 'm'));
});

test('rows whose delete the platform has lost are deleted again, and not applied again', async () => {
  const client = new pg.Client(platform.postgres.url);
  client.on('error', () => {}); // a failed test stops the server
  await client.connect();
  await parts.follower.kill();
  await client.query('insert into outbox (body) values ($1), ($2)', [topic(1, 'shown'), topic(1, 'hidden')]);
  const { rows: written } = await client.query('select * from outbox');
  const { rows: position } = await client.query('select applied from outbox_position');
  await stand.restartFollower();
  await become({ t1: 'hidden', t2: 'lost', t3: 'T 3', t4: 'T 4' });
  await eventually(async () => assert.ok(await platform.isEmpty()));
  const before = await undone();
  await parts.follower.kill();
  await client.query('alter table outbox alter id set generated by default');
  for (const { id, message_id, xid, body } of written)
    await client.query('insert into outbox values ($1, $2, $3, $4)', [id, message_id, xid, body]);
  await client.query('update outbox_position set applied = $1', [position[0].applied]);
  await client.end();
  await rowsOf(
    hall.url,
    `begin; select take_writer_lock(); update topics set name = 'untouched' where id = 't1'; commit`,
  );
  await stand.restartFollower();
  await eventually(async () => assert.ok(await platform.isEmpty()));
  assert.equal((await topics()).t1, 'untouched');
  assert.equal(await undone(), before);
});

test('a database that was restored from a backup stops the follower; one command repairs it', async () => {
  const copy = await copyOf(hall, 'hall');
  await committed(topic(9, 'after the backup'));
  await eventually(async () => assert.equal((await topics()).t9, 'after the backup'));
  await eventually(async () => assert.ok(await platform.isEmpty()));
  await parts.follower.kill();
  await goBack(hall, copy);
  const stopped = startFollower(hall.url, platform.feedUrl);
  assert.equal(await stopped.ended(), 1);
  assert.match(
    stopped.output(),
    /this database was restored from a backup.*make a fresh load: commonhall load <folder>/,
  );
  // The platform has its own table of topics, and the view that the command prints.
  await rowsOf(
    platform.postgres.url,
    `create view commonhall_topics as select 't9' as id, 'nine' as slug, 'of the load' as name`,
  );
  await committed(topic(10));
  const env = { DATABASE_URL: hall.url, PLATFORM_DATABASE_URL: platform.postgres.url };
  const load = startCommand(['load', join(folder, 'load'), '--confirm', 'topics=4'], env);
  assert.equal(await load.ended(), 0, load.output());
  await committed(topic(11));
  await stand.restartFollower();
  await become({ t9: 'of the load', t11: 'T 11' }); // what the load's snapshot contains is not applied again
});

test('a follower notices while it runs that another one deletes from its outbox', async () => {
  await rowsOf(platform.postgres.url, 'update outbox_position set applied = applied + 1');
  assert.equal(await parts.follower.ended(), 1);
  assert.match(parts.follower.output(), /this database was restored from a backup, or another one follows the same/);
  await rowsOf(platform.postgres.url, 'update outbox_position set applied = applied - 1');
  await stand.restartFollower();
  await committed(topic(12));
  await eventually(async () => assert.equal((await topics()).t12, 'T 12'));
});

test('rows are remembered with their changes, and a mark comes after all rows that were committed before it', async () => {
  await rowsOf(
    hall.url,
    `create function no_space() returns trigger language plpgsql as $$
     begin raise exception 'no space' using errcode = 'disk_full'; end $$;
     create trigger no_space before insert on outbox_rows for each row execute function no_space();
     create table moved (sequence bigint, as_of text);
     create function note() returns trigger language plpgsql as $$
     begin insert into moved values (new.sequence, iso(new.as_of)); return new; end $$;
     create trigger note after update on feed for each row execute function note()`,
  );
  // The first read has as many rows as it may have, the second as many bytes.
  await rowsOf(
    platform.postgres.url,
    `insert into outbox (body)
     select (repeat(' ', case when n > 2000 then 3145728 else 0 end) || replace('${topic(1000)}', '1000', n::text))::json
     from generate_series(1001, 2003) n`,
  );
  const committedAt = new Date().toISOString();
  await eventually(() => assert.match(parts.follower.output(), /no space.*trying again/));
  assert.equal((await topics()).t1001, undefined);
  await rowsOf(hall.url, 'drop function no_space() cascade');
  await eventually(async () => assert.equal((await topics()).t2003, 'T 2003'));
  const moves = await rowsOf<{ is_end: boolean; as_of: string | null }>(
    hall.url,
    'select sequence = max(sequence) over () as is_end, as_of from moved',
  );
  assert.ok(moves.some(({ is_end }) => !is_end));
  for (const { is_end, as_of } of moves) assert.ok(is_end || (as_of ?? '') < committedAt, `${as_of} ${committedAt}`);
  await rowsOf(hall.url, 'drop function note() cascade; drop table moved');

  // A release that was sent before a pause, and arrives after another follower has released the rows.
  const late = new pg.Client(platform.feedUrl);
  await late.connect();
  const { rows: positions } = await late.query(positionOf('outbox'));
  const { rows } = await late.query(release('outbox'), [[], [], 0, 1, positions[0].outbox]);
  assert.deepEqual(rows, [{ moved: 0, gone: 0 }]);
  await late.end();
});

test('marks of a platform whose clock is ahead are not set aside', async () => {
  await rowsOf(
    platform.postgres.url,
    `create schema ahead; grant usage on schema ahead to commonhall_feed;
     create function ahead.clock_timestamp() returns timestamptz language sql
     as 'select pg_catalog.clock_timestamp() + interval ''2 minutes''';
     alter role commonhall_feed set search_path = ahead, pg_catalog, public`,
  );
  const setAside = async () => (await rowsOf(hall.url, 'select set_aside::integer from feed'))[0]!.set_aside as number;
  const before = await setAside();
  await rowsOf(
    platform.postgres.url,
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'commonhall_feed'`,
  );
  await eventually(async () => {
    const isWarned = /clock is more than a minute ahead/.test(parts.follower.output());
    assert.ok(isWarned || (await setAside()) > before);
  });
  assert.equal(await setAside(), before);
  await rowsOf(platform.postgres.url, 'alter role commonhall_feed reset search_path');
});

test('a load that is older than deleted changes, or than the outbox, stops the follower', async () => {
  const ends = async (text: RegExp) => {
    const follower = startFollower(hall.url, platform.feedUrl);
    assert.equal(await follower.ended(), 1);
    assert.match(follower.output(), text);
  };
  await parts.follower.kill();
  const reset = (snapshot: string) =>
    rowsOf(
      hall.url,
      `begin; select take_writer_lock();
       update feed set stream = null, stream_created_at = null, sequence = 0, load_snapshot = ${snapshot};
       delete from outbox_rows; commit`,
    );
  await reset(`'5:5:'`);
  await ends(/changes were deleted from the table outbox after the load was taken/);
  await reset('null');
  await ends(/\d+ changes are gone from the table outbox already, and there was no load/);
  await rowsOf(platform.postgres.url, 'update outbox_position set applied = 0');
  await reset(`'5:5:'`);
  await ends(/the table outbox was created after the load was taken/);
});

test('a database that may lose what it has committed is refused', async (t) => {
  const unsafe = await startPostgres({ fsync: 'off', full_page_writes: 'off', shared_buffers: '64MB' });
  t.after(unsafe.stop);
  const migrated = startCommand(['migrate'], { DATABASE_URL: unsafe.url });
  assert.equal(await migrated.ended(), 0, migrated.output());
  const follower = startFollower(unsafe.url, platform.feedUrl);
  assert.equal(await follower.ended(), 1);
  assert.match(follower.output(), /set fsync = on and full_page_writes = on in postgresql.conf/);
});

test('the follower ends with one line when only the operator can solve the problem', async () => {
  const ends = async (env: Record<string, string>, text: RegExp) => {
    const follower = startCommand(['follow'], { DATABASE_URL: hall.url, FEED_URL: platform.feedUrl, ...env });
    assert.equal(await follower.ended(), 1, follower.output());
    assert.match(follower.output(), text);
  };
  await ends({ FEED_TABLE: 'nowhere' }, /no table nowhere with nowhere_position: run there what commonhall outbox/);
  await ends(
    { FEED_URL: platform.feedUrl.replace('feed@', 'fed@') },
    /refuses the login of "commonhall_fed".*FEED_URL/,
  );
  await ends({ FEED_URL: platform.feedUrl.replace(/postgres$/, 'other') }, /has no database "other".*FEED_URL/);
});

test('a view whose key is not the column that its trigger names is refused', async (t) => {
  const database = await startPostgres({ shared_buffers: '64MB' });
  t.after(database.stop);
  await rowsOf(
    database.url,
    `create table topics (id bigint, slug text, name text); insert into topics values (1, 'a', 'A')`,
  );
  const printed = startCommand(['outbox', 'topics'], {});
  assert.equal(await printed.ended(), 0);
  const prefixed = printed.output().replace('id::text as id', `'t' || id as id`);
  await assert.rejects(rowsOf(database.url, prefixed), /the key of the view commonhall_topics is not that of topics/);
  const more = startCommand(['outbox', '--more', 'topics', 'users=app."People"'], {});
  assert.equal(await more.ended(), 0);
  assert.doesNotMatch(more.output(), /create table outbox/);
  assert.match(more.output(), /^from app."People";$/m);
  for (const [words, text] of [
    [[], /name the tables that the platform has data for, of: users, /],
    [['nothing'], /there is no table "nothing"; there are: users, /],
    [['users=a b'], /users=a b: after the = comes a table of yours/],
    [['users=a', 'users=b'], /users is named twice/],
  ] as const) {
    const wrong = startCommand(['outbox', ...words], {});
    assert.equal(await wrong.ended(), 1);
    assert.match(wrong.output(), text);
  }
});

test('what the command prints runs as it is, and a row of every table becomes visible through it', async (t) => {
  const names = ['users', 'sponsors', 'bounties', 'bounty_submissions', 'launches', 'launch_makers', 'contests'];
  const command = startCommand(['outbox', 'users=people', ...names.slice(1)], {});
  assert.equal(await command.ended(), 0);
  const printed = command.output();
  const database = await startPostgres({ shared_buffers: '64MB' });
  t.after(database.stop);
  // The platform's own tables, with columns of the same names.
  const types = {
    text: 'text',
    integer: 'bigint',
    number: 'numeric',
    boolean: 'boolean',
    instant: 'timestamptz',
    json: 'jsonb',
    bytes: 'bytea',
  };
  for (const name of names) {
    const { columns } = tables.find((table) => table.name === name)!;
    const own = Object.entries(columns).map(([column, { kind }]) => `${column} ${types[kind]}`);
    await rowsOf(database.url, `create table ${name === 'users' ? 'people' : name} (${own.join(', ')})`);
  }
  await rowsOf(database.url, printed);
  const put = (name: string, row: object) =>
    rowsOf(
      database.url,
      `insert into ${name === 'users' ? 'people' : name}
       select * from json_populate_record(null::${name === 'users' ? 'people' : name}, '${JSON.stringify(row)}')`,
    );
  await put('users', { ...kinds.users!.make(1), status: 'active' });
  await put('sponsors', kinds.sponsors!.make(1));
  await put('bounties', { ...kinds.bounties!.make(1), status: 'OPEN', sponsor_id: 's1' });
  await put('launches', { ...kinds.launches!.make(1), status: 'LIVE', submitted_by_id: 'u1' });
  await put('contests', { ...kinds.contests!.make(1), status: 'OPEN' });
  const fresh = await startPostgres({ shared_buffers: '64MB' });
  t.after(fresh.stop);
  const migrated = startCommand(['migrate'], { DATABASE_URL: fresh.url });
  assert.equal(await migrated.ended(), 0, migrated.output());
  const follower = startFollower(fresh.url, database.url.replace('postgres@', 'commonhall_feed@'));
  t.after(follower.kill);
  for (const [name, n] of [
    ['users', 1],
    ['bounties', 1],
    ['launches', 1],
    ['contests', 1],
  ] as const)
    await eventually(async () =>
      assert.equal(
        (await rowsOf(fresh.url, `select from ${name} ${name === 'users' ? '' : 'where is_public'}`)).length,
        n,
        `${name}: ${follower.output()}`,
      ),
    );
  await assert.rejects(rowsOf(database.url, 'truncate people'), /use DELETE/);
});

test('the outbox of the example is what the command prints, with the views filled in', () => {
  const [opening] = outboxSql([]).split('select check_outbox();');
  const text = readFileSync(example('outbox.sql'), 'utf8');
  assert.ok(text.startsWith(opening!.trimEnd()));
});
