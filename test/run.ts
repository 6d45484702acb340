// Runs the test files on one lane (TEST_DATABASE_URL, or the private PostgreSQL) and fails when a file failed, ran no
// named test, or did not end by itself within the limit.
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const limitMs = Number(process.env.TEST_LIMIT_MS ?? 15 * 60_000);
const patterns = process.argv.slice(2);
// Files of scale need minutes: they run on the private PostgreSQL only.
const given = (process.env.TEST_DATABASE_URL ?? '') !== '';
const files = globSync(patterns.length > 0 ? patterns : 'packages/*/test/*.test.ts')
  .filter((file) => !given || !file.endsWith('.scale.test.ts'))
  .map((file) => resolve(file))
  .sort();
const folder = mkdtempSync(join(tmpdir(), 'commonhall-test-'));
const counts = join(folder, 'counts.json');

const began = Date.now();
const runner = spawn(
  process.execPath,
  [
    '--test',
    '--test-global-setup=test/global-setup.ts',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=./test/reporter.ts',
    `--test-reporter-destination=${counts}`,
    ...files,
  ],
  { stdio: 'inherit', detached: true },
);
let late = false;
const limit = setTimeout(() => {
  late = true;
  process.kill(-(runner.pid ?? 0), 'SIGKILL'); // the runner and the test processes it started
}, limitMs);
runner.on('exit', (code) => {
  clearTimeout(limit);
  const problems: string[] = [];
  if (late) problems.push(`the tests did not end by themselves within ${limitMs / 1000} s`);
  if (code !== 0) problems.push('a test failed');
  let tests = 0;
  if (!late) {
    const counted = JSON.parse(readFileSync(counts, 'utf8')) as { failed: number; files: Record<string, number> };
    for (const file of files) if (!counted.files[file]) problems.push(`${file} ran no named test`);
    tests = Object.values(counted.files).reduce((sum, count) => sum + count, 0);
  }
  rmSync(folder, { recursive: true });
  for (const problem of problems) console.error(problem);
  const seconds = Math.round((Date.now() - began) / 1000);
  console.log(
    `lane ${process.env.TEST_DATABASE_URL ? 'given' : 'embedded'}: ${tests} tests, ${files.length} files, ${seconds} s`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
});
