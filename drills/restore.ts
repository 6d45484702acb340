// npm run drill -- restore: backs up a cluster with pgBackRest, destroys it, and restores it to an earlier time with
// the commands that the docs print. Data that the operator or the platform removed after that time must never be
// visible again.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { needPrograms, run } from '../test/debian.ts';
import { replaceEach } from '../test/helpers/deploy-files.ts';
import { startFollower } from '../test/helpers/feed.ts';
import { startNats } from '../test/helpers/nats.ts';
import { openOutbox, openRelay } from '../test/helpers/outbox.ts';
import { eventually, serveProcess } from '../test/helpers/process.ts';
import { openCluster } from './cluster.ts';
import { openShell, printedBlocks, withCommonhall } from './printed.ts';
import { withEnds } from './programs.ts';
import { gone, present, scene, seenAt, segmentMs, statusOf, user, watch, withdrawal } from './restore-scene.ts';

const guide = 'docs/operating.md';
const file = (path: string) => fileURLToPath(new URL(`../packages/${path}`, import.meta.url));
const serving = { KEY_PEPPER: randomBytes(32).toString('hex'), LOG_LEVEL: 'fatal', MAX_EVENT_LOOP_DELAY_MS: '0' }; // a busy machine is not overload
/** A timeout that no step reaches, on any machine. */
const longestMs = 600_000;

/** The step that a printed command belongs to, for the measured times: the first pattern that matches. */
const steps: [name: string, command: RegExp][] = [
  ['full backup', /--type=full backup$/],
  ['incremental backup', /--type=incr backup$/],
  ['restore', / restore$/],
  ['start and recovery', /pg_ctl start .*hot_standby=off/],
  ['migrate', / migrate$/],
  ['journal replay', / journal replay$/],
  ['verify', / verify$/],
  ['catch-up', / status$/],
  ['start on its own port', /pg_ctl (stop|start)/],
];
const untilCaughtUp = ['restore', 'start and recovery', 'migrate', 'journal replay', 'verify', 'catch-up'];

type End = (stop: () => unknown) => void;

const openBase = async (end: End) => {
  const cluster = await openCluster(printedBlocks(guide, 'Back up', 'ini').join(''));
  end(cluster.stop);
  const journal = join(cluster.folder, 'journal');
  const env = { ...cluster.env, ...serving, DATABASE_URL: cluster.ownerUrl, JOURNAL_FILE: journal };
  const commonhall = (...args: string[]) => run(process.execPath, [file('server/src/main.ts'), ...args], env);
  return { cluster, journal, env, commonhall };
};
type Base = Awaited<ReturnType<typeof openBase>>;

/** A running installation: a database with the sample data, the platform's feed, a follower and a server. */
const openHall = async ({ cluster, commonhall }: Base, end: End) => {
  commonhall('migrate');
  const client = new pg.Client(cluster.ownerUrl);
  end(() => client.end());
  client.on('error', () => {}); // the drill kills the cluster
  await client.connect();
  await client.query('create role commonhall_server login in role commonhall_reader');
  const files = join(cluster.folder, 'sample');
  run(process.execPath, [file('sample/src/main.ts'), '--out', files, '--scale', 'small']);
  commonhall('import', files);
  const nats = await startNats();
  end(nats.stop);
  const platform = await openOutbox();
  end(platform.stop);
  const relay = openRelay(platform, nats.url);
  end(() => relay.program().kill());
  const follower = startFollower(cluster.ownerUrl, nats.url);
  end(follower.kill);
  const server = await serveProcess(cluster.readerUrl, serving);
  end(server.stop);
  return {
    ...{ client, nats, platform, server },
    /** Commits changes at the platform and waits until callers get the expected status. */
    arrives: async (bodies: string[], path: string, status = 200) => {
      await platform.commit(bodies);
      const look = async () => assert.equal(await statusOf(server.url + path), status, follower.output());
      await eventually(look, longestMs);
    },
    makeKey: (): { id: string; key: string } => {
      const said = commonhall('key', 'create', 'drill-bob', '--name', 'drill');
      return { id: /^id +(\S+)$/m.exec(said)![1]!, key: /^key +(\S+)$/m.exec(said)![1]! };
    },
  };
};

const sequenceAt = async (url: string): Promise<number> => {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ sequence: string }>('select sequence from feed');
  await client.end();
  return Number(rows[0]?.sequence);
};

/** Runs printed commands with the names of this drill, and records how long each step took. */
const openPrinted = ({ cluster, env }: Base) => {
  const times: { name: string; ms: number }[] = [];
  const shell = openShell(env);
  const note = (command: string, ms: number) => {
    const [name] = steps.find(([, pattern]) => pattern.test(command)) ?? [];
    const last = times.at(-1);
    if (name !== undefined && last?.name === name) last.ms += ms;
    else if (name !== undefined) times.push({ name, ms });
  };
  return {
    ...{ times, withExports: shell.withExports },
    /** The commands that the guide prints under a heading. */
    under: (heading: string, names: Record<string, string> = {}): string[] =>
      replaceEach(printedBlocks(guide, heading, 'sh').join(''), Object.entries(names))
        .replaceAll('sudo -u postgres ', cluster.asPostgres)
        .trim()
        .split('\n'),
    run: async (command: string): Promise<string> => {
      const began = performance.now();
      console.log(`$ ${command.replaceAll(cluster.folder, '…')}`);
      const said = await shell.run(command);
      note(command, performance.now() - began);
      return said;
    },
  };
};
type Printed = ReturnType<typeof openPrinted>;

/** Runs a follower in a second shell, on the port that only the operator knows, until it has caught up. */
const openCatchUp = ({ cluster, env }: Base, printed: Printed, end: End) => {
  let following: ChildProcess | undefined;
  const signalIt = (signal: NodeJS.Signals) => {
    if (following?.pid !== undefined && following.exitCode === null && following.signalCode === null)
      process.kill(-following.pid, signal); // the process group, like Ctrl-C in a terminal
  };
  end(() => signalIt('SIGKILL'));
  return {
    follow: (command: string) => {
      console.log(`$ ${command.replaceAll(cluster.folder, '…')} &`);
      following = spawn('sh', ['-c', printed.withExports(command)], {
        env: withCommonhall(env),
        stdio: 'ignore',
        detached: true,
      });
    },
    untilCaughtUp: async (command: string) => {
      const look = async () => assert.match(await printed.run(command), /as of \S+ \([0-3] s ago\); a follower works/);
      await eventually(look, longestMs);
      const ended = once(following!, 'exit');
      signalIt('SIGINT');
      await ended;
    },
  };
};

export const drillRestore = ({ short }: { short: boolean }): Promise<void> =>
  withEnds(async (end) => {
    needPrograms({ 'nats-server': 'nats-server' });
    // exit runs the exit listeners, which stop all parts.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
    const base = await openBase(end);
    const { cluster, journal, commonhall } = base;
    const printed = openPrinted(base);
    console.log(`${cluster.version}, ${run('pgbackrest', ['version'])}`);
    const backUp = new Set(printed.under('Back up'));
    const runThose = async (ending: RegExp) => {
      for (const command of backUp)
        if (ending.test(command)) {
          backUp.delete(command);
          console.log(await printed.run(command));
        }
    };
    await runThose(/(stanza-create|check)$/);
    const hall = await openHall(base, end);
    const { server, arrives } = hall;
    await arrives([user('drill-bob', 1)], '/users/drill-bob');
    const kept = hall.makeKey();
    await runThose(/full backup$/);

    // After the full backup and before the target time: only the WAL has these changes.
    const revoked = hall.makeKey();
    await arrives(scene, '/launches/drill-withdrawn');
    assert.deepEqual(await seenAt(server.url, revoked.key), present);
    const { rows } = await hall.client.query<{ at: string }>(
      `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00' as at`,
    );
    const moment = rows[0]!.at;
    await sleep(50);

    // After the target time: the user changes, the operator and the platform remove data, and other changes follow.
    await arrives([user('drill-ada', 2, { bio: 'later' }), user('drill-late', 6)], '/users/drill-late');
    const ofThePerson = await sequenceAt(cluster.ownerUrl);
    const journalNames = { '0b7c3c1e-7a55-4b0e-9d5f-0a0a3c6f7c11': revoked.id, '/var/lib/commonhall/journal': journal };
    for (const command of printed.under('The journal', journalNames)) await printed.run(command);
    commonhall('hide', 'launches', 'drill-hidden', '--reason', 'court order 12/26');
    commonhall('erase', 'user', 'drill-ada');
    const lost = hall.makeKey();
    await arrives([withdrawal], '/launches/drill-withdrawn', 404);
    assert.deepEqual(await seenAt(server.url, revoked.key), gone);
    const watcher = watch(server.url, revoked.key);
    end(watcher.stop);
    await runThose(/(incr backup|info)$/);
    assert.deepEqual([...backUp], [], 'printed and not run');
    const many = Array.from({ length: short ? 300 : 20_000 }, (_, n) => user(`drill-${n}`, 1000 + n));
    await arrives([...many, user('drill-last', 7)], '/users/drill-last');
    const segments: number[] = [];
    for (let n = 0; n < (short ? 1 : 5); n++) segments.push(Math.round(await segmentMs(hall.client)));
    await cluster.destroy();
    console.log(`killed and destroyed; to be restored to ${moment}`);
    await hall.platform.commit([user('drill-away', 8)]); // the platform goes on during the restore

    const { follow, untilCaughtUp: catchUp } = openCatchUp(base, printed, end);
    for (const command of printed.under('Restore', {
      '2026-11-16 06:15:00+00': moment,
      '/var/lib/postgresql/15/main': cluster.data,
      '/var/log/postgresql/': `${cluster.folder}/`,
      '-p 5433': `-p ${cluster.privatePort}`,
      'postgres://owner@db:5433/commonhall': cluster.privateOwnerUrl,
      '/var/lib/commonhall/journal': journal,
      'tls://follower:…@nats:4222': hall.nats.url,
    }))
      if (/ follow$/.test(command)) follow(command);
      else if (/ status$/.test(command)) await catchUp(command);
      else {
        const said = await printed.run(command);
        if (/ migrate$/.test(command)) {
          assert.match(said, /the schema is up to date$/);
          // Without the replay of the journal all of it would be public again, and the feed restarts at an older
          // position.
          const early = await serveProcess(cluster.privateReaderUrl, serving);
          end(() => early.child.kill('SIGKILL'));
          assert.deepEqual(await seenAt(early.url, revoked.key), present, 'the restore reached another time');
          await early.stop();
          assert.ok((await sequenceAt(cluster.privateOwnerUrl)) < ofThePerson);
        }
        if (/ replay$/.test(command)) assert.match(said, /\n3 done: all acts of the journal are in effect \(3\)$/);
      }

    // The server and the follower have been running all the time.
    await eventually(async () => assert.equal(await statusOf(`${server.url}/readyz`), 200), longestMs);
    for (const id of ['drill-late', 'drill-last', 'drill-away'])
      await eventually(async () =>
        assert.equal(await statusOf(`${server.url}/users/${id}`), 200, `${id} was changed after the target time`),
      );
    await arrives([user('drill-after', 9)], '/users/drill-after');
    assert.deepEqual(await seenAt(server.url, revoked.key), gone);
    assert.equal(await statusOf(`${server.url}/bounties/me`, kept.key), 200, 'a key from before the target time');
    assert.equal(await statusOf(`${server.url}/bounties/me`, lost.key), 401, 'a key from after the target time');
    const { again, asked, unavailable } = await watcher.stop();
    assert.deepEqual(again, [], 'removed data was visible again');
    assert.ok(unavailable > 0, 'the database was down');
    assert.match(
      commonhall('verify'),
      /are right\nthe roles have their rights\nall acts of the journal are in effect \(3\)$/,
    );
    console.log(`${asked} requests for removed data: ${unavailable} were 503, none showed it`);
    console.log(`WAL: ${segments.join(', ')} ms until a segment of 16 MB was archived`);
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
    for (const { name, ms } of printed.times) console.log(`${name}: ${seconds(ms)}`);
    const until = printed.times.filter(({ name }) => untilCaughtUp.includes(name));
    assert.equal(until.length, untilCaughtUp.length);
    console.log(`from an empty folder to caught up: ${seconds(until.reduce((sum, { ms }) => sum + ms, 0))}`);
  });
