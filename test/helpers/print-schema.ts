// Prints the schema from PostgreSQL's catalogue in a fixed order, without installed lists. Contributors read it to see the
// whole model, and schema.test.ts compares it so that no migration changes the schema unnoticed.
import pg from 'pg';

const ours = `in ('public'::regnamespace, 'lists'::regnamespace)`;
const collation = (of: string) =>
  `(select 'collate ' || quote_ident(l.collname) from pg_collation l where l.oid = ${of} and l.collname <> 'default')`;
const options = (of: string) => `coalesce(' with (' || array_to_string(${of}, ', ') || ')', '')`;
const sections = [
  `select format(E'create domain %I as %s%s;', t.typname,
     concat_ws(' ', format_type(t.typbasetype, t.typtypmod), ${collation('t.typcollation')}),
     (select string_agg(' ' || pg_get_constraintdef(c.oid), '' order by c.conname) from pg_constraint c where c.contypid = t.oid and c.contype = 'c'))
   from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype = 'd' order by t.typname`,
  `select format('create sequence %s as %s;', c.oid::regclass, format_type(s.seqtypid, null))
   from pg_sequence s join pg_class c on c.oid = s.seqrelid
   where c.relnamespace ${ours} and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i')) order by 1`,
  `select format(E'create table %s (\\n  %s\\n)%s;', c.oid::regclass, concat_ws(E',\\n  ',
     (select string_agg(concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
         case when a.attcollation <> y.typcollation then ${collation('a.attcollation')} end,
         case when a.attstorage <> y.typstorage then 'storage ' || a.attstorage::text end,
         case when a.attgenerated = 's' then 'generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
              when d.adbin is not null then 'default ' || pg_get_expr(d.adbin, d.adrelid) end,
         case when a.attnotnull then 'not null' end), E',\\n  ' order by a.attnum)
      from pg_attribute a join pg_type y on y.oid = a.atttypid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
     (select string_agg(format('constraint %I %s', k.conname, pg_get_constraintdef(k.oid)), E',\\n  ' order by k.contype, k.conname)
      from pg_constraint k where k.conrelid = c.oid and k.contype not in ('n', 't'))), ${options('c.reloptions')})
   from pg_class c where c.relnamespace ${ours} and c.relkind in ('r', 'p') order by c.oid::regclass::text`,
  `select pg_get_indexdef(i.indexrelid) || ';'
   from pg_index i join pg_class c on c.oid = i.indexrelid
   where c.relnamespace ${ours}
     and not exists (select from installed v where c.relnamespace::regnamespace || '.' || c.relname = any (v.indexes))
     and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
   order by c.oid::regclass::text`,
  `select pg_get_functiondef(p.oid) || ';'
   from pg_proc p where p.pronamespace ${ours}
     and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
   order by p.pronamespace::regnamespace::text desc, p.proname`,
  `select pg_get_triggerdef(t.oid) || ';'
   from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
   where not t.tgisinternal and c.relnamespace ${ours} and p.pronamespace ${ours}
   order by t.tgrelid::regclass::text, t.tgname`,
  `select format('grant %s on schema %I to %I;', lower(x.privilege_type), n.nspname, x.grantee::regrole)
   from pg_namespace n cross join lateral aclexplode(n.nspacl) x
   where n.oid ${ours} and x.grantee <> 0 and x.grantee <> n.nspowner order by 1`,
  `select format('grant %s on %s to %I;', lower(x.privilege_type), c.oid::regclass, x.grantee::regrole)
   from pg_class c cross join lateral aclexplode(c.relacl) x
   where c.relnamespace ${ours} and x.grantee <> c.relowner order by 1`,
  `select format('grant %s (%I) on %s to %I;', lower(x.privilege_type), a.attname, c.oid::regclass, x.grantee::regrole)
   from pg_class c join pg_attribute a on a.attrelid = c.oid cross join lateral aclexplode(a.attacl) x
   where c.relnamespace ${ours} order by 1`,
];

export const printSchema = async (url: string): Promise<string> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const parts: string[] = [
    '-- Printed from the catalogue by: npm run refresh. Not run by anything; migrations/ makes the schema.',
  ];
  for (const section of sections) {
    const { rows } = await client.query<string[]>({ text: section, rowMode: 'array' });
    const isShort = rows.length > 100 && rows.every(([text]) => !text!.includes('\n'));
    if (isShort) parts.push(rows.map(([text]) => text!.trimEnd()).join('\n'));
    else parts.push(...rows.map(([text]) => text!.trimEnd()));
  }
  await client.end();
  return `${parts.join('\n\n')}\n`;
};
