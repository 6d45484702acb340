// Everything between a platform and a caller, as processes of their own: the platform's PostgreSQL with the outbox of the
// example, its relay, NATS, a follower, Commonhall's PostgreSQL and a server. All of it is stopped when the test file ends.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startPostgres } from '../../../../test/postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import { startFollower } from './feed.ts';
import { startNats } from './nats.ts';
import { serveProcess } from './process.ts';

const example = (file: string) => fileURLToPath(new URL(`../../../../examples/platform/${file}`, import.meta.url));

const kill = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
};

/** `atEnd` is called with what stops everything. */
export const openStand = async (atEnd: (stop: () => Promise<void>) => void = after) => {
  const stops: (() => Promise<unknown>)[] = [];
  atEnd(async () => {
    for (const stop of stops.reverse()) await stop();
  });
  const started = <T>(part: T, stop: (part: T) => Promise<unknown>): T => {
    stops.push(() => stop(part));
    return part;
  };
  const durable = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', shared_buffers: '128MB' };
  const platform = started(await startPostgres({ shared_buffers: '64MB' }), (part) => part.stop());
  const hall = started(await startPostgres(durable), (part) => part.stop());
  const nats = started(await startNats({ windowMs: 100 }), (part) => part.stop());
  const writer = started(new pg.Client(platform.url), (part) => part.end());
  await writer.connect();
  // Of the example only the outbox is used: the changes are the test's own.
  const outbox = readFileSync(example('schema.sql'), 'utf8').match(/^create table outbox[\s\S]*?\);$/gm)!;
  await writer.query(outbox.join(''));
  await migrate(hall.url, () => {});
  const server = started(await serveProcess(hall.url), (part) => part.stop());

  let relayLog = '';
  const startRelay = () => {
    const child = spawn(process.execPath, [example('relay.ts')], {
      env: { PATH: process.env.PATH, PLATFORM_DATABASE_URL: platform.url, NATS_URL: nats.url },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.on('data', (chunk: Buffer) => {
      relayLog = (relayLog + chunk.toString()).slice(-5000);
    });
    return child;
  };
  process.once('exit', () => parts.relay.kill('SIGKILL'));
  const parts = { relay: startRelay(), follower: startFollower(hall.url, nats.url) };
  stops.push(() => kill(parts.relay));
  stops.push(() => parts.follower.kill());
  return {
    ...{ hall, nats, server, writer, parts },
    relayLog: () => relayLog,
    killRelay: () => kill(parts.relay),
    restartRelay: async () => {
      await kill(parts.relay);
      parts.relay = startRelay();
    },
    restartFollower: async () => {
      await parts.follower.kill();
      parts.follower = startFollower(hall.url, nats.url);
    },
    /** One transaction of the platform. */
    commit: (bodies: readonly string[]) =>
      writer.query(
        'insert into outbox (body) select b::json from unnest($1::text[]) with ordinality u (b, n) order by n',
        [bodies],
      ),
  };
};
