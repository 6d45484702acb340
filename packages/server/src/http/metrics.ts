// The Prometheus metrics, on a port of their own: the same facts as the log line of each request.

import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { version } from '@commonhall/contract/version';
import { Counter, collectDefaultMetrics, Registry } from 'prom-client';
import type { Gate } from '../gates.ts';
import { gates } from '../gates.ts';
import type { FeedFacts } from '../queries/feed.ts';
import { openFeedMetrics } from './feed-metrics.ts';
import { openHistogram } from './histogram.ts';
import type { Reading } from './read-metric.ts';
import { readMetric } from './read-metric.ts';
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
  /** Counts a request that a gate refused. */
  refused: (gate: Gate) => void;
  /** Where the unsent bytes are read when the metrics are scraped. */
  readUnsentBytes: (read: () => number) => void;
  server: Server;
}

/** Values that are read when the metrics are scraped. */
export interface Sources {
  /** The result of /readyz. */
  isReady: () => boolean;
  connections: () => { total: number; idle: number; waiting: number };
  droppedLogLines: () => number;
  /** How far the platform's changes are applied. */
  feed: () => Promise<FeedFacts>;
  replicas: ReplicaSource;
}

/** Gauges of prom-client that are named like counters. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** What is measured for each request: counts and histograms by operation. */
const openRequestMetrics = (registry: Registry): Metrics['observe'] => {
  const registers = [registry];
  const requests = new Counter({
    name: 'commonhall_requests_total',
    help: 'Answers by operation, status and error code',
    labelNames: ['operation', 'status', 'code'],
    registers,
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
    registers,
  });
  const metersOf = (operation: string) => ({
    duration: duration(operation),
    database: database(operation),
    waiting: waiting(operation),
    bytes: bytes.labels(operation),
    answers: new Map<string | number, ReturnType<typeof requests.labels>>(),
  });
  // Looking up a label costs more than counting, so the result is stored.
  const known = new Map<string, ReturnType<typeof metersOf>>();
  return ({ operation, status, code, ms, databaseMs, waitingMs, bytes: sent }) => {
    const meters = known.get(operation) ?? metersOf(operation);
    known.set(operation, meters);
    const answer = code === '' ? status : `${status} ${code}`;
    let counter = meters.answers.get(answer);
    if (counter === undefined) {
      counter = requests.labels(operation, String(status), code);
      meters.answers.set(answer, counter);
    }
    counter.inc();
    meters.duration.observe(ms / 1000);
    meters.database.observe(databaseMs / 1000);
    meters.waiting.observe(waitingMs / 1000);
    meters.bytes.inc(sent);
  };
};

/** A counter by one label. All its values start at 0, so that a rate counts the first one too. */
const openCounter = (registry: Registry, name: string, help: string, label: string, values: readonly string[]) => {
  const counter = new Counter({ name, help, labelNames: [label], registers: [registry] });
  for (const value of values) counter.inc({ [label]: value }, 0);
  return (value: string) => counter.inc({ [label]: value });
};

const serve = (registry: Registry): Server =>
  createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });

export const openMetrics = ({ isReady, connections, droppedLogLines, feed, replicas }: Sources): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  let unsentBytes = () => 0;
  const read = (name: string, help: string, value: () => Reading, label?: string) =>
    readMetric(registry, `commonhall_${name}`, help, value, label);
  read('build_info', 'The version of this server', () => new Map([[version, 1]]), 'version');
  read('ready', 'What /readyz says: 1 while this server should be sent requests, otherwise 0', () => Number(isReady()));
  read(
    'database_connections',
    'Database connections, and requests waiting for one',
    () => new Map(Object.entries(connections())),
    'state',
  );
  read('log_lines_dropped_total', 'Log lines that the output did not take', droppedLogLines);
  read('unsent_bytes', 'Bytes of responses that wait for their callers to read', () => unsentBytes());
  openFeedMetrics(registry, feed);
  openReplicaMetrics(registry, replicas);
  return {
    server: serve(registry),
    closed: openCounter(
      registry,
      'commonhall_connections_closed_total',
      'Connections closed by the server, by reason',
      'reason',
      closeReasons,
    ),
    refused: openCounter(
      registry,
      'commonhall_refused_total',
      'Requests refused with 429 or 503, by the gate that refused them',
      'gate',
      Object.keys(gates),
    ),
    readUnsentBytes: (value) => {
      unsentBytes = value;
    },
    observe: openRequestMetrics(registry),
  };
};
