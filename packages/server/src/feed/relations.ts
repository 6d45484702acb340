// The parts of the schema that decide how changes are applied, read once from the system catalogs of PostgreSQL.
import type pg from 'pg';
import type { Constraints, ForeignKey } from '../records/constraints.ts';
import { foreignKeys, readConstraints } from '../records/constraints.ts';
import { tableNamed } from '../records/records.ts';
import { tables } from '../records/tables.ts';
import type { Put } from './change.ts';

export interface Relations {
  constraints: Constraints;
  /** The deferrable unique constraints, as a list for SQL: a slug may move from one row to another. */
  uniques: string;
  /** Tables that others refer to. Deletes from any other table can run at any time. */
  parents: ReadonlySet<string>;
  /** For each table, the tables whose rows change when one of its rows is deleted. */
  goesWith: ReadonlyMap<string, ReadonlySet<string>>;
  /** For each table, the tables whose rows are deleted with the row that they refer to. */
  cascades: ReadonlyMap<string, readonly string[]>;
  /** For each table, its foreign keys. */
  references: ReadonlyMap<string, readonly ForeignKey[]>;
}

export const readRelations = async (client: pg.Client): Promise<Relations> => {
  const { rows: uniques } = await client.query<{ name: string }>(
    `select quote_ident(conname) as name from pg_constraint
     where contype = 'u' and condeferrable and connamespace = 'public'::regnamespace order by 1`,
  );
  const constraints = await readConstraints(client);
  const references = foreignKeys(constraints);
  const childrenOf = (parent: string, kinds: string): string[] =>
    references
      .filter(({ target }) => target.table === parent && kinds.includes(target.onDelete))
      .map((key) => key.table);
  const below = (parent: string, found = new Set<string>()): Set<string> => {
    for (const child of childrenOf(parent, 'cn')) if (!found.has(child)) below(child, found.add(child));
    return found;
  };
  return {
    constraints,
    uniques: uniques.map(({ name }) => name).join(', '),
    parents: new Set(references.map(({ target }) => target.table)),
    goesWith: new Map(tables.map(({ name }) => [name, below(name)])),
    cascades: new Map(tables.map(({ name }) => [name, childrenOf(name, 'c')])),
    references: Map.groupBy(references, ({ table }) => table),
  };
};

/** The name of a row in waits_for. */
export const rowName = (table: string, key: readonly string[]): string => `${table} ${key.join('\x1f')}`;
/** The name in waits_for of any row of the table that a cascade deletes. */
export const cascadeName = (table: string): string => `*${table}`;

interface Parent {
  reference: ForeignKey;
  table: string;
  /** In the order of its table's key. */
  key: string[];
  name: string;
}
/** The parent rows that a put refers to. */
export const parentsOf = ({ table: own, record }: Put, { references }: Pick<Relations, 'references'>): Parent[] =>
  (references.get(own.name) ?? []).flatMap((reference) => {
    const { columns, target } = reference;
    const values = tableNamed(target.table).key.map((name) => record[columns[target.columns.indexOf(name)] ?? '']);
    if (!values.every((value) => typeof value === 'string')) return [];
    const key = values as string[];
    return [{ reference, table: target.table, key, name: rowName(target.table, key) }];
  });
