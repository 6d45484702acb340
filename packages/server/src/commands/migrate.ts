// commonhall migrate: brings the schema and the lists to those of this build, or prints what it would do.
import type { Config } from '../config.ts';
import { writerBounds } from '../db/connection/client.ts';
import { planMigrate, migrate as run } from '../db/schema/migrate.ts';

type Print = (line: string) => void;

export const migrate = async (config: Config, print: Print): Promise<void> => {
  const { dropped, applied, built } = await run(config.DATABASE_URL, print);
  for (const name of applied) print(`applied ${name}`);
  for (const name of built) print(`built list ${name}`);
  for (const name of dropped) print(`dropped list ${name}`);
  print(
    [dropped, applied, built].every(({ length }) => length === 0)
      ? 'the schema is up to date'
      : `migrations applied: ${applied.length}; lists built: ${built.length}; lists dropped: ${dropped.length}`,
  );
};

/** Building a list takes about this long for each million rows, on two cores; writers wait for it. */
const secondsPerMillion = 10;
/** After this time the writers of Commonhall give up or try again. */
const patientSeconds = writerBounds.lock_timeout / 1000;

export const printPlan = async (config: Config, print: Print): Promise<void> => {
  const { drop, migrations, build } = await planMigrate(config.DATABASE_URL);
  for (const { name, isRequired } of migrations) if (!isRequired) print(`apply ${name}`);
  for (const { name, table, rows, indexes } of build) {
    for (const index of indexes) print(`build index ${index}: writers do not wait`);
    const seconds = Math.ceil((rows / 1e6) * secondsPerMillion);
    const tooLong = seconds > patientSeconds ? `; after ${patientSeconds} s they give up or try again` : '';
    const count = Math.round(rows).toLocaleString('en');
    print(`build list ${name}: about ${count} rows of ${table}; writers wait for about ${seconds} s${tooLong}`);
  }
  for (const name of drop) print(`drop list ${name}: servers of the builds that read it stop being ready`);
  for (const { name, isRequired } of migrations)
    if (isRequired) print(`apply ${name}: servers of older builds stop being ready`);
  print(drop.length + migrations.length + build.length === 0 ? 'nothing to do' : 'nothing was changed');
};
