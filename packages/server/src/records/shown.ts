// The columns of a record as it leaves the database: in an export, and in the feed of public changes.
import type { Column, Table } from './columns.ts';

export type Columns = [name: string, column: Column][];
export const columnsOf = (table: Table, everything: boolean): Columns =>
  Object.entries(table.columns).filter(([, { audience }]) => everything || audience === 'public');

const expressionOf = (name: string, { kind, shownAs }: Column, everything: boolean): string => {
  if (!everything && shownAs !== undefined) return shownAs;
  if (kind === 'instant') return `iso(t.${name})`;
  return kind === 'bytes' ? `encode(t.${name}, 'hex')` : `t.${name}`;
};
/** The select list of a record, over a row `t`; `everything`: with the private columns. */
export const selectList = (table: Table, everything: boolean): string =>
  columnsOf(table, everything)
    .map(([name, column]) => `${expressionOf(name, column, everything)} as ${name}`)
    .join(', ');
