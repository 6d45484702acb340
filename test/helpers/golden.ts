// Files that show in a review what a change of the generator does: the SQL of two lists and of stored JSON, and
// the version of everything that is installed. A new version is one that operators build again: the changelog names it.

import { installables } from '../../packages/server/src/db/lists/install.ts';
import type { Installable } from '../../packages/server/src/db/lists/installable.ts';
import { fullNameOf, versionOf } from '../../packages/server/src/db/lists/installable.ts';

/** The statements that `commonhall migrate` runs for it. */
export const installText = ({ indexes, sql }: Installable, schema: string): string => {
  const created = indexes.map(
    (index) => `create index ${fullNameOf(index).replace('public.', '')} on ${index.table} ${index.on};\n`,
  );
  return `${created.join('')}create schema ${schema};\nset search_path = ${schema}, public, pg_temp;\n${sql(schema)}`;
};

const at = (name: string): URL => new URL(`../../packages/server/test/golden/${name}`, import.meta.url);
export const golden: readonly { file: URL; text: string }[] = [
  { file: at('versions.txt'), text: installables.map((one) => `${versionOf(one)}\n`).join('') },
  // A list without filters, one with, and stored JSON.
  ...installables
    .filter(({ name }) => ['holders', 'timeline', 'user_summaries'].includes(name))
    .map((one) => ({ file: at(`${one.name}.sql`), text: installText(one, one.name) })),
];
