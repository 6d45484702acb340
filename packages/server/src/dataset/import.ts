// Import: records stream through COPY into a staging table, and from there in batches into the table, insert or update
// by primary key. Each batch and its checkpoint are one transaction, so that a killed import goes on where it was.
import type { Readable } from 'node:stream';
import { Readable as ReadableStream } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Table } from './columns.ts';
import { readLines } from './lines.ts';
import type { Parsed, Rejected } from './records.ts';
import { recordReader } from './records.ts';

export interface Counts {
  read: number;
  loaded: number;
  rejected: number;
}
export interface ImportOptions {
  /** One transaction for everything, rolled back at the end (dry run) or when one record is refused (strict). */
  oneTransaction: boolean;
  onRejected: (table: Table, rejected: Rejected) => void;
  onProgress: (table: Table, counts: Counts) => void;
}

/** Records in one batch: large enough for COPY to pay, small enough for memory and to hold the writer lock briefly. */
const batchRecords = 5000;
const batchBytes = 8 * 1024 * 1024;

const columnsOf = ({ columns }: Table): string => Object.keys(columns).join(', ');

const stageStatement = (table: Table): string =>
  `create temp table if not exists stage_${table.name} as select ${columnsOf(table)} from ${table.name} with no data`;

/** Writes only rows that differ, so that a repeated import changes nothing. */
const mergeStatement = (table: Table): string => {
  const others = Object.keys(table.columns).filter((name) => !table.key.includes(name));
  const list = (prefix: string) => others.map((name) => prefix + name).join(', ');
  const update = `update set ${others.map((name) => `${name} = excluded.${name}`).join(', ')}
    where (${list(`${table.name}.`)}) is distinct from (${list('excluded.')})`;
  return `
    insert into ${table.name} (${columnsOf(table)})
    select ${columnsOf(table)} from stage_${table.name}
    on conflict (${table.key.join(', ')}) do ${others.length === 0 ? 'nothing' : update}`;
};

/** Loads records, or throws away the smallest part that the database refuses: one record, with its reason. */
const load = async (
  client: pg.Client,
  table: Table,
  records: Parsed[],
  refuse: (rejected: Rejected) => void,
): Promise<number> => {
  if (records.length === 0) return 0;
  await client.query('savepoint part');
  try {
    await client.query(`truncate stage_${table.name}`);
    const stream = client.query(copyFrom(`copy stage_${table.name} (${columnsOf(table)}) from stdin`));
    await pipeline(ReadableStream.from([Buffer.from(`${records.map(({ copy }) => copy).join('\n')}\n`)]), stream);
    await client.query(mergeStatement(table));
    await client.query('release savepoint part');
    return records.length;
  } catch (error) {
    const { code, message, constraint } = error as Error & { code?: string; constraint?: string };
    // Only what is wrong with the data (classes 22 and 23, and our own refusals) can be one record's fault.
    if (code === undefined || !/^(22|23|42|54)/.test(code)) throw error;
    await client.query('rollback to savepoint part');
    if (records.length === 1) {
      const [{ line, key }] = records as [Parsed];
      refuse({ line, key, reason: constraint === undefined ? message : `${message} (${constraint})` });
      return 0;
    }
    const half = Math.floor(records.length / 2);
    return (
      (await load(client, table, records.slice(0, half), refuse)) +
      (await load(client, table, records.slice(half), refuse))
    );
  }
};

/** The records whose key the file has not had yet; the others are refused. */
const onlyFirst = async (
  client: pg.Client,
  table: Table,
  records: Parsed[],
  refuse: (rejected: Rejected) => void,
): Promise<Parsed[]> => {
  const { rows } = await client.query<{ key: string }>(
    `insert into import_keys (table_name, key)
     select $1, k from unnest($2::uuid[]) k
     on conflict do nothing
     returning replace(key::text, '-', '') as key`,
    [table.name, [...new Set(records.map(({ keyHash }) => keyHash))]],
  );
  const fresh = new Set(rows.map(({ key }) => key));
  return records.filter(({ line, key, keyHash }) => {
    if (fresh.delete(keyHash)) return true;
    refuse({ line, key, reason: 'the key stands in the file a second time' });
    return false;
  });
};

interface Checkpoint {
  bytes: number;
  lines: number;
  digest: string;
  loaded: number;
  rejected: number;
}
const readCheckpoint = async (client: pg.Client, table: Table): Promise<Checkpoint | null> => {
  const { rows } = await client.query<Record<keyof Checkpoint, string>>(
    'select bytes, lines, digest, loaded, rejected from import_checkpoints where table_name = $1',
    [table.name],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { bytes, lines, loaded, rejected } = row;
  return {
    digest: row.digest,
    bytes: Number(bytes),
    lines: Number(lines),
    loaded: Number(loaded),
    rejected: Number(rejected),
  };
};
const writeCheckpoint = async (client: pg.Client, table: Table, checkpoint: Checkpoint): Promise<void> => {
  const { bytes, lines, digest, loaded, rejected } = checkpoint;
  await client.query(
    `insert into import_checkpoints (table_name, bytes, lines, digest, loaded, rejected) values ($1, $2, $3, $4, $5, $6)
     on conflict (table_name) do update
     set bytes = excluded.bytes, lines = excluded.lines, digest = excluded.digest, loaded = excluded.loaded, rejected = excluded.rejected`,
    [table.name, bytes, lines, digest, loaded, rejected],
  );
};

/** Forgets what an unfinished import of this table had reached. */
const forget = async (client: pg.Client, table: Table): Promise<void> => {
  await client.query('delete from import_checkpoints where table_name = $1', [table.name]);
  await client.query('delete from import_keys where table_name = $1', [table.name]);
};

const importFrom = async (
  client: pg.Client,
  table: Table,
  source: Readable,
  checkpoint: Checkpoint | null,
  options: ImportOptions,
): Promise<Counts | 'ANOTHER_FILE'> => {
  const counts: Counts = { read: 0, loaded: 0, rejected: 0 };
  const read = recordReader(table);
  const refuse = (rejected: Rejected) => {
    counts.rejected += 1;
    options.onRejected(table, rejected);
  };
  const { lines, digest } = readLines(source);
  let batch: Parsed[] = [];
  let bytes = 0;
  let reached = { bytes: 0, lines: 0 };

  const flush = async () => {
    if (!options.oneTransaction) await client.query('begin; select take_writer_lock()');
    counts.loaded += await load(client, table, await onlyFirst(client, table, batch, refuse), refuse);
    if (!options.oneTransaction) {
      const { loaded, rejected } = counts;
      await writeCheckpoint(client, table, { ...reached, digest: digest(), loaded, rejected });
      await client.query('commit');
    }
    options.onProgress(table, counts);
    batch = [];
    bytes = 0;
  };

  for await (const line of lines) {
    if (checkpoint !== null) {
      if (line.endOffset < checkpoint.bytes) continue;
      // The same bytes as last time, or another file that begins anew.
      if (line.endOffset > checkpoint.bytes || digest() !== checkpoint.digest) return 'ANOTHER_FILE';
      Object.assign(counts, { read: checkpoint.lines, loaded: checkpoint.loaded, rejected: checkpoint.rejected });
      checkpoint = null;
      continue;
    }
    counts.read += 1;
    const parsed = read(line.number, line.bytes);
    if ('reason' in parsed) refuse(parsed);
    else {
      batch.push(parsed);
      bytes += parsed.copy.length;
    }
    reached = { bytes: line.endOffset, lines: line.number };
    if (counts.read % batchRecords === 0 || bytes >= batchBytes) await flush();
  }
  if (checkpoint !== null) return 'ANOTHER_FILE';
  if (counts.read > 0) await flush();
  return counts;
};

/** One file. `open` is called again when the checkpoint turns out to be another file's. */
export const importTable = async (
  client: pg.Client,
  table: Table,
  open: () => Readable,
  options: ImportOptions,
): Promise<Counts> => {
  await client.query(stageStatement(table));
  // One transaction begins at the beginning; it comes back when that is rolled back.
  if (options.oneTransaction) await forget(client, table);
  const checkpoint = options.oneTransaction ? null : await readCheckpoint(client, table);
  const first = await importFrom(client, table, open(), checkpoint, options);
  if (first !== 'ANOTHER_FILE') return first;
  await forget(client, table);
  const again = await importFrom(client, table, open(), null, options);
  if (again === 'ANOTHER_FILE') throw new Error('unreachable: there was no checkpoint');
  return again;
};

/** After the last file: nothing is left of the checkpoints. */
export const finishImport = async (client: pg.Client, done: readonly Table[]): Promise<void> => {
  await client.query('begin');
  for (const table of done) await forget(client, table);
  await client.query('commit');
};
