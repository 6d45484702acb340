// Rate limits (gap G8): so many requests a minute for an address, or for a token where one is read. Counted in memory,
// or in Redis for all servers together; when Redis is away or silent, in memory again. The only part that fails open.
import { hash } from 'node:crypto';
import { createClient } from '@redis/client';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { ApiFailure } from './errors.ts';
import { failure } from './errors.ts';

export interface LimitOptions {
  /** Requests a minute; 0: no limit. */
  perAddress: number;
  perToken: number;
  /** Empty: each server counts for itself. */
  redisUrl: string;
}

type Policy = 'address' | 'token';
/** What is left to a caller after a request. */
export interface Budget {
  policy: Policy;
  key: string;
  remaining: number;
  resetMs: number;
}

export interface Limits {
  /** Counts a request; throws 429 when it is one too many. */
  admit: (address: string, token: string | null) => Promise<Budget | null>;
  /** What became of the token: one that is not known to be good counts against the address. */
  judged: (address: string, token: string, isValid: boolean) => Promise<void>;
  /** Gives a request back: a 304 is free. */
  refund: (budget: Budget) => void;
  /** The field RateLimit-Policy of an operation that reads tokens, or of one that does not. */
  policy: (readsTokens: boolean) => string | undefined;
  close: () => Promise<void>;
}

const windowSeconds = 60;
// A Redis that has not answered in this time is left alone for a while: a request must not wait for a counter.
const patienceMs = 100;
const asideMs = 1000;

/** One name for an address: IPv6 by its /64, since a caller has all of that. Some proxies write the port beside it. */
export const addressKey = (address: string): string => {
  const alone = address.replace(/^([\d.]+):\d+$|^\[(.*)\](:\d+)?$/, '$1$2');
  const parsed = ipaddr.process(ipaddr.isValid(alone) ? alone : '::');
  return parsed.kind() === 'ipv4' ? parsed.toString() : (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':');
};

/** The field RateLimit of draft-ietf-httpapi-ratelimit-headers. */
export const rateLimitField = ({ policy, remaining, resetMs }: Budget): string =>
  `"${policy}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`;

const tooMany = (policy: Policy, points: number, resetMs: number): ApiFailure => {
  const seconds = Math.max(1, Math.ceil(resetMs / 1000));
  const budget = { policy, key: '', remaining: 0, resetMs };
  return failure(
    'RATE_LIMITED',
    `Too many requests: ${points} a minute are allowed for one ${policy}; try again in ${seconds} s`,
    { headers: { 'retry-after': String(seconds), ratelimit: rateLimitField(budget) } },
  );
};

/** A connection that never throws outside a command, never queues, and comes back by itself. */
const openRedis = (url: string) => {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: 1000, reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, asideMs) },
  });
  client.on('error', () => {}); // told through the commands
  client.connect().catch(() => {});
  return client;
};

export const openLimits = (
  { perAddress, perToken, redisUrl }: LimitOptions,
  onShared: (isShared: boolean, error?: unknown) => void,
): Limits => {
  const points = { address: perAddress, token: perToken };
  const redis = redisUrl === '' ? null : openRedis(redisUrl);
  const limiters = (['address', 'token'] as const).map((policy) => {
    const options = { points: points[policy], duration: windowSeconds, keyPrefix: `commonhall:${policy}` };
    const memory = new RateLimiterMemory(options);
    const shared =
      redis &&
      new RateLimiterRedis({ ...options, storeClient: redis, useRedisPackage: true, rejectIfRedisNotReady: true });
    return [policy, { memory, shared }] as const;
  });
  const of = Object.fromEntries(limiters) as Record<Policy, (typeof limiters)[number][1]>;

  let asideUntil = 0;
  let isShared = true;
  const tell = (now: boolean, error?: unknown) => {
    if (now !== isShared) onShared(now, error);
    isShared = now;
  };
  /** Asks Redis, or memory when Redis does not answer in time. Rejects with RateLimiterRes when over the limit. */
  const ask = async <T>(policy: Policy, use: (limiter: RateLimiterMemory | RateLimiterRedis) => Promise<T>) => {
    const { memory, shared } = of[policy];
    if (shared === null || performance.now() < asideUntil) return use(memory);
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('Redis did not answer in time')), patienceMs);
    });
    try {
      const answer = await Promise.race([use(shared), silence]);
      tell(true);
      return answer;
    } catch (error) {
      if (error instanceof RateLimiterRes) throw error;
      asideUntil = performance.now() + asideMs;
      tell(false, error);
      return use(memory);
    } finally {
      clearTimeout(timer);
    }
  };

  const consume = async (policy: Policy, key: string): Promise<Budget | null> => {
    if (points[policy] === 0) return null;
    try {
      const { remainingPoints, msBeforeNext } = await ask(policy, (limiter) => limiter.consume(key));
      return { policy, key, remaining: remainingPoints, resetMs: msBeforeNext };
    } catch (over) {
      if (over instanceof RateLimiterRes) throw tooMany(policy, points[policy], over.msBeforeNext);
      throw over;
    }
  };

  // Tokens that were good in the last minute: what others at the same address do is not held against them. It opens
  // nothing: every request is still verified.
  const good = new RateLimiterMemory({ points: 1, duration: windowSeconds });
  const tokenKey = (token: string) => hash('sha256', token, 'base64url');

  const fieldOf = (names: Policy[]): string | undefined =>
    names
      .filter((name) => points[name] > 0)
      .map((name) => `"${name}";q=${points[name]};w=${windowSeconds}`)
      .join(', ') || undefined;
  const policies = { address: fieldOf(['address']), token: fieldOf(['address', 'token']) };

  return {
    admit: async (address, token) => {
      if (perAddress === 0 && token === null) return null;
      if (token === null) return consume('address', addressKey(address));
      const key = tokenKey(token);
      if (perAddress > 0 && (await good.get(key)) === null) {
        const used = await ask('address', (limiter) => limiter.get(addressKey(address)));
        if (used !== null && used.consumedPoints >= perAddress) throw tooMany('address', perAddress, used.msBeforeNext);
      }
      return consume('token', key);
    },
    judged: async (address, token, isValid) => {
      const key = tokenKey(token);
      if (isValid) await good.set(key, 1, windowSeconds);
      // The answer is 401 or 503 already.
      else if ((await good.get(key)) === null) await consume('address', addressKey(address)).catch(() => null);
    },
    refund: ({ policy, key }) => void ask(policy, (limiter) => limiter.reward(key)).catch(() => {}),
    policy: (readsTokens) => (readsTokens ? policies.token : policies.address),
    close: async () => redis?.destroy(),
  };
};
