// Rate limits (gap G8): a budget of units per minute for an address, a known network, or a token where one is read.
// Counted in memory, and in Redis for all servers together. While Redis is down, each server continues from its last
// counts. The only part that fails open.
import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Count, Standing } from './budget.ts';
import { reconcile, spend, standingOf, windowMs } from './budget.ts';
import type { ApiFailure } from './errors.ts';
import { failure } from './errors.ts';

export interface LimitOptions {
  /** Units a minute; 0: no limit. */
  perAddress: number;
  perToken: number;
  /** Like 203.0.113.0/24=6000: networks that each count as one caller with its own limit. */
  networks: readonly string[];
  /** Empty: each server counts for itself. */
  redisUrl: string;
}

/** Whose budget a request is charged to. */
export interface Account {
  policy: 'address' | 'network' | 'token';
  key: string;
  limit: number;
}
type Answer<T> = T | Promise<T>;

export interface Limits {
  /** The account of a request: a token that was valid within the last minute has its own; null: not limited. */
  accountOf: (address: string, token: string | null) => Account | null;
  /** Charges units, which may be negative, and returns what is left. */
  charge: (account: Account, units: number) => Answer<Standing>;
  /** Records that a token is valid now. Returns its account. */
  accept: (token: string) => Account | null;
  /** The field RateLimit-Policy of an operation that reads tokens, or of one that does not. */
  policy: (readsTokens: boolean) => string | undefined;
  close: () => Promise<void>;
}

// A Redis that has not answered in this time is bypassed for a while: a request must not wait for a counter.
const patienceMs = 100;
const asideMs = 1000;
/** About 20 MB. Beyond it the oldest counts are evicted. */
const mostCounts = 200_000;

/** Some proxies append the port to an address. */
const parsed = (address: string) => {
  const alone = address.replace(/^([\d.]+):\d+$|^\[(.*)\](:\d+)?$/, '$1$2');
  return ipaddr.process(ipaddr.isValid(alone) ? alone : '::');
};
/** One key per caller: an IPv6 address by its /64, since a caller has all of that. */
const keyOf = (address: string): string => {
  const known = parsed(address);
  return known.kind() === 'ipv4' ? known.toString() : (known as ipaddr.IPv6).parts.slice(0, 4).join(':');
};
/** Recently used keys. Texts that are longer than any address are not cached. */
const names = new Map<string, string>();
export const addressKey = (address: string): string => {
  let key = names.get(address);
  if (key === undefined) {
    key = keyOf(address);
    if (names.size >= 10_000) names.clear();
    if (address.length <= 64) names.set(address, key);
  }
  return key;
};

const policyField = (policy: Account['policy'], limit: number): string => `"${policy}";q=${limit};w=${windowMs / 1000}`;
/** The fields of draft-ietf-httpapi-ratelimit-headers. */
export const rateLimitFields = ({ policy, limit }: Account, { remaining, resetMs }: Standing) => ({
  'ratelimit-policy': policyField(policy, limit),
  ratelimit: `"${policy}";r=${remaining};t=${Math.ceil(resetMs / 1000)}`,
});

export const tooMany = (account: Account, standing: Standing): ApiFailure => {
  const seconds = Math.max(1, Math.ceil(standing.resetMs / 1000));
  return failure(
    'RATE_LIMITED',
    `Too many requests: one ${account.policy} may use ${account.limit} units a minute; try again in ${seconds} s`,
    {
      headers: { 'retry-after': String(seconds), ...rateLimitFields(account, standing) },
      cause: { account: account.key },
    },
  );
};

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
const endingMap = <T extends { endsAt: number }>() => {
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

export const openLimits = async (
  { perAddress, perToken, networks, redisUrl }: LimitOptions,
  onShared: (isShared: boolean, error?: unknown) => void,
): Promise<Limits> => {
  const redis = redisUrl === '' ? null : await openRedis(redisUrl);
  const counts = endingMap<Count>();
  const keep = (key: string, count: Count): Count => {
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
    keep(key, { ...count, owed: 0 });
    const oweAgain = (units: number) => {
      const now = counts.get(key) ?? count;
      keep(key, { ...now, owed: now.owed + units });
    };
    const answer = client.eval(addUnits, {
      keys: [`commonhall:${key}`],
      arguments: [String(sent), String(Math.max(1, count.endsAt - Date.now()))],
    }) as Promise<[number, number]>;
    answer.catch(() => oweAgain(sent)); // not for a late answer: Redis has counted them
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('Redis did not answer in time')), patienceMs);
    });
    try {
      const [used, resetMs] = await Promise.race([answer, silence]);
      report(true);
      return keep(key, reconcile(counts.get(key) ?? count, { used, resetMs }, Date.now()));
    } catch (error) {
      asideUntil = performance.now() + asideMs;
      report(false, error);
      return counts.get(key) ?? count;
    } finally {
      clearTimeout(timer);
    }
  };

  const charge = ({ key, limit }: Account, units: number): Answer<Standing> => {
    const now = Date.now();
    const count = keep(key, spend(counts.get(key), units, now));
    // Units of a request that is rejected anyway, or made while Redis is down, need not be shared at once.
    if (redis === null || performance.now() < asideUntil || count.used - units > limit)
      return standingOf(count, limit, now);
    return share(redis, key, count).then((shared) => standingOf(shared, limit, Date.now()));
  };

  const known = networks.map((entry) => {
    const [network = '', limit = ''] = entry.split('=');
    const [base, bits] = ipaddr.parseCIDR(
      network.includes('/') ? network : `${network}/${network.includes(':') ? 128 : 32}`,
    );
    const account: Account = { policy: 'network', key: `network:${network}`, limit: Number(limit) };
    return {
      account,
      has: (address: ipaddr.IPv4 | ipaddr.IPv6) => address.kind() === base.kind() && address.match(base, bits),
    };
  });
  const accountOfAddress = (address: string): Account | null => {
    if (known.length > 0) {
      const own = parsed(address);
      const network = known.find(({ has }) => has(own));
      if (network !== undefined) return network.account.limit === 0 ? null : network.account;
    }
    return perAddress === 0 ? null : { policy: 'address', key: `address:${addressKey(address)}`, limit: perAddress };
  };

  // Tokens that were valid within the last minute: other callers at the same address do not use up their budget. This
  // grants no access: every request is still verified. A token is recognized by all its characters, so that a partial
  // guess does not match. It is counted without a JWT's signature, since the same token can be signed in two ways
  // (ES256) or several (PS256).
  const valid = endingMap<{ account: Account | null; endsAt: number }>();
  const hashed = (text: string) => hash('sha256', text, 'base64url');

  const policies = [
    ...(perAddress > 0 ? [policyField('address', perAddress)] : []),
    ...(perToken > 0 ? [policyField('token', perToken)] : []),
  ];
  return {
    accountOf: (address, token) => {
      const accepted = token === null ? undefined : valid.get(hashed(token));
      return accepted !== undefined && accepted.endsAt > Date.now() ? accepted.account : accountOfAddress(address);
    },
    charge,
    accept: (token) => {
      const signed = token.startsWith('chk_') ? token : token.slice(0, token.lastIndexOf('.'));
      const account: Account | null =
        perToken === 0 ? null : { policy: 'token', key: `token:${hashed(signed)}`, limit: perToken };
      valid.set(hashed(token), { account, endsAt: Date.now() + windowMs });
      return account;
    },
    policy: (readsTokens) =>
      policies.slice(0, readsTokens ? undefined : Number(perAddress > 0)).join(', ') || undefined,
    close: async () => redis?.destroy(),
  };
};
