// commonhall key create|list|revoke: API keys for users (gap G6). A key is shown once and stored only as a hash.
import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import type { StoredKey } from '../db/keys.ts';
import { listKeys, revokeKey, storeKey } from '../db/keys.ts';
import type { KeyKind } from '../http/auth.ts';
import { hashKey, makeKey } from '../http/auth.ts';

type Print = (line: string) => void;

export interface KeyOptions {
  name: string;
  kind: KeyKind;
  expiresInDays: number | null;
}

export const createKey = async (
  config: Config,
  username: string,
  { name, kind, expiresInDays }: KeyOptions,
  print: Print,
): Promise<void> => {
  if (config.KEY_PEPPER === '')
    throw new Error('KEY_PEPPER must be set to make keys; make one with: openssl rand -hex 32');
  const key = makeKey(kind);
  const hash = hashKey(key, config.KEY_PEPPER);
  const stored = await storeKey(config.DATABASE_URL, { id: randomUUID(), username, name, hash, expiresInDays });
  if (stored === null) throw new Error(`there is no user with the username ${username}`);
  print(`id       ${stored.id}`);
  print(`key      ${key}`);
  print(`expires  ${stored.expires_at ?? 'never'}`);
  print('This is the only time the key is shown.');
};

const stateOf = ({ revoked_at, expires_at, is_expired }: StoredKey): string => {
  if (revoked_at !== null) return `revoked ${revoked_at}`;
  if (expires_at === null) return 'valid';
  return `${is_expired ? 'expired' : 'valid until'} ${expires_at}`;
};

export const printKeys = async (config: Config, print: Print): Promise<void> => {
  const keys = await listKeys(config.DATABASE_URL);
  for (const key of keys) {
    const used = key.last_used_on === null ? 'not used' : `used ${key.last_used_on}`;
    print([key.id, key.username, key.created_at, stateOf(key), used, key.name].join('  '));
  }
  print(`${keys.length} keys`);
  if (config.KEYS_DATABASE_URL === '') print('The last use is not recorded: KEYS_DATABASE_URL is not set.');
};

export const revoke = async (config: Config, id: string, print: Print): Promise<void> => {
  if (!(await revokeKey(config.DATABASE_URL, id, config.JOURNAL_FILE)))
    throw new Error(`there is no valid key with the id ${id}`);
  print(`revoked ${id}`);
};
