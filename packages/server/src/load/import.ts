// Import: records stream through COPY into a staging table, and are upserted from there in batches by primary key. Each
// batch and its checkpoint are one transaction, so that a killed import resumes where it stopped.
import type { Readable } from 'node:stream';
import { Readable as ReadableStream } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { crashPoint } from '../crash-points.ts';
import { beginWriting } from '../db/connection/client.ts';
import type { WithoutErased } from '../operator/people.ts';
import { readErased } from '../operator/people.ts';
import type { Table } from '../records/columns.ts';
import type { Constraints } from '../records/constraints.ts';
import { readLines } from '../records/lines.ts';
import type { Merged } from '../records/merge.ts';
import { columnsOf, mergeInto } from '../records/merge.ts';
import type { Parsed, Rejected } from '../records/records.ts';
import { copyLine, recordReader } from '../records/records.ts';
import { attempt, databaseProblem, missingParent, notUnique } from '../records/refusals.ts';
import { asPublished } from '../records/shown.ts';
import { findOrphans, findTaken } from '../records/taken.ts';
import { restrictRow } from '../visibility/restrict.ts';
import type { Checkpoint } from './checkpoints.ts';
import { firstOfKey, forget, noteRejected, readCheckpoint, takeBack, writeCheckpoint } from './checkpoints.ts';
import type { Counts } from './report.ts';

export interface ImportOptions {
  /** One transaction for everything, rolled back at the end (dry run) or when a record is rejected (strict). */
  oneTransaction: boolean;
  /** The records are those of a public export. */
  isPublished?: boolean;
  /** The constraints of the database, read once per run. */
  constraints: Constraints;
  onRejected: (table: Table, rejected: Rejected) => void;
  onProgress: (table: Table, counts: Counts) => void;
}
export interface Imported extends Counts {
  /** The first line whose key could not be read; null: every key could be read. */
  keylessLine: number | null;
}

/** Records in one batch: large enough to make COPY worthwhile, small enough for memory and a short writer lock. */
const batchRecords = 5000;
const batchBytes = 8 * 1024 * 1024;

const stageStatement = (table: Table): string =>
  `create temp table if not exists stage_${table.name} as select ${columnsOf(table)} from ${table.name} with no data`;

type Written = Pick<Counts, 'inserted' | 'changed' | 'unchanged'>;
const plus = (a: Written, b: Written): Written => ({
  inserted: a.inserted + b.inserted,
  changed: a.changed + b.changed,
  unchanged: a.unchanged + b.unchanged,
});
const none: Written = { inserted: 0, changed: 0, unchanged: 0 };

/** Splits records into those that the database is sure to reject, with the reason, and the others. */
const sortOut = async (
  client: pg.Client,
  table: Table,
  records: readonly Parsed[],
  constraints: Constraints,
): Promise<{ reasons: Map<Parsed, string>; others: Parsed[] }> => {
  const values = records.map(({ record }) => record);
  const reasons = new Map<Parsed, string>();
  for (const { index, constraint } of await findTaken(client, table, values, constraints))
    reasons.set(records[index]!, notUnique(table, values[index]!, constraint.columns));
  for (const { index, reference } of await findOrphans(client, table, values, constraints))
    reasons.set(records[index]!, missingParent(values[index]!, reference).reason);
  return { reasons, others: records.filter((record) => !reasons.has(record)) };
};

const restrict = (client: pg.Client, table: Table, { record }: Parsed): Promise<unknown> =>
  restrictRow(
    client,
    table,
    table.key.map((name) => String(record[name])),
    record,
  );

const merge = async (client: pg.Client, table: Table, records: readonly Parsed[]): Promise<Written> => {
  await client.query(`truncate stage_${table.name}`);
  const stream = client.query(copyFrom(`copy stage_${table.name} (${columnsOf(table)}) from stdin`));
  await pipeline(ReadableStream.from([Buffer.from(`${records.map(({ copy }) => copy).join('\n')}\n`)]), stream);
  const { rows } = await client.query<Merged>(mergeInto(table, `stage_${table.name}`));
  const { inserted, changed } = rows[0] ?? none;
  return { inserted, changed, unchanged: records.length - inserted - changed };
};

/** Loads records. When the database rejects a part, what it is sure to reject is taken out. If that is not the cause,
 * the part is bisected down to single records, which are rejected with their reason. */
const load = async (
  client: pg.Client,
  table: Table,
  records: Parsed[],
  constraints: Constraints,
  refuse: (rejected: Rejected) => void,
): Promise<Written> => {
  if (records.length === 0) return none;
  const outcome = await attempt(client, () => merge(client, table, records));
  if ('written' in outcome) return outcome.written;
  const reject = async (parsed: Parsed, reason: string): Promise<void> => {
    const { line, key, keyHash } = parsed;
    await restrict(client, table, parsed);
    refuse({ line, key, keyHash, reason });
  };
  if (records.length === 1) {
    const [only] = records as [Parsed];
    await reject(only, databaseProblem(outcome.error, table, only.record, constraints).reason);
    return none;
  }
  const { reasons, others } = await sortOut(client, table, records, constraints);
  if (reasons.size > 0) {
    for (const parsed of records) {
      const reason = reasons.get(parsed);
      if (reason !== undefined) await reject(parsed, reason);
    }
    return load(client, table, others, constraints, refuse);
  }
  const half = Math.floor(records.length / 2);
  return plus(
    await load(client, table, records.slice(0, half), constraints, refuse),
    await load(client, table, records.slice(half), constraints, refuse),
  );
};

const repeatedKey = ({ key }: Table): string =>
  `${key.join(', ')}: the key is in the file twice; keep one of the two records`;

/** Loads the records of a batch whose key is new in the file, and rejects the others. */
const loadBatch = async (
  client: pg.Client,
  table: Table,
  batch: Parsed[],
  constraints: Constraints,
  refuse: (rejected: Rejected) => void,
): Promise<Written> => {
  let written = none;
  for (let records = batch; records.length > 0; ) {
    const { first, repeated } = await firstOfKey(client, table, records);
    const freed = new Set<string>();
    const refuseAndFree = (rejected: Rejected) => {
      if (rejected.keyHash !== undefined) freed.add(rejected.keyHash);
      refuse(rejected);
    };
    written = plus(written, await load(client, table, first, constraints, refuseAndFree));
    await takeBack(client, table, [...freed]);
    for (const { line, key, keyHash } of repeated)
      if (!freed.has(keyHash)) refuse({ line, key, keyHash, reason: repeatedKey(table) });
    records = repeated.filter(({ keyHash }) => freed.has(keyHash));
  }
  return written;
};

/** Rejects the records of erased people, and clears references to them in other records. */
const leaveOutErased = (
  table: Table,
  batch: readonly Parsed[],
  withoutErased: WithoutErased,
  refuse: (rejected: Rejected) => void,
): Parsed[] =>
  batch.flatMap((parsed) => {
    const { line, key, keyHash } = parsed;
    const record = withoutErased(table, parsed.record);
    if (record === parsed.record) return [parsed];
    if (record !== null) return [{ ...parsed, record, copy: copyLine(table, record) }];
    refuse({
      line,
      key,
      keyHash,
      reason: 'belongs to a user who has been erased; leave it out, or: commonhall erase allow <id>',
    });
    return [];
  });

const importFrom = async (
  client: pg.Client,
  table: Table,
  source: Readable,
  checkpoint: Checkpoint | null,
  options: ImportOptions,
): Promise<Imported | 'ANOTHER_FILE'> => {
  const counts: Imported = { read: 0, ...none, rejected: 0, keylessLine: null };
  const given = options.isPublished === true ? asPublished(table) : table;
  const read = recordReader(given);
  const refuse = (rejected: Rejected) => {
    counts.rejected += 1;
    options.onRejected(table, rejected);
  };
  const { lines, digest } = readLines(source);
  let batch: Parsed[] = [];
  let invalid: Rejected[] = [];
  let bytes = 0;
  let reached = { bytes: 0, lines: 0 };

  const flush = async () => {
    if (!options.oneTransaction) await client.query(beginWriting);
    await noteRejected(client, table, invalid);
    for (const { row } of invalid) if (row !== undefined) await restrictRow(client, table, row.key, row.record);
    const taken = leaveOutErased(given, batch, await readErased(client), refuse);
    Object.assign(counts, plus(counts, await loadBatch(client, table, taken, options.constraints, refuse)));
    crashPoint('import: batch loaded');
    if (!options.oneTransaction) {
      const { inserted, changed, unchanged, rejected, keylessLine } = counts;
      const sums = { inserted, changed, unchanged, rejected, keyless_line: keylessLine };
      await writeCheckpoint(client, table, { ...reached, digest: digest(), ...sums });
      crashPoint('import: checkpoint written');
      await client.query('commit');
      crashPoint('import: batch committed');
    }
    options.onProgress(table, counts);
    batch = [];
    invalid = [];
    bytes = 0;
  };

  for await (const line of lines) {
    if (checkpoint !== null) {
      if (line.endOffset < checkpoint.bytes) continue;
      // Up to the checkpoint the bytes must be the same as last time; otherwise this is another file.
      if (line.endOffset > checkpoint.bytes || digest() !== checkpoint.digest) return 'ANOTHER_FILE';
      const { inserted, changed, unchanged, rejected, keyless_line: keylessLine } = checkpoint;
      const read = inserted + changed + unchanged + rejected;
      Object.assign(counts, { read, inserted, changed, unchanged, rejected, keylessLine });
      reached = { bytes: checkpoint.bytes, lines: checkpoint.lines };
      checkpoint = null;
      continue;
    }
    if (line.isEmpty) {
      reached = { bytes: line.endOffset, lines: line.number };
      continue;
    }
    counts.read += 1;
    const parsed = read(line.number, line.bytes, line.isTooLong);
    if ('reason' in parsed) {
      refuse(parsed);
      if (parsed.keyHash === undefined) counts.keylessLine ??= parsed.line;
      invalid.push(parsed);
    } else {
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

/** Imports one file. `open` is called again when the checkpoint turns out to belong to another file. */
export const importTable = async (
  client: pg.Client,
  table: Table,
  open: () => Readable,
  options: ImportOptions,
): Promise<Imported> => {
  await client.query(stageStatement(table));
  // A single transaction starts at the beginning of the file; a rollback restores the checkpoint.
  if (options.oneTransaction) await forget(client, table);
  const checkpoint = options.oneTransaction ? null : await readCheckpoint(client, table);
  const first = await importFrom(client, table, open(), checkpoint, options);
  if (first !== 'ANOTHER_FILE') return first;
  await forget(client, table);
  const again = await importFrom(client, table, open(), null, options);
  if (again === 'ANOTHER_FILE') throw new Error('unreachable: there was no checkpoint');
  return again;
};
