// PgBouncer with deploy/pgbouncer/pgbouncer.ini, between the servers of a drill and PostgreSQL.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { needPrograms } from '../test/debian.ts';
import { deployFile } from '../test/helpers/deploy-files.ts';
import { freePort } from '../test/postgres.ts';
import { startProgram } from './programs.ts';

interface Login {
  name: string;
  password: string;
}
export interface Pgbouncer {
  /** The URL of the database through the pooler. */
  urlOf: (login: Login) => string;
  log: () => string;
  stop: () => Promise<void>;
}

/** The PostgreSQL logins that have a password, in the format of userlist.txt. */
const userList = async (postgresUrl: string): Promise<string> => {
  const client = new pg.Client(postgresUrl);
  await client.connect();
  const { rows } = await client.query<{ line: string }>(
    `select format('"%s" "%s"', rolname, rolpassword) as line from pg_authid where rolpassword is not null`,
  );
  await client.end();
  return rows.map(({ line }) => `${line}\n`).join('');
};

/** `login` is used to wait until PgBouncer accepts connections; `texts` are further replacements in the file. */
export const startPgbouncer = async (
  postgresUrl: string,
  login: Login,
  texts: readonly [string, string][],
): Promise<Pgbouncer> => {
  needPrograms({ pgbouncer: 'pgbouncer' });
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-pgbouncer-'));
  chmodSync(folder, 0o755);
  const [file, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'userlist.txt')];
  const { port: postgresPort, pathname } = new URL(postgresUrl);
  writeFileSync(users, await userList(postgresUrl));
  writeFileSync(
    file,
    deployFile('pgbouncer/pgbouncer.ini', [
      ['host=10.0.0.21 port=5432 dbname=commonhall', `host=127.0.0.1 port=${postgresPort} dbname=${pathname.slice(1)}`],
      ['listen_addr = 10.0.0.31', 'listen_addr = 127.0.0.1'],
      ['listen_port = 6432', `listen_port = ${port}`],
      ['/etc/pgbouncer/userlist.txt', users],
      ...texts,
    ]),
  );
  const urlOf = ({ name, password }: Login) => `postgres://${name}:${password}@127.0.0.1:${port}/commonhall`;
  const check = async () => {
    const client = new pg.Client(urlOf(login));
    await client.connect();
    await client.end();
  };
  const args = process.getuid?.() === 0 ? ['-u', 'postgres', file] : [file];
  const program = await startProgram('pgbouncer', args, check);
  const stop = async () => {
    await program.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { urlOf, log: program.log, stop };
};
