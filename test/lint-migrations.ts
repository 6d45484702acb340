// npm run schemas: lints every migration after the baseline with squawk. Tells squawk whether the migration runs in a
// transaction, as its file declares.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Migration } from '../packages/server/src/db/schema/migrations.ts';
import { isBaseline, migrations } from '../packages/server/src/db/schema/migrations.ts';

const root = join(import.meta.dirname, '..');

/** The problems that squawk reports for a migration; empty if there are none. */
export const lintMigration = ({ name, text, isOutside }: Migration): string => {
  const flags = ['--config', join(root, '.squawk.toml'), '--stdin-filepath', `${name}.sql`];
  const { status, stdout, stderr } = spawnSync(
    join(root, 'node_modules/.bin/squawk'),
    [...flags, isOutside ? '--no-assume-in-transaction' : '--assume-in-transaction'],
    { input: text, encoding: 'utf8' },
  );
  return status === 0 ? '' : `${stdout}${stderr}`;
};

if (import.meta.main) {
  const after = migrations.filter((migration) => !isBaseline(migration));
  const problems = after.map(lintMigration).filter((problem) => problem !== '');
  for (const problem of problems) console.error(problem);
  console.log(`${after.length} migrations after the baseline, ${problems.length} with problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
