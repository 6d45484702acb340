// The statements that apply changes: many rows of one table at once, as one JSON parameter.

import { remembered } from '../db/sql.ts';
import type { Table } from '../records/columns.ts';
import { mergeInto } from '../records/merge.ts';
import type { Delete, Put } from './change.ts';

interface Statement {
  name: string;
  text: string;
  values: unknown[];
}
const putText = remembered((table: Table) => mergeInto(table, `json_populate_recordset(null::${table.name}, $1)`));
const deleteText = remembered(
  ({ name, key }: Table) => `
    delete from ${name} t using json_populate_recordset(null::${name}, $1) k
    where ${key.map((column) => `t.${column} = k.${column}`).join(' and ')}`,
);

/** Upserts rows; a row that does not differ is not written. */
export const putStatement = (table: Table, puts: readonly Put[]): Statement => {
  const columns = Object.entries(table.columns);
  const rows = puts.map(({ record }) =>
    Object.fromEntries(columns.map(([name, { absentAs = null }]) => [name, record[name] ?? absentAs])),
  );
  return { name: `put ${table.name}`, text: putText(table), values: [JSON.stringify(rows)] };
};

/** Deletes rows by key. A missing row is not an error. */
export const deleteStatement = (table: Table, deletes: readonly Delete[]): Statement => {
  const keys = deletes.map(({ key }) => Object.fromEntries(table.key.map((column, n) => [column, key[n]])));
  return { name: `delete ${table.name}`, text: deleteText(table), values: [JSON.stringify(keys)] };
};
