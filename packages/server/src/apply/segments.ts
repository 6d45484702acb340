// Puts changes together into few statements without changing what comes out: the result is that of applying them one by
// one. Within a segment only the last change of a row counts, tables are written parents first, and rows that others
// depend on are deleted last, children first.
import type { Table } from '../dataset/columns.ts';
import { tables } from '../dataset/tables.ts';
import type { Change, Delete, Put } from './change.ts';

export interface Segment {
  /** Of tables that no other refers to, by table. */
  leafDeletes: Map<Table, Delete[]>;
  puts: Map<Table, Put[]>;
  deletes: Map<Table, Delete[]>;
}

/** Tables whose rows no other row depends on: their deletes can come at any time. */
const leaves = new Set(
  `agents sponsor_members bounty_submission_makers launch_topics launch_makers launch_claps collection_contests
  collection_holders contest_submission_supporters timeline_items score_tiers`.split(/\s+/),
);
export const isLeaf = ({ name }: Table): boolean => leaves.has(name);

const loadOrder = new Map(tables.map((table, index) => [table, index]));
const placeOf = (table: Table): number => loadOrder.get(table) ?? 0;

export const rowOf = ({ table, key }: { table: Table; key: readonly string[] }): string =>
  `${table.name} ${key.join('\x1f')}`;

/**
 * Cuts a run of changes where the order matters: a put after a delete of a row on which others depend, since that
 * delete takes its children with it.
 */
export const cut = <C extends Change>(changes: readonly C[]): C[][] => {
  const parts: C[][] = [];
  let part: C[] = [];
  let hasDelete = false;
  for (const change of changes) {
    const isDelete = change.op === 'delete' && !isLeaf(change.table);
    if (hasDelete && !isDelete) {
      parts.push(part);
      part = [];
      hasDelete = false;
    }
    part.push(change);
    hasDelete ||= isDelete;
  }
  if (part.length > 0) parts.push(part);
  return parts;
};

const grouped = <C extends { table: Table }>(changes: readonly C[], direction: 1 | -1): Map<Table, C[]> =>
  new Map([...Map.groupBy(changes, ({ table }) => table)].sort(([a], [b]) => direction * (placeOf(a) - placeOf(b))));

/** One part of `cut`, as statements. */
export const segmentOf = (changes: readonly (Put | Delete)[]): Segment => {
  // A put and then a delete of a row on which others depend: both, since children may have come between.
  const last = new Map<string, Put | Delete>();
  const deletes = new Map<string, Delete>();
  for (const change of changes)
    if (change.op === 'delete' && !isLeaf(change.table)) deletes.set(rowOf(change), change);
    else last.set(rowOf(change), change);
  const kept = [...last.values()];
  return {
    leafDeletes: grouped(
      kept.filter((change) => change.op === 'delete'),
      -1,
    ),
    puts: grouped(
      kept.filter((change) => change.op === 'put'),
      1,
    ),
    deletes: grouped([...deletes.values()], -1),
  };
};
