// The drill `restore` with small numbers.
import { test } from 'node:test';
import { drillRestore } from '../../../drills/restore.ts';

test('the printed commands restore a backup to an earlier time, and what was removed since is never visible', () =>
  drillRestore({ short: true }));
