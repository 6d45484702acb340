// The statements of outbox-source.ts, each over the outbox that is named `table` and its position.
import { hash as sha256 } from 'node:crypto';
import { maxRecordBytes } from '../records/lines.ts';

/** At most this many rows, and bytes, are read at a time; one row is always read. */
export const mostRows = 1000;
const mostBytes = 8 * 1024 * 1024;
const longest = 4 * maxRecordBytes;
/** What identifies the content of a row `o`; `hashOf` computes the same. */
const hash = `encode(sha256(convert_to(o.message_id::text || o.xid::text || o.body::text, 'UTF8')), 'hex')`;
/** Selects the rows `o` that are still there with the same content. Looked up one by one: joined, all rows would be hashed. */
export const sameRows = (table: string): string => `
  select o.ctid from unnest($1::bigint[], $2::text[]) k (id, hash)
  cross join lateral (select o.ctid, ${hash} as hash from ${table} o where o.id = k.id offset 0) o
  where o.hash = k.hash`;

/** What the platform's table outbox_position says. */
export interface Applied {
  /** Given to the outbox when it was created. */
  outbox: string;
  applied: string;
  /** The transaction that created the outbox, or the newest that deleted rows of it. */
  xid: string;
}
export interface Read {
  id: string;
  message_id: string;
  xid: string;
  /** Only where the body is cut. */
  hash: string | null;
  body: string;
  found: number;
}

/** The first rows but those that are being applied. A body that is far too long is cut: it is rejected, and need not be
 * held in memory. */
export const firstRows = (table: string, without: readonly string[]): string => `
  select id::text, message_id, xid::text, hash, body, found
  from (
    select o.id, o.xid, o.message_id, count(*) over ()::integer as found,
      case when length(o.body) > ${longest} then ${hash} end as hash, left(o.body, ${longest}) as body,
      sum(octet_length(o.body)) over (order by o.id) as bytes, row_number() over (order by o.id) as place
    from (
      select id, message_id::text as message_id, xid, body::text as body
      from ${table} where id <> all ('{${without.join()}}') order by id limit ${mostRows}
    ) o
  ) o
  where bytes <= ${mostBytes} or place = 1
  order by o.id`;
/** In this process, since that of the platform has other work. */
export const hashOf = ({ message_id: messageId, xid, body }: Read): string => sha256('sha256', messageId + xid + body);
/** The clock is read in an earlier statement than the rows: everything committed before `at` is among them. */
export const clock = `
  select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
    pg_snapshot_xmax(pg_current_snapshot())::text as xid`;
/** Deletes applied rows, and moves the position. If that has moved already, or lies elsewhere, nothing happens. */
export const release = (table: string): string => `
  with moved as (
    update ${table}_position set applied = $4, xid = pg_current_xact_id() where applied = $3 and outbox::text = $5
    returning 1
  ), gone as (
    delete from ${table} where ctid = any (array(${sameRows(table)} and exists (select from moved))) returning 1
  )
  select (select count(*) from moved)::integer as moved, (select count(*) from gone)::integer as gone`;

export const positionOf = (table: string): string =>
  `select outbox::text, applied::text, xid::text from ${table}_position`;
