// A page of /changes: what the log names after a cursor, with the content of now. A page may also continue a walk, through all records or
// through what is below one row. Statements of a page may see different states: a record is at least as new as the entry
// that names it, and what changes later has a later entry.
import type { Db } from '../db/connection/database.ts';
import { plain, sql } from '../db/sql.ts';
import { below, branchesOf, fed, fedTable } from './below.ts';
import type { Cursor, GivenCursor, Walk } from './cursor.ts';
import { cursorText, nonceSql, openCursor, walked } from './cursor.ts';
import { mostLooked, people, recordsOf, walkAll, walkBelow } from './statements.ts';

const most = { rows: 1000, bytes: 4 * 1024 * 1024, statements: 16 };

export interface ChangesPage {
  lines: string[];
  /** The cursor after it, equal to the given one when there is nothing new. */
  next: string;
  /** At the end of the log, the newest mark of the platform when the page was begun, or `unknown`; null: there is more. */
  asOf: string | null;
}

interface Entry {
  id: string;
  table: string;
  key: readonly string[];
  isWhole: boolean;
}
type Noted = Entry & { nonce: string; asOf: string | null; secret: string };
/** The entry of a cursor, or the newest one, and those after it. */
const readEntries = async (db: Db, from: string | null): Promise<Noted[]> => {
  const start = from === null ? sql`(select max(id) from lists.changes)` : sql`${from}::bigint`;
  const rows = await db.query(
    'list',
    sql`select c.id, c.table_name, to_json(c.key), c.is_whole, ${plain(nonceSql)}, (select iso(f.as_of) from feed f),
        (select f.cursor_secret from feed f)
      from lists.changes c where c.id >= ${start} order by c.id limit ${most.rows + 1}::bigint`,
  );
  return rows.map(([id, table, key, isWhole, nonce, asOf, secret]) => ({
    id: id ?? '',
    table: table ?? '',
    key: JSON.parse(key ?? '[]') as string[],
    isWhole: isWhole === 't',
    nonce: nonce ?? '',
    asOf: asOf ?? null,
    secret: secret ?? '',
  }));
};

const arrayText = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`).join()}}`;

const putLine = (table: string, record: string): string => `{"op":"put","table":"${table}","record":${record}}`;
const deleteLine = (table: string, key: Record<string, string | undefined>): string =>
  JSON.stringify({ op: 'delete', table, key });
const keyLine = (table: string, values: readonly string[]): string =>
  deleteLine(table, Object.fromEntries(fedTable(table).key.map((name, n) => [name, values[n]])));

interface Found {
  place: string;
  record: string | null;
  person: string | null;
}

/** Collects the lines of a page. */
const openPage = (db: Db) => {
  const lines: string[] = [];
  const named = new Set<string>();
  let [rows, bytes, statements] = [0, 0, 0];
  return {
    /** The first rows of a statement that fit, and whether these are all. The very first one comes whatever its size. A
     * server that does not have the entry has older rows: then there are none. */
    read: async (
      query: string,
      given: readonly string[],
      entry: string,
    ): Promise<{ found: Found[]; isAll: boolean }> => {
      statements += 1;
      const room = most.bytes - bytes;
      const answer = await db.query(
        'list',
        sql`select place, record, person
          from first_rows(${query}, ${arrayText(given)}::text[], ${most.rows - rows}::integer, ${room}::integer)
          where exists (select from lists.changes where id = ${entry}::bigint)`,
      );
      const found = answer.flatMap(([place, record, person]) =>
        place == null ? [] : [{ place, record: record ?? null, person: person ?? null }],
      );
      const first = found.find(({ record }) => record !== null)?.record ?? '';
      const isTooLarge = rows > 0 && Buffer.byteLength(first) > room;
      return isTooLarge ? { found: [], isAll: false } : { found, isAll: found.length < answer.length };
    },
    /** Counts what was read: as so many rows. */
    take: (found: readonly Found[], count: number): void => {
      rows += count;
      for (const { record, person } of found) {
        bytes += Buffer.byteLength(record ?? '');
        if (person !== null && record !== null) named.add(person);
      }
    },
    add: (...more: string[]): void => void lines.push(...more),
    /** How many rows fit. */
    room: (): number => (bytes < most.bytes && statements < most.statements ? Math.max(0, most.rows - rows) : 0),
    /** Its lines, after those of the people whom its records name. */
    finish: async (): Promise<string[]> => {
      if (named.size === 0) return lines;
      const found = await db.query(
        'list',
        sql`select place, record from first_rows(${people}, ${arrayText([...named])}::text[], 2147483647, 2147483647)`,
      );
      const shown = found.flatMap(([id, record]) => (id == null ? [] : [{ id, record: record ?? '' }]));
      // A statement before may have seen them when nothing showed them yet: then only what is below them goes.
      const deleted = new Map(
        shown.map(({ id }) => [keyLine('users', [id]), deleteLine('timeline_items', { user_id: id })]),
      );
      return [
        ...shown.map(({ record }) => putLine('users', record)),
        ...lines.map((line) => deleted.get(line) ?? line),
      ];
    },
  };
};
type Page = ReturnType<typeof openPage>;
type Step = Cursor | null;

/** Puts with parents first, then deletes with children first. */
const linesOf = (read: readonly (Entry & Found)[]): string[] => {
  const order = ({ table }: Entry) => fed.findIndex(({ name }) => name === table);
  const puts = read.filter(({ record }) => record !== null).sort((a, b) => order(a) - order(b));
  const gone = read.filter((one) => one.record === null && order(one) >= 0).sort((a, b) => order(b) - order(a));
  const erased = read.filter(({ table }) => table === 'erasures');
  return [
    ...puts.map(({ table, record }) => putLine(table, record ?? '')),
    ...gone.map(({ table, key }) => keyLine(table, key)),
    ...erased.map(({ key }) => JSON.stringify({ op: 'erase', sha256: key[0] })),
  ];
};

/** The next entries, up to a public row whose rows below have come, gone or moved: these are removed, and a walk below it
 * begins. Null: the page is full. */
const readRun = async (page: Page, run: readonly Noted[]): Promise<Step> => {
  const tables = [...new Set(run.map(({ table }) => table))];
  const entries = run.map(({ id, table, key, isWhole }) => ({ id, table, key, isWhole }));
  const { found, isAll } = await page.read(recordsOf(tables), [JSON.stringify(entries)], run.at(-1)?.id ?? '0');
  const read = found.map((one) => ({ ...one, ...(JSON.parse(one.place) as Entry) }));
  const cut = read.findIndex(({ isWhole, record }) => isWhole && record !== null);
  const taken = cut === 0 ? read.slice(0, 1) : cut > 0 ? read.slice(0, cut) : read;
  page.take(taken, taken.length);
  const [first] = taken;
  if (cut === 0 && first !== undefined)
    page.add(...(below[first.table] ?? []).map(({ table, column }) => deleteLine(table, { [column]: first.key[0] })));
  page.add(...linesOf(taken));
  const last = isAll && cut === -1 ? run.at(-1)?.id : taken.at(-1)?.id;
  const entry = run.find(({ id }) => id === last);
  if (entry === undefined) return null;
  const walk: Walk | null = cut === 0 ? { kind: 'below', step: 0, place: null } : null;
  return { id: entry.id, nonce: entry.nonce, walk };
};

/** A part of a walk, which began at an entry. Null: the page is full. */
const readWalk = async (page: Page, from: Cursor, walk: Walk, { table, key }: Entry): Promise<Step> => {
  const { kind, step, place } = walk;
  const branch = kind === 'below' ? branchesOf(table)[step] : undefined;
  const walkedTable = kind === 'all' ? walked[step] : branch && fedTable(branch.child.table);
  if (walkedTable === undefined) return { ...from, walk: null };
  const [query, given] =
    branch === undefined
      ? [walkAll(walkedTable, place === null), place ?? []]
      : [walkBelow(table, branch, place === null), [key[0] ?? '', ...(place ?? [])]];
  const { found, isAll } = await page.read(query, given, from.id);
  const puts = found.flatMap(({ record }) => (record === null ? [] : [putLine(walkedTable.name, record)]));
  page.take(found, puts.length);
  page.add(...puts);
  if (isAll && found.length < mostLooked) return { ...from, walk: { kind, step: step + 1, place: null } };
  const last = found.at(-1);
  return last === undefined ? null : { ...from, walk: { kind, step, place: JSON.parse(last.place) as string[] } };
};

/** A page after a cursor; without one, the first page of all public records. `expired`: the log does not have the cursor;
 * `malformed`: it was not made here. */
export const readChanges = async (
  db: Db,
  since: GivenCursor | null,
): Promise<ChangesPage | 'expired' | 'malformed'> => {
  const [at, ...later] = await readEntries(db, since?.id ?? null);
  if (at === undefined || (since !== null && (at.id !== since.id || at.nonce !== since.nonce))) return 'expired';
  const { id, nonce, secret, asOf } = at;
  const opened = since === null ? undefined : openCursor(since, secret);
  if (opened === null) return 'malformed';
  const page = openPage(db);
  let cursor: Cursor = opened ?? { id, nonce, walk: { kind: 'all', step: 0, place: null } };
  while (page.room() > 0) {
    const next = [at, ...later].findIndex((entry) => entry.id === cursor.id);
    const run = later.slice(next, next + page.room());
    if (cursor.walk === null && run.length === 0) break;
    const reached: Step =
      cursor.walk === null
        ? await readRun(page, run)
        : await readWalk(page, cursor, cursor.walk, [at, ...later][next] ?? at);
    if (reached === null) break;
    cursor = reached;
  }
  const isEnd = cursor.walk === null && later.length < most.rows && cursor.id === (later.at(-1) ?? at).id;
  return { lines: await page.finish(), next: cursorText(cursor, secret), asOf: isEnd ? (asOf ?? 'unknown') : null };
};
