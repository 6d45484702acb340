// The drill `image` with small numbers.
import { test } from 'node:test';
import { drillImage } from '../../../drills/image.ts';

test('the image runs read-only and without capabilities, and stops in time', () => drillImage());
