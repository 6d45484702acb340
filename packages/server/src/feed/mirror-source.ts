// /changes of another Commonhall as a source of changes: a mirror. A line is a message, or several. The id of a message is
// the cursor to come again with: that of its page, or for the last one of a page the next. Lines that come again change
// nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { changesUrl } from '@commonhall/contract/url';
import type pg from 'pg';
import { fed, fedTable } from '../changes/below.ts';
import { readCursor } from '../changes/cursor.ts';
import { keyHashOf, keyHashSql } from '../records/keys.ts';
import { impliedBy } from '../records/shown.ts';
import type { FeedLog, Message, Source } from './source.ts';
import { FollowerProblem } from './source.ts';

/** Between two requests, unless the page was long: then there is probably more. */
const pollMs = 1000;
const longPage = 500;
const answerMs = 60_000;
/** Between two looks for people whom no row names any more: at least this, and twenty times as long as one takes. */
const sweepMs = 5000;
const mostRows = 1000;

interface Page {
  lines: string[];
  next: string;
  asOf: string | null;
}
type Line =
  | { op: 'put'; table: string; record: Record<string, unknown> }
  | { op: 'delete'; table: string; key: Record<string, string> }
  | { op: 'erase'; sha256: string };

/** A page; null: the origin does not know the cursor any more. */
const fetchPage = async (origin: string, since: string | null, signal: AbortSignal): Promise<Page | null> => {
  for (;;) {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
    const response = await fetch(changesUrl(origin, since ?? undefined), { signal: limit });
    const text = await response.text();
    if (response.status === 410) return null;
    if (response.status === 429 || response.status === 503) {
      await sleep(1000 * Math.min(60, Number(response.headers.get('retry-after') ?? 1)), undefined, { signal });
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

  const messageOf = (change: object | null, id: string): Message => {
    const body = Buffer.from(change === null ? '' : JSON.stringify(change));
    return { sequence: ++sequence, id, at: '', xid: null, body };
  };
  const batchOf = (changes: readonly object[]): Message[] => changes.map((one) => messageOf(one, cursor ?? ''));

  /** Deletes the rows that a condition selects, in batches. */
  async function* remove(table: string, where: string, values: unknown[]): AsyncGenerator<Message[]> {
    const key = fedTable(table)
      .key.map((name) => `'${name}', t.${name}`)
      .join(', ');
    for (let before = ''; ; ) {
      const { rows } = await client.query<{ key: object }>(
        `select json_build_object(${key}) as key from ${table} t where ${where} order by 1::text limit ${mostRows}`,
        values,
      );
      if (rows.length === 0) return;
      if (JSON.stringify(rows) === before)
        throw new Error(`rows of ${table} cannot be deleted: ${before.slice(0, 200)}`);
      before = JSON.stringify(rows);
      yield batchOf(rows.map((row) => ({ op: 'delete', table, key: row.key })));
    }
  }

  /** The rows that a line may name besides one; null: it is a change of one row. */
  const removedBy = (line: Line): AsyncGenerator<Message[]> | null => {
    if (line.op === 'put') return null;
    if (line.op === 'erase')
      return remove('users', `sha256(convert_to(t.id, 'UTF8')) = decode($1, 'hex')`, [line.sha256]);
    const names = Object.keys(line.key);
    if (fedTable(line.table).key.every((name) => names.includes(name))) return null;
    return remove(line.table, names.map((name, n) => `t.${name} = $${n + 1}`).join(' and '), Object.values(line.key));
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

  /** A user whom no row names is not public. */
  async function* sweep(): AsyncGenerator<Message[]> {
    const began = Date.now();
    yield* remove('users', `not ${fedTable('users').publicRows}`, []);
    sweepAt = Date.now() + Math.max(sweepMs, 20 * (Date.now() - began));
  }

  return {
    begin: async (position, session) => {
      client = session;
      if (position.stream !== null && position.stream !== origin)
        throw new FollowerProblem(
          `this database follows ${position.stream}, and not ${origin}: a mirror needs a database of its own`,
        );
      cursor = position.messageId || from;
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
          cursor = null;
          continue;
        }
        if (cursor === null) await client.query('delete from import_keys');
        if (page.next !== cursor) {
          const wasInWalk = isInWalk(cursor);
          yield* batchesOf(page);
          [cursor, isSwept] = [page.next, false];
          if (wasInWalk || page.lines.length >= longPage) continue;
          await sleep(Math.max(0, asked + pollMs - Date.now()), undefined, { signal }).catch(() => {});
          continue;
        }
        if (!isSwept && Date.now() >= sweepAt) {
          yield* sweep();
          isSwept = true;
        }
        if (page.asOf !== null) yield batchOf([{ op: 'mark', at: page.asOf }]);
        await sleep(pollMs, undefined, { signal }).catch(() => {});
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
