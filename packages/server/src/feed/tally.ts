// How many changes were applied, set aside and discarded, and how many rows of each table they wrote.
import type { Table } from '../records/columns.ts';

export interface TableTally {
  inserted: number;
  changed: number;
  unchanged: number;
  deleted: number;
}
export interface Tally {
  applied: number;
  /** Changes set aside on arrival; some may have been applied since. */
  setAside: number;
  /** Changes that name erased people: discarded, or applied without them. */
  erased: number;
  tables: Map<Table, TableTally>;
}

export const sumOf = (a: TableTally | undefined, b: Partial<TableTally>): TableTally => ({
  inserted: (a?.inserted ?? 0) + (b.inserted ?? 0),
  changed: (a?.changed ?? 0) + (b.changed ?? 0),
  unchanged: (a?.unchanged ?? 0) + (b.unchanged ?? 0),
  deleted: (a?.deleted ?? 0) + (b.deleted ?? 0),
});
