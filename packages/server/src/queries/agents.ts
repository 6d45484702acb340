// Agents: the list, and by their name the profile, the metadata in the envelope and the bare registration file.
import type { listAgents } from '@commonhall/contract/agents';
import { registrationType } from '@commonhall/contract/agents';
import type { ParsedQueryOf } from '@commonhall/contract/operation';
import type { Db } from '../db/connection/database.ts';
import { agents, userAgents } from '../db/lists/declarations.ts';
import type { Range } from '../db/lists/pages.ts';
import { unfiltered } from '../db/lists/pages.ts';
import type { StoredJson } from '../db/lists/stored-json.ts';
import { members, textsTable } from '../db/lists/stored-json.ts';
import type { Page, PageParts, PageQuery } from '../db/page.ts';
import { listParts, msUntil, readPage, readRootPage } from '../db/page.ts';
import type { JsonResult } from '../db/read-one.ts';
import { readOne } from '../db/read-one.ts';
import { registryForm } from '../db/registration.ts';
import type { Sql } from '../db/sql.ts';
import { plain, sql } from '../db/sql.ts';
import { searchableParts } from './filtered.ts';
import { publicUser, userText } from './users.ts';

type AgentsQuery = ParsedQueryOf<typeof listAgents>;

/** gap G10: an agent is online for five minutes after it was last seen; a time in the future does not count yet. */
const onlineFor = sql`interval '5 minutes'`;

/** The services as a profile shows them: four keys, mcpTools only when there are any. */
const services = `(
  select coalesce(jsonb_agg(s.value - '{description,capabilities,mcpResources,mcpPrompts,skills,domains,a2aSkills}'::text[]
    - case when s.value -> 'mcpTools' = '[]' then 'mcpTools' else '' end order by s.place), '[]')
  from jsonb_array_elements(r.services) with ordinality as s (value, place)
)`;
/** A profile in three parts, without what depends on the clock, the owner or the server's address, and without lastSeenAt:
 * most changes of an agent change only this, and nothing that is stored. */
export const agentProfiles: StoredJson = {
  name: 'agent_profiles',
  table: 'agents',
  id: 'id',
  texts: {
    head: `'{' || ${members('r.id, r.name, r.display_name as "displayName", r.agent_id as "agentId", r.bio, r.avatar')}
      || ',"metadataUrl":'`,
    middle: `'/agents/' || url_part(r.name) || '/metadata",' || ${members(`
      r.website_url as "websiteUrl", ${services} as services, r.active, r.x402_support as "x402Support",
      r.supported_trust as "supportedTrust", r.registrations, r.social_accounts as "socialAccounts", r.version, r.category,
      r.tags, r.status`)} || ',"lastSeenAt":'`,
    tail: `',' || ${members(`
      iso(r.created_at) as "createdAt", iso(r.updated_at) as "updatedAt", iso(r.published_at) as "publishedAt"`)} || '}'`,
  },
};

const end = sql`r.last_seen_at + ${onlineFor}`;
const online = sql`coalesce(r.last_seen_at <= api_now() and ${end} > api_now(), false)`;
const texts = plain(textsTable(agentProfiles));
/** Selects the profile of `agents r` as the text `item`. */
const profile = (apiUrl: string): Sql => sql`
  select p.head || ${JSON.stringify(apiUrl).slice(0, -1)} || p.middle || coalesce('"' || iso(r.last_seen_at) || '"', 'null')
    || ',"online":' || ${online}::text || ',"owner":' || ${userText(sql`r.owner_id`)} || p.tail as item
  from ${texts} p
  where p.id = r.id
  offset 0`; // an optimization fence: looked up by key for each row, since the planner does not know how small a page is
/** The next time at which the clock changes it. */
const changesAt = sql`case when r.last_seen_at > api_now() then r.last_seen_at when ${end} > api_now() then ${end} end`;

export const findAgent = (db: Db, name: string, apiUrl: string): Promise<JsonResult | null> =>
  readOne(
    db,
    sql`
      select i.item, ${msUntil(changesAt)}
      from agents r
      cross join lateral (${profile(apiUrl)}) i
      where r.name = ${name} and r.is_public`,
  );

export const agentsParts = ({ q, category, sortBy, sortOrder, ...range }: AgentsQuery, apiUrl: string): PageParts => ({
  ...searchableParts({
    list: agents,
    sort: { createdAt: 'created', name: 'name' }[sortBy],
    isUp: sortOrder === 'asc',
    totals: agents,
    // By id and not by ctid: agents are wide, and an index has their ids.
    source: sql`(select a.*, a.id as place from agents a) r`,
    filters: { category },
    q,
    range,
  }),
  item: profile(apiUrl),
  itemChangesAt: changesAt,
});
export const readAgents = (db: Db, query: AgentsQuery, apiUrl: string): Promise<Page> =>
  readRootPage(db, query, agentsParts(query, apiUrl));

export const userAgentsParts = (username: string, apiUrl: string, range: Range = {}): PageParts => ({
  parent: publicUser(username),
  ...listParts({ list: userAgents, sort: 'created', isUp: false, parent: sql`parent.id`, range, ...unfiltered }),
  item: profile(apiUrl),
  itemChangesAt: changesAt,
});
export const readUserAgents = (
  db: Db,
  username: string,
  query: PageQuery & Range,
  apiUrl: string,
): Promise<Page | null> => readPage(db, query, userAgentsParts(username, apiUrl, query));

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
