// Every request gets its own answer: tagged requests over pipelined database connections, while clients hang up,
// statements time out and connections are cut. REQUESTS sets their number.
import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createWorld } from '../../../test/helpers/world.ts';

const requestCount = Number(process.env.REQUESTS ?? 10_000);
const world = await createWorld();
const { owner } = world;
const author = await world.add('users');
await owner.query(
  `insert into agents (id, name, display_name, bio, active, x402_support, status, owner_id, created_at, updated_at, published_at)
   select 'agent-' || n, 'agent-' || n, 'tag-' || n, 'An agent', true, false, 'PUBLISHED', $1, now(), now(), now()
   from generate_series(1, 2000) n`,
  [author.id],
);
const api = await world.serve({ STATEMENT_TIMEOUT_MS: '30', CHECK_RESPONSES: 'false', LOG_LEVEL: 'silent' });

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
type Outcome = 'right' | 'wrong' | 'hung up' | 'not now' | 'fault';
const ask = (tag: number): Promise<Outcome> =>
  new Promise((resolve) => {
    const request = get(`${api.url}/agents/agent-${tag}`, { agent }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('error', () => resolve('hung up'));
      response.on('end', () => {
        if (response.statusCode === 503) return resolve('not now');
        if (response.statusCode !== 200) return resolve('fault');
        const { name, displayName } = (JSON.parse(body) as { data: { name: string; displayName: string } }).data;
        return resolve(name === `agent-${tag}` && displayName === `tag-${tag}` ? 'right' : 'wrong');
      });
    });
    request.on('error', () => resolve('hung up'));
    if (Math.random() < 0.05) setTimeout(() => request.destroy(), Math.random() * 5);
  });

test(`none of ${requestCount} tagged requests gets the answer of another, in spite of hang-ups, timeouts and cut connections`, async (t) => {
  const counts: Record<Outcome, number> = { right: 0, wrong: 0, 'hung up': 0, 'not now': 0, fault: 0 };
  let left = requestCount;
  let isDone = false;
  // Repeatedly, all statements wait for a lock until they time out; sometimes a connection is cut, too.
  const trouble = (async () => {
    const blocker = new pg.Client(world.ownerUrl);
    await blocker.connect();
    while (!isDone) {
      await sleep(300 + Math.random() * 500);
      await blocker.query('begin; lock table agents in access exclusive mode');
      await sleep(60);
      await blocker.query('rollback');
      if (Math.random() < 0.3)
        await blocker.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'commonhall' and datname = current_database() order by random() limit 1`,
        );
    }
    await blocker.end();
  })();
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (left-- > 0) counts[await ask(1 + Math.floor(Math.random() * 2000))] += 1;
    }),
  );
  isDone = true;
  await trouble;
  agent.destroy();
  t.diagnostic(JSON.stringify(counts));
  assert.equal(counts.wrong, 0);
  assert.equal(counts.fault, 0);
  assert.ok(counts.right > requestCount / 2 && counts['hung up'] > 0 && counts['not now'] > 0);
});
