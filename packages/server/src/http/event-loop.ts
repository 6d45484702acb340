// How late the event loop is. It never reads /proc: a process without free file descriptors could not, and must go on.
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How often the histogram takes a sample: the least that it measures when the loop is on time. */
const resolutionMs = 10;
/** The mean of this time is what counts, so that a single pause is not overload. */
const everyMs = 500;

export interface EventLoop {
  isLate: () => boolean;
  stop: () => void;
}

/** `maxDelayMs`: 0 means that it is never late. */
export const watchEventLoop = (maxDelayMs: number): EventLoop => {
  if (maxDelayMs === 0) return { isLate: () => false, stop: () => {} };
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let [delayMs, lookedAt] = [0, performance.now()];
  const timer = setInterval(() => {
    const now = performance.now();
    // Without a sample the loop has stood still all the time.
    delayMs = histogram.count === 0 ? now - lookedAt : histogram.mean / 1e6 - resolutionMs;
    lookedAt = now;
    histogram.reset();
  }, everyMs).unref();
  return {
    isLate: () => delayMs > maxDelayMs,
    stop: () => {
      clearInterval(timer);
      histogram.disable();
    },
  };
};
