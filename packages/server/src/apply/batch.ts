// Applies changes in order, inside a transaction that holds the writer lock: many at once where that gives the same
// result, and in ever smaller parts where the database refuses some. What cannot be applied is set aside with its reason.
import type pg from 'pg';
import type { Table } from '../dataset/columns.ts';
import type { Merged } from '../dataset/merge.ts';
import type { WithoutErased } from '../dataset/people.ts';
import { readErased } from '../dataset/people.ts';
import type { Catalogue } from '../dataset/refusals.ts';
import { databaseProblem, isDataError, readCatalogue } from '../dataset/refusals.ts';
import { chainOf } from './chain.ts';
import type { Change, Delete, Put, Row, Wrong } from './change.ts';
import { nothing, readChange } from './change.ts';
import type { Refusal } from './rejected.ts';
import { forgetRejected, hasRejected, storeRejected, waitingFor } from './rejected.ts';
import { restrict } from './restrict.ts';
import { cut, rowOf, segmentOf } from './segments.ts';
import { deleteStatement, putStatement } from './statements.ts';

interface TableTally {
  inserted: number;
  changed: number;
  unchanged: number;
  deleted: number;
}
export interface Tally {
  applied: number;
  /** Set aside when they came; some may have been applied since. */
  rejected: number;
  /** That name erased people: not taken, or without them. */
  erased: number;
  tables: Map<Table, TableTally>;
}
export interface Applier {
  /** Applies changes until the deadline, at least one part of them; returns how many are done. */
  apply: (changes: readonly Change[], deadline: number) => Promise<number>;
  /** Tries again what was set aside. */
  retry: (bodies: readonly Buffer[], deadline: number) => Promise<void>;
  tally: Tally;
}
type Outcome = { touched: string[] } | { refusal: Refusal };

/** Waiting changes that are tried again for one part. */
const retriesAtOnce = 200;

/** What of the schema decides how changes are applied. */
export interface Shape {
  catalogue: Catalogue;
  /** The deferrable unique constraints: a slug may move from one row to another. */
  uniques: string;
  /** For a table, those whose rows change when one of its rows is deleted. */
  goesWith: ReadonlyMap<string, readonly string[]>;
}
export const readShape = async (client: pg.Client): Promise<Shape> => {
  const { rows: uniques } = await client.query<{ name: string }>(
    `select quote_ident(conname) as name from pg_constraint
     where contype = 'u' and condeferrable and connamespace = 'public'::regnamespace order by 1`,
  );
  const { rows: children } = await client.query<{ parent: string; tables: string[] }>(`
    with recursive below as (
      select confrelid as parent, conrelid as child from pg_constraint where contype = 'f' and confdeltype in ('c', 'n')
      union
      select b.parent, c.conrelid from below b join pg_constraint c on c.confrelid = b.child and c.contype = 'f'
    )
    select parent::regclass::text as parent, array_agg(distinct child::regclass::text) as tables from below group by 1`);
  return {
    catalogue: await readCatalogue(client),
    uniques: uniques.map(({ name }) => name).join(', '),
    goesWith: new Map(children.map(({ parent, tables }) => [parent, tables])),
  };
};

const sumOf = (a: TableTally | undefined, b: Partial<TableTally>): TableTally => ({
  inserted: (a?.inserted ?? 0) + (b.inserted ?? 0),
  changed: (a?.changed ?? 0) + (b.changed ?? 0),
  unchanged: (a?.unchanged ?? 0) + (b.unchanged ?? 0),
  deleted: (a?.deleted ?? 0) + (b.deleted ?? 0),
});

/** For one transaction. The client has begun it and holds the writer lock. */
export const openApplier = async (client: pg.Client, shape: Shape): Promise<Applier> => {
  const { catalogue, uniques, goesWith } = shape;
  const tally: Tally = { applied: 0, rejected: 0, erased: 0, tables: new Map() };
  const withoutErased: WithoutErased = await readErased(client);
  let someRejected = await hasRejected(client);
  await client.query(`set constraints ${uniques} deferred`);

  const setAside = async (change: Change, refusal: Refusal): Promise<void> => {
    tally.rejected += 1;
    someRejected = true;
    await storeRejected(client, change, refusal);
    await restrict(client, change);
  };

  const write = async (valid: readonly (Put | Delete)[]): Promise<Map<Table, TableTally>> => {
    const { leafDeletes, puts, deletes } = segmentOf(valid);
    const written = new Map<Table, TableTally>();
    const note = (table: Table, counts: Partial<TableTally>) => written.set(table, sumOf(written.get(table), counts));
    const remove = async (groups: Map<Table, Delete[]>) => {
      for (const [table, rows] of groups)
        note(table, { deleted: (await client.query(deleteStatement(table, rows))).rowCount ?? 0 });
    };
    await remove(leafDeletes);
    for (const [table, rows] of puts) {
      const { inserted = 0, changed = 0 } = (await client.query<Merged>(putStatement(table, rows))).rows[0] ?? {};
      note(table, { inserted, changed, unchanged: rows.length - inserted - changed });
    }
    await remove(deletes);
    // Looked at now, where it can still be undone; later parts may move values again.
    if (puts.size > 0) await client.query(`set constraints ${uniques} immediate; set constraints ${uniques} deferred`);
    return written;
  };

  /** What a part may have made possible. */
  const touchedBy = (valid: readonly (Put | Delete)[]): string[] => {
    const touched = new Set<string>();
    for (const change of valid) {
      const { name } = change.table;
      touched.add(name);
      if (change.op === 'put') touched.add(rowOf(change));
      else for (const below of goesWith.get(name) ?? []) touched.add(below);
    }
    return [...touched];
  };

  /** Sets aside the wrong changes of a part that was applied, but for those whose row has a good one after them. */
  const keepWrong = async (part: readonly Change[]): Promise<void> => {
    const replaced = new Set<string>();
    const kept: Wrong[] = [];
    for (const change of part.toReversed()) {
      const row = change.table === null || change.key === null ? null : rowOf(change as Row);
      if (change.op !== 'wrong') {
        if (row !== null) replaced.add(row);
      } else if (row === null || !replaced.has(row)) kept.unshift(change);
      else tally.rejected += 1;
    }
    for (const change of kept) {
      const { table, key, asked, body, reason } = change;
      // Whatever else is wrong with it: a delete whose key can be read deletes.
      if (asked === 'delete' && table !== null && key !== null) await attempt([{ op: 'delete', table, key, body }]);
      await setAside(change, { reason, waitsFor: null });
    }
  };

  /** All of a part, or nothing of it. */
  const attempt = async (part: readonly Change[]): Promise<Outcome> => {
    const valid = part.filter((change) => change.op === 'put' || change.op === 'delete');
    await client.query('savepoint part');
    try {
      if (someRejected) await forgetRejected(client, part);
      const written = await write(valid);
      await client.query('release savepoint part');
      for (const [table, counts] of written) tally.tables.set(table, sumOf(tally.tables.get(table), counts));
    } catch (error) {
      if (!isDataError(error)) throw error;
      await client.query('rollback to savepoint part');
      const [only] = valid;
      if (only === undefined || valid.length > 1) return { refusal: { reason: '', waitsFor: null } };
      const record = only.op === 'put' ? only.record : {};
      const { text, waitsFor } = databaseProblem(error, only.table, record, catalogue);
      return { refusal: { reason: text, waitsFor } };
    }
    tally.applied += valid.length;
    await keepWrong(part);
    return { touched: touchedBy(valid) };
  };

  /** A change as it may be taken: nothing, when it belongs to an erased person. */
  const taken = (change: Change): Change => {
    if (change.op === 'delete' || change.table === null) return change;
    const record = withoutErased(change.table, change.record);
    if (record === change.record) return change;
    tally.erased += 1;
    if (record === null) return nothing(change.body);
    // What is set aside must not have them either.
    return { ...change, record, body: Buffer.from(JSON.stringify({ op: 'put', table: change.table.name, record })) };
  };

  /** Tries bodies again, each by itself; returns what that may have made possible. */
  const tryAgain = async (bodies: readonly Buffer[], deadline: number): Promise<string[]> => {
    const touched: string[] = [];
    for (const body of bodies) {
      if (Date.now() > deadline) break;
      const read = readChange(body);
      if (read.op === 'mark') continue;
      const change = taken(read);
      const outcome = await attempt([change]);
      if ('refusal' in outcome) await storeRejected(client, change, outcome.refusal);
      else touched.push(...outcome.touched);
    }
    return touched;
  };
  const release = async (touched: readonly string[], deadline: number): Promise<void> => {
    for (let tokens = touched; someRejected && tokens.length > 0 && Date.now() < deadline; ) {
      const bodies = await waitingFor(client, tokens, retriesAtOnce);
      tokens = bodies.length === 0 ? [] : await tryAgain(bodies, deadline);
    }
  };

  const applyPart = async (part: readonly Change[], deadline: number, done: number): Promise<number> => {
    if (done > 0 && Date.now() > deadline) return 0;
    const outcome = await attempt(part);
    if ('touched' in outcome) {
      await release(outcome.touched, deadline);
      return part.length;
    }
    const [only] = part;
    if (part.length === 1 && only !== undefined) {
      await setAside(only, outcome.refusal);
      const chain = only.op === 'put' ? await chainOf(client, catalogue, only) : [];
      const together = chain.length > 1 ? await attempt(chain) : outcome;
      if ('touched' in together) await release(together.touched, deadline);
      return 1;
    }
    const half = Math.ceil(part.length / 2);
    const first = await applyPart(part.slice(0, half), deadline, done);
    return first < half ? first : first + (await applyPart(part.slice(half), deadline, done + first));
  };

  return {
    tally,
    apply: async (changes, deadline) => {
      let done = 0;
      for (const part of cut(changes.map(taken))) {
        const count = await applyPart(part, deadline, done);
        done += count;
        if (count < part.length) break;
      }
      return done;
    },
    retry: async (bodies, deadline) => {
      await release(await tryAgain(bodies, deadline), deadline);
    },
  };
};
