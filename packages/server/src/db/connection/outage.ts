// While no database server can be reached, reads wait for one instead of failing: a failover of replicas or a planned
// switchover takes a second or two. Only reads come here, each a transaction of its own, so a read whose connection was
// lost may be repeated. As many may wait as for a connection (DATABASE_QUEUE); a further one is refused at once. Private
// reads, which only the primary answers, and public ones have a limit each.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, DatabaseOptions, Db } from './database.ts';
import { overloaded } from './failures.ts';
import { isServerGone } from './recovery.ts';

const pauseMs = 50;
/** A caller should soon learn of a longer outage, and proxies in front wait for ten seconds at most. */
const mostMs = 2000;

/** A read begins its last attempt within this time. */
export const longestOutageMs = (waitMs: number): number => Math.min(mostMs, 2 * waitMs);

type Requests = Database['forRequest'];

/** Returns a function that makes reads wait. */
export const openOutage = ({ waitMs, queue }: Pick<DatabaseOptions, 'waitMs' | 'queue'>) => {
  const longestMs = longestOutageMs(waitMs);
  let waiting = 0;
  return (forRequest: Requests): Requests =>
    (timing, who): Db => {
      const db = forRequest(timing, who);
      const repeat = async (failure: unknown, read: () => ReturnType<Db['query']>, askedAt: number) => {
        if (!isServerGone(failure) || queue === 0) throw failure;
        if (waiting >= queue) throw overloaded;
        waiting += 1;
        try {
          for (let error = failure; ; ) {
            if (!isServerGone(error) || performance.now() - askedAt >= longestMs) throw error;
            await sleep(pauseMs);
            timing.waitingMs += pauseMs;
            try {
              return await read();
            } catch (next) {
              error = next;
            }
          }
        } finally {
          waiting -= 1;
        }
      };
      return {
        query: (kind, statement) => {
          const askedAt = performance.now();
          const read = () => db.query(kind, statement);
          return read().catch((error: unknown) => repeat(error, read, askedAt));
        },
      };
    };
};
