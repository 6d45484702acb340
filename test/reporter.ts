// Counts named tests by file, because node --test calls an empty file passed. Writes {tests, failed, files} as JSON.
import type { TestEvent } from 'node:test/reporters';

interface Counted {
  file?: string;
  name: string;
  nesting: number;
  details?: { type?: string };
  skip?: string | boolean;
}

// biome-ignore lint/style/noDefaultExport: node looks a reporter up as the default export
export default async function* count(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files: Record<string, number> = {};
  let failed = 0;
  for await (const event of source) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const data = event.data as Counted;
    if (event.type === 'test:fail') failed++;
    // node reports a file without tests as one test that is named like the file.
    const isFile = data.file === undefined || data.file.endsWith(data.name) || data.name.endsWith('.ts');
    if (isFile || data.details?.type === 'suite' || data.skip) continue;
    files[data.file ?? ''] = (files[data.file ?? ''] ?? 0) + 1;
  }
  yield JSON.stringify({ failed, files });
}
