// commonhall why: why a row is or is not public. Returns whether anything is known of it.
import type { Config } from '../config.ts';
import { withClient } from '../db/connection/client.ts';
import { whyLines } from '../operator/why.ts';
import { tableNamed } from '../records/records.ts';

export const why = (
  config: Config,
  table: string,
  words: readonly string[],
  print: (line: string) => void,
): Promise<boolean> =>
  withClient(config.DATABASE_URL, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const siteUrl = config.EXPLORER && config.PUBLIC_URL !== '' ? config.PUBLIC_URL : null;
    const { lines, isKnown } = await whyLines(client, tableNamed(table), words, siteUrl);
    for (const line of lines) print(line);
    return isKnown;
  });
