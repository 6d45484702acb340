// commonhall demo-data --out <folder>: a believable community from one number, as files that `import` loads.
import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ScaleName } from '../dataset/demo/scales.ts';
import { scales } from '../dataset/demo/scales.ts';
import { worldOf } from '../dataset/demo/world.ts';
import { tables } from '../dataset/tables.ts';

/** The moment of the demo worlds, unless another is given. */
export const demoNow = '2026-11-01T12:00:00.000Z';

export const demoData = async (
  folder: string,
  { seed, scale, now = demoNow, gzip }: { seed: number; scale: ScaleName; now?: string; gzip: boolean },
  print: (line: string) => void,
): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  const world = worldOf({ seed, scale: scales[scale], now });
  for (const { name } of tables) {
    const make = world[name];
    if (make === undefined) continue;
    const file = createWriteStream(join(folder, `${name}.ndjson${gzip ? '.gz' : ''}`));
    const out = gzip ? createGzip({ level: 1 }) : file;
    if (out !== file) out.pipe(file);
    let rows = 0;
    let chunk = '';
    for (const row of make()) {
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
