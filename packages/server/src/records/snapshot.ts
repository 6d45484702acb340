// A snapshot of the platform's database, as pg_current_snapshot() prints it: which transactions a load contains.

export interface Snapshot {
  contains: (xid: bigint) => boolean;
  /** Whether a transaction began after the snapshot was taken. */
  isBefore: (xid: bigint) => boolean;
}

/** Reads `xmin:xmax:xip,xip`, with the transactions in progress in ascending order; null when it is anything else. */
export const parseSnapshot = (text: unknown): Snapshot | null => {
  const [, low = '', high = '', list = ''] =
    /^(\d{1,20}):(\d{1,20}):((?:\d{1,20}(?:,\d{1,20})*)?)$/.exec(typeof text === 'string' ? text : '') ?? [];
  if (low === '') return null;
  const [xmin, xmax] = [BigInt(low), BigInt(high)];
  const inProgress = list === '' ? [] : list.split(',').map(BigInt);
  const isOrdered = inProgress.every((xid, index) => xid >= (inProgress[index - 1] ?? xmin) && xid < xmax);
  if (xmin === 0n || xmin > xmax || !isOrdered) return null;
  const running = new Set(inProgress);
  return {
    contains: (xid) => xid < xmin || (xid < xmax && !running.has(xid)),
    isBefore: (xid) => xid >= xmax,
  };
};
