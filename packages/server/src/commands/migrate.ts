// commonhall migrate: brings the schema to the version of this build.
import type { Config } from '../config.ts';
import { migrate as applyMigrations } from '../db/migrate.ts';

export const migrate = async (config: Config, print: (line: string) => void): Promise<void> => {
  const done = await applyMigrations(config.DATABASE_URL, print);
  for (const name of done) print(`applied ${name}`);
  print(done.length === 0 ? 'the schema is up to date' : `${done.length} migrations applied`);
};
