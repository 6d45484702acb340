// /changes of another Commonhall as a source of changes: a mirror. A line is a message, or several. The id of a message is
// the cursor to come again with: that of its page, or for the last one of a page the next. Lines that come again change
// nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { isInstant } from '@commonhall/contract/text';
import { changesUrl } from '@commonhall/contract/url';
import type pg from 'pg';
import { fed, fedTable } from '../changes/below.ts';
import { readCursor } from '../changes/cursor.ts';
import { keyedByPerson } from '../operator/erase.ts';
import { ownerColumn } from '../operator/people.ts';
import { keyHashOf, keyHashSql } from '../records/keys.ts';
import { impliedBy } from '../records/shown.ts';
import { rowName } from './relations.ts';
import type { FeedLog, Message, Source } from './source.ts';
import { FollowerProblem } from './source.ts';

/** Between two requests at the end. */
const pollMs = 1000;
const answerMs = 60_000;
/** Between two looks for people whom no row names any more: at least this, and twenty times as long as one takes. */
const sweepMs = 5000;
/** While the origin is silent, changes that wait are offered to be retried at this interval. */
const silentMs = 30_000;
const mostRows = 1000;

interface Page {
  lines: string[];
  next: string;
  /** At the end of the log; null: there is more. */
  asOf: string | null;
}
type Line =
  | { op: 'put'; table: string; record: Record<string, unknown> }
  | { op: 'delete'; table: string; key: Record<string, string> }
  | { op: 'erase'; sha256: string };

const ask = async (url: string, signal: AbortSignal): Promise<{ response: Response; text: string }> => {
  const response = await fetch(url, { signal });
  return { response, text: await response.text() };
};

const personName = rowName('users', ['']);
/** SQL: the people whom records that wait name. */
const waitedFor = `select substr(name, ${personName.length + 1})
  from rejected_changes, unnest(waits_for) name where starts_with(name, '${personName}')`;

/** A page; null: the origin does not know the cursor any more. */
const fetchPage = async (origin: string, since: string | null, signal: AbortSignal): Promise<Page | null> => {
  for (;;) {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
    const { response, text } = await ask(changesUrl(origin, since ?? undefined), limit).catch((error: Error) => {
      throw new Error(`${origin} does not answer: ${((error.cause as Error | undefined) ?? error).message}`);
    });
    if (response.status === 410) return null;
    if (response.status === 429 || response.status === 503) {
      await sleep(1000 * Math.min(60, Number(response.headers.get('retry-after')) || 1), undefined, { signal });
      continue;
    }
    const next = /[?&]since=([\w-]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    if (response.status !== 200 || next === undefined)
      throw new Error(`${origin} answered ${response.status}: ${text.slice(0, 200)}`);
    return { lines: text.split('\n').slice(0, -1), next, asOf: response.headers.get('as-of') };
  }
};

/** Whether a page after this cursor belongs to the walk through all records. */
const isInWalk = (cursor: string | null): boolean => cursor === null || readCursor(cursor)?.walk?.kind === 'all';

export const openMirrorSource = (origin: string, from: string | null, log: FeedLog): Source => {
  let client: pg.Client;
  let cursor: string | null = null;
  let sequence = 0;
  let sweepAt = 0;
  let retryAt = 0;

  const messageOf = (change: object | null, id: string): Message => {
    const body = Buffer.from(change === null ? '' : JSON.stringify(change));
    return { sequence: ++sequence, id, at: '', xid: null, body };
  };
  const batchOf = (changes: readonly object[]): Message[] => changes.map((one) => messageOf(one, cursor ?? ''));

  /** Deletes the rows that a condition selects, in batches. A delete that is refused waits as any change does. */
  async function* remove(table: string, where: string, values: unknown[]): AsyncGenerator<Message[]> {
    const { key } = fedTable(table);
    const columns = key.map((name) => `t.${name}`).join(', ');
    for (let after: string[] = []; ; ) {
      const place = key.map((_, n) => `$${values.length + n + 1}`).join(', ');
      const { rows } = await client.query<{ key: string[] }>(
        `select array[${columns}]::text[] as key from ${table} t
         where ${where} and ${after.length === 0 ? 'true' : `(${columns}) > (${place})`} order by ${columns} limit ${mostRows}`,
        [...values, ...after],
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.key;
      const keys = rows.map((row) => Object.fromEntries(key.map((name, n) => [name, row.key[n]])));
      yield batchOf(keys.map((one) => ({ op: 'delete', table, key: one })));
    }
  }

  /** Deletes the changes that wait for a row, by a column of their records: their rows are not in the table yet. */
  async function* removeWaiting(table: string, column: string, value: unknown): AsyncGenerator<Message[]> {
    const { key } = fedTable(table);
    const { rows } = await client.query<{ key: string[] }>(
      `select key from rejected_changes
       where table_name = $1 and is_waiting and convert_from(body, 'UTF8')::json -> 'record' ->> $2 = $3`,
      [table, column, value],
    );
    const keys = rows.map((row) => Object.fromEntries(key.map((name, n) => [name, row.key[n]])));
    if (keys.length > 0) yield batchOf(keys.map((one) => ({ op: 'delete', table, key: one })));
  }

  /** Everything of a table that a column of its records selects. */
  async function* removeBy(table: string, column: string, value: unknown): AsyncGenerator<Message[]> {
    yield* removeWaiting(table, column, value);
    yield* remove(table, `t.${column} = $1`, [value]);
  }

  /** Erases a person here too: also from the log of this database. What waits for the person goes with the delete. */
  async function* erase(sha256: string): AsyncGenerator<Message[]> {
    const where = `sha256(convert_to(t.id, 'UTF8')) = decode($1, 'hex')`;
    const { rows } = await client.query<{ id: string }>(`select id from users t where ${where}`, [sha256]);
    yield* remove('users', where, [sha256]);
    for (const { id } of rows)
      await client.query('select lists.blank_changes($1, $2, $3)', [id, keyedByPerson, sha256]);
  }

  /** The rows that a line may name besides one; null: it is a change of one row. */
  const removedBy = (line: Line): AsyncGenerator<Message[]> | null => {
    if (line.op === 'put') return null;
    if (line.op === 'erase') return erase(line.sha256);
    const { key, columns } = fedTable(line.table);
    const names = Object.keys(line.key);
    if (key.every((name) => names.includes(name))) return null;
    const stranger = names.find((name) => !Object.hasOwn(columns, name));
    const [name, ...others] = names;
    if (name === undefined || others.length > 0 || stranger !== undefined)
      throw new Error(`${origin} sent a delete with neither its key nor one known column`);
    return removeBy(line.table, name, line.key[name]);
  };

  /** The lines of a page in batches: before one that names several rows, those before it are applied. */
  async function* batchesOf({ lines, next }: Page): AsyncGenerator<Message[]> {
    let ready: object[] = [];
    for (const text of lines) {
      const line = JSON.parse(text) as Line;
      const removed = removedBy(line);
      if (removed === null) {
        ready.push(
          line.op === 'put' ? { ...line, record: { ...line.record, ...impliedBy(fedTable(line.table)) } } : line,
        );
        continue;
      }
      if (ready.length > 0) yield batchOf(ready);
      ready = [];
      yield* removed;
    }
    if (ready.length > 0) yield batchOf(ready);
    // At the end of the walk: rows that it has not met are not public any more. Tiers are never deleted.
    if (isInWalk(cursor) && !isInWalk(next))
      for (const table of fed.filter(({ name }) => name !== 'users' && name !== 'score_tiers').toReversed())
        yield* remove(
          table.name,
          `not exists (select from import_keys k where k.table_name = $1 and k.key = ${keyHashSql(table)})`,
          [table.name],
        );
    yield [messageOf(null, next)];
  }

  /** A user whom no row names is not public. Rows that are hidden here only, by a takedown, name them too, and so do those
   * that wait: without their owner they would be lost. */
  async function* sweep(): AsyncGenerator<Message[]> {
    const began = Date.now();
    const named = Object.entries(ownerColumn).flatMap(([table, column]) =>
      table === 'users' ? [] : [`exists (select from ${table} r where r.${column} = t.id)`],
    );
    named.push(`t.id in (${waitedFor})`);
    yield* remove('users', `not (${named.join(' or ')})`, []);
    sweepAt = Date.now() + Math.max(sweepMs, 20 * (Date.now() - began));
  }
  /** How old the data is. A clock that is far ahead would be refused. */
  const markOf = (asOf: string): Message[] =>
    isInstant(asOf) && Date.parse(asOf) < Date.now() + 30_000 ? batchOf([{ op: 'mark', at: asOf }]) : [];

  return {
    begin: async (position, session) => {
      client = session;
      if (position.stream !== null && position.stream !== origin)
        throw new FollowerProblem(
          `this database follows ${position.stream}, and not ${origin}: a mirror needs a database of its own`,
        );
      // Empty: a walk had begun and no page of it was complete.
      cursor = position.messageId === null ? from : position.messageId || null;
      sequence = position.sequence;
      return { name: origin, createdAt: '' };
    },
    async *batches(signal) {
      let isSwept = false;
      while (!signal.aborted) {
        const asked = Date.now();
        const page = await fetchPage(origin, cursor, signal);
        if (page === null) {
          log.warn({ origin }, 'the origin does not know the cursor any more: reading everything again');
          if (cursor === null) await sleep(pollMs, undefined, { signal });
          cursor = null;
          continue;
        }
        // A change that waits is of the copy before.
        if (cursor === null) await client.query('delete from import_keys; delete from rejected_changes');
        if (page.next !== cursor) {
          yield* batchesOf(page);
          if (isInWalk(cursor) && !isInWalk(page.next)) await client.query('delete from import_keys');
          [cursor, isSwept] = [page.next, false];
        }
        if (!isSwept && !isInWalk(cursor) && Date.now() >= sweepAt) {
          yield* sweep();
          isSwept = true;
        }
        if (page.asOf === null) continue; // there is more
        const mark = markOf(page.asOf);
        if (mark.length > 0) yield mark;
        else if (Date.now() >= retryAt) {
          yield [messageOf(null, cursor)];
          retryAt = Date.now() + silentMs;
        }
        await sleep(Math.max(0, asked + pollMs - Date.now()), undefined, { signal }).catch(() => {});
      }
    },
    // The keys that the walk has met.
    remember: async (session, messages) => {
      if (!isInWalk(cursor)) return;
      const puts = messages.flatMap(({ body }) => {
        const line = body.length === 0 ? null : (JSON.parse(body.toString()) as Line);
        return line?.op === 'put' ? [line] : [];
      });
      const keys = puts.map(({ table, record }) => keyHashOf(fedTable(table).key.map((name) => String(record[name]))));
      await session.query(
        'insert into import_keys (table_name, key) select * from unnest($1::text[], $2::uuid[]) on conflict do nothing',
        [puts.map(({ table }) => table), keys],
      );
    },
    release: async () => {},
    close: async () => {},
  };
};
