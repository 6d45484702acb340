// Agents by their name: the profile, the metadata in the envelope and the bare registration file.
import { registrationType } from '@commonhall/contract/agents';
import type { Found } from '../db/page.ts';
import { readOne, untilMs } from '../db/page.ts';
import type { Db } from '../db/pool.ts';
import type { Sql } from '../db/sql.ts';
import { sql } from '../db/sql.ts';
import { userSummary } from './users.ts';

export const findAgent = (db: Db, name: string, apiUrl: string): Promise<Found | null> =>
  readOne(
    db,
    sql`
      select row_to_json(i)::text as json, ${untilMs(sql`o.changes_at`)} as changes_in_ms
      from agents a
      cross join lateral (
        -- gap G10: online for five minutes from the last sight; a sight in the future does not count yet.
        select
          coalesce(api_now() >= a.last_seen_at and api_now() < a.last_seen_at + interval '5 minutes', false) as online,
          case
            when a.last_seen_at > api_now() then a.last_seen_at
            when a.last_seen_at + interval '5 minutes' > api_now() then a.last_seen_at + interval '5 minutes'
          end as changes_at
      ) o
      cross join lateral (
        select
          a.id,
          a.name,
          a.display_name as "displayName",
          a.agent_id as "agentId",
          a.bio,
          a.avatar,
          ${apiUrl}::text || '/agents/' || a.name || '/metadata' as "metadataUrl",
          a.website_url as "websiteUrl",
          (
            select coalesce(jsonb_agg(
              jsonb_build_object('name', s.value -> 'name', 'endpoint', s.value -> 'endpoint', 'version', s.value -> 'version')
              || case when s.value -> 'mcpTools' = '[]' then '{}' else jsonb_build_object('mcpTools', s.value -> 'mcpTools') end
              order by s.place
            ), '[]')
            from jsonb_array_elements(a.services) with ordinality as s (value, place)
          ) as services,
          a.active,
          a.x402_support as "x402Support",
          a.supported_trust as "supportedTrust",
          a.registrations,
          a.social_accounts as "socialAccounts",
          a.version,
          a.category,
          a.tags,
          a.status,
          iso(a.last_seen_at) as "lastSeenAt",
          o.online,
          ${userSummary(sql`a.owner_id`)} as owner,
          iso(a.created_at) as "createdAt",
          iso(a.updated_at) as "updatedAt",
          iso(a.published_at) as "publishedAt"
      ) i
      where a.name = ${name} and a.is_public`,
  );

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
