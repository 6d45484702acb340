// The cost of following a platform, from its outbox or with SOURCE=nats from a stream. A follower applies rows to a
// database with all triggers; a plain batched upsert applies the same rows to the same tables, indexes and checks without
// triggers. First each at full speed, then at a thousand changes per second while readers arrive at a fixed rate (open
// loop). Then what the outbox costs the platform's own transactions.
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Put } from '../packages/server/src/feed/change.ts';
import { readChange } from '../packages/server/src/feed/change.ts';
import { segmentOf } from '../packages/server/src/feed/segments.ts';
import { putStatement } from '../packages/server/src/feed/statements.ts';
import { openPublisher, startFollower } from '../test/helpers/feed.ts';
import { drawMix } from '../test/helpers/mix.ts';
import { startNats } from '../test/helpers/nats.ts';
import { openOutbox } from '../test/helpers/outbox.ts';
import { serveProcess } from '../test/helpers/process.ts';
import { seeded } from '../test/helpers/random.ts';
import type { Result } from './jobs.ts';
import { platformCost } from './platform-cost.ts';
import { connect, middle, openPair } from './writes.ts';

const rounds = 5;
const changesOfRound = 20_000;
const readSeconds = 20;
const readsPerSecond = 200;
const changesPerSecond = 1000;
const agents = `
  insert into agents (id, name, display_name, bio, active, x402_support, status, owner_id, created_at, updated_at, published_at)
  select 'a' || g, 'agent-' || g, 'Agent', repeat('b', 500), true, false, 'PUBLISHED', 'u' || g, now(), now(), now()
  from generate_series(1, 5000) g`;

const size = { users: 200_000, collections: 1000, repositories: 200_000 };
const draw = (random: (below: number) => number, count: number, tag: string) =>
  // Deletes are cheap on both sides, so only puts are compared.
  drawMix(random, count, tag, size).filter((body) => body.includes('"put"'));

/** One transaction with only the statements of the follower. */
const upsert = async (client: pg.Client, bodies: readonly string[]): Promise<void> => {
  const changes = bodies.map((body) => readChange(Buffer.from(body)) as Put);
  await client.query('begin');
  for (const [table, puts] of segmentOf(changes, { parents: new Set() }).puts)
    await client.query(putStatement(table, puts));
  await client.query('commit');
};
const inBatches = async (
  size: number,
  bodies: readonly string[],
  act: (batch: readonly string[]) => Promise<unknown>,
) => {
  for (let done = 0; done < bodies.length; done += size) await act(bodies.slice(done, done + size));
};

/** Open-loop load: each request starts at its scheduled time, even if earlier ones are still running. Returns the
 * milliseconds from the scheduled time, sorted. */
const readers = async (url: string, random: (below: number) => number): Promise<number[]> => {
  const took: number[] = [];
  const began = performance.now();
  const all: Promise<void>[] = [];
  for (let n = 0; n < readSeconds * readsPerSecond; n++) {
    const due = began + (n * 1000) / readsPerSecond;
    const wait = due - performance.now();
    if (wait > 1) await sleep(wait);
    const read = async () => {
      const response = await fetch(`${url}/agents/agent-${1 + random(5000)}`);
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${response.status}`);
      took.push(performance.now() - due);
    };
    all.push(read());
  }
  await Promise.all(all);
  return took.sort((a, b) => a - b);
};
const quantile = (sorted: readonly number[], q: number): number => sorted[Math.floor(q * (sorted.length - 1))] ?? 0;

// Durable as in production: otherwise the bare upsert would not wait for the disk.
const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
/** A place to publish changes: returns the number of the last one. `fill` publishes many before the follower sees one. */
const openSource = async () => {
  if (process.env.SOURCE === 'nats') {
    const nats = await startNats();
    const publisher = await openPublisher(nats.url);
    const publish = async (bodies: readonly string[]) =>
      Math.max(...(await Promise.all(bodies.map((body) => publisher.publish(body)))));
    return {
      url: nats.url,
      publish,
      // Shorter than the lease of the follower, which would have to take it again.
      fill: async (bodies: readonly string[], follower: ChildProcess) => {
        follower.kill('SIGSTOP');
        let last = 0;
        await inBatches(1000, bodies, async (batch) => {
          last = await publish(batch);
        });
        const began = performance.now();
        follower.kill('SIGCONT');
        return { last, began };
      },
      stop: async () => {
        await publisher.close();
        await nats.stop();
      },
    };
  }
  const platform = await openOutbox(durable);
  const publish = async (bodies: readonly string[]) => {
    await platform.commit(bodies);
    return platform.rows();
  };
  return {
    url: platform.feedUrl,
    publish,
    fill: async (bodies: readonly string[]) => {
      const last = await publish(bodies); // one transaction
      return { last, began: performance.now() };
    },
    stop: platform.stop,
  };
};

export const feed = async (say: (line: string) => void): Promise<Result> => {
  const { at, stop } = await openPair({ ...durable, shared_buffers: '512MB' }, [agents], say);
  const source = await openSource();
  const follower = startFollower(at('maintained'), source.url);
  const servers = { maintained: await serveProcess(at('maintained')), bare: await serveProcess(at('bare')) };
  try {
    const [maintained, bare] = [await connect(at('maintained')), await connect(at('bare'))];
    const random = seeded(7);
    const reached = async (sequence: number) => {
      for (;;) {
        const { rows } = await maintained.query<{ sequence: string }>('select sequence from feed');
        if (Number(rows[0]?.sequence) >= sequence) return;
        if (follower.child.exitCode !== null) throw new Error(follower.output());
        await sleep(5);
      }
    };
    await reached(await source.publish(draw(random, 1000, 'warm')));
    await upsert(bare, draw(random, 1000, 'warm'));

    const rates = { maintained: [] as number[], bare: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      say(`rate, round ${round + 1} of ${rounds}`);
      const bodies = draw(random, changesOfRound, `r${round}`);
      const perSecond = (began: number) => (bodies.length * 1000) / (performance.now() - began);
      const { last, began: beganFollowing } = await source.fill(bodies, follower.child);
      await reached(last);
      rates.maintained.push(perSecond(beganFollowing));
      const beganBare = performance.now();
      await inBatches(1000, bodies, (batch) => upsert(bare, batch));
      rates.bare.push(perSecond(beganBare));
      say(`  followed ${Math.round(rates.maintained.at(-1)!)}, bare ${Math.round(rates.bare.at(-1)!)} a second`);
    }

    const took = { maintained: [] as [number, number][], bare: [] as [number, number][] };
    for (let round = 0; round < 2 * rounds; round++) {
      const mode = round % 2 === 0 ? 'maintained' : 'bare';
      say(`readers, round ${round + 1} of ${2 * rounds}`);
      const bodies = draw(random, readSeconds * changesPerSecond, `f${round}`);
      const began = performance.now();
      const step = changesPerSecond / 20;
      const writing = inBatches(step, bodies, async (batch) => {
        await (mode === 'maintained' ? source.publish(batch) : upsert(bare, batch));
        const due = began + ((bodies.indexOf(batch[0]!) + step) * 1000) / changesPerSecond;
        await sleep(Math.max(0, due - performance.now()));
      });
      const sorted = await readers(servers[mode].url, random);
      await writing;
      took[mode].push([quantile(sorted, 0.5), quantile(sorted, 0.99)]);
      say(`  ${mode}: p50 ${quantile(sorted, 0.5).toFixed(1)} ms, p99 ${quantile(sorted, 0.99).toFixed(1)} ms`);
    }
    const mid = (mode: 'maintained' | 'bare', which: 0 | 1) => middle(took[mode].map((pair) => pair[which]));
    const row = (what: string, perSecond: number, p50Ms = Number.NaN, p99Ms = Number.NaN) => ({
      ...{ what, perSecond, p50Ms, p99Ms, serverMicros: 0, databaseMicros: 0 },
    });
    const ratio = (a: number, b: number) => Math.round((a / b) * 100) / 100;
    for (const client of [maintained, bare]) await client.end();
    const cost = await platformCost(say);
    return {
      rows: [
        row('changes followed', middle(rates.maintained)),
        row('bare batched upsert', middle(rates.bare)),
        row(
          'agent by name, 1,000 changes a second followed',
          readsPerSecond,
          mid('maintained', 0),
          mid('maintained', 1),
        ),
        row('agent by name, 1,000 bare upserts a second', readsPerSecond, mid('bare', 0), mid('bare', 1)),
        ...Object.entries(cost.rates).map(([what, rate]) => row(`transactions of the platform, ${what}`, rate)),
      ],
      ratios: {
        'changes followed / bare upsert': ratio(middle(rates.maintained), middle(rates.bare)),
        'readers, p50: followed / bare': ratio(mid('maintained', 0), mid('bare', 0)),
        'readers, p99: followed / bare': ratio(mid('maintained', 1), mid('bare', 1)),
        ...cost.ratios,
      },
    };
  } finally {
    await follower.kill();
    await servers.maintained.stop();
    await servers.bare.stop();
    await source.stop();
    await stop();
  }
};
