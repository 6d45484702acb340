// Writes one JSON line for each named test when it ends: {file, failed, ms}. `node --test` reports a file without tests
// as passed, so test/run.ts counts these lines per file; written at once, they survive an aborted run. A failure is
// also printed at once with its error; the spec reporter prints it only at the end.

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
  details?: { type?: string; duration_ms?: number; error?: { cause?: unknown } };
  skip?: string | boolean;
}

// biome-ignore lint/style/noDefaultExport: node requires a reporter to be the default export
export default async function* count(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { file = '', name, details, skip } = event.data as Ended;
    // node reports a file without tests as one test named after the file.
    const isFile = file === '' || file.endsWith(name) || name.endsWith('.ts');
    const failed = event.type === 'test:fail';
    if (!failed && (isFile || details?.type === 'suite' || skip)) continue;
    if (failed) process.stderr.write(`\n✖ ${name} (${file})\n${inspect(details?.error?.cause ?? details?.error)}\n\n`);
    yield `${JSON.stringify({ file, failed, ms: details?.duration_ms ?? 0 } satisfies Counted)}\n`;
  }
}
