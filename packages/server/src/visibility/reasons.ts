// How many rows of each table are public, and why the others are not. One scan per table; used by
// import, apply, status and unhide.
import type pg from 'pg';
import type { Table } from '../records/columns.ts';
import { hiddenConditions, notes } from './hidden.ts';

interface Counted {
  text: string;
  rows: number;
  /** The key of one of these rows. */
  example: string | null;
}
/** The most frequent entries, and the totals of the rest. */
interface Grouped {
  first: Counted[];
  others: { kinds: number; rows: number };
}
export interface TableVisibility {
  table: string;
  rows: number;
  /** null: the table is private as a whole. */
  public: number | null;
  hidden: number | null;
  reasons: Grouped;
  notes: Grouped;
}

const mostReasons = 10;
const noReasons: Grouped = { first: [], others: { kinds: 0, rows: 0 } };

/** A user is public when their own pages are; the export also contains users whom other rows show (gap G12). */
const publicOf = ({ name, publicRows }: Table): string | null => (name === 'users' ? 't.is_public' : publicRows);

const unknownReason = 'for an unknown reason';
const reasonText = (table: Table, reason: number, detail: string | null): string =>
  hiddenConditions[table.name]?.[reason]?.text(detail ?? '') ?? unknownReason;

/** SQL: each row `t` of a table with the number of its reason, null when it is public, and the detail of that reason. */
const markedRows = (table: Table): string => {
  const conditions = hiddenConditions[table.name] ?? [];
  const details = conditions.flatMap(({ detail }, index) =>
    detail === undefined ? [] : [`when ${index} then ${detail}`],
  );
  return `
    select concat_ws(' ', ${table.key.map((column) => `t.${column}`).join(', ')}) as key,
      c.reason, ${details.length === 0 ? 'null' : `case c.reason ${details.join(' ')} end`}::text as detail
    from ${table.name} t
    cross join lateral (
      select case
        when ${publicOf(table)} then null
        ${conditions.map(({ when }, index) => `when ${when} then ${index}`).join('\n        ')}
        else ${conditions.length}
      end as reason
    ) c`;
};

const countedRows = async (
  client: pg.Client,
  marked: string,
  textOf: (reason: number, detail: string | null) => string,
): Promise<{ shown: number; hidden: number; grouped: Grouped }> => {
  const { rows } = await client.query<{
    reason: number | null;
    detail: string | null;
    example: string | null;
    n: number;
    hidden: number;
    kinds: number;
  }>(`
    select reason, detail, count(*)::float8 as n, min(key) as example,
      coalesce(sum(count(*)) filter (where reason is not null) over (), 0)::float8 as hidden,
      (count(*) filter (where reason is not null) over ())::float8 as kinds
    from (${marked}) m
    group by reason, detail
    order by reason is not null, n desc, reason, detail
    limit ${mostReasons + 1}`);
  const reasons = rows.flatMap(({ reason, detail, n, example }) =>
    reason === null ? [] : [{ reason, detail, n, example }],
  );
  const first = reasons
    .slice(0, mostReasons)
    .map(({ reason, detail, n, example }) => ({ text: textOf(reason, detail), rows: n, example }));
  const { hidden, kinds } = rows[0] ?? { hidden: 0, kinds: 0 };
  const named = first.reduce((sum, { rows: n }) => sum + n, 0);
  return {
    shown: rows.find(({ reason }) => reason === null)?.n ?? 0,
    hidden,
    grouped: { first, others: { kinds: kinds - first.length, rows: hidden - named } },
  };
};

const notesOf = async (client: pg.Client, { name }: Table): Promise<Grouped> => {
  const note = notes[name];
  if (note === undefined) return noReasons;
  const marked = `select t.id as key, 0 as reason, ${note.detail} as detail from ${note.from}`;
  return (await countedRows(client, marked, (_, detail) => note.text(detail ?? ''))).grouped;
};

export const visibilityReport = async (client: pg.Client, tables: readonly Table[]): Promise<TableVisibility[]> => {
  const report: TableVisibility[] = [];
  for (const table of tables) {
    const { name } = table;
    if (publicOf(table) === null) {
      const { rows } = await client.query<{ n: number }>(`select count(*)::float8 as n from ${name}`);
      report.push({
        table: name,
        rows: rows[0]?.n ?? 0,
        public: null,
        hidden: null,
        reasons: noReasons,
        notes: noReasons,
      });
      continue;
    }
    const counted = await countedRows(client, markedRows(table), (reason, detail) => reasonText(table, reason, detail));
    const { shown, hidden, grouped } = counted;
    const rest = { public: shown, hidden, reasons: grouped, notes: await notesOf(client, table) };
    report.push({ table: name, rows: shown + hidden, ...rest });
  }
  return report;
};

/** All reasons why one row is not public: none when it is public, null when it is not loaded. */
export const reasonsOfRow = async (
  client: pg.Client,
  table: Table,
  key: readonly string[],
): Promise<string[] | null> => {
  const conditions = hiddenConditions[table.name] ?? [];
  const details = conditions.map(({ when, detail = "''" }) => `case when ${when} then coalesce(${detail}, '') end`);
  const { rows } = await client.query<{ isPublic: boolean; details: (string | null)[] }>(
    `select ${publicOf(table) ?? 'false'} as "isPublic", array[${details.join(', ')}]::text[] as details
     from ${table.name} t where ${table.key.map((column, n) => `t.${column} = $${n + 1}`).join(' and ')}`,
    [...key],
  );
  const [row] = rows;
  if (row === undefined) return null;
  if (row.isPublic) return [];
  if (publicOf(table) === null) return [`rows of ${table.name} are never public`];
  const texts = row.details.map((detail, n) => (detail === null ? '' : (conditions[n]?.text(detail) ?? '')));
  const reasons = texts.filter((text) => text !== '');
  return reasons.length === 0 ? [unknownReason] : reasons;
};
