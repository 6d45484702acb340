// commonhall status: what an operator should know of the database beside its counts.
import type { Config } from '../config.ts';
import { readStatus } from '../db/status.ts';

export const status = async (config: Config, print: (line: string) => void): Promise<void> => {
  for (const line of await readStatus(config.DATABASE_URL)) print(line);
};
