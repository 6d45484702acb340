// The example platform: its outbox, its load, and the relay while every part is killed with SIGKILL. Full run:
//   KILLS=200 npm test -- packages/server/test/relay.system.test.ts
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { startCommand } from '../../../test/helpers/feed.ts';
import { startNats } from '../../../test/helpers/nats.ts';
import { bareEnv, eventually } from '../../../test/helpers/process.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import type { PrivatePostgres } from '../../../test/postgres.ts';
import { startPostgres } from '../../../test/postgres.ts';
import { recordReader } from '../src/records/records.ts';
import { tables } from '../src/records/tables.ts';

const kills = Number(process.env.KILLS ?? 6);
const example = fileURLToPath(new URL('../../../examples/platform/', import.meta.url));
const schema = ['tables.sql', 'outbox.sql', 'relay.sql'];
const read = (file: string) => readFileSync(example + file, 'utf8');
const world = await createWorld();
let postgres: PrivatePostgres;

before(async () => {
  // SIGKILL loses nothing that the operating system has received, so fsync may stay off.
  postgres = await startPostgres({ synchronous_commit: 'on', full_page_writes: 'on', shared_buffers: '64MB' });
});
after(() => postgres.stop());

let counter = 0;
interface Platform {
  url: string;
  /** Runs a statement on a new connection, so that a restart of PostgreSQL between statements does no harm. */
  run: <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]) => Promise<Row[]>;
}
const withClient = async <T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
};
const createPlatform = async (files: readonly string[]): Promise<Platform> => {
  counter += 1;
  const url = new URL(postgres.url);
  url.pathname = `/platform_${counter}`;
  await withClient(postgres.url, (client) => client.query(`create database platform_${counter}`));
  for (const file of files) await withClient(url.href, (client) => client.query(read(file)));
  return {
    url: url.href,
    run: <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
      withClient(url.href, async (client) => (await client.query<Row>(sql, values)).rows),
  };
};

interface Program {
  child: ChildProcess;
  said: () => string;
  /** Waits until the program has logged the text. */
  says: (text: string) => Promise<void>;
  end: (signal: NodeJS.Signals) => Promise<number | null>;
}
/** Starts a program of the example. It is killed at the end of the test if it still runs. */
const start = (t: TestContext, file: string, env: Record<string, string>, ...flags: string[]): Program => {
  const child = spawn(process.execPath, [example + file, ...flags], {
    env: { ...bareEnv, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    return (await ended)[0];
  };
  t.after(() => end('SIGKILL'));
  process.once('exit', () => child.kill('SIGKILL'));
  const says = (text: string) => eventually(() => assert.ok(said.includes(text), `${text} is not in:\n${said}`));
  return { child, said: () => said, says, end };
};

interface Stored {
  seq: number;
  id: string;
  xid: string;
  storedAt: number;
  body: { op: string; at: string; table: string; record: { id: string; slug: string; name: string; rating: number } };
}
const readStream = async (url: string): Promise<Stored[]> => {
  const nats = await connect({ servers: url, reconnect: false });
  try {
    const { streams } = await jetstreamManager(nats);
    const { state } = await streams.info('COMMONHALL');
    const found: Stored[] = [];
    if (state.messages === 0) return found;
    const consumer = await jetstream(nats).consumers.get('COMMONHALL');
    const messages = await consumer.consume({ max_messages: 1000 });
    for await (const message of messages) {
      found.push({
        seq: message.seq,
        id: message.headers?.get('Nats-Msg-Id') ?? '',
        xid: message.headers?.get('Commonhall-Xid') ?? '',
        storedAt: Date.parse(message.timestamp),
        body: message.json(),
      });
      if (message.seq >= state.last_seq) break;
    }
    assert.equal(found.length, state.messages);
    return found;
  } finally {
    await nats.close();
  }
};
const isMark = ({ body }: Stored) => body.op === 'mark';

/** Copies every committed row of the outbox, for the comparison at the end. */
const witness = `
  create table witness (message_id uuid primary key, id bigint not null, xid text not null);
  create function copy_to_witness() returns trigger language plpgsql as $$
  begin
    insert into witness values (new.message_id, new.id, new.xid::text);
    return null;
  end
  $$;
  create trigger witness after insert on outbox for each row execute function copy_to_witness();`;
const createProducts = `
  insert into products (owner_id, handle, name, tagline, story)
  select '00000000-0000-4000-8000-000000000001', 'p' || n, 'P', '', '' from generate_series(1, $1::integer) n`;

/** Writers that commit one change after the other, each in a transaction that stays open for some milliseconds. */
const startWriters = (url: string, count: number, products: number) => {
  let isOver = false;
  const write = async (client: pg.Client, isFirst: boolean): Promise<void> => {
    // The first writer changes more rows at once than fit in a batch; the others do not touch those rows.
    const condition = isFirst ? 'id > 20' : `id = ${1 + Math.floor(Math.random() * 20)}`;
    await client.query('begin');
    await client.query(`update products set score = score + 1 where ${condition}`);
    await sleep(Math.random() * (isFirst ? 10 : 60));
    await client.query('commit');
    await sleep(isFirst ? products / 2 : Math.random() * 20);
  };
  const loops = Array.from({ length: count }, async (_, index) => {
    while (!isOver)
      await withClient(url, async (client) => {
        while (!isOver) await write(client, index === 0);
      }).catch(() => sleep(50)); // PostgreSQL was killed
  });
  return async () => {
    isOver = true;
    await Promise.all(loops);
  };
};

/** Commits a change after one with a larger id has been published. */
const commitLate = (platform: Platform) =>
  withClient(platform.url, async (client) => {
    const isLeft = (handle: string) =>
      platform.run(`select from outbox where body -> 'record' ->> 'username' = $1`, [handle]);
    await client.query('begin');
    await client.query(`insert into members (handle, full_name) values ('late', '')`);
    await platform.run(`insert into members (handle, full_name) values ('early', '')`);
    await eventually(async () => assert.deepEqual(await isLeft('early'), []));
    await client.query('commit');
  });

/** Checks that every committed row of the outbox is in the stream once, and the changes of each row are in order. */
const checkStream = async (platform: Platform, natsUrl: string): Promise<{ changes: Stored[]; inversions: number }> => {
  await eventually(async () => assert.deepEqual(await platform.run('select id from outbox limit 1'), []), 60_000);
  const changes = (await readStream(natsUrl)).filter((message) => !isMark(message));
  const committed = await platform.run<{ message_id: string; id: string; xid: string }>('select * from witness');
  const byId = new Map(committed.map((row) => [row.message_id, row]));
  assert.equal(new Set(changes.map(({ id }) => id)).size, changes.length, 'no change is published twice');
  assert.deepEqual(changes.map(({ id }) => id).sort(), [...byId.keys()].sort());
  const ratings = new Map<string, number>();
  let inversions = 0;
  for (const [index, { id, xid, body }] of changes.entries()) {
    assert.equal(xid, byId.get(id)?.xid);
    const next = changes[index + 1];
    if (next !== undefined && Number(byId.get(id)?.id) > Number(byId.get(next.id)?.id)) inversions += 1;
    if (body.table !== 'launches') continue;
    const { id: product, rating } = body.record;
    if (ratings.has(product)) assert.equal(rating, ratings.get(product)! + 1, `product ${product}`);
    ratings.set(product, rating);
  }
  return { changes, inversions };
};

test('every committed change is published once and in order while relay, NATS and PostgreSQL are killed', async (t) => {
  const nats = await startNats({ windowMs: 100 });
  t.after(() => nats.stop());
  const platform = await createPlatform([...schema, 'sample.sql']);
  await platform.run('delete from outbox');
  await platform.run(witness);
  const products = 600;
  await platform.run(createProducts, [products]);
  const stopWriters = startWriters(platform.url, 6, products);
  const env = { PLATFORM_DATABASE_URL: platform.url, NATS_URL: nats.url };
  let relay = start(t, 'relay.ts', env);
  await commitLate(platform);
  const killed = { relay: 0, nats: 0, postgres: 0 };
  let known = 0;
  for (let kill = 0; kill < kills; kill++) {
    // Mostly the relay has begun to publish again before the next kill; every fourth kill does not wait for that.
    if (kill % 4 !== 3) await eventually(() => assert.match(relay.said().slice(known), /"publishing"/));
    await sleep(Math.random() * 400);
    const target = (['relay', 'nats', 'relay', 'postgres', 'relay', 'nats'] as const)[kill % 6]!;
    killed[target] += 1;
    if (target === 'relay') {
      await relay.end('SIGKILL');
      relay = start(t, 'relay.ts', env);
      known = 0;
    } else {
      known = relay.said().length;
      const server = target === 'nats' ? nats : postgres;
      await server.crash();
      await server.restart();
    }
  }
  await stopWriters();
  const { changes, inversions } = await checkStream(platform, nats.url);
  t.diagnostic(`${changes.length} changes, ${inversions} ids out of commit order, kills ${JSON.stringify(killed)}`);
  assert.ok(changes.length > products);
  assert.ok(inversions > 0);
  assert.equal(await relay.end('SIGTERM'), 0);
});

test('a second relay waits, and takes over when the first one is killed', async (t) => {
  const nats = await startNats({ windowMs: 100 });
  t.after(() => nats.stop());
  const platform = await createPlatform(schema);
  await platform.run(witness);
  await platform.run(read('sample.sql').replace(/^--.*$/m, ''));
  const env = { PLATFORM_DATABASE_URL: platform.url, NATS_URL: nats.url };
  const first = start(t, 'relay.ts', env);
  await first.says('"publishing"');
  const second = start(t, 'relay.ts', env);
  await second.says('another relay is running');
  await platform.run(createProducts, [10]);
  await checkStream(platform, nats.url);
  assert.ok(!second.said().includes('"publishing"'));
  await first.end('SIGKILL');
  await platform.run('update products set score = score + 1');
  await second.says('"publishing"');
  await checkStream(platform, nats.url);
  // A waiting relay stops as cleanly as one that publishes.
  const third = start(t, 'relay.ts', env);
  await third.says('another relay is running');
  assert.equal(await third.end('SIGTERM'), 0);
  assert.equal(await second.end('SIGTERM'), 0);
});

test('a relay that is suspended, loses its lock and resumes publishes nothing twice', async (t) => {
  const nats = await startNats({ windowMs: 100 });
  t.after(() => nats.stop());
  const platform = await createPlatform([...schema, 'sample.sql']);
  await platform.run('delete from outbox');
  await platform.run(witness);
  await platform.run(createProducts, [50]);
  const env = { PLATFORM_DATABASE_URL: platform.url, NATS_URL: nats.url };
  const first = start(t, 'relay.ts', env);
  await first.says('"publishing"');
  const second = start(t, 'relay.ts', env);
  await second.says('another relay is running');
  const count = (relay: Program, text: string) => relay.said().split(text).length - 1;
  const sessionOfHolder = async (condition: string) => {
    const found = await platform.run<{ pid: number }>(
      `select pid from pg_stat_activity join pg_locks l using (pid)
      where l.locktype = 'advisory' and l.granted and datname = current_database() and ${condition}`,
    );
    assert.equal(found.length, 1, condition);
    return found[0]!.pid;
  };
  for (const [active, waiting] of [
    [first, second],
    [second, first],
    [first, second],
  ] as const) {
    const [begun, failed] = [count(waiting, '"publishing"'), count(active, 'beginning again')];
    // The relay waits for the rows and is suspended; the rows arrive while it is suspended.
    const pid = await withClient(platform.url, async (client) => {
      await client.query('begin');
      await client.query('lock table outbox in access exclusive mode');
      await client.query('update products set score = score + 1');
      const blocked = await eventually(() => sessionOfHolder(`wait_event_type = 'Lock'`));
      active.child.kill('SIGSTOP');
      await client.query('commit');
      return blocked;
    });
    assert.equal(await eventually(() => sessionOfHolder(`state = 'idle'`)), pid);
    await platform.run('select pg_terminate_backend($1)', [pid]);
    await eventually(() => assert.ok(count(waiting, '"publishing"') > begun));
    await checkStream(platform, nats.url);
    await sleep(200); // longer than the deduplication window of the stream
    active.child.kill('SIGCONT');
    await eventually(() => assert.ok(count(active, 'beginning again') > failed, active.said()));
    await checkStream(platform, nats.url);
    assert.match(active.said().split('beginning again').at(-1)!, /wrong last sequence/); // it tried to publish them
    await eventually(() => assert.match(active.said().trimEnd().split('\n').at(-1)!, /another relay is running/));
  }
});

test('marks come once a second, after all changes committed before them, and not while the outbox is blocked', async (t) => {
  const nats = await startNats();
  t.after(() => nats.stop());
  const platform = await createPlatform([...schema, 'sample.sql']);
  await platform.run(createProducts, [1]);
  const relay = start(t, 'relay.ts', { PLATFORM_DATABASE_URL: platform.url, NATS_URL: nats.url });
  await relay.says('"publishing"');
  const committedAt: number[] = [];
  await withClient(platform.url, async (client) => {
    for (const until = Date.now() + 3000; Date.now() < until; await sleep(20 + Math.random() * 40)) {
      await client.query(`update products set score = ${committedAt.length} where handle = 'p1'`);
      committedAt.push(Date.now());
    }
  });
  // A blocked delete keeps the outbox from becoming empty.
  await platform.run(`
    create function wait_for_test() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(99);
      return old;
    end
    $$;
    create trigger wait_for_test before delete on outbox for each row execute function wait_for_test();`);
  const [from, to] = await withClient(platform.url, async (client) => {
    await client.query('select pg_advisory_lock(99)');
    await client.query(`update products set name = 'Held', score = -1 where handle = 'p1'`);
    const held = Date.now();
    await sleep(1800);
    return [held, Date.now()] as const;
  });
  await sleep(1300);
  assert.equal(await relay.end('SIGTERM'), 0);
  const stored = await readStream(nats.url);
  const marks = stored.filter(isMark);
  for (const { id, xid, body } of marks) {
    assert.deepEqual(Object.keys(body).sort(), ['at', 'op']);
    assert.match(body.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.match(xid, /^\d+$/);
  }
  const times = marks.map(({ body }) => Date.parse(body.at));
  assert.ok(times.length >= 3, `${times.length} marks`);
  for (const [index, time] of times.entries())
    if (index > 0) assert.ok(time - times[index - 1]! >= 950, `${time - times[index - 1]!} ms between two marks`);
  // One mark may follow directly after the change; then none while the change waits to be deleted.
  assert.ok(times.filter((time) => time > from && time < to).length <= 1, 'no marks while the outbox is blocked');
  const held = stored.find(({ body }) => body.table === 'launches' && body.record.name === 'Held');
  for (const mark of marks)
    if (Date.parse(mark.body.at) > from) assert.ok(mark.seq > held!.seq, 'a mark must not precede the blocked change');
  assert.ok(times.some((time) => time > to));
  const latencies: number[] = [];
  for (const { seq, storedAt, body } of stored) {
    const committed =
      body.table === 'launches' && body.record.slug === 'p1' ? committedAt[body.record.rating] : undefined;
    if (committed === undefined) continue;
    latencies.push(storedAt - committed);
    for (const mark of marks)
      if (Date.parse(mark.body.at) > committed)
        assert.ok(seq < mark.seq, 'a mark must follow all changes committed before it');
  }
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)];
  t.diagnostic(`from commit to published: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, ${latencies.length} changes`);
  // Without a relay nothing more is published.
  await sleep(1200);
  assert.equal((await readStream(nats.url)).length, stored.length);
});

test('without a stream the relay says how to create it, and --create-stream does, beside that of another environment', async (t) => {
  const nats = await startNats();
  t.after(() => nats.stop());
  const platform = await createPlatform(schema);
  const env = { PLATFORM_DATABASE_URL: platform.url, NATS_URL: nats.url, STREAM: 'OTHER' };
  const connection = await connect({ servers: nats.url });
  t.after(() => connection.close());
  const { streams } = await jetstreamManager(connection);
  const relay = start(t, 'relay.ts', env);
  await relay.says('there is no stream OTHER: create it with relay.ts --create-stream');
  const created = start(t, 'relay.ts', env, '--create-stream');
  await once(created.child, 'exit');
  assert.equal(created.child.exitCode, 0, created.said());
  await relay.says('"publishing"');
  const { config } = await streams.info('OTHER');
  const { subjects, storage, discard, max_age, duplicate_window, max_msg_size } = config;
  assert.deepEqual(
    [subjects, storage, discard, max_age / 1e9, duplicate_window / 1e9, max_msg_size],
    [['other.changes'], 'file', 'old', 7 * 86_400, 120, 8_388_608],
  );
});

test('the triggers write puts and deletes; a blocked row is hidden, a changed key is a delete and a put', async () => {
  const platform = await createPlatform([...schema, 'sample.sql']);
  const changesOf = async (sql: string) => {
    await platform.run('delete from outbox');
    await platform.run(sql);
    const rows = await platform.run<{ body: Record<string, unknown> }>('select body from outbox order by id');
    return rows.map(({ body }) => body);
  };
  const [blocked] = await changesOf('update tasks set is_blocked = true where id = 1');
  assert.partialDeepStrictEqual(blocked, {
    op: 'put',
    table: 'bounties',
    record: { id: '1', slug: 'tide-table', status: 'OPEN', visibility: 'hidden', sponsor_id: '1' },
  });
  const moved = await changesOf(
    `update product_makers set member_id = '00000000-0000-4000-8000-000000000003' where place = 2`,
  );
  assert.deepEqual(moved, [
    { op: 'delete', table: 'launch_makers', key: { user_id: '00000000-0000-4000-8000-000000000002', launch_id: '1' } },
    {
      op: 'put',
      table: 'launch_makers',
      record: { user_id: '00000000-0000-4000-8000-000000000003', launch_id: '1', position: 2 },
    },
  ]);
  const cascaded = await changesOf('delete from tasks where id = 1');
  assert.deepEqual(cascaded.map(({ op, table, key }) => [op, table, key]).sort(), [
    ['delete', 'bounties', { id: '1' }],
    ['delete', 'bounty_submissions', { id: '00000000-0000-4000-8000-000000000012' }],
  ]);
  const revoked = await changesOf(`delete from badge_grants where id = 1`);
  assert.deepEqual(
    revoked.map(({ table }) => table),
    ['collection_holders', 'timeline_items'],
  );
  await assert.rejects(platform.run('truncate product_makers'), /use DELETE/);
});

test('the load of the sample equals the changes in the outbox, and all of it is imported', async (t) => {
  const platform = await createPlatform([...schema, 'sample.sql']);
  const parent = mkdtempSync(join(tmpdir(), 'commonhall-dump-'));
  t.after(() => rmSync(parent, { recursive: true, force: true }));
  const folder = join(parent, 'load');
  const load = startCommand(['load', folder], { PLATFORM_DATABASE_URL: platform.url, DATABASE_URL: world.ownerUrl });
  assert.equal(await load.ended(), 0, load.output());
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
    snapshot: string;
    files: { file: string; table: string; rows: number }[];
  };
  assert.match(manifest.snapshot, /^\d+:\d+:[\d,]*$/);
  const loadable = tables.filter(({ name }) => name !== 'api_keys' && name !== 'score_tiers');
  assert.deepEqual(
    manifest.files.map(({ file, table }) => [file, table]),
    loadable.map(({ name }) => [`${name}.ndjson`, name]),
  );
  const [{ puts } = { puts: [] }] = await platform.run<{ puts: { table: string; record: object }[] }>(
    'select json_agg(body order by id) as puts from outbox',
  );
  for (const [index, table] of loadable.entries()) {
    const text = readFileSync(join(folder, `${table.name}.ndjson`), 'utf8');
    const lines = text.split('\n').slice(0, -1);
    assert.equal(manifest.files[index]?.rows, lines.length);
    assert.deepEqual(
      lines.map((line) => JSON.parse(line) as object),
      puts.filter((put) => put.table === table.name).map(({ record }) => record),
    );
    const parse = recordReader(table);
    for (const line of lines) {
      assert.deepEqual(Object.keys(JSON.parse(line) as object).sort(), Object.keys(table.columns).sort(), table.name);
      assert.ok(!('reason' in parse(1, Buffer.from(line))), line);
    }
  }
  const { get } = await world.serve();
  const statusOf = async (path: string) => (await get(path)).status;
  assert.equal(await statusOf('/bounties/tide-table'), 200);
  assert.equal(await statusOf('/bounties/not-yet'), 404);
  assert.equal(await statusOf('/launches/buoy'), 200);
  assert.equal(await statusOf('/launches/raft'), 404);
  assert.equal(await statusOf('/collections/0x00000000000000000000000000000000000000aa'), 200);
  assert.equal(await statusOf('/collections/0x00000000000000000000000000000000000000bb'), 404);
});

test('relay.ts has at most 150 lines, and the example imports nothing of Commonhall', () => {
  assert.ok(read('relay.ts').trimEnd().split('\n').length <= 150);
  for (const [, name] of read('relay.ts').matchAll(/from '([^']+)'/g)) assert.match(name!, /^(pg$|@nats-io\/|node:)/);
});

test('marks are published even under continuous changes, and the relay stops at a stream that has lost messages', async (t) => {
  const nats = await startNats();
  t.after(() => nats.stop());
  const platform = await createPlatform([...schema, 'sample.sql']);
  await platform.run(createProducts, [1]);
  const env = { PLATFORM_DATABASE_URL: platform.url, NATS_URL: nats.url };
  const relay = start(t, 'relay.ts', env);
  await relay.says('"publishing"');
  await withClient(platform.url, async (client) => {
    for (const until = Date.now() + 4000; Date.now() < until; )
      await client.query(`update products set score = score + 1 where handle = 'p1'`);
  });
  const marks = (await readStream(nats.url)).filter(isMark);
  assert.ok(marks.length >= 3, `${marks.length} marks`);
  assert.equal(await relay.end('SIGTERM'), 0);
  await platform.run('update outbox_published set last = last + 1');
  const again = start(t, 'relay.ts', env);
  await again.says('the stream has lost messages after');
});
