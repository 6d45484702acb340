// npm run bench -- core|peers|pages|search|writes|growth|feed|cache [--scale small|medium|large] [--json]
// Measures the alternatives in one interleaved run and prints a table. Only the ratios are comparable between machines.
// --against <checkout>: for core, also measures the server of another checkout, with its own data set.
// --only <regex>: for core and pages, only what matches.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { ScaleName } from '../packages/sample/src/scales.ts';
import { needPrograms } from '../test/debian.ts';
import { freePort } from '../test/postgres.ts';
import { cache, hitRatioTable } from './cache.ts';
import { feed } from './feed.ts';
import type { Result, Stage } from './jobs.ts';
import { benchEnv, core, growth, prepare, search } from './jobs.ts';
import { pages } from './pages.ts';
import { postgraphile } from './peers/postgraphile.ts';
import { prisma } from './peers/prisma.ts';
import { typeorm } from './peers/typeorm.ts';
import { openListener } from './statements.ts';
import { openWorld, worldFolder } from './world.ts';
import { writes } from './writes.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string' },
    json: { type: 'boolean', default: false },
    against: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const [job = 'core'] = positionals;
const jobs = ['core', 'peers', 'pages', 'search', 'writes', 'growth', 'feed', 'cache'];
const say = (line: string): void => console.error(line);
const children: ChildProcess[] = [];

/** Our server as an operator starts it, but without rate and load limits, which the load would reach. */
const startServer = async (
  url: string,
  checkout = join(import.meta.dirname, '..'),
  more: Record<string, string> = {},
): Promise<{ url: string; pid: number }> => {
  const env = {
    ...benchEnv(url),
    PATH: process.env.PATH ?? '',
    METRICS_PORT: '0',
    KEY_KINDS: 'test',
    RATE_LIMIT_PER_ADDRESS: '0',
    RATE_LIMIT_PER_TOKEN: '0',
    DATABASE_WAIT_MS: '30000',
    MAX_EVENT_LOOP_DELAY_MS: '0',
    LOG_LEVEL: 'warn', // the peers do not log requests either
    ...more,
  };
  const port = await freePort();
  const main = join(checkout, 'packages/server/src/main.ts');
  const child = spawn(process.execPath, [main, 'serve'], {
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true, // its own session, like a service: Linux divides CPU time between sessions (autogroup)
  });
  children.push(child);
  const origin = `http://127.0.0.1:${port}`;
  for (const until = Date.now() + 20_000; ; await sleep(100))
    try {
      await fetch(`${origin}/healthz`);
      return { url: origin, pid: child.pid! };
    } catch (error) {
      if (Date.now() > until) throw error;
    }
};

/** Request logging, and rate limits that are counted but never reached. */
const everythingOn = { LOG_LEVEL: 'info', RATE_LIMIT_PER_ADDRESS: '1000000000', RATE_LIMIT_PER_TOKEN: '1000000000' };

/** Starts a script and waits for its first line, which it prints once it listens. */
const startScript = async (port: number, args: string[]): Promise<{ url: string; pid: number }> => {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  children.push(child);
  await once(child.stdout!, 'data');
  return { url: `http://127.0.0.1:${port}`, pid: child.pid! };
};

/** Starts pass-through.ts with the statement of getAgent. */
const startPassThrough = async (url: string, name: string): Promise<{ url: string; pid: number }> => {
  const listener = await openListener(benchEnv(url));
  const [statement] = (await listener.statementsOf(`/agents/${name}`)).sent;
  await listener.close();
  const port = await freePort();
  return startScript(port, [
    join(import.meta.dirname, 'pass-through.ts'),
    String(port),
    url,
    JSON.stringify(statement),
  ]);
};

/** The upper bound: node:http that returns the same bytes from memory. */
const startBare = async (bytes: Buffer): Promise<{ url: string; pid: number }> => {
  const port = await freePort();
  const source = `
    const body = Buffer.from(process.argv[1], 'base64');
    require('node:http').createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
      response.end(body);
    }).listen(${port}, '127.0.0.1', () => console.log('up'));`;
  return startScript(port, ['-e', source, bytes.toString('base64')]);
};

/** The server of another checkout, with a data set that its own code has generated. */
const startOther = async (
  checkout: string,
  scale: ScaleName,
): Promise<{ server: Stage['server']; stop: () => Promise<void> }> => {
  const mine = process.env.BENCH_FOLDER;
  process.env.BENCH_FOLDER = join(worldFolder('against'));
  const worlds = (await import(resolve(checkout, 'bench/world.ts'))) as typeof import('./world.ts');
  const jobsThere = (await import(resolve(checkout, 'bench/jobs.ts'))) as typeof import('./jobs.ts');
  const postgres = await worlds.openWorld(scale, say);
  process.env.BENCH_FOLDER = mine ?? '';
  if (mine === undefined) delete process.env.BENCH_FOLDER;
  await jobsThere.prepare(postgres.url);
  return { server: await startServer(postgres.url.replace('postgres@', 'bench@'), checkout), stop: postgres.stop };
};

/** The machine and Node version, on which the figures depend. */
const shape = (): string => {
  const [first] = cpus();
  return `${cpus().length} cores (${first?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
};

const print = (scale: ScaleName, { rows, ratios, hitRatios }: Result): void => {
  const figure = (value: number, digits: number) => (Number.isNaN(value) ? '' : value.toFixed(digits));
  console.log('| what | per second | p50 ms | p99 ms | server µs | PostgreSQL µs |\n|---|---|---|---|---|---|');
  for (const { what, perSecond, p50Ms, p99Ms, serverMicros, databaseMicros } of rows)
    console.log(
      `| ${what} | ${figure(perSecond, perSecond < 100 ? 2 : 0)} | ${figure(p50Ms, 2)} | ${figure(p99Ms, 2)} | ${figure(serverMicros, 0)} | ${figure(databaseMicros, 0)} |`,
    );
  console.log('\n| ratio | |\n|---|---|');
  for (const [name, value] of Object.entries(ratios)) console.log(`| ${name} | ${value} |`);
  if (hitRatios !== undefined) console.log(`\n${hitRatioTable(hitRatios)}`);
  if (values.json)
    console.log(
      JSON.stringify({ ratios, job, scale, date: new Date().toISOString(), machine: shape(), rows, hitRatios }),
    );
};

const run = async (): Promise<void> => {
  needPrograms({ wrk: 'wrk', pgbench: 'postgresql-contrib' });
  // Uses the large data set if it exists; otherwise `core` uses the medium one, which loads in a minute or two.
  const scale = (values.scale ??
    (existsSync(join(worldFolder('large'), 'ready')) || job !== 'core' ? 'large' : 'medium')) as ScaleName;
  const postgres = await openWorld(scale, say);
  const other = values.against === undefined ? null : await startOther(resolve(values.against), scale);
  try {
    const readerUrl = postgres.url.replace('postgres@', 'bench@');
    const drawn = await prepare(postgres.url);
    const server = await startServer(readerUrl);
    const example = await (await fetch(`${server.url}/agents/${drawn.names[0]}`)).arrayBuffer();
    const stage: Stage = {
      ownerUrl: postgres.url,
      readerUrl,
      postmaster: Number(readFileSync(join(worldFolder(scale), 'postgres/postmaster.pid'), 'utf8').split('\n')[0]),
      server,
      other: other?.server ?? null,
      bare: await startBare(Buffer.from(example)),
      passThrough: await startPassThrough(readerUrl, drawn.names[0]!),
      full: await startServer(readerUrl, undefined, everythingOn),
      ...drawn,
      say,
    };
    if (job === 'core') print(scale, await core(stage, [], new RegExp(values.only)));
    else if (job === 'search') print(scale, await search(stage));
    else if (job === 'growth') print(scale, await growth(stage));
    else {
      const running = [];
      for (const peer of [postgraphile, prisma, typeorm]) {
        const folder = join(worldFolder('peers'), peer.name.toLowerCase().replace(/\W+/g, '-'));
        say(`${peer.name} …`);
        peer.install(folder);
        const port = await freePort();
        const child = await peer.start(folder, readerUrl, port);
        children.push(child);
        running.push({ peer, url: `http://127.0.0.1:${port}`, pid: child.pid! });
      }
      print(scale, await core(stage, running, new RegExp(values.only)));
    }
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await postgres.stop();
    await other?.stop();
  }
};

if (!jobs.includes(job)) {
  console.error(`the job must be one of ${jobs.join(', ')}`);
  process.exitCode = 1;
} else if (job === 'writes') print('medium', await writes(say));
else if (job === 'feed') print('medium', await feed(say));
else if (job === 'cache') print('small', await cache(say));
else if (job === 'pages') {
  const scale = values.scale === 'medium' ? 'medium' : 'large';
  print(scale, await pages(scale === 'large' ? 1_000_000 : 100_000, new RegExp(values.only), say));
} else await run();
