// The operator's journal: a file outside the database, with the acts that a restore to an earlier time would undo. One
// line per act, written inside its transaction, before the commit. operator/replay.ts replays it.
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type pg from 'pg';
import { crashPoint } from '../crash-points.ts';

export type Act =
  | { act: 'key revoke'; key: string }
  | { act: 'hide'; table: string; key: readonly string[]; reason: string | null }
  | { act: 'unhide'; table: string; key: readonly string[] }
  | { act: 'erase user'; user: string }
  | { act: 'erase allow'; user: string };

/** Waits until no command is between its line and its commit, and blocks other commands until this transaction ends. */
export const lockJournal = async (client: pg.Client): Promise<void> => {
  await client.query('lock table journal_lock in exclusive mode');
};

const withFile = <T>(path: string, flags: string, use: (file: number) => T): T => {
  const file = openSync(path, flags, 0o600);
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
};

const append = (path: string, line: string): void => {
  withFile(path, 'a+', (file) => {
    const { size } = fstatSync(file);
    const last = Buffer.from('\n');
    if (size > 0) readSync(file, last, 0, 1, size - 1);
    try {
      // A truncated last line stays a line of its own.
      writeFileSync(file, `${last.toString('latin1') === '\n' ? '' : '\n'}${line}\n`);
      fsyncSync(file);
    } catch (error) {
      // On a full disk a part of the line may have been written. No other session writes meanwhile: the lock is held.
      if (fstatSync(file).isFile()) ftruncateSync(file, size);
      throw error;
    }
  });
  withFile(dirname(path), 'r', fsyncSync); // otherwise a power failure could lose a new file
};

/** Writes an act, as the last step before its commit: all committed acts are in the journal. No path: does nothing. */
export const journal = async (client: pg.Client, path: string, act: Act): Promise<void> => {
  if (path === '') return;
  await lockJournal(client);
  crashPoint('journal: locked');
  // The clock of the database, as in all its rows. The lines are in the order of these times.
  const { rows } = await client.query<{ at: string }>('select iso(clock_timestamp()) as at');
  try {
    append(path, JSON.stringify({ at: rows[0]?.at, ...act }));
  } catch (error) {
    throw new Error(`nothing was changed: the journal cannot be written (${(error as Error).message})`, {
      cause: error,
    });
  }
  crashPoint('journal: line written');
};
