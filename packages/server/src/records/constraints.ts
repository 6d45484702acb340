// The constraints of the model, read once per run from the system catalogs of PostgreSQL.
import type pg from 'pg';

interface Own {
  table: string;
  columns: string[];
}
export interface ForeignKey extends Own {
  kind: 'foreign';
  /** What it refers to, and what happens to this row when that row is deleted: a no action, c cascade, n set null. */
  target: { table: string; columns: string[]; onDelete: 'a' | 'c' | 'n' };
}
export type Constraint = ForeignKey | (Own & { kind: 'unique' | 'check' });
/** By the name of the table, a dot, and the name of the constraint. */
export type Constraints = ReadonlyMap<string, Constraint>;

export const readConstraints = async (client: Pick<pg.Client, 'query'>): Promise<Constraints> => {
  const names = (numbers: string, relation: string) => `array(
    select a.attname::text from unnest(c.${numbers}) with ordinality k (number, place)
    join pg_attribute a on a.attrelid = c.${relation} and a.attnum = k.number
    order by k.place)`;
  const { rows } = await client.query<{ name: string; constraint: Constraint }>(`
    select t.relname || '.' || c.conname as name, json_build_object(
      'kind', case c.contype when 'f' then 'foreign' when 'c' then 'check' else 'unique' end,
      'table', t.relname,
      'columns', ${names('conkey', 'conrelid')},
      'target', json_build_object(
        'table', r.relname, 'columns', ${names('confkey', 'confrelid')}, 'onDelete', c.confdeltype
      )
    ) as constraint
    from pg_constraint c
    join pg_class t on t.oid = c.conrelid
    left join pg_class r on r.oid = c.confrelid
    where c.connamespace = 'public'::regnamespace and c.contype in ('p', 'u', 'f', 'c')
    order by c.conname`);
  return new Map(rows.map(({ name, constraint }) => [name, constraint]));
};

export const foreignKeys = (constraints: Constraints): ForeignKey[] =>
  [...constraints.values()].filter((constraint) => constraint.kind === 'foreign');
