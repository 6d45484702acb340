// Writes the sample data as NDJSON, one file per table.
import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ScaleName } from './scales.ts';
import { scales } from './scales.ts';
import { tableNames, worldOf } from './world.ts';

export interface WriteOptions {
  seed: number;
  scale: ScaleName;
  now: string;
  pictures: string;
  gzip: boolean;
}

export const writeWorld = async (
  folder: string,
  { seed, scale, now, pictures, gzip }: WriteOptions,
  print: (line: string) => void,
): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  const world = worldOf({ seed, scale: scales[scale], now, pictures });
  for (const name of tableNames) {
    const file = createWriteStream(join(folder, `${name}.ndjson${gzip ? '.gz' : ''}`));
    const out = gzip ? createGzip({ level: 1 }) : file;
    if (out !== file) out.pipe(file);
    let rows = 0;
    let chunk = '';
    for (const row of world[name]?.() ?? []) {
      rows += 1;
      chunk += `${JSON.stringify(row)}\n`;
      if (chunk.length > 65_536) {
        if (!out.write(chunk)) await once(out, 'drain');
        chunk = '';
      }
    }
    out.end(chunk);
    await finished(file);
    print(`${name}: ${rows} records`);
  }
};
