// commonhall hide and unhide: the operator's own takedowns.
import type { Config } from '../config.ts';
import { hideRow, unhideRow } from '../dataset/takedowns.ts';
import { withClient, writerBounds } from '../db/client.ts';

type Print = (line: string) => void;

export const hide = async (
  config: Config,
  table: string,
  key: readonly string[],
  reason: string | null,
  print: Print,
): Promise<void> =>
  print(
    await withClient(
      config.DATABASE_URL,
      (client) => hideRow(client, table, key, reason, config.JOURNAL_FILE),
      writerBounds,
    ),
  );

export const unhide = async (config: Config, table: string, key: readonly string[], print: Print): Promise<void> =>
  print(
    await withClient(config.DATABASE_URL, (client) => unhideRow(client, table, key, config.JOURNAL_FILE), writerBounds),
  );
