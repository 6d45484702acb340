// Combines changes into few statements with the same result as applying them one by one. Within a segment only the last
// change of a row counts, tables are written parents first, and rows that others depend on are deleted last, children
// first.
import type { Table } from '../records/columns.ts';
import { tables } from '../records/tables.ts';
import type { Change, Delete, Put } from './change.ts';
import type { Relations } from './relations.ts';
import { parentsOf, rowName } from './relations.ts';

export interface Segment {
  /** The deletes in tables to which no other table refers. */
  leafDeletes: Map<Table, Delete[]>;
  puts: Map<Table, Put[]>;
  deletes: Map<Table, Delete[]>;
}

const loadOrder = new Map(tables.map((table, index) => [table, index]));
const placeOf = (table: Table): number => loadOrder.get(table) ?? 0;

export const rowOf = ({ table, key }: { table: Table; key: readonly string[] }): string => rowName(table.name, key);

/** Whether a put must run after the deletes before it, because they or their cascades reach its own row, its parent, or
 * rows that depend on its row. */
const mustFollow = (
  change: Put,
  deleted: ReadonlySet<string>,
  below: ReadonlySet<string>,
  relations: Pick<Relations, 'references' | 'parents'>,
): boolean =>
  deleted.has(rowOf(change)) ||
  (below.has(change.table.name) && relations.parents.has(change.table.name)) ||
  parentsOf(change, relations).some(({ name }) => deleted.has(name));

/** Cuts a run of changes where the order matters: before a put that does not commute with an earlier delete. */
export const partsOf = <C extends Change>(
  changes: readonly C[],
  relations: Pick<Relations, 'references' | 'goesWith' | 'parents'>,
): C[][] => {
  const parts: C[][] = [];
  let part: C[] = [];
  let [deleted, below] = [new Set<string>(), new Set<string>()];
  for (const change of changes) {
    if (change.op === 'put' && deleted.size > 0 && mustFollow(change, deleted, below, relations)) {
      parts.push(part);
      part = [];
      [deleted, below] = [new Set(), new Set()];
    }
    part.push(change);
    if (change.op !== 'delete' || !relations.parents.has(change.table.name)) continue;
    deleted.add(rowOf(change));
    for (const name of relations.goesWith.get(change.table.name) ?? []) below.add(name);
  }
  if (part.length > 0) parts.push(part);
  return parts;
};

const grouped = <C extends { table: Table }>(changes: readonly C[], direction: 1 | -1): Map<Table, C[]> =>
  new Map([...Map.groupBy(changes, ({ table }) => table)].sort(([a], [b]) => direction * (placeOf(a) - placeOf(b))));

/** One part, grouped for statements. */
export const segmentOf = (changes: readonly (Put | Delete)[], { parents }: Pick<Relations, 'parents'>): Segment => {
  // A put and then a delete of a row that others depend on: both run, since children may have been put in between.
  const last = new Map<string, Put | Delete>();
  const deletes = new Map<string, Delete>();
  for (const change of changes)
    if (change.op === 'delete' && parents.has(change.table.name)) deletes.set(rowOf(change), change);
    else last.set(rowOf(change), change);
  const lastChanges = [...last.values()];
  return {
    leafDeletes: grouped(
      lastChanges.filter((change) => change.op === 'delete'),
      -1,
    ),
    puts: grouped(
      lastChanges.filter((change) => change.op === 'put'),
      1,
    ),
    deletes: grouped([...deletes.values()], -1),
  };
};
