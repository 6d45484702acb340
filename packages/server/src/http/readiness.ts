// Whether this server should be sent requests: checked once a second, cached, and reported when it changes.
import { setTimeout as sleep } from 'node:timers/promises';

export interface Readiness {
  /** A reason not to be sent requests, or null. */
  problem: () => string | null;
  /** Resolves after the first check. */
  first: Promise<void>;
  close: () => void;
}

const everyMs = 1000;

/** Checks at once, and then every second; `check` is given the previous result. */
export const watchReadiness = (
  check: (before: string | null) => Promise<string | null>,
  onChange: (problem: string | null, error?: unknown) => void,
): Readiness => {
  let last: string | null = 'The database has not been checked yet';
  const stop = new AbortController();
  const note = (problem: string | null, error?: unknown) => {
    if (problem !== last) onChange(problem, error);
    last = problem;
  };
  const checkOnce = () => check(last).then(note, (error: unknown) => note('The database does not answer', error));
  const first = checkOnce();
  const run = async () => {
    await first;
    while (!stop.signal.aborted) {
      await sleep(everyMs, undefined, { ref: false, signal: stop.signal }).catch(() => {});
      if (!stop.signal.aborted) await checkOnce();
    }
  };
  void run();
  return { problem: () => last, first, close: () => stop.abort() };
};
