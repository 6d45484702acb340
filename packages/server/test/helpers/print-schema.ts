// The schema as the catalogue has it, in a fixed order: what a contributor reads to see the whole model, and what a
// test compares so that no migration changes it unseen.
import pg from 'pg';

const sections = [
  `select format(E'create domain %I as %s%s;', t.typname, format_type(t.typbasetype, t.typtypmod),
     (select string_agg(' ' || pg_get_constraintdef(c.oid), '' order by c.conname) from pg_constraint c where c.contypid = t.oid and c.contype = 'c'))
   from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype = 'd' order by t.typname`,
  `select format(E'create table %I (\\n  %s\\n);', c.relname, concat_ws(E',\\n  ',
     (select string_agg(concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
         case when a.attgenerated = 's' then 'generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
              when d.adbin is not null then 'default ' || pg_get_expr(d.adbin, d.adrelid) end,
         case when a.attnotnull then 'not null' end), E',\\n  ' order by a.attnum)
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
     (select string_agg(format('constraint %I %s', k.conname, pg_get_constraintdef(k.oid)), E',\\n  ' order by k.contype, k.conname)
      from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c'))))
   from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`,
  `select pg_get_indexdef(i.indexrelid) || ';'
   from pg_index i join pg_class c on c.oid = i.indexrelid
   where c.relnamespace = 'public'::regnamespace
     and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u'))
   order by c.relname`,
  `select pg_get_functiondef(p.oid) || ';'
   from pg_proc p where p.pronamespace = 'public'::regnamespace
     and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
   order by p.proname`,
  `select pg_get_triggerdef(t.oid) || ';'
   from pg_trigger t where not t.tgisinternal order by t.tgrelid::regclass::text, t.tgname`,
  `select format('grant %s on %I to %I;', g.privilege_type, g.table_name, g.grantee)
   from information_schema.role_table_grants g
   where g.table_schema = 'public' and g.grantee = 'commonhall_reader' order by g.table_name, g.privilege_type`,
];

export const printSchema = async (url: string): Promise<string> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const parts: string[] = [
    '-- Printed from the catalogue by: npm run refresh. Not run by anything; migrations/ makes the schema.',
  ];
  for (const section of sections) {
    const { rows } = await client.query<string[]>({ text: section, rowMode: 'array' });
    parts.push(...rows.map(([text]) => text!.trimEnd()));
  }
  await client.end();
  return `${parts.join('\n\n')}\n`;
};
