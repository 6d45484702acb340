// The primary and its replicas as one database. Public reads go to replicas whose lag is known to be within the limit;
// everything else goes to the primary.
import { Overloaded, Unavailable } from '../../gates.ts';
import type { Database, DatabaseOptions, Db } from './database.ts';
import { openDatabase, sumOf } from './database.ts';
import { longestOutageMs, openOutage } from './outage.ts';
import type { ReplicaEvent, ReplicaOptions } from './replica-watch.ts';
import { nameOf, watchReplicas } from './replica-watch.ts';

export interface Databases extends Database {
  /** For public data: replicas, or the primary when no replica is usable. */
  forPublic: Database['forRequest'];
  isFullForPublic: () => boolean;
  /** Replicas are used only once they have everything up to this call: the schema that this server needs. */
  requireNow: () => void;
  /** Since when the primary has been unreachable, as Date.now(); null: it answers, or there are no replicas. */
  primaryLostAt: () => number | null;
  /** Whether replicas serve public reads although the primary is unreachable. */
  isServingAlone: () => boolean;
  replicas: () => { name: string; isInUse: boolean; lagMs: number | null }[];
  /** Public reads by server; empty without replicas. */
  publicReads: () => ReadonlyMap<string, number>;
}

interface Server {
  name: string;
  database: Database;
  reads: number;
}

/** Whether to retry on another server. A slow statement would be as slow there, and an overload would only move. */
const isWorthAnother = (error: unknown): boolean =>
  error instanceof Unavailable && !(error instanceof Overloaded) && error.gate !== 'statement timeout';

/** The first group with an untried server: replicas that answer, the primary, replicas that may answer again. */
const choose = (
  usable: readonly Server[],
  primary: Server,
  isPrimaryLost: boolean,
  tried: ReadonlySet<Server>,
  turn: number,
): Server | undefined => {
  const prompt = usable.filter(({ database }) => !database.isSilent());
  for (const group of [prompt, isPrimaryLost ? [] : [primary], usable, [primary]]) {
    const candidates = group.filter((server) => !tried.has(server));
    if (candidates.length > 0) return candidates[turn % candidates.length];
  }
  return undefined;
};

/** A primary without replicas. */
const alone = (database: Database, options: DatabaseOptions): Databases => {
  const forRequest = openOutage(options)(database.forRequest);
  return {
    ...database,
    forRequest,
    forPublic: forRequest,
    isFullForPublic: database.isFull,
    requireNow: () => {},
    primaryLostAt: () => null,
    isServingAlone: () => false,
    replicas: () => [],
    publicReads: () => new Map(),
    longestMs: longestOutageMs(options.waitMs) + database.longestMs,
  };
};

const withReplicas = (
  database: Database,
  options: DatabaseOptions,
  replicaOptions: ReplicaOptions,
  onEvent: (event: ReplicaEvent) => void,
): Databases => {
  const primary: Server = { name: 'primary', database, reads: 0 };
  const replicas = replicaOptions.urls.map(
    (url): Server => ({ name: nameOf(url), database: openDatabase({ ...options, url }), reads: 0 }),
  );
  const all = [primary, ...replicas];
  const watch = watchReplicas(options.url, replicaOptions, (index) => replicas[index]!.database.disconnect(), onEvent);
  const usable = () => replicas.filter((_, index) => watch.isUsable(index));
  const isPrimaryLost = () => watch.primaryLostAt() !== null;
  let turn = 0;

  const forPublic: Database['forRequest'] = (timing, who): Db => {
    // All statements of a request go to one server, so that a later one never reads older data than the first.
    let current: Server | undefined;
    const query: Db['query'] = async (kind, statement) => {
      const tried = new Set<Server>();
      let failure: unknown = new Unavailable('connection', 'no database server is available');
      for (;;) {
        if (current === undefined || tried.has(current))
          current = choose(usable(), primary, isPrimaryLost(), tried, ++turn);
        if (current === undefined) throw failure;
        tried.add(current);
        current.reads += 1;
        const { databaseMs } = timing;
        try {
          return await current.database.forRequest(timing, who).query(kind, statement);
        } catch (error) {
          if (!isWorthAnother(error)) throw error;
          failure = error;
          // The time spent on a failed server is not charged to the caller.
          timing.waitingMs += timing.databaseMs - databaseMs;
          timing.databaseMs = databaseMs;
        }
      }
    };
    return { query };
  };

  return {
    ...database,
    forRequest: openOutage(options)(database.forRequest),
    forPublic: openOutage(options)(forPublic),
    isFullForPublic: () => {
      const candidates = usable();
      return (candidates.length === 0 ? [primary] : candidates).every((server) => server.database.isFull());
    },
    requireNow: watch.requireNow,
    primaryLostAt: () => {
      const lostAt = watch.primaryLostAt();
      return lostAt === null ? null : Date.now() - (performance.now() - lostAt);
    },
    isServingAlone: () => isPrimaryLost() && usable().length > 0,
    replicas: () =>
      replicas.map(({ name }, index) => ({ name, isInUse: watch.isUsable(index), lagMs: watch.lagMs(index) })),
    publicReads: () => new Map(all.map(({ name, reads }) => [name, reads])),
    longestMs: longestOutageMs(options.waitMs) + database.longestMs * 2, // a read may fail on one server and be repeated on another
    connections: () => sumOf(all.map((server) => server.database.connections())),
    close: async () => {
      await Promise.all([watch.close(), ...all.map((server) => server.database.close())]);
    },
  };
};

export const openDatabases = (
  options: DatabaseOptions,
  replicaOptions: ReplicaOptions,
  onEvent: (event: ReplicaEvent) => void,
): Databases => {
  const primary = openDatabase(options);
  return replicaOptions.urls.length === 0
    ? alone(primary, options)
    : withReplicas(primary, options, replicaOptions, onEvent);
};
