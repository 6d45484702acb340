// The whole path from a platform to a caller, as separate processes: the platform's PostgreSQL with its outbox, where
// NATS is used also the relay and NATS, a follower, Commonhall's PostgreSQL and a server. All are stopped when the test
// file ends.
import { after } from 'node:test';
import { migrate } from '../../packages/server/src/db/schema/migrate.ts';
import { startPostgres } from '../postgres.ts';
import { startFollower } from './feed.ts';
import { startNats } from './nats.ts';
import { startNatsCluster } from './nats-cluster.ts';
import { openOutbox, openRelay } from './outbox.ts';
import { patient, serveProcess } from './process.ts';

export type SourceName = 'outbox' | 'nats' | 'cluster';
/** All, or the one that the environment names. */
export const sources: readonly SourceName[] = (['outbox', 'nats', 'cluster'] as const).filter(
  (name) => (process.env.SOURCE ?? name) === name,
);

const durable = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', shared_buffers: '128MB' };
type AtEnd = (stop: () => Promise<void>) => void;

/** `atEnd` registers the function that stops all processes. */
const openParts = async (atEnd: AtEnd) => {
  const stops: (() => Promise<unknown>)[] = [];
  atEnd(async () => {
    for (const stop of stops.reverse()) await stop();
  });
  const started = <T>(part: T, stop: (part: T) => Promise<unknown>): T => {
    stops.push(() => stop(part));
    return part;
  };
  const hall = started(await startPostgres(durable), (part) => part.stop());
  await migrate(hall.url, () => {});
  const server = started(await serveProcess(hall.url, patient), (part) => part.stop());
  const platform = started(await openOutbox(durable), (part) => part.stop());
  const follow = (feedUrl: string) => {
    const parts = { follower: startFollower(hall.url, feedUrl) };
    stops.push(() => parts.follower.kill());
    return {
      parts,
      restartFollower: async () => {
        await parts.follower.kill();
        parts.follower = startFollower(hall.url, feedUrl);
      },
    };
  };
  return { started, hall, server, platform, follow };
};

const openNatsStand = async <N extends { url: string; stop: () => Promise<void> }>(
  start: () => Promise<N>,
  atEnd: AtEnd,
) => {
  const { started, hall, server, platform, follow } = await openParts(atEnd);
  const nats = started(await start(), (part) => part.stop());
  const relay = started(openRelay(platform, nats.url), (part) => part.program().kill());
  return { ...{ hall, server, platform, nats, relay }, ...follow(nats.url) };
};
/** Over NATS. */
export const openStand = (atEnd: AtEnd = after) => openNatsStand(() => startNats({ windowMs: 100 }), atEnd);

/** Over a cluster of three NATS servers. */
export const openClusterStand = () => openNatsStand(startNatsCluster, after);

/** Without NATS: the follower reads the outbox. */
export const openOutboxStand = async () => {
  const { hall, server, platform, follow } = await openParts(after);
  return { ...{ hall, server, platform }, ...follow(platform.feedUrl) };
};
