// commonhall verify: recounts every maintained number, rank, flag and text, and compares the rights of the roles and
// the operator's journal. Returns whether everything is right.

import type { Config } from '../config.ts';
import { withClient, writerBounds } from '../db/connection/client.ts';
import type { RightDifference } from '../db/schema/rights.ts';
import { verify as recount } from '../db/schema/verify.ts';
import { compareJournal } from '../operator/replay.ts';
import { quoted } from '../records/problems.ts';
import { storedExecutables } from '../records/urls.ts';

/** One line per role, not per right: a restored database can lack all rights. */
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

/** Whether every act of the journal is in effect; without a journal there is nothing to compare. */
const verifyJournal = async (config: Config, print: (line: string) => void): Promise<boolean> => {
  const path = config.JOURNAL_FILE;
  if (path === '') return true;
  const { lines, due } = await withClient(config.DATABASE_URL, (client) => compareJournal(client, path), writerBounds);
  print(
    due === 0
      ? `all acts of the journal are in effect (${lines})`
      : `${due} acts of the journal are not in effect; run: commonhall journal replay`,
  );
  return due === 0;
};

/** gap G20. Only the platform can correct a URL. */
const verifyUrls = async (config: Config, print: (line: string) => void): Promise<boolean> => {
  const { count, first } = await withClient(config.DATABASE_URL, storedExecutables);
  for (const { table, key, column, url } of first)
    print(`${table} ${key}: ${column} could run as a program in a browser: ${quoted(url)}`);
  if (count > 0) print(`${count} such URLs, which callers put into links; correct them on the platform`);
  return count === 0;
};

export const verify = async (config: Config, repair: boolean, print: (line: string) => void): Promise<boolean> => {
  const { checked, drifts, repaired, rights, byDefault } = await recount(config.DATABASE_URL, repair);
  for (const { name, wrong } of repaired) print(`repaired ${name}: ${wrong} rows`);
  for (const { name, wrong } of drifts) print(`wrong ${name}: ${wrong} rows`);
  print(drifts.length === 0 ? `all ${checked} maintained values are right` : 'run: commonhall verify --repair');
  for (const line of rightLines(rights)) print(line);
  print(rights.length === 0 ? 'the roles have their rights' : 'run: commonhall migrate');
  // Not a reason to fail: where nobody is a superuser, nobody can revoke the functions.
  if (byDefault.length > 0)
    print(`servers may also do what every role may by default; to revoke it, as a superuser: ${byDefault.join('; ')}`);
  const areUrlsSafe = await verifyUrls(config, print);
  const isInEffect = await verifyJournal(config, print);
  return drifts.length === 0 && rights.length === 0 && areUrlsSafe && isInEffect;
};
