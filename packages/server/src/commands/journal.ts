// commonhall journal replay: after a restore, repeats what the operator has done since the restored point in time.

import type { Config } from '../config.ts';
import { withWriter } from '../db/connection/client.ts';
import { replayJournal } from '../operator/replay.ts';

type Print = (line: string) => void;

export const replay = async (config: Config, isDryRun: boolean, print: Print): Promise<void> => {
  const path = config.JOURNAL_FILE;
  if (path === '') throw new Error('JOURNAL_FILE must be set: it names the journal that is replayed');
  const { lines, done } = await withWriter(config.DATABASE_URL, (client) => replayJournal(client, path, isDryRun));
  for (const line of done) print(line);
  if (done.length === 0) print(`nothing to do: all acts of the journal are in effect (${lines})`);
  else if (isDryRun) print(`dry run: ${done.length} to do, nothing was changed`);
  else print(`${done.length} done: all acts of the journal are in effect (${lines})`);
};
