// Loaded into the process of each test file. A test that ends without an assertion fails: it would pass whatever the
// code does. At the end of the process its times are written for `npm test -- --times`.
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { afterEach, beforeEach } from 'node:test';
import { readProcess } from './descendants.ts';

/** Seconds of one test file. CPU is that of the process, and of the child processes that it has waited for. */
export interface FileTimes {
  file: string;
  wall: number;
  cpu: number;
  children: number;
  /** Until the first test begins: start of the process, modules, schemas, a database, servers. */
  wallBefore: number;
  cpuBefore: number;
}

let assertions = 0;
for (const [name, check] of Object.entries(assert))
  if (typeof check === 'function' && !/^[A-Z]/.test(name) && name !== 'strict')
    Object.assign(assert, {
      [name]: (...args: unknown[]) => {
        assertions += 1;
        return (check as (...args: unknown[]) => unknown)(...args);
      },
    });

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
let first: { wall: number; cpu: number } | undefined;
const before = new Map<string, number>();
beforeEach((context) => {
  first ??= { wall: performance.now() / 1000, cpu: cpuSeconds() };
  before.set((context as { fullName: string }).fullName, assertions);
});
afterEach((context) => {
  const { fullName, passed } = context as { fullName: string; passed: boolean };
  if (passed && before.get(fullName) === assertions)
    throw new Error('the test has no assertion: skip it with a reason, or do not declare it');
});

const out = process.env.COMMONHALL_TEST_TIMES;
if (out !== undefined)
  process.on('exit', () => {
    const times: FileTimes = {
      file: process.argv[1] ?? '',
      wall: performance.now() / 1000,
      cpu: cpuSeconds(),
      children: (readProcess(process.pid)?.childTicks ?? 0) / 100,
      wallBefore: first?.wall ?? 0,
      cpuBefore: first?.cpu ?? 0,
    };
    appendFileSync(out, `${JSON.stringify(times)}\n`);
  });
