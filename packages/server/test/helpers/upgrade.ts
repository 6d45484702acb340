// An upgrade under load: a later build (later-build.ts) migrates a database while servers of both builds answer
// requests and a writer writes. Each migration is killed while it runs, and run again.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { laterBuild, planted, startMigrate } from '../../../../test/helpers/later-build.ts';
import { eventually, patient, serveProcess } from '../../../../test/helpers/process.ts';

export interface Upgrade {
  requests: number;
  longestMs: number;
  problems: string[];
  killed: string[];
}

/** What is killed while it runs, with a text that appears in pg_stat_activity then: the list comes before the migration
 * that stops older servers. */
const steps: [name: string, isUnderWay: string][] = planted.map(([name, , text]) => [name, text]);
steps.splice(-1, 0, ['shelf_agents', 'select recount(), pg_sleep']);

/** `paths` are requested all the time; `write` is the statement that the writer repeats. */
export const upgradeUnderLoad = async (
  url: string,
  readerUrl: string,
  paths: string[],
  write: string,
): Promise<Upgrade> => {
  const later = laterBuild();
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  const settings = { ...patient, LOG_LEVEL: 'fatal' };
  const quiet = ['ignore', 'ignore', 'inherit'] as const;
  const start = (main?: string) => serveProcess(readerUrl, settings, [...quiet], main);
  const old = [await start(), await start()];
  const young = [await start(later.main), await start(later.main)];
  const isReady = async ({ url: at }: { url: string }) => (await fetch(`${at}/readyz`)).status === 200;
  const upgrade: Upgrade = { requests: 0, longestMs: 0, problems: [], killed: [] };

  // Like a load balancer: only servers that were ready at the last check get requests.
  let ready = old;
  let isOver = false;
  const balance = async () => {
    for (; !isOver; await sleep(100)) {
      const all = [...old, ...young];
      const states = await Promise.all(all.map(isReady));
      ready = all.filter((_, index) => states[index]);
      if (ready.length === 0) upgrade.problems.push('no server is ready');
    }
  };
  const read = async (n: number) => {
    for (let turn = n; !isOver; turn++, await sleep(5)) {
      const server = ready[turn % ready.length];
      const path = paths[turn % paths.length]!;
      if (server === undefined) continue;
      const began = performance.now();
      const status = await fetch(`${server.url}${path}`).then(
        (answer) => answer.text().then(() => answer.status),
        (error: unknown) => String(error),
      );
      if (status !== 200) upgrade.problems.push(`${path}: ${status}`);
      upgrade.requests += 1;
      upgrade.longestMs = Math.max(upgrade.longestMs, performance.now() - began);
    }
  };
  const writeOn = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    for (let turn = 0; !isOver; turn++, await sleep(20)) {
      await client.query('begin; select take_writer_lock()'); // as all our writers do
      await client.query(write);
      if (turn % 20 === 0) await sleep(600); // a slow transaction holds its locks
      await client.query('commit');
    }
    await client.end();
  };
  const work = [balance(), writeOn(), ...[0, 1, 2, 3].map(read)];
  const isApplied = async (name: string) =>
    (
      await owner.query(
        `select from schema_migrations where name = $1 union all select from installed where starts_with(name, $1) and not is_retired`,
        [name],
      )
    ).rows.length > 0;
  try {
    assert.deepEqual(await Promise.all([...old, ...young].map(isReady)), [true, true, false, false]);
    for (const [name, text] of steps) {
      const migrating = startMigrate(later.main, url);
      await eventually(async () => {
        const { rows } = await owner.query(
          `select from pg_stat_activity where starts_with(application_name, 'commonhall command') and state = 'active'
           and position($1 in query) > 0 and wait_event_type is distinct from 'Lock'`,
          [text],
        );
        assert.ok(rows.length > 0, `${name} is not running`);
      }, 300_000);
      const ended = once(migrating, 'exit');
      migrating.kill('SIGKILL');
      await ended;
      if (!(await isApplied(name))) upgrade.killed.push(name);
      // Later servers are ready once all migrations that they need are applied; old servers are still ready then.
      const last = name === steps.at(-1)?.[0];
      assert.deepEqual(await Promise.all([...old, ...young].map(isReady)), [true, true, last, last], name);
      if (!last) continue;
      const { rows } = await owner.query(
        `select has_table_privilege('commonhall_reader', name || '.totals', 'select') as may
         from installed where starts_with(name, 'shelf_agents')`,
      );
      assert.deepEqual(rows, [{ may: true }], 'servers may read what they wait for from the moment it is there');
    }
    const last = startMigrate(later.main, url);
    assert.deepEqual(await once(last, 'exit'), [0, null]);
    const states = [false, false, true, true];
    await eventually(async () => assert.deepEqual(await Promise.all([...old, ...young].map(isReady)), states));
    await sleep(300);
    for (const [name] of planted) assert.ok(await isApplied(name), name);
    const { rows } = await owner.query('select from users where score is null limit 1');
    assert.equal(rows.length, 0);
  } finally {
    isOver = true;
    await Promise.all(work);
    for (const server of [...old, ...young]) await server.stop();
    await owner.end();
    later.remove();
  }
  return upgrade;
};
