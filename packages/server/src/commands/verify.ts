// commonhall verify: recounts every kept number, rank, flag and text. Answers whether all is right.
import type { Config } from '../config.ts';
import { verify as recount } from '../db/verify.ts';

export const verify = async (config: Config, repair: boolean, print: (line: string) => void): Promise<boolean> => {
  const { checked, drifts, repaired } = await recount(config.DATABASE_URL, repair);
  for (const { name, wrong } of repaired) print(`repaired ${name}: ${wrong} rows`);
  for (const { name, wrong } of drifts) print(`wrong ${name}: ${wrong} rows`);
  print(drifts.length === 0 ? `all ${checked} kept values are right` : 'run: commonhall verify --repair');
  return drifts.length === 0;
};
