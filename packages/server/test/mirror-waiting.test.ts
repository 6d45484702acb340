// What waits in a mirror: a row whose unique value another row still has. Its owner stays, and it goes when it
// or its parent goes at the origin. mirror.system.test.ts runs storms.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type pg from 'pg';
import { assertSameTables, publicRows } from '../../../test/helpers/copy.ts';
import { eventually, patient } from '../../../test/helpers/process.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { follow } from '../src/feed/follow.ts';
import { openMirrorSource } from '../src/feed/mirror-source.ts';
import { eraseUser } from '../src/operator/erase.ts';

const [origin, copy] = [await createWorld(), await createWorld()];
const { add } = origin;
const [first, newcomer] = [await add('users'), await add('users')];
const holder = await add('launches', { slug: 'taken', submitted_by_id: first.id });
for (const _ of Array(3)) await add('launches', { submitted_by_id: first.id });
await origin.owner.query(
  `insert into repositories (platform, platform_id, owner, name, status, contributors_count, created_at, updated_at)
   select 'github', 'r' || n, 'o', 'n' || n, 'REVIEWED', 1, now(), now() from generate_series(1, 1100) n`,
);
const server = await origin.serve(patient);

const warnings: string[] = [];
const log = { info: () => {}, warn: (facts: object, text: string) => void warnings.push(text + JSON.stringify(facts)) };
const stop = new AbortController();
const running = follow({
  url: copy.ownerUrl,
  openSource: async () => openMirrorSource(server.url, null, log),
  log,
  signal: stop.signal,
});
after(async () => {
  stop.abort();
  await running;
});

const together = async (client: pg.Client, ...statements: string[]): Promise<void> => {
  await client.query(`begin; select take_writer_lock(); set constraints all deferred; ${statements.join(';')}; commit`);
};
const isEqual = () =>
  eventually(async () => {
    assertSameTables(await publicRows(copy.owner), await publicRows(origin.owner), warnings.slice(-3).join('\n'));
    assert.deepEqual((await copy.owner.query('select reason from rejected_changes')).rows, []);
  });
let minute = 0;
/** Until the mirror has been at the end of the log, and has looked for people whom no row names. */
const isLookedOver = async (): Promise<void> => {
  for (let times = 0; times < 2; times++) {
    const at = new Date(Date.UTC(2026, 0, 1, 0, minute++)).toISOString();
    await together(origin.owner, `update feed set as_of = '${at}'`);
    await eventually(async () =>
      assert.equal((await copy.owner.query(`select iso(as_of) as at from feed`)).rows[0]?.at, at),
    );
    // Every five seconds at most, and only after a change.
    await together(copy.owner, `update feed set as_of = null`);
  }
};
const waits = async (): Promise<string[]> =>
  (await copy.owner.query(`select array_to_string(key, ' ') as key from rejected_changes order by 1`)).rows.map(
    ({ key }) => key as string,
  );
const newLaunch = (id: string, slug: string, owner: string): string =>
  `insert into launches (id, slug, name, tagline, description, status, launch_week, rating, launch_week_rating,
     published_at, created_at, updated_at, submitted_by_id)
   values ('${id}', '${slug}', 'n', 't', 'd', 'LIVE', now(), 0, 0, now(), now(), now(), '${owner}')`;
/** A launch of the copy alone that has a slug, until it is deleted. */
const block = (slug: string) => together(copy.owner, newLaunch('block', slug, String(first.id)));
const unblock = () => together(copy.owner, `delete from launches where id = 'block'`);

test('a row at the end of a page that waits for what the next page frees arrives, with its owner', async () => {
  await isEqual();
  await together(
    origin.owner,
    newLaunch('next', 'taken', String(newcomer.id)),
    `update repositories set contributors_count = 2, updated_at = now()`,
    `update launches set slug = 'freed' where id = '${holder.id}'`,
  );
  await isEqual();
  await together(origin.owner, `delete from launches where id = 'next'`);
  await isEqual();
});

test('a person whom only a waiting row names stays, and the row arrives later', async () => {
  await block('wanted');
  await together(origin.owner, newLaunch('late', 'wanted', String(newcomer.id)));
  await eventually(async () => assert.deepEqual(await waits(), ['late']));
  await isLookedOver();
  assert.equal((await copy.owner.query('select from users where id = $1', [newcomer.id])).rowCount, 1);
  await unblock();
  await together(origin.owner, `update launches set tagline = 'again', updated_at = now() where id = 'late'`);
  await isEqual();
});

test('a waiting row goes with what was below its parent when the parent was hidden and shown again', async () => {
  const maker = (id: unknown) => `insert into launch_makers (launch_id, user_id, position) values ('late', '${id}', 5)`;
  // The one that waits comes first in the order in which rows are deleted.
  await together(copy.owner, maker(newcomer.id));
  await together(origin.owner, maker(first.id));
  await eventually(async () => assert.deepEqual(await waits(), [`${first.id} late`]));
  await together(
    origin.owner,
    `update launches set visibility = 'hidden' where id = 'late'`,
    `delete from launch_makers where launch_id = 'late'`,
    `update launches set visibility = null where id = 'late'`,
  );
  await isEqual();
});

test('a waiting row of an erased person goes', async () => {
  await block('mine');
  const person = await add('users');
  await together(origin.owner, newLaunch('erased', 'mine', String(person.id)));
  await eventually(async () => assert.deepEqual(await waits(), ['erased']));
  await eraseUser(origin.owner, String(person.id));
  await eventually(async () => assert.deepEqual(await waits(), []));
  await unblock();
  await isEqual();
  await eventually(async () =>
    assert.equal((await copy.owner.query('select from users where id = $1', [person.id])).rowCount, 0),
  );
});

test('the log of a mirror does not name an erased person either', async () => {
  const person = await add('users');
  await add('timeline_items', { user_id: person.id });
  await isEqual();
  const named = async () =>
    (await copy.owner.query('select from lists.changes where $1 = any (key)', [person.id])).rowCount;
  assert.notEqual(await named(), 0);
  await eraseUser(origin.owner, String(person.id));
  await eventually(async () => assert.equal(await named(), 0));
});

test('a waiting row that is gone when the mirror reads everything again goes', async () => {
  const take = `update launches set slug = 'again' where id = '${holder.id}'`;
  await together(copy.owner, take);
  await together(origin.owner, newLaunch('stale', 'again', String(first.id)));
  await eventually(async () => assert.deepEqual(await waits(), ['stale']));
  await together(origin.owner, `delete from launches where id = 'stale'`, take, 'select lists.restart_changes()');
  await isEqual();
});
