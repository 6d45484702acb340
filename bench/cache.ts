// A cache in front. First how many requests Varnish answers by itself, by MAX_AGE_SECONDS and by rate, beside the formula
// for callers who do not know of each other. Then what a hit costs in our configurations of nginx and Varnish, compared
// with the same program that caches the same response with as few lines as possible.
import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startMinimalNginx, startNginx } from '../packages/server/test/helpers/nginx.ts';
import { needPrograms } from '../test/debian.ts';
import { eventually, patient, serveProcess } from '../test/helpers/process.ts';
import { seeded } from '../test/helpers/random.ts';
import { startBuiltInVarnish, startVarnish } from '../test/helpers/varnish.ts';
import type { HitRatio, Result } from './jobs.ts';
import { benchEnv, httpProbe, interleave, ratio } from './jobs.ts';
import { openWorld } from './world.ts';

const maxAges = [1, 2, 5, 10, 60];
const rates = [20, 100, 400]; // requests a second at each cache; all five run at the same time
const warmSeconds = 60; // the longest max-age
const countSeconds = 60;
const urlCount = 1500;

/** Real URLs of the sample, in the order of their popularity. */
const drawUrls = async (databaseUrl: string): Promise<string[]> => {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query<{ url: string }>(
    `select url from (
       select '/users/' || username || tail as url
       from users, unnest(array['', '/timeline', '/badges']) tail where is_public
       union all select '/agents/' || name from agents where is_public
       union all select '/launches/' || slug from launches where is_public
       union all select '/collections/' || address || tail
       from collections, unnest(array['', '/holders']) tail where is_public
       union all select '/repositories/' || platform || '/' || platform_id from repositories where is_public
     ) urls
     where url ~ '^[\\w/.-]+$' order by md5(url) limit $1`,
    [urlCount],
  );
  await client.end();
  return rows.map(({ url }) => url);
};

/** The probability of each URL: the n-th is asked for 1/n as often as the first. */
const zipf = (count: number): number[] => {
  const weights = Array.from({ length: count }, (_, n) => 1 / (n + 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
};
/** Σ pᵢ·λpᵢT/(1+λpᵢT): after each fetch, the requests of T seconds are hits, and the next one is a fetch. */
const expectedRatio = (shares: readonly number[], perSecond: number, seconds: number): number =>
  shares.reduce((sum, share) => sum + (share * perSecond * share * seconds) / (1 + perSecond * share * seconds), 0);

/** Sends requests that arrive by chance at a rate, whatever the responses take (open loop). Counts those of the end. */
const drive = async (url: string, urls: readonly string[], perSecond: number, seed: number) => {
  const draw = seeded(seed);
  const chance = () => (draw(2 ** 30) + 1) / 2 ** 30;
  const sums: number[] = [];
  for (const share of zipf(urls.length)) sums.push((sums.at(-1) ?? 0) + share);
  const agent = new Agent({ keepAlive: true, timeout: 3000 }); // before Varnish closes an idle connection
  const counts = { hits: 0, requests: 0, failures: 0 };
  const send = (isCounted: boolean) => {
    const at = chance();
    let [low, high] = [0, urls.length - 1];
    for (let mid = 0; low < high; ) {
      mid = (low + high) >> 1;
      if (sums[mid]! < at) low = mid + 1;
      else high = mid;
    }
    get(url + urls[low]!, { agent }, (response) => {
      response.resume();
      if (!isCounted) return;
      counts.requests += 1;
      if (response.statusCode !== 200) counts.failures += 1;
      if (String(response.headers['x-request-id']).startsWith('cache-')) counts.hits += 1;
    }).on('error', () => {
      counts.failures += 1;
    });
  };
  const began = performance.now();
  const [countFrom, end] = [began + warmSeconds * 1000, began + (warmSeconds + countSeconds) * 1000];
  for (let due = began; due < end; due += (-Math.log(chance()) / perSecond) * 1000) {
    const early = due - performance.now();
    if (early > 2) await sleep(early);
    send(due >= countFrom);
  }
  await sleep(2000);
  agent.destroy();
  if (counts.failures > counts.requests / 100)
    throw new Error(`${counts.failures} of ${counts.requests} requests failed`);
  return counts.hits / counts.requests;
};

const hitRatios = async (readerUrl: string, urls: readonly string[], say: (line: string) => void) => {
  const unlimited = [['1000, 1s', '1000000, 1s']] as const;
  const caches = await Promise.all(
    maxAges.map(async (maxAgeSeconds) => {
      const server = await serveProcess(readerUrl, {
        ...benchEnv(readerUrl),
        ...patient,
        MAX_AGE_SECONDS: String(maxAgeSeconds),
        RATE_LIMIT_PER_TOKEN: '0',
        LOG_LEVEL: 'warn',
      });
      return { maxAgeSeconds, server, varnish: await startVarnish(server.url, unlimited) };
    }),
  );
  const found: HitRatio[] = [];
  const shares = zipf(urls.length);
  try {
    for (const requestsPerSecond of rates) {
      say(`${requestsPerSecond} requests a second, for ${warmSeconds + countSeconds} s`);
      const measured = await Promise.all(
        caches.map(({ varnish, maxAgeSeconds }) => drive(varnish.url, urls, requestsPerSecond, maxAgeSeconds)),
      );
      for (const [n, { maxAgeSeconds }] of caches.entries()) {
        const expected = expectedRatio(shares, requestsPerSecond, maxAgeSeconds);
        found.push({
          ...{ maxAgeSeconds, requestsPerSecond },
          measured: Math.round(measured[n]! * 1000) / 10,
          expected: Math.round(expected * 1000) / 10,
        });
      }
      say(hitRatioTable(found));
    }
  } finally {
    for (const { server, varnish } of caches) {
      await varnish.stop();
      await server.stop();
    }
  }
  return found;
};

/** A server that has one response, with the bytes of ours. */
const serveStatic = async (url: string): Promise<{ url: string; requests: () => number; stop: () => void }> => {
  const response = await eventually(async () => {
    const first = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    if (first.status !== 200) throw new Error(`${url}: ${first.status}`); // a server that has just started
    return first;
  });
  const body = Buffer.from(await response.arrayBuffer());
  const copied = [...response.headers].filter(([name]) => !/^(date|connection|keep-alive|vary)$/.test(name));
  let requests = 0;
  const server = createServer((_, reply) => {
    requests += 1;
    reply.writeHead(200, Object.fromEntries(copied)).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests: () => requests, stop: () => server.close() };
};

const hitCosts = async (readerUrl: string, path: string, say: (line: string) => void) => {
  const settings = { ...benchEnv(readerUrl), ...patient, MAX_AGE_SECONDS: '3600', LOG_LEVEL: 'warn' };
  const server = await serveProcess(readerUrl, settings);
  const origin = new URL(server.url);
  const still = await serveStatic(server.url + path);
  const nginx = await startNginx([origin, origin], [['ssl http2;', ';']], [['rate=1000r/s', 'rate=1000000r/s']]);
  const bareNginx = await startMinimalNginx(still.url);
  const varnish = await startVarnish(server.url, [['1000, 1s', '1000000, 1s']]);
  const bareVarnish = await startBuiltInVarnish(still.url);
  const probe = (what: string, { url, pid }: { url: string; pid: number }) =>
    httpProbe(what, { url, pid }, [{ method: 'GET', path }], 5, 0);
  try {
    const rows = await interleave(
      [
        probe('hits, our nginx', { url: `http://127.0.0.1:${nginx.port}`, pid: nginx.pid }),
        probe('hits, minimal nginx', bareNginx),
        probe('hits, our Varnish', varnish),
        probe('hits, minimal Varnish', bareVarnish),
      ],
      5,
      say,
    );
    // The readiness probes of the start, and one fetch of each program; more would not be hits.
    if (still.requests() > 50) throw new Error(`${still.requests()} requests were not answered by a minimal cache`);
    return rows;
  } finally {
    for (const one of [nginx, bareNginx, varnish, bareVarnish, server]) await one.stop();
    still.stop();
  }
};

/** Other work on the machine changes this less than the throughput. */
const cpuRatio = (rows: Result['rows'], program: string): number => {
  const of = (which: string) => rows.find(({ what }) => what === `hits, ${which} ${program}`)!.serverMicros;
  return Math.round((of('minimal') / of('our')) * 1000) / 1000;
};

/** One row for each max-age, one column for each rate: measured, and by the formula. */
export const hitRatioTable = (found: readonly HitRatio[]): string => {
  const columns = [...new Set(found.map(({ requestsPerSecond }) => requestsPerSecond))];
  const lines = [...new Set(found.map(({ maxAgeSeconds }) => maxAgeSeconds))].map((maxAge) => {
    const cells = found.filter(({ maxAgeSeconds }) => maxAgeSeconds === maxAge);
    return `| ${maxAge} s | ${cells.map(({ measured, expected }) => `${measured.toFixed(1)} % (${expected.toFixed(1)} %)`).join(' | ')} |`;
  });
  return [
    `| hits (by the formula) | ${columns.map((rate) => `${rate} a second`).join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
    ...lines,
  ].join('\n');
};

export const cache = async (say: (line: string) => void): Promise<Result> => {
  needPrograms({ wrk: 'wrk' });
  const postgres = await openWorld('small', say);
  try {
    const readerUrl = postgres.url.replace('postgres@', 'bench@');
    const urls = await drawUrls(postgres.url);
    if (urls.length < urlCount) throw new Error(`the sample has only ${urls.length} URLs`);
    const rows = await hitCosts(readerUrl, urls[0]!, say);
    return {
      rows,
      ratios: {
        'hits: our nginx / minimal nginx': ratio(rows, 'hits, our nginx', 'hits, minimal nginx'),
        'hits: our Varnish / minimal Varnish': ratio(rows, 'hits, our Varnish', 'hits, minimal Varnish'),
        'CPU time of a hit: minimal nginx / our nginx': cpuRatio(rows, 'nginx'),
        'CPU time of a hit: minimal Varnish / our Varnish': cpuRatio(rows, 'Varnish'),
      },
      hitRatios: await hitRatios(readerUrl, urls, say),
    };
  } finally {
    await postgres.stop();
  }
};
