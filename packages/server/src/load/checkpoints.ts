// Checkpoints of an import: how much of a file is loaded, and which keys it had so far. Written in the transaction of
// each batch, deleted when the import is done.
import type pg from 'pg';
import type { Table } from '../records/columns.ts';
import type { Parsed, Rejected } from '../records/records.ts';

const numbers = ['bytes', 'lines', 'inserted', 'changed', 'unchanged', 'rejected'] as const;
export interface Checkpoint extends Record<(typeof numbers)[number], number> {
  digest: string;
  /** The first line whose key could not be read; null: every key could be read. */
  keyless_line: number | null;
}

export const readCheckpoint = async (client: pg.Client, table: Table): Promise<Checkpoint | null> => {
  const { rows } = await client.query<Checkpoint>(
    `select digest, ${[...numbers, 'keyless_line'].map((name) => `${name}::float8`).join(', ')}
     from import_checkpoints where table_name = $1`,
    [table.name],
  );
  return rows[0] ?? null;
};

export const writeCheckpoint = async (client: pg.Client, table: Table, checkpoint: Checkpoint): Promise<void> => {
  const names = ['digest', 'keyless_line', ...numbers] as const;
  await client.query(
    `insert into import_checkpoints (table_name, ${names.join(', ')})
     values ($1, ${names.map((_, index) => `$${index + 2}`).join(', ')})
     on conflict (table_name) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    [table.name, ...names.map((name) => checkpoint[name])],
  );
};

/** Deletes the checkpoint and the keys of an import of this table. */
export const forget = async (client: pg.Client, table: Table): Promise<void> => {
  await client.query('delete from import_checkpoints where table_name = $1', [table.name]);
  await client.query('delete from import_keys where table_name = $1', [table.name]);
};

/** Deletes all checkpoints after the last file. */
export const forgetAll = async (client: pg.Client, done: readonly Table[]): Promise<void> => {
  for (const table of done) await forget(client, table);
};

/** Splits records into those whose key is new in the file, and others. A rejected record does not use up its key. */
export const firstOfKey = async (
  client: pg.Client,
  table: Table,
  records: readonly Parsed[],
): Promise<{ first: Parsed[]; repeated: Parsed[] }> => {
  const { rows } = await client.query<{ key: string }>(
    `insert into import_keys as k (table_name, key)
     select $1, u from unnest($2::uuid[]) u
     on conflict (table_name, key) do update set is_rejected = false where k.is_rejected
     returning replace(key::text, '-', '') as key`,
    [table.name, [...new Set(records.map(({ keyHash }) => keyHash))]],
  );
  const fresh = new Set(rows.map(({ key }) => key));
  const first = records.filter(({ keyHash }) => fresh.delete(keyHash));
  const taken = new Set(first);
  return { first, repeated: records.filter((record) => !taken.has(record)) };
};

/** Stores the keys of rejected records, so that pruning keeps their rows. */
export const noteRejected = async (client: pg.Client, table: Table, rejected: readonly Rejected[]): Promise<void> => {
  const keys = rejected.flatMap(({ keyHash }) => (keyHash === undefined ? [] : [keyHash]));
  if (keys.length === 0) return;
  await client.query(
    `insert into import_keys (table_name, key, is_rejected)
     select distinct $1, u, true from unnest($2::uuid[]) u
     on conflict do nothing`,
    [table.name, keys],
  );
};

/** Marks keys as rejected: `firstOfKey` had accepted them, but the database rejected their records. */
export const takeBack = async (client: pg.Client, table: Table, keys: readonly string[]): Promise<void> => {
  if (keys.length === 0) return;
  await client.query('update import_keys set is_rejected = true where table_name = $1 and key = any ($2::uuid[])', [
    table.name,
    keys,
  ]);
};
