// The triggers that write the log of public changes, generated from the declared tables. `commonhall migrate` installs
// them like a list. An entry is the key of a row that was public before a statement or is after it, and whose record
// has changed. What a parent hides or shows is one entry of the parent.
import type { Installable } from '../db/lists/installable.ts';
import type { Table } from '../records/columns.ts';
import { columnsOf } from '../records/shown.ts';
import { below, fed, fedTable, publicVersion, touches } from './below.ts';

/** SQL over a row `t` as SQL over another row. */
const over = (row: string, sql: string): string => sql.replaceAll(/\bt\./g, `${row}.`);
const isPublic = ({ publicRows }: Table, row: string): string => `(${over(row, publicRows ?? 'false')})`;
const keyOf = ({ key }: Table, row: string): string =>
  `array[${key.map((name) => `${row}.${name}`).join(', ')}]::text[]`;
const sameKey = ({ key }: Table, a: string, b: string): string =>
  key.map((name) => `${a}.${name} = ${b}.${name}`).join(' and ');

/** The values of a public record. The time of the last change comes first: where it differs, nothing else is compared. */
const contentOf = (table: Table, row: string): string =>
  columnsOf(table, false)
    .filter(([name]) => !table.key.includes(name))
    .sort(([a], [b]) => Number(b === 'updated_at') - Number(a === 'updated_at'))
    .map(([name, { shownAs }]) => over(row, shownAs ?? `t.${name}`))
    // When a repository is deleted, nobody can see any more that it was public.
    .concat(table.name === 'contest_submissions' ? [`${row}.repository_platform_id`] : [])
    .join(', ');

/** Whether another trigger may have hidden or shown a new row `x` meanwhile: by a takedown, or a badge by its collection. */
const mayBeCorrected = ({ name }: Table): string =>
  [
    `(select exists (select from takedowns where table_name = '${name}'))`,
    'x.is_taken_down',
    ...(name === 'timeline_items' ? ['x.collection_key is not null', 'not x.is_badge_public'] : []),
  ].join(' or ');
/** The new rows as they are now. */
const newRows = (table: Table): string =>
  'visibility' in table.columns || ['repositories', 'timeline_items'].includes(table.name)
    ? `(
      select x.* from new_rows x where not (${mayBeCorrected(table)})
      union all
      select c.* from new_rows x join ${table.name} c on ${sameKey(table, 'c', 'x')} where ${mayBeCorrected(table)}
    )`
    : 'new_rows';

/** The columns that name the rows above a row. */
const parentColumns = (name: string): string[] =>
  Object.values(below).flatMap((all) => all.filter(({ table }) => table === name).map(({ column }) => column));

/** Whether the rows below a changed row must be read again. */
const isWhole = (table: Table): string => {
  if (below[table.name] === undefined) return 'false';
  const own = {
    users: ['is_public'],
    bounties: ['submissions_visible'],
    // The order in which what is below them is read.
    bounty_submissions: ['created_at'],
    contest_submissions: ['created_at'],
  }[table.name];
  const moved = [...parentColumns(table.name), ...(own ?? [])].map((name) => `o.${name} is distinct from n.${name}`);
  return ['f.was <> f.is_now', ...moved].join(' or ');
};

/** A user who is deactivated may have been shown only by their own timeline. */
const wasPublic = (table: Table): string =>
  table.name === 'users'
    ? `(${isPublic(table, 'o')} or o.is_public and exists (select from timeline_items i where i.user_id = o.id and i.is_public))`
    : isPublic(table, 'o');

const insertInto = 'insert into lists.changes (table_name, key, is_whole)';

const logInsert = (table: Table): string => `
    ${insertInto}
    select '${table.name}', ${keyOf(table, 'n')}, false from ${newRows(table)} n where ${isPublic(table, 'n')};`;
// A row with the same key may be inserted later: what was below this one is gone nevertheless.
const logDelete = (table: Table): string => `
    ${insertInto}
    select '${table.name}', ${keyOf(table, 'o')}, ${below[table.name] !== undefined} from old_rows o where ${isPublic(table, 'o')};`;
const logUpdate = (table: Table): string => {
  const [first] = table.key;
  return `
    ${insertInto}
    select '${table.name}', ${table.key.length === 1 ? `array[coalesce(n.${first}, o.${first})]::text[]` : `case when n.${first} is null then ${keyOf(table, 'o')} else ${keyOf(table, 'n')} end`}, ${isWhole(table)}
    from old_rows o full join ${newRows(table)} n on ${sameKey(table, 'n', 'o')}
    cross join lateral (
      select o.${first} is not null and ${wasPublic(table)} as was, n.${first} is not null and ${isPublic(table, 'n')} as is_now
      offset 0 -- evaluated once
    ) f
    where (f.was or f.is_now) and (f.was <> f.is_now or row(${contentOf(table, 'o')}) is distinct from row(${contentOf(table, 'n')}));${touches
      .filter(({ by }) => by === table.name)
      .map(
        (touch) => `
    ${insertInto}
    select '${touch.table}', ${keyOf(fedTable(touch.table), 't')}, false
    from (
      select distinct ${table.key.join(', ')}
      from (
        select ${[...table.key, touch.column].join(', ')} from old_rows
        union all
        select ${[...table.key, touch.column].join(', ')} from ${newRows(table)} n
      ) b
      group by ${[...table.key, touch.column].join(', ')}
      having count(*) = 1 -- not by a join of the two: a session caches the plan for one row
    ) n
    join ${touch.table} t on ${touch.rows}
    where ${isPublic(fedTable(touch.table), 't')};`,
      )
      .join('')}`;
};

const settings = (schema: string): string => `
set search_path = ${schema}, public, pg_temp
set jit = off set enable_mergejoin = off set enable_seqscan = off -- as in db/lists/generator.ts`;

/** Last by their names: after the triggers that may still hide a row. */
const triggersOf = (table: Table, schema: string): string => {
  const isUsers = table.name === 'users';
  const rows = {
    insert: 'referencing new table as new_rows',
    update: 'referencing old table as old_rows new table as new_rows',
    delete: 'referencing old table as old_rows',
  };
  // A new user is shown by no row yet. A user who is deleted is looked at before the rows that show them are deleted too.
  const kinds = isUsers ? (['update'] as const) : (['insert', 'update', 'delete'] as const);
  return `
create function log_${table.name}() returns trigger
language plpgsql${settings(schema)}
as $$
begin
  if not is_newest() or current_setting('commonhall.correction', true) = '${table.name}' then
    return null;
  end if;
  if tg_op = 'UPDATE' then${logUpdate(table)}${
    isUsers
      ? ''
      : `
  elsif tg_op = 'INSERT' then${logInsert(table)}
  else${logDelete(table)}`
  }
  end if;
  return null;
end
$$;
${kinds
  .map(
    (kind) =>
      `create trigger z_${schema}_${kind} after ${kind} on ${table.name} ${rows[kind]} for each statement execute function log_${table.name}();`,
  )
  .join('\n')}
create trigger z_${schema}_truncate after truncate on ${table.name} for each statement execute function restart();`;
};

const logSql = (schema: string): string => `-- changes: the log of public changes
-- Of two versions only the newer one writes.
create function is_newest() returns boolean
language sql stable
return (
  select i.name = '${schema}' from public.installed i
  where i.name ~ '^changes_[0-9a-f]{8}$' and to_regnamespace(i.name) is not null
  order by i.declared_at desc nulls first limit 1
);
create function recount() returns void
language sql
begin atomic
  select lists.restart_changes();
end;
-- Other columns or conditions are another version, whose copies begin again.
comment on function recount() is '${publicVersion}';
create view wrong_log as select 1 as wrong where not exists (select from lists.changes);
create function restart() returns trigger
language plpgsql
set search_path = ${schema}, public, pg_temp
as $$
begin
  perform recount();
  return null;
end
$$;
create function log_deleted_user() returns trigger
language plpgsql${settings(schema)}
as $$
begin
  if is_newest() and ${over('old', fedTable('users').publicRows ?? 'false')} then
    ${insertInto} values ('users', array[old.id], true);
  end if;
  return old;
end
$$;
create trigger z_${schema}_delete before delete on users for each row execute function log_deleted_user();
${fed.map((table) => triggersOf(table, schema)).join('\n')}`;

export const changeLog: Installable = { name: 'changes', table: 'lists.changes', indexes: [], sql: logSql };
