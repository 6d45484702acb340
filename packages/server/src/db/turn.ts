// One load at a time: import and every other command that applies the platform's data hold a session lock meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { refuseTransactionPooler } from './pooler.ts';

/** The prefix of a follower's application name. */
const followerName = 'commonhall follow';

const holderOf = async (client: pg.Client): Promise<string> => {
  const { rows } = await client.query<{ pid: number; name: string }>(`
    select l.pid, a.application_name as name
    from pg_locks l
    join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.classid = 1004 and l.objid = 0 and l.objsubid = 2 and l.granted
      and l.database = (select oid from pg_database where datname = current_database())`);
  const follower = rows.find(({ name }) => name.startsWith(followerName));
  return follower === undefined
    ? 'another import is running'
    : `a follower is running (database session ${follower.pid}); stop it first`;
};

/** Takes the lock for the rest of the session. Waits up to five seconds, since PostgreSQL releases the lock of a killed
 * process with a delay. */
export const takeTurn = async (client: pg.Client, url: string): Promise<void> => {
  await refuseTransactionPooler(client, url);
  for (const deadline = Date.now() + 5000; ; await sleep(100)) {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock(1004, 0) as free');
    if (rows[0]?.free === true) return;
    if (Date.now() > deadline) throw new Error(await holderOf(client));
  }
};
