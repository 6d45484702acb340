// The platform's side of the feed: its PostgreSQL with the outbox that `commonhall outbox` prints, and the relay from
// there to NATS. The test writes the changes itself, without tables of a platform.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { outboxSql } from '../../packages/server/src/feed/outbox-sql.ts';
import { startPostgres } from '../postgres.ts';
import { startProgram } from './feed.ts';

export const example = (file: string): string =>
  fileURLToPath(new URL(`../../examples/platform/${file}`, import.meta.url));

/** `settings`: of its PostgreSQL. */
export const openOutbox = async (settings: Record<string, string> = {}) => {
  const postgres = await startPostgres({ shared_buffers: '64MB', ...settings });
  const open = async () => {
    const client = new pg.Client({ connectionString: postgres.url, query_timeout: 30_000 });
    client.on('error', () => {}); // the next statement fails
    await client.connect();
    return client;
  };
  let writer = await open();
  await writer.query(outboxSql([]));
  await writer.query(readFileSync(example('relay.sql'), 'utf8'));
  await writer.query('create table committed (n bigint primary key)');
  let [commits, rows] = [0, 0];
  const insert = `
    with once as (insert into committed values ($2))
    insert into outbox (body) select b::json from unnest($1::text[]) with ordinality u (b, n) order by n`;
  /** After a lost connection the outcome of a commit is unknown: it is looked up, and repeated if there was none. */
  const commit = async (bodies: readonly string[]): Promise<void> => {
    const n = ++commits;
    for (let isUnsure = false; ; isUnsure = true) {
      try {
        if (isUnsure) writer = await open();
        if (isUnsure && (await writer.query('select from committed where n = $1', [n])).rowCount === 1) break;
        await writer.query(insert, [bodies, n]);
        break;
      } catch (error) {
        if ('severity' in (error as object) && !/^(57|08|53)/.test(String((error as { code?: string }).code)))
          throw error;
        await writer.end().catch(() => {});
        await sleep(100);
      }
    }
    rows += bodies.length;
  };
  return {
    postgres,
    /** As the role that follows. */
    feedUrl: postgres.url.replace('postgres@', 'commonhall_feed@'),
    /** One transaction of the platform. */
    commit,
    /** Rows of all transactions. */
    rows: () => rows,
    isEmpty: async () => {
      const client = await open();
      try {
        return (await client.query('select from outbox limit 1')).rowCount === 0;
      } finally {
        await client.end();
      }
    },
    stop: async () => {
      await writer.end().catch(() => {});
      await postgres.stop();
    },
  };
};
type Outbox = Awaited<ReturnType<typeof openOutbox>>;

export const openRelay = ({ postgres }: Outbox, natsUrl: string) => {
  const start = () => startProgram(example('relay.ts'), [], { PLATFORM_DATABASE_URL: postgres.url, NATS_URL: natsUrl });
  let relay = start();
  return {
    program: () => relay,
    restart: async () => {
      await relay.kill();
      relay = start();
    },
  };
};
