// Every durable boundary of the commands that write: the process ends itself there as if it were killed
// (crash-points.ts), the same command runs again, and the outcome equals that of a run without a crash: all rows, the
// catalog, and every maintained value recounted. POINT=<regular expression> selects points.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { builders } from '../../../test/helpers/builders.ts';
import type { Program } from '../../../test/helpers/feed.ts';
import { openPublisher, startCommand, startProgram } from '../../../test/helpers/feed.ts';
import type { Change } from '../../../test/helpers/later-build.ts';
import { laterBuild } from '../../../test/helpers/later-build.ts';
import { startNats } from '../../../test/helpers/nats.ts';
import { example } from '../../../test/helpers/outbox.ts';
import { bodyOf, openPlatform } from '../../../test/helpers/platform.ts';
import { eventually } from '../../../test/helpers/process.ts';
import { seeded } from '../../../test/helpers/random.ts';
import type { PrivatePostgres } from '../../../test/postgres.ts';
import { startPostgres } from '../../../test/postgres.ts';
import { crashPoints } from '../src/crash-points.ts';
import { migrate } from '../src/db/schema/migrate.ts';
import { verify } from '../src/db/schema/verify.ts';
import { outboxSql } from '../src/feed/outbox-sql.ts';
import { tables } from '../src/records/tables.ts';
import { relayEndingAt, relayPoints } from './helpers/relay-points.ts';

const wanted = new RegExp(process.env.POINT ?? '');
const folder = mkdtempSync(join(tmpdir(), 'commonhall-crash-'));
const at = '2026-01-05T00:00:00.000Z';
let postgres: PrivatePostgres;
let serial = 0;

const inDatabase = async <T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
};
const urlOf = (name: string, user = 'postgres'): string => {
  const url = new URL(postgres.url);
  [url.pathname, url.username] = [`/${name}`, user];
  return url.href;
};
/** A new database; `template`: one of ours that no session uses. */
const createDatabase = async (template = 'template0', name = `crash_${++serial}`): Promise<string> => {
  await inDatabase(postgres.url, (client) => client.query(`create database ${name} template ${template}`));
  return name;
};

before(async () => {
  postgres = await startPostgres({ synchronous_commit: 'on', shared_buffers: '128MB' });
  await migrate(urlOf(await createDatabase('template0', 'migrated')), () => {});
});
after(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

/** A database, and a command that changes it. */
interface Stage {
  /** Null: none of Commonhall. */
  url: string | null;
  start: (crash: string) => Program;
  /** Of a command that runs until it is stopped: what it prints when it works, and a check that it has done everything. */
  isWorking?: RegExp;
  isDone?: () => Promise<void>;
  /** What else it has changed. */
  more?: () => Promise<unknown>;
  close?: () => Promise<void>;
}
/** What differs from run to run: times, random values and what is made of them, and numbers that a sequence gives. */
const passing: Readonly<Record<string, readonly string[]>> = {
  erasures: ['erased_at'],
  feed: ['as_of', 'cursor_secret', 'stream_created_at'],
  installed: ['declared_at'],
  outbox_rows: ['hash'],
  rejected_changes: ['id', 'received_at', 'tried_at'],
  schema_migrations: ['applied_at'],
  takedowns: ['created_at'],
};
const catalog = `
  select concat_ws(' ', c.oid::regclass, c.relkind, i.indisvalid)
  from pg_class c left join pg_index i on i.indexrelid = c.oid
  where c.relnamespace::regnamespace::text !~ '^pg_|^information_schema$'
  union all
  select concat_ws(' ', tgrelid::regclass, tgname) from pg_trigger where not tgisinternal
  union all
  select oid::regprocedure::text from pg_proc where pronamespace::regnamespace::text !~ '^pg_|^information_schema$'
  order by 1`;
/** All rows but those of the log, whose entries depend on the batches, and of blocks, which depend on their history. */
const outcomeOf = async ({ url, more }: Stage): Promise<Record<string, unknown>> => {
  const outcome: Record<string, unknown> = { more: await more?.() };
  if (url === null) return outcome;
  assert.deepEqual((await verify(url, false)).drifts, []);
  await inDatabase(url, async (client) => {
    const column = async (statement: string, values: unknown[] = []) =>
      (await client.query<[string]>({ text: statement, values, rowMode: 'array' })).rows.map(([value]) => value);
    outcome.catalog = await column(catalog);
    const names = await column(`
      select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and (n.nspname in ('public', 'lists') or c.relname in ('totals', 'texts')) and c.oid <> 'lists.changes'::regclass
      order by 1`);
    for (const name of names)
      outcome[name] = await column(`select (to_jsonb(t) - $1::text[])::text from ${name} t order by 1`, [
        passing[name] ?? [],
      ]);
  });
  return outcome;
};

/** Crashes at these points, one after the other, then runs to the end. Returns the exit status and the outcome. */
const run = async (open: () => Promise<Stage>, crashes: readonly string[]): Promise<unknown> => {
  const stage = await open();
  try {
    for (const crash of crashes) {
      const program = stage.start(crash);
      await program.ended();
      const [name] = crash.split('#');
      assert.equal(program.child.signalCode, 'SIGKILL', `${crash} was not visited: ${program.output()}`);
      assert.deepEqual(/^crash point: (.*)$/m.exec(program.output())?.[1], name);
    }
    const program = stage.start('');
    if (stage.isDone !== undefined) {
      await eventually(() => assert.match(program.output(), stage.isWorking ?? /./), 120_000);
      await eventually(stage.isDone, 120_000);
      program.child.kill('SIGTERM');
    }
    const status = await program.ended();
    return { status, ...(await outcomeOf(stage)) };
  } finally {
    await stage.close?.();
  }
};

const crashedNames: string[] = [];
/** `points`: at which to crash, `#` which visit; several in one are crashes one after the other. */
const way = (what: string, open: () => Promise<Stage>, points: readonly (string | readonly string[])[]): void => {
  const all = points.map((one) => (typeof one === 'string' ? [one] : one));
  crashedNames.push(...all.map((one) => one.at(-1)!.split('#')[0]!));
  const taken = all.filter((one) => wanted.test(one.join()));
  if (taken.length === 0) return;
  describe(what, () => {
    let expected: unknown;
    before(async () => {
      expected = await run(open, []);
    });
    for (const crashes of taken)
      test(crashes.join(', then '), async () => assert.deepEqual(await run(open, crashes), expected));
  });
};

const commandIn = (url: string, args: string[], env: Record<string, string> = {}) => ({
  url,
  start: (crash: string) => startCommand(args, { DATABASE_URL: url, COMMONHALL_TEST_CRASH: crash, ...env }),
});

/** Changes of a platform, always the same, and one that stops its batch. */
const changesOf = (): string[] => {
  const platform = openPlatform(seeded(7));
  const bodies = Array.from({ length: 60 }, () => platform.next().map(bodyOf)).flat();
  const poison = JSON.stringify({ op: 'put', table: 'topics', record: { id: 't', slug: 't', name: 'T', poison: 1 } });
  return [...bodies.slice(0, 30), poison, ...bodies.slice(30)];
};
const failOnPoison = `
  create function fail_on_poison() returns trigger language plpgsql as $$
  begin
    if new.reason like '%poison%' then raise exception 'spilt' using errcode = 'data_exception'; end if;
    return new;
  end $$;
  create trigger fail_on_poison before insert on rejected_changes for each row execute function fail_on_poison()`;

const openPlatformDatabase = async (): Promise<{ url: string; rows: number; name: string }> => {
  const name = await createDatabase();
  const bodies = changesOf();
  await inDatabase(urlOf(name), async (client) => {
    await client.query(outboxSql([]));
    await client.query(readFileSync(example('relay.sql'), 'utf8'));
    await client.query(
      'insert into outbox (body) select b::json from unnest($1::text[]) with ordinality u (b, n) order by n',
      [bodies],
    );
  });
  return { url: urlOf(name), rows: bodies.length, name };
};
const outboxIsEmpty = (url: string) =>
  inDatabase(url, async (client) => assert.equal((await client.query('select from outbox limit 1')).rowCount, 0));

way('follow', async () => {
  const platform = await openPlatformDatabase();
  const url = urlOf(await createDatabase('migrated'));
  await inDatabase(url, (client) => client.query(failOnPoison));
  const stateOf = (client: pg.Client) =>
    client.query('select applied::text, (select count(*) from outbox) as rows from outbox_position');
  return {
    ...commandIn(url, ['follow'], { FEED_URL: urlOf(platform.name, 'commonhall_feed') }),
    isDone: async () => {
      await outboxIsEmpty(platform.url);
      const { rows } = await inDatabase(url, (client) =>
        client.query('select from feed where as_of is not null and sequence = $1', [platform.rows]),
      );
      assert.equal(rows.length, 1);
    },
    more: async () => (await inDatabase(platform.url, stateOf)).rows,
  };
}, [
  'follow: lease taken',
  'follow: source begun',
  'follow: batch begun',
  'follow: batch begun#3',
  'follow: batch applied',
  'follow: position written#2',
  'follow: rows remembered',
  'follow: rows remembered#2',
  'follow: batch committed',
  'follow: batch committed#2',
  'follow: release sent',
  'follow: failed batch rolled back',
  'outbox: rows released',
  'outbox: rows released#2',
  ['follow: batch committed', 'outbox: release to complete'],
]);

way('relay', async () => {
  const [platform, nats] = [await openPlatformDatabase(), await startNats()];
  const env = { PLATFORM_DATABASE_URL: platform.url, NATS_URL: nats.url };
  return {
    url: null,
    start: (crash) =>
      startProgram(crash === '' ? example('relay.ts') : relayEndingAt(crash as keyof typeof relayPoints), [], env),
    isDone: () => outboxIsEmpty(platform.url),
    more: async () => {
      const { manager, last, close } = await openPublisher(nats.url);
      const bodies: string[] = [];
      for (let seq = 1, end = await last(); seq <= end; seq++)
        bodies.push((await manager.streams.getMessage('COMMONHALL', { seq }))?.string() ?? 'gone');
      await close();
      return bodies.filter((body) => !body.startsWith('{"op":"mark"'));
    },
    close: nats.stop,
  };
}, [
  'relay: lock taken',
  ['relay: published', 'relay: tail deleted'],
  'relay: outbox read',
  'relay: published',
  'relay: rows deleted',
]);

const writeLines = (file: string, lines: readonly (object | string)[]): void =>
  writeFileSync(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));

way('apply', async () => {
  const file = join(folder, 'changes.ndjson');
  writeLines(file, changesOf());
  return commandIn(urlOf(await createDatabase('migrated')), ['apply', file]);
}, ['apply: file applied']);

/** Two batches of users, some rejected records, and other tables with one batch each. */
const writeLoad = (): string => {
  const load = join(folder, 'load');
  mkdirSync(load, { recursive: true });
  const users = Array.from({ length: 5100 }, (_, n) => ({
    id: `u${n}`,
    username: `u${n}`,
    display_name: n % 1000 === 7 ? 7 : 'U',
    status: 'active',
  }));
  const topics = Array.from({ length: 50 }, (_, n) => ({ id: `t${n}`, slug: n === 9 ? 't8' : `t${n}`, name: 'T' }));
  const items = Array.from({ length: 700 }, (_, n) => ({
    user_id: `u${n % 7}`,
    id: `i${n}`,
    type: 'GIFT_RECEIVED',
    date: at,
    details: { giftId: 'g', name: 'n', image: null, from: null },
  }));
  const given: Record<string, object[]> = { users, topics, timeline_items: items };
  const files = tables
    .filter(({ name }) => !['api_keys', 'score_tiers'].includes(name))
    .map(({ name }) => ({ file: `${name}.ndjson`, table: name, rows: given[name]?.length ?? 0 }));
  for (const { file, table } of files) writeLines(join(load, file), given[table] ?? []);
  writeFileSync(join(load, 'manifest.json'), JSON.stringify({ snapshot: '10:20:10,14', files }));
  return load;
};
way('import --prune', async () => {
  const url = urlOf(await createDatabase('migrated'));
  await inDatabase(url, async (client) => {
    await client.query(`
        insert into users (id, username, display_name, status) select 'x' || n, 'x' || n, 'n', 'active' from generate_series(1, 90) n`);
    await client.query(`
        insert into timeline_items (user_id, id, type, date, details)
        select 'x1', n, 'GIFT_RECEIVED', now(), '{}' from generate_series(1, 100) n`);
  });
  return commandIn(url, ['import', writeLoad(), '--prune']);
}, [
  'import: load noted',
  'import: batch loaded#2',
  'import: checkpoint written',
  'import: checkpoint written#2',
  'import: batch committed',
  'import: batch committed#3',
  'import: pruned',
  'import: checkpoints of a pruned load forgotten',
  'import: prune committed',
  'import: checkpoints forgotten',
  'import: load complete',
]);

/** A person with rows of their own and in rows of others. */
const openCommunity = async (): Promise<string> => {
  const url = urlOf(await createDatabase('migrated'));
  await inDatabase(url, async (client) => {
    const add = builders(client);
    for (const id of ['u1', 'u2']) {
      await add('users', { id, username: id });
      await add('agents', { id: `agent-${id}`, name: `agent-${id}`, owner_id: id });
      await add('launches', { id: `launch-${id}`, slug: `launch-${id}`, submitted_by_id: id });
      await add('timeline_items', { id: 'item', user_id: id });
    }
    await add('contests', { id: 'c', slug: 'c', created_by_id: 'u1', judge_user_ids: ['u1', 'u2'] });
    const body = JSON.stringify({
      op: 'put',
      table: 'launch_makers',
      record: { launch_id: 'none', user_id: 'u1', position: 1 },
    });
    await client.query(
      `insert into rejected_changes (table_name, key, body, reason, waits_for, received_at, tried_at)
       values ('launch_makers', '{none,u1}', $1, 'waits', '{launches none}', now(), now())`,
      [Buffer.from(body)],
    );
  });
  return url;
};
/** `lines`: what the journal has already. */
const journaled = async (args: string[], lines: readonly object[] = [], first = ''): Promise<Stage> => {
  const url = await openCommunity();
  if (first !== '') await inDatabase(url, (client) => client.query(first));
  const path = join(folder, `journal-${++serial}`);
  writeLines(path, lines);
  // An act that was not committed may be in the journal twice.
  const acts = () =>
    readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => line.replace(/"at":"[^"]*"/, ''));
  return { ...commandIn(url, args, { JOURNAL_FILE: path }), more: async () => [...new Set(acts())] };
};
way('erase', () => journaled(['erase', 'user', 'u1']), [
  'erase: mentions cleared',
  'erase: rows deleted',
  'erase: kept out',
  'journal: locked',
  'journal: line written',
]);
way('hide', () => journaled(['hide', 'agents', 'agent-u1', '--reason', 'spam']), [
  'hide: takedown written',
  'journal: line written',
]);
way(
  'unhide',
  () =>
    journaled(
      ['unhide', 'agents', 'agent-u1'],
      [],
      `insert into takedowns values ('agents', '{agent-u1}', 'spam', now())`,
    ),
  ['unhide: takedown deleted', 'journal: line written'],
);
way(
  'journal replay',
  () =>
    journaled(
      ['journal', 'replay'],
      [
        { at, act: 'erase user', user: 'u1' },
        { at, act: 'hide', table: 'agents', key: ['agent-u2'], reason: 'spam' },
      ],
    ),
  ['journal: step replayed', 'journal: step replayed#2'],
);

way('migrate, from an empty database', async () => commandIn(urlOf(await createDatabase()), ['migrate']), [
  'migrate: first tables created',
  'migrate: migration run#3',
  'migrate: migration noted#4',
  'migrate: migration committed#2',
  'lists: version registered',
  'lists: version registered#3',
  'lists: index built',
  'lists: version filled#2',
  'lists: version built#2',
  'lists: build declared',
  'migrate: schema complete',
]);

const mainFile = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const builds: Record<string, ReturnType<typeof laterBuild>> = {};
after(() => {
  for (const { remove } of Object.values(builds)) remove();
});
/** `name` is also the release. */
const buildOf = (name: string, count: number, changes: readonly Change[]): string => {
  builds[name] ??= laterBuild(count, changes, name);
  return builds[name].main;
};
const migrateWith = (main: string, url: string, crash = ''): Program =>
  startProgram(main, ['migrate'], { DATABASE_URL: url, COMMONHALL_TEST_CRASH: crash });
const addHolders = async (url: string): Promise<void> =>
  inDatabase(url, async (client) => {
    const add = builders(client);
    await client.query(`insert into users (id, username, display_name, status)
      select 'many-' || n, 'many-' || n, 'Many', 'active' from generate_series(1, 2500) n`);
    await add('collections', { address: 'c1' });
    await client.query(`insert into collection_holders
      select 'c1', 'many-' || n, timestamptz '2026-01-05 00:00Z' - n * interval '1 s' from generate_series(1, 700) n`);
  });
const smallerBlocks: Change = [
  'src/db/lists/declarations.ts',
  "sorts: { acquired: instant('acquired_at') },",
  "sorts: { acquired: instant('acquired_at') },\n  size: 64,",
];
way('migrate, with migrations of every kind and a new list', async () => {
  const url = urlOf(await createDatabase('migrated'));
  await addHolders(url);
  return { url, start: (crash) => migrateWith(buildOf('9.0.0', 5, []), url, crash) };
}, ['migrate: statement run outside#2', 'migrate: batch changed#2', 'lists: index built']);
way('migrate, which drops the lists of an older build', async () => {
  const url = urlOf(await createDatabase('migrated'));
  await addHolders(url);
  assert.equal(await migrateWith(buildOf('9.1.0', 0, [smallerBlocks]), url).ended(), 0);
  return { url, start: (crash) => migrateWith(buildOf('9.2.0', 0, [smallerBlocks]), url, crash) };
}, ['lists: versions retired', 'lists: version dropped', 'lists: versions unread']);

test('every point is crashed at', () => {
  assert.deepEqual([...new Set(crashedNames)].sort(), [...crashPoints, ...Object.keys(relayPoints)].sort());
});

test('a point that does not exist is refused, and a server does not look at it', async () => {
  const env = { DATABASE_URL: urlOf('migrated'), COMMONHALL_TEST_CRASH: 'nowhere' };
  const refused = startCommand(['status'], env);
  assert.equal(await refused.ended(), 1);
  assert.match(refused.output(), /there is no crash point nowhere/);
  const server = startProgram(mainFile, ['serve'], { ...env, PORT: '0', METRICS_PORT: '0' });
  await eventually(async () => assert.match(server.output(), /listening|ready|serving/), 60_000);
  server.child.kill('SIGTERM');
  assert.equal(await server.ended(), 0);
});
