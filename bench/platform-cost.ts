// What the outbox costs the platform's own transactions: the same updates of one row each, by four writers, on the
// tables of examples/platform without an outbox, with it, and with a follower that empties it.
import { readFileSync } from 'node:fs';
import { migrate } from '../packages/server/src/db/schema/migrate.ts';
import { startFollower } from '../test/helpers/feed.ts';
import { example } from '../test/helpers/outbox.ts';
import { startPostgres } from '../test/postgres.ts';
import { connect, middle } from './writes.ts';

const [rounds, seconds, writers, products] = [5, 5, 4, 5000];
const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', shared_buffers: '128MB' };
const fill = `
  insert into members (handle, full_name, state) values ('owner', 'Owner', 'active');
  insert into products (owner_id, handle, name, tagline, story, state, week, published_at)
  select m.id, 'p' || g, 'Product', 'Tagline', repeat('s', 500), 'on_air', '2026-03-02', now()
  from members m, generate_series(1, ${products}) g`;

/** Transactions a second of all writers. */
const rateOf = async (url: string): Promise<number> => {
  let done = 0;
  const endsAt = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const client = await connect(url);
      for (let n = writer; performance.now() < endsAt; n += writers) {
        await client.query('update products set score = score + 1, changed_at = now() where handle = $1', [
          `p${1 + ((n * 7919) % products)}`,
        ]);
        done += 1;
      }
      await client.end();
    }),
  );
  return done / seconds;
};

export const platformCost = async (say: (line: string) => void) => {
  const postgres = await startPostgres(durable);
  const hall = await startPostgres(durable);
  const at = (name: string) => postgres.url.replace(/\/postgres$/, `/${name}`);
  try {
    await migrate(hall.url, () => {});
    const admin = await connect(postgres.url);
    const names = ['plain', 'outbox', 'followed'] as const;
    for (const name of names) {
      await admin.query(`create database ${name}`);
      const client = await connect(at(name));
      await client.query(readFileSync(example('tables.sql'), 'utf8'));
      if (name !== 'plain') await client.query(readFileSync(example('outbox.sql'), 'utf8'));
      await client.query(fill);
      await client.query('vacuum analyze');
      await client.end();
    }
    await admin.end();
    const follower = startFollower(hall.url, at('followed').replace('postgres@', 'commonhall_feed@'));
    const rates = { plain: [] as number[], outbox: [] as number[], followed: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      say(`the platform's own transactions, round ${round + 1} of ${rounds}`);
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        if (name !== 'followed') follower.child.kill('SIGSTOP');
        rates[name].push(await rateOf(at(name)));
        follower.child.kill('SIGCONT');
      }
    }
    await follower.kill();
    const [plain, outbox, followed] = [middle(rates.plain), middle(rates.outbox), middle(rates.followed)];
    const ratio = (rate: number) => Math.round((rate / plain) * 100) / 100;
    return {
      rates: { 'without an outbox': plain, 'with an outbox': outbox, 'with an outbox that is followed': followed },
      ratios: {
        'platform, transactions: with an outbox / without': ratio(outbox),
        'platform, transactions: followed / without an outbox': ratio(followed),
      },
    };
  } finally {
    await hall.stop();
    await postgres.stop();
  }
};
