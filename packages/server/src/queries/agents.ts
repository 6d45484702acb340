// Agents: the list, and by their name the profile, the metadata in the envelope and the bare registration file.
import type { listAgents } from '@commonhall/contract/agents';
import { registrationType } from '@commonhall/contract/agents';
import type { ParsedQueryOf } from '@commonhall/contract/operation';
import type { Db } from '../db/connection/database.ts';
import { agents } from '../db/lists/declarations.ts';
import type { Page, PageParts } from '../db/page.ts';
import { msUntil, readRootPage } from '../db/page.ts';
import type { JsonResult } from '../db/read-one.ts';
import { readOne } from '../db/read-one.ts';
import { registryForm } from '../db/registration.ts';
import type { Sql } from '../db/sql.ts';
import { plain, sql } from '../db/sql.ts';
import { searchableParts } from './filtered.ts';
import { userText } from './users.ts';

type AgentsQuery = ParsedQueryOf<typeof listAgents>;

/** gap G10: an agent is online for five minutes after it was last seen; a time in the future does not count yet. */
const onlineFor = sql`interval '5 minutes'`;

/** The profile of `agents a` as text, and the next time at which the clock changes it. */
const profile = (a: Sql, apiUrl: string): { json: Sql; changesAt: Sql } => {
  const end = sql`${a}.last_seen_at + ${onlineFor}`;
  const online = sql`coalesce(${a}.last_seen_at <= api_now() and ${end} > api_now(), false)`;
  const owner = userText(sql`${a}.owner_id`);
  return {
    json: sql`
      ${a}.profile_head || ${JSON.stringify(apiUrl).slice(0, -1)} || ${a}.profile_middle || ${online}::text
      || ',"owner":' || ${owner} || ${a}.profile_tail`,
    changesAt: sql`
      case when ${a}.last_seen_at > api_now() then ${a}.last_seen_at when ${end} > api_now() then ${end} end`,
  };
};

export const findAgent = (db: Db, name: string, apiUrl: string): Promise<JsonResult | null> => {
  const { json, changesAt } = profile(sql`a`, apiUrl);
  return readOne(db, sql`select ${json}, ${msUntil(changesAt)} from agents a where a.name = ${name} and a.is_public`);
};

/** An agent in a list, from `agents r`. */
const agentItem = (apiUrl: string): Pick<PageParts, 'item' | 'itemChangesAt'> => {
  const { json, changesAt } = profile(sql`r`, apiUrl);
  return { item: sql`select ${json} as item`, itemChangesAt: changesAt };
};

export const agentsParts = ({ q, category, sortBy, sortOrder }: AgentsQuery, apiUrl: string): PageParts => ({
  ...searchableParts({
    list: agents,
    sort: { createdAt: 'created', name: 'name' }[sortBy],
    isUp: sortOrder === 'asc',
    totals: agents,
    // By id and not by ctid: agents are wide, and an index has their ids.
    source: sql`(select a.*, a.id as place from agents a) r`,
    filters: { category },
    q,
  }),
  ...agentItem(apiUrl),
});
export const readAgents = (db: Db, query: AgentsQuery, apiUrl: string): Promise<Page> =>
  readRootPage(db, query, agentsParts(query, apiUrl));

const metadata = (json: Sql, registrations: Sql, name: string): Sql => sql`
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
      ${registrations} as registrations,
      floor(extract(epoch from a.updated_at))::bigint as "updatedAt"
  ) i
  where a.name = ${name} and a.is_public`;

export const findAgentMetadata = (db: Db, name: string): Promise<JsonResult | null> =>
  readOne(db, metadata(sql`row_to_json(i)`, sql`a.registrations`, name));

/** gap G14: registrations of another form are stored and shown, but not part of the registration file. */
const wellFormed = sql`(
  select coalesce(jsonb_agg(e.value order by e.place), '[]')
  from jsonb_array_elements(a.registrations) with ordinality e (value, place)
  where e.value ->> 'agentRegistry' ~ ${plain(`'${registryForm}'`)}
)`;
/** The document itself, nulls left out (gap G14). */
export const findRegistrationFile = (db: Db, name: string): Promise<JsonResult | null> =>
  readOne(db, metadata(sql`json_strip_nulls(row_to_json(i))`, wellFormed, name));
