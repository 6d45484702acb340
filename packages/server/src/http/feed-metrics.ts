// Metrics of the platform's changes. Every server reads them from the database, so that a stopped follower shows too.
import type { Registry } from 'prom-client';
import type { FeedFacts } from '../queries/feed.ts';
import { readMetric } from './read-metric.ts';

const feedMetrics: Record<string, { help: string; of: (facts: FeedFacts) => number | null }> = {
  commonhall_feed_sequence: { help: 'How far the stream, or the outbox, was applied', of: ({ sequence }) => sequence },
  commonhall_feed_changes_applied_total: {
    help: 'Changes applied since the database was made',
    of: ({ applied }) => applied,
  },
  commonhall_feed_changes_set_aside_total: {
    help: 'Changes that could not be applied on arrival, since the database was made',
    of: ({ setAside }) => setAside,
  },
  commonhall_feed_changes_undone_total: {
    help: 'Applied changes that the platform has lost since, in a failover; only a fresh load makes up for them',
    of: ({ undone }) => undone,
  },
  commonhall_feed_changes_waiting: {
    help: 'Stored changes that wait for another change',
    of: ({ waiting }) => waiting,
  },
  commonhall_feed_changes_rejected: {
    help: 'Stored changes that only a later change of the same row can replace; see: commonhall rejected',
    of: ({ rejected }) => rejected,
  },
  commonhall_feed_lag_seconds: {
    help: 'Time since the newest mark of the platform that was applied; absent without one',
    of: ({ lagSeconds }) => lagSeconds,
  },
};

/** The metrics are absent while the database does not answer: an old number would suggest that all is well. */
export const openFeedMetrics = (registry: Registry, read: () => Promise<FeedFacts>): void => {
  let latest: Promise<FeedFacts | null> | undefined;
  const shared = () => {
    latest ??= read()
      .catch(() => null)
      .finally(() => {
        latest = undefined;
      });
    return latest;
  };
  for (const [name, { help, of }] of Object.entries(feedMetrics))
    readMetric(registry, name, help, async () => {
      const facts = await shared();
      return facts === null ? null : of(facts);
    });
};
