// The tables of a declared list, by its name.

import type { List } from '../../src/db/lists/declarations.ts';
import { lists } from '../../src/db/lists/declarations.ts';
import { blocksTable, totalsTable } from '../../src/db/lists/generator.ts';

const listOf = (name: string): List => {
  const found = lists.find((list) => list.name === name);
  if (found === undefined) throw new Error(`there is no list ${name}`);
  return found;
};
export const totalsOf = (name: string): string => totalsTable(listOf(name));
export const blocksOf = (name: string, sort: string): string => blocksTable(listOf(name), sort);
