// Credentials: `Authorization: Bearer <token>` and nothing else (gap G6). A token is an API key or a JWT, verified on
// every request.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { unauthorized } from './errors.ts';
import type { JwtVerifier } from './jwt.ts';

export type KeyKind = 'live' | 'test';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 27; // 160 bits in base 62
const checksumLength = 6; // 32 bits in base 62

const base62 = (value: bigint, length: number): string => {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)] + text;
  return text;
};
const checksumOf = (text: string): string => base62(BigInt(crc32(text)), checksumLength);

/** A new key: prefix, 160 random bits, and a checksum by which secret scanners recognize a key. */
export const makeKey = (kind: KeyKind): string => {
  const body = `chk_${kind}_${base62(BigInt(`0x${randomBytes(20).toString('hex')}`), secretLength)}`;
  return body + checksumOf(body);
};

const keyShape = new RegExp(`^chk_(live|test)_[0-9A-Za-z]{${secretLength + checksumLength}}$`);
/** Which kind of API key a token is; null when it is none. */
export const keyKind = (token: string): KeyKind | null => {
  const kind = keyShape.exec(token)?.[1] as KeyKind | undefined;
  if (kind === undefined) return null;
  const [given, right] = [token.slice(-checksumLength), checksumOf(token.slice(0, -checksumLength))];
  return timingSafeEqual(Buffer.from(given), Buffer.from(right)) ? kind : null;
};

export const hashKey = (key: string, pepper: string): Buffer => createHmac('sha256', pepper).update(key).digest();

/** The token of a Bearer credential; null when there is no Authorization header at all. */
export const bearerToken = (authorizations: readonly string[] = []): string | null => {
  const [authorization, another] = authorizations;
  if (authorization === undefined) return null;
  if (another !== undefined) throw unauthorized('Send one Authorization header, not several');
  const token = /^Bearer +([^\s]+) *$/i.exec(authorization)?.[1];
  if (token === undefined) throw unauthorized('The credential must be sent as: Authorization: Bearer <token>');
  return token;
};

export interface Credentials {
  /** The newest first. A key may be hashed with any of them; empty: no key is accepted. */
  peppers: readonly string[];
  kinds: readonly KeyKind[];
  /** Null: no JWT is accepted. */
  jwt: JwtVerifier | null;
}
export interface Lookup<Caller> {
  byKey: (hashes: Buffer[]) => Promise<Caller | null>;
  byUser: (userId: string) => Promise<Caller | null>;
}

/** The caller that a token belongs to; throws 401 unless there is one. */
export const authenticate = async <Caller>(
  token: string,
  { peppers, kinds, jwt }: Credentials,
  find: Lookup<Caller>,
): Promise<Caller> => {
  const byKey = () => {
    const kind = keyKind(token);
    return kind !== null && kinds.includes(kind) && peppers.length > 0
      ? find.byKey(peppers.map((pepper) => hashKey(token, pepper)))
      : null;
  };
  const byJwt = async () => {
    const userId = (await jwt?.verify(token)) ?? null;
    return userId === null ? null : find.byUser(userId);
  };
  const caller = await (token.startsWith('chk_') ? byKey() : byJwt());
  if (caller === null) throw unauthorized('The credential is invalid, expired or revoked');
  return caller;
};
