// The lease decides which follower is active. Its holder renews it once a second over a separate connection, so that it
// does not expire during a long statement. A follower that takes over an expired lease terminates the database sessions
// of the previous holder, which may only be paused inside a transaction and resume later.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { closeClient, openWriter } from '../db/connection/client.ts';
import { turnHolders } from '../db/schema/turn.ts';

const leaseSeconds = 3;
const renewMs = 1000;
/** How often a waiting follower tries to take the lease. */
const lookMs = 500;
const bounds = { connectionTimeoutMillis: 2000, query_timeout: 2000, lock_timeout: 1000 };

/** How the application names of a follower's sessions begin. */
export const sessionName = (holder: string): string => `commonhall follow ${holder}`;

/** Takes the lease if it is free or expired. Returns the previous holder, or false. */
const take = async (client: pg.Client, holder: string): Promise<{ before: string | null } | false> => {
  const { rows } = await client.query<{ before: string | null }>(
    `update feed_lease l set holder = $1, expires_at = clock_timestamp() + make_interval(secs => $2)
     from (select holder, expires_at from feed_lease for update) o
     where o.holder is null or o.holder = $1 or o.expires_at < clock_timestamp()
     returning o.holder as before`,
    [holder, leaseSeconds],
  );
  return rows[0] ?? false;
};

/** Fencing: terminates the sessions of the previous holder, and of any follower that has the turn of db/schema/turn.ts. */
const endOthers = async (client: pg.Client, holder: string, before: string | null): Promise<void> => {
  await client.query(
    `select pg_terminate_backend(a.pid, 1000) from pg_stat_activity a
     where a.datname = current_database() and a.usename = current_user -- another role may use such a name too
       and starts_with(a.application_name, $3) and not starts_with(a.application_name, $1)
       and (starts_with(a.application_name, $2) or a.pid in (select a.pid from ${turnHolders} where t.name = 'load'))`,
    [sessionName(holder), sessionName(before ?? holder), sessionName('')],
  );
};

export interface Lease {
  /** Aborted when the lease is lost, or when it cannot be renewed. */
  lost: AbortSignal;
  release: () => Promise<void>;
}

/** Waits until the holder has the lease. */
export const takeLease = async (
  url: string,
  holder: string,
  signal: AbortSignal,
  onWaiting: () => void,
): Promise<Lease> => {
  const lost = new AbortController();
  const client = await openWriter(url, sessionName(holder), bounds, () => lost.abort());
  try {
    for (let isFirst = true; ; isFirst = false) {
      signal.throwIfAborted();
      const taken = await take(client, holder);
      if (taken !== false) {
        await endOthers(client, holder, taken.before);
        break;
      }
      if (isFirst) onWaiting();
      await sleep(lookMs, undefined, { signal });
    }
  } catch (error) {
    await closeClient(client);
    throw error;
  }
  const renew = async () => {
    const { rowCount } = await client.query(
      'update feed_lease set expires_at = clock_timestamp() + make_interval(secs => $2) where holder = $1',
      [holder, leaseSeconds],
    );
    if (rowCount === 0) lost.abort();
  };
  const timer = setInterval(() => renew().catch(() => lost.abort()), renewMs);
  return {
    lost: lost.signal,
    release: async () => {
      clearInterval(timer);
      await client
        .query('update feed_lease set holder = null, expires_at = null where holder = $1', [holder])
        .catch(() => {});
      await closeClient(client);
    },
  };
};
