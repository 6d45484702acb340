// Who runs, who waits and who is refused at a pool of connections. First come, first served, but no caller holds more
// than half of the places while limits are on: slow searches of one caller leave the other half to all others.

export interface QueueOptions {
  /** Statements that run at the same time. */
  places: number;
  /** Most statements that may wait. */
  most: number;
  /** A statement that would wait longer, estimated from recent statement times, is refused at once. */
  longestEstimateMs: number;
}
/** A caller whose name is empty is not bounded. */
interface Statement {
  who: string;
  askedAt: number;
}

export interface Queue<S extends Statement> {
  /** Whether the caller holds half of the places. */
  isAtHalf: (who: string) => boolean;
  /** Whether so many statements come first that this one is refused. */
  isHopeless: (who: string) => boolean;
  wait: (statement: S, isUrgent: boolean) => void;
  /** Takes the first waiting statement that may run. */
  next: () => S | undefined;
  /** Takes the statements that were asked for before this time. */
  expired: (askedBefore: number) => S[];
  begin: (who: string) => void;
  /** Gives a place back that was held for this time. */
  end: (who: string, ms: number) => void;
  waiting: () => number;
}

export const openQueue = <S extends Statement>({ places, most, longestEstimateMs }: QueueOptions): Queue<S> => {
  const half = Math.max(1, Math.floor(places / 2));
  const held = new Map<string, number>();
  const waiting: S[] = [];
  /** How long a place was held recently, as a moving average. */
  let usualMs = 0;

  const isAtHalf = (who: string): boolean => who !== '' && (held.get(who) ?? 0) >= half;
  const count = (isCounted: (statement: S) => boolean): number =>
    waiting.reduce((sum, statement) => (isCounted(statement) ? sum + 1 : sum), 0);

  return {
    isAtHalf,
    isHopeless: (who) => {
      if (waiting.length >= most) return true;
      // A single caller may not fill the queue either.
      const own = who === '' ? 0 : count((other) => other.who === who);
      if (own > 0 && own >= Math.ceil(most / 2)) return true;
      if (isAtHalf(who)) return (own * usualMs) / half > longestEstimateMs;
      const first = held.size === 0 ? waiting.length : count((other) => !isAtHalf(other.who));
      return (first * usualMs) / places > longestEstimateMs;
    },
    wait: (statement, isUrgent) => {
      if (isUrgent) waiting.unshift(statement);
      else waiting.push(statement);
    },
    next: () => {
      const index = held.size === 0 ? 0 : waiting.findIndex(({ who }) => !isAtHalf(who));
      return index === -1 ? undefined : waiting.splice(index, 1)[0];
    },
    expired: (askedBefore) => {
      const late = waiting.filter(({ askedAt }) => askedAt <= askedBefore);
      for (const statement of late) waiting.splice(waiting.indexOf(statement), 1);
      return late;
    },
    begin: (who) => {
      if (who !== '') held.set(who, (held.get(who) ?? 0) + 1);
    },
    end: (who, ms) => {
      usualMs += (ms - usualMs) / 20;
      const left = (held.get(who) ?? 1) - 1;
      if (left === 0) held.delete(who);
      else held.set(who, left);
    },
    waiting: () => waiting.length,
  };
};
