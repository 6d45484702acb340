// A PostgreSQL cluster from Debian's packages with pgBackRest, as an operator has it: data, repository and sockets in
// one folder. The settings are those of the docs, the configuration file is that of deploy/pgbackrest.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { needPrograms, run } from '../test/debian.ts';
import { deployFile } from '../test/helpers/deploy-files.ts';
import { freePort } from '../test/postgres.ts';

/** The binaries of the newest PostgreSQL from Debian's packages. */
export const findBinaries = (): string => {
  const versionOf = (path: string) => Number(path.split('/')[4]);
  const find = () => globSync('/usr/lib/postgresql/*/bin/postgres').toSorted((a, b) => versionOf(b) - versionOf(a))[0];
  if (find() === undefined) needPrograms({ postgres: 'postgresql' }); // not in PATH
  const found = find();
  if (found === undefined) throw new Error('there is no PostgreSQL in /usr/lib/postgresql');
  return dirname(found);
};

export const openCluster = async (settings: string) => {
  needPrograms({ pgbackrest: 'pgbackrest', runuser: 'util-linux' });
  const binaries = findBinaries();
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-restore-'));
  const [data, repository, sockets] = ['data', 'repository', 'sockets'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const [port, privatePort] = [await freePort(), await freePort()];
  const isRoot = process.getuid?.() === 0;
  /** PostgreSQL and pgBackRest refuse to run as root. */
  const asPostgres = isRoot ? 'runuser -u postgres -- ' : '';
  const config = join(folder, 'pgbackrest.conf');
  const env = {
    PATH: `${binaries}:${process.env.PATH}`,
    HOME: folder,
    PGBACKREST_CONFIG: config,
    PGBACKREST_LOCK_PATH: join(folder, 'lock'),
    PGBACKREST_LOG_PATH: join(folder, 'log'),
  };
  const sh = (command: string) => run('sh', ['-c', `cd ${folder} && ${command}`], env);
  const runs = () =>
    spawnSync('sh', ['-c', `${asPostgres}pg_ctl status -D ${data}`], { env, cwd: folder }).status === 0;
  const stop = () => {
    if (runs()) sh(`${asPostgres}pg_ctl stop -m immediate -D ${data}`);
  };
  // pg_ctl starts PostgreSQL in its own session, so it would outlive this process.
  process.once('exit', () => {
    stop();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const path of [repository, sockets, join(folder, 'log')]) mkdirSync(path);
  writeFileSync(
    config,
    deployFile('pgbackrest/pgbackrest.conf', [
      ['=/var/lib/pgbackrest', `=${repository}`],
      ['=change me', `=${randomBytes(32).toString('hex')}`],
      ['=/var/lib/postgresql/15/main', `=${data}`],
      ['=5432', `=${port}`],
      ['=/var/run/postgresql', `=${sockets}`],
    ]),
    { mode: 0o600 },
  );
  if (isRoot) execFileSync('chown', ['-R', 'postgres:', folder]);
  sh(`${asPostgres}initdb -D ${data} -U postgres --auth=trust --encoding=UTF8 --no-locale`);
  appendFileSync(
    join(data, 'postgresql.conf'),
    `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${sockets}'\n${settings}`,
  );
  sh(`${asPostgres}pg_ctl start -l ${join(folder, 'postgresql.log')} -D ${data}`);
  const url = (at: number, user: string) => `postgres://${user}@127.0.0.1:${at}/commonhall`;
  sh(`psql postgres://postgres@127.0.0.1:${port}/postgres -c 'create database commonhall'`);
  return {
    ...{ env, folder, data, privatePort, asPostgres, stop },
    version: `PostgreSQL ${/\d[\d.]*/.exec(sh('postgres --version'))?.[0]}`,
    /** URLs with the public port, and with the port that only the operator knows. */
    ownerUrl: url(port, 'postgres'),
    readerUrl: url(port, 'commonhall_server'),
    privateOwnerUrl: url(privatePort, 'postgres'),
    privateReaderUrl: url(privatePort, 'commonhall_server'),
    /** Kills PostgreSQL, and leaves a data folder from which it cannot start. */
    destroy: async () => {
      process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
      await sleep(500); // the backends notice and exit
      rmSync(join(data, 'global'), { recursive: true, maxRetries: 20 });
    },
  };
};
