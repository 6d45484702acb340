// JWTs of the platform's identity provider: which keys sign them, and what a token must contain (gap G6). Tokens are
// not cached. The provider's public keys are, and the last good ones stay in use while the provider is down.
import { readFile } from 'node:fs/promises';
import type { JWTVerifyGetKey } from 'jose';
import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose';
import { Unavailable } from '../gates.ts';
import { ApiFailure, unavailable } from './errors.ts';

export interface JwtOptions {
  issuer: string;
  audience: string;
  /** An http or https URL, or the path of a file. */
  jwks: string;
  algorithms: readonly string[];
  clockToleranceSeconds: number;
  /** A token may not expire later than this from now: it cannot be revoked. */
  maxLifetimeSeconds: number;
  /** Shortest time between two requests for new keys, for all callers together. */
  cooldownSeconds: number;
  refreshSeconds: number;
}

export interface JwtVerifier {
  /** The user id of a token, or null when the token is not valid. */
  verify: (token: string) => Promise<string | null>;
  close: () => void;
}

const isUrl = (jwks: string): boolean => /^https?:/.test(jwks);

/** The newest keys, requested at most once per cooldown, also while the provider is down. */
const openKeys = ({ jwks, cooldownSeconds }: JwtOptions) => {
  const cooldownMs = cooldownSeconds * 1000;
  let failedAt = Number.NEGATIVE_INFINITY;
  const load = async (url: string, options: RequestInit): Promise<Response> => {
    if (performance.now() - failedAt < cooldownMs) throw new Error('the keys could not be loaded a moment ago');
    try {
      const response = isUrl(jwks) ? await fetch(url, options) : new Response(await readFile(jwks));
      const text = await response.text(); // an answer that breaks off is a failure too
      if (response.status !== 200) throw new Error(`the key set answered ${response.status}`);
      return new Response(text);
    } catch (error) {
      failedAt = performance.now();
      throw error;
    }
  };
  return createRemoteJWKSet(new URL(isUrl(jwks) ? jwks : 'file:///jwks'), {
    cacheMaxAge: Number.POSITIVE_INFINITY, // known keys stay in use while the provider is down
    cooldownDuration: cooldownMs,
    timeoutDuration: 2000,
    [customFetch]: load,
  });
};

/** The form of an id (gap G18): other values are not looked up in the database. */
const isUserId = (sub: unknown): sub is string =>
  typeof sub === 'string' && sub.isWellFormed() && /^\P{Cc}{1,100}$/u.test(sub);
/** A signature has several spellings that decode to the same bytes; each would have a rate limit of its own. */
const isCanonical = (signature: string): boolean =>
  Buffer.from(signature, 'base64url').toString('base64url') === signature;
const isSeconds = (value: unknown): boolean => value === undefined || Number.isSafeInteger(value);
/** Explicit typing (RFC 8725, 3.11): an id token or a logout token of the same provider says another type. */
const isAccessToken = (typ: unknown): boolean =>
  typ === undefined || (typeof typ === 'string' && /^(application\/)?(at\+)?jwt$/i.test(typ));
/** How far ahead of ours the clock of the provider may be. */
const mostAheadSeconds = 60;

export const openJwt = (options: JwtOptions, onProblem: (error: unknown) => void): JwtVerifier => {
  const keys = openKeys(options);
  // A key that the provider has withdrawn must become invalid here too.
  const refresh = () => keys.reload().catch(onProblem);
  const timer = setInterval(refresh, options.refreshSeconds * 1000).unref();
  void refresh();

  const keyOf: JWTVerifyGetKey = async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      const isVerdict =
        error instanceof errors.JWKSNoMatchingKey ||
        error instanceof errors.JWKSMultipleMatchingKeys ||
        error instanceof errors.JOSENotSupported;
      // The key is unknown and the provider cannot be asked: the token can be neither accepted nor rejected.
      if (isVerdict) throw error;
      const cause = new Unavailable('key set', 'the key set cannot be read', error);
      throw unavailable('The credential cannot be checked now; try again', cause);
    }
  };

  return {
    verify: async (token) => {
      if (!isCanonical(token.slice(token.lastIndexOf('.') + 1))) return null;
      try {
        const { payload, protectedHeader } = await jwtVerify(token, keyOf, {
          issuer: options.issuer,
          audience: options.audience,
          algorithms: [...options.algorithms],
          requiredClaims: ['sub', 'exp'],
          clockTolerance: options.clockToleranceSeconds,
        });
        const { sub, exp, nbf, iat } = payload;
        const now = Date.now() / 1000;
        const isSound =
          isAccessToken(protectedHeader.typ) &&
          [exp, nbf, iat].every(isSeconds) &&
          Number(exp) <= now + options.maxLifetimeSeconds + options.clockToleranceSeconds &&
          (iat ?? 0) <= now + mostAheadSeconds;
        return isSound && isUserId(sub) ? sub : null;
      } catch (error) {
        if (error instanceof ApiFailure) throw error;
        return null; // jose throws for an invalid token, and for a key of the wrong type
      }
    },
    close: () => clearInterval(timer),
  };
};
