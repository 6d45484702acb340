// The drill `deploy` with small numbers.
import { test } from 'node:test';
import { drillDeploy } from '../../../drills/deploy.ts';

test('no request fails in rolling deploys behind HAProxy, with and without a migration', () =>
  drillDeploy({ short: true }));
