// How the operator names a row in a command: by the values of its key, or by the name that callers see (gap G21): a slug,
// a username, the address of a collection in any spelling, owner/name of a repository.
import { sitePaths } from '@commonhall/contract/site';
import type pg from 'pg';
import type { Table } from '../records/columns.ts';
import { tables } from '../records/tables.ts';

/** The unique name of a row besides its key. */
const nameColumns: Readonly<Record<string, string>> = {
  users: 'username',
  agents: 'name',
  sponsors: 'slug',
  bounties: 'slug',
  topics: 'slug',
  launches: 'slug',
  contests: 'slug',
};
/** What people call a row `t`, as SQL. */
const titles: Readonly<Record<string, string>> = {
  users: 't.display_name',
  agents: 't.display_name',
  sponsors: 't.name',
  bounties: 't.title',
  bounty_submissions: 't.title',
  topics: 't.name',
  launches: 't.name',
  collections: 't.name',
  contests: 't.title',
  repositories: `t.owner || '/' || t.name`,
  contest_submissions: 't.title',
  timeline_items: `t.type || ' of ' || iso(t.date)`,
};
/** The tables whose rows have a page: its path has the unique name, or the key. */
const paged = ['users', 'agents', 'sponsors', 'bounties', 'launches', 'collections', 'contests', 'repositories'];
/** Columns of a key that name a row of another table. */
const references: Readonly<Record<string, string>> = {
  user_id: 'users',
  sponsor_id: 'sponsors',
  launch_id: 'launches',
  topic_id: 'topics',
  contest_id: 'contests',
  collection_address: 'collections',
};

export interface NamedRow {
  key: string[];
  /** Whether the words are the key itself. */
  isByKey: boolean;
  /** The table, the key, and in brackets what people call the row. */
  label: string;
  /** The path of its page at the explorer; null: it has none of its own. */
  page: string | null;
}

/** How rows of a table are named, for messages. */
export const usage = ({ name, key }: Table): string => {
  const values = key.map((column) => `<${column}>`).join(' ');
  if (name === 'repositories') return `${name} ${values}, or ${name} <owner/name>`;
  const other = nameColumns[name];
  return other === undefined ? `${name} ${values}` : `${name} <${key[0]} or ${other}>`;
};

const canonical = (word: string): string => `coalesce(canonical_address(${word}), ${word})`;
const matchOf = (table: string, column: string, word: string): string => {
  if (table === 'collections') return `t.address_key = ${canonical(word)}`;
  const other = references[column];
  if (other === undefined) return `t.${column} = ${word}`;
  return other === 'collections'
    ? `t.${column} = any (array(select r.address::text from collections r where r.address_key = ${canonical(word)}))`
    : `t.${column} = any (array(select r.id::text from ${other} r where r.id = ${word} or r.${nameColumns[other]} = ${word}))`;
};
const byNameOf = (table: string): string => {
  if (table === 'repositories') return `(t.owner || '/' || t.name) = $1`;
  return nameColumns[table] === undefined ? 'false' : `t.${nameColumns[table]} = $1`;
};

/** The rows that the words name, each once. Throws when the number of words fits neither a key nor a name. */
export const findNamed = async (
  client: pg.Client,
  table: Table,
  words: readonly string[],
  isKey = false,
): Promise<NamedRow[]> => {
  const { name, key } = table;
  const byName = words.length === 1 && !isKey ? byNameOf(name) : 'false';
  const byKey =
    words.length === key.length
      ? key.map((column, n) => matchOf(name, column, `$${n + 1}::text`)).join(' and ')
      : 'false';
  if (byName === 'false' && byKey === 'false')
    throw new Error(`a row of ${name} is not named by ${words.length} words, but so: ${usage(table)}`);
  const { rows } = await client.query<{ key: string[]; isByKey: boolean; title: string | null; name: string | null }>(
    `select array[${key.map((column) => `t.${column}`).join(', ')}]::text[] as key, (${byKey}) as "isByKey",
       ${titles[name] ?? 'null'} as title, ${nameColumns[name] === undefined ? 'null' : `t.${nameColumns[name]}`} as name
     from ${name} t where (${byKey}) or (${byName}) order by 1`,
    [...words],
  );
  return rows.map((row) => {
    const called = [row.title, row.name === null ? null : `${nameColumns[name]} ${row.name}`].filter(
      (text) => text !== null,
    );
    const brackets = called.length === 0 ? '' : ` (${called.join('; ')})`;
    const own = nameColumns[name] === undefined ? row.key : [row.name ?? ''];
    const page = paged.includes(name) ? [sitePaths.explore, name, ...own.map(encodeURIComponent)].join('/') : null;
    return { key: row.key, isByKey: row.isByKey, label: `${name} ${row.key.join(' ')}${brackets}`, page };
  });
};

/** Throws when the words name several: nothing may be done to one of them by chance. `how` names one of them alone. */
export const theOnly = <Row extends { label: string }>(
  words: readonly string[],
  rows: readonly Row[],
  how = 'by its key, with --key',
): Row | null => {
  if (rows.length > 1)
    throw new Error(
      [
        `${words.join(' ')} names more than one; nothing was done. Name one of them ${how}:`,
        ...rows.map(({ label }) => `  ${label}`),
      ].join('\n'),
    );
  return rows[0] ?? null;
};

/** How the words are meant: only as a key, and as that of a row that may come later. */
export interface Meaning {
  isKey: boolean;
  isNotLoaded: boolean;
}

/** Throws when a word of the key of a row that comes later is a name where an id belongs. */
const refuseNames = async (client: pg.Client, { key }: Table, words: readonly string[]): Promise<void> => {
  for (const [n, column] of key.entries()) {
    const other = tables.find(({ name }) => name === references[column]);
    const [row, second] = other === undefined ? [] : await findNamed(client, other, [words[n]!]);
    if (row !== undefined && second === undefined && !row.isByKey)
      throw new Error(
        `${words[n]} is the name of ${row.label}; nothing was done. Give the ${column}: ${row.key.join(' ')}`,
      );
  }
};

/** The one row that the words name; null: they are the key of a row that comes later. Throws when there is none, or
 * several. */
export const findOne = async (
  client: pg.Client,
  table: Table,
  words: readonly string[],
  { isKey, isNotLoaded }: Meaning,
): Promise<NamedRow | null> => {
  const row = theOnly(words, await findNamed(client, table, words, isKey));
  if (row === null && isNotLoaded && words.length === table.key.length) {
    await refuseNames(client, table, words);
    return null;
  }
  if (row === null)
    throw new Error(
      `no row of ${table.name} is named ${words.join(' ')}; nothing was done. For a row that comes later, give its key: ${table.name} ${table.key.map((column) => `<${column}>`).join(' ')} --not-loaded`,
    );
  if (isNotLoaded && !row.isByKey)
    throw new Error(
      `${words.join(' ')} is the name of ${row.label}, which is loaded; leave out --not-loaded, or add --key if it is the key of another row`,
    );
  return row;
};
