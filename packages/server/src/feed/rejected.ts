// The table rejected_changes: changes that could not be applied, at most one per row. Each is stored with its reason
// until it can be applied, a later change of the row replaces it, or the operator drops it.
import type pg from 'pg';
import type { Refusal } from '../records/refusals.ts';
import type { Change } from './change.ts';
import { rowName } from './relations.ts';

/** No later change replaces one whose row cannot be read, so only the newest of these are stored. All are counted. */
const mostUnreadable = 1000;

export const storeRejected = async (client: pg.Client, change: Change, refusal: Refusal): Promise<void> => {
  await client.query(
    `insert into rejected_changes as r (table_name, key, body, reason, waits_for, received_at, tried_at)
     values ($1, $2, $3, $4, $5, now(), now())
     on conflict (table_name, key) do update
     set body = excluded.body, reason = excluded.reason, waits_for = excluded.waits_for, tried_at = excluded.tried_at,
       received_at = case when r.body = excluded.body then r.received_at else excluded.received_at end`,
    [change.table?.name ?? null, change.key, change.body, refusal.reason, refusal.waitsFor],
  );
  if (change.key === null)
    await client.query(
      `delete from rejected_changes where key is null and id <= (
         select id from rejected_changes where key is null order by id desc offset ${mostUnreadable} limit 1
       )`,
    );
};

/** Updates changes that were retried and still wait, perhaps for another row. */
export const noteOrphans = async (
  client: pg.Client,
  orphans: readonly { id: string; reason: string; waits_for: readonly string[] | null }[],
): Promise<void> => {
  if (orphans.length === 0) return;
  await client.query(
    `update rejected_changes r set tried_at = now(), reason = o.reason, waits_for = o.waits_for
     from json_populate_recordset(null::rejected_changes, $1) o
     where r.id = o.id`,
    [JSON.stringify(orphans)],
  );
};

/** Deletes puts that wait for a deleted row and whose rows a cascade would have deleted. Returns these rows. */
export const dropChildren = async (
  client: pg.Client,
  parent: string,
  tables: readonly string[],
): Promise<{ table: string; key: string[] }[]> => {
  const { rows } = await client.query<{ table: string; key: string[] }>(
    `delete from rejected_changes where waits_for @> array[$1] and table_name = any ($2) and key is not null
     returning table_name as table, key`,
    [parent, tables],
  );
  return rows;
};

/** The rows of changes as JSON, the parameter of the statements below. */
type OfRow = Pick<Change, 'table' | 'key'>;
const rowsOf = (changes: readonly OfRow[]): string =>
  JSON.stringify(
    changes.flatMap(({ table, key }) => (table === null || key === null ? [] : [{ table_name: table.name, key }])),
  );
/** Deletes the rejected changes of rows that have a later change. */
export const forgetRejected = async (client: pg.Client, changes: readonly Change[]): Promise<void> => {
  await client.query({
    name: 'forget rejected',
    text: `delete from rejected_changes r using json_populate_recordset(null::rejected_changes, $1) c
      where r.table_name = c.table_name and r.key = c.key`,
    values: [rowsOf(changes)],
  });
};
/** The names of those rows of the changes that have a waiting change. */
export const waitingAmong = async (client: pg.Client, changes: readonly OfRow[]): Promise<Set<string>> => {
  const { rows } = await client.query<{ table: string; key: string[] }>(
    `select r.table_name as table, r.key
     from rejected_changes r
     join json_populate_recordset(null::rejected_changes, $1) c using (table_name, key)
     where r.is_waiting`,
    [rowsOf(changes)],
  );
  return new Set(rows.map(({ table, key }) => rowName(table, key)));
};

export const hasRejected = async (client: pg.Client): Promise<boolean> =>
  (await client.query('select from rejected_changes limit 1')).rows.length > 0;

export interface Waiting {
  id: string;
  body: Buffer;
}
/** The most bytes of changes that are retried together; at least one is. */
const mostBytes = 16 * 1024 * 1024;
/** Waiting changes with their bodies: the first ones in this order, bounded in number and in bytes. */
const firstOf = (condition: string, order: string, most: string): string => `
  select w.id, w.body
  from (
    select id, body, tried_at, sum(octet_length(body)) over (order by ${order}) - octet_length(body) as before
    from rejected_changes where ${condition} order by ${order} limit ${most}
  ) w
  where w.before <= ${mostBytes}
  order by ${order}`;
/** Changes that wait for one of these names and are not among `tried`. */
export const waitingFor = async (
  client: pg.Client,
  names: readonly string[],
  tried: readonly string[],
  most: number,
): Promise<Waiting[]> => {
  const { rows } = await client.query<Waiting>({
    name: 'waiting for',
    text: firstOf('waits_for && $1 and id <> all ($2::bigint[])', 'id', '$3'),
    values: [names, tried, most],
  });
  return rows;
};

/** Waiting changes that were last tried before `moment`. */
export const waitingSince = async (client: pg.Client, moment: Date, most: number): Promise<Waiting[]> => {
  const { rows } = await client.query<Waiting>(firstOf('is_waiting and tried_at < $1', 'tried_at, id', '$2'), [
    moment,
    most,
  ]);
  return rows;
};

export interface RejectedChange {
  id: string;
  table: string | null;
  key: string[] | null;
  reason: string;
  isWaiting: boolean;
  receivedAt: string;
}
const rejectedRows = `
  select id, table_name as table, key, reason, is_waiting as "isWaiting", iso(received_at) as "receivedAt"
  from rejected_changes`;
/** Rejected changes that were tried in this transaction. */
export const listTried = async (client: pg.Client): Promise<RejectedChange[]> =>
  (await client.query<RejectedChange>(`${rejectedRows} where tried_at = now()::instant order by id`)).rows;
export const readBodies = async (client: pg.Client, ids: readonly string[]): Promise<Waiting[]> =>
  (
    await client.query<Waiting>('select id, body from rejected_changes where id = any ($1::bigint[]) order by id', [
      ids,
    ])
  ).rows;
/** All rejected changes, or those with these ids. */
export const readRejected = async (client: pg.Client, ids: readonly string[] | null): Promise<RejectedChange[]> =>
  (await client.query<RejectedChange>(`${rejectedRows} where $1::bigint[] is null or id = any ($1) order by id`, [ids]))
    .rows;
export const deleteRejected = async (client: pg.Client, ids: readonly string[]): Promise<number> =>
  (await client.query('delete from rejected_changes where id = any ($1::bigint[])', [ids])).rowCount ?? 0;
