// Where the platform's changes come from, as `commonhall doctor` looks at it.
import type pg from 'pg';
import { natsFacts } from '../feed/nats-source.ts';
import { lookAtDurability, lookAtTls } from './doctor-database.ts';
import type { Finding } from './findings.ts';
import { either, fine, megabytes, wrong } from './findings.ts';

const mostApartMs = 2000;
/** The clocks of a database and of this machine; asOf and the ends of contests depend on them. */
export const lookAtClock = async (client: pg.Client, about: string): Promise<Finding> => {
  const sentAt = Date.now();
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
  const apart = Math.max(0, Math.abs((rows[0]?.now.getTime() ?? 0) - sentAt) - (Date.now() - sentAt));
  return either(
    apart < mostApartMs,
    about,
    `${(apart / 1000).toFixed(1)} s from this machine's`,
    'let both machines take the time from the same servers (NTP)',
  );
};

interface Outbox {
  role: string;
  bytes: number;
  rows: number;
  dead: number;
  extra: string | null;
}
const mostOutboxBytes = 1024 * 1024 * 1024;
export const lookAtOutbox = async (client: pg.Client, table: string, servingRole: string): Promise<Finding[]> => {
  const { rows } = await client.query<Outbox>(
    `select current_user::text as role, pg_total_relation_size(c.oid)::float8 as bytes,
       greatest(c.reltuples, 0)::float8 as rows, coalesce(s.n_dead_tup, 0)::float8 as dead,
       case when (select r.rolsuper from pg_roles r where r.rolname = current_user) then 'everything, as a superuser' else
       (select string_agg(g.table_name || ' ' || lower(g.privilege_type), ', ')
        from information_schema.table_privileges g
        where g.grantee = current_user and g.table_schema not in ('pg_catalog', 'information_schema')
          and not (g.table_name = c.relname and g.privilege_type in ('SELECT', 'DELETE'))
          and not (g.table_name = c.relname || '_position' and g.privilege_type in ('SELECT', 'UPDATE'))) end as extra
     from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
     where c.oid = $1::regclass`,
    [table],
  );
  const { role, bytes, rows: waiting, dead, extra } = rows[0]!;
  return [
    either(
      role !== servingRole,
      "platform, the follower's role",
      role,
      'it is also the role of DATABASE_URL: use one of its own, as commonhall outbox prints it',
    ),
    either(
      extra === null,
      "platform, the follower's rights",
      extra === null ? 'those that it needs' : `also ${extra}`,
      'revoke them: the follower needs none',
    ),
    either(
      bytes < mostOutboxBytes,
      'platform, the outbox',
      `${megabytes(bytes)}, about ${waiting} rows, ${dead} dead`,
      'is the follower running? Then look for a transaction on the platform that is open for long',
    ),
    await lookAtDurability(client, 'platform, durability'),
    await lookAtTls(client, 'platform, TLS', 'FEED_URL'),
    await lookAtClock(client, "platform, the database's clock"),
  ];
};

export const lookAtNats = async (url: string, stream: string): Promise<Finding[]> => {
  const { version, replicas, isEncrypted } = await natsFacts(url, stream);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return [
    either(major > 2 || minor >= 10, 'NATS', version, 'upgrade to 2.10 or later, which knows sync_interval: always'),
    either(
      replicas >= 3,
      'NATS, the stream',
      `${replicas} of 3 replicas`,
      'use three servers: a message that one server has acknowledged may not be on its disk',
    ),
    fine('NATS, sync_interval', 'cannot be asked: it must be always'),
    either(
      isEncrypted,
      'NATS, TLS',
      isEncrypted ? 'encrypted' : 'not encrypted',
      'use tls:// in FEED_URL, except on one machine',
    ),
  ];
};

/** A replica that serves public reads. */
export const lookAtReplica = async (client: pg.Client, about: string): Promise<Finding[]> => {
  const { rows } = await client.query<{ isReplica: boolean; lag: number | null }>(
    `select pg_is_in_recovery() as "isReplica",
       case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
         else extract(epoch from now() - pg_last_xact_replay_timestamp()) end::float8 as lag`,
  );
  const { isReplica = false, lag = null } = rows[0] ?? {};
  if (!isReplica) return [wrong(about, 'is not a replica', 'correct REPLICA_URLS')];
  return [
    either((lag ?? 0) < 10, about, `${Math.round(lag ?? 0)} s behind`, 'see its log; docs/operating.md, "Replicas"'),
  ];
};
