// commonhall import <folder | file | ->: loads community data from NDJSON. Returns whether every record was accepted.
import { statSync } from 'node:fs';
import { printable } from '@commonhall/contract/printable';
import type { Config } from '../config.ts';
import { crashPoint } from '../crash-points.ts';
import { beginWriting, withWriter } from '../db/connection/client.ts';
import { endTurn, takeLoadTurn } from '../db/schema/turn.ts';
import { forgetAll } from '../load/checkpoints.ts';
import type { Imported } from '../load/import.ts';
import { importTable } from '../load/import.ts';
import type { Manifest } from '../load/manifest.ts';
import { optionalTables, readManifest } from '../load/manifest.ts';
import type { Pruned } from '../load/prune.ts';
import { prune } from '../load/prune.ts';
import type { Counts, LoadedTable } from '../load/report.ts';
import { loadLines } from '../load/report.ts';
import type { RecordSource } from '../load/sources.ts';
import { isPublicExport, sourcesAt, unreadFiles, unreadLine } from '../load/sources.ts';
import { readConstraints } from '../records/constraints.ts';
import { tableNamed } from '../records/records.ts';
import { tables } from '../records/tables.ts';
import { visibilityReport } from '../visibility/reasons.ts';

export interface ImportFlags {
  table?: string;
  dryRun: boolean;
  strict: boolean;
  /** The folder is complete: rows that are not in it are deleted. */
  prune?: boolean;
  /** Confirmed numbers of rows to delete, as table=rows. */
  confirm?: readonly string[];
}
type Print = (line: string) => void;
type Client = Parameters<typeof importTable>[0];

const progressOf = (label: string, { read, rejected }: Counts, seconds: number): string =>
  `${label}: ${read} records, ${rejected} rejected, ${Math.round(read / Math.max(seconds, 0.001))}/s`;

/** A progress bar with the time left; empty when the size is not known. */
const barOf = (done: number, seconds: number): string => {
  if (!(done > 0)) return '';
  const filled = Math.min(20, Math.round(done * 20));
  return ` [${'#'.repeat(filled)}${'.'.repeat(20 - filled)}] ${Math.round((seconds * (1 - done)) / done)} s left`;
};

/** On a terminal one line that is overwritten; otherwise a line every five seconds. */
const progress = (print: Print) => {
  let last = Date.now();
  return (text: string): void => {
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${printable(text)}`);
    else if (Date.now() - last >= 5000) {
      last = Date.now();
      print(text);
    }
  };
};

const confirmedRows = (
  isPruning: boolean,
  table: string | undefined,
  confirm: readonly string[],
): ReadonlyMap<string, number> => {
  if (isPruning && table !== undefined) throw new Error('--prune takes a whole folder, without --table');
  if (!isPruning && confirm.length > 0) throw new Error('--confirm needs --prune');
  return new Map(
    confirm.map((each) => {
      const [, name = '', rows] = /^(\w+)=(\d{1,15})$/.exec(each) ?? [];
      if (rows === undefined) throw new Error(`--confirm takes a table and a number of rows: users=1234, not ${each}`);
      return [tableNamed(name).name, Number(rows)];
    }),
  );
};

type Loaded = RecordSource & { counts: Imported };

const loadSources = async (
  client: Client,
  sources: readonly RecordSource[],
  { oneTransaction, isPublished }: { oneTransaction: boolean; isPublished: boolean },
  print: Print,
): Promise<Loaded[]> => {
  const show = progress(print);
  const constraints = await readConstraints(client);
  const loaded: Loaded[] = [];
  for (const source of sources) {
    const { table, label, open, done } = source;
    const began = Date.now();
    const seconds = () => (Date.now() - began) / 1000;
    const counts = await importTable(client, table, open, {
      oneTransaction,
      isPublished,
      constraints,
      onRejected: (_table, { line, column, key, reason }) =>
        print(`rejected ${label}:${line}${column === undefined ? '' : `:${column}`} ${key}: ${reason}`),
      onProgress: (_table, now) => show(progressOf(label, now, seconds()) + barOf(done(), seconds())),
    });
    if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
    print(progressOf(label, counts, seconds()));
    loaded.push({ ...source, counts });
  }
  return loaded;
};

/** The counts of each table, over all its files: a folder may have users.ndjson and users.ndjson.gz. */
const rowsOf = (loaded: readonly Loaded[], deleted: ReadonlyMap<string, number>): LoadedTable[] => {
  const files = Map.groupBy(loaded, ({ table }) => table);
  const took = tables.filter((table) => files.has(table) || (deleted.get(table.name) ?? 0) > 0);
  return took.map((table) => {
    const sum = (name: keyof Counts) => (files.get(table) ?? []).reduce((total, { counts }) => total + counts[name], 0);
    const [read, inserted, changed] = [sum('read'), sum('inserted'), sum('changed')];
    const counts = { read, inserted, changed, unchanged: sum('unchanged'), rejected: sum('rejected') };
    return { table, counts, deleted: deleted.get(table.name) ?? 0 };
  });
};

/** Before pruning: throws unless every record of the folder was read and every key in it is known. */
const checkWhole = (loaded: readonly Loaded[], { rows }: Manifest): void => {
  const problems = loaded.flatMap(({ table, label, counts: { read, keylessLine } }) => [
    ...(read === rows.get(table) ? [] : [`${label} has ${read} records, and manifest.json says ${rows.get(table)}`]),
    ...(keylessLine === null ? [] : [`${label}:${keylessLine}: the key cannot be read`]),
  ]);
  if (problems.length > 0) throw new Error(['nothing was pruned:', ...problems.map((text) => `  ${text}`)].join('\n'));
};

const followedStream = async (client: Client): Promise<string | null> => {
  const { rows } = await client.query<{ stream: string | null }>(
    `select coalesce(stream, case when load_snapshot is not null then 'not begun' end) as stream from feed`,
  );
  return rows[0]?.stream ?? null;
};

/** While a stream is followed, old records would show again what the stream has hidden since. */
const refuseBesideStream = (followed: string, sources: readonly RecordSource[]): void => {
  const fed = sources.filter(({ table }) => !optionalTables.includes(table.name));
  if (fed.length > 0)
    throw new Error(
      `a stream is followed (${followed}), and these records could be older: ${fed.map(({ label }) => label).join(', ')}. Send changes, or make a whole load: import <folder> --prune, with the snapshot of the platform's database`,
    );
};

/** The newest entry of the log of public changes. */
const newestChange = async (client: Client): Promise<string> =>
  (await client.query<{ id: string }>('select max(id) as id from lists.changes')).rows[0]?.id ?? '0';

const refusalLines = (refusals: readonly string[]): string[] =>
  refusals.length === 0
    ? []
    : ['more than a tenth of a table would be deleted:', ...refusals.map((text) => `  ${text}`)];

export const importData = async (config: Config, place: string, flags: ImportFlags, print: Print): Promise<boolean> => {
  const { dryRun, strict, prune: isPruning = false, confirm = [] } = flags;
  const confirmed = confirmedRows(isPruning, flags.table, confirm);
  const plain = isPruning ? [] : sourcesAt(place, flags.table);
  const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
  const isPublished = isFolder && isPublicExport(place);
  const unread = isFolder ? unreadFiles(place) : [];
  if (unread.length > 0) print(unreadLine(unread));
  const oneTransaction = dryRun || strict;

  const run = async (client: Client): Promise<boolean> => {
    await takeLoadTurn(client, config.DATABASE_URL);
    const followed = await followedStream(client);
    const manifest = isPruning ? readManifest(place, followed) : null;
    const sources = manifest?.sources ?? plain;
    if (manifest === null && followed !== null) refuseBesideStream(followed, sources);
    // Keeps followers from starting: one that starts before the load is complete would show old rows again.
    if (manifest !== null && manifest.snapshot !== null && !oneTransaction)
      await client.query('update feed set is_loading = true, as_of = null');
    crashPoint('import: load noted');
    const loadedTables = sources.map(({ table }) => table);
    const before = await newestChange(client);
    if (oneTransaction) await client.query(beginWriting);
    const loaded = await loadSources(client, sources, { oneTransaction, isPublished }, print);
    const isComplete = loaded.every(({ counts }) => counts.rejected === 0);
    const isKept = !dryRun && (isComplete || !strict);

    let pruned: Pruned = { deleted: new Map(), refusals: [] };
    if (manifest !== null && (isKept || dryRun)) {
      checkWhole(loaded, manifest);
      if (!oneTransaction) await client.query(beginWriting);
      pruned = await prune(client, { confirmed, snapshot: manifest.snapshot, print });
      crashPoint('import: pruned');
      const refused = refusalLines(pruned.refusals);
      if (refused.length > 0 && !dryRun) throw new Error([...refused, 'nothing was pruned'].join('\n'));
      for (const line of refused) print(line);
      if (!oneTransaction) {
        // In the same transaction, so that a later run with these files starts from the beginning.
        await forgetAll(client, loadedTables);
        crashPoint('import: checkpoints of a pruned load forgotten');
        await client.query('commit');
        crashPoint('import: prune committed');
      }
    }
    const rows = rowsOf(loaded, pruned.deleted);
    const report = await visibilityReport(
      client,
      rows.map(({ table }) => table),
    );
    for (const line of loadLines(rows, report)) print(line);
    if (isKept) {
      if (!oneTransaction) await client.query('begin');
      await forgetAll(client, loadedTables);
      crashPoint('import: checkpoints forgotten');
      await client.query('select lists.changes_after_load($1)', [before]);
      await client.query('commit');
      crashPoint('import: load complete');
    } else {
      await client.query('rollback');
      print(dryRun ? 'dry run: nothing was kept' : 'nothing was kept, because a record was rejected');
    }
    await endTurn(client, 'load');
    return isComplete && pruned.refusals.length === 0;
  };
  return withWriter(config.DATABASE_URL, run);
};
