// Who gets one of a few connections next: in the order of asking, but nobody holds more than half of them while limits
// are on. A slow search by one caller then leaves the other half to everybody else.
import { overloaded, unavailable } from './failures.ts';

export interface PlaceOptions {
  connections: number;
  /** Longest wait for a place, and most who may wait. */
  waitMs: number;
  queue: number;
}
interface Waiter {
  who: string;
  go: () => void;
}

export interface Places {
  /** Resolves with the function that gives the place back; rejects when there is none in time, or will not be. */
  take: (who: string) => Promise<() => void>;
  waiting: () => number;
}

/** A caller without a name is nobody in particular, and not bounded. */
export const openPlaces = ({ connections, waitMs, queue }: PlaceOptions): Places => {
  const half = Math.max(1, Math.floor(connections / 2));
  const held = new Map<string, number>();
  const waiting = new Set<Waiter>();
  let free = connections;
  /** How long a place is held, of late. */
  let usualMs = 0;

  const isAtHalf = (who: string): boolean => who !== '' && (held.get(who) ?? 0) >= half;
  const leaverOf = (who: string): (() => void) => {
    const began = performance.now();
    free -= 1;
    held.set(who, (held.get(who) ?? 0) + 1);
    return () => {
      usualMs += (performance.now() - began - usualMs) / 20;
      free += 1;
      const left = (held.get(who) ?? 1) - 1;
      if (left === 0) held.delete(who);
      else held.set(who, left);
      for (const waiter of waiting)
        if (!isAtHalf(waiter.who)) {
          waiting.delete(waiter);
          waiter.go();
          return;
        }
    };
  };

  /** Whether so many come first that waiting is in vain: the caller hears it at once. */
  const isHopeless = (who: string): boolean => {
    const isFirst = isAtHalf(who) ? (other: Waiter) => other.who === who : (other: Waiter) => !isAtHalf(other.who);
    let first = 0;
    let own = 0;
    for (const waiter of waiting) {
      if (isFirst(waiter)) first += 1;
      if (waiter.who === who) own += 1;
    }
    // Nor does one fill the queue alone.
    if (who !== '' && own >= Math.ceil(queue / 2)) return true;
    return waiting.size >= queue || (first * usualMs) / (isAtHalf(who) ? half : connections) > waitMs;
  };

  return {
    take: (who) => {
      if (free > 0 && !isAtHalf(who)) return Promise.resolve(leaverOf(who));
      if (isHopeless(who)) return Promise.reject(overloaded);
      return new Promise((resolve, reject) => {
        const waiter: Waiter = {
          who,
          go: () => {
            clearTimeout(timer);
            resolve(leaverOf(who));
          },
        };
        const timer = setTimeout(() => {
          waiting.delete(waiter);
          reject(unavailable('no free database connection in time'));
        }, waitMs);
        waiting.add(waiter);
      });
    },
    waiting: () => waiting.size,
  };
};
