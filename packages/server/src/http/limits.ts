// Rate limits (gap G8): a budget of units per minute for an address, a known network, or a token where one is read.
import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Standing } from './budget.ts';
import { windowMs } from './budget.ts';
import { endingMap, openCounts } from './counts.ts';
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
export interface Limits {
  /** The account of a request: a token that was valid within the last minute has its own; null: not limited. */
  accountOf: (address: string, token: string | null) => Account | null;
  /** Charges units, which may be negative, and returns what is left. */
  charge: (account: Account, units: number) => Standing | Promise<Standing>;
  /** Records that a token is valid now. Returns its account. */
  accept: (token: string) => Account | null;
  /** The field RateLimit-Policy of an operation that reads tokens, or of one that does not. */
  policy: (readsTokens: boolean) => string | undefined;
  close: () => Promise<void>;
}

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
    `Too many requests: one ${account.policy} may use ${account.limit} units a minute; try again in ${seconds} s. Larger pages, a filter, a range (\`from\`, \`to\`) and /counts need fewer`,
    {
      headers: { 'retry-after': String(seconds), ...rateLimitFields(account, standing) },
      cause: { account: account.key },
    },
  );
};

export const openLimits = async (
  { perAddress, perToken, networks, redisUrl }: LimitOptions,
  onShared: (isShared: boolean, error?: unknown) => void,
): Promise<Limits> => {
  const counts = await openCounts(redisUrl, onShared);

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
    charge: ({ key, limit }, units) => counts.charge(key, limit, units),
    accept: (token) => {
      const signed = token.startsWith('chk_') ? token : token.slice(0, token.lastIndexOf('.'));
      const account: Account | null =
        perToken === 0 ? null : { policy: 'token', key: `token:${hashed(signed)}`, limit: perToken };
      valid.set(hashed(token), { account, endsAt: Date.now() + windowMs });
      return account;
    },
    policy: (readsTokens) =>
      policies.slice(0, readsTokens ? undefined : Number(perAddress > 0)).join(', ') || undefined,
    close: async () => counts.close(),
  };
};
