// commonhall status: prints the state of the database: who writes, what is counted, what is hidden and why.
import type { Config } from '../config.ts';
import { statusLines } from '../dataset/report.ts';
import { tables } from '../dataset/tables.ts';
import { visibilityReport } from '../dataset/visibility.ts';
import { withClient } from '../db/client.ts';
import { readStatus } from '../db/status.ts';

export const status = async (config: Config, print: (line: string) => void): Promise<void> => {
  for (const line of await readStatus(config.DATABASE_URL)) print(line);
  const report = await withClient(config.DATABASE_URL, (client) => visibilityReport(client, tables));
  for (const line of statusLines(report)) print(line);
};
