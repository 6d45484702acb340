// Compares the contents of a database with the naive model of a platform (platform.ts).
import assert from 'node:assert/strict';
import type pg from 'pg';
import type { openPlatform } from '../../../../test/helpers/platform.ts';
import { kinds } from '../../../../test/helpers/platform.ts';
import { tables } from '../../src/records/tables.ts';

type Platform = Pick<ReturnType<typeof openPlatform>, 'model' | 'rejected'>;
/** Rows that a test adds for itself; the model does not have them. */
const isWatched = (key: string): boolean => key.startsWith('watch');

export const assertSameState = async (client: pg.Client, { model, rejected }: Platform): Promise<void> => {
  for (const [name, rows] of model) {
    const { columns } = tables.find((table) => table.name === name)!;
    const list = Object.entries(columns).map(([column, { kind }]) =>
      kind === 'instant' ? `iso(${column}) as ${column}` : column,
    );
    const { rows: stored } = await client.query<{ row: Record<string, unknown> }>(
      `select row_to_json(r) as row from (select ${list.join(', ')} from ${name}) r`,
    );
    const keyOf = (row: Record<string, unknown>) => kinds[name]!.key.map((column) => String(row[column])).join(' ');
    const found = new Map(stored.map(({ row }) => [keyOf(row), row] as const).filter(([key]) => !isWatched(key)));
    assert.deepEqual([...found.keys()].sort(), [...rows.keys()].sort(), `the rows of ${name}`);
    for (const [key, row] of rows) assert.deepEqual(found.get(key), row, `${name} ${key}`);
  }
  const { rows: kept } = await client.query<{ row: string; reason: string }>(
    `select table_name || ' ' || array_to_string(key, ' ') as row, reason from rejected_changes`,
  );
  const left = kept.map(({ row }) => row).filter((row) => !isWatched(row.split(' ')[1]!));
  assert.deepEqual(left.sort(), [...rejected].sort(), JSON.stringify(kept.slice(0, 5)));
};
