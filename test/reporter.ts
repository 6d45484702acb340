// Prints each test when it ends; a failure with its error, or the name of the test that failed with it first. Also
// writes one JSON line for each named test to COMMONHALL_TEST_COUNTS: `node --test` reports a file without tests as
// passed, so test/run.ts counts these lines per file; written at once, they survive an aborted run.
import { appendFileSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

export interface Counted {
  file: string;
  failed: boolean;
  ms: number;
}
interface Ended {
  file?: string;
  name: string;
  nesting: number;
  details?: { type?: string; duration_ms?: number; error?: { cause?: unknown } };
  skip?: string | boolean;
}

/** The exit status of a run that ends at its first failure. */
export const stopped = 3;
const counts = process.env.COMMONHALL_TEST_COUNTS ?? '/dev/null';
/** By the message of an error, the test that failed with it first. */
const printed = new Map<string, string>();
/** The error without its frames inside node. */
const textOf = (error: unknown, name: string): string => {
  const text = inspect(error);
  const message = text.split('\n    at ')[0]!;
  const first = printed.get(message);
  if (first !== undefined) return `  the same error as in "${first}"`;
  printed.set(message, name);
  return text.replaceAll(/\n\s+at .*\bnode:internal\/.*/g, '');
};

export async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    if (event.type === 'test:stdout' || event.type === 'test:stderr') yield event.data.message;
    // node's own summary follows the last test; test/run.ts prints one line instead.
    if (event.type === 'test:diagnostic' && event.data.file !== undefined) yield `ℹ ${event.data.message}\n`;
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { file = '', name, nesting, details, skip } = event.data as Ended;
    // node reports a file without tests as one test named after the file.
    const isFile = file === '' || file.endsWith(name) || name.endsWith('.ts');
    const failed = event.type === 'test:fail';
    if (!failed && (isFile || details?.type === 'suite')) continue;
    const ms = details?.duration_ms ?? 0;
    const sign = failed ? '✖' : skip ? '﹣' : '✔';
    yield `${'  '.repeat(nesting)}${sign} ${name} (${ms.toFixed(0)} ms)${typeof skip === 'string' ? ` # ${skip}` : ''}\n`;
    if (skip && !failed) continue;
    if (failed) yield `  in ${file}\n${textOf(details?.error?.cause ?? details?.error, name)}\n`;
    appendFileSync(counts, `${JSON.stringify({ file, failed, ms } satisfies Counted)}\n`);
    if (failed && process.env.COMMONHALL_TEST_STOP === '1') process.exit(stopped);
  }
}
