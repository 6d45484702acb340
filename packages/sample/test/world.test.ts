// The records of the small sample data are consistent, in chronological order, readable, and hardly repeat themselves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cast, demoKeys } from '../src/cast.ts';
import { scales } from '../src/scales.ts';
import { tableNames, worldOf } from '../src/world.ts';
import type { AnyRow } from './helpers/small.ts';
import { byId, now, pictures, rowsOf, stringsOf, world } from './helpers/small.ts';

const pairs = (rows: readonly AnyRow[], ...columns: string[]): Set<string> =>
  new Set(rows.map((row) => columns.map((column) => row[column]).join(' ')));

test('every table has records; the same options give the same records, another seed gives others', () => {
  assert.deepEqual(Object.keys(world).toSorted(), tableNames.toSorted());
  const again = worldOf({ seed: 42, scale: scales.small, now, pictures });
  const other = worldOf({ seed: 43, scale: scales.small, now, pictures });
  for (const table of tableNames) {
    const text = JSON.stringify(rowsOf(table));
    assert.ok(rowsOf(table).length > 0, table);
    // Not assert.equal: its diff of megabytes would take minutes.
    assert.ok(JSON.stringify([...again[table]!()]) === text, table);
    if (!['topics', 'launch_claps', 'collection_contests'].includes(table))
      assert.ok(JSON.stringify([...other[table]!()]) !== text, table);
  }
});

test('a record does not depend on the number of records', () => {
  const more = worldOf({ seed: 42, scale: { ...scales.small, timeline: 5000, submissions: 500 }, now, pictures });
  for (const table of ['timeline_items', 'bounty_submissions'])
    assert.ok(
      JSON.stringify([...more[table]!()].slice(0, rowsOf(table).length)) === JSON.stringify(rowsOf(table)),
      table,
    );
});

test('keys and slugs are unique', () => {
  const keys: Record<string, string[]> = {
    users: ['username'],
    agents: ['name'],
    sponsors: ['slug'],
    bounties: ['slug'],
    launches: ['slug'],
    contests: ['slug'],
    topics: ['slug'],
    collections: ['address'],
    repositories: ['platform', 'platform_id'],
    collection_holders: ['user_id', 'collection_address'],
    launch_makers: ['user_id', 'launch_id'],
    bounty_submission_makers: ['user_id', 'submission_id'],
    contest_submission_supporters: ['user_id', 'submission_id'],
    timeline_items: ['user_id', 'id'],
  };
  for (const [table, columns] of Object.entries(keys))
    assert.equal(pairs(rowsOf(table), ...columns).size, rowsOf(table).length, table);
});

test('usernames and slugs stay unique where names repeat', () => {
  const scale = { ...scales.small, users: 20_000, sponsors: 2000, launches: 3000, repositories: 4000, agents: 3000 };
  const larger = worldOf({ seed: 7, scale, now, pictures });
  for (const [table, column] of Object.entries({
    users: 'username',
    sponsors: 'slug',
    launches: 'slug',
    agents: 'name',
  })) {
    const values = [...larger[table]!()].map((row) => row[column]);
    assert.equal(new Set(values).size, values.length, table);
  }
});

test('no record has filler words or an unfilled placeholder, and no text is empty', () => {
  const filler = /\b(lorem|ipsum|dolor|amet|consectetur|adipis\w*|undefined|NaN)\b|\{\w+\}|\[object/i;
  for (const table of tableNames)
    for (const row of rowsOf(table))
      for (const text of stringsOf(row)) {
        assert.ok(text.trim() !== '', `${table} ${row.id} has an empty text`);
        assert.ok(!filler.test(text), `${table} ${row.id}: ${text}`);
      }
});

test('titles, names and texts hardly ever repeat', () => {
  const distinct = (table: string, column: string, share: number) => {
    const rows = rowsOf(table);
    const { size } = pairs(rows, column);
    assert.ok(size >= rows.length * share, `${table}.${column}: ${size} of ${rows.length}`);
  };
  distinct('users', 'display_name', 0.99);
  distinct('agents', 'display_name', 0.95);
  distinct('sponsors', 'name', 1);
  distinct('bounties', 'title', 0.9);
  distinct('bounties', 'details', 0.95);
  distinct('bounty_submissions', 'description', 0.9);
  distinct('launches', 'name', 1);
  distinct('launches', 'tagline', 0.9);
  distinct('launches', 'description', 1);
  distinct('contests', 'title', 1);
  distinct('contest_submissions', 'title', 0.9);
  distinct('contest_submissions', 'description', 1);
  distinct('collections', 'name', 1);
  distinct('repositories', 'name', 0.9);
  const work = rowsOf('timeline_items').map(({ details }) => details.message ?? details.title ?? '');
  assert.ok(new Set(work).size > 1000, `${new Set(work).size} commit messages and titles`);
});

test('a submission fits the words, fields and time window of its bounty; winners have the paid places', () => {
  const bounties = byId('bounties');
  const common = new Set(['write', 'guide', 'build', 'record', 'short', 'video', 'about', 'design', 'public', 'their']);
  const places = new Map<string, number[]>();
  for (const row of rowsOf('bounty_submissions')) {
    const bounty = bounties.get(row.bounty_id as string)!;
    const text = `${row.title} ${row.description}`.toLowerCase();
    const words = bounty.title.toLowerCase().match(/[a-z-]{3,}/g)!;
    const telling = bounty.id === cast.bounty.id ? ['guide'] : words.filter((word) => !common.has(word));
    assert.ok(
      telling.some((word) => text.includes(word)),
      `${row.id}: ${row.title} does not answer ${bounty.title}`,
    );
    const labels = row.field_values.map(({ label, type }) => `${label} ${type}`);
    for (const { label, type, required } of bounty.fields!)
      if (required) assert.ok(labels.includes(`${label} ${type}`), `${row.id} lacks ${label}`);
    assert.ok(labels.every((label) => bounty.fields!.some((field) => `${field.label} ${field.type}` === label)));
    for (const { type, value } of row.field_values)
      assert.ok(type === 'text' ? value.length > 0 : URL.canParse(value), `${row.id} ${type}: ${value}`);
    assert.notEqual(bounty.status, 'DRAFT', row.id);
    assert.ok(row.created_at >= (bounty.submission_start as string), `${row.id} came too early`);
    assert.ok(row.created_at <= (bounty.submission_end as string), `${row.id} came too late`);
    assert.equal(row.status === 'WINNER', row.prize_place !== null, row.id);
    if (row.prize_place !== null) {
      assert.equal(bounty.status, 'COMPLETED');
      places.set(bounty.id, [...(places.get(bounty.id) ?? []), row.prize_place as number]);
    }
  }
  for (const { id, status, rewards } of bounties.values()) {
    const paid = (rewards as { place: number }[]).map(({ place }) => place);
    assert.deepEqual(places.get(id)?.toSorted() ?? [], status === 'COMPLETED' ? paid : [], id);
  }
});

test('the repository of a launch exists, and is in the timeline of the first maker', () => {
  const users = byId('users');
  const url = ({ platform, owner, name }: { platform: unknown; owner: unknown; name: unknown }) =>
    `https://${platform}.example/${owner}/${name}`;
  const repositories = new Set(rowsOf('repositories').map((row) => url(row as unknown as Parameters<typeof url>[0])));
  const work = new Set<string>();
  for (const { user_id, details } of rowsOf('timeline_items')) {
    if (details.repository === undefined) continue;
    assert.ok(repositories.has(url(details.repository)), url(details.repository));
    work.add(`${user_id} ${url(details.repository)}`);
  }
  const first = new Map(rowsOf('launch_makers').map((row) => [`${row.launch_id} ${row.position}`, row.user_id]));
  for (const launch of rowsOf('launches')) {
    const author = launch.submitted_by_id as string;
    assert.equal(first.get(`${launch.id} 1`), author);
    if (launch.code_host_url === null) continue;
    const code = launch.code_host_url as string;
    assert.ok(repositories.has(code), code);
    assert.equal(new URL(code).pathname.split('/')[1], users.get(author)!.username);
    assert.ok(work.has(`${author} ${code}`), `${code} is in no timeline of ${author}`);
  }
});

test('the topics of a launch fit its description', () => {
  const names = new Map(rowsOf('topics').map(({ id, name }) => [id, name]));
  const topics = Map.groupBy(rowsOf('launch_topics'), (row) => row.launch_id as string);
  const words: Record<string, RegExp> = {
    Wallets: /wallet/,
    Games: /game|learning/,
    Bots: /bot/,
    Maps: /map/,
    Music: /music/,
  };
  for (const { id, name, description } of rowsOf('launches').slice(1))
    for (const { topic_id } of topics.get(id)!) {
      const shape = words[names.get(topic_id as string) ?? ''];
      if (shape !== undefined) assert.match(description, shape, name);
    }
});

test('an entry has a track of its contest, fills in its fields, and names a repository that exists', () => {
  const contests = byId('contests');
  const repositories = pairs(rowsOf('repositories'), 'platform', 'platform_id');
  for (const row of rowsOf('contest_submissions')) {
    const contest = contests.get(row.contest_id as string)!;
    const tracks = contest.tracks as { id: string; name: string }[];
    const [id] = row.track_ids as string[];
    const track = tracks.find((each) => each.id === id);
    assert.ok(track !== undefined && row.description.includes(track.name), row.id);
    assert.ok(row.description.includes(contest.title), row.id);
    assert.deepEqual(
      row.field_values.map(({ label }) => label),
      (contest.fields ?? []).map(({ label }) => label),
    );
    for (const { value } of row.field_values) assert.ok(URL.canParse(value), value);
    if (row.repository_platform !== null)
      assert.ok(repositories.has(`${row.repository_platform} ${row.repository_platform_id}`), row.id);
    assert.equal(row.status === 'WINNER', row.prize_place !== null, row.id);
    if (row.status === 'WINNER') assert.equal(contest.status, 'COMPLETED');
    if (contest.status === 'DRAFT') continue;
    assert.ok(row.created_at >= (contest.submission_start as string), row.id);
    assert.ok(row.created_at <= (contest.submission_end as string), row.id);
  }
});

test('only participants and winners of a contest hold its badges', () => {
  const holders = Map.groupBy(rowsOf('collection_holders'), (row) => row.collection_address as string);
  const winners = new Map(rowsOf('collections').map((row) => [row.address as string, row.is_winner]));
  const entries = Map.groupBy(rowsOf('contest_submissions'), (row) => row.contest_id as string);
  const links = rowsOf('collection_contests');
  assert.equal(links.length, 2 * rowsOf('contests').length);
  for (const { collection_address, contest_id, role } of links) {
    const address = collection_address as string;
    assert.equal(winners.get(address), role === 'WINNER', address);
    const wanted = role === 'WINNER' ? ['WINNER'] : ['APPROVED', 'WINNER'];
    const people = entries.get(contest_id as string)!.filter(({ status }) => wanted.includes(status));
    const holding = (holders.get(address) ?? []).map(({ user_id }) => user_id);
    assert.deepEqual(holding.toSorted(), people.map(({ user_id }) => user_id).toSorted(), `${contest_id} ${role}`);
  }
});

test('a badge in a timeline is one that the user holds, with its name, and not before it was acquired', () => {
  const names = new Map(rowsOf('collections').map((row) => [row.address as string, row.name]));
  const held = new Map(
    rowsOf('collection_holders').map((row) => [`${row.user_id} ${row.collection_address}`, row.acquired_at as string]),
  );
  const badges = rowsOf('timeline_items').filter(({ type }) => type === 'BADGE_RECEIVED');
  assert.ok(badges.length > 400, `${badges.length} badges`);
  for (const { user_id, date, details } of badges) {
    const acquired = held.get(`${user_id} ${details.collectionAddress}`);
    assert.ok(acquired !== undefined, `${user_id} does not hold ${details.collectionName}`);
    assert.ok((date as string) >= acquired, `${user_id} ${details.collectionName}`);
    assert.equal(details.collectionName, names.get(details.collectionAddress!));
  }
});

test('a tag with the name of a contest belongs to a user whose entry to it was accepted', () => {
  const contests = byId('contests');
  const entered = new Set(
    rowsOf('contest_submissions')
      .filter(({ status }) => status === 'APPROVED' || status === 'WINNER')
      .map((row) => `${row.user_id} ${contests.get(row.contest_id as string)!.title}`),
  );
  const named = rowsOf('users').flatMap(({ id, tags }) =>
    (tags as { contestName: string | null }[]).map(({ contestName }) => ({ id, contestName })),
  );
  assert.ok(named.filter(({ contestName }) => contestName !== null).length > 20);
  for (const { id, contestName } of named)
    if (contestName !== null) assert.ok(entered.has(`${id} ${contestName}`), `${id} ${contestName}`);
});

test('dates are in order, and only the time windows of bounties and contests are in the future', () => {
  const order = [
    ['on_chain_created_at', 'created_at'],
    ['created_at', 'published_at'],
    ['created_at', 'updated_at'],
    ['created_at', 'submission_start'],
    ['platform_created_at', 'platform_pushed_at'],
    ['platform_created_at', 'created_at'],
    ['published_at', 'submission_start'],
    ['published_at', 'updated_at'],
    ['published_at', 'featured_at'],
    ['launch_week', 'published_at'],
    ['submission_start', 'submission_end'],
    ['submission_end', 'review_start'],
    ['submission_end', 'voting_start'],
    ['review_start', 'review_end'],
    ['voting_start', 'voting_end'],
    ['review_end', 'completed_at'],
  ] as const;
  const window = /^(submission|review|voting)_(start|end)$/;
  for (const table of tableNames)
    for (const row of rowsOf(table)) {
      for (const [before, after] of order)
        if (typeof row[before] === 'string' && typeof row[after] === 'string')
          assert.ok(row[before] <= row[after], `${table} ${row.id}: ${before} ${row[before]}, ${after} ${row[after]}`);
      for (const [column, value] of Object.entries(row))
        if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !window.test(column))
          assert.ok(value <= now, `${table} ${row.id}: ${column} ${value} is after now`);
      if (row.status === 'OPEN' && table === 'bounties')
        assert.ok((row.submission_start as string) <= now && (row.submission_end as string) > now, row.id);
    }
});

test('whatever the weekday of now, nothing is published after it', () => {
  for (const hour of [0, 1, 5, 30, 50, 167]) {
    const moment = new Date(Date.parse('2026-11-02T00:10:00.000Z') + hour * 3_600_000).toISOString();
    const then = worldOf({ seed: 42, scale: scales.small, now: moment, pictures });
    for (const row of then.launches!())
      for (const column of ['launch_week', 'published_at', 'featured_at', 'created_at', 'updated_at'])
        assert.ok(row[column] === null || (row[column] as string) <= moment, `${row.id} ${column} ${row[column]}`);
  }
});

test('there are public and hidden records, in every state', () => {
  const states = (table: string) => new Set(rowsOf(table).map(({ status }) => status));
  const expected: Record<string, (string | null)[]> = {
    users: ['ACTIVATED', 'active', 'BANNED', 'DEACTIVATED'],
    agents: ['PUBLISHED', 'DRAFT', 'HIDDEN'],
    bounties: ['OPEN', 'REVIEW', 'COMPLETED', 'DRAFT', 'ARCHIVED'],
    bounty_submissions: ['PENDING', 'APPROVED', 'WINNER', 'REJECTED', 'SPAM'],
    launches: ['LIVE', 'DRAFT', 'SCHEDULED', 'REJECTED'],
    collections: ['ACTIVE', 'DRAFT', 'ARCHIVED', null],
    contests: ['OPEN', 'VOTING', 'COMPLETED', 'DRAFT', 'CANCELLED'],
    contest_submissions: ['APPROVED', 'WINNER', 'PENDING', 'REJECTED'],
    repositories: ['ECOSYSTEM', 'NEED_REVIEW', 'REVIEWED', 'NEED_REVIEW_CONTEST', 'ARCHIVED'],
  };
  for (const [table, words] of Object.entries(expected))
    assert.deepEqual([...states(table)].map(String).sort(), words.map(String).sort(), table);
  const hidden = rowsOf('bounties').filter((row) => row.status === 'OPEN' && row.submissions_visible === false);
  assert.ok(hidden.length > 0, 'an open bounty with hidden submissions');
  assert.ok(rowsOf('contests').some((row) => (row.voting_end as string) > now));
  const weeks = Map.groupBy(rowsOf('launches'), (row) => row.launch_week);
  assert.ok(
    [...weeks.values()].some((rows) => rows.length >= 5),
    'launches share a week',
  );
  assert.ok(rowsOf('launches').filter((row) => row.featured_at !== null).length <= 100);
});

test('the cast exists, and every demo key belongs to one of its users', () => {
  const has = (table: string, column: string, value: string) =>
    assert.ok(
      rowsOf(table).some((row) => row[column] === value),
      `${table}.${column} ${value}`,
    );
  for (const username of cast.users) has('users', 'username', username);
  for (const { username } of Object.values(demoKeys)) assert.ok((cast.users as readonly string[]).includes(username));
  has('agents', 'name', cast.agent);
  has('sponsors', 'id', cast.sponsor.id);
  has('bounties', 'slug', cast.bounty.slug);
  has('launches', 'slug', cast.launch);
  has('repositories', 'name', cast.launch);
  has('collections', 'address', cast.collection);
  has('contests', 'id', cast.contest);
  has('contest_submissions', 'id', cast.entry);
  const own = rowsOf('bounty_submissions').filter(
    (row) => row.user_id === 'user-mallory' && row.bounty_id === cast.bounty.id,
  );
  assert.deepEqual(
    own.map(({ status }) => status),
    ['APPROVED', 'REJECTED'],
  );
});
