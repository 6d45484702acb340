// commonhall follow: applies the platform's changes, from its outbox or from a stream, until SIGTERM or SIGINT.

import type { Config } from '../config.ts';
import { refuseWrongDatabase } from '../db/schema/readiness.ts';
import { follow as followStream } from '../feed/follow.ts';
import { openNatsSource } from '../feed/nats-source.ts';
import { openOutboxSource } from '../feed/outbox-source.ts';
import type { Log } from '../log.ts';
import { isPostgres } from '../setting-values.ts';

export const follow = async (config: Config, log: Log, signal: AbortSignal): Promise<void> => {
  const { FEED_URL, FEED_TABLE, FEED_STREAM } = config;
  if (FEED_URL === '')
    throw new Error('FEED_URL must be set, like postgres://commonhall_feed@host/database or nats://127.0.0.1:4222');
  // A wrong login or a missing schema is reported at once. The follower waits for a database that is only unavailable.
  await refuseWrongDatabase(config.DATABASE_URL, config.DATABASE_WAIT_MS);
  await followStream({
    url: config.DATABASE_URL,
    openSource: () =>
      isPostgres(FEED_URL) ? openOutboxSource(FEED_URL, FEED_TABLE, log) : openNatsSource(FEED_URL, FEED_STREAM),
    log,
    signal,
  });
};
