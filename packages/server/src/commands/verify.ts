// commonhall verify: recounts every kept number, rank, flag and text, and compares the rights of the roles. Answers whether
// all is right.
import type { Config } from '../config.ts';
import type { RightDifference } from '../db/rights.ts';
import { verify as recount } from '../db/verify.ts';

/** One line for a role: a restored database can lack all of them. */
const rightLines = (rights: readonly RightDifference[]): string[] =>
  [true, false].flatMap((missing) =>
    [
      ...Map.groupBy(
        rights.filter(({ isMissing }) => isMissing === missing),
        ({ role }) => role,
      ),
    ].map(
      ([role, [first, ...others]]) =>
        `${role} ${missing ? 'lacks' : 'must not have'}: ${first?.right}${others.length === 0 ? '' : ` and ${others.length} other rights`}`,
    ),
  );

export const verify = async (config: Config, repair: boolean, print: (line: string) => void): Promise<boolean> => {
  const { checked, drifts, repaired, rights } = await recount(config.DATABASE_URL, repair);
  for (const { name, wrong } of repaired) print(`repaired ${name}: ${wrong} rows`);
  for (const { name, wrong } of drifts) print(`wrong ${name}: ${wrong} rows`);
  print(drifts.length === 0 ? `all ${checked} kept values are right` : 'run: commonhall verify --repair');
  for (const line of rightLines(rights)) print(line);
  print(rights.length === 0 ? 'the roles have their rights' : 'run: commonhall migrate');
  return drifts.length === 0 && rights.length === 0;
};
