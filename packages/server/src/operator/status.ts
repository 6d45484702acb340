// The operator's view of the database beside its counts: which sessions hold and wait for the writer lock, the state of
// the feed, lists with more combinations of filter values than are counted, and score tiers that are still sample data.
import type pg from 'pg';
import { withClient } from '../db/connection/client.ts';
import { lists } from '../db/lists/declarations.ts';
import { totalsTable } from '../db/lists/generator.ts';
import { versions } from '../db/lists/install.ts';

interface Session {
  pid: number;
  who: string;
  state: string | null;
  seconds: number;
  holds: boolean;
}

/** How many of the sessions that wait for the writer lock are named. */
const mostNamed = 3;

const writers = async (client: pg.Client): Promise<string> => {
  const { rows } = await client.query<Session>(`
    select
      l.pid,
      concat_ws(', ', nullif(a.application_name, ''), a.usename, a.client_addr) as who,
      a.state,
      coalesce(extract(epoch from now() - coalesce(l.waitstart, a.xact_start)), 0)::integer as seconds,
      l.granted as holds
    from pg_locks l
    join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'relation' and l.relation = 'writer_lock'::regclass and l.mode = 'ShareUpdateExclusiveLock'
      and l.database = (select oid from pg_database where datname = current_database())
    order by l.granted desc, l.waitstart`);
  const holder = rows.find(({ holds }) => holds);
  if (holder === undefined) return 'writer lock: free';
  const waiting = rows.filter(({ holds }) => !holds);
  const named = waiting.slice(0, mostNamed).map(({ pid, who, seconds }) => `process ${pid} for ${seconds} s (${who})`);
  return [
    `writer lock: held for ${holder.seconds} s by process ${holder.pid} (${holder.who}; ${holder.state})`,
    [`${waiting.length} waiting`, ...(named.length === 0 ? [] : [named.join(', ')])].join(': '),
  ].join('; ');
};

const wideLists = async (client: pg.Client): Promise<string[]> => {
  const found: string[] = [];
  for (const list of lists) {
    const { name, table, facets } = list;
    if (facets === null) continue;
    const { rows } = await client.query<{ parent: string; n: number }>(`
      select t.parent, (select count(*) - 1 from ${totalsTable(list)} f where f.parent = t.parent)::integer as n
      from ${totalsTable(list)} t where t.facet = 0 and not t.is_by_facet order by 1 limit 10`);
    for (const { parent, n } of rows)
      found.push(
        `list ${name}${parent === '' ? '' : ` of ${parent}`}: ${n} combinations of filter values in ${table}, more than are counted in blocks; totals are exact, filtered pages take longer`,
      );
  }
  return found;
};

/** Lists that only the servers of another build read. */
const otherLists = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ build: string; names: string }>(
    `select declared_by as build, string_agg(name, ', ' order by name) as names
     from installed where name <> all ($1) group by 1 order by 1`,
    [versions],
  );
  return rows.map(({ build, names }) => `lists that only the build ${build} reads: ${names}`);
};

export interface FeedState {
  stream: string | null;
  sequence: string;
  asOf: string | null;
  lag: string | null;
  applied: string;
  setAside: string;
  waiting: string;
  rejected: string;
  /** Applied changes that the platform has lost since. */
  undone: string;
  isFollowed: boolean;
}
/** How far the platform's changes are applied; undefined: the schema is not complete. */
export const readFeedState = async (client: pg.Client): Promise<FeedState | undefined> => {
  const { rows } = await client.query<FeedState>(`
    select stream, sequence, iso(as_of) as "asOf", round(extract(epoch from api_now() - as_of)) as lag, applied,
      set_aside as "setAside", undone,
      (select count(*) from rejected_changes where is_waiting) as waiting,
      (select count(*) from rejected_changes where not is_waiting) as rejected,
      (select coalesce(expires_at > clock_timestamp(), false) from feed_lease) as "isFollowed"
    from feed`);
  return rows[0];
};

const feedLines = async (client: pg.Client): Promise<string[]> => {
  const feed = await readFeedState(client);
  if (feed === undefined) return [];
  const { stream, sequence, asOf, lag, applied, setAside, waiting, rejected, isFollowed } = feed;
  const age = asOf === null ? 'no mark yet' : `as of ${asOf} (${lag} s ago)`;
  return [
    stream === null
      ? 'feed: no stream has been followed'
      : `feed: stream ${stream}, message ${sequence}, ${age}; ${isFollowed ? 'a follower works' : 'no follower works'}`,
    `changes: ${applied} applied, ${setAside} set aside on arrival; now ${waiting} waiting, ${rejected} rejected${Number(waiting) + Number(rejected) > 0 ? '; see: commonhall rejected' : ''}`,
  ];
};

/** The status as lines of text. */
export const readStatus = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    const writing = await writers(client);
    const wide = await wideLists(client);
    const { rows } = await client.query<{ dimension: string }>(
      'select dimension from score_tiers where is_sample order by 1',
    );
    const samples = rows.map(({ dimension }) => dimension).join(', ');
    return [
      writing,
      ...(await feedLines(client)),
      ...(wide.length === 0 ? ['lists: all counted by filter'] : wide),
      ...(await otherLists(client)),
      samples === '' ? 'score tiers: your own' : `score tiers: samples (${samples}); load your own: score_tiers`,
    ];
  });
