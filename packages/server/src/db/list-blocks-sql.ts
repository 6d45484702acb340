// The SQL of one order of a declared list: its index, its counted blocks, and how triggers maintain them. list-sql.ts
// explains what blocks are.
import type { Key, List } from './lists.ts';
import { lowest } from './lists.ts';

export const comma = (parts: readonly string[], alias = ''): string => parts.map((part) => alias + part).join(', ');
export const given = (condition: boolean, text: string): string => (condition ? text : '');
export const functionOf = (name: string, returns: string, body: string, settings = ''): string => `
create function ${name} returns ${returns}
language plpgsql
set search_path = public, pg_temp${settings}
as $$
${body}
$$;`;

/** The columns by which every row of a list is counted. */
export const sharedColumns = ({ parent, facets }: List): string[] => [
  `${parent ?? "''"}::text as parent`,
  `${facets?.number('') ?? '0::bigint'} as facet`,
];

/** Each counted row that changed: n is 1 for a row that was added, -1 for a row that was removed. */
export const changed = (list: List, what: string, more: readonly string[]): string => {
  const rows = (from: string, n: number) =>
    `select ${comma([...sharedColumns(list), ...more])}, ${n} as n from ${from} where ${list.counted}`;
  if (what !== 'update') return what === 'insert' ? rows('new_rows', 1) : rows('old_rows', -1);
  const names = comma(['parent', 'facet', ...more]);
  return `
      select ${names}, sum(n) as n
      from (${rows('new_rows', 1)} union all ${rows('old_rows', -1)}) b
      group by ${names}
      having sum(n) <> 0`;
};

/** The statements of an order, and its parts of the list's triggers: `keep` maintains blocks, `build` rebuilds them. */
export const orderSql = (list: List, sort: string, key: Key) => {
  const { name, table, parent, counted, facets, id, carried, size, fan } = list;
  const hasFacets = facets !== null;
  const block = `lists.${name}_${sort}`;
  const keys = [key.column, ...id];
  const typed = [key, ...id.map((column): Key => ({ column, type: 'text' }))];
  const more = carried.filter((column) => !keys.includes(column));
  const first = comma(typed.map(({ type }) => lowest[type]));
  /** The block of a level that contains a key. */
  const blockOf = (level: number, of: string, at = comma(keys, `${of}.`), what = 's.block') => `
      select ${what}
      from ${block} s
      where s.parent = ${of}.parent and s.level = ${level} and (${comma(keys, 's.')}) <= (${at})
      order by ${keys.map((each) => `s.${each} desc`).join(', ')}
      limit 1`;
  const rowsOf = (of: string, what: readonly string[]) => `
      select ${comma(what)}
      from ${table}
      where ${counted}${given(parent !== null, ` and ${parent} = ${of}.parent`)}
        and (${comma(keys)}) >= (${comma(keys, `${of}.`)})
      order by ${comma(keys)}
      limit ${of}.rows`;
  const tables = `
create index ${name}_by_${sort} on ${table} (${comma([...(parent === null ? [] : [parent]), ...keys])})\
${given(more.length > 0, ` include (${comma(more)})`)}${given(counted !== 'true', ` where ${counted}`)};
create table ${block} (
  block integer primary key default nextval('lists.block_ids'),
  parent text collate "C" not null,
  level smallint not null,
${typed.map(({ column, type }) => `  ${column} ${type}${given(type === 'text', ' collate "C"')} not null default ${lowest[type]},\n`).join('')}\
  rows integer not null,
  blocks integer not null default 0, -- on level 1: how many blocks of level 0 it has
  unique (parent, level, ${comma(keys)})
) with (fillfactor = 70);${given(
    hasFacets,
    `
create table ${block}_facets (
  block integer not null,
  facet bigint not null,
  rows integer not null,
  primary key (block, facet) include (rows)
) with (fillfactor = 70);`,
  )}`;
  const regroup = functionOf(
    `${block}_group(of text)`,
    'void',
    `begin${given(
      hasFacets,
      `
  delete from ${block}_facets f using ${block} k where k.parent = of and (k.level = 1 or k.rows = 0) and f.block = k.block;`,
    )}
  delete from ${block} k where k.parent = of and (k.level = 1 or k.rows = 0 and (${comma(keys, 'k.')}) <> (${first}));
  insert into ${block} (parent, level, ${comma(keys)}, rows, blocks)
  select of, 1, ${comma(keys.map((each) => `(array_agg(k.${each} order by k.place))[1]`))}, sum(k.rows), count(*)
  from (
    select k.*, row_number() over (order by ${comma(keys, 'k.')}) - 1 as place
    from ${block} k
    where k.parent = of and k.level = 0
  ) k
  group by k.place / ${fan};${given(
    hasFacets,
    `
  insert into ${block}_facets (block, facet, rows)
  select u.block, f.facet, sum(f.rows)
  from ${block} k
  cross join lateral (${blockOf(1, 'k')}
  ) u
  join ${block}_facets f on f.block = k.block
  where k.parent = of and k.level = 0
  group by u.block, f.facet;`,
  )}
end`,
  );
  const cut = functionOf(
    `${block}_cut()`,
    'trigger',
    `declare
  b ${block};
  made integer;
  below integer;
begin
  perform lists.at_commit_only();
  select * into b from ${block} k where k.block = new.block;
  if b.rows > ${2 * size} then
    insert into ${block} (parent, level, ${comma(keys)}, rows)
    select b.parent, 0, ${comma(keys, 'r.')}, least(${size}, b.rows - r.place)
    from (
      select r.*, row_number() over (order by ${comma(keys, 'r.')}) - 1 as place
      from (${rowsOf('b', keys)}
      ) r
    ) r
    where r.place > 0 and r.place % ${size} = 0;
    get diagnostics made = row_count;
    update ${block} k set rows = ${size} where k.block = b.block;${given(
      hasFacets,
      `
    delete from ${block}_facets f where f.block = b.block;
    insert into ${block}_facets (block, facet, rows)
    select k.block, r.facet, count(*)
    from (
      select * from ${block} k
      where k.parent = b.parent and k.level = 0 and (${comma(keys, 'k.')}) >= (${comma(keys, 'b.')})
      order by ${comma(keys, 'k.')}
      limit made + 1
    ) k
    cross join lateral (${rowsOf('k', [`${facets?.number('')} as facet`])}
    ) r
    where (select t.is_by_facet from lists.${name} t where t.parent = b.parent and t.facet = 0)
    group by k.block, r.facet;`,
    )}
    update ${block} u set blocks = u.blocks + made where u.block = (${blockOf(1, 'b')}
    ) returning u.blocks into below;
    if below > ${2 * fan} then
      perform ${block}_group(b.parent);
    end if;
  elsif b.rows = 0 and not exists (
    select from ${block} u where u.parent = b.parent and u.level = 1 and (${comma(keys, 'u.')}) = (${comma(keys, 'b.')})
  ) then
    -- The block before it takes over its range. The first block of a group stays, because the group begins there.
    delete from ${block} k where k.block = b.block;${given(
      hasFacets,
      `
    delete from ${block}_facets f where f.block = b.block;`,
    )}
  end if;
  return null;
end`,
  );
  const trigger = `
create constraint trigger cut after update on ${block} deferrable initially deferred
  for each row when (new.level = 0 and (new.rows > ${2 * size} or new.rows = 0)) execute function ${block}_cut();`;
  const keep = (what: string) => `
  with r as materialized (${changed(list, what, keys)}),
  -- The blocks in the key range of the changed rows, numbered; each row belongs to the last block that begins before
  -- it.
  b as materialized (
    select p.parent, s.block, ${comma(keys, 's.')}, row_number() over (partition by p.parent order by ${comma(keys, 's.')}) as place
    from (select r.parent, min(r.${key.column}) as low, max(r.${key.column}) as high from r group by r.parent) p
    cross join lateral (${blockOf(0, 'p', comma(['p.low', ...id.map(() => "''")]), '*')}
    ) l
    cross join lateral (
      select * from ${block} s
      where s.parent = p.parent and s.level = 0 and s.${key.column} <= p.high
        and (${comma(keys, 's.')}) >= (${comma(keys, 'l.')})
      offset 0
    ) s
  ),
  c as materialized (
    select y.parent, y.facet, b.block, y.n
    from (
      select y.parent, y.facet, y.place, sum(y.n)::integer as n
      from (
        select x.parent, x.facet, x.n, max(x.place) over (
          partition by x.parent order by ${comma(keys, 'x.')}, x.place rows unbounded preceding
        ) as place
        from (
          select r.parent, r.facet, r.n, ${comma(keys, 'r.')}, null::bigint as place from r
          where r.parent in (select b.parent from b)
          union all
          select b.parent, null, null, ${comma(keys, 'b.')}, b.place from b
        ) x
      ) y
      where y.n is not null
      group by y.parent, y.facet, y.place
      having sum(y.n) <> 0
    ) y
    join b on b.parent = y.parent and b.place = y.place
  ),
  d as materialized (
    select c.*, u.upper
    from c
    join (
      select b.block, u.block as upper
      from (select distinct c.block from c) b
      cross join lateral (select * from ${block} k where k.block = b.block limit 1) k
      cross join lateral (${blockOf(1, 'k')}
      ) u
    ) u on u.block = c.block
  )${given(
    hasFacets,
    `,
  f as (
    insert into ${block}_facets as f (block, facet, rows)
    select unnest(array[d.block, d.upper]), d.facet, sum(d.n)
    from d join lists.${name} t on t.parent = d.parent and t.facet = 0 and t.is_by_facet
    group by 1, 2
    having sum(d.n) <> 0
    on conflict (block, facet) do update set rows = f.rows + excluded.rows
  )`,
  )}
  update ${block} b set rows = b.rows + x.n
  from (select unnest(array[d.block, d.upper]) as block, sum(d.n) as n from d group by 1) x
  where b.block = x.block and x.n <> 0;`;
  const forget = given(
    hasFacets,
    `
  delete from ${block}_facets f using ${block} k where k.parent = new.parent and f.block = k.block;`,
  );
  const build = `${forget}
  delete from ${block} k where k.parent = new.parent;
  if whole.is_long then
    insert into ${block} (parent, level, rows, blocks) values (new.parent, 1, whole.rows, 1) returning block into made;${given(
      hasFacets,
      `
    insert into ${block}_facets (block, facet, rows)
    select made, f.facet, f.rows from lists.${name} f where f.parent = new.parent and f.facet <> 0 and whole.is_by_facet;`,
    )}
    insert into ${block} (parent, level, rows) values (new.parent, 0, 0) returning block into made;
    update ${block} k set rows = whole.rows where k.block = made; -- fires the trigger that cuts it
  end if;`;
  return { sql: tables + regroup + cut + trigger, keep, build };
};
