// Agents by their name: the profile, the metadata in the envelope and the bare registration file.
import { registrationType } from '@commonhall/contract/agents';
import type { Found } from '../db/page.ts';
import { readOne, untilMs } from '../db/page.ts';
import type { Db } from '../db/pool.ts';
import type { Sql } from '../db/sql.ts';
import { sql } from '../db/sql.ts';

export const findAgent = (db: Db, name: string, apiUrl: string): Promise<Found | null> => {
  const metadataUrl = JSON.stringify(`${apiUrl}/agents/`).slice(0, -1); // a name needs no escaping (gap G18)
  return readOne(
    db,
    sql`
      select
        a.profile_head || ',"metadataUrl":' || ${metadataUrl} || a.name || '/metadata"' || a.profile_middle
        || ',"online":' || o.online::text || ',"owner":' || u.summary_head || u.public_tags::text || '}'
        || a.profile_tail as json,
        ${untilMs(sql`o.changes_at`, sql`n.now`)} as changes_in_ms
      from agents a
      join users u on u.id = a.owner_id
      cross join (select api_now() as now offset 0) n -- asked once: the clock is the dearest part of this
      cross join lateral (
        -- gap G10: online for five minutes from the last sight; a sight in the future does not count yet.
        select
          coalesce(n.now >= a.last_seen_at and n.now < a.last_seen_at + interval '5 minutes', false) as online,
          case
            when a.last_seen_at > n.now then a.last_seen_at
            when a.last_seen_at + interval '5 minutes' > n.now then a.last_seen_at + interval '5 minutes'
          end as changes_at
      ) o
      where a.name = ${name} and a.is_public`,
  );
};

const metadata = (json: Sql, name: string): Sql => sql`
  select ${json}::text as json
  from agents a
  cross join lateral (
    select
      ${registrationType}::text as type,
      a.display_name as name,
      a.bio as description,
      a.avatar ->> 'lg' as image,
      a.services,
      a.active,
      a.x402_support as "x402Support",
      a.supported_trust as "supportedTrust",
      a.registrations,
      floor(extract(epoch from a.updated_at))::bigint as "updatedAt"
  ) i
  where a.name = ${name} and a.is_public`;

export const findAgentMetadata = (db: Db, name: string): Promise<Found | null> =>
  readOne(db, metadata(sql`row_to_json(i)`, name));

/** The document itself, nulls left out (gap G14). */
export const findRegistrationFile = (db: Db, name: string): Promise<Found | null> =>
  readOne(db, metadata(sql`json_strip_nulls(row_to_json(i))`, name));
