// What of the schema decides how changes are applied: read once, from the catalogue of PostgreSQL.
import type pg from 'pg';
import type { Table } from '../dataset/columns.ts';
import type { Catalogue, Constraint } from '../dataset/refusals.ts';
import { readCatalogue } from '../dataset/refusals.ts';
import { tables } from '../dataset/tables.ts';
import type { Put } from './change.ts';

export interface Shape {
  catalogue: Catalogue;
  /** The deferrable unique constraints: a slug may move from one row to another. */
  uniques: string;
  /** For a table, those whose rows change when one of its rows is deleted. */
  goesWith: ReadonlyMap<string, ReadonlySet<string>>;
  /** For a table, those whose rows go when the row goes that they name. */
  cascades: ReadonlyMap<string, readonly string[]>;
  /** For a table, its foreign keys. */
  references: ReadonlyMap<string, readonly Constraint[]>;
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
      select b.parent, c.conrelid from below b
      join pg_constraint c on c.confrelid = b.child and c.contype = 'f' and c.confdeltype in ('c', 'n')
    )
    select parent::regclass::text as parent, array_agg(distinct child::regclass::text) as tables from below group by 1`);
  const { rows: direct } = await client.query<{ parent: string; tables: string[] }>(`
    select confrelid::regclass::text as parent, array_agg(distinct conrelid::regclass::text) as tables
    from pg_constraint where contype = 'f' and confdeltype = 'c' group by 1`);
  const catalogue = await readCatalogue(client);
  return {
    catalogue,
    uniques: uniques.map(({ name }) => name).join(', '),
    goesWith: new Map(children.map((row) => [row.parent, new Set(row.tables)])),
    cascades: new Map(direct.map((row) => [row.parent, row.tables])),
    references: Map.groupBy(
      [...catalogue.values()].filter(({ kind }) => kind === 'foreign'),
      ({ table }) => table,
    ),
  };
};

export const tableOf = (name: string): Table | undefined => tables.find((table) => table.name === name);

/** The key of the row that a foreign key of a record names, in the order of its table's key; null: it names none. */
export const parentKey = ({ record }: Put, { columns, target }: Constraint): string[] | null => {
  const order = tableOf(target?.table ?? '')?.key ?? [];
  const values = order.map((name) => record[columns[target?.columns.indexOf(name) ?? -1] ?? '']);
  return values.every((value) => typeof value === 'string') ? (values as string[]) : null;
};

/** How a row is named where something waits for it. */
export const rowName = (table: string, key: readonly string[]): string => `${table} ${key.join('\x1f')}`;
/** Any row of the table that went with another one. */
export const cascadeName = (table: string): string => `*${table}`;
