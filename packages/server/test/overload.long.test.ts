// Three times as many requests as the server can answer: it still answers as many as it can, rejects the rest at once,
// and recovers afterwards. The server is a separate process. SECONDS sets the duration.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createWorld } from '../../../test/helpers/world.ts';

const seconds = Number(process.env.SECONDS ?? 10);
const world = await createWorld();
await world.owner.query(`
  insert into repositories (platform, platform_id, owner, name, status, contributors_count, created_at, updated_at)
  select 'github', n::text, 'owner-' || n % 100, 'repository-' || n, 'REVIEWED', 1, now() - n * interval '1 s', now()
  from generate_series(1, 20000) n; analyze repositories`);

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const server = spawn(process.execPath, [main, 'serve'], {
  env: {
    PATH: process.env.PATH,
    DATABASE_URL: world.readerUrl,
    PORT: '0',
    METRICS_PORT: '0',
    RATE_LIMIT_PER_ADDRESS: '0',
    DRAIN_MS: '0',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true, // its own session, as a service has: Linux schedules CPU time by session
});
const port = await new Promise<number>((resolve) => {
  // Only the start of each chunk is decoded: reading the log should cost this process little.
  server.stdout.on('data', (lines: Buffer) => {
    const found = /"url":"http:\/\/[^"]*:(\d+)"/.exec(lines.toString('latin1', 0, 2000));
    if (found !== null) resolve(Number(found[1]));
  });
});
after(async () => {
  for (const socket of idle) socket.destroy();
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
});

interface Answer {
  status: number;
  ms: number;
  retryAfter: string | undefined;
}
const path = '/repositories?pageSize=100&sortBy=name';
const bytes = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
const idle: Socket[] = [];

/** Sends a request over a free or a new connection. Written by hand: a client that needs more CPU than the server, with
 * which it shares two cores, would measure itself. */
const ask = (): Promise<Answer> =>
  new Promise((resolve) => {
    const began = performance.now();
    const socket = idle.pop() ?? connect(port, '127.0.0.1').setNoDelay(true);
    let head = '';
    let missing = Number.POSITIVE_INFINITY;
    const end = (status: number) => {
      socket.removeAllListeners();
      resolve({ status, ms: performance.now() - began, retryAfter: /retry-after: (\S+)/i.exec(head)?.[1] });
    };
    socket.on('error', () => end(0)).on('close', () => end(0));
    socket.on('data', (chunk) => {
      missing -= chunk.length;
      if (head === '') {
        head = chunk.toString('latin1', 0, chunk.indexOf('\r\n\r\n') + 4);
        missing = head.length + Number(/content-length: (\d+)/i.exec(head)![1]) - chunk.length;
      }
      if (missing > 0) return;
      end(Number(head.slice(9, 12)));
      idle.push(socket.on('error', () => {}));
    });
    socket.write(bytes);
  });

/** Answers a second when each caller sends its next request as soon as it has an answer. */
const capacityOf = async (callers: number, ms: number): Promise<number> => {
  const until = performance.now() + ms;
  let count = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < until) if ((await ask()).status === 200) count += 1;
    }),
  );
  return (count * 1000) / ms;
};
interface Tally {
  /** Milliseconds: of answers with 200, and of those with 503 and Retry-After. */
  good: number[];
  refused: number[];
  other: Answer[];
}
/** Sends requests at a fixed rate, whatever the answers. Stores only a number for each answer: more objects would cause
 * pauses of the garbage collector here, which would look like delays of the server. */
const askAtRate = async (rate: number, ms: number): Promise<Tally> => {
  const tally: Tally = { good: [], refused: [], other: [] };
  let asked = 0;
  let answered = 0;
  const note = (answer: Answer) => {
    answered += 1;
    if (answer.status === 200) tally.good.push(answer.ms);
    else if (answer.status === 503 && answer.retryAfter === '1') tally.refused.push(answer.ms);
    else tally.other.push(answer);
  };
  const began = performance.now();
  for (let now = 0; now < ms; now = performance.now() - began) {
    for (; asked < (rate * now) / 1000; asked++) ask().then(note);
    await sleep(1);
  }
  while (answered < asked) await sleep(1);
  return tally;
};
const quantile = (values: number[], at: number): string =>
  (values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * at))] ?? 0).toFixed(1);
const describe = (of: number[]): string => `p50 ${quantile(of, 0.5)} ms, p99 ${quantile(of, 0.99)} ms`;

test(`at three times its capacity for ${seconds} s the server answers as many requests as it can and rejects the rest at once`, async (t) => {
  await capacityOf(32, 5000);
  const before = await capacityOf(32, 5000);
  // Warm-up: the code that rejects requests is not optimized yet, and connections are opened.
  const first = await askAtRate(3 * before, 3000);
  const ready = new Set<number>();
  const probe = setInterval(
    () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ status }) => ready.add(status)),
    1000,
  );
  const { good, refused, other } = await askAtRate(3 * before, seconds * 1000);
  clearInterval(probe);
  const ended = performance.now();
  for (let calm = 0; calm < 20; calm++) {
    const { status, ms } = await ask();
    if (status !== 200 || ms > 100) calm = -1;
    assert.ok(performance.now() - ended < 10_000, 'normal again within 10 s');
  }
  const normalMs = performance.now() - ended;
  // Measured again, because the speed of the machine varies.
  const after = await capacityOf(32, 5000);
  const capacity = (before + after) / 2;
  const goodput = good.length / seconds;
  const asked = (good.length + refused.length + other.length) / seconds;
  t.diagnostic(`capacity ${before.toFixed(0)}/s before, ${after.toFixed(0)}/s after; asked ${asked.toFixed(0)}/s`);
  t.diagnostic(`goodput ${goodput.toFixed(0)}/s = ${(goodput / capacity).toFixed(2)} of capacity`);
  t.diagnostic(`rejected: ${describe(refused)}; answered: ${describe(good)}`);
  t.diagnostic(`the first seconds: rejected ${describe(first.refused)}`);
  t.diagnostic(`normal again after ${(normalMs / 1000).toFixed(1)} s`);
  assert.deepEqual([...first.other, ...other], []);
  assert.deepEqual([...ready], [200], 'ready all the time');
  // A short run in parallel with other tests checks the kinds of answers; its times are not reliable.
  const [share, at] = seconds >= 60 ? [0.8, 0.99] : [0.3, 0.8];
  assert.ok(goodput >= share * capacity, `${goodput} of ${capacity}`);
  assert.ok(Number(quantile(refused, at)) <= 100, `${quantile(refused, at)} ms`);
});
