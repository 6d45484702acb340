// Rows that exchange unique values, like two rows that swap their slugs: each change alone waits for another. The chain
// leads from a change to the row that has its value, and from there to the waiting change of that row.
import type pg from 'pg';
import type { Constraints } from '../records/constraints.ts';
import type { Put } from './change.ts';
import { readChange } from './change.ts';

const longest = 100;

/** The waiting change of the row that has a unique value which this change needs. */
const nextOf = async (
  client: pg.Client,
  constraints: Constraints,
  { table, key, record }: Put,
): Promise<Put | null> => {
  const uniques = [...constraints.values()].filter(
    ({ kind, table: of, columns }) => kind === 'unique' && of === table.name && columns.join() !== table.key.join(),
  );
  for (const { columns } of uniques) {
    if (!columns.every((column) => column in table.columns)) continue;
    const same = columns.map((column, n) => `t.${column} = $${n + 2}`).join(' and ');
    const { rows } = await client.query<{ body: Buffer }>(
      `select r.body from ${table.name} t
       join rejected_changes r on r.table_name = '${table.name}' and r.key = array[${table.key.map((name) => `t.${name}`).join()}]::text[]
       where ${same} and r.is_waiting and r.key <> $1`,
      [key, ...columns.map((column) => record[column])],
    );
    const change = rows[0] === undefined ? null : readChange(rows[0].body);
    if (change?.op === 'put') return change;
  }
  return null;
};

/** The change and those that must be applied with it; only the change itself when it exchanges no value. */
export const chainOf = async (client: pg.Client, constraints: Constraints, change: Put): Promise<Put[]> => {
  const chain = [change];
  for (let last: Put | null = change; chain.length < longest; ) {
    last = await nextOf(client, constraints, last);
    if (last === null || chain.some(({ key }) => key.join() === last?.key.join())) break;
    chain.push(last);
  }
  return chain;
};
