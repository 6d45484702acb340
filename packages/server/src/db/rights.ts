// The server's database roles and their privileges. Roles belong to a cluster, not to a database: a dump carries none.
// `commonhall migrate` grants what is missing and revokes what is in excess; `commonhall verify` reports differences.
import type pg from 'pg';

/** The role of the server, which only reads; operators make a login role a member of it. */
const reader = 'commonhall_reader';
/** Writes the day of a key's last use. */
const keyWriter = 'commonhall_key_writer';
const roles = [reader, keyWriter];
/** Tables that no server reads. */
const unread = ['erasures', 'import_checkpoints', 'import_keys', 'rejected_changes', 'takedowns'];

const ours = `in ('public'::regnamespace, 'lists'::regnamespace)`;
const wanted = `
  select '${reader}' as role, 'usage' as word, format('schema %I', n) as place from unnest('{public,lists}'::text[]) n
  union all
  select '${reader}', 'select', c.oid::regclass::text
  from pg_class c
  where c.relnamespace ${ours} and c.relkind in ('r', 'p') and c.relname <> all ('{${unread.join()}}')
  union all
  values ('${reader}', 'select (is_waiting)', 'rejected_changes'), -- to count them
    ('${keyWriter}', 'usage', 'schema public'), ('${keyWriter}', 'select (id)', 'api_keys'),
    ('${keyWriter}', 'update (last_used_on)', 'api_keys')`;
const given = `
  select x.grantee::regrole::text as role, lower(x.privilege_type) as word, format('schema %I', n.nspname) as place
  from pg_namespace n cross join lateral aclexplode(n.nspacl) x
  where n.oid ${ours}
  union all
  select x.grantee::regrole::text, lower(x.privilege_type), c.oid::regclass::text
  from pg_class c cross join lateral aclexplode(c.relacl) x
  where c.relnamespace ${ours}
  union all
  select x.grantee::regrole::text, format('%s (%I)', lower(x.privilege_type), a.attname), c.oid::regclass::text
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid
  cross join lateral aclexplode(a.attacl) x
  where c.relnamespace ${ours}`;

export interface RightDifference {
  role: string;
  /** As SQL has it: `select on users`. */
  right: string;
  isMissing: boolean;
}

/** Privileges that the roles lack, and those that they have in excess. */
export const rightDifferences = async (client: pg.Client): Promise<RightDifference[]> => {
  const { rows } = await client.query<RightDifference>(`
    select role, word || ' on ' || place as right, g.role is null as "isMissing"
    from (${wanted}) w
    full join (select * from (${given}) g where g.role = any ('{${roles.join()}}')) g using (role, word, place)
    where w.role is null or g.role is null
    order by 1, 2`);
  return rows;
};

const createRole = async (client: pg.Client, role: string): Promise<void> => {
  try {
    const { rows } = await client.query('select from pg_roles where rolname = $1', [role]);
    if (rows.length === 0) await client.query(`create role ${role} nologin`);
  } catch (error) {
    const code = String((error as { code?: unknown }).code);
    if (code === '42501')
      throw new Error(
        `this login may not make the role ${role}, and nothing was changed: as a superuser run: create role ${role} nologin; or: alter role ${client.user} createrole`,
        { cause: error },
      );
    // Roles belong to the whole cluster: the migration of another database may have created it meanwhile.
    if (!['42710', '23505'].includes(code)) throw error;
  }
};

/** Creates the roles. Runs first, so that a login without that privilege leaves nothing behind. */
export const createRoles = async (client: pg.Client): Promise<void> => {
  for (const role of roles) await createRole(client, role);
};

/** Grants and revokes until the roles have exactly the privileges that they should have. */
export const grantRights = async (client: pg.Client): Promise<void> => {
  const differences = await rightDifferences(client);
  if (differences.length === 0) return;
  await client.query('begin');
  for (const { role, right, isMissing } of differences)
    await client.query(isMissing ? `grant ${right} to ${role}` : `revoke ${right} from ${role}`);
  await client.query('commit');
};
