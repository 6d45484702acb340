// The operator's journal: a file outside the database with what a restore to an earlier moment would take back. One line an
// act, written inside its transaction, before the commit. Replaying it is apply/replay.ts.
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type pg from 'pg';

export type Act =
  | { act: 'key revoke'; key: string }
  | { act: 'hide'; table: string; key: readonly string[]; reason: string | null }
  | { act: 'unhide'; table: string; key: readonly string[] }
  | { act: 'erase user'; user: string }
  | { act: 'erase allow'; user: string };

/** Waits until no command is between its line and its commit, and keeps others from it until the transaction ends. */
export const lockJournal = async (client: pg.Client): Promise<void> => {
  await client.query('select pg_advisory_xact_lock(1005, 0)');
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
      // A last line that was cut off stays a line of its own.
      writeFileSync(file, `${last.toString('latin1') === '\n' ? '' : '\n'}${line}\n`);
      fsyncSync(file);
    } catch (error) {
      // A full disk may have taken a part of the line. Nobody else writes meanwhile: the lock is held.
      if (fstatSync(file).isFile()) ftruncateSync(file, size);
      throw error;
    }
  });
  withFile(dirname(path), 'r', fsyncSync); // a new file is there after a power cut only when its folder is written too
};

/** Writes an act down, as the last thing before its commit: what is committed is in the journal. Without a path: nothing. */
export const journal = async (client: pg.Client, path: string, act: Act): Promise<void> => {
  if (path === '') return;
  await lockJournal(client);
  // The clock of the database, as in all its rows. The lines are in the order of their times.
  const { rows } = await client.query<{ at: string }>('select iso(clock_timestamp()) as at');
  try {
    append(path, JSON.stringify({ at: rows[0]?.at, ...act }));
  } catch (error) {
    throw new Error(`nothing was changed: the journal cannot be written (${(error as Error).message})`, {
      cause: error,
    });
  }
};
