// A small platform beside the demo: about once a second the sample's people publish, clap, submit, win and commit. It
// writes its changes to an outbox in a database of its own, and a follower applies them.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { follow } from '../packages/server/src/feed/follow.ts';
import { openOutboxSource } from '../packages/server/src/feed/outbox-source.ts';
import { outboxSql } from '../packages/server/src/feed/outbox-sql.ts';
import type { Log } from '../packages/server/src/log.ts';

const restMs = 1000;
type Row = Record<string, unknown>;
const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!;
const put = (table: string, record: Row): string => JSON.stringify({ op: 'put', table, record });
const now = (): string => new Date().toISOString();
const stamps = () => ({ created_at: now(), updated_at: now() });
const adjectives = ['Quiet', 'Bright', 'Salted', 'Patient', 'Curious', 'Tidal', 'Copper', 'Northern'];
const nouns = ['Compass', 'Harbour', 'Ledger', 'Lantern', 'Orchard', 'Signal', 'Workshop', 'Atlas'];
/** A name that nothing else has. */
const invent = () => {
  const [name, id] = [`${pick(adjectives)} ${pick(nouns)}`, randomUUID().slice(0, 8)];
  return { name, id: `live-${id}`, slug: `${name.toLowerCase().replace(' ', '-')}-${id}` };
};

interface People {
  users: string[];
  launches: string[];
  sponsors: string[];
  topics: string[];
  collections: string[];
}
/** Whom and what the sample has. */
const readPeople = async (url: string): Promise<People> => {
  const client = new pg.Client(url);
  await client.connect();
  const ids = async (text: string) => (await client.query<{ id: string }>(text)).rows.map(({ id }) => id);
  const people = {
    users: await ids('select id from users where is_public'),
    launches: await ids('select id from launches where is_public order by published_at desc limit 20'),
    sponsors: await ids('select id from sponsors'),
    topics: await ids('select id from topics'),
    collections: await ids('select address as id from collections where is_public'),
  };
  await client.end();
  return people;
};

/** What can happen: each act returns the changes of one transaction. */
const actsOf = (people: People) => {
  const { users, launches } = people;
  /** The open bounty of this platform, and the entries for it. */
  let [bounty, entries]: [Row | null, Row[]] = [null, []];
  const clap = () => [
    put('launch_claps', { launch_id: pick(launches), user_id: pick(users), claps: 1 + Math.floor(Math.random() * 9) }),
  ];
  const publish = () => {
    const { name, id, slug } = invent();
    launches.unshift(id);
    const week = new Date();
    week.setUTCDate(week.getUTCDate() - ((week.getUTCDay() + 6) % 7));
    const record = {
      ...{
        id,
        slug,
        name,
        tagline: `A ${name.toLowerCase()} for builders`,
        description: 'Published by the live demo.',
      },
      ...{ screenshot_urls: [], status: 'LIVE', launch_week: `${week.toISOString().slice(0, 10)}T00:00:00.000Z` },
      ...{ rating: 0, launch_week_rating: 0, comment_count: 0, submitted_by_id: pick(users), published_at: now() },
      ...stamps(),
    };
    return [
      put('launches', record),
      put('launch_topics', { launch_id: id, topic_id: pick(people.topics), position: 1 }),
    ];
  };
  const open = () => {
    const { name, id, slug } = invent();
    bounty = {
      ...{
        id,
        slug,
        title: `${name}: a first version`,
        short_description: 'From the live demo.',
        details: 'Any way will do.',
      },
      ...{ category: 'DEVELOPMENT', status: 'OPEN', rewards: [{ place: 1, amount: 500 }], published_at: now() },
      ...{ submission_start: now(), submission_end: new Date(Date.now() + 86_400_000).toISOString(), fields: [] },
      ...{ sponsor_id: pick(people.sponsors), submissions_visible: true, ...stamps() },
    };
    entries = [];
    return [put('bounties', bounty)];
  };
  const submit = () => {
    if (bounty === null) return open();
    const { name, id } = invent();
    const entry = {
      ...{ id, bounty_id: bounty.id, user_id: pick(users), title: name, description: 'An entry of the live demo.' },
      ...{ field_values: [], additional_links: [], status: 'PENDING', comment_count: 0, clap_count: 0, ...stamps() },
    };
    entries.push(entry);
    return [put('bounty_submissions', entry)];
  };
  const win = () => {
    if (bounty === null || entries.length < 3) return submit();
    const done = { ...bounty, status: 'COMPLETED', completed_at: now(), updated_at: now() };
    const winner = { ...pick(entries), status: 'WINNER', prize_place: 1, updated_at: now() };
    bounty = null;
    return [put('bounties', done), put('bounty_submissions', winner)];
  };
  const commit = () => [
    put('timeline_items', {
      ...{ user_id: pick(users), id: `live-${randomUUID()}`, type: 'COMMIT', date: now() },
      details: { sha: randomUUID().slice(0, 8), message: `Polish the ${pick(nouns).toLowerCase()}` },
    }),
  ];
  const receive = () => {
    const [user, address] = [pick(users), pick(people.collections)];
    return [put('collection_holders', { user_id: user, collection_address: address, acquired_at: now() })];
  };
  return [clap, clap, clap, publish, submit, submit, win, commit, commit, receive];
};

/** Runs until the signal aborts. `url` is the database of the demo; that of the platform is made beside it. */
export const runLive = async (url: string, log: Log, signal: AbortSignal): Promise<void> => {
  const people = await readPeople(url);
  const platformUrl = url.replace(/\/postgres$/, '/platform');
  const admin = new pg.Client(url);
  await admin.connect();
  await admin.query('create database platform');
  await admin.end();
  const platform = new pg.Client(platformUrl);
  platform.on('error', () => {}); // the demo ends
  await platform.connect();
  await platform.query(outboxSql([]));
  const feedUrl = platformUrl.replace('postgres@', 'commonhall_feed@');
  const following = follow({ url, openSource: () => openOutboxSource(feedUrl, 'outbox', log), log, signal });
  const acts = actsOf(people);
  while (!signal.aborted) {
    await platform.query(
      'insert into outbox (body) select b::jsonb from unnest($1::text[]) with ordinality u (b, n) order by n',
      [pick(acts)()],
    );
    await sleep(restMs, undefined, { signal }).catch(() => {});
  }
  await following;
  await platform.end();
};
