// What a pooler in front of PostgreSQL may break. A pooler that drops the startup options leaves the server's sessions
// without their settings: this is detected and logged. A pooler that gives each transaction another session breaks
// session locks and temporary tables: commands that need these refuse to run.
import pg from 'pg';
import { sql } from '../sql.ts';
import type { Database } from './database.ts';
import { PoolerProblem } from './failures.ts';

/** The settings of every session of a server, whatever it is used for. */
export const sessionSettings = (options: {
  statementTimeoutMs: number;
  fixedNow: string | null;
}): Record<string, string> => ({
  statement_timeout: String(options.statementTimeoutMs),
  default_transaction_read_only: 'on',
  timezone: 'UTC',
  jit: 'off', // compiling takes longer than running any of these statements
  ...(options.fixedNow === null ? {} : { 'commonhall.fixed_now': options.fixedNow }),
});

/** The settings that a session lacks, as statements that set them for its role. PostgreSQL compares: 3000 equals 3s. */
const missingSettings = async (database: Database, settings: Record<string, string>): Promise<string[]> => {
  const rows = await database.urgentQuery(sql`
    select coalesce(current_setting(s.name, true), ''), set_config(s.name, s.value, true), s.name,
      quote_ident(current_user), quote_literal(current_setting(s.name))
    from json_each_text(${JSON.stringify(settings)}::json) s (name, value)`);
  return rows.flatMap(([is, asked, name, role, value]) =>
    is === asked ? [] : [`alter role ${role} set ${name} = ${value};`],
  );
};

/** A check that runs once, at the first call with the database up. Reports missing settings as one text of SQL. */
export const settingsCheck = (
  database: Database,
  settings: Record<string, string>,
  onMissing: (remedy: string) => void,
): (() => Promise<void>) => {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    try {
      const missing = await missingSettings(database, settings);
      if (missing.length > 0) onMissing(missing.join(' '));
    } catch {
      isDone = false; // the database is down again; the next call checks
    }
  };
};

/** Enough: a pooler without other clients shows at the first round, and a busy one changes sessions all the time. */
const rounds = 5;

/**
 * Throws when transactions of one connection run in different sessions. A pooler is detected by the backend's process
 * id, which it cannot know when it accepts the connection. Then a second connection is opened: in session mode each of
 * the two keeps its own session.
 */
export const refuseTransactionPooler = async (client: pg.Client, url: string): Promise<void> => {
  const sessionOf = async (one: pg.Client): Promise<number> =>
    (await one.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0;
  const ours = await sessionOf(client);
  if (ours === (client as unknown as { processID: number }).processID) return;
  const other = new pg.Client({ connectionString: url, query_timeout: 5000, connectionTimeoutMillis: 5000 });
  other.on('error', () => {});
  try {
    await other.connect();
    for (let round = 0; round < rounds; round++)
      if ((await sessionOf(client)) !== ours || (await sessionOf(other)) === ours) throw new PoolerProblem();
  } finally {
    await other.end().catch(() => {});
  }
};
