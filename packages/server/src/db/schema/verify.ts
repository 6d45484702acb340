// Recounts every stored value that is derived from others, by naive queries, and repairs it on request. A check reads
// one snapshot and takes no lock. A repair takes the writer lock first, so that no other session writes meanwhile.
import type pg from 'pg';
import { withClient, withWriter, writerBounds } from '../connection/client.ts';
import { refuseTransactionPooler } from '../connection/pooler.ts';
import { versions } from '../lists/install.ts';
import { versionEnd } from '../lists/installable.ts';
import type { RightDifference } from './rights.ts';
import { defaultRights, rightDifferences } from './rights.ts';

interface MaintainedValue {
  name: string;
  /** Selects one row for each wrong value. */
  wrong: string;
  repair: string;
}

const naiveRanks = `
  select id as launch_id, week, row_number() over (
    partition by launch_week order by launch_week_rating desc, published_at asc, id asc
  ) as week_rank
  from launches
  where is_public`;
/** Whether the holders and badges of a collection `c` are still being shown, in steps: those that are hidden are not wrong. */
const inSteps = 'c.is_public and c.address in (select address from lists.collections_in_steps)';
const notInSteps = `
  select s.address from lists.collections_in_steps s
  where not exists (select from collections c where c.address = s.address and c.is_public)`;
const naiveBadges = `
  select t.user_id, t.id, t.collection_key is null or coalesce(c.is_public and (t.is_badge_public or not (${inSteps})), false) as is_public
  from timeline_items t
  left join collections c on c.address_key = t.collection_key`;
const naiveSizes = `
  select c.address, count(h.user_id) as holders, c.facet, c.is_public
  from collections c
  left join collection_holders h on h.collection_address = c.address
  group by c.address`;

const naiveWeeks = `select week, count(*) as launches from launches where is_public group by week`;

const maintained: MaintainedValue[] = [
  {
    name: 'timeline_items.is_badge_public',
    wrong: `select from timeline_items t join (${naiveBadges}) n using (user_id, id) where t.is_badge_public <> n.is_public`,
    repair: `
      update timeline_items t set is_badge_public = n.is_public
      from (${naiveBadges}) n
      where n.user_id = t.user_id and n.id = t.id and t.is_badge_public <> n.is_public`,
  },
  {
    name: 'collection_holders.is_collection_public',
    wrong: `
      select from collection_holders h join collections c on c.address = h.collection_address
      where h.is_collection_public <> c.is_public and not (${inSteps})`,
    repair: `
      update collection_holders h set is_collection_public = c.is_public
      from collections c
      where c.address = h.collection_address and h.is_collection_public <> c.is_public`,
  },
  {
    name: 'bounty_submissions.is_bounty_open',
    wrong: `
      select from bounty_submissions s join bounties b on b.id = s.bounty_id
      where s.is_bounty_open <> (b.is_public and b.submissions_visible)`,
    repair: `
      update bounty_submissions s set is_bounty_open = b.is_public and b.submissions_visible
      from bounties b
      where b.id = s.bounty_id and s.is_bounty_open <> (b.is_public and b.submissions_visible)`,
  },
  {
    name: 'lists.launch_week_ranks',
    wrong: `
      select from (${naiveRanks}) n
      full join lists.launch_week_ranks r using (launch_id)
      where (n.week, n.week_rank) is distinct from (r.week, r.week_rank::bigint)`,
    repair: `
      delete from lists.launch_week_ranks;
      select rank_launch_weeks(array(select distinct week from launches where is_public))`,
  },
  {
    name: 'lists.collection_sizes',
    wrong: `
      select from (${naiveSizes}) n
      full join lists.collection_sizes s using (address)
      where (n.holders, n.facet, n.is_public) is distinct from (s.holders, s.facet, s.is_public)`,
    repair: `
      delete from lists.collection_sizes;
      insert into lists.collection_sizes (address, holders, facet, is_public) ${naiveSizes}`,
  },
  {
    name: 'lists.collections_in_steps',
    wrong: notInSteps,
    repair: `delete from lists.collections_in_steps where address in (${notInSteps})`,
  },
  {
    name: 'lists.launch_weeks',
    wrong: `
      select from (${naiveWeeks}) n
      full join lists.launch_weeks w using (week)
      where n.launches is distinct from w.launches`,
    repair: `
      delete from lists.launch_weeks;
      insert into lists.launch_weeks (week, launches) ${naiveWeeks}`,
  },
  ...['lists.launch_topics', 'lists.submission_tracks'].map((name) => ({
    name,
    wrong: `(table ${name} except table ${name}_now) union all (table ${name}_now except table ${name})`,
    repair: `select relist('${name}', null)`,
  })),
];

/** The installed lists, also those that only another build reads. Each has views with a row for everything wrong. */
const installed = async (client: pg.Client): Promise<MaintainedValue[]> => {
  const { rows } = await client.query<{ version: string; view: string }>(
    `
    select i.name as version, c.relname as view
    from installed i
    join pg_class c on c.relnamespace = to_regnamespace(i.name) and c.relkind = 'v' and c.relname like 'wrong\\_%'
    order by array_position($1::text[], i.name), i.name, c.relname = 'wrong_totals' desc, c.relname`,
    [versions],
  );
  return rows.map(({ version, view }) => ({
    // A list of this build is named as it is declared.
    name: `${versions.includes(version) ? version.replace(new RegExp(`${versionEnd}$`), '') : version}.${view.replace('wrong_', '')}`,
    wrong: `select from ${version}.${view}`,
    repair: `select ${version}.recount()`,
  }));
};

/** The takedown flag of every table that has one according to the system catalog. */
const takedowns = async (client: pg.Client): Promise<MaintainedValue[]> => {
  const { rows } = await client.query<{ table: string; key: string }>(`
    select a.attrelid::regclass::text as table, array_to_string(key_columns(a.attrelid::regclass), ', ') as key
    from pg_attribute a
    where a.attname = 'is_taken_down' and a.attnum > 0 and not a.attisdropped
    order by 1`);
  return rows.map(({ table, key }) => {
    const isDown = `exists (select from takedowns d where d.table_name = '${table}' and d.key = array[${key}]::text[])`;
    return {
      name: `${table}.is_taken_down`,
      wrong: `select from ${table} where is_taken_down <> ${isDown}`,
      repair: `update ${table} set is_taken_down = not is_taken_down where is_taken_down <> ${isDown}`,
    };
  });
};

/** Flags and derived texts are generated columns: the system catalog has the expression of each. */
const generatedColumns = async (client: pg.Client): Promise<MaintainedValue[]> => {
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
        order by b.attname like 'is\\_%', b.attnum
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
      repair: `update ${table} set ${base} = ${base} where ${wrong}`, // writing a base column computes it again
    };
  });
};

interface Drift {
  name: string;
  wrong: number;
}
interface Verification {
  checked: number;
  drifts: Drift[];
  repaired: Drift[];
  /** Privileges that the server's roles lack, or have in excess. */
  rights: RightDifference[];
  /** What servers may do by the defaults of PostgreSQL, as statements that revoke it. */
  byDefault: string[];
}

const countWrong = async (client: pg.Client, { wrong }: MaintainedValue): Promise<number> => {
  const { rows } = await client.query<{ wrong: number }>(`select count(*)::integer as wrong from (${wrong}) w`);
  return rows[0]?.wrong ?? 0;
};

const holdingTheLock = async (client: pg.Client, act: () => Promise<unknown>): Promise<void> => {
  await client.query('begin');
  await client.query(`select take_writer_lock(), set_config('commonhall.repair', 'on', true)`);
  await act();
  await client.query('commit');
};

/** Recomputes every maintained value without a check first: after rows were loaded without triggers. */
export const rebuild = (url: string): Promise<void> =>
  withWriter(
    url,
    async (client) => {
      // The lists last, after the tables that they count.
      for (const repair of new Set([...maintained, ...(await installed(client))].map((one) => one.repair)))
        await holdingTheLock(client, () => client.query(repair));
    },
    {},
  );

/** Checks every maintained value; `repair` repairs wrong ones. Returns what is still wrong and what was repaired. */
export const verify = async (url: string, repair: boolean): Promise<Verification> =>
  (repair ? withWriter : withClient)(
    url,
    async (client) => {
      await refuseTransactionPooler(client, url);
      // Recounting takes long at scale: no statement timeout.
      await client.query(`set statement_timeout = 0`);
      const all = [
        ...(await generatedColumns(client)),
        ...(await takedowns(client)),
        ...maintained,
        ...(await installed(client)),
      ];
      const drifts: Drift[] = [];
      const repaired: Drift[] = [];
      await client.query('begin isolation level repeatable read read only');
      for (const one of all) {
        const wrong = await countWrong(client, one);
        if (wrong > 0) drifts.push({ name: one.name, wrong });
      }
      await client.query('commit');
      const rights = await rightDifferences(client);
      const byDefault = await defaultRights(client);
      if (!repair || drifts.length === 0) return { checked: all.length, drifts, repaired, rights, byDefault };
      // Each value is checked again under the writer lock: it may have become right or wrong since the snapshot.
      for (const one of all)
        await holdingTheLock(client, async () => {
          const wrong = await countWrong(client, one);
          if (wrong === 0) return;
          await client.query(one.repair);
          repaired.push({ name: one.name, wrong });
        });
      const left: Drift[] = [];
      for (const one of all) {
        const wrong = await countWrong(client, one);
        if (wrong > 0) left.push({ name: one.name, wrong });
      }
      return { checked: all.length, drifts: left, repaired, rights, byDefault };
    },
    writerBounds,
  );
