// A snapshot of the platform's database, as pg_current_snapshot() prints it: which transactions a load contains.

export interface Snapshot {
  contains: (xid: bigint) => boolean;
  /** Whether a transaction began after the snapshot was taken. */
  isBefore: (xid: bigint) => boolean;
}

/** Reads `xmin:xmax:xip,xip`. Null when it is not of that form. */
export const parseSnapshot = (text: string): Snapshot | null => {
  const [, low, high, running] = /^(\d{1,20}):(\d{1,20}):((?:\d{1,20}(?:,\d{1,20})*)?)$/.exec(text) ?? [];
  if (low === undefined || high === undefined) return null;
  const [xmin, xmax] = [BigInt(low), BigInt(high)];
  const inProgress = new Set((running ?? '').split(',').filter((xid) => xid !== ''));
  return {
    contains: (xid) => xid < xmin || (xid < xmax && !inProgress.has(String(xid))),
    isBefore: (xid) => xid >= xmax,
  };
};
