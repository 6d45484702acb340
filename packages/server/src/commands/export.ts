// commonhall export --out <folder>: writes the public dataset, or with --all everything, with a manifest.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { withClient } from '../db/connection/client.ts';
import type { ExportedFile } from '../load/export.ts';
import { exportTable, isExported, openSnapshot } from '../load/export.ts';
import { tables } from '../records/tables.ts';

export const exportData = async (
  config: Config,
  folder: string,
  everything: boolean,
  print: (line: string) => void,
): Promise<void> => {
  mkdirSync(folder, { recursive: true, mode: everything ? 0o700 : 0o755 });
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`);
  await withClient(config.DATABASE_URL, async (client) => {
    const position = await openSnapshot(client);
    const files: ExportedFile[] = [];
    for (const table of tables.filter((each) => isExported(each, everything))) {
      const written = await exportTable(client, table, folder, everything);
      files.push(...written);
      print(`${table.name}: ${written[0]?.rows ?? 0} rows`);
    }
    // Written last: a folder without a manifest is an incomplete export.
    const manifest = { audience: everything ? 'private' : 'public', ...position, files };
    writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    print(`${files.length} files in ${folder}`);
  });
};
