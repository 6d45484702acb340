// npm run drill -- pooler: two servers on PgBouncer in transaction mode, with fewer sessions than connections, with and
// without prepared statements. They are restarted one after the other under load: no request may fail or get wrong
// content. A server detects dropped settings, and commands that need a session refuse the pooler.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { loadSample, sampleSettings } from '../demo/load.ts';
import { demoPictures } from '../packages/sample/src/cast.ts';
import { startCommand } from '../test/helpers/feed.ts';
import { eventually, serveProcess } from '../test/helpers/process.ts';
import { startPostgres } from '../test/postgres.ts';
import { callsOf, learn } from './calls.ts';
import { openFleet } from './fleet.ts';
import { loadLine, startLoad } from './load.ts';
import type { Pgbouncer } from './pgbouncer.ts';
import { startPgbouncer } from './pgbouncer.ts';
import { withEnds } from './programs.ts';

const login = { name: 'commonhall_server', password: 'drill' };
const owner = { name: 'commonhall_owner', password: 'drill' };
type Settings = Record<string, string>;

/** Starts a server and returns the remedy in its warning about dropped settings, or null if it has no warning. */
const remedyOf = async (url: string, settings: Settings): Promise<string | null> => {
  const { child, stop } = await serveProcess(url, settings, ['ignore', 'pipe', 'inherit']);
  let log = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  try {
    await eventually(() => assert.match(log, /"msg":"ready"/)); // on a busy machine not at the first try
  } finally {
    await stop();
  }
  const lines = log.split('\n').filter((line) => line.includes('dropped settings'));
  assert.ok(lines.length <= 1, 'one warning');
  return lines[0] === undefined ? null : (JSON.parse(lines[0]) as { remedy: string }).remedy;
};

/** Applies the remedy that a server logs for missing settings; with a new pooler no setting is missing then. */
const settleSettings = async (
  db: pg.Client,
  openPooler: () => Promise<Pgbouncer>,
  settings: Settings,
): Promise<Pgbouncer> => {
  const before = await openPooler();
  const remedy = await remedyOf(before.urlOf(login), settings);
  await before.stop();
  console.log(`a server warns once: ${remedy}`);
  for (const setting of [`statement_timeout = '3s'`, `default_transaction_read_only = 'on'`, `jit = 'off'`])
    assert.ok(remedy?.includes(`alter role commonhall_server set ${setting};`), setting);
  await db.query(`${remedy} alter role commonhall_server set work_mem = '16MB'`);
  const pooler = await openPooler();
  assert.equal(await remedyOf(pooler.urlOf(login), settings), null, 'then nothing is missing');
  return pooler;
};

/** Commands that need a session refuse a pooler in transaction mode with a one-line error, and accept session mode. */
const checkCommands = (postgresUrl: string): Promise<void> =>
  withEnds(async (end) => {
    const folder = mkdtempSync(join(tmpdir(), 'commonhall-pooler-'));
    end(async () => rmSync(folder, { recursive: true }));
    const file = join(folder, 'users.ndjson');
    writeFileSync(file, '');
    const commands = [['migrate'], ['import', file], ['apply', file], ['follow'], ['verify']];
    const passing = 'ignore_startup_parameters = options,lock_timeout,idle_in_transaction_session_timeout';
    const all: [string, string][] = [['ignore_startup_parameters = options', passing]];
    const poolers = [
      { texts: [], isRefused: true },
      { texts: all, isRefused: true },
      { texts: [...all, ['pool_mode = transaction', 'pool_mode = session'] as [string, string]], isRefused: false },
    ];
    for (const { texts, isRefused } of poolers) {
      const pooler = await startPgbouncer(postgresUrl, owner, texts);
      end(pooler.stop);
      const env = { DATABASE_URL: pooler.urlOf(owner), FEED_URL: 'nats://127.0.0.1:1' };
      for (const args of isRefused ? commands : commands.filter(([name]) => name !== 'follow')) {
        const command = startCommand(args, env);
        const what = `${args[0]} ${texts.join()}: ${await command.ended()} ${command.output()}`;
        if (isRefused) assert.match(what, /: 1 DATABASE_URL leads through a pooler, .* to PostgreSQL itself\n$/);
        else assert.match(what, /: 0 /);
      }
    }
  });

interface Size {
  requests: number;
  rows: number;
  pauseMs: number;
}
/** Load on two servers that use the pooler and are restarted one after the other, each at least once. */
const askOver = (pooler: Pgbouncer, db: pg.Client, postgresUrl: string, settings: Settings, size: Size) =>
  withEnds(async (end) => {
    const fleet = await openFleet(2, pooler.urlOf(login), settings);
    end(fleet.stop);
    const calls = await callsOf(postgresUrl, size.rows);
    const direct = await serveProcess(postgresUrl, { ...settings, PREPARED_STATEMENTS: 'true', PUBLIC_URL: fleet.url });
    end(direct.stop);
    await learn(direct.url, calls);
    // Each statement is its own transaction, so every statement that is sent again was rolled back first.
    const countAgain = async () => {
      const statement = 'select xact_rollback::integer as n from pg_stat_database where datname = current_database()';
      return (await db.query<{ n: number }>(statement)).rows[0]?.n ?? 0;
    };
    const before = await countAgain();
    const began = performance.now();
    const load = startLoad(fleet.url, calls, { keepAlive: 16, fresh: 4, pauseMs: size.pauseMs });
    end(load.stop);
    let restarts = 0;
    for (; restarts < fleet.count || load.requests() < size.requests; restarts++) {
      await fleet.replace(restarts % fleet.count);
      await fleet.isServing(restarts % fleet.count);
    }
    const { rows } = await db.query('select from pg_stat_activity where usename = $1', [login.name]);
    await load.stop();
    const rate = Math.round(load.requests() / ((performance.now() - began) / 1000));
    const how = `PREPARED_STATEMENTS=${settings.PREPARED_STATEMENTS}, ${restarts} restarts, ${rows.length} sessions`;
    const again = (await countAgain()) - before;
    console.log(`${how}, ${again} statements sent again, ${rate}/s: ${loadLine(load)}`);
    assert.deepEqual(load.problems(), [], `${fleet.haproxy.log()}\n${fleet.warnings()}\n${pooler.log()}`);
    assert.ok(rows.length <= 4);
  });

export const drillPooler = ({ short }: { short: boolean }): Promise<void> =>
  withEnds(async (end) => {
    const postgres = await startPostgres();
    end(postgres.stop);
    const db = new pg.Client(postgres.url);
    await db.connect();
    end(() => db.end());
    await loadSample(postgres.url, { scale: 'small', pictures: demoPictures }, () => {});
    await db.query(`create role ${login.name} login password '${login.password}' in role commonhall_reader`);
    await db.query(`create role ${owner.name} login superuser password '${owner.password}'`);
    await checkCommands(postgres.url);
    console.log('migrate, import, apply, follow and verify refuse a pooler that does not keep their session');
    // Each of the two servers has 2 + 4 + 2 connections.
    const openPooler = async () => {
      const pooler = await startPgbouncer(postgres.url, login, [['default_pool_size = 20', 'default_pool_size = 4']]);
      end(pooler.stop);
      return pooler;
    };
    const { DATABASE_URL: _, DRAIN_MS: __, ...settings } = sampleSettings(postgres.url);
    const pooler = await settleSettings(db, openPooler, settings);
    const size = short ? { requests: 500, rows: 20, pauseMs: 100 } : { requests: 50_000, rows: 100, pauseMs: 5 };
    const drain = short ? { DRAIN_MS: '2000' } : {};
    for (const PREPARED_STATEMENTS of ['false', 'true'])
      await askOver(pooler, db, postgres.url, { ...settings, ...drain, PREPARED_STATEMENTS }, size);
  });
