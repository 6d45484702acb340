// The whole path from a platform to a caller, as separate processes: the platform's PostgreSQL with the outbox of the
// example, its relay, NATS, a follower, Commonhall's PostgreSQL and a server. All are stopped when the test file ends.
import { after } from 'node:test';
import { migrate } from '../../packages/server/src/db/schema/migrate.ts';
import { startPostgres } from '../postgres.ts';
import { startFollower } from './feed.ts';
import { startNats } from './nats.ts';
import { openOutbox } from './outbox.ts';
import { patient, serveProcess } from './process.ts';

/** `atEnd` registers the function that stops all processes. */
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
  const hall = started(await startPostgres(durable), (part) => part.stop());
  const nats = started(await startNats({ windowMs: 100 }), (part) => part.stop());
  const { writer, relay, restartRelay, commit } = started(await openOutbox(nats.url), (part) => part.stop());
  await migrate(hall.url, () => {});
  const server = started(await serveProcess(hall.url, patient), (part) => part.stop());
  const parts = { follower: startFollower(hall.url, nats.url) };
  stops.push(() => parts.follower.kill());
  return {
    ...{ hall, nats, server, writer, parts, relay, restartRelay, commit },
    restartFollower: async () => {
      await parts.follower.kill();
      parts.follower = startFollower(hall.url, nats.url);
    },
  };
};
