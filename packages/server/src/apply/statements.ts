// The statements that apply changes: many rows of one table at once, as one JSON parameter.
import type { Table } from '../dataset/columns.ts';
import { mergeInto } from '../dataset/merge.ts';
import type { Delete, Put } from './change.ts';

interface Statement {
  name: string;
  text: string;
  values: unknown[];
}
const texts = new Map<string, string>();
const remember = (name: string, make: () => string): string => {
  const known = texts.get(name) ?? make();
  texts.set(name, known);
  return known;
};

/** Inserts rows, or writes them over; those that do not differ are left alone. */
export const putStatement = (table: Table, puts: readonly Put[]): Statement => {
  const columns = Object.entries(table.columns);
  const rows = puts.map(({ record }) =>
    Object.fromEntries(columns.map(([name, { absentAs = null }]) => [name, record[name] ?? absentAs])),
  );
  const name = `put ${table.name}`;
  const text = remember(name, () => mergeInto(table, `json_populate_recordset(null::${table.name}, $1)`));
  return { name, text, values: [JSON.stringify(rows)] };
};

/** A key that is not there is no problem: the row is gone. */
export const deleteStatement = (table: Table, deletes: readonly Delete[]): Statement => {
  const name = `delete ${table.name}`;
  const text = remember(
    name,
    () => `
      delete from ${table.name} t using json_populate_recordset(null::${table.name}, $1) k
      where ${table.key.map((column) => `t.${column} = k.${column}`).join(' and ')}`,
  );
  const keys = deletes.map(({ key }) => Object.fromEntries(table.key.map((column, n) => [column, key[n]])));
  return { name, text, values: [JSON.stringify(keys)] };
};
