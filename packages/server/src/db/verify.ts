// Recounts everything stored that follows from something else, by naive queries, and mends it when asked to.
import type pg from 'pg';
import { withClient } from './client.ts';

interface Kept {
  name: string;
  /** Selects one row for each wrong value. */
  wrong: string;
  repair: string;
}

const counter = (
  parent: string,
  key: string,
  column: string,
  child: string,
  childKey: string,
  condition: string,
): Kept => {
  const naive = `
    select p.${key} as key, count(c.*) as n
    from ${parent} p
    left join ${child} c on c.${childKey} = p.${key} and ${condition}
    group by p.${key}`;
  const wrong = `(${naive}) k where k.key = p.${key} and p.${column} <> k.n`;
  return {
    name: `${parent}.${column}`,
    wrong: `select from ${parent} p, ${wrong}`,
    repair: `update ${parent} p set ${column} = k.n from ${wrong}`,
  };
};

const naiveRanks = `
  select id, launch_week, row_number() over (
    partition by launch_week order by launch_week_rating desc, published_at asc, id asc
  ) as week_rank
  from launches
  where status = 'LIVE'`;

const naiveBadge = `
  select t.user_id, t.id, t.type <> 'BADGE_RECEIVED' or coalesce(c.is_public, false) as is_public
  from timeline_items t
  left join collections c on c.address = t.details ->> 'collectionAddress'`;

const naiveTotals = `
  select coalesce(l.user_id, t.user_id) as user_id, coalesce(l.launches, 0) as launches, coalesce(t.commits, 0) as commits,
    coalesce(t.prs, 0) as prs, coalesce(t.badges, 0) as badges, coalesce(t.gifts, 0) as gifts
  from (select submitted_by_id as user_id, count(*) as launches from launches where status = 'LIVE' group by 1) l
  full join (
    select user_id, count(*) filter (where type = 'COMMIT') as commits, count(*) filter (where type = 'PR') as prs,
      count(*) filter (where type = 'BADGE_RECEIVED') as badges, count(*) filter (where type = 'GIFT_RECEIVED') as gifts
    from timeline_items
    where is_public
    group by 1
  ) t using (user_id)`;
const totalColumns = ['launches', 'commits', 'prs', 'badges', 'gifts'];

const facets = (table: string, rows: string, columns: string, condition: string): Kept => {
  const naive = `select ${columns}, count(*) as total from ${rows} where ${condition} group by ${columns}`;
  return {
    name: `${table}.total`,
    wrong: `select from (
      (${naive} except select ${columns}, total from ${table})
      union all
      (select ${columns}, total from ${table} where total <> 0 except ${naive})
    ) d`,
    repair: `delete from ${table}; insert into ${table} (${columns}, total) ${naive}`,
  };
};

/** Lists that are long enough for blocks, by their totals. */
const longLists = `
  select 'h:' || address as list from collections where holders_count > 1024
  union all
  select k.kind || ':' || u.user_id
  from user_totals u
  cross join lateral (values
    ('t', u.commits + u.prs + u.badges + u.gifts),
    ('COMMIT', u.commits), ('PR', u.prs), ('BADGE_RECEIVED', u.badges), ('GIFT_RECEIVED', u.gifts)
  ) k (kind, total)
  where k.total > 1024`;
const blocks = `
  select b.*,
    coalesce(lead(first_at) over w, 'infinity') as next_at,
    coalesce(lead(first_id) over w, '') as next_id
  from list_blocks b
  window w as (partition by list, level order by first_at, first_id)`;

const naiveCatalogue = `
  select p.sort, coalesce(r.facet, 0) as facet, b.block, count(*)::integer as rows
  from repositories r
  cross join lateral repository_places(r.created_at, r.updated_at, r.name, r.owner) p
  cross join lateral repository_block(p.sort, p.at, p.value, r.platform, r.platform_id) b
  group by grouping sets ((p.sort, r.facet, b.block), (p.sort, b.block))`;

const kept: Kept[] = [
  counter('collections', 'address', 'holders_count', 'collection_holders', 'collection_address', 'true'),
  counter(
    'bounties',
    'id',
    'submission_count',
    'bounty_submissions',
    'bounty_id',
    "c.status in ('PENDING', 'APPROVED', 'WINNER')",
  ),
  counter('bounties', 'id', 'all_submission_count', 'bounty_submissions', 'bounty_id', 'true'),
  counter('sponsors', 'id', 'bounty_count', 'bounties', 'sponsor_id', "c.status in ('OPEN', 'REVIEW', 'COMPLETED')"),
  counter('sponsors', 'id', 'all_bounty_count', 'bounties', 'sponsor_id', 'true'),
  counter('contest_submissions', 'id', 'clap_count', 'contest_submission_supporters', 'submission_id', 'true'),
  {
    name: 'launch_week_ranks.week_rank',
    wrong: `
      select from (${naiveRanks}) n
      full join launch_week_ranks r on r.launch_id = n.id
      where (n.launch_week, n.week_rank) is distinct from (r.launch_week::timestamptz, r.week_rank::bigint)`,
    repair: `
      select rank_launch_weeks(array(
        select launch_week from launches where is_public
        union
        select launch_week from launch_week_ranks
      ))`,
  },
  {
    name: 'timeline_items.is_public',
    wrong: `select from timeline_items t join (${naiveBadge}) n using (user_id, id) where t.is_public <> n.is_public`,
    repair: `
      update timeline_items t set is_public = n.is_public
      from (${naiveBadge}) n
      where n.user_id = t.user_id and n.id = t.id and t.is_public <> n.is_public`,
  },
  // After the visibility of badges, which they count, and before the blocks, which read them.
  {
    name: 'user_totals.*',
    wrong: `
      select from (${naiveTotals}) n
      full join user_totals t using (user_id)
      where ${totalColumns.map((name) => `coalesce(n.${name}, 0) <> coalesce(t.${name}, 0)`).join(' or ')}`,
    repair: `
      delete from user_totals;
      insert into user_totals (user_id, ${totalColumns.join(', ')})
      select user_id, ${totalColumns.join(', ')} from (${naiveTotals}) n`,
  },
  facets('collection_facets', 'collections', 'type, importance, is_sbt, category, source', 'is_public'),
  facets('repository_facets', 'repositories', 'category, ecosystem, importance, platform, status', 'true'),
  {
    name: 'list_blocks.rows',
    wrong: `
      with b as materialized (${blocks}), long as materialized (${longLists})
      select from b
      where level = 0
        and rows <> (select count(*) from list_rows(b.list, b.first_at, b.first_id, b.next_at, b.next_id))
      union all
      select from b
      where level = 1 and rows is distinct from (
        select sum(i.rows) from list_blocks i
        where i.list = b.list and i.level = 0
          and (i.first_at, i.first_id) >= (b.first_at, b.first_id) and (i.first_at, i.first_id) < (b.next_at, b.next_id)
      )
      union all
      select from long l
      where not exists (
        select from list_blocks i where i.list = l.list and i.level = 1 and i.first_at = '-infinity'
      )
      union all
      select from (select distinct list from b) b where coalesce(list_total(b.list), 0) < 512`,
    repair: `
      delete from list_blocks;
      select build_blocks(l.list) from (${longLists}) l`,
  },
  {
    name: 'repository_block_rows.rows',
    wrong: `
      select from (${naiveCatalogue}) n
      full join repository_block_rows r using (sort, facet, block)
      where coalesce(n.rows, 0) <> coalesce(r.rows, 0)
      union all
      select from repository_places(null, null, null, null) p
      where not exists (select from repository_blocks b where b.sort = p.sort and b.first_id = '')`,
    repair: `select build_repository_blocks(p.sort) from repository_places(null, null, null, null) p`,
  },
];

/** Flags and derived texts are generated columns: the catalogue itself says what each must be. */
const generatedColumns = async (client: pg.Client): Promise<Kept[]> => {
  const { rows } = await client.query<{ table: string; column: string; expression: string; base: string }>(`
    select
      quote_ident(c.relname) as table,
      quote_ident(a.attname) as column,
      pg_get_expr(d.adbin, d.adrelid) as expression,
      (
        select quote_ident(b.attname)
        from pg_depend p
        join pg_attribute b on b.attrelid = p.refobjid and b.attnum = p.refobjsubid
        where p.classid = 'pg_attrdef'::regclass and p.objid = d.oid and p.refobjid = c.oid and b.attnum <> a.attnum
        limit 1
      ) as base
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attgenerated = 's' and c.relnamespace = 'public'::regnamespace
    order by 1, 2`);
  return rows.map(({ table, column, expression, base }) => {
    const wrong = `${column}::text is distinct from (${expression})::text`;
    return {
      name: `${table}.${column}`,
      wrong: `select from ${table} where ${wrong}`,
      repair: `update ${table} set ${base} = ${base} where ${wrong}`, // a write of what it follows from computes it anew
    };
  });
};

export interface Drift {
  name: string;
  wrong: number;
}

/** Checks every kept value; with `repair` mends and checks again. Answers what is wrong at the end. */
export const verify = async (
  url: string,
  repair: boolean,
): Promise<{ checked: number; drifts: Drift[]; repaired: Drift[] }> =>
  withClient(url, async (client) => {
    // Recounting is long at scale: no limit on the statement, and one set-based plan instead of a loop of probes.
    await client.query(`set statement_timeout = 0; select set_config('commonhall.repair', 'on', false)`);
    const all = [...kept, ...(await generatedColumns(client))];
    const check = async (one: Kept) => {
      const { rows } = await client.query<{ wrong: number }>(`select count(*)::integer as wrong from (${one.wrong}) w`);
      return { name: one.name, wrong: rows[0]?.wrong ?? 0 };
    };
    const drifts: Drift[] = [];
    const repaired: Drift[] = [];
    for (const one of all) {
      const found = await check(one);
      if (found.wrong > 0 && repair) {
        await client.query(one.repair);
        repaired.push(found);
      }
      const left = found.wrong > 0 && repair ? await check(one) : found;
      if (left.wrong > 0) drifts.push(left);
    }
    return { checked: all.length, drifts, repaired };
  });
