// API keys, as the operator's commands store, list and revoke them. queries/users.ts looks up credentials.
import { withClient, writerBounds } from './client.ts';
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
  username: string;
  name: string;
  hash: Buffer;
  /** Null: the key does not expire. */
  expiresInDays: number | null;
}

/** Stores the hash of a key for a user; null when there is no such user. */
export const storeKey = (
  url: string,
  { id, username, name, hash, expiresInDays }: NewKey,
): Promise<{ id: string; expires_at: string | null } | null> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ id: string; expires_at: string | null }>(
      `insert into api_keys (id, user_id, name, hash, created_at, expires_at)
       select $1, u.id, $3, $4, api_now(), api_now() + make_interval(days => $5) from users u where u.username = $2
       returning id, iso(expires_at) as expires_at`,
      [id, username, name, hash, expiresInDays],
    );
    return rows[0] ?? null;
  });

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

/** Returns whether the key existed and was not revoked yet. */
export const revokeKey = (url: string, id: string, journalPath: string): Promise<boolean> =>
  withClient(
    url,
    async (client) => {
      await client.query('begin');
      const { rowCount } = await client.query(
        'update api_keys set revoked_at = api_now() where id = $1 and revoked_at is null',
        [id],
      );
      if (rowCount !== 1) return false;
      await journal(client, journalPath, { act: 'key revoke', key: id });
      await client.query('commit');
      return true;
    },
    writerBounds,
  );
