// A file of changes, one a line: applied in order, in one transaction. A run that is stopped leaves nothing behind.
import type { Readable } from 'node:stream';
import type pg from 'pg';
import { readLines } from '../dataset/lines.ts';
import type { Tally } from './batch.ts';
import { openApplier, readShape } from './batch.ts';
import type { Change } from './change.ts';
import { readChange } from './change.ts';
import type { Kept } from './rejected.ts';
import { listNew } from './rejected.ts';

const batchChanges = 1000;

export interface Applied {
  read: number;
  tally: Tally;
  /** What could not be applied and is kept. */
  left: Kept[];
}
/** The client is in no transaction. */
export const applyFile = async (client: pg.Client, source: Readable): Promise<Applied> => {
  const shape = await readShape(client);
  await client.query('begin; select take_writer_lock()');
  const applier = await openApplier(client, shape);
  let read = 0;
  let batch: Change[] = [];
  const flush = async () => {
    await applier.apply(batch, Number.POSITIVE_INFINITY);
    batch = [];
  };
  for await (const { number, bytes } of readLines(source).lines) {
    if (bytes === null) throw new Error(`line ${number} is longer than 4 MiB; nothing was applied`);
    const change = readChange(bytes);
    if (change.op === 'mark') throw new Error(`line ${number} is a mark: only a stream has marks; nothing was applied`);
    read += 1;
    batch.push(change);
    if (batch.length === batchChanges) await flush();
  }
  await flush();
  const left = await listNew(client);
  await client.query('commit');
  return { read, tally: applier.tally, left };
};
