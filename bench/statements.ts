// Captures the statements that the server sends to PostgreSQL for a request, so that pgbench can run the same ones.
import { buildApp } from '../packages/server/src/app.ts';
import { readConfig } from '../packages/server/src/config.ts';
import type { StatementKind } from '../packages/server/src/db/connection/database.ts';
import { openDatabases } from '../packages/server/src/db/connection/replicas.ts';
import { compile } from '../packages/server/src/db/sql.ts';
import { openLimits } from '../packages/server/src/http/limits.ts';
import { openMetrics } from '../packages/server/src/http/metrics.ts';
import { openLog } from '../packages/server/src/log.ts';
import { readFeed } from '../packages/server/src/queries/feed.ts';

export interface Sent {
  kind: StatementKind;
  text: string;
  values: unknown[];
}

export interface Listener {
  /** The statements of one request; throws unless its status is 200. */
  statementsOf: (path: string, token?: string) => Promise<{ sent: Sent[]; body: string }>;
  close: () => Promise<void>;
}

export const openListener = async (env: Record<string, string>): Promise<Listener> => {
  const config = readConfig(env);
  const database = openDatabases(
    {
      url: config.DATABASE_URL,
      connections: 1,
      waitMs: 5000,
      queue: 10,
      statementTimeoutMs: 60_000,
      prepared: true,
      fixedNow: null,
    },
    { urls: [], maxLagMs: 0, maxWithoutPrimaryMs: 0 },
    () => {},
  );
  let sent: Sent[] = [];
  const listen: typeof database.forRequest = (timing, who) => ({
    ...database.forRequest(timing, who),
    query: (kind, statement) => {
      sent.push({ kind, ...compile(statement) });
      return database.forRequest(timing, who).query(kind, statement);
    },
  });
  const app = buildApp({
    config,
    database: { ...database, forRequest: listen, forPublic: listen },
    log: openLog('silent', { write: () => {} }),
    metrics: openMetrics({
      isReady: () => true,
      connections: database.connections,
      droppedLogLines: () => 0,
      feed: () => readFeed(database),
      replicas: database,
    }),
    credentials: { peppers: [config.KEY_PEPPER], kinds: ['test'], jwt: null },
    limits: await openLimits({ perAddress: 0, perToken: 0, networks: [], redisUrl: '' }, () => {}),
    onKeyUsed: () => {},
    problem: () => null,
    stopping: () => false,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    statementsOf: async (path, token) => {
      sent = [];
      const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const answer = await fetch(url + path, { headers });
      const body = await answer.text();
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${body}`);
      return { sent, body };
    },
    close: async () => {
      await app.close();
      await database.close();
    },
  };
};

const literal = (value: unknown): string => {
  if (Array.isArray(value)) return `{${value.map((one) => `"${literal(one).replaceAll('\\', '\\\\')}"`).join(',')}}`;
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value);
};

/** A pgbench script and its variables. A value named in `drawn` is replaced by a random one from a table. */
export const scriptOf = (sent: readonly Sent[], drawn: Record<string, { table: string; rows: number }> = {}) => {
  const variables: string[] = [];
  const lines: string[] = [];
  for (const { text, values } of sent) {
    const used = Object.keys(drawn).find((value) => values.includes(value));
    if (used !== undefined) lines.push(`\\set n random(1, ${drawn[used]!.rows})`);
    const parameters = values.map((value, index) => {
      if (value === used && used !== undefined) return `(select value from bench.${drawn[used]!.table} where n = :n)`;
      const name = `v${variables.length / 2}_${index}`;
      variables.push('-D', `${name}=${literal(value)}`);
      return `:${name}`;
    });
    const body = text
      .replace(/--.*$/gm, '')
      .replace(/\$(\d+)/g, (_, n: string) => parameters[Number(n) - 1]!)
      .replace(/\s+/g, ' ');
    lines.push(`${body};`);
  }
  return { script: `${lines.join('\n')}\n`, variables };
};
