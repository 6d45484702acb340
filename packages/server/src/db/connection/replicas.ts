// The primary and its replicas as one database. Public reads go to replicas whose lag is known to be within the limit;
// everything else goes to the primary. Lag is measured, never assumed.
import { isOverload, isTimeout, unavailable } from './failures.ts';
import type { PrimaryLook, ReplicaLook } from './lag.ts';
import { openLag } from './lag.ts';
import type { Database, DatabaseOptions, Db } from './pool.ts';
import { openDatabase } from './pool.ts';
import { openProbe } from './probe.ts';

export interface ReplicaOptions {
  urls: readonly string[];
  maxLagMs: number;
  maxWithoutPrimaryMs: number;
}
interface ReplicaFacts {
  name: string;
  isInUse: boolean;
  /** An upper bound of its lag: how long ago it certainly had everything; null: never measured. */
  lagMs: number | null;
}
export interface Databases extends Database {
  /** For public data: replicas, or the primary when no replica is usable. */
  forPublic: Database['forRequest'];
  isFullForPublic: () => boolean;
  /** Replicas are used only once they have everything up to this call: the schema that this server needs. */
  requireNow: () => void;
  /** Since when the primary has been unreachable, as Date.now(); null: it answers, or there are no replicas. */
  primaryLostAt: () => number | null;
  /** Whether replicas serve public reads although the primary is unreachable. */
  isServingAlone: () => boolean;
  replicas: () => ReplicaFacts[];
  /** Public reads by server; empty without replicas. */
  publicReads: () => ReadonlyMap<string, number>;
}
export type ReplicaEvent =
  | { what: 'replica'; name: string; isInUse: boolean; reason: string }
  | { what: 'primary'; isReachable: boolean; err?: unknown };

const probeMs = 300;
/** How soon a replica that has fallen silent is noticed; its statements are then retried on another server. */
const reviewMs = 100;
const silenceMs = 1000;
/** At the start a replica is not reported as unusable before the first probes have had time to answer. */
const firstLooksMs = 2000;
const never = Number.NEGATIVE_INFINITY;

// When the last WAL record ends at the end of a page, the insert position is past the header of the next page. A
// replica that has replayed everything is before that header, so it is subtracted: 24 bytes, or 40 at the start of a
// segment.
const primaryProbe = `
  select
    (case
      when (pg_walfile_name_offset(n.lsn)).file_offset = 40 then n.bytes - 40
      when n.bytes % current_setting('wal_block_size')::integer = 24 then n.bytes - 24
      else n.bytes
    end)::text,
    left(pg_walfile_name(n.lsn), 8),
    (select system_identifier from pg_control_system())::text
  from (
    select w.lsn, pg_wal_lsn_diff(w.lsn, '0/0') as bytes from (select pg_current_wal_insert_lsn() as lsn offset 0) w
  ) n`;
const replicaProbe = `
  select
    pg_wal_lsn_diff(coalesce(pg_last_wal_replay_lsn(), '0/0'), '0/0')::text,
    (select lpad(upper(to_hex(timeline_id)), 8, '0') from pg_control_checkpoint()),
    (select system_identifier from pg_control_system())::text,
    pg_is_in_recovery()::text`;

interface Server {
  name: string;
  database: Database;
  reads: number;
}
interface Replica extends Server {
  /** It has everything that was committed before this time. */
  freshAt: number;
  answeredAt: number;
  /** Why it is not used. */
  reason: string;
  /** Null: not reported yet. */
  isInUse: boolean | null;
}

const nameOf = (url: string): string => {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || 5432}`;
};
/** Whether to retry on another server. A slow statement would be as slow there, and an overload would only move. */
const isWorthAnother = (error: unknown): boolean =>
  (error as { unavailable?: unknown }).unavailable === true && !isOverload(error) && !isTimeout(error);

export const openDatabases = (
  options: DatabaseOptions,
  { urls, maxLagMs, maxWithoutPrimaryMs }: ReplicaOptions,
  onEvent: (event: ReplicaEvent) => void,
): Databases => {
  const primary: Server = { name: 'primary', database: openDatabase(options), reads: 0 };
  const lag = openLag();
  let lostAt: number | null = null;
  let requiredAt = never;
  let turn = 0;

  const replicas = urls.map(
    (url): Replica => ({
      name: nameOf(url),
      database: openDatabase({ ...options, url }),
      reads: 0,
      freshAt: never,
      answeredAt: never,
      reason: 'not measured yet',
      isInUse: null,
    }),
  );
  const openedAt = performance.now();

  const isLostForLong = () => lostAt !== null && performance.now() - lostAt > maxWithoutPrimaryMs;
  /** While the primary is unreachable, a replica is compared with the primary's last known position. */
  const lagOf = ({ freshAt }: Replica) => (lostAt === null ? performance.now() : (lag.knownAt() ?? 0)) - freshAt;
  const isUsable = (replica: Replica): boolean =>
    replica.freshAt >= requiredAt &&
    lagOf(replica) <= maxLagMs &&
    performance.now() - replica.answeredAt <= maxLagMs &&
    !isLostForLong();

  const review = () => {
    for (const replica of replicas) {
      const isNow = isUsable(replica);
      const isFirst = replica.isInUse === null && !isNow && performance.now() - openedAt < firstLooksMs;
      if (isNow === replica.isInUse || isFirst) continue;
      replica.isInUse = isNow;
      if (!isNow) replica.database.cut(); // statements that wait for it are retried on another server
      onEvent({ what: 'replica', name: replica.name, isInUse: isNow, reason: isNow ? '' : replica.reason });
    }
  };
  const notePrimary = (look: PrimaryLook) => {
    lag.notePrimary(look);
    if (lostAt === null) return;
    lostAt = null;
    onEvent({ what: 'primary', isReachable: true });
  };
  const losePrimary = (err: unknown) => {
    if (lostAt !== null) return;
    lostAt = lag.knownAt() ?? performance.now();
    onEvent({ what: 'primary', isReachable: false, err });
  };
  const openReplicaProbe = (replica: Replica, url: string) => {
    const judge = lag.openReplica();
    const note = (look: ReplicaLook) => {
      const result = judge(look);
      replica.answeredAt = look.at;
      replica.reason = typeof result === 'string' ? result : 'it is too far behind';
      replica.freshAt = typeof result === 'number' ? result : never;
    };
    return openProbe({
      ...{ url, text: replicaProbe, everyMs: probeMs, silenceMs },
      onAnswer: ([position, timeline, system, isInRecovery], at) =>
        note({
          ...{ at, position: Number(position), timeline: timeline ?? '', system: system ?? '' },
          isInRecovery: isInRecovery === 'true',
        }),
      // A killed replica can come back with an older state than before, so its measurements are discarded.
      onFailure: (error) => {
        replica.freshAt = never;
        replica.answeredAt = never;
        replica.reason = `it does not answer: ${(error as Error).message}`;
      },
    });
  };
  const probes =
    urls.length === 0
      ? []
      : [
          openProbe({
            ...{ url: options.url, text: primaryProbe, everyMs: probeMs, silenceMs },
            onAnswer: ([position, timeline, system], at) =>
              notePrimary({ at, position: Number(position), timeline: timeline ?? '', system: system ?? '' }),
            onFailure: losePrimary,
          }),
          ...replicas.map((replica, index) => openReplicaProbe(replica, urls[index]!)),
        ];
  const reviewing = urls.length === 0 ? undefined : setInterval(review, reviewMs).unref();

  const usable = () => replicas.filter(isUsable);
  /** The first group with an untried server: replicas that answer, the primary, replicas that may answer again. */
  const choose = (tried: ReadonlySet<Server>): Server | undefined => {
    const left = usable();
    const prompt = left.filter(({ database }) => !database.isSilent());
    turn += 1;
    for (const group of [prompt, lostAt === null ? [primary] : [], left, [primary]]) {
      const candidates = group.filter((server) => !tried.has(server));
      if (candidates.length > 0) return candidates[turn % candidates.length];
    }
    return undefined;
  };

  const forPublic: Database['forRequest'] = (timing, who): Db => {
    // All statements of a request go to one server, so that a later one never reads older data than the first.
    let current: Server | undefined;
    const query: Db['query'] = async (kind, statement) => {
      const tried = new Set<Server>();
      let failure: unknown = unavailable('no database server is available');
      for (;;) {
        if (current === undefined || tried.has(current)) current = choose(tried);
        if (current === undefined) throw failure;
        tried.add(current);
        current.reads += 1;
        const { databaseMs } = timing;
        try {
          return await current.database.forRequest(timing, who).query(kind, statement);
        } catch (error) {
          if (!isWorthAnother(error)) throw error;
          failure = error;
          // The time spent on a failed server is not charged to the caller.
          timing.waitingMs += timing.databaseMs - databaseMs;
          timing.databaseMs = databaseMs;
        }
      }
    };
    return { query, now: primary.database.forRequest(timing, who).now };
  };

  const all = [primary, ...replicas];
  return {
    ...primary.database,
    forPublic: replicas.length === 0 ? primary.database.forRequest : forPublic,
    isFullForPublic: () => {
      if (replicas.length === 0) return primary.database.isFull();
      const candidates = usable();
      return (candidates.length === 0 ? [primary] : candidates).every(({ database }) => database.isFull());
    },
    requireNow: () => {
      requiredAt = performance.now();
    },
    primaryLostAt: () => (lostAt === null ? null : Date.now() - (performance.now() - lostAt)),
    isServingAlone: () => lostAt !== null && usable().length > 0,
    replicas: () =>
      replicas.map((replica) => ({
        name: replica.name,
        isInUse: isUsable(replica),
        lagMs: Number.isFinite(replica.freshAt) ? performance.now() - replica.freshAt : null,
      })),
    publicReads: () => new Map(replicas.length === 0 ? [] : all.map(({ name, reads }) => [name, reads])),
    // A read may fail on one server and be repeated on another.
    longestMs: primary.database.longestMs * (replicas.length === 0 ? 1 : 2),
    connections: () => {
      const each = all.map(({ database }) => database.connections());
      const sum = (of: 'total' | 'idle' | 'waiting') => each.reduce((total, counts) => total + counts[of], 0);
      return { total: sum('total'), idle: sum('idle'), waiting: sum('waiting') };
    },
    close: async () => {
      clearInterval(reviewing);
      await Promise.all([...probes.map((end) => end()), ...all.map(({ database }) => database.close())]);
    },
  };
};
