// The migrations of this build: the files in order, how each one runs, and the hash of the baseline. The marks of a
// file and the rules for writing one are in migrations/README.md.
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** The marks that a file may have, one `-- commonhall: …` line each. */
const marks = {
  'run outside a transaction': 'isOutside',
  'repeat until no row changes': 'isRepeated',
  'servers must know this migration': 'isRequired',
} as const;

export interface Migration {
  name: string;
  text: string;
  /** Each statement runs by itself, for statements that PostgreSQL does not allow in a transaction. */
  isOutside: boolean;
  /** Its statement changes a batch of rows; each batch is a transaction of its own. */
  isRepeated: boolean;
  /** A server that does not know this migration cannot read the database after it. */
  isRequired: boolean;
}

export const migrationOf = (name: string, text: string): Migration => {
  const migration: Migration = { name, text, isOutside: false, isRepeated: false, isRequired: false };
  for (const [, said = ''] of text.matchAll(/^-- commonhall: (.*)$/gm)) {
    const mark = Object.entries(marks).find(([words]) => words === said)?.[1];
    if (mark === undefined)
      throw new Error(`${name}: "${said}" is not one of: ${Object.keys(marks).join('; ')} (migrations/README.md)`);
    migration[mark] = true;
  }
  return migration;
};

export const migrations: readonly Migration[] = readdirSync(folder)
  .filter((file) => /^\d{4}_\w+\.sql$/.test(file))
  .sort()
  .map((file) => migrationOf(file.slice(0, -'.sql'.length), readFileSync(`${folder}/${file}`, 'utf8')));

/** The baseline: the first migrations, edited in place until the first release. */
const lastOfBaseline = '0006_feed';
export const isBaseline = ({ name }: Migration): boolean => name <= lastOfBaseline;
export const baseline = `baseline ${hash(
  'sha256',
  migrations
    .filter(isBaseline)
    .map(({ text }) => text)
    .join(''),
).slice(0, 16)}`;
/** The hash is stored in the comment of the table schema_migrations, so that a dump carries it. */
export const storedBaseline = `obj_description('schema_migrations'::regclass)`;
