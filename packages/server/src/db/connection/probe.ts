// Sends one server the same short query again and again, over a separate connection, so that requests never delay it.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { closeClient, cutClient, openClient } from './client.ts';

export interface ProbeOptions {
  url: string;
  text: string;
  everyMs: number;
  /** A server that is silent for this long is considered down. */
  timeoutMs: number;
  /** `at`: when the query was sent, on the clock of performance.now(). */
  onAnswer: (row: readonly (string | null)[], at: number) => void;
  onFailure: (error: unknown) => void;
}

/** Asks at once, and then every `everyMs`; returns a function that stops it. */
export const openProbe = ({ url, text, everyMs, timeoutMs, onAnswer, onFailure }: ProbeOptions) => {
  const stop = new AbortController();
  const bounds = { connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs };
  let client: pg.Client | null = null;
  const fail = (error: unknown) => {
    if (client !== null) cutClient(client);
    client = null;
    if (!stop.signal.aborted) onFailure(error);
  };
  const ask = async () => {
    try {
      client ??= await openClient(url, 'commonhall probe', bounds, fail);
      const at = performance.now();
      const { rows } = await client.query<(string | null)[]>({ text, rowMode: 'array' });
      if (!stop.signal.aborted) onAnswer(rows[0] ?? [], at);
    } catch (error) {
      fail(error);
    }
  };
  const run = async () => {
    while (!stop.signal.aborted) {
      const began = performance.now();
      await ask();
      const restMs = Math.max(0, everyMs - (performance.now() - began));
      await sleep(restMs, undefined, { ref: false, signal: stop.signal }).catch(() => {});
    }
    if (client !== null) await closeClient(client);
  };
  const running = run();
  return async () => {
    stop.abort();
    await running;
  };
};
