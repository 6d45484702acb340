// The statements of /changes. Each is read by first_rows(): rows of a place, the record, and the person whom it names.
import { ownerColumn } from '../operator/people.ts';
import type { Table } from '../records/columns.ts';
import { selectList } from '../records/shown.ts';
import type { Branch, Step } from './below.ts';
import { fed, fedTable } from './below.ts';

/** Rows that one statement of a walk looks at, public or not. */
export const mostLooked = 20_000;

const record = (table: Table): string => `(select row_to_json(r)::text from (select ${selectList(table, false)}) r)`;
const person = ({ name }: Table): string =>
  name === 'users' || ownerColumn[name] === undefined ? 'null' : `t.${ownerColumn[name]}::text`;
const isPublic = ({ publicRows }: Table): string => `(${publicRows})`;

/** The record of the row that an entry `e` names, if it is public. */
const recordOfEntry = (table: Table): string => `
    select ${record(table)} as record, ${person(table)} as person
    from ${table.name} t
    where e.table_name = '${table.name}' and ${table.key.map((name, n) => `t.${name} = e.key[${n + 1}]`).join(' and ')}
      and ${isPublic(table)}`;
/** The records of entries, by the last one that names each row, and the last one that names it as a whole. Given: the
 * entries. The place is that entry. `named`: their tables. */
export const recordsOf = (named: readonly string[]): string => `
  select json_build_object('id', e.id::text, 'table', e.table_name, 'key', e.key, 'isWhole', e.is_whole)::text, r.record, r.person
  from (
    select max(c.id) as id, c."table" as table_name, c.key, c."isWhole" as is_whole
    from jsonb_to_recordset($1[1]::jsonb) c (id bigint, "table" text, key text[], "isWhole" boolean)
    where c."table" <> ''
    group by 2, 3, 4
    order by 1
  ) e
  left join lateral (
    select null as record, null as person where false${fed
      .filter(({ name }) => named.includes(name))
      .map((table) => `\n    union all${recordOfEntry(table)}`)
      .join('')}
  ) r on true
  order by e.id`;

const castOf = { text: 'text', instant: 'timestamptz', integer: 'integer' };
const shown = (row: string, [name, kind]: Step): string =>
  kind === 'instant' ? `iso(${row}.${name})` : `${row}.${name}::text`;
/** The rows after a place, whose values are given from `first` on. */
const after = (columns: string, steps: readonly Step[], isFromStart: boolean, first: number): string =>
  isFromStart
    ? 'true'
    : `(${columns}) > (${steps.map(([, kind], n) => `$1[${first + n}]::${castOf[kind]}`).join(', ')})`;

/** A table of the walk through everything, by its key. Given: the place. Rows that are not public have no record. */
export const walkAll = (table: Table, isFromStart: boolean): string => {
  const steps = table.key.map((name): Step => [name, 'text']);
  const columns = table.key.map((name) => `t.${name}`).join(', ');
  return `
  select json_build_array(${steps.map((one) => shown('t', one)).join(', ')})::text,
    case when ${isPublic(table)} then ${record(table)} end, ${person(table)}
  from (
    select * from ${table.name} t where ${after(columns, steps, isFromStart, 1)} order by ${columns} limit ${mostLooked}
  ) t
  order by ${columns}`;
};

/** Tables below others that have a flag of their own. */
const flagged = ['bounty_submissions', 'contest_submissions', 'timeline_items'];

/** A step of the walk below a row. Given: its key, then the place. */
export const walkBelow = (parent: string, { child, through }: Branch, isFromStart: boolean): string => {
  const table = fedTable(child.table);
  const own = child.order.map((step): [string, Step] => ['t', step]);
  const steps = [...(through?.order.map((step): [string, Step] => ['m', step]) ?? []), ...own];
  const columns = steps.map(([row, [name]]) => `${row}.${name}`).join(', ');
  const isShown = (name: string, row: string) => (flagged.includes(name) ? `${row}.is_public` : 'true');
  const key = fedTable(parent).key[0];
  const { shownBy = 'true' } = through ?? child;
  const rows =
    through === null
      ? `${table.name} t where t.${child.column} = $1[1]`
      : `${through.table} m join ${table.name} t on t.${child.column} = m.${fedTable(through.table).key[0]}
      where m.${through.column} = $1[1] and ${isShown(through.table, 'm')}`;
  const places = steps.map(([, step]) => step);
  // Also by the first table alone, so that its index begins at the place.
  const beginning =
    through === null || isFromStart
      ? 'true'
      : after(through.order.map(([name]) => `m.${name}`).join(', '), through.order, false, 2).replace(' > ', ' >= ');
  return `
  select t.walk_place, case when ${isPublic(table)} then ${record(table)} end, ${person(table)}
  from (
    select t.*, json_build_array(${steps.map(([row, step]) => shown(row, step)).join(', ')})::text as walk_place
    from ${rows} and ${isShown(table.name, 't')}
      and (select p.is_public and ${shownBy} from ${parent} p where p.${key} = $1[1])
      and ${beginning} and ${after(columns, places, isFromStart, 2)}
    order by ${columns} limit ${mostLooked}
  ) t`;
};

/** The records of people. Given: their ids. */
export const people = `select t.id::text, ${record(fedTable('users'))}, null::text from users t where t.id = any ($1) order by t.id`;
