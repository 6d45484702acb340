// commonhall key create|list|revoke: API keys for users (gap G6). A key is shown once and stored only as a hash.
import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import { listKeys, revokeKey, storeKey } from '../db/keys.ts';
import { hashKey, makeKey } from '../http/auth.ts';

type Print = (line: string) => void;

export const createKey = async (
  config: Config,
  username: string,
  name: string,
  kind: 'live' | 'test',
  print: Print,
): Promise<void> => {
  if (config.KEY_PEPPER === '')
    throw new Error('KEY_PEPPER must be set to make keys; make one with: openssl rand -hex 32');
  const key = makeKey(kind);
  const id = await storeKey(config.DATABASE_URL, randomUUID(), username, name, hashKey(key, config.KEY_PEPPER));
  if (id === null) throw new Error(`there is no user with the username ${username}`);
  print(`id   ${id}`);
  print(`key  ${key}`);
  print('This is the only time the key is shown.');
};

export const printKeys = async (config: Config, print: Print): Promise<void> => {
  const keys = await listKeys(config.DATABASE_URL);
  for (const { id, username, name, created_at, revoked_at } of keys)
    print(`${id}  ${username}  ${created_at}  ${revoked_at === null ? 'valid' : `revoked ${revoked_at}`}  ${name}`);
  print(`${keys.length} keys`);
};

export const revoke = async (config: Config, id: string, print: Print): Promise<void> => {
  if (!(await revokeKey(config.DATABASE_URL, id))) throw new Error(`there is no valid key with the id ${id}`);
  print(`revoked ${id}`);
};
