// What import and status print: a table of numbers, the hidden rows with their reasons, and notes.
import type { Table } from '../records/columns.ts';
import type { TableVisibility } from '../visibility/reasons.ts';

/** The counts of one file. */
export interface Counts {
  read: number;
  inserted: number;
  changed: number;
  unchanged: number;
  rejected: number;
}

export interface LoadedTable {
  table: Table;
  counts: Counts;
  deleted: number;
}

type Cell = number | null;
/** Aligns names left and numbers right; null is a dash. */
const aligned = (head: readonly string[], rows: readonly (readonly [name: string, ...Cell[]])[]): string[] => {
  const texts = [head, ...rows.map((row) => row.map((cell) => (cell === null ? '-' : String(cell))))];
  const widths = head.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  return texts.map((row) =>
    row
      .map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join('  '),
  );
};

const groupLines = (
  title: string,
  kind: string,
  report: readonly TableVisibility[],
  of: (table: TableVisibility) => TableVisibility['reasons'],
): string[] => {
  const lines = report.flatMap((each) => {
    const { first, others } = of(each);
    const rest = others.kinds === 0 ? [] : [`  ${each.table}: and ${others.kinds} other ${kind}: ${others.rows} rows`];
    return [
      ...first.map(
        ({ text, rows, example }) =>
          `  ${rows} ${each.table}: ${text}; ${rows > 1 ? 'for example' : 'it is'} ${example}`,
      ),
      ...rest,
    ];
  });
  return lines.length === 0 ? [] : [title, ...lines];
};
const reasonLines = (report: readonly TableVisibility[]): string[] => [
  ...groupLines('hidden:', 'reasons', report, ({ reasons }) => reasons),
  ...groupLines('notes:', 'values', report, ({ notes }) => notes),
];

/** The report after a load: the counts of the files, and how many rows of their tables are public. */
export const loadLines = (loaded: readonly LoadedTable[], report: readonly TableVisibility[]): string[] => {
  const head = ['table', 'read', 'inserted', 'changed', 'unchanged', 'deleted', 'rejected', 'public', 'hidden'];
  const rows = loaded.map(({ table, counts, deleted }): [string, ...Cell[]] => {
    const { read, inserted, changed, unchanged, rejected } = counts;
    const seen = report.find((each) => each.table === table.name);
    return [
      table.name,
      read,
      inserted,
      changed,
      unchanged,
      deleted,
      rejected,
      seen?.public ?? null,
      seen?.hidden ?? null,
    ];
  });
  return [...aligned(head, rows), ...reasonLines(report)];
};

/** The report on the database: how many rows it has, and how many are public. */
export const statusLines = (report: readonly TableVisibility[]): string[] => [
  ...aligned(
    ['table', 'rows', 'public', 'hidden'],
    report.map(({ table, rows, public: shown, hidden }): [string, ...Cell[]] => [table, rows, shown, hidden]),
  ),
  ...reasonLines(report),
];
