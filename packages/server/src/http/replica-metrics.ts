// Metrics of the replicas and the primary, as this server sees them. Absent without replicas.
import type { Registry } from 'prom-client';
import { Counter, Gauge } from 'prom-client';
import type { Databases } from '../db/connection/replicas.ts';

export type ReplicaSource = Pick<Databases, 'replicas' | 'publicReads' | 'primaryLostAt'>;

export const openReplicaMetrics = (registry: Registry, database: ReplicaSource): void => {
  if (database.replicas().length === 0) return;
  const registers = [registry];
  new Gauge({
    name: 'commonhall_replica_in_use',
    help: 'Whether public reads are made on the replica',
    labelNames: ['replica'],
    registers,
    collect() {
      for (const { name, isInUse } of database.replicas()) this.set({ replica: name }, isInUse ? 1 : 0);
    },
  });
  new Gauge({
    name: 'commonhall_replica_lag_seconds',
    help: 'The replica has everything that was committed up to this many seconds ago; absent while that is not known',
    labelNames: ['replica'],
    registers,
    collect() {
      this.reset();
      for (const { name, lagMs } of database.replicas()) if (lagMs !== null) this.set({ replica: name }, lagMs / 1000);
    },
  });
  new Counter({
    name: 'commonhall_public_reads_total',
    help: 'Public reads by the database that they were made on',
    labelNames: ['database'],
    registers,
    collect() {
      this.reset();
      for (const [name, reads] of database.publicReads()) this.inc({ database: name }, reads);
    },
  });
  new Gauge({
    name: 'commonhall_primary_unreachable_seconds',
    help: 'How long the primary has been unreachable; 0 while it answers',
    registers,
    collect() {
      const lostAt = database.primaryLostAt();
      this.set(lostAt === null ? 0 : (Date.now() - lostAt) / 1000);
    },
  });
};
