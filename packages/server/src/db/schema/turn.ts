// One load at a time, and one migration: import and every other command that applies the platform's data has its turn
// until it ends. A turn is a row that names the database session, so a killed command loses it with its session. Not an
// advisory lock, which every role could take.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { refuseTransactionPooler } from '../connection/pooler.ts';

type Turn = 'load' | 'migrate';

/** The prefix of a follower's application name. */
const followerName = 'commonhall follow';

/** `migrate` creates it before it takes its own turn, which is before any migration. */
export const turnsTable = `
  create table if not exists turns (
    name text collate "C" primary key,
    -- The session that has the turn. Its application name is random: another session with the same pid has another one.
    pid integer not null, role text collate "C" not null, session text collate "C" not null
  )`;

/** The sessions `a` that have a turn `t`, other than this one. Every role sees these columns of all sessions. */
export const turnHolders = `
  turns t join pg_stat_activity a
    on a.pid = t.pid and a.usename = t.role and a.application_name = t.session and a.datname = current_database()
    and a.pid <> pg_backend_pid()`;

/** Takes a turn that no living session has; returns whether this session has it now. */
export const tryTurn = async (client: pg.Client, name: Turn): Promise<boolean> => {
  // In a statement of its own: the sessions must be read when the lock is held.
  await client.query('begin; lock table turns in exclusive mode');
  try {
    const { rows } = await client.query<{ session: string }>(
      `select current_setting('application_name') as session
       where not exists (select from ${turnHolders} where t.name = $1)`,
      [name],
    );
    if (rows[0] === undefined) return false;
    // By SET: a pooler that keeps the session for its next client resets it.
    const session = `${rows[0].session} ${randomBytes(4).toString('hex')}`;
    await client.query(`select set_config('application_name', $1, false)`, [session]);
    await client.query(
      `insert into turns (name, pid, role, session) values ($1, pg_backend_pid(), current_user, $2)
       on conflict (name) do update set pid = excluded.pid, role = excluded.role, session = excluded.session`,
      [name, session],
    );
    return true;
  } finally {
    await client.query('commit');
  }
};

/** Ends a turn; without it, the turn ends with the session. */
export const endTurn = async (client: pg.Client, name: Turn): Promise<void> => {
  await client.query('delete from turns where name = $1 and pid = pg_backend_pid()', [name]).catch(() => {});
};

const holderOf = async (client: pg.Client): Promise<string> => {
  const { rows } = await client.query<{ pid: number; name: string }>(
    `select a.pid, a.application_name as name from ${turnHolders} where t.name = 'load'`,
  );
  const follower = rows.find(({ name }) => name.startsWith(followerName));
  return follower === undefined
    ? 'another import is running'
    : `a follower is running (database session ${follower.pid}); stop it first`;
};

/** Takes the turn to load data. Waits up to five seconds, since a killed process keeps its session for a moment. */
export const takeLoadTurn = async (client: pg.Client, url: string): Promise<void> => {
  await refuseTransactionPooler(client, url);
  for (const deadline = Date.now() + 5000; ; await sleep(100)) {
    if (await tryTurn(client, 'load')) return;
    if (Date.now() > deadline) throw new Error(await holderOf(client));
  }
};
