// The drill `pooler` with small numbers.
import { test } from 'node:test';
import { drillPooler } from '../../../drills/pooler.ts';

test('over PgBouncer in transaction mode no request fails or gets wrong content while servers are restarted', () =>
  drillPooler({ short: true }));
