// What callers, the writer and the follower see during a failover, measured from outside: which reads fail, how old
// answers are, when private reads and the feed go on, and which commits are lost.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { demoKeys } from '../packages/sample/src/cast.ts';
import type { openOutbox } from '../test/helpers/outbox.ts';
import type { Change } from '../test/helpers/platform.ts';
import { bodyOf, kinds } from '../test/helpers/platform.ts';

/** Each shows the newest stamp. */
const paths = ['/users/ada', '/contests', '/contests?pageSize=1', '/launches/user/ada'];
const stampSql = `
  with n as (insert into drill_stamps values ($2)),
    u as (update users set bio = $1 where username = 'ada'),
    c as (update contests set short_description = $1 where is_public)
  update launches set tagline = $1 where submitted_by_id = (select id from users where username = 'ada')`;
/** For this long after private reads work again, a server may not have reached the primary by its own probe. */
const graceMs = 2500;
/** A private read that takes longer has waited for the primary. */
const slowMs = 900;

interface Answer {
  at: number;
  tookMs: number;
  status: number;
  /** Of public reads: how long before the request the first commit that is missing in it was made. */
  ageMs: number;
}
const get = async (url: string, token?: string): Promise<{ status: number; body: string }> => {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) });
    return { status: response.status, body: await response.text() };
  } catch (error) {
    return { status: 0, body: String((error as Error).cause ?? error) };
  }
};

/** A connection that is opened again after an error. */
export const openSession = (url: string) => {
  let client: pg.Client | null = null;
  const close = async () => {
    const last = client;
    client = null;
    await Promise.race([last?.end(), sleep(500)]).catch(() => {});
  };
  return {
    query: async <T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> => {
      try {
        if (client === null) {
          const next = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000, query_timeout: 5000 });
          next.on('error', () => {});
          await next.connect();
          client = next;
        }
        return (await client.query<T>(text, values)).rows;
      } catch (error) {
        await close();
        throw error;
      }
    },
    close,
  };
};
export type Session = ReturnType<typeof openSession>;

export interface Watched {
  /** URLs of the servers. */
  servers: readonly string[];
  primaryUrl: string;
  platform: Awaited<ReturnType<typeof openOutbox>>;
  readers: number;
}

export const watchFailover = ({ servers, primaryUrl, platform, readers }: Watched) => {
  const publicReads: Answer[][] = servers.map(() => []);
  const privateReads: Answer[][] = servers.map(() => []);
  const problems: string[] = [];
  /** Stamps that were acknowledged, and when. */
  let commits: { value: number; at: number }[] = [];
  const acknowledged: number[] = [];
  /** When the newest change of the platform that is applied was seen first. */
  const applied: { at: number; value: number }[] = [{ at: performance.now(), value: 0 }];
  let changes = 0;
  let isOver = false;

  const write = async () => {
    const session = openSession(primaryUrl);
    for (let value = 1; !isOver; value++, await sleep(25))
      try {
        await session.query(stampSql, [`stamp ${value}`, value]);
        acknowledged.push(value);
        commits = [...commits.slice(-4000), { value, at: performance.now() }];
      } catch {
        // Its outcome is unknown: it is neither promised nor expected.
      }
    await session.close();
  };
  const readPublic = async (first: number) => {
    for (let turn = first; !isOver; turn++, await sleep(20)) {
      const server = turn % servers.length;
      const path = paths[Math.floor(turn / servers.length) % paths.length]!;
      const at = performance.now();
      const { status, body } = await get(servers[server]! + path);
      const tookMs = performance.now() - at;
      const shown = Number(/"stamp (\d+)"/.exec(body)?.[1] ?? 0);
      const missing = commits.find(({ value }) => value > shown);
      const ageMs = status !== 200 || missing === undefined ? 0 : Math.max(0, at - missing.at);
      publicReads[server]!.push({ at, tookMs, status, ageMs });
      if (status !== 200 && problems.length < 20)
        problems.push(`${new Date().toISOString()} server ${server + 1} ${path}: ${status} ${body.slice(0, 200)}`);
    }
  };
  const readPrivate = async (server: number) => {
    for (; !isOver; await sleep(100)) {
      const at = performance.now();
      const { status } = await get(`${servers[server]}/bounties/me`, demoKeys.member.key);
      privateReads[server]!.push({ at, tookMs: performance.now() - at, status, ageMs: 0 });
    }
  };
  const produce = async () => {
    for (; !isOver; await sleep(100)) {
      changes += 1;
      const record = { ...kinds.topics!.make(changes % 20), name: `change ${changes}` };
      await platform.commit([bodyOf({ op: 'put', table: 'topics', record } as Change)]);
    }
  };
  const watchFeed = async () => {
    const session = openSession(primaryUrl);
    for (; !isOver; await sleep(100)) {
      const text = `select max(substr(name, 8)::integer) as value from topics where name like 'change %'`;
      const rows = await session.query<{ value: number | null }>(text).catch(() => []);
      const value = rows[0]?.value ?? 0;
      if (value > applied.at(-1)!.value) applied.push({ at: performance.now(), value });
    }
    await session.close();
  };
  const work = [
    ...[write(), produce(), watchFeed()],
    ...servers.map((_, server) => readPrivate(server)),
    ...Array.from({ length: readers }, (_, reader) => readPublic(reader)),
  ];

  const isGood = ({ status, tookMs }: Answer) => status === 200 && tookMs < slowMs;
  /** Whether the server reached the primary when the request was made, and for a while before. */
  const isReachable = (server: number, at: number): boolean =>
    privateReads[server]!.filter((one) => one.at + one.tookMs > at - graceMs && one.at < at + slowMs).every(isGood);
  return {
    acknowledged,
    changes: () => changes,
    problems,
    /** The figures from a time on. */
    since: (from: number) => {
      const seconds = (at: number) => Math.max(0, (at - from) / 1000);
      const reads = publicReads.map((all) => all.filter(({ at }) => at >= from - 500));
      const all = reads.flat();
      const gaps = reads.map((of) => {
        const ends = of.filter(({ status }) => status === 200).map(({ at, tookMs }) => at + tookMs);
        return longestGap([from, ...ends.filter((end) => end > from).toSorted((a, b) => a - b)]).ms;
      });
      const ages = reads.flatMap((of, server) =>
        of.map((one) => ({ ...one, isReachable: isReachable(server, one.at) })),
      );
      const oldest = (isReached: boolean) =>
        Math.max(0, ...ages.filter((one) => one.isReachable === isReached).map(({ ageMs }) => ageMs));
      const privateBack = privateReads.map((of) => {
        const bad = of.findLastIndex((one) => one.at + one.tookMs > from && one.status !== 200);
        const next = of[bad + 1];
        if (bad === -1) return 0;
        return next === undefined ? Number.NaN : seconds(next.at + next.tookMs);
      });
      const feed = longestGap([from, ...applied.filter(({ at }) => at > from).map(({ at }) => at)]);
      return {
        reads: all.length,
        failed: all.filter(({ status }) => status !== 200).length,
        longestGapMs: Math.max(...gaps),
        longestReadMs: Math.max(...all.map(({ tookMs }) => tookMs)),
        oldestMs: oldest(true),
        oldestWithoutPrimaryMs: oldest(false),
        privateBack,
        privateFailed: privateReads.flat().filter(({ at, status }) => at >= from && status !== 200).length,
        feedBack: feed.ms < 1000 ? 0 : seconds(feed.end),
      };
    },
    /** Resolves when the last reads of all servers, private ones too, were answered well, and the feed goes on. */
    isWell: (from: number, isFed: boolean): boolean =>
      privateReads.every((of) => {
        const last = of.slice(-10);
        return last.length === 10 && last[0]!.at > from && last.every(isGood);
      }) &&
      (!isFed || performance.now() - applied.at(-1)!.at < 2000),
    stop: async () => {
      isOver = true;
      await Promise.all(work);
    },
  };
};
export type Watch = ReturnType<typeof watchFailover>;

const longestGap = (times: readonly number[]): { ms: number; end: number } =>
  times.slice(1).reduce(
    (longest, end, index) => {
      const ms = end - times[index]!;
      return ms > longest.ms ? { ms, end } : longest;
    },
    { ms: 0, end: times[0] ?? 0 },
  );
