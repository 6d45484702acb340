// Export: tables as compressed NDJSON, the public ones as Parquet too, all from one snapshot. The public dataset has
// only columns marked public, and only rows that are public. Columns that are not in tables.ts are never exported.
import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ColumnSource } from 'hyparquet-writer';
import { fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { nonceSql } from '../changes/cursor.ts';
import type { Column, Table } from '../records/columns.ts';
import { readLines } from '../records/lines.ts';
import type { Columns } from '../records/shown.ts';
import { columnsOf, selectList } from '../records/shown.ts';

export interface ExportedFile {
  file: string;
  table: string;
  rows: number;
  bytes: number;
  sha256: string;
}

/** Whether a table is part of an export at all. */
export const isExported = (table: Table, everything: boolean): boolean => everything || table.publicRows !== null;

/** One JSON document per row, in key order, so that equal data gives equal bytes. */
const selectOf = (table: Table, everything: boolean): string => `
  select row_to_json(r)
  from (
    select ${selectList(table, everything)}
    from ${table.name} t
    where ${everything ? 'true' : table.publicRows}
    order by ${table.key.map((name) => `t.${name}`).join(', ')}
  ) r`;

const digestOf = async (path: string): Promise<string> => {
  const hash: Hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
};

const parquetType = {
  text: 'STRING',
  bytes: 'STRING',
  integer: 'INT64',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  instant: 'TIMESTAMP',
  json: 'JSON',
} as const;
const rowGroup = 10_000;

const parquetFile = (path: string, columns: Columns) => {
  const values = new Map<string, unknown[]>(columns.map(([name]) => [name, []]));
  const sources = (): ColumnSource[] =>
    columns.map(
      ([name, { kind, nullable }]) =>
        ({ name, type: parquetType[kind], nullable, data: values.get(name) ?? [] }) as ColumnSource,
    );
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: schemaFromColumnData({ columnData: sources() }),
  });
  const convert = (kind: Column['kind'], value: unknown): unknown => {
    if (value === null) return null;
    if (kind === 'integer') return BigInt(value as number);
    return kind === 'instant' ? new Date(value as string) : value;
  };
  let pending = 0;
  const flush = async () => {
    if (pending === 0) return;
    await writer.write({ columnData: sources(), rowGroupSize: rowGroup });
    for (const name of values.keys()) values.set(name, []);
    pending = 0;
  };
  return {
    add: async (row: Record<string, unknown>) => {
      for (const [name, { kind }] of columns) values.get(name)?.push(convert(kind, row[name]));
      pending += 1;
      if (pending === rowGroup) await flush();
    },
    finish: async () => {
      await flush();
      await writer.finish();
    },
  };
};

/** Writes one table into a folder. The client is inside the transaction whose snapshot all tables share. */
export const exportTable = async (
  client: pg.Client,
  table: Table,
  folder: string,
  everything: boolean,
): Promise<ExportedFile[]> => {
  // Quote and delimiter are bytes that JSON always escapes, so each row comes out unchanged, one per line.
  const options = `(format csv, quote e'\\x01', delimiter e'\\x02')`;
  const stream = client.query(copyTo(`copy (${selectOf(table, everything)}) to stdout ${options}`));
  const names = { ndjson: `${table.name}.ndjson.gz`, parquet: `${table.name}.parquet` };
  const gzip = createGzip();
  const file = gzip.pipe(createWriteStream(join(folder, names.ndjson)));
  const parquet = everything ? null : parquetFile(join(folder, names.parquet), columnsOf(table, everything));
  let rows = 0;
  for await (const { bytes } of readLines(stream).lines) {
    if (bytes === null) throw new Error(`a row of ${table.name} is longer than a record may be`);
    rows += 1;
    if (!gzip.write(bytes)) await once(gzip, 'drain');
    await parquet?.add(JSON.parse(bytes.toString()) as Record<string, unknown>);
  }
  gzip.end();
  await finished(file);
  await parquet?.finish();
  const written = parquet === null ? [names.ndjson] : [names.ndjson, names.parquet];
  return Promise.all(
    written.map(async (name) => {
      const path = join(folder, name);
      return { file: name, table: table.name, rows, bytes: statSync(path).size, sha256: await digestOf(path) };
    }),
  );
};

export interface Position {
  schemaVersion: string;
  time: string;
  wal: string;
  /** Where /changes continues after this snapshot. */
  changes: string;
}
/** Opens the snapshot of an export and returns its position. */
export const openSnapshot = async (client: pg.Client): Promise<Position> => {
  await client.query('begin isolation level repeatable read read only');
  const { rows } = await client.query<Position>(`
    select
      (select max(name) from schema_migrations) as "schemaVersion",
      iso(api_now()) as time,
      (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end)::text as wal,
      (select c.id || '-' || ${nonceSql} from lists.changes c order by c.id desc limit 1) as changes`);
  if (rows[0] === undefined) throw new Error('a statement that must return a row returned none');
  return rows[0];
};
