// Import and export in tests: writes files to load and reads exported ones, in a folder that is removed at the end.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import type { World } from '../../../../test/helpers/world.ts';
import { exportData } from '../../src/commands/export.ts';
import type { ImportFlags } from '../../src/commands/import.ts';
import { importData } from '../../src/commands/import.ts';
import { readConfig } from '../../src/config.ts';

interface Manifest {
  audience: string;
  schemaVersion: string;
  wal: string;
  time: string;
  files: { file: string; rows: number; sha256: string; table: string }[];
}
type Records = Record<string, unknown>[];

const folder = mkdtempSync(join(tmpdir(), 'commonhall-dataset-'));
after(() => rmSync(folder, { recursive: true }));
let serial = 0;
const configOf = ({ ownerUrl }: World) => readConfig({ DATABASE_URL: ownerUrl });

/** The name of a folder that does not exist yet. */
export const newFolder = (): string => join(folder, String(serial++));

/** A folder with one file of these lines. */
export const fileOf = (name: string, lines: (string | Buffer)[]): string => {
  const place = newFolder();
  mkdirSync(place);
  writeFileSync(join(place, name), Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')])));
  return place;
};

export const load = async (into: World, place: string, more: Partial<ImportFlags> = {}) => {
  const lines: string[] = [];
  const flags = { dryRun: false, strict: false, ...more };
  const complete = await importData(configOf(into), place, flags, (line) => void lines.push(line));
  return { complete, lines, rejected: lines.filter((line) => line.startsWith('rejected ')) };
};
/** The numbers of the rejected lines, ascending. */
export const linesOf = (rejected: string[]): number[] =>
  rejected.map((line) => Number(/^rejected [^:]+:(\d+)/.exec(line)?.[1])).sort((a, b) => a - b);

export const dump = async (from: World, everything: boolean): Promise<{ out: string; manifest: Manifest }> => {
  const out = newFolder();
  await exportData(configOf(from), out, everything, () => {});
  return { out, manifest: JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as Manifest };
};

export const readNdjson = (path: string): Records =>
  gunzipSync(readFileSync(path))
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

export const readParquet = async (path: string): Promise<Records> =>
  (await parquetReadObjects({ file: await asyncBufferFromFile(path) })) as Records;
