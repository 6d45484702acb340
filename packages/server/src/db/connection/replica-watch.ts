// Which replicas may serve public reads: asks the primary and each replica for their positions, measures the lag, and
// reports changes. Lag is measured, never assumed.
import type { PrimaryAnswer, ReplicaAnswer } from './lag.ts';
import { openLag } from './lag.ts';
import { openProbe } from './probe.ts';

export interface ReplicaOptions {
  urls: readonly string[];
  maxLagMs: number;
  maxWithoutPrimaryMs: number;
}
export type ReplicaEvent =
  | { what: 'replica'; name: string; isInUse: boolean; reason: string }
  | { what: 'primary'; isReachable: boolean; err?: unknown };

export interface ReplicaWatch {
  /** By the order of the URLs. */
  isUsable: (index: number) => boolean;
  /** An upper bound of its lag: how long ago it certainly had everything; null: never measured. */
  lagMs: (index: number) => number | null;
  /** Replicas are usable only once they have everything up to this call. */
  requireNow: () => void;
  /** Since when the primary has been unreachable, by performance.now(); null: it answers. */
  primaryLostAt: () => number | null;
  close: () => Promise<void>;
}

const probeMs = 300;
/** How soon a replica that has fallen silent is noticed; its statements are then retried on another server. */
const reviewMs = 100;
const timeoutMs = 1000;
/** At the start a replica is not reported as unusable before the first probes have had time to answer. */
const firstAnswersMs = 2000;
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

interface Replica {
  url: string;
  /** It has everything that was committed before this time. */
  freshAt: number;
  answeredAt: number;
  /** Why it is not used. */
  reason: string;
  /** Null: not reported yet. */
  isInUse: boolean | null;
}

export const nameOf = (url: string): string => {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || 5432}`;
};

/** Asks a replica again and again, and notes in it what follows. */
const probeReplica = (replica: Replica, judge: (answer: ReplicaAnswer) => number | string | null) =>
  openProbe({
    ...{ url: replica.url, text: replicaProbe, everyMs: probeMs, timeoutMs },
    onAnswer: ([position, timeline, system, isInRecovery], at) => {
      const result = judge({
        ...{ at, position: Number(position), timeline: timeline ?? '', system: system ?? '' },
        isInRecovery: isInRecovery === 'true',
      });
      replica.answeredAt = at;
      replica.reason = typeof result === 'string' ? result : 'it is too far behind';
      replica.freshAt = typeof result === 'number' ? result : never;
    },
    // A killed replica can come back with an older state than before, so its measurements are discarded.
    onFailure: (error) => {
      replica.freshAt = never;
      replica.answeredAt = never;
      replica.reason = `it does not answer: ${(error as Error).message}`;
    },
  });

/** `onUnusable`: statements on this replica should be retried on another server. */
export const watchReplicas = (
  primaryUrl: string,
  { urls, maxLagMs, maxWithoutPrimaryMs }: ReplicaOptions,
  onUnusable: (index: number) => void,
  onEvent: (event: ReplicaEvent) => void,
): ReplicaWatch => {
  const replicas = urls.map(
    (url): Replica => ({ url, freshAt: never, answeredAt: never, reason: 'not measured yet', isInUse: null }),
  );
  const lag = openLag();
  const openedAt = performance.now();
  let lostAt: number | null = null;
  let requiredAt = never;

  const isUsable = ({ freshAt, answeredAt }: Replica): boolean => {
    const now = performance.now();
    // While the primary is unreachable, a replica is compared with the primary's last known position.
    const lagMs = (lostAt === null ? now : (lag.knownAt() ?? 0)) - freshAt;
    const isLostForLong = lostAt !== null && now - lostAt > maxWithoutPrimaryMs;
    return freshAt >= requiredAt && lagMs <= maxLagMs && now - answeredAt <= maxLagMs && !isLostForLong;
  };
  const review = () => {
    for (const [index, replica] of replicas.entries()) {
      const isNow = isUsable(replica);
      const isFirst = replica.isInUse === null && !isNow && performance.now() - openedAt < firstAnswersMs;
      if (isNow === replica.isInUse || isFirst) continue;
      replica.isInUse = isNow;
      if (!isNow) onUnusable(index);
      const reason = isNow ? '' : replica.reason;
      onEvent({ what: 'replica', name: nameOf(replica.url), isInUse: isNow, reason });
    }
  };
  const notePrimary = (answer: PrimaryAnswer) => {
    lag.notePrimary(answer);
    if (lostAt === null) return;
    lostAt = null;
    onEvent({ what: 'primary', isReachable: true });
  };
  const losePrimary = (err: unknown) => {
    if (lostAt !== null) return;
    lostAt = lag.knownAt() ?? performance.now();
    onEvent({ what: 'primary', isReachable: false, err });
  };

  const probes = [
    openProbe({
      ...{ url: primaryUrl, text: primaryProbe, everyMs: probeMs, timeoutMs },
      onAnswer: ([position, timeline, system], at) =>
        notePrimary({ at, position: Number(position), timeline: timeline ?? '', system: system ?? '' }),
      onFailure: losePrimary,
    }),
    ...replicas.map((replica) => probeReplica(replica, lag.openReplica())),
  ];
  const reviewing = setInterval(review, reviewMs).unref();
  return {
    isUsable: (index) => isUsable(replicas[index]!),
    lagMs: (index) => {
      const { freshAt } = replicas[index]!;
      return Number.isFinite(freshAt) ? performance.now() - freshAt : null;
    },
    requireNow: () => {
      requiredAt = performance.now();
    },
    primaryLostAt: () => lostAt,
    close: async () => {
      clearInterval(reviewing);
      await Promise.all(probes.map((end) => end()));
    },
  };
};
