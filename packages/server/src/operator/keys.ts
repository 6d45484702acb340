// API keys, as the operator's commands store, list and revoke them. queries/users.ts looks up credentials.
import type pg from 'pg';
import { withClient } from '../db/connection/client.ts';
import { journal } from './journal.ts';

export interface StoredKey {
  id: string;
  username: string;
  name: string;
  created_at: string;
  revoked_at: string | null;
  expires_at: string | null;
  is_expired: boolean;
  last_used_on: string | null;
}
export interface NewKey {
  id: string;
  userId: string;
  name: string;
  hash: Buffer;
  /** Null: the key does not expire. */
  expiresInDays: number | null;
}

/** Stores the hash of a key for a user. Returns when it expires; null: never. */
export const storeKey = async (
  client: pg.Client,
  { id, userId, name, hash, expiresInDays }: NewKey,
): Promise<string | null> => {
  const { rows } = await client.query<{ expires_at: string | null }>(
    `insert into api_keys (id, user_id, name, hash, created_at, expires_at)
     values ($1, $2, $3, $4, api_now(), api_now() + make_interval(days => $5))
     returning iso(expires_at) as expires_at`,
    [id, userId, name, hash, expiresInDays],
  );
  return rows[0]?.expires_at ?? null;
};

export const listKeys = (url: string): Promise<StoredKey[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<StoredKey>(
      `select
         k.id,
         u.username,
         k.name,
         iso(k.created_at) as created_at,
         iso(k.revoked_at) as revoked_at,
         iso(k.expires_at) as expires_at,
         coalesce(k.expires_at <= api_now(), false) as is_expired,
         k.last_used_on::text as last_used_on
       from api_keys k join users u on u.id = k.user_id
       order by k.created_at, k.id`,
    );
    return rows;
  });

export interface ValidKey {
  id: string;
  label: string;
}
/** The keys that are not revoked and have this id or name. */
export const findKeys = async (client: pg.Client, word: string): Promise<ValidKey[]> => {
  const { rows } = await client.query<ValidKey>(
    `select k.id, k.id || ' (' || k.name || '; of ' || u.username || ')' as label
     from api_keys k join users u on u.id = k.user_id
     where k.revoked_at is null and (k.id = $1 or k.name = $1) order by k.created_at, k.id limit 20`,
    [word],
  );
  return rows;
};

export const revokeKey = async (client: pg.Client, id: string, journalPath: string): Promise<void> => {
  await client.query('begin');
  await client.query('update api_keys set revoked_at = api_now() where id = $1 and revoked_at is null', [id]);
  await journal(client, journalPath, { act: 'key revoke', key: id });
  await client.query('commit');
};
