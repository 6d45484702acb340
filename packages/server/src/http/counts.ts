// The counts of rate limits: in memory, and in Redis for all servers together. While Redis is down, each server continues
// from its last counts. The only part that fails open.
import type { Count, Standing } from './budget.ts';
import { reconcile, spend, standingOf } from './budget.ts';

// A Redis that has not answered in this time is bypassed for a while: a request must not wait for a counter.
const redisTimeoutMs = 100;
const asideMs = 1000;
/** About 20 MB. Beyond it the oldest counts are evicted. */
const mostCounts = 200_000;

export interface Counts {
  /** Charges units, which may be negative, to the budget `key`; returns what is left. */
  charge: (key: string, limit: number, units: number) => Standing | Promise<Standing>;
  close: () => void;
}

/**
 * A connection that never throws outside a command, never queues, and reconnects by itself. The package is loaded only
 * where it is used: its 478 modules take as long as a third of all others.
 */
const openRedis = async (url: string) => {
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: 1000, // for a Redis that is silent for long
    socket: { connectTimeout: 1000, reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, asideMs) },
  });
  client.on('error', () => {}); // reported through the commands
  client.connect().catch(() => {});
  return client;
};
/** Adds units to a counter that expires with the window that began it; returns the sum and the time left. */
const addUnits = `
  local used = redis.call('incrby', KEYS[1], ARGV[1])
  local left = redis.call('pttl', KEYS[1])
  if left < 0 then
    left = tonumber(ARGV[2])
    redis.call('pexpire', KEYS[1], left)
  end
  return { used, left }`;

/** A map whose entries expire. A new entry evicts those that have expired, and beyond the limit the oldest. */
export const endingMap = <T extends { endsAt: number }>() => {
  const entries = new Map<string, T>();
  return {
    get: (key: string): T | undefined => entries.get(key),
    set: (key: string, value: T): void => {
      if (entries.get(key)?.endsAt !== value.endsAt) {
        entries.delete(key); // keeps the entries in the order of their expiry
        const now = Date.now();
        for (const [oldest, { endsAt }] of entries) {
          if (endsAt > now && entries.size < mostCounts) break;
          entries.delete(oldest);
        }
      }
      entries.set(key, value);
    },
  };
};

/** `onShared` is called when Redis stops answering, and when it answers again. An empty URL: no Redis. */
export const openCounts = async (
  redisUrl: string,
  onShared: (isShared: boolean, error?: unknown) => void,
): Promise<Counts> => {
  const redis = redisUrl === '' ? null : await openRedis(redisUrl);
  const counts = endingMap<Count>();
  const store = (key: string, count: Count): Count => {
    counts.set(key, count);
    return count;
  };

  let asideUntil = 0;
  let isShared = true;
  const report = (now: boolean, error?: unknown) => {
    if (now !== isShared) onShared(now, error);
    isShared = now;
  };

  /** Reports owed units to Redis and continues from its answer, or without it when that takes too long. */
  const share = async (client: NonNullable<typeof redis>, key: string, count: Count): Promise<Count> => {
    const sent = count.owed;
    store(key, { ...count, owed: 0 });
    const oweAgain = (units: number) => {
      const now = counts.get(key) ?? count;
      store(key, { ...now, owed: now.owed + units });
    };
    const answer = client.eval(addUnits, {
      keys: [`commonhall:${key}`],
      arguments: [String(sent), String(Math.max(1, count.endsAt - Date.now()))],
    }) as Promise<[number, number]>;
    answer.catch(() => oweAgain(sent)); // not for a late answer: Redis has counted them
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('Redis did not answer in time')), redisTimeoutMs);
    });
    try {
      const [used, resetMs] = await Promise.race([answer, silence]);
      report(true);
      return store(key, reconcile(counts.get(key) ?? count, { used, resetMs }, Date.now()));
    } catch (error) {
      asideUntil = performance.now() + asideMs;
      report(false, error);
      return counts.get(key) ?? count;
    } finally {
      clearTimeout(timer);
    }
  };

  const charge = (key: string, limit: number, units: number): Standing | Promise<Standing> => {
    const now = Date.now();
    const count = store(key, spend(counts.get(key), units, now));
    // Units of a request that is rejected anyway, or made while Redis is down, need not be shared at once.
    if (redis === null || performance.now() < asideUntil || count.used - units > limit)
      return standingOf(count, limit, now);
    return share(redis, key, count).then((shared) => standingOf(shared, limit, Date.now()));
  };
  return { charge, close: () => redis?.destroy() };
};
