// The feed of public changes in a storm: random changes of a platform, takedowns, erasures and SQL, and copies that read
// at random times. At the end every copy equals the public rows, and no line has named a row that was never public.
// Full run: STORMS=20 STORM_COMMITS=2000 npm test -- packages/server/test/storm.system.test.ts; STORM_SEED repeats one.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Copy } from '../../../test/helpers/copy.ts';
import { assertSameTables, catchUp, openCopy, publicRows } from '../../../test/helpers/copy.ts';
import { bodyOf, openPlatform } from '../../../test/helpers/platform.ts';
import { seeded } from '../../../test/helpers/random.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { fed } from '../src/changes/below.ts';
import { openApplier } from '../src/feed/batch.ts';
import { readChange } from '../src/feed/change.ts';
import { readRelations } from '../src/feed/relations.ts';
import { eraseUser } from '../src/operator/erase.ts';
import { dump, load, readNdjson } from './helpers/dataset-files.ts';

const storms = Number(process.env.STORMS ?? 2);
const commits = Number(process.env.STORM_COMMITS ?? 250);
const firstSeed = Number(process.env.STORM_SEED ?? 1);

const storm = async (seed: number): Promise<string> => {
  const world = await createWorld();
  const { owner } = world;
  const api = await world.serve();
  const random = seeded(seed);
  const platform = openPlatform(random);
  const relations = await readRelations(owner);
  const pick = async (table: string): Promise<Record<string, string> | undefined> =>
    (
      await owner.query<Record<string, string>>(
        `select * from ${table} order by md5($1 || t::text) limit 1`.replace(table, `${table} t`),
        [String(random(1e6))],
      )
    ).rows[0];

  /** What people and SQL do beside the platform. */
  const byHand: (() => Promise<void>)[] = [
    async () => {
      const table = ['agents', 'bounties', 'bounty_submissions', 'launches', 'contests', 'contest_submissions'][
        random(6)
      ]!;
      const row = await pick(table);
      if (row !== undefined)
        await owner.query(`insert into takedowns values ($1, array[$2], null, now()) on conflict do nothing`, [
          table,
          row.id,
        ]);
    },
    async () => {
      const row = await pick(['collections', 'repositories', 'timeline_items'][random(3)]!);
      if (row === undefined) return;
      const [table, key] =
        'address' in row
          ? ['collections', [row.address]]
          : 'platform_id' in row
            ? ['repositories', [row.platform, row.platform_id]]
            : ['timeline_items', [row.user_id, row.id]];
      await owner.query('insert into takedowns values ($1, $2, null, now()) on conflict do nothing', [table, key]);
    },
    // A row that is taken down before it comes.
    async () =>
      void (await owner.query(
        `insert into takedowns values ('agents', array[$1], null, now()) on conflict do nothing`,
        [`a${random(commits)}`],
      )),
    async () =>
      void (await owner.query('delete from takedowns where md5(takedowns::text || $1) < $2', [
        String(random(1e6)),
        '3',
      ])),
    async () => {
      const row = await pick('bounties');
      if (row === undefined) return;
      await owner.query('update bounties set submissions_visible = not submissions_visible where id = $1', [row.id]);
    },
    async () => {
      const row = await pick('bounties');
      if (row === undefined) return;
      await owner.query(
        'update bounties set completed_at = case when completed_at is null then now() end where id = $1',
        [row.id],
      );
    },
    async () => {
      const row = await pick('bounty_submissions');
      if (row === undefined) return;
      await owner.query(`update bounty_submissions set status = 'WINNER', prize_place = 1 where id = $1`, [row.id]);
    },
    async () => {
      const row = await pick('users');
      if (row === undefined) return;
      await owner.query(
        `update users set status = case status when 'BANNED' then 'ACTIVE' else 'BANNED' end where id = $1`,
        [row.id],
      );
    },
    // Two statements of one transaction.
    async () => {
      const row = await pick('contests');
      if (row === undefined) return;
      await owner.query(`update contests set visibility = 'hidden' where id = $1`, [row.id]);
      await owner.query('delete from contest_submissions where contest_id = $1 and md5(id || $2) < $3', [
        row.id,
        String(random(1e6)),
        '8',
      ]);
      await owner.query(`update contests set visibility = null where id = $1`, [row.id]);
    },
    async () =>
      void (await owner.query(
        `update collections set visibility = case when visibility is null then 'hidden' end where md5(address || $1) < '4'`,
        [String(random(1e6))],
      )),
    async () => {
      const row = random(4) === 0 ? await pick('users') : undefined;
      if (row !== undefined) await eraseUser(owner, row.id!);
    },
  ];
  const byPlatform = async () => {
    const applier = await openApplier(owner, relations);
    const changes = platform.next().map((change) => readChange(Buffer.from(bodyOf(change))));
    await applier.apply(
      changes.filter((change) => change.op !== 'mark'),
      Number.POSITIVE_INFINITY,
    );
  };

  const everPublic = new Set<string>();
  const note = async () => {
    const now = await publicRows(owner);
    for (const { name } of fed) for (const key of now.get(name)!.keys()) everPublic.add(`${name} ${key}`);
  };
  const inOneTransaction = async (act: () => Promise<void>) => {
    await owner.query('begin; select take_writer_lock()');
    await act();
    await owner.query('commit');
    await note();
  };
  for (let n = 0; n < 300; n++) await inOneTransaction(byPlatform);
  const copies: Copy[] = [openCopy(api.get), openCopy(api.get)];
  for (let n = 0; n < commits; n++) {
    await inOneTransaction(random(3) === 0 ? byHand[random(byHand.length)]! : byPlatform);
    if (random(3) === 0) await copies[0]!.step();
    if (random(40) === 0) await catchUp(copies[1]!);
    if (random(Math.ceil(commits / 3)) === 0) copies.push(openCopy(api.get));
    for (const late of copies.slice(2)) if (random(4) === 0) await late.step();
    if (n === Math.floor(commits / 2)) {
      // A copy that begins with an export; and a load that takes the database back, which deletes what is not in it.
      const { out, manifest } = await dump(world, false);
      const tables = new Map(
        fed.map(({ name, key }) => {
          const rows = readNdjson(join(out, `${name}.ndjson.gz`));
          return [name, new Map(rows.map((row) => [JSON.stringify(key.map((column) => row[column])), row]))];
        }),
      );
      copies.push(openCopy(api.get, { tables, cursor: (manifest as unknown as { changes: string }).changes }));
      const { out: whole } = await dump(world, true);
      for (let more = 0; more < 20; more++) await inOneTransaction(byPlatform);
      await load(world, whole, { prune: true });
      await note();
    }
    if (n === commits - 20 && random(3) === 0)
      await owner.query('begin; select take_writer_lock(); truncate timeline_items; commit');
  }
  const expected = await publicRows(owner);
  for (const [n, copy] of copies.entries()) {
    await catchUp(copy);
    assertSameTables(copy.tables(), expected, `storm ${seed}, copy ${n}`);
    const leaked = [...copy.named].filter((key) => !everPublic.has(key));
    assert.deepEqual(leaked.slice(0, 5), [], `storm ${seed}: rows that were never public`);
  }
  const total = [...expected.values()].reduce((sum, rows) => sum + rows.size, 0);
  return `storm ${seed}: ${total} public rows, ${copies.length} copies, ${copies.reduce((sum, copy) => sum + copy.restarts(), 0)} restarts`;
};

for (let n = 0; n < storms; n++)
  test(`in storm ${firstSeed + n} every copy ends equal to the public rows`, async (t) => {
    t.diagnostic(await storm(firstSeed + n));
  });
