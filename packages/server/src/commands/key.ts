// commonhall key create|list|revoke: API keys for users (gap G6). A key is shown once and stored only as a hash.
import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import { withWriter } from '../db/connection/client.ts';
import type { KeyKind } from '../http/auth.ts';
import { hashKey, makeKey } from '../http/auth.ts';
import type { StoredKey } from '../operator/keys.ts';
import { findKeys, listKeys, revokeKey, storeKey } from '../operator/keys.ts';
import { findNamed, theOnly } from '../operator/named.ts';
import { tableNamed } from '../records/records.ts';

type Print = (line: string) => void;

export interface KeyOptions {
  name: string;
  kind: KeyKind;
  /** Whether the user is named by the id only. */
  isKey: boolean;
  expiresInDays: number | null;
}

export const createKey = async (
  config: Config,
  word: string,
  { name, kind, isKey, expiresInDays }: KeyOptions,
  print: Print,
): Promise<void> => {
  if (config.KEY_PEPPER === '')
    throw new Error('KEY_PEPPER must be set to make keys; make one with: openssl rand -hex 32');
  const key = makeKey(kind);
  const hash = hashKey(key, config.KEY_PEPPER);
  const id = randomUUID();
  await withWriter(config.DATABASE_URL, async (client) => {
    const user = theOnly([word], await findNamed(client, tableNamed('users'), [word], isKey));
    if (user === null) throw new Error(`there is no user with the id ${isKey ? '' : 'or username '}${word}`);
    const expires = await storeKey(client, { id, userId: user.key[0] ?? '', name, hash, expiresInDays });
    print(`user     ${user.label}`);
    print(`id       ${id}`);
    print(`key      ${key}`);
    print(`expires  ${expires ?? 'never'}`);
  });
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

/** `word`: the id of the key, or its name if only one valid key has it. */
export const revoke = (config: Config, word: string, print: Print): Promise<void> =>
  withWriter(config.DATABASE_URL, async (client) => {
    const found = await findKeys(client, word);
    const byId = found.filter(({ id }) => id === word);
    const key = theOnly([word], byId.length > 0 ? byId : found, 'by its id');
    if (key === null) throw new Error(`there is no valid key with the id or name ${word}; see: commonhall key list`);
    await revokeKey(client, key.id, config.JOURNAL_FILE);
    print(`revoked ${key.label}`);
  });
