// Applies a file of changes, one per line, in order and in one transaction. An interrupted run leaves nothing behind.
import type { Readable } from 'node:stream';
import type pg from 'pg';
import { crashPoint } from '../crash-points.ts';
import { inWriterTransaction } from '../db/connection/client.ts';
import { readLines } from '../records/lines.ts';
import { openApplier } from './batch.ts';
import type { Change } from './change.ts';
import { readChange } from './change.ts';
import type { RejectedChange } from './rejected.ts';
import { listTried } from './rejected.ts';
import { readRelations, rowName } from './relations.ts';
import type { Tally } from './tally.ts';

const batchChanges = 1000;
const withoutEnd = (line: Buffer): Buffer => line.subarray(0, line.at(-1) === 10 ? -1 : undefined);

export interface Applied {
  read: number;
  tally: Tally;
  /** Changes of the file that could not be applied; they are stored in rejected_changes. */
  left: RejectedChange[];
}
/** The client must not be in a transaction. */
export const applyFile = async (client: pg.Client, source: Readable): Promise<Applied> => {
  const relations = await readRelations(client);
  return inWriterTransaction(client, async () => {
    const applier = await openApplier(client, relations);
    let read = 0;
    const rows = new Set<string>();
    let batch: Change[] = [];
    const flush = async () => {
      await applier.apply(batch, Number.POSITIVE_INFINITY);
      batch = [];
    };
    for await (const { number, bytes, isTooLong, isEmpty } of readLines(source).lines) {
      if (isEmpty) continue;
      if (bytes === null || isTooLong) throw new Error(`line ${number} is longer than 4 MiB; nothing was applied`);
      const change = readChange(withoutEnd(bytes));
      if (change.op === 'mark')
        throw new Error(`line ${number} is a mark: only a stream has marks; nothing was applied`);
      read += 1;
      if (change.table !== null && change.key !== null) rows.add(rowName(change.table.name, change.key));
      batch.push(change);
      if (batch.length === batchChanges) await flush();
    }
    await flush();
    crashPoint('apply: file applied');
    // Leaves out changes that waited before this file and were only retried.
    const left = (await listTried(client)).filter(
      ({ table, key }) => table === null || key === null || rows.has(rowName(table, key)),
    );
    return { read, tally: applier.tally, left };
  });
};
