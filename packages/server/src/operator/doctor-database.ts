// Commonhall's own database, as `commonhall doctor` looks at it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type pg from 'pg';
import { refuseWrongSchema } from '../db/schema/readiness.ts';
import { settingsOff } from '../feed/durable.ts';
import type { Finding } from './findings.ts';
import { either, fine, looked, megabytes, wrong } from './findings.ts';
import { readFeedState } from './status.ts';

const one = async <T extends pg.QueryResultRow>(client: pg.Client, text: string): Promise<T> =>
  (await client.query<T>(text)).rows[0]!;

const isNear = (host: string | null): boolean => host === null || /^(127\.|::1|fe80)/.test(host);
/** Whether the connection of this client is encrypted; it need not be on one machine. */
export const lookAtTls = async (client: pg.Client, about: string, setting: string): Promise<Finding> => {
  const { ssl, host } = await one<{ ssl: boolean; host: string | null }>(
    client,
    'select s.ssl, host(inet_server_addr()) as host from pg_stat_ssl s where s.pid = pg_backend_pid()',
  );
  if (isNear(host)) return fine(about, 'the connection stays on this machine');
  return either(
    ssl,
    about,
    `the connection to ${host} is ${ssl ? '' : 'not '}encrypted`,
    `add ?sslmode=verify-full to ${setting}`,
  );
};
export const lookAtDurability = async (client: pg.Client, about: string): Promise<Finding> => {
  const off = await settingsOff(client);
  const remedy = `set ${off.map((name) => `${name} = on`).join(', ')} in postgresql.conf`;
  return off.length === 0
    ? fine(about, 'a crash loses nothing')
    : wrong(about, 'a crash may lose what was committed', remedy);
};

const schema = async (client: pg.Client): Promise<Finding[]> => {
  const { version } = await one<{ version: string }>(client, `select current_setting('server_version') as version`);
  const found = fine('PostgreSQL', version);
  try {
    await refuseWrongSchema(client);
    return [found, fine('schema', 'that of this build')];
  } catch (error) {
    return [found, wrong('schema', (error as Error).message, 'run: commonhall migrate')];
  }
};

const feed = async (client: pg.Client): Promise<Finding[]> => {
  const state = await readFeedState(client);
  if (state === undefined) return [];
  const { stream, isFollowed, lag, waiting, rejected, undone } = state;
  if (stream === null && !isFollowed) return [fine('follower', 'none: no platform is followed')];
  return [
    either(isFollowed, 'follower', isFollowed ? 'works' : 'none works', 'start one: commonhall follow'),
    either(
      lag !== null && Number(lag) < 60,
      'freshness',
      lag === null ? 'unknown' : `the data is ${lag} s old`,
      'read the log of the follower; docs/alerts.md, CommonhallFeedStopped',
    ),
    either(
      rejected === '0',
      'rejected changes',
      rejected,
      'correct the rows on the platform; to see them: commonhall rejected',
    ),
    fine('waiting changes', waiting),
    either(
      undone === '0',
      'changes that the platform has lost',
      undone,
      'make a fresh load (docs/operating.md, "When the platform has gone back")',
    ),
  ];
};

const mostKept = 1024 * 1024 * 1024;
const replication = async (client: pg.Client): Promise<Finding[]> => {
  const { rows: slots } = await client.query<{ name: string; kept: number }>(
    `select slot_name as name, coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0)::float8 as kept
     from pg_replication_slots where not active`,
  );
  const { rows: standbys } = await client.query<{ name: string; behind: number | null }>(
    `select application_name as name, pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8 as behind from pg_stat_replication`,
  );
  return [
    ...standbys.map(({ name, behind }) =>
      either(
        (behind ?? 0) < mostKept,
        `replica ${name}`,
        `${megabytes(behind ?? 0)} behind`,
        'see its log; docs/operating.md, "Replicas"',
      ),
    ),
    ...slots.map(({ name, kept }) =>
      either(
        kept < mostKept,
        `replication slot ${name}`,
        `unused, keeps ${megabytes(kept)} of WAL`,
        `start its replica, or: select pg_drop_replication_slot('${name}')`,
      ),
    ),
  ];
};

const space = async (client: pg.Client): Promise<Finding[]> => {
  const { size } = await one<{ size: number }>(client, 'select pg_database_size(current_database())::float8 as size');
  const { rows } = await client.query<{ name: string; dead: number; live: number }>(
    `select schemaname || '.' || relname as name, n_dead_tup::float8 as dead, n_live_tup::float8 as live
     from pg_stat_user_tables where n_dead_tup > 100000 and n_dead_tup > n_live_tup order by n_dead_tup desc limit 3`,
  );
  const { oldest } = await one<{ oldest: number }>(
    client,
    'select coalesce(max(extract(epoch from now() - xact_start)), 0)::float8 as oldest from pg_stat_activity where datname = current_database()',
  );
  return [
    fine('size of the database', megabytes(size)),
    ...rows.map(({ name, dead, live }) =>
      wrong(
        `table ${name}`,
        `${dead} dead rows, ${live} live ones`,
        'look for a transaction that is open for long; then: vacuum',
      ),
    ),
    either(
      oldest < 3600,
      'oldest transaction',
      `${Math.round(oldest)} s`,
      'end its session: it keeps PostgreSQL from removing old rows',
    ),
  ];
};

const dayMs = 86_400_000;
/** How old the newest backup of pgBackRest is. It can only be asked on the machine of the database. */
const newestBackup = async (): Promise<Finding> => {
  const about = 'backup';
  try {
    const { stdout } = await promisify(execFile)('pgbackrest', ['info', '--output=json'], { timeout: 10_000 });
    const stanzas = JSON.parse(stdout) as { backup?: { timestamp?: { stop?: number } }[] }[];
    const last = Math.max(
      ...stanzas.flatMap(({ backup = [] }) => backup.map(({ timestamp }) => timestamp?.stop ?? 0)),
      0,
    );
    const age = Date.now() - last * 1000;
    if (last === 0) return wrong(about, 'pgBackRest has none', 'make one: pgbackrest --stanza=commonhall backup');
    return either(
      age < 1.1 * dayMs,
      about,
      `the newest is ${Math.round(age / 3_600_000)} hours old`,
      'see why the timer of pgBackRest did not run',
    );
  } catch {
    return fine(about, 'pgBackRest cannot be asked from here: run doctor on the machine of the database');
  }
};
const backups = async (client: pg.Client): Promise<Finding[]> => {
  const archiver = await one<{ mode: string; command: string; isFailing: boolean; failed: string }>(
    client,
    `select current_setting('archive_mode') as mode, coalesce(current_setting('archive_command', true), '') as command,
       coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "isFailing", failed_count::text as failed
     from pg_stat_archiver`,
  );
  if (archiver.mode === 'off')
    return [
      wrong(
        'WAL archive',
        'none',
        'without it a restore loses everything since the last backup: docs/operating.md, "Back up"',
      ),
    ];
  return [
    either(
      !archiver.isFailing,
      'WAL archive',
      archiver.isFailing ? `fails (${archiver.failed} times)` : 'works',
      "read PostgreSQL's log",
    ),
    ...(archiver.command.includes('pgbackrest') ? [await newestBackup()] : []),
  ];
};

export const lookAtDatabase = async (client: pg.Client): Promise<Finding[]> => [
  ...(await looked('schema', () => schema(client))),
  ...(await looked('TLS', async () => [await lookAtTls(client, 'TLS', 'DATABASE_URL')])),
  ...(await looked('durability', async () => [await lookAtDurability(client, 'durability')])),
  ...(await looked('feed', () => feed(client))),
  ...(await looked('replication', () => replication(client))),
  ...(await looked('space', () => space(client))),
  ...(await looked('backups', () => backups(client))),
];
