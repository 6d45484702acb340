// API keys as the operator's commands write them. Reading a credential is queries/users.ts.
import { withClient } from './client.ts';

export interface StoredKey {
  id: string;
  username: string;
  name: string;
  created_at: string;
  revoked_at: string | null;
}

/** Stores the hash of a key for a user; null when there is no such user. */
export const storeKey = (
  url: string,
  id: string,
  username: string,
  name: string,
  hash: Buffer,
): Promise<string | null> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into api_keys (id, user_id, name, hash, created_at)
       select $1, u.id, $3, $4, api_now() from users u where u.username = $2
       returning id`,
      [id, username, name, hash],
    );
    return rows[0]?.id ?? null;
  });

export const listKeys = (url: string): Promise<StoredKey[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<StoredKey>(
      `select k.id, u.username, k.name, iso(k.created_at) as created_at, iso(k.revoked_at) as revoked_at
       from api_keys k join users u on u.id = k.user_id
       order by k.created_at, k.id`,
    );
    return rows;
  });

/** Whether there was such a key that was not revoked yet. */
export const revokeKey = (url: string, id: string): Promise<boolean> =>
  withClient(url, async (client) => {
    const { rowCount } = await client.query(
      'update api_keys set revoked_at = api_now() where id = $1 and revoked_at is null',
      [id],
    );
    return rowCount === 1;
  });
