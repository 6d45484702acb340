// Credentials: `Authorization: Bearer <API key>` and nothing else (gap G6). Verified on every request.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { unauthorized } from './errors.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 27; // 160 bits in base 62
const checksumLength = 6; // 32 bits in base 62

const base62 = (value: bigint, length: number): string => {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = alphabet[Number(rest % 62n)] + text;
  return text;
};
const checksumOf = (text: string): string => base62(BigInt(crc32(text)), checksumLength);

/** A new key: prefix, 160 random bits, and a checksum so that secret scanners can tell a key from noise. */
export const makeKey = (kind: 'live' | 'test'): string => {
  const body = `chk_${kind}_${base62(BigInt(`0x${randomBytes(20).toString('hex')}`), secretLength)}`;
  return body + checksumOf(body);
};

const keyShape = new RegExp(`^chk_(live|test)_[0-9A-Za-z]{${secretLength + checksumLength}}$`);
export const isKey = (token: string): boolean =>
  keyShape.test(token) &&
  timingSafeEqual(Buffer.from(token.slice(-checksumLength)), Buffer.from(checksumOf(token.slice(0, -checksumLength))));

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

/** The caller behind a token, by the given look-up; throws 401 unless there is one. */
export const authenticate = async <Caller>(
  token: string,
  pepper: string,
  findCaller: (keyHash: Buffer) => Promise<Caller | null>,
): Promise<Caller> => {
  const caller = pepper !== '' && isKey(token) ? await findCaller(hashKey(token, pepper)) : null;
  if (caller === null) throw unauthorized('The credential is not valid');
  return caller;
};
