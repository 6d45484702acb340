// commonhall import <folder | file | ->: community data in, from NDJSON. Answers whether every record was taken.
import type { ReadStream } from 'node:fs';
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { Config } from '../config.ts';
import type { Table } from '../dataset/columns.ts';
import type { Counts } from '../dataset/import.ts';
import { finishImport, importTable } from '../dataset/import.ts';
import { tableNamed } from '../dataset/records.ts';
import { tables } from '../dataset/tables.ts';
import { withClient, writerBounds } from '../db/client.ts';
import { printable } from '../printable.ts';

interface Source {
  table: Table;
  label: string;
  open: () => Readable;
  /** 0 to 1, or 0 where it cannot be known. */
  done: () => number;
}
export interface ImportFlags {
  table?: string;
  dryRun: boolean;
  strict: boolean;
}

const fileAt = (path: string): Pick<Source, 'open' | 'done'> => {
  const size = Math.max(1, statSync(path).size);
  let file: ReadStream | undefined;
  return {
    done: () => (file?.bytesRead ?? 0) / size,
    open: () => {
      const opened = createReadStream(path, { highWaterMark: 256 * 1024 });
      file = opened;
      return path.endsWith('.gz') ? opened.pipe(createGunzip()).on('error', (error) => opened.destroy(error)) : opened;
    },
  };
};

const sourcesAt = (place: string, tableName: string | undefined): Source[] => {
  if (place === '-') {
    if (tableName === undefined) throw new Error('name the table of the records on standard input: --table <table>');
    let opened = false;
    const open = () => {
      if (opened) throw new Error('the records are not those of the unfinished import; it is forgotten now: try again');
      opened = true;
      return process.stdin;
    };
    return [{ table: tableNamed(tableName), label: '-', open, done: () => 0 }];
  }
  const fileSource = (path: string): Source => ({
    table: tableNamed(tableName ?? basename(path).replace(/\.ndjson(\.gz)?$/, '')),
    label: basename(path),
    ...fileAt(path),
  });
  if (!statSync(place).isDirectory()) return [fileSource(place)];
  const found = readdirSync(place)
    .filter((file) => /\.ndjson(\.gz)?$/.test(file))
    .map((file) => fileSource(join(place, file)));
  if (found.length === 0) throw new Error(`there is no *.ndjson or *.ndjson.gz in ${place}`);
  // Load order, whatever the names: what is referred to comes first.
  return tables.flatMap((table) => found.filter((source) => source.table === table));
};

const summaryOf = (label: string, { read, loaded, rejected }: Counts, seconds: number): string =>
  `${label}: ${read} records, ${loaded} loaded, ${rejected} rejected, ${Math.round(read / Math.max(seconds, 0.001))}/s`;

/** How much of a file is done, as a bar with the time left; nothing where the size is not known. */
const barOf = (done: number, seconds: number): string => {
  if (!(done > 0)) return '';
  const filled = Math.min(20, Math.round(done * 20));
  return ` [${'#'.repeat(filled)}${'.'.repeat(20 - filled)}] ${Math.round((seconds * (1 - done)) / done)} s left`;
};

/** One line that is written over on a terminal; elsewhere a line every five seconds. */
const progress = (print: (line: string) => void) => {
  let last = Date.now();
  return (text: string): void => {
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${printable(text)}`);
    else if (Date.now() - last >= 5000) {
      last = Date.now();
      print(text);
    }
  };
};

/** One import at a time. A killed one is let go of by PostgreSQL a moment later: that moment is waited for. */
const takeTurn = async (client: {
  query: (text: string) => Promise<{ rows: { free?: boolean }[] }>;
}): Promise<void> => {
  for (const deadline = Date.now() + 5000; ; await sleep(100)) {
    const { rows } = await client.query('select pg_try_advisory_lock(1004, 0) as free');
    if (rows[0]?.free === true) return;
    if (Date.now() > deadline) throw new Error('another import is running');
  }
};

export const importData = async (
  config: Config,
  place: string,
  flags: ImportFlags,
  print: (line: string) => void,
): Promise<boolean> => {
  const sources = sourcesAt(place, flags.table);
  const oneTransaction = flags.dryRun || flags.strict;
  return withClient(
    config.DATABASE_URL,
    async (client) => {
      await takeTurn(client);
      const show = progress(print);
      let rejected = 0;
      if (oneTransaction) await client.query('begin; select take_writer_lock()');
      for (const { table, label, open, done } of sources) {
        const began = Date.now();
        const seconds = () => (Date.now() - began) / 1000;
        const counts = await importTable(client, table, open, {
          oneTransaction,
          onRejected: (_table, { line, column, key, reason }) =>
            print(`rejected ${label}:${line}${column === undefined ? '' : `:${column}`} ${key}: ${reason}`),
          onProgress: (_table, now) => show(summaryOf(label, now, seconds()) + barOf(done(), seconds())),
        });
        if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
        print(summaryOf(label, counts, seconds()));
        rejected += counts.rejected;
      }
      const isKept = !oneTransaction || (!flags.dryRun && rejected === 0);
      if (oneTransaction) await client.query(isKept ? 'commit' : 'rollback');
      if (isKept)
        await finishImport(
          client,
          sources.map(({ table }) => table),
        );
      else print(flags.dryRun ? 'dry run: nothing was kept' : 'nothing was kept, because a record was rejected');
      return rejected === 0;
    },
    writerBounds,
  );
};
