// The Prometheus metrics, on a port of their own: the same facts as the log line of each request.

import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { version } from '@commonhall/contract/version';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { FeedFacts } from '../queries/feed.ts';
import { openFeedMetrics } from './feed-metrics.ts';
import { openHistogram } from './histogram.ts';
import type { ReplicaSource } from './replica-metrics.ts';
import { openReplicaMetrics } from './replica-metrics.ts';
import { closeReasons } from './slow-readers.ts';

export interface RequestFacts {
  operation: string;
  status: number;
  code: string;
  ms: number;
  databaseMs: number;
  waitingMs: number;
  bytes: number;
}
export interface Metrics {
  observe: (facts: RequestFacts) => void;
  /** Counts a connection that was closed for a reason. */
  closed: (reason: string) => void;
  server: Server;
}

/** Values that are read when the metrics are scraped. */
export interface Sources {
  /** The result of /readyz. */
  isReady: () => boolean;
  connections: () => { total: number; idle: number; waiting: number };
  droppedLogLines: () => number;
  unsentBytes: () => number;
  /** How far the platform's changes are applied. */
  feed: () => Promise<FeedFacts>;
  replicas: ReplicaSource;
}

/** Gauges of prom-client that are named like counters. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

export const openMetrics = ({
  isReady,
  connections,
  droppedLogLines,
  unsentBytes,
  feed,
  replicas,
}: Sources): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  const own = { registers: [registry] };
  new Gauge({ name: 'commonhall_build_info', help: 'The version of this server', labelNames: ['version'], ...own }).set(
    { version },
    1,
  );
  new Gauge({
    name: 'commonhall_ready',
    help: 'What /readyz says: 1 while this server should be sent requests, otherwise 0',
    ...own,
    collect() {
      this.set(isReady() ? 1 : 0);
    },
  });
  const requests = new Counter({
    name: 'commonhall_requests_total',
    help: 'Answers by operation, status and error code',
    labelNames: ['operation', 'status', 'code'],
    ...own,
  });
  const duration = openHistogram(registry, 'commonhall_request_seconds', 'Time to answer');
  const database = openHistogram(registry, 'commonhall_database_seconds', 'Time spent in the database for one request');
  const waiting = openHistogram(
    registry,
    'commonhall_database_wait_seconds',
    'Time one request waited for a database connection',
  );
  const bytes = new Counter({
    name: 'commonhall_response_bytes_total',
    help: 'Bytes of bodies sent',
    labelNames: ['operation'],
    ...own,
  });
  new Gauge({
    name: 'commonhall_database_connections',
    help: 'Database connections, and requests waiting for one',
    labelNames: ['state'],
    ...own,
    collect() {
      for (const [state, count] of Object.entries(connections())) this.set({ state }, count);
    },
  });
  new Counter({
    name: 'commonhall_log_lines_dropped_total',
    help: 'Log lines that the output did not take',
    ...own,
    collect() {
      this.reset();
      this.inc(droppedLogLines());
    },
  });
  new Gauge({
    name: 'commonhall_unsent_bytes',
    help: 'Bytes of responses that wait for their callers to read',
    ...own,
    collect() {
      this.set(unsentBytes());
    },
  });
  openFeedMetrics(registry, feed);
  openReplicaMetrics(registry, replicas);
  const closedConnections = new Counter({
    name: 'commonhall_connections_closed_total',
    help: 'Connections closed by the server, by reason',
    labelNames: ['reason'],
    ...own,
  });
  // They start at 0, so that a rate counts the first one too.
  for (const reason of closeReasons) closedConnections.inc({ reason }, 0);
  // Cached, because looking up a label costs more than counting.
  const meters = new Map<string, ReturnType<typeof makeMeters>>();
  const makeMeters = (operation: string) => ({
    duration: duration(operation),
    database: database(operation),
    waiting: waiting(operation),
    bytes: bytes.labels(operation),
    answers: new Map<string | number, ReturnType<typeof requests.labels>>(),
  });
  const metersOf = (operation: string) => {
    const known = meters.get(operation);
    if (known !== undefined) return known;
    const made = makeMeters(operation);
    meters.set(operation, made);
    return made;
  };
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  return {
    server,
    closed: (reason) => closedConnections.inc({ reason }),
    observe: (facts) => {
      const { operation, code } = facts;
      const of = metersOf(operation);
      const answer = code === '' ? facts.status : `${facts.status} ${code}`;
      let counter = of.answers.get(answer);
      if (counter === undefined) {
        counter = requests.labels(operation, String(facts.status), code);
        of.answers.set(answer, counter);
      }
      counter.inc();
      of.duration.observe(facts.ms / 1000);
      of.database.observe(facts.databaseMs / 1000);
      of.waiting.observe(facts.waitingMs / 1000);
      of.bytes.inc(facts.bytes);
    },
  };
};
