// Runs the test files of its arguments in their order, over one PostgreSQL. test/run.ts starts it, and can kill it with
// all that it has started. (`node --test` would sort the files.)
import { run } from 'node:test';
import { globalSetup, globalTeardown } from './global-setup.ts';
import { report } from './reporter.ts';

const names = process.env.TEST_NAMES;
try {
  await globalSetup();
  const tests = run({
    files: process.argv.slice(2),
    concurrency: Number(process.env.TEST_CONCURRENCY),
    execArgv: [`--import=${import.meta.dirname}/each-file.ts`],
    ...(names === undefined ? {} : { testNamePatterns: new RegExp(names) }),
  });
  tests.on('test:fail', () => {
    process.exitCode = 1;
  });
  for await (const text of report(tests)) process.stdout.write(text);
} finally {
  await globalTeardown();
}
