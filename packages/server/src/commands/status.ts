// commonhall status: prints the state of the database: who writes, what is counted, what is hidden and why.
import type { Config } from '../config.ts';
import { withClient } from '../db/connection/client.ts';
import { statusLines } from '../load/report.ts';
import { readStatus } from '../operator/status.ts';
import { tables } from '../records/tables.ts';
import { visibilityReport } from '../visibility/reasons.ts';

export const status = async (config: Config, print: (line: string) => void): Promise<void> => {
  for (const line of await readStatus(config.DATABASE_URL)) print(line);
  const report = await withClient(config.DATABASE_URL, (client) => visibilityReport(client, tables));
  for (const line of statusLines(report)) print(line);
};
