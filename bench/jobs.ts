// The benchmark jobs. Each returns rows for the table and ratios; both sides of a ratio come from one interleaved run.
import pg from 'pg';
import { examples as short } from '../demo/examples.ts';
import { storeDemoKeys } from '../demo/load.ts';
import { demoPepper } from '../packages/sample/src/cast.ts';
import type { HttpLoad, Sample } from './measure.ts';
import { httpSample, medianSample, pgbenchSample } from './measure.ts';
import type { Peer } from './peers/peer.ts';
import { openListener, scriptOf } from './statements.ts';

/** The examples of the docs, with the default page size. */
const examples = short.map((one) => ({
  ...one,
  path: one.path.replace(/(pageSize|count)=\d+&?/, '').replace(/[?&]$/, ''),
}));

export interface Stage {
  /** The database for its owner, and for the server's role. */
  ownerUrl: string;
  readerUrl: string;
  postmaster: number;
  server: { url: string; pid: number };
  /** The server of another checkout to compare with, or null. */
  other: { url: string; pid: number } | null;
  bare: { url: string; pid: number };
  /** node:http and pipelined connections with the statement of getAgent (pass-through.ts). */
  passThrough: { url: string; pid: number };
  /** The same server with request logging and rate limits. */
  full: { url: string; pid: number };
  /** Names of agents and addresses of collections for random requests. */
  names: string[];
  addresses: string[];
  say: (line: string) => void;
}
interface Row extends Sample {
  what: string;
}
/** The share of requests that a cache answered, in percent. */
export interface HitRatio {
  maxAgeSeconds: number;
  requestsPerSecond: number;
  measured: number;
  expected: number;
}
export interface Result {
  rows: Row[];
  ratios: Record<string, number>;
  hitRatios?: HitRatio[];
}
/** A load that can be sampled repeatedly. */
interface Probe {
  what: string;
  sample: () => Promise<Sample>;
}

export const benchEnv = (url: string): Record<string, string> => ({ DATABASE_URL: url, KEY_PEPPER: demoPepper });

/** Samples all probes in each round, so that a slow minute of the machine affects all of them. */
export const interleave = async (
  probes: readonly Probe[],
  rounds: number,
  say: (line: string) => void,
): Promise<Row[]> => {
  const samples = new Map<string, Sample[]>(probes.map(({ what }) => [what, []]));
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`);
    for (const { what, sample } of probes) samples.get(what)!.push(await sample());
  }
  return [...samples].map(([what, all]) => ({ what, ...medianSample(all) }));
};
export const ratio = (rows: readonly Row[], of: string, to: string): number => {
  const at = (what: string) => rows.find((row) => row.what === what)?.perSecond ?? Number.NaN;
  return Math.round((at(of) / at(to)) * 1000) / 1000;
};

/** Stores the demo's keys, and creates the bench's own tables of agent names and collection addresses. */
export const prepare = async (ownerUrl: string): Promise<{ names: string[]; addresses: string[] }> => {
  const client = new pg.Client(ownerUrl);
  await client.connect();
  const draw = async (table: string, select: string): Promise<string[]> => {
    await client.query(`drop table if exists bench.${table}`);
    await client.query(`create table bench.${table} as select row_number() over () as n, value from (${select}) s`);
    await client.query(`create unique index on bench.${table} (n) include (value)`);
    const { rows } = await client.query<{ value: string }>(`select value from bench.${table}`);
    return rows.map(({ value }) => value);
  };
  await client.query('create schema if not exists bench');
  const names = await draw('names', 'select name as value from agents where is_public order by md5(name) limit 5000');
  const addresses = await draw(
    'addresses',
    `select address as value from lists.collection_sizes where is_public and holders between 20 and 120000
     order by holders >= 500 desc, md5(address) limit 1000`,
  );
  await client.query('grant usage on schema bench to bench; grant select on all tables in schema bench to bench');
  await client.query(`delete from api_keys where name = 'bench'`);
  await storeDemoKeys(client, 'bench');
  await client.query('vacuum analyze bench.names, bench.addresses, api_keys');
  await client.end();
  return { names, addresses };
};

const get = (path: string, token?: string) => ({
  method: 'GET',
  path,
  ...(token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }),
});

/** A load on a server. With postmaster 0 the CPU time of PostgreSQL is not measured. */
export const httpProbe = (
  what: string,
  { url, pid }: { url: string; pid: number },
  requests: readonly HttpLoad['requests'][number][],
  seconds: number,
  postmaster: number,
): Probe => ({ what, sample: () => httpSample({ url, requests, seconds }, { server: pid, postmaster }) });

export const core = async (
  stage: Stage,
  peers: readonly { peer: Peer; url: string; pid: number }[],
  only: RegExp,
): Promise<Result> => {
  const { names, addresses } = stage;
  const listener = await openListener(benchEnv(stage.readerUrl));
  const { postmaster, server, bare, passThrough, full } = stage;
  const modes = { point: 'force_generic_plan', list: 'force_generic_plan', search: 'force_custom_plan' };
  const probes: Probe[] = [];

  const agent = await listener.statementsOf(`/agents/${names[0]}`);
  const holders = await listener.statementsOf(`/collections/${addresses[0]}/holders`);
  const scripts = {
    A: scriptOf(agent.sent, { [names[0]!]: { table: 'names', rows: names.length } }),
    H: scriptOf(holders.sent, { [addresses[0]!]: { table: 'addresses', rows: addresses.length } }),
  };
  const requests = {
    A: names.map((name) => get(`/agents/${name}`)),
    H: addresses.map((address) => get(`/collections/${address}/holders`)),
  };
  probes.push(httpProbe('A node:http', bare, requests.A, 5, postmaster));
  probes.push(httpProbe('A pass-through', passThrough, requests.A, 5, postmaster));
  for (const job of ['A', 'H'] as const) {
    const pgbench = { url: stage.readerUrl, ...scripts[job], mode: modes.point, seconds: 5 };
    probes.push({ what: `${job} pgbench`, sample: () => pgbenchSample(pgbench, { server: null, postmaster }) });
    probes.push(httpProbe(`${job} Commonhall`, server, requests[job], 5, postmaster));
    probes.push(httpProbe(`${job} Commonhall, log and limits on`, full, requests[job], 5, postmaster));
    if (stage.other !== null) probes.push(httpProbe(`${job} other`, stage.other, requests[job], 5, 0));
    for (const { peer, url, pid } of peers) {
      const keys = job === 'A' ? names : addresses;
      const asked = keys.map((key) => peer.requests[job](key));
      probes.push(httpProbe(`${job} ${peer.name}`, { url, pid }, asked, 5, postmaster));
    }
  }
  if (peers.length === 0)
    for (const { operation, path, token } of examples) {
      if (operation === 'getAgent' || operation === 'listCollectionHolders') continue;
      const { sent } = await listener.statementsOf(path, token);
      const pgbench = { url: stage.readerUrl, ...scriptOf(sent), mode: modes[sent.at(-1)!.kind], seconds: 2 };
      probes.push({ what: `${operation} pgbench`, sample: () => pgbenchSample(pgbench, { server: null, postmaster }) });
      probes.push(httpProbe(`${operation} Commonhall`, server, [get(path, token)], 2, postmaster));
      if (stage.other !== null) probes.push(httpProbe(`${operation} other`, stage.other, [get(path, token)], 2, 0));
    }
  const asked = probes.filter(({ what }) => only.test(what));
  const rows = await interleave(asked, 5, stage.say);
  await listener.close();
  const ratios: Record<string, number> = {
    'A/pass-through': ratio(rows, 'A Commonhall', 'A pass-through'),
    'A with log and limits/pass-through': ratio(rows, 'A Commonhall, log and limits on', 'A pass-through'),
    'H with log and limits/pgbench': ratio(rows, 'H Commonhall, log and limits on', 'H pgbench'),
    'A/node:http': ratio(rows, 'A Commonhall', 'A node:http'),
    'A/pgbench': ratio(rows, 'A Commonhall', 'A pgbench'),
    'H/pgbench': ratio(rows, 'H Commonhall', 'H pgbench'),
  };
  for (const { peer } of peers)
    for (const job of ['A', 'H'])
      ratios[`${job}/${peer.name.replace(/ [\d.]+/g, '')}`] = ratio(rows, `${job} Commonhall`, `${job} ${peer.name}`);
  for (const { what } of rows)
    if (what.endsWith(' other'))
      ratios[`${what.slice(0, -6)}/other`] = ratio(rows, what.replace(/other$/, 'Commonhall'), what);
  if (peers.length === 0)
    for (const { operation } of examples)
      if (rows.some(({ what }) => what === `${operation} pgbench`))
        ratios[`${operation}/pgbench`] = ratio(rows, `${operation} Commonhall`, `${operation} pgbench`);
  return { rows, ratios: Object.fromEntries(Object.entries(ratios).filter(([, value]) => !Number.isNaN(value))) };
};

/** Every operation of Commonhall alone. Runs with data sets of several sizes show how the cost grows. */
export const growth = async ({ names, addresses, server, postmaster, say }: Stage): Promise<Result> => {
  const probe = (what: string, requests: ReturnType<typeof get>[]): Probe =>
    httpProbe(what, server, requests, 2, postmaster);
  const probes = examples.map(({ operation, path, token }) => {
    if (operation === 'getAgent')
      return probe(
        operation,
        names.map((name) => get(`/agents/${name}`)),
      );
    if (operation !== 'listCollectionHolders') return probe(operation, [get(path, token)]);
    return probe(
      operation,
      addresses.map((address) => get(`/collections/${address}/holders`)),
    );
  });
  return { rows: await interleave(probes, 3, say), ratios: {} };
};

/** Searches for rare to very common words, with the exact total, one request at a time. */
export const search = async (stage: Stage): Promise<Result> => {
  const words = ['lighthouse', 'napkin', 'petal', 'ing', 'an', 'a', 'zq'];
  const wide = ['category=defi&sortBy=name', 'importance=low&platform=github&sortBy=owner', 'status=REVIEWED', ''];
  const alone = (what: string, paths: string[]): Probe => ({
    what,
    sample: () =>
      httpSample(
        { url: stage.server.url, requests: paths.map((path) => get(path)), connections: 1, seconds: 3 },
        { server: stage.server.pid, postmaster: stage.postmaster },
      ),
  });
  const totals = new Map<string, number>();
  for (const query of [...words.map((word) => `q=${word}`), ...wide]) {
    const answer = await fetch(`${stage.server.url}/repositories?${query}`);
    totals.set(query, ((await answer.json()) as { data: { total: number } }).data.total);
  }
  const middle = (query: string) => `/repositories?${query}&page=${Math.max(1, Math.floor(totals.get(query)! / 40))}`;
  const rows = await interleave(
    [
      ...words.flatMap((word) => [
        alone(`q=${word} (${totals.get(`q=${word}`)}) page 1`, [`/repositories?q=${word}`]),
        alone(`q=${word} (${totals.get(`q=${word}`)}) middle page`, [middle(`q=${word}`)]),
      ]),
      ...wide.map((query) =>
        alone(`${query || 'all'} (${totals.get(query)}) middle page`, [middle(query).replace('?&', '?')]),
      ),
    ],
    3,
    stage.say,
  );
  return { rows, ratios: {} };
};
