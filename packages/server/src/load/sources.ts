// Where the records of an import come from: the files of a folder in load order, one file, or standard input.
import type { ReadStream } from 'node:fs';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Table } from '../records/columns.ts';
import { tableNamed } from '../records/records.ts';
import { tables } from '../records/tables.ts';

export interface RecordSource {
  table: Table;
  label: string;
  open: () => Readable;
  /** The part that has been read, 0 to 1; always 0 when the size is not known. */
  done: () => number;
}

/** The file names of records. */
export const recordFile = /\.ndjson(\.gz)?$/;

export const fileSource = (table: Table, path: string): RecordSource => {
  const size = Math.max(1, statSync(path).size);
  let file: ReadStream | undefined;
  return {
    table,
    label: basename(path),
    done: () => (file?.bytesRead ?? 0) / size,
    open: () => {
      const opened = createReadStream(path, { highWaterMark: 256 * 1024 });
      file = opened;
      if (!path.endsWith('.gz')) return opened;
      const unpacked = createGunzip();
      // An error may come before anybody reads. The reader gets it then; without a listener it would end the process.
      opened.on('error', (error) => unpacked.destroy(error));
      unpacked.on('error', () => opened.destroy());
      return opened.pipe(unpacked);
    },
  };
};

/** Sorts into load order, whatever the names: a table comes after those that it refers to. */
export const inLoadOrder = (sources: readonly RecordSource[]): RecordSource[] =>
  tables.flatMap((table) => sources.filter((source) => source.table === table));

/** Files beside the records that nothing reads. Those of an export, Parquet and the manifest, belong to records. */
export const unreadFiles = (folder: string): string[] => {
  const files = readdirSync(folder);
  const tablesRead = new Set(files.filter((file) => recordFile.test(file)).map((file) => file.replace(recordFile, '')));
  const isKnown = (file: string) =>
    recordFile.test(file) || file === 'manifest.json' || tablesRead.has(file.replace(/\.parquet$/, ''));
  return files.filter((file) => !isKnown(file));
};
/** Whether a folder is a public export of Commonhall itself. */
export const isPublicExport = (folder: string): boolean => {
  const file = join(folder, 'manifest.json');
  if (!existsSync(file)) return false;
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { audience?: unknown }).audience === 'public';
  } catch {
    return false; // --prune reports it; a plain import does not need the file
  }
};
const onlyNdjson = 'only *.ndjson and *.ndjson.gz are read: one record, as JSON, in each line';
export const unreadLine = (files: readonly string[]): string => `not read: ${files.join(', ')}; ${onlyNdjson}`;

export const sourcesAt = (place: string, tableName: string | undefined): RecordSource[] => {
  if (place === '-') {
    if (tableName === undefined) throw new Error('name the table of the records on standard input: --table <table>');
    let opened = false;
    const open = () => {
      if (opened)
        throw new Error('these are not the records of the unfinished import; its checkpoint is deleted: try again');
      opened = true;
      return process.stdin;
    };
    return [{ table: tableNamed(tableName), label: '-', open, done: () => 0 }];
  }
  const sourceAt = (path: string) => fileSource(tableNamed(tableName ?? basename(path).replace(recordFile, '')), path);
  if (!existsSync(place)) throw new Error(`there is no file or folder ${place}`);
  if (!statSync(place).isDirectory()) {
    if (tableName === undefined && !recordFile.test(place))
      throw new Error(`${unreadLine([basename(place)])}; if it is such a file, name the table: --table <table>`);
    return [sourceAt(place)];
  }
  const found = readdirSync(place)
    .filter((file) => recordFile.test(file))
    .map((file) => sourceAt(join(place, file)));
  if (found.length === 0) {
    const unread = unreadFiles(place);
    throw new Error(
      `there is no *.ndjson or *.ndjson.gz in ${place}${unread.length === 0 ? '' : `; ${unreadLine(unread)}`}`,
    );
  }
  return inLoadOrder(found);
};
