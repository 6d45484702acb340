// The manifest of a folder for --prune: the table of each file and its number of records. Read before anything is
// loaded; all its problems are reported at once.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Table } from '../records/columns.ts';
import { parseSnapshot } from '../records/snapshot.ts';
import { tables } from '../records/tables.ts';
import type { RecordSource } from './sources.ts';
import { fileSource, inLoadOrder, recordFile } from './sources.ts';

export interface Manifest {
  /** pg_current_snapshot() of the platform's database when the files were written. */
  snapshot: string | null;
  sources: RecordSource[];
  /** The number of records that each table must have. */
  rows: ReadonlyMap<Table, number>;
}

/**
 * Tables that the platform need not send: the operator's own keys, and the sample tiers. A folder may leave them out,
 * they are never pruned, and they can be loaded while a stream is followed.
 */
export const optionalTables: readonly string[] = ['api_keys', 'score_tiers'];
export const prunedTables: readonly Table[] = tables.filter(({ name }) => !optionalTables.includes(name));

const example = '{ "snapshot": "10:20:10,14", "files": [{ "file": "users.ndjson", "table": "users", "rows": 12 }, …] }';

const parse = (path: string): Record<string, unknown> => {
  if (!existsSync(path)) throw new Error(`there is no ${path}; --prune needs it: ${example}`);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || !('files' in value) || !Array.isArray(value.files))
    throw new Error(`${path} must be an object with a list of files: ${example}`);
  return value as Record<string, unknown>;
};

/** @param followed the stream that changes come from, or null. */
export const readManifest = (folder: string, followed: string | null): Manifest => {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Error(`--prune needs a folder with manifest.json; ${folder} is not a folder`);
  const { snapshot = null, files } = parse(join(folder, 'manifest.json'));
  const problems: string[] = [];
  const found: RecordSource[] = [];
  const rows = new Map<Table, number>();

  for (const [index, entry] of (files as unknown[]).entries()) {
    const { file, table: name, rows: count } = (entry ?? {}) as Record<string, unknown>;
    const label = typeof file === 'string' ? file : `file ${index + 1}`;
    const table = tables.find((each) => each.name === name);
    const isFile = typeof file === 'string' && basename(file) === file && recordFile.test(file);
    if (!isFile) problems.push(`${label}: file must be the name of a *.ndjson or *.ndjson.gz in the folder`);
    else if (!existsSync(join(folder, file))) problems.push(`${label}: there is no such file`);
    else if (table !== undefined) found.push(fileSource(table, join(folder, file)));
    if (table === undefined) problems.push(`${label}: there is no table ${String(name)}`);
    else if (rows.has(table)) problems.push(`${label}: the table ${table.name} is listed a second time`);
    if (!Number.isSafeInteger(count) || (count as number) < 0)
      problems.push(`${label}: rows must be the number of its records`);
    if (table !== undefined) rows.set(table, count as number);
  }
  for (const table of prunedTables)
    if (!rows.has(table))
      problems.push(`the table ${table.name} is not listed; if it has no rows, list an empty file with "rows": 0`);
  const listed = new Set((files as { file?: unknown }[]).map((entry) => entry?.file));
  for (const file of readdirSync(folder))
    if (recordFile.test(file) && !listed.has(file)) problems.push(`${file} is in the folder, and not listed`);
  if (snapshot !== null && parseSnapshot(snapshot) === null)
    problems.push('snapshot must be pg_current_snapshot() of the platform, in the form xmin:xmax:xip,…');
  if (snapshot === null && followed !== null)
    problems.push(
      `a stream is followed (${followed}): the manifest must have the snapshot of the platform's database at which the files were written`,
    );
  if (problems.length > 0)
    throw new Error(
      [`manifest.json is not valid; nothing was loaded:`, ...problems.map((text) => `  ${text}`)].join('\n'),
    );
  return { snapshot: snapshot as string | null, sources: inLoadOrder(found), rows };
};
