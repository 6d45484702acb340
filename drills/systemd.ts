// npm run drill -- systemd: installs the packed server and the units of deploy/systemd as docs/operating.md says, in a
// real systemd, and checks credentials, sandbox, restarts and stops.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { packAll } from '../release/packages.ts';
import { deployFile } from '../test/helpers/deploy-files.ts';
import { openPublisher } from '../test/helpers/feed.ts';
import { startNats } from '../test/helpers/nats.ts';
import { bodyOf, kinds } from '../test/helpers/platform.ts';
import { eventually } from '../test/helpers/process.ts';
import { freePort, startPostgres } from '../test/postgres.ts';
import { withEnds } from './programs.ts';
import type { Systemd } from './systemd-namespace.ts';
import { bootSystemd } from './systemd-namespace.ts';

const node = '/usr/local/bin/node';
const units = fileURLToPath(new URL('../deploy/systemd', import.meta.url));

/** Writes a file inside the namespace, readable only by root unless `mode` says otherwise. */
const write = ({ sh }: Systemd, path: string, text: string, mode = '0600'): void => {
  sh(`install -m ${mode} /dev/stdin ${path} <<'END'\n${text}\nEND`);
};

/** A program that runs in place of the server, tries forbidden actions, and prints those that succeed. */
const probe = `
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';
networkInterfaces(); // must be possible, or 0.0.0.0 cannot be listened on
const can = (act) => { try { act(); return true; } catch { return false; } };
writeFileSync('/tmp/own', 'its own folder');
const tries = {
  root: () => { if (process.getuid() !== 0) throw 0; },
  'a set-user-id file': () => chmodSync('/tmp/own', 0o4755),
  'a namespace': () => { if (spawnSync('/usr/bin/unshare', ['--user', 'true']).status !== 0) throw 0; },
  'processes of others': () => {
    if (readdirSync('/proc').every((pid) => !/^\\d+$/.test(pid) || statSync('/proc/' + pid).uid === process.getuid())) throw 0;
  },
};
for (const path of ['/opt/commonhall', '/etc', '/var/lib', '/usr', '/run', '/sys/fs/cgroup', '/dev'])
  tries['writing to ' + path] = () => writeFileSync(path + '/probe', '');
for (const file of ['key-pepper', 'owner-database-url']) tries['reading ' + file] = () => readFileSync('/etc/commonhall/' + file);
for (const path of ['/home', '/root']) tries['reading ' + path] = () => { if (readdirSync(path).length === 0) throw 0; };
for (const path of ['/proc/sys/kernel/hostname', '/proc/kcore', '/proc/kallsyms']) tries['reading ' + path] = () => readFileSync(path);
const possible = Object.keys(tries).filter((name) => can(tries[name]));
const credential = readFileSync(process.env.KEY_PEPPER_FILE, 'utf8').trim();
console.log(JSON.stringify({ tries: Object.keys(tries).length, possible, credential }));
`;

/** Runs another program in the server's unit, with more lines in [Service], and returns the result of the unit. */
const runInPlace = (systemd: Systemd, name: string, command: string, more = ''): string => {
  const text = deployFile('systemd/commonhall.service', [
    ['ExecStart=/opt/commonhall/bin/commonhall serve', `ExecStart=${command}`],
    ['Type=exec', 'Type=oneshot'],
    ['Restart=on-failure', `Restart=no\n${more}`],
  ]);
  write(systemd, `/etc/systemd/system/${name}.service`, text, '0644');
  systemd.sh(`systemctl daemon-reload; systemctl start ${name} || true`);
  return systemd.sh(`systemctl show --property Result --value ${name}`);
};

const journal = ({ sh }: Systemd, unit: string): string => sh(`journalctl --unit ${unit} --output cat`);
const mainPid = ({ sh }: Systemd, unit: string): string => sh(`systemctl show --property MainPID --value ${unit}`);
const timed = async (act: () => Promise<unknown> | unknown): Promise<number> => {
  const began = performance.now();
  await act();
  return Math.round(performance.now() - began);
};

interface Stand {
  systemd: Systemd;
  databaseUrl: string;
  feedUrl: string;
  /** The paths of the packed packages. */
  tarballs: string;
  /** The text of commonhall.env, with free ports. */
  environment: string;
  port: number;
  isReady: () => Promise<void>;
}

/** Installs as docs/operating.md prints it. */
const install = async ({ systemd, databaseUrl, feedUrl, tarballs, environment, isReady }: Stand): Promise<void> => {
  const { sh } = systemd;
  sh(`npm install --global --prefix /opt/commonhall --no-audit --no-fund --prefer-offline ${tarballs}`);
  sh(`install -d -m 0700 /etc/commonhall; cp ${units}/*.service /etc/systemd/system/`);
  write(systemd, '/etc/commonhall/commonhall.env', environment);
  write(systemd, '/etc/commonhall/owner-database-url', databaseUrl);
  write(systemd, '/etc/commonhall/database-url', databaseUrl.replace('postgres@', 'commonhall_server@'));
  write(systemd, '/etc/commonhall/feed-url', feedUrl);
  sh('openssl rand -hex 32 | install -m 0600 /dev/stdin /etc/commonhall/key-pepper');
  sh('systemctl daemon-reload; systemctl start commonhall-migrate');
  const applied = journal(systemd, 'commonhall-migrate').match(/^applied /gm)?.length ?? 0;
  assert.ok(applied > 0, journal(systemd, 'commonhall-migrate'));
  const owner = new pg.Client(databaseUrl);
  await owner.connect();
  await owner.query('create role commonhall_server login in role commonhall_reader');
  await owner.end();
  sh('systemctl enable --now commonhall commonhall-follow 2>&1');
  console.log(`${applied} migrations applied; ready ${await timed(isReady)} ms after systemctl enable --now`);
};

/** Checks that the server responds and that the follower applies a change. */
const checkWork = async ({ systemd, databaseUrl, feedUrl, port }: Stand): Promise<void> => {
  assert.equal((await fetch(`http://127.0.0.1:${port}/users/scores/tiers`)).status, 200);
  assert.doesNotMatch(journal(systemd, 'commonhall'), /KEY_PEPPER is not set/);
  const publisher = await openPublisher(feedUrl);
  const sequence = await publisher.publish(bodyOf({ op: 'put', table: 'topics', record: kinds.topics!.make(1) }));
  await publisher.close();
  const owner = new pg.Client(databaseUrl);
  await owner.connect();
  try {
    await eventually(async () => {
      const { rows } = await owner.query('select sequence::integer from feed');
      assert.equal(rows[0]?.sequence, sequence, journal(systemd, 'commonhall-follow').slice(-1000));
    });
  } finally {
    await owner.end();
  }
};

const checkSandbox = (systemd: Systemd): void => {
  const users = ['commonhall', 'commonhall-follow'].map((unit) => {
    const status = systemd.sh(`cat /proc/${mainPid(systemd, unit)}/status`);
    for (const name of ['CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
      assert.match(status, new RegExp(`^${name}:\\s+0+$`, 'm'));
    assert.match(status, /^NoNewPrivs:\s+1$/m);
    assert.match(status, /^Seccomp:\s+2$/m);
    return /^Uid:\s+(\d+)/m.exec(status)?.[1];
  });
  assert.equal(new Set([...users, '0']).size, 3, 'two users, and neither is root');
  write(systemd, '/opt/commonhall/probe.mjs', probe, '0644');
  const result = runInPlace(systemd, 'probe', `${node} /opt/commonhall/probe.mjs`);
  assert.equal(result, 'success', journal(systemd, 'probe'));
  const found = JSON.parse(/^\{.*\}$/m.exec(journal(systemd, 'probe'))?.[0] ?? '{}') as Record<string, unknown>;
  const credential = systemd.sh('cat /etc/commonhall/key-pepper');
  assert.deepEqual(found, { tries: found.tries, possible: [], credential });
  console.log(`the sandbox stopped ${found.tries} of ${found.tries} attempts; users ${users.join(' and ')}`);
  write(systemd, '/opt/commonhall/hot.mjs', 'for (let n = 0; n < 1e8; n++) Math.sqrt(n);', '0644');
  const hot = `${node} /opt/commonhall/hot.mjs`;
  assert.equal(runInPlace(systemd, 'hot', hot), 'success', journal(systemd, 'hot'));
  const jit = runInPlace(systemd, 'jit', hot, 'MemoryDenyWriteExecute=yes');
  assert.notEqual(jit, 'success', 'Node runs with MemoryDenyWriteExecute=yes now: turn it on');
  console.log(`with MemoryDenyWriteExecute=yes Node is ended by a ${jit}`);
};

const checkRestarts = async ({ systemd, environment, isReady }: Stand, kills: number): Promise<void> => {
  const { sh } = systemd;
  for (let n = 0; n < kills; n++) {
    const killed = mainPid(systemd, 'commonhall');
    sh(`kill -9 ${killed}`);
    const ms = await timed(async () => {
      await eventually(() => assert.ok(![killed, '0'].includes(mainPid(systemd, 'commonhall'))));
      await isReady();
    });
    console.log(`killed, and ready again after ${ms} ms`);
  }
  // A wrong setting is reported in the journal, and the first start after its correction succeeds. Adding a secret
  // takes one more file.
  write(systemd, '/etc/commonhall/commonhall.env', `${environment}\nDATABASE_CONECTIONS=4`);
  write(systemd, '/etc/commonhall/key-pepper-previous', 'x'.repeat(32));
  sh('install -d /etc/systemd/system/commonhall.service.d');
  const lines = [
    ...['[Service]', 'LoadCredential=key-pepper-previous:/etc/commonhall/key-pepper-previous'],
    'Environment=KEY_PEPPER_PREVIOUS_FILE=%d/key-pepper-previous',
  ];
  write(systemd, '/etc/systemd/system/commonhall.service.d/more.conf', lines.join('\n'), '0644');
  sh('systemctl daemon-reload; systemctl restart commonhall');
  const mistake = /DATABASE_CONECTIONS: unknown setting; did you mean DATABASE_CONNECTIONS/;
  await eventually(() => assert.match(journal(systemd, 'commonhall'), mistake));
  write(systemd, '/etc/commonhall/commonhall.env', environment);
  await isReady();
};

const upgrade = async ({ systemd: { sh }, tarballs, isReady }: Stand): Promise<void> => {
  sh(`npm install --global --prefix /opt/commonhall --no-audit --no-fund --prefer-offline ${tarballs}`);
  await isReady(); // the running server, whose files were replaced
  sh('systemctl start commonhall-migrate; systemctl restart commonhall commonhall-follow');
  await isReady();
};

const checkStop = async ({ systemd: { sh }, port }: Stand): Promise<void> => {
  const silent = connect(port, '127.0.0.1').on('error', () => {});
  const limit = Number(/^TimeoutStopSec=(\d+)$/m.exec(deployFile('systemd/commonhall.service'))?.[1]);
  const ms = await timed(() => sh('systemctl stop commonhall commonhall-follow'));
  silent.destroy();
  for (const unit of ['commonhall', 'commonhall-follow'])
    assert.equal(sh(`systemctl show --property Result,ExecMainStatus ${unit}`), 'Result=success\nExecMainStatus=0');
  assert.ok(ms < limit * 1000);
  console.log(`stopped in ${ms} ms, of ${limit} s that the unit allows`);
};

export const drillSystemd = ({ short }: { short: boolean }): Promise<void> =>
  withEnds(async (end) => {
    const folder = mkdtempSync(join(tmpdir(), 'commonhall-systemd-'));
    end(() => rmSync(folder, { recursive: true, force: true }));
    const systemd = await bootSystemd();
    end(systemd.stop);
    const { url: databaseUrl, stop: stopPostgres } = await startPostgres();
    end(stopPostgres);
    const { url: feedUrl, stop: stopNats } = await startNats();
    end(stopNats);
    const packed = packAll(folder).filter((name) => /contract|server/.test(name));
    const [port, metrics] = [await freePort(), await freePort()];
    const environment = deployFile('systemd/commonhall.env', [
      ['PORT=8080', `PORT=${port}`],
      ['METRICS_PORT=9464', `METRICS_PORT=${metrics}`],
    ]);
    const ready = async () => assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
    const tarballs = packed.map((name) => join(folder, name)).join(' ');
    const isReady = () => eventually(ready, 60_000);
    const stand = { systemd, databaseUrl, feedUrl, tarballs, environment, port, isReady };
    await install(stand);
    await checkWork(stand);
    checkSandbox(systemd);
    await checkRestarts(stand, short ? 1 : 5);
    if (!short) await upgrade(stand);
    await checkStop(stand);
  });
