// The SQL of a declared list, as plain statements for a migration: `npm run refresh` prints it, a test compares. For a list
// X with an order S:
//   lists.X            how many rows each parent has: facet 0 all of them, else those with these filter values
//   lists.X_S          counted blocks of long lists, on level 0 runs of rows, on level 1 runs of those; a block begins at
//                      its key and ends before the next of its level
//   lists.X_S_facets   the rows of a block by facet
// A statement's triggers only add differences, which may come in any order. Blocks are cut, come and go at commit, when
// every trigger of every statement has added its part.
import { changed, comma, functionOf, given, orderSql, sharedColumns } from './list-blocks-sql.ts';
import type { List } from './lists.ts';
import { hasFacetIndex, mostFacets } from './lists.ts';

/** The migration that makes every list. */
export const listsMigration = (
  lists: readonly List[],
): string => `-- Every paged list: totals, counted blocks, indexes and triggers. Printed by \`npm run refresh\` from the declarations in
-- src/db/lists.ts; how it works is said at the head of src/db/list-sql.ts. One list is like another: read one.
${lists.map(listSql).join('')}`;

/** The statements of one list. */
export const listSql = (list: List): string => {
  const { name, table, parent, counted, facets, sorts, id, size } = list;
  const hasFacets = facets !== null;
  const columns = facets?.columns ?? [];
  const group = (alias: string) => {
    const each = comma(['parent', 'facet', ...columns], alias);
    return hasFacets ? `grouping sets ((${each}), (${alias}parent))` : each;
  };
  const counts = (rows: string, sum: string) => `
  insert into lists.${name} as t (${comma(['parent', 'facet', ...columns])}, rows)
  select ${comma(['c.parent', 'coalesce(c.facet, 0)', ...columns.map((column) => `c.${column}`), sum])}
  from (${rows}) c
  group by ${group('c.')}
  having ${sum} <> 0`;

  /** Lists of a parent have few combinations. */
  const widen = given(
    hasFacets && parent === null,
    `
  update lists.${name} t set is_by_facet = false
  where t.facet = 0 and t.is_by_facet and (select count(*) from lists.${name} f where f.rows <> 0) > ${mostFacets};
  if found then${Object.keys(sorts)
    .map((sort) => `\n    delete from lists.${name}_${sort}_facets;`)
    .join('')}
  end if;`,
  );

  const totals = `
create table lists.${name} (
  parent text collate "C" not null,
  facet bigint not null,
${columns.map((column) => `  ${column} ${column.startsWith('is_') ? 'boolean' : 'text collate "C"'},\n`).join('')}\
  rows bigint not null,
  is_long boolean not null default false, -- has blocks
${given(hasFacets, '  is_by_facet boolean not null default true, -- and these are counted by facet\n')}\
  primary key (parent, facet)${given(columns.length > 0, `,\n  unique nulls not distinct (parent, facet, ${comma(columns)})`)}
) with (fillfactor = 70);${given(hasFacetIndex(list), `\ncreate index ${name}_facet on ${table} ((${facets?.number('')})) where ${counted};`)}${functionOf(
    `lists.${name}_recount()`,
    'void',
    `begin
${[name, ...Object.keys(sorts).flatMap((sort) => [`${name}_${sort}`, ...(hasFacets ? [`${name}_${sort}_facets`] : [])])]
  .map((each) => `  delete from lists.${each};`)
  .join(
    '\n',
  )}${counts(`select ${comma([...sharedColumns(list), ...columns])} from ${table} where ${counted}`, 'count(*)')};${widen}
end`,
  )}`;

  const orders = Object.entries(sorts).map(([sort, key]) => orderSql(list, sort, key));

  const isWrong = (row: string) =>
    `${row}.is_long <> (${row}.rows > case when ${row}.is_long then ${size} else ${2 * size} end)`;
  const resize = functionOf(
    `lists.${name}_resize()`,
    'trigger',
    `declare
  whole lists.${name};
  made integer;
begin
  perform lists.at_commit_only();${given(
    orders.length > 0,
    `
  update lists.${name} t set is_long = not t.is_long
  where t.parent = new.parent and t.facet = 0 and ${isWrong('t')}
  returning * into whole;
  if found then${orders.map(({ build }) => build.replaceAll('\n', '\n  ')).join('')}
  end if;`,
  )}
  delete from lists.${name} t where t.parent = new.parent and t.facet = new.facet and t.rows = 0;
  return null;
end`,
  );
  const resizeTrigger = `
create constraint trigger resize after insert or update on lists.${name} deferrable initially deferred for each row
  when (new.rows = 0${given(orders.length > 0, ` or (new.facet = 0 and ${isWrong('new')})`)})
  execute function lists.${name}_resize();`;
  const ordered = Object.values(sorts).map(({ column }) => column);
  const every = [...new Set([...columns, ...ordered, ...(ordered.length > 0 ? id : [])])];
  const keeps = ['insert', 'update', 'delete'].map((what) => {
    const rows = `${given(what !== 'insert', ' old table as old_rows')}${given(what !== 'delete', ' new table as new_rows')}`;
    return `${functionOf(
      `lists.keep_${name}_${what}()`,
      'trigger',
      `begin${given(
        what === 'update',
        `
  if not exists (${changed(list, what, every)}
  ) then
    return null;
  end if;`,
      )}${counts(changed(list, what, columns), 'sum(c.n)')}
  on conflict (${comma(['parent', 'facet', ...columns])}) do update set rows = t.rows + excluded.rows;${given(what !== 'delete', widen)}\
${orders.map(({ keep }) => keep(what)).join('')}
  return null;
end`,
      // Without compilation: PostgreSQL 15 to 17 think that a scan they should avoid is worth any effort.
      ' set jit = off set enable_mergejoin = off set enable_seqscan = off',
    )}
create trigger keep_${name}_${what} after ${what} on ${table} referencing${rows}
  for each statement execute function lists.keep_${name}_${what}();`;
  });
  return `
-- ${name}: rows of ${table}${given(parent !== null, ` by ${parent}`)}${totals}${orders.map(({ sql }) => sql).join('')}\
${resize}${resizeTrigger}${keeps.join('')}
create trigger keep_${name}_truncate after truncate on ${table}
  for each statement execute function lists.recount('${name}');
`;
};
