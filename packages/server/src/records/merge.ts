// The upsert that import and apply share: inserts rows, or updates those that differ by primary key, and counts both.
import type { Table } from './columns.ts';

export const columnsOf = ({ columns }: Table): string => Object.keys(columns).join(', ');

/** The one row that a merge returns. All other rows of the source are unchanged. */
export interface Merged {
  inserted: number;
  changed: number;
}

/** `source` has the columns of the table. A row that does not differ is not written, so that a repeated load changes nothing. */
export const mergeInto = (table: Table, source: string): string => {
  const others = Object.keys(table.columns).filter((name) => !table.key.includes(name));
  const list = (prefix: string) => others.map((name) => prefix + name).join(', ');
  const update = `update set ${others.map((name) => `${name} = excluded.${name}`).join(', ')}
      where (${list(`${table.name}.`)}) is distinct from (${list('excluded.')})`;
  return `
    with written as (
      insert into ${table.name} (${columnsOf(table)})
      select ${columnsOf(table)} from ${source}
      on conflict (${table.key.join(', ')}) do ${others.length === 0 ? 'nothing' : update}
      returning xmax = 0 as is_new
    )
    select count(*) filter (where is_new)::integer as inserted, count(*) filter (where not is_new)::integer as changed
    from written`;
};
