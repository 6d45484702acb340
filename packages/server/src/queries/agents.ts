// Agents: the list, and by their name the profile, the metadata in the envelope and the bare registration file.
import type { listAgents } from '@commonhall/contract/agents';
import { registrationType } from '@commonhall/contract/agents';
import type { ParsedQueryOf } from '@commonhall/contract/operation';
import type { Db } from '../db/connection/pool.ts';
import { agents } from '../db/lists/declarations.ts';
import type { Page, PageParts } from '../db/page.ts';
import { readRootPage } from '../db/page.ts';
import type { JsonResult } from '../db/read-one.ts';
import { numberOf, readOne } from '../db/read-one.ts';
import { registryForm } from '../db/registration.ts';
import type { Sql } from '../db/sql.ts';
import { plain, sql } from '../db/sql.ts';
import { catalogueParts } from './catalogue.ts';
import { userText } from './users.ts';

type AgentsQuery = ParsedQueryOf<typeof listAgents>;

const onlineMs = 5 * 60_000;

/** The profile of `agents a` in two parts: `online`, which is not stored, goes between them. */
const profile = (a: Sql, apiUrl: string): [Sql, Sql] => [
  sql`${a}.profile_head || ${JSON.stringify(apiUrl).slice(0, -1)} || ${a}.profile_middle`,
  sql`',"owner":' || ${userText(sql`${a}.owner_id`)} || ${a}.profile_tail`,
];

export const findAgent = async (db: Db, name: string, apiUrl: string): Promise<JsonResult | null> => {
  const [head, tail] = profile(sql`a`, apiUrl);
  const [row] = await db.query(
    'point',
    sql`
      select ${head}, ${tail}, date_part('epoch', a.last_seen_at) * 1000
      from agents a
      where a.name = ${name} and a.is_public`,
  );
  if (row === undefined) return null;
  const [before, after, seenAt] = row;
  // gap G10: online for five minutes after it was last seen; a time in the future does not count yet.
  const seen = (numberOf(seenAt) ?? Number.NEGATIVE_INFINITY) - db.now();
  const online = seen <= 0 && seen > -onlineMs;
  const changes = seen > 0 ? seen : seen + onlineMs;
  return { json: `${before}${online}${after}`, changesInMs: changes > 0 ? changes : null };
};

/** An agent in a list, from `agents r`. */
const agentItem = (apiUrl: string): Pick<PageParts, 'item' | 'itemChangesAt'> => {
  const [head, tail] = profile(sql`r`, apiUrl);
  const end = sql`r.last_seen_at + ${onlineMs} * interval '1 ms'`;
  return {
    item: sql`
      select ${head} || coalesce(r.last_seen_at <= api_now() and ${end} > api_now(), false)::text || ${tail} as item`,
    itemChangesAt: sql`
      case when r.last_seen_at > api_now() then r.last_seen_at when ${end} > api_now() then ${end} end`,
  };
};

export const agentsParts = ({ q, category, sortBy, sortOrder }: AgentsQuery, apiUrl: string): PageParts => ({
  ...catalogueParts({
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
