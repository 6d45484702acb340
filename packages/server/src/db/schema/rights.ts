// The server's database roles and their privileges. Roles belong to a cluster, not to a database: a dump carries none.
// `commonhall migrate` grants what is missing and revokes what is in excess; `commonhall verify` reports differences.
import type pg from 'pg';

/** The role of the server, which only reads; operators make a login role a member of it. */
const reader = 'commonhall_reader';
/** Writes the day of a key's last use. */
const keyWriter = 'commonhall_key_writer';
const roles = [reader, keyWriter];
/** Tables of which no server reads rows. */
const unread = ['erasures', 'import_checkpoints', 'import_keys', 'rejected_changes', 'takedowns'];
/** Tables that are only there to be locked, or name sessions: a lock on them would stop writers, loads and migrations. */
const locks = ['journal_lock', 'turns', 'writer_lock'];

// Also in the middle of the migrations, when not all of it exists.
const ours = `in (
  select n.oid from pg_namespace n where n.nspname in ('public', 'lists') or n.nspname in (select name from installed)
)`;
const wanted = `
  select '${reader}' as role, 'usage' as word, format('schema %I', nspname) as place from pg_namespace where oid ${ours}
  union all
  select '${reader}', 'select', c.oid::regclass::text
  from pg_class c
  where c.relnamespace ${ours} and c.relkind in ('r', 'p') and c.relname <> all ('{${[...unread, ...locks].join()}}')
  union all
  select w.*
  from (values
    -- To count them, and to say which rows they have hidden.
    ('${reader}', 'select (is_waiting)', 'rejected_changes'), ('${reader}', 'select (key)', 'rejected_changes'),
    ('${reader}', 'select (table_name)', 'rejected_changes'),
    ('${keyWriter}', 'select (id)', 'api_keys'), ('${keyWriter}', 'update (last_used_on)', 'api_keys')
  ) w (role, word, place)
  where to_regclass(w.place) is not null
  union all
  values ('${keyWriter}', 'usage', 'schema public')`;
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

/** What every role may do by default, and a server must not: create tables and large objects, write to the WAL, and take
 * advisory locks, which fill the lock table of the whole cluster. As statements that revoke it. */
const byDefault = `
  select format('revoke temporary on database %I from public', current_database()) as statement
  where has_database_privilege('${reader}', current_database(), 'temporary')
  union all
  select 'revoke create on schema public from public' where has_schema_privilege('${reader}', 'public', 'create')
  union all
  select format('revoke execute on function %s from public', string_agg(p.oid::regprocedure::text, ', ' order by 1))
  from pg_proc p
  where p.pronamespace = 'pg_catalog'::regnamespace and has_function_privilege('${reader}', p.oid, 'execute')
    and p.proname ~ '^(lo_(creat|create|from_bytea|put|truncate|truncate64|unlink)|lowrite|pg_logical_emit_message|pg_(try_)?advisory_(xact_)?lock(_shared)?)$'
  having count(*) > 0`;

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

/** Grants and revokes until the roles have exactly the privileges that they should have, in the current transaction. */
export const grantRights = async (client: pg.Client): Promise<void> => {
  for (const { role, right, isMissing } of await rightDifferences(client))
    await client.query(isMissing ? `grant ${right} to ${role}` : `revoke ${right} from ${role}`);
};

/** What a server may still do by the defaults of PostgreSQL, as statements that revoke it. */
export const defaultRights = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ statement: string }>(byDefault);
  return rows.map(({ statement }) => statement);
};

/** Revokes what every role may do by default. Returns the statements for which this login lacks the right: the owner
 * of a database may revoke the first kind, only a superuser the functions. */
export const closeToPublic = async (client: pg.Client): Promise<string[]> => {
  for (const statement of await defaultRights(client))
    await client.query(statement).catch((error: { code?: unknown }) => {
      if (error.code !== '42501') throw error;
    });
  return defaultRights(client);
};
