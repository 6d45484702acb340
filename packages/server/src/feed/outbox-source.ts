// The source over the platform's own outbox: a table of its database, which `commonhall outbox` prints. A row is read,
// applied, and only then deleted, so it cannot be lost on the way. With each delete the platform's table
// outbox_position stores how many rows have been applied, and Commonhall's table outbox_rows which the newest were. So
// after an interruption of either side both know which rows are left. Every statement is a transaction by itself and needs no
// session, so a transaction pooler is fine.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { crashPoint } from '../crash-points.ts';
import { closeClient, inWriterTransaction, openWriter } from '../db/connection/client.ts';
import { needsOperator, operatorProblem } from '../db/connection/failures.ts';
import { parseSnapshot } from '../records/snapshot.ts';
import { readChange } from './change.ts';
import type { Applied, Read } from './outbox-statements.ts';
import { clock, firstRows, hashOf, mostRows, positionOf, release, sameRows } from './outbox-statements.ts';
import type { Position } from './position.ts';
import type { FeedLog, Message, Origin, OutboxRow, Source } from './source.ts';
import { FollowerProblem, StreamProblem } from './source.ts';

/** Applied rows that are remembered: a platform that loses its newest transactions in a failover shows such rows again. */
const mostRemembered = 100_000;
/** How long to wait for new rows: shortly after one, and later. */
const [busyMs, idleMs, busyForMs] = [25, 200, 5000];
const markMs = 1000;
const progressMs = 10_000;
const bounds = { connectionTimeoutMillis: 5000, query_timeout: 60_000 };

/** The rows of the outbox among messages; a mark is none. */
const rowsOf = (messages: readonly Message[]): OutboxRow[] =>
  messages.flatMap(({ row }) => (row === undefined ? [] : [row]));
/** As parameters of a statement. */
const idsAndHashes = (rows: readonly OutboxRow[]): [ids: string[], hashes: string[]] => [
  rows.map(({ id }) => id),
  rows.map(({ hash }) => hash),
];

interface Found {
  rows: Read[];
  /** The clock before they were read, and the next transaction then. */
  at: string;
  xid: string;
  /** Whether these were all rows of the outbox. */
  isAll: boolean;
}

/** Where a database begins that has not followed this outbox yet: the load must contain every row that is gone from it. */
const refuseUncovered = ({ applied, xid }: Applied, loadSnapshot: string | null, table: string): void => {
  if (loadSnapshot === null) {
    if (applied !== '0')
      throw new StreamProblem(`${applied} changes are gone from the table ${table} already, and there was no load`);
  } else if (parseSnapshot(loadSnapshot)?.contains(BigInt(xid)) !== true)
    throw new StreamProblem(
      applied === '0'
        ? `the table ${table} was created after the load was taken`
        : `changes were deleted from the table ${table} after the load was taken`,
    );
};
const refuseOther = ({ stream, streamCreatedAt }: Position, { name, createdAt }: Origin): void => {
  if (stream !== name)
    throw new StreamProblem(`the database follows ${stream}, and FEED_URL and FEED_TABLE name ${name}`);
  if (streamCreatedAt !== createdAt)
    throw new StreamProblem(`the ${name} is not the one that was followed: it was created again`);
};

/** An error that waiting does not solve, with its remedy; any other unchanged. */
const problemOf = (error: unknown, url: string, table: string): unknown => {
  if (!needsOperator(error)) return error;
  const isMissing = (error as { code?: unknown }).code === '42P01';
  return new FollowerProblem(
    isMissing
      ? `the platform's database has no table ${table} with ${table}_position: run there what commonhall outbox prints, or correct FEED_TABLE`
      : (operatorProblem(error, url, 'FEED_URL') as Error).message,
  );
};

/** Opens the outbox of a platform's database. */
export const openOutboxSource = async (url: string, table: string, log: FeedLog): Promise<Source> => {
  const orProblem = (error: unknown) => {
    throw problemOf(error, url, table);
  };
  // A connection that breaks is reported by the statement under way.
  const platform = await openWriter(url, 'commonhall follow', bounds, () => {}, 'FEED_URL').catch(orProblem);
  const name = `table ${table}`;
  let outbox = '';
  /** How many rows are applied here, of this and earlier runs. */
  let reached = 0;
  let failure: Error | null = null;

  /** Returns how many of the rows were there; null: the position of the platform is another one. */
  const letGo = async (rows: readonly OutboxRow[], from: number, to: number): Promise<number | null> => {
    const values = [...idsAndHashes(rows), from, to, outbox];
    const { rows: found } = await platform
      .query<{ moved: number; gone: number }>(release(table), values)
      .catch(orProblem);
    crashPoint('outbox: rows released');
    const [{ moved, gone } = { moved: 0, gone: 0 }] = found;
    return moved === 0 ? null : gone;
  };

  /** After an interruption: rows that are applied here, and that the platform may still have. */
  const completeRelease = async (client: pg.Client, released: number): Promise<void> => {
    const { rows } = await client.query<OutboxRow>(
      `select id::text, encode(hash, 'hex') as hash from outbox_rows where sequence > $1 order by sequence`,
      [released],
    );
    if (rows.length < reached - released)
      throw new StreamProblem(
        `the platform's database has gone back by ${reached - released} changes, and the last ${rows.length} are remembered`,
      );
    const { rows: there } = await platform.query(sameRows(table), idsAndHashes(rows));
    const undone = rows.length - there.length;
    if (undone > 0) {
      await inWriterTransaction(client, () => client.query('update feed set undone = undone + $1', [undone]));
      log.warn(
        { undone },
        'the platform has lost changes that are applied here; take a fresh load (docs/operating.md, "When the platform has gone back")',
      );
    }
    crashPoint('outbox: release to complete');
    if ((await letGo(rows, released, reached)) === null) throw new Error('another follower deletes from the outbox');
  };

  const begin = async (position: Position, client: pg.Client): Promise<Origin> => {
    const { rows } = await platform
      .query<Applied & { now: string }>(
        `select p.*, pg_snapshot_xmax(pg_current_snapshot())::text as now from (${positionOf(table)}) p`,
      )
      .catch(orProblem);
    const [state] = rows;
    if (state === undefined) throw new Error(`the table ${table}_position of the platform has no row`);
    ({ outbox } = state);
    const released = Number(state.applied);
    const origin = { name, createdAt: outbox };
    // Transactions from after the load would have numbers that the load knows.
    if (position.loadSnapshot !== null && parseSnapshot(position.loadSnapshot)?.isBefore(BigInt(state.now)) !== true)
      throw new StreamProblem("the platform's database has gone back to a time before the load");
    if (position.stream === null) {
      refuseUncovered(state, position.loadSnapshot, table);
      if (position.loadSnapshot === null)
        log.warn(
          {},
          'there was no load: rows from before the outbox are missing; to load them: commonhall load <folder>',
        );
      reached = released;
      return origin;
    }
    refuseOther(position, origin);
    reached = position.sequence;
    if (released > reached)
      throw new StreamProblem(
        `${released} changes are gone from the table ${table}, and ${reached} are applied here: this database was restored from a backup, or another one follows the same outbox`,
      );
    if (released < reached) await completeRelease(client, released);
    return origin;
  };

  let progressAt = 0;
  /** While there is more than one batch, the operator sees how far it is. */
  const reportProgress = async (): Promise<void> => {
    if (performance.now() < progressAt) return;
    progressAt = performance.now() + progressMs;
    const { rows } = await platform.query<{ left: string }>(
      `select (max(id) - min(id) + 1)::text as left from ${table}`,
    );
    log.info({ applied: reached, left: Number(rows[0]?.left ?? 0) }, 'catching up');
  };

  const read = async (without: readonly { id: string }[]): Promise<Found> => {
    const ids = without.map(({ id }) => id);
    const expected = reached; // the position after the releases that were sent before this
    const statements = `begin isolation level read committed; ${clock}; ${firstRows(table, ids)}; ${positionOf(table)}; commit`;
    const [, { rows: moments }, { rows }, { rows: positions }] = (await platform
      .query(statements)
      .catch(orProblem)) as unknown as [
      unknown,
      pg.QueryResult<{ at: string; xid: string }>,
      pg.QueryResult<Read>,
      pg.QueryResult<Applied>,
    ];
    const { at = '', xid = '0' } = moments[0] ?? {};
    const [position] = positions;
    // Behind a pooler a failover does not break the connection; and another Commonhall may delete rows.
    if (position?.outbox !== outbox || position.applied !== String(expected))
      throw new Error('the position of the outbox has changed: beginning again');
    return { rows, at, xid, isAll: rows.length < mostRows && (rows[0]?.found ?? 0) === rows.length };
  };

  async function* batches(signal: AbortSignal): AsyncGenerator<Message[]> {
    let [markAt, busyUntil] = [0, 0];
    let next: Promise<Found> | null = null;
    while (!signal.aborted) {
      const { rows, at, xid, isAll }: Found = await (next ?? read([]));
      if (failure !== null) throw failure;
      const messages = rows.map(
        (row, n): Message => ({
          ...{ sequence: reached + n + 1, id: row.id, at: '', xid: BigInt(row.xid), body: Buffer.from(row.body) },
          row: { id: row.id, hash: row.hash ?? hashOf(row) },
        }),
      );
      if (isAll && performance.now() >= markAt) {
        markAt = performance.now() + markMs;
        const body = Buffer.from(JSON.stringify({ op: 'mark', at }));
        // Such a mark would be set aside, once a second.
        if (readChange(body).op === 'invalid')
          log.warn({ at }, "the platform's clock is more than a minute ahead; compare the clocks");
        else messages.push({ sequence: reached + rows.length, id: '', at: '', xid: BigInt(xid), body });
      }
      // Where there is more, the next rows are read while these are applied.
      next = isAll ? null : read(rows);
      next?.catch(() => {}); // thrown when it is awaited
      if (!isAll) await reportProgress();
      if (rows.length > 0) busyUntil = performance.now() + busyForMs;
      if (messages.length > 0) yield messages;
      if (isAll) await sleep(performance.now() < busyUntil ? busyMs : idleMs, undefined, { signal }).catch(() => {});
    }
  }

  return {
    begin,
    batches,
    remember: async (client, messages) => {
      const rows = rowsOf(messages);
      if (rows.length === 0) return;
      await client.query(
        `insert into outbox_rows (sequence, id, hash)
         select $3::bigint + n, i, decode(h, 'hex') from unnest($1::bigint[], $2::text[]) with ordinality u (i, h, n)`,
        [...idsAndHashes(rows), reached],
      );
      await client.query('delete from outbox_rows where sequence <= $1', [reached + rows.length - mostRemembered]);
    },
    // Not awaited: the next batch is applied meanwhile. Statements of one connection run in their order.
    release: async (messages) => {
      const rows = rowsOf(messages);
      if (rows.length === 0) return;
      const [from, to] = [reached, reached + rows.length];
      reached = to;
      letGo(rows, from, to)
        .then((gone) => {
          if (gone !== rows.length) throw new Error('the outbox has changed: beginning again');
        })
        .catch((error: Error) => {
          failure ??= error;
        });
    },
    close: () => closeClient(platform),
  };
};
