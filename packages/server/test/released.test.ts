// What release/locks promises is kept: the API, settings, commands, metrics, error codes and headers. A change of each kind
// is found, and the message says what to do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiDocument } from '@commonhall/contract/openapi';
import type { Surface } from '../../../release/surface.ts';
import { presentSurface, readLock, surfaceBreaks } from '../../../release/surface.ts';
import { breaksOf } from '../../contract/test/helpers/breaks.ts';

const present = presentSurface();
const locked = readLock<Surface>('surface');
const majorOf = ({ version }: { version: string }): string => version.split('.')[0]!;
const wayOut = 'keep it, or raise the major version and run npm run release -- --lock';

test('nothing that release/locks promises is gone or means something else within its major version', () => {
  assert.equal(majorOf(locked), majorOf(present), 'after raising the major version: npm run release -- --lock');
  const document = openApiDocument('http://127.0.0.1:8080');
  const breaks = breaksOf(readLock('openapi'), document as never).map(
    (line) => `${line}, which breaks callers of ${locked.version}: ${wayOut}`,
  );
  assert.deepEqual([...surfaceBreaks(locked, present), ...breaks], []);
});

test('a change of each kind is found, and what is only added is not', () => {
  const changes: [change: (kinds: Surface['kinds']) => unknown, said: RegExp][] = [
    [({ setting }) => delete setting!.PORT, /^setting PORT is gone, which breaks operators/],
    [({ setting }) => Object.assign(setting!, { MAX_AGE_SECONDS: '2' }), /^setting MAX_AGE_SECONDS was "1" and is "2"/],
    [({ command }) => delete command!['journal replay'], /^command journal replay is gone/],
    [({ command }) => Object.assign(command!, { import: '<folder>' }), /^command import was "<folder\|file\|->, /],
    [({ metric }) => delete metric!.commonhall_feed_lag_seconds, /^metric commonhall_feed_lag_seconds is gone/],
    [
      (kinds) => Object.assign(kinds['error code']!, { FORBIDDEN: '404' }),
      /^error code FORBIDDEN was "403" and is "404", which breaks callers/,
    ],
    [({ header }) => delete header!['x-request-id'], /^header x-request-id is gone, which breaks callers/],
  ];
  for (const [change, said] of changes) {
    const made = structuredClone(present);
    change(made.kinds);
    const [line = '', ...others] = surfaceBreaks(present, made);
    assert.match(line, said);
    assert.ok(line.endsWith(wayOut), line);
    assert.deepEqual(others, []);
  }
  const more = structuredClone(present);
  more.kinds.setting!.NEW = '';
  more.kinds.command!.verify += ', --new';
  assert.deepEqual(surfaceBreaks(present, more), []);
});

test('the surface has what there is', () => {
  const { kinds } = present;
  assert.ok(kinds.command!.import!.includes('--confirm <table=rows>'));
  assert.ok(
    [
      'commonhall_ready',
      'commonhall_replica_lag_seconds',
      'commonhall_requests_total',
      'commonhall_feed_lag_seconds',
    ].every((name) => name in kinds.metric!),
  );
});
