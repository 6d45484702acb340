// A mirror: another Commonhall that follows /changes. In a storm of writes, with both sides killed, it ends with the same
// public rows and answers the same bytes. On 410 it reads everything again beside what it serves.
// Full run: MIRROR_SECONDS=3600 npm test -- packages/server/test/mirror.system.test.ts
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type pg from 'pg';
import { assertSameTables, publicRows } from '../../../test/helpers/copy.ts';
import type { Program } from '../../../test/helpers/feed.ts';
import { startCommand } from '../../../test/helpers/feed.ts';
import { bodyOf, openPlatform } from '../../../test/helpers/platform.ts';
import { eventually, patient, serveProcess } from '../../../test/helpers/process.ts';
import { seeded } from '../../../test/helpers/random.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { readCursor } from '../src/changes/cursor.ts';
import { openApplier } from '../src/feed/batch.ts';
import { readChange } from '../src/feed/change.ts';
import { readRelations } from '../src/feed/relations.ts';
import { eraseUser } from '../src/operator/erase.ts';
import { dump, load } from './helpers/dataset-files.ts';

const seconds = Number(process.env.MIRROR_SECONDS ?? 10);
const random = seeded(Number(process.env.STORM_SEED ?? 7));

const [origin, copy] = [await createWorld(), await createWorld()];
const relations = await readRelations(origin.owner);
const platform = openPlatform(random);
let server = await serveProcess(origin.readerUrl, patient);
const { port } = new URL(server.url);
let mirror: Program = startCommand(['mirror', server.url], { DATABASE_URL: copy.ownerUrl });
after(async () => {
  await mirror.kill();
  await server.stop();
});

const write = async (act: () => Promise<unknown>): Promise<void> => {
  await origin.owner.query('begin; select take_writer_lock()');
  await act();
  await origin.owner.query('commit');
};
const byPlatform = async () => {
  const applier = await openApplier(origin.owner, relations);
  const changes = platform.next().map((change) => readChange(Buffer.from(bodyOf(change))));
  await applier.apply(
    changes.filter((change) => change.op !== 'mark'),
    Number.POSITIVE_INFINITY,
  );
};
const byHand: (() => Promise<unknown>)[] = [
  () =>
    origin.owner.query(`update bounties set submissions_visible = not submissions_visible where md5(id || $1) < '2'`, [
      String(random(1e6)),
    ]),
  () =>
    origin.owner.query(
      `update contests set visibility = case when visibility is null then 'hidden' end where md5(id || $1) < '2'`,
      [String(random(1e6))],
    ),
  () =>
    origin.owner.query(
      `update collections set visibility = case when visibility is null then 'hidden' end where md5(address || $1) < '2'`,
      [String(random(1e6))],
    ),
  () =>
    origin.owner.query(
      `update users set status = case status when 'BANNED' then 'ACTIVE' else 'BANNED' end where md5(id || $1) < '1'`,
      [String(random(1e6))],
    ),
  () =>
    origin.owner.query(
      `insert into takedowns select 'agents', array[id], null, now() from agents where md5(id || $1) < '2' on conflict do nothing`,
      [String(random(1e6))],
    ),
  () => origin.owner.query(`delete from takedowns`),
  async () => {
    const { rows } = await origin.owner.query<{ id: string }>('select id from users order by md5(id || $1) limit 1', [
      String(random(1e6)),
    ]);
    if (rows[0] !== undefined && random(3) === 0) await eraseUser(origin.owner, rows[0].id);
  },
];
const cursorOf = async (client: pg.Client) =>
  (await client.query<{ cursor: string }>('select message_id as cursor from feed')).rows[0]?.cursor ?? '';

/** The mirror has everything, and no change waits. */
const assertEqual = async (): Promise<void> => {
  const { rows: newest } = await origin.owner.query<{ id: string }>('select max(id)::text as id from lists.changes');
  // Reading all rows again and again would slow it down.
  await eventually(async () => assert.equal(readCursor(await cursorOf(copy.owner))?.id, newest[0]?.id), 600_000);
  await eventually(async () => {
    assertSameTables(await publicRows(copy.owner), await publicRows(origin.owner), mirror.output().slice(-800));
    const { rows } = await copy.owner.query('select reason from rejected_changes');
    assert.deepEqual(rows, []);
  });
};

test('in a storm of writes, with both sides killed, the mirror ends equal, row by row and byte by byte', async (t) => {
  for (let n = 0; n < 200; n++) await write(byPlatform);
  let [commits, kills] = [0, 0];
  for (const end = Date.now() + seconds * 1000; Date.now() < end; commits++) {
    await write(random(3) === 0 ? byHand[random(byHand.length)]! : byPlatform);
    if (random(40) !== 0) continue;
    kills += 1;
    // Without a pause, one that is killed every few seconds on a slow machine would never be at the end.
    if (kills % 10 === 0) await assertEqual();
    if (random(2) === 0) {
      await mirror.kill();
      mirror = startCommand(['mirror', server.url], { DATABASE_URL: copy.ownerUrl });
    } else {
      server.child.kill('SIGKILL');
      server = await serveProcess(origin.readerUrl, { ...patient, PORT: port });
    }
  }
  await assertEqual();
  t.diagnostic(`${commits} commits, ${kills} kills`);
  const [here, there] = [await origin.serve(), await copy.serve()];
  const { rows } = await origin.owner.query<{ path: string }>(`
    select '/bounties/' || slug as path from bounties where is_public and submissions_visible
    union all select '/bounties/' || id || '/submissions' from bounties where is_public and submissions_visible
    union all select '/launches/' || slug from launches where is_public
    union all select '/agents/' || name from agents where is_public
    union all select '/contests/' || slug || '/submissions' from contests where is_public
    union all select '/collections/' || address || '/holders' from collections where is_public
    union all select '/users/' || username || '/timeline' from users where is_public and id in (select user_id from timeline_items where is_public)
    union all values ('/agents'), ('/launches'), ('/collections'), ('/contests'), ('/repositories'), ('/sponsors'), ('/counts/repositories?by=importance'), ('/launch-weeks')`);
  for (const { path } of rows) {
    const bodies = await Promise.all(
      [here, there].map(async ({ get, url }) => (await (await get(path)).text()).replaceAll(url, '')),
    );
    assert.equal(bodies[1], bodies[0], path);
  }
  assert.ok(rows.length > 15, String(rows.length));
});

test('when the origin has forgotten its cursor, the mirror reads everything again and drops what is gone', async () => {
  await mirror.kill();
  const before = await cursorOf(copy.owner);
  await write(() => origin.owner.query('select lists.restart_changes()'));
  // Neither is in the new log.
  const repair = `set local commonhall.repair = 'on'`;
  await write(async () => {
    await origin.owner.query(
      `delete from launches where md5(id) < '8'; delete from collection_holders where md5(user_id) < '8'`,
    );
    await origin.owner.query(`${repair}; select lists.restart_changes()`);
  });
  mirror = startCommand(['mirror', server.url], { DATABASE_URL: copy.ownerUrl });
  await assertEqual();
  assert.match(mirror.output(), /reading everything again/);
  assert.notEqual(await cursorOf(copy.owner), before);
});

test('a mirror begins from a public export, and continues from its cursor', async () => {
  await write(() =>
    origin.owner.query(`update agents set status = 'LIMBO', visibility = 'public' where md5(id) < '4'`),
  );
  const { out, manifest } = await dump(origin, false);
  const { changes } = manifest as unknown as { changes: string };
  const third = await createWorld();
  const { lines, complete } = await load(third, out, {});
  assert.ok(complete, lines.join('\n'));
  assertSameTables(await publicRows(third.owner), await publicRows(origin.owner), 'an export');
  for (let n = 0; n < 20; n++) await write(byPlatform);
  const args = ['mirror', server.url, '--since', changes];
  const begun = startCommand(args, { DATABASE_URL: third.ownerUrl });
  await eventually(async () =>
    assertSameTables(await publicRows(third.owner), await publicRows(origin.owner), begun.output().slice(-500)),
  );
  await begun.kill();
  const { rows } = await third.owner.query('select from import_keys');
  assert.equal(rows.length, 0, 'there was no walk');
});

test('a mirror shows how old its data is, continues from a cursor, and refuses another origin', async () => {
  const at = new Date(Date.now() - 1000).toISOString();
  await write(() => origin.owner.query('update feed set as_of = $1', [at]));
  await eventually(async () => {
    const { rows } = await copy.owner.query<{ at: string }>('select iso(as_of) as at from feed');
    assert.equal(rows[0]?.at, at);
  });
  await mirror.kill();
  const wrong = startCommand(['mirror', 'http://127.0.0.1:9'], { DATABASE_URL: copy.ownerUrl });
  assert.equal(await wrong.ended(), 1);
  assert.match(wrong.output(), /this database follows .*: a mirror needs a database of its own/);
  const text = startCommand(['mirror', 'origin'], { DATABASE_URL: copy.ownerUrl });
  assert.equal(await text.ended(), 1);
  assert.match(text.output(), /the origin must be the URL of an API/);
});
