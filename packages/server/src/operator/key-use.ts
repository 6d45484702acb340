// Records the day on which an API key was last used: collected in memory and written in batches, over a separate
// connection whose role can write only that column. No request waits for it.
import { withWriter } from '../db/connection/client.ts';

export interface KeyUse {
  note: (keyId: string) => void;
  /** Writes what is still pending. */
  close: () => Promise<void>;
}

const hourMs = 3_600_000;
// With a silent database the write fails after this time and is tried again later.
const timeoutMs = 5000;

export const openKeyUse = (url: string, flushMs: number, onProblem: (error: unknown) => void): KeyUse => {
  if (url === '') return { note: () => {}, close: async () => {} };
  const writtenAt = new Map<string, number>();
  const waiting = new Set<string>();

  const flush = async () => {
    const ids = [...waiting];
    if (ids.length === 0) return;
    waiting.clear();
    try {
      await withWriter(
        url,
        (client) =>
          client.query(`update api_keys set last_used_on = (now() at time zone 'UTC')::date where id = any ($1)`, [
            ids,
          ]),
        { connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs },
        'KEYS_DATABASE_URL',
      );
    } catch (error) {
      for (const id of ids) writtenAt.delete(id); // the next use tries again
      onProblem(error);
    }
  };
  let flushing = Promise.resolve();
  const timer = setInterval(() => {
    flushing = flushing.then(flush);
  }, flushMs).unref();

  return {
    note: (keyId) => {
      const now = Date.now();
      if (now - (writtenAt.get(keyId) ?? 0) < hourMs) return;
      writtenAt.set(keyId, now);
      waiting.add(keyId);
    },
    close: async () => {
      clearInterval(timer);
      await flushing.then(flush);
    },
  };
};
