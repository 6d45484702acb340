// Finds, in bulk, the records that the database is sure to reject: those whose parent does not exist, and those that want
// a unique value which another row has. Each costs a statement of its own otherwise, after its part was bisected down
// to it, and there may be thousands.
import type pg from 'pg';
import type { Table } from './columns.ts';
import type { Constraint, Constraints, ForeignKey } from './constraints.ts';
import { foreignKeys } from './constraints.ts';

type Values = Readonly<Record<string, unknown>>;
/** The record at `index` wants the value of a unique constraint that the row with the key `holder` has. */
export interface Taken {
  index: number;
  constraint: Constraint;
  holder: readonly string[];
}

const equal = (a: string, b: string, columns: readonly string[], others = columns): string =>
  columns.map((column, n) => `${a}.${column} = ${b}.${others[n]}`).join(' and ');
/** The records as rows `r` with their place `n`, from 1. */
const rowsOf = ({ name }: Table): string => `rows from (json_populate_recordset(null::${name}, $1)) with ordinality r`;
const placeOf = 'r.ordinality';

/** Only these columns are sent: a record may be long. */
const narrowed = (records: readonly Values[], columns: ReadonlySet<string>): string =>
  JSON.stringify(records.map((record) => Object.fromEntries([...columns].map((name) => [name, record[name] ?? null]))));

/** Records whose unique value a row has that is not among them. A row among them may give its value away. */
export const findTaken = async (
  client: pg.Client,
  table: Table,
  records: readonly Values[],
  constraints: Constraints,
): Promise<Taken[]> => {
  const key = table.key.map((column) => `t.${column}`);
  const uniques = [...constraints.values()].filter(
    ({ kind, table: of, columns }) =>
      kind === 'unique' &&
      of === table.name &&
      columns.join() !== table.key.join() &&
      columns.every((column) => column in table.columns),
  );
  const found: Taken[] = [];
  for (const constraint of uniques) {
    const { rows } = await client.query<{ n: string; holder: string[] }>(
      `select ${placeOf} as n, array[${key.join(', ')}]::text[] as holder
       from ${rowsOf(table)}
       join ${table.name} t on ${equal('t', 'r', constraint.columns)} and not (${equal('t', 'r', table.key)})
       where not exists (select from json_populate_recordset(null::${table.name}, $1) o where ${equal('o', 't', table.key)})`,
      [narrowed(records, new Set([...table.key, ...constraint.columns]))],
    );
    found.push(...rows.map(({ n, holder }) => ({ index: Number(n) - 1, constraint, holder })));
  }
  return found;
};

/** Records whose parent does not exist. */
export const findOrphans = async (
  client: pg.Client,
  table: Table,
  records: readonly Values[],
  constraints: Constraints,
): Promise<{ index: number; reference: ForeignKey }[]> => {
  const found: { index: number; reference: ForeignKey }[] = [];
  for (const reference of foreignKeys(constraints).filter((each) => each.table === table.name)) {
    const { columns, target } = reference;
    const { rows } = await client.query<{ n: string }>(
      `select ${placeOf} as n
       from ${rowsOf(table)}
       where ${columns.map((column) => `r.${column} is not null`).join(' and ')}
         and not exists (select from ${target.table} p where ${equal('p', 'r', target.columns, columns)})`,
      [narrowed(records, new Set(columns))],
    );
    found.push(...rows.map(({ n }) => ({ index: Number(n) - 1, reference })));
  }
  return found;
};
