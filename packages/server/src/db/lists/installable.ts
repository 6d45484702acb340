// What `commonhall migrate` installs from generated SQL and not by a migration: lists and stored JSON. A version is a
// schema of its own, named by a hash of its SQL. So a changed declaration or generator is a new version, versions of two builds
// live side by side, and a server knows its names without a query.
import { hash } from 'node:crypto';
import { remembered } from '../sql.ts';

export interface Installable {
  name: string;
  /** The table whose rows it counts. Its triggers are on this table. */
  table: string;
  /** Indexes of the table, which versions share. */
  indexes: readonly TableIndex[];
  /** Statements that create it, for a search path that begins with its schema. They create the function recount(), which
   * fills it, and views wrong_…, which have a row for everything that is wrong. */
  sql: (schema: string) => string;
}
export interface TableIndex {
  /** In the schema of its table, named by what it contains. */
  name: string;
  table: string;
  /** What follows the name of the table in the statement that creates it. */
  on: string;
}

const shortHash = (text: string): string => hash('sha256', text).slice(0, 8);

/** PostgreSQL cuts longer names, also those of the triggers `<version>_truncate`. */
const named = (name: string, most: number): string => {
  if (name.length > most)
    throw new Error(`the name ${name} has more than ${most} characters: give the list a shorter one`);
  return name;
};

export const indexOf = (prefix: string, table: string, on: string): TableIndex => ({
  name: named(`${prefix}_${shortHash(table + on)}`, 63),
  table,
  on,
});
/** With the schema of its table. */
export const fullNameOf = ({ name, table }: TableIndex): string => `${/^\w+\./.exec(table)?.[0] ?? 'public.'}${name}`;

/** Without comments and indentation. Line by line, because every process does this at its start: a regular expression
 * takes ten times as long. */
const essence = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.split('--', 1)[0]!.trim())
    .join('\n');

/** The name of the version that this build has, and of its schema. Comments and indentation do not count. */
export const versionOf = remembered(({ name, indexes, sql }: Installable): string =>
  named(`${name}_${shortHash([essence(sql('version')), ...indexes.map((index) => index.name)].join('\n'))}`, 54),
);
/** How the name of a version ends, as a regular expression. */
export const versionEnd = '_[0-9a-f]{8}';
