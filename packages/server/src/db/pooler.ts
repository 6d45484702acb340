// What a pooler between us and PostgreSQL may take away. One that drops the startup options leaves a server's sessions
// without its settings: that is noticed and logged. One that gives each transaction another session breaks session locks and
// temporary tables: commands that need these refuse it.
import pg from 'pg';
import { poolerProblem } from './failures.ts';
import type { Database } from './pool.ts';
import { sql } from './sql.ts';

/** What every session of a server is set to, whatever it is used for. */
export const sessionSettings = (options: {
  statementTimeoutMs: number;
  fixedNow: string | null;
}): Record<string, string> => ({
  statement_timeout: String(options.statementTimeoutMs),
  default_transaction_read_only: 'on',
  timezone: 'UTC',
  jit: 'off', // longer to compile than any of these statements runs
  ...(options.fixedNow === null ? {} : { 'commonhall.fixed_now': options.fixedNow }),
});

/** The settings that a session lacks, as statements that give them to its role. PostgreSQL compares: 3000 is 3s to it. */
const missingSettings = async (database: Database, settings: Record<string, string>): Promise<string[]> => {
  const rows = await database.look(sql`
    select coalesce(current_setting(s.name, true), ''), set_config(s.name, s.value, true), s.name,
      quote_ident(current_user), quote_literal(current_setting(s.name))
    from json_each_text(${JSON.stringify(settings)}::json) s (name, value)`);
  return rows.flatMap(([is, asked, name, role, value]) =>
    is === asked ? [] : [`alter role ${role} set ${name} = ${value};`],
  );
};

/** Looks once, when it is first called and the database answers, and reports what is missing as one text of SQL. */
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
      isDone = false; // away again; it is looked at when the database is back
    }
  };
};

/** Enough: while nobody else uses the pooler it shows at the first, and a busy one changes sessions all the time. */
const rounds = 5;

/**
 * Throws when transactions of one connection run in different sessions. A pooler shows by the number of the session: it
 * cannot know it when it greets us. Then a second connection is made: in session mode each of the two keeps its own session.
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
      if ((await sessionOf(client)) !== ours || (await sessionOf(other)) === ours) throw poolerProblem();
  } finally {
    await other.end().catch(() => {});
  }
};
