// The data of the restore drill: rows of the platform's feed, the status that callers get for rows that are removed,
// and the time to archive a WAL segment.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { bodyOf, kinds } from '../test/helpers/platform.ts';
import { eventually } from '../test/helpers/process.ts';

const put = (table: string, n: number, record: object) =>
  bodyOf({ op: 'put', table, record: { ...kinds[table]!.make(n), ...record } });
export const user = (id: string, n: number, more: object = {}) =>
  put('users', n, { id, username: id, status: 'ACTIVATED', ...more });
const launch = (id: string, n: number, owner: string, status = 'LIVE') =>
  put('launches', n, { id, slug: id, submitted_by_id: owner, status });
const holder = (id: string) => put('collection_holders', 1, { user_id: id, collection_address: 'drill-badge' });

/** Users and launches: later Ada is erased, one launch is hidden, and one is withdrawn by the platform. */
export const scene = [
  user('drill-ada', 2),
  launch('drill-ada-launch', 3, 'drill-ada'),
  put('collections', 1, { address: 'drill-badge', status: 'ACTIVE' }),
  holder('drill-ada'),
  holder('drill-bob'),
  launch('drill-hidden', 4, 'drill-bob'),
  launch('drill-withdrawn', 5, 'drill-bob'),
];
export const withdrawal = launch('drill-withdrawn', 5, 'drill-bob', 'DRAFT');

export const statusOf = async (url: string, key = ''): Promise<number> => {
  const response = await fetch(url, { headers: key === '' ? {} : { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.status;
};

/** The statuses that callers get: with the key that is revoked, of the two launches, and of the erased user's data. */
export const seenAt = async (url: string, revokedKey: string) => ({
  revoked: await statusOf(`${url}/bounties/me`, revokedKey),
  hidden: await statusOf(`${url}/launches/drill-hidden`),
  withdrawn: await statusOf(`${url}/launches/drill-withdrawn`),
  erased: await statusOf(`${url}/users/drill-ada`),
  launches: await statusOf(`${url}/launches/user/drill-ada`),
  holders: /drill-ada/.test(await (await fetch(`${url}/collections/drill-badge/holders`)).text()) ? 200 : 404,
});
export const present = { revoked: 200, hidden: 200, withdrawn: 200, erased: 200, launches: 200, holders: 200 };
export const gone = { revoked: 401, hidden: 404, withdrawn: 404, erased: 404, launches: 404, holders: 404 };

/** Requests these rows all the time, and records those that become visible again. */
export const watch = (url: string, revokedKey: string) => {
  const again: string[] = [];
  let [asked, unavailable, isOver] = [0, 0, false];
  const run = async () => {
    for (; !isOver; await sleep(50))
      for (const [name, status] of Object.entries(await seenAt(url, revokedKey))) {
        asked += 1;
        if (status === 503) unavailable += 1;
        if (status === 200) again.push(name);
      }
  };
  const ended = run();
  ended.catch(() => {}); // stop throws the error
  return {
    stop: async () => {
      isOver = true;
      await ended;
      return { again: [...new Set(again)], asked, unavailable };
    },
  };
};

/** The time until a full WAL segment is archived. */
export const segmentMs = async (client: pg.Client): Promise<number> => {
  const archived = async (): Promise<string> =>
    (await client.query<{ name: string }>('select last_archived_wal as name from pg_stat_archiver')).rows[0]!.name;
  const end = async (): Promise<string> =>
    (await client.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name')).rows[0]!.name;
  const untilArchived = async (name: string) => {
    await eventually(async () => assert.ok((await archived()) >= name), 120_000);
  };
  await untilArchived(await end());
  const text = randomBytes(9_000_000).toString('base64'); // compresses badly
  await client.query(`select pg_logical_emit_message(false, 'drill', $1::text)`, [text]);
  const began = performance.now();
  await untilArchived(await end());
  return performance.now() - began;
};
