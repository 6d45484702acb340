// The SQL for a platform that Commonhall follows: the outbox, the rights of the role that reads it, and for each table of
// the record format a view to fill in, with the trigger that writes its changes. `commonhall outbox` prints it.
import type { TSchema } from '@commonhall/contract/shared';
import type { Column, Table } from '../records/columns.ts';
import { slugProblem } from '../records/rules.ts';
import { publicStates } from '../visibility/states.ts';

/** A table of the record format, and the platform's own table with its data. */
export interface Followed {
  table: Table;
  own: string;
}

const opening = `-- The outbox that Commonhall follows. Fill in the views: the left side of each "as" is yours, the right side is
-- Commonhall's. Then run all of it once, in the platform's database, as the owner of its tables.
begin;
set local search_path = public, pg_temp; -- write your tables of another schema with it, like app.tasks

do $$
begin
  if not exists (select from pg_roles where rolname = 'commonhall_feed') then
    create role commonhall_feed login; -- give it a password, or another way to log in
  end if;
end
$$;

-- Every change, written in its own transaction, until Commonhall has applied it. A reader must not remember the largest
-- id, since ids are not in commit order.
create table outbox (
  id bigint generated always as identity primary key,
  message_id uuid not null default gen_random_uuid(),
  xid xid8 not null default pg_current_xact_id(),
  body json not null -- as text, so that it is read as it was written
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
-- How many rows have been applied and deleted. By the other two columns Commonhall notices another outbox, and rows that
-- were deleted after a load was taken.
create table outbox_position (
  is_only boolean primary key default true check (is_only),
  outbox uuid not null default gen_random_uuid(),
  applied bigint not null default 0,
  xid xid8 not null default pg_current_xact_id()
);
insert into outbox_position default values;
grant select, delete on outbox to commonhall_feed;
grant select, update on outbox_position to commonhall_feed;

-- Formats a timestamp for Commonhall: UTC, milliseconds, a trailing Z.
create function instant(moment timestamptz) returns text
language sql stable
return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- TRUNCATE fires no row triggers, so the rows would stay in Commonhall.
create function refuse_truncate() returns trigger
language plpgsql
as $$
begin
  raise exception 'use DELETE: the outbox does not see a TRUNCATE of %', tg_table_name;
end
$$;

-- Follows a table of the platform: its changes are written under the name of a table of Commonhall. The key names the
-- columns of the record and those of the platform's table. A change is written in its own transaction: both commit, or
-- neither. A change waits for the lock of its row, so the later of two changes has the larger id and commits later.
create function follow_table(own regclass, name text, key jsonb) returns void
language plpgsql
as $follow$
declare
  columns text;
  is_it text;
  has_moved text;
  old_key text;
begin
  select string_agg(format('(%I::text)', c), ', '), string_agg(format('v.%I = new.%I::text', k, c), ' and '),
    string_agg(format('old.%1$I is distinct from new.%1$I', c), ' or '), string_agg(format('%L, old.%I::text', k, c), ', ')
  into columns, is_it, has_moved, old_key
  from jsonb_each_text(key) e (k, c);
  execute format($sql$
    create unique index on %1$s (%2$s); -- the view is searched by its key, which is text
    create function outbox_%3$s() returns trigger
    language plpgsql security definer set search_path = public, pg_temp
    as $body$
    declare
      record_now json;
    begin
      if tg_op <> 'DELETE' then
        select to_json(v) into record_now from commonhall_%3$s v where %4$s;
      end if;
      if tg_op <> 'INSERT' and (record_now is null or %5$s) then
        insert into outbox (body)
        values (json_build_object('op', 'delete', 'table', %3$L, 'key', json_build_object(%6$s)));
      end if;
      if record_now is not null then
        insert into outbox (body) values (json_build_object('op', 'put', 'table', %3$L, 'record', record_now));
      end if;
      return null;
    end
    $body$;
    revoke execute on function outbox_%3$s() from public;
    create trigger outbox_%3$s after insert or update or delete on %1$s
      for each row execute function outbox_%3$s(%3$L, %7$L);
    create trigger no_truncate_%3$s before truncate on %1$s execute function refuse_truncate()$sql$,
    own, columns, name, is_it, has_moved, old_key, key);
end
$follow$;

-- Whether the key of each view is the columns that its trigger names. Otherwise changes would be written under another
-- key, or not at all.
create function check_outbox() returns void
language plpgsql set search_path = public, pg_temp
as $$
declare
  found record;
  condition text;
  is_wrong boolean;
begin
  for found in
    select tgrelid::regclass as own, string_to_array(encode(tgargs, 'escape'), '\\000') as args
    from pg_trigger
    join pg_proc p on p.oid = tgfoid and p.pronamespace = 'public'::regnamespace
    join pg_class c on c.oid = tgrelid and c.relkind in ('r', 'p') and c.relpersistence <> 't'
    where starts_with(tgname, 'outbox_') and tgname = p.proname and tgnargs = 2
  loop
    select string_agg(format('o.%I::text = v.%I', value, key), ' and ') into condition
    from jsonb_each_text(found.args[2]::jsonb);
    execute format('select exists (select from %I v where not exists (select from %s o where %s))',
      'commonhall_' || found.args[1], found.own, condition) into is_wrong;
    if is_wrong then
      raise exception 'the key of the view commonhall_% is not that of %: % must be the column itself, as text',
        found.args[1], found.own, found.args[2];
    end if;
  end loop;
end
$$;
revoke execute on function follow_table(regclass, text, jsonb), check_outbox(), refuse_truncate() from public;
`;

/** Columns that may be null only where the row is not public (gap G16). */
const neededIfPublic: Readonly<Record<string, readonly string[]>> = {
  bounties: ['published_at'],
  launches: ['launch_week', 'published_at'],
};

/** What a value must be, in words. */
const ruleOf = ({ kind, schema, rule }: Column): string => {
  const { anyOf, maxLength, minLength, enum: words, maximum, minimum } = schema as Record<string, unknown> & TSchema;
  const [inner] = Array.isArray(anyOf) ? (anyOf as TSchema[]) : [];
  if (inner !== undefined && maxLength === undefined && words === undefined)
    return ruleOf({ kind, schema: inner, nullable: false, audience: 'public', ...(rule && { rule }) });
  if (Array.isArray(words)) return `one of ${words.join(', ')}`;
  if (kind === 'text' && typeof maxLength === 'number')
    return `text of ${minLength === undefined ? 'at most' : `${String(minLength)} to`} ${maxLength} characters`;
  if (typeof maximum === 'number' || typeof minimum === 'number')
    return `${kind} ${[
      ...(typeof minimum === 'number' ? [`from ${minimum}`] : []),
      ...(typeof maximum === 'number' ? [`to ${maximum}`] : []),
    ].join(' ')}`;
  return kind === 'json' ? shapeOf(schema) : kind;
};
/** The shape of a JSON value: `list of {place, amount}`. */
const shapeOf = (schema: TSchema): string => {
  const { type, items, properties, anyOf } = schema as {
    type?: string;
    items?: TSchema;
    properties?: Record<string, unknown>;
    anyOf?: TSchema[];
  };
  if (anyOf?.[0] !== undefined) return shapeOf(anyOf[0]);
  if (type === 'array') return `list of ${items === undefined ? 'json' : shapeOf(items)}`;
  if (type !== 'object') return type === 'string' ? 'text' : (type ?? 'json');
  return `{${Object.keys(properties ?? {}).join(', ')}}`;
};

const sqlTypes: Partial<Record<Column['kind'], string>> = { integer: 'bigint', number: 'numeric', json: 'jsonb' };
const isList = ({ schema }: Column): boolean => (schema as { type?: string }).type === 'array';
/** What stands on the left side of "as", until the platform's own expression does. */
const placeholder = (name: string, column: Column, isNeeded: boolean): string => {
  const { kind, nullable } = column;
  if (nullable && !isNeeded) return `null::${sqlTypes[kind] ?? (kind === 'boolean' ? 'boolean' : 'text')}`;
  if (kind === 'json') return isList(column) ? `'[]'::jsonb` : `'{}'::jsonb`;
  if (kind === 'instant') return `instant(${name})`;
  return kind === 'text' ? `${name}::text` : name;
};

const viewOf = ({ table, own }: Followed): string => {
  const columns = Object.entries(table.columns);
  const shown = publicStates[table.name as keyof typeof publicStates]?.join(', ');
  const lines = columns.map(([name, column], n) => {
    const isNeeded = neededIfPublic[table.name]?.includes(name) ?? false;
    const value = `  ${placeholder(name, column, isNeeded)} as ${name}${n < columns.length - 1 ? ',' : ''}`;
    const notes = [
      ...(isNeeded ? ['needed where the row is public'] : column.nullable ? ['optional'] : []),
      ruleOf(column),
      ...(column.rule === slugProblem ? ['for a URL'] : []),
      ...(name === 'status' && shown !== undefined ? [`public are ${shown}`] : []),
      ...(table.key.includes(name) ? ['the key'] : []),
    ];
    return `${value.padEnd(52)} -- ${notes.join(', ')}`;
  });
  return [
    `-- ${table.name}: docs/loading-data.md has an example. A row that the view leaves out is deleted in Commonhall.`,
    `create view commonhall_${table.name} as select`,
    ...lines,
    `from ${own};`,
  ].join('\n');
};

const followOf = ({ table, own }: Followed): string => {
  const key = table.key.map((name) => `"${name}": "${name}"`).join(', ');
  return `-- The key: the column of the record, and your column.\nselect follow_table('${own}', '${table.name}', '{${key}}');`;
};

/** The whole text, for a database that has none of it yet; or only the tables, for one that has. */
export const outboxSql = (followed: readonly Followed[], hasOutbox = false): string =>
  [
    hasOutbox ? 'begin;\nset local search_path = public, pg_temp;\n' : opening,
    ...followed.map((each) => `${viewOf(each)}\n${followOf(each)}\n`),
    'select check_outbox();\ncommit;',
  ].join('\n');
