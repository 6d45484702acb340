// Runs test files on one lane (TEST_DATABASE_URL, or the embedded PostgreSQL). Fails if a file fails, runs no named
// test, or does not end within the time limit. Without file names: all but *.long.test.ts, or with --long only those.
import { spawn } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { watchDescendants } from './descendants.ts';
import type { Counted } from './reporter.ts';

/** CI stops after 90 minutes, and runs two lanes. */
const limitMs = Number(process.env.TEST_LIMIT_MS ?? 45 * 60_000);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { long: { type: 'boolean', default: false } },
});
/** Tests that do not depend on the PostgreSQL version: skipped on the lane of TEST_DATABASE_URL. */
const sameEverywhere = `architecture browser budget caching client command-line compatibility config connections
  demo deploy doc-blocks docs docs-commands examples follow generators http journal lag limits logging mcp nginx observing
  openapi outage packages problems records relay replicas running site slots specification start-up stdio strict-json
  tokens types upgrade varnish read-change`.split(/\s+/);
// *.scale.test.ts load much data and run only on the embedded PostgreSQL; *.given.test.ts run only on the server of
// TEST_DATABASE_URL. *.long.test.ts measure time: they need an idle machine.
const given = (process.env.TEST_DATABASE_URL ?? '') !== '';
/** Fewer random cases on the given lane; the embedded lane runs the full number. */
const fewer = { OPERATIONS: '1000', WORLDS: '20' };
const isOfThisLane = (file: string): boolean =>
  file.endsWith('.long.test.ts') === values.long &&
  !file.endsWith(given ? '.scale.test.ts' : '.given.test.ts') &&
  !(given && sameEverywhere.includes(basename(file, '.test.ts')));
const files = (
  positionals.length > 0 ? globSync(positionals) : globSync('packages/*/test/*.test.ts').filter(isOfThisLane)
)
  .map((file) => resolve(file))
  .sort();
// Temporary files of the tests: removed at the end, also after an abort. PostgreSQL runs as another user and reads
// them.
const folder = mkdtempSync(join(tmpdir(), 'commonhall-test-'));
chmodSync(folder, 0o755);
const counts = join(folder, 'counts.ndjson');

const began = Date.now();
const runner = spawn(
  process.execPath,
  [
    '--test',
    '--test-global-setup=test/global-setup.ts',
    // One more than the CPUs: tests mostly wait, for PostgreSQL, for a server to start, or for time to pass.
    `--test-concurrency=${process.env.TEST_CONCURRENCY ?? (values.long ? 1 : availableParallelism() + 1)}`,
    ...(process.env.TEST_NAMES === undefined ? [] : [`--test-name-pattern=${process.env.TEST_NAMES}`]),
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=./test/reporter.ts',
    `--test-reporter-destination=${counts}`,
    ...files,
  ],
  {
    stdio: 'inherit',
    detached: true,
    env: { ...(given ? fewer : {}), ...process.env, TMPDIR: folder, NODE_COMPILE_CACHE: join(folder, 'modules') },
  },
);
const descendants = watchDescendants(runner.pid!);
let reason = '';
/** Kills every process that the tests have started; PostgreSQL and the servers have sessions of their own. */
const stop = (why: string): void => {
  reason = why;
  descendants.look();
  descendants.end('SIGKILL');
};
const limit = setTimeout(() => stop(`the tests were stopped after ${limitMs / 1000} s`), limitMs);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(`stopped by ${signal}`));

/** The processes that are still running 5 seconds after the runner has exited. */
const leftBehind = async (): Promise<number[]> => {
  for (let tries = 0; tries < 50 && descendants.alive().length > 0; tries++) await sleep(100);
  return descendants.alive();
};

runner.on('exit', async (code) => {
  clearTimeout(limit);
  const left = reason === '' ? await leftBehind() : [];
  descendants.end('SIGKILL');
  const lines = readFileSync(counts, 'utf8').split('\n').slice(0, -1); // the last line may be incomplete
  const counted = lines.map((line) => JSON.parse(line) as Counted);
  rmSync(folder, { recursive: true, maxRetries: 20, retryDelay: 100 }); // PostgreSQL may still be writing
  const names = (wanted: readonly string[]) => wanted.map((file) => relative('.', file)).join(', ');
  const missing = files.filter((file) => !counted.some((test) => test.file === file));
  const failed = [...new Set(counted.filter((test) => test.failed).map(({ file }) => file))];
  const problems: string[] = [];
  if (reason !== '') problems.push(reason);
  else if (code !== 0) problems.push('a test failed');
  if (left.length > 0) problems.push(`left running and killed: ${left.length} processes`);
  if (failed.length > 0) problems.push(`failed: ${names(failed)}`);
  if (missing.length > 0) problems.push(`no named test ended in: ${names(missing)}`);
  for (const problem of problems) console.error(problem);
  const seconds = Math.round((Date.now() - began) / 1000);
  const slowest = [...Map.groupBy(counted, ({ file }) => file)]
    .map(([file, tests]) => ({ file: basename(file, '.test.ts'), ms: tests.reduce((sum, { ms }) => sum + ms, 0) }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, 20)
    .map(({ file, ms }) => `${file} ${Math.round(ms / 1000)}`);
  console.log(`slowest files, seconds: ${slowest.join(', ')}`);
  console.log(`lane ${given ? 'given' : 'embedded'}: ${counted.length} tests, ${files.length} files, ${seconds} s`);
  process.exitCode = problems.length === 0 ? 0 : 1;
});
