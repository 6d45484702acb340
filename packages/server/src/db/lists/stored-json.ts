// JSON that depends on one row of a table only, stored as text where that pays off (docs/scale.md). The queries that read it
// declare it; `commonhall migrate` installs it like a list, in a table of its own. A generated column would rewrite its
// table, and lock readers out meanwhile, each time that a key changes.
import { remembered } from '../sql.ts';
import type { Installable } from './installable.ts';
import { versionOf } from './installable.ts';

export interface StoredJson {
  name: string;
  table: string;
  /** The key of the table, of type text. */
  id: string;
  /** Texts by their names, as SQL over a row `r` of the table. */
  texts: Readonly<Record<string, string>>;
}

/** The members of an object as a text without braces; `keys` is a select list. */
export const members = (keys: string): string => `(select json_members(row_to_json(i)) from (select ${keys}) i)`;

const storedSql = ({ name, table, id, texts }: StoredJson, schema: string): string => {
  const columns = Object.keys(texts);
  const all = (alias: string) => columns.map((column) => `${alias}.${column}`).join(', ');
  const select = (from: string) => `
  select r.${id}, ${Object.values(texts).join(', ')}
  from ${from} r`;
  const maintain = (what: string, body: string, on: readonly string[], rows: string) => `
create function maintain_${what}() returns trigger
language plpgsql
set search_path = ${schema}, public, pg_temp
set jit = off set enable_mergejoin = off set enable_seqscan = off -- as in generator.ts
as $$
begin${body}
  return null;
end
$$;${on
    .map(
      (kind) => `
create trigger ${schema}_${what}_${kind} after ${kind} on ${table}${rows} for each statement execute function maintain_${what}();`,
    )
    .join('')}`;
  // A statement can delete a row and insert one with its key.
  const remove = `
  delete from texts t
  where t.${id} in (select o.${id} from old_rows o) and not exists (select from ${table} r where r.${id} = t.${id});`;
  const store = `
  insert into texts as t (${id}, ${columns.join(', ')})${select('new_rows')}
  on conflict (${id}) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}
  where (${all('t')}) is distinct from (${all('excluded')});`;
  return `-- ${name}: texts of ${table}
create table texts (
  ${id} text collate "C" primary key,
${columns.map((column) => `  ${column} text not null`).join(',\n')}
) with (fillfactor = 70, toast_tuple_target = 8160); -- in the row where it fits a page
create function recount() returns void
language plpgsql
set search_path = ${schema}, public, pg_temp
as $$
begin
  delete from texts;
  insert into texts (${id}, ${columns.join(', ')})${select(table)};
end
$$;${maintain('new', store, ['insert', 'update'], ' referencing new table as new_rows')}\
${maintain('old', remove, ['update', 'delete'], ' referencing old table as old_rows')}\
${maintain('all', '\n  perform recount();', ['truncate'], '')}
-- A row for everything that is wrong: commonhall verify reads this view.
create view wrong_texts as
select 1 as wrong
from texts t
full join (${select(table)}
) n (${id}, ${columns.join(', ')}) using (${id})
where (${all('t')}) is distinct from (${all('n')});`;
};

export const installableOf = remembered(
  (stored: StoredJson): Installable => ({
    name: stored.name,
    table: stored.table,
    indexes: [],
    sql: (schema) => storedSql(stored, schema),
  }),
);

/** The table of the texts, in the version that this build reads. */
export const textsTable = (stored: StoredJson): string => `${versionOf(installableOf(stored))}.texts`;
