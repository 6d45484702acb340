// Slots for a few connections: first come, first served, but no caller holds more than half of them while
// limits are on. A slow search by one caller then leaves the other half to all other callers.
import { overloaded, unavailable } from './failures.ts';

export interface SlotOptions {
  connections: number;
  /** Longest wait for a slot, and the most requests that may wait. */
  waitMs: number;
  queue: number;
}
interface Waiter {
  who: string;
  go: () => void;
}

export interface Slots {
  /** Resolves with a function that gives the slot back; rejects when no slot is free in time, or will be. */
  take: (who: string) => Promise<() => void>;
  waiting: () => number;
}

/** A caller whose name is empty is not bounded. */
export const openSlots = ({ connections, waitMs, queue }: SlotOptions): Slots => {
  const half = Math.max(1, Math.floor(connections / 2));
  const held = new Map<string, number>();
  const waiting = new Set<Waiter>();
  let free = connections;
  /** How long a slot was held recently, as a moving average. */
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

  /** Whether so many requests come first that this one would time out: it is rejected at once. */
  const isHopeless = (who: string): boolean => {
    const isFirst = isAtHalf(who) ? (other: Waiter) => other.who === who : (other: Waiter) => !isAtHalf(other.who);
    let first = 0;
    let own = 0;
    for (const waiter of waiting) {
      if (isFirst(waiter)) first += 1;
      if (waiter.who === who) own += 1;
    }
    // A single caller may not fill the queue either.
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
