// Files that show in a review what a change of the generator does: the SQL of two lists, and the version of every list. A
// new version is a list that operators build again: the changelog names it.

import type { List } from '../../packages/server/src/db/lists/declarations.ts';
import { holders, lists, timeline } from '../../packages/server/src/db/lists/declarations.ts';
import { installableOf } from '../../packages/server/src/db/lists/generator.ts';
import { fullNameOf, versionOf } from '../../packages/server/src/db/lists/installable.ts';

/** The statements that `commonhall migrate` runs for a list. */
export const listText = (list: List, schema: string): string => {
  const { indexes, sql } = installableOf(list);
  const created = indexes.map(
    (index) => `create index ${fullNameOf(index).replace('public.', '')} on ${index.table} ${index.on};\n`,
  );
  return `${created.join('')}create schema ${schema};\nset search_path = ${schema}, public, pg_temp;\n${sql(schema)}`;
};

const at = (name: string): URL => new URL(`../../packages/server/test/golden/${name}`, import.meta.url);
export const golden: readonly { file: URL; text: string }[] = [
  { file: at('versions.txt'), text: lists.map((list) => `${versionOf(installableOf(list))}\n`).join('') },
  // One without filters, one with.
  ...[holders, timeline].map((list) => ({ file: at(`${list.name}.sql`), text: listText(list, list.name) })),
];
