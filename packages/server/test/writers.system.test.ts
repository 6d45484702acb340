// One writer at a time: concurrent writers in any order leave every maintained value right, without a deadlock unless a
// writer locks rows first. Every table rejects isolation levels that would count wrongly.
// lanes: 15 18
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pick, random } from '../../../test/helpers/random.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { hide } from '../src/commands/hide.ts';
import { readConfig } from '../src/config.ts';
import { migrate } from '../src/db/schema/migrate.ts';
import { verify } from '../src/db/schema/verify.ts';
import { fileOf, load, newFolder } from './helpers/dataset-files.ts';
import { blocksOf, totalsOf } from './helpers/lists.ts';
import { operations, prepareWrites } from './helpers/writes.ts';

const world = await createWorld();
const { owner, ownerUrl } = world;
await prepareWrites(world);
const seconds = Number(process.env.SECONDS ?? 6);
const repairs = Number(process.env.REPAIRS ?? 1);
const right = async () => assert.deepEqual((await verify(ownerUrl, false)).drifts, []);
const withWriter = async (use: (client: pg.Client) => Promise<void>): Promise<void> => {
  const client = new pg.Client(ownerUrl);
  await client.connect();
  await use(client).finally(() => client.end());
};

/** Revoking a key must not wait for an import; the other tables are written by migrations, imports and the follower. */
const outside = `api_keys feed_lease import_checkpoints import_keys installed journal_lock
  schema_migrations turns writer_lock`.split(/\s+/);
const tables = async (): Promise<string[]> => {
  const { rows } = await owner.query<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where (n.nspname in ('public', 'lists') or n.nspname in (select i.name from installed i)) and c.relkind in ('r', 'p')
    order by 1`);
  return rows.map(({ name }) => name);
};

test('every table of the model rejects isolation levels above READ COMMITTED, and says what to do', async () => {
  const inside = (await tables()).filter((name) => !outside.includes(name));
  assert.ok(inside.length > 80);
  for (const name of inside)
    for (const level of ['repeatable read', 'serializable']) {
      await owner.query(`begin isolation level ${level}`);
      await assert.rejects(
        owner.query(`delete from ${name} where false`),
        { hint: /begin isolation level read committed/ },
        `${name} ${level}`,
      );
      await owner.query('rollback');
    }
  for (const name of outside) {
    await owner.query('begin isolation level serializable');
    await owner.query(`delete from ${name} where false`);
    await owner.query('rollback');
  }
});

test('every table can still be written with a publication for all tables', async () => {
  await owner.query('create publication everything for all tables');
  for (const name of await tables()) {
    const { rows } = await owner.query<{ column: string }>(
      `select attname as column from pg_attribute where attrelid = $1::regclass and attnum > 0 and attgenerated = '' limit 1`,
      [name],
    );
    if (rows.length === 0) continue; // an empty table that is only locked
    const update = `update ${name} set "${rows[0]!.column}" = "${rows[0]!.column}"`;
    const write = owner.query(`begin; set local commonhall.repair = 'on'; ${update}; rollback`);
    await assert.doesNotReject(write, name);
  }
  await owner.query('drop publication everything');
});

test('TRUNCATE is rejected while another transaction writes, but waits after take_writer_lock()', async () => {
  await withWriter(async (other) => {
    await other.query('begin');
    // A write that reads no other table: TRUNCATE would wait for the reader of its own.
    await other.query('update sponsors set website = null where false');
    await assert.rejects(owner.query('truncate collection_holders'), { hint: /select take_writer_lock\(\)/ });
    const waiting = owner.query('begin; select take_writer_lock(); truncate collection_holders; commit');
    await other.query('commit');
    await waiting;
  });
});

test('a key can be revoked while a writer holds the writer lock', async () => {
  await world.keyFor('ada');
  await withWriter(async (other) => {
    await other.query('begin; select take_writer_lock()');
    await owner.query(`set statement_timeout = '5s'`);
    const { rowCount } = await owner.query(`update api_keys set revoked_at = now() where user_id = 'ada'`);
    await owner.query('reset statement_timeout');
    assert.equal(rowCount, 1);
    await other.query('rollback');
  });
});

interface Tally {
  committed: number;
  refused: number;
  deadlocks: number;
}

/** Runs transactions of two or three statements on random tables in random order until `endsAt`. */
const writeUntil = async (endsAt: number, tally: Tally, firsts: readonly string[]): Promise<void> =>
  withWriter(async (client) => {
    while (Date.now() < endsAt) {
      const level = pick(['read committed', 'read committed', 'read committed', 'repeatable read', 'serializable']);
      const first = pick(firsts);
      try {
        await client.query(`begin isolation level ${level}`);
        if (first.includes('lock') && level === 'read committed') await client.query('select take_writer_lock()');
        if (first === 'read') await client.query('select count(*) from collection_holders');
        if (first.includes('rows'))
          await client.query(`select from users where id = '${pick(['ada', 'bob'])}' for update`);
        for (let n = 0; n < 2 + random(2); n++) await client.query(pick(operations)());
        await client.query('commit');
        tally.committed += 1;
        assert.equal(level, 'read committed', 'a higher level was accepted');
      } catch (error) {
        const { code } = error as { code?: string };
        await client.query('rollback');
        if (code === '0A000' && level !== 'read committed') tally.refused += 1;
        else if (code === '40P01') tally.deadlocks += 1;
        else if (code !== '23505' && code !== '23503') throw error;
      }
    }
  });
const newTally = (): Tally => ({ committed: 0, refused: 0, deadlocks: 0 });
/** What a transaction does before it writes. */
const wellBehaved = ['nothing', 'lock', 'read', 'lock, read', 'lock, rows'];

test(`eight writers for ${seconds} s cause no deadlock, higher isolation levels are rejected, and every maintained value is right`, async (t) => {
  const tally = newTally();
  const endsAt = Date.now() + seconds * 1000;
  await Promise.all(Array.from({ length: 8 }, () => writeUntil(endsAt, tally, wellBehaved)));
  t.diagnostic(JSON.stringify(tally));
  assert.equal(tally.deadlocks, 0);
  assert.ok(tally.committed > 0 && tally.refused > 0);
  await right();
});

test('writers that lock rows before the writer lock may deadlock, but every maintained value is right', async (t) => {
  const tally = newTally();
  const endsAt = Date.now() + seconds * 500;
  await Promise.all(Array.from({ length: 8 }, () => writeUntil(endsAt, tally, ['nothing', 'lock', 'rows'])));
  t.diagnostic(JSON.stringify(tally));
  assert.ok(tally.committed > 0);
  await right();
});

test(`every maintained value is right after verify --repair has run ${repairs} times during writes`, async () => {
  const tally = newTally();
  const stop = { at: Number.POSITIVE_INFINITY };
  const writers = Array.from({ length: 3 }, async () => {
    while (Date.now() < stop.at) await writeUntil(Date.now() + 200, tally, wellBehaved);
  });
  for (let n = 0; n < repairs; n++) {
    await owner.query(`
      begin;
      select take_writer_lock();
      set local session_replication_role = replica;
      update ${totalsOf('holders')} set rows = rows + 7 where facet = 0;
      update ${blocksOf('holders', 'acquired')} set rows = rows + 1 where level = 0;
      delete from lists.launch_week_ranks;
      commit`);
    const { repaired } = await verify(ownerUrl, true);
    assert.ok(repaired.some(({ name }) => name === 'holders.totals'));
    await sleep(100);
  }
  stop.at = 0;
  await Promise.all(writers);
  assert.equal(tally.deadlocks, 0);
  await right();
});

test('no lock that the reader role can take delays a writer, a load, a migration or the journal', async () => {
  const reader = new pg.Client(world.readerUrl);
  await reader.connect();
  await assert.rejects(reader.query('select take_writer_lock()'), /permission denied for table writer_lock/);
  // Where nobody is a superuser, these functions cannot be revoked.
  await owner.query('grant execute on function pg_advisory_lock(integer, integer) to public');
  await reader.query('select pg_advisory_lock(n, m) from generate_series(1000, 1010) n, generate_series(0, 2) m');
  await reader.query('begin; lock table users, topics, feed, schema_migrations in access share mode');
  const config = readConfig({ DATABASE_URL: world.ownerUrl, JOURNAL_FILE: newFolder() });
  const acts = [
    () => hide(config, 'agents', ['nobody'], { reason: null, isNotLoaded: true, isKey: false }, () => {}),
    () => migrate(world.ownerUrl, () => {}),
    () => load(world, fileOf('topics.ndjson', ['{"id":"locked","slug":"locked","name":"Locked"}'])),
  ];
  for (const act of acts) {
    const late = sleep(20_000, 'late', { ref: false });
    assert.notEqual(await Promise.race([act(), late]), 'late', String(act));
  }
  await reader.end();
});
