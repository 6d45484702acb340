// Metrics of the replicas and the primary, as this server sees them. Absent without replicas.
import type { Registry } from 'prom-client';
import type { Databases } from '../db/connection/replicas.ts';
import type { Reading } from './read-metric.ts';
import { readMetric } from './read-metric.ts';

export type ReplicaSource = Pick<Databases, 'replicas' | 'publicReads' | 'primaryLostAt'>;

export const openReplicaMetrics = (registry: Registry, database: ReplicaSource): void => {
  if (database.replicas().length === 0) return;
  const read = (name: string, help: string, value: () => Reading, label?: string) =>
    readMetric(registry, `commonhall_${name}`, help, value, label);
  read(
    'replica_in_use',
    'Whether public reads are made on the replica',
    () => new Map(database.replicas().map(({ name, isInUse }) => [name, Number(isInUse)])),
    'replica',
  );
  read(
    'replica_lag_seconds',
    'The replica has everything that was committed up to this many seconds ago; absent while that is not known',
    () =>
      new Map(
        database.replicas().flatMap(({ name, lagMs }) => (lagMs === null ? [] : [[name, lagMs / 1000] as const])),
      ),
    'replica',
  );
  read('public_reads_total', 'Public reads by the database that they were made on', database.publicReads, 'database');
  read('primary_unreachable_seconds', 'How long the primary has been unreachable; 0 while it answers', () => {
    const lostAt = database.primaryLostAt();
    return lostAt === null ? 0 : (Date.now() - lostAt) / 1000;
  });
};
