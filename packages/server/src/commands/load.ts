// commonhall load <folder>: writes the platform's views into a folder, and imports it as the complete data.
import type { Config } from '../config.ts';
import { withClient, withWriter } from '../db/connection/client.ts';
import { endTurn, takeLoadTurn } from '../db/schema/turn.ts';
import { writeLoad } from '../load/platform.ts';
import { importData } from './import.ts';

export const load = async (
  config: Config,
  folder: string,
  confirm: readonly string[],
  print: (line: string) => void,
): Promise<boolean> => {
  const { PLATFORM_DATABASE_URL: url } = config;
  if (url === '')
    throw new Error('PLATFORM_DATABASE_URL must be set: the database of the platform, as a role that reads its views');
  // A follower that works would delete changes from the outbox that the files do not contain.
  await withWriter(config.DATABASE_URL, async (client) => {
    await takeLoadTurn(client, config.DATABASE_URL);
    await endTurn(client, 'load');
  });
  const records = await withClient(url, (client) => writeLoad(client, folder), {}, 'PLATFORM_DATABASE_URL');
  print(`${folder}: ${records} records of the platform`);
  return importData(config, folder, { dryRun: false, strict: false, prune: true, confirm }, print);
};
