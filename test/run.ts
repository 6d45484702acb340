// Runs test files on one lane: the embedded PostgreSQL 18, or the server of TEST_DATABASE_URL (PostgreSQL 15 in CI).
// The name of a file says when it runs: *.test.ts every day, *.system.test.ts with --system too, *.long.test.ts only with
// --long. A line `// lanes: 15 18` in a file says on which lanes; without it only on 18. Fails if a file fails, runs no
// named test, or does not end within the time limit. --stop ends at the first failure, --times prints what each costs.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, freemem, tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { watchDescendants } from './descendants.ts';
import type { Counted } from './reporter.ts';
import { stopped } from './reporter.ts';
import { printTimes } from './times.ts';

/** CI stops after 90 minutes, and runs two lanes. */
const limitMs = Number(process.env.TEST_LIMIT_MS ?? 45 * 60_000);
const flag = { type: 'boolean', default: false } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { system: flag, long: flag, times: flag, stop: flag },
});
const given = (process.env.TEST_DATABASE_URL ?? '') !== '';
/** Packages of hundreds of small modules, which every process of a run would read: see test/bundled.js. */
const bundled = ['typebox', 'typebox/compile', '@modelcontextprotocol/server', 'jose'];
const outOf = (name: string): string => name.replaceAll('/', '+');
const lane = given ? '15' : '18';
const lanesOf = (file: string): string[] =>
  (/^\/\/ lanes: (.*)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '18').split(' ');
const kindOf = (file: string): string | undefined => /\.(system|long)\.test\.ts$/.exec(file)?.[1];
const isWanted = (file: string): boolean => {
  const kind = kindOf(file);
  const isOfKind = values.long ? kind === 'long' : kind === undefined || (kind === 'system' && values.system);
  return isOfKind && lanesOf(file).includes(lane);
};
const files = (positionals.length > 0 ? globSync(positionals) : globSync('packages/*/test/*.test.ts').filter(isWanted))
  .map((file) => resolve(file))
  // System tests first: they take longest, and the run shall not end with one of them alone.
  .sort((a, b) => Number(kindOf(b) === 'system') - Number(kindOf(a) === 'system') || a.localeCompare(b));
if (files.length === 0) throw new Error(`no test file matches ${positionals.join(' ')}`);
// Temporary files of the tests: removed at the end, also after an abort. PostgreSQL runs as another user and reads
// them. They are in memory where there is much of it: a busy disk makes every file wait.
const memory = '/dev/shm';
const room = 12 * 2 ** 30;
const isRoomy = () => {
  const { bavail, bsize } = statfsSync(memory);
  return freemem() > room && bavail * bsize > room;
};
const folder = mkdtempSync(join(existsSync(memory) && isRoomy() ? memory : tmpdir(), 'commonhall-test-'));
chmodSync(folder, 0o755);
const counts = join(folder, 'counts.ndjson');
const times = join(folder, 'times.ndjson');

const began = Date.now();
await build({
  entryPoints: bundled.map((name) => ({ in: name, out: outOf(name) })),
  outdir: join(folder, 'bundles'),
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
});
const bundles = bundled.map((name) => [name, pathToFileURL(join(folder, 'bundles', `${outOf(name)}.mjs`)).href]);
const runner = spawn(process.execPath, [join(import.meta.dirname, 'runner.ts'), ...files], {
  stdio: 'inherit',
  detached: true,
  env: {
    ...process.env,
    TMPDIR: folder,
    // More than the CPUs: tests mostly wait, for PostgreSQL, for a server to start, or for time to pass.
    TEST_CONCURRENCY: process.env.TEST_CONCURRENCY ?? String(values.long ? 1 : 2 * availableParallelism()),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${JSON.stringify(join(import.meta.dirname, 'bundled.js'))}`,
    COMMONHALL_TEST_BUNDLES: JSON.stringify(Object.fromEntries(bundles)),
    NODE_COMPILE_CACHE: join(folder, 'modules'),
    COMMONHALL_TEST_COUNTS: counts,
    COMMONHALL_TEST_TIMES: times,
    ...(values.stop ? { COMMONHALL_TEST_STOP: '1' } : {}),
  },
});
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
  if (code === stopped) stop('stopped at the first failure');
  const left = reason === '' ? await leftBehind() : [];
  descendants.end('SIGKILL');
  const lines = existsSync(counts) ? readFileSync(counts, 'utf8').split('\n').slice(0, -1) : [];
  const counted = lines.map((line) => JSON.parse(line) as Counted);
  if (values.times) printTimes(times);
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
