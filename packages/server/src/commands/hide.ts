// commonhall hide and unhide: the operator's own takedowns.
import type { Config } from '../config.ts';
import { withWriter } from '../db/connection/client.ts';
import type { Meaning } from '../operator/named.ts';
import { takeSteps, takesSteps } from '../operator/steps.ts';
import { hideRow, unhideRow } from '../operator/takedowns.ts';

type Print = (line: string) => void;

export const hide = async (
  config: Config,
  table: string,
  words: readonly string[],
  how: Meaning & { reason: string | null },
  print: Print,
): Promise<void> =>
  print(await withWriter(config.DATABASE_URL, (client) => hideRow(client, table, words, how, config.JOURNAL_FILE)));

export const unhide = async (
  config: Config,
  table: string,
  words: readonly string[],
  isKey: boolean,
  print: Print,
): Promise<void> =>
  print(
    await withWriter(config.DATABASE_URL, async (client) => {
      await client.query(takesSteps);
      const text = await unhideRow(client, table, words, isKey, config.JOURNAL_FILE);
      await takeSteps(client);
      return text;
    }),
  );
