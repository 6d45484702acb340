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

/** Public records have no private columns. Those that decide something have a value that a public record implies. */
const implied: Readonly<Record<string, string>> = { visibility: 'public', god_mode: 'false' };
/** A table as public records are read: what they leave out is implied. */
export const asPublished = (table: Table): Table => ({
  ...table,
  columns: Object.fromEntries(
    Object.entries(table.columns).map(([name, column]) => {
      const absentAs = implied[name] ?? column.absentAs;
      return [name, absentAs === undefined ? column : { ...column, absentAs }];
    }),
  ),
});
/** The values that a public record of a table implies. */
export const impliedBy = ({ columns }: Table): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(implied).flatMap(([name, text]) =>
      name in columns ? [[name, columns[name]?.kind === 'boolean' ? text === 'true' : text]] : [],
    ),
  );
